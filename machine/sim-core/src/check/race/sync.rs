//! The order that locks, flags and counters give to accesses: release and acquire, by the rules of
//! docs/MEMORY-MODEL.md.
//!
//! Atomics and volatile accesses *synchronize*; the word of such an access is a synchronization
//! word. A store or atomic **releases** the accesses of its warp before the latest fence of the
//! warp: they are performed before it (rule 5). A load or an atomic that returns a value
//! **acquires** what was released to the word that it reads: for the instructions of its warp from
//! the first one that uses the value (rule 4), or that is a fence. An atomic also passes on what
//! was released to its word before.
//!
//! `membar.gl` releases to all blocks, `membar.cta` to the warps of the block only. What a warp has
//! acquired, or performed by a fence, is known to the warps that meet it at a barrier. Accesses
//! that a warp has not fenced are not, for other blocks: another warp cannot release them (rule 5).
//!
//! Fences divide the accesses of a warp into *epochs*. What is known is a vector clock: for each
//! warp of each block, the number of epochs that precede.

use super::{Access, Kind, Space};
use isa::uop::{Inst, MemoryKind, OperandKind};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Whether an instruction synchronizes: an atomic or a volatile access.
pub fn synchronizes(inst: &Inst) -> bool {
    let plain = |kind| matches!(kind, MemoryKind::Load | MemoryKind::Store);
    inst.op.memory().is_some_and(|memory| !plain(memory.kind) || inst.aux & Inst::VOLATILE != 0)
}

/// For each warp of each block, in ascending order, the number of its epochs that precede.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Known(Vec<((u32, u32), u32)>);

impl Known {
    fn of(&self, warp: (u32, u32)) -> u32 {
        self.0.binary_search_by_key(&warp, |(warp, _)| *warp).map_or(0, |at| self.0[at].1)
    }

    fn raise(&mut self, warp: (u32, u32), epochs: u32) {
        match self.0.binary_search_by_key(&warp, |(warp, _)| *warp) {
            Ok(at) => self.0[at].1 = self.0[at].1.max(epochs),
            Err(at) if epochs > 0 => self.0.insert(at, (warp, epochs)),
            Err(_) => {}
        }
    }

    fn join(&mut self, other: &Self) {
        if self.0.is_empty() {
            self.0.clone_from(&other.0);
        } else if self != other {
            let own = std::mem::take(&mut self.0);
            self.0.reserve(own.len().max(other.0.len()));
            let (mut a, mut b) = (own.into_iter().peekable(), other.0.iter().copied().peekable());
            loop {
                let next = match (a.peek(), b.peek()) {
                    (Some(x), Some(y)) if x.0 == y.0 => {
                        let most = (x.0, x.1.max(y.1));
                        a.next();
                        b.next();
                        Some(most)
                    }
                    (Some(x), Some(y)) if x.0 > y.0 => b.next(),
                    (None, _) => b.next(),
                    (Some(_), _) => a.next(),
                };
                let Some(next) = next else { return };
                self.0.push(next);
            }
        }
    }
}

/// Accesses that precede: for all blocks, and for the warps of the running block only.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Precedes {
    device: Known,
    block: Known,
}

impl Precedes {
    fn join(&mut self, other: &Self) {
        self.device.join(&other.device);
        self.block.join(&other.block);
    }
}

/// A value that was loaded from a synchronization word and not yet used.
#[derive(Clone, Debug)]
struct Pending {
    row: (OperandKind, u16),
    released: Arc<Precedes>,
}

/// State of a warp of the running block.
#[derive(Clone, Debug, Default)]
struct Warp {
    /// Number of fences, which is the number of the epoch.
    epoch: u32,
    /// Number of epochs before the latest `membar.gl`.
    performed: u32,
    known: Precedes,
    pending: Vec<Pending>,
    /// Words that it has accessed by synchronizing loads and atomics.
    observed: BTreeSet<(Space, u32)>,
}

/// Follows the synchronization of a launch.
#[derive(Clone, Debug, Default)]
pub struct Sync {
    block: u32,
    warps: Vec<Warp>,
    words: BTreeMap<(Space, u32), Arc<Precedes>>,
}

impl Sync {
    /// Begins a block.
    pub fn begin(&mut self, block: u32, warps: u32) {
        self.block = block;
        self.warps.clear();
        self.warps.resize(warps as usize, Warp::default());
        self.words.retain(|(space, _), _| *space == Space::Global);
        // Nothing is ordered for the warps of this block only.
        for released in self.words.values_mut().filter(|released| !released.block.0.is_empty()) {
            *released = Arc::new(Precedes { device: released.device.clone(), block: Known::default() });
        }
    }

    /// Epoch of a warp.
    pub fn epoch(&self, warp: u32) -> u32 {
        self.warps.get(warp as usize).map_or(0, |warp| warp.epoch)
    }

    /// Follows the registers that an instruction reads.
    #[inline]
    pub fn executed(&mut self, warp: u32, inst: &Inst) {
        let Warp { pending, known, .. } = &mut self.warps[warp as usize];
        if pending.is_empty() {
            return;
        }
        let rows: Vec<_> = inst.reads().collect();
        pending.retain(|value| {
            let used = rows.contains(&value.row);
            if used {
                known.join(&value.released);
            }
            !used
        });
    }

    /// Follows a fence, for all blocks or for the warps of the block.
    pub fn fence(&mut self, warp: u32, device: bool) {
        let Warp { epoch, performed, known, pending, .. } = &mut self.warps[warp as usize];
        *epoch += 1;
        if device {
            *performed = *epoch;
            pending.drain(..).for_each(|value| known.join(&value.released));
        } else {
            for value in pending.iter() {
                known.block.join(&value.released.block);
            }
        }
    }

    /// Follows a barrier at which the warps `arrived` have arrived or exited, and the warps
    /// `waited` have waited; bit = warp.
    pub fn barrier(&mut self, (arrived, waited): (u64, u64)) {
        let (mut all, mut observed) = (Precedes::default(), BTreeSet::new());
        for (at, warp) in (0..).zip(&self.warps).filter(|(at, _)| arrived >> at & 1 == 1) {
            all.join(&self.released(at, warp));
            observed.extend(&warp.observed);
        }
        for (_, warp) in (0..).zip(&mut self.warps).filter(|(at, _)| waited >> at & 1 == 1) {
            warp.known.join(&all);
            warp.observed.extend(&observed);
        }
    }

    /// Returns what a synchronizing store of a warp releases.
    fn released(&self, at: u32, warp: &Warp) -> Precedes {
        let mut all = warp.known.clone();
        all.device.raise((self.block, at), warp.performed);
        all.block.raise((self.block, at), warp.epoch);
        all
    }

    /// Follows an access after it was compared with earlier ones.
    pub fn accessed(&mut self, access: &Access, inst: &Inst) {
        let (synchronizes, stores) = (synchronizes(inst), access.kind != Kind::Read);
        let observed = &self.warps[access.warp as usize].observed;
        if !synchronizes && (!stores || self.words.is_empty() && observed.is_empty()) {
            return;
        }
        for word in access.address / 4..=(access.address + (access.bytes - 1)) / 4 {
            let key = (access.space, word);
            // A lock can also be released by a plain store, which is a race with its readers only.
            if !synchronizes && !self.warps[access.warp as usize].observed.contains(&key) {
                self.words.remove(&key);
                continue;
            }
            if access.kind != Kind::Write && !matches!(access.kind, Kind::Reduction(_)) {
                let warp = &mut self.warps[access.warp as usize];
                warp.observed.insert(key);
                if let Some(released) = self.words.get(&key) {
                    for row in inst.dsts() {
                        let same = |p: &Pending| p.row == row && Arc::ptr_eq(&p.released, released);
                        if !warp.pending.iter().any(same) {
                            warp.pending.push(Pending { row, released: Arc::clone(released) });
                        }
                    }
                }
            }
            if stores {
                let warp = &self.warps[access.warp as usize];
                let mut released = self.released(access.warp, warp);
                if let Some(before) = self.words.get(&key).filter(|_| access.kind.is_atomic()) {
                    released.join(before);
                }
                if released == Precedes::default() {
                    self.words.remove(&key);
                } else if self.words.get(&key).is_none_or(|known| **known != released) {
                    self.words.insert(key, Arc::new(released));
                }
            }
        }
    }

    /// Whether the accesses of epoch `epoch` of warp `first` of another block precede the present
    /// accesses of warp `second`.
    pub fn orders_blocks(&self, first: (u32, u32), epoch: u32, second: u32) -> bool {
        self.warps.get(second as usize).is_some_and(|warp| epoch < warp.known.device.of(first))
    }

    /// The same for a warp of the running block, and for other lanes of one warp.
    pub fn orders_warps(&self, first: u32, epoch: u32, second: u32) -> bool {
        self.warps.get(second as usize).is_some_and(|warp| {
            let Precedes { device, block } = &warp.known;
            epoch < device.of((self.block, first)).max(block.of((self.block, first)))
        })
    }

    /// Whether a warp has read a word by a synchronizing access, and has acquired accesses of warp
    /// `first` of an earlier block. Then all atomics of that warp on the word precede its later
    /// accesses to the word (rule 2).
    pub fn observed(&self, first: (u32, u32), warp: u32, space: Space, word: u32) -> bool {
        self.warps
            .get(warp as usize)
            .is_some_and(|warp| warp.observed.contains(&(space, word)) && warp.known.device.of(first) > 0)
    }
}
