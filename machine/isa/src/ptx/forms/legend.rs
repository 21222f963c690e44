//! Meanings of the modifiers of instructions, with one line for each group.

/// Modifiers, separated by spaces, and their meanings.
pub const LEGEND: &[(&str, &str)] = &[
    ("u8 u16 u32 u64", "unsigned integers"),
    ("s8 s16 s32 s64", "signed integers, two's complement"),
    ("b8 b16 b32 b64", "bits without a type"),
    ("f16 f32 f64", "IEEE 754 binary16, binary32, binary64"),
    ("pred", "one bit"),
    ("rn rz rm rp", "rounded to nearest even, toward zero, down, up"),
    ("rni rzi rmi rpi", "rounded to an integer: nearest even, toward zero, down, up"),
    ("ftz", "subnormal operands and results become zeros with the same sign; below sm_20 always"),
    ("sat", "floating point: clamped to 0 … 1, NaN becomes 0; integers: clamped to the range of the type"),
    ("approx full", "an approximation; `.full`: for the whole range of operands"),
    ("lo hi wide", "lower half of a product, upper half, full product"),
    ("cc", "writes the carry to the condition code of the thread"),
    ("shiftamt", "distance of the bit from the highest position, instead of its position"),
    ("l r", "to the left, to the right"),
    ("wrap clamp", "shift by more than 31 bits: modulo 32; like 32"),
    ("b p", "surfaces: bytes without conversion; formatted texels"),
    ("trap zero", "outside of a surface: a fault; zeros, and no store (`.clamp`: the nearest place)"),
    ("po", "plus one: the sum plus 1"),
    ("shr7 shr15", "the sum shifted right by 7 or 15 bits"),
    ("f4e b4e rc8 ecl ecr rc16", "selection of the bytes, instead of the digits of c"),
    ("eq ne lt le gt ge", "comparisons; for floating-point numbers false if either is NaN (also `ne`)"),
    ("lo ls hi hs", "`lt le gt ge` for unsigned integers"),
    ("equ neu ltu leu gtu geu", "comparisons that are true if either is NaN"),
    ("num nan", "neither is NaN; either is"),
    ("and or xor", "comparison: combined with predicate c; atomic: bitwise operation"),
    ("finite infinite number notanumber normal subnormal", "the test of `testp`"),
    ("const global local param shared", "state space; without one the address is generic"),
    ("volatile", "not kept in a cache, not merged"),
    ("ca cg cs lu cv wb wt nc", "cache operators; `.cv` is `.volatile`"),
    ("L1 L2", "the level of the cache"),
    ("v2 v4", "two or four consecutive elements"),
    (
        "add inc dec min max exch cas",
        "operation of an atomic; `inc` and `dec` wrap at b, `cas` stores c if the value is b",
    ),
    ("all any uni ballot", "vote: all true, any true, all equal; the predicates of all lanes as bits"),
    ("up down bfly idx", "the source lane: b below, b above, exclusive or with b, lane b of the segment"),
    ("to", "from a generic address to an address in the space"),
    ("1d 2d 3d", "number of dimensions of the texture or surface"),
    ("a1d a2d", "layers of one or two dimensions: the first coordinate is the number of the layer"),
    ("cube acube", "a cube map; layers of cube maps: the first coordinate is the number of the cube"),
    (
        "width height depth channel_data_type channel_order normalized_coords filter_mode addr_mode_0 addr_mode_1 addr_mode_2 force_unnormalized_coords",
        "the property of the texture or sampler: size, format of a texel, options of the fetch",
    ),
    ("uni", "all active threads take the same path"),
    (
        "sync arrive red",
        "barrier: wait; arrive without waiting; wait and combine a predicate. Votes and `shfl.sync`: with a mask of lanes",
    ),
    ("warp", "of the lanes of the warp that the mask names"),
    ("popc", "number of true predicates"),
    ("cta gl sys", "visible to the block, the chip, the host"),
];

#[cfg(test)]
mod tests {
    use super::super::pattern;
    use super::super::table::FORMS;
    use super::*;

    #[test]
    fn every_modifier_is_explained() {
        let explained: Vec<&str> = LEGEND.iter().flat_map(|(words, _)| words.split(' ')).collect();
        for row in FORMS {
            for word in pattern::items(row).flat_map(pattern::Item::choices) {
                assert!(explained.contains(&word), "`.{word}` of `{}`", row.text);
            }
        }
        for word in explained {
            let used = |row| pattern::items(row).any(|item| item.accepts(word));
            assert!(FORMS.iter().any(used), "no form has `.{word}`");
        }
    }
}
