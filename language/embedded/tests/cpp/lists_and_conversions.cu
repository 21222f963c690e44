// Lists behind compound assignments, calls of inherited types, variables that are only declared,
// and conversions that are not chained.
#include <cstdio>
#include <initializer_list>
#include <string>
#include <vector>

struct Sum {
    int total = 0;
    Sum &operator+=(std::initializer_list<int> list) { for (int x : list) total += x; return *this; }
    Sum &operator+=(int x) { total += 100 * x; return *this; }
    struct Point { int x, y; };
    Sum &operator-=(const Point &p) { total -= p.x * p.y; return *this; }
};

template <int... I> struct Sequence { static int sum() { return (I + ... + 0); } };
template <int N, int... I> struct Make : Make<N - 1, N - 1, I...> {};
template <int... I> struct Make<0, I...> { typedef Sequence<I...> type; typedef long number; };
template <int... I> int sum_of(Sequence<I...> s) { return s.sum(); }

struct Flag { int v; operator int() const { return v; } explicit operator bool() const { return v != 1; } };
struct Other { int v; Other(int x, int y = 2) : v(x * y) {} friend bool operator==(const Other &, const Other &) { return true; } };
struct Another { int v; Another(int x) : v(x) {} friend bool operator==(const Another &, const Another &) { return true; } };
int which(const Other &) { return 1; }
int which(double) { return 2; }

int defined = 4;
int reads() {
    extern int defined, nowhere;
    { extern double never; }
    return defined;
}
namespace inner { int reads() { extern int elsewhere; return 5; } }

int main() {
    Sum s;
    s += {1, 2, 3};
    printf("%d\n", s.total);
    s += 2;
    (s += {4}) += {5, 6};
    s -= {2, 3};
    s += {};
    printf("%d\n", s.total);
    std::string text = "ab";
    text += {'c', 'd'};
    printf("%s %zu\n", text.c_str(), std::string("xyz", 0).size());
    const char *word = "word";
    std::string part(word + 1, word + 3), copy(text.begin(), text.end() - 1);
    int letters[] = {65, 66, 67};
    std::string wide(letters, letters + 3);
    printf("%s %s %s\n", part.c_str(), copy.c_str(), wide.c_str());
    printf("%d %ld %d\n", sum_of(Make<5>::type()), Make<3>::number(7), Make<4>::type().sum());
    Flag f{1}, g{1}, h{2};
    printf("%d %d %d %d\n", f == g, f == h, h == 2, which(f));
    printf("%d %d\n", reads(), inner::reads());
}
