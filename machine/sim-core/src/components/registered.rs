//! A registered component: its word in chip files, its parameters, and how it is made.

use super::Components;
use crate::state::{Corrupt, Reader, Value, Writer};
use crate::words::{Argument, Word};
use dyn_clone::DynClone;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, PoisonError};

/// Largest number of parameters of a registered component.
pub const MAX_PARAMETERS: usize = 8;

/// A kind of components.
pub trait Kind: Sized + 'static {
    /// Name of the kind in messages.
    const KIND: &'static str;

    /// Type of a registered function, a function that also gets the values of the parameters.
    type Make: ?Sized + Send + Sync + 'static;

    /// Returns the registered components.
    fn entries(components: &Components) -> &Vec<Entry<Self>>;

    /// Returns the list for a further component.
    fn entries_mut(components: &mut Components) -> &mut Vec<Entry<Self>>;
}

/// Defines a kind of components: its name in messages, its list in [`Components`], and what a
/// program registers.
macro_rules! kind {
    ($(#[$doc:meta])* pub enum $kind:ident = $name:literal in $list:ident: $make:ty) => {
        $(#[$doc])*
        pub enum $kind {}

        impl $crate::components::Kind for $kind {
            const KIND: &'static str = $name;
            type Make = $make;

            fn entries(
                components: &$crate::components::Components,
            ) -> &Vec<$crate::components::Entry<Self>> {
                &components.$list
            }

            fn entries_mut(
                components: &mut $crate::components::Components,
            ) -> &mut Vec<$crate::components::Entry<Self>> {
                &mut components.$list
            }
        }
    };
}
pub(super) use kind;

/// A component that a program registers.
pub struct Entry<K: Kind> {
    /// Its word in chip files.
    pub word: Word,
    make: Box<K::Make>,
    /// The components with the values that chips of this process have given to its parameters.
    /// They are never freed, so that a chip holds a plain reference.
    given: Mutex<BTreeMap<Values, &'static Instance<K>>>,
}

/// The values of all parameters, in their order; 0 for the others.
type Values = [u64; MAX_PARAMETERS];

/// A component with the values of its parameters.
struct Instance<K: Kind> {
    entry: &'static Entry<K>,
    values: Values,
}

impl<K: Kind> Entry<K> {
    /// Returns a component with this word, which `make` makes.
    pub fn new(word: Word, make: Box<K::Make>) -> Self {
        Self { word, make, given: Mutex::default() }
    }

    /// Returns the component with these values.
    fn with(&'static self, values: Values) -> Registered<K> {
        let mut given = self.given.lock().unwrap_or_else(PoisonError::into_inner);
        let instance =
            given.entry(values).or_insert_with(|| Box::leak(Box::new(Instance { entry: self, values })));
        Registered(instance)
    }
}

/// A registered component with the values of its parameters. Two are equal if their texts are.
pub struct Registered<K: Kind>(&'static Instance<K>);

impl<K: Kind> Registered<K> {
    /// Returns the component with this word; `argument` reads the value of a parameter. `None` if
    /// the word is unknown or a value cannot be read.
    pub fn of(word: &str, argument: impl Fn(&Argument) -> Option<u64>) -> Option<Self> {
        let entry = K::entries(Components::installed()).iter().find(|entry| entry.word.word == word)?;
        let mut values = [0; MAX_PARAMETERS];
        for (value, parameter) in values.iter_mut().zip(entry.word.arguments) {
            *value = argument(parameter)?;
        }
        Some(entry.with(values))
    }

    /// Returns the words of all registered components.
    pub fn words() -> impl Iterator<Item = Word> {
        K::entries(Components::installed()).iter().map(|entry| entry.word)
    }

    fn word(self) -> &'static Word {
        &self.0.entry.word
    }

    /// The values of its parameters, in the order of their registration.
    pub fn values(self) -> &'static [u64] {
        &self.0.values[..self.word().arguments.len()]
    }

    /// Returns the function that the program has registered.
    pub fn make(self) -> &'static K::Make {
        &self.0.entry.make
    }
}

impl<K: Kind> Clone for Registered<K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K: Kind> Copy for Registered<K> {}

impl<K: Kind> PartialEq for Registered<K> {
    fn eq(&self, other: &Self) -> bool {
        (self.word().word, self.0.values) == (other.word().word, other.0.values)
    }
}

impl<K: Kind> Eq for Registered<K> {}

/// The text of a chip file with all parameters, as in `mine(patience: 4)`.
impl<K: Kind> fmt::Display for Registered<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Word { word, arguments, .. } = self.word();
        f.write_str(word)?;
        for (i, (parameter, value)) in arguments.iter().zip(self.values()).enumerate() {
            write!(f, "{}{}: {value}", if i == 0 { "(" } else { ", " }, parameter.name)?;
        }
        if arguments.is_empty() { Ok(()) } else { f.write_str(")") }
    }
}

impl<K: Kind> fmt::Debug for Registered<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Registered({self})")
    }
}

/// A user's object in a machine. It is copied with the rest of the machine's state, and has no
/// bytes: a launch with one is neither saved nor restored.
pub struct Seated<T: ?Sized>(Box<T>);

impl<T: ?Sized> Seated<T> {
    /// Returns the object as stored in a machine.
    pub fn new(object: Box<T>) -> Self {
        Self(object)
    }
}

impl<T: ?Sized> Deref for Seated<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: ?Sized> DerefMut for Seated<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T: ?Sized + DynClone> Clone for Seated<T> {
    fn clone(&self) -> Self {
        Self(dyn_clone::clone_box(&*self.0))
    }
}

impl<T: ?Sized> fmt::Debug for Seated<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seated")
    }
}

impl<T: ?Sized> Value for Seated<T> {
    fn put(&self, _: &mut Writer) {}

    fn take(from: &mut Reader<'_>) -> Result<Self, Corrupt> {
        Err(from.corrupt())
    }
}
