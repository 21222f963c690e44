//! Regular addresses: neighboring lanes access memory at a constant distance. Most accesses are regular, and bank
//! conflicts and loads of regular addresses need no search over the lanes.

/// The distance in bytes between neighboring addresses, if it is the same for all. `N` is a power of two.
#[inline]
pub fn stride<const N: usize>(addr: &[u32; N]) -> Option<u32> {
    let stride = addr[1].wrapping_sub(addr[0]);
    // Doubling: the second half of each prefix is as far behind its first half. These loops vectorize.
    let (mut differ, mut half) = (0, 2);
    while half < N {
        let distance = stride.wrapping_mul(half as u32);
        for lane in 0..half {
            differ |= addr[half + lane].wrapping_sub(addr[lane]) ^ distance;
        }
        half *= 2;
    }
    (differ == 0).then_some(stride)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::array::from_fn;

    #[test]
    fn a_stride_is_found_and_any_other_address_breaks_it() {
        for stride_bytes in [0u32, 1, 4, 12, 0x8000_0000, u32::MAX] {
            let regular: [u32; 32] =
                from_fn(|lane| 100u32.wrapping_add(stride_bytes.wrapping_mul(lane as u32)));
            assert_eq!(stride(&regular), Some(stride_bytes));
            for lane in 0..32 {
                let mut other = regular;
                other[lane] = other[lane].wrapping_add(2);
                assert_eq!(stride(&other), None, "lane {lane}");
            }
        }
    }
}
