//! Tests of the driver and of the headers with each installed clang.

mod barrier;
mod failures;
mod flags;
mod headers;
mod linking;
mod old;
mod support;
