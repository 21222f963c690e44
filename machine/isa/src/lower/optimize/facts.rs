//! Facts about registers that a walk through the code collects, and the check whether a fact still
//! holds at the current position.
//!
//! A fact is recorded at an unguarded definition and describes the value of the register in terms
//! of *source* registers. It holds where the definition has certainly executed and neither the
//! register nor a source has been written since:
//!
//! * in the same block, if none of these registers is written again;
//! * in blocks that the definition's block dominates, if the register has only one definition, and
//!   each source has only one definition, which certainly executed before the fact. (Otherwise a
//!   path would lead from the fact back to the definition of the source and on to the current block
//!   without passing the fact. Dominance rules out such a path.)

use super::reach::Reach;
use crate::lower::code::VInst;

/// Maximum number of sources of one fact.
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
    /// Number of writes to each register on this walk.
    versions: Vec<u32>,
    known: Vec<Option<Known<T>>>,
}

impl<'a, T> Facts<'a, T> {
    /// Returns an empty set of facts.
    pub fn new(places: &'a Reach) -> Self {
        let len = places.numbers.len;
        Self { places, block: 0, versions: vec![0; len], known: (0..len).map(|_| None).collect() }
    }

    /// Moves to the start of a block. The walk visits whole blocks in the order of
    /// [`Reach::order`].
    pub fn enter(&mut self, block: u32) {
        self.block = block;
    }

    /// Returns the fact about a register that holds at the current position.
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

    /// Returns the fact about a register if it was recorded in the current block.
    pub fn get_here(&self, register: usize) -> Option<&T> {
        let here = self.known[register].as_ref().is_some_and(|known| known.block == self.block);
        if here { self.get(register) } else { None }
    }

    /// Processes the micro-op at `pc`: its destinations change. `fact` describes its only result in
    /// terms of the registers `sources`. The fact is recorded unless the micro-op is guarded,
    /// because it might then not execute.
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
