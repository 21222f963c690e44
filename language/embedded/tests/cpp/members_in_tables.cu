// C++17. Pointers to members as programs use them: menus, tables, sorting by a member, callbacks.
#include <cstdio>
#include <vector>
#include <map>
#include <string>
#include <algorithm>
#include <functional>
struct I { virtual int f(int) = 0; virtual ~I() {} };
struct J { int pad; virtual int g() { return pad; } virtual ~J() {} };
struct X : I { int k = 5; int f(int a) override { return a + k; } };
struct Y : J, X { int z = 9; int g() override { return z; } int f(int a) override { return a * z; } int own() const { return z + k; } };
struct Pt { double x, y, z; }; struct Nest { Pt p; union { int a; float b; }; int arr[3]; };
class Menu { public: typedef void (Menu::*Action)(); struct E { const char *n; Action a; }; void one() { n += 1; } void two() { n += 20; } void loop(); int n = 0; private: static const E table[]; };
const Menu::E Menu::table[] = { {"one", &Menu::one}, {"two", &Menu::two}, {nullptr, nullptr} };
void Menu::loop() { for (int i = 0; table[i].a; ++i) { (this->*table[i].a)(); printf("%s %d\n", table[i].n, n); } for (const E *e = table; e->n; e++) (this->*(e->a))(); printf("%d\n", n); }
template <typename T, typename M> void sortBy(std::vector<T> &v, M T::*m) { std::sort(v.begin(), v.end(), [m](const T &a, const T &b) { return a.*m < b.*m; }); }
template <class C> struct Reg { std::map<std::string, int (C::*)(int)> m; int call(C &c, const char *n, int a) { return (c.*m[n])(a); } };
struct Calc { int b; int add(int a) { return a + b; } int mul(int a) { return a * b; } std::string s(const std::string &t) const { return t + "!"; } int &ref() { return b; } };
double sum(const std::vector<Pt> &v, double Pt::*m) { double s = 0; for (auto &p : v) s += p.*m; return s; }
int main() {
    Y y; y.pad = 4; I *i = &y; J *j = &y; int (I::*pf)(int) = &I::f; int (J::*pg)() = &J::g; printf("%d %d\n", (i->*pf)(3), (j->*pg)());
    int (Y::*yf)(int) = pf; int (Y::*yg)() = pg; printf("%d %d\n", (y.*yf)(4), (y.*yg)()); int (X::*xf)(int) = &X::f; X x; printf("%d %d\n", (x.*xf)(1), (y.*xf)(1)); int Y::*yk = &X::k; printf("%d\n", y.*yk); printf("%d\n", yf == &Y::f ? 1 : 1);
    I *px = &x; printf("%d\n", (px->*pf)(10));
    Menu m; m.loop();
    std::vector<Pt> v{{3, 1, 2}, {1, 2, 3}, {2, 3, 1}}; sortBy(v, &Pt::x); for (auto &p : v) printf("%g ", p.x); sortBy(v, &Pt::z); for (auto &p : v) printf("%g ", p.z); printf("%g\n", sum(v, &Pt::y));
    Reg<Calc> r; r.m["add"] = &Calc::add; r.m["mul"] = &Calc::mul; Calc c{7}; printf("%d %d\n", r.call(c, "add", 3), r.call(c, "mul", 3));
    std::string (Calc::*ps)(const std::string &) const = &Calc::s; printf("%s\n", (c.*ps)("hi").c_str()); int &(Calc::*pr)() = &Calc::ref; (c.*pr)() = 11; printf("%d\n", c.b);
    Pt Nest::*np = &Nest::p; Nest n{}; (n.*np).y = 3; double Pt::*py = &Pt::y; printf("%g\n", n.*np.*py); int (Nest::*na)[3] = &Nest::arr; (n.*na)[1] = 8; printf("%d\n", n.arr[1]); int Nest::*nu = &Nest::a; n.*nu = 6; printf("%d\n", n.a);
    std::vector<std::function<int(int)>> fs; fs.push_back([&c](int a) { return (c.*(&Calc::add))(a); }); printf("%d\n", fs[0](1));
    int Calc::*q = c.b > 5 ? &Calc::b : nullptr; if (q) printf("%d\n", c.*q); const Calc *cc = &c; printf("%d\n", cc->*q); c.*q += 5; (c.*q)++; printf("%d\n", c.b); auto *pc = &c; printf("%d\n", -(pc->*q) * 2);
    std::vector<int> w; std::transform(v.begin(), v.end(), std::back_inserter(w), [](const Pt &p) { return (int)p.x; }); printf("%zu\n", w.size()); std::vector<int> z(3); std::transform(v.begin(), v.end(), z.begin(), std::mem_fn(&Pt::x)); printf("%d\n", z[0]);
    static int (Calc::*const ops[])(int) = {&Calc::add, &Calc::mul}; for (auto op : ops) printf("%d ", (c.*op)(2)); printf("\n");
    return 0;
}
