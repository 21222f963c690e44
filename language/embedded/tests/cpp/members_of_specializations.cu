// Members of class templates and of their partial specializations, defined outside of the classes.
#include <cstdio>
#include <string>

template <class T, int N>
struct P {
    static int count;
    static const char *names[2];
    P();
    ~P();
    int f() const;
    int f(int by) const;
    template <class U>
    int g(U value);
    P &operator+=(int by);
    int sum;
};
template <class T, int N>
struct P<T *, N> {
    static int count;
    static const char *names[2];
    P();
    ~P();
    int f() const;
    int f(int by) const;
    template <class U>
    int g(U value);
    P &operator+=(int by);
    int sum;
};
template <class T>
struct P<T, 0> {
    static int count;
    int f() const;
};
template <class T>
struct P<T *, 0> {
    static int count;
    int f() const;
};

template <class T, int N> int P<T, N>::count = N;
template <class Q, int M> int P<Q *, M>::count = 10 * M;
template <class T> int P<T, 0>::count = 500;
template <class U> int P<U *, 0>::count = 600;
template <class T, int N> const char *P<T, N>::names[2] = {"any", "thing"};
template <class T, int N> const char *P<T *, N>::names[2] = {"poin", "ter"};
template <class T, int N> P<T, N>::P() : sum(N) { count++; }
template <class Q, int M> P<Q *, M>::P() : sum(100 * M) { count += 2; }
template <class T, int N> P<T, N>::~P() { printf("any %d\n", sum); }
template <class T, int N> P<T *, N>::~P() { printf("pointer %d\n", sum); }
template <class T, int N> int P<T, N>::f() const { return sizeof(T); }
template <class Q, int M> int P<Q *, M>::f() const { return 1000 + sizeof(Q); }
template <class T, int N> int P<T, N>::f(int by) const { return f() + by; }
template <class T, int N> int P<T *, N>::f(int by) const { return f() - by; }
template <class T> int P<T, 0>::f() const { return 7; }
template <class U> int P<U *, 0>::f() const { return 8; }
template <class T, int N>
template <class U>
int P<T, N>::g(U value) { return sizeof(value) + N; }
template <class Q, int M>
template <class U>
int P<Q *, M>::g(U value) { return 100 * sizeof(value) + sizeof(Q); }
template <class T, int N> P<T, N> &P<T, N>::operator+=(int by) { sum += by; return *this; }
template <class T, int N> P<T *, N> &P<T *, N>::operator+=(int by) { sum -= by; return *this; }

template <class... T> struct Count { static int of(); static int kind; };
template <class T, class... Rest> struct Count<T, Rest...> { static int of(); static int kind; };
template <class... T> int Count<T...>::of() { return 0; }
template <class T, class... Rest> int Count<T, Rest...>::of() { return 1 + Count<Rest...>::of(); }
template <class... T> int Count<T...>::kind = 0;
template <class T, class... Rest> int Count<T, Rest...>::kind = 1;

template <class F> struct Name { static std::string of(); };
template <class R, class A> struct Name<R(A)> { static std::string of(); };
template <class T, int N> struct Name<T[N]> { static std::string of(); };
template <class T> struct Name<const T> { static std::string of(); };
template <class F> std::string Name<F>::of() { return "plain"; }
template <class R, class A> std::string Name<R(A)>::of() { return "function of " + Name<A>::of(); }
template <class T, int N> std::string Name<T[N]>::of() { return std::to_string(N) + " of " + Name<T>::of(); }
template <class T> std::string Name<const T>::of() { return "const " + Name<T>::of(); }

int main() {
    {
        P<char, 3> a, b;
        P<short *, 4> c;
        a += 5;
        c += 5;
        printf("%d %d %d %d\n", a.f(), a.f(2), c.f(), c.f(2));
        printf("%d %d\n", b.g(2.0), c.g('x'));
    }
    printf("%d %d\n", P<char, 3>::count, P<short *, 4>::count);
    printf("%d %d %d %d\n", P<int, 0>::count, P<int *, 0>::count, P<int, 0>().f(), P<int *, 0>().f());
    printf("%s%s %s%s\n", P<int, 1>::names[0], P<int, 1>::names[1], P<int *, 1>::names[0], P<int *, 1>::names[1]);
    printf("%d %d %d\n", Count<int, char, long>::of(), Count<>::kind, Count<int>::kind);
    printf("%s, %s, %s\n", Name<int(char)>::of().c_str(), Name<int[3]>::of().c_str(), Name<const int>::of().c_str());
}
