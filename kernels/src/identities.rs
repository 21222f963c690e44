//! Identities between the numbers of any report of a finished run: those of the issue slot
//! breakdown and of the warp state breakdown.
//!
//! Invariant `identities-at-any-end`: The identities between the numbers of a report hold for any
//! end of a launch: a hang ends with the last change of any component, so that the breakdowns end
//! where the counters end.

use sim_core::stats::{Report, WarpState};

/// Checks every identity.
///
/// A functional report has no breakdowns: only its instruction counts are checked.
///
/// # Errors
/// The first identity that does not hold, with both of its sides.
pub fn check(report: &Report) -> Result<(), String> {
    let by_class = report.instructions.by_class.total();
    equal("instructions by class", by_class, report.instructions.warp)?;
    let Some(timing) = &report.timing else { return Ok(()) };

    let slots = &timing.slots;
    let by = &slots.outcomes;
    let empty = by.empty.total();
    let used = by.issued + by.held + by.replay_bank_conflict + by.replay_constant;
    let of_second = by.as_first_port + by.not_pairable;
    let ports = u64::from(slots.schedulers * slots.ports * report.chip.sms);
    let outcomes = used + by.shut_by_other + of_second + by.no_warp + empty;
    equal("slots by outcome", outcomes, slots.total)?;
    equal("schedulers x ports x issue cycles", ports * slots.issue_cycles, slots.total)?;
    equal("issued slots, warp instructions", by.issued, report.instructions.warp)?;
    if slots.schedulers == 1 {
        // All warps belong to this scheduler: while a block is resident no slot lacks a warp.
        let active: u64 = timing.sms.iter().map(|sm| sm.active_issue_cycles).sum();
        if slots.ports == 1 {
            equal("slots with a warp, active cycles", used + empty, active)?;
        }
    }
    for (state, n) in by.empty.occurring() {
        if matches!(state, WarpState::Issuing | WarpState::NotSelected) {
            return Err(format!("{n} slots are empty while a warp is `{}`", state.label()));
        }
    }

    if let Some(sm) = timing.sms.iter().find(|sm| sm.active_issue_cycles > slots.issue_cycles) {
        let (active, all) = (sm.active_issue_cycles, slots.issue_cycles);
        return Err(format!("SM {} has a block for {active} issue cycles of {all}", sm.sm));
    }

    let warps = &timing.warps;
    let states = warps.states.total();
    let of_sms: u64 = timing.sms.iter().map(|sm| sm.resident_warp_cycles).sum();
    let issued_by_sms: u64 = timing.sms.iter().map(|sm| sm.instructions).sum();
    let issuing = warps.states[WarpState::Issuing];
    equal("warp cycles by state", states, warps.resident)?;
    equal("warp cycles by SM", of_sms, warps.resident)?;
    equal("instructions by SM", issued_by_sms, report.instructions.warp)?;
    // Two instructions of a warp may issue together.
    if (issuing..=issuing + by.paired).contains(&used) {
        return Ok(());
    }
    equal("cycles of issuing warps, slots used less those of its second instruction", issuing, used)
}

fn equal(what: &str, left: u64, right: u64) -> Result<(), String> {
    if left == right { Ok(()) } else { Err(format!("{what}: {left} against {right}")) }
}
