//! Alignments of parts of objects.

use super::expr::{Place, PlaceKind};
use super::types::Types;

impl Types {
    /// Alignment of a place in bytes: less than the one of its type in a packed class.
    pub fn place_align(&self, place: &Place) -> u64 {
        match &place.kind {
            PlaceKind::Field(of, index) => {
                let field = self.as_struct(of.ty).and_then(|layout| layout.fields.get(*index as usize));
                part_align(self.place_align(of), field.map_or(0, |field| field.offset))
            }
            PlaceKind::Index(of, _) => part_align(self.place_align(of), self.size(place.ty)),
            PlaceKind::Bits(unit, ..) => self.place_align(unit),
            PlaceKind::Local(_) | PlaceKind::Global(_) | PlaceKind::Deref(_) => self.align(place.ty),
        }
    }
}

/// Alignment of a part, some bytes behind the start of an object with an alignment.
pub fn part_align(align: u64, bytes: u64) -> u64 {
    if bytes == 0 { align } else { align.min(1 << bytes.trailing_zeros()) }
}
