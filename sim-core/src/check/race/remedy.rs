//! Advice for hazards.

use super::hazard::Hazard;
use crate::check::kind::{HazardKind, Kind, MissingOrder, Severity};
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
}

impl Terms {
    const PTX: Self = Self { barrier: "`bar.sync`", atomic: "`atom.add` or `red.add`", fence: "`membar.gl`" };
    const CUDA: Self =
        Self { barrier: "`__syncthreads()`", atomic: "`atomicAdd`", fence: "`__threadfence()`" };

    /// The words of the language in which the user reads the kernel.
    pub fn of(source: &Source) -> Self {
        if source.files().is_listing() { Self::CUDA } else { Self::PTX }
    }
}

/// Returns advice for a hazard; `None` if it is not a mistake.
pub fn remedy(hazard: &Hazard, Terms { barrier, atomic, fence }: Terms) -> Option<String> {
    let same_line = hazard.first.line == hazard.second.line;
    Some(match (hazard.finding(), hazard.between, hazard.kind()) {
        (Kind::LostUpdate, ..) => {
            format!(
                "use an atomic ({atomic}), or give each thread its own word and add the words later. A barrier \
                 does not help"
            )
        }
        (Kind::WarpSynchronous, ..) => {
            format!("add a {barrier} between the accesses, if the kernel is to run on other hardware")
        }
        _ if hazard.severity() != Severity::Error => return None,
        (_, MissingOrder::Paths, _) => {
            "let one of the lanes access the word, or move one of the accesses behind the branch".to_owned()
        }
        (_, MissingOrder::Blocks, HazardKind::Waw) => {
            "let one block write the word, or use an atomic".to_owned()
        }
        (_, MissingOrder::Blocks, HazardKind::Raw | HazardKind::War) => {
            format!(
                "move the later access into another launch: no barrier orders blocks. Or execute {fence} after \
                 the first access, then an atomic or a volatile store, whose value the other block reads before \
                 the later access"
            )
        }
        (.., HazardKind::Waw) if same_line => {
            "let one thread write the word, or use an atomic if every thread contributes to it".to_owned()
        }
        (.., HazardKind::Waw) => format!("add a {barrier} between the two writes"),
        (.., HazardKind::Raw | HazardKind::War) if same_line => {
            format!("separate the read and the write: read into a register, add a {barrier}, then write")
        }
        (.., HazardKind::Raw) => format!("add a {barrier} after the write and before the read"),
        (.., HazardKind::War) => format!("add a {barrier} after the read and before the write"),
    })
}
