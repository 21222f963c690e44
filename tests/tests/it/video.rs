//! Compares video instructions with `tests/data/vectors/video.tsv`: forms of every operation, type,
//! modifier and place of a part, recorded on a GPU that has no video unit. Its assembler replaces
//! each video instruction by a sequence, which differs from the manual in some forms. These are
//! marked in the record, and the mark is checked. The results of all forms are compared with the
//! manual's definition.
//!
//! Tests: `video-instructions`.

use sim_core::host::Mode;
use std::fmt::Write;
use warpsim_tests::device::{Device, MODES, pointers};

/// Number of recorded tuples of operands.
const TUPLES: usize = 64;

/// Instructions of a kernel.
const FORMS: usize = 150;

/// A recorded instruction.
struct Form<'a> {
    text: &'a str,
    /// Number of the first tuple.
    first: usize,
    /// Whether the record agrees with the manual.
    agrees: bool,
    results: Vec<u32>,
}

struct Record<'a> {
    tuples: Vec<[u32; 3]>,
    forms: Vec<Form<'a>>,
}

fn record() -> Record<'static> {
    let number = |text: &str| u32::from_str_radix(text, 16).expect("a number");
    let mut lines =
        include_str!("../../data/vectors/video.tsv").lines().filter(|line| !line.starts_with('#'));
    let inputs = lines.next().and_then(|line| line.strip_prefix("inputs\t")).expect("operands");
    let tuple = |text: &str| {
        let words: Vec<u32> = text.split(',').map(number).collect();
        words.try_into().expect("three operands")
    };
    let form = |line: &'static str| {
        let cells: Vec<&str> = line.split('\t').collect();
        let [text, first, mark, results] = cells[..] else { panic!("{line}") };
        let results = results.split(' ').map(number).collect();
        Form { text, first: first.parse().expect("a number"), agrees: mark == "=", results }
    };
    Record { tuples: inputs.split(' ').map(tuple).collect(), forms: lines.map(form).collect() }
}

/// Returns a kernel of 64 threads that executes `forms` with the operands of its thread.
fn module(forms: &[Form], bits: u32) -> String {
    let mut text = format!(
        ".version 2.3\n.target sm_20\n.address_size {bits}\n.entry k (.param .u{bits} in, .param .u{bits} out) {{\n\
         .reg .u{bits} %p<4>; .reg .u32 %t, a, b, c, d;\n\
         ld.param.u{bits} %p1, [in];\nld.param.u{bits} %p2, [out];\nmov.u32 %t, %tid.x;\n"
    );
    let wide = if bits == 64 { "wide" } else { "lo" };
    let _ =
        writeln!(text, "mul.{wide}.u32 %p3, %t, 4;\nadd.u{bits} %p1, %p1, %p3;\nadd.u{bits} %p2, %p2, %p3;");
    for (place, name) in ["a", "b", "c"].into_iter().enumerate() {
        let _ = writeln!(text, "ld.global.u32 {name}, [%p1+{}];", 4 * TUPLES * place);
    }
    for (place, form) in forms.iter().enumerate() {
        let _ = writeln!(text, "{};\nst.global.u32 [%p2+{}], d;", form.text, 4 * TUPLES * place);
    }
    text + "exit;\n}\n"
}

/// Returns the results of `forms`, those of each form together.
fn run(forms: &[Form], tuples: &[[u32; 3]], bits: u32, mode: Mode) -> Vec<u32> {
    let mut device = Device::on("fermi", &module(forms, bits));
    let words: Vec<u32> = (0..3).flat_map(|place| tuples.iter().map(move |tuple| tuple[place])).collect();
    let (input, output) = (device.upload(&words), device.upload(&vec![0; TUPLES * forms.len()]));
    let launch =
        device.launch("k", (1, 1), (TUPLES as u32, 1, 1)).args(pointers(&[input, output])).mode(mode);
    device.run(&launch);
    device.download(output, TUPLES * forms.len())
}

/// Returns a word or a part of it, such as `h1`, as a number.
fn part(word: u32, selector: Option<&str>, signed: bool) -> i128 {
    let (shift, bits) = place(selector);
    let value = i128::from(word) >> shift & ((1 << bits) - 1);
    if signed && value >> (bits - 1) == 1 { value - (1 << bits) } else { value }
}

/// Returns the lowest bit and the number of bits of a part.
fn place(selector: Option<&str>) -> (u32, u32) {
    let number = |text: &str| text[1..].parse::<u32>().expect("a number");
    match selector {
        None => (0, 32),
        Some(byte) if byte.starts_with('b') => (8 * number(byte), 8),
        Some(half) => (16 * number(half), 16),
    }
}

/// Returns the result that the manual defines for the text of an instruction. It shares no code
/// with the simulator.
fn manual(text: &str, words: [u32; 3]) -> u32 {
    let (name, operands) = text.split_once(' ').expect("operands");
    let name: Vec<&str> = name.split('.').collect();
    let has = |word: &str| name.contains(&word);
    let operands: Vec<&str> = operands.split(", ").collect();
    let selector = |operand: usize| operands[operand].split_once('.').map(|(_, part)| part);
    let negated = |operand: usize| operands.get(operand).is_some_and(|text| text.starts_with('-'));
    let mut types = name.iter().filter(|word| matches!(**word, "u32" | "s32")).map(|word| *word == "s32");
    let mut next = || types.next().expect("a type");
    let signed = name[0] != "vset" && next();
    let (a_signed, b_signed) = (next(), next());
    let (a, b) = (part(words[0], selector(1), a_signed), part(words[1], selector(2), b_signed));
    let limited = |value: i128, bits: u32, signed: bool| {
        let span = 1_i128 << bits;
        if signed { value.clamp(-span / 2, span / 2 - 1) } else { value.clamp(0, span - 1) }
    };
    if name[0] == "vmad" {
        let minus = [negated(1) != negated(2), negated(3)];
        let signed = a_signed || b_signed || minus.contains(&true);
        let third = part(if minus[1] { !words[2] } else { words[2] }, None, signed);
        let product = if minus[0] { -(a * b) } else { a * b };
        let sum = product + third + i128::from(has("po") || minus[1]);
        let sum = sum
            >> if has("shr7") {
                7
            } else if has("shr15") {
                15
            } else {
                0
            };
        return if has("sat") { limited(sum, 32, signed) } else { sum } as u32;
    }
    let distance = if has("wrap") { b % 32 } else { b.min(32) };
    let first = match name[0] {
        "vadd" => a + b,
        "vsub" => a - b,
        "vabsdiff" => (a - b).abs(),
        "vmin" => a.min(b),
        "vmax" => a.max(b),
        "vshl" => a << distance,
        "vshr" => a >> distance,
        "vset" => {
            let order = [("lt", a < b), ("le", a <= b), ("gt", a > b), ("ge", a >= b), ("eq", a == b)];
            i128::from(order.iter().find(|(word, _)| has(word)).map_or(a != b, |(_, holds)| *holds))
        }
        other => panic!("{other}"),
    };
    // The first operation has 34 bits.
    let mut value = (first + (1 << 33)).rem_euclid(1 << 34) - (1 << 33);
    let (shift, bits) = place(selector(0));
    if has("sat") {
        value = limited(value, bits, signed);
    }
    let third = part(words[2], None, signed);
    if has("add") {
        (value + third) as u32
    } else if has("min") {
        value.min(third) as u32
    } else if has("max") {
        value.max(third) as u32
    } else if selector(0).is_some() {
        let mask = ((1_u32 << bits) - 1) << shift;
        words[2] & !mask | (value as u32) << shift & mask
    } else {
        value as u32
    }
}

/// Every form computes what the manual defines, and the record agrees where it is not marked.
///
/// Tests: `video-instructions`.
#[test]
fn forms_have_the_results_of_the_manual_and_of_the_record() {
    let record = record();
    assert_eq!((record.tuples.len(), record.forms.len()), (TUPLES, 3_296));
    let mut wrong = Vec::new();
    for (number, forms) in record.forms.chunks(FORMS).enumerate() {
        let bits = if number % 2 == 0 { 32 } else { 64 };
        for mode in MODES {
            let found = run(forms, &record.tuples, bits, mode);
            for (form, found) in forms.iter().zip(found.chunks(TUPLES)) {
                let expected = record.tuples.iter().map(|tuple| manual(form.text, *tuple));
                if !expected.eq(found.iter().copied()) {
                    wrong.push(format!("{mode:?}: {}", form.text));
                }
                let at = |i: usize| found[(form.first + i) % TUPLES];
                let same = form.results.iter().enumerate().all(|(i, wanted)| at(i) == *wanted);
                if same != form.agrees {
                    wrong.push(format!("{mode:?}, record: {}", form.text));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong[..wrong.len().min(20)].join("\n"));
}

/// The record agrees for every form without a saturated or upper part, without `.min` and `.max`,
/// and without a saturated sum of `vmad` or of words.
#[test]
fn the_marked_forms_are_those_that_the_assembler_replaces_wrongly() {
    let record = record();
    let marked = |form: &&Form| !form.agrees;
    let (marked, other): (Vec<&Form>, Vec<&Form>) = record.forms.iter().partition(|form| marked(form));
    assert_eq!((marked.len(), other.len()), (866, 2_430));
    for form in marked {
        let upper = form.text.contains(" d.h1,");
        let ordered = [".min ", ".max "].iter().any(|word| form.text.contains(word));
        let saturated = form.text.contains(".sat");
        let product = form.text.starts_with("vmad");
        assert!(upper || ordered || saturated || product, "{}", form.text);
    }
}
