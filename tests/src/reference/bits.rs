//! Bit fields, counts and permutations, bit by bit as in the loops of the manual.

/// Index of the last bit of a value of `width` bits.
fn last(width: u32) -> u32 {
    width - 1
}

/// Bit `i` of a value.
fn bit(value: u64, i: u32) -> bool {
    value >> i & 1 == 1
}

/// Index of the highest set bit, or for a negative number the highest clear bit; all ones if there
/// is none. With `shift`, the distance from there to the last bit.
pub fn find(value: u64, width: u32, signed: bool, shift: bool) -> i128 {
    let negative = signed && bit(value, last(width));
    let place = (0..width).rev().find(|i| bit(value, *i) != negative);
    place.map_or(-1, |place| i128::from(if shift { last(width) - place } else { place }))
}

/// Number of set bits.
pub fn count(value: u64, width: u32) -> i128 {
    (0..width).filter(|i| bit(value, *i)).count() as i128
}

/// Number of zeros before the highest set bit.
pub fn leading(value: u64, width: u32) -> i128 {
    (0..width).rev().take_while(|i| !bit(value, *i)).count() as i128
}

/// The bits in reverse order.
pub fn reverse(value: u64, width: u32) -> i128 {
    (0..width).filter(|i| bit(value, *i)).map(|i| 1_i128 << (last(width) - i)).sum()
}

/// `bfe`: the field of `length` bits from `start` on, extended by the field's last bit if `signed`.
pub fn extract(value: u64, start: u64, length: u64, width: u32, signed: bool) -> i128 {
    let (start, length) = (start as u32 & 0xff, length as u32 & 0xff);
    let sign = signed && length > 0 && bit(value, (start + length - 1).min(last(width)));
    let chosen = |i: u32| if i < length && start + i <= last(width) { bit(value, start + i) } else { sign };
    (0..width).filter(|i| chosen(*i)).map(|i| 1_i128 << i).sum()
}

/// `bfi`: `into` with the low `length` bits of `value` inserted at `start`.
pub fn insert(value: u64, into: u64, start: u64, length: u64, width: u32) -> i128 {
    let (start, length) = (start as u32 & 0xff, length as u32 & 0xff);
    let chosen = |i: u32| if i >= start && i - start < length { bit(value, i - start) } else { bit(into, i) };
    (0..width).filter(|i| chosen(*i)).map(|i| 1_i128 << i).sum()
}

/// `prmt`: bytes of `b a` selected by the digits of `c`, or by a mode and the last two bits of `c`.
pub fn permute(a: u64, b: u64, c: u64, mode: &str) -> Result<i128, String> {
    let (all, n) = (b << 32 | a, (c & 3) as u32);
    // Selected bytes, lowest first.
    let places: [u32; 4] = match mode {
        "f4e" => [n, n + 1, n + 2, n + 3],
        "b4e" => [n, (n + 7) % 8, (n + 6) % 8, (n + 5) % 8],
        "rc8" => [n; 4],
        "ecl" => [n, n.max(1), n.max(2), 3],
        "ecr" => [0, n.min(1), n.min(2), n],
        "rc16" => [n % 2 * 2, n % 2 * 2 + 1, n % 2 * 2, n % 2 * 2 + 1],
        "b32" => [0, 4, 8, 12].map(|at| (c >> at) as u32 & 15),
        _ => return Err(format!("mode `{mode}`")),
    };
    let byte = |place: u32| {
        let byte = (all >> (8 * (place % 8))) as u8;
        if place < 8 { byte } else { (byte as i8 >> 7) as u8 }
    };
    Ok(u32::from_le_bytes(places.map(byte)).into())
}

/// `shf`: 32 of the 64 bits `b a`, either from bit `n` on, or those that end `n` bits before the
/// last.
pub fn funnel(a: u64, b: u64, n: u64, left: bool, clamp: bool) -> i128 {
    let n = if clamp { n.min(32) } else { n % 32 };
    let at = if left { 32 - n } else { n };
    i128::from((b << 32 | a) >> at & 0xffff_ffff)
}

/// `lop3`: for each bit, the entry of the truth table at the number of the three operands' bits.
pub fn logic(a: u64, b: u64, c: u64, table: u64) -> i128 {
    let entry =
        |i: &u32| bit(table, 4 * u32::from(bit(a, *i)) + 2 * u32::from(bit(b, *i)) + u32::from(bit(c, *i)));
    (0..32).filter(entry).map(|i| 1_i128 << i).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manuals_tables() {
        let bytes = |c, mode| permute(0x3322_1100, 0x7766_5544, c, mode).expect("a mode");
        assert_eq!([bytes(1, "f4e"), bytes(1, "b4e")], [0x4433_2211, 0x6677_0011]);
        assert_eq!([bytes(2, "ecl"), bytes(1, "ecr")], [0x3322_2222, 0x1111_1100]);
        assert_eq!([bytes(3, "rc8"), bytes(3, "rc16")], [0x3333_3333, 0x3322_3322]);
        assert_eq!(permute(0x0000_0180, 0, 0x0981, "b32"), Ok(0x8000_ff01));
    }

    #[test]
    fn fields() {
        assert_eq!([extract(0xf0, 4, 4, 32, false), extract(0xf0, 4, 4, 32, true)], [0xf, 0xffff_ffff]);
        assert_eq!([extract(1 << 31, 28, 40, 32, true), extract(5, 0, 0, 32, true)], [0xffff_fff8, 0]);
        assert_eq!([insert(0xff, 0, 28, 8, 32), insert(0, 0xff, 2, 4, 32)], [0xf000_0000, 0xc3]);
        assert_eq!(
            [find(0, 32, false, false), find(8, 32, false, true), find(!7, 64, true, false)],
            [-1, 28, 2]
        );
        // The table of the manual for a & b | c is (0xF0 & 0xCC) | 0xAA.
        assert_eq!(logic(0b1100, 0b1010, 0b0001, 0xea), 0b1001);
        assert_eq!([funnel(1, 2, 33, true, false), funnel(1, 2, 33, true, true)], [4, 1]);
    }
}
