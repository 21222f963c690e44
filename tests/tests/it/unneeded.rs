//! The warning about unneeded barriers is compared with results: without the barriers that the
//! checker names, a kernel computes the same on both machines under many schedules; and the barrier
//! of a kernel whose blocks communicate has no warning, because without it the result is wrong.

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use sim_core::check::{Check, Checks, Kind};
use sim_core::host::{Arg, Launch, Mode, RunOptions};
use std::collections::BTreeSet;
use warpsim_check::generate::case::case;
use warpsim_check::generate::chip::chip;
use warpsim_tests::device::{CHIPS, Device, MODES, chip_with};
use warpsim_tests::mistakes::{WrongProgram, right, without_exits};

/// Chips on which a random program runs; each has other latencies, queues and policies.
const SCHEDULES: usize = 6;

/// Tests: `mistakes-are-found`.
#[test]
fn results_do_not_depend_on_unneeded_barriers() {
    let mut runner = TestRunner::deterministic();
    let cases = case().prop_map(|case| without_exits(case.without_warp_cells()));
    let (mut removed, mut schedules) = (0, 0);
    for _ in 0..40 {
        let case = cases.new_tree(&mut runner).expect("the generator rejects nothing").current();
        let program = right(&case);
        let findings = program.findings(Checks::NONE.and(Check::Sync));
        let unneeded: BTreeSet<u32> =
            findings.iter().filter(|f| f.kind == Kind::UnneededBarrier).map(|f| f.line).collect();
        if unneeded.is_empty() {
            continue;
        }
        removed += unneeded.len();
        let text = program.prepared.text();
        let kept = (1..).zip(text.split_inclusive('\n')).filter(|(line, _)| !unneeded.contains(line));
        let text: String = kept.map(|(_, text)| text).collect();
        let WrongProgram { prepared, .. } = program;
        let with = prepared.run(Mode::Functional, RunOptions::default());
        let mut without = prepared.with_text_compiled(text, isa::Options::PLAIN);
        let mut original = right(&case).prepared;
        let functional = without.run(Mode::Functional, RunOptions::default());
        assert!(functional.memory == with.memory, "{case:?}");
        for _ in 0..SCHEDULES {
            let other = chip().new_tree(&mut runner).expect("the generator rejects nothing").current();
            if other.base == case.chip.base {
                (original.chip, without.chip) = (other.chip(), other.chip());
            }
            let with = original.run(Mode::Functional, RunOptions::default());
            let timed = without.run(Mode::Timed, RunOptions::default());
            assert!(timed.report.verdict.is_finished(), "{:?}\n{case:?}", timed.report.verdict);
            assert!(timed.memory == with.memory, "{other:?}\n{case:?}");
            schedules += 1;
        }
    }
    assert!(removed > 20 && schedules > 60, "{removed} barriers, {schedules} schedules");
}

/// Blocks of 64 threads store `tid + 1` to a part of `cells`; the last block, found by an atomic
/// counter, sums all of them. Warp `late` of block 0 waits for `rounds` iterations first.
const LAST_BLOCK: &str = ".version 2.3\n.target sm_11\n\
.entry k (.param .u32 cells, .param .u32 count, .param .u32 out, .param .u32 late, .param .u32 rounds) {\n\
.reg .u32 %t, %b, %n, %w, %i, %at, %v, %sum, %ticket;\n.reg .pred %p;\n.shared .u32 last;\n\
mov.u32 %t, %tid.x;\nmov.u32 %b, %ctaid.x;\nmov.u32 %n, %nctaid.x;\nshr.u32 %w, %t, 5;\n\
ld.param.u32 %i, [late];\nsetp.ne.u32 %p, %w, %i;\n@%p bra STORE;\n\
setp.ne.u32 %p, %b, 0;\n@%p bra STORE;\nld.param.u32 %i, [rounds];\n\
WAIT:\nsetp.eq.u32 %p, %i, 0;\n@%p bra STORE;\nsub.u32 %i, %i, 1;\nbra WAIT;\n\
STORE:\nmad.lo.u32 %at, %b, 64, %t;\nshl.b32 %at, %at, 2;\nld.param.u32 %i, [cells];\nadd.u32 %at, %at, %i;\n\
add.u32 %v, %t, 1;\nst.global.u32 [%at], %v;\nmembar.gl;\n\
bar.sync 0; // before the ticket\n\
setp.ne.u32 %p, %t, 0;\n@%p bra JOIN;\nld.param.u32 %at, [count];\natom.global.add.u32 %ticket, [%at], 1;\n\
st.shared.u32 [last], %ticket;\n\
JOIN:\nbar.sync 0;\nld.shared.u32 %ticket, [last];\nadd.u32 %ticket, %ticket, 1;\n\
setp.ne.u32 %p, %ticket, %n;\n@%p exit;\nsetp.ne.u32 %p, %t, 0;\n@%p exit;\n\
mov.u32 %sum, 0;\nmul.lo.u32 %n, %n, 64;\nld.param.u32 %at, [cells];\n\
SUM:\nld.volatile.global.u32 %v, [%at];\nadd.u32 %sum, %sum, %v;\nadd.u32 %at, %at, 4;\nsub.u32 %n, %n, 1;\n\
setp.ne.u32 %p, %n, 0;\n@%p bra SUM;\nld.param.u32 %at, [out];\nst.global.u32 [%at], %sum;\nexit;\n}\n";

/// Returns the sum that the last of 4 blocks computes, and the kinds of findings.
fn last_block(
    text: &str,
    chip: &str,
    sets: &[(&str, &str)],
    mode: Mode,
    late: (u32, u32),
) -> (u32, Vec<Kind>) {
    let mut device = Device::new(chip_with(chip, sets), "k.ptx", text).unwrap_or_else(|e| panic!("{e}"));
    let [cells, count, out] = [256, 1, 1].map(|words| device.upload(&vec![0; words]));
    let values = [late.0, late.1].map(Arg::U32);
    let args = [cells, count, out].map(Arg::Ptr).into_iter().chain(values);
    if mode == Mode::Functional {
        device.gpu.check(Checks::NONE.and(Check::Sync));
    }
    let report = device.gpu.launch(&Launch::new(device.module, "k", 4, 64).args(args).mode(mode));
    let report = report.unwrap_or_else(|e| panic!("{e}"));
    assert!(report.verdict.is_finished(), "{:?}", report.verdict);
    let kinds = report.checks.iter().flat_map(|checks| &checks.findings).map(|finding| finding.kind);
    (device.download(out, 1)[0], kinds.collect())
}

/// Tests: `mistakes-are-found`.
#[test]
fn a_barrier_that_is_a_link_between_blocks_has_no_warning() {
    let barrier = "bar.sync 0; // before the ticket\n";
    let without = LAST_BLOCK.replace(barrier, "");
    let right: u32 = 4 * (1..=64).sum::<u32>();
    let mut wrong = 0;
    for mode in MODES {
        for chip in ["gt200", CHIPS[2]] {
            for policy in ["lrr", "gto", "oldest"] {
                for late in [(0, 0), (0, 900), (1, 300), (1, 900)] {
                    let run = |text| last_block(text, chip, &[("sm.scheduler", policy)], mode, late);
                    let (sum, kinds) = run(LAST_BLOCK);
                    assert_eq!(sum, right, "{mode:?} {chip} {policy} {late:?}");
                    assert!(!kinds.contains(&Kind::UnneededBarrier), "{mode:?} {chip} {kinds:?}");
                    wrong += u32::from(run(&without).0 != right);
                }
            }
        }
    }
    assert!(wrong > 0, "the barrier is needed");
}
