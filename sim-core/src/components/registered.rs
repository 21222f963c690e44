//! A registered component: its word in chip files, its parameters, and how it is made.

use super::Components;
use crate::words::{Argument, Word};
use std::fmt;

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
pub struct Entry<F> {
    /// Its word in chip files.
    pub word: Word,
    /// Makes its objects.
    pub make: F,
}

/// A registered component with the values of its parameters. Two are equal if their texts are.
pub struct Registered<F: 'static> {
    entry: &'static Entry<F>,
    values: [u64; MAX_PARAMETERS],
}

impl<F: Factory> Registered<F> {
    /// Returns the component with this word; `argument` reads the value of a parameter. `None` if
    /// the word is unknown or a value cannot be read.
    pub fn of(word: &str, argument: impl Fn(&Argument) -> Option<u64>) -> Option<Self> {
        let entry = F::entries(Components::installed()).iter().find(|entry| entry.word.word == word)?;
        let mut values = [0; MAX_PARAMETERS];
        for (value, parameter) in values.iter_mut().zip(entry.word.arguments) {
            *value = argument(parameter)?;
        }
        Some(Self { entry, values })
    }

    /// Returns the words of all registered components.
    pub fn words() -> impl Iterator<Item = Word> {
        F::entries(Components::installed()).iter().map(|entry| entry.word)
    }
}

impl<F> Registered<F> {
    /// The factory of the component.
    pub fn factory(&self) -> &'static F {
        &self.entry.make
    }

    /// The values of its parameters, in the order of their registration.
    pub fn values(&self) -> &[u64] {
        &self.values[..self.entry.word.arguments.len()]
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
        (self.entry.word.word, self.values) == (other.entry.word.word, other.values)
    }
}

impl<F> Eq for Registered<F> {}

/// The text of a chip file with all parameters, as in `mine(patience: 4)`.
impl<F> fmt::Display for Registered<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.entry.word.word)?;
        for (i, (parameter, value)) in self.entry.word.arguments.iter().zip(self.values).enumerate() {
            write!(f, "{}{}: {value}", if i == 0 { "(" } else { ", " }, parameter.name)?;
        }
        if self.entry.word.arguments.is_empty() { Ok(()) } else { f.write_str(")") }
    }
}

impl<F> fmt::Debug for Registered<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Registered({self})")
    }
}
