//! MEM-18: allocate, copy in, launch, copy out, free; and the time of copies.

use super::streams;
use crate::machines::CHIPS;
use crate::tools::{ensure, follows, pointers};
use crate::{Claim, Experiment, Finding, Runner, Shown};
use kernels::RunError;
use kernels::lab::Lab;
use sim_core::host::timeline::{Call, Event};
use sim_core::host::{Arg, DevicePtr, HostError, Launch, Stream};

pub static EXPERIMENTS: &[Experiment] = &[Experiment { id: "MEM-18", show: host_calls }];

/// Bytes of a long copy.
const BYTES: usize = 8 << 20;
/// Content of the memory that is copied out.
const CONTENT: u8 = 9;

/// Loads the vector addition on a chip.
pub fn vecadd(runner: &Runner, chip: &str, sets: &[(&str, &str)]) -> Result<Lab, RunError> {
    let workload = kernels::find("vecadd").ok_or_else(|| RunError::Unknown("vecadd".to_owned()))?;
    runner.lab(runner.chip(chip, sets)?, workload.file, workload.ptx)
}

/// Duration of the last host call in nanoseconds.
fn last_ns(lab: &Lab) -> u64 {
    lab.gpu.timeline().events.last().map_or(0, |event| event.duration_ns)
}

/// Tests: `streams-and-copies`.
fn host_calls(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let [gigabytes] = claim.numbers(["rate"]);
    let mut shown = Shown::new(
        "the host program of the vector addition, copies of up to 8 MB, and streams, on unchanged boards; copies in both \
         directions also with the override pcie.copy_engines = 2",
    );
    for chip in CHIPS {
        five_steps(runner, chip, &mut shown)?;
    }
    // The book's rate is that of the G80; the boards of the other two chips have links of the
    // second generation.
    for chip in CHIPS {
        let rate = runner.chip(chip, &[])?.pcie.bytes_per_second as f64 / 1e9;
        let found = timed(runner, chip, &mut shown)?;
        shown.find(if chip == "g80" {
            Finding::exact("g80: GB/s of a copy's bytes", gigabytes, found)
        } else {
            follows(format!("{chip}: GB/s of a copy's bytes, as its link has"), rate, found)
        });
    }
    as_sold(runner, &mut shown)?;
    for chip in CHIPS {
        with_two_engines(runner, chip, &mut shown)?;
    }
    streams::copies_during_kernels(runner, &mut shown)?;
    shown.because(format!(
        "A copy takes the chip file's latency plus its bytes at the chip file's rate, {gigabytes} GB/s on the G80: both are \
         inputs of the model. Its result is the overlap of copies: the link is full duplex if the board has the engines. The \
         board of the G80 has none, so its copies overlap only with the override of two engines."
    ));
    Ok(shown)
}

/// Runs the five steps in order. Freed memory must not be usable.
fn five_steps(runner: &Runner, chip: &str, shown: &mut Shown) -> Result<(), RunError> {
    const N: usize = 1000;
    let mut lab = vecadd(runner, chip, &[])?;
    let bytes = |factor: u16| -> Vec<u8> {
        (0..N as u16).flat_map(|i| f32::from(factor * i).to_le_bytes()).collect()
    };
    let gpu = &mut lab.gpu;
    let list = [gpu.malloc(4 * N as u64)?, gpu.malloc(4 * N as u64)?, gpu.malloc(4 * N as u64)?];
    let [a, b, c] = list;
    gpu.copy_in(a, &bytes(1))?;
    gpu.copy_in(b, &bytes(2))?;
    let mut args = pointers(&list);
    args.push(Arg::U32(N as u32));
    let launch = Launch::new(lab.module, "vecadd", 4, 256).args(args);
    lab.balanced(&launch)?;
    let gpu = &mut lab.gpu;
    let mut sum = vec![0; 4 * N];
    gpu.copy_out(c, &mut sum)?;
    ensure(sum == bytes(3), format!("the sum on {chip}"))?;

    let events = &gpu.timeline().events;
    let names = events.iter().map(|event| event.what.to_string()).collect::<Vec<_>>().join(", ");
    let expected = "memcpy HtoD, memcpy HtoD, vecadd, memcpy DtoH".to_owned();
    shown.find(follows(format!("{chip}: timed host calls"), expected, names));
    // A kernel begins the time of its launch call later.
    let call_ns = |event: &Event| match event.what {
        Call::Copy(_) => 0,
        Call::Kernel(_) => gpu.chip().pcie.launch_ns,
    };
    let in_turn = events.windows(2).all(|pair| pair[1].start_ns == pair[0].end_ns() + call_ns(&pair[1]));
    shown.find(follows(format!("{chip}: each call begins when the previous one has ended"), true, in_turn));
    for ptr in list {
        gpu.free(ptr)?;
    }
    let refused = |done: Result<(), HostError>| matches!(done, Err(HostError::Memory(_)));
    let copies = [refused(gpu.copy_in(a, &[0; 4])), refused(gpu.copy_out(c, &mut sum)), refused(gpu.free(b))];
    shown.find(follows(
        format!("{chip}: freed memory cannot be copied to, copied from or freed again"),
        true,
        copies == [true; 3],
    ));
    let stopped = !gpu.launch(&launch)?.verdict.is_finished();
    shown.find(follows(format!("{chip}: a kernel that reads freed memory is stopped"), true, stopped));
    Ok(())
}

/// Returns the rate of copies in GB/s, without the latency of each copy. Both directions must have
/// the same rate.
fn timed(runner: &Runner, chip: &str, shown: &mut Shown) -> Result<f64, RunError> {
    let mut lab = vecadd(runner, chip, &[])?;
    let whole = lab.gpu.malloc(8 << 20)?;
    let mut times = Vec::new();
    for bytes in [0usize, 4, 1 << 20, 3 << 20, 8 << 20] {
        lab.gpu.copy_in(whole, &vec![7; bytes])?;
        let there = last_ns(&lab);
        lab.gpu.copy_out(whole, &mut vec![0; bytes])?;
        times.push((bytes as u64, there, last_ns(&lab)));
    }
    let latency = times[0].1;
    shown.find(follows(format!("{chip}: ns of a copy of 0 bytes"), lab.gpu.chip().pcie.latency_ns, latency));
    let (most, longest) = times.last().map_or((0, 0), |(bytes, there, _)| (*bytes, *there));
    let rate = most as f64 / (longest - latency) as f64;
    let even = times.iter().all(|(bytes, there, back)| {
        *there == *back && there - latency == (*bytes as f64 / rate).ceil() as u64
    });
    shown.find(follows(
        format!("{chip}: same time in both directions, proportional to the bytes"),
        true,
        even,
    ));
    Ok(rate)
}

/// A copy in a stream: the index of the stream, the address, and the byte value to copy to the
/// device; `None` copies from the device.
type Copy = (usize, DevicePtr, Option<u8>);

/// A board for two copies: two streams, two buffers (the second filled with [`CONTENT`]), and the
/// duration of one copy of a buffer.
struct Board {
    lab: Lab,
    streams: [Stream; 2],
    x: DevicePtr,
    y: DevicePtr,
    /// Duration of one copy in nanoseconds.
    one: u64,
}

impl Board {
    fn new(mut lab: Lab) -> Result<Self, RunError> {
        let (x, y) = (lab.gpu.malloc(BYTES as u64)?, lab.gpu.malloc(BYTES as u64)?);
        lab.gpu.copy_in(y, &vec![CONTENT; BYTES])?;
        let one = last_ns(&lab);
        let streams = [lab.gpu.stream(), lab.gpu.stream()];
        Ok(Self { lab, streams, x, y, one })
    }

    /// Returns the nanoseconds from the start of two copies in streams to the end of the later one.
    fn both(&mut self, copies: [Copy; 2]) -> Result<u64, RunError> {
        let gpu = &mut self.lab.gpu;
        let begin = gpu.timeline().host_ns();
        for (stream, ptr, data) in copies {
            if let Some(byte) = data {
                gpu.copy_in_async(self.streams[stream], ptr, &vec![byte; BYTES])?;
            } else {
                let mut bytes = vec![0; BYTES];
                gpu.copy_out_async(self.streams[stream], ptr, &mut bytes)?;
                ensure(bytes.iter().all(|byte| *byte == CONTENT), "wrong bytes copied back")?;
            }
        }
        let end = gpu.timeline().now_ns();
        gpu.synchronize();
        Ok(end - begin)
    }

    /// Returns the rate in GB/s of two copies that took `ns` together.
    fn rate(&self, ns: u64) -> f64 {
        (2 * BYTES) as f64 / (ns - self.lab.gpu.chip().pcie.latency_ns) as f64
    }
}

/// Copies 8 MB in and 8 MB out in two streams, on boards as they are sold. With an engine for each
/// direction this takes the time of one copy, otherwise the time of two.
fn as_sold(runner: &Runner, shown: &mut Shown) -> Result<(), RunError> {
    for (chip, engines) in [("g80", 0), ("gt200", 1), ("fermi", 1), ("c2050", 2)] {
        let mut board = Board::new(vecadd(runner, chip, &[])?)?;
        let found = board.lab.gpu.chip().pcie.copy_engines;
        let what = format!("{chip}, unchanged board");
        shown.find(follows(format!("{what}: copy engines"), engines, found));
        let both = board.both([(0, board.x, Some(3)), (1, board.y, None)])?;
        let times = if engines > 1 { 1 } else { 2 };
        let copies = if times == 1 { "as one copy" } else { "as two copies" };
        let name = format!("{what}, in and out in two streams: ns, {copies}");
        shown.find(follows(name, times * board.one, both));
        shown.because(format!(
            "{what} (copy engines: {found}): 8 MB in and 8 MB out in two streams take {:.2} times as long as one \
             copy.",
            both as f64 / board.one as f64
        ));
    }
    Ok(())
}

/// Copies in both directions on a board with two copy engines: 8 MB in and 8 MB out, in two
/// streams, take the time of one copy. Two copies in one direction share the link, and two copies
/// of one stream run in sequence.
fn with_two_engines(runner: &Runner, chip: &str, shown: &mut Shown) -> Result<(), RunError> {
    let own = runner.chip(chip, &[])?.pcie.copy_engines;
    let name = format!("{chip} with two copy engines (its board has {own})");
    let mut board = Board::new(vecadd(runner, chip, &[("pcie.copy_engines", "2")])?)?;
    let (x, y, one) = (board.x, board.y, board.one);
    let mut at_once = 0;
    for (what, copies, times) in [
        ("in and out in one stream", [(0, x, Some(3)), (0, y, None)], 2),
        ("both in", [(0, x, Some(3)), (1, y, Some(CONTENT))], 2),
        ("both out", [(0, y, None), (1, y, None)], 2),
        ("in and out, in two streams", [(0, x, Some(3)), (1, y, None)], 1),
    ] {
        at_once = board.both(copies)?;
        shown.find(follows(format!("{name}, {what}: ns"), times * one, at_once));
    }
    let (rate, each_way) = (board.rate(at_once), board.lab.gpu.chip().pcie.bytes_per_second as f64 / 1e9);
    shown.find(Finding::shape(
        format!("{name}: GB/s of both directions together"),
        format!("twice the {each_way} of one direction"),
        format!("{rate:.3}"),
        (rate - 2.0 * each_way).abs() < 1e-3,
    ));
    // Copies without streams run in sequence, in any direction.
    let Board { lab, streams, .. } = &mut board;
    let begin = lab.gpu.timeline().now_ns();
    lab.gpu.copy_in(x, &vec![1; BYTES])?;
    lab.gpu.copy_out(y, &mut vec![0; BYTES])?;
    let found = lab.gpu.timeline().now_ns() - begin;
    shown.find(follows(format!("{name}, in and out without streams: ns"), 2 * one, found));
    let refused = lab.gpu.copy_in_async(streams[0], x, &vec![0; BYTES + 4]);
    let refused = matches!(refused, Err(HostError::Memory(_)));
    shown.find(follows(format!("{chip}: a copy beyond the allocation is refused"), true, refused));
    Ok(())
}
