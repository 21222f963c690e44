//! Text of the panes: short names of states and reasons, masks of lanes, ranges of warps, and texts
//! cut to a width.

use report::inspect::label;
pub use report::inspect::lanes as mask;
use report::render::number::count;
use report::text::visible;
use report::words::Words;
use sim_core::host::Mode;
use sim_core::observe::Why;
use sim_core::stats::WarpState;

/// Returns a short name of a state.
pub fn short(state: WarpState, mode: Mode) -> &'static str {
    match (state, mode) {
        (WarpState::NotSelected, Mode::Functional) => label(state, mode),
        _ => state.row().short,
    }
}

/// Returns what a warp waits for and until which shader cycle, in a few words; empty if the state
/// needs no reason.
pub fn brief(words: &Words, why: &Why) -> String {
    match why {
        Why::Issued(_) | Why::LeftEmpty | Why::QueueFull | Why::Trapped => String::new(),
        Why::Taken { by } => format!("warp {by} issues"),
        Why::Unit { free, .. } => format!("until {}", count(*free)),
        Why::Fetch { until: Some(until), .. } | Why::Barrier { until: Some(until), .. } => {
            format!("until {}", count(*until))
        }
        Why::Register { producer, ready } => {
            let line = producer.map_or(String::new(), |origin| format!("line {} ", words.place(origin.pc)));
            match ready {
                Some(ready) => format!("{line}until {}", count(*ready)),
                None => format!("{line}pending"),
            }
        }
        Why::Fetch { until: None, .. } => "missing code".to_owned(),
        Why::Barrier { arrived, live, .. } => format!("{arrived} of {live} warps"),
        Why::Fence { answers, queued } => format!("{} replies", answers + queued),
        Why::Exited { live, .. } => format!("{live} warps run"),
    }
}

/// Returns ascending numbers as ranges: `0-3,7`.
pub fn ranges(numbers: impl IntoIterator<Item = u32>) -> String {
    let mut all: Vec<(u32, u32)> = Vec::new();
    for number in numbers {
        match all.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            Some(_) | None => all.push((number, number)),
        }
    }
    let one = |(first, last): &(u32, u32)| {
        if first == last { first.to_string() } else { format!("{first}-{last}") }
    };
    all.iter().map(one).collect::<Vec<_>>().join(",")
}

/// Returns the numbers of a mask.
pub fn bits(mask: u32) -> impl Iterator<Item = u32> {
    (0..32).filter(move |bit| mask >> bit & 1 == 1)
}

/// Returns a text of one line without control characters, cut to `width` characters; `…` marks the
/// cut.
pub fn fit(text: &str, width: usize) -> String {
    let text = text.replace('\t', "    ");
    let text = visible(&text);
    if text.chars().count() <= width {
        return text.into_owned();
    }
    let mut cut: String = text.chars().take(width.saturating_sub(1)).collect();
    if width > 0 {
        cut.push('…');
    }
    cut
}

/// Returns `left` and `right` at both ends of a line of `width` characters. `left` is cut if there
/// is not enough space.
pub fn spread(left: &str, right: &str, width: usize) -> String {
    let right = fit(right, width);
    let free = width - right.chars().count();
    let left = fit(left, free.saturating_sub(usize::from(!right.is_empty())));
    format!("{left}{}{right}", " ".repeat(free - left.chars().count()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_joined_to_ranges() {
        assert_eq!(ranges([0, 1, 2, 5, 7, 8]), "0-2,5,7-8");
        assert_eq!(ranges([]), "");
    }

    #[test]
    fn texts_are_cut_to_their_width() {
        assert_eq!(fit("abcdef", 6), "abcdef");
        assert_eq!(fit("abcdef", 4), "abc…");
        assert_eq!(fit("a\tb", 9), "a    b");
        assert_eq!(fit("abc", 0), "");
        assert_eq!(spread("left", "right", 12), "left   right");
        assert_eq!(spread("longer left", "right", 12), "longe… right");
        assert_eq!(spread("a", "longer", 3), "lo…");
    }
}
