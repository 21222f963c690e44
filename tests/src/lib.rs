//! The suites that test the project as a whole.
