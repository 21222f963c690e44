//! `warpsim list`: the built-in kernels.

mod text;

use crate::args::{Format, ListArgs};
use crate::exit::{Code, Failure};
use crate::families;
use crate::json;
use crate::output::print;
use serde::Serialize;

/// Version of the JSON document.
const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Document {
    schema: u32,
    kernels: Vec<Kernel>,
}

#[derive(Serialize)]
struct Kernel {
    name: &'static str,
    family: Option<&'static str>,
    about: &'static str,
    book: &'static str,
    size_meaning: &'static str,
    default_size: u64,
    block: [u32; 3],
    file: &'static str,
}

/// Lists the built-in kernels.
pub fn run(args: &ListArgs) -> Result<Code, Failure> {
    let kernel = |w: &kernels::Workload| {
        let &kernels::Workload { name, family, about, book, size_meaning, default_size, block, file, .. } = w;
        Kernel {
            name,
            family,
            about,
            book,
            size_meaning,
            default_size,
            block: [block.x, block.y, block.z],
            file,
        }
    };
    let names = &args.kernels;
    let entries = if names.is_empty() { families::entries() } else { families::named(names)? };
    print(&match args.format.format {
        Format::Text => text::render(&entries),
        Format::Json => {
            let kernels = entries.iter().flat_map(|entry| entry.members).map(kernel).collect();
            json::pretty(&Document { schema: SCHEMA, kernels })
        }
    })?;
    Ok(Code::Fine)
}
