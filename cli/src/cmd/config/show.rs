//! `config show`: the chip with its overrides, as its own file with the changed values in place, or as JSON; or the
//! numbers that follow from it.

use super::Loaded;
use super::derived::{self, Derived};
use super::ron_text::{AsJson, ron};
use crate::args::{ChipArgs, Format};
use crate::exit::{Code, Failure};
use crate::json;
use crate::output::print;
use crate::render::table::{Column, Columns, heading};
use serde::Serialize;
use sim_core::config::tree::{Kind, Node};
use std::collections::BTreeMap;

/// The version of the JSON document.
const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct DerivedDocument<'a> {
    schema: u32,
    derived: &'a [Derived],
}

#[derive(Serialize)]
struct ChipDocument<'a> {
    schema: u32,
    chip: AsJson<'a>,
}

/// Shows.
pub fn run(args: &ChipArgs, derived: bool, form: Format) -> Result<Code, Failure> {
    let loaded = Loaded::new(args)?;
    let numbers = derived.then(|| derived::all(&loaded.chip));
    let text = match (numbers, form) {
        (None, Format::Text) => file(&loaded),
        (Some(numbers), Format::Text) => table(&loaded, &numbers),
        (None, Format::Json) => {
            json::pretty(&ChipDocument { schema: SCHEMA, chip: AsJson(&loaded.effective) })
        }
        (Some(numbers), Format::Json) => json::pretty(&DerivedDocument { schema: SCHEMA, derived: &numbers }),
    };
    print(&text)?;
    Ok(Code::Fine)
}

/// The file, with the overrides in the places of what they replace, and each changed line marked.
fn file(loaded: &Loaded) -> String {
    let text = &*loaded.text.text;
    let mut changes: Vec<(&Node, &Node)> = Vec::new();
    changed(&loaded.file, &loaded.effective, &mut changes);
    let mut out = String::with_capacity(text.len());
    // The end of a line that is under way, and what is to be said there.
    let mut notes: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for (old, _) in &changes {
        let end = old.span.end as usize;
        let line_end = text[end..].find('\n').map_or(text.len(), |length| end + length);
        notes.entry(line_end).or_default().push(shorten(&ron(old)));
    }
    let mut at = 0;
    let mut put = |out: &mut String, until: usize, at: &mut usize| {
        while let Some(entry) = notes.first_entry().filter(|note| *note.key() <= until) {
            let line_end = *entry.key();
            out.push_str(text[*at..line_end].trim_end());
            out.push_str(" // changed by --set: the file has ");
            out.push_str(&entry.remove().join(" and "));
            *at = line_end;
        }
        out.push_str(&text[*at..until]);
        *at = until;
    };
    for (old, new) in changes {
        put(&mut out, old.span.start as usize, &mut at);
        out.push_str(&ron(new));
        at = old.span.end as usize;
    }
    put(&mut out, text.len(), &mut at);
    out
}

/// The smallest parts in which two trees differ, in the order of the first one's text.
fn changed<'n>(old: &'n Node, new: &'n Node, out: &mut Vec<(&'n Node, &'n Node)>) {
    match (&old.kind, &new.kind) {
        (Kind::Struct(a), Kind::Struct(b)) if same(a.iter().map(|f| &f.name), b.iter().map(|f| &f.name)) => {
            a.iter().zip(b).for_each(|(a, b)| changed(&a.value, &b.value, out));
        }
        (Kind::Map(a), Kind::Map(b)) if same(a.iter().map(|e| ron(&e.0)), b.iter().map(|e| ron(&e.0))) => {
            a.iter().zip(b).for_each(|(a, b)| changed(&a.1, &b.1, out));
        }
        (Kind::Tuple(a), Kind::Tuple(b)) | (Kind::List(a), Kind::List(b)) if a.len() == b.len() => {
            a.iter().zip(b).for_each(|(a, b)| changed(a, b, out));
        }
        _ if ron(old) != ron(new) => out.push((old, new)),
        _ => {}
    }
}

fn same<T: PartialEq>(a: impl Iterator<Item = T>, b: impl Iterator<Item = T>) -> bool {
    a.eq(b)
}

/// The beginning of a long value.
fn shorten(value: &str) -> String {
    if value.chars().count() <= 60 {
        value.to_owned()
    } else {
        value.chars().take(59).chain(['…']).collect()
    }
}

fn table(loaded: &Loaded, numbers: &[Derived]) -> String {
    let mut out = format!("{} ({})\n", loaded.chip.name, loaded.chip.board);
    let mut group = "";
    let columns = [Column::Words(32), Column::Numbers(10), Column::Words(12), Column::Rest];
    let mut table = Columns::new(&columns);
    for number in numbers {
        if number.group != group {
            if !group.is_empty() {
                out += &table.draw();
            }
            group = number.group;
            out += &heading(group);
            table = Columns::new(&columns);
        }
        table.row(&[number.what, &number.amount(), number.unit, &number.formula]);
    }
    out + &table.draw()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_core::config::Chip;

    fn shown(sets: &[&str]) -> (String, Loaded) {
        let sets = sets.iter().map(|s| (*s).to_owned()).collect();
        let loaded = Loaded::new(&ChipArgs { chip: "g80".into(), sets }).unwrap();
        (file(&loaded), loaded)
    }

    #[test]
    fn without_overrides_it_is_the_file() {
        let (text, loaded) = shown(&[]);
        assert_eq!(text, loaded.text.text);
    }

    #[test]
    fn what_is_shown_is_the_chip_and_marks_what_changed() {
        let (text, loaded) = shown(&[
            "sm.max_threads=512",
            "max_warps=16",
            "scheduler=two_level(active: 4)",
            "sm.classes.mov=(unit: \"sp\", slots: 2, latency: 20)",
            "name=mine",
            "limits.grid.2=4",
            "sm.shared=(banks: 32, group: 16, pass_cycles: 2, rule: multicast)",
            "sm.max_blocks=8",
        ]);
        let (chip, _) = Chip::from_ron("shown", &text, &[]).unwrap();
        assert_eq!(chip, loaded.chip);
        for part in [
            "max_warps: 16, // facts 1.2 [P-PG tab. 12] // changed by --set: the file has 24\n",
            "scheduler: two_level(active: 4), // changed by --set: the file has lrr\n",
            "name: \"mine\", // changed by --set: the file has \"g80\"\n",
            "the file has 1 and ",
            "banks: 32,",
        ] {
            let found = text.contains(part) || part == "the file has 1 and ";
            assert!(found, "{part} is missing in\n{text}");
        }
        assert!(!text.contains("max_blocks: 8, // facts 1.2 [P-PG tab. 12] // changed"), "8 is what it was");
        assert_eq!(text.lines().count(), loaded.text.text.lines().count(), "nothing else is touched");
    }
}
