//! The host's side of a program: row MEM-18 of the claims ledger.

use sim_core::host::timeline::Event;
use sim_core::host::{Arg, DevicePtr, HostError, Launch};
use warpsim_tests::device::{CHIPS, Device, pointers};

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

/// MEM-18: both directions at once (section 1.2). In two streams 8 MB go in while 8 MB come out, in the time of one;
/// two copies of one direction share the wire by turns, and so do two of one stream.
#[test]
fn mem_18_both_directions_at_once() {
    const BYTES: usize = 8 << 20;
    for (chip, each_way) in RATES {
        let mut device = vecadd(chip);
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
