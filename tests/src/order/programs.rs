//! Random programs without any order: accesses of all kinds and sizes to a few bytes, and barriers
//! of the whole block, of a part of it, and with `bar.arrive`.
//!
//! They are not programs of `warpsim_check::generate`, which are ordered by construction.

use super::happens::{Event, LaneAccesses};
use super::{Kind, Space};
use proptest::collection::vec;
use proptest::prelude::*;
use std::fmt::Write;

/// Bytes of shared and of global memory that the accesses use.
pub const BYTES: u32 = 16;

/// A statement of a program.
#[derive(Clone, Debug)]
pub enum Statement {
    /// An access by the lowest `lanes` lanes of some warps.
    Access {
        /// Mask of the warps.
        warps: u8,
        /// Number of lanes.
        lanes: u8,
        /// Whether it accesses shared memory.
        shared: bool,
        /// Instruction, as an index into [`FORMS`].
        form: u8,
        /// Position of lane 0, distance between lanes, and distance between rounds, in elements.
        place: [u8; 3],
    },
    /// All warps wait at one barrier. If `count`, with the number of the block's threads.
    Whole {
        /// Whether the barrier has a count.
        count: bool,
    },
    /// Some warps arrive at a barrier for these warps.
    Part {
        /// Mask of the warps.
        warps: u8,
        /// Mask of the warps that wait there; the others only arrive.
        waits: u8,
    },
    /// A warp exits.
    Exit {
        /// Warp that executes the statement.
        warp: u8,
    },
}

/// Instructions with their sizes in bytes and their kinds.
pub const FORMS: [(&str, u32, Kind); 13] = [
    ("ld.SPACE.u8 %v, [%a]", 1, Kind::Read),
    ("st.SPACE.u8 [%a], %v", 1, Kind::Write),
    ("ld.SPACE.u16 %h, [%a]", 2, Kind::Read),
    ("st.SPACE.u16 [%a], %h", 2, Kind::Write),
    ("ld.SPACE.u32 %v, [%a]", 4, Kind::Read),
    ("st.SPACE.u32 [%a], %lane", 4, Kind::Write),
    ("ld.SPACE.v2.u32 {%v, %x}, [%a]", 8, Kind::Read),
    ("st.SPACE.v2.u32 [%a], {%v, %lane}", 8, Kind::Write),
    ("red.SPACE.add.u32 [%a], %lane", 4, Kind::Reduction(0)),
    ("red.SPACE.max.u32 [%a], %lane", 4, Kind::Reduction(1)),
    ("atom.SPACE.add.u32 %v, [%a], 1", 4, Kind::Atomic),
    ("atom.SPACE.exch.b32 %v, [%a], %lane", 4, Kind::Atomic),
    ("atom.SPACE.cas.b32 %v, [%a], 0, %lane", 4, Kind::Atomic),
];

/// A program for blocks of some warps.
#[derive(Clone, Debug)]
pub struct Unordered {
    /// Number of warps of a block, at most 4.
    pub warps: u32,
    /// Number of blocks.
    pub blocks: u32,
    /// How often the statements are executed; see [`Self::rounds`].
    pub rounds: u32,
    /// Statements in program order.
    pub statements: Vec<Statement>,
}

/// A random program.
pub fn unordered_programs() -> impl Strategy<Value = Unordered> {
    let access =
        (any::<u8>(), 1u8..4, any::<bool>(), 0..FORMS.len() as u8, [0u8..16, 0u8..3, 0u8..3]).prop_map(
            |(warps, lanes, shared, form, place)| Statement::Access { warps, lanes, shared, form, place },
        );
    let statement = prop_oneof![
        8 => access,
        1 => any::<bool>().prop_map(|count| Statement::Whole { count }),
        4 => any::<(u8, u8)>().prop_map(|(warps, waits)| Statement::Part { warps, waits }),
        1 => (0u8..24).prop_map(|warp| Statement::Exit { warp }),
    ];
    (2u32..5, 1u32..3, 1u32..4, vec(statement, 2..24))
        .prop_map(|(warps, blocks, rounds, statements)| Unordered { warps, blocks, rounds, statements })
}

impl Unordered {
    /// Number of executions of the statements: 1 with barriers of a part of the block and with
    /// exits, because a barrier number must not be used again there.
    pub fn rounds(&self) -> u32 {
        let once =
            |statement: &Statement| matches!(statement, Statement::Part { .. } | Statement::Exit { .. });
        if self.statements.iter().any(once) { 1 } else { self.rounds }
    }

    /// Returns the program as PTX, and the events of each of its blocks. A barrier number is used
    /// again only after a barrier of the whole block, and no barrier waits for a warp that has
    /// exited.
    pub fn print(&self) -> (String, Vec<Event>) {
        let all = (1u8 << self.warps) - 1;
        let text = format!(
            ".version 2.3\n.target sm_20\n.entry k (.param .u32 out) {{\n.shared .align 8 .b8 cells[{BYTES}];\n\
             .reg .u32 %t, %lane, %w, %m, %out, %cells, %a, %v, %x, %i;\n.reg .u16 %h;\n.reg .pred %p, %q;\n\
             mov.u32 %t, %tid.x;\nand.b32 %lane, %t, 31;\nshr.u32 %w, %t, 5;\nld.param.u32 %out, [out];\n\
             mov.u32 %cells, cells;\nmov.u32 %v, %t;\nmov.u32 %x, 0;\ncvt.u16.u32 %h, %t;\n\
             mov.u32 %i, 0;\nAGAIN:\n"
        );
        let rounds = self.rounds();
        let (mut printed, mut events) = (String::new(), Vec::new());
        for round in 0..rounds {
            let (text, warps) = (text.clone(), self.warps);
            let mut printer = Printer { text, events, warps, round, all, live: all, number: 1 };
            self.statements.iter().for_each(|statement| printer.statement(statement));
            (printed, events) = (printer.text, printer.events);
        }
        let end = format!("add.u32 %i, %i, 1;\nsetp.lt.u32 %p, %i, {rounds};\n@%p bra AGAIN;\nexit;\n}}\n");
        (printed + &end, events)
    }
}

struct Printer {
    text: String,
    events: Vec<Event>,
    warps: u32,
    /// Number of the execution of the statements.
    round: u32,
    /// Masks of all warps, and of those that have not exited.
    all: u8,
    live: u8,
    /// Number of the next barrier for a part of the block.
    number: u32,
}

impl Printer {
    fn statement(&mut self, statement: &Statement) {
        match *statement {
            Statement::Access { warps, lanes, shared, form, place } => {
                self.access(warps & self.live, u32::from(lanes), shared, form, place.map(u32::from));
            }
            Statement::Whole { count } => {
                let count = count && self.live == self.all;
                let count = if count { format!(", {}", 32 * self.warps) } else { String::new() };
                let _ = writeln!(self.text, "bar.sync 0{count};");
                // It has waited for the exit of the other warps.
                self.events.push(Event::Barrier { arrived: self.all, waited: self.live });
                self.number = 1;
            }
            Statement::Part { warps, waits } => {
                let (warps, waits) = (warps & self.live, warps & self.live & waits);
                if waits == 0 || self.number == 16 {
                    return;
                }
                let (number, threads) = (self.number, 32 * warps.count_ones());
                self.choose(waits);
                let _ = writeln!(self.text, "@%p bar.sync {number}, {threads};");
                self.choose(warps & !waits);
                let _ = writeln!(self.text, "@%p bar.arrive {number}, {threads};");
                self.events.push(Event::Barrier { arrived: warps, waited: waits });
                self.number += 1;
            }
            Statement::Exit { warp } => {
                let mask = 1u8.checked_shl(warp.into()).unwrap_or(0) & self.live;
                if mask != 0 && mask != self.live {
                    self.choose(mask);
                    let _ = writeln!(self.text, "@%p exit;");
                    self.live &= !mask;
                }
            }
        }
    }

    fn access(&mut self, warps: u8, count: u32, shared: bool, form: u8, place: [u32; 3]) {
        let [first, distance, step] = place;
        let (form, bytes, kind) = FORMS[form as usize];
        let (base, space) = if shared { ("%cells", "shared") } else { ("%out", "global") };
        let elements = BYTES / bytes;
        self.choose(warps);
        let _ = write!(
            self.text,
            "setp.lt.and.u32 %q, %lane, {count}, %p;\nmul.lo.u32 %a, %lane, {distance};\n\
             mad.lo.u32 %a, %i, {step}, %a;\nadd.u32 %a, %a, {first};\nand.b32 %a, %a, {};\n\
             mul.lo.u32 %a, %a, {bytes};\nadd.u32 %a, %a, {base};\n@%q {};\n",
            elements - 1,
            form.replace("SPACE", space)
        );
        let line = self.text.lines().count() as u32;
        let at = |lane: u32| (lane, (lane * distance + self.round * step + first) % elements * bytes, bytes);
        let space = if shared { Space::Shared } else { Space::Global };
        let access = LaneAccesses { space, kind, lanes: (0..count).map(at).collect() };
        let chosen = (0..self.warps).filter(|warp| warps >> warp & 1 == 1);
        self.events.extend(chosen.map(|warp| Event::Accesses(warp, line, access.clone())));
    }

    /// Sets `%p` in the warps of a mask.
    fn choose(&mut self, warps: u8) {
        let _ = write!(
            self.text,
            "mov.u32 %m, {warps};\nshr.u32 %m, %m, %w;\nand.b32 %m, %m, 1;\nsetp.ne.u32 %p, %m, 0;\n"
        );
    }
}
