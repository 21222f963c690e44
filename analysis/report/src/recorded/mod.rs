//! Data for pictures of a launch besides its report: the states of the warps of one SM over time,
//! the active lanes of each source line, and one access of each memory instruction.
//!
//! `timeline` and `lanes` are filled by `recorder`, which observes the launches of a run; `access`
//! steps a launch under the debugger. Neither changes a report.

pub mod access;
pub mod lanes;
pub mod recorder;
pub mod timeline;

use sim_core::stats::WarpState;

/// Number of a state, by which pictures color it.
pub fn number(state: WarpState) -> i8 {
    WarpState::ALL.iter().position(|one| *one == state).map_or(-1, |at| at as i8)
}
