//! Tests of the estimates, alone and in programs whose launches are all timed for comparison.

use super::*;
use crate::abi::host::Memory;
use crate::runtime::Runtime;
use crate::runtime::copies::Rows;
use crate::runtime::images::{Images, Named};
use crate::runtime::launch::Arguments;
use crate::runtime::regions::Shape as Region;
use crate::runtime::thread::{Configuration, Thread};
use crate::settings::Settings;
use report::program::Kind;

const SHAPE: Shape = (0, Dim3 { x: 1, y: 1, z: 1 }, Dim3 { x: 1, y: 1, z: 1 }, 0, 0);

/// Timed launches given as (warp instructions, cycles).
fn launches(timed: &[(u64, u64)]) -> Launches {
    let mut estimates = Estimates::new(Rule::First(1));
    for (warp_instructions, cycles) in timed {
        estimates.add(SHAPE, *warp_instructions, *cycles);
    }
    estimates.series.remove(&SHAPE).expect("it has launches")
}

#[test]
fn distances_grow_and_are_odd() {
    let timed = |first: u64| {
        let mut estimates = Estimates::new(Rule::First(first));
        let is_timed = |number: &u64| {
            let timed = estimates.is_timed(SHAPE);
            if timed {
                estimates.add(SHAPE, 100, 1000 + number % 2);
            } else {
                assert!(estimates.estimate(SHAPE, 100).is_some());
            }
            timed
        };
        (0..60).filter(is_timed).collect::<Vec<u64>>()
    };
    assert_eq!(timed(1), [0, 1, 2, 5, 10, 21, 42]);
    assert_eq!(timed(4), [0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 14, 17, 22, 27, 34, 43, 54]);
    assert_eq!(timed(100).len(), 60);
}

#[test]
fn estimates_follow_the_warp_instructions() {
    let timed = launches(&[(100, 1000), (100, 1010), (300, 1405), (500, 3000)]);
    let cases = [(100, 1005.0), (200, 1205.0), (400, 2202.5), (50, 905.0), (600, 3600.0)];
    for (warp_instructions, cycles) in cases {
        assert_eq!(timed.estimate(warp_instructions), Some(cycles), "{warp_instructions}");
    }
    assert_eq!(launches(&[(100, 1000)]).estimate(250), Some(2500.0), "in proportion");
    assert_eq!(launches(&[(100, 1000), (200, 900)]).estimate(300), Some(900.0), "it does not fall");
    assert_eq!(Launches::default().estimate(1), None);
}

#[test]
fn the_error_is_that_of_timed_launches() {
    assert_eq!(launches(&[(100, 1000), (100, 1000)]).error().to_bits(), 0);
    // 1000 in place of 800, and 900 in place of 600.
    let error = (200.0_f64.powi(2) + 300.0_f64.powi(2)) / (800.0_f64.powi(2) + 600.0_f64.powi(2));
    assert!((launches(&[(9, 1000), (9, 800), (9, 600)]).error() - error.sqrt()).abs() < 1e-12);
}

/// `work` adds the index of a thread to its word `rounds` times; `other` is the same kernel.
const TEXT: &str = "
.version 3.0
.target sm_20
.address_size 64
.visible .entry NAME(.param .u64 p, .param .u32 rounds)
{
    .reg .pred %more;
    .reg .b32 %r<6>;
    .reg .b64 %d<4>;
    ld.param.u64 %d1, [p];
    ld.param.u32 %r1, [rounds];
    mov.u32 %r2, %tid.x;
    mov.u32 %r4, %ctaid.x;
    mad.lo.u32 %r2, %r4, 32, %r2;
    mul.wide.u32 %d2, %r2, 4;
    add.u64 %d3, %d1, %d2;
next:
    ld.volatile.global.u32 %r3, [%d3];
    add.u32 %r3, %r3, %r2;
    st.volatile.global.u32 [%d3], %r3;
    sub.u32 %r1, %r1, 1;
    setp.ne.u32 %more, %r1, 0;
    @%more bra next;
    ret;
}
";

/// Bytes of the words of 8 blocks.
const BYTES: u64 = 8 * 32 * 4;

/// A launch: the address of its function, its blocks, and its rounds.
type Call = (u64, u32, u32);

/// Makes launches with up to 8 blocks of 32 threads, those of more than 1000 blocks with too many
/// threads. Returns the ended program, the contents of memory, and the milliseconds between events
/// before and after each launch.
fn run(sampled: &str, calls: &[Call]) -> (Runtime, Vec<u8>, Vec<f32>) {
    run_with(("WARPSIM_SAMPLE_LAUNCHES", sampled), calls)
}

/// Same as [`run`], with this variable of the environment.
fn run_with((set, value): (&str, &str), calls: &[Call]) -> (Runtime, Vec<u8>, Vec<f32>) {
    let variable = |name: &str| (name == set).then(|| value.to_owned());
    let settings = Settings::read(variable).expect("right settings");
    let mut images = Images::new();
    for (address, name) in [(1, "work"), (2, "other")] {
        let image = images.add(Some(TEXT.replace("NAME", name)));
        images.functions.insert(address, Named { image, name: name.to_owned(), normalized: false });
    }
    let (mut runtime, thread) = (Runtime::new(settings, Box::new(Memory), images), Thread::new());
    let mut words = [0_u64; 3];
    let [data, before, after] = [0, 1, 2].map(|i| &raw mut words[i] as u64);
    assert_eq!(runtime.malloc(&thread, data, BYTES), Ok(()));
    assert_eq!(runtime.event_create(&thread, before, 0), Ok(()));
    assert_eq!(runtime.event_create(&thread, after, 0), Ok(()));
    let [data, before, after] = words;
    assert_eq!(runtime.fill(&thread, Rows::line(data), 0, Region::line(BYTES), 0), Ok(()));
    let mut times = Vec::new();
    for (function, blocks, rounds) in calls {
        let threads = if *blocks > 1000 { 2000 } else { 32 };
        let (grid, block) = (Dim3::new(*blocks, 1, 1), Dim3::new(threads, 1, 1));
        let call = Configuration { grid, block, shared: 0, stream: 0, parameters: Vec::new() };
        let mut parameters = [0; 12];
        parameters[..8].copy_from_slice(&data.to_le_bytes());
        parameters[8..].copy_from_slice(&rounds.to_le_bytes());
        assert_eq!(runtime.event_record(&thread, before, 0), Ok(()));
        let launched = runtime.launch(&thread, *function, &call, Arguments::Bytes(&parameters));
        assert_eq!(launched.is_err(), *blocks > 1000);
        assert_eq!(runtime.event_record(&thread, after, 0), Ok(()));
        let mut ms = 0_f32;
        assert_eq!(runtime.elapsed(&thread, &raw mut ms as u64, before, after), Ok(()));
        times.push(ms);
    }
    let mut memory = vec![0; BYTES as usize];
    let to = Rows::line(memory.as_mut_ptr() as u64);
    assert_eq!(runtime.copy(&thread, to, Rows::line(data), Region::line(BYTES), 2, 0), Ok(()));
    runtime.finish();
    (runtime, memory, times)
}

/// Whether the kernels of the timeline take as long as the launches of the record.
fn is_consistent(runtime: &Runtime) -> bool {
    let kernels =
        runtime.program.calls.iter().filter(|call| call.kind == Kind::Kernel && call.kernel == "work");
    let kernels: Vec<u64> = kernels.map(|call| call.duration_ns).collect();
    kernels == runtime.program.launches.iter().map(|launch| launch.ns).collect::<Vec<u64>>()
}

/// Tests: `estimated-launches`.
#[test]
fn equal_launches_have_their_exact_times() {
    let calls = vec![(1, 4, 20); 60];
    let ((full, memory, times), (some, same, estimates)) = (run("", &calls), run("4", &calls));
    assert_eq!((memory, times), (same, estimates));
    assert_eq!(full.program.simulated_ns, some.program.simulated_ns);
    assert!(is_consistent(&some));
    let [series] = &some.program.series[..] else { panic!("{:?}", some.program.series) };
    assert_eq!((series.launches, series.timed, series.error.to_bits()), (60, 17, 0));
    let summary = some.program.summary();
    assert!(summary.starts_with("warpsim: fermi: 60 launches (17 timed, 43 estimated), 0."), "{summary}");
    assert!(summary.ends_with(" ms of simulated time ± 0.00 % (estimated)"), "{summary}");
    assert!(full.program.series.is_empty() && !full.program.summary().contains("estimated"));
    let record = serde_json::to_string(&full.program).expect("a record is data");
    assert!(!record.contains("estimated") && !record.contains("series"), "as without sampled launches");
}

/// Tests: `estimated-launches`.
#[test]
fn launches_with_other_work_are_within_the_stated_error() {
    let calls: Vec<Call> = (0..80).map(|i| (1, 4, 1 + i * i % 97)).collect();
    let ((full, memory, _), (some, same, _)) = (run("", &calls), run("4", &calls));
    assert_eq!(memory, same);
    assert!(is_consistent(&some));
    let [series] = &some.program.series[..] else { panic!("{:?}", some.program.series) };
    let error = some.program.simulated_ns as f64 / full.program.simulated_ns as f64 - 1.0;
    assert!(series.error > 0.0 && error.abs() < series.error, "{error} {series:?}");
    for (timed, estimated) in full.program.launches.iter().zip(&some.program.launches) {
        assert_eq!(timed.warp_instructions, estimated.warp_instructions);
        assert!(estimated.estimated != estimated.timed);
        assert!(estimated.estimated || timed.cycles == estimated.cycles);
    }
}

#[test]
fn each_kernel_and_each_grid_has_its_series() {
    let calls = [(1, 4, 9), (2, 4, 9), (1, 1001, 9), (1, 8, 9)];
    let calls: Vec<Call> = calls.into_iter().cycle().take(4 * 7).collect();
    let (some, ..) = run("2", &calls);
    let all: Vec<_> =
        some.program.series.iter().map(|s| (&*s.kernel, s.grid[0], s.launches, s.timed)).collect();
    assert_eq!(all, [("work", 4, 7, 5), ("work", 8, 7, 5), ("other", 4, 7, 5)]);
    assert_eq!(some.program.launches.len(), 21, "refused launches are none");
    let lines = some.program.estimates();
    assert_eq!(lines.len(), 2, "a line for each kernel");
    assert!(lines[0].starts_with("work: 14 launches, 10 timed; the others took "), "{lines:?}");
}

/// The work of a launch decides, not the host's time; the launch that exceeds the limit has the
/// results of one run, as the others have.
///
/// Tests: `estimated-launches`.
#[test]
fn launches_are_timed_until_their_work_is_done() {
    let calls = [(1, 4, 20), (1, 4, 20), (1, 8, 5000), (1, 4, 20), (2, 4, 20)];
    let (full, memory, _) = run("", &calls);
    let work: Vec<u64> = full.program.launches.iter().map(|launch| launch.warp_instructions).collect();
    assert!(work[2] > 100 * work[0], "the third launch is long: {work:?}");
    let with = |most: u64| run_with(("WARPSIM_TIMED_WORK", &most.to_string()), &calls);
    let (some, same, times) = with(20 * work[0]);
    assert_eq!(memory, same);
    let kinds: Vec<_> =
        some.program.launches.iter().map(|one| (one.timed, one.estimated, one.cycles)).collect();
    let cycles = full.program.launches[0].cycles;
    assert_eq!(
        kinds,
        [
            (true, false, cycles),
            (true, false, cycles),
            (false, false, 0),
            (false, true, cycles),
            (false, false, 0)
        ]
    );
    assert_eq!(some.program.launches.iter().map(|one| one.warp_instructions).collect::<Vec<_>>(), work);
    assert!(times[2] == 0.0 && times[3] > 0.0, "{times:?}");
    assert!(
        some.program.counted().ends_with("(2 timed, 1 estimated, 2 not timed)"),
        "{}",
        some.program.counted()
    );
    assert_eq!(some.program.series.len(), 1, "a series without a timed launch has no estimates");
    let why = some.program.work_limit().expect("the limit was reached");
    assert!(why.starts_with("not timed from launch 3 on: "), "{why}");
    let (all, same, _) = with(u64::MAX);
    assert_eq!((memory, all.program.work_limit()), (same, None));
    assert_eq!(serde_json::to_string(&all.program).unwrap(), serde_json::to_string(&full.program).unwrap());
}
