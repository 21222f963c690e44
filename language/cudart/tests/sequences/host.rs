//! The memory of a simulated host program: ranges of bytes at addresses, without a real process.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};
use warpsim_cuda::runtime::host::Process;

/// Ranges of memory by their first address.
pub type Ranges<T> = BTreeMap<u64, Vec<T>>;

/// Returns the range and the offset of `bytes` bytes, if one range contains all of them.
pub fn inside<T>(ranges: &Ranges<T>, at: u64, bytes: u64) -> Option<(u64, usize)> {
    let (start, range) = ranges.range(..=at).next_back()?;
    let end = (at - start).checked_add(bytes)?;
    (at - start < range.len() as u64 && end <= range.len() as u64).then_some((*start, (at - start) as usize))
}

/// State of the memory.
#[derive(Debug, Default)]
struct Space {
    ranges: Ranges<u8>,
    /// Whether pages are allocated at the wanted address.
    obliging: bool,
    next: u64,
}

/// The memory, which the runtime and the driver share.
#[derive(Clone, Debug, Default)]
pub struct Host(Arc<Mutex<Space>>);

impl Host {
    /// Memory without a range.
    pub fn new(obliging: bool) -> Self {
        Self(Arc::new(Mutex::new(Space { ranges: Ranges::new(), obliging, next: 0x7000_0000_0000 })))
    }

    fn space(&self) -> MutexGuard<'_, Space> {
        self.0.lock().expect("no call panics")
    }

    /// Adds a range.
    pub fn add(&self, at: u64, bytes: Vec<u8>) {
        self.space().ranges.insert(at, bytes);
    }

    /// Returns a copy of a range.
    pub fn range(&self, at: u64) -> Option<Vec<u8>> {
        self.space().ranges.get(&at).cloned()
    }

    /// Reads a word.
    pub fn word(&self, at: u64) -> u64 {
        let mut bytes = [0; 8];
        assert!(self.read(&[(at, 8)], &mut bytes), "the driver reads its own memory");
        u64::from_le_bytes(bytes)
    }
}

impl Process for Host {
    fn file(&self, _path: &str) -> Option<String> {
        None
    }

    fn read(&self, parts: &[(u64, u64)], out: &mut [u8]) -> bool {
        let space = self.space();
        let mut rest = out;
        for (at, bytes) in parts.iter().filter(|(_, bytes)| *bytes > 0) {
            let Some((start, offset)) = inside(&space.ranges, *at, *bytes) else { return false };
            let (own, others) = rest.split_at_mut(*bytes as usize);
            own.copy_from_slice(&space.ranges[&start][offset..offset + *bytes as usize]);
            rest = others;
        }
        true
    }

    fn write(&self, parts: &[(u64, u64)], bytes: &[u8]) -> bool {
        let mut space = self.space();
        let parts: Vec<_> = parts.iter().filter(|(_, bytes)| *bytes > 0).collect();
        if parts.iter().any(|(at, bytes)| inside(&space.ranges, *at, *bytes).is_none()) {
            return false;
        }
        let mut rest = bytes;
        for (at, bytes) in parts {
            let (own, others) = rest.split_at(*bytes as usize);
            let (start, offset) = inside(&space.ranges, *at, *bytes).expect("checked above");
            space.ranges.get_mut(&start).expect("it was found")[offset..offset + own.len()]
                .copy_from_slice(own);
            rest = others;
        }
        true
    }

    fn allocate(&self, wanted: u64, bytes: u64) -> Option<u64> {
        if bytes > 1 << 24 {
            return None;
        }
        let bytes = bytes.next_multiple_of(4096);
        let mut space = self.space();
        let free = |at: u64| {
            let before = space.ranges.range(..at + bytes).next_back();
            before.is_none_or(|(start, range)| start + range.len() as u64 <= at)
        };
        let at = if space.obliging && wanted != 0 && free(wanted) { wanted } else { space.next };
        space.next += bytes + (1 << 16);
        space.ranges.insert(at, vec![0; bytes as usize]);
        Some(at)
    }

    fn release(&self, address: u64, bytes: u64) {
        let range = self.space().ranges.remove(&address);
        let pages = bytes.next_multiple_of(4096);
        assert_eq!(range.map(|range| range.len() as u64), Some(pages), "the range was allocated");
    }
}
