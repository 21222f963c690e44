//! Scopes: the groups of variables of a frame, and the groups that variables open.

use super::frames::Frame;
use super::memory::Space;
use super::protocol::Scope;
use crate::cmd::debug::values::Reading;

/// A group of variables.
#[derive(Clone, Debug, PartialEq)]
pub enum Group {
    /// Registers that the warp has written.
    Registers(Frame),
    /// Predicates that the warp has written.
    Predicates(Frame),
    /// Special registers.
    Special(Frame),
    /// Kernel parameters.
    Parameters,
    /// State of the warp and its reason.
    Warp(Frame),
    /// The SIMT stack.
    Stack(Frame),
    /// Busy registers.
    Scoreboard(Frame),
    /// The last memory access.
    Access(Frame),
    /// Barriers of the block.
    Barriers(Frame),
    /// Variables in shared memory.
    Shared(Frame),
    /// Allocations of global memory.
    Global,
    /// The lanes of a register.
    Lanes(Box<Lanes>),
    /// The elements of an array in memory.
    Elements(Elements),
    /// Facts about a part of a group.
    Facts(Vec<(String, String)>),
}

/// The lanes of a register.
#[derive(Clone, Debug, PartialEq)]
pub struct Lanes {
    /// The frame.
    pub frame: Frame,
    /// Name of the register.
    pub name: String,
    /// Type and format.
    pub reading: Reading,
    /// Values.
    pub values: [u64; 32],
    /// Lanes that have a value.
    pub known: u32,
}

/// An array in memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Elements {
    /// Address space.
    pub space: Space,
    /// First byte.
    pub start: u32,
    /// Number of elements.
    pub count: u32,
    /// Type of an element.
    pub reading: Reading,
    /// Expression for the array, if it has a name.
    pub name: Option<String>,
}

/// Groups and frames that the client knows; valid until the launch moves.
#[derive(Debug, Default)]
pub struct Groups {
    all: Vec<Group>,
    /// Frames.
    pub frames: Vec<Frame>,
}

impl Groups {
    /// Forgets all: the launch moves.
    pub fn clear(&mut self) {
        self.all.clear();
        self.frames.clear();
    }

    /// Adds a group. Returns its number.
    pub fn add(&mut self, group: Group) -> usize {
        self.all.push(group);
        self.all.len()
    }

    /// Returns the group with a number.
    ///
    /// # Errors
    /// There is no such group.
    pub fn get(&self, number: usize) -> Result<&Group, String> {
        let group = number.checked_sub(1).and_then(|i| self.all.get(i));
        group.ok_or_else(|| format!("there is no group of variables {number} at this stop"))
    }

    /// Returns the frame with a number.
    ///
    /// # Errors
    /// There is no such frame.
    pub fn frame(&self, number: usize) -> Result<Frame, String> {
        let frame = number.checked_sub(1).and_then(|i| self.frames.get(i)).copied();
        frame.ok_or_else(|| format!("there is no frame {number} at this stop"))
    }

    /// Returns the scopes of a frame.
    pub fn scopes(&mut self, frame: Frame) -> Vec<Scope> {
        let all = [
            ("Registers", Some("registers"), false, Group::Registers(frame)),
            ("Predicates", Some("registers"), false, Group::Predicates(frame)),
            ("Special registers", Some("registers"), true, Group::Special(frame)),
            ("Parameters", Some("arguments"), false, Group::Parameters),
            ("Warp", None, false, Group::Warp(frame)),
            ("SIMT stack", None, false, Group::Stack(frame)),
            ("Scoreboard", None, false, Group::Scoreboard(frame)),
            ("Last memory access", None, true, Group::Access(frame)),
            ("Barriers", None, true, Group::Barriers(frame)),
            ("Shared memory", None, true, Group::Shared(frame)),
            ("Global memory", None, true, Group::Global),
        ];
        let scope = |(name, presentation_hint, expensive, group)| Scope {
            name,
            presentation_hint,
            variables_reference: self.add(group),
            expensive,
        };
        all.map(scope).into()
    }
}
