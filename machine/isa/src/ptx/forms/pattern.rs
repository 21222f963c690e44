//! Notation of the table of forms: the name, the words and the operands of a row; matching of
//! modifiers.

use super::Opcode;
use super::classes::CLASSES;
use super::row::FormRow;
use super::table::FORMS;
use crate::types::ScalarType;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// One position of a pattern: `.word`, `.class`, `.a|b` or any of these in braces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Item {
    /// Text without dot and braces.
    pub class: &'static str,
    /// Whether it is in braces.
    pub optional: bool,
}

impl Item {
    /// Returns the words that are allowed at this position.
    pub fn choices(self) -> impl Iterator<Item = &'static str> {
        self.class.split('|').flat_map(|part| match CLASSES.iter().find(|(name, _)| *name == part) {
            Some((_, words)) => words.to_vec(),
            None => vec![part],
        })
    }

    /// Whether the word is allowed at this position.
    pub fn accepts(self, word: &str) -> bool {
        self.class.split('|').any(|part| match CLASSES.iter().find(|(name, _)| *name == part) {
            Some((_, words)) => words.contains(&word),
            None => part == word,
        })
    }
}

/// Returns the instruction's name.
pub(super) fn name(row: &FormRow) -> &'static str {
    let end = row.text.find(['.', '{', ' ']).unwrap_or(row.text.len());
    &row.text[..end]
}

/// The rows of each instruction, by its name.
pub(super) static ROWS: LazyLock<BTreeMap<&str, Vec<&'static FormRow>>> = LazyLock::new(|| {
    let mut rows: BTreeMap<&str, Vec<&'static FormRow>> = BTreeMap::new();
    for row in FORMS {
        rows.entry(name(row)).or_default().push(row);
    }
    rows
});

/// Returns the modifier positions after the name.
pub(super) fn items(row: &FormRow) -> impl Iterator<Item = Item> {
    let head = row.text.split(' ').next().unwrap_or_default();
    head[name(row).len()..].split('.').filter(|part| !part.is_empty() && *part != "{").map({
        // Splitting at dots leaves the opening brace of an optional item at the end of its
        // predecessor.
        |part| Item {
            class: part.trim_end_matches(['{', '}']),
            optional: part.trim_end_matches('{').ends_with('}'),
        }
    })
}

/// Returns the operands as written.
pub(super) fn operands(row: &FormRow) -> Vec<&'static str> {
    match row.text.split_once(' ') {
        Some((_, operands)) => operands.split(", ").collect(),
        None => Vec::new(),
    }
}

/// Returns each word with the class that it matches; `None` if the words do not match the row.
pub(super) fn words<'w>(row: &FormRow, words: &[&'w str]) -> Option<Vec<(&'static str, &'w str)>> {
    let mut taken = Vec::with_capacity(words.len());
    let mut rest = words.iter();
    let mut next = rest.next();
    for item in items(row) {
        match next {
            Some(word) if item.accepts(word) => {
                taken.push((item.class, *word));
                next = rest.next();
            }
            _ if item.optional => {}
            _ => return None,
        }
    }
    next.is_none().then_some(taken)
}

/// Words that belong to the name of an instruction: they stand directly after its first word.
const NAME_WORDS: [&str; 13] =
    ["lo", "hi", "wide", "full", "ballot", "sync", "arrive", "red", "warp", "to", "l", "r", "b"];

/// Same as [`words`], with the words in any order: NVIDIA's assembler accepts every order in which
/// the types keep theirs, and in which words that belong to the name come first.
pub(super) fn words_in_any_order<'w>(
    row: &FormRow,
    words: &[&'w str],
) -> Option<Vec<(&'static str, &'w str)>> {
    let named = !matches!(row.opcode, Opcode::ShflSync | Opcode::VoteSync);
    let mut left: Vec<Option<&str>> = words.iter().copied().map(Some).collect();
    let mut types_from = 0;
    let mut taken = Vec::with_capacity(words.len());
    for (number, item) in items(row).enumerate() {
        let found = left.iter().position(|word| word.is_some_and(|word| item.accepts(word)));
        let Some(at) = found else {
            if item.optional {
                continue;
            }
            return None;
        };
        let word = left[at].take()?;
        if number == 0 && named && at > 0 && NAME_WORDS.contains(&word) {
            return None;
        }
        if ScalarType::from_name(word).is_some() {
            if at < types_from {
                return None;
            }
            types_from = at + 1;
        }
        taken.push((item.class, word));
    }
    left.iter().all(Option::is_none).then_some(taken)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_words_is_free_but_not_of_types_and_names() {
        let any = |text: &str, given: &str| {
            let row = FORMS.iter().find(|r| r.text.starts_with(text)).expect("a row of the table");
            words_in_any_order(row, &given.split('.').collect::<Vec<_>>()).map(|words| words.len())
        };
        assert_eq!(any("add{.rnd}{.ftz}", "ftz.f32.rz"), Some(3));
        assert_eq!(any("add{.rnd}{.ftz}", "ftz.f32.rm"), None);
        assert_eq!(any("add{.rnd}{.ftz}", "rz.rz.f32"), None, "each word once");
        assert_eq!(any("cvt.rnd4{.sat}.f32.isrc", "f32.s32.rn"), Some(3));
        assert_eq!(any("cvt.rnd4{.sat}.f32.isrc", "rn.s32.f32"), None, "the types in their order");
        assert_eq!(any("mul.part.int", "lo.u32"), Some(2));
        assert_eq!(any("mul.part.int", "u32.lo"), None, "`mul.lo` is a name");
        assert_eq!(any("shfl.sync", "down.b32.sync"), Some(3));
    }

    #[test]
    fn a_row_is_split_into_name_items_and_operands() {
        let row = FORMS.iter().find(|r| r.text.starts_with("add{.rnd}")).expect("a row of add");
        assert_eq!(name(row), "add");
        let found: Vec<(&str, bool)> = items(row).map(|i| (i.class, i.optional)).collect();
        assert_eq!(found, [("rnd", true), ("ftz", true), ("sat", true), ("f32", false)]);
        assert_eq!(operands(row), ["d", "a", "b"]);
        assert!(words(row, &["rz", "sat", "f32"]).is_some());
        assert!(words(row, &["sat", "rz", "f32"]).is_none());
        assert!(words(row, &["rz"]).is_none());
    }

    #[test]
    fn every_class_is_used_and_every_operand_known() {
        for (class, _) in CLASSES {
            let used = FORMS.iter().any(|r| items(r).any(|i| i.class.split('|').any(|p| p == class)));
            assert!(used, "no form uses the class {class}");
        }
        let known = [
            "d",
            "p",
            "p|q",
            "a",
            "b",
            "c",
            "e",
            "{!}q",
            "{!}r",
            "{!}c",
            "s",
            "x",
            "[a]",
            "{v}",
            "n",
            "u",
            "n|u",
            "m",
            "k",
            "t",
            "f",
            "(r)",
            "(l)",
            "g",
            "[t]",
            "[t,{c}]",
            "[t,s,{c}]",
            "a{.sel}",
            "b{.sel}",
            "d.sel",
            "{-}a{.sel}",
            "{-}b{.sel}",
            "{-}c",
            "[s]",
            "[s,{c}]",
            "d|p",
            "i",
        ];
        for row in FORMS {
            for operand in operands(row) {
                assert!(known.contains(&operand), "{}: {operand}", row.text);
            }
        }
    }
}
