//! Regular addresses: adjacent lanes access memory at a constant distance. Most accesses are
//! regular; their bank conflicts and loads need no search over the lanes.

#![expect(clippy::inline_always, reason = "only inlined code is compiled for wide vectors")]

use super::Row32;
use crate::state::Value;
use std::array::from_fn;
use std::hint::black_box;

/// For each half-warp: the distance in bytes between the addresses of adjacent lanes, if it is the
/// same for all of them; otherwise `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Value)]
pub struct Strides(pub [Option<u32>; 2]);

impl Strides {
    /// All lanes have the same address.
    pub const UNIFORM: Self = Self([Some(0); 2]);

    /// The strides of `addr`.
    #[inline(always)]
    pub fn of(addr: &Row32) -> Self {
        let halves = addr.as_chunks::<16>().0;
        // Hidden from the compiler, which would otherwise process lanes with a simplifiable sum one
        // by one.
        let lanes = black_box(&LANES);
        let strides = [halves[0][1].wrapping_sub(halves[0][0]), halves[1][1].wrapping_sub(halves[1][0])];
        let differ = [differences(&halves[0], strides[0], lanes), differences(&halves[1], strides[1], lanes)];
        let any: [u32; 8] = from_fn(|lane| differ[0][lane] | differ[1][lane]);
        if any == [0; 8] {
            return Self(strides.map(Some));
        }
        Self([0, 1].map(|half| (differ[half] == [0; 8]).then_some(strides[half])))
    }

    /// The stride of the whole warp at `addr`, if it has one.
    #[inline]
    pub fn whole(self, addr: &Row32) -> Option<u32> {
        let [first, second] = self.0;
        let stride = first.filter(|_| first == second)?;
        (addr[16].wrapping_sub(addr[0]) == stride.wrapping_mul(16)).then_some(stride)
    }
}

/// Lane numbers of a vector of eight.
static LANES: [u32; 8] = [0, 1, 2, 3, 4, 5, 6, 7];

/// Compares lanes 0 to 7 of a half-warp with their expected addresses, and lanes 8 to 15 with lanes
/// 0 to 7. All results are 0 if adjacent addresses have the distance `stride`.
#[inline(always)]
fn differences(addr: &[u32; 16], stride: u32, lanes: &[u32; 8]) -> [u32; 8] {
    // The addresses have just been stored as aligned vectors: the processor would wait for the end
    // of these stores if lane + 1 was loaded beside lane.
    from_fn(|lane| {
        let expected = addr[0].wrapping_add(stride.wrapping_mul(lanes[lane]));
        let eight = addr[lane + 8].wrapping_sub(addr[lane]);
        expected ^ addr[lane] | eight ^ stride.wrapping_mul(8)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stride_is_found_unless_one_address_differs() {
        for stride in [0u32, 1, 4, 12, 0x8000_0000, u32::MAX] {
            let regular: Row32 = from_fn(|lane| 100u32.wrapping_add(stride.wrapping_mul(lane as u32)));
            let strides = Strides::of(&regular);
            assert_eq!((strides, strides.whole(&regular)), (Strides([Some(stride); 2]), Some(stride)));
            for lane in 0..32 {
                let mut other = regular;
                other[lane] = other[lane].wrapping_add(2);
                let strides = Strides::of(&other);
                assert_eq!((strides.0[lane / 16], strides.whole(&other)), (None, None), "lane {lane}");
                assert_eq!(strides.0[1 - lane / 16], Some(stride), "the other half-warp");
            }
            let mut halves = regular;
            halves[16..].iter_mut().for_each(|at| *at = at.wrapping_add(64));
            let strides = Strides::of(&halves);
            assert_eq!((strides, strides.whole(&halves)), (Strides([Some(stride); 2]), None), "two rows");
        }
    }
}
