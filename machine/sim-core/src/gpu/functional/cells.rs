//! Device memory as a launch on the functional machine accesses it.

use crate::exec::Row32;
use crate::gpu::stuck::round::Bytes;
use crate::mem::image::Memory;

/// Device memory of a running block.
pub trait Cells: Bytes {
    /// Prepares for accesses of micro-op `pc`.
    fn at(&mut self, _pc: u32) {}

    /// Returns the `N` bytes from `address`.
    fn line<const N: usize>(&mut self, address: u32) -> [u8; N];

    /// Writes the `N` bytes from `address`.
    fn set_line<const N: usize>(&mut self, address: u32, line: [u8; N]);

    /// Passes the `N` bytes at the address of each lane of `mask` to `each`. The addresses are
    /// multiples of `N`, at most 16.
    fn load_lanes<const N: usize>(&mut self, addr: &Row32, mask: u32, each: impl FnMut(usize, [u8; N]));

    /// Passes the `N` bytes at the address of each lane of `mask` to `each`, which may change them.
    /// The addresses are multiples of `N`, at most 16. `READS`: whether the change depends on the
    /// bytes.
    fn change_lanes<const N: usize, const READS: bool>(
        &mut self,
        addr: &Row32,
        mask: u32,
        each: impl FnMut(usize, &mut [u8; N]),
    );
}

impl Bytes for Memory {
    fn load(&self, address: u32, bytes: u32) -> u64 {
        match bytes {
            1 => u64::from(self.load::<1>(address)[0]),
            2 => u64::from(u16::from_le_bytes(self.load(address))),
            4 => u64::from(u32::from_le_bytes(self.load(address))),
            _ => u64::from_le_bytes(self.load(address)),
        }
    }
}

impl Cells for Memory {
    #[inline]
    fn line<const N: usize>(&mut self, address: u32) -> [u8; N] {
        self.load_line(address)
    }

    #[inline]
    fn set_line<const N: usize>(&mut self, address: u32, line: [u8; N]) {
        self.store_line(address, line);
    }

    #[inline]
    fn load_lanes<const N: usize>(&mut self, addr: &Row32, mask: u32, each: impl FnMut(usize, [u8; N])) {
        Self::load_lanes(self, addr, mask, each);
    }

    #[inline]
    fn change_lanes<const N: usize, const READS: bool>(
        &mut self,
        addr: &Row32,
        mask: u32,
        each: impl FnMut(usize, &mut [u8; N]),
    ) {
        Self::change_lanes(self, addr, mask, each);
    }
}
