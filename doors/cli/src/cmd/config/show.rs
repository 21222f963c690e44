//! `config show`: prints the chip with its overrides. The form is the chip file (or that of the
//! last base) with the changed values in place and each changed line marked, or JSON, or the
//! numbers that follow from the fields.
//!
//! Invariant `shown-chips`: A chip that is shown is the chip that runs, with its overrides marked.

use super::Loaded;
use super::derived::{self, Derived};
use crate::args::{ChipArgs, Format};
use crate::exit::{Code, Failure, not_simulated};
use crate::json;
use crate::output::print;
use crate::render::table::{Column, Columns, heading};
use isa::diag::Places as _;
use report::ron_text::{AsJson, ron};
use serde::Serialize;
use sim_core::config::tree::{Node, NodeKind};
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

/// Shows a chip.
pub fn run(args: &ChipArgs, derived: bool, form: Format) -> Result<Code, Failure> {
    let loaded = Loaded::new(args)?;
    if derived && !loaded.chip.simulated {
        return Err(Failure::input(format!("error: {}", not_simulated(&loaded.chip))));
    }
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

/// The text of the file with the changed values in place, and each changed line marked.
fn file(loaded: &Loaded) -> String {
    let all = loaded.texts.all();
    let (Some(text), Some(tree)) = (all.last(), loaded.files.last()) else { return String::new() };
    let text = &*text.text;
    let mut changes: Vec<(&Node, &Node)> = Vec::new();
    changed(tree, &loaded.effective, &mut changes);
    let mut out = heads(loaded);
    // Ends of lines with changes, and the marks to write there.
    let mut notes: BTreeMap<usize, Vec<(String, String)>> = BTreeMap::new();
    for (old, new) in &changes {
        let end = old.span.end as usize;
        let line_end = text[end..].find('\n').map_or(text.len(), |length| end + length);
        notes.entry(line_end).or_default().push((by(loaded, new), shorten(&ron(old))));
    }
    let mut at = 0;
    let mut put = |out: &mut String, until: usize, at: &mut usize| {
        while let Some(entry) = notes.first_entry().filter(|note| *note.key() <= until) {
            let line_end = *entry.key();
            out.push_str(text[*at..line_end].trim_end());
            out.push_str(" // ");
            out.push_str(&in_words(&entry.remove()));
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

/// The head of the text of a chip with a base: the names of its files, and the comments at the
/// start of each.
fn heads(loaded: &Loaded) -> String {
    let mut out = String::new();
    for pair in loaded.texts.all().windows(2) {
        for line in pair[0].text.lines().map_while(|line| line.strip_prefix("//")) {
            out.extend(["//", line, "\n"]);
        }
        out.extend(["// ", &pair[0].name, " is based on ", &pair[1].name, ", which follows.\n"]);
    }
    out
}

/// The origin of a changed value: `--set`, or the chip with the source comment of the value.
fn by(loaded: &Loaded, new: &Node) -> String {
    let all = loaded.texts.all();
    let Some(layer) = loaded.layers.sources.place_of(new.span).filter(|at| *at < all.len()) else {
        return "--set".to_owned();
    };
    // The brackets behind the value close its record: `clocks: (memory_mhz: 800), // source`.
    let found = loaded.layers.sources.find(new.span);
    let behind = found.and_then(|found| found.text[found.range.end..].lines().next()).unwrap_or_default();
    let source = behind.split_once("//").filter(|(b, _)| b.chars().all(|c| " ,)}".contains(c)));
    let source = source.map(|(_, words)| format!(" ({})", words.trim()));
    all[layer].chip_name() + &source.unwrap_or_default()
}

/// The changes of a line, such as `changed by --set: the file has 24`.
fn in_words(changes: &[(String, String)]) -> String {
    let mut out = String::new();
    for (i, (by, old)) in changes.iter().enumerate() {
        if i > 0 && changes[i - 1].0 == *by {
            out.extend([" and ", old]);
        } else {
            let whose = if by == "--set" { "the file" } else { "its base" };
            let gap = if i == 0 { "" } else { "; " };
            out.extend([gap, "changed by ", by, ": ", whose, " has ", old]);
        }
    }
    out
}

/// The smallest parts in which two trees differ, in the order of the first one's text.
fn changed<'n>(old: &'n Node, new: &'n Node, out: &mut Vec<(&'n Node, &'n Node)>) {
    match (&old.kind, &new.kind) {
        (NodeKind::Struct(a), NodeKind::Struct(b))
            if same(a.iter().map(|f| &f.name), b.iter().map(|f| &f.name)) =>
        {
            a.iter().zip(b).for_each(|(a, b)| changed(&a.value, &b.value, out));
        }
        (NodeKind::Map(a), NodeKind::Map(b))
            if same(a.iter().map(|e| ron(&e.0)), b.iter().map(|e| ron(&e.0))) =>
        {
            a.iter().zip(b).for_each(|(a, b)| changed(&a.1, &b.1, out));
        }
        (NodeKind::Tuple(a), NodeKind::Tuple(b)) | (NodeKind::List(a), NodeKind::List(b))
            if a.len() == b.len() =>
        {
            a.iter().zip(b).for_each(|(a, b)| changed(a, b, out));
        }
        _ if ron(old) != ron(new) => out.push((old, new)),
        _ => {}
    }
}

fn same<T: PartialEq>(a: impl Iterator<Item = T>, b: impl Iterator<Item = T>) -> bool {
    a.eq(b)
}

/// The start of a long value.
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
    use sim_core::config::base::{Text, Texts};

    fn shown(sets: &[&str]) -> (String, Loaded) {
        let sets = sets.iter().map(|s| (*s).to_owned()).collect();
        let loaded = Loaded::new(&ChipArgs { chip: "g80".into(), sets }).unwrap();
        (file(&loaded), loaded)
    }

    #[test]
    fn without_overrides_it_is_the_file() {
        let (text, loaded) = shown(&[]);
        assert_eq!(text, loaded.texts.own().text);
    }

    /// Tests: `shown-chips`.
    #[test]
    fn a_chip_with_a_base_is_shown_complete_with_the_origin_of_changes() {
        let own = "// Head.\n(name: \"mine\", base: \"g80\", clocks: (memory_mhz: 800), // HARDWARE 1\n sm: (max_blocks: 4))";
        let text = |name: &str, text: &str| Text {
            id: name.into(),
            name: name.into(),
            text: text.to_owned().into(),
        };
        let texts = Texts::new(text("mine.ron", own));
        let loaded = Loaded::from_texts(texts, &[("sm.max_blocks".into(), "5".into())]).unwrap();
        let shown = file(&loaded);
        for part in [
            "// Head.\n// mine.ron is based on g80 (built-in chip), which follows.\n// GeForce 8800 GTX: ",
            "name: \"mine\", // changed by mine: its base has \"g80\"\n",
            " // changed by mine (HARDWARE 1): its base has 900\n",
            " // changed by --set: the file has 8\n",
        ] {
            assert!(shown.contains(part), "{part} is missing in\n{shown}");
        }
        let (chip, _) = Chip::from_ron("shown", &shown, &[]).unwrap();
        assert_eq!(chip, loaded.chip);
    }

    /// Tests: `shown-chips`.
    #[test]
    fn the_shown_file_is_the_chip_with_its_changes_marked() {
        let (text, loaded) = shown(&[
            "sm.max_threads=512",
            "max_warps=16",
            "scheduler=two_level(active: 4)",
            "sm.classes.mov=(unit: \"sp\", slots: 2, latency: 20)",
            "name=mine",
            "limits.grid.2=4",
            "sm.shared=(banks: 32, group: 16, pass_cycles: 2, rule: multicast, conflict_latency: 0, retry_slots: 1, atomic_pass_cycles: 2)",
            "sm.max_blocks=8",
        ]);
        let (chip, _) = Chip::from_ron("shown", &text, &[]).unwrap();
        assert_eq!(chip, loaded.chip);
        for part in [
            "max_warps: 16, // HARDWARE 1.2 [P-PG tab. 12] // changed by --set: the file has 24\n",
            "scheduler: two_level(active: 4), // changed by --set: the file has lrr\n",
            "name: \"mine\", // changed by --set: the file has \"g80\"\n",
            "the file has 1 and ",
            "banks: 32,",
        ] {
            let found = text.contains(part) || part == "the file has 1 and ";
            assert!(found, "{part} is missing in\n{text}");
        }
        assert!(
            !text.contains("max_blocks: 8, // HARDWARE 1.2 [P-PG tab. 12] // changed"),
            "8 is what it was"
        );
        assert_eq!(text.lines().count(), loaded.texts.own().text.lines().count(), "nothing else is touched");
    }
}
