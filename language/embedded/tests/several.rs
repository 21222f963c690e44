//! Programs of several files.

#[expect(dead_code, reason = "each test uses a part")]
mod common;

use common::{printed, refused};

#[test]
fn lambda_expressions_of_the_device_belong_to_their_files() {
    let text = r#"//// api.h
template <class F> __global__ void k(F f, int *p) { *p = f(2); }
template <class F> void launch(F f, int *p) { k<<<1, 1>>>(f, p); cudaDeviceSynchronize(); }
inline int once(int a)
{
    int *d, h;
    cudaMalloc(&d, 4);
    launch([=] __device__ (int i) { return 100 * a + i; }, d);
    cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
    cudaFree(d);
    return h;
}
//// body.h
launch([=] __device__ (int i) { return a OP i; }, d);
//// main.cu
#include <cstdio>
#include "api.h"
int other(int *);
int main()
{
    int *d, h, a = 10;
    cudaMalloc(&d, 4);
#define OP *
#include "body.h"
#include "body.h"
    cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
    printf("%d %d", h, once(1));
    printf(" %d", other(d));
    cudaFree(d);
}
//// other.cu
#include "api.h"
int other(int *d)
{
    int h, a = 10;
#define OP +
#include "body.h"
    cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
    return h + once(2);
}
"#;
    assert_eq!(printed("", text), "20 102 214");
    let twice = text.replace(
        "#include \"body.h\"\n#include",
        "#undef OP\n#define OP -\n#include \"body.h\"\n#undef OP\n#define OP *\n#include",
    );
    assert_ne!(twice, text);
    let messages = refused("", &twice);
    assert!(messages.contains("different `__device__` lambda expressions at one place"), "{messages}");
}

#[test]
fn c_and_cuda_files_share_functions_and_variables() {
    let text = r#"//// api.h
#ifndef API_H
#define API_H
#ifdef __cplusplus
extern "C" {
#endif
extern int launches;
extern int table[];
void scale(float *p, int n, float factor);
int total(void);
void say(const char *format, ...);
#ifdef __cplusplus
}
#endif
#endif
//// main.c
#include <stdio.h>
#include "api.h"
int launches;
int launches;
int table[4] = {1, 2, 3, 4};
static int helper(int x) { return x + 100; }
int main(void)
{
    float h[64];
    int new = 0;
    for (; new < 64; new++) h[new] = new;
    scale(h, 64, 3.0f);
    say("%g %g launches %d total %d helper %d", h[1], h[63], launches, total(), helper(1));
    return 0;
}
//// util.c
#include <stdarg.h>
#include <stdio.h>
#include "api.h"
int launches;
static int helper(int x) { return x + 1; }
int total(void)
{
    int i, sum = 0;
    for (i = 0; i < 4; i++) sum += helper(table[i]);
    return sum;
}
void say(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
    printf("\n");
}
//// first.cu
#include "api.h"
__constant__ float factor;
__device__ int count;
static __device__ int helper(int x) { return x * 2; }
static __global__ void kernel(float *p, int n)
{
    int i = threadIdx.x;
    if (i < n) p[i] *= factor + helper(0);
    if (i == 0) count++;
}
extern "C" void second(float *d);
void scale(float *p, int n, float f)
{
    float *d;
    cudaMalloc(&d, n * 4);
    cudaMemcpy(d, p, n * 4, cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(factor, &f, 4);
    kernel<<<1, 64>>>(d, n);
    second(d);
    cudaMemcpy(p, d, n * 4, cudaMemcpyDeviceToHost);
    int own;
    cudaMemcpyFromSymbol(&own, count, 4);
    launches += own;
    cudaFree(d);
}
//// second.cu
__constant__ float factor = 9;
static __device__ int helper(int x) { return x * 3; }
static __global__ void kernel(float *p) { p[threadIdx.x] += factor + helper(2); }
extern "C" void second(float *d) { kernel<<<1, 64>>>(d); }
"#;
    assert_eq!(printed("main.c", text), "18 204 launches 1 total 14 helper 101\n");
}

#[test]
fn classes_templates_and_initializers_of_cpp_files_are_joined() {
    let text = r#"//// shape.h
#pragma once
#include <string>
#include <vector>
class Shape {
public:
    explicit Shape(const std::string &name);
    ~Shape();
    double area() const;
    int sides() const { static int asked = 0; return ++asked; }
    static int alive;
    static const int most = 8;
private:
    std::string name;
    std::vector<double> edges;
};
template <class T> struct Counter { static int count; static int next() { return ++count; } };
template <class T> int Counter<T>::count = 10;
namespace tools { int twice(int x); double twice(double x); extern const int limit; }
template <class T> __global__ void fill(T *p, T value);
//// main.cpp
#include "shape.h"
#include <cstdio>
#include <stdexcept>
struct First { First() { printf("first %d\n", tools::twice(2)); } };
static First first;
namespace { int hidden = 1; int own() { return hidden; } }
int other();
void run(float *out);
int main()
{
    {
        Shape a("square"), b("line");
        printf("%g %d %d %d\n", a.area(), Shape::alive, Shape::most, tools::limit);
        printf("%d %d\n", a.sides(), Counter<int>::next());
    }
    printf("%d %d %d\n", Shape::alive, own(), other());
    printf("%d %g\n", tools::twice(4), tools::twice(1.5));
    try { tools::twice(-1); } catch (const std::runtime_error &e) { printf("caught %s\n", e.what()); }
    float h[32];
    run(h);
    printf("%g\n", h[7]);
    return 0;
}
//// shape.cpp
#include "shape.h"
#include <cstdio>
#include <stdexcept>
int Shape::alive = 0;
Shape::Shape(const std::string &name) : name(name), edges(4, 2.0) { alive++; }
Shape::~Shape() { alive--; }
double Shape::area() const { return edges[0] * edges[1] * name.size(); }
namespace tools {
extern const int limit = 77;
int twice(int x) { if (x < 0) throw std::runtime_error("negative"); return 2 * x; }
double twice(double x) { return 2 * x; }
}
namespace { int hidden = 5; int own() { return hidden; } }
struct First { First() { printf("second\n"); } };
static First first;
int other() { Shape s("x"); return own() * 100 + s.sides() * 10 + Counter<int>::next(); }
//// run.cu
#include "shape.h"
template <class T> __global__ void fill(T *p, T value) { p[threadIdx.x] = value + threadIdx.x; }
__global__ void plain(float *p);
void run(float *out)
{
    float *d;
    cudaMalloc(&d, 128);
    fill<float><<<1, 32>>>(d, 0.5f);
    plain<<<1, 32>>>(d);
    cudaMemcpy(out, d, 128, cudaMemcpyDeviceToHost);
    cudaFree(d);
}
//// plain.cu
__global__ void plain(float *p) { p[threadIdx.x] *= 2; }
"#;
    let expected = "first 4\nsecond\n24 2 8 77\n1 11\n0 1 532\n8 3\ncaught negative\n15\n";
    assert_eq!(printed("main.c", text), expected);
}

#[test]
fn wrong_references_between_files_are_named() {
    let two = |main: &str, other: &str| refused("", &format!("//// a.cpp\n{main}\n//// b.cu\n{other}\n"));
    for (main, other, expected) in [
        ("int f(); int main() { return f(); }", "", "function `f` is not defined in any file"),
        (
            "int f(); int main() { return f(); }",
            "static int f() { return 1; }",
            "function `f` is not defined",
        ),
        (
            "int f(); int main() { return f(); }",
            "extern \"C\" int f() { return 1; }",
            "declare it in `extern \"C\"`",
        ),
        ("extern \"C\" int f(); int main() { return f(); }", "int f() { return 1; }", "where it is defined"),
        (
            "int f(int); int main() { return f(1); }",
            "int f(double) { return 1; }",
            "types of its parameters differ",
        ),
        (
            "extern \"C\" int f(int); int main() { return f(1); }",
            "extern \"C\" int f(double) { return 1; }",
            "has other types",
        ),
        ("extern int x; int main() { return x; }", "", "variable `x` is not defined in any file"),
        (
            "extern int x; int main() { return x; }",
            "static int x = 1;",
            "variable `x` is not defined in any file",
        ),
        ("extern int *x; int main() { return *x; }", "int x[4] = {1};", "variable `x` has another type"),
        ("int x = 1; int main() { return x; }", "int x = 2;", "variable `x` is defined in several files"),
        (
            "int f() { return 1; } int main() { return f(); }",
            "int f() { return 2; }",
            "function `f` is defined in several files",
        ),
        (
            "int main() { return 0; }",
            "int main() { return 1; }",
            "function `main` is defined in several files",
        ),
        ("__global__ void k(); int main() { k<<<1, 1>>>(); }", "", "kernel `k` has no body"),
        (
            "__global__ void k(); int main() { k<<<1, 1>>>(); }",
            "static __global__ void k() {}",
            "kernel `k` has no body",
        ),
        (
            "__global__ void k() {} int main() { k<<<1, 1>>>(); }",
            "__global__ void k() {}",
            "kernel `k` is defined in several files",
        ),
        (
            "int main() {}",
            "extern __device__ int x; __global__ void k() { x = 1; }",
            "is not defined in this file",
        ),
        ("int main() {}", "__device__ int f(int); __global__ void k(int *p) { *p = f(1); }", "-rdc=true"),
        (
            "struct A { static int n; }; int main() { return A::n; }",
            "",
            "variable `n` is not defined in any file",
        ),
        ("int main() { return 0; ", "int f() { return y; }", "`y`"),
    ] {
        let messages = two(main, other);
        assert!(messages.contains(expected), "{main} | {other}: {messages}");
    }
}

#[test]
fn exceptions_of_other_files_are_caught_by_their_base_classes() {
    let text = r#"//// main.cpp
#include <cstdio>
#include <exception>
struct Base { int n; Base(int n) : n(n) {} virtual ~Base() {} virtual int twice() const { return 2 * n; } };
namespace { struct Own { int n; }; }
void throws(int which);
int main()
{
    for (int i = 0; i < 4; i++) {
        try {
            throws(i);
        } catch (const std::exception &e) {
            printf("%s\n", e.what());
        } catch (const Base &base) {
            printf("base %d\n", base.twice());
        } catch (const Own &own) {
            printf("own %d\n", own.n);
        } catch (...) {
            printf("other\n");
        }
    }
    return 0;
}
//// throws.cpp
#include <stdexcept>
struct Base { int n; Base(int n) : n(n) {} virtual ~Base() {} virtual int twice() const { return 2 * n; } };
struct Derived : Base { Derived() : Base(4) {} int twice() const { return -1; } };
struct Mine : std::runtime_error {
    Mine() : std::runtime_error("text") {}
    const char *what() const noexcept { return "mine"; }
};
namespace { struct Own { int n; }; }
void throws(int which)
{
    if (which == 0) throw std::runtime_error("plain");
    if (which == 1) throw Mine();
    if (which == 2) throw Derived();
    Own own = {5};
    throw own;
}
"#;
    assert_eq!(printed("main.c", text), "plain\nmine\nbase -1\nother\n");
}

#[test]
fn c_calls_functions_of_other_files_without_a_prototype() {
    let other = "extern \"C\" int first(int a, double b, const char *text, int *p)
{ printf(\"%s %g\\n\", text, b); return a + *p; }
extern \"C\" double second(int a) { return a / 2.0; }
extern \"C\" void third(int a) { printf(\"third %d\\n\", a); }
__global__ void k() {}";
    let main = "//// main.c
#include <stdio.h>
double second();
int main()
{
    int v = 3; float q = 1.5f; char c = 2;
    printf(\"%d\", first(v, q, \"text\", &v));
    printf(\" %g\\n\", second(c));
    third(v);
    return 0;
}
//// kernels.cu
#include <stdio.h>
";
    assert_eq!(printed("main.c", &format!("{main}{other}")), "text 1.5\n6 1\nthird 3\n");
    for (call, wrong, name) in
        [("second(c)", "second(2.0)", "second"), ("third(v);", "v = third(v);", "third")]
    {
        let message = refused("main.c", &format!("{}{other}", main.replace(call, wrong)));
        let expected = format!("error[link]: function `{name}` has other types in another file");
        assert!(message.contains(&expected), "{message}");
    }
}

#[test]
fn files_see_constants_members_and_instances_of_other_files() {
    let text = r#"//// api.h
struct Bar {
    static const char done[5];
    static const int n;
};
template <class T> void print(T x);
//// a.cu
#include <stdio.h>
#include "api.h"
extern "C" const unsigned int LEAST = 4;
extern "C" unsigned int get() { return LEAST; }
const char Bar::done[5] = "====";
const int Bar::n = 3;
template <class T> void print(T x) { printf("%g\n", (double)x); }
template void print<int>(int x);
template void print<double>(double x);
extern "C" int nowhere(int);
inline int unused(int x) { return nowhere(x); }
//// main.cpp
#include <stdio.h>
#include "api.h"
extern "C" const unsigned int LEAST;
extern "C" unsigned int get();
int main()
{
    printf("%u %u %s %d\n", LEAST, get(), Bar::done, Bar::n);
    print<int>(3);
    print<double>(2.5);
    return 0;
}
"#;
    assert_eq!(printed("main.cpp", text), "4 4 ==== 3\n3\n2.5\n");
}

#[test]
fn programs_in_c_call_the_runtime() {
    let text = r#"//// main.c
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <stdio.h>
void launch(float *p);
int main(void)
{
    int n = 0;
    float h[4] = {1, 2, 3, 4}, *d;
    int later(int), other(int);
    cudaGetDeviceCount(&n);
    if (cudaMalloc((void **)&d, sizeof h) != cudaSuccess) return 1;
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    launch(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(d);
    printf("%d %g %d\n", n, h[3], later(1) + other(2));
    return CUDA_SUCCESS;
}
int later(int x) { return x; }
int other(int x) { return x; }
//// k.cu
__global__ void twice(float *p) { p[threadIdx.x] *= 2; }
extern "C" void launch(float *p) { twice<<<1, 4>>>(p); }
"#;
    assert_eq!(printed("main.c", text), "1 8 3\n");
}

#[test]
fn explicit_instantiations_define_functions_for_other_files() {
    let text = r#"//// list.h
#include <vector>
template <class T> class List {
    T *d;
    int n;
public:
    explicit List(const std::vector<T> &v);
    ~List();
    void scale(T f);
    std::vector<T> host() const;
};
template <class T> T clamped(T v, T low, T high);
extern template class List<float>;
extern template int clamped<int>(int, int, int);
template <class T> struct Known { static int count; static T step(); };
template <class T> struct Kept { static T value; };
//// main.cpp
#include <cstdio>
#include "list.h"
int main() {
    printf("%d ", Known<int>::count);
    printf("%d ", Known<int>::step());
    printf("%d %g ", Known<int>::count, Kept<float>::value);
    List<float> f({1, 2, 3});
    List<int> d(std::vector<int>(40, 3));
    f.scale(2);
    d.scale(4);
    printf("%g %d %d %g\n", f.host()[2], d.host()[39], clamped(5, 1, 3), clamped(0.5, 1.0, 2.0));
}
//// list.cu
#include "list.h"
template <class T> __global__ void scaled(T *p, T f, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] *= f;
}
template <class T> List<T>::List(const std::vector<T> &v) : n(v.size()) {
    cudaMalloc(&d, n * sizeof(T));
    cudaMemcpy(d, v.data(), n * sizeof(T), cudaMemcpyHostToDevice);
}
template <class T> List<T>::~List() { cudaFree(d); }
template <class T> void List<T>::scale(T f) { scaled<T><<<(n + 31) / 32, 32>>>(d, f, n); }
template <class T> std::vector<T> List<T>::host() const {
    std::vector<T> v(n);
    cudaMemcpy(v.data(), d, n * sizeof(T), cudaMemcpyDeviceToHost);
    return v;
}
template class List<float>;
template class List<int>;
template <class T> T clamped(T v, T low, T high) { return v < low ? low : high < v ? high : v; }
template int clamped<int>(int, int, int);
template double clamped(double, double, double);
template <class T> int Known<T>::count = 3;
template <> float Kept<float>::value = 2.5f;
template <class T> T Known<T>::step() { return count++; }
template struct Known<int>;
"#;
    assert_eq!(printed("list.cu", text), "3 3 4 2.5 6 12 3 1\n");
}
