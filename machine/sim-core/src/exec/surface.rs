//! Surfaces: the properties of a bound surface, and the addresses of accesses to it.
//!
//! A surface is memory that a kernel reads and writes by byte offset and row. Its accesses are
//! accesses to global memory: only the computation of their addresses is here. Places outside agree
//! with a recording on a GPU (driver 580): an access of n bytes outside of a row is moved to the
//! first or the last n bytes of the row.

use super::objects::{Object, Which, fault, title};
use super::texture::{ChannelOrder, ReadMode, TexelFormat, TextureOptions, TextureShape, channel_numbers};
use super::trap::{Checked, Fault, FaultKind, OutsideCause};
use super::{Kernel, Warp, mask, rows};
use isa::types::StateSpace;
use isa::uop::{Geometry, Inst, Op, Outside, Program, SurfaceAccess, TextureQuery, handle};

/// Properties of a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurfaceOptions {
    /// Shape: an array, or layers. The faces of cubes are layers.
    pub shape: TextureShape,
    /// Type of a component.
    pub format: TexelFormat,
    /// Components of an element: 1, 2 or 4.
    pub channels: u32,
    /// The meaning of the components in OpenCL, for queries.
    pub order: Option<ChannelOrder>,
    /// Meaning of the numbers, for queries.
    pub read: ReadMode,
}

impl SurfaceOptions {
    /// Elements of `format` with `channels` components.
    pub fn new(shape: TextureShape, format: TexelFormat, channels: u32) -> Self {
        Self { shape, format, channels, order: None, read: ReadMode::Element }
    }

    /// An image of OpenCL that a kernel writes, as [`TextureOptions::image`].
    pub fn image(shape: TextureShape, format: TexelFormat, order: ChannelOrder, normalized: bool) -> Self {
        let TextureOptions { channels, order, read, .. } =
            TextureOptions::image(shape, format, order, normalized);
        Self { shape, format, channels, order, read }
    }

    /// Bytes of an element.
    pub fn element_bytes(&self) -> u32 {
        self.format.bytes() * self.channels
    }

    /// Bytes of a row; rows follow each other without gaps.
    pub fn row_bytes(&self) -> u64 {
        u64::from(self.shape.size()[0]) * u64::from(self.element_bytes())
    }

    /// Bytes of the memory.
    pub fn bytes(&self) -> u64 {
        let [_, rows, slices] = self.shape.size().map(u64::from);
        self.row_bytes().saturating_mul(rows * slices)
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
    /// Returns the device address of an access of `bytes` bytes at byte x of row y of slice z, all
    /// moved to the nearest place inside, and whether they are inside.
    fn place(&self, at: [u32; 3], bytes: u32) -> (u32, bool) {
        let [x, y, z] = at.map(|at| i64::from(at.cast_signed()));
        let row = self.options.row_bytes() as i64;
        let last = (row - i64::from(bytes)).max(0);
        let [_, rows, slices] = self.options.shape.size().map(i64::from);
        let inside = (0..=last).contains(&x) && (0..rows).contains(&y) && (0..slices).contains(&z);
        let row_number = z.clamp(0, slices - 1) * rows + y.clamp(0, rows - 1);
        // The offset is below the size of the surface, which is in device memory.
        let offset = row_number * row + x.clamp(0, last);
        (self.address.wrapping_add(offset as u32), inside && row >= i64::from(bytes))
    }

    fn channel_numbers(&self) -> [u32; 2] {
        let SurfaceOptions { order, format, read, channels, .. } = self.options;
        channel_numbers(order, format, read, channels)
    }

    /// Value of a property.
    fn property(&self, query: TextureQuery) -> u32 {
        let [width, height, depth] = self.options.shape.size();
        let dimensions = self.options.shape.dimensions();
        match query {
            TextureQuery::Width => width,
            TextureQuery::Height if dimensions > 1 => height,
            TextureQuery::Depth if dimensions > 2 => depth,
            TextureQuery::ChannelDataType => self.channel_numbers()[0],
            TextureQuery::ChannelOrder => self.channel_numbers()[1],
            TextureQuery::Height
            | TextureQuery::Depth
            | TextureQuery::ForceUnnormalizedCoords
            | TextureQuery::NormalizedCoords
            | TextureQuery::FilterMode
            | TextureQuery::AddressMode0
            | TextureQuery::AddressMode1
            | TextureQuery::AddressMode2 => 0,
        }
    }
}

impl Object for Surface {
    const SPACE: StateSpace = StateSpace::Surf;
    const NAMED: u32 = handle::SURFACES;
    const OBJECTS: u32 = handle::SURFACE_OBJECTS;

    fn names(program: &Program) -> &[String] {
        &program.surfaces
    }

    fn geometry(&self) -> Geometry {
        match self.options.shape.geometry() {
            Geometry::Cube | Geometry::CubeArray => Geometry::A2,
            other => other,
        }
    }
}

/// Computes the addresses of an access in the lanes of `active`, and which of them are inside.
#[inline(never)]
pub(super) fn address(kernel: &Kernel, warp: &mut Warp, inst: &Inst, active: u32) -> Checked {
    let Some(access) = inst.surface() else { return Ok(()) };
    let of = |warp: &Warp, lane: usize| {
        let word = |i: usize| rows::w(kernel, warp, inst.src[i])[lane];
        let [z, handle] = if inst.op == Op::SuleaWide { [word(2), word(3)] } else { [0, 0] };
        (Which::of(inst, handle.into()), [word(0), word(1), z])
    };
    let mut addresses = [0; 32];
    let (mut inside, mut failed) = (0, 0);
    for lane in mask::lanes(active) {
        let (which, at) = of(warp, lane);
        match kernel.surfaces.get(which) {
            Some(surface)
                if surface.geometry() == access.geometry || surface.options.shape.fits(access.geometry) =>
            {
                let (address, is_inside) = surface.place(at, access.bytes);
                addresses[lane] = address;
                inside |= u32::from(is_inside) << lane;
            }
            _ => failed |= 1 << lane,
        }
    }
    if failed != 0 {
        let (which, _) = of(warp, mask::first(failed));
        return fault(kernel, &kernel.surfaces, which, Some(access.geometry), failed);
    }
    if access.outside == Outside::Trap && inside != active {
        let outside = active & !inside;
        let (which, at) = of(warp, mask::first(outside));
        return Err(Box::new(outside_fault(kernel, access, which, at.map(u32::cast_signed), outside)));
    }
    mask::store(&mut warp.w[inst.dst as usize], &addresses, active);
    mask::store_bits(&mut warp.p[inst.dst2 as usize], inside, active);
    Ok(())
}

/// Returns the fault of an access outside of a surface, of which the first is at `[x, y, z]`.
#[cold]
fn outside_fault(
    kernel: &Kernel,
    access: SurfaceAccess,
    which: Which,
    [x, y, z]: [i32; 3],
    lanes: u32,
) -> Fault {
    let name = title::<Surface>(&kernel.program, which);
    let options = kernel.surfaces.get(which).map(|surface| surface.options);
    let row = options.map_or(0, |options| options.row_bytes());
    let [_, height, slices] = options.map_or([0; 3], |options| options.shape.size());
    let slice = if access.geometry == Geometry::D3 { "slice" } else { "layer" };
    let hint = match access.geometry {
        Geometry::D1 => format!("{name} has {row} bytes"),
        Geometry::D2 => {
            let rows = if height == 1 { "row" } else { "rows" };
            format!("the access is in row {y}; {name} has {height} {rows} of {row} bytes")
        }
        _ => format!(
            "the access is in row {y} of {slice} {z}; {name} has {slices} {slice}s of {height} rows of {row} bytes"
        ),
    };
    let kind = FaultKind::OutOfBounds {
        space: StateSpace::Surf,
        address: i64::from(x) as u64,
        bytes: access.bytes,
        store: access.is_store,
        hint,
        cause: OutsideCause::Index,
    };
    Fault { kind, lanes }
}

/// Executes a query of a property.
pub(super) fn query(kernel: &Kernel, warp: &mut Warp, inst: &Inst, active: u32) -> Checked {
    super::objects::query(kernel, &kernel.surfaces, Surface::property, warp, inst, active)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Recorded on a GPU: a row of 64 bytes, and the positions of loads of 1, 4, 8 and 16 bytes.
    #[test]
    fn recorded_places_of_a_line() {
        let options = SurfaceOptions::new(TextureShape::Array1(16), TexelFormat::U32, 1);
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
            assert_eq!(
                surface.place([i32::cast_unsigned(x), 0, 0], bytes),
                (place, inside),
                "{bytes} at {x}"
            );
        }
    }

    #[test]
    fn places_outside_are_moved_to_the_nearest_one_inside() {
        let options = SurfaceOptions::new(TextureShape::Array2(4, 3), TexelFormat::U32, 1);
        let surface = Surface { address: 0x100, options };
        let at = |x: i32, y: i32| surface.place([x.cast_unsigned(), y.cast_unsigned(), 0], 4);
        assert_eq!((at(0, 0), at(12, 2)), ((0x100, true), (0x12c, true)));
        assert_eq!((at(-4, 1), at(16, 1)), ((0x110, false), (0x11c, false)));
        assert_eq!((at(4, -1), at(4, 3)), ((0x104, false), (0x124, false)));
        assert_eq!(surface.place([1, 0, 0], 16), (0x100, false));
        assert_eq!(surface.place([0, 0, 0], 16), (0x100, true));
    }
    #[test]
    fn slices_and_layers_follow_each_other() {
        let of = |shape| Surface { address: 0, options: SurfaceOptions::new(shape, TexelFormat::U8, 4) };
        assert_eq!(of(TextureShape::Array3(4, 3, 2)).place([8, 2, 1], 4), (16 * 5 + 8, true));
        assert_eq!(of(TextureShape::Array3(4, 3, 2)).place([8, 2, 2], 4), (16 * 5 + 8, false));
        assert_eq!(of(TextureShape::Layers1(4, 3)).place([4, 0, 2], 4), (16 * 2 + 4, true));
        assert_eq!(of(TextureShape::Cubes(2, 2)).place([4, 1, 11], 4), (8 * 23 + 4, true));
        assert_eq!(of(TextureShape::Cube(2)).geometry(), Geometry::A2);
    }
}
