//! Whole programs: host code, runtime and kernels in one process.

#[expect(dead_code, reason = "each test uses a part")]
mod common;

use common::{Run, Setup, checked, run};
use cuda::options::Options;
use cuda::target::Target;
use sim_core::check::{Check, Checks};
use std::fmt::Write as _;
use std::path::Path;

/// Runs host code alone.
fn host(text: &str) -> Run {
    run("test.cu", text, "fermi", &[])
}

/// Programs of `examples/programs`, and their least compute capability.
const PROGRAMS: [(&str, u32); 22] = [
    ("bfs", 10),
    ("collatz", 10),
    ("histogram", 12),
    ("kmeans", 10),
    ("hotspot", 10),
    ("life", 10),
    ("lud", 10),
    ("mandelbrot", 10),
    ("matmul", 10),
    ("montecarlo", 13),
    ("nbody", 10),
    ("needle", 10),
    ("prefix", 10),
    ("printing", 20),
    ("product", 10),
    ("reduction", 10),
    ("spmv", 10),
    ("streams", 10),
    ("transpose", 10),
    ("texture", 10),
    ("texture_objects", 20),
    ("vecadd", 10),
];

#[test]
fn the_example_programs_pass_on_all_chips() {
    for (name, least) in PROGRAMS {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/programs").join(name);
        let text = std::fs::read_to_string(path.with_extension("cu")).expect("the program exists");
        for (chip, capability) in [("fermi", 20), ("gt200", 13), ("g80", 10)] {
            if capability < least {
                continue;
            }
            let run = run(&format!("{name}.cu"), &text, chip, &[]);
            assert!(
                run.code == 0 && run.out.contains("PASSED"),
                "{name} on {chip}: {}\n{}{}{}",
                run.code,
                run.out,
                run.err,
                run.message
            );
        }
    }
}

#[test]
fn surfaces_are_read_and_written_outside_of_them_as_their_modes_say() {
    let text = |mode: &str| {
        format!(
            r#"
#include <stdio.h>
surface<void, 2> s;
__global__ void k(float *out) {{
    surf2Dwrite<float>(threadIdx.x + 1, s, threadIdx.x * 4, 0);
    __syncthreads();
    out[threadIdx.x] = surf2Dread<float>(s, (int)(threadIdx.x - 1) * 8, 0, {mode});
}}
int main() {{
    cudaArray *a;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    cudaMallocArray(&a, &desc, 4, 1, cudaArraySurfaceLoadStore);
    cudaBindSurfaceToArray(s, a);
    float *d, h[4];
    cudaMalloc(&d, 16);
    k<<<1, 4>>>(d);
    cudaError_t error = cudaMemcpy(h, d, 16, cudaMemcpyDeviceToHost);
    if (error == cudaSuccess) printf("%g %g %g %g\n", h[0], h[1], h[2], h[3]);
    else printf("%s\n", cudaGetErrorString(error));
}}
"#
        )
    };
    // Each thread reads at twice the place of the thread before it: -2, 0, 2, 4.
    for (mode, expected) in [
        ("cudaBoundaryModeZero", "0 1 3 0\n"),
        ("cudaBoundaryModeClamp", "1 1 3 4\n"),
        ("cudaBoundaryModeTrap", "an illegal memory access was encountered\n"),
    ] {
        let run = host(&text(mode));
        assert_eq!(run.out, expected, "{mode}: {}{}", run.err, run.message);
    }
}

#[test]
fn random_numbers_are_those_of_glibc() {
    let run = host(
        "#include <stdio.h>\n#include <stdlib.h>\nint main() {\n\
         for (int i = 0; i < 5; i++) printf(\"%d \", rand());\n srand(42);\n printf(\"%d %d\", rand(), rand());\n}",
    );
    assert_eq!(run.out, "1804289383 846930886 1681692777 1714636915 1957747793 71876166 708592740");
}

#[test]
fn formats_and_texts_are_those_of_c() {
    let run = host(
        r#"
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
int main() {
    char text[64];
    printf("%5d|%-5d|%05d|%+d|%x|%#X|%o|%c|%s|%.2s|%%\n", 42, 42, 42, 42, 255, 255, 8, 'x', "word", "word");
    printf("%f %.3e %g %10.4f|%-10.2f|%G\n", 3.14159, 12345.678, 0.0001, 2.5, 2.5, 1e20);
    printf("%ld %lld %zu %lu %hhd %p\n", -1L, 1LL << 40, sizeof(text), 7ul, 300, (void *)0);
    sprintf(text, "%s-%d", "a", 7);
    strcat(text, "!");
    printf("%s %d %d\n", text, (int)strlen(text), strcmp("a", "b") < 0);
    int a, b;
    float f;
    char word[8];
    int count = sscanf("12 0x1f 2.5 hello", "%d %i %f %7s", &a, &b, &f, word);
    printf("%d %d %d %.1f %s %d %.2f\n", count, a, b, f, word, atoi("17x"), atof("2.25"));
    char list[] = "a,b;c";
    for (char *part = strtok(list, ",;"); part; part = strtok(NULL, ",;")) printf("[%s]", part);
    puts("");
}
"#,
    );
    assert_eq!(
        run.out,
        "   42|42   |00042|+42|ff|0XFF|10|x|word|wo|%\n\
         3.141590 1.235e+04 0.0001     2.5000|2.50      |1E+20\n\
         -1 1099511627776 64 7 44 (nil)\n\
         a-7! 4 1\n\
         4 12 31 2.5 hello 17 2.25\n\
         [a][b][c]\n",
        "{}",
        run.message
    );
}

#[test]
fn standard_input_is_read() {
    let run = host(
        r#"
#include <stdio.h>
int main() {
    int number, count;
    char word[20], line[40];
    count = scanf("%d %19s", &number, word);
    getchar();
    fgets(line, 40, stdin);
    printf("%d %d %s %s", count, number, word, line);
    printf("%d %d\n", getchar(), feof(stdin) != 0);
}
"#,
    );
    assert_eq!(run.out, "2 17 words next line\n-1 1\n", "{}", run.message);
}

#[test]
fn constructs_that_would_be_executed_wrongly_are_refused() {
    for (text, construct) in [
        ("int main() { mmap(0, 1, 1, 1, 0, 0); }", "`mmap` is not supported"),
        ("int main() { typeid(int); }", "`#include <typeinfo>`"),
        (
            "struct A { operator int() const; operator long() const; };\nint main() { A a; double d = a; }",
            "several conversion functions of the class fit equally well",
        ),
        ("struct A {};\nstruct B : virtual A {};\nint main() { B b; }", "a virtual base class"),
        (
            "struct A { int a; auto f() { return [*this]() { return ++a; }; } };\nint main() { return A().f()(); }",
            "cannot be changed",
        ),
        (
            "struct A { int a; int f() { return [] { return a; }(); } };\nint main() { return A().f(); }",
            "`a` is a member of `A` and needs an object",
        ),
        (
            "struct A { int a; int g(); int f() { return [a = 1] { return g(); }(); } };\nint main() { A().f(); }",
            "needs an object",
        ),
        (
            "template <class... T> int f(T... t) { return [=](int i) { return [i] { return (t + ... + i); }(); }(1); }\n\
             int main() { return f(1, 2); }",
            "`t` belongs to another lambda expression",
        ),
        ("int main() { auto f = [*this] { return 1; }; return f(); }", "`this` exists in methods only"),
        (
            "struct A { virtual int f() = 0; int g() { return [*this] { return 1; }(); } };\nint main() { A *a = nullptr; return a->g(); }",
            "`A` is abstract",
        ),
        (
            "struct A { int x; };\nstruct B { int x; };\nstruct C : A, B {};\nint main() { C c; return c.x; }",
            "several base classes of `C` have a member `x`",
        ),
        (
            "struct A { int x; };\nstruct B : A {};\nstruct C : A {};\nstruct D : B, C {};\n\
             int main() { D d; A *a = &d; return a != 0; }",
            "`A` is a base class of `D` more than once",
        ),
        (
            "struct A { int operator+(int); };\nstruct B { int operator+(int); };\nstruct C : A, B {};\n\
             int main() { C c; return c + 1; }",
            "several base classes of `C` have this operator",
        ),
        (
            "struct S { int *p; ~S() { delete p; } };\nstruct A { virtual A *f(S) { return this; } };\nstruct X { virtual ~X() {} };\n\
             struct B : X, A { B *f(S) { return this; } };\nint main() { B b; }",
            "called through another function for a later base class",
        ),
        (
            "struct A {};\nclass B : A {};\nint main() { B b; A *a = &b; return a != 0; }",
            "`A` is a private base class of `B`",
        ),
        (
            "struct A { int x; };\nclass B : A {};\nint main() { B b; return b.x; }",
            "`A` is a private base class of `B`",
        ),
        (
            "struct A { operator int() { return 1; } };\nstruct B { operator int() { return 2; } };\n\
             struct C : A, B {};\nint main() { C c; int x = c; return x; }",
            "expected `int`",
        ),
        (
            "template <class T> struct G { explicit G(T) {} };\nint main() { G g = 3; return 0; }",
            "do not follow from this initializer",
        ),
        (
            "struct A { int x; };\nstruct B { int y; };\nint main() { int A::*p = &B::y; return p != 0; }",
            "expected `int A::*`",
        ),
        ("struct A { int x; };\nint main() { A a; int A::*p = &A::x; return a->*p; }", "is not a pointer"),
        (
            "struct A { void f() {} };\nint main() { const A a = A(); void (A::*p)() = &A::f; (a.*p)(); }",
            "the object is `const`, but the method is not",
        ),
        ("int main() { return 12_km; }", "no `operator\"\"_km` takes this literal"),
        ("int main(int argc, char **argv) { int a[argc] = {1}; return sizeof(a); }", "no initial value"),
        (
            "struct A { A() {} }; int main(int n, char **) { A a[n]; return 0; }",
            "of objects with constructors",
        ),
        ("int n = 3; int a[n]; int main() { return a[0]; }", "constant"),
    ] {
        let text = format!("#include <stdio.h>\n#include <stdlib.h>\n{text}\n");
        let load = |_: &str, _: &str, _: bool| None;
        let target = Target::from_name("sm_20").expect("a target");
        let made =
            cuda::compile_program(&[cuda::Unit::new("test.cu", &text, &load, &Options::of(target))], target);
        assert!(made.host.is_none() && made.messages().contains(construct), "{text}: {}", made.messages());
    }
}

#[test]
fn structures_pointers_and_recursion_work() {
    let run = host(
        r#"
#include <stdio.h>
#include <stdlib.h>
typedef struct Node { int value; struct Node *next; } Node;
struct Pair { double a; int b[3]; };
static int calls = 0;
int fib(int n) { calls++; return n < 2 ? n : fib(n - 1) + fib(n - 2); }
Pair twice(Pair p) { p.a *= 2; for (int i = 0; i < 3; i++) p.b[i] *= 2; return p; }
int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
void swap(int &a, int &b) { int c = a; a = b; b = c; }
int apply(int (*f)(int), int x) { return f(x); }
int main(int argc, char **argv) {
    Node *list = NULL;
    for (int i = 0; i < 4; i++) {
        Node *node = (Node *)malloc(sizeof(Node));
        node->value = i * i;
        node->next = list;
        list = node;
    }
    for (Node *at = list; at; at = at->next) printf("%d ", at->value);
    Pair p = {1.5, {1, 2, 3}};
    Pair q = twice(p);
    printf("%g %d %g %d\n", q.a, q.b[2], p.a, fib(15));
    int numbers[5] = {5, 3, 9, 1, 7};
    qsort(numbers, 5, sizeof(int), compare);
    swap(numbers[0], numbers[4]);
    for (int i = 0; i < 5; i++) printf("%d ", numbers[i]);
    int m[2][3] = {{1, 2, 3}, {4, 5, 6}}, sum = 0;
    for (int i = 0; i < 2; ++i) for (int j = 0; j < 3; ++j) { if (j == 1) continue; sum += m[i][j]; }
    switch (sum) { case 14: printf("fourteen "); break; default: printf("other "); }
    unsigned char c = 250;
    c += 10;
    printf("%d %d %u %d %s\n", c, (-7) / 2, 3u - 5u, apply(fib, 10), argv[0]);
    return argc + 2;
}
"#,
    );
    assert_eq!(
        (run.out.as_str(), run.code),
        ("9 4 1 0 3 6 1.5 610\n9 3 5 7 1 fourteen 4 -3 4294967294 55 test.cu\n", 3),
        "{}",
        run.message
    );
}

/// Functions that end without a `return`, in one line.
const NO_RETURN: &str = "struct Part { virtual int f(int x) { if (x) return 1; } }; \
    int g(int x) { if (x) return 2; } int (*table[1])(int) = {g}; ";

#[test]
fn a_function_without_return_stops_where_its_result_is_used() {
    let run = host(
        "#include <stdio.h>\nint g(int x) { if (x) return 2; }\nint main() { g(0); (void)g(1); puts(\"end\"); return 0; }\n",
    );
    assert_eq!((run.out.as_str(), run.code), ("end\n", 0), "{}", run.message);
    let run = host("int g(int x) { if (x) return 2; }\nint main() { g(0); return g(0); }\n");
    assert!(run.code != 0 && run.message.contains("function `g` ends without a `return`"), "{}", run.message);
}

#[test]
fn wrong_accesses_stop_with_their_place() {
    let cases = [
        ("int *p = 0; *p = 1;", "a null pointer is used"),
        (
            "int *p = (int *)malloc(8); p[2] = 1;",
            "an access of 4 bytes at offset 8 is behind the end of the allocated memory, which has 8 bytes",
        ),
        ("int *p = (int *)malloc(8); p[-1] = 1;", "at offset -4 is before the start of the allocated memory"),
        ("int *p = (int *)malloc(8); free(p); p[0] = 1;", "the allocated memory is used after its end"),
        ("int *p = (int *)malloc(8); free(p); free(p);", "the allocated memory is used after its end"),
        (
            "int *p = (int *)malloc(8); printf(\"%d\", p[1]);",
            "the value at offset 4 of the allocated memory is used before it is set",
        ),
        (
            "int sum; for (int i = 0; i < 3; i++) sum += i; printf(\"%d\", sum);",
            "of `sum` is used before it is set",
        ),
        ("int x; if (rand() == 0) x = 1; printf(\"%d\", x);", "of `x` is used before it is set"),
        ("double d; switch (rand() & 1 | 4) { case 1: d = 2; } d *= 2;", "of `d` is used before it is set"),
        ("Part part; printf(\"%d\", part.f(0));", "function `Part::f` ends without a `return`"),
        ("printf(\"%d\", table[0](0));", "function `g` ends without a `return`"),
        ("Part *part = new Part; printf(\"%d\", part->f(0));", "function `Part::f` ends without a `return`"),
        ("int x[4], at = 4; x[at] = 1;", "behind the end of `x`, which has 16 bytes"),
        ("float *d; cudaMalloc(&d, 16); d[0] = 1;", "which belongs to the device"),
        ("int zero = 0; printf(\"%d\", 1 / zero);", "division by zero"),
        ("char a[8]; memset(a, 0, (size_t)-1);", "is behind the end of `a`, which has 8 bytes"),
        (
            "char a[8]; memset(a, 0, 8); memcpy(a, a + 4, (size_t)-4);",
            "is behind the end of `a`, which has 8 bytes",
        ),
        ("char a[8]; sprintf(a, \"%d\", 123456789);", "is behind the end of `a`, which has 8 bytes"),
        (
            "sleep(4000000000u); usleep(4000000000u); memcmp((void *)8, (void *)16, 4);",
            "a null pointer is used",
        ),
        ("main();", "stack overflow"),
        ("for (;;);", "the host code has executed its limit of instructions"),
        ("assert(1 == 2);", ""),
    ];
    for (code, message) in cases {
        let text = format!(
            "#include <stdio.h>\n#include <stdlib.h>\n#include <assert.h>\nint main() {{\n{code}\n}}\n"
        );
        let text = text.replace("int main", &format!("{NO_RETURN}int main"));
        let run = host(&text);
        assert!(run.code != 0 && run.message.contains(message), "{code}: {} {}", run.code, run.message);
        if !message.is_empty() {
            assert!(run.message.contains("test.cu:5"), "{code}: {}", run.message);
        }
    }
}

#[test]
fn a_program_computes_on_the_device() {
    let text = r#"
#include <stdio.h>
__constant__ float scale[2];
__device__ int total;
template <typename T> __global__ void fill(T *x, T v, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = v * (T)scale[0];
    if (i == 0) total = n;
}
int main() {
    const int n = 1000;
    float two[2] = {2.0f, 3.0f}, host[n];
    float *device;
    cudaMalloc(&device, sizeof(host));
    cudaMemcpyToSymbol(scale, two, sizeof(two));
    fill<<<(n + 255) / 256, dim3(256)>>>(device, 1.5f, n);
    cudaMemcpy(host, device, sizeof(host), cudaMemcpyDeviceToHost);
    int seen;
    cudaMemcpyFromSymbol(&seen, total, sizeof(int));
    printf("%g %g %d %s\n", host[0], host[n - 1], seen, cudaGetErrorString(cudaGetLastError()));
    fill<<<1, 2000>>>(device, 1.0f, n);
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
    cudaFree(device);
}
"#;
    for chip in ["fermi", "gt200", "g80"] {
        let run = run("test.cu", text, chip, &[]);
        assert_eq!(
            run.out, "3 3 1000 no error\ninvalid configuration argument\n",
            "{chip}: {}{}",
            run.err, run.message
        );
    }
}

#[test]
fn classes_that_own_device_memory_work() {
    let text = include_str!("device/saxpy.cu");
    for chip in ["fermi", "gt200", "g80"] {
        let run = run("saxpy.cu", text, chip, &[]);
        assert_eq!(
            (run.out.as_str(), run.code),
            ("default n=1000 max error 0 1\n1000 0\ncircle 12 1\na: 0 2 5\nb: 1 4\nc: 3\n20\nxy\n", 2),
            "{chip}: {}{}",
            run.err,
            run.message
        );
        assert!(run.err.contains("error: saxpy.cu:29: out of memory\n"), "{chip}: {}", run.err);
    }
    let run = self::run("saxpy.cu", text, "fermi", &["-x"]);
    assert_eq!((run.err.as_str(), run.code), ("usage: unknown argument: -x\n", 1), "{}", run.message);
}

#[test]
fn kernels_are_launched_through_pointers() {
    for chip in ["fermi", "gt200", "g80"] {
        let run = run("pointers.cu", include_str!("device/pointers.cu"), chip, &[]);
        let expected = "scale 6\nadd 7\n15 7 no error\n15 7\n";
        assert_eq!((run.out.as_str(), run.code), (expected, 0), "{chip}: {}{}", run.err, run.message);
    }
}

#[test]
fn code_of_headers_that_is_too_large_is_an_error_of_the_users_line() {
    // Each class has two members of the one before it.
    let program = |head: &str, depth: usize| {
        let mut text = format!("struct S0 {{ int a; S0() {{ a = 1; }} {head} }};\n");
        for at in 1..=depth {
            let _ = writeln!(text, "struct S{at} {{ S{} a, b; }};", at - 1);
        }
        text + &format!("int main() {{\nS{depth} s[1000];\nreturn 0;\n}}\n")
    };
    for (head, depth, message) in [
        ("", 16, "is too large"),
        ("~S0() { a--; }", 20, "the program needs more than 2,000,000 expressions"),
    ] {
        let messages = common::refused("test.cu", &program(head, depth));
        assert!(messages.contains(message), "{messages}");
        assert!(messages.contains(&format!("test.cu:{}", depth + 3)), "{messages}");
        assert!(!messages.contains("<host>"), "{messages}");
    }
}

#[test]
fn a_launch_without_device_code_is_an_error_of_the_compiler() {
    let template = "template <class F> __global__ void k(int *p, F f) { *p = f(*p); }\n";
    for (text, message) in [
        ("__global__ void k(int *p);\nint main() { k<<<1, 1>>>(0); }", "kernel `k` has no body"),
        (
            "namespace a { template <int N> __global__ void k(int *p); }\nint main() { a::k<3><<<1, 1>>>(0); }",
            "`k` has no body",
        ),
        (
            "#ifndef __CUDA_ARCH__\n__global__ void k() {}\n#endif\nint main() { void (*p)() = k; p<<<1, 1>>>(); }",
            "kernel `k` is not in the device code",
        ),
        (
            &format!("{template}int main() {{ k<<<1, 1>>>((int *)0, [](int x) {{ return x; }}); }}"),
            "`lambda 1` cannot be a template argument of kernel `k`",
        ),
        (
            &format!(
                "{template}int main() {{ struct L {{ __device__ int operator()(int x) {{ return x; }} }} l; k<<<1, 1>>>((int *)0, l); }}"
            ),
            "`L` cannot be a template argument of kernel `k`",
        ),
    ] {
        let messages = common::refused("test.cu", text);
        assert!(messages.contains(message) && messages.contains("test.cu:"), "{text}: {messages}");
    }
}

#[test]
fn lambda_expressions_of_the_device_use_nothing_of_the_host() {
    let kernel =
        "template <class F> __global__ void k(F f) { f(threadIdx.x); }\nint host(int x) { return x; }\n";
    let reference = "a `__device__` lambda expression cannot capture by reference";
    let this = "a `__device__` lambda expression cannot use `this` of a host function";
    for (text, message) in [
        ("int main() { int a, *p; k<<<1, 1>>>([&] __device__ (int i) { p[i] = a; }); }", reference),
        ("int main() { int a, *p; k<<<1, 1>>>([&a, p] __device__ (int i) { p[i] = a; }); }", reference),
        (
            "struct S { int m; void f(int *p) { k<<<1, 1>>>([=] __device__ (int i) { p[i] = m; }); } };\nint main() { S().f(0); }",
            this,
        ),
        (
            "struct S { int m; void f(int *p) { k<<<1, 1>>>([this] __device__ (int i) {}); } };\nint main() { S().f(0); }",
            this,
        ),
        (
            "int main() { int a, *p; k<<<1, 1>>>([p] __device__ (int i) { p[i] = a; }); }",
            "`a` belongs to the host function",
        ),
        (
            "int a;\nint main() { static int a; int *p; k<<<1, 1>>>([=] __device__ (int i) { p[i] = a; }); }",
            "`a` belongs to the host function",
        ),
        (
            "int main() { int *p; k<<<1, 1>>>([p] __device__ (int i) { p[i] = host(i); }); }",
            "cannot call host function `host`",
        ),
        (
            "int main() { auto f = [] __device__ (int i) { return i; }; return f(1); }",
            "host code cannot call device function",
        ),
        (
            "#include <string>\nint main() { std::string s; k<<<1, 1>>>([=] __device__ (int i) { s.size(); }); }",
            "captures `s`, whose type device code does not have",
        ),
        (
            "int main() { struct L { int q; } l; k<<<1, 1>>>([=] __device__ (int i) { l.q; }); }",
            "cannot capture `l`: device code does not have the type `L`",
        ),
    ] {
        let messages = common::refused("test.cu", &format!("{kernel}{text}"));
        assert!(messages.contains(message) && messages.contains("test.cu:"), "{text}: {messages}");
    }
}

#[test]
fn ends_of_device_functions_without_a_return_are_named() {
    let text = r"
__device__ int f(int x) { if (x > 0) return 1; }
__device__ int g(int x) { while (true) { if (x > 5) return x; ++x; } }
__device__ int h(int x) { switch (x) { case 1: return 2; default: return 3; } }
__device__ int i(int x) { switch (x) { case 1: return 2; case 2: return 3; } }
__device__ int j(int x) { for (;;) { if (x++ > 3) break; } }
__device__ int l(int x) { do { if (x > 3) return 2; } while (1); }
__device__ int m(int x) { if (x) return 1; else return 2; }
__device__ int n(int x) { if (x) goto a; return 1; a: return 2; }
__device__ int o(int x) { switch (x) { case 1: { if (x) break; return 1; } default: return 3; } }
__device__ int q(int x) { if (x) return 1; __trap(); }
__global__ void k(int *p) { *p = f(*p) + g(1) + h(2) + i(3) + j(4) + l(5) + m(6) + n(7) + o(8) + q(9); }
int main() { k<<<1, 1>>>(0); }
";
    let warnings = common::warnings("test.cu", text);
    for (name, warns) in "fghijlmnoq".chars().map(|name| (name, "fijo".contains(name))) {
        let message = format!("device function `{name}` can end without a `return`");
        assert_eq!(warnings.contains(&message), warns, "{name}: {warnings}");
    }
}

#[test]
fn functions_of_the_system_are_refused_by_name() {
    for (text, message) in [
        ("#include <unistd.h>\nint main() { return chdir(\"a\"); }", "`chdir` is not supported"),
        ("#include <stdio.h>\nint main() { freopen(\"a\", \"w\", stdout); }", "`freopen` is not supported"),
        (
            "#include <exception>\nint main() { std::set_terminate(0); }",
            "`std::set_terminate` is not supported",
        ),
        (
            "#include <vector>\nint main() { std::vector<int> v(2); --v.data(); }",
            "this is a value, not a variable: it cannot be assigned to",
        ),
        (
            "#include <list>\ntemplate <class T> struct A { typedef T value_type; };\n\
             int main() { std::list<int, A<int>> list; }",
            "`std::vector` is the only container that takes an allocator of the program",
        ),
    ] {
        let messages = common::refused("test.cu", text);
        assert!(messages.contains(message), "{text}: {messages}");
    }
}

#[test]
fn functions_of_both_halves_have_error_codes() {
    let text = r#"
#include <cstdio>
__host__ __device__ int f(int x)
{
    cudaError_t e = cudaSuccess;
    cudaStream_t s = 0;
    return x + (e == cudaSuccess) + (s == 0);
}
__host__ __device__ bool ok(cudaError_t e) { return e == cudaSuccess; }
__global__ void k(int *p) { *p = f(*p) + ok(cudaErrorInvalidValue) + sizeof(cudaError_t); }
int main()
{
    int *d, h = 3;
    cudaMalloc(&d, 4);
    cudaMemcpy(d, &h, 4, cudaMemcpyHostToDevice);
    k<<<1, 1>>>(d);
    cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
    printf("%d %d", h, f(3));
    cudaFree(d);
}
"#;
    assert_eq!(common::printed("error_codes.cu", text), "9 5");
    let messages = common::refused("test.cu", "#include <iostream>\nint main() { std::cout >> \"x\"; }");
    assert!(messages.contains("operator `>>` does not take `ostream`"), "{messages}");
}

#[test]
fn bodies_that_are_try_blocks_have_limits() {
    for (text, message) in [
        ("struct S { S() try {} catch (...) { return; } };\nint main() { S s; }", "cannot return"),
        (
            "struct S { ~S() try {} catch (...) {} };\nint main() { S s; }",
            "a destructor whose body is a `try`",
        ),
        (
            "struct S { operator int() { return 1; } };\nint main() { return S().operator long(); }",
            "no `operator long`",
        ),
    ] {
        let messages = common::refused("test.cu", text);
        assert!(messages.contains(message), "{text}: {messages}");
    }
}

#[test]
fn names_without_a_definition_are_refused() {
    for (text, message) in [
        ("extern int x;\nint main() { return x; }", "variable `x` is not defined in this file"),
        (
            "struct S { static int x; };\nint main() { return S::x; }",
            "variable `x` is not defined in this file",
        ),
        (
            "template <class T> struct S { static T x; };\nint main() { return S<int>::x; }",
            "variable `x` is not defined in this file",
        ),
        ("int main() { extern int x; return x; }", "variable `x` is not defined"),
        ("extern int x;\nint main() { extern int x; return x; }", "variable `x` is not defined in this file"),
        ("float x;\nint main() { extern int x; return x; }", "declared with another type, `float`"),
        (
            "__device__ int f(int a) { return a; }\nint main() { int (*p)(int) = f; return p(1); }",
            "host code cannot take the address of device function `f`",
        ),
        (
            "template <class T> T f(T a) { return a; }\nint main() { void *p = (void *)f; }",
            "template arguments",
        ),
        ("int f(int); int f(float);\nint main() { void *p = (void *)f; }", "several functions"),
        ("int main() { int y; int (*p)(int) = [y](int x) { return x + y; }; }", "found `lambda 1`"),
        ("int main() { int (*p)(int) = [](float x) { return 1; }; }", "found `lambda 1`"),
        ("int main() { int (*p)(int) = [](int x) { return 1.5f; }; }", "expected `int (*)(int)`"),
    ] {
        let messages = common::refused("test.cu", text);
        assert!(messages.contains(message), "{text}: {messages}");
    }
}

#[test]
fn static_variables_of_the_device_have_names_in_text() {
    let text = r#"
#include <stdio.h>
static __device__ int value = 5;
static __constant__ int factor = 2;
__global__ void k(int *out) { *out = value * factor; }
int main() {
    int six = 6, *d, h;
    cudaMalloc((void **)&d, 4);
    printf("%s\n", cudaGetErrorString(cudaMemcpyToSymbol("value", &six, sizeof(int))));
    printf("%s\n", cudaGetErrorString(cudaMemcpyToSymbol("factor", &six, sizeof(int))));
    k<<<1, 1>>>(d);
    cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
    printf("%d\n", h);
    char local[] = "six";
    const char *null = 0;
    printf("%s\n", cudaGetErrorString(cudaMemcpyToSymbol(local, &six, sizeof(int))));
    printf("%s\n", cudaGetErrorString(cudaMemcpyToSymbol(null, &six, sizeof(int))));
    printf("%s\n", cudaGetErrorString(cudaMemcpyToSymbol(six, &six, sizeof(int))));
    return 0;
}
"#;
    let run = host(text);
    let invalid = "invalid device symbol\n".repeat(3);
    assert_eq!((run.out, run.code), (format!("no error\nno error\n36\n{invalid}"), 0), "{}", run.message);
}

/// Times of the host and of a kernel by events.
const EVENTS: &str = r#"
#include <stdio.h>
__global__ void k(float *p) { for (int i = 0; i < 1000; i++) p[threadIdx.x] += i; }
int main() {
    cudaEvent_t a, b, c;
    cudaEventCreate(&a);
    cudaEventCreate(&b);
    cudaEventCreate(&c);
    float *d, host, device;
    cudaMalloc((void **)&d, 128);
    cudaEventRecord(a, 0);
    volatile int sum = 0;
    for (int i = 0; i < 100000; i++) sum += i;
    cudaEventRecord(b, 0);
    k<<<1, 32>>>(d);
    cudaEventRecord(c, 0);
    cudaEventSynchronize(c);
    cudaEventElapsedTime(&host, a, b);
    printf("%d\n", host > 0.1f && host < 10);
    cudaEventElapsedTime(&device, b, c);
    printf("%d %d\n", device > 0, device < 0.001f);
    return 0;
}
"#;

#[test]
fn events_of_a_functional_run_have_the_modelled_time_of_the_host() {
    let run = common::run_with("test.cu", EVENTS, "fermi", &[], "1");
    assert_eq!((run.out.as_str(), run.code), ("1\n1 1\n", 0), "{}{}", run.err, run.message);
    let note = "warpsim: kernels without timing take no time: cudaEventElapsedTime gives the time of host code, copies and calls\n";
    assert_eq!(run.err, note);
    // A timed run has simulated time only.
    let run = common::run_with("test.cu", EVENTS, "fermi", &[], "0");
    assert_eq!((run.out.as_str(), run.err.as_str()), ("0\n1 0\n", ""), "{}", run.message);
}

#[test]
fn options_that_are_missing_give_no_text() {
    let text = r#"
#include <cutil_inline.h>
#include <stdio.h>
int main(int argc, char **argv) {
    const char **list = (const char **)argv;
    char *a, *b, *c;
    int i = 3, none = cutGetCmdLineArgumentstr(argc, list, "type", &a);
    int some = cutGetCmdLineArgumentstr(argc, list, "name", &b);
    bool found = getCmdLineArgumentString(argc, list, "type", &c);
    cutGetCmdLineArgumenti(argc, list, "type", &i);
    printf("%d %d %d %s %d %d %d\n", none, a == NULL, some, b, found, c == NULL, i);
    return 0;
}
"#;
    let run = run("test.cu", text, "fermi", &["--name=x"]);
    assert_eq!((run.out.as_str(), run.code), ("0 1 1 x 0 1 3\n", 0), "{}", run.message);
}

#[test]
fn wrong_accesses_in_containers_name_the_lines_of_the_program() {
    let cases = [
        ("std::vector<int> v(3);\nint i = 5;\nv[i] = 1;", "test.cu:7: v[i] = 1;", "allocated at test.cu:5: "),
        (
            "std::vector<int> v = {1};\nint &r = v[0];\nv.push_back(2);\nr = 5;",
            "test.cu:8: r = 5;",
            "freed at test.cu:7: v.push_back(2);",
        ),
        ("std::unique_ptr<int> p;\n*p = 1;", "a null pointer is used", "test.cu:6: *p = 1;"),
        ("int *p = new int(3);\ndelete p;\ndelete p;", "is used after its end", "test.cu:7: delete p;"),
        (
            "std::string s = \"ab\";\nconst char *t = s.c_str();\ns += \"0123456789abcdef\";\nputs(t);",
            "used after its end",
            "freed at test.cu:7",
        ),
    ];
    for (code, first, second) in cases {
        let text =
            format!("#include <memory>\n#include <string>\n#include <vector>\nint main() {{\n{code}\n}}\n");
        let run = host(&text);
        assert!(
            run.code == 139 && run.message.contains(first) && run.message.contains(second),
            "{code}: {} {}",
            run.code,
            run.message
        );
    }
}

#[test]
fn constructs_of_cpp_that_are_missing_are_named() {
    for (code, message) in [
        ("std::regex c(\"a\");", "`std::regex` is not supported"),
        ("std::unique_ptr<int> a, b;\nb = a;", "cannot be assigned this value"),
        ("std::string s;\nprintf(\"%s\", s);", "a `string` cannot be an argument of `...`"),
        ("int x = 1;\ndynamic_cast<int *>(&x);", "`dynamic_cast` needs a pointer or a reference to a class"),
    ] {
        let text = format!(
            "#include <memory>\n#include <stdio.h>\n#include <string>\n#include <vector>\nint main() {{\n{code}\n}}\n"
        );
        let load = |_: &str, _: &str, _: bool| None;
        let target = Target::from_name("sm_20").expect("a target");
        let made =
            cuda::compile_program(&[cuda::Unit::new("test.cu", &text, &load, &Options::of(target))], target);
        let messages = made.messages();
        assert!(made.host.is_none() && messages.contains(message), "{code}: {messages}");
        assert!(messages.contains("test.cu:6") || messages.contains("test.cu:7"), "{code}: {messages}");
    }
}

#[test]
fn options_of_the_command_line_are_parsed() {
    let text = r#"
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
static struct option longs[] = {
    {"size", 1, NULL, 's'}, {"input", required_argument, NULL, 'i'}, {"verbose", no_argument, NULL, 'v'}, {0, 0, 0, 0}};
int main(int argc, char **argv) {
    int c, index;
    while ((c = getopt_long(argc, argv, "::vs:i:n:", longs, &index)) != -1) {
        switch (c) {
            case 's': printf("size %d ", atoi(optarg)); break;
            case 'i': printf("input %s ", optarg); break;
            case 'n': printf("n %s ", optarg); break;
            case 'v': printf("verbose "); break;
            case ':': printf("missing %c ", optopt); break;
            default: printf("? ");
        }
    }
    while (optind < argc) printf("[%s]", argv[optind++]);
}
"#;
    let run = run(
        "test.cu",
        text,
        "fermi",
        &[
            "one",
            "-s",
            "5",
            "--input=f.txt",
            "two",
            "-vn3",
            "--verb",
            "--size",
            "7",
            "-x",
            "--",
            "-v",
            "three",
            "-i",
        ],
    );
    let expected = "size 5 input f.txt verbose n 3 verbose size 7 ? [one][two][-v][three][-i]";
    assert_eq!(run.out, expected, "{}", run.message);
}

/// A host clock around a launch has the time of the launch if the host waits for it.
#[test]
fn the_clock_of_the_host_counts_calls() {
    let text = r#"
#include <stdio.h>
#include <sys/time.h>
__global__ void k(volatile float *x) { for (int i = 0; i < 1000; i++) x[threadIdx.x] = x[threadIdx.x] + i; }
double now() { timeval t; gettimeofday(&t, 0); return t.tv_sec * 1e6 + t.tv_usec; }
int main() {
    float *x;
    cudaMalloc(&x, 1024);
    double start = now();
    k<<<1, 32>>>(x);
    double launched = now();
    cudaDeviceSynchronize();
    printf("%d %d\n", launched - start < 50, now() - launched > 100);
}
"#;
    assert_eq!(common::run_with("test.cu", text, "fermi", &[], "0").out, "1 1\n");
}

/// Bit-fields, in all memories and with unnamed bits between them: `--check init` finds the bits
/// that nothing wrote, and only them.
#[test]
fn the_fields_of_a_bit_field_are_written_separately() {
    const TYPES: &str = "struct P { unsigned a : 5; unsigned b : 11; };\n\
        struct Q { int s : 3; unsigned : 2; bool f : 1; unsigned long long w : 40; unsigned char c : 4; };\n";
    let init = Checks::default().and(Check::Init);
    let findings = |kernel: &str, calls: &str| {
        let text = format!(
            "{TYPES}__global__ void k(unsigned *o, P *p, Q *q, int i) {{ {kernel} }}\n\
             int main() {{ unsigned *o; P *p; Q *q; cudaMalloc((void **)&o, 1024); cudaMalloc((void **)&p, 1024);\n\
             cudaMalloc((void **)&q, 4096); {calls} return 0; }}\n"
        );
        let (run, reports) = checked("test.cu", &text, "fermi", init, Setup::default());
        assert_eq!(run.code, 0, "{kernel}: {}{}", run.err, run.message);
        let found = reports.iter().filter_map(|report| report.checks.as_ref());
        found.flat_map(|checks| &checks.findings).map(|finding| finding.message.clone()).collect::<Vec<_>>()
    };
    let once = "k<<<1, 32>>>(o, p, q, 1);";
    for kernel in [
        "P s[2]; s[0].a = 1; s[0].b = 2; s[1].a = 3; s[1].b = 4; o[threadIdx.x] = s[i].a + s[i].b;",
        "P s[2]; s[i].b = 2; s[i].a = 1; s[i].a++; s[i].b <<= 2; o[threadIdx.x] = s[i].a + s[i].b;",
        "Q s[2]; s[i].s = -2; s[i].f = true; s[i].w = 1ull << 39; s[i].c = 9;\n\
         o[threadIdx.x] = s[i].s + s[i].f + (unsigned)(s[i].w >> 37) + s[i].c;",
        "__shared__ Q s[32]; Q *r = &s[threadIdx.x]; r->s = -2; r->f = true; r->w = 7; r->c = 9; __syncthreads();\n\
         o[threadIdx.x] = r->s + r->f + (unsigned)r->w + r->c;",
        "__shared__ P s[32]; s[threadIdx.x].a = i; o[threadIdx.x] = s[threadIdx.x].a;",
        "P *r = p + threadIdx.x; r->a = 7; r->b = 100; o[threadIdx.x] = r->a + r->b;",
        "Q *r = q + threadIdx.x; r->s = 1; r->w = 7; r->f = 1; r->c = 2; o[threadIdx.x] = r->s + r->w + r->f + r->c;",
        "P s; s.a = i; s.b = i; p[threadIdx.x] = s; P t = p[threadIdx.x]; t.a = 3; p[threadIdx.x] = t;",
        "Q s; s.s = i; s.f = i; s.w = i; s.c = 1; q[threadIdx.x] = s;",
    ] {
        assert_eq!(findings(kernel, once), [""; 0], "{kernel}");
    }
    for kernel in [
        "P s[2]; s[0].a = 1; s[1].a = 3; o[threadIdx.x] = s[i].a + s[i].b;",
        "Q s[2]; s[i].w = 3; o[threadIdx.x] = s[i].s;",
        "__shared__ P s[32]; s[threadIdx.x].b = 1; o[threadIdx.x] = s[threadIdx.x].a;",
        "P *r = p + threadIdx.x; r->b = 4; o[threadIdx.x] = r->a;",
        "P *r = p + threadIdx.x; r->a++;",
    ] {
        assert_eq!(findings(kernel, once).len(), 1, "{kernel}");
    }
    // Each launch writes one field.
    let steps = "Q *r = q + threadIdx.x; switch (i) { case 0: r->w = 7; break; case 1: r->s = 1; break; \
                 case 2: r->c = 2; r->f = 0; break; case 3: o[threadIdx.x] = r->w + r->s + r->c + r->f; }";
    let launch = |steps: &[u32]| {
        let calls: Vec<String> =
            steps.iter().map(|step| format!("k<<<1, 32>>>(o, p, q, {step}); ")).collect();
        calls.concat()
    };
    assert_eq!(findings(steps, &launch(&[0, 1, 2, 3])), [""; 0]);
    assert_eq!(findings(steps, &launch(&[0, 2, 3])).len(), 1);
}

#[test]
fn messages_about_a_whole_program_name_its_file_and_its_functions() {
    assert_eq!(
        common::refused("test.cu", "int f() { return 0; }\n"),
        "error: test.cu: the program has no `main`"
    );
    let list = |each: &dyn Fn(usize) -> String| (0..20_002).map(each).collect::<String>();
    let (functions, calls) =
        (list(&|at| format!("int f{at}() {{ return {at}; }}\n")), list(&|at| format!("n += f{at}();\n")));
    let message =
        common::refused("test.cu", &format!("{functions}int main() {{ int n = 0;\n{calls}return n; }}\n"));
    assert!(message.contains("the program needs more than 20,000 functions"), "{message:.300}");
}

#[test]
fn mistakes_with_virtual_functions_are_named() {
    for (text, message) in [
        ("struct A { virtual int f() = 0; }; int main() { A a; return 0; }", "`A` is abstract"),
        ("struct A { virtual int f() = 0; }; int main() { delete new A; return 0; }", "`A` is abstract"),
        (
            "struct A { virtual int f() = 0; }; int g(A a) { return 0; } int main() { return 0; }",
            "`A` is abstract",
        ),
        (
            "struct A { virtual int f() = 0; }; struct B { A a; }; int main() { B b; return 0; }",
            "`A` is abstract",
        ),
        (
            "struct A { virtual int f(); }; struct B : A { int f() const override; }; int main() { B b; }",
            "overrides no",
        ),
        (
            "struct A { int x; }; struct B : A {}; int main() { A *a = 0; return !dynamic_cast<B *>(a); }",
            "needs a virtual function",
        ),
        (
            "struct A { virtual int f() { return 1; } int x; }; int main() { A a = {1}; return a.x; }",
            "no `A` takes (int)",
        ),
        ("struct A { virtual int f(); }; int main() { A a; return a.f(); }", "`A::f` has no body"),
        (
            "struct A { virtual int f() final { return 1; } }; struct B : A { int f() { return 2; } }; int main() { B b; }",
            "`A::f` is `final`",
        ),
        ("struct A final { int x; }; struct B : A {}; int main() { B b; }", "`A` is `final`"),
        ("struct A { int f() override { return 1; } }; int main() { A a; }", "overrides no virtual function"),
    ] {
        let messages = common::refused("test.cu", text);
        assert!(messages.contains(message), "{text}: {messages}");
    }
}

#[test]
fn functions_of_a_program_replace_those_of_the_library() {
    let text = "
#include <stdio.h>
#include <string.h>
int y1[4];
float j0 = 1.5f;
int jn(int a) { return a + 1; }
char *strsep(char **text, const char *delimiters) { *text = 0; return \"own\"; }
static char *stpcpy(char *a, char *b) { return b; }
int div(int a, int b) { return a / b; }
int ffs(int x) { return -x; }
int main() {
    char *rest = \"a b\";
    y1[2] = 4;
    char *part = strsep(&rest, \" \");
    printf(\"%d %g %d %s %d %s %d %d\\n\", y1[2], j0, jn(4), part, rest == 0, stpcpy(\"a\", \"b\"), div(9, 2), ffs(3));
    return 0;
}
";
    let run = run("own.c", text, "fermi", &[]);
    assert_eq!((&*run.out, run.code), ("4 1.5 5 own 1 b 4 -3\n", 0), "{}", run.message);
}

#[test]
fn a_generic_selection_without_a_fitting_type_is_refused_by_name() {
    let cases = [
        ("_Generic(1.5f, int: 1, double: 2)", "`_Generic` has no association of `float`"),
        ("_Generic(1, int: 1, int: 2)", "`_Generic` has two associations of `int`"),
        ("_Generic(1, default: 1, default: 2)", "`_Generic` has two `default` associations"),
    ];
    for (text, message) in cases {
        let found = common::refused("select.c", &format!("int main(void) {{ return {text}; }}\n"));
        assert!(found.contains(message), "{text}: {found}");
    }
}

#[test]
fn an_assertion_names_the_program_and_the_function_and_can_be_switched_off() {
    let text = "
#define NDEBUG
#include <assert.h>
void skipped() { assert(1 == 2); }
#undef NDEBUG
#include <assert.h>
int check(int *list, char c) { assert(list[0] == 1 && c); return 0; }
int main() { int list[1] = {2}; skipped(); return check(list, 'c'); }
";
    let run = run("test.cu", text, "fermi", &[]);
    let expected = "test: test.cu:7: int check(int*, char): Assertion `list[0] == 1 && c' failed.\n";
    assert_eq!((&*run.err, run.code), (expected, 134), "{}", run.message);
}

#[test]
fn handlers_run_at_the_end_in_reverse_order() {
    let text = "
#include <stdio.h>
#include <stdlib.h>
struct Named { const char *name; ~Named() { puts(name); } };
Named first = {\"global\"};
void one() { puts(\"one\"); }
void two() { puts(\"two\"); }
int main(int count, char **) {
    atexit(one);
    atexit(two);
    at_quick_exit(two);
    static Named last = {\"local\"};
    if (count > 1) quick_exit(7);
    return 3;
}
";
    let whole = run("test.cu", text, "fermi", &[]);
    assert_eq!((&*whole.out, whole.code), ("local\ntwo\none\nglobal\n", 3), "{}", whole.message);
    let quick = run("test.cu", text, "fermi", &["quick"]);
    assert_eq!((&*quick.out, quick.code), ("two\n", 7), "{}", quick.message);
}

#[test]
fn formats_that_do_not_fit_their_values_are_named() {
    let cases = [
        ("sscanf(\"1\", \"%f\", &d);", "`%f` expects a pointer to `float`: `%lf` reads a `double`"),
        ("sscanf(\"1\", \"%d\", n);", "`%d` expects a pointer: write `&` in front"),
        ("sscanf(\"1\", \"%ld\", &n);", "an integer of another size"),
        ("sscanf(\"1\", \"%d\", &f);", "`%d` expects a pointer to an integer"),
        ("printf(\"%d\\n\", 2.5);", "`%d` expects an integer"),
        ("printf(\"%5.2f\\n\", 5);", "`%f` expects a `double`"),
        ("printf(\"%s\\n\", n);", "`%s` expects a string"),
        ("printf(\"%d %d\\n\", n);", "the format has more conversions than there are values"),
        ("printf(\"x\\n\", n);", "the format does not use this value"),
        ("thread_local int t = 1;", "the threads share this variable"),
        ("long double x = 1.0L / 3;", "`long double` is a `double` here"),
    ];
    let program = |code: &str| {
        format!(
            "#include <cstdio>\nint main() {{\nint n = 0; float f = 1; double d = 2; char s[9]; long l = 1;\n{code}\n}}\n"
        )
    };
    for (code, message) in cases {
        let found = common::warnings("test.cu", &program(code));
        assert!(found.contains(message) && found.contains("test.cu:4"), "{code}: {found}");
    }
    for code in [
        "printf(\"%zu %5.2f %-*d|%c %lu %%%p\\n\", sizeof n, f, 5, n, 'c', l, s);",
        "sscanf(\"5 ab 1.5 7\", \"%d %8s %lf %ld\", &n, s, &d, &l); sscanf(\"1 ab\", \"%*d %[^,]\", s);",
        "char c; short h; sscanf(\"a 1\", \"%c %hd\", &c, &h); fprintf(stderr, \"%d %s\", c, s);",
    ] {
        let found = common::warnings("test.cu", &program(code));
        assert!(found.is_empty(), "{code}: {found}");
    }
}
