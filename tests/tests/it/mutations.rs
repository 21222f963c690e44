//! No damage to a PTX text, a chip file or a `--set` argument causes a panic, an endless run or an
//! end without a verdict. (Launch files are damaged where they are read:
//! `analysis/report/src/launch_file/mutants.rs`.)
//!
//! Each mutant is either rejected with a message, or compiles and then runs to a verdict: finished,
//! trapped, hung or stopped at its limit. `--ignored` tries a hundred thousand of each kind.

use isa::diag::{Diagnostic, render_all};
use kernels::Settings;
use sim_core::config::{Chip, builtin::builtin_text};
use sim_core::host::{Arg, Gpu, Launch, LaunchSettings, Mode, RunOptions};
use sim_core::stats::report::Verdict;
use sim_core::stats::stuck::StuckClass;
use std::fs;
use std::path::{Path, PathBuf};
use test_support::mutate::mutant;
use test_support::random::Numbers;
use test_support::record;
use warpsim_tests::device::g80_with;
use warpsim_tests::identities;

/// Returns the PTX texts of the repository.
pub fn texts() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["../kernels/ptx", "../kernels/ptx/book", "data/ptx"];
    let mut files: Vec<PathBuf> = folders
        .iter()
        .flat_map(|folder| fs::read_dir(root.join(folder)).expect("a folder of PTX"))
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "ptx"))
        .collect();
    files.sort();
    let mut texts: Vec<String> = files.iter().map(|path| fs::read_to_string(path).expect("text")).collect();
    texts.extend(
        record::ptx("ptx/clang13-sm1x")
            .chain(record::ptx("fuzz/fuzz_cfg_sm13"))
            .map(|(_, text)| text.to_owned()),
    );
    assert!(texts.len() > 100);
    texts
}

/// Compiles a mutant and runs it if it compiles. Returns how many entries ran.
fn compile_and_run(text: &str, numbers: &mut Numbers, timed: bool) -> usize {
    let (module, diagnostics) = isa::compile("mutant.ptx", text);
    let rendered = render_all(&diagnostics, "mutant.ptx", text);
    assert_eq!(module.is_none(), diagnostics.iter().any(Diagnostic::is_error), "{text}");
    assert_eq!(rendered.is_empty(), diagnostics.is_empty());
    let Some(module) = module else { return 0 };
    let entries = module.entries.clone();
    let mut gpu = Gpu::new(g80_with(&[]));
    let Ok(module) = gpu.load(module) else { return 0 };
    let buffer = gpu.malloc(1 << 16).expect("the memory has space");
    let mut ran = 0;
    for entry in &entries {
        let argument = |param: &isa::uop::Param| {
            let value = match numbers.below(8) {
                0 => numbers.bits(),
                1 | 2 => numbers.below(100) as u64,
                _ => u64::from(buffer.address()) + 4 * numbers.below(3) as u64,
            };
            let mut bytes = value.to_le_bytes().to_vec();
            bytes.resize(param.bytes as usize, 0);
            Arg::Bytes(bytes)
        };
        let args: Vec<Arg> = entry.params.iter().map(argument).collect();
        let (grid, block) =
            ((2, 1), numbers.one_of(&[(1, 1, 1), (33, 1, 1), (8, 8, 1), (4, 2, 5), (256, 1, 1)]));
        let (mode, max_cycles) = if timed { (Mode::Timed, 30_000) } else { (Mode::Functional, 10_000) };
        let launch = Launch::new(module, &entry.name, grid, block)
            .args(args)
            .mode(mode)
            .options(RunOptions { max_cycles, ..RunOptions::default() });
        let Ok(report) = gpu.launch(&launch) else { continue };
        ran += 1;
        match report.verdict {
            Verdict::Hung { stuck, .. } => {
                assert!(!stuck.warps.is_empty(), "a hang names the waiting warps\n{text}");
                assert_ne!(stuck.class, StuckClass::LostReply, "a bug of the simulator\n{text}");
            }
            Verdict::Trapped { trap } => {
                assert!(trap.line > 0 && !trap.source.is_empty(), "{trap:?}\n{text}");
            }
            Verdict::Finished => identities::check(&report).unwrap_or_else(|e| panic!("{e}\n{text}")),
            Verdict::Limit { .. } => {}
            Verdict::Interrupted { .. } | Verdict::TimeLimit { .. } | Verdict::Estimated => {
                unreachable!("the run is neither interrupted nor sampled")
            }
            Verdict::Scheduler { fault } => unreachable!("no custom scheduler is set: {}", fault.message),
        }
    }
    ran
}

fn ptx_mutants(count: usize, seed: u64) {
    let texts = texts();
    let mut numbers = Numbers::new(seed);
    let mut ran = 0;
    for i in 0..count {
        let text = mutant(&texts[i % texts.len()], &mut numbers);
        ran += compile_and_run(&text, &mut numbers, i % 8 == 0);
    }
    assert!(ran > count / 50, "of {count} mutants only {ran} entries ran");
}

/// Reads damaged chip files. If a chip is accepted, a kernel still computes the correct result.
fn chip_mutants(count: usize, seed: u64) {
    let g80 = builtin_text("g80").expect("the G80 is built in");
    let mut numbers = Numbers::new(seed);
    let mut accepted = 0;
    for _ in 0..count {
        let text = mutant(g80, &mut numbers);
        match Chip::from_ron("mutant.ron", &text, &[]) {
            Err(messages) => assert!(!messages.to_string().is_empty()),
            Ok((chip, _)) => {
                accepted += 1;
                runs_correctly(chip).unwrap_or_else(|e| panic!("{e}\n{text}"));
            }
        }
    }
    assert!(accepted > count / 100, "of {count} mutants {accepted} were accepted");
}

/// Overrides some numbers of the G80 at random. A chip that is accepted computes the correct
/// result.
fn chip_settings(count: usize, seed: u64) {
    let g80 = builtin_text("g80").expect("the G80 is built in");
    let root = sim_core::config::tree::parse(g80, 0).expect("the G80 is RON");
    let paths = sim_core::config::set::paths(&root);
    let values = ["0", "1", "2", "3", "4", "5", "7", "8", "16", "32", "64", "100", "512", "gto", "priority"];
    let mut numbers = Numbers::new(seed);
    let mut accepted = 0;
    for _ in 0..count {
        let sets: Vec<(String, String)> = (0..=numbers.below(8))
            .map(|_| (paths[numbers.below(paths.len())].clone(), numbers.one_of(&values).to_owned()))
            .filter(|set| Chip::from_ron("g80", g80, std::slice::from_ref(set)).is_ok())
            .collect();
        if let Ok((chip, _)) = Chip::from_ron("g80", g80, &sets) {
            accepted += 1;
            println!("{sets:?}"); // shown if the next line panics
            runs_correctly(chip).unwrap_or_else(|e| panic!("{sets:?}: {e}"));
        }
    }
    assert!(accepted > count / 3, "of {count} chips {accepted} were accepted");
}

/// Damaged `--set` arguments are rejected with a message, or give a chip that computes the correct
/// result.
fn set_mutants(count: usize, seed: u64) {
    let g80 = builtin_text("g80").expect("the G80 is built in");
    let root = sim_core::config::tree::parse(g80, 0).expect("the G80 is RON");
    let paths = sim_core::config::set::paths(&root);
    let values = [
        "16",
        "0.5",
        "gto",
        "\"sp\"",
        "true",
        "(1, 2, 3)",
        "two_level(active: 8)",
        "(unit: \"sp\", slots: 1, latency: 20)",
        "{ \"sp\": (lanes: 8) }",
    ];
    let mut numbers = Numbers::new(seed);
    let (mut accepted, mut refused) = (0, 0);
    for _ in 0..count {
        let whole = format!("{}={}", paths[numbers.below(paths.len())], numbers.one_of(&values));
        let text = mutant(&whole, &mut numbers);
        let (path, value) = text.split_once('=').unwrap_or((&text, ""));
        match Chip::from_ron("g80", g80, &[(path.to_owned(), value.to_owned())]) {
            Err(messages) => {
                refused += 1;
                assert!(messages.to_string().contains("error["), "{text}: {messages}");
            }
            Ok((chip, _)) => {
                accepted += 1;
                println!("{text}"); // shown if the next line panics
                runs_correctly(chip).unwrap_or_else(|e| panic!("{text}: {e}"));
            }
        }
    }
    assert!(accepted > 0 && refused > count / 4, "of {count} mutants {accepted} were accepted");
}

/// Checks that a matrix product on `chip` is correct, refused or stopped at its limit.
fn runs_correctly(chip: Chip) -> Result<(), String> {
    let mut gpu = Gpu::new(chip);
    let options = RunOptions { max_cycles: 1 << 40, ..RunOptions::default() };
    // A launch that exceeds the chip's resources is refused.
    let Ok(outcome) = kernels::run(
        "matmul-tiled",
        &mut gpu,
        Settings { size: Some(32), launches: LaunchSettings { options, ..LaunchSettings::default() } },
    ) else {
        return Ok(());
    };
    for report in &outcome.reports {
        match &report.verdict {
            Verdict::Finished if outcome.check.passed() => identities::check(report)?,
            Verdict::Limit { .. } => {}
            other => return Err(format!("{}: {other:?}", outcome.summary)),
        }
    }
    Ok(())
}

/// Tests: `no-input-panics`.
#[test]
fn damaged_ptx_gets_messages_or_a_verdict() {
    ptx_mutants(2_000, 1);
}

#[test]
#[ignore = "a hundred thousand mutants take minutes"]
fn a_hundred_thousand_damaged_ptx_texts() {
    ptx_mutants(100_000, 2);
}

/// Tests: `no-input-panics`.
#[test]
fn damaged_chip_files_get_messages_or_a_correct_result() {
    chip_mutants(500, 3);
}

#[test]
fn several_numbers_of_a_chip_together_change_no_result() {
    chip_settings(500, 5);
}

/// Tests: `no-input-panics`.
#[test]
fn damaged_settings_get_messages_or_a_correct_result() {
    set_mutants(2_000, 7);
}

#[test]
#[ignore = "a hundred thousand mutants take minutes"]
fn a_hundred_thousand_damaged_settings() {
    set_mutants(100_000, 8);
}

#[test]
#[ignore = "many chips take minutes"]
fn very_many_numbers_of_a_chip_together() {
    chip_settings(100_000, 6);
}

#[test]
#[ignore = "many chips take minutes"]
fn a_hundred_thousand_damaged_chip_files() {
    chip_mutants(100_000, 4);
}

/// If any number of the chip is replaced by any other, the chip is rejected or computes the same.
#[test]
fn no_number_of_a_chip_changes_a_result() {
    let g80 = builtin_text("g80").expect("the G80 is built in");
    let root = sim_core::config::tree::parse(g80, 0).expect("the G80 is RON");
    for path in sim_core::config::set::paths(&root) {
        for value in ["0", "1", "2", "3", "255", "65536", "4294967295", "-1", "1.5", "\"x\"", "()"] {
            match Chip::from_ron("g80", g80, &[(path.clone(), value.to_owned())]) {
                Err(messages) => assert!(messages.to_string().contains("error["), "{path}={value}"),
                Ok((chip, _)) => {
                    println!("{path}={value}"); // shown if the next line panics
                    runs_correctly(chip).unwrap_or_else(|e| panic!("{path}={value}: {e}"));
                }
            }
        }
    }
}
