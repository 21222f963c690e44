//! Advice for hazards.

use super::hazard::{Hazard, HazardKind, MissingOrder, Severity};

/// Returns advice for a hazard; `None` if it is not a race.
pub fn remedy(hazard: &Hazard) -> Option<&'static str> {
    let same_line = hazard.first.line == hazard.second.line;
    advice(hazard.kind(), hazard.severity(), hazard.between, hazard.lost_update, same_line)
}

/// Same as [`remedy`], for the properties of a hazard. `same_line` means that both accesses are at
/// one source line.
pub fn advice(
    kind: HazardKind,
    severity: Severity,
    between: MissingOrder,
    lost_update: bool,
    same_line: bool,
) -> Option<&'static str> {
    if lost_update {
        return Some(
            "use an atomic (`atom.add` or `red.add`), or give each thread its own word and add the\n\
             words later. A barrier does not help",
        );
    }
    match severity {
        Severity::Race => {}
        Severity::WarpSynchronous | Severity::SameValue | Severity::AtomicOrder => return None,
    }
    Some(match (between, kind) {
        (MissingOrder::Paths, _) => {
            "let one of the lanes access the word, or move one of the accesses behind the branch"
        }
        (MissingOrder::Blocks, HazardKind::Waw) => "let one block write the word, or use an atomic",
        (MissingOrder::Blocks, HazardKind::Raw | HazardKind::War) => {
            "move the later access into another launch: no barrier orders blocks. Or execute\n\
             `membar.gl` after the first access, then an atomic or a volatile store, whose value the\n\
             other block reads before the later access"
        }
        (_, HazardKind::Waw) if same_line => {
            "let one thread write the word, or use an atomic if every thread contributes to it"
        }
        (_, HazardKind::Waw) => "add a `bar.sync` between the two writes",
        (_, HazardKind::Raw) => "add a `bar.sync` after the write and before the read",
        (_, HazardKind::War) => "add a `bar.sync` after the read and before the write",
    })
}
