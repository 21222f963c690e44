//! Advice for hazards.

use super::hazard::Hazard;
use crate::check::kind::{HazardKind, Kind, MissingOrder, Severity};

/// Returns advice for a hazard; `None` if it is not a mistake.
pub fn remedy(hazard: &Hazard) -> Option<&'static str> {
    let same_line = hazard.first.line == hazard.second.line;
    Some(match (hazard.finding(), hazard.between, hazard.kind()) {
        (Kind::LostUpdate, ..) => {
            "use an atomic (`atom.add` or `red.add`), or give each thread its own word and add the words \
             later. A barrier does not help"
        }
        (Kind::WarpSynchronous, ..) => {
            "add a `bar.sync` between the accesses, if the kernel is to run on other hardware"
        }
        _ if hazard.severity() != Severity::Error => return None,
        (_, MissingOrder::Paths, _) => {
            "let one of the lanes access the word, or move one of the accesses behind the branch"
        }
        (_, MissingOrder::Blocks, HazardKind::Waw) => "let one block write the word, or use an atomic",
        (_, MissingOrder::Blocks, HazardKind::Raw | HazardKind::War) => {
            "move the later access into another launch: no barrier orders blocks. Or execute `membar.gl` \
             after the first access, then an atomic or a volatile store, whose value the other block reads \
             before the later access"
        }
        (.., HazardKind::Waw) if same_line => {
            "let one thread write the word, or use an atomic if every thread contributes to it"
        }
        (.., HazardKind::Waw) => "add a `bar.sync` between the two writes",
        (.., HazardKind::Raw) => "add a `bar.sync` after the write and before the read",
        (.., HazardKind::War) => "add a `bar.sync` after the read and before the write",
    })
}
