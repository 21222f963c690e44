//! What a run may do, and what it has done.

use sim_core::check::Checks;
use sim_core::host::Effects;
use sim_core::stats::Report;

/// How much a program may do.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Most instructions of host code.
    pub steps: u64,
    /// Most simulated nanoseconds of copies and launches.
    pub called_ns: u64,
    /// Most cycles of a launch.
    pub cycles: u64,
}

impl Budget {
    /// The budget of solutions and starting programs.
    pub const TEACHER: Self = Self { steps: 2_000_000_000, called_ns: 1_000_000_000, cycles: 100_000_000 };

    /// The budget of submissions: a hundred times as much as the solution needs, because a slow
    /// program can be right, and a constant part.
    pub fn of_submission(steps: u64, called_ns: u64, cycles: u64) -> Self {
        let times = |value: u64, constant: u64| value.saturating_mul(100).saturating_add(constant);
        Self {
            steps: times(steps, 5_000_000),
            called_ns: times(called_ns, 2_000_000),
            cycles: times(cycles, 1_000_000),
        }
    }
}

/// How launches run.
pub enum Mode {
    /// On the timed machine.
    Timed,
    /// On the functional machine.
    Functional(Checks, Effects),
}

/// Record of a run.
pub struct Observed {
    /// The exit code.
    pub code: i32,
    /// Standard output.
    pub out: String,
    /// Standard output and standard error, with the message about the end.
    pub terminal: String,
    /// Instructions of host code.
    pub steps: u64,
    /// Most cycles of a launch; on the functional machine, 0.
    pub cycles: u64,
    /// Simulated time of the program.
    pub program_ns: u64,
    /// Names of the launched kernels.
    pub kernels: Vec<String>,
    /// Whether it, or one of its launches, has used up the budget.
    pub is_over_budget: bool,
    /// The first launch that did not finish, and why.
    pub failure: Option<String>,
    /// The reports of the launches.
    pub reports: Vec<Report>,
    /// The effects of the launches at the end.
    pub effects: Effects,
    /// Its copies and launches.
    pub shape: Shape,
}

/// The copies and launches of a program, without their contents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// Number of copies.
    pub copies: u64,
    /// Bytes copied to the device, to the host and within the device.
    pub bytes: [u64; 3],
    /// Grid and block of each launch.
    pub launches: Vec<[[u32; 3]; 2]>,
}
