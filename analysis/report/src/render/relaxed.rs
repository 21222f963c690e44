//! Warnings about accesses and barriers that the strict rules forbid.

use super::number::count;
use sim_core::stats::Report;
use sim_core::stats::relaxed::RelaxedLine;
use std::collections::BTreeMap;

/// Maximum number of source lines in a warning.
const LINES: usize = 5;

/// Returns the warnings about all launches of a run, one for each kind.
pub fn warnings(reports: &[Report]) -> Vec<String> {
    type Count = fn(&RelaxedLine) -> u64;
    let kinds: [(Count, _, _); 3] = [
        (
            |line| line.past_reads,
            ("read outside of every allocation", "reads outside of every allocation"),
            "the values are undefined on a GPU (zero here, unless a kernel wrote there)",
        ),
        (
            |line| line.past_writes,
            ("write outside of every allocation", "writes outside of every allocation"),
            "on a GPU they can overwrite other data",
        ),
        (
            |line| line.divergent_barriers,
            (
                "warp at a barrier with only some of its threads",
                "warps at a barrier with only some of their threads",
            ),
            "the programming model leaves this undefined",
        ),
    ];
    kinds.into_iter().filter_map(|(of, names, why)| warning(reports, of, names, why)).collect()
}

fn warning(
    reports: &[Report],
    of: impl Fn(&RelaxedLine) -> u64,
    (one, many): (&str, &str),
    why: &str,
) -> Option<String> {
    let mut lines: BTreeMap<(u32, String), u64> = BTreeMap::new();
    for report in reports {
        for line in report.relaxed.iter().flat_map(|relaxed| &relaxed.lines) {
            let place = report.launch.files.place(line.line).to_string();
            *lines.entry((line.line, place)).or_default() += of(line);
        }
    }
    lines.retain(|_, times| *times > 0);
    let total: u64 = lines.values().sum();
    let mut places: Vec<&str> = lines.keys().take(LINES).map(|(_, place)| place.as_str()).collect();
    if lines.len() > LINES {
        places.push("…");
    }
    let s = if lines.len() == 1 { "" } else { "s" };
    if total == 0 {
        return None;
    }
    let what = if total == 1 { one } else { many };
    Some(format!("{} {what}, line{s} {}: {why}", count(total), places.join(", ")))
}
