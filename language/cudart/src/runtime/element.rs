//! Elements of a buffer, as ranges of its bytes that nothing has written.
//!
//! Bytes between the members of a structure are no part of an element: nothing has to write them.

use isa::variables::{Type, TypeId, Variables};
use std::ops::Range;

/// Largest element whose padding is known.
const MOST_BYTES: u64 = 1 << 12;

/// An element of a buffer: for each of its bytes, whether it belongs to a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element(Vec<bool>);

impl Element {
    /// A byte, of a buffer whose type is not known.
    pub fn byte() -> Self {
        Self(vec![true])
    }

    /// The element to which a pointer of a type points, or of an array.
    pub fn behind(types: &Variables, pointer: TypeId) -> Option<Self> {
        let (Type::Pointer(to, _) | Type::Array(to, _)) = types.get(pointer) else { return None };
        let bytes = types.bytes(*to);
        if *types.get(*to) == Type::Void || bytes == 0 || bytes > MOST_BYTES {
            return None;
        }
        let mut used = vec![false; bytes as usize];
        mark(types, *to, &mut used);
        used.contains(&true).then_some(Self(used))
    }

    /// Bytes of the element.
    pub fn bytes(&self) -> u64 {
        self.0.len() as u64
    }

    /// Whether nothing has written a byte of a member, if nothing has written the bytes `range` of
    /// the element.
    fn misses(&self, range: Range<u64>) -> bool {
        self.0[range.start as usize..range.end as usize].contains(&true)
    }

    /// Returns the elements that miss a byte, in a buffer that begins at `start` and of which
    /// nothing has written the ranges `missing` of addresses.
    pub fn missing(&self, start: u64, missing: &[Range<u64>]) -> Vec<Range<u64>> {
        let size = self.bytes();
        let mut all: Vec<Range<u64>> = Vec::new();
        let mut add = |range: Range<u64>| match all.last_mut().filter(|last| range.start <= last.end) {
            Some(last) => last.end = last.end.max(range.end),
            None => all.push(range),
        };
        for range in missing {
            let (from, to) = (range.start - start, range.end - start);
            // Of the elements that the range contains in part, the first and the last one.
            let (whole, end) = (from.div_ceil(size), to / size);
            if from % size != 0 && self.misses(from % size..size.min(to - from / size * size)) {
                add(from / size..from / size + 1);
            }
            if whole < end {
                add(whole..end);
            }
            if to % size != 0 && whole <= end && self.misses(0..to % size) {
                add(end..end + 1);
            }
        }
        all
    }
}

/// Marks the bytes of a value that belong to a member.
fn mark(types: &Variables, ty: TypeId, used: &mut [bool]) {
    match types.get(ty) {
        Type::Array(element, number) => {
            let bytes = types.bytes(*element) as usize;
            for at in 0..*number as usize {
                if let Some(part) = used.get_mut(at * bytes..(at + 1) * bytes) {
                    mark(types, *element, part);
                }
            }
        }
        Type::Struct(fields, _) => {
            for field in fields {
                let (mut first, mut bytes) = (field.offset, types.bytes(field.ty));
                if let Some((low, number)) = field.bits {
                    let end = (u64::from(low) + u64::from(number)).div_ceil(8);
                    first += u64::from(low / 8);
                    bytes = end - u64::from(low / 8);
                }
                let Some(part) = used.get_mut(first as usize..(first + bytes) as usize) else { continue };
                if field.bits.is_some() { part.fill(true) } else { mark(types, field.ty, part) }
            }
        }
        Type::Void | Type::Bool | Type::Scalar(_) | Type::Pointer(..) => used.fill(true),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isa::types::ScalarType;
    use isa::variables::Field;

    #[test]
    fn elements_miss_bytes_of_members_only() {
        let field = |ty, offset| Field { name: String::new(), ty, offset, bits: None };
        let bits = |low, number| Field { bits: Some((low, number)), ..field(1, 4) };
        let types = Variables {
            types: vec![
                Type::Scalar(ScalarType::S8),
                Type::Scalar(ScalarType::U32),
                Type::Struct(vec![field(0, 0), bits(0, 3), bits(8, 9), field(3, 8)], 20),
                Type::Array(1, 2),
                Type::Pointer(2, 8),
                Type::Void,
                Type::Pointer(5, 8),
            ],
            ..Variables::default()
        };
        let element = Element::behind(&types, 4).expect("a structure");
        let text: String = element.0.iter().map(|used| if *used { 'x' } else { '-' }).collect();
        assert_eq!(text, "x---xxx-xxxxxxxx----");
        assert_eq!(Element::behind(&types, 6), None, "a pointer to void");
        let of = |element: &Element, ranges: &[(u64, u64)]| {
            let ranges: Vec<Range<u64>> = ranges.iter().map(|(start, end)| *start..*end).collect();
            let found = element.missing(100, &ranges);
            found.into_iter().map(|range| (range.start, range.end)).collect::<Vec<_>>()
        };
        let missing = |ranges: &[(u64, u64)]| of(&element, ranges);
        assert_eq!(missing(&[(101, 104), (107, 108), (116, 120)]), []);
        assert_eq!(missing(&[(116, 121)]), [(1, 2)]);
        assert_eq!(missing(&[(115, 120)]), [(0, 1)]);
        assert_eq!(missing(&[(101, 140), (141, 180), (199, 300)]), [(0, 4), (5, 10)]);
        assert_eq!(missing(&[(105, 107), (114, 115)]), [(0, 1)]);
        assert_eq!(of(&Element::byte(), &[(101, 104), (104, 105), (110, 111)]), [(1, 5), (10, 11)]);
    }
}
