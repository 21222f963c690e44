//! Tests of the products in every variant, on chips of every generation.

use super::*;
use crate::host::{RunError, Session, Settings};
use sim_core::config::Chip;
use sim_core::host::{Gpu, LaunchSettings, Mode};

/// Chips of every generation.
const CHIPS: [&str; 3] = ["g80", "gt200", "fermi"];

#[test]
fn the_reference_multiplies() {
    // The book's example (appendix A.5): m[i][j] = n[i][j] = i + j + 1, 8 x 8.
    let matrix: Vec<i32> = (0..64).map(|i| i / 8 + i % 8 + 1).collect();
    let product = host::multiply(&matrix, &matrix, 8, 8);
    assert_eq!(product[..8], [204, 240, 276, 312, 348, 384, 420, 456]);
    assert_eq!(product[63], 1100);
    assert_eq!(product.iter().sum::<i32>(), 35_456);
    // (1 2 3) times a column of ones and one of twos.
    assert_eq!(host::multiply(&[1, 2, 3], &[1, 2, 1, 2, 1, 2], 3, 2), [6, 12]);
}

#[test]
fn an_unsupported_size_is_refused_with_the_nearest_supported_sizes() {
    let near = [
        (5, "the nearest is 16"),
        (24, "the nearest are 16 or 32"),
        (u64::MAX, "the nearest is 18446744073709551600"),
    ];
    for (size, nearest) in near {
        let refusal = run("g80", "matmul-tiled", size).unwrap_err().to_string();
        assert!(refusal.ends_with(nearest), "{refusal}");
    }
}

fn run(chip: &str, name: &str, size: u64) -> Result<crate::HostRun, RunError> {
    let mut gpu = Gpu::new(Chip::builtin(chip).unwrap());
    let settings = Settings {
        size: Some(size),
        launches: LaunchSettings { mode: Mode::Functional, ..LaunchSettings::default() },
    };
    crate::run(name, &mut gpu, settings)
}

/// Tests: `measured-kernels-are-right`.
#[test]
fn every_variant_multiplies() {
    for chip in CHIPS {
        for workload in workloads() {
            let size = match workload.name {
                "matmul-single" => 22,
                "matmul-any" => 37,
                name if name.contains("16x16-1x8") => 128,
                _ => 64,
            };
            match run(chip, workload.name, size) {
                Ok(outcome) => {
                    assert!(outcome.check.passed(), "{} on {chip}: {}", workload.name, outcome.summary);
                }
                // Blocks of 1,024 threads run on Fermi only.
                Err(e) => assert!(
                    workload.name == "matmul-tiled-32"
                        && chip != "fermi"
                        && e.to_string().contains("threads per block"),
                    "{} on {chip}: {e}",
                    workload.name
                ),
            }
        }
    }
}

#[test]
fn a_single_block_is_as_wide_as_its_threads_allow() {
    for (chip, most) in [("g80", 22), ("gt200", 22), ("fermi", 32)] {
        assert!(run(chip, "matmul-single", most).unwrap().check.passed());
        let error = run(chip, "matmul-single", most + 1).unwrap_err().to_string();
        assert!(error.contains(&format!("1 to {most}")), "{error}");
    }
}

#[test]
fn any_shape_multiplies() {
    let workload = crate::find("matmul-any").unwrap();
    for (rows, inner, columns) in [(1, 1, 1), (17, 5, 33), (5, 40, 16), (31, 16, 1)] {
        let mut gpu = Gpu::new(Chip::builtin("g80").unwrap());
        let settings = Settings::default();
        let mut session = Session::new(workload, workload.compile().unwrap(), &mut gpu, settings).unwrap();
        let outcome = host::any(&mut session, Shape { rows, inner, columns }).unwrap();
        assert!(outcome.check.passed(), "{}", outcome.summary);
        session.free_all().unwrap();
    }
}

#[test]
fn texts_without_a_barrier_are_filled_and_fit_their_lines() {
    let broken = [Barriers::WithoutFirst, Barriers::WithoutSecond].map(|b| Tiled::new(16).barriers(b));
    for tiled in broken {
        crate::tests::is_filled_and_fits(&tiled.name(), &tiled.text());
    }
}

/// An operand in shared memory reaches 508 bytes from its address register on G80 and GT200.
#[test]
fn offsets_in_shared_memory_are_within_reach() {
    for tiled in
        [8, 16].into_iter().flat_map(|tile| Tiled::chapter_6(tile).chain([Tiled::new(tile).merged(8)]))
    {
        let text = tiled.text();
        let offsets = text.lines().filter(|line| line.contains(".shared.f32\t")).filter_map(|line| {
            let (_, behind) = line.split_once('+')?;
            behind.split_once(']')?.0.parse::<u32>().ok()
        });
        let most = offsets.max().expect("the loop loads words of Ns");
        assert!(most <= 508, "{}: {most}", tiled.name());
    }
}

#[test]
fn a_missing_barrier_is_missing() {
    let barriers = |tiled: Tiled| tiled.text().matches("bar.sync\t").count();
    assert_eq!(barriers(Tiled::new(16)), 2);
    assert_eq!(barriers(Tiled::new(16).barriers(Barriers::WithoutFirst)), 1);
    assert_eq!(barriers(Tiled::new(16).barriers(Barriers::WithoutSecond)), 1);
}
