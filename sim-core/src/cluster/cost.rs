//! What a message costs its sender at the crossbar port.

use crate::time::message::{Request, RequestKind};

/// What a message costs its sender.
#[derive(Clone, Copy)]
pub(super) struct Cost {
    /// What it asks.
    pub kind: RequestKind,
    /// Bytes of data that it carries.
    pub bytes: u32,
}

impl Cost {
    /// Of `request`.
    pub fn of(request: &Request) -> Self {
        let bytes = match request.kind {
            RequestKind::Store => u32::from(request.bytes),
            kind => 4 * kind.words(request.bytes.into()),
        };
        Self { kind: request.kind, bytes: request.lanes.count_ones() * bytes }
    }
}
