//! A registered component: its word in chip files, its parameters, and how it is made.

use super::Components;
use crate::words::{Argument, Word};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, PoisonError};

/// Largest number of parameters of a registered component.
pub const MAX_PARAMETERS: usize = 8;

/// How a program makes the components of one kind, from the values of their parameters.
pub trait Factory: Sized + 'static {
    /// Name of the kind in messages.
    const KIND: &'static str;

    /// Returns the registered components.
    fn entries(components: &Components) -> &[Entry<Self>];
}

/// A component that a program registers.
pub struct Entry<F: 'static> {
    /// Its word in chip files.
    pub word: Word,
    make: F,
    /// The components with the values that chips of this process have given to its parameters.
    /// They are never freed, so that a chip holds a plain reference.
    given: Mutex<BTreeMap<Values, &'static Instance<F>>>,
}

/// The values of all parameters, in their order; 0 for the others.
type Values = [u64; MAX_PARAMETERS];

/// A component with the values of its parameters.
struct Instance<F: 'static> {
    entry: &'static Entry<F>,
    values: Values,
}

impl<F> Entry<F> {
    /// Returns a component with this word, whose objects `make` makes.
    pub fn new(word: Word, make: F) -> Self {
        Self { word, make, given: Mutex::default() }
    }

    /// Returns the component with these values.
    fn with(&'static self, values: Values) -> Registered<F> {
        let mut given = self.given.lock().unwrap_or_else(PoisonError::into_inner);
        let instance =
            given.entry(values).or_insert_with(|| Box::leak(Box::new(Instance { entry: self, values })));
        Registered(instance)
    }
}

/// A registered component with the values of its parameters. Two are equal if their texts are.
pub struct Registered<F: 'static>(&'static Instance<F>);

impl<F: Factory> Registered<F> {
    /// Returns the component with this word; `argument` reads the value of a parameter. `None` if
    /// the word is unknown or a value cannot be read.
    pub fn of(word: &str, argument: impl Fn(&Argument) -> Option<u64>) -> Option<Self> {
        let entry = F::entries(Components::installed()).iter().find(|entry| entry.word.word == word)?;
        let mut values = [0; MAX_PARAMETERS];
        for (value, parameter) in values.iter_mut().zip(entry.word.arguments) {
            *value = argument(parameter)?;
        }
        Some(entry.with(values))
    }

    /// Returns the words of all registered components.
    pub fn words() -> impl Iterator<Item = Word> {
        F::entries(Components::installed()).iter().map(|entry| entry.word)
    }
}

impl<F> Registered<F> {
    fn word(self) -> &'static Word {
        &self.0.entry.word
    }

    /// The factory of the component.
    pub fn factory(self) -> &'static F {
        &self.0.entry.make
    }

    /// The values of its parameters, in the order of their registration.
    pub fn values(self) -> &'static [u64] {
        &self.0.values[..self.word().arguments.len()]
    }
}

impl<F> Clone for Registered<F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<F> Copy for Registered<F> {}

impl<F> PartialEq for Registered<F> {
    fn eq(&self, other: &Self) -> bool {
        (self.word().word, self.0.values) == (other.word().word, other.0.values)
    }
}

impl<F> Eq for Registered<F> {}

/// The text of a chip file with all parameters, as in `mine(patience: 4)`.
impl<F> fmt::Display for Registered<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Word { word, arguments, .. } = self.word();
        f.write_str(word)?;
        for (i, (parameter, value)) in arguments.iter().zip(self.values()).enumerate() {
            write!(f, "{}{}: {value}", if i == 0 { "(" } else { ", " }, parameter.name)?;
        }
        if arguments.is_empty() { Ok(()) } else { f.write_str(")") }
    }
}

impl<F> fmt::Debug for Registered<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Registered({self})")
    }
}
