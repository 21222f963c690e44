//! The built-in kernels as text.

use super::number::count;
use super::table::{Column, Columns};
use kernels::Workload;

/// All of them, and how to go on.
pub fn render(workloads: &[Workload]) -> String {
    let mut table = Columns::new(&[Column::Words(19), Column::Words(6), Column::Rest]).narrow();
    for (i, workload) in workloads.iter().enumerate() {
        if i > 0 {
            table.gap();
        }
        table.row(&[workload.name, "", workload.about]);
        table.row(&["", "book", workload.book]);
        let size = format!("{}; default {}", workload.size_meaning, count(workload.default_size));
        table.row(&["", "--size", &size]);
        let block = format!("{} = {} threads", workload.block, count(workload.block.count()));
        table.row(&["", "block", &block]);
    }
    let mut out = table.draw();
    out += "\n Run one:          warpsim run NAME [--size N]\n";
    out += " Read its code:    warpsim check NAME\n";
    out += " How well it fits: warpsim occupancy NAME\n";
    out
}
