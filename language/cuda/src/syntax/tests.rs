//! Tests of the parser: accepted programs, skipped host code and damaged texts.

use super::ast::DeclKind;
use super::*;
use crate::diagnostics::Diagnostics;
use crate::lex::Interner;
use crate::preprocess::{Included, Preprocessor};
use crate::source::Sources;

/// Parses a program. Returns the number of declarations and of skipped ones, and the messages.
fn run(text: &str) -> (Vec<DeclKind>, usize, Vec<String>) {
    let mut sources = Sources::default();
    let (mut names, mut out) = (Interner::default(), Diagnostics::default());
    Keyword::register(&mut names);
    let file = sources.add("t.cu", text, false).unwrap();
    let loader = |_: &str, _: &str, _: bool| None::<Included>;
    let mut tokens = Vec::new();
    Preprocessor::new(&mut sources, &mut names, &mut out, &loader).run(file, &mut tokens);
    let parsed = parse(&tokens, &names, &sources, &mut out, crate::target::Side::Device, &[]);
    let messages = out.list().iter().map(|one| one.message.clone()).collect();
    (parsed.declarations.into_iter().map(|decl| decl.kind).collect(), parsed.skipped.len(), messages)
}

#[test]
fn device_code_parses() {
    let bodies = [
        "int i = threadIdx.x, *p = &i, a[3][4] = {{1, 2}, {3}}, (*q)[4] = a;",
        "for (int i = 0; i < n; i++) { if (i & 1) continue; else break; }",
        "do { n--; } while (n > 0); while (n) n >>= 1;",
        "switch (n) { case 1: case 2: n = 3; break; case 4 ... 6: { } default: ; }",
        "unsigned long long int x = (unsigned long long)n * 2ull; float y = float(n) + (float)(n) - float(1);",
        "goto end; end: return;",
        "const float *__restrict__ const r = reinterpret_cast<const float *>(p);",
        "int z = sizeof(int) + sizeof n + sizeof(n) * (n ? 1 : 2), w = (n, 2);",
        "asm volatile(\"add.s32 %0, %1, %2;\" : \"=r\"(n) : \"r\"(n), \"n\"(3) : \"memory\"); asm(\"bar.sync 0;\");",
        "asm(\"mov.u32 %0, %laneid;\" : \"=r\"(n) :: \"memory\"); asm volatile(\"membar.gl;\" ::: \"memory\");",
        "extern __shared__ float s[]; __shared__ float t[16][17], u;",
        "struct P { int x, y; } v = {1, 2}; P w = v; w.x++; (&w)->y--;",
        "for (auto x : p) n += x; for (int &x : p) x = 0;",
        "auto f = [] __device__ (int a) { return a + 1; }; n = f(2);",
        "int (*f)(int, float) = 0; n = (*f)(1, 2); n = f(1, 2);",
        "if (int k = n) { n = k; }",
        "\n#pragma unroll 4\nfor (;;) break;\n#pragma unroll\nwhile (0) ;",
        "P2 q = P2(); P2 r(1, 2); P2 s = P2{1, 2}; n = P2(1, 2).x;",
        "n = max<int>(1, 2); T2<int, (1 > 2)> t; T2<T2<int, 3>, 4> u; n = T2<int, 1>::value;",
        "typedef float real; real a = (real)1.0; using R = real; R b = R(2);",
    ];
    let prelude = "struct P2 { int x, y; __device__ P2(int a = 0, int b = 0) : x(a), y(b) {} };\n\
        template <class T> __device__ T max(T a, T b) { return a > b ? a : b; }\n\
        template <class T, int N> struct T2 { static const int value = N; T x[N]; };\n";
    for body in bodies {
        let (_, skipped, messages) = run(&format!("{prelude}__global__ void k(int n, int *p) {{ {body} }}"));
        assert!(messages.is_empty() && skipped == 0, "{body}: {messages:?}");
    }
}

#[test]
fn declarations_parse() {
    let texts = [
        "__device__ int f(int, float = 1.0f); extern \"C\" __global__ void g(int *a) {}",
        "__constant__ float c[4] = {1, 2, 3, 4}; __device__ volatile int d;",
        "namespace a { namespace b { __device__ int f() { return 1; } } } using namespace a; using a::b::f;",
        "struct S { int a : 3, b : 5; union { int x; float y; }; __device__ S operator+(const S &o) const; };\n\
         __device__ S S::operator+(const S &o) const { S r; r.a = a + o.a; return r; }",
        "template <typename T> struct V { T x; typedef T type; __device__ V(T v) : x(v) {} \
         template <class U> __device__ U get() const { return U(x); } __device__ operator T() const { return x; } };\n\
         template <typename T> __device__ T g(V<T> v) { return v.template get<T>(); }",
        "template <> struct V<int>; template <int N> __global__ void __launch_bounds__(N, 2) k(float *a) {}\n\
         template __global__ void k<128>(float *);",
        "enum E { A, B = 3, C }; enum class F : unsigned char { X }; typedef struct T_ { int a; } T;",
        "struct __align__(16) Q { float x[4]; } __attribute__((aligned(32))); typedef unsigned int uint32;",
        "class B { public: __device__ int f() { return g() + m; } private: int m; __device__ int g() { return 1; } };\n\
         class D : public B { public: __device__ D() {} __device__ ~D() {} };",
        "static_assert(sizeof(int) == 4, \"size\"); typedef float (*op)(float); typedef float row[4];",
        "template <class T> using P = T *; constexpr int sq(int x) { return x * x; }",
    ];
    for text in texts {
        let (_, skipped, messages) = run(text);
        assert!(messages.is_empty() && skipped == 0, "{text}: {messages:?} {skipped}");
    }
}

#[test]
fn host_code_is_skipped() {
    let host = "std::vector<int> v = {1, 2};\n\
        static std::map<std::string, std::vector<int>> cache;\n\
        std::ostream &operator<<(std::ostream &o, const Foo &f) { return o << f.x; }\n\
        template <class T> class Pool : public Base<T> { std::list<T> all; void f() { try { } catch (...) { } } };\n\
        int main(int argc, char **argv) { k<<<1, 2>>>(3); std::cout << \"}\" << '}'; [&](int x) { return x; }(3); }\n\
        void check(cudaError_t e, const char *f = \"x\") { if (e) exit(1); }\n\
        Widget::Widget() : a(1), b{2} { c = 3; }\n\
        auto lambda = [](int a) { return a; };\n";
    let (declarations, skipped, messages) = run(&format!("{host}__global__ void k(int n) {{}}\n{host}"));
    assert!(messages.is_empty(), "{messages:?}");
    assert!(skipped > 6, "{skipped}");
    let kernels = declarations
        .iter()
        .filter(|decl| matches!(decl, DeclKind::Function(function) if function.specifiers.flags.global));
    assert_eq!(kernels.count(), 1);
}

#[test]
fn syntax_errors() {
    let cases = [
        ("int a = 1\n int b;", "expected `;` after the declaration"),
        ("n = 1\n n = 2;", "expected `;` after the expression"),
        ("n = ;", "expected an expression, found `;`"),
        ("n = (1 + 2;", "expected `)`, found `;`"),
        ("a[1 = 2;", "expected `]`, found `;`"),
        ("if n > 1) n = 2;", "expected `(` after `if`, found `n`"),
        ("else n = 1;", "`else` without `if`"),
        ("k<<<1, 2>>>(n);", "kernels cannot be launched from device code"),
        ("return 1\n}", "expected `;` after `return`"),
        ("unsigned float x;", "these keywords do not form a type"),
    ];
    for (body, expected) in cases {
        let (_, _, messages) = run(&format!("__global__ void k(int n, int *a) {{ {body} }}"));
        assert_eq!(messages.first().map(String::as_str), Some(expected), "{body}: {messages:?}");
    }
}

#[test]
fn nesting_is_bounded() {
    let texts = [
        format!("n = {}1{};", "(".repeat(5000), ")".repeat(5000)),
        format!("n = {}1;", "-".repeat(5000)),
        format!("n = 1{};", " + 1".repeat(30_000)),
        format!("n = 1{};", ", 1".repeat(30_000)),
        format!("if (n) n = 1;{}", " else if (n) n = 2;".repeat(30_000)),
        format!("n = {}1{};", "(1 + ".repeat(500), ")".repeat(500)),
        "{".repeat(5000),
        "if (n) ".repeat(5000),
        format!("int {}x;", "*".repeat(5000)),
        format!("int {}x{};", "(*".repeat(5000), ")".repeat(5000)),
        format!("int x = {}1{};", "{".repeat(5000), "}".repeat(5000)),
        format!("n = {}1;", "n ? 1 : ".repeat(5000)),
        format!("n = {};", "n[".repeat(5000)),
        format!("struct A {{ {}", "struct A {".repeat(5000)),
        "[] { ".repeat(5000),
    ];
    for text in texts {
        let (_, _, messages) = run(&format!("__global__ void k(int n) {{ {text} }}"));
        assert!(!messages.is_empty() && messages.len() < 60, "{}: {}", &text[..20], messages.len());
    }
    let cases = 300;
    let many = (0..cases).map(|at| format!("case {at}:")).collect::<Vec<_>>().join(" ");
    let (_, _, messages) = run(&format!("__global__ void k(int n) {{ switch (n) {{ {many} n = 1; }} }}"));
    assert_eq!(messages, ["the program is nested too deeply"; 0]);
}
