//! Addresses of local memory traffic. Local memory is an area at the end of device memory, large
//! enough for all threads that can be resident. Nothing may be allocated in it while a kernel that
//! needs it runs.
//!
//! Each warp slot of each SM has a separate part. Word k of lane l is word 32k + l of the part, so
//! lanes that access the same local address access consecutive words (CUDA C Programming Guide 5.5,
//! 5.3.2). The values are not in device memory: they stay with the warp.
//!
//! Invariant `local-memory-times`: An access to local memory takes the time of a global access,
//! word by word; its values never leave the SM.

use crate::config::Chip;
use crate::exec::allocations::NOT_MAPPED;
use crate::exec::{Kernel, Row32};
use std::array::from_fn;

/// Allocation unit of a thread's local memory in bytes: a warp's part then begins at a multiple of
/// 512.
const UNIT: u32 = 16;

/// The local memory area of one launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalArea {
    start: u32,
    /// Bytes per warp slot.
    warp_bytes: u32,
    /// Number of warp slots of an SM that can be in use.
    slots: u32,
}

impl LocalArea {
    /// The area of a launch without local memory.
    pub const NONE: Self = Self { start: 0, warp_bytes: 0, slots: 0 };

    /// Returns the area for `kernel`, of whose blocks an SM of `chip` holds `per_sm`. The area must
    /// fit: see [`Self::bytes`].
    pub fn of(chip: &Chip, kernel: &Kernel, per_sm: u32) -> Self {
        let bytes = Self::bytes(chip, kernel.program.local_bytes, kernel.warps_per_block(), per_sm);
        if bytes == 0 {
            return Self::NONE;
        }
        Self {
            start: Self::end(chip, kernel.mapped_from).saturating_sub(bytes) as u32,
            warp_bytes: warp_bytes(kernel.program.local_bytes),
            slots: per_sm * kernel.warps_per_block(),
        }
    }

    /// Returns the end of the area: of device memory, or the first address of mapped host memory if
    /// this is lower.
    pub fn end(chip: &Chip, mapped_from: u32) -> u64 {
        let usable = chip.usable_bytes();
        if mapped_from == NOT_MAPPED { usable } else { usable.min(mapped_from.into()) }
    }

    /// Returns the bytes of the area if a thread has `local_bytes` bytes, a block has `warps`
    /// warps, and an SM holds `per_sm` blocks.
    pub fn bytes(chip: &Chip, local_bytes: u32, warps: u32, per_sm: u32) -> u64 {
        let sms = u64::from(chip.clusters * chip.cluster.sms);
        u64::from(warp_bytes(local_bytes)) * u64::from(per_sm) * u64::from(warps) * sms
    }

    /// Returns the device addresses of the words that contain the bytes at `addr` + `plus` of local
    /// memory, for the warp in slot `slot` of SM `sm`.
    pub fn words(self, sm: u32, slot: u32, addr: &Row32, plus: u32) -> Row32 {
        // Blocks take the lowest free slots, so no higher slot is ever in use.
        debug_assert!(slot < self.slots, "a warp slot without local memory");
        let base = self.start + (sm * self.slots + slot) * self.warp_bytes;
        from_fn(|lane| base + ((addr[lane] + plus) / 4 * 32 + lane as u32) * 4)
    }
}

/// Returns the bytes of a warp's part.
fn warp_bytes(local_bytes: u32) -> u32 {
    32 * local_bytes.next_multiple_of(UNIT)
}

#[cfg(test)]
mod tests {
    use super::*;

    const AREA: LocalArea = LocalArea { start: 0x10_0000, warp_bytes: 512, slots: 6 };

    #[test]
    fn one_word_of_every_lane_is_one_line() {
        let words = AREA.words(0, 0, &[8; 32], 0);
        assert_eq!(words, from_fn(|lane| 0x10_0000 + 2 * 128 + 4 * lane as u32));
        assert_eq!(
            AREA.words(0, 0, &[8; 32], 4),
            words.map(|at| at + 128),
            "the next word is one row further"
        );
        assert_eq!(AREA.words(0, 0, &[11; 32], 0), words, "the bytes of a word are in one word");
    }

    #[test]
    fn every_slot_of_every_sm_has_a_separate_part() {
        let mut parts: Vec<u32> =
            (0..3).flat_map(|sm| (0..6).map(move |slot| AREA.words(sm, slot, &[0; 32], 0)[0])).collect();
        assert!(parts.iter().zip(&parts[1..]).all(|(a, b)| b - a == 512), "{parts:x?}");
        parts.dedup();
        assert_eq!(parts.len(), 18);
    }

    #[test]
    fn the_area_has_space_for_all_resident_threads() {
        let chip = Chip::builtin("g80").expect("a built-in chip");
        // 16 SMs with 3 blocks of 8 warps: the largest number of resident threads.
        let bytes = LocalArea::bytes(&chip, 16_384, 8, 3);
        assert_eq!(bytes, 16_384 * 768 * 16);
        assert_eq!(LocalArea::bytes(&chip, 1, 1, 8), 16 * 32 * 8 * 16);
        assert_eq!(LocalArea::bytes(&chip, 0, 8, 3), 0);
    }
}
