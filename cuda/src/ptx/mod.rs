//! Emission.
