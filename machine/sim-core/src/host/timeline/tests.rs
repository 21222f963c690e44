//! Start times of host calls: plain calls, streams, engines, events.

use super::*;

/// A copy of pinned memory that takes `duration_ns`.
fn copy(direction: Direction, duration_ns: u64) -> Copying {
    Copying { direction, address: None, bytes: 1, memory: HostMemory::Pinned, duration_ns }
}

fn starts(timeline: &Timeline) -> Vec<u64> {
    timeline.events.iter().map(|e| e.start_ns).collect()
}

#[test]
fn plain_calls_follow_each_other() {
    let mut t = Timeline::default();
    for ns in [10, 20, 30] {
        t.push_kernel("kernel", 0, ns);
    }
    assert_eq!((starts(&t), t.now_ns()), (vec![0, 10, 30], 60));
}

#[test]
fn two_engines_copy_in_both_directions_together() {
    let mut t = Timeline::default();
    t.push_copy(&copy(Direction::In, 5));
    let [a, b] = [t.stream(), t.stream()];
    t.copy(a, &copy(Direction::In, 100));
    t.copy(b, &copy(Direction::Out, 40));
    // First the engine of this direction is busy, then the stream is busy with the other direction.
    t.copy(b, &copy(Direction::In, 10));
    t.copy(a, &copy(Direction::Out, 10));
    assert_eq!((starts(&t), t.now_ns()), (vec![0, 5, 5, 105, 105], 115));
    // A plain call waits for all streams, and all later calls wait for it.
    t.push_kernel("kernel", 0, 7);
    t.copy(b, &copy(Direction::Out, 1));
    assert_eq!((starts(&t)[5..].to_vec(), t.now_ns()), (vec![115, 122], 123));
    assert_eq!(t.events.iter().map(|e| e.stream).collect::<Vec<_>>(), [0, 1, 2, 2, 1, 0, 2]);
}

/// Three streams, each with a copy in, a kernel and a copy out of 100 ns, called stream by stream
/// or step by step. A launch takes the host no time. The end time depends on the number of engines.
///
/// Tests: `streams-and-copies`.
#[test]
fn copies_overlap_kernels_as_the_engines_allow() {
    let run = |engines, breadth_first: bool| {
        let mut t = Timeline::new(engines, 0);
        let streams = [(); 3].map(|()| t.stream());
        let step = |t: &mut Timeline, stream, step| match step {
            0 => t.copy(stream, &copy(Direction::In, 100)),
            1 => t.kernel(stream, "k", 0, 100),
            _ => t.copy(stream, &copy(Direction::Out, 100)),
        };
        for (i, j) in (0..3).flat_map(|i| (0..3).map(move |j| (i, j))) {
            let (stream, what) = if breadth_first { (streams[j], i) } else { (streams[i], j) };
            step(&mut t, stream, what);
        }
        t.now_ns()
    };
    // No copy engine: one call at a time.
    assert_eq!(run(0, false), 900);
    // One copy engine: in depth-first order the copy out of a stream comes before the copy in of
    // the next stream; in breadth-first order all copies in come first.
    assert_eq!((run(1, false), run(1, true)), (900, 600));
    // Two copy engines: a pipeline of three stages, in either order.
    assert_eq!((run(2, false), run(2, true)), (500, 500));
}

#[test]
fn a_launch_in_a_stream_takes_the_host_only_the_call() {
    let mut t = Timeline::new(1, 0);
    let [a, b] = [t.stream(), t.stream()];
    t.kernel(a, "k", 5, 100);
    t.kernel(b, "k", 5, 20);
    assert_eq!((starts(&t), t.host_ns()), (vec![5, 105], 10), "one kernel at a time");
    t.wait_for(a);
    assert_eq!(t.host_ns(), 105);
    t.synchronize();
    assert_eq!(t.host_ns(), 125);
}

/// Tests: `streams-and-copies`.
#[test]
fn events_measure_streams_and_delay_them() {
    let mut t = Timeline::new(2, 0);
    let [a, b] = [t.stream(), t.stream()];
    let begin = t.record(Some(a));
    t.copy(a, &copy(Direction::In, 100));
    let copied = t.record(Some(a));
    t.copy(b, &copy(Direction::Out, 30));
    let other = t.record(Some(b));
    assert_eq!(t.elapsed_ns(begin, copied), Ok(100));
    assert_eq!(t.elapsed_ns(copied, other), Ok(-70));
    t.wait_in_stream(b, copied).unwrap();
    t.kernel(b, "k", 0, 1);
    assert_eq!(starts(&t), [0, 0, 100]);
    let all = t.record(None);
    assert_eq!(t.elapsed_ns(begin, all), Ok(101));
    t.wait_for_event(other).unwrap();
    assert_eq!(t.host_ns(), 30);
    assert_eq!(
        Timeline::new(0, 0).elapsed_ns(begin, all),
        Err(HostError::UnknownEvent),
        "events of another timeline"
    );
}

#[test]
fn synchronizing_delays_the_host() {
    let mut t = Timeline::default();
    let [a, b] = [t.stream(), t.stream()];
    t.copy(a, &copy(Direction::In, 100));
    t.synchronize();
    t.copy(b, &copy(Direction::Out, 1));
    assert_eq!(starts(&t), [0, 100]);
    let foreign = [t.stream(), t.stream()][1];
    let mut other = Timeline::default();
    other.copy(foreign, &copy(Direction::In, 3));
    assert_eq!(other.now_ns(), 3);
}

/// Three launches of 5 ns whose kernels take 2 ns: launch to launch takes 5 ns if the host does not
/// wait, and 5 + 2 + 7 ns if it waits for each.
#[test]
fn synchronizing_after_each_launch_takes_longer() {
    let run = |waits: bool| {
        let mut t = Timeline::new(1, 7);
        for _ in 0..3 {
            t.push_kernel("k", 5, 2);
            if waits {
                t.synchronize();
            }
        }
        t
    };
    let (free, waiting) = (run(false), run(true));
    assert_eq!((starts(&free), free.host_ns(), free.now_ns()), (vec![5, 10, 15], 15, 17));
    assert_eq!((starts(&waiting), waiting.now_ns()), (vec![5, 19, 33], 42));
    let mut t = waiting;
    t.synchronize();
    assert_eq!(t.now_ns(), 42, "all work has ended");
    let calls: Vec<(HostCall, u64, u64)> =
        t.host.iter().map(|span| (span.what, span.start_ns, span.duration_ns)).collect();
    assert_eq!(calls[..2], [(HostCall::Launch, 0, 5), (HostCall::Synchronize, 5, 9)]);
    assert_eq!(calls.len(), 6);
}

#[test]
fn a_kernel_that_takes_long_delays_later_plain_kernels() {
    let mut t = Timeline::new(0, 7);
    t.push_kernel("a", 5, 100);
    t.push_kernel("b", 5, 1);
    t.push_copy(&copy(Direction::Out, 10));
    assert_eq!((starts(&t), t.host_ns()), (vec![5, 105, 106], 116), "a copy waits without sync_ns");
}

#[test]
fn the_host_waits_for_a_copy_of_pageable_memory() {
    let mut t = Timeline::new(2, 7);
    let [a, b] = [t.stream(), t.stream()];
    t.copy(a, &Copying { memory: HostMemory::Pageable, ..copy(Direction::In, 30) });
    t.copy(b, &copy(Direction::Out, 4));
    assert_eq!((starts(&t), t.host_ns()), (vec![0, 30], 30));
}
