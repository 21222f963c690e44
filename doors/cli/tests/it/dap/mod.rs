//! `warpsim dap`: flows, errors, and framing over pipes; and the flow of a client from a package
//! registry.

mod client;
mod errors;
mod flow;
mod framing;
mod program;
mod registry;
mod setup;
mod stops;
