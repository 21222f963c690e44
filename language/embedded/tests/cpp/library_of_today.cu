// Parts of the library that newer programs use (C++20).
#include <algorithm>
#include <array>
#include <complex>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <endian.h>
#include <fstream>
#include <functional>
#include <future>
#include <iostream>
#include <math.h>
#include <random>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>
using namespace std::string_view_literals;
using namespace std::complex_literals;
int size_of(std::string_view s) { return s.size(); }
struct Counter {
    int t = 0;
    void add(int x) { t += x; }
};
int main() {
    int a = 1, b = 5;
    bool c = true;
    printf("%d %d %d\n", std::min({a + 1, b, a + c}), std::max({a, b}), std::minmax({3, 1, 2}).second);
    printf("%d %zu\n", size_of("abc"), "xyz"sv.size());
    std::cout << (1.0 + 2i) * 1.5i << '\n';
    std::ofstream("rest.txt") << "hello\n" << 5;
    int x = 0;
    std::string w;
    std::ifstream("rest.txt") >> w >> x;
    std::cout << w << x << ' ' << (std::ostringstream() << 5 << "a").str() << '\n';
    std::ifstream file("rest.txt");
    printf("%d %d\n", file.peek() == std::ifstream::traits_type::eof(), std::char_traits<char>::to_int_type('h'));
    remove("rest.txt");
    auto f = std::async([a] { return 2L * a; });
    auto g = std::async(std::launch::deferred, [](int u, int v) { return u + v; }, 3, 4);
    printf("%ld %d\n", f.get(), g.get());
    Counter counter;
    std::function<void(int)> add = std::bind(&Counter::add, &counter, std::placeholders::_1);
    add(4);
    printf("%d\n", counter.t);
    std::byte bits{0x0f};
    bits <<= 2;
    printf("%d %d\n", std::to_integer<int>(bits), (int)(bits & std::byte{0x0c}));
    std::array made{1.5, 2.5};
    printf("%zu %g\n", made.size(), made[1]);
    auto joined = std::tuple_cat(std::make_pair(1, 'a'), std::make_tuple(2.5f));
    printf("%zu %g\n", std::tuple_size<decltype(joined)>::value, std::get<2>(joined));
    std::vector<bool> flags(5);
    flags[2] = true;
    flags.flip();
    printf("%d %d\n", (int)flags[2], (int)std::count(flags.begin(), flags.end(), true));
    std::mt19937 engine(1);
    printf("%.10f\n", std::generate_canonical<double, 10>(engine));
    printf("%g %g %g %ld %g\n", ldexp(1, 10), fmax(1, 2), fma(1, 2.0f, 3), lround(3), copysign(1, -2));
    printf("%u %llu\n", (unsigned)htobe32(1), (unsigned long long)le64toh(5ULL));
    char *text = 0;
    int size = asprintf(&text, "%d-%s", 3, "x");
    printf("%d %s\n", size, text);
    free(text);
    return 0;
}
