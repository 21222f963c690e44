//! Copies and fills of host memory and device memory.

use super::Runtime;
use super::attributes::is_unified;
use super::error::{Error, Outcome};
use super::regions::{Place, Region, Shape, Side, sides};
use super::thread::Thread;
use sim_core::host::{HostMemory, Stream};

/// Bytes of host memory that are copied at once.
const CHUNK: u64 = 1 << 20;

/// Where a copy between host and device goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moved {
    /// To the device.
    In,
    /// To the host.
    Out,
    /// Within the device.
    Within,
}

/// A pointer to rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rows {
    /// Pointer to the first byte.
    pub address: u64,
    /// Bytes from row to row.
    pub pitch: u64,
    /// Bytes from slice to slice.
    pub slice: u64,
}

impl Rows {
    /// Returns one row.
    pub fn line(address: u64) -> Self {
        Self { address, pitch: 0, slice: 0 }
    }

    /// Returns rows of one slice.
    pub fn plane(address: u64, pitch: u64) -> Self {
        Self { address, pitch, slice: 0 }
    }
}

impl Runtime {
    /// `cudaMemcpy` in all its forms without arrays. `stream` is a handle.
    pub fn copy(
        &mut self,
        thread: &Thread,
        to: Rows,
        from: Rows,
        shape: Shape,
        kind: i32,
        stream: u64,
    ) -> Outcome {
        self.collecting(thread)?;
        self.stream_of(thread, stream)?;
        // A copy of nothing has no direction, as on silicon.
        if shape.is_empty() {
            return Ok(());
        }
        let (mut to_side, mut from_side) = sides(kind)?;
        if to_side != from_side && self.is_within(thread, to.address, from.address) {
            let wrong =
                if to_side == Side::Host { "cudaMemcpyDeviceToHost" } else { "cudaMemcpyHostToDevice" };
            self.notes.once_for_call(format!(
                "warpsim: warning: both pointers of this copy are device pointers, but its kind is {wrong}\nhelp: \
                 write cudaMemcpyDeviceToDevice; the copy is made as on devices with unified addresses"
            ));
            (to_side, from_side) = (Side::Device, Side::Device);
        }
        let target = self.region(thread, to, to_side, "destination")?;
        let source = self.region(thread, from, from_side, "source")?;
        self.copy_regions(thread, target, source, shape, stream)
    }

    /// `cudaMemcpy2D`. Rows that are wider than a pitch are another error if there is only one.
    pub fn copy_plane(
        &mut self,
        thread: &Thread,
        to: Rows,
        from: Rows,
        shape: Shape,
        kind: i32,
        stream: u64,
    ) -> Outcome {
        sides(kind)?;
        if shape.height == 1 && to.pitch.min(from.pitch) < shape.width {
            return self.refuse(Error::INVALID_VALUE, "the row of a copy is wider than its pitch");
        }
        self.copy(thread, to, from, shape, kind, stream)
    }

    /// Whether both pointers of a copy are device pointers, on a device whose addresses are no
    /// addresses of the host.
    fn is_within(&self, thread: &Thread, to: u64, from: u64) -> bool {
        let gpu = &self.devices[thread.device].gpu;
        let is_device = |address: u64| {
            let known = u32::try_from(address).is_ok_and(|at| gpu.allocations().find(at).is_some());
            known && self.block_at(address).is_none() && self.block_on(thread.device, address).is_none()
        };
        // The static memory of some programs has small addresses too.
        let is_host = |address: u64| self.get(address, 1).is_ok();
        let is_device = |address: u64| is_device(address) && !is_host(address);
        is_unified(gpu.chip(), self.devices.len()) && is_device(to) && is_device(from)
    }

    /// Returns the memory of rows.
    pub(super) fn region(&mut self, thread: &Thread, rows: Rows, side: Side, name: &str) -> Outcome<Region> {
        let place = self.place(thread, rows.address, side, name)?;
        Ok(Region { place, pitch: rows.pitch, slice: rows.slice })
    }

    /// Copies rows; the shape is not empty.
    pub(super) fn copy_regions(
        &mut self,
        thread: &Thread,
        to: Region,
        from: Region,
        shape: Shape,
        queue: u64,
    ) -> Outcome {
        let stream = self.stream_of(thread, queue)?;
        let bytes = shape.bytes().ok_or(Error::INVALID_VALUE)?;
        self.notes.flush |= stream.is_none();
        let host = match (to.place, from.place) {
            (Place::Host(_), Place::Host(_)) => {
                self.device(thread)?;
                self.copy_host(&to.rows(shape)?, &from.rows(shape)?)?;
                // Copies of mapped and managed memory, for which the host waits.
                self.order_copy(thread, queue, Moved::Out, false, Vec::new());
                return Ok(());
            }
            (Place::Host(address), _) | (_, Place::Host(address)) => address,
            (Place::Device(_), Place::Device(_)) => 0,
        };
        let memory = match self.block_at(host) {
            Some(_) => HostMemory::Pinned,
            None => HostMemory::Pageable,
        };
        let is_pinned = memory == HostMemory::Pinned;
        if self.collects_copy(thread, (to, from), shape, stream, memory)? {
            self.order_copy(thread, queue, Moved::In, is_pinned, from.rows(shape)?);
            return Ok(());
        }
        let device = self.device(thread)?;
        device.gpu.set_host_memory(memory);
        match (to.place, from.place) {
            (Place::Device(_), Place::Host(_)) => {
                let rows = to.device_rows(shape)?;
                self.check(thread, &rows)?;
                let parts = from.rows(shape)?;
                let bytes = self.get_parts(&parts)?;
                let result = self.device(thread)?.gpu.copy_rows_in(stream, &rows, &bytes);
                self.told(result)?;
                self.program.bytes_to_device += bytes.len() as u64;
                self.order_copy(thread, queue, Moved::In, is_pinned, parts);
            }
            (Place::Host(_), Place::Device(_)) => {
                let parts = to.rows(shape)?;
                let rows = from.device_rows(shape)?;
                let result = device.gpu.copy_rows_out(stream, &rows);
                let bytes = self.told(result)?;
                self.note_unwritten(thread, &rows, None);
                self.put_parts(&parts, &bytes)?;
                self.program.bytes_to_host += bytes.len() as u64;
                self.order_copy(thread, queue, Moved::Out, is_pinned, parts);
            }
            _ => {
                let result =
                    device.gpu.copy_rows_within(stream, &to.device_rows(shape)?, &from.device_rows(shape)?);
                self.told(result)?;
                self.program.bytes_within += bytes;
                self.order_copy(thread, queue, Moved::Within, is_pinned, Vec::new());
            }
        }
        self.program.copies += 1;
        Ok(())
    }

    /// Collects a copy of contiguous bytes to the device, if there are collected launches and it
    /// depends on none of them.
    fn collects_copy(
        &mut self,
        thread: &Thread,
        (to, from): (Region, Region),
        shape: Shape,
        stream: Option<Stream>,
        memory: HostMemory,
    ) -> Outcome<bool> {
        let bytes = shape.bytes().ok_or(Error::INVALID_VALUE)?;
        let is_in = matches!((to.place, from.place), (Place::Device(_), Place::Host(_)));
        if !is_in || !self.pending.takes_copy(thread.device, stream, bytes) {
            return Ok(false);
        }
        let (Some(stream), [row]) = (stream, &to.device_rows(shape)?[..]) else { return Ok(false) };
        self.check(thread, &[*row])?;
        let data = self.get_parts(&from.rows(shape)?)?;
        self.program.bytes_to_device += bytes;
        self.program.copies += 1;
        let host_ns = self.devices[thread.device].gpu.copy_call_ns(memory, bytes);
        self.pending.copy_in(stream, (row.ptr, data), memory, host_ns);
        Ok(true)
    }

    /// Explains rows that are not inside one allocation, before host memory is read for them.
    fn check(&mut self, thread: &Thread, rows: &[sim_core::host::Row]) -> Outcome {
        let table = self.devices[thread.device].gpu.allocations();
        let outside = rows.iter().find(|row| {
            let bytes = u32::try_from(row.bytes).unwrap_or(u32::MAX);
            !table.covers(row.ptr.address(), bytes)
        });
        let Some(row) = outside else { return Ok(()) };
        let hint = table.hint(row.ptr.address().into(), row.bytes);
        let text = format!("a copy of {} bytes to {} is out of bounds: {hint}", row.bytes, row.ptr);
        self.refuse(Error::INVALID_VALUE, text)
    }

    /// Copies host memory.
    fn copy_host(&mut self, to: &[(u64, u64)], from: &[(u64, u64)]) -> Outcome {
        // A small copy with a wrong row writes nothing.
        let bytes = from.iter().map(|(_, bytes)| bytes).sum::<u64>();
        if bytes <= CHUNK {
            self.put_parts(to, &self.get_parts(from)?)?;
            self.program.copies += 1;
            return Ok(());
        }
        let (mut to, mut from) = (pieces(to), pieces(from));
        let (mut target, mut source) = (to.next(), from.next());
        while let (Some((at, room)), Some((start, left))) = (target, source) {
            let bytes = room.min(left).min(CHUNK);
            let data = self.get(start, bytes)?;
            self.put(at, &data)?;
            target = if room == bytes { to.next() } else { Some((at + bytes, room - bytes)) };
            source = if left == bytes { from.next() } else { Some((start + bytes, left - bytes)) };
        }
        self.program.copies += 1;
        Ok(())
    }

    /// `cudaMemset` in all its forms.
    pub fn fill(&mut self, thread: &Thread, rows: Rows, value: u8, shape: Shape, stream: u64) -> Outcome {
        self.fill_with(thread, rows, &[value], shape, stream)
    }

    /// Fills rows with a pattern of a few bytes, which begins with each row.
    pub(super) fn fill_with(
        &mut self,
        thread: &Thread,
        rows: Rows,
        pattern: &[u8],
        shape: Shape,
        queue: u64,
    ) -> Outcome {
        self.device(thread)?;
        self.order_work(thread, queue);
        let stream = self.stream_of(thread, queue)?;
        if shape.is_empty() {
            return Ok(());
        }
        if shape.height > 1 && rows.pitch < shape.width {
            return self.refuse(Error::INVALID_VALUE, "the rows of a fill are wider than its pitch");
        }
        let region = self.region(thread, rows, Side::Device, "destination")?;
        match region.place {
            Place::Host(_) => {
                for (mut at, mut left) in region.rows(shape)? {
                    while left > 0 {
                        let bytes = left.min(CHUNK);
                        let data: Vec<u8> = pattern.iter().copied().cycle().take(bytes as usize).collect();
                        self.put(at, &data)?;
                        (at, left) = (at + bytes, left - bytes);
                    }
                }
                Ok(())
            }
            Place::Device(_) => {
                let rows = region.device_rows(shape)?;
                let result = self.device(thread)?.gpu.fill_rows(stream, &rows, pattern);
                self.told(result)
            }
        }
    }
}

fn pieces(rows: &[(u64, u64)]) -> impl Iterator<Item = (u64, u64)> + '_ {
    rows.iter().copied()
}
