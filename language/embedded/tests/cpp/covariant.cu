// C++17. Results of overriding functions at another place, `using` of operators of a pack of base
// classes, exceptions caught by a later base class, and arrays as arrays of `const`.
#include <cstdio>
#include <variant>
#include <iterator>
#include <vector>
struct M { int m = 1; virtual ~M() {} }; struct N { int n = 2; virtual N *clone() { return new N(*this); } virtual ~N() {} virtual int id() { return n; } };
struct D : M, N { int d = 3; D *clone() override { return new D(*this); } int id() override { return d + m * 10; } };
template <class... Ts> struct overloaded : Ts... { using Ts::operator()...; };
template <class... Ts> overloaded(Ts...) -> overloaded<Ts...>;
struct EB { int code; EB(int c) : code(c) {} virtual ~EB() {} virtual const char *what() { return "EB"; } };
struct EM { int pad = 77; };
struct ED : EM, EB { ED(int c) : EB(c) {} const char *what() override { return "ED"; } };
template <class T> struct G { T t; explicit G(T t) : t(t) {} };
template <class T, size_t N> size_t len(const T (&)[N]) { return N; }
int main() {
    N *n = new D; N *c = n->clone(); printf("%d %d\n", c->id(), c->n); D d; D *dc = d.clone(); printf("%d %d\n", dc->d, dc->m); N &r = d; N *rc = r.clone(); printf("%d\n", rc->id()); delete n; delete c; delete dc; delete rc;
    std::variant<int, double, const char *> v = 3; auto o = overloaded{[](int i) { return i; }, [](double d) { return (int)(d * 2); }, [](const char *s) { return (int)s[0]; }};
    printf("%d ", std::visit(o, v)); v = 2.5; printf("%d ", std::visit(o, v)); v = "a"; printf("%d\n", std::visit(overloaded{[](int) { return 1; }, [](double) { return 2; }, [](const char *) { return 3; }}, v));
    try { throw ED(5); } catch (EB &e) { printf("%d %s\n", e.code, e.what()); }
    try { throw new ED(6); } catch (EB *e) { printf("%d %s\n", e->code, e->what()); delete e; }
    try { throw ED(8); } catch (EB e) { printf("%d %s\n", e.code, e.what()); }
    try { try { throw ED(9); } catch (EM &e) { printf("%d\n", e.pad); throw; } } catch (EB &e) { printf("%d\n", e.code); }
    G g(3); printf("%d\n", g.t);
    int a[5] = {1, 2, 3, 4, 5}; printf("%zu %zu\n", std::size(a), len(a)); std::vector<int> vv{1, 2}; printf("%zu\n", std::size(vv));
    return 0;
}
