//! The forms of fields: how a value is written in a file, and the Rust value that it becomes.

mod parts;
mod values;

pub use parts::{
    Anything, At, IfAny, Inline, Key, List, Map, Needed, OneOf, OneOrList, Optional, Or, Part, PartOrNone,
    Place,
};
pub use values::{
    CapabilityText, Choice, Extents, FeatureList, Flag, FormulaText, Lines, Mebibytes, Megahertz, Policy,
    Text,
};

use super::{Effect, Field, Presence, Value};
use crate::config::read::{Fields, Reader};
use crate::config::tree::Node;

/// How a value of type `T` is written.
pub trait Form<T> {
    /// Reads a value; `what` is its path in complaints. `None` if it is wrong, which has been
    /// reported.
    fn of(&self, reader: &Reader, node: &Node, what: &str) -> Option<T>;

    /// The values that the form accepts.
    fn value(&self) -> Value;

    /// The value of a field that is missing or wrong, so that the other fields are checked. Without
    /// one, the whole record is missing.
    fn fallback(&self) -> Option<T> {
        None
    }

    /// Reads the field `name`.
    fn read(&self, fields: &Fields, name: &'static str) -> Option<T> {
        fields.read(name, |reader, node, what| self.of(reader, node, what)).or_else(|| self.fallback())
    }

    /// Whether a file must give the field.
    fn presence(&self) -> Presence {
        Presence::Required
    }

    /// Adds the description of the field.
    fn describe(&self, row: Row, fields: &mut Vec<Field>) {
        fields.push(row.field(self.presence(), self.value()));
    }
}

/// The texts of a row.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Name in the file.
    pub name: &'static str,
    /// Explanation.
    pub about: &'static str,
    /// Unit; empty for none.
    pub unit: &'static str,
    /// Effect of a change of the value.
    pub effect: Option<Effect>,
}

impl Row {
    fn field(self, presence: Presence, value: Value) -> Field {
        let Self { name, about, unit, effect } = self;
        Field { name, about, unit, effect, presence, value }
    }
}
