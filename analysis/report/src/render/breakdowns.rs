//! The two exact breakdowns: of the issue slots, and of the warps' time. Their sums are computed
//! and compared with the totals.

use super::Details;
use super::number::{count, plural, share};
use super::table::{Column, Columns, heading, line};
use isa::terms::Terms;
use sim_core::stats::SlotBreakdown;
use sim_core::stats::report::{SlotReport, WarpReport};

const COLUMNS: [Column; 4] = [Column::Words(30), Column::Numbers(14), Column::Numbers(6), Column::Rest];

/// Returns the issue slot breakdown.
pub fn slots(report: &SlotReport, details: Details, terms: &Terms) -> String {
    let mut out = heading("Issue slot breakdown");
    let (period, schedulers, ports) = (report.issue_period, report.schedulers, report.ports);
    line(
        &mut out,
        "  A slot is a scheduler's chance to issue one instruction through one port in one issue cycle.",
    );
    let (schedulers, ports) = (plural(schedulers.into(), "scheduler"), plural(ports.into(), "port"));
    let sizes = format!("{schedulers} per {}, {ports} each", terms.sm);
    line(&mut out, format!("  Here: {sizes}, {period} shader cycles per issue cycle."));
    line(&mut out, "  An empty slot is charged to the state of the warp closest to issuing.");
    let mut table = Columns::new(&COLUMNS).detailed(details).titles(&["", "slots", "%", ""]);
    let mut sum = 0;
    let mut row = |name: &str, slots: u64, note: &str| {
        sum += slots;
        table.row(&[name, &count(slots), &share(slots, report.total), note]);
    };
    let SlotBreakdown {
        issued,
        paired: _,
        held,
        replay_bank_conflict,
        replay_constant,
        shut_by_other,
        as_first_port,
        not_pairable,
        no_warp,
        empty,
    } = report.outcomes;
    row("issued", issued, "a warp instruction went to an execution unit");
    row("held", held, "later slots of multi-slot instructions");
    row(
        "replayed: bank conflict",
        replay_bank_conflict,
        if terms.is_opencl() {
            "again, for the remaining passes of an access to local memory"
        } else {
            "again, for the remaining passes of a shared access"
        },
    );
    row("replayed: constants", replay_constant, "again, for further addresses of constant memory");
    for (state, slots) in empty.occurring() {
        row(&format!("empty: {}", state.label()), slots, "");
    }
    row("blocked by another scheduler", shut_by_other, "its instruction took the cores of both");
    if report.ports == 2 {
        row("port 2: as port 1", as_first_port, "nothing new issued through the first port");
        row("port 2: not pairable", not_pairable, "no instruction could pair with port 1");
    }
    row("empty: no warp", no_warp, "no resident warp: start, end or imbalance");
    let verdict = if sum == report.total { "equals all slots" } else { "DIFFERS from all slots" };
    table.row(&[
        "sum",
        &count(sum),
        &share(sum, report.total),
        &format!("{verdict}: {}", count(report.total)),
    ]);
    out += &table.draw();
    out
}

/// Returns the warp state breakdown.
pub fn warps(report: &WarpReport, terms: &Terms) -> String {
    let mut out = heading("Warp state breakdown");
    out += &terms.fill("  In issue cycles of warps, from a {block}'s launch to the release of its slots.\n");
    let mut table = Columns::new(&COLUMNS).titles(&["", "warp cycles", "%", ""]);
    let mut sum = 0;
    for (state, cycles) in report.states.occurring() {
        sum += cycles;
        table.row(&[
            state.label(),
            &count(cycles),
            &share(cycles, report.resident),
            &state.explanation(terms),
        ]);
    }
    let verdict = if sum == report.resident { "equals" } else { "DIFFERS from" };
    let note = format!("{verdict} resident warp cycles: {}", count(report.resident));
    table.row(&["sum", &count(sum), &share(sum, report.resident), &note]);
    out += &table.draw();
    out
}
