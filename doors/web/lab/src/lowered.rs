//! The PTX and the micro-ops of a text, each with the line of the text from which it comes: a line
//! of CUDA C, or the line of the PTX itself.

use crate::request::Request;
use isa::source::Source;
use report::exit::Failure;
use report::micro_ops::Listing;
use serde::Serialize;

/// The lines of the PTX, in their order.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Lowered {
    /// Whether the PTX is compiled from CUDA C.
    pub is_cuda_c: bool,
    /// Lines of the PTX.
    pub lines: Vec<PtxLine>,
}

/// A line of PTX.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PtxLine {
    /// The line.
    pub text: String,
    /// Line of the user's text from which it comes, from 1; 0 if it comes from no line.
    pub line: u32,
    /// Micro-ops that the instruction becomes. The code of a function that several kernels call has
    /// the micro-ops of the first kernel.
    pub micro_ops: Vec<MicroOp>,
}

/// A micro-op.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MicroOp {
    /// Index in its kernel.
    pub pc: usize,
    /// Text of the line.
    pub text: String,
    /// Timing class.
    pub class: &'static str,
    /// Registers of a thread that are live after it.
    pub registers: u32,
}

/// Compiles the text of a request.
///
/// # Errors
///
/// The messages about a text with errors.
pub fn lowered(request: &Request) -> Result<Lowered, Failure> {
    let module = request.module()?;
    let Some(source) = module.entries.first().map(|program| &program.ptx) else {
        return Err(Failure::input("error: the text has no kernel"));
    };
    let is_cuda_c = source.listing().is_some();
    let file = request.ptx.as_ref().map_or("", |file| &file.name);
    let mut lines: Vec<PtxLine> = (1..)
        .zip(source.text.lines())
        .map(|(number, text)| PtxLine {
            text: text.replace('\t', " ").trim_end().to_owned(),
            line: if is_cuda_c { origin(source, number, text, file) } else { number },
            micro_ops: Vec::new(),
        })
        .collect();
    for program in &module.entries {
        let mut filled = vec![false; lines.len()];
        for op in Listing::of(program).code {
            let Some(at) = (op.line as usize).checked_sub(1).filter(|at| *at < lines.len()) else { continue };
            if filled[at] || lines[at].micro_ops.is_empty() {
                filled[at] = true;
                let (pc, text, class, registers) = (op.pc, op.text, op.class, op.live.registers);
                lines[at].micro_ops.push(MicroOp { pc, text, class, registers });
            }
        }
    }
    // The lines say what these directives say.
    let is_place = |line: &PtxLine| line.text.trim_start().starts_with(".loc ");
    if is_cuda_c {
        lines.retain(|line| !is_place(line));
    }
    Ok(Lowered { is_cuda_c, lines })
}

/// The line of CUDA C of a line of PTX. The compiler writes a line of CUDA C as a comment before
/// its instructions.
fn origin(source: &Source, number: u32, text: &str, file: &str) -> u32 {
    let text = text.trim();
    if text.is_empty() || text == "}" {
        return 0;
    }
    let number = if text.starts_with("//") { number + 1 } else { number };
    let origin = source.files().origin(number).filter(|origin| origin.file == file);
    origin.map_or(0, |origin| origin.line)
}
