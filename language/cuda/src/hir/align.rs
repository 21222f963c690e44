//! Alignments of parts of objects.

use super::expr::{Place, PlaceKind};
use super::types::{TypeId, Types};

impl Types {
    /// Alignment in bytes of a place with objects of a type: less than the one of the type in a
    /// packed class.
    pub fn place_align(&self, place: &PlaceKind, ty: TypeId) -> u64 {
        let of_place = |place: &Place| self.place_align(&place.kind, place.ty);
        match place {
            PlaceKind::Field(of, index) => {
                let field = self.as_struct(of.ty).and_then(|layout| layout.fields.get(*index as usize));
                part_align(of_place(of), field.map_or(0, |field| field.offset))
            }
            PlaceKind::Index(of, _) => part_align(of_place(of), self.size(ty)),
            PlaceKind::Bits(unit, ..) => of_place(unit),
            PlaceKind::Local(_) | PlaceKind::Global(_) | PlaceKind::Deref(_) => self.align(ty),
        }
    }

    /// Whether a place is a part of a member to which the attribute `packed` applies.
    pub fn is_in_packed(&self, place: &PlaceKind) -> bool {
        match place {
            PlaceKind::Field(of, index) => {
                let field = self.as_struct(of.ty).and_then(|layout| layout.fields.get(*index as usize));
                field.is_some_and(|field| field.is_packed) || self.is_in_packed(&of.kind)
            }
            PlaceKind::Index(of, _) => self.is_in_packed(&of.kind),
            PlaceKind::Bits(unit, ..) => self.is_in_packed(&unit.kind),
            PlaceKind::Local(_) | PlaceKind::Global(_) | PlaceKind::Deref(_) => false,
        }
    }
}

/// Alignment of a part, some bytes behind the start of an object with an alignment.
pub fn part_align(align: u64, bytes: u64) -> u64 {
    if bytes == 0 { align } else { align.min(1 << bytes.trailing_zeros()) }
}
