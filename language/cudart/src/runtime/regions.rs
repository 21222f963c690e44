//! The two sides of a copy: rows of host memory or of device memory.

use super::Runtime;
use super::error::{Error, Outcome};
use super::thread::Thread;
use report::mangled::plain;
use sim_core::host::{DevicePtr, Row};

/// Memory of one side of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Host memory at an address.
    Host(u64),
    /// Device memory of the current device.
    Device(DevicePtr),
}

/// Rows of bytes: `slice` bytes lead from one slice of rows to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// The first byte.
    pub place: Place,
    /// Bytes from row to row.
    pub pitch: u64,
    /// Bytes from slice to slice.
    pub slice: u64,
}

/// Size of a copy: bytes of a row, rows of a slice, slices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Bytes of a row.
    pub width: u64,
    /// Rows of a slice.
    pub height: u64,
    /// Slices.
    pub depth: u64,
}

impl Shape {
    /// Returns one row.
    pub fn line(bytes: u64) -> Self {
        Self { width: bytes, height: 1, depth: 1 }
    }

    /// Whether there is nothing to copy.
    pub fn is_empty(self) -> bool {
        self.width == 0 || self.height == 0 || self.depth == 0
    }

    /// Number of all bytes.
    pub fn bytes(self) -> Option<u64> {
        self.width.checked_mul(self.height)?.checked_mul(self.depth)
    }
}

impl Region {
    /// Returns one row.
    pub fn line(place: Place) -> Self {
        Self { place, pitch: 0, slice: 0 }
    }

    /// Returns the rows as ranges of addresses, with adjacent rows as one range.
    ///
    /// # Errors
    ///
    /// A row is wider than the pitch, or a row has no address.
    pub fn rows(&self, shape: Shape) -> Outcome<Vec<(u64, u64)>> {
        let base = match self.place {
            Place::Host(address) => address,
            Place::Device(ptr) => ptr.address().into(),
        };
        if shape.height > 1 && self.pitch < shape.width {
            return Err(Error::INVALID_PITCH);
        }
        let last = (|| {
            let slices = self.slice.checked_mul(shape.depth - 1)?;
            let rows = self.pitch.checked_mul(shape.height - 1)?;
            base.checked_add(slices)?.checked_add(rows)?.checked_add(shape.width)
        })();
        let last = last.ok_or(Error::INVALID_VALUE)?;
        // No memory of a device or of a process has so many rows.
        if shape.height.checked_mul(shape.depth).is_none_or(|rows| rows > 1 << 26) {
            return Err(Error::INVALID_VALUE);
        }
        if matches!(self.place, Place::Device(_)) && last > 1 << 32 {
            return Err(Error::INVALID_VALUE);
        }
        let mut rows: Vec<(u64, u64)> = Vec::new();
        for z in 0..shape.depth {
            for y in 0..shape.height {
                let at = base + z * self.slice + y * self.pitch;
                match rows.last_mut() {
                    Some((start, bytes)) if *start + *bytes == at => *bytes += shape.width,
                    _ => rows.push((at, shape.width)),
                }
            }
        }
        Ok(rows)
    }

    /// Returns the rows of device memory.
    pub fn device_rows(&self, shape: Shape) -> Outcome<Vec<Row>> {
        let row = |(at, bytes): (u64, u64)| Row { ptr: DevicePtr::new(at as u32), bytes };
        Ok(self.rows(shape)?.into_iter().map(row).collect())
    }
}

/// Which side of a copy a pointer is, by its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The kind says host memory.
    Host,
    /// The kind says device memory.
    Device,
    /// `cudaMemcpyDefault`: the pointer decides.
    Any,
}

/// Returns the sides of a `cudaMemcpyKind`: destination and source.
pub fn sides(kind: i32) -> Outcome<(Side, Side)> {
    match kind {
        0 => Ok((Side::Host, Side::Host)),
        1 => Ok((Side::Device, Side::Host)),
        2 => Ok((Side::Host, Side::Device)),
        3 => Ok((Side::Device, Side::Device)),
        4 => Ok((Side::Any, Side::Any)),
        _ => Err(Error::INVALID_DIRECTION),
    }
}

impl Runtime {
    /// Returns the memory of a pointer; `name` is the parameter for explanations.
    ///
    /// # Errors
    ///
    /// The pointer is null or does not belong to the side.
    pub(super) fn place(&mut self, thread: &Thread, address: u64, side: Side, name: &str) -> Outcome<Place> {
        if address == 0 {
            return self.refuse(Error::INVALID_VALUE, format!("the {name} of a copy is null"));
        }
        // Memory that both sides access is copied as host memory.
        let block = self.block_at(address).map(|_| address);
        let small = u32::try_from(address).ok();
        let gpu = &self.devices[thread.device].gpu;
        if side != Side::Host && small.is_some_and(|at| gpu.is_in_heap(at)) && self.get(address, 1).is_err() {
            return self.refuse(
                Error::INVALID_VALUE,
                format!(
                    "the {name} {address:#x} of a copy is memory of `malloc` in kernels, which calls of the host \
                     cannot access\nhelp: copy it in a kernel to memory of cudaMalloc"
                ),
            );
        }
        let table = self.devices[thread.device].gpu.allocations();
        let found = small.filter(|at| table.find(*at).is_some());
        // The devices have the same numbers for different memory: the kind decides.
        if side == Side::Host && block.is_some() {
            return Ok(Place::Host(address));
        }
        let mapped = found.and_then(|at| self.block_on(thread.device, at.into()));
        if let Some((_, host)) = mapped {
            return Ok(Place::Host(host));
        }
        match (side, found, block) {
            (Side::Host | Side::Any, None, _) | (_, None, Some(_)) => Ok(Place::Host(address)),
            (Side::Device | Side::Any, Some(at), _) => Ok(Place::Device(DevicePtr::new(at))),
            // The static memory of some programs has small addresses too.
            (Side::Host, Some(at), _) => {
                if self.get(address, 1).is_ok() {
                    return Ok(Place::Host(address));
                }
                self.refuse(
                    Error::INVALID_VALUE,
                    format!(
                        "the {name} {at:#x} of a copy is a device pointer, but the kind says host memory"
                    ),
                )
            }
            (Side::Device, None, None) if self.symbol_at(address).is_some() => {
                let variable = self.symbol_at(address).unwrap_or_default();
                let call = if name == "source" { "cudaMemcpyFromSymbol" } else { "cudaMemcpyToSymbol" };
                self.refuse(
                    Error::INVALID_VALUE,
                    format!(
                        "the {name} of a copy is the variable `{variable}` of the device, whose address the host \
                         code does not have\nhelp: use {call}, or the address that cudaGetSymbolAddress returns"
                    ),
                )
            }
            (Side::Device, None, None) => {
                let hint = match small {
                    Some(at) => table_hint(&self.devices[thread.device], at),
                    None => "it is a pointer to host memory".to_owned(),
                };
                self.refuse(
                    Error::INVALID_VALUE,
                    format!("the {name} {address:#x} of a copy is not device memory: {hint}"),
                )
            }
        }
    }
}

impl Runtime {
    /// Name of the variable of the device whose shadow in the host program contains an address.
    fn symbol_at(&self, address: u64) -> Option<String> {
        let (start, named) = self.images.variables.range(..=address).next_back()?;
        let bytes = self.images.shadows.get(start).copied().unwrap_or(1);
        (address - start < bytes.max(1)).then(|| plain(&named.name).to_owned())
    }
}

fn table_hint(device: &super::device::Device, at: u32) -> String {
    device.gpu.allocations().hint(at.into(), 1)
}
