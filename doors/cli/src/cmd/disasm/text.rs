//! Lowered kernels as text: PTX lines as comments, each followed by its micro-ops with the
//! registers that are live after them. `isa::uop::assemble` can parse the text, because all
//! additions are comments after semicolons.

use super::Disassembled;
use crate::render::number::plural;
use crate::render::table::line;
use isa::source::Files;
use report::micro_ops::{Line, Listing, RegisterCounts, Variable};

/// Column at which comments begin.
const COMMENTS: usize = 50;

/// Returns the text of the whole file.
pub fn render(file: &Disassembled) -> String {
    let mut out = String::new();
    let kernels = plural(file.kernels.len() as u64, "kernel");
    line(&mut out, format!("; {}: {kernels}, lowered to micro-ops", file.file));
    for (number, variable) in file.globals.iter().enumerate() {
        line(&mut out, format!("; #global{number}: {} {}, {}", variable.ty, variable.name, bytes(variable)));
    }
    variables(&mut out, ".const", &file.constants);
    for kernel in &file.kernels {
        out.push('\n');
        listing(&mut out, kernel, &file.files);
    }
    out
}

fn bytes(variable: &Variable) -> String {
    if variable.bytes == 0 {
        "size defined by the launch".to_owned()
    } else {
        plural(variable.bytes.into(), "byte")
    }
}

fn variables(out: &mut String, space: &str, variables: &[Variable]) {
    for variable in variables {
        line(
            out,
            format!(
                "; {space} [{}]: {} {}, {}",
                variable.offset,
                variable.ty,
                variable.name,
                bytes(variable)
            ),
        );
    }
}

fn listing(out: &mut String, kernel: &Listing, files: &Files) {
    line(out, kernel.head.trim_end());
    variables(out, ".param", &kernel.params);
    variables(out, ".shared", &kernel.shared);
    let micro_ops = plural(kernel.code.len() as u64, "micro-op");
    let registers = plural(kernel.registers.into(), "register");
    line(out, format!("; for capability {}: {micro_ops}, {registers} per thread", kernel.target));
    line(out, "; after each micro-op: the number of live registers of a thread (* maximum), and their names");
    if kernel.entry_live != (RegisterCounts { registers: 0, w: Vec::new(), d: Vec::new(), p: Vec::new() }) {
        let (registers, rows) = (kernel.entry_live.registers, rows(&kernel.entry_live));
        line(out, format!("; read though never written: {registers}  {rows}"));
    }
    for step in &kernel.code {
        before(out, step, files);
        let text = format!("{:>7}  {}", step.pc, step.text);
        let most = if kernel.most_live.binary_search(&step.pc).is_ok() { '*' } else { ' ' };
        let live = format!("{:>3}{most} {}", step.live.registers, rows(&step.live));
        line(out, format!("{text:<COMMENTS$} ; {}", live.trim_end()));
    }
}

/// Writes the lines before a micro-op: the head of a function, labels, the beginning of a basic
/// block, the PTX instruction.
fn before(out: &mut String, step: &Line, files: &Files) {
    if let Some(function) = &step.function {
        line(out, function);
    }
    for label in &step.labels {
        line(out, format!("{label}:"));
    }
    if let Some(block) = step.block {
        let joins: Vec<String> = step.reconverges.iter().map(ToString::to_string).collect();
        let joins = if joins.is_empty() {
            String::new()
        } else {
            format!(": lanes that diverge at {} reconverge", joins.join(", "))
        };
        line(out, format!("; B{block}{joins}"));
    }
    if !step.continues {
        line(out, format!("; {:>4}  {}", files.place(step.line), step.ptx));
    }
}

/// Formats register numbers: `w0-2,5 d1 p0`.
fn rows(rows: &RegisterCounts) -> String {
    let files = [('w', &rows.w), ('d', &rows.d), ('p', &rows.p)];
    let files = files.iter().filter(|(_, rows)| !rows.is_empty());
    let text: Vec<String> = files.map(|(letter, rows)| format!("{letter}{}", runs(rows))).collect();
    text.join(" ")
}

/// Formats ascending numbers, with consecutive numbers as ranges.
fn runs(numbers: &[u32]) -> String {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == *number => *last = *number,
            _ => runs.push((*number, *number)),
        }
    }
    let text = runs.iter().map(|(a, b)| if a == b { a.to_string() } else { format!("{a}-{b}") });
    text.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;
    use isa::uop::assemble;

    /// The printed text is valid text form.
    ///
    /// Tests: `disassembly-is-complete`.
    #[test]
    fn the_printed_text_can_be_parsed() {
        for workload in kernels::all() {
            let (module, _) = isa::compile(workload.file, workload.ptx);
            let module = module.expect("it compiles");
            let mut text = String::new();
            module
                .entries
                .iter()
                .for_each(|program| listing(&mut text, &Listing::of(program), &Files::default()));
            let read = assemble::parse(&text).expect("the text is valid");
            let programs: Vec<assemble::Listing> =
                module.entries.iter().map(|program| assemble::Listing::from(&**program)).collect();
            assert_eq!(read, programs);
        }
    }

    #[test]
    fn consecutive_numbers_become_a_range() {
        assert_eq!(runs(&[0, 1, 2, 5, 7, 8]), "0-2,5,7-8");
        assert_eq!(runs(&[]), "");
    }
}
