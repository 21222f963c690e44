//! Tests of macros, conditions and included files.

use std::fmt::Write as _;

use super::*;

/// Tokens of the text with a space between two, and the messages.
fn run(text: &str) -> (String, Vec<String>) {
    let mut sources = Sources::default();
    let (mut names, mut out) = (Interner::default(), Diagnostics::default());
    let loader = |path: &str, _: &str, _: bool| {
        let text = match path {
            "a.h" => "#pragma once\nA\n",
            "loop.h" => "#include \"loop.h\"\n",
            "helper_cuda.h" | "vector" => "own\n",
            _ => return None,
        };
        Some(Included { name: path.to_owned(), text: text.to_owned(), hidden: false })
    };
    let file = sources.add("t.cu", text, false).unwrap();
    let mut tokens = Vec::new();
    let mut preprocessor = Preprocessor::new(&mut sources, &mut names, &mut out, &loader);
    preprocessor.run(file, &mut tokens);
    let spelled: Vec<String> = tokens
        .iter()
        .map(|token| match token.kind {
            TokenKind::Unroll(factor) => format!("<unroll {factor}>"),
            TokenKind::Pack(bytes) => format!("<pack {bytes}>"),
            _ => preprocessor.spelled(*token),
        })
        .collect();
    (spelled.join(" "), out.into_list().into_iter().map(|one| one.message).collect())
}

#[test]
fn macros_expand() {
    let cases = [
        ("#define N 4\nint a[N];", "int a [ 4 ] ;"),
        ("#define F(x,y) x+y\nF(1,(2,3)) F", "1 + ( 2 , 3 ) F"),
        ("#define S(x) #x\nS( a \"b\\n\" + 1 )", "\"a \\\"b\\\\n\\\" + 1\""),
        ("#define C(a,b) a##b\nC(x,1) C(,y) C(,)", "x1 y"),
        ("#define X X Y\n#define Y X\nX", "X X"),
        ("#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)", "2 * 9 * g"),
        ("#define V(f,...) f(__VA_ARGS__)\nV(p,1,2) V(p)", "p ( 1 , 2 ) p ( )"),
        ("#define V(f,...) p(f,##__VA_ARGS__)\nV(a) V(a,b)", "p ( a ) p ( a , b )"),
        ("#define E(a...) a\nE(1,2)", "1 , 2"),
        ("#define X(a) a\nX\n(\n1\n)", "1"),
        ("#define CAT(a,b) CAT_(a,b)\n#define CAT_(a,b) a##b\nCAT(v,__LINE__)", "v3"),
        ("#define A(x) x\n#define B A(\nB 1)", "1"),
        ("#define N 2\n#undef N\nN", "N"),
        ("__FILE__ __LINE__ __COUNTER__ __COUNTER__", "\"t.cu\" 1 0 1"),
        ("#define a a\na", "a"),
        ("#define L(x) x x\nL(L(L(1)))", "1 1 1 1 1 1 1 1"),
    ];
    for (text, expected) in cases {
        let (found, messages) = run(text);
        assert_eq!(found, expected, "{text}");
        assert!(messages.is_empty(), "{text}: {messages:?}");
    }
}

#[test]
fn files_of_the_user_come_before_headers_of_the_compiler() {
    for include in ["<helper_cuda.h>", "\"helper_cuda.h\"", "<vector>"] {
        assert_eq!(run(&format!("#include {include}\nb")), ("own b".to_owned(), Vec::new()), "{include}");
    }
}

#[test]
fn comments_that_begin_on_directives_end_later() {
    let cases = [
        ("#include \"a.h\" /* x\n * y */\nb", "A b"),
        ("#include /* x\ny */ \"a.h\" // z /*\nb", "A b"),
        ("#define N 1 /* x\ny */ + 2\nN", "1 + 2"),
        ("#undef N /* x\n#error y\n*/\nb", "b"),
        ("#if 1 /* x\n#endif\n*/\na\n#else /* x\n*/ y\nb\n#endif /* x\n*/\nc", "a c"),
        ("#ifdef X // y /*\na\n#else\nb\n#endif", "b"),
        ("#if 0 /* x\n#endif\n*/\na /* y\n#endif\n*/ \"/*\"\n#endif\nb", "b"),
        ("#if 0\nit's /* not a comment\n#endif\nb", "b"),
        ("#pragma other /* x\n#error y\n*/\nb", "b"),
    ];
    for (text, expected) in cases {
        assert_eq!(run(text), (expected.to_owned(), Vec::new()), "{text}");
    }
    let (_, messages) = run("#include \"a.h\" /* x\nb");
    assert_eq!(messages, ["comment has no end"]);
    let (_, messages) = run("#error one /* x\ny */\n");
    assert_eq!(messages, ["#error one /* x"]);
}

#[test]
fn conditionals_select() {
    let cases = [
        ("#if 1\na\n#else\nb\n#endif", "a"),
        ("#if 0\na\n#elif 1\nb\n#elif 1\nc\n#else\nd\n#endif", "b"),
        ("#ifdef X\n#if 1\na\n#endif\n#else\nb\n#endif c", "b"),
        ("#define X 3\n#if defined(X) && X >= 3 && !defined Y\na\n#endif", "a"),
        ("#if 0 && 1/0\na\n#else\nb\n#endif", "b"),
        ("#if -1 > 0u\na\n#endif", "a"),
        ("#if (1 ? 2 : 3) == 2 && 'a' == 97\na\n#endif", "a"),
        ("#if 0\nit's not \"text\n#endif\nb", "b"),
        ("#ifndef X\na\n#endif", "a"),
        ("#if __has_include(\"a.h\") && !__has_include(\"b.h\")\na\n#endif", "a"),
    ];
    for (text, expected) in cases {
        let (found, messages) = run(text);
        assert_eq!(found, expected, "{text}");
        assert!(messages.is_empty(), "{text}: {messages:?}");
    }
}

#[test]
fn includes_and_pragmas() {
    let (found, messages) =
        run("#include \"a.h\"\n#include \"a.h\"\n#include <iostream>\n#define H \"a.h\"\n#include H\nb");
    assert_eq!((found.as_str(), messages.len()), ("A b", 0));
    let (found, _) =
        run("#define N 4\n#pragma unroll N\nfor\n#pragma unroll\n_Pragma(\"unroll 2\")\n#pragma omp x\n");
    assert_eq!(found, "<unroll 4> for <unroll 0> <unroll 2>");
}

#[test]
fn errors_of_the_preprocessor() {
    let cases = [
        ("#if 1\n", "conditional has no `#endif`"),
        ("#endif", "`#endif` without `#if`"),
        ("#else", "`#else` without `#if`"),
        ("#defin N", "`#defin` is no directive"),
        ("_Pragma(\"pack(1)\")", "`_Pragma(\"pack(...)\")` is not supported"),
        ("#include \"b.h\"", "file \"b.h\" is not found"),
        ("#include", "`#include` needs a file name"),
        ("#error no way", "#error no way"),
        ("#define F(x) x\nF(1,2)", "macro `F` takes 1 argument, but 2 are given"),
        ("#define F(x) x\nF(1", "the use of macro `F` has no `)`"),
        ("#define F(x) #y", "`#` must be followed by a parameter of the macro"),
        ("#if 1 +\n#endif", "the condition ends too early"),
        ("#if 1/0\n#endif", "division by zero in a condition"),
        ("#include \"loop.h\"", "files include each other without end"),
        ("#define C(a,b) a##b\nC(+,/)", "`##` joins `+` and `/` into no token"),
    ];
    for (text, expected) in cases {
        let (_, messages) = run(text);
        assert_eq!(messages, [expected], "{text}");
    }
}

#[test]
fn expansion_is_bounded() {
    let mut text = String::from("#define A0 x x x x\n");
    for at in 1..20 {
        let _ = writeln!(text, "#define A{at} A{0} A{0} A{0} A{0}", at - 1);
    }
    let (_, messages) = run(&(text + "A19"));
    assert_eq!(messages.len(), 1, "{messages:?}");
    let deep = format!("#define F(x) x\n{}1{}", "F(".repeat(500), ")".repeat(500));
    let (_, messages) = run(&deep);
    assert_eq!(messages, ["macro arguments are nested more than 64 deep"]);
}
