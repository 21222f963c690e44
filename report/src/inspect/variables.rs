//! Variables of CUDA C: which ones a line sees, and their values in the lanes of a warp.
//!
//! A variable has the value of the last instruction that computed one for it. The optimizer moves
//! instructions, and some assignments have none of their own: each value has the line of its
//! assignment, and a note says which lines assign the variable without an instruction. `-O0` keeps
//! all of them.

use super::values::{Format, Reading, bits};
use super::{Fact, Scene};
use crate::words::Words;
use isa::sreg::SReg;
use isa::types::ScalarType;
use isa::variables::{Field, Local, Type, TypeId, Variables};
use sim_core::debug::{LastValue, Part, Poll, Session, WarpView};

/// Elements of an array that are printed without `@N`.
const ELEMENTS: u64 = 16;

/// Largest number of characters of an expression.
const LONGEST: usize = 200;

/// Values of the 32 lanes of a warp; `None` for a lane without one.
pub type Lanes = [Option<u64>; 32];

/// A value of a variable, or a part of it, in each lane of a warp.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// Expression, such as `tile[ty][3]`.
    pub name: String,
    /// How the bits are read.
    pub reading: Reading,
    /// Bits by lane.
    pub lanes: Lanes,
    /// What to know about the value.
    pub notes: Vec<String>,
}

/// Memory of variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Space {
    Shared,
    Global,
    Constant,
    Local,
}

/// Where a place is.
#[expect(clippy::large_enum_variant, reason = "few places exist at a time")]
#[derive(Clone, Copy, Debug)]
enum At<'a> {
    /// In registers, at an offset of the variable.
    Local(&'a Local, u64),
    /// In memory, with the address in each lane.
    Memory(Space, Lanes),
}

/// A place in a program.
#[derive(Clone, Debug)]
struct Place<'a> {
    name: String,
    ty: TypeId,
    /// Lowest bit and number of bits of a bit field.
    bits: Option<(u8, u8)>,
    at: At<'a>,
}

/// The variables that the warp in focus sees.
pub struct Sight<'a, 's> {
    session: &'a Session<'s>,
    words: &'a Words,
    warp: &'a WarpView,
    all: &'a Variables,
    /// File and line of CUDA C of the warp.
    file: String,
    line: u32,
    /// Line of the PTX for each instruction.
    ptx_lines: Vec<u32>,
}

impl<'a, 's> Sight<'a, 's> {
    /// Returns what a warp sees; `None` if the program has no variables of CUDA C.
    pub fn new(session: &'a Session<'s>, words: &'a Words, warp: &'a WarpView) -> Option<Self> {
        let program = session.program();
        let all: &Variables = program.ptx.variables();
        if all.types.is_empty() {
            return None;
        }
        let ptx_lines = program.ptx_lines().into_owned();
        // Before its first line, a function reads its parameters.
        let origin = |line: &u32| program.ptx.files().origin(*line);
        let here = ptx_lines.get(warp.pc as usize).and_then(origin);
        let here = here.or_else(|| ptx_lines.iter().skip(warp.pc as usize).find_map(origin));
        let (file, line) = here.map_or_else(Default::default, |at| (at.file.to_owned(), at.line));
        Some(Self { session, words, warp, all, file, line, ptx_lines })
    }

    /// Whether a variable belongs to the kernel or to one of its functions.
    fn is_of_program(&self, local: &Local) -> bool {
        let program = self.session.program();
        local.function == program.name || program.functions.iter().any(|one| one.name == local.function)
    }

    /// Returns the names of the variables of functions that the current line sees, in the order of
    /// their declarations.
    pub fn names(&self) -> Vec<&'a str> {
        let mut names: Vec<&str> = Vec::new();
        for local in self.all.locals.iter().filter(|local| self.sees(local)) {
            if !names.contains(&&*local.name) {
                names.push(&local.name);
            }
        }
        names
    }

    fn sees(&self, local: &Local) -> bool {
        let (first, last) = local.scope;
        self.is_of_program(local) && local.file == self.file && (first..=last).contains(&self.line)
    }

    /// Returns the variables of functions with a name, copies of an inlined function side by side:
    /// those that the current line sees in the innermost scope. If it sees none, which is so in an
    /// inlined function for the variables of its caller, those of other lines.
    fn locals(&self, name: &str) -> Vec<&'a Local> {
        let of_name = self.all.locals.iter().filter(|local| local.name == name && self.is_of_program(local));
        let seen: Vec<&Local> = of_name.clone().filter(|local| self.sees(local)).collect();
        if seen.is_empty() {
            return of_name.collect();
        }
        let inner = seen.iter().map(|local| local.scope.0).max();
        seen.into_iter().filter(|local| Some(local.scope.0) == inner).collect()
    }

    /// Evaluates an expression, such as `i`, `p.x`, `tile[threadIdx.y][3]`, `*p` or `a[i]@8`.
    /// Returns `None` if its first name is no variable of CUDA C.
    ///
    /// # Errors
    /// Why it has no value.
    pub fn evaluate(
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

    /// The variable of a name.
    fn base(&self, name: &str, poll: Poll<'_>) -> Option<Result<Place<'a>, String>> {
        let locals = self.locals(name);
        let place = |space, address: u32, ty| {
            let at = At::Memory(space, [Some(address.into()); 32]);
            Ok(Place { name: name.to_owned(), ty, bits: None, at })
        };
        let program = self.session.program();
        if let Some(first) = locals.first() {
            let latest = if locals.len() == 1 { first } else { self.latest(&locals, poll) };
            let Some(symbol) = &latest.memory else {
                let (name, at) = (name.to_owned(), At::Local(latest, 0));
                return Some(Ok(Place { name, ty: latest.ty, bits: None, at }));
            };
            return Some(match program.local.iter().find(|one| one.name == *symbol) {
                Some(found) if latest.function == program.name => {
                    place(Space::Local, found.offset, latest.ty)
                }
                _ => Err(format!("`{name}` is in the stack of a function, which `print` does not show")),
            });
        }
        let symbol = self.all.symbols.iter().find(|symbol| symbol.name == name)?;
        let place = |space, address| place(space, address, symbol.ty);
        if let Some(found) = program.shared.iter().find(|one| one.name == symbol.symbol) {
            return Some(place(Space::Shared, found.offset));
        }
        if let Some(found) = program.consts.iter().find(|one| one.name == symbol.symbol) {
            return Some(place(Space::Constant, found.offset));
        }
        let global =
            self.session.allocations().iter().find(|one| one.name.as_deref() == Some(&symbol.symbol));
        Some(match global {
            Some(found) => place(Space::Global, found.start),
            None => Err(format!("`{name}` is not used by this kernel")),
        })
    }

    /// The copy of an inlined function's variable that was written last.
    fn latest(&self, locals: &[&'a Local], poll: Poll<'_>) -> &'a Local {
        let time = |local: &&&Local| self.written(local, 0, poll).map_or(0, |found| found.parts[0].cycle + 1);
        locals.iter().max_by_key(time).expect("there is a variable")
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

    fn member(&self, place: &Place<'a>, name: &str, sign: &str) -> Result<Place<'a>, String> {
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
            ty,
            bits,
            at: moved(&place.at, &[Some(offset); 32]),
        })
    }

    /// An element of an array, or behind a pointer.
    fn element(&self, place: &Place<'a>, index: &Lanes, poll: Poll<'_>) -> Result<Place<'a>, String> {
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
        Ok(Place { name, ty, bits: None, at: moved(&at, &bytes) })
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

    /// The values of a place: one, or those of its members or elements.
    fn shown(&self, place: &Place<'a>, format: Option<Format>, poll: Poll<'_>) -> Result<Vec<Shown>, String> {
        let parts: Vec<Place<'a>> = match self.all.get(place.ty) {
            Type::Struct(fields, _) => {
                let named = fields.iter().filter(|field| !field.name.is_empty());
                named.map(|field| self.member(place, &field.name, ".")).collect::<Result<_, _>>()?
            }
            Type::Array(element, count) => {
                // Rows of a matrix are long enough one by one.
                let is_row = matches!(self.all.get(*element), Type::Array(..));
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
        let more =
            self.all.bytes(place.ty) / self.all.bytes(parts.first().map_or(place.ty, |part| part.ty)).max(1);
        let is_cut = more > parts.len() as u64 || all.len() as u64 > ELEMENTS;
        if let (true, Type::Array(..)) = (is_cut, self.all.get(place.ty)) {
            all.truncate(ELEMENTS as usize);
            if let Some(last) = all.last_mut() {
                last.notes.push(format!("`{}` has more elements: `@N` prints N of them", place.name));
            }
        }
        Ok(all)
    }

    /// Elements one after the other, from a place on.
    fn consecutive(
        &self,
        place: &Place<'a>,
        count: u64,
        format: Option<Format>,
        poll: Poll<'_>,
    ) -> Result<Vec<Shown>, String> {
        if matches!(place.at, At::Local(..)) {
            return Err(format!("`{}` is in registers: `@` needs a place in memory", place.name));
        }
        let size = self.all.bytes(place.ty);
        let mut all = Vec::new();
        for at in 0..count {
            let at_place = moved(&place.at, &[Some(at * size); 32]);
            let name = behind(&place.name, at);
            all.extend(self.shown(&Place { name, ty: place.ty, bits: None, at: at_place }, format, poll)?);
        }
        Ok(all)
    }

    fn scalar(&self, place: &Place<'a>, format: Option<Format>, poll: Poll<'_>) -> Result<Shown, String> {
        let mut shown = self.whole(place, format, poll)?;
        if let Some((low, width)) = place.bits {
            shown.lanes = shown.lanes.map(|bits| bits.map(|bits| field(shown.reading.ty, bits, low, width)));
        }
        Ok(shown)
    }

    /// The value of a scalar, of a bit field with the bits beside it.
    fn whole(&self, place: &Place<'a>, format: Option<Format>, poll: Poll<'_>) -> Result<Shown, String> {
        let (ty, is_pointer) = match self.all.get(place.ty) {
            Type::Scalar(ty) => (*ty, false),
            Type::Bool => (ScalarType::U8, false),
            Type::Pointer(_, 8) => (ScalarType::U64, true),
            _ => (ScalarType::U32, true),
        };
        let format = format.or(is_pointer.then_some(Format::Hex));
        let reading = Reading::of_type(ty, format).natural();
        let name = place.name.clone();
        match &place.at {
            At::Memory(space, addresses) => {
                let read = |lane: usize| {
                    let address = u32::try_from(addresses[lane]?).ok()?;
                    self.read(*space, lane, address, ty.bytes()).map(|bits| extended(ty, bits))
                };
                let lanes: Lanes = std::array::from_fn(read);
                if lanes == [None; 32] {
                    let address = addresses.iter().flatten().next().copied().unwrap_or(0);
                    return Err(format!("`{name}` is at {address:#x}, which is in no allocation"));
                }
                Ok(Shown { name, reading, lanes, notes: Vec::new() })
            }
            At::Local(local, offset) => self.register(local, *offset as u32, (name, reading), poll),
        }
    }

    /// Instructions and registers that write the parts of a variable whose offsets are wanted.
    fn writes<'b>(
        &self,
        local: &'b Local,
        wanted: impl Fn(u32) -> bool,
    ) -> impl Iterator<Item = (u32, &'b str)> {
        let names = self.session.names();
        local.writes.iter().filter(move |write| wanted(write.offset)).flat_map(move |write| {
            let at_line = |pc: &u32| self.ptx_lines[*pc as usize] == write.line;
            names.writers(&write.register).filter(at_line).map(|pc| (pc, &*write.register))
        })
    }

    /// The value that a kernel's parameter gives to a variable.
    fn parameter(&self, local: &Local, offset: u32, ty: ScalarType) -> Option<u64> {
        let parameter = local.parameter.as_ref()?;
        let index = self.session.program().params.iter().position(|one| one.name == *parameter)?;
        let bytes = self.session.param(index)?.get(offset as usize..)?;
        Some(extended(ty, bits(bytes.get(..ty.bytes() as usize)?)))
    }

    /// The last write of a part of a variable.
    fn written(&self, local: &Local, offset: u32, poll: Poll<'_>) -> Option<LastValue> {
        let writes: Vec<_> = self.writes(local, |at| at == offset).collect();
        let wanted = |pc: u32, name: &str| writes.contains(&(pc, name));
        self.session
            .last_value_of(self.warp.sm, self.warp.slot, &wanted, poll)
            .filter(|found| !found.parts.is_empty())
    }

    /// The first line of those that wrote a value.
    fn oldest(&self, found: &LastValue) -> Option<u32> {
        let files = self.session.program().ptx.files();
        let line = |part: &Part| files.origin(self.ptx_lines[part.pc as usize]).map(|origin| origin.line);
        found.parts.iter().filter_map(line).min()
    }

    /// A part of a variable in registers.
    fn register(
        &self,
        local: &Local,
        offset: u32,
        (name, reading): (String, Reading),
        poll: Poll<'_>,
    ) -> Result<Shown, String> {
        let mut lanes: Lanes = [None; 32];
        let mut notes = Vec::new();
        let found = self.written(local, offset, poll);
        if let Some(found) = &found {
            for lane in (0..32).filter(|lane| found.lanes >> lane & 1 == 1) {
                lanes[lane] = Some(extended(reading.ty, found.values[lane]));
            }
            for part in &found.parts {
                let place = self.words.place(part.pc);
                if part.is_pending {
                    notes.push(format!("`{name}` is pending in memory: loaded by line {place}"));
                } else if part.is_lost() {
                    notes.push(format!("the value of line {place} exists only within its fused instruction"));
                } else if part.overwritten.is_some() {
                    notes.push(format!("last value, of line {place}: its register was reused"));
                }
            }
            notes.dedup();
        }
        // Lanes without a write have the value of the parameter.
        let parameter = self.parameter(local, offset, reading.ty);
        if let Some(value) = parameter {
            let is_written = |lane: usize| {
                found.as_ref().is_some_and(|found| found.parts.iter().any(|part| part.lanes >> lane & 1 == 1))
            };
            for (lane, bits) in lanes.iter_mut().enumerate().filter(|(lane, _)| !is_written(*lane)) {
                debug_assert!(bits.is_none(), "lane {lane} has a value");
                *bits = Some(value);
            }
        }
        let mut lines: Vec<(u32, Option<u64>)> = Vec::new();
        let written = found.as_ref().and_then(|found| self.oldest(found));
        // A line outside of the scope is in another function.
        let now = if self.sees(local) { self.line } else { u32::MAX };
        for one in local.later(offset, written, now) {
            match lines.last_mut().filter(|(line, _)| *line == one.line) {
                // A line with several assignments.
                Some(last) => last.1 = None,
                None => lines.push((one.line, one.constant)),
            }
        }
        let line = |(line, constant): &(u32, Option<u64>)| match constant {
            Some(bits) => format!("{line} ({})", reading.text(extended(reading.ty, *bits))),
            None => line.to_string(),
        };
        let lines: Vec<String> = lines.iter().map(line).collect();
        let (first, last) = local.scope;
        if !self.sees(local) {
            notes.push(format!("`{name}` of lines {first} to {last}, which the current line does not see"));
        }
        let is_empty = lanes.iter().all(Option::is_none);
        if !lines.is_empty() {
            let noun = if lines.len() == 1 { "line" } else { "lines" };
            let verb = if lines.len() == 1 { "assigns" } else { "assign" };
            let separate = if is_empty { "an" } else { "a separate" };
            notes.push(format!(
                "{noun} {} {verb} `{name}` without {separate} instruction; -O0 keeps one",
                lines.join(", ")
            ));
        }
        if is_empty && lines.is_empty() && found.is_none() {
            return Err(format!("no instruction has written a value of `{name}` yet"));
        }
        if is_empty {
            return Err(notes.join("; "));
        }
        Ok(Shown { name, reading, lanes, notes })
    }

    /// Bits of a value in memory.
    fn read(&self, space: Space, lane: usize, address: u32, bytes: u32) -> Option<u64> {
        match space {
            Space::Shared => {
                let memory = self.session.shared(self.warp.block)?;
                memory.get(address as usize..address.checked_add(bytes)? as usize).map(bits)
            }
            Space::Global => self.session.global(address, bytes).map(|bytes| bits(&bytes)),
            Space::Constant => self.session.constant(address, bytes).map(bits),
            Space::Local => {
                let place = (self.warp.sm, self.warp.slot, lane);
                self.session.local(place, address, bytes).map(|bytes| bits(&bytes))
            }
        }
    }
}

impl Sight<'_, '_> {
    /// Returns the instructions that write a value of a variable.
    ///
    /// # Errors
    /// The line sees no such variable, or no instruction writes it.
    pub fn writers(&self, name: &str) -> Result<Vec<u32>, String> {
        let locals = self.locals(name);
        if locals.is_empty() {
            return Err(format!("this line sees no variable `{name}`"));
        }
        let all = locals.iter().flat_map(|local| self.writes(local, |_| true)).map(|(pc, _)| pc);
        let all: Vec<u32> = all.collect();
        if all.is_empty() { Err(format!("no instruction writes `{name}`; -O0 keeps one")) } else { Ok(all) }
    }

    /// Returns how the bits of a scalar variable are read, and its values in the registers now;
    /// without any, those of the parameter.
    pub fn current(&self, name: &str) -> Option<(ScalarType, Lanes)> {
        let locals = self.locals(name);
        let ty = match self.all.get(locals.first()?.ty) {
            Type::Scalar(ty) => *ty,
            Type::Bool => ScalarType::U8,
            Type::Pointer(_, 8) => ScalarType::U64,
            Type::Pointer(..) => ScalarType::U32,
            Type::Void | Type::Array(..) | Type::Struct(..) => return None,
        };
        let writes: Vec<_> = locals.iter().flat_map(|local| self.writes(local, |_| true)).collect();
        let (sm, slot) = (self.warp.sm, self.warp.slot);
        let mut held = self.session.registers(sm, slot);
        held.retain(|one| one.name.as_deref().is_some_and(|name| writes.contains(&(one.pc, name))));
        held.sort_by_key(|one| one.cycle);
        let mut lanes = [locals.iter().find_map(|local| self.parameter(local, 0, ty)); 32];
        for one in held {
            let row = self.session.row(sm, slot, one.kind, one.row)?;
            for lane in (0..32).filter(|lane| one.lanes >> lane & 1 == 1) {
                lanes[lane] = Some(extended(ty, row[lane]));
            }
        }
        Some((ty, lanes))
    }
}

impl Shown {
    /// Returns the value of a lane as text; `-` for a lane without one.
    pub fn text(&self, lane: usize) -> String {
        self.lanes[lane].map_or_else(|| "-".to_owned(), |bits| self.reading.text(bits))
    }
}

/// Name of the place so many elements behind another.
fn behind(name: &str, elements: u64) -> String {
    let index = name.strip_suffix(']').and_then(|text| text.rsplit_once('['));
    match index.and_then(|(array, index)| Some((array, index.parse::<u64>().ok()?))) {
        _ if elements == 0 => name.to_owned(),
        Some((array, index)) => format!("{array}[{}]", index + elements),
        None => match name.strip_prefix('*') {
            Some(pointer) => format!("*({pointer} + {elements})"),
            None => format!("{name} + {elements}"),
        },
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
pub fn special(name: &str) -> Option<SReg> {
    let (base, component) = name.split_once('.')?;
    let (_, register) = BUILT_IN.iter().find(|(variable, _)| *variable == base)?;
    let wanted = format!("{register}.{component}");
    SReg::ALL.iter().find(|(known, _)| *known == wanted).map(|(_, register)| *register)
}

/// Built-in variables of CUDA C, and the special registers with their components.
pub const BUILT_IN: [(&str, &str); 4] =
    [("threadIdx", "%tid"), ("blockIdx", "%ctaid"), ("blockDim", "%ntid"), ("gridDim", "%nctaid")];

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

/// A place so many bytes behind another.
fn moved<'a>(at: &At<'a>, bytes: &Lanes) -> At<'a> {
    match *at {
        At::Local(local, offset) => At::Local(local, offset.wrapping_add(bytes[0].unwrap_or(0))),
        At::Memory(space, mut addresses) => {
            for (address, bytes) in addresses.iter_mut().zip(bytes) {
                *address = address.zip(*bytes).map(|(address, bytes)| address.wrapping_add(bytes));
            }
            At::Memory(space, addresses)
        }
    }
}

/// Bits of a small integer as those of its register.
fn extended(ty: ScalarType, bits: u64) -> u64 {
    match ty {
        ScalarType::S8 => bits as u8 as i8 as i32 as u32 as u64,
        ScalarType::S16 => bits as u16 as i16 as i32 as u32 as u64,
        ScalarType::U8 => bits as u8 as u64,
        ScalarType::U16 => bits as u16 as u64,
        _ if ty.bytes() == 4 => bits as u32 as u64,
        _ => bits,
    }
}

/// The value of a bit field in the bits of its integer.
fn field(ty: ScalarType, bits: u64, low: u8, width: u8) -> u64 {
    let above = 64 - u32::from(width);
    let moved = bits >> low << above;
    let is_signed = matches!(ty, ScalarType::S8 | ScalarType::S16 | ScalarType::S32 | ScalarType::S64);
    extended(ty, if is_signed { (moved as i64 >> above) as u64 } else { moved >> above })
}

/// An integer with its sign in 64 bits.
fn signed(ty: ScalarType, bits: u64) -> u64 {
    match ty {
        ScalarType::S8 | ScalarType::S16 | ScalarType::S32 => bits as u32 as i32 as i64 as u64,
        _ => bits,
    }
}

impl Scene<'_, '_> {
    /// Variables of CUDA C in the lane in focus.
    pub(super) fn locals(&self) -> Fact {
        self.of_warp("locals", |scene, warp| {
            let Some(sight) = Sight::new(scene.session, scene.words, warp) else {
                return Fact::words("locals", "The program has no variables of CUDA C.");
            };
            let lane = scene.focus.lane as usize;
            let poll: Poll<'_> = &mut |_| std::ops::ControlFlow::Continue(());
            let mut rows = Vec::new();
            for name in sight.names() {
                let row = |name: &str, value: String, note: String| {
                    let cells = vec![
                        Fact::words("variable", name),
                        Fact::words("value", value),
                        Fact::words("", note),
                    ];
                    Fact::row(name, cells)
                };
                match sight.evaluate(name, None, poll) {
                    Some(Ok(all)) => {
                        rows.extend(
                            all.iter().map(|one| row(&one.name, one.text(lane), one.notes.join("; "))),
                        );
                    }
                    Some(Err(why)) => rows.push(row(name, "-".to_owned(), why)),
                    None => {}
                }
            }
            if rows.is_empty() {
                return Fact::words("locals", "No variable is declared here.");
            }
            Fact::group("locals", format!("Variables of lane {lane}:"), rows)
        })
    }
}
