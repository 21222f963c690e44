//! The primary contexts, which the runtime API uses.

use super::Done;
use super::status::Status;
use crate::runtime::Runtime;
use crate::runtime::device::DEVICE_FLAGS;

impl Runtime {
    /// `cuDevicePrimaryCtxRetain`.
    pub fn primary_retain(&mut self, out: u64, device: i32) -> Done {
        let number = self.numbered(device)?.number;
        let handle = self.primary(number);
        self.put_word(out, handle)?;
        if let Some(context) = self.driver.contexts.get_mut(&handle) {
            context.uses = context.uses.saturating_add(1);
        }
        Ok(())
    }

    /// `cuDevicePrimaryCtxRelease`: the last release resets the context, unless the runtime API
    /// uses it.
    pub fn primary_release(&mut self, device: i32) -> Done {
        let number = self.numbered(device)?.number;
        let handle = self.primary(number);
        let context = self.driver.contexts.get_mut(&handle).filter(|context| context.uses > 0);
        let context = context.ok_or(Status::INVALID_CONTEXT)?;
        context.uses -= 1;
        if context.uses == 0 && !self.devices[number].active {
            self.reset_context(number);
        }
        Ok(())
    }

    /// Whether a primary context is in use.
    fn primary_is_active(&mut self, number: usize) -> bool {
        let handle = self.primary(number);
        self.devices[number].active || self.driver.contexts[&handle].uses > 0
    }

    /// `cuDevicePrimaryCtxSetFlags`.
    pub fn primary_set_flags(&mut self, device: i32, flags: u32) -> Done {
        let number = self.numbered(device)?.number;
        if flags & !DEVICE_FLAGS != 0 || (flags & 7).count_ones() > 1 {
            return Err(Status::INVALID_VALUE);
        }
        if self.primary_is_active(number) {
            return Err(Status::PRIMARY_CONTEXT_ACTIVE);
        }
        self.devices[number].flags = flags;
        Ok(())
    }

    /// `cuDevicePrimaryCtxGetState`.
    pub fn primary_state(&mut self, device: i32, flags: u64, active: u64) -> Done {
        let number = self.numbered(device)?.number;
        let state = self.primary_is_active(number);
        self.put_int(flags, self.devices[number].flags as i32)?;
        Ok(self.put_int(active, i32::from(state))?)
    }

    /// `cuDevicePrimaryCtxReset`.
    pub fn primary_reset(&mut self, device: i32) -> Done {
        let number = self.numbered(device)?.number;
        self.reset_context(number);
        Ok(())
    }
}
