//! Rules of caches: whole sets, lines that fit into each other and into a chunk.

use super::{Chip, Rules, codes};
use crate::cache::tags::CacheShape;
use isa::uop::Class;

pub(super) fn check(chip: &Chip, rules: &mut Rules) {
    let levels = [
        ("sm.const_cache", chip.sm.const_cache.map(|cache| cache.shape)),
        ("cluster.const_cache", chip.cluster.const_cache.map(|cache| cache.shape)),
        ("partition.const_cache", chip.partition.const_cache.map(|cache| cache.shape)),
    ];
    let present: Vec<(&str, CacheShape)> =
        levels.into_iter().filter_map(|(path, shape)| Some((path, shape?))).collect();
    for (path, shape) in &present {
        self::shape(path, *shape, rules);
    }
    for pair in present.windows(2) {
        let [(near, inner), (far, outer)] = [pair[0], pair[1]];
        let message = format!("a line of {far} must hold whole lines of {near}");
        let (inner, outer) = (inner.line_bytes, outer.line_bytes);
        let (near, far) = (format!("{near}.line_bytes"), format!("{far}.line_bytes"));
        let values = [(near.as_str(), inner.into()), (far.as_str(), outer.into())];
        rules.require(inner <= outer, codes::CONTRADICTION, &values, message);
    }
    if let Some((path, shape)) = present.last() {
        let line = format!("{path}.line_bytes");
        let values = [
            (line.as_str(), shape.line_bytes.into()),
            ("partition.chunk_bytes", chip.partition.chunk_bytes.into()),
        ];
        let message = "a line must lie in one chunk, so that one partition owns it";
        rules.require(shape.line_bytes <= chip.partition.chunk_bytes, codes::CONTRADICTION, &values, message);
    }
    of_sm(chip, rules);
}

/// What only the SMs' constant caches have.
fn of_sm(chip: &Chip, rules: &mut Rules) {
    let Some(cache) = &chip.sm.const_cache else { return };
    rules.require(
        matches!(cache.group, 16 | 32),
        codes::CONTRADICTION,
        &[("sm.const_cache.group", cache.group.into())],
        "sm.const_cache.group must be 16 (half-warp) or 32 (warp)",
    );
    let loads =
        [("sm.classes.ld_const.latency", Class::LdConst), ("sm.classes.ld_param.latency", Class::LdParam)];
    // Parameters in shared memory have nothing to do with it.
    for (path, class) in &loads[..2 - usize::from(chip.allocation.params_in_shared)] {
        let latency = chip.sm.classes[*class as usize].latency;
        rules.require(
            cache.hit_cycles <= u32::from(latency),
            codes::CONTRADICTION,
            &[("sm.const_cache.hit_cycles", cache.hit_cycles.into()), (path, latency.into())],
            "the cache's share of a load's latency must not be more than all of it",
        );
    }
}

fn shape(path: &str, shape: CacheShape, rules: &mut Rules) {
    let [bytes, line, ways] = ["bytes", "line_bytes", "ways"].map(|name| format!("{path}.{name}"));
    rules.power_of_two(&line, shape.line_bytes);
    let set = u64::from(shape.line_bytes) * u64::from(shape.ways);
    let values = [
        (bytes.as_str(), u64::from(shape.bytes)),
        (line.as_str(), shape.line_bytes.into()),
        (ways.as_str(), shape.ways.into()),
    ];
    let message = format!("{path} must be whole sets of {set} bytes, one at least");
    let whole = u64::from(shape.bytes) >= set && u64::from(shape.bytes).is_multiple_of(set);
    rules.require(whole, codes::CONTRADICTION, &values, message);
}
