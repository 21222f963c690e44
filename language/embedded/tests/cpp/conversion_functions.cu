// Which conversion function an object is converted by.
#include <cstdio>
struct Both {
    int value;
    operator int &() { return value; }
    operator double() const { return 0.5; }
};
struct Pair {
    operator int() const { return 1; }
    operator int() { return 2; }
    operator const char *() const { return "text"; }
};
struct Wide {
    operator int() const { return 7; }
    operator float() const { return 2.5f; }
    explicit operator bool() const { return false; }
};
struct Base {
    operator int() const { return 3; }
    operator long() const { return 4; }
};
struct Derived : Base {
    operator int() const { return 5; }
};
struct Flag {
    explicit operator bool() const { return true; }
    operator void *() { return nullptr; }
};
template <class T> struct Cell {
    T value;
    operator const T &() const { return value; }
    T &operator=(T other) { return value = other; }
};
enum Color { RED, GREEN };
struct Painted {
    operator Color() const { return GREEN; }
};
double twice(double x) { return 2 * x; }
int main() {
    Both both{3};
    const Both fixed{4};
    std::printf("%g %g %d %g\n", (double)both, (double)fixed, (int)both, twice(both));
    Pair pair;
    const Pair other;
    int x = pair, y = other;
    std::printf("%d %d %s\n", x, y, (const char *)pair);
    Wide wide;
    double d = wide;
    std::printf("%g %d %d\n", d, wide ? 1 : 0, static_cast<int>(wide));
    Derived derived;
    int i = derived;
    long l = derived;
    std::printf("%d %ld\n", i, l);
    Flag flag;
    const Flag still;
    std::printf("%d %d\n", flag ? 1 : 0, still ? 1 : 0);
    Cell<float> cell{1.5f};
    cell = cell + 1;
    float sum = cell;
    std::printf("%g %g\n", sum, twice(cell));
    int color = Painted();
    std::printf("%d\n", color);
    return 0;
}
