//! What the back end refuses or warns about, with the place in the source.

use cuda::options::Options;
use cuda::preprocess::Included;
use cuda::target::Target;

/// The PTX and the messages of a program.
fn compile(text: &str, target: &str) -> (Option<String>, String) {
    let target = Target::from_name(target).expect("a known target");
    let none = |_: &str, _: &str, _: bool| None::<Included>;
    let compiled = cuda::compile("test.cu", text, &none, target, &Options::of(target));
    let messages = compiled.messages();
    (compiled.ptx, messages)
}

const TWO_SPACES: &str = "__global__ void k(int *p, int n) {
    __shared__ int s[32];
    s[threadIdx.x] = n;
    int *q = n > 3 ? p : s;
    *q = 7;
}
";

#[test]
fn a_pointer_to_two_spaces_needs_generic_addresses() {
    let (ptx, messages) = compile(TWO_SPACES, "sm_13");
    assert!(ptx.is_none());
    assert!(messages.contains("different state spaces") && messages.contains("test.cu:5"), "{messages}");
    let (ptx, messages) = compile(TWO_SPACES, "sm_20");
    let ptx = ptx.expect(&messages);
    assert!(ptx.contains("cvta.shared") && ptx.contains("st.u32"), "{ptx}");
}

#[test]
fn spaces_are_found_through_functions_loops_and_selections() {
    let text = "__device__ int sum(const int *p, int n) {
    int s = 0;
    for (const int *end = p + n; p != end; ++p) s += *p;
    return s;
}
__constant__ int c[8];
__global__ void k(int *out, int n) {
    __shared__ int a[32], b[32];
    a[threadIdx.x] = n; b[threadIdx.x] = 2 * n;
    __syncthreads();
    int *from = a, *to = b;
    for (int i = 0; i < n; i++) { int *t = from; from = to; to = t; to[threadIdx.x] += from[i]; }
    out[0] = sum(n & 1 ? a : b, n) + sum(out + 1, n) + sum(c, 8);
}
";
    for target in ["sm_10", "sm_13", "sm_20"] {
        let (ptx, messages) = compile(text, target);
        let ptx = ptx.expect(&messages);
        assert!(ptx.contains("ld.shared") && ptx.contains("ld.global") && ptx.contains("ld.const"), "{ptx}");
        assert!(!ptx.contains("ld.u32"), "{ptx}");
    }
}

#[test]
fn a_loaded_pointer_is_taken_as_global_with_a_warning() {
    let text = "struct Node { int value; Node *next; };
__global__ void k(Node *p, int *out) {
    int s = 0;
    for (; p; p = p->next) s += p->value;
    *out = s;
}
";
    let (ptx, messages) = compile(text, "sm_13");
    assert!(ptx.is_some_and(|ptx| ptx.contains("ld.global")));
    assert!(messages.contains("taken as a pointer to global memory"), "{messages}");
    let (ptx, messages) = compile(text, "sm_20");
    assert!(ptx.is_some() && messages.is_empty(), "{messages}");
}

#[test]
fn recursion_needs_fermi() {
    let text = "__device__ int f(int n) { return n < 2 ? 1 : n * f(n - 1); }
__global__ void k(int *out) { *out = f(*out); }
";
    let (ptx, messages) = compile(text, "sm_13");
    assert!(ptx.is_none());
    assert!(messages.contains("recursive"), "{messages}");
    assert!(compile(text, "sm_20").0.is_some());
}

#[test]
fn an_atomic_operation_needs_memory_of_several_threads() {
    let text = "__device__ void add(int *p) { atomicAdd(p, 1); }
__global__ void k(int *out) { int s[2] = {out[1], 3}; add(&s[out[0]]); *out = s[0]; }
";
    let (ptx, messages) = compile(text, "sm_20");
    assert!(ptx.is_none());
    assert!(messages.contains("global or shared memory") && messages.contains("test.cu:1"), "{messages}");
}

#[test]
fn a_pointer_is_no_texture_object() {
    for call in ["tex1Dfetch(a, b, 0)", "surf2Dwrite(1, a, 0, 0)", "out[0] = surf1Dread<int>(a, 0)"] {
        let text = format!("__global__ void k(int *out, int *a, int *b) {{ {call}; }}\n");
        let (ptx, messages) = compile(&text, "sm_20");
        assert!(ptx.is_none() && messages.contains("reference, or a "), "{call}: {messages}");
    }
    let text = "__global__ void k(int *out, cudaSurfaceObject_t s) { surf1Dwrite(1, s, 0); }\n";
    let (ptx, messages) = compile(text, "sm_13");
    assert!(ptx.is_none() && messages.contains("`surf1Dwrite` needs sm_20"), "{messages}");
}

#[test]
fn letters_that_ptx_lacks_are_numbers() {
    let text = "struct \u{c9} { int x; };\n__global__ void k(int *out, \u{c9} e) { *out = e.x; }\n";
    let (ptx, messages) = compile(text, "sm_20");
    assert!(ptx.expect(&messages).contains(".entry _Z1kPi3$c9 ("));
    let text = "// \u{e9}\n#define T \"\u{e9}\"\n__global__ void k(int *out) { *out = T[0]; }\n";
    let (ptx, messages) = compile(text, "sm_20");
    assert!(ptx.is_some(), "{messages}");
}

#[test]
fn unused_results_are_reductions_and_vectors_are_loaded_as_vectors() {
    let text = "__global__ void k(float4 *v, int *n) {
    atomicAdd(n, 1);
    float4 x = v[threadIdx.x];
    x.x += x.w;
    v[threadIdx.x] = x;
}
";
    let ptx = compile(text, "sm_13").0.expect("it compiles");
    assert!(ptx.contains("red.global.add.u32") && !ptx.contains("atom."), "{ptx}");
    assert!(ptx.contains("ld.global.v4.f32") && ptx.contains("st.global.v4.f32"), "{ptx}");
}

#[test]
fn endless_loops_compile() {
    for body in
        ["for (;;);", "while (1) { *out = 1; }", "a: goto b; b: goto a;", "for (;;) { if (*out) break; }"]
    {
        let text = format!("__global__ void k(volatile int *out) {{ {body} }}\n");
        for target in ["sm_10", "sm_20"] {
            let (ptx, messages) = compile(&text, target);
            assert!(ptx.is_some(), "{body}: {messages}");
        }
    }
}

#[test]
fn the_same_program_gives_the_same_text() {
    let text = include_str!("programs/course.cu");
    for target in ["sm_10", "sm_20"] {
        let first = compile(text, target).0.expect("it compiles");
        assert!((0..3).all(|_| compile(text, target).0.as_ref() == Some(&first)));
    }
}

#[test]
fn surfaces_are_read_through_a_pointer() {
    let text = "surface<void, 2> s;
__global__ void k(float *out) {
    float4 v;
    surf2Dread(&v, s, 16 * threadIdx.x, threadIdx.y);
    surf2Dread(out, s, 0, 0, cudaBoundaryModeTrap);
    out[1] = v.x + v.w;
}
";
    for level in [0, 3] {
        let target = Target::from_name("sm_20").expect("a known target");
        let none = |_: &str, _: &str, _: bool| None::<Included>;
        let options = Options { opt_level: level, ..Options::of(target) };
        let compiled = cuda::compile("test.cu", text, &none, target, &options);
        let ptx = compiled.ptx.clone().unwrap_or_else(|| panic!("{}", compiled.messages()));
        assert_eq!(ptx.matches("suld.b.2d").count(), 2, "{ptx}");
    }
}

#[test]
fn a_loop_that_a_limit_leaves_as_it_is_has_a_warning_at_its_pragma() {
    let large = "__global__ void k(int *o, int n) {
    int s = n;
    #pragma unroll
    for (int i = 0; i < 20000; i++) s = s * 3 + o[i & 31];
    o[0] = s;
}
";
    let (ptx, messages) = compile(large, "sm_20");
    assert!(ptx.is_some(), "{messages}");
    assert!(messages.contains("the loop is not unrolled: an unrolled loop has at most"), "{messages}");
    assert!(messages.contains("test.cu:3"), "{messages}");
    // Each loop is within the limit for loops, but all of them share one for the program.
    let one = "    #pragma unroll\n    for (int i = 0; i < 1000; i++) s = s * 3 + o[i & 31];\n";
    let loops = 40;
    let text = format!(
        "__global__ void k(int *o, int n) {{\n    int s = n;\n{}    o[0] = s;\n}}\n",
        one.repeat(loops)
    );
    let (ptx, messages) = compile(&text, "sm_20");
    assert!(ptx.is_some(), "{messages}");
    assert!(
        messages.contains("the loop is not unrolled: the program has too many loops to unroll"),
        "{messages}"
    );
    let lines =
        messages.lines().filter_map(|line| line.split("test.cu:").nth(1)?.split(':').next()?.parse().ok());
    let lines: Vec<usize> = lines.collect();
    assert!(!lines.is_empty() && lines.len() < loops, "{messages}");
    assert!(lines.iter().all(|line| line % 2 == 1), "each is the line of a pragma: {messages}");
}

#[test]
fn a_kernel_that_no_chip_has_registers_for_is_refused_at_its_line() {
    let count = 1200;
    let loads: Vec<String> = (0..count).map(|at| format!("    int a{at} = o[{at} * n];\n")).collect();
    let loads = loads.concat();
    let uses: Vec<String> = (0..count).map(|at| format!("    o[{at}] = s ^ a{at};\n")).collect();
    let uses = uses.concat();
    let text = format!(
        "// A comment.\n__global__ void large(int *o, int n) {{\n{loads}    int s = o[n];\n    __syncthreads();\n{uses}}}\n"
    );
    let (ptx, messages) = compile(&text, "sm_20");
    assert!(ptx.is_none(), "{messages}");
    assert!(messages.contains("error[limit]") && messages.contains("test.cu:2:"), "{messages}");
    assert!(messages.contains("`large` is too large") && messages.contains("values are live"), "{messages}");
}

/// `packed` and `#pragma pack` give a class the size that compilers of the host give it.
#[test]
fn packed_classes_have_the_size_of_the_host() {
    let sizes = [
        ("struct __attribute__((packed)) S { int a; short b, c; };", 8),
        ("typedef struct { float x, y, z; } __attribute__((__packed__)) S;", 12),
        ("#pragma pack(push, 1)\nstruct T { char c; };\n#pragma pack(pop)\nstruct S { char c; int i; };", 8),
        ("#pragma pack(1)\n#pragma pack()\nstruct S { char c; int i; };", 8),
        ("#pragma pack(4)\nstruct S { char c; int i; };", 8),
        ("struct S { char c;\n#pragma pack(1)\nint i; };", 8),
        ("#pragma pack(1)\nunion S { int i; char c[4]; };", 4),
        ("#pragma pack(1)\nunion S { int i; char c[5]; };", 5),
        ("#pragma pack(1)\nstruct T { int i; };\n#pragma pack()\nstruct S { int a; T t[2]; int b; };", 16),
        ("#pragma pack(1)\nstruct S { unsigned a : 16, b : 16; int c; };", 8),
        ("#pragma pack(1)\nstruct S { unsigned a : 20, b : 20; int c; };", 9),
        ("#pragma pack(2)\nstruct S { unsigned a : 20, b : 20; int c; };", 10),
        ("#pragma pack(8)\nstruct __attribute__((packed)) S { unsigned a : 23; short b; bool c; };", 8),
        ("struct __attribute__((packed)) S { char c; int i; };", 5),
        ("struct S { char c; int i; } __attribute__((aligned(8), packed));", 8),
        ("struct S { int i; char c; } __attribute__((packed));", 5),
        ("struct S { char c; __attribute__((packed)) int i; int j; };", 12),
        ("struct S { char c; int i __attribute__((packed)), j; };", 12),
        ("struct __attribute__((packed)) S { char c; __attribute__((aligned(4))) int i; };", 8),
        ("#pragma pack(push, 2)\nstruct S { short s; int i; };\n#pragma pack(pop)", 6),
        (
            "#pragma pack(2)\n#pragma pack(push)\n#pragma pack(8)\n#pragma pack(pop)\nstruct S { char c; int i; };",
            6,
        ),
        ("#pragma pack(1)\nstruct T { int i; };\n#pragma pack()\nstruct S { char c; T t; };", 5),
        ("#pragma pack(1)\nstruct T { int i; };\n#pragma pack()\nstruct S { T t[1]; char c; };", 5),
        ("template <class T> struct __attribute__((packed)) V { char c; T t; };\ntypedef V<int> S;", 5),
    ];
    for (classes, size) in sizes {
        let text = format!("{classes}\nstatic_assert(sizeof(S) == {size}, \"\");\n__global__ void k() {{}}");
        let (ptx, messages) = compile(&text, "sm_20");
        assert!(ptx.is_some() && messages.is_empty(), "{classes}\n{messages}");
    }
}

/// What a packed class cannot have is refused by name.
#[test]
fn members_of_packed_classes_have_no_references() {
    let program = |classes: &str, body: &str| {
        format!("{classes}\n__device__ void f(int &x) {{ x = 1; }}\n__global__ void k(S *s) {{ {body} }}")
    };
    let refused = [
        (
            "struct S { int i; };",
            "__attribute__((packed)) int i;",
            "`packed` for anything but a class or a member",
        ),
        (
            "struct __attribute__((packed)) S { char c; int i; };",
            "f(s->i);",
            "a reference cannot refer to a member of a class with `packed`",
        ),
        ("#pragma pack(1)\nstruct S { unsigned r : 5, g : 6, b : 5; };", "", "has all bits of `r`"),
    ];
    for (classes, body, expected) in refused {
        let (ptx, messages) = compile(&program(classes, body), "sm_20");
        assert!(ptx.is_none() && messages.contains(expected), "{classes}\n{messages}");
    }
}

/// Alignments in front of and behind a declarator move members and variables.
#[test]
fn alignments_of_declarations_are_honored() {
    let text = r#"
struct S { char a; float x __attribute__((aligned(16))); alignas(8) char c; char d; };
static_assert(sizeof(S) == 32 && alignof(S) == 16, "");
struct T { char a; alignas(8) char c; char d[7]; };
struct U { char a; alignas(8) char c; char d[8]; };
static_assert(sizeof(T) == 16 && sizeof(U) == 24, "");
typedef float Same __attribute__((aligned(4)));
__global__ void k(Same *p) {
    __shared__ char c;
    __shared__ char e[5] __attribute__((aligned(32)));
    e[0] = c = 1;
    *p = e[0] + c;
}"#;
    let (ptx, messages) = compile(text, "sm_20");
    assert!(messages.is_empty(), "{messages}");
    assert!(ptx.is_some_and(|ptx| ptx.contains(".align 32")));
    let alias = "typedef float T __attribute__((aligned(16)));\n__global__ void k(T *p) { *p = 1; }";
    let (ptx, messages) = compile(alias, "sm_20");
    assert!(ptx.is_none() && messages.contains("`aligned` in a `typedef`"), "{messages}");
}

/// Classes of the C++ library of the host are refused by name in kernels, not as syntax.
#[test]
fn library_of_the_host_is_refused_in_kernels() {
    let refused = [
        ("__global__ void k(int *a) { std::vector<int> v(3); a[0] = v[0]; }", "std::vector"),
        ("__global__ void k(int *a) { std::vector<float> v; }", "std::vector"),
        ("__global__ void k(std::map<int, int> m, int *a) { a[0] = m[0]; }", "std::map"),
        ("__global__ void k(int *a) { std::string s; }", "std::string"),
        ("__global__ void k(int *a) { std::sort(a, a + 4); }", "std::sort"),
    ];
    for (text, name) in refused {
        let (ptx, messages) = compile(text, "sm_20");
        let expected = format!("`{name}` is not available in device code");
        assert!(ptx.is_none() && messages.contains(&expected), "{text}\n{messages}");
    }
}

#[test]
fn wide_characters_are_refused_by_name() {
    for literal in ["sizeof(L'a')", "sizeof(L\"ab\")", "U\"x\"[0]", "u'y'", "sizeof(LR\"(z)\")"] {
        let (ptx, messages) = compile(&format!("__global__ void k(int *p) {{ *p = {literal}; }}\n"), "sm_20");
        let is_named = messages.contains("wide characters are not supported");
        assert!(ptx.is_none() && is_named && messages.contains("test.cu:1"), "{literal}: {messages}");
    }
    let (ptx, messages) = compile("__global__ void k(int *p) { *p = sizeof(u8\"ab\"); }\n", "sm_20");
    assert!(ptx.is_some(), "{messages}");
}

#[test]
fn expressions_of_c_are_refused_by_name() {
    let text = "struct P { int x, y; };
__global__ void k(int *out, int n) {
    P list[2] = {[0].x = 3};
    out[0] = list[0].x;
    out[1] = _Generic(n, int : 1, default : 2);
}
";
    let (ptx, messages) = compile(text, "sm_20");
    assert!(ptx.is_none());
    for part in ["`_Generic` outside of programs in C", "test.cu:5"] {
        assert!(messages.contains(part), "{part}: {messages}");
    }
    let (ptx, messages) = compile(&text.replace("_Generic(n, int : 1, default : 2)", "n"), "sm_20");
    assert!(ptx.is_none());
    for part in ["a designator with several parts", "test.cu:3"] {
        assert!(messages.contains(part), "{part}: {messages}");
    }
}

#[test]
fn a_class_that_only_host_code_understands_can_be_pointed_to() {
    let text = "struct Mesh { int n; std::vector<int> list; };
__global__ void k(Mesh *mesh, int *p) { *p = mesh != 0; }
";
    let (ptx, messages) = compile(text, "sm_20");
    assert!(ptx.is_some(), "{messages}");
    let (ptx, messages) = compile(&text.replace("mesh != 0", "mesh->n"), "sm_20");
    let is_named = messages.contains("`Mesh` is declared but not defined");
    assert!(ptx.is_none() && is_named && messages.contains("not understood in device code"), "{messages}");
}
