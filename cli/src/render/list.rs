//! The built-in kernels as text.

use super::number::count;
use super::table::{Column, Columns};
use kernels::Workload;

/// What is told of each, and under which name.
const FACTS: [(&str, fn(&Workload) -> String); 3] = [
    ("book", |workload| workload.book.to_owned()),
    ("--size", |workload| format!("{}; default {}", workload.size_meaning, count(workload.default_size))),
    ("block", |workload| format!("{} = {} threads", workload.block, count(workload.block.count()))),
];

/// All of them, and how to go on. Of a family the first is told in full, and of the others what is different.
pub fn render(workloads: &[Workload]) -> String {
    let mut out = String::new();
    for (i, workload) in workloads.iter().enumerate() {
        let before = workloads[..i].last();
        let follows = workload.follows(before);
        if i > 0 && !follows {
            out.push('\n');
        }
        let mut table = Columns::new(&[Column::Words(19), Column::Words(7), Column::Rest]).narrow();
        // A long name has a line of its own.
        if workload.name.len() > 19 {
            out += &format!("  {}\n", workload.name);
            table.row(&["", "", workload.about]);
        } else {
            table.row(&[workload.name, "", workload.about]);
        }
        let before = before.filter(|_| follows);
        for (label, fact) in FACTS {
            let told = fact(workload);
            if before.is_none_or(|before| fact(before) != told) {
                table.row(&["", label, &told]);
            }
        }
        out += &table.draw();
    }
    out += "\n Run one:          warpsim run NAME [--size N]\n";
    out += " Read its code:    warpsim check NAME\n";
    out += " How well it fits: warpsim occupancy NAME\n";
    out
}
