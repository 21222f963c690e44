// Methods and functions compete for an operator.
#include <cstdio>
#include <string>
struct A {
    int v;
    operator int() const { return v; }
    bool operator==(int) const { return false; }
    int operator+(double) const { return 1; }
    template <class T> int operator-(const T &) const { return 1; }
    int operator*(const A &) { return 1; }
    int operator/(const A &) const { return 1; }
};
bool operator==(const A &, const A &) { return true; }
int operator+(const A &, int) { return 2; }
int operator-(const A &, const A &) { return 2; }
int operator*(const A &, const A &) { return 2; }
int operator/(A &, const A &) { return 2; }
struct B {
    int operator<(const B &) const { return 1; }
    int operator<<(int) { return 1; }
    int operator!() const { return 1; }
};
struct D : B {};
int operator!(const D &) { return 2; }
int operator<(const D &, const D &) { return 2; }
struct Log {
    template <class T> Log &operator<<(const T &) { printf("member "); return *this; }
};
struct Point { int x; };
Log &operator<<(Log &log, const Point &) { printf("point "); return log; }
int main() {
    A a{1}, b{2};
    const A c{3};
    printf("%d %d%d %d%d %d%d %d%d\n", a == b, a + 1, a + 1.0, a - b, a - 1, a * b, c * b, a / b, c / b);
    printf("%d %d %d %d %d\n", B() < B(), D() < D(), !B(), !D(), B() << 1);
    Log log;
    log << 1 << Point{2};
    Log() << Point{3};
    printf("\n");
    std::string s = "x";
    printf("%d%d%s\n", s == "x", "x" == s, (s + "y" + 'z').c_str());
}
