//! Facts about a launch under the debugger, as a tree: name, value, place and children.
//!
//! `warps` has the facts about warps, blocks and threads, `memory` those about the memory side,
//! `registers` and `values` the values of registers and memory in the type of their PTX
//! instruction, `variables` those of CUDA C. `text` lays a tree out as lines. The console prints
//! it, the debug adapter makes variables of it, and the screen and the browser show it.

mod memory;
pub mod registers;
pub mod text;
pub mod values;
pub mod variables;
mod warps;

pub use warps::thread;

use crate::render::number::count;
use crate::render::verdict::{About, describe};
use crate::words::Words;
use isa::terms::Terms;
use serde::{Deserialize, Serialize};
use sim_core::debug::{Session, WarpView};
use sim_core::host::Mode;
use sim_core::stats::WarpState;

/// The warp and the lane in focus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[cfg_attr(feature = "types", ts(rename = "Focus"))]
pub struct InFocus {
    /// Number of the SM.
    pub sm: u32,
    /// Warp slot.
    pub slot: u32,
    /// Number of the lane, 0 to 31.
    pub lane: u32,
}

/// A fact. A fact with children and without a value is a row of a table: its children are cells,
/// whose names are the titles of the columns.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Fact {
    /// Name of the value; empty if the value explains itself.
    pub name: String,
    /// Value of the fact.
    pub value: Value,
    /// Whether the fact is about the warp or the lane in focus, or needed by its next instruction.
    pub marked: bool,
    /// Where the fact is.
    pub place: Option<Place>,
    /// Facts that belong to this one.
    pub children: Vec<Fact>,
}

/// A value of a fact.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub enum Value {
    /// Only the children have values.
    #[default]
    None,
    /// A text.
    Words(String),
    /// A number of a thing, such as an SM.
    Number(u64),
    /// An amount or a cycle, with separators between thousands.
    Count(u64),
    /// An address in the memory of the fact.
    Address(u32),
    /// A source line, with its file if there are several.
    Line(String),
    /// Lanes as masks.
    Lanes {
        /// Lanes that are meant.
        active: u32,
        /// These, and other lanes that have not exited.
        live: u32,
    },
    /// A state of a warp, and its name on this machine.
    State(#[cfg_attr(feature = "types", ts(type = "string"))] WarpState, &'static str),
}

/// A place of a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub enum Place {
    /// A line of the program.
    Line(u32),
    /// A warp by its slot.
    Warp {
        /// Number of the SM.
        sm: u32,
        /// Warp slot.
        slot: u32,
    },
}

impl Value {
    /// Returns the value as text.
    pub fn text(&self) -> String {
        match self {
            Self::None => String::new(),
            Self::Words(text) | Self::Line(text) => text.clone(),
            Self::Number(number) => number.to_string(),
            Self::Count(number) => count(*number),
            Self::Address(address) => format!("{address:#010x}"),
            Self::Lanes { active, live } => format!("[{}]", lanes(*active, *live)),
            Self::State(_, name) => (*name).to_owned(),
        }
    }
}

impl Fact {
    /// A fact without children.
    fn new(name: impl Into<String>, value: Value) -> Self {
        Self { name: name.into(), value, ..Self::default() }
    }

    /// A fact in words.
    fn words(name: impl Into<String>, words: impl Into<String>) -> Self {
        Self::new(name, Value::Words(words.into()))
    }

    /// A group of facts with a heading in words.
    fn group(name: impl Into<String>, heading: impl Into<String>, children: Vec<Self>) -> Self {
        Self { children, ..Self::words(name, heading) }
    }

    /// A row of a table.
    fn row(name: impl Into<String>, cells: Vec<Self>) -> Self {
        Self { children: cells, ..Self::new(name, Value::None) }
    }

    /// The fact, marked if `marked`.
    fn mark(self, marked: bool) -> Self {
        Self { marked, ..self }
    }

    /// The fact at a place.
    fn at(self, place: Place) -> Self {
        Self { place: Some(place), ..self }
    }

    /// Whether the fact is a row of a table.
    pub fn is_row(&self) -> bool {
        self.value == Value::None && !self.children.is_empty()
    }
}

macro_rules! subjects {
    ($($(#[$doc:meta])* $subject:ident $name:literal $title:literal $maker:ident;)*) => {
        /// A subject, of which there are facts.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Subject {
            $($(#[$doc])* $subject),*
        }

        impl Subject {
            /// All subjects.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$subject),*];

            /// Returns the name in commands.
            pub fn name(self) -> &'static str {
                match self { $(Self::$subject => $name),* }
            }

            /// Returns the title of a group of facts.
            pub fn title(self) -> &'static str {
                match self { $(Self::$subject => $title),* }
            }

            /// Returns the facts about this subject.
            pub fn facts(self, scene: &Scene<'_, '_>) -> Fact {
                match self { $(Self::$subject => scene.$maker()),* }
            }
        }
    };
}

subjects! {
    /// Warps of the SM in focus.
    Warps "warps" "Warps" warps;
    /// Threads of the resident blocks.
    Threads "threads" "Threads" threads;
    /// Lanes of the warp in focus.
    Lanes "lanes" "Lanes" lanes;
    /// Resident blocks.
    Blocks "blocks" "Blocks" blocks;
    /// SMs.
    Sms "sms" "SMs" sms;
    /// The kernel that runs.
    Kernels "kernels" "Kernels" kernels;
    /// The chip.
    Devices "devices" "Devices" devices;
    /// Time, state, lanes and place of the warp in focus.
    Warp "warp" "Warp" warp;
    /// State of the warp in focus, and what it waits for.
    Why "why" "State" why;
    /// Variables of CUDA C that the line of the warp in focus sees.
    Locals "locals" "Locals" locals;
    /// Registers of the lane in focus.
    Registers "registers" "Registers" registers;
    /// Reconvergence stack of the warp in focus.
    Stack "stack" "SIMT stack" stack;
    /// Variables in the shared memory of the block in focus.
    Shared "shared" "Shared memory" shared;
    /// Allocations of global memory.
    Global "global" "Global memory" global;
    /// The current line.
    Line "line" "Line" line;
    /// Registers of the warp in focus whose values cannot be used.
    Scoreboard "scoreboard" "Scoreboard" scoreboard;
    /// Load/store queue, pending loads and L1 of the SM in focus.
    Queue "queue" "Load/store queue" queue;
    /// Last memory access of the warp in focus.
    Access "access" "Last memory access" access;
    /// Barriers of the block in focus.
    Barrier "barrier" "Barriers" barrier;
}

impl Subject {
    /// Whether only the timed machine has facts about the subject.
    pub fn needs_time(self) -> bool {
        matches!(self, Self::Scoreboard | Self::Queue)
    }
}

/// A launch at a cycle, with a focus.
#[derive(Clone, Copy)]
pub struct Scene<'a, 's> {
    /// The launch.
    pub session: &'a Session<'s>,
    /// Names of its instructions.
    pub words: &'a Words,
    /// The warp and the lane in focus.
    pub focus: InFocus,
}

impl Scene<'_, '_> {
    /// Returns the facts that `of` makes about the warp in focus, or that there is none.
    fn of_warp(&self, name: &str, of: impl FnOnce(&Self, &WarpView) -> Fact) -> Fact {
        let InFocus { sm, slot, .. } = self.focus;
        match self.session.warp(sm, slot) {
            Some(warp) => of(self, &warp),
            None => Fact::words(
                name,
                format!("No warp is resident in slot {slot} of {} {sm}.", self.words.terms().sm),
            ),
        }
    }

    /// The line of an instruction.
    fn place(&self, name: &str, pc: u32) -> Fact {
        let value = Value::Line(self.words.place(pc).to_string());
        Fact::new(name, value).at(Place::Line(self.words.line(pc)))
    }
}

/// Returns the words of the kernel of a launch.
pub fn terms(session: &Session<'_>) -> &'static Terms {
    Terms::of(session.program().source.files())
}

/// Returns the position of a launch in time.
pub fn time(session: &Session<'_>) -> String {
    match session.mode() {
        Mode::Timed => format!("shader cycle {}", count(session.cycle())),
        Mode::Functional => format!("warp instruction {}", count(session.cycle())),
    }
}

/// Returns the message about the end of a launch that did not finish.
pub fn ending(session: &Session<'_>) -> Option<String> {
    let program = session.program();
    let source = &program.source;
    let timed = session.mode() == Mode::Timed;
    let about = About { kernel: &program.name, file: &source.name, files: source.files(), timed };
    describe(&session.verdict()?, about)
}

/// Returns the name of a state: its label, or another one on the functional machine, which selects
/// no warps.
pub fn label(state: WarpState, mode: Mode) -> &'static str {
    match (state, mode) {
        (WarpState::NotSelected, Mode::Functional) => "ready",
        _ => state.label(),
    }
}

/// Returns lanes 0 to 31 as characters: `#` active, `.` inactive, blank exited or absent.
pub fn lanes(active: u32, live: u32) -> String {
    let lane = |lane: u32| match (active >> lane & 1, live >> lane & 1) {
        (1, _) => '#',
        (_, 1) => '.',
        _ => ' ',
    };
    (0..32).map(lane).collect()
}
