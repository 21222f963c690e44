//! The answer: the calculator's result with its working, and what one register, byte or warp would
//! change.

use super::subject::{Origin, Subject};
use super::sweep::{self, Row};
use super::working::{self, Working};
use crate::args::occupancy::Sweep;
use crate::exit::{Code, Failure, help};
use crate::rules::RuleSet;
use isa::types::Dim3;
use serde::Serialize;
use sim_core::host::fit::Request;
use sim_core::host::{HostError, LaunchError};
use sim_core::occupancy::{Occupancy, Rules};

/// Why it cannot be launched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Refusal {
    /// In words.
    pub message: String,
    /// The exit code that `run` would end with.
    #[serde(skip)]
    pub code: Code,
    /// Lines for standard error after the message: what to do.
    #[serde(skip)]
    pub help: String,
}

/// Everything about one subject.
#[derive(Clone, Debug, Serialize)]
pub struct Answer {
    /// The kernel's name, if there is a kernel.
    pub kernel: Option<String>,
    /// Its file.
    pub file: Option<String>,
    /// Threads of a block.
    pub block: Option<[u32; 3]>,
    /// Where they come from.
    pub block_from: Option<Origin>,
    /// Registers per thread.
    pub registers: u32,
    /// Where they come from.
    pub registers_from: Origin,
    /// Registers per thread by the live ranges of the kernel's lowered code.
    pub registers_by_liveness: Option<u32>,
    /// Bytes of shared memory that the kernel declares.
    pub static_shared: u32,
    /// Bytes of dynamic shared memory.
    pub dynamic_shared: u32,
    /// Bytes of shared memory that every launch adds on this chip, parameters not counted.
    pub launch_state: u32,
    /// Bytes of parameters that a launch adds to shared memory on this chip.
    pub params_in_shared: u32,
    /// Bytes of shared memory of an SM, as it is divided for the launch.
    pub sm_shared_bytes: u32,
    /// What there is to hand out.
    pub slots: Slots,
    /// Whether what a launch adds is part of `result`.
    pub launched: bool,
    /// The result that counts: of a kernel as launched, of numbers as given.
    pub result: Option<Occupancy>,
    /// The other one, where it differs in what a block needs.
    pub other: Option<Occupancy>,
    /// How the result's limits come about, in words.
    pub working: Option<Working>,
    /// What would change the result.
    pub changes: Vec<Row>,
    /// Why it cannot be launched; empty if it can.
    pub refusals: Vec<Refusal>,
    /// The table asked for; empty if none was.
    pub sweep: Vec<Row>,
}

/// What an SM has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Slots {
    /// Warp slots.
    pub warps: u32,
    /// Thread slots.
    pub threads: u32,
}

impl Answer {
    /// Answers.
    pub fn new(subject: &Subject, set: &RuleSet, sweep: Option<&Sweep>) -> Self {
        // Numbers without parameters are the calculator's own: there, shared memory is what ptxas
        // reported.
        let bare = set.map(|rules| Rules { shared_per_block: 0, params_in_shared: false, ..rules });
        let launched = subject.params.is_some();
        let (counts, otherwise) = if launched { (set, &bare) } else { (&bare, set) };
        let request = subject.block.map(|(block, _)| subject.request(block));
        let result = request.map(|request| request.occupancy(counts.of(&request)));
        let other = request.map(|request| request.occupancy(otherwise.of(&request)));
        let other = other.filter(|other| Some(other.needs) != result.as_ref().map(|result| result.needs));
        let rules = request.as_ref().map_or(&counts.usual, |request| counts.of(request));
        let launch_state = set.usual.shared_per_block;
        Self {
            kernel: subject.program.as_ref().map(|p| p.name.clone()),
            file: subject.program.as_ref().map(|p| p.source.name.clone()),
            block: subject.block.map(|(Dim3 { x, y, z }, _)| [x, y, z]),
            block_from: subject.block.map(|(_, origin)| origin),
            registers: subject.registers.0,
            registers_from: subject.registers.1,
            registers_by_liveness: subject.program.as_ref().map(|program| program.registers),
            static_shared: subject.static_shared,
            dynamic_shared: subject.dynamic_shared,
            launch_state,
            params_in_shared: set.usual.launch_bytes(subject.params.unwrap_or(0)) - launch_state,
            sm_shared_bytes: rules.sm.shared_bytes,
            slots: Slots { warps: rules.sm.max_warps, threads: rules.sm.max_threads },
            launched,
            working: result.as_ref().map(|result| working::of(&rules.sm, result)),
            changes: request.map_or_else(Vec::new, |request| sweep::changes(&request, counts)),
            refusals: request
                .map_or_else(Vec::new, |request| refusals(subject, &request, counts.of(&request))),
            sweep: sweep.map_or_else(Vec::new, |sweep| sweep::table(subject, counts, sweep)),
            result,
            other,
        }
    }
}

fn refusals(subject: &Subject, request: &Request<'_>, rules: &Rules) -> Vec<Refusal> {
    let newer = subject
        .program
        .as_ref()
        .and_then(|program| sim_core::host::fit::capability(program, rules.capability).err());
    newer.into_iter().chain(request.refusals(rules)).map(refusal).collect()
}

/// A refusal and the exit code that it ends with.
pub fn refusal(error: LaunchError) -> Refusal {
    let message = words(&error);
    let error = HostError::Launch(error);
    Refusal { message, help: help(&error), code: Failure::from(error).code }
}

/// What a launch is refused for; of numbers, which have no name, without one.
pub fn words(error: &LaunchError) -> String {
    match error {
        LaunchError::Limit { kernel, limit, needed, available } if kernel.is_empty() => {
            format!("refused: {}", limit.sentence(*needed, *available))
        }
        LaunchError::Refused { kernel, refusal } if kernel.is_empty() => format!("refused: {refusal}"),
        LaunchError::Empty { kernel, what } if kernel.is_empty() => {
            format!("refused: extent {what} is 0")
        }
        other => other.to_string(),
    }
}
