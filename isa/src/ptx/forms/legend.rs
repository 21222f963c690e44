//! Descriptions of the modifiers of instructions, one line for each group of related modifiers.

/// Modifiers, separated by spaces, with their description.
pub const LEGEND: &[(&str, &str)] = &[
    ("u8 u16 u32 u64", "unsigned integers"),
    ("s8 s16 s32 s64", "signed integers, two's complement"),
    ("b8 b16 b32 b64", "bits without a type"),
    ("f16 f32 f64", "IEEE 754 binary16, binary32, binary64"),
    ("pred", "one bit"),
    ("rn rz rm rp", "rounded to nearest even, towards zero, down, up"),
    ("rni rzi rmi rpi", "to an integer: nearest even, towards zero, down, up"),
    ("ftz", "subnormal operands and results are zeros of their sign; below sm_20 without asking"),
    ("sat", "floating point: clamped to 0 … 1, NaN being 0; integers: to the range of the type"),
    ("approx full", "an approximation; `.full` over the whole range of operands"),
    ("lo hi wide", "the lower half of a product, the upper, all of it"),
    ("cc", "the carry goes into the condition code of the thread"),
    ("shiftamt", "the distance to the highest place in place of the place"),
    ("l r", "to the left, to the right"),
    ("wrap clamp", "a shift by more than 31 bits: modulo 32; as by 32"),
    ("f4e b4e rc8 ecl ecr rc16", "how the bytes are chosen, where the digits of c do not say it"),
    ("eq ne lt le gt ge", "comparisons; of floating-point numbers false if either is NaN (`ne` too)"),
    ("lo ls hi hs", "`lt le gt ge` of unsigned integers"),
    ("equ neu ltu leu gtu geu", "comparisons that are true if either is NaN"),
    ("num nan", "neither is NaN; either is"),
    ("and or xor", "of a comparison: combined with predicate c; of an atomic: bit by bit"),
    ("finite infinite number notanumber normal subnormal", "what `testp` asks"),
    ("const global local param shared", "the state space; without one the address is generic"),
    ("volatile", "not kept in a cache, not merged"),
    ("ca cg cs lu cv wb wt nc", "cache operators; `.cv` is `.volatile`"),
    ("L1 L2", "the level of the cache"),
    ("v2 v4", "two or four elements side by side"),
    (
        "add inc dec min max exch cas",
        "what an atomic does; `inc` and `dec` wrap at b, `cas` stores c where it finds b",
    ),
    ("all any uni ballot", "a vote: all true, any, all the same; the bits of all lanes"),
    ("to", "from a generic address to one of the space"),
    ("uni", "all active threads go the same way"),
    ("sync arrive red", "a barrier: wait at it; count and go on; wait and combine a predicate"),
    ("popc", "how many predicates are true"),
    ("cta gl sys", "seen by the block, the chip, the host"),
];

#[cfg(test)]
mod tests {
    use super::super::pattern;
    use super::super::table::FORMS;
    use super::*;

    #[test]
    fn every_modifier_has_a_description() {
        let described: Vec<&str> = LEGEND.iter().flat_map(|(words, _)| words.split(' ')).collect();
        for row in FORMS {
            for word in pattern::items(row).flat_map(pattern::Item::choices) {
                assert!(described.contains(&word), "`.{word}` of `{}`", row.text);
            }
        }
        for word in described {
            let used = |row| pattern::items(row).any(|item| item.accepts(word));
            assert!(FORMS.iter().any(used), "no form has `.{word}`");
        }
    }
}
