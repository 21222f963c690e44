//! The `.func`s of a program: their numbers and signatures, and a check that their declarations
//! agree.
//!
//! Invariant `functions`: Functions work on both machines: passed values of every size, divergent
//! calls and returns, calls through pointers, recursion and programs recorded on silicon. Random
//! functions that call each other compute what a single thread computes.

use super::code::File;
use super::modules::shared_functions;
use crate::diag::Diagnostic;
use crate::provided;
use crate::ptx::ast::{Ast, Function, Linkage, Variable};
use crate::span::Span;
use crate::types::{ScalarType, StateSpace};
use std::collections::BTreeMap;

/// Maximum size in bytes of one parameter of a function: the limit for all parameters of a kernel
/// on compute capability 2.x. The simulator passes the parameters of functions in registers.
const MAX_BYTES: u64 = 4096;

/// Storage of a passed value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Storage {
    /// One predicate register.
    Pred,
    /// One 32-bit register: a scalar of up to 32 bits.
    Word,
    /// One 64-bit register: a scalar of 64 bits.
    Double,
    /// This number of 32-bit registers: an array or vector, lowest bytes first.
    Words(u32),
}

/// How one parameter is passed. Parameters with equal values are interchangeable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Passing {
    /// Registers that hold the value.
    pub storage: Storage,
    /// Size in bytes; 0 for a predicate.
    pub bytes: u32,
}

impl Passing {
    /// Returns how a parameter, or a `.param` variable in a body, is passed. Errors: `E0309` for an
    /// invalid parameter, `E0402` for an unsupported one.
    pub fn of(variable: &Variable) -> Result<Self, Diagnostic> {
        let Variable { name, space, ty, span, .. } = variable;
        let error =
            |code, message: String, label: &str| Err(Diagnostic::error(code, *span, message).label(label));
        let name = &name.name;
        if !matches!(space, StateSpace::Reg | StateSpace::Param) {
            let message =
                format!("`{name}`: a parameter of a function is a .reg or .param variable, not {space}");
            return error("E0309", message, "expected .reg or .param");
        }
        let register = *space == StateSpace::Reg;
        if register && (variable.vector > 1 || !variable.dims.is_empty() || variable.range.is_some()) {
            let message = format!(
                "`{name}`: a vector or range of registers as a parameter is not supported by this simulator"
            );
            return error("E0402", message, "declare one parameter for each register");
        }
        if variable.init.is_some() || variable.range.is_some() || variable.dims.contains(&None) {
            let message =
                format!("`{name}`: a parameter must have a size and cannot have a range or an initial value");
            return error("E0309", message, "invalid parameter");
        }
        if *ty == ScalarType::Pred {
            if register {
                return Ok(Self { storage: Storage::Pred, bytes: 0 });
            }
            let message = format!("`{name}`: a predicate cannot be stored in memory");
            return error("E0309", message, "expected a type other than .pred");
        }
        let elements =
            variable.dims.iter().flatten().try_fold(variable.vector as u64, |n, dim| n.checked_mul(*dim));
        let bytes =
            elements.and_then(|n| n.checked_mul(ty.bytes() as u64)).filter(|bytes| *bytes <= MAX_BYTES);
        let Some(bytes) = bytes else {
            let message = format!("`{name}`: a parameter of a function has at most {MAX_BYTES} bytes");
            return error("E0309", message, "too large");
        };
        let storage = match bytes {
            _ if !variable.dims.is_empty() || variable.vector > 1 => Storage::Words(bytes.div_ceil(4) as u32),
            8 => Storage::Double,
            _ => Storage::Word,
        };
        Ok(Self { storage, bytes: bytes as u32 })
    }

    /// Returns the file of the registers.
    pub fn file(self) -> File {
        match self.storage {
            Storage::Pred => File::P,
            Storage::Word | Storage::Words(_) => File::W,
            Storage::Double => File::D,
        }
    }

    /// Returns the number of registers.
    pub fn registers(self) -> u32 {
        if let Storage::Words(count) = self.storage { count } else { 1 }
    }

    /// Returns a description for messages.
    pub fn describe(self) -> String {
        match self.storage {
            Storage::Pred => "a predicate".to_owned(),
            Storage::Word | Storage::Double => format!("a value of {} bits", 8 * self.bytes),
            Storage::Words(_) => format!("{} bytes of memory", self.bytes),
        }
    }
}

/// Parameters and results of a function. Functions with equal signatures can be called through the
/// same pointer.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Signature {
    /// Results.
    pub returns: Vec<Passing>,
    /// Places of the parameters.
    pub params: Vec<Passing>,
}

impl Signature {
    /// Returns the signature of a function head. Errors about parameters that cannot be passed are
    /// added to `diagnostics`.
    pub fn new(returns: &[Variable], params: &[Variable], diagnostics: &mut Vec<Diagnostic>) -> Self {
        let mut passings = |variables: &[Variable]| {
            let passing = |variable: &Variable| {
                Passing::of(variable).unwrap_or_else(|error| {
                    diagnostics.push(error);
                    Passing { storage: Storage::Word, bytes: 4 }
                })
            };
            variables.iter().map(passing).collect()
        };
        Self { returns: passings(returns), params: passings(params) }
    }
}

/// A `.func`.
#[derive(Debug)]
pub struct Known<'a> {
    /// The definition if there is one, otherwise the first declaration.
    pub head: &'a Function<'a>,
    /// Signature of `head`.
    pub signature: Signature,
}

/// All `.func`s of a program. The number of a function is its index in the order of first
/// declarations.
#[derive(Debug, Default)]
pub struct Functions<'a> {
    /// Functions by number.
    pub list: Vec<Known<'a>>,
    /// Number of each name in each module.
    numbers: BTreeMap<(u32, &'a str), u32>,
}

impl<'a> Functions<'a> {
    /// Collects the functions of all modules. Reports declarations that disagree.
    pub fn new(tree: &'a Ast<'a>, diagnostics: &mut Vec<Diagnostic>) -> Self {
        let shared = shared_functions(&tree.functions);
        let mut owned: BTreeMap<(Option<u32>, &str), u32> = BTreeMap::new();
        let mut numbers = BTreeMap::new();
        let mut list: Vec<Known> = Vec::new();
        for head in tree.functions.iter().filter(|function| !function.entry) {
            let signature = Signature::new(&head.returns, &head.params, diagnostics);
            let name = (head.module, head.name.name);
            let owner = (!shared.contains(&name)).then_some(head.module);
            let Some(number) = owned.get(&(owner, name.1)) else {
                owned.insert((owner, name.1), list.len() as u32);
                numbers.insert(name, list.len() as u32);
                list.push(Known { head, signature });
                continue;
            };
            numbers.insert(name, *number);
            let known = &mut list[*number as usize];
            if known.signature != signature {
                let message = format!("conflicting declarations of `{}`", head.name.name);
                let label = "the parameters or results differ from the first declaration";
                let error = Diagnostic::error("E0313", head.span, message).label(label);
                diagnostics.push(error.at(known.head.span, "first declaration"));
            }
            if known.head.body.is_none() {
                *known = Known { head, signature };
            }
        }
        Self { list, numbers }
    }

    /// Returns the number of the function that a name of a module denotes.
    pub fn number(&self, module: u32, name: &str) -> Option<u32> {
        self.numbers.get(&(module, name)).copied()
    }

    /// Iterates over the names of the functions of a module.
    pub fn names_of(&self, module: u32) -> impl Iterator<Item = (&'a str, u32)> {
        self.numbers.range((module, "")..(module + 1, "")).map(|((_, name), number)| (*name, *number))
    }

    /// Returns a function by its number.
    pub fn get(&self, number: u32) -> &Known<'a> {
        &self.list[number as usize]
    }

    /// Returns the error for a use of a function that no module defines, with the label of the use.
    pub fn undefined(&self, head: &Function, span: Span, label: &str) -> Diagnostic {
        let name = head.name.name;
        // The device library defines its functions for all newer targets.
        if let Some(name) = provided::cuda_name(name) {
            let message = format!("`{name}` in a kernel requires compute capability 2.0");
            return Diagnostic::error("E0312", span, message)
                .label(label)
                .help("choose a chip of compute capability 2.0 or later, such as `--chip fermi`");
        }
        let message = format!("`{name}` has no body in the given files");
        let error = Diagnostic::error("E0312", span, message).label(label);
        let error = error.at(head.span, "declared without a body");
        let other = self
            .list
            .iter()
            .map(|known| known.head)
            .find(|other| other.name.name == name && other.body.is_some() && other.module != head.module);
        match other {
            Some(other) if other.linkage == Linkage::Local => error
                .at(other.span, "this function is visible in its module only")
                .help("write `.visible .func` at the definition, and `.extern .func` at the declaration"),
            Some(other) => error
                .at(other.span, "defined in another module")
                .help("write `.extern .func` at the declaration"),
            None => error.help(
                "define the function in this file, or give the PTX file that defines it as another file",
            ),
        }
    }
}
