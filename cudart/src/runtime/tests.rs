//! Tests of call sequences.
