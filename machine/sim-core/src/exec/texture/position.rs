//! Positions in a texture: from a coordinate to the texels along one dimension.
//!
//! A coordinate is a fixed-point number: a normalized one has 21 fractional bits (22 for more than
//! 32768 texels) and is rounded down before it is multiplied with the number of texels. Without a
//! filter the texel is the position, rounded down. With a filter the position, less half a texel,
//! is rounded to 8 fractional bits; they are the weight of the next texel. These rules reproduce
//! the recording.

use super::{AddressMode, TextureOptions, TextureShape};
use isa::uop::Geometry;

/// Largest magnitude of a fixed-point coordinate. It is a multiple of two textures in every format
/// here, so that a larger coordinate is at the start of a repeated texture.
const LARGEST: i64 = 1 << 40;

/// Fractional bits of a position before it is rounded to 8 bits.
const FRACTION: u32 = 9;

/// Texels along one dimension.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    /// The texel at the position; `None` outside of the texture.
    pub texel: Option<u32>,
    /// The texels before and after the position.
    pub near: [Option<u32>; 2],
    /// Weight of the second of these texels, in 1/256.
    pub weight: u32,
}

impl Axis {
    /// The texels of layer `number`, which no filter mixes with another layer.
    pub(super) fn at(number: u32) -> Self {
        Self { texel: Some(number), near: [Some(number); 2], weight: 0 }
    }

    /// Finds the texels of coordinate `c` along dimension `i`, which the texture has.
    pub(super) fn new(options: &TextureOptions, i: usize, c: u32, integers: bool) -> Self {
        let size = options.shape.size()[i];
        // A position on a face is always from 0 to 1.
        let normalized = options.normalized || options.shape.geometry() >= Geometry::Cube;
        let place = match (integers, normalized) {
            (true, _) => i64::from(c as i32) << FRACTION,
            (false, false) => fixed(c, FRACTION),
            (false, true) => {
                let bits = if size > 32768 { 22 } else { 21 };
                (fixed(c, bits) * i64::from(size)) >> (bits - FRACTION)
            }
        };
        let mode = match options.address[i] {
            AddressMode::Wrap | AddressMode::Mirror if !normalized => AddressMode::Clamp,
            mode => mode,
        };
        let texel = |at: i64| {
            // Texels of linear memory that do not exist are 0.
            let mode =
                if matches!(options.shape, TextureShape::Linear(_)) { AddressMode::Border } else { mode };
            inside(mode, at, size)
        };
        let rounded = (place - 255) >> 1;
        let (first, mut weight) = (rounded >> 8, (rounded & 255) as u32);
        // The texel at an edge has the whole weight.
        if mode == AddressMode::Clamp && !(0..i64::from(size) - 1).contains(&first) {
            weight = 0;
        }
        Self { texel: texel(place >> FRACTION), near: [texel(first), texel(first + 1)], weight }
    }
}

/// The texel of position `at` along a dimension of `size` texels.
fn inside(mode: AddressMode, at: i64, size: u32) -> Option<u32> {
    let size = i64::from(size.max(1));
    let texel = match mode {
        AddressMode::Clamp => at.clamp(0, size - 1),
        AddressMode::Wrap => at.rem_euclid(size),
        AddressMode::Mirror => {
            let at = at.rem_euclid(2 * size);
            if at < size { at } else { 2 * size - 1 - at }
        }
        AddressMode::Border if (0..size).contains(&at) => at,
        AddressMode::Border => return None,
    };
    Some(texel as u32)
}

/// The f32 with these bits times 2^`fraction`, rounded down. NaN is 0.
fn fixed(bits: u32, fraction: u32) -> i64 {
    let (exponent, mantissa) = (bits >> 23 & 0xff, bits & 0x7f_ffff);
    if exponent == 0xff && mantissa != 0 {
        return 0;
    }
    let (exponent, mantissa) = if exponent == 0 { (1, mantissa) } else { (exponent, mantissa | 0x80_0000) };
    let shift = exponent as i32 - 150 + fraction as i32;
    let signed = |value: i64| if bits >> 31 == 1 { -value } else { value };
    if shift >= 0 {
        // A mantissa of 24 bits is too large from a shift of 17 on.
        return signed((i64::from(mantissa) << shift.min(20)).min(LARGEST));
    }
    signed(i64::from(mantissa)) >> (-shift).min(63)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_are_rounded_down() {
        let of = |x: f32| fixed(x.to_bits(), FRACTION);
        assert_eq!(
            [of(0.0), of(1.0), of(-1.0), of(1.5), of(-0.001), of(3.999)],
            [0, 512, -512, 768, -1, 2047]
        );
        assert_eq!([of(1e-40), of(-1e-40), of(f32::NAN)], [0, -1, 0]);
        assert_eq!([of(f32::INFINITY), of(-3e38), of(1e30)], [LARGEST, -LARGEST, LARGEST]);
    }

    #[test]
    fn address_modes_find_texels_inside() {
        let row = |mode| [-7, -1, 0, 4, 5, 9, 10].map(|at| inside(mode, at, 5));
        assert_eq!(row(AddressMode::Clamp), [0, 0, 0, 4, 4, 4, 4].map(Some));
        assert_eq!(row(AddressMode::Wrap), [3, 4, 0, 4, 0, 4, 0].map(Some));
        assert_eq!(row(AddressMode::Mirror), [3, 0, 0, 4, 4, 0, 0].map(Some));
        assert_eq!(row(AddressMode::Border), [None, None, Some(0), Some(4), None, None, None]);
    }
}
