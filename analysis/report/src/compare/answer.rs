//! The answer of a comparison: which run is faster and why, in two sentences.

use super::cause::Cause;
use super::difference::{Comparison, Of};
use super::outcome::{Parts, SlotOutcome, Times};
use crate::render::number::{count, fixed};
use isa::terms::Terms;
use sim_core::stats::WarpState;

/// Maximum number of parts of the difference that the answer names.
const MOST: usize = 3;
/// Minimum size of a further part, relative to the largest one.
const LEAST: f64 = 0.1;
/// Maximum number of characters quoted from a source line.
const QUOTED: usize = 40;

impl Comparison {
    /// Returns the number of decimals of microseconds that shows at least three digits of the
    /// difference, or of the largest part if the difference is 0.
    pub fn decimals(&self) -> usize {
        let part = self.outcomes.first().map_or(0.0, |(_, part)| part.difference());
        let difference = self.times.difference();
        decimals(if difference == 0.0 { part } else { difference })
    }

    /// Returns the answer: which run is faster and why, in two sentences.
    pub fn answer(&self) -> [String; 2] {
        [verdict(self.times, self.decimals()), reason(self)]
    }
}

/// Returns the number of decimals that shows at least three digits of a difference in microseconds;
/// at least one decimal.
pub fn decimals(difference: f64) -> usize {
    let difference = difference.abs();
    if difference == 0.0 { 2 } else { (2.0 - difference.log10().floor()).clamp(1.0, 6.0) as usize }
}

/// Returns the sentence that states which run is faster.
pub fn verdict(times: Times, decimals: usize) -> String {
    let Times { a, b } = times;
    let us = |value: f64| fixed(value, decimals);
    if times.difference() == 0.0 {
        return format!("A and B take the same time: {} us.", us(a));
    }
    let (less, factor) = if b < a { ("less", a / b) } else { ("more", b / a) };
    let instead = format!("{} us instead of {} us", us(b), us(a));
    let by = us(times.difference().abs());
    if factor < 1.005 {
        let percent = times.difference().abs() / a * 100.0;
        let percent = if percent < 0.01 { "less than 0.01".to_owned() } else { fixed(percent, 2) };
        return format!("B takes {by} us ({percent} %) {less} than A: {instead}.");
    }
    if b < a {
        format!("B is {} times as fast as A: it takes {by} us less ({instead}).", fixed(factor, 2))
    } else {
        format!("B is slower than A by a factor of {}: it takes {by} us more ({instead}).", fixed(factor, 2))
    }
}

/// Returns the cause of the difference, if a metric explains it, and its largest parts by issue
/// slot outcome.
pub fn reason(comparison: &Comparison) -> String {
    let cause = comparison.cause.map_or_else(String::new, |Cause { moved, phrase }| {
        let value =
            |value: f64| if value.fract() == 0.0 { fixed(value, 0) } else { fixed(value, decimals(value)) };
        let (a, b) = (value(moved.a), value(moved.b));
        format!("Main cause: {phrase}, {a} → {b} ({}). ", moved.change_text())
    });
    cause + &parts(comparison)
}

/// Returns the sentence with the largest parts of the difference by issue slot outcome.
fn parts(comparison: &Comparison) -> String {
    let times = comparison.times;
    let parts = named(&comparison.outcomes);
    if parts.is_empty() {
        return "No issue slot outcome takes a different time.".to_owned();
    }
    let net = times.difference();
    let places = comparison.decimals();
    let part = |(outcome, part): &(SlotOutcome, Times)| {
        let difference = part.difference();
        let less = if difference < 0.0 { "less" } else { "more" };
        // A part with the sign of the whole is a share of it.
        let share = match difference / net {
            share if share.is_finite() && share > 0.0 && share <= 10.0 => {
                format!(" ({} %)", fixed(share * 100.0, 0))
            }
            _ => String::new(),
        };
        let (by, phrase) = (fixed(difference.abs(), places), outcome.phrase());
        let detail = detail(comparison, *outcome);
        format!("{by} us{share} {less} in {phrase}{detail}")
    };
    let list: Vec<String> = parts.iter().map(part).collect();
    let (head, list) = match (list.as_slice(), net == 0.0) {
        ([only], false) => ("By issue slots, the difference is mainly", only.clone()),
        (list, false) => ("By issue slots, the largest parts of the difference are", joined(list)),
        (list, true) => ("By issue slots, parts differ and cancel out:", joined(list)),
    };
    format!("{head} {list}.")
}

/// Returns the parts that the answer names, largest first. Slots without a warp come last: SMs
/// without a block depend on the time of the other SMs.
fn named(parts: &Parts) -> Parts {
    let size = |times: &Times| times.difference().abs();
    let largest = parts.first().map_or(0.0, |(_, times)| size(times));
    let large = |(_, times): &&(SlotOutcome, Times)| size(times) > 0.0 && size(times) >= LEAST * largest;
    let mut named: Parts = parts.iter().filter(large).take(MOST).copied().collect();
    named.sort_by_key(|(outcome, _)| *outcome == SlotOutcome::NoWarp);
    named
}

/// Returns details of an outcome: the instruction count, or the line with most of the difference.
fn detail(comparison: &Comparison, outcome: SlotOutcome) -> String {
    let (a, b) = (comparison.a.report.instructions(), comparison.b.report.instructions());
    match outcome {
        SlotOutcome::Issued if a == b => format!(" ({} warp instructions in both)", count(a)),
        SlotOutcome::Issued => format!(" ({} warp instructions instead of {})", count(b), count(a)),
        SlotOutcome::NoWarp => busy_sms(comparison),
        SlotOutcome::Empty(WarpState::Exited)
        | SlotOutcome::ShutByOther
        | SlotOutcome::AsFirstPort
        | SlotOutcome::NotPairable => String::new(),
        SlotOutcome::Held
        | SlotOutcome::ReplayBankConflict
        | SlotOutcome::ReplayConstant
        | SlotOutcome::Empty(_) => comparison.main_line(outcome).map_or_else(String::new, |row| {
            let of = match row.of {
                Of::Both => "",
                Of::A => " of A",
                Of::B => " of B",
            };
            format!(" (most at line {}{of}, `{}`)", row.line, cut(&row.source, QUOTED))
        }),
    }
}

/// Returns the number of SMs that had blocks, if some had none.
fn busy_sms(comparison: &Comparison) -> String {
    let (Some(a), Some(b)) = (comparison.a.report.busy_sms(), comparison.b.report.busy_sms()) else {
        return String::new();
    };
    let Terms { block, sm, .. } = comparison.terms();
    let of = |(busy, all): (usize, usize)| format!("{busy} of {all} {sm}s");
    match (a, b) {
        ((busy_a, all_a), (busy_b, all_b)) if busy_a == all_a && busy_b == all_b => String::new(),
        _ if a == b => format!(" ({} have {block}s in both)", of(a)),
        _ => format!(" ({} have {block}s instead of {})", of(b), of(a)),
    }
}

/// Joins a list: `a, b and c`.
fn joined(list: &[String]) -> String {
    match list {
        [] => String::new(),
        [only] => only.clone(),
        [all @ .., last] => format!("{} and {last}", all.join(", ")),
    }
}

/// Returns the first characters of a text.
pub fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_verdict_is_true_for_a_faster_an_equal_and_a_slower_run() {
        for (a, b, text) in [
            (30.0, 10.0, "B is 3.00 times as fast as A: it takes 20.0 us less (10.0 us instead of 30.0 us)."),
            (
                10.0,
                30.0,
                "B is slower than A by a factor of 3.00: it takes 20.0 us more (30.0 us instead of 10.0 us).",
            ),
            (10.0, 10.0, "A and B take the same time: 10.00 us."),
            (10.0, 10.02, "B takes 0.0200 us (0.20 %) more than A: 10.0200 us instead of 10.0000 us."),
            (
                1e5,
                99_999.0,
                "B takes 1.00 us (less than 0.01 %) less than A: 99,999.00 us instead of 100,000.00 us.",
            ),
        ] {
            assert_eq!(verdict(Times { a, b }, decimals(b - a)), text);
        }
    }
}
