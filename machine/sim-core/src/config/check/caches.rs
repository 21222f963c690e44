//! Rules of caches: whole sets, and lines that fit into the lines of the next level and into a
//! chunk.

use super::{Chip, Rules, codes};
use crate::cache::{CacheShape, Replacement};
use isa::uop::Class;

pub(super) fn check(chip: &Chip, rules: &mut Rules) {
    let constants = chip.sm.const_cache.map(|cache| ("sm.const_cache", cache.shape));
    let code = chip.sm.instr_cache.map(|cache| ("sm.instr_cache", cache.shape));
    let cluster = chip.cluster.const_cache.map(|cache| ("cluster.const_cache", cache.shape));
    let partition = chip.partition.const_cache.map(|cache| ("partition.const_cache", cache.shape));
    let fetches = chip.cluster.texture_cache.map(|cache| ("cluster.texture_cache", cache.shape));
    let texels = chip.partition.texture_cache.map(|cache| ("partition.texture_cache", cache.shape));
    let all = [constants, code, cluster, partition, fetches, texels].into_iter().flatten();
    for (path, shape) in all {
        self::shape(path, shape, rules);
        let line = format!("{path}.line_bytes");
        let chunk = chip.partition.chunk_bytes;
        let values = [(line.as_str(), shape.line_bytes.into()), ("partition.chunk_bytes", chunk.into())];
        let message = "the lines of a cache must not be larger than partition.chunk_bytes: one partition owns a whole line";
        rules.require(shape.line_bytes <= chunk, codes::CONTRADICTION, &values, message);
    }
    let behind = cluster.or(partition);
    for pair in [(constants, behind), (code, behind), (cluster, partition), (fetches, texels)] {
        let (Some((near, inner)), Some((far, outer))) = pair else { continue };
        let message = format!("a line of {far} must not be smaller than a line of {near}");
        let (inner, outer) = (inner.line_bytes, outer.line_bytes);
        let (near, far) = (format!("{near}.line_bytes"), format!("{far}.line_bytes"));
        let values = [(near.as_str(), inner.into()), (far.as_str(), outer.into())];
        rules.require(inner <= outer, codes::CONTRADICTION, &values, message);
    }
    of_sm(chip, rules);
    translation(chip, rules);
}

/// Pages are powers of two, and levels have whole sets.
fn translation(chip: &Chip, rules: &mut Rules) {
    let Some(tlb) = chip.cluster.tlb else { return };
    rules.power_of_two("cluster.tlb.page_bytes", tlb.page_bytes);
    for (path, level) in [("first", Some(tlb.first)), ("second", tlb.second)] {
        let Some(level) = level else { continue };
        let [entries, ways] = ["entries", "ways"].map(|name| format!("cluster.tlb.{path}.{name}"));
        let values = [(entries.as_str(), level.entries.into()), (ways.as_str(), level.ways.into())];
        let message = format!(
            "cluster.tlb.{path} must have a whole number of sets of {} entries, at least one",
            level.ways
        );
        let whole = level.entries.is_multiple_of(level.ways);
        rules.require(whole, codes::CONTRADICTION, &values, message);
        replacement(&ways, &format!("cluster.tlb.{path}.replacement"), level.shape(), rules);
    }
}

/// Rules of the constant cache of an SM.
fn of_sm(chip: &Chip, rules: &mut Rules) {
    let Some(cache) = &chip.sm.const_cache else { return };
    rules.require(
        matches!(cache.group, 16 | 32),
        codes::CONTRADICTION,
        &[("sm.const_cache.group", cache.group.into())],
        "sm.const_cache.group must be 16 (half-warp) or 32 (warp)",
    );
    rules.power_of_two("sm.const_cache.word_bytes", cache.word_bytes);
    let loads =
        [("sm.classes.ld_const.latency", Class::LdConst), ("sm.classes.ld_param.latency", Class::LdParam)];
    // Parameters in shared memory do not use the cache.
    for (path, class) in &loads[..2 - usize::from(chip.allocation.params_in_shared)] {
        let latency = chip.sm.classes[*class as usize].latency;
        rules.require(
            cache.hit_cycles <= u32::from(latency),
            codes::CONTRADICTION,
            &[("sm.const_cache.hit_cycles", cache.hit_cycles.into()), (path, latency.into())],
            "the hit latency of the constant cache must not exceed the latency of the load",
        );
    }
}

/// The tree of pseudo-LRU has a leaf for each way, so the number of ways is a power of two. `ways`
/// and `policy` are the paths of the two values.
pub(super) fn replacement(ways: &str, policy: &str, shape: CacheShape, rules: &mut Rules) {
    let sound = match shape.replacement {
        Replacement::PseudoLru => shape.ways.is_power_of_two(),
        Replacement::Lru
        | Replacement::Fifo
        | Replacement::Random { .. }
        | Replacement::Biased { .. }
        | Replacement::Own(_) => true,
    };
    if sound {
        return;
    }
    let message = format!("{ways} must be a power of two for the replacement policy pseudo_lru");
    let values = [(ways, shape.ways.into()), (policy, 0)];
    if let Some(mut diagnostic) = rules.at(codes::POWER_OF_TWO, &values, message) {
        diagnostic.labels[1].1 = format!("`{policy}` is {}", shape.replacement);
        rules.diagnostics.push(diagnostic);
    }
}

fn shape(path: &str, shape: CacheShape, rules: &mut Rules) {
    let [bytes, line, ways] = ["bytes", "line_bytes", "ways"].map(|name| format!("{path}.{name}"));
    rules.power_of_two(&line, shape.line_bytes);
    replacement(&ways, &format!("{path}.replacement"), shape, rules);
    let set = u64::from(shape.line_bytes) * u64::from(shape.ways);
    let values = [
        (bytes.as_str(), u64::from(shape.bytes)),
        (line.as_str(), shape.line_bytes.into()),
        (ways.as_str(), shape.ways.into()),
    ];
    let message = format!("{path} must have a whole number of sets of {set} bytes, at least one");
    let whole = u64::from(shape.bytes) >= set && u64::from(shape.bytes).is_multiple_of(set);
    rules.require(whole, codes::CONTRADICTION, &values, message);
}
