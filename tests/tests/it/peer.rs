//! Copies between devices: bytes, times on both timelines, and errors.

use sim_core::host::timeline::{Call, Direction};
use sim_core::host::{DevicePtr, Gpu};
use warpsim_tests::device::chip_with;

const BYTES: usize = 80_000;

/// A GPU with a buffer of `fill`, and the time of the copy to it.
fn gpu(chip: &str, sets: &[(&str, &str)], fill: u8) -> (Gpu, DevicePtr, u64) {
    let mut gpu = Gpu::new(chip_with(chip, sets));
    let ptr = gpu.malloc(BYTES as u64).expect("it fits");
    gpu.copy_in(ptr, &vec![fill; BYTES]).expect("inside the allocation");
    let now = gpu.timeline().now_ns();
    (gpu, ptr, now)
}

/// The copies after the first one: direction, start and duration in nanoseconds.
fn copies(gpu: &Gpu) -> Vec<(Direction, u64, u64)> {
    let of_one = |event: &sim_core::host::timeline::Event| match event.what {
        Call::Copy(direction) => (direction, event.start_ns, event.duration_ns),
        Call::Kernel(_) => panic!("no kernel was launched"),
    };
    gpu.timeline().events.iter().skip(1).map(of_one).collect()
}

fn contents(gpu: &mut Gpu, ptr: DevicePtr) -> Vec<u8> {
    let mut bytes = vec![0; BYTES];
    gpu.copy_out(ptr, &mut bytes).expect("inside the allocation");
    bytes
}

/// Tests: `peer-copies`.
#[test]
fn two_fermi_boards_copy_directly() {
    let (mut a, to, _) = gpu("fermi", &[], 1);
    // The slower link decides the rate, the longer latency the latency.
    let (mut b, from, later) = gpu("c2050", &[("pcie.bytes_per_second", "4000000000")], 2);
    a.copy_peer(to, &mut b, from, 40_000).expect("both are inside an allocation");
    let expected = [(Direction::Peer, later, 10_000 + 40_000 / 4)];
    assert_eq!(copies(&a), expected);
    assert_eq!(copies(&b), expected);
    assert!(later > a.timeline().host_ns(), "the host of the faster board does not wait");
    let end = later + 20_000;
    assert_eq!((a.timeline().now_ns(), b.timeline().now_ns()), (end, end));
    let expected: Vec<u8> = [vec![2; 40_000], vec![1; 40_000]].concat();
    assert_eq!(contents(&mut a, to), expected);
    assert_eq!(copies(&a)[1].1, end, "a later plain call begins after the copy");
}

/// Tests: `peer-copies`.
#[test]
fn older_boards_copy_through_the_host() {
    for (one, other) in [("gt200", "gt200"), ("gt200", "fermi"), ("fermi", "g80")] {
        let (mut a, to, first) = gpu(one, &[], 1);
        let (mut b, from, second) = gpu(other, &[], 2);
        let start = first.max(second);
        a.copy_peer(to, &mut b, from, BYTES as u64).expect("both are inside an allocation");
        let time =
            |gpu: &Gpu| 10_000 + (BYTES as u64 * 1_000_000_000).div_ceil(gpu.chip().pcie.bytes_per_second);
        let (out, back) = (time(&b), time(&a));
        assert_eq!(copies(&b), [(Direction::Out, start, out)], "{one}, {other}");
        assert_eq!(copies(&a), [(Direction::In, start + out, back)], "{one}, {other}");
        let end = start + out + back;
        assert_eq!([&a, &b].map(|gpu| gpu.timeline().host_ns()), [end; 2], "both hosts wait");
        assert_eq!(contents(&mut a, to), vec![2; BYTES]);
    }
}

/// Tests: `peer-copies`.
#[test]
fn a_wrong_copy_changes_nothing() {
    let (mut a, to, now) = gpu("fermi", &[], 1);
    let (mut b, from, _) = gpu("fermi", &[], 2);
    let mapped = b.alloc_mapped(64).expect("it fits");
    for (to, from, bytes) in [
        (to, from, BYTES as u64 + 1),
        (to.offset(1), from, BYTES as u64),
        (to, mapped, 64),
        (mapped, from, 64),
    ] {
        assert!(a.copy_peer(to, &mut b, from, bytes).is_err(), "{to}, {from}, {bytes}");
    }
    assert_eq!((a.timeline().now_ns(), a.timeline().events.len(), b.timeline().events.len()), (now, 1, 1));
    assert_eq!(contents(&mut a, to), vec![1; BYTES]);
}
