//! Start times of host calls: plain calls, streams, engines, events.

use super::*;

fn starts(timeline: &Timeline) -> Vec<u64> {
    timeline.events.iter().map(|e| e.start_ns).collect()
}

#[test]
fn plain_calls_follow_each_other() {
    let mut t = Timeline::default();
    for ns in [10, 20, 30] {
        t.push(Call::kernel("kernel"), 0, ns);
    }
    assert_eq!((starts(&t), t.now_ns()), (vec![0, 10, 30], 60));
}

#[test]
fn two_engines_copy_in_both_directions_together() {
    let mut t = Timeline::default();
    t.push(Call::Copy(Direction::In), 1, 5);
    let [a, b] = [t.stream(), t.stream()];
    t.copy(a, Direction::In, 1, 100);
    t.copy(b, Direction::Out, 1, 40);
    // First the engine of this direction is busy, then the stream is busy with the other direction.
    t.copy(b, Direction::In, 1, 10);
    t.copy(a, Direction::Out, 1, 10);
    assert_eq!((starts(&t), t.now_ns()), (vec![0, 5, 5, 105, 105], 115));
    // A plain call waits for all streams, and all later calls wait for it.
    t.push(Call::kernel("kernel"), 0, 7);
    t.copy(b, Direction::Out, 1, 1);
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
        let mut t = Timeline::new(engines);
        let streams = [(); 3].map(|()| t.stream());
        let step = |t: &mut Timeline, stream, step| match step {
            0 => t.copy(stream, Direction::In, 1, 100),
            1 => t.kernel(stream, "k", 0, 100),
            _ => t.copy(stream, Direction::Out, 1, 100),
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
    let mut t = Timeline::new(1);
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
    let mut t = Timeline::new(2);
    let [a, b] = [t.stream(), t.stream()];
    let begin = t.record(Some(a));
    t.copy(a, Direction::In, 1, 100);
    let copied = t.record(Some(a));
    t.copy(b, Direction::Out, 1, 30);
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
        Timeline::new(0).elapsed_ns(begin, all),
        Err(HostError::UnknownEvent),
        "events of another timeline"
    );
}

#[test]
fn synchronizing_delays_the_host() {
    let mut t = Timeline::default();
    let [a, b] = [t.stream(), t.stream()];
    t.copy(a, Direction::In, 1, 100);
    t.synchronize();
    t.copy(b, Direction::Out, 1, 1);
    assert_eq!(starts(&t), [0, 100]);
    let foreign = [t.stream(), t.stream()][1];
    let mut other = Timeline::default();
    other.copy(foreign, Direction::In, 1, 3);
    assert_eq!(other.now_ns(), 3);
}
