//! The suites that test the project as a whole; in here only what they share.

pub mod books;
pub mod device;
pub mod matmul;
pub mod mutate;
