//! Variables of CUDA C in compiled PTX: their types, their scopes, and the registers and memory
//! that hold their values; and its functions.
//!
//! The compiler that made the PTX tells them, as DWARF does elsewhere; PTX without them has none.

use crate::types::ScalarType;
use std::sync::Arc;

/// Index of a type in [`Variables::types`].
pub type TypeId = u32;

/// A type of CUDA C.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// No value.
    Void,
    /// `bool`: one byte in memory.
    Bool,
    /// A number.
    Scalar(ScalarType),
    /// A pointer or reference of this many bytes to a type.
    Pointer(TypeId, u8),
    /// Elements of a type; 0 for an array whose size the launch sets.
    Array(TypeId, u64),
    /// Members and bytes.
    Struct(Vec<Field>, u64),
}

/// A member of a structure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Name; empty for anonymous members.
    pub name: String,
    /// Type.
    pub ty: TypeId,
    /// Offset in bytes.
    pub offset: u64,
    /// Lowest bit and number of bits of a bit field.
    pub bits: Option<(u8, u8)>,
}

/// Variables of a PTX text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variables {
    /// Types, by their indices.
    pub types: Vec<Type>,
    /// Variables in global, constant and shared memory.
    pub symbols: Vec<Symbol>,
    /// Variables of functions, each copy of an inlined function with its own.
    pub locals: Vec<Local>,
    /// Functions, also those that have no code because all calls are inlined.
    pub functions: Vec<Function>,
}

/// A function of CUDA C.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Name in CUDA C.
    pub name: String,
    /// Line of the first statement.
    pub first: u32,
    /// File of CUDA C that defines it.
    pub file: String,
    /// First and last line.
    pub lines: (u32, u32),
    /// Functions that it calls, as indices of [`Variables::functions`].
    pub calls: Vec<u32>,
}

/// A variable in memory that all threads of a block or launch share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Name in CUDA C.
    pub name: String,
    /// Name in PTX.
    pub symbol: String,
    /// Type.
    pub ty: TypeId,
    /// Type as C writes it.
    pub c_type: String,
}

/// A parameter or variable of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Local {
    /// Name in CUDA C.
    pub name: String,
    /// Type.
    pub ty: TypeId,
    /// Type as C writes it.
    pub c_type: String,
    /// The function in PTX whose code has the variable.
    pub function: String,
    /// File of CUDA C that declares it.
    pub file: String,
    /// First and last line in which the name means this variable.
    pub scope: (u32, u32),
    /// Parameter of the kernel in PTX that has the first value.
    pub parameter: Option<String>,
    /// Variable in local memory that holds the value.
    pub memory: Option<String>,
    /// Instructions that write a value of the variable into a register.
    pub writes: Vec<Write>,
    /// Assignments of which an execution writes no register, by their lines.
    pub silent: Vec<Silent>,
    /// First and last line of the loops around its assignments; all lines if they are not known.
    pub loops: Arc<[(u32, u32)]>,
}

/// An instruction that writes a scalar part of a variable into a register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Write {
    /// Line in the PTX text.
    pub line: u32,
    /// PTX name of the register.
    pub register: String,
    /// Offset of the part in the variable.
    pub offset: u32,
}

/// An assignment to a scalar part of a variable that has no instruction: the compiler uses the
/// value where it is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Silent {
    /// Line of CUDA C.
    pub line: u32,
    /// Offset of the part in the variable.
    pub offset: u32,
    /// Bits of the value, if it is a constant.
    pub constant: Option<u64>,
}

impl Local {
    /// Returns those of the assignments `silent`, which have no instruction, that may be later than
    /// one with an instruction in line `written`, for a thread in line `now`.
    pub fn later(
        &self,
        silent: Vec<Silent>,
        offset: u32,
        written: Option<u32>,
        now: u32,
    ) -> impl Iterator<Item = Silent> {
        let is_together = move |a: u32, b: u32| {
            self.loops.iter().any(|(first, last)| *first <= a.min(b) && a.max(b) <= *last)
        };
        let is_later = move |one: &Silent| match written {
            // The start of the scope; a loop that begins there begins after it.
            Some(_) if one.line == self.scope.0 => {
                self.loops.iter().any(|(first, last)| *first < one.line && one.line <= *last)
            }
            Some(written) if one.line < written && !is_together(one.line, written) => false,
            _ => one.line <= now || is_together(one.line, now),
        };
        silent.into_iter().filter(move |one| one.offset == offset).filter(is_later)
    }
}

impl Variables {
    /// Returns the variables of several texts in one: each with the number of lines before its
    /// text.
    pub fn joined(all: impl IntoIterator<Item = (Arc<Self>, u32)>) -> Self {
        let mut joined = Self::default();
        for (one, lines) in all {
            let first = joined.types.len() as TypeId;
            let before = joined.functions.len() as u32;
            let Self { mut types, mut symbols, mut locals, mut functions } = Arc::unwrap_or_clone(one);
            for ty in &mut types {
                match ty {
                    Type::Void | Type::Bool | Type::Scalar(_) => {}
                    Type::Pointer(to, _) | Type::Array(to, _) => *to += first,
                    Type::Struct(fields, _) => {
                        for field in fields {
                            field.ty += first;
                        }
                    }
                }
            }
            for symbol in &mut symbols {
                symbol.ty += first;
            }
            for local in &mut locals {
                local.ty += first;
                for write in &mut local.writes {
                    write.line += lines;
                }
            }
            functions.iter_mut().flat_map(|function| &mut function.calls).for_each(|call| *call += before);
            joined.functions.append(&mut functions);
            joined.types.append(&mut types);
            joined.symbols.append(&mut symbols);
            joined.locals.append(&mut locals);
        }
        joined
    }

    /// Returns the line of the first statement of a function; the name of a template is enough for
    /// its instances.
    pub fn first_line(&self, function: &str) -> Option<u32> {
        let template = |name: &str| name.split_once('<').is_some_and(|(template, _)| template == function);
        let is_named = |one: &&Function| one.name == function || template(&one.name);
        self.functions.iter().find(is_named).map(|one| one.first)
    }

    /// Whether the function of a line calls the function of another line, directly or through
    /// others. Lines are given with their files. Instances of a template are one function here.
    pub fn calls(&self, from: (&str, u32), to: (&str, u32)) -> bool {
        let of = |(file, line): (&str, u32)| {
            let has = |function: &&Function| {
                function.file == file && (function.lines.0..=function.lines.1).contains(&line)
            };
            let all = self.functions.iter().filter(has);
            all.min_by_key(|function| function.lines.1 - function.lines.0)
        };
        let (Some(from), Some(to)) = (of(from), of(to)) else { return false };
        let is_same = |a: &Function, b: &Function| (&a.file, a.lines) == (&b.file, b.lines);
        let mut reached: Vec<bool> = self.functions.iter().map(|one| is_same(one, from)).collect();
        let mut work: Vec<usize> = (0..reached.len()).filter(|at| reached[*at]).collect();
        while let Some(at) = work.pop() {
            for call in &self.functions[at].calls {
                let callee = *call as usize;
                if is_same(&self.functions[callee], to) && !is_same(to, from) {
                    return true;
                }
                if !std::mem::replace(&mut reached[callee], true) {
                    work.push(callee);
                }
            }
        }
        false
    }

    /// Returns a type.
    pub fn get(&self, id: TypeId) -> &Type {
        &self.types[id as usize]
    }

    /// Returns the bytes of a value of a type; 1 for `void`, as in GNU C.
    pub fn bytes(&self, id: TypeId) -> u64 {
        match self.get(id) {
            Type::Void | Type::Bool => 1,
            Type::Scalar(ty) => ty.bytes().into(),
            Type::Pointer(_, bytes) => (*bytes).into(),
            Type::Array(element, count) => self.bytes(*element).saturating_mul(*count),
            Type::Struct(_, bytes) => *bytes,
        }
    }
}
