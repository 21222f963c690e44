//! Buffers and images: creation, regions, copies and maps.

use super::image::Image;
use super::{Callback, Handle, Object, State};
use crate::status::{Done, Status};
use sim_core::host::{DevicePtr, Row};

/// `CL_MEM_...`.
#[expect(missing_docs, reason = "the flags by their names in OpenCL")]
pub mod flags {
    pub const READ_WRITE: u64 = 1;
    pub const WRITE_ONLY: u64 = 2;
    pub const READ_ONLY: u64 = 4;
    pub const USE_HOST_PTR: u64 = 8;
    pub const ALLOC_HOST_PTR: u64 = 16;
    pub const COPY_HOST_PTR: u64 = 32;
    pub const HOST_WRITE_ONLY: u64 = 128;
    pub const HOST_READ_ONLY: u64 = 256;
    pub const HOST_NO_ACCESS: u64 = 512;
}

/// The flags that say what the host does with a buffer.
const HOST_ACCESS: u64 = flags::HOST_WRITE_ONLY | flags::HOST_READ_ONLY | flags::HOST_NO_ACCESS;

/// The flags that say what kernels do with a buffer.
const ACCESS: u64 = flags::READ_WRITE | flags::WRITE_ONLY | flags::READ_ONLY;

/// Alignment of sub-buffers in bytes (`CL_DEVICE_MEM_BASE_ADDR_ALIGN` in bits).
pub const BASE_ALIGN: u64 = 256;

/// `CL_MAP_WRITE` and `CL_MAP_WRITE_INVALIDATE_REGION`.
const MAP_WRITES: u64 = 2 | 4;

/// A mapped region.
#[derive(Clone, Debug)]
struct Mapped {
    rows: Rows,
    /// Its first byte in the host program.
    host: u64,
    /// Bytes of the host memory, if it belongs to the map.
    own: Option<u64>,
    writes: bool,
}

/// A buffer or a part of one, or an image.
#[derive(Clone, Debug)]
pub struct Memory {
    /// Its context.
    pub context: Handle,
    /// `CL_MEM_...`.
    pub flags: u64,
    /// Bytes.
    pub bytes: u64,
    /// The memory of the device.
    pub ptr: DevicePtr,
    /// Address in the host program (`CL_MEM_USE_HOST_PTR`).
    pub host: Option<u64>,
    /// The buffer of a part, and the offset in it.
    pub parent: Option<Handle>,
    /// Offset in the parent.
    pub offset: u64,
    /// What an image is.
    pub image: Option<Image>,
    maps: Vec<Mapped>,
    destructors: Vec<(u64, u64)>,
}

impl Memory {
    /// Number of mapped regions.
    pub fn map_count(&self) -> u32 {
        self.maps.len() as u32
    }

    /// Checks that the host program may read or write the object.
    ///
    /// # Errors
    ///
    /// A flag of its creation forbids the access.
    pub fn check_host(&self, reads: bool, writes: bool) -> Done {
        let forbids = |flag: u64| self.flags & (flag | flags::HOST_NO_ACCESS) != 0;
        let is_forbidden =
            reads && forbids(flags::HOST_WRITE_ONLY) || writes && forbids(flags::HOST_READ_ONLY);
        if is_forbidden { Err(Status::INVALID_OPERATION) } else { Ok(()) }
    }
}

/// Rows of a copy between a buffer and the host program.
#[derive(Clone, Debug)]
pub struct Rows {
    /// The buffer.
    pub memory: Handle,
    /// Offset of each row in the buffer.
    pub device: Vec<u64>,
    /// Address of each row in the host program.
    pub host: Vec<u64>,
    /// Bytes of a row.
    pub bytes: u64,
}

/// A pattern that fills a region.
#[derive(Clone, Debug)]
pub struct Fill {
    /// The buffer.
    pub memory: Handle,
    /// The pattern.
    pub pattern: Vec<u8>,
    /// First bytes of the rows.
    pub rows: Vec<u64>,
    /// Bytes of a row.
    pub bytes: u64,
}

/// A region of three dimensions: origin, extents, and the distances of rows and slices in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Region {
    /// First byte, row and slice.
    pub origin: [u64; 3],
    /// Bytes, rows and slices.
    pub extent: [u64; 3],
    /// Distance of rows; 0 is the width of the region.
    pub row: u64,
    /// Distance of slices; 0 is the height of the region.
    pub slice: u64,
}

impl Region {
    /// The first bytes of the rows.
    ///
    /// # Errors
    ///
    /// An extent is 0, or a distance is too small.
    pub fn rows(&self) -> Done<Vec<u64>> {
        let [width, height, depth] = self.extent;
        if width == 0 || height == 0 || depth == 0 {
            return Err(Status::INVALID_VALUE);
        }
        let row = if self.row == 0 { width } else { self.row };
        let slice =
            if self.slice == 0 { row.checked_mul(height).ok_or(Status::INVALID_VALUE)? } else { self.slice };
        let too_small = row < width || slice < row.saturating_mul(height) || slice % row != 0;
        if too_small || height.saturating_mul(depth) > 1 << 24 {
            return Err(Status::INVALID_VALUE);
        }
        let [x, y, z] = self.origin;
        let mut rows = Vec::new();
        for k in 0..depth {
            for j in 0..height {
                let at = (z + k).checked_mul(slice).zip((y + j).checked_mul(row));
                let at = at.and_then(|(slice, row)| slice.checked_add(row)?.checked_add(x));
                rows.push(at.ok_or(Status::INVALID_VALUE)?);
            }
        }
        Ok(rows)
    }
}

impl State {
    /// `clCreateBuffer`.
    ///
    /// # Errors
    ///
    /// The flags contradict each other or the host pointer, or there is no memory.
    pub fn create_buffer(&mut self, context: Handle, wanted: u64, bytes: u64, host: u64) -> Done<Handle> {
        self.context(context)?;
        let needs_host = Self::check_flags(wanted, host)?;
        let most = self.memory_limits().1;
        if bytes == 0 || bytes > most {
            return Err(Status::INVALID_BUFFER_SIZE);
        }
        let initial = if needs_host {
            Some(self.runtime.get(host, bytes).map_err(|_| Status::INVALID_HOST_PTR)?)
        } else {
            None
        };
        self.add_memory(context, wanted, bytes, (host, initial))
    }

    /// Checks the flags of a new object. Returns whether the host program gives its bytes.
    ///
    /// # Errors
    ///
    /// The flags contradict each other or the host pointer.
    pub fn check_flags(wanted: u64, host: u64) -> Done<bool> {
        let accesses = [flags::READ_WRITE, flags::WRITE_ONLY, flags::READ_ONLY];
        let one_of = |list: &[u64]| list.iter().filter(|flag| wanted & **flag != 0).count() <= 1;
        let host_accesses = [flags::HOST_WRITE_ONLY, flags::HOST_READ_ONLY, flags::HOST_NO_ACCESS];
        let uses = wanted & flags::USE_HOST_PTR != 0;
        let contradicts = uses && wanted & (flags::ALLOC_HOST_PTR | flags::COPY_HOST_PTR) != 0;
        if !one_of(&accesses) || !one_of(&host_accesses) || contradicts || wanted & !0x3bf != 0 {
            return Err(Status::INVALID_VALUE);
        }
        let needs_host = wanted & (flags::USE_HOST_PTR | flags::COPY_HOST_PTR) != 0;
        if needs_host != (host != 0) {
            return Err(Status::INVALID_HOST_PTR);
        }
        Ok(needs_host)
    }

    /// Allocates an object with its initial bytes.
    ///
    /// # Errors
    ///
    /// There is no memory.
    pub(super) fn add_memory(
        &mut self,
        context: Handle,
        wanted: u64,
        bytes: u64,
        (host, initial): (u64, Option<Vec<u8>>),
    ) -> Done<Handle> {
        let uses = wanted & flags::USE_HOST_PTR != 0;
        let gpu = &mut self.runtime.device(&self.thread)?.gpu;
        let ptr = gpu.malloc(bytes).map_err(|_| Status::MEM_OBJECT_ALLOCATION_FAILURE)?;
        if let Some(initial) = initial {
            gpu.copy_in(ptr, &initial).map_err(|_| Status::OUT_OF_RESOURCES)?;
            self.runtime.program.bytes_to_device += bytes;
            self.runtime.program.copies += 1;
        }
        self.retain(context);
        let flags = if wanted & ACCESS == 0 { wanted | flags::READ_WRITE } else { wanted };
        Ok(self.add(Object::Memory(Memory {
            context,
            flags,
            bytes,
            ptr,
            host: uses.then_some(host),
            parent: None,
            offset: 0,
            image: None,
            maps: Vec::new(),
            destructors: Vec::new(),
        })))
    }

    /// `clCreateSubBuffer`.
    ///
    /// # Errors
    ///
    /// The region is outside of the buffer or not aligned.
    pub fn create_sub_buffer(
        &mut self,
        parent: Handle,
        wanted: u64,
        offset: u64,
        bytes: u64,
    ) -> Done<Handle> {
        let memory = self.buffer(parent)?.clone();
        if memory.parent.is_some() {
            return Err(Status::INVALID_MEM_OBJECT);
        }
        if bytes == 0 {
            return Err(Status::INVALID_BUFFER_SIZE);
        }
        if offset.checked_add(bytes).is_none_or(|end| end > memory.bytes) || wanted & !0x387 != 0 {
            return Err(Status::INVALID_VALUE);
        }
        if !offset.is_multiple_of(BASE_ALIGN) {
            return Err(Status::MISALIGNED_SUB_BUFFER_OFFSET);
        }
        self.retain(parent);
        self.retain(memory.context);
        let own = |group: u64| if wanted & group == 0 { memory.flags & group } else { wanted & group };
        let flags = memory.flags & !(ACCESS | HOST_ACCESS) | own(ACCESS) | own(HOST_ACCESS);
        Ok(self.add(Object::Memory(Memory {
            flags,
            bytes,
            ptr: memory.ptr.offset(offset as u32),
            host: memory.host.map(|host| host + offset),
            parent: Some(parent),
            offset,
            maps: Vec::new(),
            destructors: Vec::new(),
            ..memory
        })))
    }

    /// `clSetMemObjectDestructorCallback`.
    ///
    /// # Errors
    ///
    /// There is no such object or no function.
    pub fn destructor_callback(&mut self, memory: Handle, function: u64, data: u64) -> Done {
        let memory = self.memory_mut(memory)?;
        if function == 0 {
            return Err(Status::INVALID_VALUE);
        }
        memory.destructors.push((function, data));
        Ok(())
    }

    /// Frees the memory of a removed object. Its callbacks are called, the last one first.
    pub(super) fn free_memory(&mut self, handle: Handle, memory: &Memory) {
        for (function, data) in memory.destructors.iter().rev() {
            self.callbacks.push(Callback::Memory(*function, handle, *data));
        }
        memory.maps.iter().for_each(|map| self.free_map(map));
        if memory.parent.is_none()
            && let Ok(device) = self.runtime.device(&self.thread)
        {
            if let Some(image) = &memory.image {
                let _ = device.gpu.destroy_texture(image.texture);
                let _ = device.gpu.destroy_surface(image.surface);
            }
            let _ = device.gpu.free(memory.ptr);
        }
    }

    /// The buffer of a handle.
    ///
    /// # Errors
    ///
    /// It is none.
    pub fn buffer(&self, handle: Handle) -> Done<&Memory> {
        let memory = self.memory(handle)?;
        if memory.image.is_none() { Ok(memory) } else { Err(Status::INVALID_MEM_OBJECT) }
    }

    /// Checks that rows are inside of a buffer.
    pub(super) fn check_rows(&self, memory: Handle, rows: &[u64], bytes: u64) -> Done {
        let size = self.memory(memory)?.bytes;
        let fits = |row: &u64| row.checked_add(bytes).is_some_and(|end| end <= size);
        if rows.iter().all(fits) { Ok(()) } else { Err(Status::INVALID_VALUE) }
    }

    /// The rows of a copy between a buffer and the host program.
    ///
    /// # Errors
    ///
    /// A region is invalid or outside of the buffer.
    pub fn rows(&self, memory: Handle, device: &Region, host: (u64, &Region)) -> Done<Rows> {
        let (address, region) = host;
        if address == 0 {
            return Err(Status::INVALID_VALUE);
        }
        let (own, other) = (device.rows()?, region.rows()?);
        self.check_rows(memory, &own, device.extent[0])?;
        let host: Option<Vec<u64>> = other.into_iter().map(|at| address.checked_add(at)).collect();
        Ok(Rows { memory, device: own, host: host.ok_or(Status::INVALID_VALUE)?, bytes: device.extent[0] })
    }

    /// The rows of a copy between buffers.
    ///
    /// # Errors
    ///
    /// A region is invalid or outside of its buffer, or the regions overlap.
    pub fn rows_between(&self, from: (Handle, &Region), to: (Handle, &Region)) -> Done<(Rows, Vec<u64>)> {
        let (own, other) = (from.1.rows()?, to.1.rows()?);
        let bytes = from.1.extent[0];
        self.check_rows(from.0, &own, bytes)?;
        self.check_rows(to.0, &other, bytes)?;
        self.check_overlap((from.0, &own), (to.0, &other), bytes)?;
        Ok((Rows { memory: from.0, device: own, host: Vec::new(), bytes }, other))
    }

    /// Checks that rows of two objects, in ascending order, do not overlap.
    ///
    /// # Errors
    ///
    /// They do.
    pub(super) fn check_overlap(&self, from: (Handle, &[u64]), to: (Handle, &[u64]), bytes: u64) -> Done {
        let starts = |(memory, rows): (Handle, &[u64])| -> Done<Vec<u64>> {
            let base = u64::from(self.memory(memory)?.ptr.address());
            Ok(rows.iter().map(|row| base + row).collect())
        };
        let (a, b) = (starts(from)?, starts(to)?);
        let overlap = |x: &u64| {
            let at = b.partition_point(|y| y + bytes <= *x);
            b.get(at).is_some_and(|y| *y < x + bytes)
        };
        if a.iter().any(overlap) { Err(Status::MEM_COPY_OVERLAP) } else { Ok(()) }
    }

    /// `clEnqueueFillBuffer`.
    ///
    /// # Errors
    ///
    /// The region is outside of the buffer, or the pattern does not fit.
    pub fn fill(&self, memory: Handle, pattern: Vec<u8>, offset: u64, bytes: u64) -> Done<Fill> {
        let size = pattern.len() as u64;
        let fits = matches!(size, 1 | 2 | 4 | 8 | 16 | 32 | 64 | 128)
            && offset.is_multiple_of(size)
            && bytes.is_multiple_of(size);
        self.check_rows(memory, &[offset], bytes)?;
        if !fits || bytes == 0 {
            return Err(Status::INVALID_VALUE);
        }
        Ok(Fill { memory, pattern, rows: vec![offset], bytes })
    }

    /// Device rows of a copy.
    fn device_rows(&self, rows: &Rows) -> Done<Vec<Row>> {
        let ptr = self.memory(rows.memory)?.ptr;
        Ok(rows.device.iter().map(|at| Row { ptr: ptr.offset(*at as u32), bytes: rows.bytes }).collect())
    }

    pub(super) fn execute_read(&mut self, rows: &Rows) -> Done {
        let own = self.device_rows(rows)?;
        let gpu = &mut self.runtime.device(&self.thread)?.gpu;
        let bytes = gpu.copy_rows_out(None, &own).map_err(|_| Status::OUT_OF_RESOURCES)?;
        for (row, host) in bytes.chunks(rows.bytes as usize).zip(&rows.host) {
            self.runtime.put(*host, row)?;
        }
        self.runtime.program.bytes_to_host += bytes.len() as u64;
        self.runtime.program.copies += 1;
        Ok(())
    }

    pub(super) fn execute_write(&mut self, rows: &Rows) -> Done {
        let own = self.device_rows(rows)?;
        let mut bytes = Vec::new();
        for host in &rows.host {
            bytes.extend(self.runtime.get(*host, rows.bytes)?);
        }
        let gpu = &mut self.runtime.device(&self.thread)?.gpu;
        gpu.copy_rows_in(None, &own, &bytes).map_err(|_| Status::OUT_OF_RESOURCES)?;
        self.runtime.program.bytes_to_device += bytes.len() as u64;
        self.runtime.program.copies += 1;
        Ok(())
    }

    pub(super) fn execute_copy(&mut self, rows: &Rows, to: Handle, offsets: &[u64]) -> Done {
        let from = self.device_rows(rows)?;
        let ptr = self.memory(to)?.ptr;
        let row = |at: &u64| Row { ptr: ptr.offset(*at as u32), bytes: rows.bytes };
        let to: Vec<Row> = offsets.iter().map(row).collect();
        let gpu = &mut self.runtime.device(&self.thread)?.gpu;
        gpu.copy_rows_within(None, &to, &from).map_err(|_| Status::OUT_OF_RESOURCES)?;
        self.runtime.program.bytes_within += rows.bytes * to.len() as u64;
        self.runtime.program.copies += 1;
        Ok(())
    }

    pub(super) fn execute_fill(&mut self, fill: &Fill) -> Done {
        let ptr = self.memory(fill.memory)?.ptr;
        let row = |at: &u64| Row { ptr: ptr.offset(*at as u32), bytes: fill.bytes };
        let rows: Vec<Row> = fill.rows.iter().map(row).collect();
        let gpu = &mut self.runtime.device(&self.thread)?.gpu;
        gpu.fill_rows(None, &rows, &fill.pattern).map_err(|_| Status::OUT_OF_RESOURCES)
    }

    /// `clEnqueueMapBuffer`: the copy that fills the region in the host program.
    ///
    /// # Errors
    ///
    /// The region is outside of the buffer.
    pub fn map(&mut self, handle: Handle, access: u64, offset: u64, bytes: u64) -> Done<Rows> {
        self.check_rows(handle, &[offset], bytes)?;
        if bytes == 0 {
            return Err(Status::INVALID_VALUE);
        }
        let given = self.memory(handle)?.host.map(|host| host + offset);
        self.map_rows(handle, access, (vec![offset], vec![0]), bytes, given)
    }

    /// Maps rows: offsets in the object, and behind the first byte in the host program, which is
    /// `given` or new memory.
    pub(super) fn map_rows(
        &mut self,
        memory: Handle,
        access: u64,
        (device, behind): (Vec<u64>, Vec<u64>),
        bytes: u64,
        given: Option<u64>,
    ) -> Done<Rows> {
        if access & !7 != 0 {
            return Err(Status::INVALID_VALUE);
        }
        self.memory(memory)?.check_host(access & 1 != 0, access & 6 != 0)?;
        let all = behind.last().map_or(0, |last| last + bytes);
        let host = match given {
            Some(host) => host,
            None => self.runtime.allocate_pages(all).map_err(|_| Status::MAP_FAILURE)?,
        };
        let rows = Rows { memory, device, host: behind.iter().map(|at| host + at).collect(), bytes };
        let own = given.is_none().then_some(all);
        let map = Mapped { rows: rows.clone(), host, own, writes: access & MAP_WRITES != 0 };
        self.memory_mut(memory)?.maps.push(map);
        Ok(rows)
    }

    /// Checks the address of `clEnqueueUnmapMemObject`.
    ///
    /// # Errors
    ///
    /// The address is none of a mapped region.
    pub fn check_mapped(&self, memory: Handle, host: u64) -> Done {
        let known = self.memory(memory)?.maps.iter().any(|map| map.host == host);
        if known { Ok(()) } else { Err(Status::INVALID_VALUE) }
    }

    pub(super) fn execute_unmap(&mut self, handle: Handle, host: u64) -> Done {
        let memory = self.memory_mut(handle)?;
        let at = memory.maps.iter().position(|map| map.host == host).ok_or(Status::INVALID_VALUE)?;
        let map = memory.maps.remove(at);
        let written = if map.writes { self.execute_write(&map.rows) } else { Ok(()) };
        self.free_map(&map);
        written
    }

    /// Frees the host memory of a map.
    fn free_map(&self, map: &Mapped) {
        if let Some(bytes) = map.own {
            self.runtime.release_pages(map.host, bytes);
        }
    }
}
