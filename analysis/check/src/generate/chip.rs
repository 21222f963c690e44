//! Random small chips: `--set` arguments for a built-in chip. All timing parameters of an ordered
//! launch are drawn within the limits of the config check.

use proptest::collection::vec;
use proptest::prelude::*;
use sim_core::config::Chip;
use sim_core::config::builtin::builtin_text;

/// A chip, as differences from a built-in one.
#[derive(Clone, PartialEq, Eq)]
pub struct ChipSpec {
    /// Name of the built-in chip.
    pub base: &'static str,
    /// `--set` arguments: path and value.
    pub sets: Vec<(String, String)>,
}

impl std::fmt::Debug for ChipSpec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ", self.base)?;
        f.debug_list().entries(self.sets.iter().map(|(path, value)| format!("{path}={value}"))).finish()
    }
}

impl ChipSpec {
    /// Returns the built-in `g80` with these settings.
    pub fn new<'a>(sets: impl IntoIterator<Item = (&'a str, String)>) -> Self {
        let sets = sets.into_iter().map(|(path, value)| (path.to_owned(), value)).collect();
        Self { base: "g80", sets }
    }

    /// Returns an unmodified built-in chip.
    pub fn built_in(base: &'static str) -> Self {
        Self { base, sets: Vec::new() }
    }

    /// Returns one of the targets that the chip supports; the newest ones most often.
    pub fn target(&self, which: u8) -> u32 {
        let targets: &[u32] = match self.base {
            "g80" => &[10],
            "gt200" => &[10, 13, 12, 13, 11, 13],
            _ => &[10, 20, 13, 20, 12, 20, 11, 20],
        };
        targets[usize::from(which) % targets.len()]
    }

    /// Returns the same chip with other values for some settings.
    #[must_use]
    pub fn with(mut self, sets: &[(&str, &str)]) -> Self {
        self.sets.retain(|(path, _)| sets.iter().all(|(other, _)| path != other));
        self.sets.extend(sets.iter().map(|(path, value)| ((*path).to_owned(), (*value).to_owned())));
        self
    }

    /// Returns the checked chip.
    ///
    /// # Panics
    /// The config check rejects it: generators must draw valid chips only.
    pub fn chip(&self) -> Chip {
        self.checked().unwrap_or_else(|why| panic!("the generator drew an invalid chip: {why}"))
    }

    /// Whether the config check has a warning about the chip.
    pub fn has_warnings(&self) -> bool {
        let chip = builtin_text(self.base).map(|text| Chip::from_ron(self.base, text, &self.sets));
        chip.is_some_and(|chip| chip.is_ok_and(|(_, warnings)| !warnings.is_empty()))
    }

    /// Returns the checked chip, or what the config check says of it.
    pub fn checked(&self) -> Result<Chip, String> {
        let text = builtin_text(self.base).ok_or_else(|| format!("no chip `{}` is built in", self.base))?;
        let chip =
            Chip::from_ron(self.base, text, &self.sets).map_err(|complaints| complaints.to_string())?;
        Ok(chip.0)
    }
}

/// Names of the instruction classes.
fn class_names() -> impl Iterator<Item = &'static str> {
    isa::uop::Class::ALL.into_iter().map(isa::uop::Class::name)
}

/// A value that is often 1, sometimes small, and sometimes large.
fn depth(large: u32) -> BoxedStrategy<u32> {
    prop_oneof![2 => Just(1u32), 2 => 2u32..9, 1 => Just(large)].boxed()
}

fn pick(values: &'static [u32]) -> BoxedStrategy<u32> {
    proptest::sample::select(values).boxed()
}

fn policy() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("lrr".to_owned()),
        Just("oldest".to_owned()),
        Just("gto".to_owned()),
        (1u32..6).prop_map(|active| format!("two_level(active: {active})")),
        Just("priority".to_owned()),
        any::<u32>().prop_map(|seed| format!("random(seed: {seed})")),
    ]
}

/// Independent parameters, each with its strategy.
fn numbers() -> Vec<(&'static str, BoxedStrategy<u32>)> {
    vec![
        ("clusters", (1u32..5).boxed()),
        ("cluster.sms", (1u32..4).boxed()),
        ("cluster.port_request_cycles", (1u32..5).boxed()),
        ("cluster.port_bytes_per_cycle", (1u32..33).boxed()),
        ("cluster.reply_bytes_per_cycle", (1u32..65).boxed()),
        ("cluster.reply_room", depth(128)),
        ("crossbar.depth", depth(256)),
        ("partitions", (1u32..7).boxed()),
        ("partition.arbiter_cycles", (1u32..4).boxed()),
        ("partition.pipeline_cycles", (0u32..60).boxed()),
        ("partition.atomic_cycles", (1u32..100).boxed()),
        ("partition.reply_bytes_per_cycle", (1u32..65).boxed()),
        ("partition.reply_header_cycles", (0u32..4).boxed()),
        ("partition.input_bytes_per_cycle", pick(&[0, 4, 7, 16, 64])),
        ("partition.dram.ecc_bursts", pick(&[0, 0, 1, 3, 8])),
        ("partition.dram.burst_bytes", pick(&[32, 64])),
        ("partition.dram.queue", (1u32..17).boxed()),
        ("partition.dram.starvation", (1u32..600).boxed()),
        ("sm.max_warps", (4u32..25).boxed()),
        ("sm.max_blocks", (1u32..9).boxed()),
        ("sm.schedulers", pick(&[1, 2, 2, 3])),
        ("sm.issue_period", pick(&[1, 2, 4])),
        ("sm.block_start_cycles", (0u32..40).boxed()),
        ("sm.barrier_cycles", (0u32..40).boxed()),
        ("sm.units.sp.lanes", pick(&[4, 8, 16, 32])),
        ("sm.units.lsu.lanes", pick(&[4, 8, 16, 32])),
        ("sm.units.control.lanes", pick(&[8, 32])),
        ("sm.shared.banks", pick(&[8, 16, 32])),
        ("sm.shared.group", pick(&[16, 32])),
        ("sm.shared.pass_cycles", (1u32..5).boxed()),
        ("sm.shared.conflict_latency", (0u32..50).boxed()),
        ("sm.shared.retry_slots", (0u32..7).boxed()),
        ("sm.shared.atomic_pass_cycles", (1u32..5).boxed()),
        ("sm.units.sp.count", pick(&[1, 1, 2, 3])),
        ("sm.units.lsu.count", pick(&[1, 1, 2])),
        ("sm.operands.shared.cycles", (1u32..12).boxed()),
        ("sm.operands.shared.latency", (0u32..20).boxed()),
        ("sm.operands.constant.cycles", (1u32..12).boxed()),
        ("sm.operands.constant.latency", (0u32..20).boxed()),
        ("sm.operands.param.cycles", (1u32..12).boxed()),
        ("sm.operands.param.latency", (0u32..20).boxed()),
        ("sm.lsu.queue", depth(16)),
        ("sm.lsu.latency", (0u32..40).boxed()),
        ("sm.lsu.transaction_cycles", (1u32..5).boxed()),
        ("dispatch.block_cycles", (1u32..20).boxed()),
        ("dispatch.concurrent_kernels", (1u32..17).boxed()),
        ("pcie.copy_engines", (0u32..3).boxed()),
    ]
}

/// Parameters with dependencies: latencies of the crossbar and of the launch, clocks, and DRAM
/// timing.
fn bound() -> impl Strategy<Value = Vec<(String, String)>> {
    let dram = (1u32..5, 1u32..9, 1u32..15, 0u32..15, 1u32..13, 0u32..3, vec(1u32..13, 6));
    // Number of banks, of bank groups, and of interleaved banks.
    let banks = pick(&[1, 2, 4, 8]);
    let groups = (0u32..3, banks, 0u32..3, 0u32..3);
    let refresh = proptest::option::of((1u32..400, 0u32..50));
    // Slower and faster than the shader clocks of the built-in chips, 1150 to 1645 MHz.
    let clocks = (300u32..4000, 300u32..4000);
    let sizes = (pick(&[128, 256, 1024]), 0u32..4);
    (1u32..60, 0u32..100, clocks, sizes, dram, refresh, groups).prop_map(
        |(
            latency,
            more,
            (core, memory),
            (chunk, rows),
            (ccd, rrd, rcd, ras, rp, rc, rest),
            refresh,
            (more_ccd, banks, groups, around),
        )| {
            let of_banks = |shift: u32| 1 << shift.min(banks.trailing_zeros());
            let ras = rcd + ras;
            let rc = ras + rp + rc;
            // The longest sequence of bursts plus all other work that a request may need between
            // two refreshes.
            let work = rp + rc + rrd.min(rc) + rcd + rest.iter().sum::<u32>() + 32 * (ccd + more_ccd);
            let (refi, rfc) = refresh.map_or((0, 0), |(free, rfc)| (work + rfc + free, rfc));
            let t = |name: &str| format!("partition.dram.timing.{name}");
            let mut sets = vec![
                ("crossbar.latency".to_owned(), latency),
                ("dispatch.launch_cycles".to_owned(), 2 * latency + more),
                ("clocks.core_mhz".to_owned(), core),
                ("clocks.memory_mhz".to_owned(), memory),
                ("partition.chunk_bytes".to_owned(), chunk),
                ("partition.dram.row_bytes".to_owned(), chunk << rows),
                (t("ccd"), ccd),
                (t("ccdl"), ccd + more_ccd),
                ("partition.dram.banks".to_owned(), banks),
                ("partition.dram.bank_groups".to_owned(), of_banks(groups)),
                ("partition.dram.interleaved_banks".to_owned(), of_banks(around)),
                ("partition.dram.interleave_bytes".to_owned(), chunk),
                (t("rrd"), rrd.min(rc)),
                (t("rcd"), rcd),
                (t("ras"), ras),
                (t("rp"), rp),
                (t("rc"), rc),
                (t("refi"), refi),
                (t("rfc"), rfc),
            ];
            let names = ["cl", "wl", "cdlr", "wr", "rtp"];
            sets.extend(names.into_iter().zip(rest).map(|(name, value)| (t(name), value)));
            sets.into_iter().map(|(path, value)| (path, value.to_string())).collect()
        },
    )
}

/// Cost of every class: usually one slot.
fn classes() -> impl Strategy<Value = Vec<(String, String)>> {
    let slots = prop_oneof![4 => Just(1u32), 1 => 2u32..6];
    vec((slots, 1u32..60), isa::uop::Class::COUNT).prop_map(|costs| {
        let cost = |(name, (slots, latency)): (&str, (u32, u32))| {
            let path = format!("sm.classes.{name}");
            [(format!("{path}.slots"), slots.to_string()), (format!("{path}.latency"), latency.to_string())]
        };
        class_names().zip(costs).flat_map(cost).collect()
    })
}

/// Settings that depend on each other: the coalescing rule with its group of lanes, and the caches;
/// and the address map.
fn memory_rules() -> impl Strategy<Value = Vec<(String, String)>> {
    let rule = prop_oneof![1 => Just(("strict", 16)), 1 => Just(("segments", 16)), 2 => Just(("lines", 32))];
    let same_word = prop::sample::select(vec!["apart", "one_burst", "one_transfer"]);
    let map = prop_oneof![Just("modulo"), Just("hashed")];
    (rule, same_word, map, caches()).prop_map(|((rule, group), same_word, map, caches)| {
        let [l1, l2] = if rule == "lines" { caches } else { ["none".to_owned(), "none".to_owned()] };
        [
            ("sm.lsu.rule", rule.to_owned()),
            ("sm.lsu.group", group.to_string()),
            ("sm.lsu.same_word", same_word.to_owned()),
            ("partition.map", map.to_owned()),
            ("sm.l1", l1),
            ("partition.l2", l2),
        ]
        .map(|(path, value)| (path.to_owned(), value))
        .to_vec()
    })
}

/// The throttle of blocks, and the scheduler and page policy of the DRAM.
fn policies() -> impl Strategy<Value = Vec<(String, String)>> {
    let throttle = prop_oneof![
        2 => Just("off".to_owned()),
        1 => (1u32..5).prop_map(|blocks| format!("at_most(blocks: {blocks})")),
    ];
    let dram = prop_oneof![2 => Just("fr_fcfs"), 1 => Just("fcfs")];
    let page = prop_oneof![2 => Just("open"), 1 => Just("closed")];
    (throttle, dram, page).prop_map(|(throttle, dram, page)| {
        let sets = [
            ("sm.throttle", throttle),
            ("partition.dram.scheduler", dram.to_owned()),
            ("partition.dram.page", page.to_owned()),
        ];
        sets.map(|(path, value)| (path.to_owned(), value)).to_vec()
    })
}

/// Address translation, if any: few and small pages.
fn translation() -> impl Strategy<Value = Vec<(String, String)>> {
    let level = || (1u32..4, 1u32..3, 0u32..80);
    proptest::option::of((8u32..17, level(), proptest::option::of(level()))).prop_map(|tlb| {
        let level = |(ways, sets, miss): (u32, u32, u32)| {
            format!("(entries: {}, ways: {ways}, miss_cycles: {miss})", ways * sets)
        };
        let value = tlb.map_or("none".to_owned(), |(page, first, second)| {
            let (first, second) = (level(first), second.map_or("none".to_owned(), level));
            format!("(page_bytes: {}, first: {first}, second: {second})", 1 << page)
        });
        vec![("cluster.tlb".to_owned(), value)]
    })
}

/// L1 and L2, small enough for evictions, if the coalescing rule uses lines; otherwise none.
fn caches() -> impl Strategy<Value = [String; 2]> {
    let sets = || (1u32..5, prop_oneof![3 => 1u32..5, 1 => Just(32u32)]);
    let prefetch = prop_oneof![
        2 => Just("off".to_owned()),
        1 => (1u32..5).prop_map(|lines| format!("next_lines(lines: {lines})")),
    ];
    let fill = prop_oneof![2 => Just("line"), 1 => Just("sectors")];
    let stores = prop_oneof![2 => Just("evict"), 1 => Just("update")];
    let writes = prop_oneof![2 => Just("write_back"), 1 => Just("write_through")];
    let l1 = (sets(), 0u32..60, depth(16), depth(8), prop::bool::weighted(0.9), prefetch, stores, fill);
    let l2 = (sets(), 0u32..60, 1u32..5, depth(32), writes);
    let l1 = l1.prop_map(|((ways, sets), hit, misses, merges, global, prefetch, stores, fill)| {
        let bytes = 128 * ways * sets;
        format!(
            "(bytes: {bytes}, ways: {ways}, hit_cycles: {hit}, misses: {misses}, merges: {merges}, \
             global: {global}, prefetch: {prefetch}, stores: {stores}, fill: {fill}, \
             prefer_l1: none)"
        )
    });
    let l2 = l2.prop_map(|((ways, sets), hit, sector, misses, writes)| {
        let bytes = 128 * ways * sets;
        format!(
            "(bytes: {bytes}, ways: {ways}, hit_cycles: {hit}, sector_cycles: {sector}, misses: {misses}, \
             writes: {writes})"
        )
    });
    let none = || Just("none".to_owned());
    [prop_oneof![1 => none(), 3 => l1].boxed(), prop_oneof![1 => none(), 3 => l2].boxed()]
}

/// The caches of constants and code, each optional. The line size does not decrease with the
/// distance from the SM, and no line is longer than the shortest chunk.
fn constants() -> impl Strategy<Value = Vec<(String, String)>> {
    let shape = (4u32..=7, 1u32..4, 1u32..4, any::<bool>());
    let own = (0u32..2, pick(&[16, 32]), pick(&[4, 8, 16]), 1u32..5, 4u32..17);
    (vec(shape, 4), own, vec((1u32..40, 0u32..40), 2)).prop_map(
        |(shapes, (hit, group, word, pass, instruction), times)| {
            let paths = ["sm.instr_cache", "sm.const_cache", "cluster.const_cache", "partition.const_cache"];
            let mut line = 0;
            let levels = paths.into_iter().zip(shapes).enumerate().map(|(level, (path, shape))| {
                let (log, ways, sets, there) = shape;
                line = log.max(line);
                let (bytes, line_bytes) = ((ways * sets) << line, 1 << line);
                let own = match level {
                    0 => format!("instruction_bytes: {instruction})"),
                    1 => {
                        format!("hit_cycles: {hit}, group: {group}, word_bytes: {word}, pass_cycles: {pass})")
                    }
                    _ => {
                        let (hit, miss) = times[level - 2];
                        format!("hit_cycles: {hit}, miss_cycles: {miss})")
                    }
                };
                let value = format!("(bytes: {bytes}, line_bytes: {line_bytes}, ways: {ways}, {own}");
                (path.to_owned(), if there { value } else { "none".to_owned() })
            });
            levels.collect()
        },
    )
}

/// Whether each unit is private to a scheduler.
fn own_units() -> impl Strategy<Value = Vec<(String, String)>> {
    vec(any::<bool>(), 4).prop_map(|own| {
        let units = ["sp", "sfu", "lsu", "control"].into_iter().zip(own);
        units.map(|(unit, own)| (format!("sm.units.{unit}.per_scheduler"), own.to_string())).collect()
    })
}

/// The rule of the second dispatch port, and classes with another unit for that port or a different
/// occupancy of their unit.
fn ports() -> impl Strategy<Value = Vec<(String, String)>> {
    let word = prop_oneof![2 => Just("none"), 2 => Just("any_warp"), 2 => Just("same_warp")];
    let way = proptest::option::of((1u32..20, 1u32..60, prop_oneof![Just("sp"), Just("sfu"), Just("lsu")]));
    let cost = (1u32..3, 1u32..40, proptest::option::of(1u32..30), way);
    let classes = ["fp_mul", "fp_add", "int_add", "mov"];
    (word, vec(cost, classes.len()), any::<bool>()).prop_map(move |(word, costs, alone)| {
        let cost = |(name, (slots, latency, busy, way)): (&str, (u32, u32, Option<u32>, Option<_>))| {
            let busy = busy.map_or_else(String::new, |busy| format!(", busy: {busy}"));
            let way = way.map_or_else(String::new, |(busy, latency, unit): (u32, u32, &str)| {
                format!(", second: (unit: \"{unit}\", busy: {busy}, latency: {latency})")
            });
            let cost = format!("(unit: \"sp\", slots: {slots}, latency: {latency}{busy}{way})");
            (format!("sm.classes.{name}"), cost)
        };
        let mut sets: Vec<(String, String)> = classes.into_iter().zip(costs).map(cost).collect();
        sets.push(("sm.second_port".to_owned(), word.to_owned()));
        sets.push(("sm.units.sfu.blocks_others".to_owned(), alone.to_string()));
        sets
    })
}

/// Returns `spec` with one dispatch port per scheduler and without units that block other
/// schedulers.
pub fn one_port(spec: ChipSpec) -> ChipSpec {
    let base = spec.base;
    let spec = spec.with(&[("sm.second_port", "none"), ("sm.units.sfu.blocks_others", "false")]);
    if base == "g80" { spec } else { spec.with(&[("sm.units.dp.blocks_others", "false")]) }
}

/// A random chip.
pub fn chip() -> impl Strategy<Value = ChipSpec> {
    let (paths, values): (Vec<_>, Vec<_>) = numbers().into_iter().unzip();
    let rule = prop_oneof![Just("one_broadcast"), Just("multicast")];
    let path = prop_oneof![Just("later_in_program"), Just("taken"), Just("not_taken")];
    let base = prop_oneof![2 => Just("g80"), 1 => Just("gt200"), 2 => Just("fermi")];
    let words = (policy(), rule, path, base);
    let classes = prop_oneof![1 => Just(Vec::new()), 2 => classes()];
    let more = (
        memory_rules(),
        own_units(),
        prop_oneof![1 => Just(Vec::new()), 2 => ports()],
        constants(),
        translation(),
        policies(),
    );
    (values, bound(), classes, words, more).prop_map(move |(values, bound, classes, words, more)| {
        let (policy, rule, path, base) = words;
        let mut sets: Vec<(String, String)> =
            paths.iter().zip(values).map(|(path, value)| ((*path).to_owned(), value.to_string())).collect();
        sets.extend(bound);
        // Settings of whole classes come before settings of their parts.
        sets.extend(more.2);
        sets.extend(classes);
        sets.extend(more.0);
        sets.extend(more.1);
        let l2 = sets.iter().any(|(path, value)| path == "partition.l2" && value != "none");
        let own = |path: &str| l2 && path == "partition.const_cache";
        sets.extend(more.3.into_iter().map(|(path, value)| {
            // An L2 caches constants, too.
            let value = if own(&path) { "none".to_owned() } else { value };
            (path, value)
        }));
        sets.extend(more.4);
        sets.extend(more.5);
        // Its lines would be longer than the shortest chunk.
        sets.push(("partition.texture_cache".to_owned(), "none".to_owned()));
        sets.push(("sm.scheduler".to_owned(), policy));
        sets.push(("sm.shared.rule".to_owned(), rule.to_owned()));
        sets.push(("sm.first_path".to_owned(), path.to_owned()));
        ChipSpec { base, sets }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    use sim_core::config::{CoalesceRule, PolicyKind, Worded};

    /// The property tests would not test a value that no random chip has.
    #[test]
    fn random_chips_have_every_policy_and_every_coalescing_rule() {
        let mut runner = TestRunner::deterministic();
        let mut drawn = |strategy: BoxedStrategy<String>| -> Vec<String> {
            (0..300)
                .map(|_| strategy.new_tree(&mut runner).expect("the strategy gives a value").current())
                .collect()
        };
        let policies = drawn(policy().boxed());
        for word in PolicyKind::WORDS {
            let has = policies.iter().any(|policy| policy.split('(').next() == Some(word));
            assert!(has, "`policy` of this file never draws {word}");
        }
        let rules = drawn(memory_rules().prop_map(|sets| sets[0].1.clone()).boxed());
        for word in CoalesceRule::WORDS {
            assert!(rules.iter().any(|rule| rule == word), "`memory_rules` of this file never draws {word}");
        }
    }
}
