//! The constructs of CUDA C, each with a program that runs and one that is refused.
//!
//! A program has a kernel `k(int *out)` of one thread. The result is `out[0]`, on every target from
//! the row's own on, without and with the optimizer.

#[path = "common/mod.rs"]
#[expect(dead_code, reason = "each test uses a part")]
mod common;

use common::{as_ints, compile, ints, run};

/// A construct: its name, its least target, a program with its result, and a program that is
/// refused with a part of the message. `#pragma unroll` alone has no misuse.
struct Row(&'static str, &'static str, &'static str, i32, &'static str, &'static str);

/// A kernel with this body.
fn kernel(body: &str) -> String {
    if body.contains("__global__") {
        body.to_owned()
    } else {
        format!("__global__ void k(int *out)\n{{\n{body}\n}}\n")
    }
}

const TARGETS: [&str; 6] = ["sm_10", "sm_11", "sm_12", "sm_13", "sm_20", "sm_21"];

const ROWS: &[Row] = &[
    // The preprocessor.
    Row(
        "#include of a built-in header",
        "sm_10",
        "#include <cuda_runtime.h>\n#include <math.h>\n__global__ void k(int *out) { out[0] = (int)sqrtf(49.0f); }",
        7,
        "#include \"missing.h\"\n__global__ void k(int *out) { }",
        "missing.h",
    ),
    Row(
        "object macros",
        "sm_10",
        "#define N 6\n#define TWICE (2 * N)\n__global__ void k(int *out) { out[0] = TWICE; }",
        12,
        "#define N 6\n#define 7 N\n__global__ void k(int *out) { }",
        "macro",
    ),
    Row(
        "macros with arguments",
        "sm_10",
        "#define IDX(r, c) ((r) * 8 + (c))\n__global__ void k(int *out) { out[0] = IDX(2, 1 + 2); }",
        19,
        "#define IDX(r, c) ((r) * 8 + (c))\n__global__ void k(int *out) { out[0] = IDX(2); }",
        "argument",
    ),
    Row(
        "# and ##",
        "sm_10",
        "#define JOIN(a, b) a##b\n#define SIZE(x) (int)sizeof(#x)\n__global__ void k(int *out) { int ab = 5; out[0] = JOIN(a, b) + SIZE(xyz); }",
        9,
        "#define S(x) #y\n__global__ void k(int *out) { }",
        "parameter",
    ),
    Row(
        "__VA_ARGS__",
        "sm_10",
        "#define SUM(f, ...) f(__VA_ARGS__)\n__device__ int add(int a, int b) { return a + b; }\n__global__ void k(int *out) { out[0] = SUM(add, 2, 3); }",
        5,
        "#define F(x) __VA_ARGS__\n__global__ void k(int *out) { out[0] = F(1); }",
        "__VA_ARGS__",
    ),
    Row(
        "conditionals",
        "sm_10",
        "#if defined(A) || 2 > 3\n#error no\n#elif 1\n#define V 4\n#else\n#define V 5\n#endif\n__global__ void k(int *out) { out[0] = V; }",
        4,
        "#if 1\n__global__ void k(int *out) { }",
        "#if",
    ),
    Row(
        "#error",
        "sm_10",
        "#ifndef __CUDACC__\n#error no compiler of CUDA C\n#endif\n__global__ void k(int *out) { out[0] = 1; }",
        1,
        "#error this is not supported\n__global__ void k(int *out) { }",
        "this is not supported",
    ),
    Row(
        "__CUDA_ARCH__",
        "sm_20",
        "__global__ void k(int *out) { out[0] = __CUDA_ARCH__ >= 200; }",
        1,
        "#if __CUDA_ARCH__ > 90\n#error too new\n#endif\n__global__ void k(int *out) { }",
        "too new",
    ),
    Row(
        "__LINE__",
        "sm_10",
        "\n\n__global__ void k(int *out) { out[0] = __LINE__; }",
        3,
        "__global__ void k(int *out) { __LINE__ = 3; }",
        "assign",
    ),
    Row(
        "#pragma unroll",
        "sm_10",
        "int s = 0;\n#pragma unroll 4\nfor (int i = 0; i < 10; i++) s += i;\nout[0] = s;",
        45,
        "",
        "",
    ),
    // Types and expressions of C.
    Row(
        "integer types",
        "sm_10",
        "unsigned char a = 255; short b = -3; long long c = 1LL << 40; a++;\nout[0] = a + b + (int)(c >> 38);",
        1,
        "out[0] = 08;",
        "`08`",
    ),
    Row(
        "float",
        "sm_10",
        "float x = 1.5f; out[0] = (int)(x * 4.0f);",
        6,
        "float x = 1.5f; out[0] = x % 2;",
        "%",
    ),
    Row(
        "double",
        "sm_13",
        "double x = 1.0 / 3.0; out[0] = (int)(x * 3e6 + 0.5);",
        1_000_000,
        "double x = 1.0; out[0] = x << 1;",
        "<<",
    ),
    Row("bool", "sm_10", "bool b = 42; out[0] = b + b;", 2, "bool b = true; b.x = 1; ", "bool"),
    Row("pointers", "sm_10", "int *p = out + 1; *--p = 9;", 9, "int *p = 5.0f; out[0] = *p;", "float"),
    Row(
        "arrays",
        "sm_10",
        "int a[2][3] = {{1, 2, 3}, {4, 5, 6}}; int s = 0; for (int i = 0; i < 6; i++) s += a[i / 3][i % 3]; out[0] = s;",
        21,
        "int a[2] = {1, 2, 3}; out[0] = a[0];",
        "fewer elements",
    ),
    Row(
        "structures",
        "sm_10",
        "struct P { char c; int i; short s; };\n__global__ void k(int *out) { P p = {1, 2, 3}; P q = p; q.i += 5; out[0] = (int)sizeof(P) + q.i; }",
        19,
        "struct P { int x; };\n__global__ void k(int *out) { P p = {1}; out[0] = p.y; }",
        "`y`",
    ),
    Row(
        "unions",
        "sm_10",
        "union U { float f; int i; };\n__global__ void k(int *out) { U u; u.f = 1.0f; out[0] = u.i >> 23; }",
        127,
        "union U { float f; int i; };\n__global__ void k(int *out) { U u; u.z = 1; }",
        "`z`",
    ),
    Row(
        "bit fields",
        "sm_10",
        "struct B { unsigned a : 3, b : 5; int c : 4; };\n__global__ void k(int *out) { B b = {7, 20, -2}; b.a++; out[0] = b.a * 100 + b.b + b.c; }",
        18,
        "struct B { unsigned a : 40; };\n__global__ void k(int *out) { B b; b.a = 1; out[0] = b.a; }",
        "bit",
    ),
    Row(
        "enumerations",
        "sm_10",
        "enum Color { RED, GREEN = 5, BLUE };\n__global__ void k(int *out) { Color c = BLUE; out[0] = c; }",
        6,
        "enum Color { RED };\n__global__ void k(int *out) { out[0] = GREEN; }",
        "GREEN",
    ),
    Row(
        "typedef",
        "sm_10",
        "typedef unsigned int uint_t;\ntypedef int row[4];\n__global__ void k(int *out) { row r = {1, 2, 3, 4}; uint_t n = 3; out[0] = r[n]; }",
        4,
        "typedef int word;\n__global__ void k(int *out) { wrod x = 1; out[0] = x; }",
        "word",
    ),
    Row(
        "const",
        "sm_10",
        "const int n = 3; int a[n] = {1, 2, 3}; out[0] = a[2];",
        3,
        "const int n = 3; n = 4; out[0] = n;",
        "const",
    ),
    Row(
        "sizeof",
        "sm_10",
        "int a[6]; out[0] = sizeof(a) / sizeof *a + sizeof(float4);",
        22,
        "struct S; out[0] = sizeof(S);",
        "S",
    ),
    Row(
        "casts",
        "sm_10",
        "float f = 3.9f; out[0] = (int)f + static_cast<int>(2.5f) + (*reinterpret_cast<int *>(&f) != 0);",
        6,
        "struct S { int x; }; S s; out[0] = (int)s;",
        "S",
    ),
    Row(
        "string literals",
        "sm_10",
        "char *text = \"ab\"; const char *same = \"c\" \"d\"; out[0] = text[1] + same[1] - 'a';",
        101,
        "const char *text = \"ab\"; char *same = text; out[0] = same[0];",
        "const",
    ),
    // Statements.
    Row(
        "if and else",
        "sm_10",
        "if (out[0] > 3) out[0] = 1; else if (out[0] == 0) out[0] = 2; else out[0] = 3;",
        2,
        "if out[0] > 3 { }",
        "(",
    ),
    Row(
        "loops",
        "sm_10",
        "int s = 0; for (int i = 0; i < 5; i++) { if (i == 3) continue; int j = i; while (j--) s++; } do s += 10; while (s < 30); out[0] = s;",
        37,
        "break; out[0] = 1;",
        "break",
    ),
    Row(
        "switch",
        "sm_10",
        "int s = 0; for (int i = 0; i < 4; i++) switch (i) { case 0: s += 1; case 1: s += 10; break; default: s += 100; } out[0] = s;",
        221,
        "switch (out[0]) { case 1: break; case 1: break; }",
        "case",
    ),
    Row(
        "goto",
        "sm_10",
        "int i = 0; again: if (++i < 5) goto again; out[0] = i;",
        5,
        "goto nowhere; out[0] = 1;",
        "nowhere",
    ),
    Row(
        "the conditional operator and the comma",
        "sm_10",
        "int a = 1, b; b = (a++, a > 1 ? 7 : 8); out[0] = b;",
        7,
        "out[0] = 1 ? 2;",
        ":",
    ),
    // Functions and C++.
    Row(
        "functions",
        "sm_10",
        "__device__ int twice(int x) { return 2 * x; }\n__global__ void k(int *out) { out[0] = twice(twice(3)); }",
        12,
        "int host(int x) { return x; }\n__global__ void k(int *out) { out[0] = host(1); }",
        "host",
    ),
    Row(
        "references",
        "sm_10",
        "__device__ void swap(int &a, int &b) { int t = a; a = b; b = t; }\n__global__ void k(int *out) { int x = 1, y = 2; swap(x, y); out[0] = 10 * x + y; }",
        21,
        "__device__ void f(int &a) { a = 1; }\n__global__ void k(int *out) { f(3); }",
        "temporary",
    ),
    Row(
        "overloads",
        "sm_10",
        "__device__ int f(int) { return 1; }\n__device__ int f(float) { return 2; }\n__global__ void k(int *out) { out[0] = f(1) * 10 + f(1.0f); }",
        12,
        "__device__ int f(int) { return 1; }\n__device__ int f(float) { return 2; }\n__global__ void k(int *out) { out[0] = f(1.0); }",
        "f",
    ),
    Row(
        "default arguments",
        "sm_10",
        "__device__ int f(int a, int b = 4) { return a * b; }\n__global__ void k(int *out) { out[0] = f(2) + f(2, 1); }",
        10,
        "__device__ int f(int a = 4, int b) { return a * b; }\n__global__ void k(int *out) { out[0] = f(2); }",
        "default",
    ),
    Row(
        "function templates",
        "sm_10",
        "template <typename T, int N> __device__ T sum(T x) { T s = 0; for (int i = 0; i < N; i++) s += x; return s; }\n__global__ void k(int *out) { out[0] = sum<int, 3>(4) + (int)sum<float, 2>(0.5f); }",
        13,
        "template <typename T> __device__ T f() { return 1; }\n__global__ void k(int *out) { out[0] = f(); }",
        "T",
    ),
    Row(
        "specializations",
        "sm_10",
        "template <typename T> __device__ int f(T) { return 1; }\ntemplate <> __device__ int f(float) { return 2; }\n__global__ void k(int *out) { out[0] = f(1) + 10 * f(1.f); }",
        21,
        "template <typename T> __device__ int f(T) { return 1; }\ntemplate <> __device__ int g(float) { return 2; }\n__global__ void k(int *out) { out[0] = f(1); }",
        "g",
    ),
    Row(
        "class templates",
        "sm_10",
        "template <class T, int N> struct Stack { T a[N]; int n; __device__ Stack() : n(0) {} __device__ void push(T x) { a[n++] = x; } __device__ T pop() { return a[--n]; } };\n__global__ void k(int *out) { Stack<int, 4> s; s.push(3); s.push(8); out[0] = s.pop() - s.pop(); }",
        5,
        "template <class T> struct S { T x; };\n__global__ void k(int *out) { S s; out[0] = 1; }",
        "template",
    ),
    Row(
        "templates with a variable number of parameters",
        "sm_10",
        "template <typename... T> __device__ int f(T... x) { return sizeof...(x) + 10 * (x + ...); }\n__global__ void k(int *out) { out[0] = f(1, 2); }",
        32,
        "template <typename... T> __device__ int f(T... x) { return x; }\n__global__ void k(int *out) { out[0] = f(1, 2); }",
        "needs `...`",
    ),
    Row(
        "constructors and methods",
        "sm_10",
        "struct V { int x, y; __device__ V(int x, int y) : x(x), y(y) {} __device__ int dot(const V &o) const { return x * o.x + y * o.y; } };\n__global__ void k(int *out) { V a(1, 2), b = V(3, 4); out[0] = a.dot(b); }",
        11,
        "struct V { __device__ V(int x) {} };\n__global__ void k(int *out) { V a(1, 2); }",
        "V",
    ),
    Row(
        "access specifiers",
        "sm_10",
        "class C { int x; public: __device__ C() : x(6) {} __device__ int get() const { return x; } };\n__global__ void k(int *out) { out[0] = C().get(); }",
        6,
        "class C { int x; };\n__global__ void k(int *out) { C c; c.x = 1; }",
        "`x` is a private member of `C`",
    ),
    Row(
        "operators",
        "sm_10",
        "struct C { float r, i; };\n__device__ C operator*(C a, C b) { C c = {a.r * b.r - a.i * b.i, a.r * b.i + a.i * b.r}; return c; }\n__global__ void k(int *out) { C a = {1, 2}; a = a * a; out[0] = (int)(a.r * 10 + a.i); }",
        -26,
        "struct C { float r; };\n__global__ void k(int *out) { C a = {1}, b = {2}; a = a + b; }",
        "+",
    ),
    Row(
        "inheritance",
        "sm_10",
        "struct A { int x; __device__ int f() { return x; } };\nstruct B : A { int y; };\n__global__ void k(int *out) { B b; b.x = 3; b.y = 4; out[0] = b.f() * b.y; }",
        12,
        "struct A {}; struct C : virtual A {};\n__global__ void k(int *out) { C c; }",
        "base",
    ),
    Row(
        "virtual functions",
        "sm_20",
        "out[0] = 1;",
        1,
        "struct A { __device__ virtual int f() { return 1; } };\n__global__ void k(int *out) { A a; out[0] = a.f(); }",
        "virtual",
    ),
    Row(
        "namespaces",
        "sm_10",
        "namespace a { namespace b { __device__ int f() { return 4; } } }\nusing namespace a;\n__global__ void k(int *out) { out[0] = b::f() + a::b::f(); }",
        8,
        "namespace a { __device__ int f() { return 4; } }\n__global__ void k(int *out) { out[0] = f(); }",
        "f",
    ),
    Row(
        "auto",
        "sm_10",
        "auto x = 2.5f; auto *p = out; p[0] = (int)(x * 2);",
        5,
        "auto x; out[0] = 1;",
        "auto",
    ),
    Row(
        "constexpr",
        "sm_10",
        "constexpr int square(int x) { return x * x; }\n__global__ void k(int *out) { int a[square(3)]; out[0] = sizeof a; }",
        36,
        "constexpr int square(int x) { return x * x; }\n__global__ void k(int *out) { int a[square(out[0])]; out[0] = sizeof a; }",
        "constant",
    ),
    Row(
        "static_assert",
        "sm_10",
        "static_assert(sizeof(float4) == 16, \"size\"); out[0] = 1;",
        1,
        "static_assert(sizeof(int) == 8, \"wide\"); out[0] = 1;",
        "wide",
    ),
    Row(
        "types of the C++ library",
        "sm_10",
        "#include <type_traits>\n#include <cstdint>\ntemplate <class T> struct W { typename std::conditional<(sizeof(T) > 4), double, char>::type x; };\n__global__ void k(int *out) { std::uint8_t b = 255; b += 2; std::make_unsigned<int>::type u = -1; std::enable_if_t<std::is_integral_v<int>, int> e = 100 * (u > 5); if constexpr (std::is_same_v<int, float>) e = 0; out[0] = b + sizeof(W<long long>) + 1000 * std::is_pointer<int *>::value + e; }",
        1109,
        "#include <algorithm>\n__global__ void k(int *out) { std::sort(out, out + 1); }",
        "`sort` is not a member of `std`",
    ),
    Row(
        "constants of the C++ library",
        "sm_10",
        "#include <limits>\ntemplate <int N> struct I { static const int value = N; };\n__global__ void k(int *out) { constexpr float most = std::numeric_limits<float>::max(); out[0] = I<std::numeric_limits<short>::max()>::value + std::numeric_limits<unsigned>::digits + (most > 1e38f); }",
        32800,
        "#include <limits>\n__global__ void k(int *out) { out[0] = std::numeric_limits<int>::maximum(); }",
        "`maximum` is not a member",
    ),
    Row(
        "lambda expressions",
        "sm_10",
        "int a = 3; auto f = [=](int x) { return a * x; }; out[0] = f(4);",
        12,
        "int a = 3; auto f = [](int x) { return a * x; }; out[0] = f(4);",
        "captur",
    ),
    Row(
        "range-based for",
        "sm_10",
        "int a[3] = {1, 2, 4}; int s = 0; for (int x : a) s += x; out[0] = s;",
        7,
        "int a = 3; for (int x : a) out[0] = x;",
        "for",
    ),
    Row(
        "exceptions",
        "sm_10",
        "out[0] = 1;",
        1,
        "__global__ void k(int *out) { try { out[0] = 1; } catch (int) { } }",
        "try",
    ),
    Row(
        "recursion",
        "sm_20",
        "__device__ int f(int n) { return n < 2 ? 1 : n * f(n - 1); }\n__global__ void k(int *out) { out[0] = f(6); }",
        720,
        "",
        "",
    ),
    Row(
        "function pointers",
        "sm_20",
        "__device__ int f(int x) { return x + 1; }\n__device__ int g(int x) { return x * 2; }\n__global__ void k(int *out) { int (*p)(int) = out[0] ? f : g; out[0] = p(21); }",
        42,
        "__device__ int f(int x) { return x; }\n__global__ void k(int *out) { int (*p)(float) = f; out[0] = p(1.0f); }",
        "int",
    ),
    // CUDA.
    Row("__global__", "sm_10", "out[0] = 3;", 3, "__global__ int k(int *out) { return 1; }", "void"),
    Row(
        "__shared__",
        "sm_10",
        "__shared__ int s[4]; s[threadIdx.x] = 5; __syncthreads(); out[0] = s[0];",
        5,
        "__shared__ int s = 3; out[0] = s;",
        "__shared__",
    ),
    Row(
        "__constant__",
        "sm_10",
        "__constant__ int c[3] = {1, 2, 3};\n__global__ void k(int *out) { out[0] = c[threadIdx.x + 2]; }",
        3,
        "__constant__ int c;\n__global__ void k(int *out) { c = 1; }",
        "__constant__",
    ),
    Row(
        "__device__ variables",
        "sm_10",
        "__device__ int counter = 4;\n__global__ void k(int *out) { counter += 2; out[0] = counter; }",
        6,
        "int counter = 4;\n__global__ void k(int *out) { out[0] = counter; }",
        "counter",
    ),
    Row(
        "built-in variables",
        "sm_10",
        "out[0] = threadIdx.x + 10 * blockDim.x + 100 * gridDim.y + 1000 * blockIdx.x + warpSize;",
        142,
        "threadIdx.x = 3;",
        "threadIdx",
    ),
    Row(
        "vector types",
        "sm_10",
        "float4 v = make_float4(1, 2, 3, 4); int2 w = {5, 6}; uchar4 u = make_uchar4(7, 8, 9, 10); out[0] = (int)(v.x + v.w) + w.y + u.z;",
        20,
        "float3 v = make_float3(1, 2, 3); out[0] = v.w;",
        "`w`",
    ),
    Row(
        "__launch_bounds__",
        "sm_10",
        "__global__ void __launch_bounds__(64) k(int *out) { out[0] = 2; }",
        2,
        "__global__ void __launch_bounds__(-1) k(int *out) { out[0] = 2; }",
        "__launch_bounds__",
    ),
    Row("barriers", "sm_10", "__syncthreads(); out[0] = 1;", 1, "__syncthreads(3); out[0] = 1;", "argument"),
    Row(
        "barriers with a result",
        "sm_20",
        "out[0] = __syncthreads_count(1) + __syncthreads_or(1) + __syncthreads_and(0);",
        2,
        "out[0] = __syncthreads_count();",
        "argument",
    ),
    Row(
        "fences",
        "sm_11",
        "__threadfence(); __threadfence_block(); out[0] = 1;",
        1,
        "__threadfences(); ",
        "__threadfence",
    ),
    Row("votes", "sm_12", "out[0] = __all(1) + __any(0);", 1, "out[0] = __all(1, 2, 3);", "argument"),
    Row(
        "__ballot",
        "sm_20",
        "out[0] = __ballot(1) + __popc(__ballot_sync(0xffffffff, 1));",
        2,
        "out[0] = __shfl(1, 2);",
        "__shfl",
    ),
    Row(
        "atomics",
        "sm_11",
        "out[0] = 5; atomicAdd(out, 3); atomicMax(out, 20); atomicCAS(out, 20, 21); atomicExch(out, atomicSub(out, 1) * 2);",
        42,
        "atomicAdd(3, 4);",
        "int",
    ),
    Row(
        "atomics of shared memory",
        "sm_12",
        "__shared__ int s; s = 1; __syncthreads(); atomicAdd(&s, 5); out[0] = s;",
        6,
        "atomicNand(out, 1);",
        "atomicNand",
    ),
    Row(
        "atomicAdd of float",
        "sm_20",
        "__shared__ float s; s = 0.5f; __syncthreads(); atomicAdd(&s, 2.0f); out[0] = (int)(s * 2);",
        5,
        "double d = 0; atomicAdd(&d, 1.0);",
        "atomicAdd",
    ),
    Row(
        "clock",
        "sm_10",
        "int t = clock(); out[0] = (int)clock() - t >= 0;",
        1,
        "out[0] = clock(1);",
        "argument",
    ),
    Row(
        "intrinsics of integers",
        "sm_10",
        "out[0] = __mul24(-3, 5) + __popc(255) + __clz(1) + __ffs(8) + __umulhi(0x80000000u, 4) + __sad(3, 7, 1);",
        35,
        "out[0] = __popcount(1);",
        "__popc",
    ),
    Row(
        "intrinsics of floats",
        "sm_10",
        "out[0] = (int)(__fdividef(9.0f, 2.0f) * 2) + (int)roundf(__expf(0.0f)) + (int)roundf(__log2f(8.0f));",
        13,
        "out[0] = __sinf();",
        "argument",
    ),
    Row(
        "bits of floats",
        "sm_10",
        "out[0] = __float_as_int(2.0f) >> 23; ",
        128,
        "int x = 1; out[0] = __float_as_int(&x);",
        "float",
    ),
    Row(
        "mathematical functions",
        "sm_10",
        "out[0] = (int)(sinf(0.0f) + cosf(0.0f) + sqrtf(16.0f) + powf(2.0f, 5.0f) + fabsf(-3.0f) + floorf(2.7f) + fminf(1.0f, 2.0f) + 0.01f);",
        43,
        "out[0] = sinf(1.0f, 2.0f);",
        "argument",
    ),
    Row(
        "mathematical functions of double",
        "sm_13",
        "out[0] = (int)(sqrt(16.0) + pow(2.0, 10.0) + exp(0.0) + 1e-9);",
        1029,
        "out[0] = hypott(1.0, 2.0);",
        "hypot",
    ),
    Row("printf", "sm_20", "printf(\"%d\\n\", 5); out[0] = 1;", 1, "printf(5); out[0] = 1;", "printf"),
    Row(
        "assert",
        "sm_20",
        "#include <assert.h>\n__global__ void k(int *out) { assert(out != 0); out[0] = 1; }",
        1,
        "#include <assert.h>\n__global__ void k(int *out) { assert(); }",
        "assert",
    ),
    Row(
        "malloc and free",
        "sm_20",
        "int *p = (int *)malloc(8); p[1] = 7; out[0] = p[1]; free(p);",
        7,
        "int *p = malloc(8); out[0] = p[1];",
        "void",
    ),
    Row(
        "textures",
        "sm_10",
        "texture<float> t;\n__global__ void k(int *out) { if (out[0]) out[0] = (int)tex1Dfetch(t, 0); out[0] = 4; }",
        4,
        "__global__ void k(int *out) { out[0] = (int)tex1Dfetch(3, 0); }",
        "tex1Dfetch",
    ),
    Row(
        "texture objects",
        "sm_20",
        "__device__ float at(cudaTextureObject_t t, int i) { return tex1Dfetch<float>(t, i); }\n__global__ void k(int *out) { float v = 0; cudaTextureObject_t t = 1; if (out[0]) { tex2D(&v, t, 0, 0); out[0] = (int)at(t, 0); } out[0] = 4 + (int)v; }",
        4,
        "__global__ void k(int *out) { cudaTextureObject_t t = 1; out[0] = (int)tex1Dfetch(t, 0); }",
        "write the element type",
    ),
    Row(
        "layers and cubes",
        "sm_20",
        "texture<float, cudaTextureType2DLayered> t;\ntexture<float, cudaTextureTypeCubemap> c;\n__global__ void k(int *out) { if (out[0]) out[0] = (int)(tex2DLayered(t, 0, 0, 1) + texCubemap(c, 1, 0, 0)); out[0] = 4; }",
        4,
        "texture<float, 2> t;\n__global__ void k(int *out) { out[0] = (int)tex2DLayered(t, 0, 0, 1); }",
        "texture of type 0xf2",
    ),
    Row(
        "surfaces",
        "sm_20",
        "surface<void, 2> s;\n__global__ void k(int *out) { if (out[0]) { surf2Dwrite(3, s, 0, 0); surf2Dread(out, s, 0, 0, cudaBoundaryModeZero); out[0] += surf1DLayeredread<int>(1ull, 0, 2); } out[0] = 4; }",
        4,
        "surface<void, 2> s;\n__global__ void k(int *out) { surf2Dread(out, s, 0, 0, out[1]); }",
        "cudaSurfaceBoundaryMode",
    ),
    Row(
        "asm",
        "sm_10",
        "int x; asm(\"add.s32 %0, %1, 4;\" : \"=r\"(x) : \"r\"(3)); out[0] = x;",
        7,
        "int x; asm(\"add.s32 %0, %1, 4;\" : \"=q\"(x) : \"r\"(3)); out[0] = x;",
        "q",
    ),
    Row(
        "operations of later GPUs with an exact meaning",
        "sm_20",
        "__syncwarp(); out[0] = __ldg(out) + __all_sync(0xffffffff, 1) + 1;",
        2,
        "out[0] = __shfl_down_sync(0xffffffff, 1, 1);",
        "__shfl_down_sync",
    ),
];

#[test]
fn each_construct_runs_and_its_misuse_is_refused() {
    let mut wrong = Vec::new();
    for Row(name, least, program, result, refused, because) in ROWS {
        for target in TARGETS.iter().filter(|target| *target >= least) {
            for level in [0, 3] {
                let found = compile(&kernel(program), target, level)
                    .and_then(|ptx| run(&ptx, target, "_Z1kPi", ((1, 1), (1, 1)), 0, &[ints(&[0])]));
                match found {
                    Ok(buffers) if as_ints(&buffers[0]) == [*result] => {}
                    Ok(buffers) => {
                        wrong.push(format!("{name}, {target} -O{level}: {:?}", as_ints(&buffers[0])));
                    }
                    Err(why) => wrong.push(format!("{name}, {target} -O{level}: {why}")),
                }
            }
        }
        let (refused, target) = match *name {
            "recursion" => (*program, "sm_13"),
            _ => (*refused, *least),
        };
        if refused.is_empty() {
            continue;
        }
        match compile(&kernel(refused), target, 3) {
            Err(message) if message.contains("error") && message.contains(because) => {}
            Err(message) => wrong.push(format!("{name}: the message has no `{because}`: {message}")),
            Ok(_) => wrong.push(format!("{name}: {refused} is not refused")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
