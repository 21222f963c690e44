//! The race checker agrees with the definition of an order, computed event by event, on random
//! programs with atomics, parts of words, barriers of a part of the block and `bar.arrive`.

use isa::types::StateSpace;
use proptest::prelude::*;
use sim_core::check::MissingOrder;
use sim_core::check::race::Space;
use sim_core::check::{Pair as Accesses, Race, Severity};
use sim_core::host::{Arg, Gpu, Launch, Mode};
use std::collections::BTreeSet;
use warpsim_tests::device::{Device, chip_with};
use warpsim_tests::order::happens::{Pair, unordered};
use warpsim_tests::order::programs::{BYTES, Unordered, unordered_programs};

/// Returns the pairs of lines by the definition, and
/// those of the race checker.
fn both(program: &Unordered) -> (BTreeSet<Pair>, BTreeSet<Pair>) {
    let (text, events) = program.print();
    // Compiled without optimizations: the results of the loads are not used.
    let (module, diagnostics) = isa::compile_with("k.ptx", &text, isa::Options::PLAIN);
    let mut gpu = Gpu::new(chip_with("fermi", &[]));
    let module =
        gpu.load(module.unwrap_or_else(|| panic!("{diagnostics:#?}\n{text}"))).expect("no variables");
    let mut device = Device { gpu, module };
    let out = device.upload(&[0; BYTES as usize / 4]);
    let launch = Launch::new(device.module, "k", program.blocks, 32 * program.warps).args([Arg::Ptr(out)]);
    device.gpu.check_races(true);
    let report = device.gpu.launch(&launch.mode(Mode::Functional)).expect("it fits");
    let checks = report.checks.expect("it was checked");
    let coverage = checks.race.expect("it was checked");
    assert!(report.verdict.is_finished() && coverage.more == 0 && coverage.not_kept == 0, "{text}");
    let pair = |pair: &Accesses| {
        let lines = [pair.first.line, pair.second.line];
        let space = if pair.memory.space == StateSpace::Shared { Space::Shared } else { Space::Global };
        (space, pair.between, lines[0].min(lines[1]), lines[0].max(lines[1]))
    };
    let races = checks.findings.iter().filter_map(|finding| finding.race.as_ref());
    (unordered(&events, program.blocks), races.flat_map(|race| &race.pairs).map(pair).collect())
}

fn agree(program: &Unordered) -> Result<usize, TestCaseError> {
    let (wanted, found) = both(program);
    let text = program.print().0;
    let lines: Vec<_> = (1..).zip(text.lines()).map(|(at, line)| format!("{at:3} {line}\n")).collect();
    let lines = lines.concat();
    let shown =
        |pairs: BTreeSet<Pair>| pairs.iter().map(|pair| format!("\n  {pair:?}")).collect::<Vec<_>>().concat();
    let (missing, mut more) = (&wanted - &found, &found - &wanted);
    more.retain(|(_, between, ..)| program.rounds() == 1 || *between != MissingOrder::Lanes);
    prop_assert!(
        missing.is_empty() && more.is_empty(),
        "{lines}\nnot found: {}\nfound, but ordered: {}",
        shown(missing),
        shown(more)
    );
    Ok(wanted.len())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1024) })]

    /// Tests: `races-are-found`.
    #[test]
    fn the_race_checker_agrees_with_the_definition(program in unordered_programs()) {
        agree(&program)?;
    }
}

/// The same as [`the_race_checker_agrees_with_the_definition`], with more cases.
#[test]
#[ignore = "minutes"]
fn the_race_checker_agrees_with_the_definition_at_length() {
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(100_000) };
    let run = |program| agree(&program).map(|_| ());
    proptest::test_runner::TestRunner::new(config).run(&unordered_programs(), run).unwrap();
}

/// Returns the lines of the races that the report of `body` names, when blocks of 64 threads run it
/// on Fermi.
fn races_of(body: &str) -> Vec<(u32, u32)> {
    let text = format!(
        ".version 2.3\n.target sm_20\n.entry k {{\n.shared .u32 cells[128];\n.reg .u32 %t, %at, %v;\n.reg .pred %p;\n\
         mov.u32 %t, %tid.x;\nshl.b32 %at, %t, 2;\nsetp.lt.u32 %p, %t, 32;\nmov.u32 %v, %t;\n{body}\nexit;\n}}\n"
    );
    let (module, diagnostics) = isa::compile_with("k.ptx", &text, isa::Options::PLAIN);
    let mut gpu = Gpu::new(chip_with("fermi", &[]));
    let module = gpu.load(module.unwrap_or_else(|| panic!("{diagnostics:#?}"))).expect("it has no variables");
    gpu.check_races(true);
    let report = gpu.launch(&Launch::new(module, "k", 2, 64).mode(Mode::Functional)).expect("it fits");
    assert!(report.verdict.is_finished(), "{:?}", report.verdict);
    let findings = report.checks.expect("it was checked").findings;
    let line = |text: &str| body.lines().position(|l| l == text).expect("it is of the body") as u32;
    let races = findings.iter().filter_map(|finding| finding.race.as_ref());
    let pairs = races.flat_map(|Race { pairs, .. }| pairs);
    let lines = pairs.filter(|pair| pair.severity == Severity::Error);
    let lines = lines.map(|h| (line(h.first.source.trim()), line(h.second.source.trim())));
    lines.collect()
}

const STORE: &str = "st.shared.u32 [%at], %v;";
const NEXT: &str = "ld.shared.u32 %v, [%at+4];";

/// A barrier with the thread count of the whole block is the same as one without a count. One for a
/// part of the block orders the warps that wait there.
///
/// Tests: `races-are-found`.
#[test]
fn a_barrier_orders_the_warps_that_wait_there() {
    for barrier in [
        "bar.sync 0;",
        "bar.sync 0, 64;",
        "bar.red.popc.u32 %v, 0, 64, %p;",
        "@%p bar.sync 1, 64;\n@!%p bar.sync 1;",
    ] {
        assert_eq!(races_of(&format!("{STORE}\n{barrier}\n{NEXT}")), [], "{barrier}");
    }
    let part = "bar.sync 2, 32;";
    assert_eq!(races_of(&format!("{STORE}\n{part}\n{NEXT}")), [(0, 2)]);
    assert_eq!(races_of(&format!("{part}\n{STORE}\nbar.sync 0;\n{NEXT}")), []);
}

/// A warp that only arrives does not wait: its accesses before the barrier are ordered before those
/// of the waiting warp behind it, and nothing else.
///
/// Tests: `races-are-found`.
#[test]
fn an_arrival_orders_one_direction() {
    // Warp 1 reads what warp 0 has written: thread 32 stores at 128, thread 31 loads from there.
    let (first, second) = ("@!%p st.shared.u32 [%at], %v;", "@%p ld.shared.u32 %v, [%at+4];");
    let (wait, pass) = ("@%p bar.sync 1, 64;", "@!%p bar.arrive 1, 64;");
    assert_eq!(races_of(&format!("{first}\n{wait}\n{pass}\n{second}")), []);
    assert_eq!(races_of(&format!("{wait}\n{pass}\n{first}\n{second}")), [(2, 3)]);
    // Producer and consumer exchanged.
    let (wait, pass) = ("@!%p bar.sync 1, 64;", "@%p bar.arrive 1, 64;");
    assert_eq!(races_of(&format!("{first}\n{wait}\n{pass}\n{second}")), [(0, 3)]);
    // Loop iterations are counted from the last barrier of the whole block: the store is named
    // first.
    let rounds = "mov.u32 %i, 0;\nAGAIN:\nadd.u32 %i, %i, 1;\nsetp.lt.u32 %q, %i, 3;\n@%q bra AGAIN;";
    let body = format!(".reg .u32 %i;\n.reg .pred %q;\n{rounds}\n{wait}\n{pass}\n{STORE}\n{NEXT}");
    assert_eq!(races_of(&body), [(9, 10)]);
}
