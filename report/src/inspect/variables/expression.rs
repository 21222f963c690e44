//! Values of expressions: `print`, `display`, conditions of breakpoints and the expressions of
//! editors are evaluated here, in a launch and in host code.

use super::super::values::{Format, Reading};
use super::arithmetic::{convert, truth};
use super::evaluate::Evaluate;
use super::syntax::{Expression, Node, c_name};
use super::{At, BUILT_IN, Lanes, Place, Shown, Space, Ty, behind, extended, field, moved, scalar_type};
use isa::sreg::SReg;
use isa::types::ScalarType;
use isa::variables::{Field, Local, Type, Variables};
use sim_core::debug::Poll;
use std::ops::ControlFlow;

/// Elements of an array that are printed without `@N`.
const ELEMENTS: u64 = 16;

/// Most elements of `@N`.
const MOST_ELEMENTS: u64 = 1024;

/// Characters of a text that are printed.
const LONGEST_TEXT: u64 = 60;

/// Why an expression has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Missing {
    /// A name that means nothing here.
    Name(String),
    /// Another reason.
    Value(String),
}

impl From<String> for Missing {
    fn from(text: String) -> Self {
        Self::Value(text)
    }
}

impl From<&str> for Missing {
    fn from(text: &str) -> Self {
        Self::Value(text.to_owned())
    }
}

impl Missing {
    /// Returns the reason as text; `what` says what the names of this place are.
    pub fn text(self, what: &str) -> String {
        match self {
            Self::Name(name) => format!("`{name}` is no {what}"),
            Self::Value(text) => text,
        }
    }
}

/// An evaluation.
pub struct Run<'p> {
    pub(super) poll: Poll<'p>,
    /// What to know about the values that it has used.
    pub(super) notes: Vec<String>,
    /// Why the result may differ from the value that the program computes.
    pub(super) doubt: Option<String>,
}

/// A type as expressions use it.
#[derive(Clone, Copy)]
pub enum View<'t> {
    /// No value.
    Void,
    /// A number, or a truth value in a byte.
    Number(ScalarType),
    /// A pointer to a type, of so many bytes, in a memory if it is known.
    Pointer(Ty, u8, Option<Space>),
    /// Elements of a type.
    Array(Ty, u64),
    /// Members.
    Members(&'t [Field]),
}

/// The variables that a place in a program sees, and expressions of them.
pub trait Scope<'a> {
    /// The types of the program.
    fn types(&self) -> &'a Variables;

    /// The variable or register of a name; `None` if there is none.
    fn base(&self, name: &str, poll: Poll<'_>) -> Option<Result<Place<'a>, String>>;

    /// The value of a built-in variable such as `threadIdx.x` in each lane.
    fn built_in(&self, name: &str) -> Option<Result<Lanes, String>>;

    /// The memory that a pointer points to.
    ///
    /// # Errors
    /// Why that is not known.
    fn pointee(&self, pointer: &Place<'a>, values: &Lanes) -> Result<Space, String>;

    /// The memory to which a number points as an address.
    fn memory(&self) -> Space {
        Space::Global
    }

    /// The lanes that execute the next instruction.
    fn active(&self) -> u32;

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

    /// Evaluates a text. Returns `None` if its first name means nothing here.
    ///
    /// # Errors
    /// Why it has no value.
    fn value_of(
        &self,
        text: &str,
        format: Option<Format>,
        poll: Poll<'_>,
    ) -> Option<Result<Vec<Shown>, String>> {
        let is_name = |c: char| c.is_alphanumeric() || "_$%:".contains(c);
        let first = text.trim_start_matches(['*', '&', '(', ' ', '-', '!', '~']);
        let first = &first[..first.find(|c| !is_name(c)).unwrap_or(first.len())];
        let expression = match Expression::parse(text) {
            Ok(expression) => expression,
            // Perhaps it is no expression at all.
            Err(why) => return self.base(first, poll).map(|_| Err(why)),
        };
        match self.evaluate_expression(&expression, format, poll) {
            Err(Missing::Name(name)) if name == first => None,
            found => Some(found.map_err(|why| why.text("number and no variable of this line"))),
        }
    }

    /// Evaluates an expression, such as `i`, `p.x`, `tile[threadIdx.y][3]`, `*p`, `a[i]@8` or
    /// `i * 2 < n`: a number, or the members of a structure and the elements of an array.
    ///
    /// # Errors
    /// Why it has no value.
    fn evaluate_expression(
        &self,
        expression: &Expression,
        format: Option<Format>,
        poll: Poll<'_>,
    ) -> Result<Vec<Shown>, Missing> {
        let mut run = Run { poll, notes: Vec::new(), doubt: None };
        if let Node::Name(name) = &expression.node {
            let parts = self.components(name, format)?;
            if !parts.is_empty() {
                return Ok(parts);
            }
        }
        let place = self.place(&expression.node, &expression.text, &mut run)?;
        let mut all = match &expression.count {
            None => self.shown(&place, format, &mut *run.poll)?,
            Some(count) => {
                let lanes = self.integer(count, &mut run)?;
                let count = lanes.iter().flatten().next().copied().unwrap_or(0);
                if !(1..=MOST_ELEMENTS).contains(&count) {
                    let count = count as i64;
                    let why = format!("`{count}` is not a number of elements from 1 to {MOST_ELEMENTS}");
                    return Err(Missing::Value(why));
                }
                self.consecutive(&place, count, format, &mut *run.poll)?
            }
        };
        if let (Ty::ToType(..) | Ty::ToNumber(..), [one]) = (place.ty, &mut all[..]) {
            one.c_type = self.type_name(place.ty);
        }
        if let Some(last) = all.last_mut() {
            run.notes.retain(|note| !last.notes.contains(note));
            last.notes.append(&mut run.notes);
            last.doubt = last.doubt.take().or(run.doubt);
        }
        Ok(all)
    }

    /// The lanes of `lanes` in which an expression is true.
    ///
    /// # Errors
    /// Why the expression has no value in any of these lanes.
    fn lanes_where(&self, expression: &Expression, lanes: u32, poll: Poll<'_>) -> Result<u32, String> {
        let mut run = Run { poll, notes: Vec::new(), doubt: None };
        let names = "variable or register of this place";
        let place = self.place(&expression.node, &expression.text, &mut run);
        let (ty, values) =
            place.and_then(|place| self.number(&place, &mut run)).map_err(|why| why.text(names))?;
        if let Some(doubt) = run.doubt {
            return Err(doubt);
        }
        let mut found = 0;
        let mut is_known = false;
        for lane in (0..32).filter(|lane| lanes >> lane & 1 == 1) {
            if let Some(bits) = values[lane] {
                is_known = true;
                found |= u32::from(truth(ty, bits)) << lane;
            }
        }
        if !is_known && lanes != 0 {
            return Err(format!("`{}` has no value in these lanes", expression.text));
        }
        Ok(found)
    }

    /// The memory and the address that an expression means, in each lane: of a pointer its value,
    /// of an array or variable in memory its place. A number is an address.
    ///
    /// # Errors
    /// Why there is no address.
    fn address(&self, expression: &Expression, poll: Poll<'_>) -> Result<(Space, Lanes), Missing> {
        let mut run = Run { poll, notes: Vec::new(), doubt: None };
        let place = self.place(&expression.node, &expression.text, &mut run)?;
        match (self.view(place.ty), place.at) {
            (View::Array(..) | View::Members(_), At::Memory(space, addresses)) => Ok((space, addresses)),
            (View::Pointer(_, _, space), _) => {
                let (_, lanes) = self.number(&place, &mut run)?;
                Ok((space.map_or_else(|| self.pointee(&place, &lanes), Ok)?, lanes))
            }
            _ => {
                let (ty, lanes) = self.number(&place, &mut run)?;
                let is_float = matches!(ty, ScalarType::F32 | ScalarType::F64);
                if is_float {
                    let text = &expression.text;
                    return Err(format!("`{text}` is a number with a point; `&{text}` is its address").into());
                }
                Ok((self.memory(), lanes.map(|bits| bits.map(|bits| convert(ty, ScalarType::U64, bits)))))
            }
        }
    }

    /// The type of an expression in C, and the members of a structure.
    ///
    /// # Errors
    /// Why it has none.
    fn type_of(&self, expression: &Expression, poll: Poll<'_>) -> Result<(String, Vec<String>), Missing> {
        let mut run = Run { poll, notes: Vec::new(), doubt: None };
        if let Node::Name(name) = &expression.node
            && !special(name).is_empty()
        {
            let is_one = special(name).len() == 1;
            let members = ["x", "y", "z"].map(|name| format!("unsigned int {name};"));
            return Ok(if is_one {
                ("unsigned int".to_owned(), Vec::new())
            } else {
                ("uint3".to_owned(), members.to_vec())
            });
        }
        let place = self.place(&expression.node, &expression.text, &mut run)?;
        let name = if place.c_type.is_empty() { self.type_name(place.ty) } else { place.c_type.to_owned() };
        let members = match self.view(place.ty) {
            View::Members(fields) => fields
                .iter()
                .map(|field| {
                    let width = field.bits.map_or_else(String::new, |(_, width)| format!(" : {width}"));
                    let declared = self.declared(Ty::Of(field.ty), &field.name);
                    format!("{declared}{width};")
                })
                .collect(),
            _ => Vec::new(),
        };
        Ok((name, members))
    }

    /// The name of a type in C.
    fn type_name(&self, ty: Ty) -> String {
        self.declared(ty, "")
    }

    /// A declaration in C.
    fn declared(&self, ty: Ty, name: &str) -> String {
        let spaced = |ty: &str| if name.is_empty() { ty.to_owned() } else { format!("{ty} {name}") };
        match self.view(ty) {
            View::Void => spaced("void"),
            View::Number(_) if matches!(ty, Ty::Of(id) if *self.types().get(id) == Type::Bool) => {
                spaced("bool")
            }
            View::Number(ty) => spaced(c_name(ty)),
            View::Members(_) => spaced("struct {...}"),
            View::Array(element, count) => {
                let inner = match count {
                    0 => format!("{name}[]"),
                    _ => format!("{name}[{count}]"),
                };
                let shown = self.declared(element, &inner);
                if name.is_empty() { shown.replacen(" [", "[", 1) } else { shown }
            }
            View::Pointer(to, _, space) => {
                let space = space.map_or("", Space::qualifier);
                let target = match self.view(to) {
                    View::Array(..) => self.declared(to, &format!("(*{name})")),
                    _ => self.declared(to, &format!("*{name}")),
                };
                format!("{space}{target}")
            }
        }
    }

    /// What a type is.
    fn view(&self, ty: Ty) -> View<'a> {
        match ty {
            Ty::Of(id) => match self.types().get(id) {
                Type::Void => View::Void,
                Type::Bool => View::Number(ScalarType::U8),
                Type::Scalar(ty) => View::Number(*ty),
                Type::Pointer(to, bytes) => View::Pointer(Ty::Of(*to), *bytes, None),
                Type::Array(element, count) => View::Array(Ty::Of(*element), *count),
                Type::Struct(fields, _) => View::Members(fields),
            },
            Ty::Number(ty) => View::Number(ty),
            Ty::Elements(ty, count) => View::Array(Ty::Number(ty), count),
            Ty::ToType(id, space) => View::Pointer(Ty::Of(id), 8, Some(space)),
            Ty::ToNumber(ty, space) => View::Pointer(Ty::Number(ty), 8, Some(space)),
        }
    }

    /// Bytes of a type.
    fn bytes_of(&self, ty: Ty) -> u64 {
        match (ty, self.view(ty)) {
            (Ty::Of(id), _) => self.types().bytes(id),
            (_, View::Number(ty)) => ty.bytes().into(),
            (_, View::Pointer(_, bytes, _)) => bytes.into(),
            (_, View::Array(element, count)) => count * self.bytes_of(element),
            (_, View::Void | View::Members(_)) => 0,
        }
    }

    /// The components of a built-in variable such as `threadIdx`; empty for another name.
    ///
    /// # Errors
    /// Why they have no value.
    fn components(&self, name: &str, format: Option<Format>) -> Result<Vec<Shown>, Missing> {
        let all = special(name);
        if all.len() < 2 {
            return Ok(Vec::new());
        }
        let component = |(register, _): &(&str, SReg)| {
            let part = register.rsplit('.').next().unwrap_or(register);
            let name = format!("{name}.{part}");
            let lanes = self.built_in(&name).unwrap_or_else(|| Err(format!("`{name}` has no value")))?;
            let reading = Reading::of_type(ScalarType::U32, format).natural();
            Ok(Shown { name, c_type: String::new(), reading, lanes, notes: Vec::new(), doubt: None })
        };
        if self.built_in(&format!("{name}.x")).is_none() {
            return Ok(Vec::new());
        }
        all.iter().map(component).collect()
    }

    /// The values of a place: one, or those of its members or elements.
    ///
    /// # Errors
    /// Why there are none.
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
                    doubt: None,
                }]),
                _ if self.points_to_char(start.ty) => self.shown(&Place { name, ..start }, format, poll),
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
        let parts: Vec<Place<'a>> = match self.view(place.ty) {
            View::Members(fields) => {
                let named = fields.iter().filter(|field| !field.name.is_empty());
                named.map(|field| self.member(place, &field.name, ".")).collect::<Result<_, _>>()?
            }
            View::Array(element, count) => {
                // Rows of a matrix are long enough one by one.
                let is_row = matches!(self.view(element), View::Array(..));
                let count = count.min(if is_row { 1 } else { ELEMENTS });
                (0..count).map(|at| self.element(place, &[Some(at); 32], poll)).collect::<Result<_, _>>()?
            }
            View::Void => return Err(format!("`{}` is `void`", place.name)),
            View::Number(_) | View::Pointer(..) => {
                return Ok(vec![self.scalar(place, format, poll)?]);
            }
        };
        let mut all = Vec::new();
        for part in &parts {
            all.extend(self.shown(part, format, poll)?);
        }
        let more =
            self.bytes_of(place.ty) / self.bytes_of(parts.first().map_or(place.ty, |part| part.ty)).max(1);
        let is_cut = more > parts.len() as u64 || all.len() as u64 > ELEMENTS;
        if is_cut && matches!(self.view(place.ty), View::Array(..)) {
            all.truncate(ELEMENTS as usize);
            if let Some(last) = all.last_mut() {
                last.notes.push(format!("`{}` has more elements: `@N` prints N of them", place.name));
            }
        }
        Ok(all)
    }

    /// The pointer to the elements of a `std::vector` or `std::string`.
    fn contents(&self, place: &Place<'a>) -> Option<Place<'a>> {
        let View::Members(fields) = self.view(place.ty) else { return None };
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
    ///
    /// # Errors
    /// Why there are none.
    fn consecutive(
        &self,
        place: &Place<'a>,
        count: u64,
        format: Option<Format>,
        poll: Poll<'_>,
    ) -> Result<Vec<Shown>, String> {
        if matches!(place.at, At::Local(..) | At::Value(_) | At::Lanes(_)) {
            return Err(format!("`{}` is in registers: `@` needs a place in memory", place.name));
        }
        let size = self.bytes_of(place.ty);
        let mut all = Vec::new();
        for at in 0..count {
            let at_place = moved(&place.at, &[Some(at * size); 32]);
            let name = behind(&place.name, at);
            let part = Place { name, c_type: "", ty: place.ty, bits: None, at: at_place, notes: Vec::new() };
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
        if self.points_to_char(place.ty)
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
    ///
    /// # Errors
    /// Why it has none.
    fn whole(&self, place: &Place<'a>, format: Option<Format>, poll: Poll<'_>) -> Result<Shown, String> {
        let is_pointer = matches!(self.view(place.ty), View::Pointer(..));
        let format = format.or(is_pointer.then_some(Format::Hex));
        let ty = match place.ty {
            Ty::Of(id) => scalar_type(self.types().get(id)),
            Ty::Number(ty) => Some(ty),
            Ty::ToType(..) | Ty::ToNumber(..) => Some(ScalarType::U64),
            Ty::Elements(..) => None,
        };
        let ty = ty.ok_or_else(|| format!("`{}` is no scalar", place.name))?;
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
                Ok(Shown { lanes, ..Shown::empty(name, reading) })
            }
            At::Local(local, offset) => self.register(local, *offset as u32, (name, reading), poll),
            At::Value(lanes) | At::Lanes(lanes) => {
                Ok(Shown { lanes: *lanes, notes: place.notes.clone(), ..Shown::empty(name, reading) })
            }
        }
    }

    /// Whether a type is a pointer to `char`.
    fn points_to_char(&self, ty: Ty) -> bool {
        match self.view(ty) {
            View::Pointer(to, ..) => matches!(self.view(to), View::Number(ScalarType::S8)),
            _ => false,
        }
    }
}

/// Evaluates nothing for long: the poll of evaluations that are not interrupted.
pub fn never(_: u64) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Returns the special registers that `name` means: `%tid.x` or `threadIdx.x` one, `threadIdx` or
/// `%tid` its three components.
pub fn special(name: &str) -> Vec<(&'static str, SReg)> {
    let (base, component) = name.split_once('.').unwrap_or((name, ""));
    let base = match BUILT_IN.iter().find(|(variable, _)| *variable == base) {
        // A vector of CUDA C has three components, a vector of PTX has four.
        Some(_) if !["", "x", "y", "z"].contains(&component) => return Vec::new(),
        Some((_, register)) => register,
        None if name == "warpSize" => "WARP_SZ",
        None => base,
    };
    let is_vector = BUILT_IN.iter().any(|(_, register)| *register == base);
    let wanted: Vec<String> = match component {
        "" if is_vector => ["x", "y", "z"].map(|component| format!("{base}.{component}")).to_vec(),
        "" => vec![base.to_owned()],
        _ => vec![format!("{base}.{component}")],
    };
    let all = wanted.iter().filter_map(|name| SReg::ALL.iter().find(|(known, _)| known == name));
    all.copied().collect()
}

#[cfg(test)]
mod tests {
    use super::special;

    #[test]
    fn variables_of_cuda_c_are_special_registers() {
        let names = |name| special(name).iter().map(|(name, _)| *name).collect::<Vec<_>>();
        assert_eq!(names("threadIdx.x"), ["%tid.x"]);
        assert_eq!(names("blockDim"), ["%ntid.x", "%ntid.y", "%ntid.z"]);
        assert_eq!(names("gridDim.z"), ["%nctaid.z"]);
        assert_eq!(names("%ctaid.y"), ["%ctaid.y"]);
        assert_eq!(names("%laneid"), ["%laneid"]);
        assert_eq!(names("%r1"), [""; 0]);
        assert_eq!(names("threadIdx.w"), [""; 0]);
    }
}
