//! Variables of CUDA C: which ones a line sees, and their values in the lanes of a warp.
//!
//! A variable has the value of the last instruction that computed one for it. The optimizer moves
//! instructions, and some assignments have none of their own: each value has the line of its
//! assignment, and a note says which lines assign the variable without an instruction. `-O0` keeps
//! all of them.

mod arithmetic;
mod evaluate;
mod expression;
mod held;
mod named;
mod scope;
mod syntax;

pub use evaluate::{never, special};
pub use expression::Expressions;
pub use held::missed;
pub use named::{is_known, known_names};
pub use scope::{Missing, Scope};
pub use syntax::{Expression, Node};

use super::values::{Format, Reading, bits};
use super::{Fact, Scene};
use crate::mangled;
use crate::words::Words;
use isa::types::ScalarType;
use isa::uop::{ConstValue, FunctionCode, Op, OperandKind};
use isa::variables::{Local, Type, TypeId, Variables};
use sim_core::debug::{Poll, Session, WarpView};
use std::borrow::Cow;

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
    /// Notes about the value.
    pub notes: Vec<String>,
    /// Why the program may compute with another value: a later assignment has no instruction.
    pub doubt: Option<String>,
}

/// A type of a place: one of the program, or one that an expression makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ty {
    /// A type of the program.
    Of(TypeId),
    /// A number.
    Number(ScalarType),
    /// An array of so many numbers.
    Elements(ScalarType, u64),
    /// A pointer to a type of the program in a memory.
    ToType(TypeId, Space),
    /// A pointer to a number in a memory.
    ToNumber(ScalarType, Space),
}

/// Memory of variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// Shared memory of a block.
    Shared,
    /// Global memory.
    Global,
    /// Constant memory.
    Constant,
    /// Local memory of a thread.
    Local,
    /// Memory of the host.
    Host,
}

impl Space {
    /// Returns the word that CUDA-GDB puts before the type of a pointer into the memory.
    pub fn qualifier(self) -> &'static str {
        match self {
            Self::Shared => "@shared ",
            Self::Global => "@global ",
            Self::Constant => "@constant ",
            Self::Local => "@local ",
            Self::Host => "",
        }
    }
}

/// Where a place is.
#[derive(Clone, Copy, Debug)]
pub enum At<'a> {
    /// In registers, at an offset of the variable.
    Local(&'a Local, u64),
    /// In memory, with the address in each lane.
    Memory(Space, Lanes),
    /// Nowhere else: the bits in each lane.
    Value(Lanes),
    /// As [`Value`](Self::Value), of a register: an index behind its name is a lane.
    Lanes(Lanes),
}

/// A place in a program.
#[derive(Clone, Debug)]
pub struct Place<'a> {
    /// Expression.
    pub name: String,
    /// Type as C writes it; empty for a part of a variable.
    pub c_type: &'a str,
    /// Type.
    pub ty: Ty,
    /// Lowest bit and number of bits of a bit field.
    pub bits: Option<(u8, u8)>,
    /// Where it is.
    pub at: At<'a>,
    /// Notes about the value.
    pub notes: Vec<String>,
}

impl<'a> Place<'a> {
    /// Returns a place with a name, and with a type as C writes it.
    pub fn new(name: &str, c_type: &'a str, ty: Ty, at: At<'a>) -> Self {
        Self { name: name.to_owned(), c_type, ty, bits: None, at, notes: Vec::new() }
    }

    /// Returns a computed value.
    #[expect(clippy::large_types_passed_by_value, reason = "it is kept")]
    fn value(name: &str, ty: Ty, lanes: Lanes) -> Self {
        Self::new(name, "", ty, At::Value(lanes))
    }

    /// Returns the value of a register.
    #[expect(clippy::large_types_passed_by_value, reason = "it is kept")]
    fn lanes(name: &str, ty: Ty, lanes: Lanes) -> Self {
        Self::new(name, "", ty, At::Lanes(lanes))
    }
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
    ptx_lines: Cow<'a, [u32]>,
}

impl<'a, 's> Sight<'a, 's> {
    /// Returns what a warp sees: variables of CUDA C, if the program has any, and the registers,
    /// parameters and arrays of PTX.
    pub fn new(session: &'a Session<'s>, words: &'a Words, warp: &'a WarpView) -> Self {
        let program = session.program();
        let all: &Variables = program.ptx.variables();
        let ptx_lines = program.ptx_lines();
        // Before its first line, a function reads its parameters.
        let origin = |line: &u32| program.ptx.files().origin(*line);
        let here = ptx_lines.get(warp.pc as usize).and_then(origin);
        let here = here.or_else(|| ptx_lines.iter().skip(warp.pc as usize).find_map(origin));
        let (file, line) = here.map_or_else(Default::default, |at| (at.file.to_owned(), at.line));
        Self { session, words, warp, all, file, line, ptx_lines }
    }

    /// Whether the program has variables of CUDA C.
    pub fn has_variables(&self) -> bool {
        !self.all.types.is_empty()
    }

    /// Whether a variable belongs to the kernel or to one of its functions.
    fn is_of_program(&self, local: &Local) -> bool {
        let program = self.session.program();
        local.function == program.name || program.functions.iter().any(|one| one.name == local.function)
    }

    /// Returns the names of the parameters of the kernel: those of CUDA C, or of PTX.
    pub fn parameters(&self) -> Vec<&'a str> {
        let program = self.session.program();
        let own =
            self.all.locals.iter().filter(|local| local.parameter.is_some() && self.is_of_program(local));
        let mut names: Vec<&str> = Vec::new();
        for local in own {
            if !names.contains(&&*local.name) {
                names.push(&local.name);
            }
        }
        if names.is_empty() { program.params.iter().map(|param| &*param.name).collect() } else { names }
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

    /// Returns the value of an expression as text.
    ///
    /// # Errors
    /// Why it has no value.
    pub fn evaluate(
        &self,
        expression: &str,
        format: Option<Format>,
        poll: Poll<'_>,
    ) -> Option<Result<Vec<Shown>, String>> {
        self.value_of(expression, format, poll)
    }

    /// The variable of a name.
    fn variable(&self, name: &str, poll: Poll<'_>) -> Option<Result<Place<'a>, String>> {
        let locals = self.locals(name);
        let place = |space, address: u32, ty, c_type: &'a str| {
            let at = At::Memory(space, [Some(address.into()); 32]);
            Ok(Place::new(name, c_type, Ty::Of(ty), at))
        };
        let program = self.session.program();
        if let Some(first) = locals.first() {
            let latest = if locals.len() == 1 { first } else { self.latest(&locals, poll) };
            let Some(symbol) = &latest.memory else {
                return Some(Ok(Place::new(name, &latest.c_type, Ty::Of(latest.ty), At::Local(latest, 0))));
            };
            return Some(self.in_local_memory(latest, symbol).map(|addresses| {
                Place::new(name, &latest.c_type, Ty::Of(latest.ty), At::Memory(Space::Local, addresses))
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

    /// The copy of an inlined function's variable that was written last.
    fn latest(&self, locals: &[&'a Local], poll: Poll<'_>) -> &'a Local {
        let time = |local: &&&Local| self.written(local, 0, poll).map_or(0, |found| found.parts[0].cycle + 1);
        locals.iter().max_by_key(time).expect("there is a variable")
    }
}

impl<'a> Scope<'a> for Sight<'a, '_> {
    fn types(&self) -> &'a Variables {
        self.all
    }

    fn base(&self, name: &str, poll: Poll<'_>) -> Option<Result<Place<'a>, String>> {
        if let Some(register) = self.ptx_register(name, poll) {
            return Some(register);
        }
        self.variable(name, poll).or_else(|| self.ptx_name(name))
    }

    fn built_in(&self, name: &str) -> Option<Result<Lanes, String>> {
        if name == "$pc" {
            return Some(Ok([Some(self.warp.pc.into()); 32]));
        }
        let [(_, register)] = special(name)[..] else { return None };
        let values = self.session.special(self.warp.sm, self.warp.slot, register);
        let values = values.ok_or_else(|| format!("`{name}` changes with time; `where` prints the cycle"));
        Some(values.map(|values| values.map(|value| Some(value.into()))))
    }

    fn active(&self) -> u32 {
        self.warp.active
    }

    fn pointee(&self, pointer: &Place<'a>, values: &Lanes) -> Result<Space, String> {
        let is_narrow = matches!(pointer.ty, Ty::Of(id) if matches!(self.all.get(id), Type::Pointer(_, 4)));
        if is_narrow && self.may_be_elsewhere(pointer, values) {
            return Err(format!(
                "`{}` may point to shared, local or constant memory, whose addresses are also addresses of \
                 global memory below sm_20; `x` prints shared and global memory",
                pointer.name
            ));
        }
        Ok(Space::Global)
    }

    fn read(&self, space: Space, lane: usize, address: u64, bytes: u32) -> Option<u64> {
        let address = u32::try_from(address).ok()?;
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
            Space::Host => None,
        }
    }

    fn register(
        &self,
        local: &Local,
        offset: u32,
        named: (String, Reading),
        poll: Poll<'_>,
    ) -> Result<Shown, String> {
        self.in_register(local, offset, named, poll)
    }
}

impl Shown {
    /// Returns a part without a value.
    fn empty(name: String, reading: Reading) -> Self {
        Self { name, c_type: String::new(), reading, lanes: [None; 32], notes: Vec::new(), doubt: None }
    }

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
        At::Value(lanes) => At::Value(lanes),
        At::Lanes(lanes) => At::Lanes(lanes),
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

/// Variables as a table: name, type, value, and a note or why there is no value.
pub fn table(heading: String, all: impl IntoIterator<Item = (String, Result<Vec<Shown>, String>)>) -> Fact {
    let row = |name: &str, c_type: &str, value: String, note: String| {
        let cells = vec![
            Fact::words("variable", name),
            Fact::words("type", c_type),
            Fact::words("value", value),
            Fact::words("", note),
        ];
        Fact::row(name, cells)
    };
    let mut rows = Vec::new();
    for (name, shown) in all {
        match shown {
            Ok(all) => rows.extend(all.iter().map(|one| {
                let value = one
                    .lanes
                    .iter()
                    .flatten()
                    .next()
                    .map_or_else(|| "-".to_owned(), |bits| one.reading.text(*bits));
                row(&one.name, &one.c_type, value, one.notes.join("; "))
            })),
            Err(why) => rows.push(row(&name, "", "-".to_owned(), why)),
        }
    }
    if rows.is_empty() {
        return Fact::words("locals", "No variable is declared here.");
    }
    Fact::group("locals", heading, rows)
}

impl Scene<'_, '_> {
    /// Variables of CUDA C in the lane in focus.
    pub(super) fn locals(&self) -> Fact {
        self.of_warp("locals", |scene, warp| {
            let sight = Sight::new(scene.session, scene.words, warp);
            if !sight.has_variables() {
                return Fact::words("locals", "The program has no variables of CUDA C.");
            }
            let lane = scene.focus.lane as usize;
            let all = sight.names().into_iter().filter_map(|name| {
                let only = |mut all: Vec<Shown>| {
                    for one in &mut all {
                        one.lanes = std::array::from_fn(|at| one.lanes[at].filter(|_| at == lane));
                    }
                    all
                };
                Some((name.to_owned(), sight.evaluate(name, None, &mut never)?.map(only)))
            });
            table(format!("Variables of lane {lane}:"), all)
        })
    }
}
