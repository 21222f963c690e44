//! Passes.
pub mod address;
pub mod alias;
pub mod contract;
pub mod dce;
pub mod fold;
pub mod gvn;
pub mod if_convert;
pub mod licm;
pub mod promote;
pub mod simplify;
pub mod spaces;
pub mod strength;
pub mod unroll;
