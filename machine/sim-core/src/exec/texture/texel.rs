//! Conversion of the components of a texel.

use super::{ReadMode, TexelFormat, TextureOptions};
use isa::sem::cvt;

/// Largest value of a component of a format that can be normalized.
fn largest(format: TexelFormat) -> f32 {
    match format {
        TexelFormat::U8 => 255.0,
        TexelFormat::S8 => 127.0,
        TexelFormat::U16 => 65535.0,
        TexelFormat::S16 => 32767.0,
        TexelFormat::U32 | TexelFormat::S32 | TexelFormat::F16 | TexelFormat::F32 => 1.0,
    }
}

/// The value of a component: sign-extended if its format has a sign.
pub(super) fn integer(format: TexelFormat, raw: u32) -> i32 {
    match format {
        TexelFormat::S8 => i32::from(raw as i8),
        TexelFormat::S16 => i32::from(raw as i16),
        TexelFormat::U8
        | TexelFormat::U16
        | TexelFormat::U32
        | TexelFormat::S32
        | TexelFormat::F16
        | TexelFormat::F32 => raw as i32,
    }
}

/// The result of a fetch without a filter for a component.
pub(super) fn converted(options: &TextureOptions, raw: u32) -> u32 {
    let format = options.format;
    if format == TexelFormat::F16 {
        return half(raw);
    }
    let value = integer(format, raw);
    if options.read == ReadMode::Normalized && format.can_be_normalized() {
        let largest = largest(format);
        return ((value as f32).max(-largest) / largest).to_bits();
    }
    value as u32
}

/// The result of a fetch for a component that is 1 although memory does not have it.
pub(super) fn one(options: &TextureOptions) -> u32 {
    let is_float = options.format.is_float() || options.read == ReadMode::Normalized;
    if is_float { 1f32.to_bits() } else { 1 }
}

/// The f32 with the value of an f16.
pub(super) fn half(raw: u32) -> u32 {
    let value = cvt::f32_from_f16(raw);
    if f32::from_bits(value).is_nan() { 0x7fff_ffff } else { value }
}
