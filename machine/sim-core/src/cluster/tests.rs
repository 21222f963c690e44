//! Exact cycles of the port, the links with their credits, the reply port and the drain.

use super::{Cluster, Drain};
use crate::config::Chip;
use crate::exec::build::{Builder, memory};
use crate::hooks::Hooks;
use crate::mem::map::AddressMap;
use crate::sm::context::SmContext;
use crate::time::NEVER;
use crate::time::message::{FromCluster, FromPartition, REQUEST_LANES, Reply, RequestKind, ToCluster};
use isa::uop::{NO_ROW, Op};
use std::sync::Arc;

/// First allocated byte; it is in chunk 16, which partition 0 of two owns.
const START: u32 = 0x1000;
/// Latency of the crossbar.
const W: u64 = 100;

/// Creates a cluster of one SM and two links. Its block arrives at cycle 0 and has one warp of one
/// thread, which executes `ops`, each on its address. An access issues every 4 cycles and can leave
/// 12 cycles after its issue.
fn cluster(ops: &[(Op, u32)], depth: u32, reply_room: u32, hooks: Hooks) -> Cluster {
    let mut chip = Chip::builtin("g80").expect("it is built in");
    chip.sm.block_start_cycles = 0;
    (chip.sm.lsu.latency, chip.sm.lsu.transaction_cycles) = (10, 2);
    (chip.crossbar.latency, chip.crossbar.depth) = (W as u32, depth);
    chip.cluster.sms = 1;
    chip.cluster.reply_room = reply_room;
    (chip.cluster.port_request_cycles, chip.cluster.port_bytes_per_cycle) = (1, 4);
    chip.cluster.reply_bytes_per_cycle = 32;
    let mut kernel = Builder::new().launch(1, 1).allocate(START, 4096);
    for (row, (op, address)) in (0..).zip(ops) {
        kernel = kernel.inst(memory(*op, row % 4, NO_ROW, *address));
    }
    let map = AddressMap::new(256, 2);
    let context = SmContext::new(Arc::new(kernel.exit().kernel()), chip.sm.clone(), map, 32, hooks);
    let mut cluster = Cluster::new(0, chip.cluster, chip.crossbar, 2, &Arc::new(context));
    cluster.order(0, ToCluster::Block { sm: 0, block: 0 });
    cluster
}

/// Ticks every cycle of `cycles`. Returns (cycle of departure, link, arrival, kind) of each message
/// that leaves.
fn run(cluster: &mut Cluster, cycles: std::ops::Range<u64>) -> Vec<(u64, usize, u64, RequestKind)> {
    let mut left = Vec::new();
    for now in cycles {
        cluster.tick(now);
        for (link, mail) in cluster.outbox.to_partition.iter_mut().enumerate() {
            left.extend(mail.requests.drain(..).map(|(arrival, request)| (now, link, arrival, request.kind)));
        }
    }
    left
}

/// Delivers `reply` from partition `link` at cycle `at`.
fn accept(cluster: &mut Cluster, link: usize, at: u64, reply: Reply) {
    cluster.accept(link, &mut FromPartition { replies: vec![(at, reply)], credits: Vec::new() });
}

/// Delivers a credit from partition `link` at cycle `at`.
fn credit(cluster: &mut Cluster, link: usize, at: u64) {
    cluster.accept(link, &mut FromPartition { replies: Vec::new(), credits: vec![at] });
}

/// Returns the reply to request `tag` of `sm`.
fn reply(kind: RequestKind, sm: u8, tag: u16, wire_bytes: u16) -> Reply {
    Reply {
        kind,
        sm,
        tag,
        bytes: 4,
        wire_bytes,
        lanes: u32::from(kind == RequestKind::Load),
        quads: 0,
        data: [0; REQUEST_LANES],
    }
}

const ST: Op = Op::StGlobalB32;
const LD: Op = Op::LdGlobalB32;

#[test]
fn a_store_leaves_after_the_lsu_and_arrives_one_crossbar_latency_after_its_last_byte() {
    let mut c = cluster(&[(ST, START), (ST, START + 256)], 8, 8, Hooks::default());
    assert_eq!(run(&mut c, 0..12), [], "the message does not leave a cycle earlier");
    // Header and 4 bytes occupy the port for two cycles: 12 and 13.
    assert_eq!(run(&mut c, 12..13), [(12, 0, 13 + W, RequestKind::Store)]);
    // The second store issued at 4.
    assert_eq!(run(&mut c, 13..16), []);
    assert_eq!(run(&mut c, 16..100), [(16, 1, 17 + W, RequestKind::Store)]);
}

#[test]
fn a_message_waits_for_the_port() {
    // Header and eight bytes, one byte per cycle: the port is busy until 20, and the second message
    // could have left at 16.
    let mut c = cluster(&[(Op::StGlobalB64, START), (ST, START + 256)], 8, 8, Hooks::default());
    c.config.port_bytes_per_cycle = 1;
    assert_eq!(run(&mut c, 0..21), [(12, 0, 20 + W, RequestKind::Store)]);
    assert_eq!(run(&mut c, 21..22), [(21, 1, 25 + W, RequestKind::Store)]);
}

#[test]
fn at_depth_one_the_second_message_leaves_when_the_credit_has_arrived() {
    let mut c = cluster(&[(ST, START), (ST, START + 4)], 1, 8, Hooks::default());
    assert_eq!(run(&mut c, 0..100).len(), 1);
    assert_eq!(c.next_wake(99), NEVER, "only a message can cause an event");
    credit(&mut c, 0, 321);
    assert_eq!(c.next_wake(99), 321);
    assert_eq!(run(&mut c, 100..321), [], "the message does not leave a cycle earlier");
    assert_eq!(run(&mut c, 321..322), [(321, 0, 322 + W, RequestKind::Store)]);
    assert_eq!(c.links[0].credits, 0);
}

#[test]
fn a_link_without_credit_blocks_the_messages_behind_it() {
    let mut c = cluster(&[(ST, START), (ST, START + 4), (ST, START + 256)], 1, 8, Hooks::default());
    assert_eq!(run(&mut c, 0..300).len(), 1, "the third store's link is free, but it must not overtake");
    credit(&mut c, 0, 300);
    let left = run(&mut c, 300..310);
    assert_eq!(left.iter().map(|(now, link, ..)| (*now, *link)).collect::<Vec<_>>(), [(300, 0), (302, 1)]);
}

#[test]
fn a_load_waits_for_a_reply_entry_and_a_store_does_not() {
    let mut c = cluster(&[(LD, START), (LD, START + 256), (ST, START)], 8, 1, Hooks::default());
    assert_eq!(run(&mut c, 0..200), [(12, 0, 12 + W, RequestKind::Load)]);
    assert_eq!(c.next_wake(199), NEVER);
    accept(&mut c, 0, 250, reply(RequestKind::Load, 0, 0, 32));
    assert_eq!(run(&mut c, 200..250), [], "the load does not leave a cycle earlier");
    // The entry is free in the cycle in which the reply port accepts the reply.
    assert_eq!(run(&mut c, 250..251), [(250, 1, 250 + W, RequestKind::Load)]);
    assert_eq!(run(&mut c, 251..400), [(252, 0, 253 + W, RequestKind::Store)]);
}

#[test]
fn the_reply_port_accepts_one_reply_at_a_time_with_links_in_rotation() {
    let mut c = cluster(&[(LD, START), (LD, START + 256)], 8, 8, Hooks::default());
    assert_eq!(run(&mut c, 0..200).len(), 2);
    accept(&mut c, 0, 300, reply(RequestKind::Load, 0, 0, 64));
    accept(&mut c, 1, 300, reply(RequestKind::Load, 0, 1, 33));
    let waiting = |c: &Cluster| (c.links[0].replies.len(), c.links[1].replies.len());
    run(&mut c, 200..300);
    assert_eq!(waiting(&c), (1, 1));
    run(&mut c, 300..301);
    assert_eq!((waiting(&c), c.next_wake(300)), ((0, 1), 302), "64 bytes take two cycles");
    run(&mut c, 301..302);
    assert_eq!(waiting(&c), (0, 1), "the next reply is not accepted a cycle earlier");
    run(&mut c, 302..303);
    assert_eq!((waiting(&c), c.reply_free), ((0, 0), 304));
}

#[test]
fn one_drain_fence_per_link_leaves_when_the_lsu_is_empty() {
    let mut c = cluster(&[(ST, START), (ST, START)], 8, 8, Hooks::default());
    c.order(5, ToCluster::Drain);
    let left = run(&mut c, 0..200);
    let fence = RequestKind::Fence;
    // The second store occupies the port at 16 and 17.
    assert_eq!(left[2..], [(18, 0, 18 + W, fence), (19, 1, 19 + W, fence)], "after both stores");
    c.outbox.to_dispatcher.clear();
    accept(&mut c, 1, 400, reply(fence, super::DRAIN, 0, 1));
    run(&mut c, 200..401);
    assert_eq!(c.outbox.to_dispatcher, [], "one fence reply is missing");
    accept(&mut c, 0, 500, reply(fence, super::DRAIN, 0, 1));
    run(&mut c, 401..500);
    assert_eq!(c.outbox.to_dispatcher, [], "the drain is not reported a cycle earlier");
    run(&mut c, 500..501);
    assert_eq!(c.outbox.to_dispatcher, [(500 + W, FromCluster::Drained)]);
    assert_eq!(c.drain, Drain::Done);
}

#[cfg(feature = "test-hooks")]
#[test]
fn a_message_never_overtakes_a_late_message_on_its_link() {
    let delay = Some(crate::hooks::Delay { cluster: 0, store: 0, cycles: 50 });
    let mut c =
        cluster(&[(ST, START), (ST, START), (ST, START + 256)], 8, 8, Hooks { delay, ..Hooks::default() });
    let arrivals: Vec<u64> = run(&mut c, 0..100).iter().map(|(_, _, arrival, _)| *arrival).collect();
    assert_eq!(arrivals, [63 + W, 63 + W, 21 + W], "the other link is not late");
}

#[test]
fn ticking_only_at_wake_up_times_sends_the_same_messages_at_the_same_cycles() {
    let ops = [(ST, START), (LD, START + 256), (ST, START + 4), (LD, START), (ST, START + 260)];
    let make = || {
        let mut c = cluster(&ops, 1, 1, Hooks::default());
        credit(&mut c, 0, 150);
        accept(&mut c, 1, 170, reply(RequestKind::Load, 0, 0, 32));
        credit(&mut c, 1, 190);
        credit(&mut c, 0, 230);
        c
    };
    let every = run(&mut make(), 0..400);
    let (mut c, mut now, mut woken) = (make(), 0, Vec::new());
    while now < 400 {
        woken.extend(run(&mut c, now..now + 1));
        now = c.next_wake(now);
    }
    assert_eq!(woken, every);
    assert_eq!(every.len(), ops.len());
}
