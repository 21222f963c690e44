//! Device memory as a runtime library needs it: its allocations, addresses of variables, and fills
//! and copies of rows.
//!
//! A copy of several rows is one transfer over the link. A fill, and a copy within device memory,
//! takes the time that DRAM needs at its peak for the bytes that it writes and reads, and has the
//! place of a kernel on the timeline.

use super::gpu::{Gpu, HostError, ModuleId};
use super::memory::{AllocationTable, DevicePtr, Row};
use super::timeline::{Direction, Stream};
use crate::stats::build::peak_gbps;

impl Gpu {
    /// Returns the current allocations.
    pub fn allocations(&self) -> &AllocationTable {
        self.allocator.table()
    }

    /// Returns the number of bytes of device memory that can still be allocated.
    pub fn free_bytes(&self) -> u64 {
        self.allocator.free_bytes()
    }

    /// `cudaGetSymbolAddress`: address of a module's `.global` variable; `None` for a `.const`
    /// variable, which has no address in device memory.
    pub fn symbol_address(&self, module: ModuleId, name: &str) -> Result<Option<DevicePtr>, HostError> {
        Ok(self.modules[module.0 as usize].place(name)?.global)
    }

    /// Copies a `.const` variable to device memory that has at least as many bytes, without time:
    /// the constant bank of a chip is device memory too.
    pub fn constant_to_memory(
        &mut self,
        module: ModuleId,
        name: &str,
        ptr: DevicePtr,
    ) -> Result<(), HostError> {
        let bytes = self.constant(module, name)?;
        self.allocator.check_device(ptr, bytes.len() as u64)?;
        self.write(ptr.address(), &bytes);
        Ok(())
    }

    /// Copies device memory to a `.const` variable, without time. Returns the bytes if they differ
    /// from those of the variable.
    pub fn constant_from_memory(
        &mut self,
        module: ModuleId,
        name: &str,
        ptr: DevicePtr,
    ) -> Result<Option<Vec<u8>>, HostError> {
        let old = self.constant(module, name)?;
        self.allocator.check_device(ptr, old.len() as u64)?;
        let mut new = vec![0; old.len()];
        self.memory.read(ptr.address(), &mut new);
        if new == old {
            return Ok(None);
        }
        let loaded = &mut self.modules[module.0 as usize];
        let start = loaded.place(name)?.start;
        loaded.write_const(start, &new);
        Ok(Some(new))
    }

    /// Returns the bytes of a `.const` variable.
    fn constant(&self, module: ModuleId, name: &str) -> Result<Vec<u8>, HostError> {
        let loaded = &self.modules[module.0 as usize];
        let place = loaded.place(name)?;
        if place.global.is_some() {
            return Err(HostError::NoSymbol(name.to_owned()));
        }
        let mut bytes = vec![0; place.bytes as usize];
        loaded.read_const(place.start, &mut bytes);
        Ok(bytes)
    }

    /// `cuModuleUnload`: frees the variables of a module. No later call may name the module.
    pub fn unload(&mut self, module: ModuleId) -> Result<(), HostError> {
        let loaded = self.modules[module.0 as usize].take();
        self.unload_library(loaded.library)?;
        for (_, ptr) in loaded.places() {
            self.checking.disowns(ptr.address());
            self.free(ptr)?;
        }
        Ok(())
    }

    /// `cudaMemcpy2D` and similar copies to the device: writes `bytes` to the rows in their order.
    pub fn copy_rows_in(
        &mut self,
        stream: Option<Stream>,
        rows: &[Row],
        bytes: &[u8],
    ) -> Result<(), HostError> {
        self.check_rows(rows)?;
        let mut rest = bytes;
        for row in rows {
            let (own, others) = rest.split_at(row.bytes as usize);
            self.write(row.ptr.address(), own);
            rest = others;
        }
        self.copied_rows(stream, Direction::In, rows);
        Ok(())
    }

    /// `cudaMemcpy2D` and similar copies from the device: returns the bytes of the rows in their
    /// order.
    pub fn copy_rows_out(&mut self, stream: Option<Stream>, rows: &[Row]) -> Result<Vec<u8>, HostError> {
        let bytes = self.read_rows(rows)?;
        for row in rows {
            self.checking.read(row.ptr.address(), row.bytes);
        }
        self.copied_rows(stream, Direction::Out, rows);
        Ok(bytes)
    }

    /// `cudaMemcpy` from device to device: copies the bytes of rows to other rows with as many
    /// bytes.
    pub fn copy_rows_within(
        &mut self,
        stream: Option<Stream>,
        to: &[Row],
        from: &[Row],
    ) -> Result<(), HostError> {
        self.check_rows(to)?;
        let bytes = self.read_rows(from)?;
        let missing = self.checking.missing(from);
        let mut rest = &bytes[..];
        for row in to {
            let (own, others) = rest.split_at(row.bytes as usize);
            self.write(row.ptr.address(), own);
            rest = others;
        }
        self.checking.copied(to, &missing);
        self.worked(stream, "memcpy DtoD", 2 * bytes.len() as u64);
        Ok(())
    }

    /// `cudaMemset`, `cuMemsetD32`: writes `pattern` to the rows, again and again from the start of
    /// each row.
    pub fn fill_rows(
        &mut self,
        stream: Option<Stream>,
        rows: &[Row],
        pattern: &[u8],
    ) -> Result<(), HostError> {
        self.check_rows(rows)?;
        for row in rows.iter().filter(|row| row.bytes > 0) {
            if let [value] = pattern {
                self.memory.fill(row.ptr.address(), row.bytes as usize, *value);
            } else {
                let bytes: Vec<u8> = pattern.iter().copied().cycle().take(row.bytes as usize).collect();
                self.memory.write(row.ptr.address(), &bytes);
            }
            self.checking.wrote(row.ptr.address(), row.bytes);
        }
        self.worked(stream, "memset", rows.iter().map(|row| row.bytes).sum());
        Ok(())
    }

    /// Lets the host compute for `ns` nanoseconds between its calls.
    pub fn host_works(&mut self, ns: u64) {
        self.timeline.host_works(ns);
    }

    fn read_rows(&self, rows: &[Row]) -> Result<Vec<u8>, HostError> {
        self.check_rows(rows)?;
        let mut bytes = vec![0; rows.iter().map(|row| row.bytes as usize).sum()];
        let mut rest = &mut bytes[..];
        for row in rows {
            let (own, others) = rest.split_at_mut(row.bytes as usize);
            self.memory.read(row.ptr.address(), own);
            rest = others;
        }
        Ok(bytes)
    }

    fn check_rows(&self, rows: &[Row]) -> Result<(), HostError> {
        for row in rows {
            self.allocator.check_device(row.ptr, row.bytes)?;
        }
        Ok(())
    }

    /// Adds one transfer of all rows to the timeline.
    fn copied_rows(&mut self, stream: Option<Stream>, direction: Direction, rows: &[Row]) {
        let bytes: u64 = rows.iter().map(|row| row.bytes).sum();
        let first = rows.first().map_or(DevicePtr::new(0), |row| row.ptr);
        match stream {
            Some(stream) => self.copied_in(stream, direction, first, bytes as usize),
            None => self.copied(direction, bytes as usize),
        }
    }

    /// Adds work of the device that moves `bytes` bytes of DRAM to the timeline.
    fn worked(&mut self, stream: Option<Stream>, name: &str, bytes: u64) {
        let duration = (bytes as f64 / peak_gbps(&self.chip)).ceil() as u64;
        let launch_ns = self.chip.pcie.launch_ns;
        match stream {
            Some(stream) => self.timeline.kernel(stream, name, launch_ns, duration),
            None => self.timeline.push_kernel(name, launch_ns, duration),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Chip;

    fn row(ptr: DevicePtr, offset: u32, bytes: u64) -> Row {
        Row { ptr: ptr.offset(offset), bytes }
    }

    #[test]
    fn rows_are_one_transfer_and_fills_take_the_time_of_dram() {
        let mut gpu = Gpu::new(Chip::builtin("fermi").expect("a built-in chip"));
        let ptr = gpu.malloc(1024).expect("enough memory");
        gpu.fill_rows(None, &[row(ptr, 0, 1024)], &[7]).expect("a range inside");
        let rows = [row(ptr, 0, 2), row(ptr, 512, 3)];
        gpu.copy_rows_in(None, &rows, &[1, 2, 3, 4, 5]).expect("ranges inside");
        let to = [row(ptr, 100, 1), row(ptr, 200, 4)];
        gpu.copy_rows_within(None, &to, &rows).expect("ranges inside");
        let out = gpu.copy_rows_out(None, &[row(ptr, 99, 3), row(ptr, 200, 5)]).expect("ranges inside");
        assert_eq!(out, [7, 1, 7, 2, 3, 4, 5, 7]);
        let names: Vec<String> = gpu.timeline().events.iter().map(|event| event.what.to_string()).collect();
        assert_eq!(names, ["memset", "memcpy HtoD", "memcpy DtoD", "memcpy DtoH"]);
        assert_eq!(gpu.timeline().events[1].bytes, 5);
        assert!(gpu.timeline().events[0].duration_ns > 0);
        assert!(gpu.fill_rows(None, &[row(ptr, 1000, 25)], &[0]).is_err());
        gpu.fill_rows(None, &[row(ptr, 0, 4), row(ptr, 6, 2)], &[1, 2, 3, 4]).expect("ranges inside");
        let out = gpu.copy_rows_out(None, &[row(ptr, 0, 8)]).expect("a range inside");
        assert_eq!(out, [1, 2, 3, 4, 7, 7, 1, 2]);
        let host = gpu.timeline().host_ns();
        gpu.host_works(50);
        assert_eq!(gpu.timeline().host_ns(), host + 50);
    }
}
