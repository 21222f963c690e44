//! Locks, flags, counters and loops with `atom.cas`, right and wrong: the verdicts of the race
//! checker are those of the table in docs/MEMORY-MODEL.md.

use sim_core::check::{Check, Checks, Severity};
use sim_core::host::{Arg, Gpu, Launch, Mode};
use std::collections::BTreeSet;
use std::path::Path;
use warpsim_tests::device::{Device, chip_with};

/// Takes the lock at `%sync`.
const LOCK: &str = "LOCK:\natom.global.cas.b32 %r, [%sync], 0, 1;\nsetp.ne.u32 %p, %r, 0;\n@%p bra LOCK;\n";
const FENCE: &str = "membar.gl;\n";
const COUNT: &str = "ld.global.u32 %v, [%data];\nadd.u32 %v, %v, 1;\nst.global.u32 [%data], %v;\n";
const UNLOCK: &str = "atom.global.exch.b32 %r, [%sync], 0;\n";
const WRITE: &str = "mov.u32 %v, 7;\nst.global.u32 [%data], %v;\n";
const SET: &str = "mov.u32 %v, 1;\nst.volatile.global.u32 [%sync], %v;\n";
const WAIT: &str = "WAIT:\nld.volatile.global.u32 %r, [%sync];\nsetp.eq.u32 %p, %r, 0;\n@%p bra WAIT;\n";
const READ: &str = "ld.global.u32 %v, [%data];\nst.global.u32 [%out], %v;\n";

/// Only thread 0 of each block.
const ONE: &str = "setp.ne.u32 %p, %t, 0;\n@%p exit;\n";

/// Block 0 writes, block 1 reads.
fn message(write: &[&str], read: &[&str]) -> String {
    format!(
        "{ONE}setp.ne.u32 %p, %b, 0;\n@%p bra READER;\n{}exit;\nREADER:\n{}",
        write.concat(),
        read.concat()
    )
}

/// Each block increments a counter of blocks after its own result; the last one sums all of them.
fn last_block(before: &str) -> String {
    format!(
        "{ONE}shl.b32 %at, %b, 2;\nadd.u32 %at, %at, %data;\nadd.u32 %v, %b, 1;\nst.global.u32 [%at], %v;\n{before}\
         atom.global.add.u32 %r, [%sync], 1;\nsetp.ne.u32 %p, %r, 1;\n@%p exit;\n\
         ld.global.u32 %v, [%data];\nld.global.u32 %w, [%data+4];\nadd.u32 %v, %v, %w;\nst.global.u32 [%out], %v;\n\
         mov.u32 %v, 0;\nst.global.u32 [%sync], %v;\n"
    )
}

/// An addition to `%data` by `atom.cas`, with a load ahead.
const CAS_LOOP: &str = "ld.global.u32 %r, [%data];\nAGAIN:\nmov.u32 %w, %r;\nadd.u32 %v, %w, 3;\n\
                        atom.global.cas.b32 %r, [%data], %w, %v;\nsetp.ne.u32 %p, %r, %w;\n@%p bra AGAIN;\n";

/// Thread 0 writes and thread 32 sets the flag, with a barrier between the two.
fn two_warps(writer: &str, setter: &str) -> String {
    format!(
        "setp.ne.u32 %p, %b, 0;\n@%p bra READER;\nsetp.ne.u32 %p, %t, 0;\n@%p bra MEET;\n{WRITE}{writer}MEET:\n\
         bar.sync 0;\nsetp.ne.u32 %p, %t, 32;\n@%p exit;\n{setter}{SET}exit;\nREADER:\n{ONE}{WAIT}{FENCE}{READ}"
    )
}

/// Warp 0 of a block writes and warp 1 reads.
fn in_a_block(write: &[&str], read: &[&str]) -> String {
    format!(
        "setp.ne.u32 %p, %b, 0;\n@%p exit;\nsetp.eq.u32 %p, %t, 32;\n@%p bra READER;\n{ONE}{}exit;\nREADER:\n{}",
        write.concat(),
        read.concat()
    )
}

/// Names and bodies of the tests.
fn tests() -> Vec<(&'static str, String)> {
    let lock = |parts: &[&str]| format!("{ONE}{LOCK}{}", parts.concat());
    let plain = |text: &str| text.replace(".volatile", "");
    let cas = |text: &str| format!("{ONE}{text}");
    vec![
        ("lock", lock(&[FENCE, COUNT, FENCE, UNLOCK])),
        ("lock-no-fence", lock(&[COUNT, UNLOCK])),
        ("lock-fence-unlock", lock(&[COUNT, FENCE, UNLOCK])),
        ("lock-fence-lock", lock(&[FENCE, COUNT, UNLOCK])),
        ("lock-volatile", lock(&[FENCE, COUNT, FENCE, &SET.replace("%v, 1", "%v, 0")])),
        ("lock-plain", lock(&[FENCE, COUNT, FENCE, &plain(SET).replace("%v, 1", "%v, 0")])),
        ("lock-after", lock(&[FENCE, UNLOCK, COUNT])),
        ("last-block", last_block(FENCE)),
        ("last-block-no-fence", last_block("")),
        ("last-block-fence-cta", last_block("membar.cta;\n")),
        ("flag", message(&[WRITE, FENCE, SET], &[WAIT, FENCE, READ])),
        ("flag-no-fence", message(&[WRITE, SET], &[WAIT, FENCE, READ])),
        ("flag-fence-writer", message(&[WRITE, FENCE, SET], &[WAIT, READ])),
        ("flag-not-used", message(&[WRITE, FENCE, SET], &["ld.volatile.global.u32 %r, [%sync];\n", READ])),
        ("flag-plain", message(&[WRITE, FENCE, &plain(SET)], &[&plain(WAIT), FENCE, READ])),
        ("flag-early", message(&[FENCE, SET, WRITE], &[WAIT, FENCE, READ])),
        ("flag-barrier-fence", two_warps(FENCE, "")),
        ("flag-fence-other-warp", two_warps("", FENCE)),
        ("flag-block", in_a_block(&[WRITE, "membar.cta;\n", SET], &[WAIT, "membar.cta;\n", READ])),
        ("flag-block-no-fence", in_a_block(&[WRITE, SET], &[WAIT, READ])),
        ("cas-loop", cas(CAS_LOOP)),
        ("cas-once", cas(&CAS_LOOP.replace("@%p bra AGAIN;\n", "").replace("setp.ne.u32 %p, %r, %w;\n", ""))),
        ("cas-other-value", cas(&CAS_LOOP.replace("atom", "ld.global.u32 %w, [%data];\natom"))),
        (
            "cas-exch",
            cas("ld.global.u32 %r, [%data];\nadd.u32 %v, %r, 3;\natom.global.exch.b32 %r, [%data], %v;\n"),
        ),
    ]
}

/// Returns the verdict of the race checker: `none`, or the kinds of errors.
fn verdict(body: &str, chip: &str) -> String {
    let text = format!(
        ".version 2.0\n.target sm_12\n.entry k (.param .u32 data, .param .u32 sync, .param .u32 out) {{\n\
         .reg .u32 %t, %b, %data, %sync, %out, %r, %v, %w, %at;\n.reg .pred %p;\nmov.u32 %t, %tid.x;\n\
         mov.u32 %b, %ctaid.x;\nld.param.u32 %data, [data];\nld.param.u32 %sync, [sync];\nld.param.u32 %out, [out];\n\
         {body}exit;\n}}\n"
    );
    let mut device = Device::compiled(chip_with(chip, &[]), "k.ptx", &text, isa::Options::PLAIN)
        .unwrap_or_else(|e| panic!("{e}"));
    let buffers = [4, 1, 1].map(|words| Arg::Ptr(device.upload(&vec![0; words])));
    let gpu: &mut Gpu = &mut device.gpu;
    gpu.check(Checks::NONE.and(Check::Race));
    let report = gpu.launch(&Launch::new(device.module, "k", 2, 64).args(buffers).mode(Mode::Functional));
    let report = report.unwrap_or_else(|e| panic!("{e}"));
    assert!(report.verdict.is_finished(), "{:?}\n{body}", report.verdict);
    let findings = report.checks.expect("it was checked").findings;
    let errors = findings.iter().filter(|finding| finding.severity == Severity::Error);
    let kinds: BTreeSet<String> = errors.map(|finding| format!("`{}`", finding.kind.name())).collect();
    if kinds.is_empty() { "none".to_owned() } else { kinds.into_iter().collect::<Vec<_>>().join(", ") }
}

/// Tests: `races-are-found`.
#[test]
fn locks_flags_and_counters_have_the_verdicts_of_the_table() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/MEMORY-MODEL.md");
    let page = std::fs::read_to_string(page).expect("readable");
    let (_, table) = page.split_once("## Locks, flags and counters").expect("the section");
    let rows = table.lines().filter(|line| line.starts_with("| `"));
    let rows: Vec<(String, String)> = rows
        .map(|row| {
            let cells: Vec<&str> = row.split('|').map(str::trim).collect();
            (cells[1].trim_matches('`').to_owned(), cells[3].to_owned())
        })
        .collect();
    let found: Vec<(String, String)> = tests()
        .into_iter()
        .map(|(name, body)| {
            let verdicts = ["gt200", "fermi"].map(|chip| verdict(&body, chip));
            assert_eq!(verdicts[0], verdicts[1], "{name}");
            (name.to_owned(), verdicts[0].clone())
        })
        .collect();
    let shown = |rows: &[(String, String)]| {
        rows.iter().map(|(n, v)| format!("{n}: {v}")).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(shown(&found), shown(&rows));
}

/// Lanes of one warp store different values on the two paths of a branch: which value remains
/// depends on the path that runs first.
///
/// Tests: `races-are-found`.
#[test]
fn stores_on_two_paths_are_an_error_of_their_own_kind() {
    let body = |second: &str| {
        format!(
            "setp.ne.u32 %p, %b, 0;\n@%p exit;\nsetp.ge.u32 %p, %t, 32;\n@%p exit;\nand.b32 %r, %t, 1;\n\
             setp.ne.u32 %p, %r, 0;\nmov.u32 %w, 2;\n@%p bra ODD;\nmov.u32 %v, 1;\nst.global.u32 [%data], %v;\n\
             bra DONE;\nODD:\nmov.u32 %v, {second};\n\
             st.global.u32 [%data], %v;\nDONE:\n"
        )
    };
    assert_eq!(verdict(&body("2"), "fermi"), "`divergent_paths`");
    assert_eq!(verdict(&body("1"), "fermi"), "none", "the same value");
    // Between the two stores all lanes have executed an instruction.
    let in_turn = "setp.ne.u32 %p, %b, 0;\n@%p exit;\nsetp.ge.u32 %p, %t, 32;\n@%p exit;\nand.b32 %r, %t, 1;\n\
                   setp.ne.u32 %p, %r, 0;\n@%p bra ONE;\nmov.u32 %v, 1;\nst.global.u32 [%data], %v;\nONE:\n\
                   setp.eq.u32 %p, %r, 0;\n@%p bra TWO;\nmov.u32 %v, 2;\nst.global.u32 [%data], %v;\nTWO:\n";
    assert_eq!(verdict(in_turn, "fermi"), "none", "a warning about lockstep only");
}
