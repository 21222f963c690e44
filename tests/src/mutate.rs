//! Damaged texts: a text is split into words, some of which are deleted, swapped, repeated or
//! replaced by extreme values.

/// A small pseudorandom generator, the same on every host.
#[derive(Clone, Copy, Debug)]
pub struct Numbers(u64);

impl Numbers {
    /// Starts the stream of `seed`.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns the next 64 bits (`SplitMix64`).
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number below `n`, which is not 0.
    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    /// Returns one element of a list.
    pub fn one_of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}

/// Replacements of numbers.
const EXTREMES: [&str; 18] = [
    "0",
    "1",
    "2",
    "3",
    "31",
    "33",
    "255",
    "65535",
    "65536",
    "4294967295",
    "4294967296",
    "2147483648",
    "-1",
    "-2147483649",
    "0x7fffffffffffffff",
    "18446744073709551615",
    "99999999999999999999",
    "1e999",
];

/// Texts that are inserted anywhere.
const STRAY: [&str; 16] =
    ["{", "}", "(", ")", "[", "]", ";", ",", ":", "@", "\"", "/*", "é", "\u{0}", "%", "."];

/// Splits a text into words: runs of letters, digits, `_`, `%` and `$`; single other characters;
/// runs of blanks.
fn words(text: &str) -> Vec<&str> {
    let kind = |c: char| match c {
        c if c.is_alphanumeric() || matches!(c, '_' | '%' | '$') => 0,
        c if c.is_whitespace() => 1,
        _ => 2,
    };
    let mut out = Vec::new();
    let mut start = 0;
    let mut last = None;
    for (at, c) in text.char_indices() {
        if last.is_some_and(|k| k != kind(c) || k == 2) {
            out.push(&text[start..at]);
            start = at;
        }
        last = Some(kind(c));
    }
    out.push(&text[start..]);
    out
}

/// Returns `text` with one to four changes.
pub fn mutant(text: &str, numbers: &mut Numbers) -> String {
    let mut words = words(text);
    for _ in 0..=numbers.below(4) {
        let (at, other) = (numbers.below(words.len()), numbers.below(words.len()));
        match numbers.below(8) {
            0 => drop(words.remove(at)),
            1 => words.swap(at, other),
            2 => words.insert(at, words[other]),
            3 => words[at] = words[other],
            4 => words.insert(at, numbers.one_of(&STRAY)),
            5 => {
                // A longer range, as when lines are lost or pasted twice.
                let stretch = words[at..(at + 1 + numbers.below(40)).min(words.len())].to_vec();
                words.splice(other..other, stretch);
            }
            _ => {
                let places: Vec<usize> = (0..words.len())
                    .filter(|i| words[*i].starts_with(|c: char| c.is_ascii_digit()))
                    .collect();
                if !places.is_empty() {
                    words[numbers.one_of(&places)] = numbers.one_of(&EXTREMES);
                }
            }
        }
        if words.is_empty() {
            return String::new();
        }
    }
    words.concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_make_up_the_whole_text() {
        let text = "mov.u32 %r1, 0x10; // é\n@%p bra L;";
        assert_eq!(words(text).concat(), text);
        assert_eq!(words("a.b  %r1,")[..], ["a", ".", "b", "  ", "%r1", ","]);
    }

    #[test]
    fn mutants_differ_and_are_reproducible() {
        let text = "mov.u32 %r1, 16; add.u32 %r2, %r1, 4;";
        let some = |seed| {
            let mut numbers = Numbers::new(seed);
            (0..50).map(|_| mutant(text, &mut numbers)).collect::<Vec<_>>()
        };
        assert_eq!(some(1), some(1));
        assert!(some(1).iter().filter(|m| *m != text).count() > 40);
    }
}
