//! MEM-18: allocate, copy in, launch, copy out, free; and what copies cost.

use super::streams;
use crate::RunError;
use crate::book::machines::CHIPS;
use crate::book::tools::{ensure, follows, pointers};
use crate::book::{Claim, Experiment, Finding, Runner, Shown};
use crate::measure::lab::Lab;
use sim_core::host::{Arg, DevicePtr, HostError, Launch, Stream};

pub static EXPERIMENTS: &[Experiment] = &[Experiment { id: "MEM-18", show: host_calls }];

/// Bytes of a long copy.
const BYTES: usize = 8 << 20;
/// What stands in the memory that is copied out.
const CONTENT: u8 = 9;

/// The vector addition on a chip.
pub fn vecadd(runner: &Runner, chip: &str, sets: &[(&str, &str)]) -> Result<Lab, RunError> {
    let workload = crate::find("vecadd").ok_or_else(|| RunError::Unknown("vecadd".to_owned()))?;
    runner.lab(runner.chip(chip, sets)?, workload.file, workload.ptx)
}

/// Nanoseconds of the last host call.
fn last_ns(lab: &Lab) -> u64 {
    lab.gpu.timeline().events.last().map_or(0, |event| event.duration_ns)
}

/// Tests: `streams-and-copies`.
fn host_calls(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let [gigabytes] = claim.read("timed at {} GB/s each way")?;
    claim.says("both at once")?;
    let mut shown = Shown::new(
        "the host program of the vector addition, copies of up to 8 MB, and streams, on the boards as they are; copies both \
         ways also with pcie.copy_engines = 2 laid over each chip",
    );
    for chip in CHIPS {
        five_steps(runner, chip, &mut shown)?;
    }
    // The book's rate is the G80's; the boards of the other two have links of the second
    // generation.
    for chip in CHIPS {
        let rate = runner.chip(chip, &[])?.pcie.bytes_per_second as f64 / 1e9;
        let found = timed(runner, chip, &mut shown)?;
        shown.find(if chip == "g80" {
            Finding::exact("g80: GB/s of a copy's bytes", gigabytes, found)
        } else {
            follows(format!("{chip}: GB/s of a copy's bytes, by its own link"), rate, found)
        });
    }
    as_sold(runner, &mut shown)?;
    for chip in CHIPS {
        with_two_engines(runner, chip, &mut shown)?;
    }
    streams::copies_beside_kernels(runner, &mut shown)?;
    shown.because(format!(
        "A copy takes the chip file's latency and its bytes at the chip file's rate, {gigabytes} GB/s on the G80: both are set, \
         not found. What comes out is what is under way together: the link is full duplex, as far as the board has engines. \
         The G80's board has none, so that its copies go both ways at once only where two engines are laid over it."
    ));
    Ok(shown)
}

/// The five steps in their order. What is freed can be used no more.
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
    shown.find(follows(format!("{chip}: the host's calls that took time"), expected, names));
    let in_turn = events.windows(2).all(|pair| pair[1].start_ns == pair[0].end_ns());
    shown.find(follows(format!("{chip}: each begins when the one before has ended"), true, in_turn));
    for ptr in list {
        gpu.free(ptr)?;
    }
    let refused = |done: Result<(), HostError>| matches!(done, Err(HostError::Memory(_)));
    let copies = [refused(gpu.copy_in(a, &[0; 4])), refused(gpu.copy_out(c, &mut sum)), refused(gpu.free(b))];
    shown.find(follows(
        format!("{chip}: freed memory is not copied to, from, nor freed again"),
        true,
        copies == [true; 3],
    ));
    let stopped = !gpu.launch(&launch)?.verdict.is_finished();
    shown.find(follows(format!("{chip}: a kernel that reads freed memory is stopped"), true, stopped));
    Ok(())
}

/// GB/s of the bytes of copies, each way, beside the latency that every copy has.
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
    shown.find(follows(format!("{chip}: ns of a copy of nothing"), lab.gpu.chip().pcie.latency_ns, latency));
    let (most, longest) = times.last().map_or((0, 0), |(bytes, there, _)| (*bytes, *there));
    let rate = most as f64 / (longest - latency) as f64;
    let even = times.iter().all(|(bytes, there, back)| {
        *there == *back && there - latency == (*bytes as f64 / rate).ceil() as u64
    });
    shown.find(follows(format!("{chip}: both ways alike, and in proportion to the bytes"), true, even));
    Ok(rate)
}

/// A copy in a stream: of this byte to the device, or from it.
type Copy = (usize, DevicePtr, Option<u8>);

/// A board between two copies: its streams, two pieces of memory of which the second is full of
/// [`CONTENT`], and what one copy of such a piece takes.
struct Board {
    lab: Lab,
    streams: [Stream; 2],
    x: DevicePtr,
    y: DevicePtr,
    /// Nanoseconds.
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

    /// Nanoseconds of two copies in streams, until the later one has ended.
    fn both(&mut self, copies: [Copy; 2]) -> Result<u64, RunError> {
        let gpu = &mut self.lab.gpu;
        let begin = gpu.timeline().now_ns();
        for (stream, ptr, data) in copies {
            if let Some(byte) = data {
                gpu.copy_in_async(self.streams[stream], ptr, &vec![byte; BYTES])?;
            } else {
                let mut bytes = vec![0; BYTES];
                gpu.copy_out_async(self.streams[stream], ptr, &mut bytes)?;
                ensure(bytes.iter().all(|byte| *byte == CONTENT), "what a copy brings back")?;
            }
        }
        gpu.synchronize();
        Ok(gpu.timeline().now_ns() - begin)
    }

    /// GB/s of the bytes of two copies that took `ns` together.
    fn rate(&self, ns: u64) -> f64 {
        (2 * BYTES) as f64 / (ns - self.lab.gpu.chip().pcie.latency_ns) as f64
    }
}

/// 8 MB in and 8 MB out in two streams, on boards as they are sold: in the time of one copy where
/// there is an engine for each direction, one after the other where there is not.
fn as_sold(runner: &Runner, shown: &mut Shown) -> Result<(), RunError> {
    for (chip, engines) in [("g80", 0), ("gt200", 1), ("fermi", 1), ("c2050", 2)] {
        let mut board = Board::new(vecadd(runner, chip, &[])?)?;
        let found = board.lab.gpu.chip().pcie.copy_engines;
        let what = format!("{chip} as its board is");
        shown.find(follows(format!("{what}: copy engines"), engines, found));
        let both = board.both([(0, board.x, Some(3)), (1, board.y, None)])?;
        let times = if engines > 1 { 1 } else { 2 };
        let copies = if times == 1 { "as one copy" } else { "as two copies" };
        let name = format!("{what}, in and out in two streams: ns, {copies}");
        shown.find(follows(name, times * board.one, both));
        shown.because(format!(
            "{what} (copy engines: {found}): 8 MB in and 8 MB out in two streams take {:.2} times as long as one of the \
             copies.",
            both as f64 / board.one as f64
        ));
    }
    Ok(())
}

/// Both directions at once, on a board with two copy engines: in two streams 8 MB go in while 8 MB
/// come out, in the time of one; two copies of one direction share the wire by turns, and so do two
/// of one stream.
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
        ("in and out at once, in two streams", [(0, x, Some(3)), (1, y, None)], 1),
    ] {
        at_once = board.both(copies)?;
        shown.find(follows(format!("{name}, {what}: ns"), times * one, at_once));
    }
    let (rate, each_way) = (board.rate(at_once), board.lab.gpu.chip().pcie.bytes_per_second as f64 / 1e9);
    shown.find(Finding::shape(
        format!("{name}: GB/s both ways together"),
        format!("twice the {each_way} of one way"),
        format!("{rate:.3}"),
        (rate - 2.0 * each_way).abs() < 1e-3,
    ));
    // Plain copies wait for each other, whichever way they go.
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
