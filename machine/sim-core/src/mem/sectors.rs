//! Lines of 128 bytes with four sectors of 32 bytes. A sector is the smallest unit of a transfer;
//! the DRAM moves bursts.
//!
//! Invariant `bytes-are-conserved`: The bytes that L1, L2 and DRAM move agree with each other
//! exactly.

pub use crate::cache::LINE_BYTES;

/// Bytes of a sector.
pub const SECTOR_BYTES: u32 = 32;

/// All sectors of a line.
pub const ALL_SECTORS: u8 = (1 << (LINE_BYTES / SECTOR_BYTES)) - 1;

/// Returns the number of `sectors` of a line. The usual processors of the host have no instruction
/// for it that a portable program may use.
#[inline]
pub const fn count(sectors: u8) -> u8 {
    // Digit n is the number of bits of n.
    (0x4332_3221_3221_2110_u64 >> (4 * (sectors & ALL_SECTORS)) & 0xf) as u8
}

/// Returns the words of the `sectors` of a line, as a bit mask.
#[inline]
pub fn words_of(sectors: u8) -> u32 {
    let sectors = u32::from(sectors);
    ((sectors | sectors << 7 | sectors << 14 | sectors << 21) & 0x0101_0101) * 0xff
}

/// Returns the sectors that contain `words` of a line, a bit mask.
pub fn sectors_of(words: u32) -> u8 {
    words.to_le_bytes().iter().rev().fold(0, |sectors, byte| sectors << 1 | u8::from(*byte != 0))
}

/// Returns the number of DRAM bursts of `burst_bytes` (a power of two) that contain `sectors` of a
/// line.
pub fn bursts(sectors: u32, burst_bytes: u32) -> u32 {
    let mut touched = sectors;
    let mut size = SECTOR_BYTES;
    while size < burst_bytes.min(LINE_BYTES) {
        // Merges two adjacent units into one.
        touched = touched & 1 | touched >> 1 & 1 | (touched >> 2 & 1 | touched >> 3 & 1) << 1;
        size *= 2;
    }
    touched.count_ones() * size.div_ceil(burst_bytes)
}

/// Returns all sectors of the line that are in the same bursts as `sectors`.
pub fn whole_bursts(sectors: u32, burst_bytes: u32) -> u32 {
    let mut held = sectors;
    if burst_bytes > SECTOR_BYTES {
        held |= (held & 0b0101) << 1 | (held & 0b1010) >> 1;
    }
    if burst_bytes > 2 * SECTOR_BYTES {
        held |= (held & 0b0011) << 2 | (held & 0b1100) >> 2;
    }
    held
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sector_has_eight_words() {
        for sectors in 0..=ALL_SECTORS {
            let words = (0..32).filter(|word| sectors >> (word / 8) & 1 == 1).map(|word| 1 << word);
            assert_eq!(words_of(sectors), words.sum::<u32>());
            assert_eq!(sectors_of(words_of(sectors) & 0x1020_4080), sectors);
            assert_eq!(u32::from(count(sectors)), sectors.count_ones());
        }
    }

    #[test]
    fn bursts_hold_their_sectors() {
        for sectors in 0..16 {
            for (size, each) in [(32, 1), (64, 2), (128, 4), (256, 4)] {
                let held = whole_bursts(sectors, size);
                assert_eq!(held & sectors, sectors);
                assert_eq!(bursts(sectors, size) * each, held.count_ones(), "{sectors:04b} {size}");
                assert_eq!(bursts(held, size), bursts(sectors, size));
            }
        }
        assert_eq!((whole_bursts(0b0100, 64), whole_bursts(0b0010, 128)), (0b1100, 0b1111));
        assert_eq!(bursts(0b0001, 16), 2, "a sector needs two short bursts");
    }
}
