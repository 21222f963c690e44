//! The memory part of the report: global memory by direction, shared memory with its bank
//! conflicts, constants, DRAM.

use super::Details;
use super::number::{count, fixed, percent, rate, ratio, share};
use super::table::{Column, Columns, Facts, heading};
use isa::terms::{Terms, capital};
use sim_core::config::CoalesceRule;
use sim_core::stats::LevelCounters;
use sim_core::stats::report::{
    ChipReport, ConstantReport, DramReport, LaunchReport, LocalReport, MappedReport, SharedReport,
    TextureReport, TimingReport,
};

/// Returns requests, transactions and bytes of the memory spaces.
pub fn spaces(timing: &TimingReport, chip: &ChipReport, details: Details, terms: &Terms) -> String {
    let TimingReport { global, constant, texture, fetch, tlb, .. } = timing;
    let mut out = heading("Memory");
    let mut table =
        Columns::new(&[Column::Words(30), Column::Numbers(14), Column::Numbers(14), Column::Rest])
            .detailed(details)
            .titles(&["global memory", "loads", "stores", ""]);
    let rule = rule(chip);
    let (load, store) = (&global.load, &global.store);
    let mut row = |name: &str, l: String, s: String, note: &str| table.row(&[name, &l, &s, note]);
    let pair = |l: u64, s: u64| (count(l), count(s));
    let (l, s) = pair(load.requests, store.requests);
    row("requests", l, s, "warp instructions with an active lane");
    let (l, s) = pair(load.transactions, store.transactions);
    row("transactions", l, s, "after the coalescing rule");
    row(
        "transactions per request",
        fixed(global.load_transactions_per_request, 2),
        fixed(global.store_transactions_per_request, 2),
        &format!("minimum: 1 per active {}", rule.group),
    );
    let (l, s) = pair(load.coalesced_groups, store.coalesced_groups);
    row(&format!("{}s coalesced", rule.group), l, s, rule.coalesced);
    let (l, s) = pair(load.uncoalesced_groups, store.uncoalesced_groups);
    row(&format!("{}s not coalesced", rule.group), l, s, rule.not_coalesced);
    let (l, s) = pair(load.bytes_asked, store.bytes_asked);
    row("bytes requested by lanes", l, s, "");
    let (l, s) = pair(load.bytes_moved, store.bytes_moved);
    row("bytes moved", l, s, "by the transactions");
    row(
        "efficiency, %",
        percent(global.load_efficiency),
        percent(global.store_efficiency),
        "bytes requested per byte moved",
    );
    out += &table.draw();
    let mut facts = Facts::new(details);
    if load.requests > 0 {
        let latency = fixed(global.mean_load_latency, 1);
        facts.add(
            "mean latency of a global load",
            latency,
            "cycles",
            "from issue until all values can be used",
        );
        let note = "the book's CGMA: floating-point operations per 32-bit word that lanes load";
        facts.add("arithmetic intensity", fixed(global.cgma, 2), "", note);
        let note = format!(
            "if every loaded word came from DRAM at {} GB/s; peak of multiply-adds: {}",
            fixed(chip.peak_gbps, 1),
            fixed(chip.peak_gflops, 1)
        );
        facts.add("roofline of the loads", fixed(global.load_roof_gflops, 1), "GFLOP/s", note);
    }
    if global.atomic.requests > 0 {
        let note = "warp instructions with an active lane";
        facts.add("atomics on global memory", count(global.atomic.requests), "requests", note);
        let note = "executed one after the other at the partitions";
        facts.add("transactions of atomics", count(global.atomic.transactions), "", note);
    }
    facts.add("loads of parameters", count(constant.param_requests), "requests", "");
    facts.add("loads of constant memory", count(constant.const_requests), "requests", "");
    constants(constant, terms.sm, &mut facts);
    textures(texture.as_ref(), &mut facts);
    for (name, level) in
        [("the instruction caches", *fetch), ("translation", tlb.first), ("its second level", tlb.second)]
    {
        hit_rate(name, level, &mut facts);
    }
    out += &facts.draw();
    out
}

/// Adds the counters of the constant caches, if there were accesses.
fn constants(constant: &ConstantReport, sm: &str, facts: &mut Facts) {
    let lines = constant.l1.hits + constant.l1.misses;
    if lines == 0 {
        return;
    }
    let note = "one for each different address of a group of lanes, and for each operand";
    facts.add("accesses of the constant caches", count(constant.l1.accesses), "", note);
    let note = format!("{} of {} look-ups hit", count(constant.l1.hits), count(lines));
    facts.add(
        &format!("hit rate of the {sm}s' constant caches"),
        percent(constant.l1.hits as f64 / lines as f64),
        "%",
        &note,
    );
    hit_rate("the clusters' caches", constant.l2, facts);
    hit_rate("the partitions' caches", constant.l3, facts);
    facts.add("lines requested of partitions", count(constant.line_requests), "", "");
}

/// Adds the texture fetches, if the kernel uses textures.
fn textures(texture: Option<&TextureReport>, facts: &mut Facts) {
    let Some(TextureReport { counters, cache_hit_rate, line_requests, l2 }) = texture else { return };
    facts.add(
        "texture fetches",
        count(counters.fetches),
        "requests",
        "warp instructions with an active lane",
    );
    let note =
        format!("{} of {} lines looked up", count(counters.cache_hits), count(counters.cache_requests));
    facts.add("hit rate of the texture caches", percent(*cache_hit_rate), "%", &note);
    facts.add("texture lines requested of partitions", count(*line_requests), "", "");
    hit_rate("the partitions' texture caches", *l2, facts);
}

/// Adds a hit rate, if there were look-ups.
fn hit_rate(place: &str, level: LevelCounters, facts: &mut Facts) {
    let all = level.hits + level.misses;
    if all > 0 {
        let note = format!("{} of {} looked up", count(level.hits), count(all));
        facts.add(&format!("hit rate of {place}"), percent(level.hits as f64 / all as f64), "%", &note);
    }
}

/// Returns the local memory section, if the kernel uses local memory.
pub fn local(local: &LocalReport, details: Details, terms: &Terms) -> String {
    let (load, store) = (&local.load, &local.store);
    if load.requests + store.requests == 0 {
        return String::new();
    }
    let mut table =
        Columns::new(&[Column::Words(30), Column::Numbers(14), Column::Numbers(14), Column::Rest])
            .detailed(details)
            .titles(&[terms.local, "loads", "stores", ""]);
    let mut row = |name: &str, l: u64, s: u64, note: &str| table.row(&[name, &count(l), &count(s), note]);
    row("requests", load.requests, store.requests, "warp instructions with an active lane");
    row("transactions", load.transactions, store.transactions, "after coalescing, word by word");
    row("bytes requested by lanes", load.bytes_asked, store.bytes_asked, "");
    row(
        "bytes moved",
        load.bytes_moved,
        store.bytes_moved,
        &format!("by the transactions: {} is off the chip", terms.local),
    );
    table.row(&[
        "transactions per request",
        &fixed(local.load_transactions_per_request, 2),
        &fixed(local.store_transactions_per_request, 2),
        "",
    ]);
    table.draw()
}

/// Meaning of the coalescing rule's counters.
struct Rule {
    /// Name of the group of lanes that are coalesced together.
    group: &'static str,
    coalesced: &'static str,
    not_coalesced: &'static str,
    /// Description of one access to the DRAM.
    access: &'static str,
}

/// Returns the texts for the chip's rule.
fn rule(chip: &ChipReport) -> Rule {
    let access = "  An access is one transaction.\n";
    match chip.coalescing {
        CoalesceRule::Segments => Rule {
            group: "half-warp",
            coalesced: "words in one segment: one transaction",
            not_coalesced: "a transaction for each segment",
            access,
        },
        CoalesceRule::Own(_) => Rule {
            group: "half-warp",
            coalesced: "words in one segment: one transaction",
            not_coalesced: "several transactions",
            access,
        },
        CoalesceRule::Lines => Rule {
            group: "request",
            coalesced: "words in one line: one transaction",
            not_coalesced: "a transaction for each line",
            access,
        },
        CoalesceRule::Strict => Rule {
            group: "half-warp",
            coalesced: "words in lane order: one transaction",
            not_coalesced: "a 32-byte transaction for each lane",
            access: "  An access is all that one half-warp wants of one chunk of a partition's memory.\n",
        },
    }
}

/// Returns the sections of L1 and L2, if the chip has them.
pub fn caches(timing: &TimingReport, launch: &LaunchReport, details: Details) -> String {
    let (l1, l2) = (&timing.l1, &timing.l2);
    let terms = Terms::of(&launch.files);
    let own = terms.local.trim_end_matches(" memory");
    let mut out = String::new();
    if launch.l1_bytes > 0 {
        let c = &l1.counters;
        out += &heading("L1");
        let kb = |bytes: u32| fixed(f64::from(bytes) / 1024.0, 0);
        let text = format!(
            "  {} KB, with {} KB of {}. A count is a line of 128 bytes of a warp's access.\n",
            kb(launch.l1_bytes),
            kb(launch.sm_shared_bytes),
            terms.shared
        );
        out += &text;
        let mut table = Columns::new(&[
            Column::Words(30),
            Column::Numbers(14),
            Column::Numbers(14),
            Column::Numbers(10),
            Column::Rest,
        ])
        .detailed(details)
        .titles(&["", "hits", "misses", "hits, %", ""]);
        let mut row = |name: &str, hits: u64, misses: u64, note: &str| {
            table.row(&[name, &count(hits), &count(misses), &share(hits, hits + misses), note]);
        };
        row("global loads", c.global_load_hit, c.global_load_miss, "");
        if c.local_load_hit + c.local_load_miss + c.local_store_hit + c.local_store_miss > 0 {
            row(&format!("{own} loads"), c.local_load_hit, c.local_load_miss, "");
            row(&format!("{own} stores"), c.local_store_hit, c.local_store_miss, "");
        }
        out += &table.draw();
        let mut facts = Facts::new(details);
        if c.uncached_global_loads > 0 {
            facts.add(
                "uncached loads",
                count(c.uncached_global_loads),
                "lines",
                "volatile, .cg, or L1 is off",
            );
        }
        if c.local_words_dirtied > 0 {
            let note = format!(
                "of {} made dirty; {} were left at the end",
                count(c.local_words_dirtied),
                count(l1.local_words_left)
            );
            facts.add(
                &format!("{own} words written back"),
                count(c.local_words_written_back),
                "words",
                &note,
            );
        }
        out += &facts.draw();
    }
    let c = &l2.counters;
    if c.read_sector_queries + c.write_sector_queries + c.atomic_sector_queries > 0 {
        out += &heading("L2");
        let mut facts = Facts::new(details);
        facts.add("sectors read", count(c.read_sector_queries), "sectors", "of 32 bytes");
        let note = "hits per sector read";
        facts.add("hits of them", percent(l2.read_hit_rate), "%", note);
        facts.add("sectors written", count(c.write_sector_queries), "sectors", "in whole or in part");
        if c.atomic_sector_queries > 0 {
            let note = format!("{} missed", count(c.atomic_sector_misses));
            facts.add("sectors of atomics", count(c.atomic_sector_queries), "sectors", &note);
        }
        facts.add("read from the DRAM", count(c.read_bytes), "bytes", "");
        let note = "with sectors dirty at the end of the launch";
        facts.add("written to the DRAM", count(c.written_bytes), "bytes", note);
        out += &facts.draw();
    }
    out
}

/// Returns the DRAM section, with rates relative to the peak.
pub fn dram(dram: &DramReport, chip: &ChipReport, details: Details) -> String {
    let mut out = heading("DRAM");
    out += rule(chip).access;
    let mut facts = Facts::new(details);
    facts.add("read over the bus", count(dram.read_bytes), "bytes", "whole bursts");
    facts.add("written over the bus", count(dram.write_bytes), "bytes", "");
    let peak = format!("{} % of the peak of {} GB/s", percent(dram.utilization), fixed(chip.peak_gbps, 1));
    facts.add("bandwidth", rate(dram.gbps), "GB/s", peak);
    if dram.write_back_cycles > 0 {
        let note = "after the end of the launch, counted in the bandwidth";
        facts.add("write-back", count(dram.write_back_cycles), "cycles", note);
    }
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

/// Returns the section of mapped host memory, if the kernel accesses any.
pub fn mapped(mapped: Option<&MappedReport>, details: Details) -> String {
    let Some(mapped) = mapped else { return String::new() };
    let mut out = heading("Mapped host memory");
    let mut facts = Facts::new(details);
    let note = |share: f64| format!("{} % of what the link carries in this time", percent(share));
    facts.add("read over the link", count(mapped.read_bytes), "bytes", note(mapped.read_utilization));
    facts.add("written over the link", count(mapped.write_bytes), "bytes", note(mapped.write_utilization));
    out += &facts.draw();
    out
}

/// Returns the shared memory section.
pub fn shared(shared: &SharedReport, details: Details, terms: &Terms) -> String {
    let memory = terms.shared;
    let mut out = heading(&capital(terms.shared));
    if shared.load.requests + shared.store.requests + shared.atomic.requests == 0 {
        return out + &format!("  The kernel does not use {memory}.\n");
    }
    let mut table =
        Columns::new(&[Column::Words(30), Column::Numbers(14), Column::Numbers(14), Column::Rest])
            .detailed(details)
            .titles(&[memory, "loads", "stores", ""]);
    let (load, store) = (&shared.load, &shared.store);
    table.row(&[
        "requests",
        &count(load.requests),
        &count(store.requests),
        "warp instructions with an active lane",
    ]);
    table.row(&["passes", &count(load.passes), &count(store.passes), "over the banks, one after the other"]);
    let note = "more than the least number: bank conflicts";
    table.row(&["conflict passes", &count(load.conflict_passes), &count(store.conflict_passes), note]);
    table.row(&["bytes requested by lanes", &count(load.bytes_asked), &count(store.bytes_asked), ""]);
    out += &table.draw();
    let mut facts = Facts::new(details);
    if shared.atomic.requests > 0 {
        let note = "warp instructions with an active lane";
        facts.add(&format!("atomics on {memory}"), count(shared.atomic.requests), "requests", note);
        let note = "locking and unlocking, once for each lane of a word";
        facts.add("passes of atomics", count(shared.atomic.passes), "", note);
    }
    let note = "slots lost to conflicts per instruction";
    facts.add("replay overhead", percent(shared.replay_overhead), "%", note);
    out += &facts.draw();
    out
}
