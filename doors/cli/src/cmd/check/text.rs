//! Checked PTX files as text: resources and control flow of each kernel, and accuracy of the
//! instructions.

use super::Checked;
use super::fidelity::{SiliconAgreement, Uses};
use super::kernel::{Block, Branch, Kernel, OnChip};
use crate::render::number::{count, percent, plural, spilled};
use crate::render::table::{Column, Columns, NARROW, heading_within, line};
use crate::rules::Named;
use isa::mangled::titled;
use isa::source::Files;
use isa::terms::Terms;

/// Maximum number of characters of an instruction's text.
const TEXT: usize = 30;

/// Returns the text of all files.
pub fn render(named: Option<&Named>, files: &[Checked]) -> String {
    let mut out = String::new();
    for (i, file) in files.iter().enumerate() {
        if i > 0 {
            out.push('\n');
        }
        line(&mut out, verdict(file));
        for kernel in &file.kernels {
            let title =
                format!("Kernel `{}`, compiled for capability {}", titled(&kernel.name), kernel.target);
            out += &heading_within(&title, NARROW);
            out += &needs(kernel, file);
            if let (Some(named), Some(chip)) = (named, &kernel.chip) {
                out += &on_chip(named, chip, Terms::of(&file.files));
            }
            out += "\n Basic blocks, and the block in which the lanes that stay join\n";
            out += &blocks(&kernel.blocks, &file.files);
            if !kernel.branches.is_empty() {
                out += "\n Branches with a guard: here the lanes of a warp may diverge\n";
                out += &branches(&kernel.branches, &file.files);
            }
        }
        out += &fidelity(&file.fidelity, &file.files);
    }
    out
}

/// Returns the table at the end of each file.
fn fidelity(uses: &[Uses], files: &Files) -> String {
    if uses.is_empty() {
        return String::new();
    }
    let count = |wanted: fn(&SiliconAgreement) -> bool| uses.iter().filter(|u| wanted(&u.result)).count();
    let counts = [
        (count(|result| *result == SiliconAgreement::Exact), "exact"),
        (count(|result| matches!(result, SiliconAgreement::Approximate { .. })), "approximate"),
        (count(|result| matches!(result, SiliconAgreement::Refused { .. })), "refused"),
    ];
    let counts: Vec<String> =
        counts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")).collect();
    let mut out = heading_within(&format!("Fidelity to the silicon: {}", counts.join(", ")), NARROW);
    let columns = [Column::Words(26), Column::Numbers(5), Column::Rest];
    let mut table = Columns::new(&columns).narrow().titles(&["instruction", "uses", "result"]);
    for uses in uses {
        let result = match &uses.result {
            SiliconAgreement::Exact => "exact".to_owned(),
            SiliconAgreement::Approximate { bound, .. } => format!("within {bound}"),
            SiliconAgreement::Refused { code, reason } => {
                format!("refused, {}: {reason} ({code})", at_lines(&uses.lines, files))
            }
        };
        table.row(&[&uses.instruction, &uses.uses.to_string(), &result]);
    }
    out += &table.draw();
    out
}

fn verdict(file: &Checked) -> String {
    if file.unreadable.is_some() {
        // A word without a dot or a slash was meant as a kernel name.
        let what = if file.file.contains(['.', '/', '\\']) { "not checked" } else { "unknown kernel" };
        return format!("{}: {what}", file.file);
    }
    let (errors, warnings) = (file.count(true) as u64, file.count(false) as u64);
    let kernels = file.kernels.len() as u64;
    match (errors, warnings) {
        (0, 0) => format!("{}: fine, {}", file.file, plural(kernels, "kernel")),
        (0, _) => format!("{}: {}, {}", file.file, plural(warnings, "warning"), plural(kernels, "kernel")),
        (_, 0) => format!("{}: {}", file.file, plural(errors, "error")),
        _ => format!("{}: {}, {}", file.file, plural(errors, "error"), plural(warnings, "warning")),
    }
}

/// Column of the names of rows.
fn label_column(terms: &Terms) -> Column {
    Column::Words(if terms.is_opencl() { 39 } else { 24 })
}

fn needs(kernel: &Kernel, file: &Checked) -> String {
    let mut table = Columns::new(&[label_column(Terms::of(&file.files)), Column::Rest]).narrow();
    let bytes = |n: u32| plural(n.into(), "byte");
    let terms = Terms::of(&file.files);
    let Terms { thread, block, shared, local, .. } = terms;
    let registers = match kernel.given_registers {
        Some(given) => format!("{given} (given; by liveness {})", kernel.registers),
        None => kernel.registers.to_string(),
    };
    table.row(&[&format!("registers per {thread}"), &registers]);
    if let Some(spills) = kernel.spills {
        table.row(&["spilled registers", &spilled(spills)]);
    }
    let dynamic = if kernel.dynamic_shared { ", and what the launch adds (dynamic)" } else { "" };
    let of_block = format!("{}{dynamic}", bytes(kernel.shared_bytes));
    table.row(&[&format!("{shared} per {block}"), &of_block]);
    table.row(&[&format!("{local} per {thread}"), &bytes(kernel.local_bytes)]);
    let params = match kernel.params.len() {
        0 => bytes(0),
        _ => format!("{}: {}", bytes(kernel.param_bytes), kernel.params.join(", ")),
    };
    table.row(&["parameters", &params]);
    table.row(&["constant memory", &format!("{} (of the file)", bytes(file.const_bytes.unwrap_or(0)))]);
    if !file.globals.is_empty() {
        let list: Vec<String> =
            file.globals.iter().map(|v| format!("{} of {}", v.name, bytes(v.bytes))).collect();
        table.row(&["global variables", &format!("{} (of the file)", list.join(", "))]);
    }
    let required = format!("{block} size ({})", terms.required);
    for (name, block) in [(&*required, kernel.required_block), (".maxntid", kernel.max_block)] {
        if let Some([x, y, z]) = block {
            table.row(&[name, &format!("({x},{y},{z})")]);
        }
    }
    table.row(&["instructions (lowered)", &count(kernel.instructions as u64)]);
    let barriers = match kernel.barriers.as_slice() {
        [] => "none".to_owned(),
        lines => format!("{} in {}", lines.len(), at_lines(lines, &file.files)),
    };
    table.row(&["barriers", &barriers]);
    table.draw()
}

fn at_lines(lines: &[u32], files: &Files) -> String {
    let list: Vec<String> = lines.iter().map(|line| files.place(*line).to_string()).collect();
    format!("line{} {}", if list.len() == 1 { "" } else { "s" }, list.join(", "))
}

fn on_chip(named: &Named, chip: &OnChip, terms: &Terms) -> String {
    let mut table = Columns::new(&[label_column(terms), Column::Rest]).narrow();
    let Terms { thread, block, .. } = terms;
    let title = format!("on {}", named.name);
    for (i, refusal) in chip.refusals.iter().enumerate() {
        let why = refusal.message.split_once("refused: ").map_or(refusal.message.as_str(), |(_, why)| why);
        table.row(&[if i == 0 { &title } else { "" }, &format!("cannot be launched: {why}")]);
    }
    if chip.refusals.is_empty() {
        let words = match (&chip.occupancy, &chip.block, &chip.best) {
            (Some(o), Some([x, y, z]), _) => format!(
                "{} of ({x},{y},{z}), {} of {} warps: {} %; limited by {}",
                plural(o.blocks.into(), block),
                o.warps,
                chip.warp_slots,
                percent(o.occupancy),
                o.limiters.iter().map(|l| l.name(terms)).collect::<Vec<_>>().join(", ")
            ),
            (_, _, Some(best)) => {
                let sizes: Vec<String> = best.threads.iter().map(ToString::to_string).collect();
                let (share, sizes) = (percent(best.occupancy), sizes.join(", "));
                format!("at best {share} % of the warp slots, with {sizes} {thread}s per {block}")
            }
            _ => format!("fits in no {block} of whole warps"),
        };
        table.row(&[&title, &words]);
    }
    table.draw()
}

fn blocks(blocks: &[Block], files: &Files) -> String {
    let columns = [
        Column::Words(7),
        Column::Words(10),
        Column::Numbers(9),
        Column::Numbers(7),
        Column::Words(13),
        Column::Words(12),
        Column::Rest,
    ];
    let titles = ["block", "lines", "instr.", "barr.", "successors", "join in", "label"];
    let mut table = Columns::new(&columns).narrow().titles(&titles);
    let mut function = None;
    for (number, block) in blocks.iter().enumerate() {
        let mut words: Vec<String> = Vec::new();
        if block.function.as_ref() != function {
            function = block.function.as_ref();
            words.extend(function.map(|name| format!(".func {name}")));
        }
        words.extend(block.labels.iter().cloned());
        words.extend(block.calls.iter().map(|name| format!("calls {name}")));
        let mut next: Vec<String> = block.successors.iter().map(|to| format!("B{to}")).collect();
        if block.exits {
            next.push(if function.is_some() { "return" } else { "end" }.to_owned());
        }
        let lines = if block.first_line == block.last_line {
            files.place(block.first_line).to_string()
        } else {
            let last = files.at(block.last_line).map_or(0, |(_, line)| line);
            format!("{}-{last}", files.place(block.first_line))
        };
        let barriers = if block.barriers == 0 { String::new() } else { block.barriers.to_string() };
        table.row(&[
            &format!("B{number}"),
            &lines,
            &block.instructions.to_string(),
            &barriers,
            &next.join(", "),
            &meeting(block.post_dominator),
            &words.join(", "),
        ]);
    }
    table.draw()
}

fn meeting(block: Option<u32>) -> String {
    block.map_or_else(|| "end".to_owned(), |block| format!("B{block}"))
}

fn branches(branches: &[Branch], files: &Files) -> String {
    let columns = [Column::Words(7), Column::Words(6), Column::Words(32), Column::Rest];
    let titles = ["block", "line", "instruction", "reconvergence"];
    let mut table = Columns::new(&columns).narrow().titles(&titles);
    for branch in branches {
        let again = match (branch.reconverges, branch.reconvergence_line) {
            (Some(block), Some(line)) => format!("in B{block}, line {}", files.place(line)),
            _ => "only at the end".to_owned(),
        };
        let text: Vec<&str> = branch.text.split_whitespace().collect();
        let text: String = text.join(" ").chars().take(TEXT).collect();
        table.row(&[&format!("B{}", branch.block), &files.place(branch.line).to_string(), &text, &again]);
    }
    table.draw()
}
