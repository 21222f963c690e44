//! A launch file for a PTX file, with placeholders that the user replaces.
//!
//! `pointers` finds the parameters that are addresses of buffers, `textures` those textures that
//! the kernel reads, and `text` writes the file.

mod numba;
pub mod text;
pub mod textures;

use crate::exit::Failure;
pub use crate::pointers;
use crate::text::shown;
use isa::uop::{Module, Program};
use std::path::Path;

/// Returns the launch file of the first of `entries`, with launches of the others as comments. The
/// PTX text has file names, or the name of a built-in kernel; `out` is the launch file's name.
pub fn skeleton(
    (names, ptx): (&[&str], &str),
    builtin: Option<&str>,
    module: &Module,
    entries: &[&Program],
    out: Option<&Path>,
) -> Result<String, Failure> {
    let Some((first, others)) = entries.split_first() else {
        return Err(Failure::input(format!("error: {} has no kernel (.entry)", names.join(", "))));
    };
    entries.iter().try_for_each(|program| text::check_parameters(program))?;
    let file = names.iter().map(|name| text::argument(name)).collect::<Vec<_>>().join(" ");
    let launch = out.map_or_else(|| "LAUNCH.ron".to_owned(), |path| text::argument(&shown(path)));
    let mut lines = text::head(&file, builtin, &launch, first);
    lines.extend(text::launch(ptx, module, first));
    for other in others {
        lines.push(String::new());
        lines.push(format!("// A launch of kernel `{}`, in place of the one above:", other.name));
        lines.extend(text::launch(ptx, module, other).into_iter().map(|line| format!("// {line}")));
    }
    Ok(lines.join("\n") + "\n")
}
