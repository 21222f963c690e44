//! Damaged texts: a text is split into words, some of which are deleted, swapped, repeated, cut or
//! replaced by extreme values.
//!
//! Every mutation test of a reader uses it: of PTX, CUDA C, chip files, launch files and arguments.

use super::random::Numbers;

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

/// Words of CUDA C that are inserted anywhere, with those of [`STRAY`].
const STRAY_CUDA_C: [&str; 33] = [
    "<",
    ">",
    ">>",
    "::",
    "#",
    "##",
    "'",
    "&",
    "*",
    "&&",
    "=",
    "1.5f",
    "...",
    "~",
    "<<<",
    "template",
    "struct",
    "int",
    "typename",
    "operator",
    "const",
    "__shared__",
    "return",
    "if",
    "else",
    "sizeof",
    "auto",
    "new",
    "this",
    "case",
    "V<V<",
    "\n#define k k k\n",
    "\n#if 1\n",
];

/// Returns `text` with one to four changes.
pub fn mutant(text: &str, numbers: &mut Numbers) -> String {
    damaged(text, numbers, &[])
}

/// Returns a text of CUDA C with one to four changes.
pub fn mutant_of_cuda_c(text: &str, numbers: &mut Numbers) -> String {
    damaged(text, numbers, &STRAY_CUDA_C)
}

/// Returns `text` with one to four changes. `stray` has more words that may be inserted.
fn damaged(text: &str, numbers: &mut Numbers, stray: &[&str]) -> String {
    let mut words = words(text);
    for _ in 0..=numbers.below(4) {
        let (at, other) = (numbers.below(words.len()), numbers.below(words.len()));
        let end = (at + 1 + numbers.below(40)).min(words.len());
        match numbers.below(10) {
            0 => drop(words.remove(at)),
            1 => words.swap(at, other),
            2 => words.insert(at, words[other]),
            3 => words[at] = words[other],
            4 => {
                let word = numbers.below(STRAY.len() + stray.len());
                words.insert(at, STRAY.get(word).unwrap_or_else(|| &stray[word - STRAY.len()]));
            }
            // Longer ranges, as when lines are pasted twice or lost.
            5 => {
                let stretch = words[at..end].to_vec();
                words.splice(other..other, stretch);
            }
            6 => drop(words.drain(at..end)),
            7 => {
                // The inside of a word.
                let cut = words[at].floor_char_boundary(numbers.below(words[at].len() + 1));
                let (head, tail) = words[at].split_at(cut);
                let middle = numbers.one_of(&["", " ", words[other]]);
                words.splice(at..=at, [head, middle, numbers.one_of(&["", tail])]);
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
        if words.iter().all(|word| word.is_empty()) {
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
        assert_ne!(mutant_of_cuda_c(text, &mut Numbers::new(3)), text);
    }
}
