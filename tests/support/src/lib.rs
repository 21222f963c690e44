//! Parts that the tests of several crates share: the record of results of silicon, the tools
//! that some tests need, and a validator of JSON Schemas.

pub mod json_schema;
pub mod record;
pub mod tools;
