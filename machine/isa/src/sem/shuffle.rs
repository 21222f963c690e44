//! `shfl`: the lane from which a lane copies its value (PTX ISA, "shfl").
//!
//! The second operand is a lane or a distance of lanes, of which five bits count. The third operand
//! has the bound of the lanes in bits 0 to 4, and in bits 8 to 12 the bits of a lane number that
//! distinguish segments. A lane outside the bound of its segment copies its own value.

/// Five bits: the number of a lane.
const LANE: u32 = 31;

/// Returns the bits of a lane number that name its segment, and the largest lane number of the
/// segment; for `up` the smallest.
#[inline]
fn segment(lane: u32, c: u32) -> (u32, u32) {
    let bits = c >> 8 & LANE;
    (lane & bits, lane & bits | c & LANE & !bits)
}

/// Returns the source lane, and whether it is inside the bound.
#[inline]
fn inside(lane: u32, from: u32, is_inside: bool) -> (u32, bool) {
    (if is_inside { from } else { lane }, is_inside)
}

/// Returns the source lane `b` lanes below `lane`, and whether it is inside the bound.
#[inline]
pub fn up(lane: u32, b: u32, c: u32) -> (u32, bool) {
    let (_, least) = segment(lane, c);
    let from = lane.wrapping_sub(b & LANE);
    inside(lane, from, from as i32 >= least as i32)
}

/// Returns the source lane `b` lanes above `lane`, and whether it is inside the bound.
#[inline]
pub fn down(lane: u32, b: u32, c: u32) -> (u32, bool) {
    let (_, most) = segment(lane, c);
    let from = lane + (b & LANE);
    inside(lane, from, from <= most)
}

/// Returns the source lane whose number is the exclusive or of `lane` and `b`, and whether it is
/// inside the bound.
#[inline]
pub fn bfly(lane: u32, b: u32, c: u32) -> (u32, bool) {
    let (_, most) = segment(lane, c);
    let from = lane ^ b & LANE;
    inside(lane, from, from <= most)
}

/// Returns the source lane `b` of the segment of `lane`, and whether it is inside the bound.
#[inline]
pub fn idx(lane: u32, b: u32, c: u32) -> (u32, bool) {
    let (first, most) = segment(lane, c);
    let from = first | b & LANE & !(c >> 8);
    inside(lane, from, from <= most)
}

#[cfg(test)]
mod tests {
    use super::*;

    type Mode = fn(u32, u32, u32) -> (u32, bool);

    /// Third operand of a shuffle within segments of `width` lanes, as CUDA C computes it: the
    /// bound is 31, for `up` 0.
    fn within(width: u32, bound: u32) -> u32 {
        (32 - width) << 8 | bound
    }

    /// Source lanes of all lanes; `None` for a lane that keeps its value.
    fn sources(mode: Mode, b: u32, c: u32) -> Vec<Option<u32>> {
        let of = |lane| {
            let (from, inside) = mode(lane, b, c);
            assert!(inside || from == lane);
            inside.then_some(from)
        };
        (0..32).map(of).collect()
    }

    #[test]
    fn a_whole_warp_shifts_by_a_distance() {
        let up = sources(up, 3, within(32, 0));
        assert!((0..32).all(|lane: u32| up[lane as usize] == lane.checked_sub(3)));
        let down = sources(down, 3, within(32, 31));
        assert!((0..32).all(|lane| down[lane as usize] == Some(lane + 3).filter(|from| *from < 32)));
        assert_eq!(sources(self::down, 35, within(32, 31)), down, "five bits of the distance count");
    }

    #[test]
    fn segments_do_not_exchange_values() {
        let up = sources(up, 1, within(8, 0));
        assert!((0..32).all(|lane: u32| up[lane as usize] == (lane % 8).checked_sub(1).map(|_| lane - 1)));
        let down = sources(down, 5, within(8, 31));
        assert!((0..32).all(|lane| down[lane as usize] == Some(lane + 5).filter(|_| lane % 8 < 3)));
        let idx = sources(idx, 11, within(8, 31));
        assert!((0..32).all(|lane| idx[lane as usize] == Some(lane / 8 * 8 + 3)));
        let bfly = sources(bfly, 4, within(8, 31));
        assert!((0..32).all(|lane| bfly[lane as usize] == Some(lane ^ 4)));
    }

    /// The bound of `bfly` has no lower end: a lane of an upper segment reads one of a lower
    /// segment.
    #[test]
    fn an_exclusive_or_beyond_the_segment_is_bounded_above_only() {
        let bfly = sources(bfly, 16, within(16, 31));
        assert!((0..16).all(|lane| bfly[lane].is_none()));
        assert!((16..32).all(|lane| bfly[lane as usize] == Some(lane - 16)));
    }

    #[test]
    fn a_bound_limits_the_lanes() {
        assert_eq!(sources(idx, 20, 15)[3], None);
        assert_eq!(sources(idx, 9, 15)[3], Some(9));
        let down = sources(down, 2, 9);
        assert!((0..32).all(|lane| down[lane as usize] == Some(lane + 2).filter(|from| *from <= 9)));
        let up = sources(up, 2, 4);
        assert!((0..32).all(|lane: u32| up[lane as usize] == lane.checked_sub(2).filter(|from| *from >= 4)));
    }
}
