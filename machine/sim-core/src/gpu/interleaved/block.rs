//! A block on the interleaved machine.

use super::touch::Span;
use crate::sm::barrier::Barriers;
use std::sync::Arc;

/// A block.
#[derive(Clone, Debug)]
pub(super) struct Block {
    /// Its shared memory.
    pub shared: Arc<Vec<u8>>,
    /// Barriers of the block.
    pub barriers: Barriers,
    /// The last delivery for each position of its queue.
    pub delivered: Vec<(Span, u32)>,
}
