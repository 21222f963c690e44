//! Reads a chip file: the texts of the chip and of its bases, the `--set` arguments, all fields,
//! and the rules over several values.
//!
//! If a value cannot be read, a complaint is recorded and the least value of its range is used, so
//! that all other values are read and checked. [`super::check`] skips the rules over values that
//! could not be read.

use super::base::{Layers, Texts};
use super::read::Reader;
use super::schema::Record;
use super::source::Complaints;
use super::{Chip, check, codes, set};
use isa::diag::Diagnostic;

/// Reads and checks a chip; see [`Chip::from_texts`].
pub(super) fn read(texts: &Texts, sets: &[(String, String)]) -> Result<(Chip, Complaints), Complaints> {
    let Layers { mut sources, mut root, partial, mut diagnostics, .. } = texts.read()?;
    diagnostics.extend(set::apply(&mut root, sets, &mut sources));
    let reader = Reader::default();
    let chip = Chip::read(reader.fields(&root, ""));
    let (complaints, places) = reader.finish();
    diagnostics.extend(complaints);
    if partial {
        // The missing base would have given these fields.
        diagnostics.retain(|d| ![codes::MISSING_FIELD, codes::UNKNOWN_PATH].contains(&d.code));
    }
    diagnostics.extend(chip.iter().flat_map(|chip| check::check(chip, &places)));
    let bad = diagnostics.iter().any(Diagnostic::is_error);
    let complaints = Complaints::new(diagnostics, sources);
    match chip {
        Some(chip) if !bad => Ok((chip, complaints)),
        _ => Err(complaints),
    }
}
