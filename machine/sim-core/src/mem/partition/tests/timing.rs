//! Exact cycles, computed by hand from the configuration.

use super::{CLOCKS, CROSSBAR, alone, config, credits, replies, request, run, send};
use crate::config::Clocks;
use crate::mem::image::PartitionImage;
use crate::mem::map::AddressMap;
use crate::mem::partition::Partition;
use crate::time::NEVER;
use crate::time::message::{PartitionOutbox, RequestKind};

#[test]
fn an_unloaded_load() {
    let mut partition = alone(&config(), 1);
    let mut out = PartitionOutbox::new(1);
    assert_eq!(partition.next_wake(0), NEVER);
    send(&mut partition, 0, 100, request(RequestKind::Load, 7, 0));
    // Core cycle 43 is the first after 100 and begins at 43 * 54 / 23 = 100.96: accepted at 101.
    assert_eq!(partition.next_wake(0), 101);
    run(&mut partition, 0..101, &mut out);
    assert!(out.to_cluster[0].is_empty());
    run(&mut partition, 101..102, &mut out);
    assert_eq!(credits(&out, 0), [101 + 40]);
    // Half of 61 is 30: command cycle 87 is the first that begins at 131 (130.5) or later. The
    // activate is at 87, the reads at 99 and 101, and the data end at 101 + 10 + 2 = 113, which
    // begins at 170 (169.5). Then follow 31 cycles of pipeline, 64 bytes at 8 bytes per cycle, and
    // 40 cycles of crossbar.
    assert_eq!(partition.next_wake(102), 131);
    let departure = 170 + 31 + 8;
    run(&mut partition, 102..departure, &mut out);
    assert!(replies(&out, 0).is_empty());
    assert!(!partition.quiet());
    assert_eq!(partition.next_wake(160), departure);
    run(&mut partition, departure..departure + 1, &mut out);
    assert_eq!(replies(&out, 0), [(departure + 40, 7)]);
    assert!(partition.quiet());
    assert_eq!(partition.next_wake(500), NEVER);

    let counters = partition.counters(1_000);
    assert_eq!((counters.loads, counters.load_transactions, counters.load_bytes), (1, 1, 64));
    assert_eq!((counters.arbiter_busy, counters.reply_busy, counters.reply_bytes), (2, 8, 64));
    assert_eq!((counters.dram.reads, counters.dram.row_misses, counters.dram.bytes), (2, 1, 64));
}

/// Four command clocks begin in each shader cycle.
#[test]
fn an_unloaded_load_with_a_memory_clock_above_the_shader_clock() {
    let clocks = Clocks { memory_khz: 4 * CLOCKS.shader_khz, ..CLOCKS };
    let (map, image) = (AddressMap::new(256, 1), PartitionImage::default());
    let mut partition = Partition::new(0, map, &config(), clocks, CROSSBAR, 1, image);
    let mut out = PartitionOutbox::new(1);
    send(&mut partition, 0, 100, request(RequestKind::Load, 7, 0));
    run(&mut partition, 0..102, &mut out);
    // Accepted at 101, as with any memory clock. Command cycle 521 is the first that begins at 131.
    // The activate is at 521, the reads at 533 and 535, and the data end at 547, which begins at
    // 137 (136.75). Then follow 31 cycles of pipeline, 8 of the port and 40 of the crossbar.
    assert_eq!((credits(&out, 0), partition.next_wake(102)), (vec![101 + 40], 131));
    let departure = 137 + 31 + 8;
    run(&mut partition, 102..departure, &mut out);
    assert!(replies(&out, 0).is_empty());
    run(&mut partition, departure..departure + 1, &mut out);
    assert_eq!(replies(&out, 0), [(departure + 40, 7)]);
    assert!(partition.quiet());
}

#[test]
fn the_arbiter_is_busy_for_each_transaction() {
    for transfers in [1, 16] {
        let mut partition = alone(&config(), 1);
        let mut out = PartitionOutbox::new(1);
        let mut first = request(RequestKind::Load, 0, 0);
        first.transfers = transfers;
        send(&mut partition, 0, 0, first);
        send(&mut partition, 0, 0, request(RequestKind::Load, 1, 256));
        run(&mut partition, 0..200, &mut out);
        // Accepted in core cycle 0, and then 2 core cycles later per transaction: core cycle 2
        // begins at 4.7, 32 at 75.1.
        let second = if transfers == 1 { 5 } else { 76 };
        assert_eq!(credits(&out, 0), [40, second + 40]);
        assert_eq!(partition.counters(200).arbiter_busy, 2 * u64::from(transfers) + 2);
    }
}

#[test]
fn replies_queue_for_the_port() {
    let mut config = config();
    config.reply_bytes_per_cycle = 2;
    let mut partition = alone(&config, 2);
    let mut out = PartitionOutbox::new(2);
    send(&mut partition, 0, 0, request(RequestKind::Load, 0, 0));
    send(&mut partition, 1, 0, request(RequestKind::Load, 1, 256));
    send(&mut partition, 0, 0, request(RequestKind::Load, 2, 512));
    run(&mut partition, 0..400, &mut out);
    // Accepted at 0; command cycle 20 is shader cycle 30. Reads at 32 and 34, data until 46 (69),
    // ready at 100. The data of the others follow 4 command cycles apart, but each reply occupies
    // the port for 32 cycles.
    let arrival = |place: u64| 100 + place * 32 + u64::from(CROSSBAR.latency);
    assert_eq!(replies(&out, 0), [(arrival(1), 0), (arrival(3), 2)]);
    assert_eq!(replies(&out, 1), [(arrival(2), 1)]);
    assert_eq!(partition.counters(400).reply_busy, 96);
}

/// Tests: `fences`.
#[test]
fn a_fence_is_answered_in_the_cycle_of_acceptance() {
    let mut partition = alone(&config(), 1);
    let mut out = PartitionOutbox::new(1);
    send(&mut partition, 0, 10, request(RequestKind::Load, 0, 0));
    send(&mut partition, 0, 10, request(RequestKind::Fence, 1, 0));
    run(&mut partition, 0..400, &mut out);
    // Core cycle 4 begins at 10 (9.4), core cycle 6 at 15 (14.1).
    assert_eq!(credits(&out, 0), [10 + 40, 15 + 40]);
    assert_eq!(replies(&out, 0)[0], (15 + 40, 1));
    assert_eq!(partition.counters(400).fences, 1);
}

#[test]
fn the_arbiter_is_busy_for_the_data_and_the_header_of_a_store() {
    let mut config = config();
    config.input_bytes_per_cycle = 16;
    let mut partition = alone(&config, 1);
    let mut out = PartitionOutbox::new(1);
    let store = request(RequestKind::Store, 0, 0);
    send(&mut partition, 0, 0, store);
    send(&mut partition, 0, 0, request(RequestKind::Load, 1, 256));
    run(&mut partition, 0..400, &mut out);
    // A header takes 2 core cycles and 64 bytes take 4: core cycle 6 begins at 15 (14.1).
    assert_eq!(store.bursts, 2);
    assert_eq!(credits(&out, 0), [40, 15 + 40]);
    assert_eq!(partition.counters(400).arbiter_busy, 2 + 4 + 2);
}

#[test]
fn a_reply_header_adds_port_cycles() {
    let reply = |header| {
        let mut config = config();
        config.reply_header_cycles = header;
        let mut partition = alone(&config, 1);
        let mut out = PartitionOutbox::new(1);
        send(&mut partition, 0, 0, request(RequestKind::Load, 0, 0));
        run(&mut partition, 0..400, &mut out);
        replies(&out, 0)[0].0
    };
    assert_eq!(reply(5), reply(0) + 5);
}

/// Tests: `fences`.
#[test]
fn a_full_pipeline_blocks_loads_and_stores_but_not_fences() {
    let mut config = config();
    config.dram.queue = 1;
    config.pipeline_cycles = 0;
    // Every request opens another row of one bank: one in 35 command cycles. The DRAM queue and the
    // pipeline each hold one request.
    let mut partition = alone(&config, 2);
    let mut out = PartitionOutbox::new(2);
    for row in 0..4 {
        send(&mut partition, 0, 0, request(RequestKind::Store, 0, row * 2048 * 8));
    }
    run(&mut partition, 0..10, &mut out);
    assert_eq!(partition.next_wake(10), 18);
    send(&mut partition, 1, 10, request(RequestKind::Fence, 9, 0));
    run(&mut partition, 10..18, &mut out);
    assert_eq!(credits(&out, 0), [40, 45]);
    assert_eq!(replies(&out, 1), [(10 + 40, 9)]);
    let stuck = partition.stuck();
    assert_eq!((stuck.room, stuck.in_pipeline, stuck.in_dram, stuck.dram_oldest), (false, 1, 1, Some(0)));
    assert_eq!((stuck.links.len(), stuck.links[0].queued, stuck.links[0].arrival), (1, 2, 0));
    // The first train starts at command cycle 12, which is shader cycle 18. The second request
    // takes the free entry of the DRAM queue; the third is accepted in core cycle 8, which begins
    // at 19 (18.8).
    assert_eq!(stuck.next_wake, Some(18));
    run(&mut partition, 18..19, &mut out);
    assert_eq!(credits(&out, 0).len(), 2);
    run(&mut partition, 19..20, &mut out);
    assert_eq!(credits(&out, 0)[2..], [19 + 40]);
    run(&mut partition, 20..1_000, &mut out);
    assert!(partition.quiet());
    assert_eq!((credits(&out, 0).len(), partition.counters(1_000).stores), (4, 4));
}

#[test]
fn a_freed_entry_is_used_in_the_same_cycle() {
    let mut config = config();
    (config.dram.queue, config.pipeline_cycles, config.arbiter_cycles) = (1, 0, 1);
    let clocks = Clocks { shader_khz: 1, core_khz: 1, memory_khz: 1 };
    let map = AddressMap::new(256, 1);
    let mut partition = Partition::new(0, map, &config, clocks, CROSSBAR, 1, PartitionImage::default());
    let mut out = PartitionOutbox::new(1);
    for row in 0..4 {
        send(&mut partition, 0, 0, request(RequestKind::Load, 0, row * 2048 * 8));
    }
    run(&mut partition, 0..200, &mut out);
    // One accepted request goes directly into the DRAM queue, one into the pipeline. Trains start
    // at 12 and, tRC later, at 47.
    assert_eq!(credits(&out, 0), [0, 1, 12, 47].map(|at| at + 40));
}

/// Tests: `link-depth`.
#[test]
#[should_panic(expected = "more than its credits allow")]
fn a_link_holds_at_most_its_depth() {
    let mut partition = alone(&config(), 1);
    for tag in 0..=CROSSBAR.depth as u16 {
        send(&mut partition, 0, 5, request(RequestKind::Load, tag, 0));
    }
}
