//! Variables of CUDA C: which ones a line sees, and their values in the lanes of a warp.
//!
//! A variable has the value of the last instruction that computed one for it. The optimizer moves
//! instructions, and some assignments have none of their own: each value has the line of its
//! assignment, and a note says which lines assign the variable without an instruction. `-O0` keeps
//! all of them.

mod expression;
mod held;

pub use held::missed;

use super::values::{Format, Reading, bits};
use super::{Fact, Scene};
use crate::mangled;
use crate::words::Words;
use isa::types::ScalarType;
use isa::uop::{ConstValue, FunctionCode, Op, OperandKind};
use isa::variables::{Local, Type, TypeId, Variables};
use sim_core::debug::{Poll, Session, WarpView};
use std::ops::ControlFlow;

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
    /// Type as C writes it; empty for a part of a variable.
    pub c_type: String,
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
    /// Type as C writes it; empty for a part of a variable.
    c_type: &'a str,
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
        let place = |space, address: u32, ty, c_type: &'a str| {
            let at = At::Memory(space, [Some(address.into()); 32]);
            Ok(Place { name: name.to_owned(), c_type, ty, bits: None, at })
        };
        let program = self.session.program();
        if let Some(first) = locals.first() {
            let latest = if locals.len() == 1 { first } else { self.latest(&locals, poll) };
            let Some(symbol) = &latest.memory else {
                let (name, at) = (name.to_owned(), At::Local(latest, 0));
                return Some(Ok(Place { name, c_type: &latest.c_type, ty: latest.ty, bits: None, at }));
            };
            return Some(self.in_local_memory(latest, symbol).map(|addresses| {
                let at = At::Memory(Space::Local, addresses);
                Place { name: name.to_owned(), c_type: &latest.c_type, ty: latest.ty, bits: None, at }
            }));
        }
        let symbol = self.all.symbols.iter().find(|symbol| symbol.name == name)?;
        let place = |space, address| place(space, address, symbol.ty, &symbol.c_type);
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

    /// The function that has a variable; `None` for the kernel.
    fn function(&self, local: &Local) -> Option<&'a FunctionCode> {
        let functions = &self.session.program().functions;
        functions.iter().find(|one| one.name == local.function)
    }

    /// Whether the warp has not returned from a function.
    fn is_active(&self, function: &FunctionCode) -> bool {
        let is_inside = |pc: u32| (function.start..function.end).contains(&pc);
        self.warp.stack.iter().any(|entry| is_inside(entry.pc))
    }

    /// The address of a variable in local memory.
    fn in_local_memory(&self, local: &Local, symbol: &str) -> Result<Lanes, String> {
        let program = self.session.program();
        let name = &local.name;
        let missing = || format!("`{name}` is not used by this kernel");
        let Some(function) = self.function(local) else {
            let found = program.local.iter().find(|one| one.name == *symbol).ok_or_else(missing)?;
            return Ok([Some(found.offset.into()); 32]);
        };
        let (_, offset) = function.local.iter().find(|(name, _)| name == symbol).ok_or_else(missing)?;
        let Some(row) = function.frame else { return Ok([Some((*offset).into()); 32]) };
        if !(function.start..function.end).contains(&self.warp.pc) {
            let function = mangled::plain(&function.name);
            return Err(format!("`{name}` is in the stack of `{function}`, which the warp does not run now"));
        }
        let frame = self.session.row(self.warp.sm, self.warp.slot, OperandKind::W, row);
        let frame = frame.ok_or_else(missing)?;
        let offset = offset.wrapping_sub(self.moved_in_call(row));
        let address = |lane: usize| u64::from((frame[lane] as u32).wrapping_add(offset));
        Ok(std::array::from_fn(|lane| (self.warp.active >> lane & 1 == 1).then(|| address(lane))))
    }

    /// The bytes by which an unfinished call has moved the address of the stack frame in a row.
    fn moved_in_call(&self, row: u16) -> u32 {
        let program = self.session.program();
        let span = program.spans.get(self.warp.pc as usize);
        let mut moved = 0u32;
        for (pc, inst) in program.code.iter().enumerate().take(self.warp.pc as usize) {
            if program.spans.get(pc) != span || !inst.dsts().any(|dst| dst == (OperandKind::W, row)) {
                continue;
            }
            let bytes =
                inst.src[1].checked_sub(program.rows.w).and_then(|at| program.const32.get(at as usize));
            let Some(ConstValue::Bits(bytes)) = bytes else { continue };
            match inst.op {
                Op::AddB32 => moved = moved.wrapping_add(*bytes as u32),
                Op::SubB32 => moved = moved.wrapping_sub(*bytes as u32),
                _ => {}
            }
        }
        moved
    }

    /// The copy of an inlined function's variable that was written last.
    fn latest(&self, locals: &[&'a Local], poll: Poll<'_>) -> &'a Local {
        let time = |local: &&&Local| self.written(local, 0, poll).map_or(0, |found| found.parts[0].cycle + 1);
        locals.iter().max_by_key(time).expect("there is a variable")
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
            let part = Place { name, c_type: "", ty: place.ty, bits: None, at: at_place };
            all.extend(self.shown(&part, format, poll)?);
        }
        Ok(all)
    }

    fn scalar(&self, place: &Place<'a>, format: Option<Format>, poll: Poll<'_>) -> Result<Shown, String> {
        let mut shown = self.whole(place, format, poll)?;
        place.c_type.clone_into(&mut shown.c_type);
        if let Some((low, width)) = place.bits {
            shown.lanes = shown.lanes.map(|bits| bits.map(|bits| field(shown.reading.ty, bits, low, width)));
        }
        Ok(shown)
    }

    /// The value of a scalar, of a bit field with the bits beside it.
    fn whole(&self, place: &Place<'a>, format: Option<Format>, poll: Poll<'_>) -> Result<Shown, String> {
        let ty = self.all.get(place.ty);
        let format = format.or(matches!(ty, Type::Pointer(..)).then_some(Format::Hex));
        let ty = scalar_type(ty).ok_or_else(|| format!("`{}` is no scalar", place.name))?;
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
                Ok(Shown { name, c_type: String::new(), reading, lanes, notes: Vec::new() })
            }
            At::Local(local, offset) => self.register(local, *offset as u32, (name, reading), poll),
        }
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

impl Shown {
    /// Returns the bits of a value in the format of its type; `-` for a lane without one.
    pub fn plain(&self, bits: Option<u64>) -> String {
        bits.map_or_else(|| "-".to_owned(), |bits| self.reading.natural().text(bits))
    }

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

/// Built-in variables of CUDA C, and the special registers with their components.
pub const BUILT_IN: [(&str, &str); 4] =
    [("threadIdx", "%tid"), ("blockIdx", "%ctaid"), ("blockDim", "%ntid"), ("gridDim", "%nctaid")];

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

/// The type of PTX in which a scalar is in memory.
fn scalar_type(ty: &Type) -> Option<ScalarType> {
    match ty {
        Type::Scalar(ty) => Some(*ty),
        Type::Bool => Some(ScalarType::U8),
        Type::Pointer(_, 8) => Some(ScalarType::U64),
        Type::Pointer(..) => Some(ScalarType::U32),
        Type::Void | Type::Array(..) | Type::Struct(..) => None,
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

impl Scene<'_, '_> {
    /// Variables of CUDA C in the lane in focus.
    pub(super) fn locals(&self) -> Fact {
        self.of_warp("locals", |scene, warp| {
            let Some(sight) = Sight::new(scene.session, scene.words, warp) else {
                return Fact::words("locals", "The program has no variables of CUDA C.");
            };
            let lane = scene.focus.lane as usize;
            let poll: Poll<'_> = &mut |_| ControlFlow::Continue(());
            let mut rows = Vec::new();
            for name in sight.names() {
                let row = |name: &str, c_type: &str, value: String, note: String| {
                    let cells = vec![
                        Fact::words("variable", name),
                        Fact::words("type", c_type),
                        Fact::words("value", value),
                        Fact::words("", note),
                    ];
                    Fact::row(name, cells)
                };
                match sight.evaluate(name, None, poll) {
                    Some(Ok(all)) => {
                        rows.extend(
                            all.iter()
                                .map(|one| row(&one.name, &one.c_type, one.text(lane), one.notes.join("; "))),
                        );
                    }
                    Some(Err(why)) => rows.push(row(name, "", "-".to_owned(), why)),
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
