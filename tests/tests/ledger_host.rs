//! The host's side of a program: rows MEM-18 and MEM-20 of the claims ledger.

use sim_core::host::timeline::Event;
use sim_core::host::{Arg, DevicePtr, HostError, Launch};
use sim_core::stats::Report;
use warpsim_tests::device::{CHIPS, Device, chip_with, pointers, timing};

/// Each chip with its gigabytes a second, that is bytes a nanosecond, each way: the book's 4 are the G80's, and the
/// boards of the other two have links of the second generation, which is twice as fast.
const RATES: [(&str, u64); 3] = [("g80", 4), ("gt200", 8), ("fermi", 8)];

fn vecadd(chip: &str) -> Device {
    Device::on(chip, kernels::find("vecadd").expect("a built-in kernel").ptx)
}

/// Nanoseconds that each of the last `count` host calls took, with its name.
fn last(device: &Device, count: usize) -> Vec<(&str, u64)> {
    let events = &device.gpu.timeline().events;
    events[events.len() - count..].iter().map(|e| (e.what.as_str(), e.duration_ns)).collect()
}

/// MEM-18: allocate, copy in, launch, copy out, free: the host program of the book's vector addition, in its five
/// steps and in this order. What is freed can be used no more.
#[test]
fn mem_18_the_five_steps() {
    const N: usize = 1000;
    for chip in CHIPS {
        let mut device = vecadd(chip);
        let gpu = &mut device.gpu;
        let bytes = |f: &dyn Fn(usize) -> u16| -> Vec<u8> {
            (0..N).flat_map(|i| f32::from(f(i)).to_le_bytes()).collect()
        };
        let [a, b, c] = [(); 3].map(|()| gpu.malloc(4 * N as u64).expect("room"));
        gpu.copy_in(a, &bytes(&|i| i as u16)).expect("a copy in");
        gpu.copy_in(b, &bytes(&|i| 2 * i as u16)).expect("a copy in");
        let mut args = pointers(&[a, b, c]);
        args.push(Arg::U32(N as u32));
        let launch = Launch::new(device.module, "vecadd", 4, 256).args(args);
        assert!(gpu.launch(&launch).expect("a launch").verdict.is_finished());
        let mut sum = vec![0; 4 * N];
        gpu.copy_out(c, &mut sum).expect("a copy out");
        assert_eq!(sum, bytes(&|i| 3 * i as u16), "{chip}");

        let events: Vec<&Event> = gpu.timeline().events.iter().collect();
        let names: Vec<&str> = events.iter().map(|e| e.what.as_str()).collect();
        assert_eq!(names, ["memcpy HtoD", "memcpy HtoD", "vecadd", "memcpy DtoH"], "{chip}");
        for pair in events.windows(2) {
            assert_eq!(pair[1].start_ns, pair[0].end_ns(), "one after the other");
        }
        for ptr in [a, b, c] {
            gpu.free(ptr).expect("an allocation");
        }
        assert!(matches!(gpu.copy_in(a, &[0; 4]), Err(HostError::Memory(_))), "freed memory is not written");
        assert!(matches!(gpu.copy_out(c, &mut sum), Err(HostError::Memory(_))), "nor read");
        assert!(matches!(gpu.free(b), Err(HostError::Memory(_))), "nor freed again");
        let report = gpu.launch(&launch).expect("the launch itself is sound");
        assert!(!report.verdict.is_finished(), "a kernel that reads freed memory is stopped");
    }
}

/// MEM-18: copies are timed at 4 GB/s each way on the G80, besides a latency that every copy has.
#[test]
fn mem_18_four_gigabytes_a_second_each_way() {
    for (chip, rate) in RATES {
        let mut device = vecadd(chip);
        let whole = device.gpu.malloc(8 << 20).expect("room");
        let times: Vec<(u64, u64, u64)> = [0usize, 4, 1 << 20, 3 << 20, 8 << 20]
            .into_iter()
            .map(|bytes| {
                device.gpu.copy_in(whole, &vec![7; bytes]).expect("a copy in");
                device.gpu.copy_out(whole, &mut vec![0; bytes]).expect("a copy out");
                let [("memcpy HtoD", there), ("memcpy DtoH", back)] = last(&device, 2)[..] else {
                    panic!("two copies")
                };
                (bytes as u64, there, back)
            })
            .collect();
        let latency = times[0].1;
        assert_eq!(latency, device.gpu.chip().pcie.latency_ns);
        for (bytes, there, back) in times {
            assert_eq!(there - latency, bytes.div_ceil(rate), "{chip}: {bytes} bytes to the device");
            assert_eq!(back, there, "{chip}: {bytes} bytes back");
        }
    }
}

/// MEM-18: both directions at once (section 1.2), on a board with two copy engines. In two streams 8 MB go in while 8 MB come out, in the time of one;
/// two copies of one direction share the wire by turns, and so do two of one stream.
#[test]
fn mem_18_both_directions_at_once() {
    const BYTES: usize = 8 << 20;
    for (chip, each_way) in RATES {
        let chip_text = kernels::find("vecadd").expect("a built-in kernel").ptx;
        let both_ways = chip_with(chip, &[("pcie.copy_engines", "2")]);
        let mut device = Device::new(both_ways, "vecadd.ptx", chip_text).expect("it loads");
        let [x, y] = [(); 2].map(|()| device.gpu.malloc(BYTES as u64).expect("room"));
        device.gpu.copy_in(y, &vec![9; BYTES]).expect("a copy in");
        let (_, one) = last(&device, 1)[0];
        let streams = [device.gpu.stream(), device.gpu.stream()];

        // The time of two copies in the streams of those numbers: in, of this byte, or out.
        let both = |device: &mut Device, copies: [(usize, DevicePtr, Option<u8>); 2]| {
            let begin = device.gpu.timeline().now_ns();
            for (stream, ptr, data) in copies {
                let done = if let Some(byte) = data {
                    device.gpu.copy_in_async(streams[stream], ptr, &vec![byte; BYTES])
                } else {
                    let mut bytes = vec![0; BYTES];
                    let done = device.gpu.copy_out_async(streams[stream], ptr, &mut bytes);
                    assert!(bytes.iter().all(|b| *b == 9));
                    done
                };
                done.expect("a copy");
            }
            device.gpu.synchronize();
            device.gpu.timeline().now_ns() - begin
        };
        assert_eq!(both(&mut device, [(0, x, Some(3)), (1, y, None)]), one, "{chip}: in and out at once");
        let rate = (2 * BYTES) as f64 / (one - device.gpu.chip().pcie.latency_ns) as f64;
        assert!((rate - 2.0 * each_way as f64).abs() < 1e-3, "{chip}: {rate} GB/s both ways");
        assert_eq!(both(&mut device, [(0, x, Some(3)), (1, y, Some(9))]), 2 * one, "{chip}: both in");
        assert_eq!(both(&mut device, [(0, y, None), (1, y, None)]), 2 * one, "{chip}: both out");
        assert_eq!(both(&mut device, [(0, x, Some(3)), (0, y, None)]), 2 * one, "{chip}: one stream");
        // Plain copies wait for each other, whichever way they go.
        let begin = device.gpu.timeline().now_ns();
        device.gpu.copy_in(x, &vec![1; BYTES]).expect("a copy in");
        device.gpu.copy_out(y, &mut vec![0; BYTES]).expect("a copy out");
        assert_eq!(device.gpu.timeline().now_ns() - begin, 2 * one, "{chip}: without streams");
        let refused = device.gpu.copy_in_async(streams[0], x, &vec![0; BYTES + 4]);
        assert!(matches!(refused, Err(HostError::Memory(_))), "a copy beyond the allocation");
    }
}

/// Whether two events were under way together.
fn overlap(a: &Event, b: &Event) -> bool {
    a.start_ns < b.end_ns() && b.start_ns < a.end_ns()
}

/// MEM-18, in streams: the vector addition in four parts, each copied in, added and copied out in a stream of its own.
/// The sum is right on every board; what is under way together is what the board has engines for: nothing on the 8800
/// GTX, copies beside kernels from capability 1.1 on, copies both ways on the Teslas of the Fermi generation.
#[test]
fn mem_18_copies_beside_kernels() {
    const PART: usize = 1 << 15;
    const PARTS: usize = 4;
    let mut totals = Vec::new();
    for (chip, engines) in [("g80", 0), ("8800gt", 1), ("fermi", 1), ("c2050", 2), ("m2090", 2)] {
        let mut device = vecadd(chip);
        assert_eq!(device.gpu.chip().pcie.copy_engines, engines, "{chip}");
        let whole = (PARTS * PART * 4) as u64;
        let [a, b, c] = [(); 3].map(|()| device.gpu.malloc(whole).expect("room"));
        let bytes = |part: usize, factor: usize| -> Vec<u8> {
            let values = (0..PART).map(|i| (factor * (part * PART + i) % 8192) as u16);
            values.flat_map(|v| f32::from(v).to_le_bytes()).collect()
        };
        let at = |ptr: DevicePtr, part: usize| ptr.offset((part * PART * 4) as u32);
        let begin = device.gpu.record(None);
        let mut sums = Vec::new();
        let streams: Vec<_> = (0..PARTS).map(|_| device.gpu.stream()).collect();
        // Step by step, not part by part: an engine takes its work in the order of the calls.
        for (part, stream) in streams.iter().enumerate() {
            device.gpu.copy_in_async(*stream, at(a, part), &bytes(part, 1)).expect("a copy in");
            device.gpu.copy_in_async(*stream, at(b, part), &bytes(part, 2)).expect("a copy in");
        }
        for (part, stream) in streams.iter().enumerate() {
            let mut args = pointers(&[a, b, c].map(|p| at(p, part)));
            args.push(Arg::U32(PART as u32));
            let launch = Launch::new(device.module, "vecadd", (PART / 256) as u32, 256).args(args);
            assert!(device.gpu.launch_in(*stream, &launch).expect("a launch").verdict.is_finished());
        }
        for (part, stream) in streams.iter().enumerate() {
            let mut sum = vec![0; PART * 4];
            device.gpu.copy_out_async(*stream, at(c, part), &mut sum).expect("a copy out");
            sums.push(sum);
        }
        device.gpu.synchronize();
        let end = device.gpu.record(None);
        for (part, sum) in sums.iter().enumerate() {
            let values = |bytes: &[u8]| -> Vec<f32> {
                bytes.as_chunks().0.iter().map(|word| f32::from_le_bytes(*word)).collect()
            };
            let (a, b) = (values(&bytes(part, 1)), values(&bytes(part, 2)));
            let expected: Vec<f32> = a.iter().zip(&b).map(|(a, b)| a + b).collect();
            assert_eq!(values(sum), expected, "{chip}: part {part}");
        }

        let events = &device.gpu.timeline().events;
        assert_eq!(events.len(), 4 * PARTS, "{chip}");
        let pairs = || (0..events.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
        let together = |one: &str, other: &str| {
            let named = |e: &Event, what| if what == "kernel" { e.what == "vecadd" } else { e.what == what };
            pairs().any(|(i, j)| {
                let (a, b) = (&events[i], &events[j]);
                let kinds = named(a, one) && named(b, other) || named(b, one) && named(a, other);
                kinds && overlap(a, b)
            })
        };
        let (to, back) = ("memcpy HtoD", "memcpy DtoH");
        assert!(!together("kernel", "kernel") && !together(to, to) && !together(back, back), "{chip}");
        assert_eq!(together(to, "kernel"), engines > 0, "{chip}");
        assert_eq!(together(to, back), engines > 1, "{chip}");
        for (i, j) in pairs().filter(|(i, j)| events[*i].stream == events[*j].stream) {
            assert!(events[j].end_ns() <= events[i].start_ns, "{chip}: a stream keeps its order");
        }
        let elapsed = device.gpu.elapsed_ns(begin, end).expect("marks");
        let busy: u64 = events.iter().map(|e| e.duration_ns).sum();
        totals.push((chip, elapsed as f64 / busy as f64));
    }
    assert!(totals[0].1 >= 1.0, "one thing at a time: {totals:?}");
    assert!(totals[1..].iter().all(|t| t.1 < 1.0) && totals[3].1 < totals[2].1, "{totals:?}");
}

/// A thread of this kernel writes, for each z, eight points of a row of the grid, 16 apart, so that a half-warp writes
/// 16 words side by side (the book's section 9.4). It leaves out what lies beyond the pitch or the rows.
const GRID_POINTS: &str = include_str!("../ptx/grid_points.ptx");

/// MEM-20: the grid of potentials of 100 x 100 x 100 points, padded to the tile of 128 x 16 x 16 points that a block
/// covers, has 128 x 112 x 112 = 1,605,632 points, 60 % more. What that buys: every row begins at a multiple of 64
/// bytes, so that each half-warp's store is one transaction; in the grid that is not padded three rows of four do not.
#[test]
fn mem_20_padding_the_grid_of_potentials() {
    const POINTS: u64 = 100 * 100 * 100;
    let padded: u64 = [128u64, 16, 16].iter().map(|tile| 100u64.div_ceil(*tile) * tile).product();
    assert_eq!((padded, padded * 100 / POINTS), (1_605_632, 160));
    let run = |pitch: u32, rows: u32, slices: u32| -> (Report, u64) {
        let mut device = Device::g80(GRID_POINTS);
        let points = (pitch * rows * slices) as usize;
        let grid = device.gpu.malloc(4 * points as u64).expect("room");
        let args = [Arg::Ptr(grid), Arg::U32(pitch), Arg::U32(rows), Arg::U32(slices)];
        let launch = device.launch("grid_points", (1, 7), (16, 16, 1)).args(args);
        let report = device.run(&launch);
        let written = device.download(grid, points).iter().filter(|word| **word == 1).count();
        (report, written as u64)
    };
    let (whole, written) = run(128, 112, 112);
    assert_eq!(written, padded, "every point of the padded grid is written");
    let store = &timing(&whole).global.store;
    assert_eq!(store.bytes_asked, 4 * padded);
    assert_eq!(
        (store.transactions, store.bytes_moved),
        (padded / 16, 4 * padded),
        "one of 64 bytes for 16 points"
    );
    let (tight, written) = run(100, 100, 100);
    assert_eq!(written, POINTS);
    let store = &timing(&tight).global.store;
    assert!(
        store.bytes_moved > 3 * store.bytes_asked,
        "{} bytes for {}",
        store.bytes_moved,
        store.bytes_asked
    );
    assert!(timing(&tight).cycles > timing(&whole).cycles, "60 % more points are written in less time");
}
