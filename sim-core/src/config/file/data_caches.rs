//! The L1 and L2 of a chip file.

use super::super::read::Fields;
use super::super::{L1Config, L2Config, Split};
use super::caches::replacement;
use super::{LONG, num};

/// The largest L1.
const L1_BYTES: u32 = 1 << 20;
/// The largest L2 of a partition.
const L2_BYTES: u32 = 1 << 22;

/// The L1 of an SM.
pub(super) fn l1(f: Fields) -> L1Config {
    let l1 = L1Config {
        bytes: num(&f, "bytes", 128..=L1_BYTES),
        ways: num(&f, "ways", 1..=1024),
        hit_cycles: num(&f, "hit_cycles", 0..=LONG),
        misses: num(&f, "misses", 1..=1024),
        merges: num(&f, "merges", 1..=1024),
        global: f.bool("global").unwrap_or(true),
        replacement: replacement(&f),
        prefer_l1: f.record_or_none("prefer_l1").map(split),
    };
    f.finish();
    l1
}

fn split(f: Fields) -> Split {
    let split = Split {
        bytes: num(&f, "bytes", 128..=L1_BYTES),
        ways: num(&f, "ways", 1..=1024),
        shared_bytes: num(&f, "shared_bytes", 0..=1 << 20),
    };
    f.finish();
    split
}

/// The L2 of a partition.
pub(super) fn l2(f: Fields) -> L2Config {
    let l2 = L2Config {
        bytes: num(&f, "bytes", 128..=L2_BYTES),
        ways: num(&f, "ways", 1..=1024),
        hit_cycles: num(&f, "hit_cycles", 0..=LONG),
        sector_cycles: num(&f, "sector_cycles", 1..=LONG),
        misses: num(&f, "misses", 1..=4096),
        replacement: replacement(&f),
    };
    f.finish();
    l2
}
