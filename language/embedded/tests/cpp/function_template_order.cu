// The order of function templates, and which template a specialization belongs to.
#include <cstdio>
#include <vector>
#include <utility>
template <class T> struct V { T v; };
template <class T> int a(T) { return 1; }
template <class T> int a(T *) { return 2; }
template <class T> int a(const T *) { return 3; }
template <class T> int a(V<T>) { return 4; }
template <class T> int a(V<V<T>>) { return 5; }
template <class T> int a(V<T *>) { return 6; }
template <class T> int a(T **) { return 7; }
template <class T> int b(T, T) { return 1; }
template <class T, class U> int b(T, U) { return 2; }
template <class T, class U> int b(V<T>, U) { return 3; }
template <class T> int b(V<T>, V<T>) { return 4; }
template <class T> int c(const T &) { return 1; }
template <class T, int N> int c(const T (&)[N]) { return 2; }
template <int N> int c(const char (&)[N]) { return 3; }
template <class... T> int d(T...) { return 1; }
template <class T, class... U> int d(T, U...) { return 2; }
template <class T, class U, class... W> int d(T, U, W...) { return 3; }
template <class T> int d(T) { return 4; }
template <class T> int e(T &) { return 1; }
template <class T> int e(T &&) { return 2; }
template <class T> int e(const T &) { return 3; }
template <class R, class A> int g(R (*)(A)) { return 1; }
template <class R> int g(R (*)(int)) { return 2; }
template <class A> int g(A) { return 3; }
template <class T, class U> int h(std::pair<T, U>) { return 1; }
template <class T> int h(std::pair<T, T>) { return 2; }
template <class U> int h(std::pair<int, U>) { return 3; }
template <class T> int k(T, int = 0) { return 1; }
template <class T> int k(T *, long = 0) { return 2; }
template <class T> int m(std::vector<T> &) { return 1; }
template <class T> int m(std::vector<std::vector<T>> &) { return 2; }
template <class T> int m(T &) { return 3; }
template <class T, class... U> int n(V<T>, U...) { return 1; }
template <class T> int n(T, int) { return 2; }
template <class T> int n(V<T>, int) { return 3; }
int plus(int x) { return x; }
float half(float x) { return x; }
template <class T> int s(T) { return 1; }
template <class T> int s(T *) { return 2; }
template <> int s(char *) { return 20; }
template <> int s<float *>(float *) { return 10; }
template <> int s(int) { return 11; }
int main() {
    int i = 0; const int ci = 0; int *p = &i; const int *cp = &ci; int **pp = &p; char ch[3] = "ab"; float fl; 
    V<int> v; V<V<int>> vv; V<int *> vp; V<float> vf;
    printf("%d%d%d%d%d%d%d\n", a(i), a(p), a(cp), a(v), a(vv), a(vp), a(pp));
    printf("%d%d%d%d%d%d\n", b(1, 2), b(1, 2.f), b(v, 1), b(v, v), b(v, vf), b(1, v));
    int arr[4]; printf("%d%d%d%d\n", c(i), c(arr), c("abc"), c(ch));
    printf("%d%d%d%d\n", d(), d(1), d(1, 2), d(1, 2, 3));
    printf("%d%d%d\n", e(i), e(ci), e(3));
    printf("%d%d%d\n", g(plus), g(half), g(1));
    printf("%d%d%d\n", h(std::pair<int, float>()), h(std::pair<float, float>()), h(std::pair<char, int>()));
    printf("%d%d\n", k(i), k(p));
    std::vector<int> x; std::vector<std::vector<int>> y; printf("%d%d%d\n", m(x), m(y), m(i));
    printf("%d%d%d\n", n(v, 1), n(1, 1), n(v, 1, 2));
    printf("%d%d%d%d\n", s(ch), s(&fl), s(1), s(p));
}
