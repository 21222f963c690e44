//! Paths of an expression: members, indices and pointers, which lead from a variable to a part.

use super::{At, BUILT_IN, Lanes, Place, Sight, Space, moved};
use isa::sreg::SReg;
use isa::types::ScalarType;
use isa::variables::{Field, Local, Type, Variables};
use sim_core::debug::Poll;

impl<'a> Sight<'a, '_> {
    /// Follows members and indices.
    pub(super) fn follow(
        &self,
        mut place: Place<'a>,
        path: &str,
        poll: Poll<'_>,
    ) -> Result<Place<'a>, String> {
        let mut rest = path.trim();
        while !rest.is_empty() {
            let arrow = rest.strip_prefix("->");
            if let Some(member) = arrow.or_else(|| rest.strip_prefix('.')) {
                if arrow.is_some() {
                    let name = place.name.clone();
                    place = self.element(&place, &[Some(0); 32], poll)?;
                    place.name = name;
                }
                let end = member.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(member.len());
                let (name, after) = member.split_at(end);
                let sign = if arrow.is_some() { "->" } else { "." };
                place = self.member(&place, name, sign)?;
                rest = after.trim_start();
            } else if rest.starts_with('[') {
                let end = matching(rest).ok_or_else(|| format!("`{rest}` has no closing bracket"))?;
                let index = rest[1..end].trim();
                let lanes = self.index(index, poll)?;
                let name = format!("{}[{index}]", place.name);
                place = self.element(&place, &lanes, poll)?;
                place.name = name;
                rest = rest[end + 1..].trim_start();
            } else {
                return Err(format!(
                    "`{rest}` is not understood; known are `.member`, `->member` and `[index]`"
                ));
            }
        }
        Ok(place)
    }

    /// The value of an index in each lane: a number, a variable, or `threadIdx.x` and its like.
    fn index(&self, text: &str, poll: Poll<'_>) -> Result<Lanes, String> {
        if let Ok(number) = text.parse::<u32>() {
            return Ok([Some(number.into()); 32]);
        }
        if let Some(register) = special(text) {
            let values = self.session.special(self.warp.sm, self.warp.slot, register);
            return Ok(values
                .ok_or_else(|| format!("`{text}` has no value"))?
                .map(|value| Some(value.into())));
        }
        let all = self.evaluate(text, None, poll);
        let all = all.ok_or_else(|| format!("`{text}` is no number and no variable of this line"))??;
        match &all[..] {
            [one] => Ok(one.lanes.map(|bits| bits.map(|bits| signed(one.reading.ty, bits)))),
            _ => Err(format!("`{text}` is no number")),
        }
    }

    pub(super) fn member(&self, place: &Place<'a>, name: &str, sign: &str) -> Result<Place<'a>, String> {
        let Type::Struct(fields, _) = self.all.get(place.ty) else {
            return Err(format!("`{}` has no members", place.name));
        };
        let found = find(self.all, fields, name, 0);
        let Field { ty, offset, bits, .. } = found.ok_or_else(|| {
            let near = isa::diag::nearest(name, fields.iter().map(|field| &*field.name));
            let near = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
            format!("`{}` has no member `{name}`{near}", place.name)
        })?;
        Ok(Place {
            name: format!("{}{sign}{name}", place.name),
            c_type: "",
            ty,
            bits,
            at: moved(&place.at, &[Some(offset); 32]),
        })
    }

    /// An element of an array, or behind a pointer.
    pub(super) fn element(
        &self,
        place: &Place<'a>,
        index: &Lanes,
        poll: Poll<'_>,
    ) -> Result<Place<'a>, String> {
        let mut index = *index;
        let name = format!("{}[{}]", place.name, index[0].unwrap_or(0));
        let (at, ty) = match *self.all.get(place.ty) {
            Type::Array(element, count) => {
                // Lanes that do not execute the line may have any index.
                let inside = index.map(|at| at.filter(|at| count == 0 || *at < count));
                if inside == [None; 32] {
                    let at = index.iter().flatten().next().map_or(0, |at| *at as i64);
                    return Err(format!(
                        "index {at} is outside of `{}`, which has {count} elements",
                        place.name
                    ));
                }
                if matches!(place.at, At::Local(..)) && index.iter().any(|one| *one != index[0]) {
                    return Err(format!(
                        "`{}` is in registers: the lanes must have the same index",
                        place.name
                    ));
                }
                index = inside;
                (place.at, element)
            }
            Type::Pointer(to, bytes) => {
                let all = self.shown(place, None, poll)?;
                let pointer = all.first().ok_or("the pointer has no value")?;
                if bytes == 4 && self.may_be_elsewhere(place, &pointer.lanes) {
                    return Err(format!(
                        "`{}` may point to shared, local or constant memory, whose addresses are also addresses \
                         of global memory below sm_20; `x` prints shared and global memory",
                        place.name
                    ));
                }
                (At::Memory(Space::Global, pointer.lanes), to)
            }
            _ => return Err(format!("`{}` is no array and no pointer", place.name)),
        };
        let size = self.all.bytes(ty);
        let bytes = index.map(|index| index.map(|index| index.wrapping_mul(size)));
        Ok(Place { name, c_type: "", ty, bits: None, at: moved(&at, &bytes) })
    }

    /// Whether a pointer below `sm_20` may be an address of another memory than global memory,
    /// where the parameters of a kernel point.
    fn may_be_elsewhere(&self, place: &Place<'_>, lanes: &Lanes) -> bool {
        if let At::Local(Local { parameter: Some(_), writes, silent, .. }, _) = place.at
            && writes.is_empty()
            && silent.is_empty()
        {
            return false;
        }
        let program = self.session.program();
        let shared = self.session.shared(self.warp.block).map_or(0, <[u8]>::len) as u32;
        let constant = program.consts.iter().map(|one| one.offset + one.bytes).max().unwrap_or(0);
        let end = shared.max(constant).max(program.local_bytes);
        lanes.iter().flatten().any(|address| *address < end.into())
    }
}

/// Position of the bracket that closes the first one.
fn matching(text: &str) -> Option<usize> {
    let mut depth = 0;
    text.bytes().position(|byte| {
        depth += i32::from(byte == b'[') - i32::from(byte == b']');
        depth == 0
    })
}

/// The special register of `threadIdx.x` and its like.
fn special(name: &str) -> Option<SReg> {
    let (base, component) = name.split_once('.')?;
    let (_, register) = BUILT_IN.iter().find(|(variable, _)| *variable == base)?;
    let wanted = format!("{register}.{component}");
    SReg::ALL.iter().find(|(known, _)| *known == wanted).map(|(_, register)| *register)
}

/// A member, also one in an anonymous member, at its offset in the whole structure.
fn find(all: &Variables, fields: &[Field], name: &str, offset: u64) -> Option<Field> {
    fields.iter().find_map(|field| {
        let at = offset + field.offset;
        match all.get(field.ty) {
            _ if field.name == name => Some(Field { offset: at, ..field.clone() }),
            Type::Struct(inner, _) if field.name.is_empty() => find(all, inner, name, at),
            _ => None,
        }
    })
}

/// An integer with its sign in 64 bits.
fn signed(ty: ScalarType, bits: u64) -> u64 {
    match ty {
        ScalarType::S8 | ScalarType::S16 | ScalarType::S32 => bits as u32 as i32 as i64 as u64,
        _ => bits,
    }
}
