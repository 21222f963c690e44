//! The built-in kernels as text.

use crate::families::Entry;
use crate::render::table::{Column, Columns};

/// Returns the kernels, and commands for the next steps.
pub fn render(entries: &[Entry]) -> String {
    let mut table = Columns::new(&[Column::Words(19), Column::Words(8), Column::Rest]).narrow();
    for (i, entry) in entries.iter().enumerate() {
        if i > 0 {
            table.gap();
        }
        table.row(&[entry.name, "", entry.about()]);
        table.row(&["", "book", entry.book()]);
        table.row(&["", "--size", &entry.size()]);
        table.row(&["", "block", &entry.blocks()]);
        if let Some(variants) = entry.variants() {
            table.row(&["", "variants", &variants]);
        }
    }
    let mut out = table.draw();
    out.push('\n');
    if entries.iter().any(|entry| entry.members.len() > 1) {
        out += " Variants: append an ending to the name, as in matmul-tiled-8. List them:\n";
        out += "           warpsim list matmul-tiled\n";
    }
    out += " Run one:          warpsim run NAME [--size N]\n";
    out += " Read its code:    warpsim check NAME --source\n";
    out += " How well it fits: warpsim occupancy NAME\n";
    out += " What it is for:   warpsim book\n";
    out
}
