// Temporary objects that live as long as what refers to them.
#include <cstdio>
#include <initializer_list>
#include <utility>
struct T { int i; int row[2] = {7, 8}; T(int x) : i(x) { printf("+%d ", i); } ~T() { printf("-%d ", i); i = 0; }
    T plus(int k) const { return T(i + k); } T &self() { return *this; } const int &number() const { return i; } };
struct D : T { D(int x) : T(x) {} ~D() { printf("D "); } };
struct H { const T &r; int n; };
struct Two { H h; const T &other; };
T make(int i) { return T(i); }
int main() {
    { const T &r = T(1).plus(2); printf("| %d ", r.i); }
    puts("");
    { H h{T(6), 3}; printf("| %d ", h.r.i); }
    puts("");
    { H h = {make(5).plus(1), make(9).i}; printf("| %d %d ", h.r.i, h.n); }
    puts("");
    { Two two{{T(1), 2}, T(2)}; printf("| %d %d ", two.h.r.i, two.other.i); }
    puts("");
    { const H &h = H{T(3), 1}; printf("| %d ", h.r.i); }
    puts("");
    { H all[2] = {{T(1), 1}, {T(2), 2}}; printf("| %d %d ", all[0].r.i, all[1].r.i); }
    puts("");
    { std::initializer_list<T> il = {T(1), T(2)}; for (auto &t : il) printf("%d ", t.i); }
    puts("");
    { auto il = {T(1), T(2)}; for (auto &t : il) printf("%d ", t.i); }
    puts("");
    { const int &n = T(4).i; printf("| %d ", n); }
    puts("");
    { const int &n = make(4).plus(1).row[1]; printf("| %d ", n); }
    puts("");
    { const T &b = D(4); printf("| %d ", b.i); }
    puts("");
    { int n = T(4).self().i; printf("| %d ", n); }
    puts("");
    { T &&r = T(1).plus(1).plus(1); auto &&s = make(r.i); printf("| %d %d ", r.i, s.i); }
    puts("");
    { const T &a = T(1), b = T(2), &c = T(3).plus(a.i); printf("| %d %d %d ", a.i, b.i, c.i); }
    puts("");
    { bool flag = T(1).i == 1; const T &r = flag ? T(2) : T(3); printf("| %d ", r.i); }
    puts("");
    { auto &&[n, row] = std::pair<T, int>(T(1), 2); printf("| %d %d ", n.i, row); }
    puts("");
    if (const T &r = T(1).plus(1); r.i) printf("| %d ", r.i);
    puts("");
    for (const T &r = T(1); const int &s = T(r.i).plus(1).i; ) { printf("| %d ", s); break; }
    puts("");
    return 0;
}
int next() { static int n = 3; return n--; }
struct G { int v; G(int v) : v(v) { printf("g%d ", v); } ~G() { printf("~g%d ", v); } operator bool() const { return v; } };
struct Run { Run() {
    for (int i = 0; int n = next(); i += n) { if (n == 2) continue; printf("i%d n%d ", i, n); }
    for (; G g = G(next() + 2); ) { printf("| "); if (g.v == 1) continue; printf("t "); break; }
    for (int i = 5; G g = G(--i); ) if (i == 2) break;
    int k = 2; while (const int &n = k) { printf("k%d ", n); k = n - 1; }
    if (const int &n = next()) printf("n%d ", n);
    puts("");
} } run;
