// Packs in lists as arguments, designated members of unions, nested lists without inner braces,
// searches with iterators without `[]`, and std::move_if_noexcept.
#include <algorithm>
#include <cstdio>
#include <forward_list>
#include <initializer_list>
#include <iterator>
#include <list>
#include <memory>
#include <set>
#include <utility>
#include <vector>

int sum(std::initializer_list<int> list) {
    int s = 0;
    for (int x : list) s += x;
    return s;
}
template <class T> T sum_of(std::initializer_list<T> list) {
    T s = 0;
    for (T x : list) s += x;
    return s;
}
template <class... A> int plain(A... xs) { return sum({xs...}); }
template <class... A> int deduced(A... xs) { return sum_of({xs...}); }
template <class... A> long given(A... xs) { return sum_of<long>({0, xs...}); }
template <class... A> auto largest(A &&...xs) { return std::max({xs...}); }
template <class... A> auto smallest(const A &...xs) { return std::min({xs...}); }
template <class... A> int doubled(A... xs) { return sum({2 * xs..., 1}); }
template <class... A> size_t length(A... xs) { return std::vector<int>({xs...}).size(); }

union Word {
    int i;
    float f;
    unsigned char bytes[8];
};
struct In {
    int a, b;
};
struct Out {
    In in;
};
struct More {
    In in;
    int c[3];
};
struct Names {
    const char *list[3];
};

class Counter {
    int at;

public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = int;
    using difference_type = int;
    using pointer = const int *;
    using reference = int;
    explicit Counter(int at) : at(at) {}
    int operator*() const { return at; }
    Counter &operator++() { ++at; return *this; }
    Counter &operator--() { --at; return *this; }
    Counter &operator+=(int k) { at += k; return *this; }
    int operator-(Counter other) const { return at - other.at; }
    bool operator!=(const Counter &other) const { return at != other.at; }
    bool operator==(const Counter &other) const { return at == other.at; }
};

template <class F> struct Guard {
    F leave;
    ~Guard() { leave(); }
};
template <class F> Guard(F) -> Guard<F>;
template <class A, class B> struct Two {
    A a;
    B b;
};
template <class A, class B> Two(A, B) -> Two<A, B>;

struct Quiet {
    Quiet() {}
    Quiet(const Quiet &) { printf("copy "); }
    Quiet(Quiet &&) noexcept { printf("move "); }
};
struct Loud {
    Loud() {}
    Loud(const Loud &) { printf("copy "); }
    Loud(Loud &&) { printf("move "); }
};

int main() {
    int a = 4, b = 7;
    const int c = 5;
    printf("%d %d %ld %d %d\n", plain(1, 2), deduced(3, 4, 5), given(6, 7), doubled(1, 2), plain());
    printf("%d %d %d %zu\n", largest(3, 9, 4), largest(a, b), smallest(3, 2, c), length(1, 2, 3));

    Word w = {.f = 1.0f}, v = {.bytes = {1, 2}}, u = {7};
    printf("%x %x %d\n", w.i, v.i, u.i);
    for (int k = 0; k < 2; ++k) {
        Out one = {5};
        More two = {5, 6, 7}, three = {5};
        Names names = {"x"};
        printf("%d %d %d %d %d %d ", one.in.a, one.in.b, two.in.b, two.c[0], two.c[2], three.c[0]);
        printf("%s %d\n", names.list[0], names.list[2] == nullptr);
        one.in.b = two.c[2] = three.c[0] = 99;
        names.list[2] = "y";
    }

    std::list<int> list{1, 3, 5, 7};
    std::set<int> set{2, 4, 6};
    printf("%d %d %d %d\n", *std::lower_bound(Counter(0), Counter(100), 37),
           *std::upper_bound(Counter(0), Counter(100), 37), *std::lower_bound(list.begin(), list.end(), 4),
           *std::upper_bound(set.begin(), set.end(), 4));

    Quiet quiet;
    Loud loud;
    Quiet q(std::move_if_noexcept(quiet));
    Loud l(std::move_if_noexcept(loud));
    std::unique_ptr<int> p(new int(3)), r(std::move_if_noexcept(p));
    printf("%d %d\n", p == nullptr, *r);

    {
        int count = 2;
        Guard guard{[&count] { printf("leave %d\n", count); }};
        Guard other{[] { printf("first "); }};
        count = 3;
    }
    Two two{[](int x) { return x + 1; }, 5};
    printf("%d\n", two.a(two.b));
    return 0;
}
