//! Tables whose entries are named by typed ids, so that an id of one table cannot index another.

use std::fmt::{self, Debug, Formatter};
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// An index of the entries of one table.
pub trait Id: Copy {
    /// The id of the entry at an index.
    fn of(index: usize) -> Self;

    /// The index of the entry.
    fn at(self) -> usize;
}

/// Defines ids.
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl $crate::arena::Id for $name {
            fn of(index: usize) -> Self {
                Self(index as u32)
            }

            fn at(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

pub(crate) use ids;

/// A table that only grows, but for entries that nothing names.
#[derive(Clone)]
pub struct Arena<I, T> {
    entries: Vec<T>,
    ids: PhantomData<I>,
}

impl<I: Id, T> Arena<I, T> {
    /// A table with one entry for each of `other`.
    pub fn parallel<U>(other: &Arena<I, U>, entry: impl FnMut(&U) -> T) -> Self {
        other.iter().map(entry).collect()
    }

    /// Adds an entry.
    pub fn push(&mut self, entry: T) -> I {
        let id = self.next();
        self.entries.push(entry);
        id
    }

    /// Removes the entries behind the first ones.
    pub fn truncate(&mut self, len: usize) {
        self.entries.truncate(len);
    }

    /// The id of the entry that is added next.
    pub fn next(&self) -> I {
        I::of(self.entries.len())
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The ids of all entries that there are now.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + use<I, T> {
        (0..self.entries.len()).map(I::of)
    }

    /// The entries in order.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.entries.iter()
    }

    /// The entries in order, to change them.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.entries.iter_mut()
    }

    /// The first entry with a property.
    pub fn position(&self, is_meant: impl FnMut(&T) -> bool) -> Option<I> {
        self.entries.iter().position(is_meant).map(I::of)
    }
}

impl<I, T> Default for Arena<I, T> {
    fn default() -> Self {
        Self { entries: Vec::new(), ids: PhantomData }
    }
}

impl<I, T: Debug> Debug for Arena<I, T> {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        self.entries.fmt(f)
    }
}

impl<I: Id, T> Index<I> for Arena<I, T> {
    type Output = T;

    fn index(&self, id: I) -> &T {
        &self.entries[id.at()]
    }
}

impl<I: Id, T> IndexMut<I> for Arena<I, T> {
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.entries[id.at()]
    }
}

impl<I, T> FromIterator<T> for Arena<I, T> {
    fn from_iter<E: IntoIterator<Item = T>>(entries: E) -> Self {
        Self { entries: entries.into_iter().collect(), ids: PhantomData }
    }
}

impl<I, T> IntoIterator for Arena<I, T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.into_iter()
    }
}

impl<'a, I, T> IntoIterator for &'a mut Arena<I, T> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.iter_mut()
    }
}

impl<'a, I, T> IntoIterator for &'a Arena<I, T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.iter()
    }
}
