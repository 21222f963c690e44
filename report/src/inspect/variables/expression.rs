//! Paths of an expression: members, indices and pointers, which lead from a variable to a part.

use super::super::values::{Format, Reading};
use super::{At, BUILT_IN, Lanes, Place, Shown, Space, behind, extended, field, moved, scalar_type};
use isa::sreg::SReg;
use isa::types::ScalarType;
use isa::variables::{Field, Local, Type, TypeId, Variables};
use sim_core::debug::Poll;

/// Elements of an array that are printed without `@N`.
const ELEMENTS: u64 = 16;

/// Characters of a text that are printed.
const LONGEST_TEXT: u64 = 60;

/// Largest number of characters of an expression.
const LONGEST: usize = 200;

/// The variables that a place in a program sees, and expressions of them.
pub trait Scope<'a> {
    /// The types of the program.
    fn types(&self) -> &'a Variables;

    /// The variable of a name; `None` if there is none.
    fn base(&self, name: &str, poll: Poll<'_>) -> Option<Result<Place<'a>, String>>;

    /// The value of a built-in variable such as `threadIdx.x` in each lane.
    fn built_in(&self, name: &str) -> Option<Result<Lanes, String>>;

    /// The memory that a pointer points to.
    ///
    /// # Errors
    /// Why that is not known.
    fn pointee(&self, pointer: &Place<'a>, values: &Lanes) -> Result<Space, String>;

    /// The bits of a value in memory.
    fn read(&self, space: Space, lane: usize, address: u64, bytes: u32) -> Option<u64>;

    /// Why there is no value in memory.
    fn unreadable(&self, name: &str, address: u64, _bytes: u32) -> String {
        format!("`{name}` is at {address:#x}, which is in no allocation")
    }

    /// A part of a variable in registers.
    ///
    /// # Errors
    /// Why it has no value.
    fn register(
        &self,
        local: &Local,
        offset: u32,
        named: (String, Reading),
        poll: Poll<'_>,
    ) -> Result<Shown, String>;

    /// Evaluates an expression, such as `i`, `p.x`, `tile[threadIdx.y][3]`, `*p` or `a[i]@8`.
    /// Returns `None` if its first name is no variable of CUDA C.
    ///
    /// # Errors
    /// Why it has no value.
    fn value_of(
        &self,
        expression: &str,
        format: Option<Format>,
        poll: Poll<'_>,
    ) -> Option<Result<Vec<Shown>, String>> {
        if expression.len() > LONGEST {
            return Some(Err(format!("an expression has at most {LONGEST} characters")));
        }
        let (text, elements) = match expression.rsplit_once('@') {
            Some((text, count)) => match count.trim().parse::<u64>() {
                Ok(count @ 1..=1024) => (text.trim(), Some(count)),
                _ => return Some(Err(format!("`{count}` is not a number of elements from 1 to 1024"))),
            },
            None => (expression.trim(), None),
        };
        let derefs = text.bytes().take_while(|byte| *byte == b'*').count();
        let inner = text[derefs..].trim_start();
        let end = inner.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(inner.len());
        let (name, path) = inner.split_at(end);
        let base = self.base(name, poll)?;
        Some(base.and_then(|base| {
            let mut place = self.follow(base, path, poll)?;
            for _ in 0..derefs {
                place = self.element(&place, &[Some(0); 32], poll)?;
                place.name = format!("*{}", place.name.trim_end_matches("[0]"));
            }
            match elements {
                None => self.shown(&place, format, poll),
                Some(count) => self.consecutive(&place, count, format, poll),
            }
        }))
    }

    /// Follows members and indices.
    fn follow(&self, mut place: Place<'a>, path: &str, poll: Poll<'_>) -> Result<Place<'a>, String> {
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
        if let Some(values) = self.built_in(text) {
            return values;
        }
        let all = self.value_of(text, None, poll);
        let all = all.ok_or_else(|| format!("`{text}` is no number and no variable of this line"))??;
        match &all[..] {
            [one] => Ok(one.lanes.map(|bits| bits.map(|bits| signed(one.reading.ty, bits)))),
            _ => Err(format!("`{text}` is no number")),
        }
    }

    /// A member of a structure.
    ///
    /// # Errors
    /// There is none with this name.
    fn member(&self, place: &Place<'a>, name: &str, sign: &str) -> Result<Place<'a>, String> {
        let Type::Struct(fields, _) = self.types().get(place.ty) else {
            return Err(format!("`{}` has no members", place.name));
        };
        let found = find(self.types(), fields, name, 0);
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
    fn element(&self, place: &Place<'a>, index: &Lanes, poll: Poll<'_>) -> Result<Place<'a>, String> {
        if let Some(contents) = self.contents(place) {
            return self.element(&Place { name: place.name.clone(), ..contents }, index, poll);
        }
        let mut index = *index;
        let name = format!("{}[{}]", place.name, index[0].unwrap_or(0));
        let (at, ty) = match *self.types().get(place.ty) {
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
            Type::Pointer(to, _) => {
                let all = self.shown(place, None, poll)?;
                let pointer = all.first().ok_or("the pointer has no value")?;
                (At::Memory(self.pointee(place, &pointer.lanes)?, pointer.lanes), to)
            }
            _ => return Err(format!("`{}` is no array and no pointer", place.name)),
        };
        let size = self.types().bytes(ty);
        let bytes = index.map(|index| index.map(|index| index.wrapping_mul(size)));
        Ok(Place { name, c_type: "", ty, bits: None, at: moved(&at, &bytes) })
    }

    /// The values of a place: one, or those of its members or elements.
    fn shown(&self, place: &Place<'a>, format: Option<Format>, poll: Poll<'_>) -> Result<Vec<Shown>, String> {
        if let Some(start) = self.contents(place) {
            let count = self.value_of_member(place, "__size", poll)?;
            let name = place.name.clone();
            return match count {
                0 => Ok(vec![Shown {
                    name,
                    c_type: place.c_type.to_owned(),
                    reading: Reading::of_type(ScalarType::U64, format),
                    lanes: [None; 32],
                    notes: vec!["empty".to_owned()],
                }]),
                _ if points_to_char(self.types(), start.ty) => {
                    self.shown(&Place { name, ..start }, format, poll)
                }
                _ => {
                    let first = self.element(&Place { name, ..start }, &[Some(0); 32], poll)?;
                    let mut all = self.consecutive(&first, count.min(ELEMENTS), format, poll)?;
                    if let (true, Some(last)) = (count > ELEMENTS, all.last_mut()) {
                        last.notes.push(format!("`{}` has {count} elements", place.name));
                    }
                    Ok(all)
                }
            };
        }
        let parts: Vec<Place<'a>> = match self.types().get(place.ty) {
            Type::Struct(fields, _) => {
                let named = fields.iter().filter(|field| !field.name.is_empty());
                named.map(|field| self.member(place, &field.name, ".")).collect::<Result<_, _>>()?
            }
            Type::Array(element, count) => {
                // Rows of a matrix are long enough one by one.
                let is_row = matches!(self.types().get(*element), Type::Array(..));
                let count = (*count).min(if is_row { 1 } else { ELEMENTS });
                (0..count).map(|at| self.element(place, &[Some(at); 32], poll)).collect::<Result<_, _>>()?
            }
            Type::Void => return Err(format!("`{}` is `void`", place.name)),
            Type::Bool | Type::Scalar(_) | Type::Pointer(..) => {
                return Ok(vec![self.scalar(place, format, poll)?]);
            }
        };
        let mut all = Vec::new();
        for part in &parts {
            all.extend(self.shown(part, format, poll)?);
        }
        let more = self.types().bytes(place.ty)
            / self.types().bytes(parts.first().map_or(place.ty, |part| part.ty)).max(1);
        let is_cut = more > parts.len() as u64 || all.len() as u64 > ELEMENTS;
        if let (true, Type::Array(..)) = (is_cut, self.types().get(place.ty)) {
            all.truncate(ELEMENTS as usize);
            if let Some(last) = all.last_mut() {
                last.notes.push(format!("`{}` has more elements: `@N` prints N of them", place.name));
            }
        }
        Ok(all)
    }

    /// The pointer to the elements of a `std::vector` or `std::string`.
    fn contents(&self, place: &Place<'a>) -> Option<Place<'a>> {
        let Type::Struct(fields, _) = self.types().get(place.ty) else { return None };
        fields.iter().find(|field| field.name == "__size")?;
        let pointer = fields.iter().find(|field| matches!(&*field.name, "__first" | "__text"))?;
        self.member(place, &pointer.name, ".").ok()
    }

    /// The value of a member of an object of the host.
    ///
    /// # Errors
    /// Why it has none.
    fn value_of_member(&self, place: &Place<'a>, name: &str, poll: Poll<'_>) -> Result<u64, String> {
        let shown = self.scalar(&self.member(place, name, ".")?, None, poll)?;
        shown.lanes[0].ok_or_else(|| format!("`{}` has no value", place.name))
    }

    /// Elements one after the other, from a place on.
    fn consecutive(
        &self,
        place: &Place<'a>,
        count: u64,
        format: Option<Format>,
        poll: Poll<'_>,
    ) -> Result<Vec<Shown>, String> {
        if matches!(place.at, At::Local(..) | At::Value(_)) {
            return Err(format!("`{}` is in registers: `@` needs a place in memory", place.name));
        }
        let size = self.types().bytes(place.ty);
        let mut all = Vec::new();
        for at in 0..count {
            let at_place = moved(&place.at, &[Some(at * size); 32]);
            let name = behind(&place.name, at);
            let part = Place { name, c_type: "", ty: place.ty, bits: None, at: at_place };
            all.extend(self.shown(&part, format, poll)?);
        }
        Ok(all)
    }

    /// A scalar, also a bit field.
    ///
    /// # Errors
    /// Why it has no value.
    fn scalar(&self, place: &Place<'a>, format: Option<Format>, poll: Poll<'_>) -> Result<Shown, String> {
        let mut shown = self.whole(place, format, poll)?;
        place.c_type.clone_into(&mut shown.c_type);
        if points_to_char(self.types(), place.ty)
            && let (Ok(Space::Host), Some(address)) = (self.pointee(place, &shown.lanes), shown.lanes[0])
        {
            let byte = |at: u64| self.read(Space::Host, 0, address.wrapping_add(at), 1);
            let bytes: Vec<Option<u64>> = (0..=LONGEST_TEXT).map(byte).collect();
            // Memory without a value is no text.
            let end = bytes.iter().position(|byte| byte.is_none_or(|byte| byte == 0));
            let length = end.unwrap_or(LONGEST_TEXT as usize);
            if end.is_none_or(|end| bytes[end].is_some()) {
                let text: Vec<u8> = bytes[..length].iter().flatten().map(|byte| *byte as u8).collect();
                let more = if end.is_none() { " …" } else { "" };
                shown.notes.push(format!("{:?}{more}", String::from_utf8_lossy(&text)));
            }
        }
        if let Some((low, width)) = place.bits {
            shown.lanes = shown.lanes.map(|bits| bits.map(|bits| field(shown.reading.ty, bits, low, width)));
        }
        Ok(shown)
    }

    /// The value of a scalar, of a bit field with the bits beside it.
    fn whole(&self, place: &Place<'a>, format: Option<Format>, poll: Poll<'_>) -> Result<Shown, String> {
        let ty = self.types().get(place.ty);
        let format = format.or(matches!(ty, Type::Pointer(..)).then_some(Format::Hex));
        let ty = scalar_type(ty).ok_or_else(|| format!("`{}` is no scalar", place.name))?;
        let reading = Reading::of_type(ty, format).natural();
        let name = place.name.clone();
        match &place.at {
            At::Memory(space, addresses) => {
                let read = |lane: usize| {
                    self.read(*space, lane, addresses[lane]?, ty.bytes()).map(|bits| extended(ty, bits))
                };
                let lanes: Lanes = std::array::from_fn(read);
                if lanes == [None; 32] {
                    let address = addresses.iter().flatten().next().copied().unwrap_or(0);
                    return Err(self.unreadable(&name, address, ty.bytes()));
                }
                Ok(Shown { name, c_type: String::new(), reading, lanes, notes: Vec::new() })
            }
            At::Local(local, offset) => self.register(local, *offset as u32, (name, reading), poll),
            At::Value(lanes) => {
                Ok(Shown { name, c_type: String::new(), reading, lanes: *lanes, notes: Vec::new() })
            }
        }
    }
}

/// Whether a type is a pointer to `char`.
fn points_to_char(all: &Variables, ty: TypeId) -> bool {
    match all.get(ty) {
        Type::Pointer(to, _) => *all.get(*to) == Type::Scalar(ScalarType::S8),
        _ => false,
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
pub(super) fn special(name: &str) -> Option<SReg> {
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
