//! Structures that C passes by value.

use super::Address;
use isa::types::Dim3;

/// `dim3`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CDim3 {
    /// x.
    pub x: u32,
    /// y.
    pub y: u32,
    /// z.
    pub z: u32,
}

impl From<CDim3> for Dim3 {
    fn from(dim: CDim3) -> Self {
        Self::new(dim.x, dim.y, dim.z)
    }
}

/// `cudaExtent`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Width.
    pub width: usize,
    /// Height.
    pub height: usize,
    /// Depth.
    pub depth: usize,
}

impl Extent {
    /// Returns width, height and depth.
    pub fn sizes(self) -> [u64; 3] {
        [self.width, self.height, self.depth].map(|size| size as u64)
    }
}

/// `cudaPitchedPtr`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pitched {
    /// Pointer.
    pub ptr: Address,
    /// Bytes from row to row.
    pub pitch: usize,
    /// Bytes of a row.
    pub xsize: usize,
    /// Rows of a slice.
    pub ysize: usize,
}

/// `cudaChannelFormatDesc`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Descriptor {
    /// Bits of the components.
    pub bits: [i32; 4],
    /// Kind.
    pub kind: i32,
}

/// `cudaIpcMemHandle_t` and `cudaIpcEventHandle_t`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Handle {
    /// Bytes.
    pub bytes: [u8; 64],
}
