//! The `sm` part of a chip file: slots, scheduler, units, instruction classes, shared memory,
//! load/store unit.

use super::super::read::{Fields, Reader};
use super::super::tree::{Kind, Node};
use super::super::{
    BankRule, ClassCost, CoalesceRule, FirstPath, LsuConfig, MAX_SCHEDULERS, MAX_UNITS, OperandConfig,
    OperandsConfig, PolicyKind, SecondCost, SecondPort, SharedConfig, SmConfig, UnitConfig, codes,
};
use super::{LONG, caches, data_caches, num};
use isa::diag::Diagnostic;
use isa::uop::Class;

/// Reads the SM.
pub(super) fn read(f: Fields) -> SmConfig {
    let units = f.read("units", units).unwrap_or_default();
    let first_paths = [
        ("later_in_program", FirstPath::LaterInProgram),
        ("taken", FirstPath::Taken),
        ("not_taken", FirstPath::NotTaken),
    ];
    let sm = SmConfig {
        max_warps: num(&f, "max_warps", 1..=64),
        max_blocks: num(&f, "max_blocks", 1..=64),
        max_threads: num(&f, "max_threads", 1..=2048),
        registers: num(&f, "registers", 32..=1 << 20),
        shared_bytes: num(&f, "shared_bytes", 0..=1 << 20),
        schedulers: num(&f, "schedulers", 1..=MAX_SCHEDULERS as u32),
        issue_period: num(&f, "issue_period", 1..=64),
        policy: f.read("scheduler", Reader::worded).unwrap_or(PolicyKind::LooseRoundRobin),
        block_start_cycles: num(&f, "block_start_cycles", 0..=LONG),
        classes: classes(f.record("classes"), &units),
        units,
        shared: shared(f.record("shared")),
        lsu: lsu(f.record("lsu")),
        barrier_cycles: num(&f, "barrier_cycles", 0..=LONG),
        first_path: f.choice("first_path", &first_paths).unwrap_or(FirstPath::LaterInProgram),
        second_port: f.choice("second_port", &SecondPort::NAMES).unwrap_or(SecondPort::None),
        operands: operands(f.record("operands")),
        const_cache: f.record_or_none("const_cache").map(caches::of_sm),
        l1: f.record_or_none("l1").map(data_caches::l1),
        instr_cache: f.record_or_none("instr_cache").map(caches::instructions),
    };
    f.finish();
    sm
}

fn operands(f: Fields) -> OperandsConfig {
    let operand = |f: Fields| {
        let operand =
            OperandConfig { cycles: num(&f, "cycles", 1..=LONG), latency: num(&f, "latency", 0..=LONG) };
        f.finish();
        operand
    };
    let operands = OperandsConfig {
        shared: operand(f.record("shared")),
        constant: operand(f.record("constant")),
        param: operand(f.record("param")),
    };
    f.finish();
    operands
}

fn units(reader: &Reader, node: &Node, what: &str) -> Option<Vec<UnitConfig>> {
    let Kind::Map(entries) = &node.kind else {
        reader.wrong_type(node, what, "a map of units `{\"name\": (lanes: 8)}`");
        return None;
    };
    let mut units: Vec<UnitConfig> = Vec::new();
    let mut good = true;
    for (key, value) in entries {
        let Some(name) = reader.string(key, what) else {
            good = false;
            continue;
        };
        if units.iter().any(|u| u.name == name) {
            let message = format!("duplicate unit `{name}`");
            reader.push(Diagnostic::error(codes::DUPLICATE_FIELD, message, key.span, "second definition"));
        }
        let f = reader.fields(value, &format!("{what}.{name}"));
        units.push(UnitConfig {
            name: name.to_owned(),
            lanes: num(&f, "lanes", 1..=32),
            count: num(&f, "count", 1..=8),
            per_scheduler: f.bool("per_scheduler").unwrap_or(false),
            blocks_others: f.bool("blocks_others").unwrap_or(false),
        });
        f.finish();
    }
    if units.is_empty() || units.len() > MAX_UNITS {
        let message = format!("{what} has {} units", units.len());
        reader.push(Diagnostic::error(
            codes::OUT_OF_RANGE,
            message,
            node.span,
            format!("expected 1 to {MAX_UNITS} units"),
        ));
        return None;
    }
    good.then_some(units)
}

fn classes(f: Fields, units: &[UnitConfig]) -> [ClassCost; Class::COUNT] {
    let costs = Class::ALL.map(|class| {
        let c = f.record(class.name());
        let unit = |reader: &Reader, node: &Node, what: &str| {
            let name = reader.string(node, what)?;
            let found = units.iter().position(|u| u.name == name);
            if found.is_none() && !units.is_empty() {
                let names: Vec<&str> = units.iter().map(|u| u.name.as_str()).collect();
                let message = format!("unknown unit `{name}` in {what}");
                let label = format!("expected one of: {}", names.join(", "));
                reader.push(Diagnostic::error(codes::UNKNOWN_UNIT, message, node.span, label));
            }
            found
        };
        let cost = ClassCost {
            unit: c.read("unit", unit).unwrap_or(0) as u8,
            slots: num(&c, "slots", 1..=255) as u8,
            latency: num(&c, "latency", 1..=65535) as u16,
            busy: c.optional("busy").is_some().then(|| num(&c, "busy", 1..=65535) as u16),
            second: c.optional("second").is_some().then(|| {
                let s = c.record("second");
                let second = SecondCost {
                    unit: s.read("unit", unit).unwrap_or(0) as u8,
                    busy: num(&s, "busy", 1..=65535) as u16,
                    latency: num(&s, "latency", 1..=65535) as u16,
                };
                s.finish();
                second
            }),
        };
        c.finish();
        cost
    });
    f.finish();
    costs
}

fn shared(f: Fields) -> SharedConfig {
    let rules = [("one_broadcast", BankRule::OneBroadcast), ("multicast", BankRule::Multicast)];
    let shared = SharedConfig {
        banks: num(&f, "banks", 1..=32),
        group: num(&f, "group", 1..=32),
        pass_cycles: num(&f, "pass_cycles", 1..=LONG),
        rule: f.choice("rule", &rules).unwrap_or(BankRule::OneBroadcast),
        conflict_latency: num(&f, "conflict_latency", 0..=LONG),
        retry_slots: num(&f, "retry_slots", 0..=255),
        atomic_pass_cycles: num(&f, "atomic_pass_cycles", 1..=LONG),
    };
    f.finish();
    shared
}

fn lsu(f: Fields) -> LsuConfig {
    let lsu = LsuConfig {
        queue: num(&f, "queue", 1..=4096),
        latency: num(&f, "latency", 0..=LONG),
        transaction_cycles: num(&f, "transaction_cycles", 1..=LONG),
        group: num(&f, "group", 1..=32),
        rule: f.choice("rule", &CoalesceRule::NAMES).unwrap_or(CoalesceRule::Strict),
        same_word_once: f.bool("same_word_once").unwrap_or(false),
    };
    f.finish();
    lsu
}
