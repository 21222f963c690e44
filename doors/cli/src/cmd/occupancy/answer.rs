//! The answer: the calculator's result with its calculation, and the smallest changes of registers,
//! bytes or warps that change the result.

use super::subject::{Origin, Subject};
use super::sweep::{self, OccupancyRow, words};
use super::working::{self, Working};
use crate::args::occupancy::Sweep;
use crate::exit::{Code, Failure, help};
use isa::terms::Terms;
use isa::types::Dim3;
use serde::Serialize;
use sim_core::host::fit::{Request, RuleSet};
use sim_core::host::{HostError, LaunchError, LaunchLimit};
use sim_core::occupancy::{Occupancy, Rules};

/// Reason for which a kernel cannot be launched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Refusal {
    /// Reason why the block cannot be launched.
    pub message: String,
    /// Exit code with which `run` would end.
    #[serde(skip)]
    pub code: Code,
    /// Further lines for standard error: advice.
    #[serde(skip)]
    pub help: String,
}

/// The answer for one subject.
#[derive(Clone, Debug, Serialize)]
pub struct Answer {
    /// Name of the kernel, if there is one.
    pub kernel: Option<String>,
    /// File of the kernel.
    pub file: Option<String>,
    /// Block size in threads.
    pub block: Option<[u32; 3]>,
    /// Origin of the block size.
    pub block_from: Option<Origin>,
    /// Registers per thread.
    pub registers: u32,
    /// Origin of the register count.
    pub registers_from: Origin,
    /// Registers per thread from the live ranges of the kernel's lowered code.
    pub registers_by_liveness: Option<u32>,
    /// Bytes of static shared memory.
    pub static_shared: u32,
    /// Bytes of dynamic shared memory.
    pub dynamic_shared: u32,
    /// Bytes of shared memory that every launch adds on this chip, without parameters: launch state
    /// on 1.x, reserved by the system from 8.0 on.
    pub launch_state: u32,
    /// Bytes of parameters that a launch adds to shared memory on this chip.
    pub params_in_shared: u32,
    /// Bytes of shared memory of an SM, as configured for the launch.
    pub sm_shared_bytes: u32,
    /// Slots of an SM.
    pub slots: Slots,
    /// Whether `result` includes the launch state and parameters that a launch adds to shared
    /// memory on 1.x.
    pub launched: bool,
    /// The main result: of a kernel as launched, of numbers as given.
    pub result: Option<Occupancy>,
    /// The other result, if its blocks need a different amount.
    pub other: Option<Occupancy>,
    /// Calculation of the result's limits, as text.
    pub working: Option<Working>,
    /// Changes of one value that change the result.
    pub changes: Vec<OccupancyRow>,
    /// Reasons for which it cannot be launched; empty if it can.
    pub refusals: Vec<Refusal>,
    /// The requested table; empty if none was requested.
    pub sweep: Vec<OccupancyRow>,
    /// The words of the kernel.
    #[serde(skip)]
    pub terms: &'static Terms,
}

/// Slots of an SM.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Slots {
    /// Warp slots.
    pub warps: u32,
    /// Thread slots.
    pub threads: u32,
}

impl Answer {
    /// Computes the answer.
    pub fn new(subject: &Subject, set: &RuleSet, sweep: Option<&Sweep>) -> Self {
        let reported = as_reported(set);
        let launched = subject.params.is_some();
        let (counts, otherwise) = if launched { (set, &reported) } else { (&reported, set) };
        let request = subject.block.map(|(block, _)| subject.request(block));
        let result = request.map(|request| request.occupancy(&counts.of(&request)));
        let other = request.map(|request| request.occupancy(&otherwise.of(&request)));
        let other = other.filter(|other| Some(other.needs) != result.as_ref().map(|result| result.needs));
        let rules = request.as_ref().map_or(counts.usual, |request| counts.of(request));
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
            working: result.as_ref().map(|result| working::of(&rules.sm, result, subject.terms)),
            changes: request.map_or_else(Vec::new, |request| sweep::changes(&request, counts)),
            refusals: request
                .map_or_else(Vec::new, |request| refusals(subject, &request, &counts.of(&request))),
            sweep: sweep.map_or_else(Vec::new, |sweep| sweep::table(subject, counts, sweep)),
            terms: subject.terms,
            result,
            other,
        }
    }
}

/// Returns the rules for plain numbers without parameters, which are the calculator's input: their
/// shared memory is the number that ptxas reported.
pub fn as_reported(set: &RuleSet) -> RuleSet {
    RuleSet { usual: set.usual.as_reported(), smaller: set.smaller.clone() }
}

/// Returns all reasons for which one block of a subject cannot be launched.
pub fn refusals(subject: &Subject, request: &Request<'_>, rules: &Rules) -> Vec<Refusal> {
    let newer = subject
        .program
        .as_ref()
        .and_then(|program| sim_core::host::fit::capability(program, rules.capability, rules.features).err());
    let limit = rules.opted_in().map_or(0, |opted_in| opted_in.shared_limit());
    let opts_in = (rules.shared_limit().into()..=limit.into()).contains(&request.shared_bytes);
    let advised = |error: LaunchError| {
        let is_shared = matches!(error, LaunchError::Limit { limit: LaunchLimit::Shared, .. });
        let mut refusal = refusal(error);
        if is_shared && opts_in {
            refusal.help += "\nhelp: --opt-in, if the program raises the limit of its dynamic shared memory";
        }
        refusal
    };
    newer.into_iter().chain(request.refusals(rules)).map(advised).collect()
}

/// Converts a launch error to a message and an exit code.
pub fn refusal(error: LaunchError) -> Refusal {
    let message = words(&error);
    let error = HostError::Launch(error);
    Refusal { message, help: help(&error), code: Failure::from(error).code }
}
