//! Results of runs: values by name.

use crate::racecheck;
use crate::residents::{blocks_in_words, limits_in_words};
use crate::text::Value;
use crate::tools;
use crate::why::Used;
use isa::terms::Terms;
use kernels::RunError;
use report::metrics::{self, Reports};
use sim_core::check::{Check, HazardKind, Pair, Severity};
use sim_core::config::Chip;
use sim_core::occupancy::{Limiter, Occupancy};
use sim_core::stats::Report;
use sim_core::stats::build::chip_report;
use std::collections::BTreeMap;

/// The result of a run.
#[derive(Default)]
pub struct Ran {
    values: BTreeMap<String, Value>,
    /// Reports of the launches.
    pub reports: Option<Reports>,
    /// How the launch used the chip.
    pub used: Option<Used>,
    /// Variable of a curve.
    pub over: String,
    /// Points of a curve.
    pub points: Vec<(f64, Self)>,
}

impl Ran {
    /// Returns the value of this name: of the run, a metric, or a path into its report; of a curve,
    /// the list of the points' numbers, or their texts separated by commas; after `last.` the value
    /// of its last point, after `each.` the texts, of points that have one, separated by
    /// semicolons.
    pub fn get(&self, name: &str) -> Option<Value> {
        if let (Some((_, last)), Some(name)) = (self.points.last(), name.strip_prefix("last.")) {
            return last.get(name);
        }
        if !self.points.is_empty() {
            let texts = |name: &str| -> Option<Vec<String>> {
                let text = |(_, point): &(f64, Self)| match point.get(name) {
                    Some(Value::Text(text)) => Some(text),
                    _ => None,
                };
                self.points.iter().map(text).collect()
            };
            if let Some(name) = name.strip_prefix("each.") {
                let mut texts = texts(name)?;
                texts.retain(|text| !text.is_empty());
                return Some(Value::Text(texts.join("; ")));
            }
            if let Some(texts) = texts(name) {
                return Some(Value::Text(texts.join(", ")));
            }
            let number = |(_, point): &(f64, Self)| match point.get(name) {
                Some(Value::One(number)) => Some(number),
                _ => None,
            };
            return self.points.iter().map(number).collect::<Option<Vec<_>>>().map(Value::List);
        }
        if let Some(value) = self.values.get(name) {
            return Some(value.clone());
        }
        let reports = self.reports.as_ref()?;
        let metric = metrics::ALL.iter().find(|metric| metric.name == name);
        let number = metric.map_or_else(|| reports.at(name), |metric| reports.value(metric));
        number?.as_f64().map(Value::One)
    }

    /// Adds a value.
    pub fn set(&mut self, name: &str, value: Value) {
        self.values.insert(name.to_owned(), value);
    }

    /// Adds a number.
    pub fn number(&mut self, name: &str, value: impl Into<f64>) {
        self.set(name, Value::One(value.into()));
    }

    /// Adds a text.
    pub fn text(&mut self, name: &str, text: impl Into<String>) {
        self.set(name, Value::Text(text.into()));
    }

    /// The result of a launch.
    pub fn of(chip: &Chip, report: &Report) -> Self {
        let mut ran = Self { reports: Some(Reports::new(std::slice::from_ref(report))), ..Self::default() };
        ran.board(chip);
        let sms = report.timing.iter().flat_map(|timing| &timing.sms);
        ran.number("active_issue_cycles", sms.map(|sm| sm.active_issue_cycles).sum::<u64>() as f64);
        ran.number("grid.blocks", report.launch.grid.count() as f64);
        ran.number("block.threads", report.launch.block.count() as f64);
        let used = Used::of(report);
        ran.text("dram", used.shares.dram_in_words());
        ran.number("dram_share", used.shares.dram);
        ran.used = Some(used);
        ran
    }

    /// Adds facts of the chip.
    pub fn board(&mut self, chip: &Chip) {
        let sms = tools::sms(chip);
        let facts = chip_report(chip);
        let constant = chip.sm.const_cache.as_ref().map(|cache| cache.shape);
        let l1 = chip.sm.l1.as_ref();
        let double = chip.sm.units.iter().find(|unit| unit.name == "dp");
        for (name, value) in [
            ("sms", f64::from(sms)),
            ("cores", f64::from(tools::cores(chip) * sms)),
            ("sm.threads", chip.sm.max_threads.into()),
            ("sm.warps", chip.sm.max_warps.into()),
            ("sm.blocks", chip.sm.max_blocks.into()),
            ("sm.registers", chip.sm.registers.into()),
            ("sm.shared", chip.sm.shared_bytes.into()),
            ("threads_per_block", chip.limits.threads_per_block.into()),
            ("memory_khz", chip.clocks.memory_khz as f64),
            ("shader_mhz", chip.clocks.shader_khz as f64 / 1000.0),
            ("atomic_cycles", chip.partition.atomic_cycles.into()),
            ("reply_header_cycles", chip.partition.reply_header_cycles.into()),
            ("round_bytes", (chip.partitions * chip.partition.chunk_bytes).into()),
            ("l1.misses", l1.map_or(0, |l1| l1.misses).into()),
            ("l1.merges", l1.map_or(0, |l1| l1.merges).into()),
            ("lsu.queue", chip.sm.lsu.queue.into()),
            ("copy_engines", chip.pcie.copy_engines.into()),
            ("copy_ns", chip.pcie.latency_ns as f64),
            ("launch_ns", chip.pcie.launch_ns as f64),
            ("link_gbps", chip.pcie.bytes_per_second as f64 / 1e9),
            ("peak_gbps", facts.peak_gbps),
            ("peak_gflops", facts.peak_gflops),
            ("major", chip.capability.major.into()),
            ("cc", f64::from(10 * chip.capability.major + chip.capability.minor) / 10.0),
            ("constant.ways", constant.map_or(0.0, |cache| cache.ways.into())),
            ("constant.lines", constant.map_or(0.0, |cache| (cache.bytes / cache.line_bytes).into())),
            ("double_lanes", double.map_or(0, |unit| unit.lanes).into()),
        ] {
            self.number(name, value);
        }
        self.text("capability", chip.capability.to_string());
    }

    /// Adds what the race checker found in a launch: the numbers of `races`, of `warp_synchronous`
    /// pairs and of all `hazards`, how many races are `named`, the texts of the first `race` and of
    /// all races (`race_list`), and whether the first one is a `raw` hazard. A named race has this
    /// hazard, lines with these beginnings, and this variable. The first race has its `offset` in
    /// the variable and the warps of both accesses. Pairs `within` a warp that are no mistakes have
    /// the text of the first one, the number of pairs with `volatile` accesses, and the `offsets`
    /// of the addresses of their reads in words, in descending order.
    pub fn races(&mut self, report: &Report, named: &[String]) -> Result<(), RunError> {
        let checks = report.checks.as_ref().filter(|checks| checks.on.contains(&Check::Race));
        let checks = checks.ok_or_else(|| RunError::Wrong("the race checker did not run".to_owned()))?;
        let errors = racecheck::of(&checks.findings, Severity::Error);
        let is_named = |pair: &&&Pair| {
            let [hazard, first, second, variable] = named else { return false };
            let lines = pair.first.source.starts_with(first) && pair.second.source.starts_with(second);
            let of = pair.memory.offset().is_some_and(|(name, _)| name == variable);
            pair.hazard.to_string() == *hazard && lines && of
        };
        self.number("races", errors.len() as f64);
        self.number("warp_synchronous", racecheck::of(&checks.findings, Severity::Warning).len() as f64);
        self.number("hazards", checks.findings.len() as f64);
        self.number("named", errors.iter().filter(is_named).count() as f64);
        let raw = errors.first().is_some_and(|pair| pair.hazard == HazardKind::Raw);
        self.number("raw", f64::from(raw));
        self.text("race", racecheck::list(&errors[..errors.len().min(1)]));
        if let Some(first) = errors.first() {
            self.number("offset", first.memory.offset().map_or(f64::NAN, |(_, offset)| offset as f64));
            self.number("first_warp", first.first.warp);
            self.number("second_warp", first.second.warp);
        }
        let within = racecheck::of(&checks.findings, Severity::Info);
        let is_volatile = |pair: &&&Pair| {
            [&pair.first, &pair.second].iter().all(|thread| thread.source.contains(".volatile."))
        };
        let offset = |pair: &&Pair| {
            let (_, behind) = pair.second.source.split_once('+')?;
            Some(behind.split_once(']')?.0.parse::<f64>().ok()? / 4.0)
        };
        let reads = within.iter().filter(|pair| pair.hazard == HazardKind::Raw);
        let mut offsets: Vec<f64> = reads.map(|pair| offset(pair).unwrap_or(0.0)).collect();
        offsets.sort_by(|a, b| b.total_cmp(a));
        self.number("within", within.len() as f64);
        self.text("within_race", racecheck::list(&within[..within.len().min(1)]));
        self.number("volatile", within.iter().filter(is_volatile).count() as f64);
        self.set("offsets", Value::List(offsets));
        self.text("race_list", racecheck::list(&errors));
        Ok(())
    }

    /// Adds the occupancy of a launch on an SM with `slots` warp slots. The text `share` is the
    /// occupancy in percent, or `refused`; `short` is the reason if it is below 100.
    pub fn occupancy(&mut self, found: &Occupancy, slots: u32) {
        let Occupancy { needs, limits, limiters, .. } = found;
        let percent = (found.occupancy * 100.0).round();
        let names = limiters.iter().map(|limiter| limiter.name(&Terms::CUDA)).collect::<Vec<_>>();
        let (share, short) = match found.refusals.first() {
            Some(refusal) => ("refused".to_owned(), refusal.to_string()),
            None if percent >= 100.0 => (percent.to_string(), String::new()),
            None => {
                let (blocks, warps) = (blocks_in_words(found.blocks), found.warps);
                let by = names.join(" and ");
                (percent.to_string(), format!("{blocks}, which is {warps} of {slots} warps, limited by {by}"))
            }
        };
        self.text("share", share);
        let threads = needs.threads;
        self.text("short", if short.is_empty() { short } else { format!("{threads} threads: {short}") });
        for (name, value) in [
            ("blocks", f64::from(found.blocks)),
            ("threads", found.threads.into()),
            ("warps", found.warps.into()),
            ("percent", percent),
            ("block.threads", needs.threads.into()),
            ("block.registers", needs.registers.into()),
            ("block.shared", needs.shared_bytes.into()),
            ("block.warps", found.warps_per_block.into()),
            ("block.registers_allocated", found.registers_per_block as f64),
            ("block.shared_allocated", found.shared_per_block as f64),
            ("by.threads", limits.warps.into()),
            ("by.registers", limits.registers.into()),
            ("by.shared", limits.shared.into()),
            ("by.slots", limits.block_slots.into()),
            ("limiters", limiters.len() as f64),
            ("limited.threads", f64::from(limiters.contains(&Limiter::Warps))),
            ("limited.registers", f64::from(limiters.contains(&Limiter::Registers))),
            ("limited.shared", f64::from(limiters.contains(&Limiter::Shared))),
            ("limited.slots", f64::from(limiters.contains(&Limiter::BlockSlots))),
        ] {
            self.number(name, value);
        }
        self.text("limits", limits_in_words(found));
        self.text("limiter", names.join(", "));
    }
}
