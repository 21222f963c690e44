//! The registers that a warp has written.

use super::values::{Format, value};
use super::{Fact, Scene, Value};
use isa::uop::OperandKind;
use sim_core::debug::{Register, Session};
use std::collections::BTreeSet;

/// A register that a warp has written, with its latest row.
#[derive(Clone, Debug)]
pub struct Written {
    /// PTX name; of an intermediate value its row in parentheses.
    pub name: String,
    /// Its latest row.
    pub register: Register,
    /// Values of the lanes; only `register.lanes` have written them.
    pub values: [u64; 32],
    /// Cycle from which the value can be used, `None` while it is pending in memory, and whether
    /// the next instruction needs it; absent if the value can be used.
    pub busy: Option<(Option<u64>, bool)>,
}

/// Returns the name of a row of the register file, such as `(w3)`.
pub fn row_name(kind: OperandKind, row: u16) -> String {
    let letter = match kind {
        OperandKind::W | OperandKind::Addr => 'w',
        OperandKind::D => 'd',
        OperandKind::P => 'p',
    };
    format!("({letter}{row})")
}

/// Returns the registers and intermediate values that the warp in slot `slot` of SM `sm` has
/// written, the latest written first.
pub fn rows(session: &Session<'_>, sm: u32, slot: u32) -> Vec<Written> {
    let busy = session.scoreboard(sm, slot);
    let mut all = session.registers(sm, slot);
    all.sort_by_key(|register| (u64::MAX - register.cycle, register.row));
    let mut seen = BTreeSet::new();
    let one = |register: Register| {
        let name = register.name.clone().unwrap_or_else(|| row_name(register.kind, register.row));
        if !seen.insert(name.clone()) {
            return None;
        }
        let values = session.row(sm, slot, register.kind, register.row)?;
        let busy = busy.iter().find(|one| (one.kind, one.row) == (register.kind, register.row));
        Some(Written { name, register, values, busy: busy.map(|one| (one.ready, one.needed)) })
    };
    all.into_iter().filter_map(one).collect()
}

/// Returns the PTX registers of [`rows`].
pub fn written(session: &Session<'_>, sm: u32, slot: u32) -> Vec<Written> {
    let mut all = rows(session, sm, slot);
    all.retain(|one| one.register.name.is_some());
    all
}

/// Returns the registers in the order of their names, in which `%r2` comes before `%r10`.
pub fn by_name(session: &Session<'_>, sm: u32, slot: u32) -> Vec<Written> {
    let mut all = written(session, sm, slot);
    all.sort_by_cached_key(|one| {
        let letters = one.name.trim_end_matches(|c: char| c.is_ascii_digit());
        (letters.to_owned(), one.name[letters.len()..].parse::<u64>().unwrap_or(0))
    });
    all
}

impl Scene<'_, '_> {
    /// Registers of the lane in focus.
    pub(super) fn registers(&self) -> Fact {
        self.of_warp("registers", |scene, warp| {
            let lane = scene.focus.lane;
            let row = |one: Written| {
                let of = |format| value(one.register.kind, Some(format), one.values[lane as usize]);
                let float =
                    if one.register.kind == OperandKind::P { String::new() } else { of(Format::Float) };
                let number = |name: &str, text: String| Fact::new(name, Value::Line(text));
                let cells = vec![
                    Fact::words("register", one.name.clone()),
                    Fact::words("hex", of(Format::Hex)),
                    number("int", of(Format::Signed)),
                    number("float", float),
                    scene.place("written by line", one.register.pc),
                ];
                Fact::row(one.name, cells)
            };
            let mut all = by_name(scene.session, warp.sm, warp.slot);
            all.retain(|one| one.register.lanes >> lane & 1 == 1);
            let heading = format!("Registers of lane {lane} that the warp has written:");
            Fact::group("registers", heading, all.into_iter().map(row).collect())
        })
    }
}
