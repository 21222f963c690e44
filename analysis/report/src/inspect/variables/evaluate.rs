//! The places and values that the parts of an expression mean.

use super::arithmetic::{common, convert, operation, sign, truth};
use super::scope::{Missing, Run, Scope, View};
use super::syntax::{Named, Node, Operation};
use super::{At, BUILT_IN, Lanes, Place, Shown, Space, Ty, behind, extended, field, moved, scalar_type};
use crate::inspect::values::{Format, Reading};
use isa::sreg::SReg;
use isa::types::ScalarType;
use isa::variables::{Field, Type, Variables};
use sim_core::debug::Poll;
use std::ops::ControlFlow;

/// Elements of an array that are printed without `@N`.
const ELEMENTS: u64 = 16;

/// Most elements of `@N`.
pub(super) const MOST_ELEMENTS: u64 = 1024;

/// Characters of a text that are printed.
const LONGEST_TEXT: u64 = 60;

/// Evaluates the parts of an expression with the variables of a scope.
pub trait Evaluate<'a>: Scope<'a> {
    /// The place or the value that a part of an expression means; `text` is its text.
    ///
    /// # Errors
    /// Why there is none.
    fn place(&self, node: &Node, text: &str, run: &mut Run<'_>) -> Result<Place<'a>, Missing> {
        let value = |ty: ScalarType, lanes: Lanes| Place::value(text, Ty::Number(ty), lanes);
        match node {
            Node::Name(name) => self.named(name, run),
            Node::Number(ty, bits) => Ok(value(*ty, [Some(*bits); 32])),
            Node::Member(of, member, is_arrow) => {
                if let Node::Name(base) = &**of
                    && let Some(lanes) = self.built_in(&format!("{base}.{member}"))
                {
                    let name = format!("{base}.{member}");
                    return Ok(Place::lanes(&name, Ty::Number(ScalarType::U32), lanes?));
                }
                let mut place = self.place(of, &source(of), run)?;
                let sign = if *is_arrow { "->" } else { "." };
                if *is_arrow {
                    let name = place.name.clone();
                    place = self.element(&place, &[Some(0); 32], &mut *run.poll)?;
                    place.name = name;
                }
                Ok(self.member(&place, member, sign)?)
            }
            Node::Index(of, index, index_text) => self.indexed(of, (index, index_text), run),
            Node::At(of) => {
                let place = self.place(of, &source(of), run)?;
                let mut place = self.element(&place, &[Some(0); 32], &mut *run.poll)?;
                place.name = format!("*{}", place.name.trim_end_matches("[0]"));
                Ok(place)
            }
            Node::Address(of) => self.address_of(of, run),
            Node::Sign(operation, of) => {
                let (ty, lanes) = self.value(of, run)?;
                let (ty, lanes) = sign(*operation, ty, &lanes).ok_or_else(|| {
                    format!("`{}` has a point, and this operation is for whole numbers", source(of))
                })?;
                Ok(value(ty, lanes))
            }
            Node::Operation(how @ (Operation::And | Operation::Or), left, right) => {
                self.logical((left, right), *how == Operation::And, text, run)
            }
            Node::Operation(how, left, right) => {
                let (first, second) =
                    (self.place(left, &source(left), run)?, self.place(right, &source(right), run)?);
                if let Some(found) = self.with_pointers(*how, (&first, &second), text, run)? {
                    return Ok(found);
                }
                let ((a, first), (b, second)) = (self.number(&first, run)?, self.number(&second, run)?);
                let (ty, lanes) = operation(*how, (a, &first), (b, &second))
                    .ok_or_else(|| format!("`{text}` is an operation of whole numbers"))?;
                Ok(value(ty, lanes))
            }
            Node::Choice(parts) => self.choice(parts, text, run),
            Node::Cast(named, of) => self.cast(*named, of, text, run),
            Node::Size(of) => {
                let place = self.place(of, &source(of), run)?;
                Ok(value(ScalarType::U64, [Some(self.bytes_of(place.ty)); 32]))
            }
            Node::SizeOfType(named) => {
                let bytes = match named {
                    Named::Number(ty) => ty.bytes().into(),
                    Named::Pointer(..) => 8,
                };
                Ok(value(ScalarType::U64, [Some(bytes); 32]))
            }
        }
    }

    /// The value of a part of an expression.
    ///
    /// # Errors
    /// Why there is none.
    fn value(&self, node: &Node, run: &mut Run<'_>) -> Result<(ScalarType, Lanes), Missing> {
        let place = self.place(node, &source(node), run)?;
        self.number(&place, run)
    }

    /// The whole number that a part of an expression means, with its sign in 64 bits.
    ///
    /// # Errors
    /// Why there is none.
    fn integer(&self, node: &Node, run: &mut Run<'_>) -> Result<Lanes, Missing> {
        let (ty, lanes) = self.value(node, run)?;
        if matches!(ty, ScalarType::F32 | ScalarType::F64 | ScalarType::F16) {
            return Err(format!("`{}` is no whole number", source(node)).into());
        }
        Ok(lanes.map(|bits| bits.map(|bits| convert(ty, ScalarType::S64, bits))))
    }

    /// The number at a place: of an array its address.
    ///
    /// # Errors
    /// Why there is none.
    fn number(&self, place: &Place<'a>, run: &mut Run<'_>) -> Result<(ScalarType, Lanes), Missing> {
        match (self.view(place.ty), &place.at) {
            (View::Array(..), At::Memory(_, addresses)) => return Ok((ScalarType::U64, *addresses)),
            (View::Array(..) | View::Members(_) | View::Void, _) => {
                let kind =
                    if matches!(self.view(place.ty), View::Array(..)) { "an array" } else { "a structure" };
                return Err(format!("`{}` is {kind}, not a number", place.name).into());
            }
            (View::Number(_) | View::Pointer(..), _) => {}
        }
        let shown = self.scalar(place, None, &mut *run.poll)?;
        for note in shown.notes {
            if !run.notes.contains(&note) {
                run.notes.push(note);
            }
        }
        run.doubt = run.doubt.take().or(shown.doubt);
        Ok((shown.reading.ty, shown.lanes))
    }

    /// The result of an operation with a pointer; `None` for numbers, and for comparisons, which
    /// are those of the addresses.
    ///
    /// # Errors
    /// Why there is none.
    fn with_pointers(
        &self,
        how: Operation,
        (first, second): (&Place<'a>, &Place<'a>),
        text: &str,
        run: &mut Run<'_>,
    ) -> Result<Option<Place<'a>>, Missing> {
        let target = |place: &Place<'a>| match self.view(place.ty) {
            View::Pointer(to, ..) | View::Array(to, _) => Some(to),
            _ => None,
        };
        let (pointer, number) = match (how, target(first), target(second)) {
            (Operation::Add | Operation::Subtract, Some(_), None) => (first, second),
            (Operation::Add, None, Some(_)) => (second, first),
            (Operation::Subtract, Some(to), Some(_)) => {
                let ((a, first), (b, second)) = (self.number(first, run)?, self.number(second, run)?);
                let bytes = self.bytes_of(to).max(1) as i64;
                let one = |lane: usize| {
                    let (first, second) = (convert(a, ScalarType::S64, first[lane]?), second[lane]?);
                    let distance = (first as i64).wrapping_sub(convert(b, ScalarType::S64, second) as i64);
                    Some((distance / bytes) as u64)
                };
                let lanes = std::array::from_fn(one);
                return Ok(Some(Place::value(text, Ty::Number(ScalarType::S64), lanes)));
            }
            _ => return Ok(None),
        };
        let (ty, lanes) = self.number(number, run)?;
        if matches!(ty, ScalarType::F32 | ScalarType::F64) {
            return Err(format!("`{}` is no whole number", number.name).into());
        }
        let lanes = lanes.map(|bits| bits.map(|bits| convert(ty, ScalarType::S64, bits)));
        let steps = match how {
            Operation::Subtract => lanes.map(|bits| bits.map(u64::wrapping_neg)),
            _ => lanes,
        };
        let (_, addresses) = self.number(pointer, run)?;
        let to = target(pointer).ok_or("no pointer")?;
        let bytes = self.bytes_of(to);
        let one = |lane: usize| Some(addresses[lane]?.wrapping_add(steps[lane]?.wrapping_mul(bytes)));
        let space = match (self.view(pointer.ty), pointer.at) {
            (View::Pointer(_, _, Some(space)), _) | (View::Array(..), At::Memory(space, _)) => space,
            _ => self.pointee(pointer, &addresses)?,
        };
        let ty = match to {
            Ty::Of(id) => Ty::ToType(id, space),
            Ty::Number(ty) => Ty::ToNumber(ty, space),
            Ty::Elements(..) | Ty::ToType(..) | Ty::ToNumber(..) => return Ok(None),
        };
        Ok(Some(Place::value(text, ty, std::array::from_fn(one))))
    }

    /// A member of a structure.
    ///
    /// # Errors
    /// There is none with this name.
    fn member(&self, place: &Place<'a>, name: &str, sign: &str) -> Result<Place<'a>, String> {
        let View::Members(fields) = self.view(place.ty) else {
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
            ty: Ty::Of(ty),
            bits,
            at: moved(&place.at, &[Some(offset); 32]),
            notes: place.notes.clone(),
        })
    }

    /// An element of an array, or behind a pointer.
    ///
    /// # Errors
    /// Why there is none.
    fn element(&self, place: &Place<'a>, index: &Lanes, poll: Poll<'_>) -> Result<Place<'a>, String> {
        if let Some(contents) = self.contents(place) {
            return self.element(&Place { name: place.name.clone(), ..contents }, index, poll);
        }
        let mut index = *index;
        let name = format!("{}[{}]", place.name, index[0].unwrap_or(0));
        let (at, ty) = match self.view(place.ty) {
            View::Array(element, count) => {
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
            View::Pointer(to, _, space) => {
                let all = self.shown(place, None, poll)?;
                let pointer = all.first().ok_or("the pointer has no value")?;
                let space = space.map_or_else(|| self.pointee(place, &pointer.lanes), Ok)?;
                (At::Memory(space, pointer.lanes), to)
            }
            View::Void | View::Number(_) | View::Members(_) => {
                return Err(format!("`{}` is no array and no pointer", place.name));
            }
        };
        let size = self.bytes_of(ty);
        let bytes = index.map(|index| index.map(|index| index.wrapping_mul(size)));
        Ok(Place { name, c_type: "", ty, bits: None, at: moved(&at, &bytes), notes: place.notes.clone() })
    }

    /// Returns the variable, register or parameter of a name.
    ///
    /// # Errors
    /// Why there is none.
    fn named(&self, name: &str, run: &mut Run<'_>) -> Result<Place<'a>, Missing> {
        if let Some(found) = self.base(name, &mut *run.poll) {
            return Ok(found?);
        }
        match self.built_in(name) {
            Some(lanes) => Ok(Place::lanes(name, Ty::Number(ScalarType::U32), lanes?)),
            None if special(name).len() > 1 && self.built_in(&format!("{name}.x")).is_some() => {
                Err(format!("`{name}` has the members x, y and z").into())
            }
            None => Err(Missing::Name(name.to_owned())),
        }
    }

    /// An element of an array, or a lane of a register.
    ///
    /// # Errors
    /// Why there is none.
    fn indexed(
        &self,
        of: &Node,
        (index, index_text): (&Node, &str),
        run: &mut Run<'_>,
    ) -> Result<Place<'a>, Missing> {
        let place = self.place(of, &source(of), run)?;
        let lanes = self.integer(index, run)?;
        let name = format!("{}[{index_text}]", place.name);
        if let At::Lanes(values) = place.at {
            // An index behind a register is a lane.
            let lane = lanes.iter().flatten().next().copied().unwrap_or(0);
            let Some(one) = values.get(usize::try_from(lane).unwrap_or(usize::MAX)) else {
                let lane = lane as i64;
                return Err(format!("lane {lane} does not exist; a warp has lanes 0 to 31").into());
            };
            let value = one.ok_or_else(|| format!("lane {lane} has no value of `{}`", place.name))?;
            return Ok(Place { name, at: At::Value([Some(value); 32]), ..place });
        }
        let mut place = self.element(&place, &lanes, &mut *run.poll)?;
        place.name = name;
        Ok(place)
    }

    /// The address of a place.
    ///
    /// # Errors
    /// Why there is none.
    fn address_of(&self, of: &Node, run: &mut Run<'_>) -> Result<Place<'a>, Missing> {
        let place = self.place(of, &source(of), run)?;
        let name = &place.name;
        if place.bits.is_some() {
            return Err(format!("`{name}` is a bit field, which has no address").into());
        }
        let At::Memory(space, addresses) = place.at else {
            let hint = match self.view(place.ty) {
                View::Pointer(..) => format!("; `print {name}` prints where it points"),
                _ => String::new(),
            };
            return Err(format!("`{name}` is in registers, so it has no address{hint}").into());
        };
        let ty = match place.ty {
            Ty::Of(id) | Ty::ToType(id, _) => Ty::ToType(id, space),
            Ty::Number(ty) | Ty::Elements(ty, _) | Ty::ToNumber(ty, _) => Ty::ToNumber(ty, space),
        };
        Ok(Place::value(&format!("&{name}"), ty, addresses))
    }

    /// `&&` or `||`.
    ///
    /// # Errors
    /// Why there is none.
    fn logical(
        &self,
        (left, right): (&Node, &Node),
        is_and: bool,
        text: &str,
        run: &mut Run<'_>,
    ) -> Result<Place<'a>, Missing> {
        let (ty, first) = self.value(left, run)?;
        let first = first.map(|bits| bits.map(|bits| truth(ty, bits)));
        // The second operand counts where the first one does not decide.
        let decides = |one: &Option<bool>| *one == Some(!is_and);
        let is_open = (0..32).any(|lane| self.active() >> lane & 1 == 1 && !decides(&first[lane]));
        let second = if is_open {
            let (ty, second) = self.value(right, run)?;
            second.map(|bits| bits.map(|bits| truth(ty, bits)))
        } else {
            [None; 32]
        };
        let one = |lane: usize| match first[lane] {
            Some(known) if known != is_and => Some(known),
            Some(_) => second[lane],
            None => None,
        };
        Ok(Place::value(
            text,
            Ty::Number(ScalarType::S32),
            std::array::from_fn(|lane| one(lane).map(u64::from)),
        ))
    }

    /// `condition ? first : second`.
    ///
    /// # Errors
    /// Why there is none.
    fn choice(&self, parts: &[Node; 3], text: &str, run: &mut Run<'_>) -> Result<Place<'a>, Missing> {
        let [condition, first, second] = parts;
        let (ty, decided) = self.value(condition, run)?;
        let ((a, first), (b, second)) = (self.value(first, run)?, self.value(second, run)?);
        let common = common(a, b);
        let one = |lane: usize| {
            if truth(ty, decided[lane]?) {
                first[lane].map(|bits| convert(a, common, bits))
            } else {
                second[lane].map(|bits| convert(b, common, bits))
            }
        };
        Ok(Place::value(text, Ty::Number(common), std::array::from_fn(one)))
    }

    /// A value as another type.
    ///
    /// # Errors
    /// Why there is none.
    fn cast(&self, named: Named, of: &Node, text: &str, run: &mut Run<'_>) -> Result<Place<'a>, Missing> {
        let place = self.place(of, &source(of), run)?;
        let (from, lanes) = self.number(&place, run)?;
        let to = |ty| lanes.map(|bits| bits.map(|bits| convert(from, ty, bits)));
        Ok(match named {
            Named::Number(ty) => Place::value(text, Ty::Number(ty), to(ty)),
            Named::Pointer(ty, space) => {
                let of_pointer = || match self.view(place.ty) {
                    View::Pointer(_, _, Some(space)) => Ok(space),
                    View::Pointer(..) => self.pointee(&place, &lanes),
                    View::Array(..) => match place.at {
                        At::Memory(space, _) => Ok(space),
                        _ => Ok(self.memory()),
                    },
                    _ => Ok(self.memory()),
                };
                let space = space.map_or_else(of_pointer, Ok)?;
                Place::value(text, Ty::ToNumber(ty, space), to(ScalarType::U64))
            }
        })
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

impl<'a, S: Scope<'a> + ?Sized> Evaluate<'a> for S {}

/// The text of a part of an expression, for messages.
fn source(node: &Node) -> String {
    match node {
        Node::Name(name) => name.clone(),
        Node::Number(ty, bits) => Reading::of_type(*ty, None).natural().text(*bits),
        Node::Index(of, _, index) => format!("{}[{index}]", source(of)),
        Node::Member(of, name, is_arrow) => {
            format!("{}{}{name}", source(of), if *is_arrow { "->" } else { "." })
        }
        Node::At(of) => format!("*{}", source(of)),
        Node::Address(of) => format!("&{}", source(of)),
        Node::Sign(sign, of) => format!("{}{}", sign.text(), source(of)),
        Node::Operation(how, a, b) => format!("({} {} {})", source(a), how.text(), source(b)),
        Node::Choice(parts) => {
            let [condition, first, second] = &**parts;
            format!("({} ? {} : {})", source(condition), source(first), source(second))
        }
        Node::Cast(named, of) => format!("({}){}", named.text(), source(of)),
        Node::Size(of) => format!("sizeof({})", source(of)),
        Node::SizeOfType(named) => format!("sizeof({})", named.text()),
    }
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
