//! Parts that the tests of several crates share: the record of results of silicon, the tools
//! that some tests need, a validator of JSON Schemas, and the files of the repository.

pub mod json_schema;
pub mod record;
pub mod tools;
pub mod workspace;
