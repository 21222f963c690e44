//! Textures: the properties of a bound texture, and fetches of texels.
//!
//! A texture reads the bytes that its memory has at the launch: writes of the same launch to that
//! memory have no effect on it, as the programming model leaves them undefined. The timing model
//! gets the device addresses of the texels ([`Access::texels`]).
//!
//! The position in the texture ([`position`]) and the filter ([`filter`]) follow a recording on a
//! real GPU: positions have 8 fractional bits, and so have the weights of the filter.
//!
//! Invariant `texture-fetches`: A fetch returns the values that were recorded on a real GPU, bit
//! for bit, for every format, filter and address mode of the recording.

mod filter;
mod options;
mod position;
mod shape;
mod texel;

use super::objects::{Object, Which, fault};
use super::trap::Checked;
use super::{Access, Kernel, Warp, mask, rows};
use filter::Weights;
use isa::types::StateSpace;
use isa::uop::{Geometry, Inst, Op, Program, TextureFetch, TextureQuery, handle};
use position::Axis;
use std::sync::Arc;

pub use options::{
    AddressMode, ChannelOrder, FilterMode, ReadMode, SamplerOptions, TexelFormat, TextureOptions,
    channel_numbers,
};
pub use shape::TextureShape;

/// A texture of a launch.
#[derive(Clone, Debug)]
pub struct Texture {
    /// Device address of the first texel.
    pub address: u32,
    /// Properties.
    pub options: TextureOptions,
    /// Bytes of its memory at the launch.
    pub bytes: Arc<Vec<u8>>,
}

impl Texture {
    /// Fetches at the coordinates `c`: integers, or else bits of f32, of which the fetch names the
    /// first `dimensions`; the third one may be the number of a layer or face. Appends the device
    /// address of each texel that is read to `texels`.
    #[inline]
    fn fetch(&self, c: [u32; 3], dimensions: u32, integers: bool, texels: &mut Vec<u32>) -> [u32; 4] {
        let found = self.components(c, dimensions, integers, texels);
        match self.options.order {
            None => found,
            Some(order) => order.arranged(found, texel::one(&self.options)),
        }
    }

    /// Fetches the components in the order of memory.
    fn components(&self, c: [u32; 3], dimensions: u32, integers: bool, texels: &mut Vec<u32>) -> [u32; 4] {
        let options = &self.options;
        let dimensions = dimensions.min(options.shape.dimensions());
        let mut axes = [0, 1, 2].map(|i| {
            if i < dimensions as usize { Axis::new(options, i, c[i], integers) } else { Axis::at(0) }
        });
        if options.shape.geometry() > Geometry::D3 {
            axes[2] = Axis::at(options.shape.layer(c[2]));
        }
        let linear = options.filter == FilterMode::Linear && !integers;
        if linear && !matches!(options.shape, TextureShape::Linear(_)) {
            return self.filtered(&axes, dimensions, texels);
        }
        let mut found = [0; 4];
        if let Some(offset) = self.offset(axes.map(|axis| axis.texel)) {
            texels.push(self.address.wrapping_add(offset));
            for (i, value) in found.iter_mut().enumerate().take(options.channels as usize) {
                *value = texel::converted(options, self.component(offset, i as u32));
            }
        }
        found
    }

    /// Interpolates between the texels around a position of so many dimensions.
    fn filtered(&self, axes: &[Axis; 3], dimensions: u32, texels: &mut Vec<u32>) -> [u32; 4] {
        let corners = 1 << dimensions;
        let weights = Weights::new(axes);
        let mut offsets = [None; 8];
        for (corner, offset) in offsets.iter_mut().enumerate().take(corners) {
            let side = |i: usize| axes[i].near[corner >> i & 1];
            *offset = self.offset([side(0), side(1), side(2)]);
            texels.extend(offset.map(|offset| self.address.wrapping_add(offset)));
        }
        let mut found = [0; 4];
        for (i, value) in found.iter_mut().enumerate().take(self.options.channels as usize) {
            let raw = offsets.map(|offset| offset.map_or(0, |offset| self.component(offset, i as u32)));
            *value = filter::apply(self.options.format, &raw[..corners], &weights);
        }
        found
    }

    /// Byte offset of a texel; `None` outside of the texture.
    fn offset(&self, at: [Option<u32>; 3]) -> Option<u32> {
        let [x, y, z] = at;
        let rows = z?.wrapping_mul(self.options.shape.size()[1]).wrapping_add(y?);
        let row = rows.wrapping_mul(self.options.pitch());
        Some(row.wrapping_add(x?.wrapping_mul(self.options.texel_bytes())))
    }

    /// Component `i` of the texel at a byte offset, zero-extended.
    fn component(&self, offset: u32, i: u32) -> u32 {
        let bytes = self.options.format.bytes();
        let from = self.bytes.get((offset + i * bytes) as usize..).unwrap_or_default();
        match (bytes, from) {
            (1, [byte, ..]) => u32::from(*byte),
            (2, [low, high, ..]) => u16::from_le_bytes([*low, *high]).into(),
            (4, [a, b, c, d, ..]) => u32::from_le_bytes([*a, *b, *c, *d]),
            _ => from.iter().take(bytes as usize).rev().fold(0, |value, byte| value << 8 | u32::from(*byte)),
        }
    }

    fn channel_numbers(&self) -> [u32; 2] {
        let TextureOptions { order, format, read, channels, .. } = self.options;
        channel_numbers(order, format, read, channels)
    }

    /// Value of a property.
    fn property(&self, query: TextureQuery) -> u32 {
        let options = &self.options;
        let [width, height, depth] = options.shape.size();
        let has = |dimension: u32, texels: u32| {
            if options.shape.dimensions() > dimension { texels } else { 0 }
        };
        match query {
            TextureQuery::Width => width,
            TextureQuery::Height => has(1, height),
            TextureQuery::Depth => has(2, depth),
            TextureQuery::ChannelDataType => self.channel_numbers()[0],
            TextureQuery::ChannelOrder => self.channel_numbers()[1],
            TextureQuery::NormalizedCoords => u32::from(options.normalized),
            TextureQuery::FilterMode => u32::from(options.filter == FilterMode::Linear),
            TextureQuery::AddressMode0 => options.address[0].number(),
            TextureQuery::AddressMode1 => options.address[1].number(),
            TextureQuery::AddressMode2 => options.address[2].number(),
            // Only a sampler is asked, and its textures have normalized coordinates.
            TextureQuery::ForceUnnormalizedCoords => u32::from(!options.normalized),
        }
    }
}

impl Object for Texture {
    const SPACE: StateSpace = StateSpace::Tex;
    const NAMED: u32 = handle::TEXTURES;
    const OBJECTS: u32 = handle::TEXTURE_OBJECTS;

    fn names(program: &Program) -> &[String] {
        &program.textures
    }

    fn geometry(&self) -> Geometry {
        self.options.shape.geometry()
    }
}

/// The fetch of each lane.
struct Lanes<'a> {
    kernel: &'a Kernel,
    inst: &'a Inst,
    fetch: TextureFetch,
}

impl Lanes<'_> {
    /// Returns the texture and the coordinates of a lane. The layer or face is the third
    /// coordinate.
    fn of(&self, warp: &Warp, lane: usize) -> (Which, [u32; 3]) {
        let Self { kernel, inst, fetch } = self;
        let word = |i: usize| rows::w(kernel, warp, inst.src[i])[lane];
        let double = |i: usize| rows::d(kernel, warp, inst.src[i])[lane];
        let halves = |i: usize| [double(i) as u32, (double(i) >> 32) as u32];
        let (handle, at) = match (inst.op, fetch.geometry.coordinates()) {
            (Op::TexWide1, _) => (double(1), [word(0), 0, 0]),
            (Op::TexWide2, _) => {
                let [x, y] = halves(0);
                (double(1), if fetch.geometry.has_layers() { [y, 0, x] } else { [x, y, 0] })
            }
            (Op::TexWide3, _) => {
                let ([x, y], [z, handle]) = (halves(0), halves(1));
                (handle.into(), [x, y, z])
            }
            (_, 3) => {
                let [x, y] = halves(0);
                (0, [x, y, word(1)])
            }
            (_, 2) => (0, [word(0), word(1), 0]),
            _ => (0, [word(0), 0, 0]),
        };
        (Which::of(inst, handle), at)
    }
}

/// Executes a texture fetch in the lanes of `access.mask`.
#[inline(never)]
pub(super) fn fetch(kernel: &Kernel, warp: &mut Warp, inst: &Inst, access: &mut Access) -> Checked {
    access.texels.clear();
    let mut found = [[0; 32]; 4];
    if let Some(fetch) = inst.fetch() {
        let lanes = Lanes { kernel, inst, fetch };
        let mut failed = 0;
        for lane in mask::lanes(access.mask) {
            let (which, at) = lanes.of(warp, lane);
            match kernel.textures.get(which) {
                Some(texture) if texture.options.shape.fits(fetch.geometry) => {
                    let dimensions = fetch.geometry.dimensions();
                    let values = texture.fetch(at, dimensions, fetch.integers, &mut access.texels);
                    found.iter_mut().zip(values).for_each(|(row, value)| row[lane] = value);
                }
                _ => failed |= 1 << lane,
            }
        }
        if failed != 0 {
            let (which, _) = lanes.of(warp, mask::first(failed));
            return fault(kernel, &kernel.textures, which, Some(fetch.geometry), failed);
        }
    }
    for (row, values) in inst.dst_rows().into_iter().zip(&found) {
        mask::store(&mut warp.w[row as usize], values, access.mask);
    }
    Ok(())
}

/// Executes a query of a property.
pub(super) fn query(kernel: &Kernel, warp: &mut Warp, inst: &Inst, active: u32) -> Checked {
    super::objects::query(kernel, &kernel.textures, Texture::property, warp, inst, active)
}

#[cfg(test)]
mod tests;
