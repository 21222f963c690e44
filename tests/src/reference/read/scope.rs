//! Functions and their scopes: resolves names, and translates instructions.

use super::{Base, Formal, Function, Instruction, Operand};
use crate::reference::space::{Space, VariablePlace};
use isa::ptx::ast::{self, OperandKind, Statement, Variable};
use isa::span::LineIndex;
use isa::types::{ScalarType, StateSpace};
use std::collections::HashMap;

/// Meaning of a name.
#[derive(Clone, Copy, Debug)]
pub enum Entity {
    /// A register of the function.
    Register(usize),
    /// A variable.
    Variable(Base, VariablePlace),
    /// A label.
    Label(usize),
    /// A function.
    Function(usize),
}

/// The part of a module that has been read so far.
pub struct Reader {
    /// Names, innermost scope last.
    scopes: Vec<HashMap<String, Entity>>,
    pub code: Vec<Instruction>,
    pub labels: Vec<usize>,
    pub functions: Vec<Function>,
    pub shared: Space,
    /// The module's variables in local memory.
    pub local: Space,
    /// The current function.
    now: Function,
    /// Its parameters, and its variables in local memory.
    params: Space,
    frame: Space,
    /// `.extern .shared` variables: all begin where the static ones end.
    dynamic: Vec<String>,
    /// Whether dynamic shared memory has its address.
    closed: bool,
}

impl Default for Reader {
    fn default() -> Self {
        Self {
            scopes: vec![HashMap::new()],
            code: Vec::new(),
            labels: Vec::new(),
            functions: Vec::new(),
            shared: Space::default(),
            local: Space::default(),
            now: Function::default(),
            params: Space::default(),
            frame: Space::default(),
            dynamic: Vec::new(),
            closed: false,
        }
    }
}

impl Reader {
    /// Declares a name in the innermost scope.
    pub fn declare(&mut self, name: &str, entity: Entity) {
        self.scopes.last_mut().expect("a scope is open").insert(name.to_owned(), entity);
    }

    fn find(&self, name: &str) -> Option<Entity> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name)).copied()
    }

    /// Returns the address of a module variable.
    pub fn address(&self, name: &str) -> Result<u64, String> {
        match self.find(name) {
            Some(Entity::Variable(Base::Zero, place)) => Ok(place.address),
            _ => Err(format!("`{name}` is not a variable")),
        }
    }

    /// Assigns an address in shared memory to a variable, or records that it is dynamic.
    pub fn shared_variable(&mut self, variable: &Variable) {
        if variable.linkage == ast::Linkage::Extern {
            self.dynamic.push(variable.name.name.to_owned());
        } else {
            let place = self.shared.place(variable);
            self.declare(variable.name.name, Entity::Variable(Base::Zero, place));
        }
    }

    /// Reads a function; earlier functions keep their indices.
    pub fn function(&mut self, function: &ast::Function, lines: &LineIndex) -> Result<(), String> {
        let body = function.body.as_ref().ok_or("it has no body")?;
        (self.now, self.params, self.frame) = (Function::default(), Space::default(), Space::default());
        self.now.start = self.code.len();
        self.scopes.push(HashMap::new());
        self.now.inputs = function.params.iter().map(|v| self.formal(v)).collect();
        self.now.outputs = function.returns.iter().map(|v| self.formal(v)).collect();
        self.scope(body, lines)?;
        self.scopes.pop();
        self.now.end = self.code.len();
        self.now.param_bytes = self.params.end;
        self.now.local_bytes = self.frame.end;
        self.functions.push(std::mem::take(&mut self.now));
        Ok(())
    }

    fn formal(&mut self, variable: &Variable) -> Formal {
        if variable.space == StateSpace::Reg {
            return Formal::Register(self.register(variable.name.name, variable.ty));
        }
        let place = self.params.place(variable);
        self.declare(variable.name.name, Entity::Variable(Base::Zero, place));
        Formal::Param(place)
    }

    fn register(&mut self, name: &str, ty: ScalarType) -> usize {
        let number = self.now.registers.len();
        self.declare(name, Entity::Register(number));
        self.now.registers.push(ty);
        number
    }

    /// Declares the names of a scope, before or after their uses.
    fn declarations(&mut self, body: &[Statement]) -> Result<(), String> {
        for statement in body {
            match statement {
                Statement::Variable(v) => self.variable(v)?,
                Statement::Label(label) => {
                    self.declare(label.name, Entity::Label(self.labels.len()));
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

    fn variable(&mut self, v: &Variable) -> Result<(), String> {
        let name = &v.name.name;
        match v.space {
            StateSpace::Reg => match v.range {
                Some(count) => (0..count).for_each(|i| {
                    self.register(&format!("{name}{i}"), v.ty);
                }),
                None => {
                    self.register(name, v.ty);
                }
            },
            StateSpace::Shared if !self.closed => self.shared_variable(v),
            StateSpace::Local => {
                let place = self.frame.place(v);
                self.declare(name, Entity::Variable(Base::Frame, place));
            }
            StateSpace::Param => {
                let place = self.params.place(v);
                self.declare(name, Entity::Variable(Base::Zero, place));
            }
            space => return Err(format!("`{name}`: a {space} variable")),
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
            for name in std::mem::take(&mut self.dynamic) {
                let place = VariablePlace { space: StateSpace::Shared, address: self.shared.end, bytes: 0 };
                self.declare(&name, Entity::Variable(Base::Zero, place));
            }
        }
        for statement in body {
            match statement {
                Statement::Label(label) => {
                    if let Some(Entity::Label(number)) = self.find(label.name) {
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
            Some((name, negated)) => Some((self.register_of(name.name)?, *negated)),
            None => None,
        };
        let words: Vec<String> = instruction.modifiers.iter().map(|word| word.name.to_owned()).collect();
        let types = words.iter().filter_map(|word| ScalarType::from_name(word)).collect();
        let operands =
            instruction.operands.iter().map(|o| self.operand(&o.kind)).collect::<Result<_, _>>()?;
        Ok(Instruction { guard, opcode: instruction.opcode.name.to_owned(), words, types, operands, line })
    }

    fn register_of(&self, name: &str) -> Result<usize, String> {
        match self.find(name) {
            Some(Entity::Register(number)) => Ok(number),
            _ => Err(format!("`{name}` is not a register")),
        }
    }

    fn operand(&self, kind: &OperandKind) -> Result<Operand, String> {
        let side = |name: &str| if name == "_" { Ok(None) } else { self.register_of(name).map(Some) };
        Ok(match kind {
            OperandKind::Name(name) => match self.find(name) {
                Some(Entity::Register(number)) => Operand::Register(number),
                Some(Entity::Variable(base, place)) => Operand::Variable(base, place),
                Some(Entity::Label(number)) => Operand::Label(number),
                Some(Entity::Function(number)) => Operand::Function(number),
                None => Operand::Special((*name).to_owned()),
            },
            OperandKind::NameOffset(name, offset) => {
                let (base, place) = self.variable_of(name)?;
                let address = place.address.wrapping_add(*offset as u64);
                Operand::Variable(base, VariablePlace { address, ..place })
            }
            OperandKind::Literal(literal) => Operand::Literal(*literal),
            OperandKind::Not(name) => Operand::Not(self.register_of(name)?),
            OperandKind::Part { name, .. } => {
                return Err(format!("`{name}`: video instructions are not interpreted"));
            }
            OperandKind::Pair(p, q) => Operand::Pair(side(p)?, side(q)?),
            OperandKind::Memory { base: None, offset } => Operand::Memory(Base::Zero, *offset as u64),
            OperandKind::Memory { base: Some(base), offset } => {
                if let Some(Entity::Register(number)) = self.find(base.name) {
                    Operand::Memory(Base::Register(number), *offset as u64)
                } else {
                    let (base, place) = self.variable_of(base.name)?;
                    Operand::Memory(base, place.address.wrapping_add(*offset as u64))
                }
            }
            OperandKind::Sink => Operand::Sink,
            OperandKind::Vector(parts) | OperandKind::List(parts) => {
                Operand::List(parts.iter().map(|part| self.operand(&part.kind)).collect::<Result<_, _>>()?)
            }
        })
    }

    fn variable_of(&self, name: &str) -> Result<(Base, VariablePlace), String> {
        match self.find(name) {
            Some(Entity::Variable(base, place)) => Ok((base, place)),
            _ => Err(format!("`{name}` is not a variable")),
        }
    }
}
