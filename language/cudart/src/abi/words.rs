//! The functions for a caller that is no compiled program: arguments are words of 64 bits, in the
//! order of C; a structure takes as many words as its size needs.

use super::structs::{CDim3, Extent, Handle, Pitched};
use super::{Address, arrays, copies, devices, errors, launches, memory, streams, textures};
use crate::runtime::Runtime;
use crate::runtime::error::{Error, Outcome};
use crate::runtime::thread::Thread;

/// A function.
pub type Entry = fn(&mut Runtime, &mut Thread, &mut Words<'_>) -> Outcome;

/// The arguments that were not taken.
#[derive(Clone, Copy, Debug)]
pub struct Words<'w>(pub &'w [u64]);

impl Words<'_> {
    /// Takes a word; 0 if there is none.
    pub fn word(&mut self) -> u64 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }
}

/// A type of a parameter.
pub trait Argument: Copy {
    /// Takes an argument.
    fn take(words: &mut Words<'_>) -> Self;
}

macro_rules! numbers {
    ($($kind:ty),*) => {
        $(impl Argument for $kind {
            fn take(words: &mut Words<'_>) -> Self {
                words.word() as Self
            }
        })*
    };
}

numbers!(usize, u64, u32, i32);

impl Argument for CDim3 {
    fn take(words: &mut Words<'_>) -> Self {
        let (low, high) = (words.word(), words.word());
        Self { x: low as u32, y: (low >> 32) as u32, z: high as u32 }
    }
}

impl Argument for Extent {
    fn take(words: &mut Words<'_>) -> Self {
        let [width, height, depth] = [words.word(), words.word(), words.word()].map(|word| word as usize);
        Self { width, height, depth }
    }
}

impl Argument for Pitched {
    fn take(words: &mut Words<'_>) -> Self {
        let ptr = words.word() as Address;
        let [pitch, xsize, ysize] = [words.word(), words.word(), words.word()].map(|word| word as usize);
        Self { ptr, pitch, xsize, ysize }
    }
}

impl Argument for Handle {
    fn take(words: &mut Words<'_>) -> Self {
        let mut bytes = [0; 64];
        for part in bytes.chunks_exact_mut(8) {
            part.copy_from_slice(&words.word().to_le_bytes());
        }
        Self { bytes }
    }
}

/// Finds a function of the runtime API by its name.
pub fn find(name: &str) -> Option<Entry> {
    let lists = [
        arrays::ENTRIES,
        copies::ENTRIES,
        devices::ENTRIES,
        errors::ENTRIES,
        launches::ENTRIES,
        memory::ENTRIES,
        streams::ENTRIES,
        textures::ENTRIES,
    ];
    lists.into_iter().flatten().find(|(known, _)| *known == name).map(|(_, entry)| *entry)
}

/// Calls a function. Returns its `cudaError_t`.
pub fn call(runtime: &mut Runtime, thread: &mut Thread, name: &str, entry: Entry, words: &[u64]) -> i32 {
    runtime.calls(name);
    let result = entry(runtime, thread, &mut Words(words));
    if let Err(error) = result {
        runtime.note_failed(thread.device, name, error);
        thread.last = error;
    }
    result.err().unwrap_or(Error::SUCCESS).0
}
