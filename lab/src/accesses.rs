//! Accesses of a warp to memory: transactions or passes over banks, and one access of each memory
//! instruction of a kernel.

use crate::request::Request;
use crate::stepper::{Focus, Stepper};
use report::exit::Failure;
use report::words::{Words, access_kind, memory_space};
use serde::Serialize;
use sim_core::debug::AccessView;

/// An access of a warp.
#[derive(Debug, Serialize)]
pub struct Access {
    /// Source line.
    pub line: u32,
    /// PTX text.
    pub text: String,
    /// Shader cycle of issue.
    pub cycle: u64,
    /// `load`, `store` or `atomic`.
    pub kind: &'static str,
    /// State space.
    pub space: &'static str,
    /// Bytes per lane.
    pub bytes: u32,
    /// Lanes that access memory, as a mask.
    pub lanes: u32,
    /// Address of each lane; meaningful for lanes of `lanes`.
    pub addresses: Vec<u32>,
    /// Transactions; empty if no lane accesses global or local memory.
    pub transactions: Vec<Segment>,
    /// The fewest transactions of an access of this width.
    pub fewest: u32,
    /// Passes over the banks of shared memory.
    pub banks: Option<Banks>,
}

/// A transaction.
#[derive(Debug, Serialize)]
pub struct Segment {
    /// Lanes that it serves, as a mask.
    pub lanes: u32,
    /// First byte.
    pub address: u32,
    /// Bytes of the segment.
    pub span: u32,
    /// Bytes that are transferred.
    pub bytes: u32,
}

/// Passes over banks.
#[derive(Debug, Serialize)]
pub struct Banks {
    /// Number of banks.
    pub banks: u32,
    /// Lanes that are served together.
    pub group: u32,
    /// Lanes that access shared memory, as a mask.
    pub lanes: u32,
    /// Bank of the first word of each lane.
    pub of_lane: Vec<u32>,
    /// Passes.
    pub passes: u32,
    /// Passes without conflicts.
    pub fewest: u32,
}

/// Describes an access.
pub fn describe(access: &AccessView, words: &Words) -> Access {
    let segment = |one: &sim_core::debug::Transaction| Segment {
        lanes: one.lanes,
        address: one.address,
        span: one.span,
        bytes: one.bytes,
    };
    Access {
        line: words.line(access.pc),
        text: words.text(access.pc).to_owned(),
        cycle: access.cycle,
        kind: access_kind(access.kind),
        space: memory_space(access.space),
        bytes: access.bytes,
        lanes: access.lanes,
        addresses: access.addresses.to_vec(),
        transactions: access.transactions.iter().map(segment).collect(),
        fewest: access.fewest,
        banks: access.banks.as_ref().map(|banks| Banks {
            banks: banks.banks,
            group: banks.group,
            lanes: banks.lanes,
            of_lane: banks.of_lane.to_vec(),
            passes: banks.passes,
            fewest: banks.fewest,
        }),
    }
}

/// Instructions of the first warp after which the search for accesses ends: enough for two turns of
/// most loops.
const STEPS: usize = 4000;

/// Returns one access of each memory instruction that the first warp of the first launch executes:
/// its second access, if it has one, because the first iteration of a loop is often special.
///
/// # Errors
///
/// If the request is invalid.
pub fn accesses(request: &Request) -> Result<Vec<Access>, Failure> {
    let mut stepper = Stepper::new(request, 1)?;
    let mut found: Vec<(Access, u32)> = Vec::new();
    for _ in 0..STEPS {
        if !stepper.next_instruction(Focus::default()) {
            break;
        }
        let Some(access) = stepper.last_access(Focus::default()) else { continue };
        match found.iter_mut().find(|(known, _)| known.line == access.line) {
            None => found.push((access, 1)),
            Some((known, times)) if *times == 1 && known.cycle != access.cycle => {
                (*known, *times) = (access, 2);
            }
            Some(_) => {}
        }
    }
    found.sort_by_key(|(access, _)| access.line);
    Ok(found.into_iter().map(|(access, _)| access).collect())
}
