//! The suites that test the project as a whole: what they share.
//!
//! [`generate`] makes random kernels, chips and launches; [`run`] runs one of them in every way
//! there is; [`check`] says what must be true of all, [`rules`] what must be true of everything
//! that the machine tells while it runs, and [`draw`] looks for a case that breaks it.
//! [`mod@reference`] is an interpreter that owes the simulator nothing, [`order`] finds accesses
//! that nothing orders, and [`litmus`] what may come of them. [`watch`] keeps what an observer is
//! told, [`samples`] has an instruction for every form, [`functions`] makes random programs that
//! call. [`lines`] makes programs that talk through the lines of an L1. [`mod@book`] changes
//! numbers of the ledger. [`device`] and [`workload`] serve the suites of examples.

pub mod book;
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
