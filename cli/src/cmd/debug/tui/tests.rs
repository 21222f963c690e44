//! Snapshots of the screen.
