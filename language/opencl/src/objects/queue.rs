//! Command queues.

use super::{Handle, Object, State};
use crate::status::{Done, Status};

/// `CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE`.
pub const OUT_OF_ORDER: u64 = 1;

/// `CL_QUEUE_PROFILING_ENABLE`.
pub const PROFILING: u64 = 2;

/// A command queue.
#[derive(Clone, Copy, Debug)]
pub struct Queue {
    /// Its context.
    pub context: Handle,
    /// `CL_QUEUE_...`.
    pub properties: u64,
}

impl State {
    /// `clCreateCommandQueue`.
    pub fn create_queue(&mut self, context: Handle, device: Handle, properties: u64) -> Done<Handle> {
        self.context(context)?;
        if device != self.device {
            return Err(Status::INVALID_DEVICE);
        }
        if properties & !(OUT_OF_ORDER | PROFILING) != 0 {
            return Err(Status::INVALID_VALUE);
        }
        self.retain(context);
        Ok(self.add(Object::Queue(Queue { context, properties })))
    }
}
