//! Coalescing rules: sizes of transactions.

use warpsim::coalescing::Lanes;

/// The smallest segment with all remaining words of the segment that the lowest lane needs: the
/// rule of capability 1.2 and 1.3, which is built in as `segments`.
pub fn covering(lanes: &Lanes<'_>) -> u32 {
    let whole = (32 * lanes.bytes).min(128);
    let first = lanes.addresses[lanes.left.trailing_zeros() as usize];
    let segment = |size: u32, address: u32| address / size == first / size;
    let mut size = whole;
    while size > 32 && lanes.remaining().filter(|at| segment(whole, *at)).all(|at| segment(size / 2, at)) {
        size /= 2;
    }
    size
}
