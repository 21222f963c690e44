//! The value of a sampler: the sum of its constants `CLK_...`.

/// The bit of normalized coordinates.
pub const NORMALIZED: u32 = 1;
/// The bits of the address mode.
pub const ADDRESS: u32 = 14;
/// Address mode: the border color.
pub const CLAMP: u32 = 4;
/// Address mode: the image is repeated.
pub const REPEAT: u32 = 6;
/// Address mode: the image is repeated, every second time mirrored.
pub const MIRRORED_REPEAT: u32 = 8;
/// Filter: the nearest texel.
pub const NEAREST: u32 = 16;
/// Filter: interpolation.
pub const LINEAR: u32 = 32;

/// Whether a value is that of a sampler. Without a filter it is the nearest texel, as without an
/// address mode positions outside are undefined.
pub fn is_valid(value: i128) -> bool {
    let Ok(value) = u32::try_from(value) else { return false };
    let filter = value & (NEAREST | LINEAR);
    value & !(NORMALIZED | ADDRESS | NEAREST | LINEAR) == 0
        && value & ADDRESS <= MIRRORED_REPEAT
        && filter != (NEAREST | LINEAR)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sampler_has_one_filter_and_one_address_mode() {
        for valid in [0, CLAMP, NEAREST, LINEAR + NORMALIZED + REPEAT, NEAREST + 2, LINEAR + MIRRORED_REPEAT]
        {
            assert!(is_valid(valid.into()), "{valid}");
        }
        for wrong in [NEAREST + LINEAR, NEAREST + 10, NEAREST + 64] {
            assert!(!is_valid(wrong.into()), "{wrong}");
        }
        assert!(!is_valid(-1) && !is_valid(1 << 40));
    }
}
