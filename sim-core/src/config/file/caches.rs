//! The caches of a chip file.

use super::super::read::{Fields, Reader};
use super::super::{ConstCacheConfig, ConstLevelConfig, InstrCacheConfig, TlbConfig, TlbLevelConfig};
use super::{LONG, num};
use crate::cache::{CacheShape, Replacement};

/// The longest line: no message has more bytes than a half-warp's transactions that do not
/// coalesce.
const LONGEST_LINE: u32 = 512;

/// Size, shape and policy of any cache.
fn shape(f: &Fields) -> CacheShape {
    CacheShape {
        bytes: num(f, "bytes", 16..=1 << 20),
        line_bytes: num(f, "line_bytes", 16..=LONGEST_LINE),
        ways: num(f, "ways", 1..=1024),
        replacement: replacement(f),
    }
}

/// The replacement policy of any cache.
pub(super) fn replacement(f: &Fields) -> Replacement {
    f.read_optional("replacement", Reader::worded).unwrap_or_default()
}

/// The constant cache of an SM.
pub(super) fn of_sm(f: Fields) -> ConstCacheConfig {
    let cache = ConstCacheConfig {
        shape: shape(&f),
        hit_cycles: num(&f, "hit_cycles", 0..=65535),
        group: num(&f, "group", 1..=32),
        pass_cycles: num(&f, "pass_cycles", 1..=LONG),
    };
    f.finish();
    cache
}

/// A level behind those of the SMs.
pub(super) fn level(f: Fields) -> ConstLevelConfig {
    let level = ConstLevelConfig {
        shape: shape(&f),
        hit_cycles: num(&f, "hit_cycles", 1..=LONG),
        miss_cycles: num(&f, "miss_cycles", 0..=LONG),
    };
    f.finish();
    level
}

/// The instruction cache of an SM.
pub(super) fn instructions(f: Fields) -> InstrCacheConfig {
    let cache =
        InstrCacheConfig { shape: shape(&f), instruction_bytes: num(&f, "instruction_bytes", 4..=16) };
    f.finish();
    cache
}

/// Translation of addresses.
pub(super) fn tlb(f: Fields) -> TlbConfig {
    let tlb = TlbConfig {
        page_bytes: num(&f, "page_bytes", 256..=1 << 30),
        first: tlb_level(f.record("first")),
        second: f.record_or_none("second").map(tlb_level),
    };
    f.finish();
    tlb
}

fn tlb_level(f: Fields) -> TlbLevelConfig {
    let level = TlbLevelConfig {
        entries: num(&f, "entries", 1..=65536),
        ways: num(&f, "ways", 1..=1024),
        replacement: replacement(&f),
        miss_cycles: num(&f, "miss_cycles", 0..=LONG),
    };
    f.finish();
    level
}
