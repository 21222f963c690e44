//! Explanations as text.

use super::terms::{GROUPS, TERMS};
use super::{Entry, LIMITS};
use crate::codes::STAGES;
use crate::metrics::{ALL, Group};
use crate::render::table::{Column, Columns};
use sim_core::stats::limits::Limiter;

/// Maximum number of related names in the text.
const MOST_RELATED: usize = 12;

/// Returns the text of one topic.
pub fn topic(entry: &Entry) -> String {
    let mut table = Columns::new(&[Column::Words(9), Column::Rest]).narrow();
    table.row(&["meaning", entry.meaning]);
    if let Some(state) = entry.state {
        table.row(&["state", &format!("{state}: its share of the warp state breakdown")]);
    }
    let optional = |name, text: Option<&str>, table: &mut Columns| {
        if let Some(text) = text {
            table.row(&[name, text]);
        }
    };
    optional("unit", entry.unit, &mut table);
    optional("formula", entry.formula.as_deref(), &mut table);
    optional("report", entry.field, &mut table);
    optional("launches", entry.launches.as_deref(), &mut table);
    // In a terminal the names need no backticks.
    optional("improve", entry.improve.map(|text| text.replace('`', "")).as_deref(), &mut table);
    table.row(&["group", entry.group]);
    let shown = &entry.related[..entry.related.len().min(MOST_RELATED)];
    let more = if shown.len() < entry.related.len() { ", …" } else { "" };
    let related = shown.join(", ") + more;
    optional("related", Some(related.as_str()).filter(|related| !related.is_empty()), &mut table);
    format!("{}\n{}", entry.name, table.draw())
}

/// Returns a title with the names below it.
fn names(title: &str, names: &[&str]) -> String {
    let mut table = Columns::new(&[Column::Words(1), Column::Rest]).narrow();
    table.row(&["", &names.join(", ")]);
    format!("{title}\n{}\n", table.draw())
}

/// Returns all names, and example commands.
pub fn list() -> String {
    let mut out = String::new();
    for group in Group::ALL {
        let metrics: Vec<&str> = ALL.iter().filter(|m| m.group == group).map(|m| m.name).collect();
        out += &names(group.title(), &metrics);
    }
    out += &names(LIMITS, &Limiter::NAMES.map(|(name, _)| name));
    for stage in STAGES {
        let codes: Vec<&str> = stage.codes.iter().map(|(code, _)| *code).collect();
        out += &names(&format!("Codes: {}", stage.title), &codes);
    }
    for group in GROUPS {
        let terms: Vec<&str> = TERMS.iter().filter(|t| t.group == group).map(|t| t.name.as_str()).collect();
        out += &names(group, &terms);
    }
    out += " A metric:            warpsim explain achieved_occupancy\n";
    out += " A stall:             warpsim explain memory_dependency\n";
    out += " A limit:             warpsim explain memory_latency\n";
    out += " An issue slot:       warpsim explain replay_bank_conflict\n";
    out += " A field of --json:   warpsim explain timing.ipc\n";
    out += " A message:           warpsim explain E0301\n";
    out += " A word or a term:    warpsim explain coalescing\n";
    out
}
