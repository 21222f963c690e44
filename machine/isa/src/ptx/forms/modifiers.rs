//! Errors about modifiers that match no form. They describe the cheapest edits that make the
//! modifiers match a form.

use super::classes::CLASSES;
use super::known::LATER;
use super::later_than_this;
use super::pattern::{self, Item};
use super::row::FormRow;
use super::table::FORMS;
use crate::diag::{Diagnostic, nearest};
use crate::ptx::ast::{Ident, Instruction};
use crate::types::Version;

/// One edit of the modifiers. Positions are indices into them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Edit {
    /// A word of `item` is missing before position `at`.
    Missing { at: usize, item: Item },
    /// The word at `at` is superfluous.
    Extra { at: usize },
    /// The word at `at` must be one of `item`.
    Wrong { at: usize, item: Item },
}

impl Edit {
    /// Returns the cost of the edit: a misspelled word is more likely than a missing one, and a
    /// missing word is more likely than a correct word in the wrong position.
    fn cost(self, words: &[&str]) -> u32 {
        match self {
            Self::Wrong { at, item } if is_misspelled(words[at], item) => 3,
            Self::Missing { .. } => 4,
            Self::Extra { .. } | Self::Wrong { .. } => 5,
        }
    }

    /// Whether the other edit is of the same kind at the same position, for any word.
    fn is_like(self, other: Self) -> bool {
        match (self, other) {
            (Self::Missing { at: a, .. }, Self::Missing { at: b, .. })
            | (Self::Extra { at: a }, Self::Extra { at: b })
            | (Self::Wrong { at: a, .. }, Self::Wrong { at: b, .. }) => a == b,
            _ => false,
        }
    }
}

/// Returns diagnostics for an instruction whose modifiers match none of its `rows`.
pub(super) fn explain(inst: &Instruction, rows: &[&FormRow]) -> Vec<Diagnostic> {
    let unknown = |word: &&Ident| !rows.iter().any(|row| pattern::items(row).any(|i| i.accepts(word.name)));
    if let Some(error) = inst.modifiers.iter().filter(unknown).find_map(|word| later(inst, word)) {
        return vec![error];
    }
    let words: Vec<&str> = inst.modifiers.iter().map(|m| m.name).collect();
    let all: Vec<(&FormRow, u32, Vec<Edit>)> = rows
        .iter()
        .map(|row| {
            let edits = cheapest(row, &words);
            (*row, edits.iter().map(|e| e.cost(&words)).sum(), edits)
        })
        .collect();
    let least = all.iter().map(|(_, cost, _)| *cost).min().unwrap_or(0);
    let best: Vec<&(&FormRow, u32, Vec<Edit>)> = all.iter().filter(|(_, cost, _)| *cost == least).collect();
    let near: Vec<&FormRow> = best.iter().map(|(row, ..)| *row).collect();
    let note = forms_note(inst, &near);
    let Some((row, _, edits)) = best.first() else { return Vec::new() };
    let mut errors: Vec<Diagnostic> = edits
        .iter()
        .map(|edit| {
            let alike = best.iter().flat_map(|(_, _, edits)| edits).filter(|e| e.is_like(*edit));
            let items: Vec<Item> = alike
                .filter_map(|e| match e {
                    Edit::Missing { item, .. } | Edit::Wrong { item, .. } => Some(*item),
                    Edit::Extra { .. } => None,
                })
                .collect();
            describe(inst, row, *edit, &choices(&items, least == edit.cost(&words)))
        })
        .collect();
    if let Some(last) = errors.last_mut() {
        last.notes.push(note);
    }
    errors
}

/// Returns the error for a modifier that only later PTX has.
fn later(inst: &Instruction, word: &Ident) -> Option<Diagnostic> {
    let (_, (major, minor), sm) = LATER.iter().find(|(known, ..)| *known == word.name)?;
    let what = format!("`.{}` of `{}`", word.name, inst.opcode.name);
    Some(later_than_this(&what, Version::new(*major, *minor), *sm, word.span))
}

/// Returns the cheapest edits that make the words match the row, by dynamic programming over
/// (words, items).
fn cheapest(row: &FormRow, words: &[&str]) -> Vec<Edit> {
    let items: Vec<Item> = pattern::items(row).collect();
    // best[w][i]: cost of matching words w.. with items i.., and the first step.
    let mut best: Vec<Vec<(u32, Option<Edit>, bool)>> =
        vec![vec![(0, None, false); items.len() + 1]; words.len() + 1];
    for w in (0..=words.len()).rev() {
        for i in (0..=items.len()).rev() {
            let mut options: Vec<(u32, Option<Edit>, bool)> = Vec::new();
            let pair = words.get(w).zip(items.get(i));
            // A correct word before an optional item is superfluous, not wrong.
            if let Some((word, item)) = pair
                .filter(|(word, item)| !item.optional || item.accepts(word) || is_misspelled(word, **item))
            {
                let edit = (!item.accepts(word)).then_some(Edit::Wrong { at: w, item: *item });
                options.push((best[w + 1][i + 1].0 + edit.map_or(0, |e| e.cost(words)), edit, true));
            }
            if let Some(item) = items.get(i) {
                let edit = (!item.optional).then_some(Edit::Missing { at: w, item: *item });
                options.push((best[w][i + 1].0 + edit.map_or(0, |e| e.cost(words)), edit, false));
            }
            if w < words.len() {
                let edit = Edit::Extra { at: w };
                options.push((best[w + 1][i].0 + edit.cost(words), Some(edit), false));
            }
            best[w][i] = options.into_iter().min_by_key(|(cost, ..)| *cost).unwrap_or((0, None, false));
        }
    }
    let (mut w, mut i, mut edits) = (0, 0, Vec::new());
    while w < words.len() || i < items.len() {
        let (_, edit, both) = best[w][i];
        edits.extend(edit);
        match edit {
            Some(Edit::Extra { .. }) => w += 1,
            _ if both => (w, i) = (w + 1, i + 1),
            _ => i += 1,
        }
    }
    edits
}

/// Whether the word is unknown in all forms but similar to one that is allowed at this position.
fn is_misspelled(word: &str, item: Item) -> bool {
    nearest(word, item.choices()).is_some()
        && !FORMS.iter().flat_map(pattern::items).any(|item| item.accepts(word))
}

/// Returns all accepted words without duplicates: of all items if `whole`, otherwise of the first
/// one.
fn choices(items: &[Item], whole: bool) -> Vec<&'static str> {
    let mut words = Vec::new();
    for item in items.iter().take(if whole { items.len() } else { 1 }) {
        for word in item.choices() {
            if !words.contains(&word) {
                words.push(word);
            }
        }
    }
    words
}

fn describe(inst: &Instruction, row: &FormRow, edit: Edit, choices: &[&str]) -> Diagnostic {
    let name = &inst.opcode.name;
    let list = dotted(choices);
    match edit {
        Edit::Missing { at, .. } => {
            let before = at.checked_sub(1).map_or(&inst.opcode, |i| &inst.modifiers[i]);
            let of = if at > 0 { format!(" of `{name}`") } else { String::new() };
            let message = format!("missing modifier after `{}`{of}", shown(before, at > 0));
            Diagnostic::error("E0204", before.span, message).label(format!("expected {list} after this"))
        }
        Edit::Extra { at } => {
            let word = &inst.modifiers[at];
            let twice = inst.modifiers[..at].iter().any(|m| m.name == word.name);
            let elsewhere = !twice && pattern::items(row).any(|item| item.accepts(word.name));
            let (message, label) = if elsewhere {
                (format!("`.{}` is in the wrong position", word.name), "this word has a fixed position")
            } else if twice {
                (format!("duplicate modifier `.{}`", word.name), "second occurrence")
            } else {
                (format!("`{name}` does not accept `.{}` here", word.name), "not allowed here")
            };
            Diagnostic::error("E0203", word.span, message).label(label)
        }
        Edit::Wrong { at, .. } => {
            let word = &inst.modifiers[at];
            let near = nearest(word.name, choices.iter().copied()).map(|near| format!(".{near}"));
            let message = format!("`{name}` does not accept `.{}` here", word.name);
            Diagnostic::error("E0203", word.span, message).label(format!("expected {list}")).meant(near)
        }
    }
}

fn shown(word: &Ident, modifier: bool) -> String {
    format!("{}{}", if modifier { "." } else { "" }, word.name)
}

/// Returns a list such as `.a`, `.a or .b`, `.a, .b or .c`.
fn dotted(words: &[&str]) -> String {
    let words: Vec<String> = words.iter().map(|w| format!(".{w}")).collect();
    match words.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        None => "nothing".to_owned(),
    }
}

/// Returns a note with the most similar forms and the classes in them.
fn forms_note(inst: &Instruction, rows: &[&FormRow]) -> String {
    let mut notes = vec![format!("similar forms of `{}`:", inst.opcode.name)];
    let mut classes: Vec<&str> = Vec::new();
    for row in rows.iter().take(6) {
        notes.push(row.text.to_owned());
        classes.extend(pattern::items(row).flat_map(|item| item.class.split('|')));
    }
    for (class, words) in CLASSES.iter().filter(|(class, _)| classes.contains(class)) {
        notes.push(format!(".{class} is one of {}", dotted(words)));
    }
    notes.join("\n  ")
}
