//! The entry of a word or a byte: its accesses, in a fixed size.

/// No thread.
const NONE: u16 = u16::MAX;
/// Several threads.
pub const SEVERAL: u16 = u16::MAX - 1;

/// Accesses of one class to the bytes of an entry: threads in the latest interval with such an
/// access, and in all earlier ones of the block.
#[derive(Clone, Copy, Debug)]
struct Threads {
    /// 0: none.
    interval: u32,
    latest: u16,
    earlier: u16,
}

/// Whether a thread other than `thread` is among `known`.
#[inline]
fn others(known: u16, thread: u16) -> bool {
    known != NONE && (known != thread || thread == SEVERAL)
}

impl Threads {
    const EMPTY: Self = Self { interval: 0, latest: NONE, earlier: NONE };

    /// Whether another thread made such an access in `interval`.
    #[inline]
    fn others_in(self, interval: u32, thread: u16) -> bool {
        self.interval == interval && others(self.latest, thread)
    }

    /// Whether another thread made such an access before `interval`.
    fn others_before(self, interval: u32, thread: u16) -> bool {
        others(self.earlier, thread) || self.interval < interval && others(self.latest, thread)
    }

    #[inline]
    fn add(&mut self, interval: u32, thread: u16) {
        if self.interval == interval {
            if self.latest != thread {
                self.latest = SEVERAL;
            }
            return;
        }
        self.earlier = match (self.earlier, self.latest) {
            (known, NONE) => known,
            (NONE, latest) => latest,
            (known, latest) if known == latest => known,
            _ => SEVERAL,
        };
        (self.interval, self.latest) = (interval, thread);
    }
}

/// Classes of accesses, which conflict with each other. Reductions by one operation do not conflict
/// with each other.
pub const READ: usize = 0;
pub const WRITE: usize = 1;
pub const REDUCTION: usize = 2;

/// Reductions by several operations.
const MIXED: u8 = u8::MAX;

/// The accesses to some bytes.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Number of the latest block with an access; 0: none.
    block: u32,
    /// Classes of the accesses of earlier blocks; bit = class.
    before: u8,
    /// Operation of the reductions; 0: none, or [`MIXED`].
    operation: u8,
    by: [Threads; 3],
}

pub const EMPTY: Entry = Entry { block: 0, before: 0, operation: 0, by: [Threads::EMPTY; 3] };

/// Position in the launch at which an access is compared.
#[derive(Clone, Copy, Debug)]
pub struct Now {
    /// Number of the running block.
    pub block: u32,
    /// Number of the running interval between barriers.
    pub interval: u32,
    /// Whether accesses of different blocks meet.
    pub global: bool,
    /// Operation of a reduction.
    pub operation: u8,
    /// Whether it matters which accesses a barrier orders.
    pub settle: bool,
}

/// Result of the comparison of an access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Met {
    /// It conflicts with an access that is not ordered.
    pub unordered: bool,
    /// It conflicts with an access of another block.
    pub between_blocks: bool,
    /// It conflicts with an earlier access of the block that a barrier orders.
    pub ordered: bool,
}

impl Entry {
    /// Adds an access of class `CLASS`.
    #[inline]
    pub fn touch<const CLASS: usize>(&mut self, now: &Now, thread: u16, met: &mut Met) {
        if self.block != now.block {
            let present = |class: usize| u8::from(self.by[class].interval != 0) << class;
            let before = self.before | present(READ) | present(WRITE) | present(REDUCTION);
            let (before, operation) = if now.global { (before, self.operation) } else { (0, 0) };
            *self = Self { block: now.block, before, operation, ..EMPTY };
        }
        let latest = self.by[READ];
        if CLASS == READ && latest.interval == now.interval && [thread, SEVERAL].contains(&latest.latest) {
            // A conflict was found at an earlier read of the interval, or at a write after it.
            return;
        }
        let mixed = CLASS == REDUCTION && ![0, now.operation].contains(&self.operation);
        let conflicts = |class: usize| match CLASS {
            READ => class != READ,
            WRITE => true,
            _ => class != REDUCTION || mixed,
        };
        for class in [READ, WRITE, REDUCTION] {
            let with = self.by[class];
            if conflicts(class) {
                met.between_blocks |= self.before >> class & 1 == 1;
                met.unordered |= met.between_blocks || with.others_in(now.interval, thread);
                met.ordered |= now.settle && with.others_before(now.interval, thread);
            }
        }
        // Several lanes of one instruction write the bytes.
        met.unordered |= CLASS == WRITE && thread == SEVERAL;
        if CLASS == REDUCTION {
            self.operation = if mixed { MIXED } else { now.operation };
        }
        self.by[CLASS].add(now.interval, thread);
    }
}
