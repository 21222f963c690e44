// Conditions of `explicit` (C++20).
#include <cstdio>
#include <type_traits>

namespace conditions {
template <class T> struct X { T t; explicit(!std::is_same_v<T, int>) X(T v) : t(v)
    {} explicit(sizeof(T) > 4) operator bool() const { return t != 0; } };
struct Y { explicit(false) Y(int) {} explicit(true) Y(double) {} };
int f(X<int> x) { return x.t; }
void run() { X<int> a = 3; X<double> b(2.5); bool q = a; if (b) puts("b"); Y y = 3;
    printf("%d %d %d %d\n", f(4), q, std::is_convertible_v<double, X<double>>, std::is_convertible_v<int, X<int>>);
    }
}

int main() {
    conditions::run();
}
