// Every object that is made is destroyed once: counts of living objects.
#include <iostream>
#include <vector>
#include <string>
#include <memory>
#include <map>
#include <stdexcept>
#include <functional>
// exception safety and destructor interplay in loops, conditionals, temporaries
struct T {
    static int live;
    int v;
    T(int v = 0) : v(v) { ++live; }
    T(const T &o) : v(o.v) { ++live; }
    T(T &&o) : v(o.v) { o.v = -1; ++live; }
    T &operator=(const T &o) { v = o.v; return *this; }
    T &operator=(T &&o) { v = o.v; o.v = -1; return *this; }
    ~T() { --live; }
};
int T::live = 0;
static T make(int v) { if (v == 13) throw std::runtime_error("unlucky"); return T(v); }
static int use(const T &a, const T &b) { return a.v + b.v; }
static int consume(T a, T b) { return a.v * b.v; }
struct Node { T t; std::vector<Node> kids; std::map<std::string, T> named; };
static Node tree(int d) { Node n; n.t = T(d); n.named["x"] = T(d); if (d > 0) for (int i = 0; i < 2; ++i) n.kids.push_back(tree(d - 1)); return n; }
static int sum(const Node &n) { int s = n.t.v; for (const Node &k : n.kids) s += sum(k); return s + n.named.at("x").v; }
int main() {
    int total = 0;
    for (int i = 10; i < 16; ++i) {
        try {
            total += use(make(i), make(i + 1)) + consume(make(i), T(2));
            T a = i % 2 ? make(i) : T(1);
            if (use(a, make(i + 2)) > 20 && make(i).v > 0) total += 1;
            std::vector<T> v; v.push_back(a); v.push_back(make(i)); v.emplace_back(i); v.insert(v.begin(), T(5));
            std::vector<T> w = v; w.erase(w.begin()); v = std::move(w);
            for (auto x : v) total += x.v;
            switch (i) { case 11: { T s(3); total += s.v; break; } case 12: continue; default: T other(1); total += other.v; }
        } catch (const std::runtime_error &e) { total += 1000; T in_handler(2); if (i == 13) continue; total += in_handler.v; }
    }
    std::cout << total << " " << T::live << "\n";
    { Node n = tree(3), m = n; m.kids.clear(); n.kids[0] = m; std::cout << sum(n) << " " << sum(m) << " "; }
    std::cout << T::live << "\n";
    { std::unique_ptr<T[]> list(new T[5]); list[2].v = 3; T *one = new T[3]{}; delete[] one; std::cout << list[2].v << T::live << " "; }
    std::cout << T::live << "\n";
    { T arr[3] = {T(1), T(2)}; T grid[2][2]; std::pair<T, T> p(arr[0], arr[1]); std::pair<T, T> q = p; q = p; std::cout << q.second.v << T::live << " "; struct H { T a[2]; } h, k = h; k = h; }
    std::cout << T::live << "\n";
    { std::function<int()> f; { T t(4); f = [t]() { return t.v; }; } std::function<int()> g = f; std::cout << f() << g() << T::live << " "; }
    std::cout << T::live << "\n";
    auto lam = [t = T(9)](int x) { return t.v + x; };
    std::cout << lam(1) << T::live << "\n";
    T x(1), y(2); std::swap(x, y); std::cout << x.v << y.v << T::live << "\n";
    const T &r = make(3); T &&rr = make(4); std::cout << r.v + rr.v << T::live << "\n";
    T *p = new T(make(6)); *p = make(7); std::cout << p->v << T::live; delete p; std::cout << T::live << "\n";
    int n = 0; do { T t(n); if (t.v == 2) break; ++n; } while (T(n).v < 10); std::cout << n << T::live << "\n";
    for (T i(0); i.v < 3; ++i.v) { if (i.v == 1) continue; T inner(i); } std::cout << T::live << "\n";
    return 0;
}
