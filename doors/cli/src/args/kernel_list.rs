//! The built-in kernels for the long help of a command.

use crate::families::{Entry, entries};
use crate::render::table::wrapped;

/// Columns of the lists at the end of a long help.
pub const HELP_COLUMNS: usize = 80;

/// The built-in kernels for the long help of a command, with one entry per family.
pub fn kernel_list() -> String {
    let describe = |entry: &Entry| {
        let (name, about, book) = (entry.name, entry.about(), entry.book());
        let mut lines = wrapped(&format!("  {name:<20} "), &format!("{about} ({book})"), 23, HELP_COLUMNS);
        lines.extend(wrapped(&" ".repeat(23), &format!("--size: {}", entry.size()), 25, HELP_COLUMNS));
        lines.extend(entry.variants().iter().flat_map(|v| wrapped(&" ".repeat(23), v, 25, HELP_COLUMNS)));
        lines.join("\n")
    };
    let list: Vec<String> = entries().iter().map(describe).collect();
    format!("Built-in kernels (an ending with a hyphen is added to the name):\n{}", list.join("\n"))
}
