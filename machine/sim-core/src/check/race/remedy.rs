//! The text of the advice for races.

use super::place;
use crate::check::advice::{Advice, AdviceKind};
use isa::source::Source;
use isa::terms::Terms;

/// Returns the text of an advice.
pub fn remedy(advice: &Advice, source: &Source) -> String {
    let terms = Terms::of(source.files());
    let Terms { thread, block, barrier, atomic, fence, volatile, .. } = terms;
    let closes = |line: u32| source.line(line).starts_with('}');
    let of_barrier = || place::text(advice, terms, source.files(), closes);
    match advice.kind {
        AdviceKind::Atomic => format!(
            "use an atomic ({atomic}), or give each {thread} its own word and add the words later. A barrier does \
             not help"
        ),
        AdviceKind::Volatile => {
            let variable =
                advice.variable.as_ref().map_or_else(|| "the memory".to_owned(), |name| format!("`{name}`"));
            let change = volatile.replace("VARIABLE", &variable);
            format!(
                "{change}: otherwise a compiler may keep values in registers. Or let a {barrier} that all {thread}s \
                 of the {block} execute order the accesses"
            )
        }
        AdviceKind::OnePath => {
            "let one of the lanes access the word, or move one of the accesses behind the point where the paths \
             join again"
                .to_owned()
        }
        AdviceKind::NextLaunch => format!(
            "move the later access into another launch: no barrier orders {block}s. Or execute {fence} after the \
             first access, then an atomic or a volatile store, whose value the other {block} reads before the later \
             access"
        ),
        AdviceKind::OneWriter => {
            format!("let one {thread} write the word, or use an atomic if every {thread} contributes to it")
        }
        AdviceKind::Barrier
        | AdviceKind::LoopBarrier
        | AdviceKind::SplitIf
        | AdviceKind::SplitReturn
        | AdviceKind::EqualTrips
        | AdviceKind::SplitStatement
        | AdviceKind::BarrierBetween => of_barrier().unwrap_or_default(),
    }
}
