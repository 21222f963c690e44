//! `docs/ISA.md` is generated from the tables of the instruction set and from the micro-ops that
//! the forms are lowered to; `BLESS=1` writes it. The test also lowers every form that is marked as
//! executed, in all its spellings.

use isa::ptx::forms::{self, Description, LEGEND};
use isa::sem::fidelity::Fidelity;
use isa::types::Version;
use isa::uop::{Class, Op, OperandKind, Shape};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;
use warpsim_tests::samples;

const ABOUT: &str = "# The instruction set

<!-- Generated from the tables in the source. To regenerate it: BLESS=1 cargo test -p warpsim-tests --test isa_page -->

This page lists every form of a PTX instruction that the simulator knows: its effect, the first\n\
target that supports it, the timing classes of its micro-ops, and the accuracy of its results. A\n\
list of the micro-ops follows. [MODEL.md](MODEL.md) describes how they are timed,\n\
[ADD-AN-INSTRUCTION.md](ADD-AN-INSTRUCTION.md) how to add an instruction.

A form is written as in NVIDIA's manual: a part in braces is optional, `.a|b` is one of several words, and each of the \
following words represents any one of a list:
";

const OPERANDS: &str = "Operands: `d` a register for the result (with `.v2` or `.v4` two or four registers in braces); `p`, \
`p|q` predicate registers for the result; `a`, `b`, `c`, `e` registers or numbers; `q`, `r`, `{!}c` predicates; `s` the same as `a`, or \
a special register; `x` the same as `s`, or the address of a variable; `u` a register; `[a]` an address; `{v}` registers in \
braces, parts of a wider value; `n` the number of a barrier; `m` a number of threads; `t` a label; `f` a \
function, or a register that holds the address of one; `(r)`, `(l)` lists of results and arguments; `g` the label of a \
`.callprototype` or `.calltargets`.
";

/// Result of a form that is legal but not executed yet.
const REFUSED: &str = "refused: not executed yet";

/// Escapes `|`, which would end a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

fn row(page: &mut String, cells: &[&str]) {
    let cells: Vec<String> = cells.iter().map(|text| cell(text)).collect();
    let _ = writeln!(page, "| {} |", cells.join(" | "));
}

fn head(page: &mut String, titles: &[&str]) {
    row(page, titles);
    let _ = writeln!(page, "|{}", "---|".repeat(titles.len()));
}

/// Returns the classes of the micro-ops that a form's spellings are lowered to, in the order of
/// classes, and the spellings that are refused nevertheless.
fn lowered(form: &Description) -> (String, Vec<String>) {
    let mut classes = BTreeSet::new();
    let mut refused = Vec::new();
    for spelling in form.spellings() {
        let Ok(program) = samples::lowered(form, &spelling) else {
            let group = group(&spelling);
            if !refused.contains(&group) {
                refused.push(group);
            }
            continue;
        };
        // The last instruction is the exit of the surrounding kernel.
        let code = &program.code[..program.kernel_len() - 1];
        classes.extend(code.iter().map(|inst| inst.op.class()));
        let approximates = code.iter().map(|inst| inst.op.fidelity()).find(|f| *f != Fidelity::Exact);
        assert_eq!(form.fidelity, Some(approximates.unwrap_or(Fidelity::Exact)), "{spelling}");
    }
    (classes.iter().map(|class: &Class| class.name()).collect::<Vec<_>>().join(", "), refused)
}

/// Returns what a spelling has in common with others that are refused for the same reason.
fn group(spelling: &str) -> String {
    let words: Vec<&str> = spelling.split('.').collect();
    let spaces = ["const", "global", "local", "param", "shared"];
    match words.iter().find(|word| spaces.contains(word)) {
        Some(space) => format!("`.{space}`"),
        None if ["ld", "ldu", "st", "atom", "red"].contains(&words[0]) => "generic addresses".to_owned(),
        None => format!("`{spelling}`"),
    }
}

fn forms(page: &mut String) {
    head(page, &["form", "effect", "from", "classes", "result"]);
    for form in forms::all() {
        let (classes, result) = match form.fidelity {
            None => (String::new(), REFUSED.to_owned()),
            Some(fidelity) => match lowered(&form) {
                (classes, refused) if classes.is_empty() && !refused.is_empty() => {
                    (classes, REFUSED.to_owned())
                }
                (classes, refused) if refused.is_empty() => (classes, fidelity.to_string()),
                (classes, refused) => (classes, format!("{fidelity}; refused: {}", refused.join(", "))),
            },
        };
        let mut from = format!("sm_{}", form.sm);
        match (form.since > Version::new(1, 0), form.removed) {
            (_, Some(removed)) => from = format!("{from}, below PTX {removed}"),
            (true, None) => from = format!("{from}, PTX {}", form.since),
            _ => {}
        }
        row(page, &[&format!("`{}`", form.text), form.meaning, &from, &classes, &result]);
    }
}

/// Returns the operands of a micro-op in the notation of its text form.
fn operands(shape: Shape) -> String {
    let kind = |kind: &OperandKind| match kind {
        OperandKind::W => "w",
        OperandKind::D => "d",
        OperandKind::P => "p",
        OperandKind::Addr => "[a]",
    };
    let results: Vec<&str> = shape.dsts().iter().flatten().map(kind).collect();
    let sources: Vec<&str> = shape.srcs().iter().map(kind).collect();
    match (results.is_empty(), sources.is_empty()) {
        (true, true) => String::new(),
        (true, false) => sources.join(", "),
        (false, true) => format!("{} ←", results.join(", ")),
        (false, false) => format!("{} ← {}", results.join(", "), sources.join(", ")),
    }
}

fn micro_ops(page: &mut String) {
    head(page, &["micro-op", "operands", "class", "flops", "meaning", "result"]);
    for op in Op::ALL {
        let flops = if op.flops() == 0 { String::new() } else { op.flops().to_string() };
        let meaning = op
            .meaning()
            .map_or_else(|| op.class().meaning().to_owned(), |path| format!("`{}`", path.replace(' ', "")));
        let (name, class) = (format!("`{}`", op.text()), op.class().name());
        row(page, &[&name, &operands(op.shape()), class, &flops, &meaning, &op.fidelity().to_string()]);
    }
}

/// Returns the grammar from the documentation of `isa/src/uop/disasm.rs`.
fn grammar() -> String {
    let source = include_str!("../../isa/src/uop/disasm.rs");
    let lines = source.lines().skip_while(|line| *line != "//! ```text").skip(1);
    let lines = lines.take_while(|line| *line != "//! ```").map(|line| line.trim_start_matches("//! "));
    lines.collect::<Vec<_>>().join("\n")
}

fn page() -> String {
    let mut page = ABOUT.to_owned() + "\n";
    head(&mut page, &["word", "represents"]);
    for (class, words) in forms::classes() {
        let words: Vec<String> = words.iter().map(|word| format!("`.{word}`")).collect();
        row(&mut page, &[&format!("`.{class}`"), &words.join(" ")]);
    }
    let _ = write!(page, "\n{OPERANDS}\nModifiers:\n\n");
    head(&mut page, &["modifier", "means"]);
    for (words, meaning) in LEGEND {
        let words: Vec<String> = words.split(' ').map(|word| format!("`.{word}`")).collect();
        row(&mut page, &[&words.join(" "), meaning]);
    }
    page += "\n## Forms\n\nThe first form that matches an instruction applies. *exact*: the results are bit for bit those of silicon. \
   *within*: silicon approximates the function too, with tables that are not published, and the results differ from \
   silicon's by at most the bound; numbers below 2^-148 are excluded.\n\n";
    forms(&mut page);
    page += "\n## Known instructions that are refused\n\n";
    head(&mut page, &["instruction", "introduced in PTX", "requires"]);
    for (name, (major, minor), sm) in forms::unsupported() {
        row(&mut page, &[&format!("`{name}`"), &format!("{major}.{minor}"), &format!("sm_{sm}")]);
    }
    page += "\n## Micro-ops\n\nPTX is lowered to micro-ops, which the simulator executes. `w` is a row of 32-bit registers, `d` of \
   64-bit registers, `p` of predicates. The meaning of a micro-op that computes is a function of one lane in \
   `isa/src/sem`; the others access memory, change control flow or involve other warps. `flops` counts \
   floating-point operations per lane.\n\n";
    micro_ops(&mut page);
    page += "\n## Timing classes\n\nThe chip file gives the unit, issue slots and latency of each class \
   ([CONFIG.md](CONFIG.md)).\n\n";
    head(&mut page, &["class", "its micro-ops"]);
    for class in Class::ALL {
        row(&mut page, &[&format!("`{}`", class.name()), class.meaning()]);
    }
    let _ = write!(
        page,
        "\n## The text of a lowered program\n\n`warpsim disasm` prints this text, and `isa::uop::assemble` parses all of \
  it.\n\n```text\n{}\n```\n",
        grammar()
    );
    page
}

/// Tests: `executed-forms`.
#[test]
fn the_page_of_the_instruction_set_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/ISA.md");
    let now = page();
    let old = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    if now == old {
        return;
    }
    if std::env::var_os("BLESS").is_some_and(|value| value == "1") {
        std::fs::write(&path, now).expect("the page is writable");
        return;
    }
    let differs = old.lines().zip(now.lines()).find(|(old, new)| old != new);
    panic!("docs/ISA.md is out of date; run the test with BLESS=1. First difference: {differs:#?}");
}

/// Known instructions that are not executed are refused by name, and no other instruction is.
///
/// Tests: `executed-forms`.
#[test]
fn unsupported_forms_are_refused() {
    for form in forms::all().filter(|form| form.fidelity.is_none()) {
        for spelling in form.spellings() {
            let message = samples::lowered(&form, &spelling).expect_err("refused");
            assert!(message.contains("is not supported by this simulator"), "{message}");
        }
    }
}
