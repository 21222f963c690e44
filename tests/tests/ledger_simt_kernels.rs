//! Blocks at work: rows SIMT-11 and SIMT-14 of the claims ledger.

use sim_core::host::{HostError, LaunchError};
use warpsim_tests::device::{CHIPS, Device, MODES, chip_with, pointers, timing};

const CHAIN: &str = include_str!("../../kernels/ptx/book/chain.ptx");

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
