//! Large inputs, each a stress test for one part of the front end: a careless compiler would need
//! quadratic time or memory. Every generator returns a text of about the given number of bytes.
//!
//! `tests/tests/front_end.rs` checks each one against a generous time limit,
//! `tests/benches/front_end.rs` measures them, and `doors/cli/tests/it/large.rs` passes them to the
//! program.

/// A generator: its name, and a function that returns a text of about the given number of bytes.
pub type Generator = (&'static str, fn(usize) -> String);

/// PTX texts.
pub const PTX: &[Generator] = &[
    ("newlines", newlines),
    ("one long line", |bytes| format!("{}x", " ".repeat(bytes))),
    ("comment on one line", |bytes| format!("{}// {}\n", HEAD, "x".repeat(bytes))),
    ("comments", |bytes| lines(bytes, "", |_| "/* a comment */ // and another\n".to_owned(), "")),
    ("unclosed quotes", |bytes| lines(bytes, "", |_| "\" ".to_owned(), "")),
    ("one-byte tokens", |bytes| ";".repeat(bytes)),
    ("foreign characters", |bytes| lines(bytes, "", |_| "\u{e9}\n".to_owned(), "")),
    ("bad numbers", |bytes| lines(bytes, KERNEL, |i| format!("mov.u32 %r1, 0q{i};\n"), "}\n")),
    ("missing semicolons", |bytes| lines(bytes, KERNEL, |_| "mov.u32 %r1, %r2\n".to_owned(), "}\n")),
    ("errors on one line", |bytes| lines(bytes, KERNEL, |_| "x; ".to_owned(), "}\n")),
    ("unknown instructions", |bytes| lines(bytes, KERNEL, |_| "x;\n".to_owned(), "}\n")),
    ("wrong types", |bytes| lines(bytes, KERNEL, |_| "add.f32 %r1, %r2, %r3;\n".to_owned(), "}\n")),
    ("undefined names", undefined_names),
    ("undefined labels", |bytes| {
        lines(bytes, KERNEL, |i| format!("label_{i}: bra label_{};\n", i + 10_000_000), "}\n")
    }),
    ("long label", |bytes| {
        let (name, other) = ("a".repeat(bytes / 2), "b".repeat(bytes / 2));
        format!("{KERNEL}{name}: bra {other};\n}}\n")
    }),
    ("long labels", |bytes| {
        let label = |i: usize| format!("{}{i}", "a".repeat(999));
        lines(bytes, KERNEL, |i| format!("{}: bra {};\n", label(i), label(i + 5000)), "}\n")
    }),
    ("long instruction name", |bytes| format!("{KERNEL}{} %r1;\n}}\n", "a".repeat(bytes))),
    ("modifiers", |bytes| format!("{KERNEL}add{} %r1, %r2, %r3;\n}}\n", ".x".repeat(bytes / 2))),
    ("operands", |bytes| format!("{KERNEL}add.u32 %r1{};\n}}\n", ", %r1".repeat(bytes / 5))),
    ("long vector", |bytes| format!("{KERNEL}mov.b64 %r1, {{%r1{}}};\n}}\n", ",%r2".repeat(bytes / 4))),
    ("empty functions", |bytes| lines(bytes, HEAD, |i| format!(".func f{i} () {{}}\n"), KERNEL_AFTER)),
    ("empty kernels", |bytes| lines(bytes, HEAD, |i| format!(".entry k{i} () {{}}\n"), "")),
    ("declared functions", |bytes| lines(bytes, HEAD, |i| format!(".extern .func f{i} ();\n"), KERNEL_AFTER)),
    ("kernels and variables", kernels_and_variables),
    ("call chain, callees first", |bytes| call_chain(bytes, true)),
    ("call chain, callers first", |bytes| call_chain(bytes, false)),
    ("call chain with live values", live_call_chain),
    ("recursive cycle", recursive_cycle),
    ("kernels that call all functions", kernels_calling),
    ("calls of one function", |bytes| {
        let head = format!("{HEAD}.func f () {{ret;}}\n.entry k () {{\n");
        lines(bytes, &head, |_| "call f;\n".to_owned(), "}\n")
    }),
    ("indirect calls", indirect_calls),
    ("prototypes", prototypes),
    ("address table", address_table),
    ("initializer", |bytes| {
        lines(bytes, &format!("{HEAD}.global .u32 a[] = {{1"), |_| ",1".to_owned(), "};\n")
    }),
    ("global variables", |bytes| lines(bytes, HEAD, |i| format!(".global .u32 a{i};\n"), KERNEL_AFTER)),
    ("shared variables", |bytes| {
        lines(bytes, KERNEL, |i| format!(".shared .u32 a{i};\nst.shared.u32 [a{i}], %r1;\n"), "}\n")
    }),
    ("constants", |bytes| {
        lines(bytes, KERNEL, |i| format!("mov.u32 %r1, {i}; st.shared.u32 [{}], %r1;\n", i * 4), "}\n")
    }),
    ("parameters", |bytes| {
        let params = lines(bytes, "", |i| format!(".param .u32 p{i},\n"), ".param .u32 last");
        format!("{HEAD}.entry k ({params}) {{}}\n")
    }),
    ("register declarations", |bytes| lines(bytes, KERNEL, |i| format!(".reg .u32 a{i};\n"), "}\n")),
    ("register ranges", |bytes| {
        let line = |i: usize| format!(".reg .u32 a{i}x<2>;\nmov.u32 a{i}x1, 1;\n");
        lines(bytes, KERNEL, line, "}\n")
    }),
    ("registers of a range", |bytes| {
        lines(bytes, KERNEL, |i| format!("mov.u32 %r{i}, %r{};\n", i / 2), "st.global.u32 [%r1], %r99;\n}\n")
    }),
    ("declared twice", |bytes| lines(bytes, KERNEL, |_| ".reg .u32 a;\n".to_owned(), "}\n")),
    ("nested blocks", |bytes| {
        let nest = |_| format!("{}{}\n", "{".repeat(60), "}".repeat(60));
        lines(bytes, KERNEL, nest, "}\n")
    }),
    ("open braces", |bytes| format!("{KERNEL}{}", "{".repeat(bytes))),
    ("open parentheses", |bytes| format!("{HEAD}.global .u32 a[{}", "(".repeat(bytes))),
    ("nested expressions", |bytes| {
        let deep = |i| format!(".global .u32 a{i} = {}1{};\n", "(".repeat(60), ")".repeat(60));
        lines(bytes, HEAD, deep, "")
    }),
    ("long expression", |bytes| format!("{HEAD}.global .u32 a = 1{};\n", "+1".repeat(bytes / 2))),
    (".loc and .file lines", |bytes| {
        lines(bytes, KERNEL, |i| format!(".loc 1 {i} 0\nadd.u32 %r1, %r1, 1;\n"), "}\n.file 1 \"a.cu\"\n")
    }),
    ("straight line", |bytes| {
        lines(bytes, KERNEL, |i| format!("add.u32 %r{}, %r{}, %r1;\n", i % 500, i * 7 % 500), STORE)
    }),
    ("values live throughout", values_live_throughout),
    ("live predicates", |bytes| {
        let line = |i: usize| format!("setp.eq.u32 %p{}, %r{}, {i};\n", i % 2000, i % 300);
        lines(bytes, KERNEL, line, "@%p7 st.global.u32 [%r1], %r2;\n}\n")
    }),
    ("branches to one label", |bytes| {
        lines(bytes, KERNEL, |_| "@%p1 bra end;\n".to_owned(), "end: exit;\n}\n")
    }),
    ("branches back to one label", |bytes| {
        lines(bytes, &format!("{KERNEL}start:\n"), |_| "@%p1 bra start;\n".to_owned(), "exit;\n}\n")
    }),
    ("branches with work", |bytes| {
        let line = |i: usize| format!("@%p1 bra end;\nadd.u32 %r{i}, %r{}, 1;\n", i.saturating_sub(1));
        lines(bytes, KERNEL, line, "end: st.global.u32 [%r1], %r7;\n}\n")
    }),
    ("ladder of branches", |bytes| {
        lines(bytes, KERNEL, |i| format!("l{i}: @%p1 bra l{};\n", i + 2), "bra end;\n}\n")
            .replace("bra end;", "exit;")
    }),
    ("nested loops", nested_loops),
    ("tangled branches", tangled_branches),
    ("endless loops", |bytes| {
        lines(bytes, KERNEL, |i| format!("@%p1 bra b{i};\na{i}: bra a{i};\nb{i}:\n"), "exit;\n}\n")
    }),
    ("many labels", |bytes| lines(bytes, KERNEL, |i| format!("l{i}:\n"), "exit;\n}\n")),
    ("moves", |bytes| {
        let line = |i: usize| format!("@%p1 mov.u32 %r{}, %r{};\n", i % 900, i * 31 % 900);
        lines(bytes, KERNEL, line, STORE)
    }),
    ("loads and stores", |bytes| {
        let line = |i: usize| format!("ld.shared.u32 %r{}, [%r5+{}];\n", i % 900, i * 4);
        lines(bytes, KERNEL, line, STORE)
    }),
    ("fused operands", |bytes| {
        let line = |i: usize| format!("neg.s32 %r{}, %r{i};\n", i + 1);
        lines(bytes, KERNEL, line, STORE)
    }),
    ("sums", |bytes| {
        let line = |i: usize| format!("add.u32 %r{}, %r{i}, 4;\n", i + 1);
        lines(bytes, KERNEL, line, "st.global.u32 [%r9], %r8;\n}\n")
    }),
];

/// Launch files for [`LAUNCHED`].
pub const LAUNCH: &[Generator] = &[
    ("buffers", |bytes| launch(&map(bytes, "buffers", |i| format!("\"b{i}\": (type: u8, len: 1),\n")))),
    ("undefined buffers", |bytes| {
        let one = |i| format!("(buf: \"nothing_{i}\", formula: \"0\"),\n");
        launch(&format!(
            "{}{}",
            map(bytes / 2, "buffers", |i| format!("\"buffer_{i}\": (type: u8, len: 1),\n")),
            list(bytes / 2, "expect", one)
        ))
    }),
    ("expectations", |bytes| {
        let one = |i| format!("(buf: \"b{i}\", formula: \"b{i}[0]\"),\n");
        launch(&format!(
            "{}{}",
            map(bytes / 2, "buffers", |i| format!("\"b{i}\": (type: u8, len: 1),\n")),
            list(bytes / 2, "expect", one)
        ))
    }),
    ("dumps", |bytes| {
        let one = |i| format!("(buf: \"b\", to: \"same{}\"),\n", i / 2);
        launch(&format!("buffers: {{\"b\": (type: u8, len: 1)}},\n{}", list(bytes, "dumps", one)))
    }),
    ("values", |bytes| {
        let values = lines(bytes, "", |_| "1,".to_owned(), "");
        launch(&format!("buffers: {{\"b\": (type: u8, init: values([{values}]))}},\n"))
    }),
    ("bad values", |bytes| {
        let values = lines(bytes, "", |_| "x,".to_owned(), "");
        launch(&format!("buffers: {{\"b\": (type: u8, init: values([{values}]))}},\n"))
    }),
    ("unknown fields", |bytes| launch(&lines(bytes, "", |i| format!("field_{i}: 1,\n"), ""))),
    ("symbols", |bytes| launch(&map(bytes, "symbols", |i| format!("\"s{i}\": (init: values([1])),\n")))),
    ("long formula", |bytes| {
        let formula = format!("0{}", "+i".repeat(bytes / 2));
        launch(&format!(
            "buffers: {{\"b\": (type: f32, len: 1)}},\nexpect: [(buf: \"b\", formula: \"{formula}\")],\n"
        ))
    }),
    ("deep formula", |bytes| {
        let formula = format!("{}0", "(".repeat(bytes));
        launch(&format!(
            "buffers: {{\"b\": (type: f32, len: 1)}},\nexpect: [(buf: \"b\", formula: \"{formula}\")],\n"
        ))
    }),
    ("long word", |bytes| launch(&format!("cache: {},\n", "a".repeat(bytes)))),
    ("long name", |bytes| launch(&format!("expect: [(buf: \"{}\", formula: \"0\")],\n", "a".repeat(bytes)))),
    ("newlines", |bytes| "\n".repeat(bytes)),
    ("open lists", |bytes| "[".repeat(bytes)),
    ("one line", |bytes| format!("({}x", " ".repeat(bytes))),
];

/// The kernel that [`LAUNCH`] refers to.
pub const LAUNCHED: &str = ".version 1.4\n.target sm_10\n.entry k () { exit; }\n";

const HEAD: &str = ".version 3.1\n.target sm_20\n.address_size 32\n";

const KERNEL: &str = ".version 3.1\n.target sm_20\n.address_size 32\n.entry k () {\n\
                      .reg .u32 %r<99999>;\n.reg .pred %p<9999>;\n";

const KERNEL_AFTER: &str = ".entry k () {}\n";

const STORE: &str = "st.global.u32 [%r1], %r2;\n}\n";

/// Returns `head`, lines up to the size, and `tail`.
fn lines(bytes: usize, head: &str, mut line: impl FnMut(usize) -> String, tail: &str) -> String {
    let mut text = String::with_capacity(bytes + 100);
    text.push_str(head);
    let mut number = 0;
    while text.len() + tail.len() < bytes {
        text.push_str(&line(number));
        number += 1;
    }
    text.push_str(tail);
    text
}

/// Concatenates the lines of some numbers.
fn each(numbers: impl Iterator<Item = usize>, line: impl FnMut(usize) -> String) -> String {
    numbers.map(line).collect::<Vec<_>>().concat()
}

fn newlines(bytes: usize) -> String {
    "\n".repeat(bytes)
}

fn undefined_names(bytes: usize) -> String {
    let declared = lines(bytes / 2, KERNEL, |i| format!(".reg .u32 register_{i};\n"), "");
    lines(bytes, &declared, |i| format!("mov.u32 %r1, regisetr_{i};\n"), "}\n")
}

fn kernels_and_variables(bytes: usize) -> String {
    let variables = lines(bytes / 2, HEAD, |i| format!(".shared .u32 a{i};\n"), "");
    lines(bytes, &variables, |i| format!(".entry k{i} () {{ .reg .u32 r; mov.u32 r, a{i}; }}\n"), "")
}

fn call_chain(bytes: usize, callees_first: bool) -> String {
    let count = bytes / 36;
    let function = |i: usize| match i {
        0 => ".func f0 () {ret;}\n".to_owned(),
        _ => format!(".func f{i} () {{call f{};ret;}}\n", i - 1),
    };
    let mut text = HEAD.to_owned();
    if callees_first {
        text += &each(0..count, function);
    } else {
        text += &each(0..count, |i| format!(".func f{i} ();\n"));
        text += &each((0..count).rev(), function);
    }
    text + &format!(".entry k () {{call f{};}}\n", count - 1)
}

fn live_call_chain(bytes: usize) -> String {
    let count = bytes / 110;
    let mut text = format!("{HEAD}.global .u32 g;\n.func f0 () {{ret;}}\n");
    text += &each(1..count, |i| {
        let body = format!(".reg .u32 a; ld.global.u32 a, [g]; call f{}; st.global.u32 [g], a; ret;", i - 1);
        format!(".func f{i} () {{{body}}}\n")
    });
    text + &format!(".entry k () {{call f{};}}\n", count - 1)
}

fn recursive_cycle(bytes: usize) -> String {
    let count = bytes / 80;
    let mut text = HEAD.to_owned();
    text += &each(0..count, |i| format!(".func f{i} ();\n"));
    text += &each(0..count, |i| {
        let body = format!(".reg .pred p; @p call f{}; ret;", (i + 1) % count);
        format!(".func f{i} () {{{body}}}\n")
    });
    text + ".entry k () {call f0;}\n"
}

fn kernels_calling(bytes: usize) -> String {
    let count = bytes / 4 / 19;
    let functions = each(0..count, |i| format!(".func f{i} () {{ret;}}\n"));
    let calls = each(0..count, |i| format!("call f{i};\n"));
    let head = format!("{HEAD}{functions}.func all () {{\n{calls}ret;}}\n");
    lines(bytes, &head, |i| format!(".entry k{i} () {{call all;}}\n"), "")
}

fn indirect_calls(bytes: usize) -> String {
    let count = bytes / 3 / 40;
    let functions = each(0..count, |i| format!(".func f{i} () {{ret;}}\n"));
    let body = format!("{HEAD}{functions}.entry k () {{\n.reg .u32 %r<9>;\nproto: .callprototype _ ();\n");
    let taken = lines(body.len() * 2, &body, |i| format!("mov.u32 %r1, f{};\n", i % count), "");
    lines(bytes, &taken, |_| "call %r1, proto;\n".to_owned(), "exit;\n}\n")
}

fn prototypes(bytes: usize) -> String {
    let line = |i: usize| format!("p{i}: .callprototype _ (.param .b8 a[{}]);\n", i % 4000 + 1);
    lines(bytes, KERNEL, line, "}\n")
}

fn address_table(bytes: usize) -> String {
    let variables = lines(bytes / 2, HEAD, |i| format!(".global .u32 v{i};\n"), "");
    let count = variables.lines().count() - 4;
    lines(bytes, &format!("{variables}.global .u32 t[] = {{v0"), |i| format!(",v{}", i % count), "};\n")
}

fn values_live_throughout(bytes: usize) -> String {
    let loads = each(0..500, |i| format!("ld.shared.u32 %r{i}, [{}];\n", i * 4));
    let stores = each(0..500, |i| format!("st.shared.u32 [{}], %r{i};\n", i * 4));
    let line = |i: usize| format!("@%p1 bra l{i};\nadd.u32 %r{0}, %r{0}, 1;\nl{i}:\n", 600 + i % 300);
    lines(bytes, &format!("{KERNEL}{loads}"), line, &format!("{stores}}}\n"))
}

fn nested_loops(bytes: usize) -> String {
    let count = bytes / 40;
    let mut text = KERNEL.to_owned();
    text += &each(0..count, |i| format!("l{i}: add.u32 %r1, %r1, 1;\n"));
    text += &each((0..count).rev(), |i| format!("@%p1 bra l{i};\n"));
    text + "exit;\n}\n"
}

/// Pseudorandom branches in both directions, with a register that is live across each.
fn tangled_branches(bytes: usize) -> String {
    let count = bytes / 70;
    let mut state = 1_u64;
    let line = |i: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let target = (state >> 33) as usize % count;
        let far = (state >> 20) as usize % count;
        format!("l{i}: @%p{} bra l{target};\nadd.u32 %r{i}, %r{far}, 1;\n", i % 9)
    };
    let mut text = KERNEL.to_owned();
    (0..count).map(line).for_each(|line| text += &line);
    text + "st.global.u32 [%r1], %r2;\n}\n"
}

fn launch(rest: &str) -> String {
    format!("(\nentry: \"k\", grid: 1, block: 32,\n{rest})\n")
}

fn map(bytes: usize, name: &str, entry: impl FnMut(usize) -> String) -> String {
    lines(bytes, &format!("{name}: {{\n"), entry, "},\n")
}

fn list(bytes: usize, name: &str, entry: impl FnMut(usize) -> String) -> String {
    lines(bytes, &format!("{name}: [\n"), entry, "],\n")
}
