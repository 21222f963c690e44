//! Mapped host memory: exact results, the time and the bandwidth of the link, and its errors.

use isa::Options;
use sim_core::check::{Check, Checks};
use sim_core::host::timeline::Call;
use sim_core::host::{Arg, DevicePtr, Launch, Mode, RunOptions, SaveAt, SavedState};
use sim_core::stats::Report;
use sim_core::stats::report::MappedReport;
use std::sync::{Arc, Mutex};
use warpsim_tests::device::{Device, chip_with, pointers, timing};

const VECADD: &str = include_str!("../../../kernels/ptx/vecadd.ptx");

/// `copy`: one word for each thread. `twice`: two loads of the same word, one after the other.
/// `count`: adds 1 to a word and 2 to another. `spill`: a word through local memory.
const PTX: &str = ".version 1.4
.target sm_12
.entry copy (.param .u32 from, .param .u32 to)
{
	.reg .u32 %i, %t, %a, %v;
	mov.u32 %i, %ctaid.x;
	mov.u32 %t, %ntid.x;
	mul24.lo.u32 %i, %i, %t;
	mov.u32 %t, %tid.x;
	add.u32 %i, %i, %t;
	shl.b32 %i, %i, 2;
	ld.param.u32 %a, [from];
	add.u32 %a, %a, %i;
	ld.global.u32 %v, [%a];
	ld.param.u32 %a, [to];
	add.u32 %a, %a, %i;
	st.global.u32 [%a], %v;
	exit;
}
.entry twice (.param .u32 from, .param .u32 to)
{
	.reg .u32 %i, %a, %v, %w;
	mov.u32 %i, %tid.x;
	shl.b32 %i, %i, 2;
	ld.param.u32 %a, [from];
	add.u32 %a, %a, %i;
	ld.global.u32 %v, [%a];
	and.b32 %w, %v, 0;
	add.u32 %a, %a, %w;
	ld.global.u32 %w, [%a];
	add.u32 %v, %v, %w;
	ld.param.u32 %a, [to];
	add.u32 %a, %a, %i;
	st.global.u32 [%a], %v;
	exit;
}
.entry count (.param .u32 words)
{
	.reg .u32 %a, %v;
	ld.param.u32 %a, [words];
	red.global.add.u32 [%a], 1;
	atom.global.add.u32 %v, [%a+256], 2;
	exit;
}
.entry spill (.param .u32 from, .param .u32 to)
{
	.local .u32 place[4];
	.reg .u32 %i, %a, %v, %p;
	mov.u32 %i, %tid.x;
	and.b32 %p, %i, 3;
	shl.b32 %p, %p, 2;
	mov.u32 %a, place;
	add.u32 %p, %p, %a;
	shl.b32 %i, %i, 2;
	ld.param.u32 %a, [from];
	add.u32 %a, %a, %i;
	ld.global.u32 %v, [%a];
	st.local.u32 [%p], %v;
	ld.local.u32 %v, [%p];
	ld.param.u32 %a, [to];
	add.u32 %a, %a, %i;
	st.global.u32 [%a], %v;
	exit;
}
";

/// Allocates mapped memory with the content `words`.
fn mapped(device: &mut Device, words: &[u32]) -> DevicePtr {
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    let ptr = device.gpu.alloc_mapped(bytes.len() as u64).unwrap_or_else(|e| panic!("{e}"));
    device.gpu.write_mapped(ptr, &bytes).expect("inside the allocation");
    ptr
}

/// Reads `words` words of mapped memory.
fn read(device: &Device, ptr: DevicePtr, words: usize) -> Vec<u32> {
    let mut bytes = vec![0; 4 * words];
    device.gpu.read_mapped(ptr, &mut bytes).expect("inside the allocation");
    bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

fn link(report: &Report) -> MappedReport {
    timing(report).mapped.expect("the kernel accesses mapped memory")
}

fn numbers(count: u32) -> Vec<u32> {
    (0..count).map(|i| i.wrapping_mul(2_654_435_761)).collect()
}

/// Each built-in chip that can map memory adds vectors in it; boards of 4 GiB too.
#[test]
fn results_are_exact_and_nothing_is_copied() {
    let floats = |plus: f32| (0..1024).map(|i| (i as f32 + plus).to_bits()).collect::<Vec<u32>>();
    let sum: Vec<u32> = (0..1024).map(|i| (2.0 * i as f32 + 0.75).to_bits()).collect();
    for chip in ["8800gt", "gt200", "c1060", "fermi", "c2050", "m2090", "gtx460"] {
        for mode in [Mode::Timed, Mode::Functional] {
            let mut device = Device::on(chip, VECADD);
            let list = [floats(0.25), floats(0.5), vec![0; 1024]].map(|words| mapped(&mut device, &words));
            let mut args = pointers(&list);
            args.push(Arg::S32(1024));
            let launch = device.launch("vecadd", (4, 1), (256, 1, 1)).args(args).mode(mode);
            let report = device.run(&launch);
            assert_eq!(read(&device, list[2], 1024), sum, "{chip}, {mode:?}");
            let events = &device.gpu.timeline().events;
            if mode == Mode::Functional {
                assert!(events.is_empty() && report.timing.is_none());
                continue;
            }
            assert_eq!(events.len(), 1, "{chip}");
            assert_eq!(events[0].what, Call::kernel("vecadd"));
            let MappedReport { read_bytes, write_bytes, .. } = link(&report);
            assert_eq!((read_bytes, write_bytes), (2 * 4096, 4096), "{chip}");
            assert_eq!(timing(&report).l2.counters.write_sector_queries, 0, "{chip}");
            for ptr in list {
                device.gpu.free(ptr).expect("allocated");
            }
            assert!(device.gpu.leaks().is_empty());
        }
    }
}

/// Runs `twice` with one warp; returns the report.
fn one_warp(chip: &str, mapped_ns: &str) -> Report {
    let chip = chip_with(chip, &[("pcie.mapped_ns", mapped_ns)]);
    let device = Device::compiled(chip, "test.ptx", PTX, Options::PLAIN);
    let mut device = device.unwrap_or_else(|e| panic!("{e}"));
    let from = mapped(&mut device, &numbers(32));
    let to = device.upload(&[0; 32]);
    let launch = device.launch("twice", (1, 1), (32, 1, 1)).args(pointers(&[from, to]));
    let report = device.run(&launch);
    let twice: Vec<u32> = numbers(32).iter().map(|v| v.wrapping_mul(2)).collect();
    assert_eq!(device.download(to, 32), twice);
    report
}

/// The latency of a load grows by exactly the cycles by which that of the link grows. No cache
/// keeps the words between the two loads.
///
/// Tests: `mapped-link`.
#[test]
fn a_load_takes_the_latency_of_the_link() {
    for (chip, mhz) in [("gt200", 1296_u64), ("fermi", 1401)] {
        let (short, long) = (one_warp(chip, "1000"), one_warp(chip, "3000"));
        let latency = |report: &Report| timing(report).global.mean_load_latency;
        let cycles = (3 * mhz - mhz) as f64;
        assert!((latency(&long) - latency(&short) - cycles).abs() < 1e-9, "{chip}");
        assert!(latency(&short) > mhz as f64, "{chip}: {}", latency(&short));
        assert_eq!(timing(&long).cycles - timing(&short).cycles, 2 * cycles as u64, "{chip}");
        assert_eq!(link(&short).read_bytes, 2 * 128, "{chip}");
        assert_eq!(timing(&short).l1.counters.global_load_hit, 0);
        if chip == "fermi" {
            // The L2 has only the lines of constants, of two sectors.
            let lines = timing(&short).constant.line_requests;
            assert_eq!(timing(&short).l2.counters.read_sector_queries, 2 * lines);
        }
    }
}

/// Copies `words` words from mapped memory to mapped memory.
fn copy(chip: &str, words: u32, options: RunOptions) -> (Report, Vec<u32>) {
    let mut device = Device::on(chip, PTX);
    let list = [mapped(&mut device, &numbers(words)), mapped(&mut device, &vec![0; words as usize])];
    let launch = device.launch("copy", (words / 256, 1), (256, 1, 1)).args(pointers(&list));
    let report = device.run(&launch.options(options));
    (report, read(&device, list[1], words as usize))
}

/// Tests: `mapped-link`.
#[test]
fn a_copy_of_mapped_memory_has_the_bandwidth_of_the_link() {
    for chip in ["gt200", "c1060", "fermi", "c2050"] {
        let words = 1 << 18;
        let (report, copied) = copy(chip, words, RunOptions::default());
        assert_eq!(copied, numbers(words), "{chip}");
        let link = link(&report);
        println!("{chip}: {link:?}");
        assert_eq!((link.read_bytes, link.write_bytes), (4 << 18, 4 << 18), "{chip}");
        assert!((0.95..=1.0).contains(&link.read_utilization), "{chip}: {link:?}");
        assert!((0.95..=1.0).contains(&link.write_utilization), "{chip}: {link:?}");
    }
}

/// Tests: `the-host-changes-nothing`, `mapped-link`.
#[test]
fn the_host_changes_nothing_with_mapped_memory() {
    for chip in ["gt200", "fermi"] {
        let run = |options| {
            let (report, copied) = copy(chip, 1 << 14, options);
            (serde_json::to_string(&report).expect("it has text"), copied)
        };
        let one = run(RunOptions::default());
        for options in [
            RunOptions { threads: 4, shuffle: Some(3), ..RunOptions::default() },
            RunOptions { window: 1, ..RunOptions::default() },
            RunOptions { skip_idle: false, window: 7, ..RunOptions::default() },
        ] {
            assert!(run(options) == one, "{chip}: {options:?}");
        }
    }
}

/// A state that is saved while bytes are on the link continues as the launch did.
#[test]
fn a_saved_state_continues_with_mapped_memory() {
    for chip in ["gt200", "fermi"] {
        let saved = Arc::new(Mutex::new(None));
        let run = |state: Option<SavedState>| {
            let mut device = Device::on(chip, PTX);
            let list = [mapped(&mut device, &numbers(8192)), mapped(&mut device, &vec![0; 8192])];
            let launch = device.launch("copy", (32, 1), (256, 1, 1)).args(pointers(&list));
            if let Some(state) = state {
                device.gpu.load_state(state);
            } else {
                let place = Arc::clone(&saved);
                let sink = move |state| *place.lock().expect("no panic") = Some(state);
                device.gpu.save_state(1, SaveAt::Cycle(4_000), Box::new(sink));
            }
            let report = device.run(&launch);
            (serde_json::to_string(&report).expect("it has text"), read(&device, list[1], 8192))
        };
        let whole = run(None);
        let state = saved.lock().expect("no panic").take();
        assert!(state.is_some(), "{chip}: the launch has more than 4,000 cycles");
        assert!(run(state) == whole, "{chip}");
        assert_eq!(whole.1, numbers(8192));
    }
}

#[test]
fn atomics_on_mapped_memory_lose_nothing() {
    for chip in ["gt200", "fermi"] {
        let mut device = Device::on(chip, PTX);
        let words = mapped(&mut device, &[0; 128]);
        let launch = device.launch("count", (6, 1), (96, 1, 1)).args(pointers(&[words]));
        let report = device.run(&launch);
        let found = read(&device, words, 65);
        assert_eq!((found[0], found[64]), (576, 1152), "{chip}");
        let link = link(&report);
        assert!(link.read_bytes > 0 && link.read_bytes == link.write_bytes, "{chip}: {link:?}");
    }
}

/// On a board whose memory has all addresses, local memory is below mapped memory.
#[test]
fn local_memory_is_never_mapped() {
    for chip in ["gt200", "c1060", "m2090"] {
        let mut device = Device::on(chip, PTX);
        let from = mapped(&mut device, &numbers(64));
        let to = device.upload(&[0; 64]);
        let launch = device.launch("spill", (1, 1), (64, 1, 1)).args(pointers(&[from, to]));
        let report = device.run(&launch);
        assert_eq!(device.download(to, 64), numbers(64), "{chip}");
        assert!(timing(&report).local.store.requests > 0);
        let link = link(&report);
        assert_eq!((link.read_bytes, link.write_bytes), (256, 0), "{chip}");
    }
}

#[test]
fn wrong_calls_are_refused() {
    let mut device = Device::on("g80", VECADD);
    let error = device.gpu.alloc_mapped(64).expect_err("capability 1.0 has no mapped memory");
    assert_eq!(
        error.to_string(),
        "chip `g80` cannot map host memory (`pcie.mapped` is false): copy it to device memory"
    );
    let mut device = Device::on("gt200", VECADD);
    let (host, own) = (mapped(&mut device, &[7; 16]), device.upload(&[7; 16]));
    let gpu = &mut device.gpu;
    for error in [gpu.copy_in(host, &[0; 4]), gpu.copy_out(host, &mut [0; 4])] {
        let text = error.expect_err("the host accesses it itself").to_string();
        assert!(text.contains("is mapped host memory, which needs no copy: the host"), "{text}");
    }
    for error in [gpu.write_mapped(own, &[0; 4]), gpu.read_mapped(own, &mut [0; 4])] {
        let text = error.expect_err("device memory").to_string();
        assert!(text.contains("is not mapped host memory: the host accesses"), "{text}");
    }
    assert!(gpu.write_mapped(host.offset(60), &[0; 5]).is_err());
    let error = gpu.alloc_mapped(4 << 30).expect_err("no addresses").to_string();
    assert!(error.starts_with("cannot map 4294967296 bytes of host memory: at most"), "{error}");
    gpu.free(host).expect("allocated");
    assert!(gpu.free(host).is_err());
    assert!(gpu.timeline().events.len() == 1, "only the copy to device memory");
}

/// The checkers and a trap name a mapped buffer, as one of device memory.
#[test]
fn mapped_memory_is_an_allocation_for_the_checkers() {
    let setup = |bytes, checks| {
        let mut device = Device::on("gt200", PTX);
        device.gpu.check(checks);
        let from = device.gpu.alloc_mapped_named(bytes, Some("from")).expect("it fits");
        let to = device.upload(&[0; 32]);
        let launch = device.launch("copy", (1, 1), (32, 1, 1)).args(pointers(&[from, to]));
        (device, launch, from)
    };
    let (mut device, launch, from) = setup(128, Checks::ALL);
    let launch = Launch { mode: Mode::Functional, ..launch };
    let mut found = || device.gpu.launch(&launch).expect("it is launched").checks.expect("checkers are on");
    let unwritten = found();
    assert_eq!(unwritten.findings.iter().map(|f| f.check).collect::<Vec<_>>(), [Check::Init]);
    device.gpu.write_mapped(from, &[1; 128]).expect("inside the allocation");
    let mut found = || device.gpu.launch(&launch).expect("it is launched").checks.expect("checkers are on");
    assert!(found().findings.is_empty());
    assert_eq!(device.gpu.leaks().len(), 2);

    let (mut device, launch, from) = setup(100, Checks::ALL);
    device.gpu.write_mapped(from, &[1; 100]).expect("inside the allocation");
    let timed = serde_json::to_string(&device.gpu.launch(&launch).expect("it is launched").verdict);
    let launch = Launch { mode: Mode::Functional, ..launch };
    let checks = device.gpu.launch(&launch).expect("it is launched").checks.expect("checkers are on");
    assert_eq!(checks.findings.iter().map(|f| f.check).collect::<Vec<_>>(), [Check::Memory]);
    let finding = format!("{:?}", checks.findings[0]);
    assert!(finding.contains("`from`"), "{finding}");
    let timed = timed.expect("it has text");
    assert!(timed.contains("`from`"), "{timed}");
}
