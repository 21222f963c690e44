// Inline namespaces, nested classes outside, members' initializers, functions declared in functions.
#include <array>
#include <cstdio>
#include <initializer_list>
#include <map>
#include <stdexcept>
#include <vector>
namespace n {
inline namespace v1 {
int inl(int x) { return x + 1; }
struct S {
    int a = 3;
};
}
}
struct Pimpl {
    struct Impl;
    Impl *p;
    Pimpl();
    int get() const;
};
struct Pimpl::Impl {
    int x = 77;
};
Pimpl::Pimpl() : p(new Impl) {}
int Pimpl::get() const { return p->x; }
class Checker {
    struct Loc {
        int a;
        Loc(int x) : a(x) {}
    };
    struct Less {
        bool operator()(const Loc &l, const Loc &r) const;
    };

public:
    bool test() {
        Less s;
        return s(Loc(1), Loc(2));
    }
};
bool Checker::Less::operator()(const Loc &l, const Loc &r) const { return l.a < r.a; }
struct First {
    int z = 4;
};
struct Second : First {
    int y = z + 1, w = this->y * 2;
    Second clone() const {
        Second made;
        made.z = 100;
        Second again;
        return again;
    }
};
template <class T> void twice(int n, T *p) { printf("%d\n", n + (int)*p); }
template <class T> void twice(int n, T *p);
template <class T> int which(T *);
template <class T> int which(T) { return 1; }
template <class T> int which(T *) { return 2; }
int pick(bool b) { return b ? 4 : throw std::runtime_error("no"); }
template <int... I> struct Table {
    static constexpr int values[] = {I...};
    static constexpr int second = values[1];
};
template <class T> struct Member {
    static int n;
};
template <> int Member<float>::n = 3;
int main() {
    printf("%d %d %d\n", n::inl(2), n::v1::inl(3), n::S().a + n::v1::S{}.a);
    printf("%d %d\n", Pimpl().get(), Checker().test());
    Second second;
    second.z = 50;
    printf("%d %d %d\n", second.y, second.w, second.clone().y);
    int x = 3;
    twice<int>(1, &x);
    printf("%d %d\n", which(x), which(&x));
    int later(int), j = 0, k = 0;
    printf("%d\n", later(4));
    int m[2][3] = {{1, 2, 3}, {4, 5, 6}};
    int(&rm)[2][3] = m;
    printf("%d %zu\n", rm[1][2], sizeof rm);
    (j, k) = 3;
    printf("%d %d\n", j, k);
    auto list = {1, 2, 3};
    auto one{5};
    int sum = one;
    for (int v : list) sum += v;
    printf("%d %zu\n", sum, list.size());
    try {
        pick(false);
    } catch (std::runtime_error &e) {
        printf("%s %d\n", e.what(), pick(true));
    }
    std::map<std::pair<int, int>, int> places;
    places[{1, 2}] += 3;
    printf("%d\n", places.at({1, 2}));
    const char usage[] = {"Usage:\n"
                          " -h\n"};
    printf("%s%zu\n", usage, sizeof usage);
    printf("%d %d %zu\n", Table<2, 3>::values[1], Table<4, 5>::second, sizeof(Table<1, 2, 3>::values));
    printf("%d\n", Member<float>::n);
    return 0;
}
int later(int x) { return x * 10; }
