//! Tests of the forms: what an instruction resolves to, the rendered complaints, and two records of real compilers.

use super::*;
use crate::diag::render_all;
use crate::ptx::ast::Statement;
use crate::ptx::parse::parse;
use std::path::{Path, PathBuf};

/// All instructions of a body, in order.
fn instructions(statements: &[Statement], found: &mut Vec<Instruction>) {
    for statement in statements {
        match statement {
            Statement::Instruction(inst) => found.push(inst.clone()),
            Statement::Block(inner) => instructions(inner, found),
            _ => {}
        }
    }
}

/// The instructions of a text that stands inside an entry, and the whole module.
fn parsed(body: &str) -> (Vec<Instruction>, String) {
    let text = format!(".version 1.4\n.target sm_10\n.entry k {{\n{body}\n}}\n");
    let (ast, diagnostics) = parse(&text);
    assert!(diagnostics.is_empty(), "{}", render_all(&diagnostics, "k.ptx", &text));
    let mut found = Vec::new();
    instructions(ast.functions[0].body.as_deref().unwrap_or_default(), &mut found);
    (found, text)
}

/// Folder of the recorded corpus, if it is there.
fn corpus() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/ptx");
    if !folder.is_dir() {
        eprintln!("SKIPPED: there is no corpus beside the repository (../../shared/ptx)");
        return None;
    }
    Some(folder)
}

/// Every instruction of the kernels that must run has a form that is executed.
#[test]
fn the_kernels_of_the_corpus_resolve() {
    const KERNELS: [&str; 16] = [
        "vecadd",
        "vecadd_stride",
        "matmul_naive",
        "matmul_tile8",
        "matmul_tile16",
        "reduce_interleaved",
        "reduce_sequential",
        "transpose_naive",
        "transpose_tiled",
        "idx2d",
        "idx3d",
        "dot",
        "scan_hillis",
        "bitonic",
        "mandelbrot",
        "ctrl_nested",
    ];
    let Some(folder) = corpus() else { return };
    let mut complaints = String::new();
    for compiler in ["clang13-sm1x", "clang13-sm1x-m32"] {
        for kernel in KERNELS {
            let file = folder.join(format!("ptx/{compiler}/{kernel}.ptx"));
            let text = std::fs::read_to_string(&file).expect("a readable file");
            let (ast, _) = parse(&text);
            let mut found = Vec::new();
            for function in &ast.functions {
                instructions(function.body.as_deref().unwrap_or_default(), &mut found);
            }
            assert!(!found.is_empty(), "{} has no instruction", file.display());
            for inst in found {
                if let Err(diagnostics) = form(&inst) {
                    complaints += &render_all(&diagnostics, &file.display().to_string(), &text);
                    complaints += "\n";
                }
            }
        }
    }
    assert!(complaints.is_empty(), "{complaints}");
}

/// For the instructions that have rows, the table agrees with NVIDIA's assembler at `.version 2.3`, `sm_20`.
#[test]
fn the_table_agrees_with_the_assembler() {
    let Some(folder) = corpus() else { return };
    let table = std::fs::read_to_string(folder.join("legality.tsv")).expect("a readable file");
    let mut disagreements = Vec::new();
    let mut compared = 0;
    for line in table.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let (name, legal, text) = (cells[0], cells[13] == "A", cells[15]);
        // The last are probes of other rules than those of forms.
        if name.contains('+') || text.is_empty() || name.starts_with("syntax") {
            continue;
        }
        let (ast, diagnostics) = parse(&format!(".version 2.3\n.target sm_20\n.entry k {{\n{text}\n}}\n"));
        let mut found = Vec::new();
        instructions(ast.functions[0].body.as_deref().unwrap_or_default(), &mut found);
        let [inst] = found.as_slice() else { continue };
        if !FORMS.iter().any(|row| pattern::name(row) == inst.opcode.name) {
            continue;
        }
        compared += 1;
        let ours = diagnostics.is_empty()
            && form(inst).map_or_else(|found| found.iter().all(|d| d.code == "E0202"), |_| true);
        if ours != legal {
            disagreements.push(format!("{text} is {} there", if legal { "legal" } else { "illegal" }));
        }
    }
    assert!(compared > 1000, "only {compared} forms compared");
    assert!(disagreements.is_empty(), "{} of {compared}:\n{}", disagreements.len(), disagreements.join("\n"));
}
