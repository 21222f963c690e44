//! Types and lambda expressions, described by names: both halves of a program understand them.

use std::rc::Rc;

use crate::source::Place;
use crate::syntax::ast::{Builtin, Qualifiers};
use crate::syntax::{WantedLambda, WantedName};

/// A namespace or class on the way to a name.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Step {
    /// A namespace; anonymous without name.
    Namespace(Option<String>),
    /// A class, with the arguments of its template.
    Class(String, Option<Vec<Argument>>),
}

/// A template argument.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Argument {
    Type(Written),
    Value(i128, Type),
    /// A function: where it is declared, its name, and its type unless it is a template.
    Function(Vec<Step>, String, Option<Type>),
    /// A class template.
    Template(Vec<Step>, String),
    Pack(Vec<Argument>),
}

/// A type with its qualifiers.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Written(pub(super) Type, pub(super) Qualifiers);

/// A type.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Type {
    Builtin(Builtin),
    Nullptr,
    Pointer(Box<Written>),
    Reference(Box<Written>),
    RvalueReference(Box<Written>),
    MemberPointer(Box<Written>, Box<Type>),
    Array(Box<Written>, Option<u64>),
    Function {
        parameters: Vec<Written>,
        result: Box<Written>,
        variadic: bool,
    },
    Record(Vec<Step>, String, Option<Vec<Argument>>),
    /// The class of a lambda expression with `__device__`.
    Closure(Rc<Closure>),
    Enum(Vec<Step>, String),
}

/// The class of a lambda expression of the host half.
#[derive(Debug)]
pub struct Closure {
    /// The `{` of the body.
    pub(super) place: Place,
    /// The number of the expression in the host half.
    pub(super) number: u32,
    /// The namespaces and classes around the function.
    pub(super) path: Vec<Step>,
    pub(super) captures: Vec<Captured>,
    /// What the function around it declares.
    pub(super) around: Vec<(String, Around)>,
    /// Names for the parser.
    pub(super) wanted: Vec<(String, WantedName)>,
}

impl PartialEq for Closure {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

/// A captured variable, or the elements of a pack.
#[derive(Debug)]
pub(super) struct Captured {
    pub(super) name: String,
    pub(super) is_pack: bool,
    pub(super) types: Vec<Written>,
}

/// What a name in the function around a lambda expression means.
#[derive(Debug)]
pub(super) enum Around {
    Argument(Argument),
    Float(f64, Type),
    /// A variable that is not captured, or a type that only the function has.
    OfHost,
}

impl Closure {
    /// The name of the class in both halves. The device half has lambda expressions with other
    /// numbers.
    pub(super) fn name(&self) -> String {
        format!("device_lambda{}", self.number)
    }

    /// What the parser of the device half needs.
    pub(crate) fn wanted(&self) -> WantedLambda {
        WantedLambda { place: self.place.clone(), names: self.wanted.clone() }
    }
}
