//! Common parts of the suites that test the project as a whole.
//!
//! - [`check`] has the properties that hold for all cases of `warpsim_check::generate`.
//! - [`mod@reference`] is an interpreter that is independent of the simulator, [`order`] finds
//!   unordered accesses, and [`litmus`] knows their possible outcomes.
//! - [`oracle`] runs a case on the reference interpreter, [`samples`] has an instruction for every
//!   form, and [`functions`] makes random programs with calls.
//! - [`lines`] makes programs that communicate through the lines of an L1.
//! - [`device`] and [`workload`] are helpers of the suites with examples.

pub mod chains;
pub mod check;
pub mod device;
pub mod functions;
pub mod fuzz;
pub mod large;
pub mod lines;
pub mod litmus;
pub mod mistakes;
pub mod oracle;
pub mod order;
pub mod recorded;
pub mod reference;
pub mod samples;
pub mod workload;

pub use kernels::identities;
