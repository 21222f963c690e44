//! From a log to the pairs that nothing orders.

use super::{Access, Kind, Rule, Space};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;
use std::ops::Range;

/// Why two accesses are not ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Why {
    /// Nothing orders different blocks of a launch.
    Blocks,
    /// Of one block, but of different warps, and both have passed as many barriers.
    Warps,
    /// Of one warp, whose order [`Rule::Barriers`] does not count, and both have passed as many barriers.
    Lanes,
}

/// Two accesses to common bytes that nothing orders though they [meet](Kind::meets).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unordered {
    /// The one whose line is further up; of one line, the one of the lower block or thread.
    pub first: Access,
    /// The other one.
    pub second: Access,
    /// The bytes that both touch.
    pub bytes: Range<u32>,
    /// Why they are not ordered.
    pub why: Why,
    /// How many pairs of accesses, counted for each byte, are like this one: of the same lines, kinds and reason.
    pub times: u64,
}

impl Unordered {
    /// Whether it is a race: two atomics have an order, even if nothing says which.
    pub fn is_race(&self) -> bool {
        !(self.first.kind.is_atomic() && self.second.kind.is_atomic())
    }
}

impl fmt::Display for Unordered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { first, second, times, .. } = self;
        let passed = first.barriers;
        write!(f, "{first}, {second}: ")?;
        match self.why {
            Why::Blocks => write!(f, "nothing orders blocks of one launch"),
            Why::Warps => write!(f, "no barrier between them (both warps have passed {passed})"),
            Why::Lanes => write!(f, "lanes of one warp, no barrier between them (passed: {passed})"),
        }?;
        if *times > 1 { write!(f, "; {times} times") } else { Ok(()) }
    }
}

/// A byte of some memory at some time: launch, space, block (of shared memory), address.
type Byte = (u32, Space, u32, u32);

/// Who did something to a byte, as far as it matters: block, barriers passed, and warp or thread; then what was done,
/// and the line.
type Mark = (u32, u32, u32, Kind, u32);

/// All pairs of accesses in `log` to a common byte that must be ordered and are not: of those that differ
/// in threads, addresses or time only, the first that is found stands for all. The list is in the order of lines.
///
/// A log holds the accesses of one or more runs in the order in which each warp made them.
pub fn unordered(log: &[Access], rule: Rule) -> Vec<Unordered> {
    let mut marks: Vec<(Byte, Mark, usize)> = Vec::new();
    for (index, access) in log.iter().enumerate() {
        let block = if access.space == Space::Shared { access.block } else { 0 };
        let agent = if rule == Rule::Warps { access.warp } else { access.thread() };
        let mark = (access.block, access.barriers, agent, access.kind, access.line);
        let bytes = access.address..access.address.saturating_add(access.bytes);
        marks.extend(bytes.map(|byte| ((access.launch, access.space, block, byte), mark, index)));
    }
    marks.sort_unstable();
    marks.dedup_by_key(|(byte, mark, _)| (*byte, *mark));
    let mut found = BTreeMap::new();
    for of_byte in marks.chunk_by(|a, b| a.0 == b.0) {
        if of_byte.iter().any(|(_, mark, _)| mark.3 != Kind::Read) {
            search(log, of_byte, &mut found);
        }
    }
    found.into_values().collect()
}

/// What pairs are told apart by: lines, kinds and reason.
type Like = (u32, u32, Kind, Kind, Why);

/// Adds the unordered pairs among the marks of one byte, which are in order.
fn search(log: &[Access], marks: &[(Byte, Mark, usize)], found: &mut BTreeMap<Like, Unordered>) {
    for (i, (_, mark, index)) in marks.iter().enumerate() {
        // Not ordered with it are those behind it of the same block and time, and those of later blocks.
        let rest = &marks[i + 1..];
        let same = rest.partition_point(|(_, other, _)| (other.0, other.1) == (mark.0, mark.1));
        let later = rest.partition_point(|(_, other, _)| other.0 == mark.0);
        for (_, other, other_index) in rest[..same].iter().chain(&rest[later..]) {
            if mark.3.meets(other.3) && (mark.0, mark.2) != (other.0, other.2) {
                add(found, log[*index], log[*other_index]);
            }
        }
    }
}

fn add(found: &mut BTreeMap<Like, Unordered>, a: Access, b: Access) {
    let place = |x: &Access| (x.line, x.block, x.thread());
    let (first, second) = if place(&a) <= place(&b) { (a, b) } else { (b, a) };
    let why = match (first.block == second.block, first.warp == second.warp) {
        (false, _) => Why::Blocks,
        (true, false) => Why::Warps,
        (true, true) => Why::Lanes,
    };
    match found.entry((first.line, second.line, first.kind, second.kind, why)) {
        Entry::Occupied(mut pair) => pair.get_mut().times += 1,
        Entry::Vacant(place) => {
            let start = first.address.max(second.address);
            let end = (first.address + first.bytes).min(second.address + second.bytes);
            place.insert(Unordered { first, second, bytes: start..end, why, times: 1 });
        }
    }
}
