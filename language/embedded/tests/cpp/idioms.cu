// Idioms of C++ programs, one line each.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>
template <typename D> struct Crtp { void hello() { static_cast<D *>(this)->say(); } };
struct Cat : Crtp<Cat> { void say() { std::cout << "meow\n"; } };
enum class Level : int { low = 1, mid, high };
static const char *name(Level l) { switch (l) { case Level::low: return "low"; case Level::mid: return "mid"; default: return "high"; } }
constexpr int square(int x) { return x * x; }
template <typename T> using Grid = std::vector<std::vector<T>>;
template <typename T> struct Traits { static const char *name() { return "other"; } };
template <> struct Traits<int> { static const char *name() { return "int"; } };
template <typename T, int N> int count(T (&)[N]) { return N; }
auto twice(int x) -> decltype(x * 2) { return x * 2; }
class Account {
    double balance = 0;
    std::vector<std::string> log;
    static int total;
    friend class Auditor;
public:
    explicit Account(double b) : balance(b) { ++total; }
    Account(const Account &) = default;
    Account &operator=(const Account &) = default;
    ~Account() { --total; }
    void apply(const std::function<double(double)> &f) { balance = f(balance); log.push_back("apply " + std::to_string((int)balance)); }
    void each() { std::for_each(log.begin(), log.end(), [this](const std::string &s) { std::cout << s << "/" << balance << " "; }); }
    static int alive() { return total; }
    Account &add(double x) { balance += x; return *this; }
    double get() const { return balance; }
};
int Account::total = 0;
class Auditor { public: static double peek(const Account &a) { return a.balance; } };
struct Err { int code; };
static int parse(const std::string &s) { if (s.empty()) throw Err{3}; return std::stoi(s); }
union Bits { float f; uint32_t u; };
struct Sorter { bool operator()(const std::pair<int, std::string> &a, const std::pair<int, std::string> &b) const { return a.second < b.second; } };
static std::vector<int> range(int n) { std::vector<int> v; v.reserve(n); for (int i = 0; i < n; ++i) v.push_back(i); return v; }
static int process(int n) {
    int rc = 0;
    int *p = new int[n];
    if (n > 3) { rc = 1; goto cleanup; }
    rc = 2;
cleanup:
    delete[] p;
    return rc;
}
template <class T> T maxOf(const std::vector<T> &v) { T m = v.front(); for (typename std::vector<T>::const_iterator it = v.begin(); it != v.end(); ++it) if (m < *it) m = *it; return m; }
int main() {
    Cat().hello();
    std::cout << name(Level::mid) << square(5) << Traits<int>::name() << Traits<float>::name() << "\n";
    int raw[7]; std::cout << count(raw) << twice(4) << "\n";
    Grid<int> g(2, std::vector<int>(3, 1)); g[1][2] = 9;
    for (auto &row : g) { for (auto v : row) std::cout << v << ' '; std::cout << '|'; }
    std::cout << "\n";
    {
        Account a(10), b = a;
        a.apply([](double x) { return x * 2; });
        a.add(1).add(2);
        a.each();
        b = a;
        std::cout << Account::alive() << " " << Auditor::peek(b) << " " << b.get() << "\n";
    }
    std::cout << Account::alive() << "\n";
    try { parse(""); } catch (const Err &e) { std::cout << "err " << e.code << "\n"; }
    try { parse("x"); } catch (const std::invalid_argument &e) { std::cout << e.what() << "\n"; }
    Bits bits; bits.f = 1.0f; std::cout << std::hex << bits.u << std::dec << "\n";
    std::vector<std::pair<int, std::string>> ps = {{1, "z"}, {2, "a"}, {3, "m"}};
    std::sort(ps.begin(), ps.end(), Sorter());
    for (auto &p : ps) std::cout << p.first << p.second << " ";
    std::vector<int> r = range(10);
    r.erase(std::remove_if(r.begin(), r.end(), [](int x) { return x % 3 == 0; }), r.end());
    for (auto it = r.begin(); it != r.end();) { if (*it == 4) it = r.erase(it); else ++it; }
    for (int x : r) std::cout << x << ",";
    std::cout << maxOf(r) << " " << (std::lower_bound(r.begin(), r.end(), 5) - r.begin()) << " " << std::binary_search(r.begin(), r.end(), 7) << "\n";
    std::cout << process(2) << process(5) << "\n";
    std::function<int(int)> fact = [&fact](int n) { return n < 2 ? 1 : n * fact(n - 1); };
    std::cout << fact(6) << "\n";
    std::vector<std::array<float, 3>> pts(2); pts[1] = {{1, 2, 3}}; pts[0].fill(0.5f);
    std::cout << pts[1][2] + pts[0][0] << "\n";
    std::map<char, int> freq; for (char c : std::string("hello")) ++freq[c];
    for (auto &kv : freq) std::cout << kv.first << kv.second;
    std::cout << "\n" << std::setw(6) << std::setfill('.') << 12 << std::setfill(' ') << std::left << std::setw(4) << "ab" << "|" << std::right << "\n";
    std::string s = "x=1;y=22;z", part; std::stringstream ss(s);
    while (std::getline(ss, part, ';')) std::cout << part << "(" << part.size() << ")";
    std::cout << "\n";
    const std::string &ref = s.empty() ? part : s; std::cout << ref.length() << (s < "y" ? "<" : ">") << "\n";
    std::unique_ptr<Account> acc(new Account(5)); acc->add(1); auto other = std::move(acc); std::cout << (acc == nullptr) << other->get() << Account::alive() << "\n";
    struct Local { int v; int operator()(int x) { return v + x; } } local = {4}; std::cout << local(3) << "\n";
    auto outer = [](int a) { return [a](int b) { return a * b; }; }; std::cout << outer(3)(4) << "\n";
    int m[2][3] = {{1, 2, 3}, {4, 5, 6}}; for (auto &row : m) for (int &x : row) x *= 2; std::cout << m[1][2] << "\n";
    std::string line(10, '='); line[3] = '+'; line.insert(0, "> "); line.replace(line.find("+"), 1, "##"); std::cout << line << "\n";
    std::cout << std::boolalpha << std::isnan(std::sqrt(-1.0)) << std::noboolalpha << std::fixed << std::setprecision(2) << std::pow(2.0, 0.5) << " " << std::abs(-3.5) << std::endl;
    long long big = 1; for (int i = 0; i < 40; ++i) big *= 2; std::cout << big << " " << (int)'a' << " " << 'a' + 1 << " " << char('a' + 1) << "\n";
    std::vector<std::string> names{"b", "a"}; std::sort(names.begin(), names.end()); for (size_t i = 0; i < names.size(); i++) std::cout << names[i] << (i + 1 < names.size() ? "," : "\n");
    std::set<std::string> u(names.begin(), names.end()); std::cout << u.size() << *u.begin() << "\n";
    char buf[32]; std::snprintf(buf, sizeof buf, "%05.1f", 3.14159); std::cout << buf << std::strlen(buf) << "\n";
    return 0;
}
