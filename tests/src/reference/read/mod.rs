//! The program as the interpreter reads it: one list of instructions, with resolved names.

mod scope;

use super::space::{GLOBALS, Space, VariablePlace, image};
use isa::ptx::ast::{Ast, Literal, Variable};
use isa::ptx::parse::parse;
use isa::span::LineIndex;
use isa::types::{ScalarType, StateSpace};
use scope::{Entity, Reader};

/// An entry of a module, with all functions of the module.
#[derive(Clone, Debug)]
pub struct ReferenceProgram {
    /// The instructions of all functions.
    pub code: Vec<Instruction>,
    /// Targets of labels: indices into `code`.
    pub labels: Vec<usize>,
    /// The functions; the entry is the first.
    pub functions: Vec<Function>,
    /// The entry's parameters.
    pub params: Vec<VariablePlace>,
    /// Bytes of static shared memory; dynamic shared memory begins here.
    pub shared_bytes: u64,
    /// Bytes of the module's variables in a thread's local memory.
    pub local_bytes: u64,
    /// Content of constant memory.
    pub constants: Vec<u8>,
    /// The module's variables in global memory: addresses and initial contents.
    pub globals: Vec<(u64, Vec<u8>)>,
    /// Names and locations of the module's variables in global and constant memory.
    symbols: Vec<(String, VariablePlace)>,
    /// Number of the target: 10 for `sm_10`.
    pub target: u32,
    /// PTX version of the text.
    pub version: (u32, u32),
}

/// A function with a body.
#[derive(Clone, Debug, Default)]
pub struct Function {
    /// Index of its first instruction.
    pub start: usize,
    /// Index after its last instruction: reaching it means returning.
    pub end: usize,
    /// Types of its registers.
    pub registers: Vec<ScalarType>,
    /// Its formal inputs.
    pub inputs: Vec<Formal>,
    /// Its formal outputs.
    pub outputs: Vec<Formal>,
    /// Bytes of its `.param` variables, the formal ones first.
    pub param_bytes: u64,
    /// Bytes of its variables in local memory.
    pub local_bytes: u64,
}

/// A formal parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Formal {
    /// A register of the program.
    Register(usize),
    /// Memory.
    Param(VariablePlace),
}

/// An instruction with its guard and operands.
#[derive(Clone, Debug)]
pub struct Instruction {
    /// Register of the guard, and whether it is negated.
    pub guard: Option<(usize, bool)>,
    /// The word before the first dot.
    pub opcode: String,
    /// The words after dots.
    pub words: Vec<String>,
    /// The words that are types.
    pub types: Vec<ScalarType>,
    /// Operands in the order of the text.
    pub operands: Vec<Operand>,
    /// Line in the text.
    pub line: u32,
}

impl Instruction {
    /// Whether it has this word after a dot.
    pub fn has(&self, word: &str) -> bool {
        self.words.iter().any(|w| w == word)
    }

    /// Returns the word after the first dot.
    pub fn first(&self) -> &str {
        self.words.first().map_or("", |word| word)
    }

    /// Returns its state space.
    pub fn space(&self) -> Option<StateSpace> {
        use StateSpace::{Const, Global, Local, Param, Shared};
        [Const, Global, Local, Param, Shared].into_iter().find(|space| self.has(space.name()))
    }
}

/// Base of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// No base.
    Zero,
    /// A register.
    Register(usize),
    /// The start of the function's variables in local memory.
    Frame,
}

/// An operand as the text has it.
#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    /// A register.
    Register(usize),
    /// `!%p`.
    Not(usize),
    /// `%p|%q`; `_` is `None`.
    Pair(Option<usize>, Option<usize>),
    /// A special register.
    Special(String),
    /// A number.
    Literal(Literal),
    /// A variable: its address, or its content as a parameter of a call.
    Variable(Base, VariablePlace),
    /// `[base+offset]`
    Memory(Base, u64),
    /// A label.
    Label(usize),
    /// A function, by its index.
    Function(usize),
    /// Operands in braces, or in parentheses.
    List(Vec<Operand>),
    /// `_`.
    Sink,
}

impl ReferenceProgram {
    /// Reads entry `entry` of a module. The error describes the first unsupported construct.
    pub fn read(text: &str, entry: &str) -> Result<Self, String> {
        Self::read_with_gaps(text, entry, 0)
    }

    /// As [`Self::read`], with `gap` free bytes behind each variable in shared memory.
    pub fn read_with_gaps(text: &str, entry: &str, gap: u64) -> Result<Self, String> {
        let (tree, diagnostics) = parse(text);
        if let Some(error) = diagnostics.iter().find(|d| d.is_error()) {
            return Err(format!("{error:?}"));
        }
        let mut reader = Reader::default();
        reader.shared.gap = gap;
        let places = places(&tree, &mut reader)?;
        let (constants, globals) = contents(&places, &reader)?;
        let symbols = places.iter().map(|(v, place)| (v.name.name.to_owned(), *place)).collect();
        let is_entry = |f: &&isa::ptx::ast::Function| f.entry && f.name.name == entry;
        let start = tree.functions.iter().find(is_entry).ok_or_else(|| format!("no entry `{entry}`"))?;
        let others = tree.functions.iter().filter(|f| !f.entry && f.body.is_some());
        let all: Vec<_> = std::iter::once(start).chain(others).collect();
        for (number, function) in all.iter().enumerate().skip(1) {
            reader.declare(function.name.name, Entity::Function(number));
        }
        let lines = LineIndex::new(text);
        for function in &all {
            reader.function(function, &lines).map_err(|e| format!("`{}`: {e}", function.name.name))?;
        }
        let Reader { code, labels, functions, shared, local, .. } = reader;
        let place = |formal: &Formal| match formal {
            Formal::Param(place) => Ok(*place),
            Formal::Register(_) => Err("an entry's parameter is a register".to_owned()),
        };
        let params = functions[0].inputs.iter().map(place).collect::<Result<_, _>>()?;
        let target = tree.target.first().and_then(|t| t.name.strip_prefix("sm_")?.parse().ok());
        let (major, minor, _) = tree.version.ok_or("no version")?;
        Ok(Self {
            code,
            labels,
            functions,
            params,
            shared_bytes: shared.end,
            local_bytes: local.end,
            constants,
            globals,
            symbols,
            target: target.ok_or("no target")?,
            version: (major, minor),
        })
    }

    /// Writes the initial content of a module variable before a launch, as a host does.
    pub fn fill(&mut self, name: &str, bytes: &[u8]) -> Result<(), String> {
        let (_, place) =
            self.symbols.iter().find(|(n, _)| n == name).ok_or_else(|| format!("no variable `{name}`"))?;
        let at = if place.space == StateSpace::Const {
            &mut self.constants[place.address as usize..]
        } else {
            let of_place = self.globals.iter_mut().find(|(address, _)| *address == place.address);
            of_place.ok_or("it has no bytes")?.1.as_mut_slice()
        };
        at.get_mut(..bytes.len()).ok_or_else(|| format!("`{name}` is too small"))?.copy_from_slice(bytes);
        Ok(())
    }
}

/// A module's variables and their locations.
type Places<'a> = Vec<(&'a Variable<'a>, VariablePlace)>;

/// Assigns locations to the module's variables; variables in shared memory are assigned by the
/// reader.
fn places<'a>(tree: &'a Ast<'a>, reader: &mut Reader) -> Result<Places<'a>, String> {
    let (mut bank, mut memory) = (Space::default(), Space { end: GLOBALS, gap: 0 });
    let mut places = Vec::new();
    for variable in &tree.variables {
        let place = match variable.space {
            StateSpace::Const => bank.place(variable),
            StateSpace::Global => memory.place(variable),
            StateSpace::Local => reader.local.place(variable),
            StateSpace::Shared => {
                reader.shared_variable(variable);
                continue;
            }
            space => return Err(format!("`{}`: a {space} variable of a module", variable.name.name)),
        };
        reader.declare(variable.name.name, Entity::Variable(Base::Zero, place));
        places.push((variable, place));
    }
    Ok(places)
}

/// Returns the initial content of constant memory, and the variables in global memory with their
/// addresses.
#[expect(clippy::type_complexity, reason = "a pair of a program's fields")]
fn contents(places: &Places, reader: &Reader) -> Result<(Vec<u8>, Vec<(u64, Vec<u8>)>), String> {
    let bank = places.iter().filter(|(v, _)| v.space == StateSpace::Const);
    let end = bank.map(|(_, place)| place.address + place.bytes).max().unwrap_or(0);
    let (mut constants, mut globals) = (vec![0; end as usize], Vec::new());
    for (variable, place) in places {
        let bytes = image(variable, |name| reader.address(name))?;
        match variable.space {
            StateSpace::Const => constants[place.address as usize..][..bytes.len()].copy_from_slice(&bytes),
            StateSpace::Global => globals.push((place.address, bytes)),
            _ => {}
        }
    }
    Ok((constants, globals))
}
