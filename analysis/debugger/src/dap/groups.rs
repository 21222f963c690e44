//! Scopes: the groups of variables of a frame, and the groups that variables open.

use super::frames::Frame;
use super::memory::Space;
use super::protocol::Scope;
use isa::terms::{Terms, capital};
use report::inspect::values::Reading;
use report::inspect::{Fact, Subject};

/// A group of variables.
#[derive(Clone, Debug, PartialEq)]
pub enum Group {
    /// Variables of CUDA C.
    Locals(Frame),
    /// Registers that the warp has written.
    Registers(Frame),
    /// Predicates that the warp has written.
    Predicates(Frame),
    /// Special registers.
    Special(Frame),
    /// Kernel parameters.
    Parameters,
    /// Facts about a subject.
    Subject(Subject, Frame),
    /// Variables in shared memory.
    Shared(Frame),
    /// Allocations of global memory.
    Global,
    /// The lanes of a register.
    Lanes(Box<Lanes>),
    /// The elements of an array in memory.
    Elements(Elements),
    /// Facts that belong to another one.
    Facts(Vec<Fact>),
}

/// The lanes of a register.
#[derive(Clone, Debug, PartialEq)]
pub struct Lanes {
    /// Frame to which the register belongs.
    pub frame: Frame,
    /// Name of the register.
    pub name: String,
    /// Type and format.
    pub reading: Reading,
    /// Values by lane.
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
    /// Frames of the stopped threads.
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

    /// Returns the scopes of a frame; without variables of CUDA C there are no locals.
    pub fn scopes(&mut self, frame: Frame, has_variables: bool, terms: &Terms) -> Vec<Scope> {
        let shared = capital(terms.shared);
        let facts =
            |subject: Subject, expensive| (subject.title(), None, expensive, Group::Subject(subject, frame));
        let all = [
            ("Locals", Some("locals"), false, Group::Locals(frame)),
            ("Registers", Some("registers"), false, Group::Registers(frame)),
            ("Predicates", Some("registers"), false, Group::Predicates(frame)),
            ("Special registers", Some("registers"), true, Group::Special(frame)),
            ("Parameters", Some("arguments"), false, Group::Parameters),
            facts(Subject::Warp, false),
            facts(Subject::Why, false),
            facts(Subject::Stack, false),
            facts(Subject::Scoreboard, false),
            facts(Subject::Queue, true),
            facts(Subject::Access, true),
            facts(Subject::Barrier, true),
            (&shared, None, true, Group::Shared(frame)),
            ("Global memory", None, true, Group::Global),
        ];
        let scope = |(name, presentation_hint, expensive, group): (&str, _, _, _)| Scope {
            name: name.to_owned(),
            presentation_hint,
            variables_reference: self.add(group),
            expensive,
        };
        let skipped = usize::from(!has_variables);
        all.into_iter().skip(skipped).map(scope).collect()
    }
}
