//! Contexts, and the stack of them that each host thread has.
//!
//! The primary context of a device is the runtime's device with its number. Each other context is a
//! further device of the runtime with memory, modules, streams and a timeline that no other context
//! sees. Calls of the runtime API use the current context too.

use super::Done;
use super::status::Status;
use crate::runtime::Runtime;
use crate::runtime::device::DEVICE_FLAGS;
use crate::runtime::error::Error;
use crate::runtime::thread::Thread;

/// A context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Context {
    /// Number of the runtime's device.
    pub(super) slot: usize,
    /// Attached uses; of a primary context, those of `cuDevicePrimaryCtxRetain`.
    pub(super) uses: u32,
}

/// State that a call needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// None.
    Any,
    /// `cuInit`.
    Init,
    /// A current context.
    Context,
}

/// Maximum number of contexts in a process.
const MOST_CONTEXTS: usize = 64;

/// Version of the API of a context.
const API_VERSION: i32 = 3020;

impl Runtime {
    /// `cuInit`.
    pub fn cu_init(&mut self, flags: u32) -> Done {
        if flags != 0 {
            return Err(Status::INVALID_VALUE);
        }
        self.driver.initialized = true;
        Ok(())
    }

    /// Checks that a call can be made, and makes its context the thread's device.
    pub fn enter(&self, thread: &mut Thread, need: Need) -> Done {
        if need == Need::Any {
            return Ok(());
        }
        if !self.driver.initialized && !self.devices.iter().any(|device| device.active) {
            return Err(Status::NOT_INITIALIZED);
        }
        let current = self.select(thread);
        if need == Need::Context { current } else { Ok(()) }
    }

    /// Makes the current context the thread's device. Without a context on the stack, the primary
    /// context is current if the runtime API has used it.
    fn select(&self, thread: &mut Thread) -> Done {
        let Some(context) = thread.contexts.last() else {
            thread.device = thread.chosen;
            let active = self.devices[thread.device].active;
            return if active { Ok(()) } else { Err(Status::INVALID_CONTEXT) };
        };
        let context = self.driver.contexts.get(context).ok_or(Status::CONTEXT_IS_DESTROYED)?;
        thread.device = context.slot;
        Ok(())
    }

    /// Returns a context.
    pub(super) fn context(&self, handle: u64) -> Done<Context> {
        self.driver.contexts.get(&handle).copied().ok_or(Status::INVALID_CONTEXT)
    }

    /// Returns the handle of the current context.
    pub(super) fn current(&mut self, thread: &Thread) -> u64 {
        match thread.contexts.last() {
            Some(context) => *context,
            None => self.primary(thread.device),
        }
    }

    /// Returns the handle of a device's primary context.
    pub(in crate::runtime) fn primary(&mut self, number: usize) -> u64 {
        let known = self.driver.contexts.iter().find(|(_, context)| context.slot == number);
        if let Some((handle, _)) = known {
            return *handle;
        }
        let handle = self.handle();
        self.driver.contexts.insert(handle, Context { slot: number, uses: 0 });
        handle
    }

    fn is_primary(&self, context: Context) -> bool {
        context.slot < self.settings.devices
    }

    /// `cuCtxCreate`.
    pub fn ctx_create(&mut self, thread: &mut Thread, out: u64, flags: u32, device: i32) -> Done {
        if flags & !DEVICE_FLAGS != 0 || (flags & 7).count_ones() > 1 {
            return Err(Status::INVALID_VALUE);
        }
        let number = self.numbered(device)?.number;
        let used = |slot: usize| self.driver.contexts.values().any(|context| context.slot == slot);
        let free = (self.settings.devices..self.devices.len())
            .find(|slot| self.devices[*slot].number == number && !used(*slot));
        if free.is_none() && self.devices.len() >= MOST_CONTEXTS {
            return Err(Status::OUT_OF_MEMORY);
        }
        let handle = self.handle();
        self.put_word(out, handle)?;
        let slot = free.unwrap_or_else(|| {
            let device = self.new_device(number);
            self.devices.push(device);
            self.devices.len() - 1
        });
        self.devices[slot].flags = flags;
        self.driver.contexts.insert(handle, Context { slot, uses: 1 });
        thread.contexts.push(handle);
        thread.device = slot;
        Ok(())
    }

    /// `cuCtxDestroy`. Other threads that have the context keep it on their stacks.
    pub fn ctx_destroy(&mut self, thread: &mut Thread, handle: u64) -> Done {
        let context = self.context(handle)?;
        if self.is_primary(context) {
            return Err(Status::INVALID_CONTEXT);
        }
        self.reset_context(context.slot);
        self.driver.contexts.remove(&handle);
        if thread.contexts.last() == Some(&handle) {
            thread.contexts.pop();
        }
        let _ = self.select(thread);
        Ok(())
    }

    /// `cuCtxPushCurrent`.
    pub fn ctx_push(&mut self, thread: &mut Thread, handle: u64) -> Done {
        self.context(handle)?;
        thread.contexts.push(handle);
        self.select(thread)
    }

    /// `cuCtxPopCurrent`; `out` may be null.
    pub fn ctx_pop(&mut self, thread: &mut Thread, out: u64) -> Done {
        let handle = *thread.contexts.last().ok_or(Status::INVALID_CONTEXT)?;
        if out != 0 {
            self.put_word(out, handle)?;
        }
        thread.contexts.pop();
        let _ = self.select(thread);
        Ok(())
    }

    /// `cuCtxSetCurrent`; null removes the current context from the stack.
    pub fn ctx_set_current(&mut self, thread: &mut Thread, handle: u64) -> Done {
        if handle != 0 {
            self.context(handle)?;
        }
        thread.contexts.pop();
        if handle != 0 {
            thread.contexts.push(handle);
        }
        let _ = self.select(thread);
        Ok(())
    }

    /// `cuCtxGetCurrent`.
    pub fn ctx_get_current(&mut self, thread: &mut Thread, out: u64) -> Done {
        let handle = match self.select(thread) {
            Err(Status::INVALID_CONTEXT) => 0,
            _ => self.current(thread),
        };
        Ok(self.put_word(out, handle)?)
    }

    /// `cuCtxAttach`.
    pub fn ctx_attach(&mut self, thread: &Thread, out: u64, flags: u32) -> Done {
        if flags != 0 {
            return Err(Status::INVALID_VALUE);
        }
        let handle = self.current(thread);
        self.put_word(out, handle)?;
        if let Some(context) = self.driver.contexts.get_mut(&handle) {
            context.uses = context.uses.saturating_add(1);
        }
        Ok(())
    }

    /// `cuCtxDetach`: destroys the current context after its last use.
    pub fn ctx_detach(&mut self, thread: &mut Thread, handle: u64) -> Done {
        let context = self.context(handle)?;
        if self.is_primary(context) || handle != self.current(thread) {
            return Err(Status::INVALID_CONTEXT);
        }
        if context.uses <= 1 {
            return self.ctx_destroy(thread, handle);
        }
        if let Some(context) = self.driver.contexts.get_mut(&handle) {
            context.uses -= 1;
        }
        Ok(())
    }

    /// `cuCtxGetDevice`.
    pub fn ctx_device(&self, thread: &Thread, out: u64) -> Done {
        Ok(self.get_device(thread, out)?)
    }

    /// `cuCtxGetFlags`.
    pub fn ctx_flags(&self, thread: &Thread, out: u64) -> Done {
        Ok(self.put_int(out, self.devices[thread.device].flags as i32)?)
    }

    /// `cuCtxGetApiVersion`; null is the current context.
    pub fn ctx_version(&self, thread: &Thread, handle: u64, out: u64) -> Done {
        if handle != 0 || thread.contexts.is_empty() && !self.devices[thread.device].active {
            self.context(handle)?;
        }
        Ok(self.put_int(out, API_VERSION)?)
    }

    /// `cuCtxEnablePeerAccess`.
    pub fn ctx_enable_peer(&mut self, thread: &Thread, peer: u64, flags: u32) -> Done {
        let peer = self.context(peer)?;
        if flags != 0 {
            return Err(Status::INVALID_VALUE);
        }
        let can = |slot: usize| self.devices[slot].gpu.chip().pcie.peer;
        if peer.slot == thread.device || !can(peer.slot) || !can(thread.device) {
            return Err(Status::PEER_ACCESS_UNSUPPORTED);
        }
        let new = self.device(thread)?.peers.insert(peer.slot);
        if new { Ok(()) } else { Err(Error::PEER_ENABLED.into()) }
    }

    /// `cuCtxDisablePeerAccess`.
    pub fn ctx_disable_peer(&mut self, thread: &Thread, peer: u64) -> Done {
        let peer = self.context(peer)?;
        let known = self.device(thread)?.peers.remove(&peer.slot);
        if known { Ok(()) } else { Err(Error::PEER_NOT_ENABLED.into()) }
    }

    /// `cuMemcpyPeer`: each pointer belongs to a context.
    pub fn cu_copy_peer(
        &mut self,
        thread: &Thread,
        (to, to_context): (u64, u64),
        (from, from_context): (u64, u64),
        bytes: u64,
        stream: u64,
    ) -> Done {
        let (target, source) = (self.context(to_context)?.slot, self.context(from_context)?.slot);
        Ok(self.copy_contexts(thread, (to, target), (from, source), bytes, stream)?)
    }
}
