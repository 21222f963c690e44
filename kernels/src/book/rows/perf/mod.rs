//! Speed.
