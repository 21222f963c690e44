//! Linked modules: what they share, what stays theirs, and what is reported.

use crate::diag::render_source;
use crate::options::Options;
use crate::source::Source;
use crate::uop::Module;
use std::sync::Arc;

const HEADER: &str = ".version 2.1\n.target sm_20\n";

/// Compiles the texts of `a.ptx`, `b.ptx` and so on, each after a header; `Err` is the text of the
/// diagnostics.
fn linked(texts: &[&str]) -> Result<Module, String> {
    let texts: Vec<(String, String)> = ('a'..)
        .zip(texts)
        .map(|(letter, text)| {
            let header = if text.contains(".target") || text.is_empty() { "" } else { HEADER };
            (format!("{letter}.ptx"), format!("{header}{text}"))
        })
        .collect();
    let source = Arc::new(Source::linked(texts.iter().map(|(name, text)| (&**name, &**text))));
    let (module, diagnostics) = crate::compile_source(&source, Options::default());
    module.ok_or_else(|| render_source(&diagnostics, &source))
}

/// Returns code and place, such as `E0312 b.ptx:4:9`, of each error.
fn errors(texts: &[&str]) -> Vec<String> {
    let drawn = linked(texts).expect_err("an error");
    let mut found: Vec<String> = Vec::new();
    for line in drawn.lines() {
        if let Some(rest) = line.strip_prefix("error[") {
            found.push(rest[..5].to_owned());
        } else if let Some((_, place)) = line.split_once("--> ")
            && let Some(last) = found.last_mut().filter(|last| last.len() == 5)
        {
            last.extend([" ", place]);
        }
    }
    found
}

const KERNEL: &str = ".extern .func (.param .b32 r) twice (.param .b32 x);
.extern .global .u32 total;
.entry k () {
  .reg .u32 %r<3>;
  .param .b32 in;
  .param .b32 out;
  ld.global.u32 %r0, [total];
  st.param.b32 [in], %r0;
  call (out), twice, (in);
  ld.param.b32 %r1, [out];
  st.global.u32 [total], %r1;
  exit;
}
";

const TWICE: &str = ".visible .global .u32 total = 21;
.visible .func (.param .b32 r) twice (.param .b32 x) {
  .reg .u32 %r<2>;
  ld.param.b32 %r0, [x];
  add.u32 %r1, %r0, %r0;
  st.param.b32 [r], %r1;
  ret;
}
";

#[test]
fn a_function_and_a_variable_are_found_in_another_file() {
    for texts in [[KERNEL, TWICE], [TWICE, KERNEL]] {
        let module = linked(&texts).unwrap_or_else(|drawn| panic!("{drawn}"));
        let names: Vec<&str> = module.globals.iter().map(|symbol| &*symbol.name).collect();
        assert_eq!(names, ["total"]);
        assert_eq!(module.globals[0].init, [21, 0, 0, 0]);
        let program = module.entry("k").expect("the kernel");
        assert_eq!(program.functions.iter().map(|function| &*function.name).collect::<Vec<_>>(), ["twice"]);
        let files = program.source.files();
        let at = |pc: usize| files.place(program.lines[pc]).to_string();
        let (first, last) = if texts[0] == KERNEL { ("a", "b") } else { ("b", "a") };
        assert_eq!(at(0), format!("{first}.ptx:9"));
        let add = program.functions[0].start as usize;
        assert!(at(add).starts_with(&format!("{last}.ptx:")), "{}", at(add));
        for (pc, span) in program.spans.iter().enumerate() {
            let text = program.ptx.text[span.range()].lines().next().expect("a line");
            assert!(program.source.line(program.lines[pc]).contains(text.trim()), "pc {pc}");
        }
    }
}

#[test]
fn one_file_is_compiled_as_before() {
    let text = format!("{HEADER}{TWICE}.entry e () {{ exit; }}\n");
    let (alone, _) = crate::compile("k.ptx", &text);
    let alone = alone.expect("it compiles");
    let again = linked(&[&text]).expect("it compiles");
    assert_eq!(alone.entries[0].code, again.entries[0].code);
    assert_eq!(alone.entries[0].lines, again.entries[0].lines);
    assert_eq!(alone.entries[0].source.text, text);
}

#[test]
fn names_without_a_directive_belong_to_their_file() {
    let own = |value: u32, entry: &str| {
        format!(
            ".global .u32 v = {value};\n.global .u32 at_{entry} = v;\n.func f (.reg .u32 %a) {{\n  \
             st.global.u32 [v], %a;\n  ret;\n}}\n.entry {entry} () {{\n  call f, ({value});\n  exit;\n}}\n"
        )
    };
    let module = linked(&[&own(7, "one"), &own(9, "two")]).unwrap_or_else(|drawn| panic!("{drawn}"));
    let globals: Vec<(&str, &[u8])> = module.globals.iter().map(|v| (&*v.name, &*v.init)).collect();
    assert_eq!(
        globals,
        [
            ("a.ptx:v", &[7, 0, 0, 0][..]),
            ("at_one", &[0; 4][..]),
            ("b.ptx:v", &[9, 0, 0, 0][..]),
            ("at_two", &[0; 4][..])
        ]
    );
    let relocated = |at: usize| module.globals[at].relocs[0].1;
    assert_eq!([relocated(1), relocated(3)], [0, 2]);
    let called = |entry: &str| module.entry(entry).expect("the kernel").functions[0].name.clone();
    assert_eq!([called("one"), called("two")], ["a.ptx:f", "b.ptx:f"]);
}

#[test]
fn one_weak_definition_remains_and_gives_way_to_another() {
    let header = ".version 3.1\n.target sm_20\n";
    let of = |directive: &str, value: u32| {
        format!(
            "{header}{directive} .global .u32 v = {value};\n{directive} .func f () {{\n  .reg .u32 %r;\n  \
             mov.u32 %r, {value};\n  st.global.u32 [v], %r;\n  ret;\n}}\n"
        )
    };
    let entry = format!("{header}.extern .func f ();\n.entry k () {{\n  call f;\n  exit;\n}}\n");
    let value = |texts: &[&str]| {
        let module = linked(texts).unwrap_or_else(|drawn| panic!("{drawn}"));
        assert_eq!((module.globals.len(), module.entries[0].functions.len()), (1, 1));
        let constants = &module.entries[0].const32;
        let stored = module.globals[0].init[0];
        let constant = crate::uop::ConstValue::Bits(stored.into());
        assert!(constants.contains(&constant), "{constants:?}");
        stored
    };
    let (weak, other, strong) = (of(".weak", 3), of(".weak", 4), of(".visible", 5));
    assert_eq!(value(&[&entry, &weak, &other]), 3);
    assert_eq!(value(&[&weak, &strong, &entry]), 5);
    assert_eq!(value(&[&strong, &other, &entry]), 5);
}

#[test]
fn the_largest_common_variable_remains() {
    let of = |bytes: u32| format!(".common .global .align 4 .b8 v[{bytes}];\n");
    let module = linked(&[&of(4), &of(64), &of(8), ".extern .global .b8 v[];\n"]).expect("it compiles");
    assert_eq!(module.globals.iter().map(|v| v.bytes).collect::<Vec<_>>(), [64]);
}

#[test]
fn dynamic_shared_memory_is_one_variable() {
    let entry = |name: &str, align: u32| {
        format!(
            ".extern .shared .align {align} .b8 s[];\n.visible .func f_{name} () {{\n  .reg .u32 %r;\n  \
             ld.shared.u32 %r, [s];\n  st.shared.u32 [s+4], %r;\n  ret;\n}}\n"
        )
    };
    let kernel = ".extern .shared .align 4 .b8 s[];\n.extern .func f_a ();\n.extern .func f_b ();
.entry k () {
  .shared .u32 own;
  st.shared.u32 [own], 1;
  st.shared.u32 [s], 1;
  call f_a;
  call f_b;
  exit;
}
";
    let module = linked(&[&entry("a", 4), &entry("b", 16), kernel]).unwrap_or_else(|drawn| panic!("{drawn}"));
    let shared: Vec<_> = module.entries[0].shared.iter().map(|s| (&*s.name, s.offset, s.align)).collect();
    assert_eq!(shared, [("own", 0, 4), ("s", 16, 16)]);
}

#[test]
fn library_functions_serve_all_files() {
    let of = |name: &str| {
        format!(
            ".version 2.3\n.target sm_20\n.address_size 64\n\
             .extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);\n\
             .global .b8 text[2] = {{104, 0}};\n.entry {name} () {{\n  .reg .u64 %rd<2>;\n  .param .b32 r;\n  \
             .param .b64 f;\n  .param .b64 a;\n  cvta.global.u64 %rd0, text;\n  mov.u64 %rd1, 0;\n  \
             st.param.b64 [f], %rd0;\n  st.param.b64 [a], %rd1;\n  call (r), vprintf, (f, a);\n  exit;\n}}\n"
        )
    };
    let module = linked(&[&of("one"), &of("two")]).unwrap_or_else(|drawn| panic!("{drawn}"));
    let buffers = module.globals.iter().filter(|v| v.name == crate::library::PRINTF).count();
    assert_eq!((buffers, module.entries.len()), (1, 2));
}

#[test]
fn undefined_names_are_reported_at_their_place() {
    let call = ".extern .func f ();\n.entry k () {\n  call f;\n  exit;\n}\n";
    assert_eq!(errors(&[TWICE, call]), ["E0312 b.ptx:5:8"]);
    assert_eq!(errors(&[call, ".func f () { ret; }\n"]), ["E0312 a.ptx:5:8"], "not visible");
    let local = ".func f ();\n.entry k () {\n  call f;\n  exit;\n}\n";
    assert_eq!(errors(&[local, ".visible .func f () { ret; }\n"]), ["E0312 a.ptx:5:8"], "not external");
    let table = ".extern .func f ();\n.global .u64 p = f;\n.entry k () {\n  exit;\n}\n";
    assert_eq!(errors(&[table]), ["E0312 a.ptx:4:18"]);
    let pure = table.replace(" f", " __cxa_pure_virtual");
    assert!(linked(&[&pure]).is_ok(), "tables of abstract classes");
    assert_eq!(errors(&["", ".extern .global .u32 v;\n"])[1..], ["E0315 b.ptx:3:1"]);
    assert_eq!(errors(&[".global .u32 v;\n", ".extern .global .u32 v;\n"]), ["E0315 b.ptx:3:1"]);
    assert_eq!(
        errors(&[".visible .global .u32 v;\n", ".entry k () {\n  ld.global.u32 %r, [v];\n}\n"]),
        ["E0301 b.ptx:4:17", "E0301 b.ptx:4:22"]
    );
}

#[test]
fn two_definitions_are_reported_at_the_second() {
    assert_eq!(errors(&[TWICE, TWICE]), ["E0316 b.ptx:3:23", "E0316 b.ptx:4:32"]);
    let entry = ".entry k () { exit; }\n";
    assert_eq!(errors(&[entry, TWICE, entry]), ["E0316 c.ptx:3:8"]);
    assert_eq!(
        errors(&[".visible .func x () { ret; }\n", ".visible .global .u32 x;\n"]),
        ["E0316 b.ptx:3:23"]
    );
}

#[test]
fn conflicting_declarations_are_reported() {
    let other = ".extern .func twice (.param .b32 x);\n";
    assert_eq!(errors(&[TWICE, other]), ["E0313 b.ptx:3:9"]);
    for declaration in [".extern .global .u64 total;\n", ".extern .const .u32 total;\n"] {
        assert_eq!(errors(&[TWICE, declaration]), ["E0313 b.ptx:3:1"], "{declaration}");
        assert_eq!(errors(&[declaration, TWICE]), ["E0313 a.ptx:3:1"], "{declaration}");
    }
    assert_eq!(errors(&[TWICE, ".extern .global .align 16 .u32 total;\n"]), ["E0313 b.ptx:3:1"]);
    assert!(linked(&[TWICE, ".extern .global .align 4 .b8 total[4];\n"]).is_ok());
    assert!(linked(&[TWICE, ".extern .global .u32 total[];\n"]).is_ok());
}

#[test]
fn different_headers_are_reported() {
    let of = |target: &str, bits: u32| format!(".version 2.3\n.target {target}\n.address_size {bits}\n");
    assert_eq!(errors(&[&of("sm_20", 32), &of("sm_21", 32)]), ["E0317 b.ptx:2:9"]);
    assert_eq!(errors(&[&of("sm_20", 32), &of("sm_20", 32), &of("sm_20", 64)]), ["E0317 c.ptx:3:1"]);
    let old = ".version 1.4\n.target sm_20\n";
    assert_eq!(errors(&[HEADER, old])[..1], ["E0314 b.ptx:2:9"]);
    assert!(linked(&[HEADER, &of("sm_20", 64)]).is_ok(), "versions may differ");
}

#[test]
fn errors_at_the_end_of_a_file_are_in_that_file() {
    let open = ".entry k () {\n  exit;\n";
    for (text, place) in [(open, "E0112 a.ptx:4:8"), (".global .u32 v", "E0111 a.ptx:3:15")] {
        assert_eq!(errors(&[text, ".entry l () { exit; }\n"]), [place], "{text}");
    }
    assert_eq!(errors(&[HEADER, "", HEADER]), ["E0115 b.ptx:1:1"]);
}

#[test]
fn errors_show_the_lines_of_both_files() {
    let text = |of: &str| format!(".version 2.3\n.target {of}\n.visible .func f () {{ ret; }}\n");
    let drawn = linked(&[&text("sm_20"), &text("sm_21")]).expect_err("two errors");
    let expected = "error[E0317]: the modules have different targets: sm_21 and sm_20
 --> b.ptx:2:9
  |
2 | .target sm_21
  |         ^^^^^ sm_21 here
  |
 ::: a.ptx:2:9
  |
2 | .target sm_20
  |         ----- sm_20 here
  |
  = help: compile all modules for the same target

error[E0316]: `f` is defined in two modules
 --> b.ptx:3:16
  |
3 | .visible .func f () { ret; }
  |                ^ defined again here
  |
 ::: a.ptx:3:16
  |
3 | .visible .func f () { ret; }
  |                - first defined here
  |
  = help: remove one definition, or remove `.visible` if each module has its own `.func` or variable";
    assert_eq!(drawn, expected);
}
