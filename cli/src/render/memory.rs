//! Memory: global per direction, shared with its bank conflicts, constants, DRAM.

use super::number::{count, fixed, percent, rate, ratio, share};
use super::table::{Column, Columns, Facts, heading};
use sim_core::stats::LevelCounters;
use sim_core::stats::report::{
    ChipReport, ConstantReport, DramReport, GlobalReport, LocalReport, SharedReport, TimingReport,
};

/// Requests, transactions and bytes of the memory spaces.
pub fn spaces(timing: &TimingReport, chip: &ChipReport) -> String {
    let TimingReport { global, constant, fetch, tlb, .. } = timing;
    let mut out = heading("Memory");
    let mut table = Columns::new(&[
        Column::Words(30),
        Column::Numbers(14),
        Column::Numbers(14),
        Column::Rest,
    ])
    .titles(&["global memory", "loads", "stores", ""]);
    let rule = rule(chip);
    let (load, store) = (&global.load, &global.store);
    let mut row = |name: &str, l: String, s: String, note: &str| table.row(&[name, &l, &s, note]);
    let pair = |l: u64, s: u64| (count(l), count(s));
    let (l, s) = pair(load.requests, store.requests);
    row("requests", l, s, "warp instructions with a lane that asks");
    let (l, s) = pair(load.transactions, store.transactions);
    row("transactions", l, s, "made of them by the coalescing rule");
    row(
        "transactions per request",
        fixed(global.load_transactions_per_request, 2),
        fixed(global.store_transactions_per_request, 2),
        &format!("least: 1 for each {} that asks", rule.group),
    );
    let (l, s) = pair(load.coalesced_groups, store.coalesced_groups);
    row(&format!("{}s coalesced", rule.group), l, s, rule.coalesced);
    let (l, s) = pair(load.uncoalesced_groups, store.uncoalesced_groups);
    row(&format!("{}s not coalesced", rule.group), l, s, rule.not_coalesced);
    let (l, s) = pair(load.bytes_asked, store.bytes_asked);
    row("bytes asked by lanes", l, s, "");
    let (l, s) = pair(load.bytes_moved, store.bytes_moved);
    row("bytes moved", l, s, "by the transactions");
    row(
        "efficiency, %",
        percent(global.load_efficiency),
        percent(global.store_efficiency),
        "bytes asked per byte moved",
    );
    out += &table.draw();
    let mut facts = Facts::new();
    if load.requests > 0 {
        let latency = fixed(global.mean_load_latency, 1);
        facts.add(
            "mean latency of a global load",
            latency,
            "cycles",
            "from issue until all values can be used",
        );
    }
    if global.atomic.requests > 0 {
        let note = "warp instructions with a lane that asks";
        facts.add("atomics on global memory", count(global.atomic.requests), "requests", note);
        let note = "made of them, one after the other at the partitions";
        facts.add("transactions of atomics", count(global.atomic.transactions), "", note);
    }
    facts.add("loads of parameters", count(constant.param_requests), "requests", "");
    facts.add("loads of constant memory", count(constant.const_requests), "requests", "");
    constants(constant, &mut facts);
    for (name, level) in
        [("the instruction caches", *fetch), ("translation", tlb.first), ("its second level", tlb.second)]
    {
        hit_rate(name, level, &mut facts);
    }
    out += &facts.draw();
    out
}

/// What the constant caches did, if there are any and something was read through them.
fn constants(constant: &ConstantReport, facts: &mut Facts) {
    let lines = constant.l1.hits + constant.l1.misses;
    if lines == 0 {
        return;
    }
    let note = "one for each different address of a group of lanes, and for each operand";
    facts.add("accesses of the constant caches", count(constant.l1.accesses), "", note);
    let note = format!("{} of {} lines looked up were there", count(constant.l1.hits), count(lines));
    facts.add(
        "hit rate of the SMs' constant caches",
        percent(constant.l1.hits as f64 / lines as f64),
        "%",
        &note,
    );
    hit_rate("the clusters' caches", constant.l2, facts);
    hit_rate("the partitions' caches", constant.l3, facts);
    facts.add("lines asked of partitions", count(constant.line_requests), "", "");
}

/// How much of what was looked up somewhere was there, if anything was.
fn hit_rate(place: &str, level: LevelCounters, facts: &mut Facts) {
    let all = level.hits + level.misses;
    if all > 0 {
        let note = format!("{} of {} looked up", count(level.hits), count(all));
        facts.add(&format!("hit rate of {place}"), percent(level.hits as f64 / all as f64), "%", &note);
    }
}

/// Local memory, if the kernel uses it.
pub fn local(local: &LocalReport) -> String {
    let (load, store) = (&local.load, &local.store);
    if load.requests + store.requests == 0 {
        return String::new();
    }
    let mut table = Columns::new(&[
        Column::Words(30),
        Column::Numbers(14),
        Column::Numbers(14),
        Column::Rest,
    ])
    .titles(&["local memory", "loads", "stores", ""]);
    let mut row = |name: &str, l: u64, s: u64, note: &str| table.row(&[name, &count(l), &count(s), note]);
    row("requests", load.requests, store.requests, "warp instructions with a lane that asks");
    row(
        "transactions",
        load.transactions,
        store.transactions,
        "made of their words, one word after the other",
    );
    row("bytes asked by lanes", load.bytes_asked, store.bytes_asked, "");
    row(
        "bytes moved",
        load.bytes_moved,
        store.bytes_moved,
        "by the transactions: local memory is off the chip",
    );
    table.row(&[
        "transactions per request",
        &fixed(local.load_transactions_per_request, 2),
        &fixed(local.store_transactions_per_request, 2),
        "",
    ]);
    table.draw()
}

/// What the coalescing rule's counts mean.
struct Rule {
    /// Lanes that are coalesced together.
    group: &'static str,
    coalesced: &'static str,
    not_coalesced: &'static str,
    /// What one access to the DRAM is.
    access: &'static str,
}

/// The words for the chip's rule.
fn rule(chip: &ChipReport) -> Rule {
    let access = "  An access is one transaction.\n";
    match chip.coalescing {
        "segments" => Rule {
            group: "half-warp",
            coalesced: "words in one segment: one transaction",
            not_coalesced: "a transaction for each segment",
            access,
        },
        "lines" => Rule {
            group: "request",
            coalesced: "words in one line: one transaction",
            not_coalesced: "a transaction for each line",
            access,
        },
        _ => Rule {
            group: "half-warp",
            coalesced: "words in lane order: one transaction",
            not_coalesced: "a 32-byte transaction for each lane",
            access: "  An access is all that one half-warp wants of one chunk of a partition's memory.\n",
        },
    }
}

/// DRAM against its peak.
pub fn dram(dram: &DramReport, chip: &ChipReport) -> String {
    let mut out = heading("DRAM");
    out += rule(chip).access;
    let mut facts = Facts::new();
    facts.add("read over the bus", count(dram.read_bytes), "bytes", "whole bursts");
    facts.add("written over the bus", count(dram.write_bytes), "bytes", "");
    let peak = format!("{} % of the peak of {} GB/s", percent(dram.utilisation), fixed(chip.peak_gbps, 1));
    facts.add("bandwidth", rate(dram.gbps), "GB/s", peak);
    let accesses = dram.row_hits + dram.row_misses + dram.row_conflicts;
    let of_all = |n: u64| format!("{} %", share(n, accesses));
    let note = format!("{}: row open in its bank", of_all(dram.row_hits));
    facts.add("row hits", count(dram.row_hits), "accesses", note);
    let note = format!("{}: no row open", of_all(dram.row_misses));
    facts.add("row misses", count(dram.row_misses), "accesses", note);
    let note = format!("{}: other row open", of_all(dram.row_conflicts));
    facts.add("row conflicts", count(dram.row_conflicts), "accesses", note);
    facts.add("refreshes", count(dram.refreshes), "", "each of all banks of a channel");
    let most = dram.partition_bytes.iter().copied().max().unwrap_or(0);
    let total: u64 = dram.partition_bytes.iter().sum();
    if total > 0 {
        let even = ratio(total, dram.partition_bytes.len() as u64);
        let note = format!("busiest of {} against the mean; 1.00 is even", dram.partition_bytes.len());
        facts.add("load of the partitions", fixed(most as f64 / even, 2), "", note);
    }
    out += &facts.draw();
    out
}

/// Shared memory.
pub fn shared(shared: &SharedReport) -> String {
    let mut out = heading("Shared memory and its banks");
    if shared.load.requests + shared.store.requests + shared.atomic.requests == 0 {
        return out + "  The kernel does not use shared memory.\n";
    }
    let mut table = Columns::new(&[
        Column::Words(30),
        Column::Numbers(14),
        Column::Numbers(14),
        Column::Rest,
    ])
    .titles(&["shared memory", "loads", "stores", ""]);
    let (load, store) = (&shared.load, &shared.store);
    table.row(&[
        "requests",
        &count(load.requests),
        &count(store.requests),
        "warp instructions with a lane that asks",
    ]);
    table.row(&["passes", &count(load.passes), &count(store.passes), "over the banks, one after the other"]);
    let note = "beyond the least: lanes met in a bank";
    table.row(&["conflict passes", &count(load.conflict_passes), &count(store.conflict_passes), note]);
    table.row(&["bytes asked by lanes", &count(load.bytes_asked), &count(store.bytes_asked), ""]);
    out += &table.draw();
    let mut facts = Facts::new();
    if shared.atomic.requests > 0 {
        let note = "warp instructions with a lane that asks";
        facts.add("atomics on shared memory", count(shared.atomic.requests), "requests", note);
        let note = "locking and unlocking, once for each lane of a word";
        facts.add("passes of atomics", count(shared.atomic.passes), "", note);
    }
    let note = "slots lost to conflicts per instruction";
    facts.add("replay overhead", percent(shared.replay_overhead), "%", note);
    out += &facts.draw();
    out
}
