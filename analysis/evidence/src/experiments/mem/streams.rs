//! MEM-18 with streams: the vector addition in four parts. Each part is copied in, added and copied
//! out in a separate stream.

use super::transfers::vecadd;
use crate::tools::{ensure, follows, pointers};
use crate::{Finding, Runner, Shown};
use kernels::RunError;
use sim_core::host::timeline::{Call, Direction, Event};
use sim_core::host::{Arg, DevicePtr, Launch};

/// Elements of a part, and number of parts.
const PART: usize = 1 << 15;
const PARTS: usize = 4;
const IN: Call = Call::Copy(Direction::In);
const OUT: Call = Call::Copy(Direction::Out);
const KERNEL: &str = "vecadd";

/// Elements of a part: whole numbers.
fn values(part: usize, factor: usize) -> Vec<f32> {
    (0..PART).map(|i| f32::from((factor * (part * PART + i) % 8192) as u16)).collect()
}

fn bytes(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// Checks that operations overlap as the board's engines allow: no overlap on the 8800 GTX, copies
/// during kernels from capability 1.1 on, copies in both directions on the Teslas of the Fermi
/// generation.
pub fn copies_during_kernels(runner: &Runner, shown: &mut Shown) -> Result<(), RunError> {
    let kernel = Call::kernel(KERNEL);
    let mut shares = Vec::new();
    for (chip, engines) in [("g80", 0), ("8800gt", 1), ("fermi", 1), ("c2050", 2), ("m2090", 2)] {
        let (events, elapsed) = in_parts(runner, chip)?;
        let pairs = || (0..events.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
        let together = |one: &Call, other: &Call| {
            pairs().any(|(i, j)| {
                let (a, b) = (&events[i], &events[j]);
                let kinds = a.what == *one && b.what == *other || b.what == *one && a.what == *other;
                kinds && a.start_ns < b.end_ns() && b.start_ns < a.end_ns()
            })
        };
        let in_order = pairs()
            .filter(|(i, j)| events[*i].stream == events[*j].stream)
            .all(|(i, j)| events[j].end_ns() <= events[i].start_ns);
        shown.find(follows(format!("{chip}: copies and kernels"), 4 * PARTS, events.len()));
        shown.find(follows(format!("{chip}: copies during a kernel"), engines > 0, together(&IN, &kernel)));
        shown.find(follows(
            format!("{chip}: copies in both directions together"),
            engines > 1,
            together(&IN, &OUT),
        ));
        let twice = together(&kernel, &kernel) || together(&IN, &IN) || together(&OUT, &OUT);
        shown.find(follows(format!("{chip}: two operations of one kind together"), false, twice));
        shown.find(follows(format!("{chip}: each stream keeps its order"), true, in_order));
        let busy: u64 = events.iter().map(|event| event.duration_ns).sum();
        shares.push((chip, elapsed as f64 / busy as f64));
    }
    let words =
        shares.iter().map(|(chip, share)| format!("{chip} {share:.2}")).collect::<Vec<_>>().join(", ");
    let share = |of: &str| shares.iter().find(|(chip, _)| *chip == of).map_or(f64::NAN, |(_, share)| *share);
    let holds = share("g80") >= 1.0
        && shares[1..].iter().all(|(_, share)| *share < 1.0)
        && share("c2050") < share("fermi");
    shown.find(Finding::shape(
        "time relative to all calls in sequence",
        "1 or more without an engine, less with one, least with two",
        &words,
        holds,
    ));
    shown.because(format!(
        "The vector addition in {PARTS} parts, each in a separate stream, relative to the time of its calls in sequence: \
         {words}."
    ));
    Ok(())
}

/// Runs the vector addition in parts and checks its sum. Returns the events, and the nanoseconds
/// from the first to the last.
fn in_parts(runner: &Runner, chip: &str) -> Result<(Vec<Event>, i64), RunError> {
    let mut lab = vecadd(runner, chip, &[])?;
    let whole = (PARTS * PART * 4) as u64;
    let list = [lab.gpu.malloc(whole)?, lab.gpu.malloc(whole)?, lab.gpu.malloc(whole)?];
    let [a, b, c] = list;
    let at = |ptr: DevicePtr, part: usize| ptr.offset((part * PART * 4) as u32);
    let begin = lab.gpu.record(None);
    let streams: Vec<_> = (0..PARTS).map(|_| lab.gpu.stream()).collect();
    // All copies in first, then all kernels: an engine processes its work in the order of the
    // calls.
    for (part, stream) in streams.iter().enumerate() {
        lab.gpu.copy_in_async(*stream, at(a, part), &bytes(&values(part, 1)))?;
        lab.gpu.copy_in_async(*stream, at(b, part), &bytes(&values(part, 2)))?;
    }
    for (part, stream) in streams.iter().enumerate() {
        let mut args = pointers(&list.map(|ptr| at(ptr, part)));
        args.push(Arg::U32(PART as u32));
        let launch =
            Launch::new(lab.module, KERNEL, (PART / 256) as u32, 256).args(args).options(runner.options());
        let report = lab.gpu.launch_in(*stream, &launch)?;
        ensure(report.verdict.is_finished(), format!("the kernel of part {part} on {chip} finishes"))?;
    }
    let mut sums = Vec::new();
    for (part, stream) in streams.iter().enumerate() {
        let mut sum = vec![0; PART * 4];
        lab.gpu.copy_out_async(*stream, at(c, part), &mut sum)?;
        sums.push(sum);
    }
    lab.gpu.synchronize();
    let end = lab.gpu.record(None);
    for (part, sum) in sums.iter().enumerate() {
        let expected: Vec<f32> = values(part, 1).iter().zip(values(part, 2)).map(|(a, b)| a + b).collect();
        ensure(*sum == bytes(&expected), format!("the sum of part {part} on {chip}"))?;
    }
    let elapsed = lab.gpu.elapsed_ns(begin, end)?;
    Ok((lab.gpu.timeline().events.clone(), elapsed))
}
