//! Parts that the tests of several crates share: the record of results of silicon, and the tools
//! that some tests need.

pub mod record;
pub mod tools;
