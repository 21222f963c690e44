//! Tests of chip files: values and `--set` arguments here, the built-in chips in `chips`,
//! complaints in `complaints`, the table of fields in `fields`, and `docs/CONFIG.md` in `page`.

mod chips;
mod complaints;
mod fields;

use super::base::{Text, Texts};
use super::builtin::{builtin_text, simulated_names};
use super::codes;
use super::{Chip, CoalesceRule, FirstPath, MapKind, SameWord};
use crate::cache::Replacement;
use crate::sm::scheduler::PolicyKind;
use isa::types::Capability;
use isa::uop::Class;

fn g80() -> &'static str {
    builtin_text("g80").unwrap()
}

fn with(sets: &[(&str, &str)]) -> Chip {
    let sets: Vec<(String, String)> = sets.iter().map(|(p, v)| ((*p).into(), (*v).into())).collect();
    Chip::from_ron("g80.ron", g80(), &sets).unwrap_or_else(|c| panic!("{c}")).0
}

#[test]
fn set_reaches_every_kind_of_value() {
    assert_eq!(with(&[("sm.max_warps", "16"), ("sm.max_threads", "512")]).sm.max_warps, 16);
    assert_eq!(with(&[("clocks.memory_mhz", "800.5")]).clocks.memory_khz, 800_500);
    assert_eq!(with(&[("sm.classes.fp_mad.latency", "18")]).sm.classes[Class::FMad as usize].latency, 18);
    assert_eq!(with(&[("sm.units.sp.lanes", "16")]).sm.units[0].lanes, 16);
    assert!(with(&[("sm.units.sp.per_scheduler", "true")]).sm.units[0].per_scheduler);
    assert_eq!(with(&[("partition.map", "hashed")]).partition.map, MapKind::Hashed);
    assert_eq!(with(&[("capability", "1.1")]).capability, Capability::new(1, 1));
    assert_eq!(with(&[("limits.grid.2", "4")]).limits.grid.z, 4);
    assert_eq!(with(&[("sm.first_path", "taken")]).sm.first_path, FirstPath::Taken);
    assert_eq!(with(&[("sm.lsu.same_word", "apart")]).sm.lsu.same_word, SameWord::Apart);
    assert_eq!(with(&[("cluster.sms", "1"), ("cluster.sms", "3")]).cluster.sms, 3, "the last one counts");
}

#[test]
fn every_replacement_policy_has_a_spelling() {
    for (text, policy) in [
        ("lru", Replacement::Lru),
        ("fifo", Replacement::Fifo),
        ("random(seed: 1)", Replacement::Random { seed: 1 }),
        ("pseudo_lru", Replacement::PseudoLru),
    ] {
        for path in ["sm.const_cache", "cluster.const_cache", "partition.const_cache"] {
            let chip = with(&[(&format!("{path}.replacement"), text)]);
            for (cache, shape) in chip.caches() {
                let expected = if cache == path { policy } else { Replacement::Lru };
                assert_eq!(shape.replacement, expected, "{cache}");
            }
        }
    }
}

#[test]
fn every_scheduler_has_a_spelling() {
    for (text, policy) in [
        ("lrr", PolicyKind::LooseRoundRobin),
        ("oldest", PolicyKind::OldestFirst),
        ("gto", PolicyKind::GreedyThenOldest),
        ("two_level(active: 8)", PolicyKind::TwoLevel { active: 8 }),
        ("priority", PolicyKind::Priority),
        ("random(seed: 1)", PolicyKind::Random { seed: 1 }),
    ] {
        assert_eq!(with(&[("scheduler", text)]).sm.policy, policy);
    }
}
