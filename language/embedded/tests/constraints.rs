//! Constraints of C++20 in kernels, and programs that are refused: the message names what is wrong.

#[expect(dead_code, reason = "each test uses a part")]
mod common;

use common::{printed, refused, run};
use cuda::options::Options;
use cuda::target::Target;

/// The headers and declarations of each program.
const FRONT: &str = "#include <compare>\n#include <concepts>\n#include <cstdio>\n#include <span>\n#include <vector>\n\
    template <class T> concept Small = sizeof(T) <= 4;\n\
    template <class T> concept Signed = std::signed_integral<T>;\n\
    template <std::integral T> __host__ __device__ T half(T a) { return a / 2; }\n\
    template <std::integral T> struct Counter { T n; void flip() requires Signed<T> { n = -n; } };\n\
    template <class T> struct Pick {}; template <Small T> struct Pick<T> {};\n\
    template <Signed T> struct Pick<T> {};\n\
    struct Plain { int n; };\n";

/// Statements of `main`, and what the message about them contains.
const REFUSED: &[(&str, &str)] = &[
    ("half(1.5);", "this constraint is not satisfied"),
    ("half<float>(1);", "this constraint is not satisfied"),
    ("Counter<double> c;", "does not satisfy the constraint of `Counter`"),
    ("Counter<unsigned> c{1}; c.flip();", "this constraint is not satisfied"),
    ("std::integral auto x = 1.5;", "`double` does not satisfy `integral`"),
    ("const std::floating_point auto &x = 1;", "`int` does not satisfy `floating_point`"),
    ("auto f = [](std::integral auto a) { return a; }; f(1.5);", "this constraint is not satisfied"),
    ("auto f = []<Small T>(T a) { return a; }; f(1.5);", "this constraint is not satisfied"),
    ("auto f = [](int a) -> std::floating_point auto { return a; }; f(1);", "does not satisfy"),
    ("static_assert(Small<double>);", "static assertion failed"),
    ("static_assert(Small);", "concept `Small` needs arguments"),
    ("return requires { Plain().missing; };", "`missing`"),
    ("Plain a{1}, b{2}; return a == b;", "operator `==`"),
    ("Plain a{1}, b{2}; return a != b;", "operator `!=`"),
    ("int list[3]; std::span<int, 4> s(list);", "no `span` takes"),
    ("const int list[3] = {}; std::span<int> s(list);", "no `span` takes"),
    ("unsigned u = 1; int i = 2; return (u <=> i) < 0;", "loses the sign"),
    ("Pick<int> pick;", "several specializations"),
    ("Plain p = {.missing = 1};", "no member `missing`"),
    ("struct P { int x, y; }; P p = {.y = 1, .x = 2};", "the order of the members"),
    ("co_return;", "a coroutine"),
    ("int x = 0; co_await x;", "a coroutine"),
];

/// Declarations, and what the message about them contains.
const DECLARATIONS: &[(&str, &str)] = &[
    ("import std;", "a module of C++20"),
    ("export module part;", "a module of C++20"),
    (
        "template <Small T> void f(T) {}\ntemplate <Signed T> void f(T) {}\nvoid g() { f(1); }",
        "several functions fit",
    ),
    ("template <class T> requires (sizeof(T)) void f(T) {}\nvoid g() { f(1); }", "`f`"),
    ("std::integral auto f() { return 1.5; }\nint x = f();", "`double` does not satisfy `integral`"),
    ("template <template <Small> class T> struct A {};", "a constraint on the parameters"),
    ("struct A { int n; friend bool operator==(const A &, const A &) = default; };", "no method"),
    ("struct A { int n; bool operator+(const A &) const = default; };", "cannot be defined"),
    ("struct A { explicit(sizeof(int) == 4) A(int) {} };\nA a = 1;", "found `int`"),
    (
        "int n;\nstruct A { explicit(n == 4) A(int) {} };\nvoid g() { A a(1); }",
        "the condition of `explicit` must be a constant",
    ),
    (
        "struct A { Plain p; bool operator==(const A &) const = default; };\nbool f(A a) { return a == a; }",
        "`==`",
    ),
    (
        "struct A { double d; std::strong_ordering operator<=>(const A &) const = default; };\n\
         bool f(A a) { return a < a; }",
        "a weaker order",
    ),
    ("template <Small T> concept Other = true;", "takes no constraints"),
    (
        "__global__ void k(std::span<int> s) { s[0] = half(1.5); }\nvoid g() { k<<<1, 1>>>({}); }",
        "this constraint is not satisfied",
    ),
];

#[test]
fn kernels_have_concepts_and_spans() {
    let out = printed("kernels.cu", include_str!("constraints/kernels.cu"));
    assert_eq!(out, "6 3 13 4 0.75 3.5 \n0 1 2 18.8496 2 7 47.1239 5 7 \n1 2\n");
}

/// Kernels of several templates that differ in constraints have one name in PTX.
#[test]
fn kernels_alone_are_those_with_the_strongest_constraint() {
    let target = Target::from_name("sm_20").expect("a target");
    let none = |_: &str, _: &str, _: bool| None;
    let text = include_str!("constraints/kernels.cu");
    let made = cuda::compile("kernels.cu", text, &none, target, &Options::of(target));
    let ptx = made.ptx.expect("the kernels compile");
    let entries: Vec<&str> = ptx.lines().filter(|line| line.contains(".entry _Z4name")).collect();
    assert_eq!(entries.len(), 3, "{entries:?}");
    assert!(entries.iter().all(|line| !line.contains('$')), "{entries:?}");
}

#[test]
fn unsatisfied_constraints_are_refused() {
    for (statements, wanted) in REFUSED {
        let message = refused("main.cu", &format!("{FRONT}int main() {{ {statements} }}\n"));
        assert!(message.contains(wanted), "{statements}\n{message}");
    }
}

#[test]
fn wrong_declarations_are_refused() {
    for (declarations, wanted) in DECLARATIONS {
        let message = refused("main.cu", &format!("{FRONT}{declarations}\nint main() {{ return 0; }}\n"));
        assert!(message.contains(wanted), "{declarations}\n{message}");
    }
}

/// The words of C++20 stay names in older programs.
#[test]
fn words_of_later_standards_are_names() {
    let text = "#include <cstdio>\n\
        struct module { int import; };\n\
        static int requires(int concept) { return concept + 1; }\n\
        module export_;\n\
        int main() {\n\
            int consteval = requires(1), constinit = 2, co_yield = 3;\n\
            module part = {4};\n\
            printf(\"%d %d %d %d\\n\", consteval, constinit, co_yield, part.import);\n\
        }\n";
    let run = run("main.cu", text, "fermi", &[]);
    assert_eq!((run.out.as_str(), run.message.as_str()), ("2 2 3 4\n", ""));
}
