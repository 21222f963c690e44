//! Small sources that need much: the compiler ends with code, or with one error that names the line
//! and the limit.

use cuda::options::Options;
use cuda::preprocess::Included;
use cuda::target::Target;
use std::fmt::Write as _;

/// The PTX and the messages of a program.
fn compile(text: &str) -> (Option<String>, String) {
    let target = Target::from_name("sm_20").expect("a known target");
    let load = |path: &str, _: &str, _: bool| {
        let text = match path {
            "twice.h" => "#if __COUNTER__ < 1000000\n#include \"twice.h\"\n#include \"twice.h\"\n#endif\n",
            "many.h" => "#include \"less.h\"\n",
            "less.h" => "\n",
            _ => return None,
        };
        Some(Included { name: path.to_owned(), text: text.to_owned(), hidden: false })
    };
    let compiled = cuda::compile("test.cu", text, &load, target, &Options::of(target));
    let messages = compiled.messages();
    (compiled.ptx, messages)
}

fn accepted(text: &str) -> String {
    let (ptx, messages) = compile(text);
    ptx.unwrap_or_else(|| panic!("{}", &messages[..messages.len().min(2000)]))
}

/// Asserts that a program is refused with this error and no other at this line of the program.
#[track_caller]
fn refused(text: &str, line: usize, error: &str) {
    let (ptx, messages) = compile(text);
    assert!(ptx.is_none());
    let shown = &messages[..messages.floor_char_boundary(3000)];
    assert_eq!(messages.matches("error[").count(), 1, "{shown}");
    assert!(messages.contains(error), "{shown}");
    assert!(messages.contains(&format!("test.cu:{line}:")), "{shown}");
    assert!(messages.len() < 10_000, "a long message: {shown}");
}

/// A line for each number.
fn lines(range: std::ops::Range<usize>, line: impl Fn(usize) -> String) -> String {
    range.fold(String::new(), |mut text, at| {
        let _ = writeln!(text, "{}", line(at));
        text
    })
}

/// `head`, a kernel with this body, and nothing else.
fn kernel(head: &str, body: &str) -> String {
    format!("{head}__global__ void k(int *o, int n) {{\n{body}\n}}\n")
}

const PAIR: &str = "template <class A, class B> struct P { int x; };\ntypedef P<int, int> T0;\n";

#[test]
fn instances_are_known_by_their_arguments_not_by_their_names() {
    let types = lines(0..59, |at| format!("typedef P<T{at}, T{at}> T{};", at + 1));
    let head =
        format!("{PAIR}{types}template <class T> __device__ __noinline__ int f(T t) {{ return t.x; }}\n");
    let ptx = accepted(&kernel(&head, "T59 p; p.x = n; o[0] = f(p) + f(T58());"));
    assert!(ptx.len() < 20_000, "{}", ptx.len());
    assert_eq!(ptx.matches("st.global").count(), 1);
    // The message does not spell the type.
    let line = head.lines().count() + 2;
    refused(&kernel(&head, "T59 p; int z = p; o[0] = z;"), line, "expected `int` in the initialization");
    let defaults = "template <class T, class U = T, class V = U> struct P { T *t; U *u; V *v; };\n\
                    typedef P<int> T0;\n";
    let types = lines(0..40, |at| format!("typedef P<T{at}> T{};", at + 1));
    accepted(&kernel(&format!("{defaults}{types}"), "T40 p; o[0] = sizeof(p);"));
}

#[test]
fn types_of_functions_have_a_limit_of_parts() {
    let types = lines(0..30, |at| format!("typedef F{at} (*F{})(F{at}, F{at});", at + 1));
    let head = format!("typedef int (*F0)(int, int);\n{types}");
    refused(&kernel(&head, "F30 p = 0; o[0] = p == 0;"), 8, "the type has more than 5000 parts");
}

#[test]
fn templates_that_lead_to_each_other_end() {
    for (head, call) in [
        ("template <int N> __device__ int f() { return f<N + 1>(); }\n", "f<0>()"),
        ("template <class T> __device__ int f(T *t) { T *p = t; return f(&p); }\n", "f(o)"),
        (
            "template <class T> struct W { T t; }; template <class T> __device__ int f(T t) \
             { W<T> w; return f(w); }\n",
            "f(1)",
        ),
        (
            "template <int N> __device__ int g(); template <int N> __device__ int f() \
             { return g<N + 1>(); } template <int N> __device__ int g() { return f<N + 1>(); }\n",
            "f<0>()",
        ),
    ] {
        let text = kernel(head, &format!("o[0] = {call};"));
        let (ptx, messages) = compile(&text);
        assert!(ptx.is_none() && messages.contains("error[limit]"), "{head}: {messages}");
        assert!(messages.contains("test.cu:1:"), "{head}: {messages}");
    }
    let twice = "template <int D, int I> struct S { enum { v = S<D - 1, 2 * I>::v + S<D - 1, 2 * I + 1>::v }; };\n\
                 template <int I> struct S<0, I> { enum { v = I }; };\n";
    refused(&kernel(twice, "o[0] = S<20, 0>::v;"), 1, "more than 20,000 classes");
}

#[test]
fn chains_of_functions_are_inlined_up_to_a_limit() {
    let first = "__device__ int f0(int x) { return x * 3 + 1; }\n";
    let chain = lines(0..1000, |at| {
        format!("__device__ int f{}(int x) {{ return f{at}(x) * {} + (x >> {}); }}", at + 1, at + 3, at % 31)
    });
    accepted(&kernel(&format!("{first}{chain}"), "o[0] = f1000(n);"));
    let doubled = lines(0..30, |at| {
        format!("__device__ int f{}(int x) {{ return f{at}(x) * 3 + f{at}(x >> {at}); }}", at + 1)
    });
    accepted(&kernel(&format!("{first}{doubled}"), "o[0] = f30(n);"));
}

#[test]
fn many_statements_of_each_kind() {
    let body = |line: fn(usize) -> String| format!("int s = n;\n{}o[0] = s;", lines(0..400, line));
    for line in [
        (|at| format!("for (int i = 0; i < n; i++) s += o[i + {at}];")) as fn(usize) -> String,
        |at| format!("for (int i = 0; i < 4; i++) s += o[i + {at}];"),
        |at| format!("while (o[{at}] < s) {{ s++; if (s == {at}) break; }}"),
        |at| format!("if (s > {at}) s = s * 3 + {at};"),
        |at| format!("s = s > {at} ? s - o[{at}] : s + {at};"),
        |at| format!("int v{at} = o[{at}]; if (n > {at}) v{at} = s; s += v{at};"),
        |at| format!("L{at}: s += {at}; if (s % {} == 1) goto L{};", at + 2, at * 7919 % 400),
    ] {
        accepted(&kernel("", &body(line)));
    }
    let cases = lines(0..2000, |at| format!("case {at}: s += {}; break;", at * 7 % 113));
    accepted(&kernel("", &format!("int s = n; switch (n) {{\n{cases}}}\no[0] = s;")));
}

#[test]
fn a_macro_that_expands_to_too_much_is_an_error_at_its_line() {
    let nested = "#define A(x) x x x x x x x x\n\
                  #define B(x) A(x) A(x) A(x) A(x) A(x) A(x) A(x) A(x)\n";
    // The tokens are too many in the last line only, and each of them is a statement.
    let text = kernel(nested, "int s = 0;\nB(B(B(s++;)))\nB(B(B(B(s++;))))\no[0] = s;");
    let (ptx, messages) = compile(&text);
    assert!(ptx.is_none());
    assert!(messages.contains("more than 1,000,000 tokens"), "{messages}");
    assert!(messages.contains("test.cu:5:") || messages.contains("test.cu:6:"), "{messages}");
    let doubled = lines(0..40, |at| format!("#define M{} M{at} M{at}", at + 1));
    let (ptx, messages) = compile(&kernel(&format!("#define M0 ;\n{doubled}"), "M40"));
    assert!(ptx.is_none() && messages.contains("tokens"), "{messages}");
    // Each level doubles the text, not the tokens.
    let text = format!("const char *p = {}\"a\"{}; o[0] = p[n];", "T(".repeat(50), ")".repeat(50));
    let (ptx, messages) = compile(&kernel("#define S(x) #x\n#define T(x) S(x)\n", &text));
    assert!(ptx.is_none() && messages.contains("error[limit]"), "{messages}");
}

#[test]
fn files_that_include_files_have_a_limit() {
    let (ptx, messages) = compile(&kernel("#include \"twice.h\"\n", ""));
    assert!(ptx.is_none() && messages.contains("error[limit]"), "{messages}");
    let (ptx, messages) = compile(&kernel(&"#include \"many.h\"\n".repeat(6000), ""));
    assert!(ptx.is_none() && messages.contains("more than 10,000 included files"), "{messages}");
}

#[test]
fn initial_values_and_constructors_have_a_limit() {
    let many = lines(0..8, |at| format!("__device__ int t{at}[4000000] = {{1}};"));
    refused(&kernel(&many, "o[0] = t0[n];"), 5, "bytes of text and initial values");
    let doubled = lines(0..24, |at| format!("struct S{} {{ S{at} a, b; }};", at + 1));
    let head = format!("struct S0 {{ int a; __device__ S0() {{ a = 1; }} }};\n{doubled}");
    let (ptx, messages) = compile(&kernel(&head, "S24 p; o[0] = sizeof(p);"));
    assert!(ptx.is_none() && messages.contains("error["), "{messages}");
    let calls = "constexpr int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }\n";
    let (ptx, messages) =
        compile(&kernel(calls, &format!("int s = 0;\n{}o[0] = s;", "s += f(16);\n".repeat(3000))));
    assert!(ptx.is_none() && messages.contains("steps of the compiler"), "{messages}");
}

/// The messages about a program with a host half.
fn of_program(text: &str) -> String {
    let target = Target::from_name("sm_20").expect("a known target");
    let none = |_: &str, _: &str, _: bool| None::<Included>;
    cuda::compile_program(&[cuda::Unit::new("test.cu", text, &none, &Options::of(target))], target).messages()
}

#[test]
fn a_wrong_length_of_an_array_is_an_error_at_the_declaration() {
    let main = "int main() { return 0; }\n";
    for (declaration, error) in [
        ("int n = 4; int table[n];", "the length of an array must be a constant"),
        ("int a[-1];", "the length of the array is -1"),
        ("static int a[3 - 5];", "the length of the array is -2"),
        ("extern int a[-1];", "the length of the array is -1"),
        ("typedef int T[-1];", "the length of the array is -1"),
        ("int a[3][-2];", "the length of the array is -2"),
        ("struct S { int a[-1]; };", "the length of the array is -1"),
        ("int n = 4; struct S { int a[n]; };", "the length of an array must be a constant"),
        ("union U { int i; char c[-4]; };", "the length of the array is -4"),
        ("template <int N> struct S { int a[N]; }; S<-1> s;", "the length of the array is -1"),
        ("__device__ int a[-1];", "the length of the array is -1"),
        ("__constant__ int a[-1];", "the length of the array is -1"),
        ("int n = 4; __device__ int a[n];", "the length of an array must be a constant"),
        ("__global__ void k() { __shared__ int a[-1]; }", "the length of the array is -1"),
        ("__global__ void k(int n) { int a[n]; }", "the length of an array must be a constant"),
        ("void f() { int a[-1]; }", "the length of the array is -1"),
        ("void f(int a[-1]) {}", "the length of the array is -1"),
        ("namespace x { int a[-1]; }", "the length of the array is -1"),
        ("int a[];", "needs a length"),
    ] {
        let messages = of_program(&format!("{declaration}\n{main}"));
        assert!(messages.contains("error[") && messages.contains(error), "{declaration}: {messages}");
        assert!(messages.contains("test.cu:1:"), "{declaration}: {messages}");
    }
    // A use does not add that the name is not declared.
    let messages = of_program("int n = 4; int table[n];\nint main() { return table[0]; }\n");
    assert_eq!(messages.matches("error[").count(), 1, "{messages}");
    for right in ["int a[4];", "const int n = 4; int a[n];", "extern int a[];", "int a[] = {1};"] {
        let messages = of_program(&format!("{right}\n{main}"));
        assert!(!messages.contains("error["), "{right}: {messages}");
    }
}

#[test]
fn types_have_a_limit_of_height() {
    let pointers = |count| lines(0..count, |at| format!("typedef T{at} *T{};", at + 1));
    accepted(&kernel(&format!("typedef int T0;\n{}", pointers(150)), "T150 p = 0; o[0] = p == 0;"));
    let head = format!("typedef int T0;\n{}", pointers(3000));
    refused(&kernel(&head, "T3000 p = 0; o[0] = p == 0;"), 201, "the type is nested more than 200 times");
    let classes = lines(0..3000, |at| format!("typedef P<T{at}> T{};", at + 1));
    let head = format!("template <class A> struct P {{ A *a; }};\ntypedef int T0;\n{classes}");
    refused(&kernel(&head, "T3000 p; o[0] = sizeof(p);"), 202, "the type is nested more than 200 times");
    let endless = "template <class T> struct A { __device__ int f() { A<A<T> > a; return a.f(); } };\n";
    refused(&kernel(endless, "A<int> a; o[0] = a.f();"), 1, "the type is nested more than 200 times");
}

#[test]
fn variables_fit_in_an_address_space() {
    for text in [
        "// A comment.\n__device__ int a[1073741824];\n__global__ void k() { a[0] = 1; }\n",
        "// A comment.\n__device__ double a[30000][30000];\n__global__ void k() { a[0][0] = 1; }\n",
        "__device__ char b[4000000000];\n__device__ char a[400000000];\n__global__ void k() { a[0] = b[0] = 1; }\n",
        "struct S { char c[3000000000]; };\n__device__ S a[2];\n__global__ void k() { a[0].c[0] = 1; }\n",
        "typedef int A[65536];\n__device__ A a[30000];\n__global__ void k() { a[0][0] = 1; }\n",
    ] {
        refused(text, 2, "does not fit in an address space of 4 GiB");
    }
    let shared = "__global__ void k(int *o) {\n    __shared__ int a[2000000000];\n    o[0] = a[1];\n}\n";
    refused(shared, 1, "needs 8000000000 bytes of shared memory");
    let local = "__global__ void k(int *o, int n) {\n    int a[2000000000];\n    a[n] = 1; o[0] = a[0];\n}\n";
    refused(local, 2, "needs 8000000000 bytes of local memory");
    accepted("__device__ char a[4294967295];\n__global__ void k() { a[0] = 1; }\n");
    // The host has more memory.
    let target = Target::from_name("sm_20").expect("a known target");
    let text = "int a[1500000000];\nint main() { return a[0]; }\n";
    let none = |_: &str, _: &str, _: bool| None;
    let program =
        cuda::compile_program(&[cuda::Unit::new("test.cu", text, &none, &Options::of(target))], target);
    assert!(program.host.is_some(), "{}", program.messages());
}
