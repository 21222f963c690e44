//! Compares video instructions with `tests/vectors/video.tsv`: forms of every operation, type,
//! modifier and place of a part, recorded on a GPU that has no video unit. Its assembler replaces
//! each video instruction by a sequence, which differs from the manual in some forms. These are
//! marked in the record, and the mark is checked.
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
    let mut lines = include_str!("../vectors/video.tsv").lines().filter(|line| !line.starts_with('#'));
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

/// Tests: `video-instructions`.
#[test]
fn recorded_forms_have_the_recorded_results() {
    let record = record();
    assert_eq!((record.tuples.len(), record.forms.len()), (TUPLES, 3_296));
    let mut wrong = Vec::new();
    for (number, forms) in record.forms.chunks(FORMS).enumerate() {
        let bits = if number % 2 == 0 { 32 } else { 64 };
        for mode in MODES {
            let found = run(forms, &record.tuples, bits, mode);
            for (form, found) in forms.iter().zip(found.chunks(TUPLES)) {
                let at = |i: usize| found[(form.first + i) % TUPLES];
                let same = form.results.iter().enumerate().all(|(i, wanted)| at(i) == *wanted);
                if same != form.agrees {
                    wrong.push(format!("{mode:?}: {}", form.text));
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
