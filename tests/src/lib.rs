//! Common parts of the suites that test the project as a whole.
//!
//! - [`generate`] makes random kernels, chips and launches.
//! - [`run`] runs one of them in every available way.
//! - [`check`] has the properties that hold for all of them, [`rules`] the properties of all events
//!   that the simulator reports during a run, and [`draw`] searches for a case that violates one.
//! - [`mod@reference`] is an interpreter that is independent of the simulator, [`order`] finds
//!   unordered accesses, and [`litmus`] knows their possible outcomes.
//! - [`watch`] records the events of an observer, [`samples`] has an instruction for every form,
//!   and [`functions`] makes random programs with calls.
//! - [`lines`] makes programs that communicate through the lines of an L1.
//! - [`device`] and [`workload`] are helpers of the suites with examples.

pub mod chains;
pub mod check;
pub mod device;
pub mod draw;
pub mod functions;
pub mod fuzz;
pub mod generate;
pub mod large;
pub mod lines;
pub mod litmus;
pub mod mistakes;
pub mod mutate;
pub mod order;
pub mod recorded;
pub mod reference;
pub mod rules;
pub mod run;
pub mod samples;
pub mod watch;
pub mod workload;

pub use kernels::identities;
