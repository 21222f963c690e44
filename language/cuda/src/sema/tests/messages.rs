//! Errors and warnings.

use super::run;

/// First lines of the messages.
fn titles(list: &[String]) -> Vec<String> {
    list.iter().map(|text| text.lines().next().unwrap_or("").to_owned()).collect()
}

#[test]
fn errors() {
    let cases = [
        ("a[0] = cuont;", "error[undeclared-name]: `cuont` is not declared"),
        ("flaot x;", "error[unknown-type]: unknown type name `flaot`"),
        ("a = 1.5f;", "error[wrong-type]: expected `float *` in the assignment, found `float`"),
        ("host();", "error[host-call]: kernel `k` cannot call host function `host`"),
        ("__shared__ int s = 3;", "error[shared-initializer]: `__shared__ s` cannot have an initializer"),
        ("return 1;", "error[wrong-type]: kernel `k` returns `void`, so `return` cannot have a value"),
        ("int x[4]; x[4] = 1;", "error[out-of-bounds]: index 4 is out of bounds of `int [4]`"),
        ("two(1);", "error[no-match]: `two` takes 2 arguments, but 1 is given"),
        ("two(a, 1);", "error[wrong-type]: expected `int` for argument 1 of `two`, found `float *`"),
        ("const int c = 1; c = 2;", "error[const]: a `const int` cannot be changed"),
        ("tab[0] = 1;", "error[const]: device code cannot write to `__constant__ tab`"),
        ("atomicAdd(a, 1.0f);", "error[capability]: `atomicAdd` needs sm_20; the target is sm_11"),
        ("__ballot(1);", "error[capability]: `__ballot` needs sm_20; the target is sm_11"),
        (
            "__shared__ int s; atomicAdd(&s, 1);",
            "error[capability]: `atomicAdd on shared memory` needs sm_12; the target is sm_11",
        ),
        ("a.x = 1;", "error[wrong-type]: `float *` has no member `x`"),
        ("float2 v; v.q = 1;", "error[undeclared-name]: `float2` has no member `q`"),
        ("a[0] = hostvar;", "error[host-variable]: device code cannot use host variable `hostvar`"),
        ("a[1.5f] = 1;", "error[wrong-type]: an index must be an integer, not `float`"),
        ("break;", "error[syntax]: `break` outside of a loop or `switch`"),
        ("goto nowhere;", "error[undeclared-name]: label `nowhere` does not exist in this function"),
        ("int i; int i;", "error[redefinition]: `i` is declared twice in this block"),
        ("n = 5 % 2.0f;", "error[wrong-type]: operator `%` does not take `int` and `float`"),
        ("*n = 1;", "error[wrong-type]: `int` is not a pointer"),
        ("k(a, n);", "error[kernel-call]: kernel `k` cannot be called"),
        ("int x[n];", "error[array-constant]: the length of an array must be a constant"),
        ("switch (n) { case 1: case 1: ; }", "error[redefinition]: `case 1` occurs twice"),
        ("n = new int;", "error[capability]: `new` needs sm_20; the target is sm_11"),
        ("5 = n;", "error[wrong-type]: this is a value, not a variable: it cannot be assigned to"),
        ("later(1);", "error[undeclared-name]: `later` is used before its declaration"),
        ("n = fact(n);", "error[recursion]: `fact` calls itself, which sm_11 cannot do"),
        (
            "__shared__ float big[5000]; big[0] = 1;",
            "error[shared-memory]: kernel `k` needs 20024 bytes of shared memory; sm_11 has 16384",
        ),
        (
            "float big[5000]; a[0] = big[n];",
            "error[local-memory]: `big` needs 20000 bytes of local memory; a thread of sm_11 has 16384",
        ),
    ];
    for (body, expected) in cases {
        let text = format!(
            "void host();\nint hostvar;\n__device__ int two(int a, int b) {{ return a; }}\n__constant__ int tab[3];\n\
             __device__ int fact(int n) {{ return n < 2 ? 1 : n * fact(n - 1); }}\n\
             __global__ void k(float *a, int n) {{ {body} }}\n__device__ void later(int x) {{}}\n"
        );
        // Only code that is reached is checked for recursion.
        let (_, errors, _) = run(&text, "sm_11");
        assert_eq!(titles(&errors), [expected], "{body}\n{}", errors.join("\n"));
    }
}

#[test]
fn warnings() {
    let cases = [
        ("sm_13", "a[0] = a[1] * 2.5;", "warning[double-literal]: `2.5` is a `double`"),
        (
            "sm_20",
            "unsigned u = 3; if (n < u && n - 1 < u) a[0] = 1;",
            "warning[sign-compare]: comparison of `int` and `unsigned int`",
        ),
        (
            "sm_20",
            "if (threadIdx.x < 16) { __syncthreads(); }",
            "warning[divergent-barrier]: `__syncthreads()` under a condition that depends on the thread",
        ),
        (
            "sm_20",
            "int i = threadIdx.x + n; while (i < 9) { i++; __syncthreads(); }",
            "warning[divergent-barrier]: `__syncthreads()` under a condition that depends on the thread",
        ),
        ("sm_10", "double d = 1; a[0] = d;", "warning[double]: `double` is computed as `float` on sm_10"),
        ("sm_20", "__syncwarp(); __syncwarp();", "warning[later-name]: `__syncwarp` is newer than this chip"),
        ("sm_20", "n == 3;", "warning[unused-value]: the value of this expression is not used"),
        ("sm_20", "if (n = 3) a[0] = 1;", "warning[assignment]: an assignment as a condition"),
        ("sm_20", "n = 1 << 40;", "warning[shift-count]: shift of `int` by 40 bits"),
        ("sm_20", "n = n / 0;", "warning[division-by-zero]: division by zero"),
        ("sm_20", "printf(\"%d\\n\", a[0]);", "warning[format]: conversion `%d` expects an integer"),
    ];
    for (target, body, expected) in cases {
        let (_, errors, warnings) = run(&format!("__global__ void k(float *a, int n) {{ {body} }}"), target);
        assert!(errors.is_empty(), "{body}\n{}", errors.join("\n"));
        assert_eq!(titles(&warnings), [expected], "{body}\n{}", warnings.join("\n"));
    }
}

#[test]
fn the_advice_of_a_comparison_of_signs_ends_the_warning() {
    let kernel = |test: &str| {
        let text = format!("__global__ void k(float *a, int n, unsigned u) {{ if ({test}) a[0] = 1; }}");
        run(&text, "sm_20").2
    };
    let warned = kernel("n - 1 < u");
    assert!(
        warned.len() == 1 && warned[0].contains("cast the other side, for example `(int)`"),
        "{warned:?}"
    );
    for quiet in ["n - 1 < (int)u", "n < u", "n * 2 < u"] {
        assert!(kernel(quiet).is_empty(), "{quiet}");
    }
}

#[test]
fn what_has_no_value_is_no_constant() {
    let variable = "error[not-constant]: the initializer of a `constexpr` variable must be a constant";
    let assertion = "error[not-constant]: the condition of `static_assert` must be a constant";
    let cases = [
        ("constexpr int f(int i) { int a[3] = {1, 2, 3}; return a[i]; } constexpr int x = f(3);", variable),
        ("constexpr P f(int i) { int a[2] = {1, 2}; return {a[i], i}; } constexpr P x = f(2);", variable),
        ("constexpr int f(int i) { return i * 65536; } constexpr int x = f(65536);", variable),
        ("constexpr int f(int i) { return 1 << i; } constexpr int x = f(32);", variable),
        ("constexpr int f(int i) { return 7 / i; } constexpr int x = f(0);", variable),
        ("constexpr int f(const int *p) { return *p; } constexpr int x = f(nullptr);", variable),
        ("constexpr const int *f(int i) { return &i; } constexpr int x = *f(3);", variable),
        ("constexpr int f(int i) { int a[2]; a[0] = 1; return a[i]; } constexpr int x = f(1);", variable),
        ("constexpr char f(const char *s) { return s[4]; } constexpr char x = f(\"abc\");", variable),
        ("constexpr int f() { U u{}; u.f = 1; return u.i; } static_assert(f() != 0, \"\");", assertion),
        ("constexpr int f(int i) { for (;;) ++i; return i; } static_assert(f(1u) != 0, \"\");", assertion),
        ("constexpr int f(int i) { while (true) i ^= 1; return i; } static_assert(f(1), \"\");", assertion),
        ("constexpr int f(int i) { return f(i ^ 1) + 1; } static_assert(f(1), \"\");", assertion),
        ("__device__ int f() { return 1; } static_assert(f(), \"\");", assertion),
        (
            "const int t[] = {1}; constexpr int f(int *p) { return *p = 3; } \
          static_assert(f(const_cast<int *>(t)), \"\");",
            assertion,
        ),
    ];
    for (text, expected) in cases {
        let head = "struct P { int x, y; }; union U { int i; float f; };";
        let (_, errors, _) = run(&format!("{head}\n{text}\n__global__ void k() {{}}"), "sm_20");
        assert_eq!(titles(&errors), [expected], "{text}\n{}", errors.join("\n"));
    }
}

#[test]
fn functions_with_names_of_c_have_no_overloads() {
    let head = "extern \"C\" __global__ void k(int *a) { a[0] = 1; }\n";
    let (_, errors, _) = run(&format!("{head}extern \"C\" __global__ void k(float *a) {{ }}"), "sm_20");
    assert_eq!(titles(&errors), ["error[redefinition]: function `k` is defined twice"]);
    let (_, errors, _) = run(&format!("{head}extern \"C\" __global__ void k(float *a);"), "sm_20");
    assert_eq!(titles(&errors), ["error[redefinition]: the function was declared with another type"]);
}

#[test]
fn a_kernel_must_return_void() {
    let (_, errors, _) = run("__global__ int k() { return 1; }", "sm_20");
    assert_eq!(
        errors,
        ["error[kernel-result]: a kernel must return `void`
 --> t.cu:1:1
  |
1 | __global__ int k() { return 1; }
  | ^^^^^^^^^^^^^^ this kernel returns `int`
  |
  = help: write the result to memory through a pointer parameter"]
    );
}

#[test]
fn errors_point_through_macros() {
    let (_, errors, _) =
        run("#define ADD(x) ((x) + missing)\n__global__ void k(int *a) {\n  a[0] = ADD(1);\n}", "sm_20");
    assert_eq!(
        errors,
        ["error[undeclared-name]: `missing` is not declared
 --> t.cu:3:10
  |
1 | #define ADD(x) ((x) + missing)
  |                       ------- in the definition of macro `ADD`
2 | __global__ void k(int *a) {
3 |   a[0] = ADD(1);
  |          ^^^^^^ not found in this scope"]
    );
}

#[test]
fn skipped_host_code_explains_unknown_names() {
    let text = "std::vector<int> table = {1, 2};\n__global__ void k(int *a) { a[0] = table[0]; }";
    let (_, errors, _) = run(text, "sm_20");
    assert!(errors[0].contains("this declaration was skipped"), "{}", errors[0]);
    assert!(errors[0].contains("`warpcc -ptx` takes any C++"), "{}", errors[0]);
}
