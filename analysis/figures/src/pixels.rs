//! Pixels of a picture.

/// Averages squares of `samples` by `samples` pixels. A row of `fine` has `width` pixels of three
/// bytes, a row of `out` has `width / samples`. Both begin with the same row of the picture.
pub fn average(fine: &[u8], width: usize, samples: usize, out: &mut [u8]) {
    let row = 3 * (width / samples);
    for (y, out) in out.chunks_exact_mut(row).enumerate() {
        let rows = &fine[3 * width * samples * y..][..3 * width * samples];
        for (place, byte) in out.iter_mut().enumerate() {
            let first = 3 * samples * (place / 3) + place % 3;
            let mut sum = 0;
            for down in 0..samples {
                for along in 0..samples {
                    sum += u32::from(rows[3 * width * down + 3 * along + first]);
                }
            }
            *byte = (sum / (samples * samples) as u32) as u8;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_channel_of_a_square_is_averaged() {
        // Two rows of four pixels become one row of two.
        let fine = [
            [0, 10, 20, 4, 10, 20, 100, 0, 255, 100, 0, 255],
            [8, 10, 20, 0, 10, 23, 100, 0, 255, 104, 0, 255],
        ];
        let mut out = [0; 6];
        average(fine.as_flattened(), 4, 2, &mut out);
        assert_eq!(out, [3, 10, 20, 101, 0, 255]);
    }
}
