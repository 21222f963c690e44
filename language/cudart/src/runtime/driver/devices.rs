//! Properties of devices, and of pointers, that only the driver API has.

use super::Done;
use super::status::Status;
use crate::runtime::Runtime;
use crate::runtime::blocks::Kind;
use crate::runtime::thread::Thread;
use sim_core::config::WARP_SIZE;

impl Runtime {
    /// `cuDeviceGet`.
    pub fn cu_device(&mut self, out: u64, number: i32) -> Done {
        self.known(number)?;
        Ok(self.put_int(out, number)?)
    }

    /// `cuDeviceGetName`: the name is cut to `length` bytes with its NUL.
    pub fn device_name(&mut self, out: u64, length: i32, number: i32) -> Done {
        let mut name = self.numbered(number)?.gpu.chip().board.clone().into_bytes();
        let length = usize::try_from(length).ok().filter(|length| *length > 0);
        name.truncate(length.ok_or(Status::INVALID_VALUE)? - 1);
        name.push(0);
        Ok(self.put(out, &name)?)
    }

    /// `cuDeviceTotalMem`.
    pub fn device_memory(&mut self, out: u64, number: i32) -> Done {
        let bytes = self.numbered(number)?.gpu.chip().usable_bytes();
        Ok(self.put_word(out, bytes)?)
    }

    /// `cuDeviceComputeCapability`.
    pub fn device_capability(&mut self, major: u64, minor: u64, number: i32) -> Done {
        let capability = self.numbered(number)?.gpu.chip().capability;
        self.put_int(major, capability.major.into())?;
        Ok(self.put_int(minor, capability.minor.into())?)
    }

    /// `cuDeviceGetProperties`: a `CUdevprop`, whose numbers are attributes.
    pub fn cu_properties(&mut self, out: u64, number: i32) -> Done {
        let chip = self.numbered(number)?.gpu.chip();
        let (limits, sm) = (&chip.limits, &chip.sm);
        let values: Vec<u32> = [limits.threads_per_block]
            .into_iter()
            .chain([limits.block, limits.grid].into_iter().flat_map(|dim| [dim.x, dim.y, dim.z]))
            .chain([sm.shared_bytes, limits.const_bytes, WARP_SIZE, i32::MAX as u32, sm.registers])
            .chain([chip.clocks.shader_khz as u32, if chip.capability.major >= 2 { 512 } else { 256 }])
            .collect();
        let bytes: Vec<u8> = values.into_iter().flat_map(u32::to_le_bytes).collect();
        Ok(self.put(out, &bytes)?)
    }

    /// `cuMemGetAddressRange`; null pointers are left out.
    pub fn address_range(&mut self, thread: &Thread, base: u64, bytes: u64, address: u64) -> Done {
        self.device(thread)?;
        let table = self.devices[thread.device].gpu.allocations();
        let found = u32::try_from(address).ok().and_then(|at| table.find(at));
        let block = self.block_at(address);
        let (start, size) = match (found, block) {
            (Some(range), _) => (range.start.into(), range.bytes.into()),
            (None, Some((start, block))) => (start, block.bytes),
            (None, None) => return Err(Status::INVALID_VALUE),
        };
        for (out, value) in [(base, start), (bytes, size)] {
            if out != 0 {
                self.put_word(out, value)?;
            }
        }
        Ok(())
    }

    /// `cuPointerGetAttribute`: memory of the device, and host memory that devices access.
    pub fn pointer_attribute(&mut self, thread: &Thread, out: u64, attribute: i32, address: u64) -> Done {
        let table = self.device(thread)?.gpu.allocations();
        let on_device = u32::try_from(address).is_ok_and(|at| table.find(at).is_some());
        let found = self.block_at(address).map(|(start, _)| (start, address));
        let found = found.or_else(|| self.block_on(thread.device, address));
        let Some((slot, start, host)) = found
            .map(|(start, host)| (self.blocks[&start].device, start, host))
            .or(on_device.then_some((thread.device, 0, 0)))
        else {
            return Err(Status::INVALID_VALUE);
        };
        let kind = found.map(|_| self.blocks[&start].kind);
        let known = self.driver.contexts.iter().find(|(_, context)| context.slot == slot);
        let known = known.map(|(handle, _)| *handle);
        let context = known.unwrap_or_else(|| self.current(thread));
        match attribute {
            1 => self.put_word(out, context)?,
            // CU_MEMORYTYPE_HOST and CU_MEMORYTYPE_DEVICE.
            2 => self.put_int(out, if kind.is_none_or(|kind| kind == Kind::Managed) { 2 } else { 1 })?,
            3 if found.is_none() => self.put_word(out, address)?,
            3 => {
                let ptr = self.map_block(thread.device, start).ok_or(Status::INVALID_VALUE)?;
                self.put_word(out, u64::from(ptr.address()) + (host - start))?;
            }
            4 if found.is_some() => self.put_word(out, host)?,
            // CU_POINTER_ATTRIBUTE_SYNC_MEMOPS: all copies are synchronous.
            6 => self.put_int(out, 1)?,
            // CU_POINTER_ATTRIBUTE_BUFFER_ID: no two allocations have the same start.
            7 => {
                let table = self.devices[thread.device].gpu.allocations();
                let range = u32::try_from(address).ok().and_then(|at| table.find(at));
                let own = range.map_or(start, |range| u64::from(range.start));
                self.put_word(out, own)?;
            }
            8 => self.put_int(out, i32::from(kind == Some(Kind::Managed)))?,
            _ => return Err(Status::INVALID_VALUE),
        }
        Ok(())
    }

    /// `cuPointerGetAttributes`: an attribute without a value is 0.
    pub fn pointer_attributes_of(
        &mut self,
        thread: &Thread,
        count: u32,
        attributes: u64,
        outs: u64,
        address: u64,
    ) -> Done {
        if count == 0 || count > 64 {
            return Err(Status::INVALID_VALUE);
        }
        let numbers = self.get(attributes, 4 * u64::from(count))?;
        let list = self.get(outs, 8 * u64::from(count))?;
        for (number, out) in numbers.chunks_exact(4).zip(list.chunks_exact(8)) {
            let number = i32::from_le_bytes(number.try_into().expect("a chunk has 4 bytes"));
            let out = u64::from_le_bytes(out.try_into().expect("a chunk has 8 bytes"));
            if !(1..=8).contains(&number) || number == 5 {
                return Err(Status::INVALID_VALUE);
            }
            if self.pointer_attribute(thread, out, number, address).is_err() {
                let bytes = if matches!(number, 2 | 6 | 8) { 4 } else { 8 };
                self.put(out, &vec![0; bytes])?;
            }
        }
        Ok(())
    }
}
