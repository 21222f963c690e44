//! Properties of the comparison: every division of a time sums to the time.

use super::subject::Subject;
use crate::args::{Args, Command};
use crate::output::Files;
use crate::provenance::Provenance;
use clap::Parser;
use proptest::collection::vec;
use proptest::prelude::*;
use report::compare::account::Account;
use report::compare::difference::{Comparison, Of, Side};
use report::compare::outcome::Parts;
use report::compare::report::{Launch, Line, ReadReport, Slots, Timing};
use report::compare::{document, text};
use serde_json::Value as Json;
use sim_core::stats::{ByState, SlotBreakdown, WarpState};
use std::collections::BTreeMap;

/// Maximum relative error of a sum.
const TOLERANCE: f64 = 1e-9;

fn near(sum: f64, expected: f64, scale: f64) -> bool {
    (sum - expected).abs() <= TOLERANCE * scale.abs().max(1e-12)
}

/// Checks all sums of a comparison.
fn check(comparison: &Comparison) {
    let (times, whole) = (comparison.times, comparison.times.difference());
    let scale = times.a.max(times.b);
    let sums = |parts: &Parts| parts.iter().fold((0.0, 0.0), |(a, b), (_, times)| (a + times.a, b + times.b));
    let (a, b) = sums(&comparison.outcomes);
    assert!(near(a, times.a, scale) && near(b, times.b, scale), "outcomes: {a} {b}, {times:?}");
    let (mut a, mut b) = sums(&comparison.no_line);
    for row in &comparison.lines {
        let (of_a, of_b) = sums(&row.parts);
        assert!(near(of_a, row.times.a, scale) && near(of_b, row.times.b, scale), "line {}", row.line);
        match row.of {
            Of::Both => assert!(comparison.same_program),
            Of::A => assert!(!comparison.same_program && row.times.b == 0.0),
            Of::B => assert!(!comparison.same_program && row.times.a == 0.0),
        }
        (a, b) = (a + row.times.a, b + row.times.b);
    }
    assert!(near(a, times.a, scale) && near(b, times.b, scale), "lines: {a} {b}, {times:?}");
    for (outcome, times) in &comparison.outcomes {
        let of = |parts: &Parts| {
            parts.iter().find(|(of, _)| of == outcome).map_or(0.0, |(_, times)| times.difference())
        };
        let lines: f64 = comparison.lines.iter().map(|row| of(&row.parts)).sum();
        let sum = lines + of(&comparison.no_line);
        assert!(near(sum, times.difference(), scale), "{outcome:?}: {sum}, {times:?}");
    }
    if let Some(launches) = &comparison.launches {
        let sum: f64 = launches.iter().map(|(_, times)| times.difference()).sum();
        assert!(near(sum, whole, scale), "launches: {sum}, {whole}");
    }
    check_output(comparison);
}

/// Checks that every format shows the comparison.
fn check_output(comparison: &Comparison) {
    let [verdict, reason] = comparison.answer();
    let (a, b) = (comparison.times.a, comparison.times.b);
    assert!(verdict.ends_with('.') && reason.ends_with('.'), "{verdict} {reason}");
    assert_eq!(verdict.contains(" more "), b > a, "{verdict}");
    assert_eq!(verdict.contains(" less"), b < a, "{verdict}");
    let shown = text::text(comparison);
    assert!(shown.lines().all(|line| line.chars().count() <= 80 && line == line.trim_end()), "{shown}");
    assert!(text::markdown(comparison).contains(&reason));
    let json: Json = serde_json::from_str(&document::json(comparison)).expect("JSON");
    let sum: f64 = json["outcomes"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|row| row["difference_us"].as_f64().expect("a number"))
        .sum();
    assert!(near(sum, b - a, a.max(b)), "{sum}");
    let drawn = [figures::compare::outcomes(comparison), figures::compare::lines(comparison)];
    for scene in drawn {
        assert!(scene.flaws().is_empty(), "{:?}", scene.flaws());
    }
}

/// A count that is often 0.
fn slots() -> impl Strategy<Value = u64> {
    prop_oneof![Just(0), 1u64..100, 1u64..1 << 40]
}

fn by_state() -> impl Strategy<Value = ByState> {
    vec(slots(), WarpState::COUNT).prop_map(|counts| {
        let mut by = ByState::default();
        WarpState::ALL.into_iter().zip(counts).for_each(|(state, n)| by.add(state, n));
        by
    })
}

prop_compose! {
    fn outcomes()(used in vec(slots(), 8), empty in by_state(), paired in 0u64..100) -> SlotBreakdown {
        let [issued, held, replay_bank_conflict, replay_constant, shut_by_other, as_first_port, not_pairable, no_warp] =
            <[u64; 8]>::try_from(used).expect("eight");
        SlotBreakdown {
            issued, paired, held, replay_bank_conflict, replay_constant, shut_by_other, as_first_port, not_pairable,
            no_warp, empty,
        }
    }
}

prop_compose! {
    fn line()(line in 1u32..9, executed in slots(), held in slots(), replays in slots(), states in by_state()) -> Line {
        Line { line, source: format!("line {line};"), executed, slots: executed + held + replays, replays, states }
    }
}

prop_compose! {
    fn launch()(
        outcomes in outcomes(),
        lines in vec(line(), 0..6),
        cycles in 1u64..1 << 40,
        mhz in prop_oneof![Just(1350.0), Just(1296.0), 1.0..3000.0],
        kernel in "[ab]",
        instructions in slots(),
    ) -> Launch {
        let timing = Timing {
            cycles,
            microseconds: cycles as f64 / mhz,
            slots: Slots { total: outcomes.total(), outcomes },
            lines,
            sms: Vec::new(),
        };
        Launch { kernel, terms: Default::default(), estimated: false, instructions, timing }
    }
}

prop_compose! {
    fn side()(launches in vec(launch(), 1..4), program in "[xy]", passed in any::<Option<bool>>()) -> Side {
        let provenance = Provenance {
            program: "warpsim".to_owned(),
            kernel: "k".to_owned(),
            size: None,
            input_sha256: vec![program],
            chip: "g80".to_owned(),
            chip_sha256: String::new(),
            overrides: Vec::new(),
            without_effect: Vec::new(),
            seeds: BTreeMap::new(),
        };
        Side { name: "a.json".to_owned(), report: ReadReport { provenance, passed, launches, runs: Vec::new() } }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// Tests: `comparisons-are-complete`.
    #[test]
    fn compare_divides_the_whole_difference_of_any_reports(a in side(), b in side()) {
        check(&Comparison::of(a, b));
    }
}

/// Runs the kernel of a command line.
fn ran(line: &str) -> Side {
    let parsed =
        Args::try_parse_from(format!("warpsim compare -- {line} -- {line}").split(' ')).expect("a command");
    let Command::Compare(args) = parsed.command else { panic!("the command is compare") };
    let runs = args.runs().expect("two runs");
    let subject = Subject::plan(&runs[0], &mut Files::new()).unwrap_or_else(|why| panic!("{line}: {why:?}"));
    subject.side().unwrap_or_else(|why| panic!("{line}: {why:?}")).0
}

/// A small run: kernel, chip, scheduler and compilation at random.
fn small_run() -> impl Strategy<Value = String> {
    let kernels = prop::sample::select(vec![
        "vecadd --size 700",
        "matadd --size 40",
        "matmul-naive --size 32",
        "matmul-tiled --size 32",
        "reduce-halving --size 3000",
        "reduce-interleaved --size 1500",
    ]);
    let chips = prop::sample::select(vec!["g80", "gt200", "fermi"]);
    let schedulers = prop::sample::select(vec!["lrr", "gto"]);
    (kernels, chips, schedulers, prop::sample::select(vec!["", " -O0"])).prop_map(
        |(kernel, chip, scheduler, compile)| {
            format!("run {kernel} --chip {chip} --set scheduler={scheduler}{compile}")
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10))]

    /// Tests: `comparisons-are-complete`.
    #[test]
    fn compare_divides_the_whole_difference_of_real_runs(a in small_run(), b in small_run()) {
        let (a, b) = (ran(&a), ran(&b));
        for side in [&a, &b] {
            // The lines of a report have all issued, held and replayed slots, so nothing is scaled.
            for Launch { timing, .. } in &side.report.launches {
                let SlotBreakdown { issued, held, .. } = timing.slots.outcomes;
                let sum = |of: fn(&Line) -> u64| timing.lines.iter().map(of).sum::<u64>();
                assert_eq!(sum(|line| line.executed), issued);
                assert_eq!(sum(|line| line.slots), issued + held + timing.slots.outcomes.replays());
            }
            // Every state to which empty slots are charged is a state of warps at lines.
            let account = Account::of(&side.report.launches);
            assert!(account.no_line.keys().all(|outcome| !outcome.path().starts_with("empty.")), "{:?}", account.no_line);
        }
        check(&Comparison::of(a, b));
    }
}

#[test]
fn compare_rejects_a_report_whose_slots_do_not_sum() {
    let side = ran("run vecadd --size 100");
    let Json::Object(mut document) = serde_json::json!({
        "schema": sim_core::stats::report::SCHEMA,
        "provenance": side.report.provenance,
        "check": { "passed": true },
    }) else {
        panic!("an object")
    };
    let mut runs = side.report.runs.clone();
    document.insert("runs".to_owned(), runs.clone().into());
    let read = |document: &serde_json::Map<String, Json>| {
        ReadReport::parse("a.json", &serde_json::to_string(document).expect("JSON"))
    };
    assert!(read(&document).is_ok());
    // Until schema 5 some fields had other names.
    let mut old = document.clone();
    old.insert("schema".to_owned(), 5.into());
    let [new_name, old_name] = ["utilization", "utilisation"].map(|name| format!("{name}\":"));
    let text = serde_json::to_string(&old["runs"]).expect("JSON").replace(&new_name, &old_name);
    old.insert("runs".to_owned(), serde_json::from_str(&text).expect("JSON"));
    assert_eq!(read(&old).expect("a report").runs, runs);
    assert_ne!(old["runs"], document["runs"]);
    runs[0]["timing"]["slots"]["issued"] = 1.into();
    document.insert("runs".to_owned(), runs.into());
    let failure = read(&document).expect_err("the sum is wrong");
    assert!(failure.message.contains("the issue slots by outcome sum to"), "{}", failure.message);
}
