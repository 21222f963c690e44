//! Hostile sources: programs that need much of one or more parts of the compiler.
//!
//! A plan is a list of parts, each with a kind, a size and a seed. Each part declares something and
//! uses it in functions of the device and of the host. The names of a part end with its index, so
//! that parts can be combined.
//!
//! They test the limits of the compiler, not its results, so they share no code with the valid
//! programs of `language/cuda/tests/differential`.

use std::fmt::Write as _;
use test_support::random::Numbers;

/// Most bytes of a source.
pub const BYTES: usize = 1_000_000;

/// Most parts of a program.
const PARTS: usize = 4;

/// Sizes are less than 2 to this power.
const SIZE_BITS: usize = 14;

/// A part of a program.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// What it has much of.
    pub kind: usize,
    /// Lines, levels or elements.
    pub size: usize,
    /// Seed of its choices.
    pub seed: u64,
}

/// A program.
#[derive(Clone, Debug)]
pub struct Plan {
    pub parts: Vec<Part>,
    /// Where the text ends, in thousandths of it, if that is not its end.
    pub cut: Option<usize>,
}

/// A declaration and statements, both made from a size and a seed. Statements use the variables
/// `s`, `n` and `o`: an `int`, another one and an array.
struct Made {
    declared: String,
    body: String,
}

/// Makes a part; its arguments are its index in the program, its size and its choices.
type Maker = fn(usize, usize, &mut Numbers) -> Made;

/// Names of the kinds, and what makes them.
const KINDS: [(&str, Maker); 26] = [
    ("types", types),
    ("nested structures", structures),
    ("class templates", class_templates),
    ("values of templates", template_values),
    ("function templates", function_templates),
    ("doubling macros", doubling_macros),
    ("macros with arguments", macros_with_arguments),
    ("many loops", many_loops),
    ("nested loops", nested_loops),
    ("unrolled loops", unrolled_loops),
    ("switches", switches),
    ("chains of calls", chains_of_calls),
    ("long expressions", long_expressions),
    ("deep expressions", deep_expressions),
    ("deep statements", deep_statements),
    ("deep declarators", deep_declarators),
    ("arrays", arrays),
    ("initializers", initializers),
    ("functions", functions),
    ("overloads", overloads),
    ("constructors", constructors),
    ("strings", strings),
    ("variables", variables),
    ("jumps", jumps),
    ("constant functions", constant_functions),
    ("conditional texts", conditional_texts),
];

/// A number whose logarithm is uniform.
fn size(numbers: &mut Numbers) -> usize {
    let bits = numbers.below(SIZE_BITS + 1);
    (1 << bits) + numbers.below(1 << bits)
}

impl Plan {
    /// The plan of a seed.
    pub fn of_seed(seed: u64) -> Self {
        let numbers = &mut Numbers::new(seed);
        let count = 1 + numbers.below(PARTS) * numbers.below(2);
        let part = |_| Part { kind: numbers.below(KINDS.len()), size: size(numbers), seed: numbers.bits() };
        let parts = (0..count).map(part).collect();
        let cut = (numbers.below(16) == 0).then(|| numbers.below(1000));
        Self { parts, cut }
    }

    /// The plan that bytes describe; four for each part.
    pub fn of_bytes(bytes: &[u8]) -> Self {
        let (chunks, rest) = bytes.as_chunks::<4>();
        let part = |&[kind, bits, low, seed]: &[u8; 4]| {
            let size = 1_usize << (usize::from(bits) % (SIZE_BITS + 1));
            let size = size + ((size * usize::from(low)) >> 8);
            Part { kind: usize::from(kind) % KINDS.len(), size, seed: seed.into() }
        };
        let parts = chunks.iter().take(PARTS).map(part).collect();
        Self { parts, cut: rest.first().map(|byte| usize::from(*byte) * 1000 / 256) }
    }

    /// The kinds and sizes of the parts.
    pub fn description(&self) -> String {
        let part = |part: &Part| format!("{} of {} {:x}", KINDS[part.kind].0, part.size, part.seed);
        let parts: Vec<String> = self.parts.iter().map(part).collect();
        let cut = self.cut.map_or(String::new(), |cut| format!(", cut at {cut} of 1000"));
        format!("{}{cut}", parts.join(", "))
    }

    /// The text of the program.
    pub fn text(&self) -> String {
        let mut declared = "#include <stdio.h>\n".to_owned();
        let (mut device, mut host) = (String::new(), String::new());
        for (at, part) in self.parts.iter().enumerate() {
            let numbers = &mut Numbers::new(part.seed);
            let made = KINDS[part.kind].1(at, part.size, numbers);
            declared += &made.declared;
            // Code of both halves needs twice the text.
            let (on_device, on_host) = numbers.one_of(&[(true, false), (true, true), (false, true)]);
            for (wanted, text) in [(on_device, &mut device), (on_host, &mut host)] {
                if wanted && text.len() + made.body.len() < BYTES / 2 {
                    let _ = writeln!(text, "{{\n{}}}", made.body);
                }
            }
        }
        let mut text = format!(
            "{declared}__global__ void k(int *o, int n) {{\nint s = n;\n{device}o[0] = s;\n}}\n\
             int main() {{\nint s = 1, n = 2, o[64] = {{0}};\n{host}k<<<1, 1>>>(o, n);\nreturn s;\n}}\n"
        );
        let end = self.cut.map_or(text.len(), |cut| text.len() / 1000 * cut);
        text.truncate(text.floor_char_boundary(end.min(BYTES)));
        text
    }

    /// Smaller plans: without a part, and with a smaller part.
    pub fn smaller(&self) -> Vec<Self> {
        let mut all = Vec::new();
        if self.cut.is_some() {
            all.push(Self { cut: None, ..self.clone() });
        }
        for at in 0..self.parts.len() {
            if self.parts.len() > 1 {
                let mut fewer = self.clone();
                fewer.parts.remove(at);
                all.push(fewer);
            }
            for less in [self.parts[at].size / 2, self.parts[at].size * 7 / 8] {
                if less > 0 && less < self.parts[at].size {
                    let mut shorter = self.clone();
                    shorter.parts[at].size = less;
                    all.push(shorter);
                }
            }
        }
        all
    }
}

/// A line for each number up to a size; at most a third of the largest source.
fn lines(size: usize, mut line: impl FnMut(usize) -> String) -> String {
    let mut text = String::new();
    for at in 0..size {
        let _ = writeln!(text, "{}", line(at));
        if text.len() > BYTES / 3 {
            break;
        }
    }
    text
}

/// The same text several times; at most a third of the largest source.
fn repeated(text: &str, times: usize) -> String {
    text.repeat(times.min(BYTES / 3 / text.len().max(1)))
}

const BOTH: &str = "__host__ __device__";

fn types(p: usize, size: usize, numbers: &mut Numbers) -> Made {
    let chosen = numbers.below(4);
    let first =
        ["typedef int (*T0_{p})(int, int);", "typedef int T0_{p}[2];", "struct T0_{p} { int x; };", ""];
    let first =
        if chosen == 3 { "typedef int T0_{p};" } else { first[chosen] }.replace("{p}", &p.to_string());
    let count = if numbers.below(2) == 0 { size.min(64) } else { size };
    let more = lines(count, |at| match chosen {
        0 => format!("typedef T{at}_{p} (*T{}_{p})(T{at}_{p}, T{at}_{p});", at + 1),
        1 => format!("typedef T{at}_{p} T{}_{p}[2];", at + 1),
        2 => format!("struct T{}_{p} {{ T{at}_{p} a, b; }};", at + 1),
        _ => format!("typedef T{at}_{p} *T{}_{p};", at + 1),
    });
    let body = format!("T{0}_{p} *q = 0; s += q == 0; s += (int)sizeof(T{0}_{p});\n", more.lines().count());
    Made { declared: format!("{first}\n{more}"), body }
}

fn structures(p: usize, size: usize, numbers: &mut Numbers) -> Made {
    let members = lines(size, |at| format!("int m{at};"));
    let declared = match numbers.below(3) {
        0 => format!("struct S_{p} {{\n{members}}};\n"),
        1 => {
            let open = repeated("struct { int a;\n", size);
            let close = repeated("} x;\n", size);
            format!("struct S_{p} {{ int m0;\n{open}{close}}};\n")
        }
        _ => {
            let fields = lines(size, |at| format!("unsigned m{at} : {};", at % 32 + 1));
            format!("union S_{p} {{\nint i; struct {{\n{fields}}};\n}};\n")
        }
    };
    let copies = numbers.one_of(&["a = b;", "a = b; b = a;", "f(a);", ""]);
    let declared = format!("{declared}{BOTH} void f(S_{p} x) {{}}\n");
    Made { declared, body: format!("S_{p} a, b; b.m0 = s; {copies} s += a.m0 + b.m0;\n") }
}

fn class_templates(p: usize, size: usize, numbers: &mut Numbers) -> Made {
    let (declared, body) = match numbers.below(5) {
        0 => {
            let depth = size.min(80);
            let types = lines(depth, |at| format!("typedef P_{p}<T{at}_{p}, T{at}_{p}> T{}_{p};", at + 1));
            let head = format!(
                "template <class A, class B> struct P_{p} {{ int x; }};\ntypedef P_{p}<int, int> T0_{p};\n{types}\
                 template <class T> {BOTH} int f(T t) {{ return t.x; }}\n"
            );
            (head, format!("T{depth}_{p} q; q.x = s; s += f(q);\n"))
        }
        1 => (
            format!(
                "template <int N> struct P_{p} {{ P_{p}<N - 1> a; int x; }};\n\
                 template <> struct P_{p}<0> {{ int x; }};\n"
            ),
            format!("P_{p}<{size}> q; q.x = s; s += q.x;\n"),
        ),
        2 => (
            format!(
                "template <class T> struct P_{p} {{ P_{p}<T *> *a; int x; int f() {{ P_{p}<T *> b; return b.f(); }} }};\n"
            ),
            format!("P_{p}<int> q; q.x = s; s += q.x;\n"),
        ),
        3 => {
            let uses = lines(size, |at| format!("{{ P_{p}<{at}> q; q.set(s); s += q.get(); }}"));
            (
                format!(
                    "template <int N> struct P_{p} {{ int x[N + 1]; {BOTH} void set(int v) {{ x[N] = v; }} \
                     {BOTH} int get() const {{ return x[N / 2]; }} }};\n"
                ),
                uses,
            )
        }
        _ => {
            let special =
                lines(size, |at| format!("template <> struct P_{p}<{at}> {{ enum {{ v = {at} }}; }};"));
            let head = format!(
                "template <int N> struct P_{p} {{ enum {{ v = P_{p}<N - 1>::v + 1 }}; }};\n{special}"
            );
            (head, format!("s += P_{p}<{}>::v;\n", size + numbers.below(100)))
        }
    };
    Made { declared, body }
}

fn template_values(p: usize, size: usize, numbers: &mut Numbers) -> Made {
    let depth = size.ilog2();
    let head = match numbers.below(3) {
        0 => format!(
            "template <int D, int I> struct V_{p} {{ enum {{ v = V_{p}<D - 1, 2 * I>::v + V_{p}<D - 1, 2 * I + 1>::v }}; }};\n\
             template <int I> struct V_{p}<0, I> {{ enum {{ v = I }}; }};\n"
        ),
        1 => format!(
            "template <int D, int I> struct V_{p} {{ static const int v = V_{p}<D - 1, I>::v + V_{p}<D - 1, I + 1>::v; }};\n\
             template <int I> struct V_{p}<0, I> {{ static const int v = I; }};\n"
        ),
        _ => format!(
            "template <int D, int I> struct V_{p} {{ typedef V_{p}<D - 1, I> A; typedef V_{p}<D - 1, I + D> B; A a; B b; enum {{ v = sizeof(A) }}; }};\n\
             template <int I> struct V_{p}<0, I> {{ char c; enum {{ v = I }}; }};\n"
        ),
    };
    Made { declared: head, body: format!("s += V_{p}<{depth}, 0>::v;\n") }
}

fn function_templates(p: usize, size: usize, numbers: &mut Numbers) -> Made {
    let (declared, call) = match numbers.below(5) {
        0 => (
            format!("template <int N> {BOTH} int g_{p}() {{ return g_{p}<N + 1>() + N; }}"),
            format!("g_{p}<0>()"),
        ),
        1 => (
            format!(
                "template <int N> {BOTH} int g_{p}(int x) {{ return g_{p}<N - 1>(x * N) + N; }}\n\
                 template <> {BOTH} int g_{p}<0>(int x) {{ return x; }}"
            ),
            format!("g_{p}<{size}>(s)"),
        ),
        2 => (
            format!("template <class T> {BOTH} int g_{p}(T *t) {{ T *p = t; return g_{p}(&p); }}"),
            format!("g_{p}(&s)"),
        ),
        3 => (
            format!(
                "template <class T> struct W_{p} {{ T t; }};\ntemplate <class T> {BOTH} int g_{p}(T t) \
                 {{ W_{p}<T> w; return g_{p}(w); }}"
            ),
            format!("g_{p}(1)"),
        ),
        _ => {
            let depth = size.ilog2();
            (
                format!(
                    "template <int N, int I> struct H_{p} {{ {BOTH} static int f(int x) \
                     {{ return H_{p}<N - 1, 2 * I>::f(x * 3) + H_{p}<N - 1, 2 * I + 1>::f(x + I); }} }};\n\
                     template <int I> struct H_{p}<0, I> {{ {BOTH} static int f(int x) {{ return x; }} }};"
                ),
                format!("H_{p}<{depth}, 1>::f(s)"),
            )
        }
    };
    Made { declared: format!("{declared}\n"), body: format!("s += {call};\n") }
}

fn doubling_macros(p: usize, size: usize, numbers: &mut Numbers) -> Made {
    let depth = (size.ilog2() as usize + numbers.below(10)).min(60);
    let token =
        numbers.one_of(&["s++;", "s += o[s & 63];", ";", "{ int i; i = s; s = i; }", "if (s) s *= 3;"]);
    let doubled = lines(depth, |at| format!("#define M{}_{p} M{at}_{p} M{at}_{p}", at + 1));
    let macros = format!("#define M0_{p} {token}\n{doubled}");
    let body = match numbers.below(3) {
        0 => format!("M{depth}_{p}\n"),
        1 => format!("s = 0\n#define PLUS_{p} + s\n{}{};\n", repeated(&format!("PLUS_{p} "), size), ""),
        _ => {
            let opened = format!("A_{p}(").repeat(depth.min(20));
            let closed = ")".repeat(depth.min(20));
            return Made {
                declared: format!("{macros}#define A_{p}(x) x x\n"),
                body: format!("{opened}{token}{closed}\n"),
            };
        }
    };
    Made { declared: macros, body }
}

fn macros_with_arguments(p: usize, size: usize, numbers: &mut Numbers) -> Made {
    let (declared, body) = match numbers.below(5) {
        0 => {
            let names: Vec<String> = (0..size).map(|at| format!("a{at}")).collect();
            let values: Vec<String> = (0..size).map(|at| at.to_string()).collect();
            (
                format!("#define F_{p}({}) {}\n", names.join(","), names.join("+")),
                format!("s += F_{p}({});\n", values.join(",")),
            )
        }
        1 => (
            format!("#define J_{p}(a, b) a##b\n#define K_{p}(a, b) J_{p}(a, b)\n"),
            lines(size, |at| format!("int K_{p}(v, K_{p}({at}, x)) = s; s += v{at}x;")),
        ),
        2 => {
            let depth = size.min(60);
            let opened = format!("T_{p}(").repeat(depth);
            let text = format!("{opened}\"a\"{}", ")".repeat(depth));
            (
                format!("#define S_{p}(x) #x\n#define T_{p}(x) S_{p}(x)\n"),
                format!("const char *q = {text}; s += q[0];\n"),
            )
        }
        3 => (
            format!("#define F_{p}(x, ...) G_{p}(__VA_ARGS__) + x\n#define G_{p}(x, ...) x\n"),
            format!(
                "s += {}1{};\n",
                repeated(&format!("F_{p}("), size.min(500)),
                repeated(", 2, 3)", size.min(500))
            ),
        ),
        _ => {
            let defined = lines(size, |at| format!("#define N{at}_{p} N{}_{p} + 1", at + 1));
            let count = defined.lines().count();
            (format!("{defined}#define N{count}_{p} s\n"), format!("s = N0_{p};\n"))
        }
    };
    Made { declared, body }
}

/// The head of a loop over the variable `i{at}`.
fn head(at: usize, numbers: &mut Numbers) -> String {
    match numbers.below(6) {
        0 => format!("for (int i{at} = 0; i{at} < n; i{at}++)"),
        1 => format!("for (int i{at} = 0; i{at} < {}; i{at}++)", numbers.below(20)),
        2 => format!("for (int i{at} = n; i{at} > 0; i{at} >>= 1)"),
        3 => format!("for (unsigned i{at} = 1; i{at} < 1000000u; i{at} *= {})", numbers.below(5) + 2),
        4 => format!("for (int i{at} = {}; i{at} >= 0; i{at} -= 3)", numbers.below(100_000)),
        _ => format!("for (int i{at} = s; o[i{at} & 63] < s; i{at}++)"),
    }
}

/// A statement inside of a loop over `i{at}`.
fn inside(at: usize, numbers: &mut Numbers) -> String {
    match numbers.below(7) {
        0 => format!("s += o[(i{at} + {at}) & 63];"),
        1 => format!("o[i{at} & 63] = s;"),
        2 => format!("if (s == {at}) break;"),
        3 => format!("if (o[i{at} & 63] > s) continue;"),
        4 => format!("s = s * 3 + i{at} * {at};"),
        5 => format!("s = s > {at} ? s - o[i{at} & 63] : s + {at};"),
        _ => format!("float f{at} = s; s = (int)(f{at} * 0.5f + i{at});"),
    }
}

fn many_loops(_: usize, size: usize, numbers: &mut Numbers) -> Made {
    let body = lines(size, |at| {
        format!("{} {{ {} {} }}", head(at, numbers), inside(at, numbers), inside(at, numbers))
    });
    Made { declared: String::new(), body }
}

fn nested_loops(_: usize, size: usize, numbers: &mut Numbers) -> Made {
    let most = numbers.one_of(&[8, 8, 8, 190]);
    let depth = 1 + numbers.below(most);
    let one = |numbers: &mut Numbers| {
        let heads = lines(depth, |at| format!("{} {{ {}", head(at, numbers), inside(at, numbers)));
        heads + &"}".repeat(depth) + "\n"
    };
    let body = lines(size.div_ceil(depth), |_| one(numbers));
    Made { declared: String::new(), body }
}

fn unrolled_loops(_: usize, size: usize, numbers: &mut Numbers) -> Made {
    let body = lines(size, |at| {
        let factor = numbers.one_of(&["", "", "2", "7", "64", "1000", "1000000", "1"]);
        let count = numbers.one_of(&[4, 16, 100, 1000, 5000, 1_000_000]);
        let count = if numbers.below(3) == 0 { "n".to_owned() } else { count.to_string() };
        let inner = if numbers.below(2) == 0 {
            format!("\n#pragma unroll\nfor (int j = 0; j < {count}; j++) {{ {} }}\n", inside(at, numbers))
        } else {
            String::new()
        };
        let body = inside(at, numbers);
        format!(
            "\n#pragma unroll {factor}\nfor (int i{at} = 0; i{at} < {count}; i{at}++) {{ {body}{inner} }}"
        )
    });
    Made { declared: String::new(), body }
}

fn switches(_: usize, size: usize, numbers: &mut Numbers) -> Made {
    let (step, ends, looped) = (
        numbers.one_of(&[1, 1, 2, 7919, 1_000_003]),
        numbers.one_of(&["break;", "break;", "", "continue;"]),
        numbers.below(2) == 0 || size > 4000,
    );
    let effect =
        numbers.one_of(&["s += 7;", "s = o[s & 63];", "o[s & 63] = s;", "{ s ^= n; if (s > 5) break; }"]);
    let cases = |size: usize| {
        lines(size, |at| {
            let value = (at as u32).wrapping_mul(step) as i32;
            format!("case {value}: {effect} s *= {}; {ends}", at % 100)
        })
    };
    let ends_loop = ends == "continue;";
    let switch = if numbers.below(4) == 0 {
        let few = size.isqrt();
        lines(few, |at| format!("switch (s + {at}) {{\n{}}}", cases(few)))
    } else {
        format!("switch (s) {{\n{}default: s--;\n}}\n", cases(size))
    };
    let body =
        if looped || ends_loop { format!("for (int i = 0; i < n; i++) {{\n{switch}}}\n") } else { switch };
    Made { declared: String::new(), body }
}

fn chains_of_calls(p: usize, size: usize, numbers: &mut Numbers) -> Made {
    let kind = numbers.one_of(&["", "__noinline__ ", "static inline ", "__forceinline__ "]);
    let twice = numbers.below(3);
    let count = if twice == 2 { size.min(100) } else { size };
    let chain = lines(count, |at| {
        let more = match twice {
            0 => String::new(),
            1 if at % 8 != 0 => String::new(),
            _ => format!(" + c{at}_{p}(x >> 1)"),
        };
        let (f, c) = (at + 1, at % 31);
        format!("{kind}{BOTH} int c{f}_{p}(int x) {{ return c{at}_{p}(x) * 3{more} + (x >> {c}); }}")
    });
    let last = chain.lines().count();
    let first = format!("{kind}{BOTH} int c0_{p}(int x) {{ return x * 3 + 1; }}\n");
    Made { declared: first + &chain, body: format!("s += c{last}_{p}(n);\n") }
}

fn long_expressions(_: usize, size: usize, numbers: &mut Numbers) -> Made {
    let operators: &[&str] = numbers.one_of(&[
        &["+"],
        &["+", "-", "*", "^", "|", "&"],
        &["&&"],
        &["||", "&&"],
        &["<", "==", "!="],
        &["<<", ">>"],
        &[","],
        &["/", "%"],
    ]);
    let terms: &[&str] = numbers.one_of(&[
        &["s"],
        &["o[n]", "s", "7"],
        &["s++", "n--"],
        &["1"],
        &["1.5f", "s", "2.0"],
        &["(s, n)"],
    ]);
    let terms: &[&str] =
        if operators.iter().any(|each| "<<>>%^|&".contains(each)) { &["s", "o[n]", "7"] } else { terms };
    let mut text = "s".to_owned();
    for at in 0..size * 4 {
        let _ = write!(text, " {} {}", numbers.one_of(operators), numbers.one_of(terms));
        if at % 16 == 15 {
            text.push('\n');
        }
        if text.len() > BYTES / 3 {
            break;
        }
    }
    let calls = if numbers.below(3) == 0 {
        let ternary = repeated("s > 3 ? n : \n", size);
        format!("s = {ternary}0;\n")
    } else {
        String::new()
    };
    Made { declared: String::new(), body: format!("s += ({text});\n{calls}") }
}

fn deep_expressions(p: usize, size: usize, numbers: &mut Numbers) -> Made {
    let depth = if numbers.below(2) == 0 { size.min(60) } else { size };
    let (open, close) = numbers.one_of(&[
        ("(", ")"),
        ("-(", ")"),
        ("o[", "]"),
        ("!", ""),
        ("- ", ""),
        ("*&", ""),
        ("(int)", ""),
        ("(s ? ", " : n)"),
        ("s ? ", " : n"),
        ("f(", ")"),
        ("s = ", ""),
        ("sizeof(", ")"),
        ("1 + (2 * ", ")"),
        ("[&] { return ", "; }()"),
        ("(s, ", ")"),
    ]);
    let open = open.replace("f(", &format!("f_{p}("));
    let one = format!("s = {}s{};\n", repeated(&open, depth), repeated(close, depth));
    let times = numbers.one_of(&[1, 1, size / depth]);
    let body = lines(times, |_| one.clone());
    Made { declared: format!("{BOTH} int f_{p}(int x) {{ return x + 1; }}\n"), body }
}

fn deep_statements(_: usize, size: usize, numbers: &mut Numbers) -> Made {
    let depth = if numbers.below(2) == 0 { size.min(60) } else { size };
    let (open, close) = numbers.one_of(&[
        ("{ ", "}"),
        ("if (s > 1) { s++; ", "}"),
        ("if (o[s & 63]) s++; else ", ""),
        ("if (s) ", ""),
        ("while (s < n) { s++; ", "}"),
        ("do { s--; ", "} while (s > n);"),
        ("switch (s) { case 1: s++; default: ", "}"),
        ("if (s == 1) { s = 2; } else { ", "}"),
    ]);
    let one = format!("{}s++;{}\n", repeated(&format!("{open}\n"), depth), repeated(close, depth));
    let body = lines(numbers.one_of(&[1, size / depth]), |_| one.clone());
    Made { declared: String::new(), body }
}

fn deep_declarators(p: usize, size: usize, numbers: &mut Numbers) -> Made {
    let depth = if numbers.below(2) == 0 { size.min(90) } else { size };
    let declared = match numbers.below(6) {
        0 => format!("typedef int {}T_{p}{};\n", "(".repeat(depth), ")".repeat(depth)),
        1 => format!("typedef int {}T_{p};\n", repeated("*", depth)),
        2 => format!("typedef int {}T_{p}{};\n", repeated("(*", depth), repeated(")(int)", depth)),
        3 => format!("typedef int T_{p}{};\n", repeated("[1]", depth)),
        4 => format!(
            "{}\nint x;\n{}\ntypedef int T_{p};\n",
            lines(depth, |at| format!("namespace n{at} {{")),
            "}".repeat(depth)
        ),
        _ => format!("typedef int (*T_{p})({}int{});\n", repeated("int (*)(", depth), repeated(")", depth)),
    };
    Made { declared, body: format!("T_{p} *q = 0; s += q == 0;\n") }
}

fn arrays(p: usize, size: usize, numbers: &mut Numbers) -> Made {
    let long = size << numbers.below(20);
    let (declared, body) = match numbers.below(6) {
        0 => (String::new(), format!("int a[{long}]; a[n] = s; s += a[s];\n")),
        1 => (format!("__device__ int a_{p}[{long}];\nint b_{p}[{long}];\n"), String::new()),
        2 => {
            (format!("__device__ int a_{p}[{long}] = {{1}};\nint b_{p}[{long}] = {{1, 2}};\n"), String::new())
        }
        3 => (String::new(), format!("int a[{long}] = {{1, 2}}; a[n] = s; s += a[s];\n")),
        4 => (
            lines(size, |at| format!("__device__ int a{at}_{p}[{}] = {{{at}}};", 1 << numbers.below(12))),
            String::new(),
        ),
        _ => (
            format!("struct A_{p} {{ int a[{long}]; int b[{long}]; }};\n"),
            format!("A_{p} a, b; b.a[0] = s; a = b; s += a.b[0];\n"),
        ),
    };
    Made { declared, body }
}

fn initializers(p: usize, size: usize, numbers: &mut Numbers) -> Made {
    let value = numbers.one_of(&["1", "1 + 2 * 3", "{1, 2}", "1.5", "sizeof(int)", "'a'", "-7", "s"]);
    let element =
        if value.starts_with('{') { format!("struct E_{p} {{ int a, b; }};\n") } else { String::new() };
    let ty = if element.is_empty() { "int".to_owned() } else { format!("E_{p}") };
    let values = lines(size * 4, |_| format!("{value},"));
    let array = format!("{ty} t_{p}[] = {{\n{values}}};\n");
    match numbers.below(4) {
        0 if value != "s" => Made {
            declared: format!("{element}__constant__ {array}const {}", array.replace("t_", "u_")),
            body: String::new(),
        },
        1 => {
            let depth = if numbers.below(2) == 0 { size.min(100) } else { size };
            let deep = format!("int d[1] = {}1{};\n", repeated("{", depth), repeated("}", depth));
            Made { declared: element, body: deep }
        }
        _ => Made { declared: element, body: format!("{array}s += sizeof t_{p};\n") },
    }
}

fn functions(p: usize, size: usize, numbers: &mut Numbers) -> Made {
    let kind = numbers.one_of(&[
        "__device__",
        "__global__",
        "__host__ __device__",
        "__device__ __noinline__",
        "static",
    ]);
    let (result, back) = if kind == "__global__" { ("void", "") } else { ("int", "return x[0];") };
    let declared = lines(size, |at| {
        format!(
            "{kind} {result} g{at}_{p}(int *x) {{ x[{}] = {at} * x[1]; if (x[2] > {at}) x[3]++; {back} }}",
            at % 64
        )
    });
    let count = declared.lines().count();
    let body = match kind {
        "__global__" | "static" => String::new(),
        _ => lines(count, |at| format!("s += g{at}_{p}(o);")),
    };
    Made { declared, body }
}

fn overloads(p: usize, size: usize, numbers: &mut Numbers) -> Made {
    let template = numbers.below(3) == 0;
    let types =
        lines(size, |at| format!("struct O{at}_{p} {{ int x; {BOTH} O{at}_{p}(int y) {{ x = y; }} }};"));
    let count = types.lines().count();
    let overloads = lines(count, |at| {
        let head = if template { "template <class T> " } else { "" };
        let more = if template { ", T t = T()" } else { "" };
        format!("{head}{BOTH} int h_{p}(O{at}_{p} v{more}) {{ return v.x + {at}; }}")
    });
    let calls = if template { "<int>" } else { "" };
    let uses = numbers.one_of(&[1, 10, count]);
    let body = lines(uses, |at| format!("s += h_{p}{calls}(O{}_{p}(s));", at % count));
    let ambiguous = if numbers.below(3) == 0 { format!("s += h_{p}(1);\n") } else { String::new() };
    Made { declared: types + &overloads, body: body + &ambiguous }
}

fn constructors(p: usize, size: usize, numbers: &mut Numbers) -> Made {
    let depth = (size.ilog2() as usize * 2).min(30);
    let ends = numbers.one_of(&["", "~S0_{p}() { a--; }"]).replace("{p}", &p.to_string());
    let ends = if ends.is_empty() { ends } else { format!("{BOTH} {ends}") };
    let (count, line): (usize, Box<dyn Fn(usize) -> String>) = match numbers.below(3) {
        0 => (depth, Box::new(move |at| format!("struct S{}_{p} {{ S{at}_{p} a, b; }};", at + 1))),
        1 => (size, Box::new(move |at| format!("struct S{}_{p} : S{at}_{p} {{ int b{at}; }};", at + 1))),
        _ => (size, Box::new(move |at| format!("struct S{}_{p} {{ S{at}_{p} a; int b; }};", at + 1))),
    };
    let levels = lines(count, line);
    let last = levels.lines().count();
    let length = numbers.one_of(&[1, 10, 1000, 1_000_000]);
    let declared = format!("struct S0_{p} {{ int a; {BOTH} S0_{p}() {{ a = 1; }} {ends} }};\n{levels}");
    Made { declared, body: format!("S{last}_{p} a[{length}]; s += (int)sizeof(a[0]);\n") }
}

fn strings(p: usize, size: usize, numbers: &mut Numbers) -> Made {
    let piece = numbers.one_of(&["abc", "\\n\\t", "\\x41", "%d ", "é", "\\\\", "\\0", "??/", "%"]);
    let long = repeated(piece, size * 4);
    let body = match numbers.below(4) {
        0 => format!("printf(\"{long}\", s);\n"),
        1 => format!("const char *q = {};\ns += q[n];\n", lines(size, |_| format!("\"{piece}\""))),
        2 => lines(size, |at| format!("printf(\"{at} {piece}\\n\", s);")),
        _ => format!("const char q[] = \"{long}\"; s += q[n];\n"),
    };
    Made { declared: format!("const char *t_{p} = \"{long}\";\n"), body }
}

fn variables(p: usize, size: usize, numbers: &mut Numbers) -> Made {
    let chosen = numbers.below(4);
    let body = match chosen {
        0 => {
            let set = lines(size, |at| format!("int v{at} = o[{}];", at % 64));
            let count = set.lines().count();
            set + &lines(count, |at| format!("s += v{at};"))
        }
        1 => lines(size, |at| format!("int v{at} = o[{}]; if (n > {at}) v{at} = s; s += v{at};", at % 64)),
        2 => lines(size, |at| format!("__shared__ int v{at}; v{at} = s; __syncthreads(); s += v{at};")),
        _ => lines(size, |at| format!("s += g{at}_{p};")),
    };
    let kind = numbers.one_of(&["__device__", "__constant__", "static"]);
    let declared =
        if chosen == 3 { lines(size, |at| format!("{kind} int g{at}_{p} = {at};")) } else { String::new() };
    Made { declared, body }
}

fn jumps(p: usize, size: usize, numbers: &mut Numbers) -> Made {
    let backward = numbers.below(3) == 0;
    let mut text = String::new();
    let count = size.min(6000);
    for at in 0..count {
        let to = if backward { numbers.below(count) } else { (at + 1 + numbers.below(10)).min(count - 1) };
        let _ = writeln!(text, "L{at}_{p}: s += {at}; if (s % {} == 1) goto L{to}_{p};", at + 2);
    }
    Made { declared: String::new(), body: text }
}

fn constant_functions(p: usize, size: usize, numbers: &mut Numbers) -> Made {
    let (declared, call) = match numbers.below(3) {
        0 => (
            format!("constexpr int q_{p}(int n) {{ return n < 2 ? n : q_{p}(n - 1) + q_{p}(n - 2); }}\n"),
            size.ilog2() as usize * 3,
        ),
        1 => (format!("constexpr int q_{p}(int n) {{ return n < 1 ? 0 : q_{p}(n - 1) + 1; }}\n"), size),
        _ => (format!("constexpr int q_{p}(int n) {{ return q_{p}(n + 1) ^ n; }}\n"), size),
    };
    let times = numbers.one_of(&[1, 1, 100]);
    let body = lines(times, |at| format!("{{ int a[q_{p}({call}) + {at}]; s += sizeof a; }}"));
    let enumeration = lines(size, |at| {
        format!("E{at}_{p} = {},", if at == 0 { "1".to_owned() } else { format!("E{}_{p} + 1", at - 1) })
    });
    Made { declared: format!("{declared}enum {{\n{enumeration}}};\n"), body }
}

fn conditional_texts(p: usize, size: usize, numbers: &mut Numbers) -> Made {
    let depth = if numbers.below(2) == 0 { size.min(100) } else { size };
    let declared = match numbers.below(4) {
        0 => format!(
            "{}int x_{p};\n{}",
            lines(depth, |at| format!("#if {at} < {depth}")),
            repeated("#endif\n", depth)
        ),
        1 => format!("#if {}1{}\nint x_{p};\n#endif\n", repeated("(", depth), repeated(")", depth)),
        2 => format!("#if {}1\nint x_{p};\n#endif\n", repeated("1 + ", depth)),
        _ => format!("#if 0\n{}#endif\n", lines(depth, |at| format!("#elif {at} == -1\nint x_{p};"))),
    };
    Made { declared, body: String::new() }
}
