// C++17. Literals with suffixes of the user and of the library.
#include <cstdio>
#include <string>
#include <chrono>
#include <iostream>
struct Km { double v; };
constexpr Km operator""_km(long double v) { return Km{(double)v}; }
Km operator"" _km(unsigned long long v) { return Km{(double)v}; }
constexpr double operator ""_deg(long double d) { return d * 3.14159265358979 / 180; }
int operator""_bin(const char *s) { int v = 0; while (*s) v = v * 2 + (*s++ - '0'); return v; }
std::string operator""_up(const char *s, size_t n) { std::string r(s, n); for (auto &c : r) c = c - 32; return r; }
int operator""_c(char c) { return c + 1; }
template <char... C> int operator""_n() { return sizeof...(C); }
namespace lits { constexpr unsigned long long operator""_KiB(unsigned long long n) { return n << 10; } }
constexpr size_t operator""_sz(unsigned long long n) { return n; }
int main() {
    printf("%g %g %.6f\n", (1.5_km).v, (3_km).v, 180.0_deg);
    printf("%d %s %d %d\n", 1011_bin, "abc"_up.c_str(), 'a'_c, 12345_n);
    using namespace lits; static int arr[2_KiB]; printf("%zu %zu\n", sizeof(arr), 0x10_sz);
    using namespace std::chrono_literals; auto d = 10ms + 2s; std::cout << d.count() << "\n"; auto m = 1.5s; std::cout << m.count() << "\n"; printf("%d\n", (int)std::chrono::duration_cast<std::chrono::microseconds>(3min).count());
    using namespace std::string_literals; auto str = "x"s + "y\0z"s; std::cout << str.size() << "\n"; printf("%d\n", (int)operator""_KiB(2));
    return 0;
}
