// Parts of the library that few programs use.
#include <charconv>
#include <cstdio>
#include <iostream>
#include <iterator>
#include <random>
#include <string>
#include <system_error>
#include <unordered_map>
#include <unordered_set>
#include <valarray>
#include <vector>

namespace reverse_iterators {
void run() { const std::vector<int> v{1,2,3}; int a[3] = {4,5,6};
    for (auto i = std::crbegin(v); i != std::crend(v); ++i) std::cout << *i;
    for (auto i = std::crbegin(a); i != std::crend(a); ++i) std::cout << *i;
 std::cout << std::stold("1.5") << "\n"; std::vector<bool> b(3); b[1] = true; b.flip();
     std::cout << b[0] << b[1] << b[2] << "\n"; long double d = std::stold("2.25x");
     std::cout << (double)d << "\n"; }
}

namespace multi_tables {
void run() { std::unordered_multimap<std::string,int> m; m.insert({"a",1}); m.emplace("a",2);
    m.insert(std::make_pair("b",3)); std::cout << m.size() << m.count("a");
    auto r = m.equal_range("a"); int s = 0; for (auto i = r.first; i != r.second;
    ++i) s += i->second; std::cout << s << m.erase("a") << m.size() << "\n";
 std::unordered_multiset<int> t{1,1,2,3,3,3}; std::cout << t.count(3) << t.size();
     t.insert(1); std::cout << t.count(1); t.erase(t.find(1));
     std::cout << t.count(1) << (t.find(9) == t.end()) << "\n"; int q = 0; for (int x : t) q += x;
     std::cout << q << "\n"; }
}

namespace value_arrays {
void run() { std::valarray<double> a{1,2,3,4}, b(2.0, 4); auto c = a * b + 1.0;
    std::valarray<double> d = c / a; d += 1;
    std::cout << c.sum() << " " << c.min() << " " << c.max() << " " << c.size() << "\n";
    std::valarray<double> e = a.apply([](double x) { return x * x; });
    for (double x : e) std::cout << x << " "; std::valarray<double> f = sqrt(e);
    std::cout << f[3] << "\n"; std::valarray<bool> g = a > 2.0; std::cout << g[0] << g[3] << "\n";
    e = 0; a[0] = -1; std::cout << abs(a)[0] << (-a)[1] << "\n";
    std::valarray<double> h = a[std::slice(0, 2, 2)]; std::cout << h.size() << h[1] << "\n";
    a[std::slice(1, 2, 2)] = std::valarray<double>{7, 8}; for (auto x : a) std::cout << x << " ";
    std::cout << a.shift(1)[0] << a.cshift(1)[3] << "\n"; }
}

namespace characters {
void run() { char b[20]; auto r = std::to_chars(b, b + 20, -1234); *r.ptr = 0;
    printf("%s %d\n", b, r.ec == std::errc()); auto [p, ec] = std::to_chars(b, b + 2, 1234);
    printf("%d %d\n", ec == std::errc::value_too_large, p == b + 2);
    r = std::to_chars(b, b + 20, 255u, 16); *r.ptr = 0; puts(b); std::string s = "42abc";
    int v = 0; auto f = std::from_chars(s.data(), s.data() + s.size(), v);
    printf("%d %s\n", v, f.ptr); f = std::from_chars(s.data() + 2, s.data() + 5, v);
    printf("%d %d\n", v, f.ec == std::errc::invalid_argument);
    f = std::from_chars(s.data() + 2, s.data() + 5, v, 16); printf("%d\n", v);
    const char *big = "99999999999"; f = std::from_chars(big, big + 11, v);
    printf("%d %d\n", f.ec == std::errc::result_out_of_range, (int)(f.ptr - big));
    unsigned char uc = 1; f = std::from_chars("300", "300" + 3, uc);
    printf("%d %d\n", uc, f.ec == std::errc::result_out_of_range); }
}

namespace seeds {
void run() { std::seed_seq s{1, 2, 3}; std::mt19937 g(s); std::cout << g() << " ";
    std::cout << g() << "\n"; unsigned o[3]; s.generate(o, o + 3);
    std::cout << o[0] << " " << o[1] << " " << o[2] << " " << s.size() << "\n";
    std::mt19937_64 h(s); std::cout << h() << "\n"; std::minstd_rand m(s);
    std::cout << m() << "\n"; int v = -5; std::random_device rd; std::seed_seq t{rd(), rd()};
    std::seed_seq u{v, 7}; g.seed(u); std::cout << g() << "\n"; unsigned b[40];
    u.generate(b, b + 40); std::cout << b[39] << b[0] << "\n"; std::default_random_engine e(u);
    std::cout << e() << "\n"; }
}

namespace order_of_tables {
void run() {
    std::unordered_multimap<int, int> m;
    for (int i = 0; i < 300; ++i) { m.emplace(i * 7 % 41, i); if (i % 5 == 0) m.erase(i % 11); }
    long h = 0; for (auto &e : m) h = h * 31 + e.first * 1000 + e.second;
    std::cout << m.size() << " " << h << " " << m.bucket_count() << "\n";
    auto it = m.find(3); if (it != m.end()) { it = m.erase(it);
        if (it != m.end()) std::cout << it->first << " " << it->second << "\n"; }
    auto n = m; std::cout << (n == m) << "\n"; n.insert({3, 4});
        std::cout << (n != m) << n.count(3) << "\n";
    for (auto r = n.equal_range(3); r.first != r.second;
        ++r.first) std::cout << r.first->second << ",";
    std::cout << "\n";
    std::unordered_multiset<std::string> w{"a", "b", "a", "c", "b", "a"};
    for (auto &s : w) std::cout << s; std::cout << w.count("a") << w.count("z") << "\n";
    w.erase("a"); for (auto &s : w) std::cout << s; std::cout << "\n";
    std::unordered_map<int, int> u; for (int i = 0; i < 100; ++i) u[i * 13 % 57] = i;
        for (auto i = u.begin(); i != u.end();) if (i->second % 3) i = u.erase(i); else ++i;
    h = 0; for (auto &e : u) h = h * 31 + e.first * 1000 + e.second;
        std::cout << u.size() << " " << h << "\n";
}
}

int main() {
    reverse_iterators::run();
    multi_tables::run();
    value_arrays::run();
    characters::run();
    seeds::run();
    order_of_tables::run();
}
