//! What is known of registers along a walk through the code, and whether it still holds at the
//! place reached.
//!
//! A fact is learnt at a definition without guard and says what the register holds in terms of
//! *sources*. It holds where the definition surely came before, neither the register nor a source
//! having been written in between:
//!
//! * in the same block, as long as none of them is written again;
//! * in blocks that the definition's dominates, if one micro-op alone defines the register, and
//!   each source is defined by one alone that surely came before the fact. (A way from the fact
//!   back to the source's definition and on to here without passing the fact again would be a way
//!   around it, which cannot be where its block dominates.)

use super::reach::Reach;
use crate::lower::code::VInst;

/// Sources of one fact, at most.
const SOURCES: usize = 3;

struct Source {
    register: usize,
    version: u32,
    settled: bool,
}

struct Known<T> {
    fact: T,
    block: u32,
    version: u32,
    sources: [Option<Source>; SOURCES],
}

/// Facts of type `T` about registers.
pub struct Facts<'a, T> {
    places: &'a Reach,
    block: u32,
    /// How often each register has been written on this walk.
    versions: Vec<u32>,
    known: Vec<Option<Known<T>>>,
}

impl<'a, T> Facts<'a, T> {
    /// Nothing is known.
    pub fn new(places: &'a Reach) -> Self {
        let len = places.numbers.len;
        Self { places, block: 0, versions: vec![0; len], known: (0..len).map(|_| None).collect() }
    }

    /// Goes to the start of a block. Blocks are walked whole, in the order of [`Reach::order`].
    pub fn enter(&mut self, block: u32) {
        self.block = block;
    }

    /// The fact about a register that holds here.
    pub fn get(&self, register: usize) -> Option<&T> {
        let known = self.known[register].as_ref()?;
        let here = known.block == self.block;
        let unique = self.places.is_unique(register);
        let own = here && self.versions[register] == known.version
            || unique && (here || self.places.dominates(known.block, self.block));
        let holds = |source: &Source| {
            here && self.versions[source.register] == source.version || unique && source.settled
        };
        (own && known.sources.iter().flatten().all(holds)).then_some(&known.fact)
    }

    /// The fact about a register if it was learnt in this very block.
    pub fn get_here(&self, register: usize) -> Option<&T> {
        let here = self.known[register].as_ref().is_some_and(|known| known.block == self.block);
        if here { self.get(register) } else { None }
    }

    /// Passes the micro-op at `pc`: what it writes is new. With a fact in terms of registers
    /// `sources` about its only result, that is known from now on, unless a guard leaves it open
    /// whether it is written.
    pub fn pass(&mut self, pc: usize, inst: &VInst, fact: Option<(T, &[usize])>) {
        let before = |register: &usize| Source {
            register: *register,
            version: self.versions[*register],
            settled: self.places.is_settled(*register, self.block, pc as u32),
        };
        let fact = fact.map(|(fact, of)| {
            debug_assert!(of.len() <= SOURCES, "facts have few sources");
            let mut sources = [None, None, None];
            sources.iter_mut().zip(of.iter().map(before)).for_each(|(to, source)| *to = Some(source));
            (fact, sources)
        });
        for def in inst.defs() {
            self.versions[self.places.numbers.of(def)] += 1;
        }
        let Some((fact, sources)) = fact else { return };
        if let Some(def) = inst.defs().next() {
            let register = self.places.numbers.of(def);
            let (block, version) = (self.block, self.versions[register]);
            self.known[register] = inst.guard.is_none().then_some(Known { fact, block, version, sources });
        }
    }
}
