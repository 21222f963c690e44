//! Surfaces: the properties of a bound surface, and the addresses of accesses to it.
//!
//! A surface is memory that a kernel reads and writes by byte offset and row. Its accesses are
//! accesses to global memory: only the computation of their addresses is here. Places outside agree
//! with a recording on a GPU (driver 580): an access of n bytes outside of a row is moved to the
//! first or the last n bytes of the row.

use super::texture::TexelFormat;
use super::trap::{Checked, Fault, FaultKind};
use super::{Kernel, Warp, mask, rows};
use isa::types::StateSpace;
use isa::uop::{Inst, Outside, TextureQuery};

/// Properties of a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurfaceOptions {
    /// Elements of a row.
    pub width: u32,
    /// Rows; `None` for a surface of one dimension.
    pub height: Option<u32>,
    /// Type of a component.
    pub format: TexelFormat,
    /// Components of an element: 1, 2 or 4.
    pub channels: u32,
}

impl SurfaceOptions {
    /// Bytes of an element.
    pub fn element_bytes(&self) -> u32 {
        self.format.bytes() * self.channels
    }

    /// Bytes of a row; rows follow each other without gaps.
    pub fn row_bytes(&self) -> u64 {
        u64::from(self.width) * u64::from(self.element_bytes())
    }

    /// Bytes of the memory.
    pub fn bytes(&self) -> u64 {
        self.row_bytes() * u64::from(self.height.unwrap_or(1))
    }

    /// Number of dimensions.
    pub fn dimensions(&self) -> u32 {
        if self.height.is_some() { 2 } else { 1 }
    }
}

/// A surface of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Surface {
    /// Device address of the first byte.
    pub address: u32,
    /// Properties.
    pub options: SurfaceOptions,
}

impl Surface {
    /// Returns the device address of an access of `bytes` bytes at byte `x` of row `y`, both moved
    /// to the nearest place inside, and whether they are inside.
    fn place(&self, x: u32, y: u32, bytes: u32) -> (u32, bool) {
        let (x, y) = (i64::from(x.cast_signed()), i64::from(y.cast_signed()));
        let row = self.options.row_bytes() as i64;
        let last = (row - i64::from(bytes)).max(0);
        let rows = i64::from(self.options.height.unwrap_or(1));
        let inside = (0..=last).contains(&x) && (0..rows).contains(&y) && row >= i64::from(bytes);
        // The offset is below the size of the surface, which is in device memory.
        let offset = y.clamp(0, rows - 1) * row + x.clamp(0, last);
        (self.address.wrapping_add(offset as u32), inside)
    }

    /// Value of a property.
    fn property(&self, query: TextureQuery) -> u32 {
        match query {
            TextureQuery::Width => self.options.width,
            TextureQuery::Height => self.options.height.unwrap_or(0),
            TextureQuery::Depth
            | TextureQuery::ChannelDataType
            | TextureQuery::ChannelOrder
            | TextureQuery::NormalizedCoords
            | TextureQuery::FilterMode
            | TextureQuery::AddressMode0
            | TextureQuery::AddressMode1
            | TextureQuery::AddressMode2 => 0,
        }
    }
}

/// Surface number `number` of a launch. A launch binds all surfaces that its kernel uses.
fn surface(kernel: &Kernel, number: u32) -> Option<&Surface> {
    kernel.surfaces.get(number as usize)?.as_ref()
}

/// Computes the addresses of an access in the lanes of `active`, and which of them are inside.
#[inline(never)]
pub(super) fn address(kernel: &Kernel, warp: &mut Warp, inst: &Inst, active: u32) -> Checked {
    let Some((surface, access)) = surface(kernel, inst.imm).zip(inst.surface()) else { return Ok(()) };
    let (x, y) = (rows::w(kernel, warp, inst.src[0]), rows::w(kernel, warp, inst.src[1]));
    let mut addresses = [0; 32];
    let mut inside = 0;
    for lane in mask::lanes(active) {
        let (address, is_inside) = surface.place(x[lane], y[lane], access.bytes);
        addresses[lane] = address;
        inside |= u32::from(is_inside) << lane;
    }
    if access.outside == Outside::Trap && inside != active {
        let outside = active & !inside;
        let lane = outside.trailing_zeros().min(31) as usize;
        let at = [x[lane], y[lane]].map(u32::cast_signed);
        return Err(Box::new(fault(kernel, inst, surface, at, outside)));
    }
    mask::store(&mut warp.w[inst.dst as usize], &addresses, active);
    mask::store_bits(&mut warp.p[inst.dst2 as usize], inside, active);
    Ok(())
}

/// Returns the fault of an access outside of a surface, of which the first is at `[x, y]`.
#[cold]
fn fault(kernel: &Kernel, inst: &Inst, surface: &Surface, [x, y]: [i32; 2], lanes: u32) -> Fault {
    let access = inst.surface();
    let name = kernel.program.surfaces.get(inst.imm as usize).map_or("", String::as_str);
    let row = surface.options.row_bytes();
    let hint = match surface.options.height {
        None => format!("surface `{name}` has {row} bytes"),
        Some(height) => {
            format!("the access is in row {y}; surface `{name}` has {height} rows of {row} bytes")
        }
    };
    let kind = FaultKind::OutOfBounds {
        space: StateSpace::Surf,
        address: i64::from(x) as u64,
        bytes: access.map_or(0, |access| access.bytes),
        store: access.is_some_and(|access| access.is_store),
        hint,
    };
    Fault { kind, lanes }
}

/// Executes a query of a property.
#[inline(never)]
pub(super) fn query(kernel: &Kernel, warp: &mut Warp, inst: &Inst, active: u32) {
    let value = surface(kernel, inst.imm).zip(inst.query()).map_or(0, |(s, query)| s.property(query));
    mask::store(&mut warp.w[inst.dst as usize], &[value; 32], active);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Recorded on a GPU: a row of 64 bytes, and the positions of loads of 1, 4, 8 and 16 bytes.
    #[test]
    fn recorded_places_of_a_line() {
        let options = SurfaceOptions { width: 16, height: None, format: TexelFormat::U32, channels: 1 };
        let surface = Surface { address: 0, options };
        for (bytes, x, place, inside) in [
            (4, -16, 0, false),
            (4, 60, 60, true),
            (4, 64, 60, false),
            (4, 84, 60, false),
            (8, -8, 0, false),
            (8, 56, 56, true),
            (8, 64, 56, false),
            (1, -4, 0, false),
            (1, 60, 60, true),
            (1, 64, 63, false),
            (16, -16, 0, false),
            (16, 48, 48, true),
            (16, 64, 48, false),
            (16, 384, 48, false),
        ] {
            assert_eq!(surface.place(i32::cast_unsigned(x), 0, bytes), (place, inside), "{bytes} at {x}");
        }
    }

    #[test]
    fn places_outside_are_moved_to_the_nearest_one_inside() {
        let options = SurfaceOptions { width: 4, height: Some(3), format: TexelFormat::U32, channels: 1 };
        let surface = Surface { address: 0x100, options };
        let at = |x: i32, y: i32| surface.place(x.cast_unsigned(), y.cast_unsigned(), 4);
        assert_eq!((at(0, 0), at(12, 2)), ((0x100, true), (0x12c, true)));
        assert_eq!((at(-4, 1), at(16, 1)), ((0x110, false), (0x11c, false)));
        assert_eq!((at(4, -1), at(4, 3)), ((0x104, false), (0x124, false)));
        assert_eq!(surface.place(1, 0, 16), (0x100, false));
        assert_eq!(surface.place(0, 0, 16), (0x100, true));
    }
}
