//! The exit codes, documented in `docs/ERRORS.md`, and the failure with an exit code.

use sim_core::config::Chip;
use sim_core::config::builtin::with_capability;
use sim_core::host::{HostError, LaunchError, LaunchLimit};
use sim_core::occupancy::Exceeded;
use sim_core::stats::report::Verdict;
use std::process::ExitCode;

/// Exit code of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Code {
    /// Success.
    Fine = 0,
    /// The kernel ran, but its result is wrong or an expectation failed.
    WrongResult = 1,
    /// The command line or an input file is invalid, or a file cannot be written.
    BadInput = 2,
    /// A thread executed an illegal operation, or the launch exceeds the limits of the chip.
    Trap = 3,
    /// The launch can make no progress, or the limit was reached.
    HangOrLimit = 4,
    /// SIGHUP stopped the program: 128 plus the number of the signal, as shells report it.
    HungUp = 129,
    /// Ctrl-C (SIGINT) stopped the program.
    Interrupted = 130,
    /// SIGTERM stopped the program.
    Terminated = 143,
}

impl From<Code> for ExitCode {
    fn from(code: Code) -> Self {
        Self::from(code as u8)
    }
}

impl Code {
    /// Returns the code of a verdict; of an interrupted launch that of Ctrl-C.
    pub fn of(verdict: &Verdict) -> Self {
        match verdict {
            Verdict::Finished | Verdict::Estimated => Self::Fine,
            Verdict::Trapped { .. } | Verdict::Scheduler { .. } => Self::Trap,
            Verdict::Hung { .. } | Verdict::Limit { .. } | Verdict::TimeLimit { .. } => Self::HangOrLimit,
            Verdict::Interrupted { .. } => Self::Interrupted,
        }
    }
}

/// Failure of a command, with its message for standard error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The exit code.
    pub code: Code,
    /// The message, without a trailing newline.
    pub message: String,
}

impl Failure {
    /// A failure because of bad usage or input.
    pub fn input(message: impl Into<String>) -> Self {
        Self { code: Code::BadInput, message: message.into() }
    }
}

impl From<HostError> for Failure {
    /// Launches that exceed the limits of the chip have the code of a trap; all other errors are
    /// bad input.
    fn from(error: HostError) -> Self {
        let code = match &error {
            HostError::Memory(_)
            | HostError::Variable { .. }
            | HostError::ConstantMemory { .. }
            | HostError::Launch(
                LaunchError::Limit { .. }
                | LaunchError::Refused { .. }
                | LaunchError::Capability { .. }
                | LaunchError::Feature { .. },
            ) => Code::Trap,
            _ => Code::BadInput,
        };
        Self { code, message: format!("error: {error}{}", help(&error)) }
    }
}

/// Returns advice for an error of the host interface, as a further line; empty if there is none.
pub fn help(error: &HostError) -> String {
    if let HostError::Launch(LaunchError::Capability { target, .. }) = error
        && let Some(chip) = with_capability(target)
    {
        return format!("\nhelp: try `--chip {chip}`");
    }
    if let HostError::Launch(LaunchError::Feature { features, .. }) = error {
        let list = features.to_string().replace(' ', "");
        return format!(
            "\nhelp: try `--set features={list}`, or `WARPSIM_SET` for a program, with a chip of compute capability 2.0 or \
             above"
        );
    }
    if let HostError::Launch(LaunchError::Limit { limit: LaunchLimit::GridX, needed, terms, .. }) = error {
        if terms.is_opencl() {
            return format!(
                "\nhelp: use an NDRange of two dimensions; chips of compute capability 3.0 or later allow more, as does \
                 `--set limits.grid.0={needed}`"
            );
        }
        return format!(
            "\nhelp: use a two-dimensional grid, whose blocks have the number `blockIdx.y * gridDim.x + blockIdx.x`; \
             chips of compute capability 3.0 or later allow more, as does `--set limits.grid.0={needed}` \
             (`WARPSIM_SET` for a program)"
        );
    }
    let HostError::Launch(LaunchError::Refused { refusal, terms, .. }) = error else { return String::new() };
    match refusal.limit {
        Exceeded::RegistersPerThread => {
            let most = refusal.available;
            format!(
                "\nhelp: `--maxrregcount {most}` compiles the kernel for {most} registers per {}",
                terms.thread
            )
        }
        Exceeded::Registers | Exceeded::RegistersPerBlock => {
            format!(
                "\nhelp: choose a smaller {}, or compile the kernel for fewer registers per {} with \
                 `--maxrregcount N`",
                terms.block, terms.thread
            )
        }
        Exceeded::NoThreads
        | Exceeded::ThreadsPerBlock
        | Exceeded::Warps
        | Exceeded::Shared
        | Exceeded::SharedPerBlock => String::new(),
    }
}

/// Returns the message about a chip on which no program can run.
pub fn not_simulated(chip: &Chip) -> String {
    format!(
        "chip `{}` ({}) cannot run kernels: only its occupancy rules are known (`warpsim occupancy --chip {}`)",
        chip.name, chip.board, chip.name
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use isa::terms::Terms;
    use sim_core::occupancy::Refusal;
    use sim_core::stats::stuck::{StuckClass, StuckReport};

    #[test]
    fn a_refused_launch_ends_like_a_trap_and_a_wrong_name_is_bad_input() {
        let limit = LaunchError::Limit {
            kernel: "k".into(),
            limit: LaunchLimit::Threads,
            needed: 1024,
            available: 512,
            terms: &Terms::CUDA,
        };
        let failure = Failure::from(HostError::Launch(limit));
        assert_eq!(failure.code, Code::Trap);
        assert!(failure.message.contains("is 1024; this chip allows at most 512"));
        let refusal = Refusal { limit: Exceeded::Registers, needed: 9000, available: 8192 };
        let refused = LaunchError::Refused { kernel: "k".into(), refusal, terms: &Terms::CUDA };
        let refused = Failure::from(HostError::Launch(refused));
        assert_eq!(refused.code, Code::Trap);
        assert!(refused.message.ends_with("with `--maxrregcount N`"), "{}", refused.message);
        let newer = LaunchError::Capability { kernel: "k".into(), target: "1.3".into(), chip: "1.0".into() };
        let newer = Failure::from(HostError::Launch(newer));
        assert_eq!(newer.code, Code::Trap);
        assert!(newer.message.ends_with("\nhelp: try `--chip gt200`"), "{}", newer.message);
        assert_eq!(Failure::from(HostError::NoSymbol("s".into())).code, Code::BadInput);
    }

    #[test]
    fn a_limit_is_not_a_success() {
        let class = StuckClass::LostReply;
        let (warps, barriers, queues) = (vec![], vec![], vec![]);
        let stuck = StuckReport { class, hint: String::new(), warps, barriers, queues, not_started: None };
        assert_eq!(Code::of(&Verdict::Limit { limit: 1, stuck: stuck.clone() }), Code::HangOrLimit);
        assert_eq!(Code::of(&Verdict::Hung { cycle: 1, stuck }), Code::HangOrLimit);
        assert_eq!(Code::of(&Verdict::Finished), Code::Fine);
    }
}
