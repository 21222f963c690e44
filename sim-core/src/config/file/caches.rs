//! The caches of a chip file.

use super::super::read::Fields;
use super::super::{ConstCacheConfig, ConstLevelConfig};
use super::{LONG, num};
use crate::cache::tags::CacheShape;

/// The longest line: no message has more bytes than a half-warp's transactions that do not coalesce.
const LONGEST_LINE: u32 = 512;

/// Size and shape of any cache.
fn shape(f: &Fields) -> CacheShape {
    CacheShape {
        bytes: num(f, "bytes", 16..=1 << 20),
        line_bytes: num(f, "line_bytes", 16..=LONGEST_LINE),
        ways: num(f, "ways", 1..=1024),
    }
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
