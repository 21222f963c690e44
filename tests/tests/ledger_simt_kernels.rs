//! Blocks and warps at work: rows SIMT-08, SIMT-09, SIMT-11 and SIMT-14 of the claims ledger.

use sim_core::config::Chip;
use sim_core::host::{HostError, LaunchError, Mode};
use sim_core::stats::Report;
use warpsim_tests::device::{CHIPS, Device, MODES, chip_with, pointers, timing};

const DOT_PRODUCTS: &str = include_str!("../ptx/dot_products.ptx");
const CHAIN: &str = include_str!("../../kernels/ptx/book/chain.ptx");

/// Whole numbers from -3 to 3 that differ from place to place, so that sums are exact and partial sums differ.
fn numbers(count: usize, salt: usize) -> Vec<f32> {
    (0..count).map(|i| ((i * 5 + i / 256 * 3 + i / 7 + salt) % 7) as i16 - 3).map(f32::from).collect()
}

/// `products` dot products of `length` elements by the kernel `entry`: report, results, and the two factors.
fn dot_products(
    chip: Chip,
    text: &str,
    entry: &str,
    mode: Mode,
    (products, length): (u32, u32),
) -> (Report, Vec<f32>, Vec<f32>) {
    let count = (products * length) as usize;
    let (a, b) = (numbers(count, 1), numbers(count, 4));
    let mut device = Device::new(chip, "dot_products.ptx", text).unwrap_or_else(|e| panic!("{e}"));
    let (x, y) = (device.upload_floats(&a), device.upload_floats(&b));
    let out = device.upload(&vec![u32::MAX; products as usize]);
    let launch = device.launch(entry, (products, 1), (length, 1, 1)).args(pointers(&[x, y, out])).mode(mode);
    let report = device.run(&launch);
    let terms = a.iter().zip(&b).map(|(a, b)| a * b).collect();
    (report, device.download_floats(out, products as usize), terms)
}

/// SIMT-08: 1,024 dot products of 256 elements on the G80 (exercise 6.7): 262,144 threads in blocks of 8 warps, which
/// load two words each and, as the kernel is written, store one each; no bank conflicts; in 5 of the 8 iterations a
/// warp diverges.
///
/// The slip of the text: every thread stores element 0, and nothing waits for the last addition to it, so warps 1 to
/// 7 may store what was there before. Which of the two values stays is a race; that the race is named is for the race
/// checker, which is not built yet. Here the printed kernel leaves one of the two, and with the missing barrier, or
/// with thread 0 alone storing, the sum.
#[test]
#[expect(clippy::float_cmp, reason = "sums of small whole numbers are exact")]
fn simt_08_dot_products() {
    const PRODUCTS: u64 = 1024;
    const LENGTH: usize = 256;
    let fixes = [
        ("as printed", "", 262_144),
        ("with a barrier", "bar.sync 0;", 262_144),
        ("thread 0 alone", "setp.ne.u32 %idle, %t, 0; @%idle exit;", PRODUCTS),
    ];
    for (what, end, stores) in fixes {
        let text = DOT_PRODUCTS.replace("// END", end);
        for mode in MODES {
            let size = (PRODUCTS as u32, LENGTH as u32);
            let (report, found, terms) =
                dot_products(chip_with("g80", &[]), &text, "dot_products", mode, size);
            assert_eq!(report.launch.grid.count() * report.launch.block.count(), 262_144);
            assert_eq!(report.launch.warps_per_block, 8);
            assert_eq!(report.control.divergent_branches, 5 * PRODUCTS, "{what}");
            for (block, (found, terms)) in found.iter().zip(terms.chunks(LENGTH)).enumerate() {
                let sum: f32 = terms.iter().sum();
                // Before the last addition element 0 holds the sum of the terms with even numbers.
                let before: f32 = terms.iter().step_by(2).sum();
                let allowed = *found == sum || what == "as printed" && *found == before;
                assert!(allowed, "{what}, block {block}: {found}, the sum is {sum}");
            }
            if mode == Mode::Timed {
                let (global, shared) = (&timing(&report).global, &timing(&report).shared);
                assert_eq!(global.load.bytes_asked, 4 * 2 * 262_144, "two loads per thread");
                assert_eq!(global.store.bytes_asked, 4 * stores, "{what}: stores");
                assert_eq!((global.load.coalesced_groups, global.load.uncoalesced_groups), (2 * 16_384, 0));
                assert_eq!((shared.load.conflict_passes, shared.store.conflict_passes), (0, 0));
            }
        }
    }
}

/// SIMT-09: the sum whose last warp goes on without barriers (exercise 6.9). A lane reads what other lanes of its warp
/// stored an instruction before: right on hardware whose warps run in step, as all three chips do. That this is a
/// dependence within a warp, and no race between warps, is for the race checker to say, which is not built yet.
#[test]
fn simt_09_last_warp_unrolled() {
    for name in CHIPS {
        for mode in MODES {
            for length in [64, 128, 256, 512] {
                let run = |entry| dot_products(chip_with(name, &[]), DOT_PRODUCTS, entry, mode, (24, length));
                let (report, found, terms) = run("last_warp_unrolled");
                let sums: Vec<f32> = terms.chunks(length as usize).map(|t| t.iter().sum()).collect();
                assert_eq!(found, sums, "{name}, {length} elements, {mode:?}");
                // Nothing diverges any more, and six barriers per warp become one.
                assert_eq!(report.control.divergent_branches, 0, "{name}");
                let (looped, ..) = run("dot_products");
                let warps = u64::from(length / 32 * 24);
                assert_eq!(looped.control.divergent_branches, 5 * 24);
                assert_eq!(looped.control.barriers - report.control.barriers, 5 * warps);
            }
        }
    }
}

/// SIMT-11: transparent scalability. 8 blocks on a chip that holds 2 of them at a time and on one that holds 4: the
/// same results in half the time, within 10 %. The chips differ in SMs of one block each, or in the blocks that their
/// only SM holds.
#[test]
fn simt_11_transparent_scalability() {
    const LENGTH: usize = 1000;
    let text = CHAIN.replace("// CHAIN", &"add.f32 %v, %v, 0f3f800000;\n\t".repeat(LENGTH));
    // A block of one warp; all blocks write the same 32 words.
    let run = |name: &str, clusters: u32, per_sm: u32| {
        let (clusters, per_sm) = (clusters.to_string(), per_sm.to_string());
        let chip =
            chip_with(name, &[("clusters", &clusters), ("cluster.sms", "1"), ("sm.max_blocks", &per_sm)]);
        let mut device = Device::new(chip, "chain.ptx", &text).unwrap_or_else(|e| panic!("{e}"));
        let out = device.upload(&[0; 32]);
        let report = device.run(&device.launch("chain", (8, 1), (32, 1, 1)).args(pointers(&[out])));
        (timing(&report).cycles as f64, device.download_floats(out, 32))
    };
    let expected: Vec<f32> = (0..32).map(|t| (t + LENGTH) as f32).collect();
    for name in CHIPS {
        for (what, two, four) in [("SMs", (2, 1), (4, 1)), ("blocks of an SM", (1, 2), (1, 4))] {
            let (slow, first) = run(name, two.0, two.1);
            let (fast, second) = run(name, four.0, four.1);
            assert_eq!((&first, &second), (&expected, &expected), "{name}, {what}");
            let ratio = slow / fast;
            assert!(
                (ratio / 2.0 - 1.0).abs() < 0.1,
                "{name}, {what}: {slow} and {fast} cycles, {ratio} to 1"
            );
        }
    }
}

/// SIMT-14: 1,024 threads per block on the G80 (exercise 4.1): refused, and the limit is named. It is the chip's, so
/// the GT200 refuses it too, and Fermi runs it.
#[test]
fn simt_14_too_many_threads_for_a_block() {
    let text = CHAIN.replace("// CHAIN", "");
    for mode in MODES {
        for name in CHIPS {
            let mut device = Device::on(name, &text);
            let out = device.upload(&[u32::MAX; 1024]);
            let launch = device.launch("chain", (1, 1), (1024, 1, 1)).args(pointers(&[out])).mode(mode);
            if name == "fermi" {
                device.run(&launch);
                assert_eq!(device.download_floats(out, 1024)[1023].to_bits(), 1023f32.to_bits());
                continue;
            }
            let refusal = device.refusal(&launch);
            let HostError::Launch(LaunchError::Limit { limit, needed, available, .. }) = &refusal else {
                panic!("{refusal}");
            };
            assert_eq!((limit.as_str(), *needed, *available), ("threads per block", 1024, 512));
            let sentence = "threads per block: 1024 needed, 512 available";
            assert!(refusal.to_string().contains(sentence), "{refusal}");
            assert_eq!(device.download(out, 1024), [u32::MAX; 1024], "nothing ran");
        }
    }
}
