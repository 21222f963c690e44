//! How a launch ended, in words: at a divergent barrier, or with warps that wait for ever.

use sim_core::stats::Report;
use sim_core::stats::report::Verdict;
use sim_core::stats::stuck::{Doing, StuckClass};

/// Describes a launch that ended at a divergent barrier or in a hang at barriers; other ends have
/// the name of the verdict. `warps` are the warps that must be at the divergent barrier.
pub fn in_words(report: &Report, warps: &[u32]) -> String {
    match &report.verdict {
        Verdict::Trapped { .. } => stopped(report, warps),
        Verdict::Hung { .. } => hanging(report),
        other => format!("{other:?}"),
    }
}

/// Line and lanes of a divergent barrier, and of the other lanes.
fn stopped(report: &Report, warps: &[u32]) -> String {
    let Verdict::Trapped { trap } = &report.verdict else { return String::new() };
    let Some(divergent) = &trap.divergent else { return trap.message.clone() };
    let number =
        |barrier: Option<u32>| barrier.map_or("in a register".to_owned(), |number| number.to_string());
    let elsewhere = divergent.elsewhere.iter().map(|other| {
        let ahead = other.ahead.iter().map(|(n, line)| format!("{} at line {line}", number(*n)));
        let ahead = ahead.collect::<Vec<_>>().join(", ");
        format!("lanes {:#010x} at line {}, ahead of barrier {ahead}", other.lanes, other.line)
    });
    let right = divergent.warps == warps && warps.contains(&trap.warp);
    format!(
        "barrier {} at line {}: lanes {:#010x}; {}{}",
        divergent.barrier,
        trap.line,
        trap.lanes,
        elsewhere.collect::<Vec<_>>().join("; "),
        if right { "" } else { "; wrong warps" },
    )
}

/// The class of a hang, and for each warp the lines at which its lanes wait.
fn hanging(report: &Report) -> String {
    let Verdict::Hung { stuck, .. } = &report.verdict else { return String::new() };
    if stuck.class != StuckClass::Barrier {
        return format!("{:?}", stuck.class);
    }
    let warps = stuck.warps.iter().map(|warp| {
        let barrier = match warp.doing {
            Doing::Barrier { barrier } => barrier.to_string(),
            _ => "none".to_owned(),
        };
        let others = warp.others.iter();
        let others =
            others.map(|o| format!(" ({:#010x} at line {}, arrived: {})", o.lanes, o.line, o.arrived));
        let others = others.collect::<String>();
        format!("warp {} {:#010x} at barrier {barrier}, line {}{others}", warp.warp, warp.lanes, warp.line)
    });
    let barriers: Vec<String> = stuck.barriers.iter().map(|b| b.barrier.to_string()).collect();
    format!("{}; barriers {}", warps.collect::<Vec<_>>().join("; "), barriers.join(", "))
}
