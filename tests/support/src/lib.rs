//! Parts that the tests of several crates share: the record of results of silicon, the tools
//! that some tests need, a validator of JSON Schemas, random numbers, damaged texts, and the files
//! of the repository.

pub mod json_schema;
pub mod mutate;
pub mod random;
pub mod record;
pub mod tools;
pub mod workspace;
