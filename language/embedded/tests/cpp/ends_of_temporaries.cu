// Where temporary objects and parts of objects end, and arrays that lists deduce.
#include <cstdio>
#include <string>
struct T {
    int k;
    T(int k = 0) : k(k) { printf("T%d ", k); }
    T(const T &other) : k(other.k) { printf("C%d ", k); }
    ~T() { printf("~T%d ", k); }
    const T &self() const { return *this; }
};
const T &same(const T &t) { return t; }
T made(int k) { return T(k); }
struct Same {
    virtual const T &of(const T &t) const { return t; }
    virtual ~Same() {}
};
struct Whole {
    T a;
    Whole() : a(1) {}
    Whole(int k) : Whole() {
        if (k) throw k;
    }
    ~Whole() { printf("~W "); }
};
template <class E, size_t N> size_t length(const E (&)[N]) { return N; }
template <class E, size_t N> E sum(E (&&list)[N]) {
    E all = 0;
    for (E one : list) all += one;
    return all;
}
template <size_t N> int ints(const int (&list)[N]) { return list[N - 1] + (int)N; }
int main() {
    {
        const T &a = same(T(2));
        printf("after ");
        (void)a;
    }
    {
        const T &a = T(3).self();
        printf("after ");
        (void)a;
    }
    {
        const Same &virtual_one = Same();
        const T &a = virtual_one.of(T(6)), &b = (*&same)(T(8));
        printf("after ");
        (void)a, (void)b;
    }
    {
        const T &a = made(4);
        const int &part = T(5).k;
        printf("%d %d after ", a.k, part);
    }
    printf("\n");
    try {
        Whole w(7);
    } catch (int k) {
        printf("caught %d\n", k);
    }
    Whole w(0);
    const std::string &s = std::string("a") + "b";
    printf("%s %zu %g %d\n", s.c_str(), length({1, 2, 3}), sum({1.5, 2.5}), ints({4, 5}));
}
