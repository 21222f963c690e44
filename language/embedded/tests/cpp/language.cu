// Variadic functions, bit fields, classes and templates.
#include <cstdarg>
#include <cstdio>
#include <stdarg.h>
#include <iostream>
#include <vector>
#include <string>
struct Flags { unsigned a : 3; unsigned b : 5; int c : 4; };
static void report(const char *format, ...) {
    va_list list;
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
}
static int sum(int count, ...) {
    va_list list;
    va_start(list, count);
    int total = 0;
    for (int i = 0; i < count; i++) total += va_arg(list, int);
    double d = va_arg(list, double);
    const char *s = va_arg(list, const char *);
    va_end(list);
    printf("%g %s\n", d, s);
    return total;
}
enum class Mode { fast = 1, slow };
class Timer {
    static int count;
    double start;
public:
    Timer() : start(0) { ++count; }
    static int made() { return count; }
    class Inner { public: int x = 4; };
    Inner inner;
};
int Timer::count = 0;
template <typename T, int N = 3> class Matrix {
public:
    Matrix() : data_(N * N) {}
    Matrix(std::initializer_list<T> list) : data_(list) {}
    T &operator()(int r, int c) { return data_[r * N + c]; }
    const T &operator()(int r, int c) const { return data_[r * N + c]; }
    Matrix operator*(const Matrix &o) const {
        Matrix out;
        for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) { T s = T(); for (int k = 0; k < N; k++) s += (*this)(i, k) * o(k, j); out(i, j) = s; }
        return out;
    }
    friend std::ostream &operator<<(std::ostream &os, const Matrix &m) {
        for (int i = 0; i < N; i++) { for (int j = 0; j < N; j++) os << m(i, j) << (j + 1 < N ? " " : ""); os << "; "; }
        return os;
    }
private:
    std::vector<T> data_;
};
int main() {
    report("%d %s %.2f\n", 3, "x", 2.5);
    printf("%d\n", sum(3, 1, 2, 3, 4.5, "end"));
    Flags f = {5, 17, -3};
    f.a = 9; f.b += 2; f.c++;
    printf("%u %u %d %zu\n", f.a, f.b, f.c, sizeof(f));
    Timer t, u;
    std::cout << Timer::made() << " " << t.inner.x << " " << (int)Mode::slow << "\n";
    Matrix<int> m = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    std::cout << m * m << "\n";
    auto print = [](const auto &x) { std::cout << x << ","; };
    print(3); print("text"); print(2.5);
    std::cout << std::endl;
    return 0;
}
