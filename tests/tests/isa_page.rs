//! Checks that `docs/ISA.md` is generated from the tables of the instruction set and from the
//! compiled forms; `BLESS=1` writes it. The test compiles every executed form in all its spellings.

use isa::feature::Feature;
use isa::ptx::forms::{self, Description, LEGEND};
use isa::sem::fidelity::Fidelity;
use isa::types::Version;
use isa::uop::{Class, Op, OperandKind, Shape};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;
use warpsim_tests::samples;

const ABOUT: &str = "# The instruction set

<!-- Made of the tables in the source. To renew it: BLESS=1 cargo test -p warpsim-tests --test isa_page -->

```sh
warpsim disasm vecadd        # the micro-ops of a kernel
warpsim check matmul-tiled   # the fidelity of every instruction in a file
```

This page lists every form of PTX instruction that the simulator knows: its meaning, its least
target, the timing classes of its micro-ops, and its fidelity to the silicon. The micro-ops and [the
device math library](#the-device-math-library) follow.
[MODEL.md](MODEL.md) describes the model around them, and
[extending/instruction.md](extending/instruction.md) how to add an instruction.

A form is written as in NVIDIA's manual: parts in braces are optional, and `.a|b` is one of several
words. These words stand for any one of a set:
";

const OPERANDS: &str = "Operands:

| operand | meaning |
|---|---|
| `d` | destination register; with `.v2` or `.v4` two or four registers in braces |
| `p`, `p\\|q` | destination predicate registers |
| `a`, `b`, `c`, `e` | registers or numbers |
| `{!}q`, `{!}r`, `{!}c` | source predicates, which `!` negates |
| `s` | like `a`, or a special register |
| `x` | like `s`, or the address of a variable |
| `u` | register |
| `[a]` | address |
| `{v}` | registers in braces, the parts of a wider value |
| `n` | number of a barrier |
| `m` | number of threads |
| `t` | label |
| `f` | function, or a register with the address of one |
| `d\\|p` | destination register, or a destination register and a destination predicate |
| `i` | truth table of three bits, 0 to 255 |
| `(r)`, `(l)` | lists of results and arguments |
| `g` | label of a `.callprototype` or `.calltargets` |
";

/// The line after the generated part. The text after it is written by hand.
const END: &str = "\n<!-- end of the generated part -->\n";

/// The result of a legal form that the simulator does not execute.
const REFUSED: &str = "refused: not supported";

/// `|` ends a cell of a table.
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

/// Result of compiling the spellings of a form.
#[derive(Default)]
struct Lowered {
    /// Timing classes of the micro-ops, in the order of classes.
    classes: String,
    /// Refused spellings.
    refused: Vec<String>,
    /// Group of instructions that a chip file enables.
    feature: Option<Feature>,
}

/// Compiles the spellings of a form.
fn lowered(form: &Description) -> Lowered {
    let mut feature = None;
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
        // The last micro-op is the exit of the kernel around it.
        let code = &program.code[..program.kernel_len() - 1];
        classes.extend(code.iter().map(|inst| inst.op.class()));
        feature = feature.or(code.iter().find_map(Feature::of));
        let approximates = code.iter().map(|inst| inst.op.fidelity()).find(|f| *f != Fidelity::Exact);
        assert_eq!(form.fidelity, Some(approximates.unwrap_or(Fidelity::Exact)), "{spelling}");
    }
    let classes = classes.iter().map(|class: &Class| class.name()).collect::<Vec<_>>().join(", ");
    Lowered { classes, refused, feature }
}

/// Name for all spellings that are refused for the same reason.
fn group(spelling: &str) -> String {
    let words: Vec<&str> = spelling.split('.').collect();
    let spaces = ["const", "global", "local", "param", "shared"];
    match words.iter().find(|word| spaces.contains(word)) {
        Some(space) => format!("`.{space}`"),
        None if ["ld", "ldu", "st", "atom", "red"].contains(&words[0]) => "generic addresses".to_owned(),
        None => format!("`{spelling}`"),
    }
}

/// A row for each form, or for several forms in a row that differ only in their text.
fn forms(page: &mut String) {
    head(page, &["form", "meaning", "from", "classes", "result"]);
    let mut rows: Vec<(String, [String; 4])> = Vec::new();
    for form in forms::all() {
        let (classes, result, feature) = match form.fidelity {
            None => (String::new(), REFUSED.to_owned(), None),
            Some(fidelity) => {
                let Lowered { classes, refused, feature } = lowered(&form);
                let result = if refused.is_empty() {
                    fidelity.to_string()
                } else {
                    assert!(!classes.is_empty(), "no spelling of `{}` is executed: {refused:?}", form.text);
                    format!("{fidelity}; refused: {}", refused.join(", "))
                };
                (classes, result, feature)
            }
        };
        let mut from = if form.sm > 10 { format!("sm_{}", form.sm) } else { String::new() };
        let _ = match (form.since > Version::new(1, 0), form.removed) {
            (_, Some(gone)) => write!(from, ", below PTX {gone}"),
            (true, None) => write!(from, ", PTX {}", form.since),
            _ => Ok(()),
        };
        if let Some(feature) = feature {
            let _ = write!(from, ", `{}`", feature.name());
        }
        let from = from.trim_start_matches(", ").to_owned();
        let result = if result == Fidelity::Exact.to_string() { String::new() } else { result };
        let (text, rest) = (format!("`{}`", form.text), [form.meaning.to_owned(), from, classes, result]);
        match rows.last_mut().filter(|(_, last)| *last == rest) {
            Some((texts, _)) => texts.extend([format!("<br>{text}")]),
            None => rows.push((text, rest)),
        }
    }
    let mut above = String::new();
    for (texts, [meaning, from, classes, result]) in rows {
        let shown = if meaning == above { "" } else { &meaning };
        row(page, &[&texts, shown, &from, &classes, &result]);
        above = meaning;
    }
}

/// The operands of a micro-op in the notation of its text form.
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

/// Micro-ops of one class with the same operands, number of operations and result.
struct Group {
    class: Class,
    key: [String; 3],
    /// Parts of the names, each with its spellings.
    names: Vec<Vec<Vec<&'static str>>>,
}

/// Joins names that differ in one part only: `a.x` and `a.y` become `a.x|y`.
fn joined(mut names: Vec<Vec<Vec<&'static str>>>) -> String {
    for part in 0..names.iter().map(Vec::len).max().unwrap_or_default() {
        let mut out: Vec<Vec<Vec<&'static str>>> = Vec::new();
        for name in names {
            let same = |other: &&mut Vec<Vec<&'static str>>| {
                let equal = |i: usize| i == part || other[i] == name[i];
                part > 0 && part < name.len() && other.len() == name.len() && (0..name.len()).all(equal)
            };
            match out.iter_mut().find(same) {
                Some(other) => other[part].extend(&name[part]),
                None => out.push(name),
            }
        }
        names = out;
    }
    let text = |name: &Vec<Vec<&str>>| {
        let parts: Vec<String> = name.iter().map(|spellings| spellings.join("|")).collect();
        format!("`{}`", parts.join("."))
    };
    names.iter().map(text).collect::<Vec<_>>().join(" ")
}

fn micro_ops(page: &mut String) {
    let mut groups: Vec<Group> = Vec::new();
    for op in Op::ALL {
        let flops = if op.flops() == 0 { String::new() } else { op.flops().to_string() };
        let fidelity = op.fidelity();
        let result = if fidelity == Fidelity::Exact { String::new() } else { fidelity.to_string() };
        let key = [operands(op.shape()), flops, result];
        let name: Vec<Vec<&str>> = op.text().split('.').map(|part| vec![part]).collect();
        match groups.iter_mut().find(|group| group.class == op.class() && group.key == key) {
            Some(group) => group.names.push(name),
            None => groups.push(Group { class: op.class(), key, names: vec![name] }),
        }
    }
    head(page, &["class", "meaning", "operands", "flops", "result", "micro-ops"]);
    for class in Class::ALL {
        let mut titles = [format!("`{}`", class.name()), class.meaning().to_owned()];
        for group in groups.iter().filter(|group| group.class == class) {
            let [operands, flops, result] = &group.key;
            let [name, meaning] = std::mem::take(&mut titles);
            row(page, &[&name, &meaning, operands, flops, result, &joined(group.names.clone())]);
        }
    }
}

/// The grammar in the documentation of `machine/isa/src/uop/disasm.rs`.
fn grammar() -> String {
    let source = include_str!("../../machine/isa/src/uop/disasm.rs");
    let lines = source.lines().skip_while(|line| *line != "//! ```text").skip(1);
    let lines = lines.take_while(|line| *line != "//! ```").map(|line| line.trim_start_matches("//! "));
    lines.collect::<Vec<_>>().join("\n")
}

fn page() -> String {
    let mut page = ABOUT.to_owned() + "\n";
    head(&mut page, &["word", "stands for"]);
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
    page += "\n## Forms\n\nThe first matching form of an instruction applies. As for NVIDIA's assembler, the words of a name\n\
             may have another order, except types among each other and words such as `.lo` of `mul.lo`, which\n\
             follow the first word. A row without a meaning has the meaning of the row above, a row without a\n\
             target is legal from sm_10 on. Results have the same bits as on silicon, except:\n\n\
             - *within*: the function approximates on silicon, too, with tables that are not published. The\n  \
             results differ from the silicon's results at most by the bound; numbers below 2^-148 are excluded.\n\
             - *refused*: legal PTX that the simulator rejects with a message.\n\n\
             A word such as `shuffle` behind the target is a group of instructions after Fermi: a chip has them\n\
             only if its file enables the group ([CONFIG.md](CONFIG.md), `features`). Where the manual leaves\n\
             their results open, [MODEL.md](MODEL.md#instructions-after-fermi) says what they are.\n\n";
    forms(&mut page);
    page += "\n## Instructions that are not supported\n\nThe simulator knows these instructions by name and rejects them. Some forms of\n\
             `barrier`, `brx`, `createpolicy`, `fence` and `nanosleep`, and words of accesses such as\n\
             `.relaxed.gpu`, have an older equal ([MODEL.md](MODEL.md#later-ptx-with-an-older-equal)).\n\n";
    head(&mut page, &["introduced in PTX", "target", "instructions"]);
    let mut introduced: BTreeMap<_, Vec<String>> = BTreeMap::new();
    for (name, version, sm) in forms::unsupported() {
        introduced.entry((version, sm)).or_default().push(format!("`{name}`"));
    }
    for (((major, minor), sm), names) in introduced {
        row(&mut page, &[&format!("{major}.{minor}"), &format!("sm_{sm}"), &names.join(" ")]);
    }
    page += "\n## Micro-ops\n\nPTX is compiled to micro-ops, which the machine executes. A chip file gives the unit, issue slots\n\
             and latency of each timing class ([CONFIG.md](CONFIG.md)). `w` is a 32-bit register of a warp, `d` a\n\
             64-bit register, `p` a predicate. `flops` is the number of floating-point operations per lane. `a|b`\n\
             in a name is one of several words. An empty result is exact. A micro-op that computes is a function\n\
             of one lane in `machine/isa/src/sem`, which its row in `machine/isa/src/uop/table.rs` names. The\n\
             others access memory, control flow or other warps.\n\n";
    micro_ops(&mut page);
    let _ = write!(
        page,
        "\n## The text of a lowered program\n\n`warpsim disasm` prints this text, and `isa::uop::assemble` reads it back completely.\n\n\
         ```text\n{}\n```\n",
        grammar()
    );
    page + END
}

#[test]
fn the_page_of_the_instruction_set_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/ISA.md");
    let old = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    let after = old.split_once(END).map_or("", |(_, after)| after);
    let now = page() + after;
    if now == old {
        return;
    }
    if std::env::var_os("BLESS").is_some_and(|value| value == "1") {
        std::fs::write(&path, now).expect("the page is writable");
        return;
    }
    let differs = old.lines().zip(now.lines()).find(|(old, new)| old != new);
    panic!("docs/ISA.md is old; run the test with BLESS=1. First difference: {differs:#?}");
}

/// Forms without a fidelity are refused by name.
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

/// Instructions without a form are refused by name.
/// Tests: `executed-forms`.
#[test]
fn instructions_without_a_form_are_refused() {
    for name in ["redux", "match", "cp", "mma", "tcgen05"] {
        assert!(forms::unsupported().any(|(known, ..)| *known == name), "{name}");
    }
    for (name, ..) in forms::unsupported() {
        let text = format!(".version 7.0\n.target sm_70\n.entry k () {{\n  {name};\n}}\n");
        let (module, diagnostics) = isa::compile("k.ptx", &text);
        let starts = [format!("`{name}` is not supported"), format!("`{name}` is PTX ")];
        let named = diagnostics.iter().any(|d| starts.iter().any(|start| d.message.starts_with(start)));
        assert!(module.is_none() && named, "{name}: {diagnostics:?}");
    }
}
