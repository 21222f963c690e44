//! Inputs: small pseudorandom whole numbers, the same on every host; and counts as text.

/// Returns the `index`-th number of stream `stream`, a whole number from `low` to `high`, both
/// included.
///
/// A multiply-and-shift hash of (stream, index) (the finalizer of `SplitMix64`): any element can be
/// computed without the previous ones.
pub fn whole(stream: u64, index: u64, low: i32, high: i32) -> i32 {
    let mut z = index.wrapping_add(stream << 40).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^= z >> 31;
    let span = (high - low + 1) as u64;
    low + (((z >> 32) * span) >> 32) as i32
}

/// Returns the first `count` numbers of a stream.
pub fn wholes(stream: u64, count: u64, low: i32, high: i32) -> Vec<i32> {
    (0..count).map(|i| whole(stream, i, low, high)).collect()
}

/// Converts to single-precision numbers.
pub fn floats(wholes: &[i32]) -> Vec<f32> {
    wholes.iter().map(|&v| v as f32).collect()
}

/// A count as text: `1 launch`, `3 launches`.
pub fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_cover_exactly_their_range() {
        let numbers = wholes(3, 10_000, -8, 8);
        assert!((-8..=8).all(|v| numbers.contains(&v)));
        assert!(numbers.iter().all(|v| (-8..=8).contains(v)));
    }

    #[test]
    fn streams_differ_and_repeat() {
        assert_ne!(wholes(1, 64, 0, 1000), wholes(2, 64, 0, 1000));
        assert_eq!(wholes(1, 64, 0, 1000), wholes(1, 64, 0, 1000));
        assert_eq!(wholes(1, 4, 0, 1000)[3], whole(1, 3, 0, 1000));
    }
}
