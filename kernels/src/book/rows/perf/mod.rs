//! Speed.

pub mod granularity;
pub mod inner_loop;
pub mod roofs;
