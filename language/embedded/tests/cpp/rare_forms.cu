// Forms of C++ that few programs use.
#include <array>
#include <cstdio>
#include <type_traits>
#include <utility>

namespace conversion_calls {
struct V { int x; operator int() const { return x; } operator const char *() { return "hi"; } };
template <class T> struct W { T t; operator T() const { return t; } };
void run() { V v{3}; V *p = &v; W<double> w{2.5};
    printf("%d %d %s %g\n", v.operator int(), p->operator int() + 1, v.operator const char *(), w.operator double());
    }
}

namespace integral_constants {
template <bool B> struct Q { static int f() { return B; } };
template <class T> int g(T) { constexpr T t{}; if constexpr (t) return 1; else return 2; }
void run() { constexpr std::integral_constant<int,3> N; std::array<int, N> a{1,2,3}; int b[N];
    Q<std::true_type{}> q; static_assert(std::true_type{}, "");
    static_assert(std::is_same<int,int>{}, "");
    printf("%d %d %d %d %d\n", (int)a.size(), (int)sizeof b, q.f(), g(std::true_type{}), g(std::false_type{}));
    printf("%d %d\n", 2, std::integral_constant<int, 7>{}() + N); switch (3) { case N: puts("N");
    } enum { E = N }; printf("%d\n", E); }
}

namespace inherited_templates {
struct B { int a; template <class T> B(T t) : a(int(t) + 1)
    {} template <class T, class U> B(T t, U u) : a(int(t) * int(u)) {} B() : a(0) {} };
struct D : B { using B::B; int d = 5; };
template <class T> struct BB { T v; template <class U> explicit BB(U u) : v(u)
    {} BB(const char *, T t) : v(t) {} };
template <class T> struct DD : BB<T> { using BB<T>::BB; };
void run() { D d(3.7), e(2, 4), f; printf("%d %d %d %d\n", d.a, e.a, f.a, d.d);
    DD<double> x(3), y("q", 2.5); printf("%g %g\n", x.v, y.v); }
}

namespace left_out_braces {
struct P { double x[3]; }; struct S { P p; }; struct T { S s[2]; };
void run() { T t{{{{{1,2,3}}}, {{{4,5,6}}}}}; T u = {1,2,3,4,5,6}; S s{{{0,1,2}}};
    std::array<std::array<int,2>,2> a{{{{1,2}},{{3,4}}}};
    std::array<std::array<int,2>,2> b{1,2,3,4}; std::array<P,2> c{{{{1,2,3}},{{4,5,6}}}};
    printf("%g %g %g %d %d %g\n", t.s[1].p.x[2], u.s[1].p.x[0], s.p.x[1], a[1][0], b[1][1], c[1].x[1]);
    }
}

namespace digraphs {
%:define CAT(a, b) a%:%:b
void run() <% int a<:3:> = <%1,2,3%>; int CAT(x, y) = a<:2:>; printf("%d\n", xy); struct S <%
    int q; %>; S s<%4%>; printf("%d\n", s.q); if (<::>() { return true; }()) puts("l"); %>
}

namespace names_in_parentheses {
struct S { int a; S(int x) : a(x) {} };
void run() { int(x)(7); int (y) = 3; S(s)(4); double (z)(2.5); int(*p)(&x); int (w){8};
    printf("%d %d %d %g %d %d\n", x, y, s.a, z, *p, w); }
}

namespace bindings_of_bit_fields {
struct F { unsigned a : 3, b : 5; int c : 7; bool d : 1; int e; };
void run() { F f{5, 17, -3, true, 9}; auto [a, b, c, d, e] = f;
    printf("%u %u %d %d %d\n", a, b, c, d, e); auto &[x, y, z, v, w] = f; x = 2; z += 5; w = 1; y++;
    printf("%u %u %d %d %d\n", (unsigned)f.a, (unsigned)f.b, (int)f.c, (int)f.d, f.e);
    const auto &[p, q, r, s, t] = f; printf("%u %d\n", p, r); x = 9; printf("%u\n", p); }
}

int main() {
    conversion_calls::run();
    integral_constants::run();
    inherited_templates::run();
    left_out_braces::run();
    digraphs::run();
    names_in_parentheses::run();
    bindings_of_bit_fields::run();
}
