//! Rules of L1 and L2: whole sets, and the coalescing rule `lines`.

use super::super::Chip;
use super::{Rules, caches, codes};
use crate::cache::CacheShape;
use crate::cache::LINE_BYTES;

pub(super) fn check(chip: &Chip, rules: &mut Rules) {
    if let Some(l1) = &chip.sm.l1 {
        shape("sm.l1", l1.shape(), rules);
        caches::replacement("sm.l1.ways", "sm.l1.replacement", l1.shape(), rules);
        if let Some(split) = l1.prefer_l1 {
            let divided = CacheShape { bytes: split.bytes, ways: split.ways, ..l1.shape() };
            shape("sm.l1.prefer_l1", divided, rules);
            caches::replacement("sm.l1.prefer_l1.ways", "sm.l1.replacement", divided, rules);
            let message =
                "sm.l1.prefer_l1.shared_bytes is smaller than the shared memory that each block reserves";
            let taken = chip.allocation.shared_per_block;
            rules.require(
                taken <= split.shared_bytes,
                codes::CONTRADICTION,
                &[
                    ("sm.l1.prefer_l1.shared_bytes", split.shared_bytes.into()),
                    ("allocation.shared_per_block", taken.into()),
                ],
                message,
            );
        }
        lines("sm.l1.bytes", l1.bytes, chip, rules);
    }
    if let Some(l2) = &chip.partition.l2 {
        shape("partition.l2", l2.shape(), rules);
        caches::replacement("partition.l2.ways", "partition.l2.replacement", l2.shape(), rules);
        lines("partition.l2.bytes", l2.bytes, chip, rules);
        constants(l2.bytes, chip, rules);
    }
}

/// An L2 also caches constants, as parts of its lines.
fn constants(bytes: u32, chip: &Chip, rules: &mut Rules) {
    let l2 = ("partition.l2.bytes", u64::from(bytes));
    if let Some(own) = &chip.partition.const_cache {
        let own = ("partition.const_cache.bytes", u64::from(own.shape.bytes));
        let message = "a partition with an L2 cannot have a constant cache: the L2 caches constants";
        rules.require(false, codes::CONTRADICTION, &[l2, own], message);
    }
    let near = chip.sm.const_cache.map(|cache| ("sm.const_cache.line_bytes", cache.shape.line_bytes));
    let far =
        chip.cluster.const_cache.map(|cache| ("cluster.const_cache.line_bytes", cache.shape.line_bytes));
    for (path, line) in [near, far].into_iter().flatten() {
        let message =
            format!("a line of a constant cache must not be larger than an L2 line ({LINE_BYTES} bytes)");
        rules.require(line <= LINE_BYTES, codes::CONTRADICTION, &[(path, line.into()), l2], message);
    }
}

/// The caches serve lines, and only one coalescing rule makes messages for lines.
fn lines(path: &str, bytes: u32, chip: &Chip, rules: &mut Rules) {
    let group = ("sm.lsu.group", u64::from(chip.sm.lsu.group));
    let message = "a cache of global memory requires the coalescing rule `lines` (sm.lsu.rule)";
    let holds = chip.sm.lsu.rule.makes_lines();
    rules.require(holds, codes::CONTRADICTION, &[(path, bytes.into()), group], message);
}

fn shape(path: &str, shape: CacheShape, rules: &mut Rules) {
    let [bytes, ways] = ["bytes", "ways"].map(|name| format!("{path}.{name}"));
    let set = u64::from(shape.line_bytes) * u64::from(shape.ways);
    let values = [(bytes.as_str(), u64::from(shape.bytes)), (ways.as_str(), shape.ways.into())];
    let message = format!("{path} must have a whole number of sets of {set} bytes, at least one");
    let whole = u64::from(shape.bytes) >= set && u64::from(shape.bytes).is_multiple_of(set);
    rules.require(whole, codes::CONTRADICTION, &values, message);
}
