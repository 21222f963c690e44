//! Tests of the runtime with other settings than those of the environment.

use super::Runtime;
use super::error::{Error, Outcome};
use super::images::{Images, Named};
use super::launch::Arguments;
use super::regions::Shape;
use super::thread::{Configuration, Thread};
use crate::abi::host::Memory;
use crate::runtime::copies::Rows;
use crate::settings::Settings;
use isa::types::Dim3;

const TEXT: &str = ".version 1.4
.target sm_10
.visible .entry nothing()
{
    exit;
}
";

/// Returns a runtime with one kernel at address 1.
fn runtime(variables: &[(&str, &str)]) -> Runtime {
    let settings = Settings::read(|name| {
        variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
    });
    let mut images = Images::new();
    let image = images.add(Some(TEXT.to_owned()));
    images.functions.insert(1, Named { image, name: "nothing".to_owned(), normalized: false });
    Runtime::new(settings.expect("right settings"), Box::new(Memory), images)
}

fn launch(runtime: &mut Runtime, thread: &Thread, threads: u32) -> Outcome {
    let call = Configuration {
        grid: Dim3::new(1, 1, 1),
        block: Dim3::new(threads, 1, 1),
        shared: 0,
        stream: 0,
        parameters: Vec::new(),
    };
    runtime.launch(thread, 1, &call, Arguments::Bytes(&[]))
}

#[test]
fn a_g80_refuses_1024_threads_and_maps_no_memory() {
    let (mut runtime, thread) = (runtime(&[("WARPSIM_CHIP", "g80")]), Thread::new());
    assert_eq!(launch(&mut runtime, &thread, 1024), Err(Error::INVALID_CONFIGURATION));
    let notes: Vec<String> = runtime.notes.take().into_iter().map(|note| note.text).collect();
    let notes = notes.join("\n");
    assert!(notes.contains("is 1024; this chip allows at most 512"), "{notes}");
    assert_eq!(launch(&mut runtime, &thread, 512), Ok(()));
    let mut out = 0_u64;
    let at = &raw mut out as u64;
    assert_eq!(runtime.malloc_managed(&thread, at, 16, 1), Err(Error::NOT_SUPPORTED));
    assert_eq!(runtime.host_alloc(&thread, at, 16, 2), Err(Error::NOT_SUPPORTED));
    assert_eq!(runtime.host_alloc(&thread, at, 16, 0), Ok(()), "pinned memory for copies");
    assert_eq!(runtime.free_host(&thread, out), Ok(()));
}

#[test]
fn only_the_chosen_launches_are_timed() {
    let (mut runtime, thread) = (runtime(&[("WARPSIM_LAUNCHES", "2..3")]), Thread::new());
    for _ in 0..4 {
        assert_eq!(launch(&mut runtime, &thread, 32), Ok(()));
    }
    let timed: Vec<bool> = runtime.program.launches.iter().map(|launch| launch.timed).collect();
    assert_eq!(timed, [false, true, true, false]);
    runtime.finish();
    let ns: u64 = runtime.program.launches.iter().map(|launch| launch.ns).sum();
    assert!(ns > 0 && runtime.program.simulated_ns > ns);
    let summary = runtime.program.summary();
    assert!(summary.starts_with("warpsim: fermi: 4 launches (2 timed, 2 not timed), 0.0"), "{summary}");
}

#[test]
fn devices_have_their_memory_and_copies_go_between_them() {
    let variables = [("WARPSIM_DEVICES", "2"), ("WARPSIM_CHIP", "fermi")];
    let (mut runtime, mut thread) = (runtime(&variables), Thread::new());
    let mut out = [0_u64; 2];
    assert_eq!(runtime.malloc(&thread, &raw mut out[0] as u64, 8), Ok(()));
    assert_eq!(runtime.set_device(&mut thread, 1), Ok(()));
    assert_eq!(runtime.set_device(&mut thread, 2), Err(Error::INVALID_DEVICE));
    assert_eq!(runtime.malloc(&thread, &raw mut out[1] as u64, 8), Ok(()));
    assert_eq!(runtime.fill(&thread, Rows::line(out[1]), 3, Shape::line(8), 0), Ok(()));
    assert_eq!(runtime.copy_peer(&thread, (out[0], 0), (out[1], 1), 8, 0), Ok(()));
    assert_eq!(runtime.copy_peer(&thread, (out[0], 0), (out[1], 5), 8, 0), Err(Error::INVALID_DEVICE));
    assert_eq!(runtime.copy_peer(&thread, (out[0], 0), (out[1], 1), 9, 0), Err(Error::INVALID_VALUE));
    assert_eq!(runtime.set_device(&mut thread, 0), Ok(()));
    let mut back = 0_u64;
    let to = Rows::line(&raw mut back as u64);
    assert_eq!(runtime.copy(&thread, to, Rows::line(out[0]), Shape::line(8), 2, 0), Ok(()));
    assert_eq!(back, 0x0303_0303_0303_0303);
    // The two blocks have the same address, so addresses are not unified.
    let mut unified = -1_i32;
    assert_eq!(runtime.device_attribute(&raw mut unified as u64, 41, 0), Ok(()));
    assert_eq!((out[0] == out[1], unified), (true, 0));
    assert_eq!(self::runtime(&[]).device_attribute(&raw mut unified as u64, 41, 0), Ok(()));
    assert_eq!(unified, 1);
    assert_eq!(runtime.enable_peer(&thread, 0, 0), Err(Error::PEER_UNSUPPORTED));
    assert_eq!(runtime.disable_peer(&thread, 1), Err(Error::PEER_NOT_ENABLED));
    runtime.finish();
    assert_eq!(runtime.program.leaks, [8, 8]);
}

#[test]
fn the_host_takes_its_real_time_if_asked() {
    let elapsed = |value: &str| {
        let (mut runtime, thread) = (runtime(&[("WARPSIM_HOST_TIME", value)]), Thread::new());
        assert_eq!(launch(&mut runtime, &thread, 32), Ok(()));
        std::thread::sleep(std::time::Duration::from_millis(20));
        assert_eq!(launch(&mut runtime, &thread, 32), Ok(()));
        runtime.simulated_ns()
    };
    assert!(elapsed("none") < 1_000_000, "host code takes no time");
    assert!(elapsed("real") >= 20_000_000, "host code takes its time");
}

/// Prints the host time of an empty launch, functional and timed: `cargo test -p cudart --release
/// --lib -- --ignored --nocapture cost_of_an_empty_launch`.
#[test]
#[ignore = "a measurement"]
fn cost_of_an_empty_launch() {
    const LAUNCHES: u32 = 20_000;
    for functional in ["1", "0"] {
        let (mut runtime, thread) = (runtime(&[("WARPSIM_FUNCTIONAL", functional)]), Thread::new());
        assert_eq!(launch(&mut runtime, &thread, 32), Ok(()));
        let start = std::time::Instant::now();
        for _ in 0..LAUNCHES {
            assert_eq!(launch(&mut runtime, &thread, 32), Ok(()));
        }
        println!("functional {functional}: {:?} a launch", start.elapsed() / LAUNCHES);
    }
}
