//! Calls of the driver API: contexts, modules, fills with patterns, and copies with structures.

use super::*;
use crate::model::Module;
use std::collections::BTreeSet;
use warpsim_cuda::runtime::driver::Done;

/// Most contexts and modules that a sequence has at a time.
const MOST: usize = 4;

/// Returns the result of a call of the driver API as one of the runtime API.
pub(super) fn plain(result: Done) -> Outcome {
    result.map_err(|_| Error::UNKNOWN)
}

impl Driver<'_> {
    /// Makes the context at the top of the model's stack the current one. Destroyed contexts are
    /// taken from the stack: no call but these is possible with them.
    fn settle(&mut self) {
        while let Some((handle, slot)) = self.model.stack.last().copied() {
            if self.model.lives(handle, slot) {
                break;
            }
            assert_eq!(self.runtime.malloc(&self.thread, OUT, 16), Err(Error::INCOMPATIBLE_CONTEXT));
            assert_eq!(self.runtime.ctx_pop(&mut self.thread, 0), Ok(()));
            self.model.stack.pop();
        }
        self.model.current = self.model.stack.last().map_or(self.model.chosen, |(_, slot)| *slot);
        assert_eq!(self.thread.device, self.model.current, "the current context is the thread's device");
    }

    fn context(&mut self) -> u64 {
        let all: Vec<u64> = self.model.contexts.keys().copied().collect();
        match self.byte() {
            0..16 => self.pick(&[0, u64::MAX, PLAIN]),
            n if n < 48 => self.model.past.last().copied().unwrap_or(5),
            n if all.is_empty() => u64::from(n),
            n => all[usize::from(n) % all.len()],
        }
    }

    pub(super) fn contexts(&mut self) {
        let (handle, known) = {
            let handle = self.context();
            (handle, self.model.contexts.get(&handle).copied())
        };
        self.last = format!("context {handle:#x}: {known:?}");
        match self.byte() % 6 {
            0 | 1 if self.model.contexts.len() < MOST => {
                let (flags, device, out) =
                    (self.pick(&[0, 4, 3, 0x20]), self.pick(&[0, 1, -1, 2]), self.out());
                let result = plain(self.runtime.ctx_create(&mut self.thread, out, flags, device));
                let right = matches!(flags, 0 | 4) && matches!(device, 0 | 1) && out == OUT;
                assert_eq!(result.is_ok(), right, "{result:?}: create {flags} {device} {out:#x}");
                if right {
                    let (handle, slot) = (self.host.word(OUT), self.thread.device);
                    assert!(slot >= 2 && !self.model.contexts.values().any(|used| *used == slot));
                    let slots = self.model.devices.len().max(slot + 1);
                    self.model.devices.resize(slots, Device::default());
                    self.model.contexts.insert(handle, slot);
                    self.model.stack.push((handle, slot));
                    self.settle();
                    self.load();
                }
            }
            2 => {
                let result = plain(self.runtime.ctx_destroy(&mut self.thread, handle));
                assert_eq!(result.is_ok(), known.is_some(), "{}", self.last);
                if let Some(slot) = known {
                    self.model.contexts.remove(&handle);
                    self.model.reset_at(slot);
                    self.model.past.push(handle);
                    if self.model.stack.last().is_some_and(|(top, _)| *top == handle) {
                        self.model.stack.pop();
                    }
                    self.settle();
                }
            }
            3 if self.model.stack.len() < 2 * MOST => {
                let result = plain(self.runtime.ctx_push(&mut self.thread, handle));
                assert_eq!(result.is_ok(), known.is_some(), "{}", self.last);
                self.model.stack.extend(known.map(|slot| (handle, slot)));
                self.settle();
            }
            4 => {
                let out = self.pick(&[0, OUT, u64::MAX]);
                let result = plain(self.runtime.ctx_pop(&mut self.thread, out));
                let right = !self.model.stack.is_empty() && out != u64::MAX;
                assert_eq!(result.is_ok(), right, "{}", self.last);
                if right {
                    let (top, _) = self.model.stack.pop().expect("it is not empty");
                    assert!(out == 0 || self.host.word(OUT) == top);
                    self.settle();
                }
            }
            _ => {
                let result = plain(self.runtime.ctx_set_current(&mut self.thread, handle));
                assert_eq!(result.is_ok(), handle == 0 || known.is_some(), "{}", self.last);
                if result.is_ok() {
                    self.model.stack.pop();
                    self.model.stack.extend(known.map(|slot| (handle, slot)));
                    self.settle();
                }
            }
        }
    }

    fn module(&mut self) -> u64 {
        let all: Vec<u64> = self.model.modules.keys().copied().collect();
        match self.byte() {
            0..16 => self.pick(&[0, u64::MAX, PLAIN]),
            n if n < 32 => self.model.past.last().copied().unwrap_or(5),
            n if all.is_empty() => u64::from(n),
            n => all[usize::from(n) % all.len()],
        }
    }

    pub(super) fn modules(&mut self) {
        if self.byte().is_multiple_of(3) || self.model.modules.len() >= MOST {
            let handle = self.module();
            let right =
                self.model.modules.get(&handle).is_some_and(|module| module.device == self.model.current);
            self.last = format!("unload {handle:#x}");
            let result = plain(self.runtime.module_unload(&self.thread, handle));
            if self.agree(result, right) {
                self.model.unload(handle);
            }
            return;
        }
        let (image, out) = (self.pick(&[IMAGE, IMAGE, IMAGE, 0, PLAIN, u64::MAX]), self.out());
        self.last = format!("load {image:#x} {out:#x}");
        let result = plain(self.runtime.module_load_data(&self.thread, out, image, (0, 0, 0)));
        if !self.agree(result, image == IMAGE && out == OUT) {
            return;
        }
        let handle = self.host.word(OUT);
        assert_eq!(self.runtime.module_function(&self.thread, OUT, handle, NAMES), Ok(()));
        let function = self.host.word(OUT);
        assert_eq!(self.runtime.module_variable(&self.thread, OUT, OUT + 8, handle, NAMES + 8), Ok(()));
        let (variable, bytes) = (self.host.word(OUT), self.host.word(OUT + 8));
        assert_eq!(bytes, VARIABLE_BYTES);
        assert!(self.runtime.module_function(&self.thread, OUT, handle, NAMES + 8).is_err());
        let device = self.model.current;
        self.model.modules.insert(handle, Module { device, function, variable });
        self.model.device().memory.insert(variable, vec![Some(0); VARIABLE_BYTES as usize]);
        self.model.device().variables.insert(variable);
    }

    /// Returns the handle of a kernel of the current context, or a wrong one, and whether it is
    /// right.
    pub(super) fn kernel_handle(&mut self) -> (u64, bool) {
        let own = self.model.modules.values().filter(|module| module.device == self.model.current);
        let all: BTreeSet<u64> = own.map(|module| module.function).collect();
        let other = self.model.modules.values().map(|module| module.function).next_back();
        let handle = match self.byte() {
            0..32 => self.pick(&[0, KERNEL, u64::MAX]),
            32..64 => other.unwrap_or(PLAIN),
            _ => all.first().copied().unwrap_or(KERNEL),
        };
        (handle, all.contains(&handle))
    }

    /// `cuMemsetD16` and `cuMemsetD32`.
    pub(super) fn fill_pattern(&mut self) {
        let (at, count, size) = (self.pointer(), self.count(), self.pick(&[2, 4]));
        let pattern: Vec<u8> = (0..size).map(|_| self.byte()).collect();
        let stream = self.stream();
        let bytes = count.checked_mul(size);
        let aligned = at.is_multiple_of(size);
        let place = match bytes {
            Some(bytes) if bytes > 0 => Some(self.model.place(at, bytes, Side::Device)),
            _ => None,
        };
        if place == Some(Place::Unclear) {
            return;
        }
        self.last = format!("pattern {at:#x} {count} {size} {stream:#x}: {place:x?}");
        let right = bytes.is_some() && aligned && self.model.stream(stream) && place != Some(Place::Bad);
        let rows = Rows::line(at);
        let result = plain(self.runtime.set_memory(&self.thread, rows, &pattern, (count, 1), stream));
        if let (true, Some(place)) = (self.agree(result, right), place) {
            let bytes: Vec<Byte> =
                pattern.iter().map(|byte| Some(*byte)).cycle().take((count * size) as usize).collect();
            self.model.write(place, &bytes);
        }
    }

    /// `cuMemGetAddressRange` of device memory.
    pub(super) fn address_range(&mut self) {
        let at = self.pointer();
        let Place::Device(start, _) = self.model.place(at, 0, Side::Device) else { return };
        let bytes = self.model.device().memory[&start].len() as u64;
        self.last = format!("range of {at:#x}");
        let result = plain(self.runtime.address_range(&self.thread, OUT, OUT + 8, at));
        if self.agree(result, true) {
            assert_eq!((self.host.word(OUT), self.host.word(OUT + 8)), (start, bytes), "{at:#x}");
        }
    }

    /// Copies rows with a `CUDA_MEMCPY2D`.
    pub(super) fn copy_structure(
        &mut self,
        to: Rows,
        from: Rows,
        shape: Shape,
        kind: i32,
        stream: u64,
    ) -> Outcome {
        let (to_kind, from_kind) = match kind {
            0 => (1, 1),
            1 => (2, 1),
            2 => (1, 2),
            3 => (2, 2),
            _ => (4, 4),
        };
        let side = |rows: Rows, kind: u64| [0, 0, kind, rows.address, rows.address, 0, rows.pitch];
        let words: Vec<u64> = side(from, from_kind)
            .into_iter()
            .chain(side(to, to_kind))
            .chain([shape.width, shape.height])
            .collect();
        let bytes: Vec<u8> = words.into_iter().flat_map(u64::to_le_bytes).collect();
        assert!(self.host.write(&[(STRUCTURE, bytes.len() as u64)], &bytes));
        plain(self.runtime.cu_copy_2d(&self.thread, STRUCTURE, stream))
    }
}
