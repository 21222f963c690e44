//! The text of the advice for races.

use super::place;
use crate::check::advice::{Advice, AdviceKind};
use isa::source::Source;

/// The words of a language.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// The barrier of a block.
    pub barrier: &'static str,
    /// An atomic addition.
    atomic: &'static str,
    /// The fence for global memory.
    fence: &'static str,
    /// Word or keyword that makes accesses volatile.
    volatile: &'static str,
}

impl Terms {
    const PTX: Self = Self {
        barrier: "`bar.sync`",
        atomic: "`atom.add` or `red.add`",
        fence: "`membar.gl`",
        volatile: "access VARIABLE with `ld.volatile` and `st.volatile`",
    };
    const CUDA: Self = Self {
        barrier: "`__syncthreads()`",
        atomic: "`atomicAdd`",
        fence: "`__threadfence()`",
        volatile: "declare VARIABLE, and pointers to it, `volatile`",
    };

    /// The words of the language in which the user reads the kernel.
    pub fn of(source: &Source) -> Self {
        if source.files().is_listing() { Self::CUDA } else { Self::PTX }
    }
}

/// Returns the text of an advice.
pub fn remedy(advice: &Advice, source: &Source) -> String {
    let Terms { barrier, atomic, fence, volatile } = Terms::of(source);
    let closes = |line: u32| source.line(line).starts_with('}');
    let of_barrier = || place::text(advice, barrier, source.files(), closes);
    match advice.kind {
        AdviceKind::Atomic => format!(
            "use an atomic ({atomic}), or give each thread its own word and add the words later. A barrier does \
             not help"
        ),
        AdviceKind::Volatile => {
            let variable =
                advice.variable.as_ref().map_or_else(|| "the memory".to_owned(), |name| format!("`{name}`"));
            let change = volatile.replace("VARIABLE", &variable);
            format!(
                "{change}: otherwise a compiler may keep values in registers. Or let a {barrier} that all threads \
                 of the block execute order the accesses"
            )
        }
        AdviceKind::OnePath => {
            "let one of the lanes access the word, or move one of the accesses behind the point where the paths \
             join again"
                .to_owned()
        }
        AdviceKind::NextLaunch => format!(
            "move the later access into another launch: no barrier orders blocks. Or execute {fence} after the \
             first access, then an atomic or a volatile store, whose value the other block reads before the later \
             access"
        ),
        AdviceKind::OneWriter => {
            "let one thread write the word, or use an atomic if every thread contributes to it".to_owned()
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
