//! The program as the interpreter reads it: one list of instructions, names replaced by what they stand for.

use super::space::{GLOBALS, Place, Space, image};
use isa::ptx::ast::{self, Literal, OperandKind, Statement, Variable};
use isa::ptx::parse::parse;
use isa::span::LineIndex;
use isa::types::{ScalarType, StateSpace};
use std::collections::HashMap;

/// An entry of a module.
#[derive(Clone, Debug)]
pub struct Program {
    /// The instructions.
    pub code: Vec<Instruction>,
    /// Where labels lead: indices into `code`.
    pub labels: Vec<usize>,
    /// The types of the registers.
    pub registers: Vec<ScalarType>,
    /// The parameters.
    pub params: Vec<Place>,
    /// Bytes of static shared memory; the dynamic one begins here.
    pub shared_bytes: u64,
    /// What constant memory holds.
    pub constants: Vec<u8>,
    /// The module's variables in global memory: addresses and first contents.
    pub globals: Vec<(u64, Vec<u8>)>,
    /// The target's number: 10 for `sm_10`.
    pub target: u32,
    /// The text's version of PTX.
    pub version: (u32, u32),
}

/// An instruction.
#[derive(Clone, Debug)]
pub struct Instruction {
    /// The guard's register and whether it is negated.
    pub guard: Option<(usize, bool)>,
    /// The word before the first dot.
    pub opcode: String,
    /// The words behind dots.
    pub words: Vec<String>,
    /// Those of them that name types.
    pub types: Vec<ScalarType>,
    /// Its operands.
    pub operands: Vec<Operand>,
    /// Its line in the text.
    pub line: u32,
}

/// An operand.
#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    /// A register.
    Register(usize),
    /// `!%p`.
    Not(usize),
    /// `%p|%q`; `_` is none.
    Pair(Option<usize>, Option<usize>),
    /// A special register.
    Special(String),
    /// A number.
    Literal(Literal),
    /// The address of a variable.
    Address(u64),
    /// `[register+offset]`, or without a register an address.
    Memory(Option<usize>, u64),
    /// A label.
    Label(usize),
    /// Operands in braces.
    List(Vec<Operand>),
    /// `_`.
    Sink,
}

/// What a name stands for.
#[derive(Clone, Copy, Debug)]
enum Entity {
    Register(usize),
    Variable(Place),
    Label(usize),
}

#[derive(Default)]
struct Reader {
    /// Names, innermost scope last.
    scopes: Vec<HashMap<String, Entity>>,
    code: Vec<Instruction>,
    labels: Vec<usize>,
    registers: Vec<ScalarType>,
    shared: Space,
    /// `.extern .shared` variables: they all begin where the static ones end.
    dynamic: Vec<Variable>,
    /// Dynamic shared memory has its place.
    closed: bool,
}

impl Program {
    /// Reads entry `entry` of a module. The error is the first thing that this interpreter does not know.
    pub fn read(text: &str, entry: &str) -> Result<Self, String> {
        let (tree, diagnostics) = parse(text);
        if let Some(error) = diagnostics.iter().find(|d| d.is_error()) {
            return Err(format!("{error:?}"));
        }
        let mut reader = Reader { scopes: vec![HashMap::new()], ..Reader::default() };
        let target = tree.target.first().and_then(|t| t.name.strip_prefix("sm_")?.parse().ok());
        let (mut bank, mut memory) = (Space::default(), Space { end: GLOBALS });
        let mut places = Vec::new();
        for variable in &tree.variables {
            let place = match variable.space {
                StateSpace::Const => bank.place(variable),
                StateSpace::Global => memory.place(variable),
                StateSpace::Shared => {
                    reader.shared_variable(variable);
                    continue;
                }
                space => return Err(format!("`{}`: a {space} variable of a module", variable.name.name)),
            };
            reader.declare(&variable.name.name, Entity::Variable(place));
            places.push((variable, place));
        }
        let (mut constants, mut globals) = (vec![0; bank.end as usize], Vec::new());
        for (variable, place) in places {
            let bytes = image(variable, |name| reader.address(name))?;
            match variable.space {
                StateSpace::Const => {
                    constants[place.address as usize..][..bytes.len()].copy_from_slice(&bytes);
                }
                _ => globals.push((place.address, bytes)),
            }
        }
        let function = tree.functions.iter().find(|f| f.entry && f.name.name == entry);
        let function = function.ok_or_else(|| format!("no entry `{entry}`"))?;
        let body = function.body.as_ref().ok_or_else(|| format!("`{entry}` has no body"))?;
        let params = reader.params(&function.params);
        reader.scope(body, &LineIndex::new(text))?;
        let Reader { code, labels, registers, shared, .. } = reader;
        let target = target.ok_or("no target")?;
        let (major, minor, _) = tree.version.ok_or("no version")?;
        let version = (major, minor);
        let shared_bytes = shared.end;
        Ok(Self { code, labels, registers, params, shared_bytes, constants, globals, target, version })
    }
}

impl Reader {
    fn declare(&mut self, name: &str, entity: Entity) {
        self.scopes.last_mut().expect("a scope is open").insert(name.to_owned(), entity);
    }

    fn find(&self, name: &str) -> Option<Entity> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name)).copied()
    }

    fn address(&self, name: &str) -> Result<u64, String> {
        match self.find(name) {
            Some(Entity::Variable(place)) => Ok(place.address),
            _ => Err(format!("`{name}` is no variable")),
        }
    }

    fn params(&mut self, params: &[Variable]) -> Vec<Place> {
        self.scopes.push(HashMap::new());
        let mut space = Space::default();
        let places: Vec<Place> = params.iter().map(|param| space.place(param)).collect();
        for (param, place) in params.iter().zip(&places) {
            self.declare(&param.name.name, Entity::Variable(*place));
        }
        places
    }

    fn shared_variable(&mut self, variable: &Variable) {
        if variable.external {
            self.dynamic.push(variable.clone());
        } else {
            let place = self.shared.place(variable);
            self.declare(&variable.name.name, Entity::Variable(place));
        }
    }

    fn register(&mut self, name: &str, ty: ScalarType) {
        self.declare(name, Entity::Register(self.registers.len()));
        self.registers.push(ty);
    }

    /// Declares what a scope declares, whether before or behind its uses.
    fn declarations(&mut self, body: &[Statement]) -> Result<(), String> {
        for statement in body {
            match statement {
                Statement::Variable(v) if v.space == StateSpace::Reg => match v.range {
                    Some(count) => {
                        (0..count).for_each(|i| self.register(&format!("{}{i}", v.name.name), v.ty));
                    }
                    None => self.register(&v.name.name, v.ty),
                },
                Statement::Variable(v) if v.space == StateSpace::Shared && !self.closed => {
                    self.shared_variable(v);
                }
                Statement::Variable(v) => return Err(format!("`{}`: a {} variable", v.name.name, v.space)),
                Statement::Label(label) => {
                    self.declare(&label.name, Entity::Label(self.labels.len()));
                    self.labels.push(0);
                }
                Statement::Instruction(_)
                | Statement::Block(_)
                | Statement::CallTable(_)
                | Statement::Loc { .. } => {}
            }
        }
        Ok(())
    }

    /// Reads the statements between two braces.
    fn scope(&mut self, body: &[Statement], lines: &LineIndex) -> Result<(), String> {
        self.scopes.push(HashMap::new());
        self.declarations(body)?;
        if !self.dynamic.is_empty() {
            self.shared.end = self.shared.end.next_multiple_of(16);
            self.closed = true;
            for variable in std::mem::take(&mut self.dynamic) {
                let place = Place { space: StateSpace::Shared, address: self.shared.end, bytes: 0 };
                self.declare(&variable.name.name, Entity::Variable(place));
            }
        }
        for statement in body {
            match statement {
                Statement::Label(label) => {
                    if let Some(Entity::Label(number)) = self.find(&label.name) {
                        self.labels[number] = self.code.len();
                    }
                }
                Statement::Instruction(instruction) => {
                    let line = lines.line(instruction.span.start);
                    let read =
                        self.instruction(instruction, line).map_err(|e| format!("line {line}: {e}"))?;
                    self.code.push(read);
                }
                Statement::Block(inner) => self.scope(inner, lines)?,
                Statement::Variable(_) | Statement::CallTable(_) | Statement::Loc { .. } => {}
            }
        }
        self.scopes.pop();
        Ok(())
    }

    fn instruction(&self, instruction: &ast::Instruction, line: u32) -> Result<Instruction, String> {
        let guard = match &instruction.guard {
            Some((name, negated)) => Some((self.register_of(&name.name)?, *negated)),
            None => None,
        };
        let words: Vec<String> = instruction.modifiers.iter().map(|word| word.name.clone()).collect();
        let types = words.iter().filter_map(|word| ScalarType::from_name(word)).collect();
        let operands =
            instruction.operands.iter().map(|o| self.operand(&o.kind)).collect::<Result<_, _>>()?;
        Ok(Instruction { guard, opcode: instruction.opcode.name.clone(), words, types, operands, line })
    }

    fn register_of(&self, name: &str) -> Result<usize, String> {
        match self.find(name) {
            Some(Entity::Register(number)) => Ok(number),
            _ => Err(format!("`{name}` is no register")),
        }
    }

    fn operand(&self, kind: &OperandKind) -> Result<Operand, String> {
        let side = |name: &String| if name == "_" { Ok(None) } else { self.register_of(name).map(Some) };
        Ok(match kind {
            OperandKind::Name(name) => match self.find(name) {
                Some(Entity::Register(number)) => Operand::Register(number),
                Some(Entity::Variable(place)) => Operand::Address(place.address),
                Some(Entity::Label(number)) => Operand::Label(number),
                None => Operand::Special(name.clone()),
            },
            OperandKind::NameOffset(name, offset) => {
                Operand::Address(self.address(name)?.wrapping_add(*offset as u64))
            }
            OperandKind::Literal(literal) => Operand::Literal(*literal),
            OperandKind::Not(name) => Operand::Not(self.register_of(name)?),
            OperandKind::Pair(p, q) => Operand::Pair(side(p)?, side(q)?),
            OperandKind::Memory { base: None, offset } => Operand::Memory(None, *offset as u64),
            OperandKind::Memory { base: Some(base), offset } => match self.find(&base.name) {
                Some(Entity::Register(number)) => Operand::Memory(Some(number), *offset as u64),
                Some(Entity::Variable(place)) => {
                    Operand::Memory(None, place.address.wrapping_add(*offset as u64))
                }
                _ => return Err(format!("`{}` is no address", base.name)),
            },
            OperandKind::Sink => Operand::Sink,
            OperandKind::Vector(parts) => {
                Operand::List(parts.iter().map(|part| self.operand(&part.kind)).collect::<Result<_, _>>()?)
            }
            OperandKind::List(_) => return Err("a list of operands".to_owned()),
        })
    }
}
