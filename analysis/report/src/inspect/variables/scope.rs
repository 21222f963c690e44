//! Names, types and values that expressions use at a position in a program.

use super::syntax::c_name;
use super::{Lanes, Place, Shown, Space, Ty};
use crate::inspect::values::Reading;
use isa::types::ScalarType;
use isa::variables::{Field, Local, Type, Variables};
use sim_core::debug::Poll;

/// Why an expression has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Missing {
    /// A name that means nothing here.
    Name(String),
    /// Another reason.
    Value(String),
}

impl From<String> for Missing {
    fn from(text: String) -> Self {
        Self::Value(text)
    }
}

impl From<&str> for Missing {
    fn from(text: &str) -> Self {
        Self::Value(text.to_owned())
    }
}

impl Missing {
    /// Returns the reason as text; `what` says what the names of this place are.
    pub fn text(self, what: &str) -> String {
        match self {
            Self::Name(name) => format!("`{name}` is no {what}"),
            Self::Value(text) => text,
        }
    }
}

/// An evaluation.
pub struct Run<'p> {
    pub(super) poll: Poll<'p>,
    /// Notes about the values that it has used.
    pub(super) notes: Vec<String>,
    /// Why the result may differ from the value that the program computes.
    pub(super) doubt: Option<String>,
}

/// A type as expressions use it.
#[derive(Clone, Copy)]
pub enum View<'t> {
    /// No value.
    Void,
    /// A number, or a truth value in a byte.
    Number(ScalarType),
    /// A pointer to a type, of so many bytes, in a memory if it is known.
    Pointer(Ty, u8, Option<Space>),
    /// Elements of a type.
    Array(Ty, u64),
    /// Members of a structure.
    Members(&'t [Field]),
}

/// The variables that a place in a program sees, and expressions of them.
pub trait Scope<'a> {
    /// The types of the program.
    fn types(&self) -> &'a Variables;

    /// The variable or register of a name; `None` if there is none.
    fn base(&self, name: &str, poll: Poll<'_>) -> Option<Result<Place<'a>, String>>;

    /// The value of a built-in variable such as `threadIdx.x` in each lane.
    fn built_in(&self, name: &str) -> Option<Result<Lanes, String>>;

    /// The memory that a pointer points to.
    ///
    /// # Errors
    /// Why that is not known.
    fn pointee(&self, pointer: &Place<'a>, values: &Lanes) -> Result<Space, String>;

    /// The memory to which a number points as an address.
    fn memory(&self) -> Space {
        Space::Global
    }

    /// The lanes that execute the next instruction.
    fn active(&self) -> u32;

    /// The bits of a value in memory.
    fn read(&self, space: Space, lane: usize, address: u64, bytes: u32) -> Option<u64>;

    /// Why there is no value in memory.
    fn unreadable(&self, name: &str, address: u64, _bytes: u32) -> String {
        format!("`{name}` is at {address:#x}, which is in no allocation")
    }

    /// A part of a variable in registers.
    ///
    /// # Errors
    /// Why it has no value.
    fn register(
        &self,
        local: &Local,
        offset: u32,
        named: (String, Reading),
        poll: Poll<'_>,
    ) -> Result<Shown, String>;

    /// The name of a type in C.
    fn type_name(&self, ty: Ty) -> String {
        self.declared(ty, "")
    }

    /// A declaration in C.
    fn declared(&self, ty: Ty, name: &str) -> String {
        let spaced = |ty: &str| if name.is_empty() { ty.to_owned() } else { format!("{ty} {name}") };
        match self.view(ty) {
            View::Void => spaced("void"),
            View::Number(_) if matches!(ty, Ty::Of(id) if *self.types().get(id) == Type::Bool) => {
                spaced("bool")
            }
            View::Number(ty) => spaced(c_name(ty)),
            View::Members(_) => spaced("struct {...}"),
            View::Array(element, count) => {
                let inner = match count {
                    0 => format!("{name}[]"),
                    _ => format!("{name}[{count}]"),
                };
                let shown = self.declared(element, &inner);
                if name.is_empty() { shown.replacen(" [", "[", 1) } else { shown }
            }
            View::Pointer(to, _, space) => {
                let space = space.map_or("", Space::qualifier);
                let target = match self.view(to) {
                    View::Array(..) => self.declared(to, &format!("(*{name})")),
                    _ => self.declared(to, &format!("*{name}")),
                };
                format!("{space}{target}")
            }
        }
    }

    /// Returns the structure of a type.
    fn view(&self, ty: Ty) -> View<'a> {
        match ty {
            Ty::Of(id) => match self.types().get(id) {
                Type::Void => View::Void,
                Type::Bool => View::Number(ScalarType::U8),
                Type::Scalar(ty) => View::Number(*ty),
                Type::Pointer(to, bytes) => View::Pointer(Ty::Of(*to), *bytes, None),
                Type::Array(element, count) => View::Array(Ty::Of(*element), *count),
                Type::Struct(fields, _) => View::Members(fields),
            },
            Ty::Number(ty) => View::Number(ty),
            Ty::Elements(ty, count) => View::Array(Ty::Number(ty), count),
            Ty::ToType(id, space) => View::Pointer(Ty::Of(id), 8, Some(space)),
            Ty::ToNumber(ty, space) => View::Pointer(Ty::Number(ty), 8, Some(space)),
        }
    }

    /// Bytes of a type.
    fn bytes_of(&self, ty: Ty) -> u64 {
        match (ty, self.view(ty)) {
            (Ty::Of(id), _) => self.types().bytes(id),
            (_, View::Number(ty)) => ty.bytes().into(),
            (_, View::Pointer(_, bytes, _)) => bytes.into(),
            (_, View::Array(element, count)) => count * self.bytes_of(element),
            (_, View::Void | View::Members(_)) => 0,
        }
    }
}
