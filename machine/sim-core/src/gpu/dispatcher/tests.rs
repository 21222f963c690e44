//! Dispatch order and rate, the drain at the end of a kernel, and concurrent kernels.

use super::*;

const CLUSTER: ClusterConfig = ClusterConfig {
    sms: 2,
    port_request_cycles: 1,
    port_bytes_per_cycle: 8,
    reply_bytes_per_cycle: 32,
    reply_room: 8,
    const_cache: None,
    texture_cache: None,
    tlb: None,
};
const CONFIG: DispatchConfig = DispatchConfig { launch_cycles: 10, block_cycles: 4, concurrent_kernels: 16 };

fn dispatcher(blocks: u64, per_sm: u32) -> Dispatcher {
    Dispatcher::new(CONFIG, 2, CLUSTER, 100, &[(blocks, per_sm)], Hooks::default())
}

fn tick_from(d: &mut Dispatcher, mut now: u64) {
    while now != NEVER {
        d.tick(now);
        now = d.next_wake(now);
    }
}

fn sent(d: &Dispatcher) -> Vec<(usize, u64, ToCluster)> {
    let all = d.outbox.iter().enumerate();
    let mut all: Vec<_> =
        all.flat_map(|(c, messages)| messages.iter().map(move |(at, m)| (c, *at, *m))).collect();
    all.sort_by_key(|(_, at, _)| *at);
    all
}

/// Tests: `block-dispatch`.
#[test]
fn blocks_are_sent_breadth_first_at_the_dispatch_rate() {
    let mut d = dispatcher(5, 1);
    d.tick(9);
    assert_eq!(sent(&d), [], "no block is sent before the launch latency has passed");
    tick_from(&mut d, 10);
    let block = |sm, block| ToCluster::Block { sm, block };
    let expected =
        [(0, 110, block(0, 0)), (1, 114, block(0, 1)), (0, 118, block(1, 2)), (1, 122, block(1, 3))];
    assert_eq!(sent(&d), expected, "four places, four blocks; the fifth waits");
    d.accept(1, 500, FromCluster::BlockDone { sm: 0, places: 1 });
    assert_eq!(d.next_wake(22), 500);
    d.tick(500);
    assert_eq!(sent(&d).last(), Some(&(1, 600, block(0, 4))));
}

/// Tests: `drained-at-the-end`.
#[test]
fn the_kernel_ends_when_every_cluster_has_drained() {
    let mut d = dispatcher(1, 1);
    d.tick(10);
    d.accept(0, 300, FromCluster::BlockDone { sm: 0, places: 1 });
    d.tick(300);
    assert_eq!(sent(&d).iter().filter(|(_, at, m)| (*at, *m) == (400, ToCluster::Drain)).count(), 2);
    d.accept(0, 700, FromCluster::Drained);
    d.accept(1, 900, FromCluster::Drained);
    d.tick(700);
    assert_eq!(d.finished, None);
    d.tick(900);
    assert_eq!(d.finished, Some(900));
}

/// Two clusters of two SMs; kernel 0 has one block, kernel 1 has five. One block fits on an SM.
///
/// Tests: `concurrent-kernels`.
#[test]
fn a_second_kernel_uses_clusters_that_the_first_leaves_free_or_releases() {
    let mut d = Dispatcher::new(CONFIG, 2, CLUSTER, 100, &[(1, 4), (5, 1)], Hooks::default());
    tick_from(&mut d, 10);
    let block = |sm, block| ToCluster::Block { sm, block };
    // Seats 0 and 1 belong to kernel 0, seats 2 and 3 to kernel 1.
    let mut expected = vec![(0, 110, block(0, 0)), (3, 114, block(0, 0)), (3, 118, block(1, 1))];
    assert_eq!(sent(&d), expected, "kernel 0 has the first cluster and a quarter of one SM");
    d.accept(0, 300, FromCluster::BlockDone { sm: 0, places: 1 });
    d.tick(300);
    // The blocks of kernel 0 have retired, so every cluster is sent a drain.
    expected.extend([(0, 400, ToCluster::Drain), (1, 400, ToCluster::Drain)]);
    assert_eq!(sent(&d), expected);
    assert_eq!(d.next_wake(300), NEVER, "the cluster is not free before it has drained");
    assert!(!d.waits_for(2), "a cluster drains");
    assert_eq!((d.waiting_for_space(0), d.waiting_for_space(1)), (None, Some((2, 3))));
    d.accept(0, 600, FromCluster::Drained);
    d.accept(1, 600, FromCluster::Drained);
    tick_from(&mut d, 600);
    assert_eq!((d.finished_of(0), d.finished), (Some(600), None));
    expected.extend([(2, 700, block(0, 2)), (2, 704, block(1, 3))]);
    assert_eq!(sent(&d), expected, "one more block waits for a free SM");
    assert!(d.waits_for(4) && !d.waits_for(3));
    for (seat, sm, at) in [(2, 0, 900), (2, 1, 900), (3, 0, 800), (3, 1, 900)] {
        d.accept(seat, at, FromCluster::BlockDone { sm, places: 1 });
    }
    d.tick(800);
    expected.push((3, 900, block(0, 4)));
    assert_eq!(sent(&d), expected);
    d.accept(3, 1000, FromCluster::BlockDone { sm: 0, places: 1 });
    d.tick(900);
    d.tick(1000);
    expected.extend([(2, 1100, ToCluster::Drain), (3, 1100, ToCluster::Drain)]);
    assert_eq!(sent(&d), expected);
    for seat in [2, 3] {
        d.accept(seat, 1300, FromCluster::Drained);
    }
    d.tick(1300);
    assert_eq!((d.finished_of(1), d.finished), (Some(1300), Some(1300)));
}
