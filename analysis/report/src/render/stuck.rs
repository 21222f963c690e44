//! The state of a launch that did not end, as text: barriers with the warps that reached them and
//! the missing warps, then the state of every warp.

use super::number::{count, plural};
use super::table::{Column, Columns, line};
use isa::source::Files;
use isa::terms::Terms;
use isa::types::Dim3;
use sim_core::stats::stuck::{
    BarrierStuck, Doing, LanesWait, NotStarted, RoundReport, StuckReport, WarpStuck,
};

/// Maximum number of rows, of barriers and of warps.
const SHOWN: usize = 40;

/// Returns the explanation, without its head line and hint. `unit` is the unit of `since`.
pub fn explain(stuck: &StuckReport, unit: &str, files: &Files) -> String {
    let mut out = String::new();
    for barrier in stuck.barriers.iter().take(SHOWN) {
        line(&mut out, format!("  {}", sentence(barrier, files)));
    }
    if stuck.barriers.len() > SHOWN {
        line(&mut out, format!("  and {}", plural((stuck.barriers.len() - SHOWN) as u64, "more barrier")));
    }
    if let Some(waiting) = &stuck.not_started {
        line(&mut out, format!("  {}", not_started(waiting, Terms::of(files))));
    }
    if !stuck.warps.is_empty() || !stuck.queues.is_empty() {
        out += &table(stuck, unit, files);
    }
    out.trim_end().to_owned()
}

/// Returns a sentence about the blocks that have not started, and the blocks for which they wait.
fn not_started(waiting: &NotStarted, terms: &Terms) -> String {
    let block = terms.block;
    let NotStarted { kernel, first, blocks, holders } = waiting;
    let (have, they, one) = match blocks {
        1 => ("has", "it waits", format!("{block} {first}")),
        _ => ("have", "they wait", format!("from {block} {first} on")),
    };
    let holders: Vec<String> = holders.iter().map(Dim3::to_string).collect();
    let who = match holders.len() {
        0 => format!("a {block} of a concurrent kernel"),
        1 => format!("{block} {}", holders[0]),
        _ => format!("one of the resident {block}s {}", list(&holders)),
    };
    let of = kernel.as_ref().map_or(String::new(), |kernel| format!(" of kernel {kernel}"));
    format!("{}{of} {have} not started ({one}): {they} for the end of {who}", plural(*blocks, block))
}

/// Returns a sentence about the warps that have reached a barrier and the warps that have not.
fn sentence(barrier: &BarrierStuck, files: &Files) -> String {
    let terms = Terms::of(files);
    let here: Vec<String> = barrier
        .arrived
        .iter()
        .map(|a| {
            let lanes = if a.lanes == u32::MAX { String::new() } else { format!(" with {}", mask(a.lanes)) };
            format!("warp {}{lanes} (line {})", a.warp, files.described(a.line))
        })
        .collect();
    let missing: Vec<String> = barrier
        .missing
        .iter()
        .map(|m| {
            let place = match &m.doing {
                Doing::Barrier { barrier } => {
                    format!("at barrier {barrier}, line {}", files.described(m.line))
                }
                Doing::Repeats(round) => {
                    format!("in the loop of {}", lines(round.first_line, round.last_line, files))
                }
                Doing::Runs { within: Some((first, last)) } => {
                    format!("in the loop of {}", lines(*first, *last, files))
                }
                _ => format!("at line {}", files.described(m.line)),
            };
            format!("warp {} ({place})", m.warp)
        })
        .collect();
    if let Some((wanted, came)) = barrier.counted {
        return format!(
            "{} {}, barrier {} for {}: reached {came} of {wanted} times; waiting: {}; elsewhere: {}",
            terms.block,
            barrier.block,
            barrier.barrier,
            plural(32 * u64::from(wanted), terms.thread),
            list(&here),
            if missing.is_empty() { "none".to_owned() } else { list(&missing) }
        );
    }
    let missing = if missing.is_empty() { "none".to_owned() } else { list(&missing) };
    let mut text = format!(
        "{} {}, barrier {}: reached by {}; missing: {missing}",
        terms.block,
        barrier.block,
        barrier.barrier,
        list(&here)
    );
    if !barrier.exited.is_empty() {
        text.extend(["; ", &plural(barrier.exited.len() as u64, "warp"), " exited and not required"]);
    }
    text
}

/// Maximum number of items in a list.
const ITEMS: usize = 8;

fn list(items: &[String]) -> String {
    let mut text = items.iter().take(ITEMS).cloned().collect::<Vec<_>>().join(", ");
    if items.len() > ITEMS {
        text.extend([" and ", &(items.len() - ITEMS).to_string(), " more"]);
    }
    text
}

fn mask(lanes: u32) -> String {
    format!("{} ({lanes:#010x})", plural(lanes.count_ones().into(), "lane"))
}

fn lines(first: u32, last: u32, files: &Files) -> String {
    let (first, last) = (files.described(first), files.described(last));
    if first == last { format!("line {first}") } else { format!("lines {first} to {last}") }
}

/// Returns the table of warps and queues; consecutive warps in the same state have one row.
fn table(stuck: &StuckReport, unit: &str, files: &Files) -> String {
    let columns = [Column::Words(34), Column::Numbers(5), Column::Rest];
    let mut table = Columns::new(&columns).titles(&["warp or unit", "line", "state"]);
    let mut groups: Vec<(&WarpStuck, String, u64)> = Vec::new();
    for warp in &stuck.warps {
        let what = doing(warp, files);
        match groups.last_mut() {
            Some((first, same, n)) if first.line == warp.line && *same == what => *n += 1,
            _ => groups.push((warp, what, 1)),
        }
    }
    let hidden: u64 = groups.iter().skip(SHOWN).map(|g| g.2).sum();
    for (warp, what, n) in groups.into_iter().take(SHOWN) {
        let since = match (&warp.doing, warp.others.is_empty()) {
            (Doing::Repeats(_) | Doing::Runs { .. }, false) => {
                format!(", since {unit} {}", count(warp.since))
            }
            _ => String::new(),
        };
        let (what, others) = what.split_once('\n').unwrap_or((&what, ""));
        let terms = Terms::of(files);
        let who = format!("{}{} {}, warp {}", place(warp, terms), terms.block, warp.block, warp.warp);
        table.row(&[&who, &files.place(warp.line).to_string(), &format!("{what}{since}")]);
        for other in others.lines() {
            table.row(&["", "", other]);
        }
        if n > 1 {
            let next = if n == 2 { "warp".to_owned() } else { format!("{} warps", n - 1) };
            table.row(&["", "", &format!("the next {next}: same state")]);
        }
    }
    let mut out = String::new();
    if hidden > 0 {
        table.row(&[&format!("and {}", plural(hidden, "more warp")), "", ""]);
    }
    for queue in &stuck.queues {
        table.row(&[&queue.who, "", &queue.what]);
    }
    out += &table.draw();
    out
}

fn place(warp: &WarpStuck, terms: &Terms) -> String {
    match (warp.sm, warp.slot) {
        (Some(sm), Some(slot)) => format!("{} {sm} slot {slot}: ", terms.sm),
        _ => String::new(),
    }
}

/// Returns the state of a warp, with one line for each waiting group of lanes.
fn doing(warp: &WarpStuck, files: &Files) -> String {
    let mut text = match &warp.doing {
        Doing::Barrier { barrier } => format!("waits at barrier {barrier}"),
        Doing::Fence => "waits for its memory fence".to_owned(),
        Doing::Memory { lines } => {
            let lines: Vec<String> = lines.iter().map(|line| files.described(*line).to_string()).collect();
            format!("waits for its loads of line {}", list(&lines))
        }
        Doing::Repeats(round) => repeats(round, files),
        Doing::Runs { within: Some((first, last)) } => {
            format!("runs in the loop of {}", lines(*first, *last, files))
        }
        Doing::Runs { within: None } => "runs".to_owned(),
        Doing::Exited => format!("has exited; its {} is not retired", Terms::of(files).block),
    };
    if !warp.others.is_empty() {
        let live = plural(warp.live.count_ones().into(), "live lane");
        text.extend([", with ", &warp.lanes.count_ones().to_string(), " of its ", &live]);
    }
    for other in &warp.others {
        text.extend(["\n", &waits(other, files)]);
    }
    text
}

fn repeats(round: &RoundReport, files: &Files) -> String {
    let RoundReport { first_line, last_line, instructions, reads } = round;
    let reads: Vec<String> =
        reads.iter().map(|(space, at)| format!("{} {at:#x}", Terms::of(files).space(*space))).collect();
    let reads = if reads.is_empty() { String::new() } else { format!(", reads {}", reads.join(", ")) };
    let each = plural(*instructions, "instruction");
    format!("repeats {} forever: {each} per iteration{reads}", lines(*first_line, *last_line, files))
}

fn waits(other: &LanesWait, files: &Files) -> String {
    let lanes = mask(other.lanes);
    let verb = if other.lanes.is_power_of_two() { "waits" } else { "wait" };
    match (other.arrived, files.described(other.line)) {
        (true, line) => format!("{lanes} {verb} at line {line} for the other lanes to reconverge"),
        (false, line) => format!("{lanes} {verb} at line {line} to run after this side"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isa::types::StateSpace;
    use sim_core::stats::stuck::{Arrived, Missing, QueueStuck, StuckClass};

    fn warp(number: u32, doing: Doing) -> WarpStuck {
        WarpStuck {
            sm: Some(0),
            slot: Some(number),
            block: Dim3::new(0, 0, 0),
            warp: number,
            lanes: u32::MAX,
            live: u32::MAX,
            line: 9,
            since: 1234,
            doing,
            others: vec![],
        }
    }

    fn stuck(warps: Vec<WarpStuck>, barriers: Vec<BarrierStuck>) -> StuckReport {
        let class = StuckClass::Barrier;
        StuckReport { class, hint: String::new(), warps, barriers, queues: vec![], not_started: None }
    }

    #[test]
    fn warps_in_the_same_state_have_one_row_and_long_tables_are_cut() {
        let all = (0..45).map(|i| warp(i, Doing::Barrier { barrier: 0 })).collect();
        let text = explain(&stuck(all, vec![]), "cycle", &Files::default());
        assert_eq!(text.matches("waits at barrier 0").count(), 1);
        assert!(text.ends_with("the next 44 warps: same state"), "{text}");
        let all = (0..45).map(|i| warp(i, Doing::Barrier { barrier: i })).collect();
        let text = explain(&stuck(all, vec![]), "cycle", &Files::default());
        assert_eq!(text.matches("waits at barrier").count(), SHOWN);
        assert!(text.ends_with("and 5 more warps"), "{text}");
    }

    #[test]
    fn waiting_lanes_are_listed_with_their_line() {
        let round = RoundReport {
            first_line: 12,
            last_line: 18,
            instructions: 5,
            reads: vec![(StateSpace::Shared, 16)],
        };
        let others = vec![
            LanesWait { lanes: 2, line: 20, arrived: true },
            LanesWait { lanes: 12, line: 22, arrived: false },
        ];
        let spins = WarpStuck { lanes: 0xffff_fff1, others, ..warp(0, Doing::Repeats(round)) };
        let text = explain(&stuck(vec![spins], vec![]), "cycle", &Files::default())
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        for part in [
            "SM 0 slot 0: block (0,0,0), warp 0 9 repeats lines 12 to 18 forever: 5 instructions per iteration, reads \
             .shared 0x10, with 29 of its 32 live lanes, since cycle 1,234",
            "1 lane (0x00000002) waits at line 20 for the other lanes to reconverge",
            "2 lanes (0x0000000c) wait at line 22 to run after this side",
        ] {
            assert!(text.contains(part), "{part} is missing in\n{text}");
        }
    }

    #[test]
    fn a_barrier_lists_arrived_and_missing_warps() {
        let barrier = BarrierStuck {
            block: Dim3::new(1, 0, 0),
            barrier: 0,
            counted: None,
            arrived: vec![Arrived { warp: 0, lanes: 0xffff, line: 7 }],
            missing: vec![
                Missing { warp: 1, line: 9, doing: Doing::Barrier { barrier: 1 } },
                Missing { warp: 2, line: 11, doing: Doing::Runs { within: Some((11, 12)) } },
            ],
            exited: vec![3],
        };
        let mut report = stuck(vec![], vec![barrier]);
        assert_eq!(
            explain(&report, "cycle", &Files::default()),
            "  block (1,0,0), barrier 0: reached by warp 0 with 16 lanes (0x0000ffff) (line 7); missing: warp 1 (at \
             barrier 1, line 9), warp 2 (in the loop of lines 11 to 12); 1 warp exited and not required"
        );
        report.barriers[0].counted = Some((3, 2));
        assert_eq!(
            explain(&report, "cycle", &Files::default()),
            "  block (1,0,0), barrier 0 for 96 threads: reached 2 of 3 times; waiting: warp 0 with 16 lanes \
             (0x0000ffff) (line 7); elsewhere: warp 1 (at barrier 1, line 9), warp 2 (in the loop of lines 11 to 12)"
        );
        report.queues = vec![QueueStuck { who: "partition 0".into(), what: "1 load unanswered".into() }];
        assert!(explain(&report, "cycle", &Files::default()).contains("1 load unanswered"));
    }
}
