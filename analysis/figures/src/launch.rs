//! Bars of the report of a launch: states of warps, divergence, resident blocks, and the load of
//! SMs, partitions and DRAM.

use crate::bars::{Bar, Bars, COLUMN};
use crate::palette::{color, hatch, state};
use crate::scene::Scene;
use report::render::number::{count, fixed, percent, plural};
use report::render::text::squeeze;
use report::terms::Terms;
use sim_core::occupancy::{Limiter, Occupancy};
use sim_core::stats::ByState;
use sim_core::stats::report::{ControlReport, DramReport, SmReport};

/// Largest number of lines with divergent branches.
const MOST_LINES: usize = 12;

/// Returns the time of all warps by state; `resident` is the sum of all resident warps' issue
/// cycles.
pub fn states(resident: u64, states: &ByState) -> Scene {
    let bar = |(one, cycles)| {
        let share = cycles as f64 / resident.max(1) as f64;
        Bar { paint: state(one), ..Bar::new(one.label(), share, format!("{} %", percent(share))) }
    };
    Bars::new("Time of all warps by state", states.occurring().map(bar).collect()).scene()
}

/// Returns the divergent branches by source line.
pub fn divergence(control: &ControlReport) -> Scene {
    let lines = &control.divergent_lines;
    let active = control.warp_execution_efficiency;
    let mut notes = vec![format!(
        "Lanes active in an instruction, on average: {} % ({} of 32)",
        percent(active),
        fixed(32.0 * active, 1)
    )];
    if lines.is_empty() {
        notes.push("No branch diverges.".to_owned());
    } else if lines.len() > MOST_LINES {
        notes.push(format!("The first {MOST_LINES} of {} lines", lines.len()));
    }
    let bars = lines.iter().take(MOST_LINES).map(|row| {
        let share = row.divergent as f64 / row.executed.max(1) as f64;
        let text = format!("{} of {} diverge", count(row.divergent), count(row.executed));
        Bar::new(format!("{}: {}", row.line, squeeze(&row.source)), share, text)
    });
    Bars { notes, ..Bars::new("Divergent branches by source line", bars.collect()) }.scene()
}

/// Returns the number of blocks of an SM that each resource allows, in the words of the kernel.
pub fn residency(occupancy: &Occupancy, terms: &Terms) -> Scene {
    let Terms { block, an_sm, .. } = terms;
    let limits = &occupancy.limits;
    let mut rows = vec![
        (Limiter::Warps, limits.warps),
        (Limiter::BlockSlots, limits.block_slots),
        (Limiter::Registers, limits.registers),
        (Limiter::Shared, limits.shared),
    ];
    rows.extend(limits.barriers.map(|blocks| (Limiter::Barriers, blocks)));
    // A resource that a block does not use allows any number.
    let most = rows.iter().map(|row| row.1).filter(|blocks| *blocks < 1 << 16).max().unwrap_or(1).max(1);
    let bars = rows.into_iter().map(|(resource, blocks)| {
        let limits = occupancy.limiters.contains(&resource);
        let text =
            if blocks > most { format!("any number of {block}s") } else { plural(blocks.into(), block) };
        let text = if limits { format!("{text}: the limit") } else { text };
        let paint = (color(limits.into()), hatch(usize::from(limits)));
        Bar { paint, ..Bar::new(resource.name(terms), f64::from(blocks.min(most)), text) }
    });
    let notes = vec![format!(
        "{} of {}: occupancy {} %",
        plural(occupancy.blocks.into(), block),
        plural(occupancy.warps_per_block.into(), "warp"),
        percent(occupancy.occupancy)
    )];
    let title = format!("Resident {block}s of {an_sm} allowed by each resource");
    Bars { notes, ..Bars::new(title, bars.collect()) }.scene()
}

/// Returns the warp instructions of each SM.
pub fn sms(sms: &[SmReport], Terms { block, sm: name, .. }: &Terms) -> Scene {
    let bars = sms.iter().map(|sm| {
        let text = format!("{} ({})", count(sm.instructions), plural(sm.blocks, block));
        Bar::new(format!("{name} {}", sm.sm), sm.instructions as f64, text)
    });
    Bars { width: COLUMN, ..Bars::new(format!("Warp instructions by {name}"), bars.collect()) }.scene()
}

/// Returns the DRAM bytes of each memory partition.
pub fn partitions(dram: &DramReport) -> Scene {
    let bars = dram.partition_bytes.iter().enumerate().map(|(i, bytes)| Bar {
        paint: (color(4), None),
        ..Bar::new(format!("partition {i}"), *bytes as f64, format!("{} bytes", count(*bytes)))
    });
    Bars { width: COLUMN, ..Bars::new("DRAM bytes by memory partition", bars.collect()) }.scene()
}

/// Returns the DRAM accesses by state of the row buffer.
pub fn rows(dram: &DramReport) -> Scene {
    let all = dram.row_hits + dram.row_misses + dram.row_conflicts;
    let rows = [("hit", dram.row_hits), ("miss", dram.row_misses), ("conflict", dram.row_conflicts)];
    let bars = rows.map(|(name, accesses)| {
        let share = accesses as f64 / all.max(1) as f64;
        let text = format!("{} ({} %)", count(accesses), percent(share));
        Bar { paint: (color(6), None), ..Bar::new(name, share, text) }
    });
    let notes = ["hit: the row is open; miss: no row is open;", "conflict: another row is closed first"];
    let title = "DRAM accesses by state of the row buffer";
    let notes = notes.map(str::to_owned).to_vec();
    Bars { width: COLUMN, notes, ..Bars::new(title, bars.to_vec()) }.scene()
}
