//! Registers per thread against NVIDIA's assembler: recorded kernels, and products that clang 19
//! has unrolled with constant sizes (the kernels of `tiled_*.ptx`, `blocked_4x4.ptx`).
//!
//! `table.tsv` has the registers that ptxas 11.8 reports (`ptxas -v -arch sm_35 -fmad=false`, the
//! lowest target that it has; header `.version 7.8`, `.target sm_35`), and the simulator's.
//! Columns:
//! file, entry, registers of ptxas, registers here. The test needs no ptxas. After a change on
//! purpose, `BLESS=1 cargo test -p isa --test registers` writes the last column.

use isa::diag::render_all;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Largest quotient of a row.
const MOST: f64 = 1.15;

/// Rows above [`MOST`], each with its reason.
const ABOVE: [(&str, &str); 1] = [(
    "ptx/clang13-sm1x/matmul_tile8.ptx",
    "a module for 1.x adds to global addresses, where sm_35 has offsets in the instructions",
)];

struct RegisterExcess {
    file: String,
    entry: String,
    assembler: u32,
    recorded: u32,
    found: u32,
}

impl RegisterExcess {
    fn quotient(&self) -> f64 {
        f64::from(self.found) / f64::from(self.assembler)
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/registers")
}

/// Returns the text of a file of the table: beside it, or a recorded one.
fn text(file: &str) -> String {
    if file.contains('/') {
        test_support::record::text(file).expect("a recorded file").to_owned()
    } else {
        std::fs::read_to_string(folder().join(file)).expect("a file beside the table")
    }
}

fn rows() -> Vec<RegisterExcess> {
    let table = std::fs::read_to_string(folder().join("table.tsv")).expect("the table");
    let mut modules: BTreeMap<String, isa::uop::Module> = BTreeMap::new();
    let mut rows = Vec::new();
    for line in table.lines() {
        let columns: Vec<&str> = line.split('\t').collect();
        let [file, entry, assembler, recorded] = columns[..] else { panic!("four columns: {line}") };
        let module = modules.entry(file.to_owned()).or_insert_with(|| {
            let text = text(file);
            let (module, diagnostics) = isa::compile(file, &text);
            module.unwrap_or_else(|| panic!("{}", render_all(&diagnostics, file, &text)))
        });
        let program = module.entry(entry).unwrap_or_else(|| panic!("{file} has no entry {entry}"));
        assert_eq!(program.spills.stack_bytes, 0, "{file}");
        rows.push(RegisterExcess {
            file: file.to_owned(),
            entry: entry.to_owned(),
            assembler: assembler.parse().expect("a number"),
            recorded: recorded.parse().expect("a number"),
            found: program.registers,
        });
    }
    rows
}

#[test]
fn kernels_need_as_many_registers_as_recorded() {
    let rows = rows();
    if std::env::var_os("BLESS").is_some() {
        let mut table = String::new();
        for RegisterExcess { file, entry, assembler, found, .. } in &rows {
            let _ = writeln!(table, "{file}\t{entry}\t{assembler}\t{found}");
        }
        std::fs::write(folder().join("table.tsv"), table).expect("the table is written");
        return;
    }
    let changed = rows.iter().filter(|row| row.found != row.recorded);
    let changed: Vec<String> =
        changed.map(|row| format!("{} {}: {}, {}", row.file, row.entry, row.recorded, row.found)).collect();
    assert!(changed.is_empty(), "recorded, found:\n{}", changed.join("\n"));
}

#[test]
fn kernels_need_at_most_15_percent_more_registers_than_with_ptxas() {
    let mut rows = rows();
    assert!(rows.len() > 280, "{} rows", rows.len());
    rows.sort_by(|a, b| a.quotient().total_cmp(&b.quotient()));
    let at = |part: f64| rows[(rows.len() as f64 * part) as usize].quotient();
    assert!(at(0.5) < 0.8, "median {}", at(0.5));
    assert!(at(0.9) < 0.95, "90th percentile {}", at(0.9));
    let above: Vec<&str> =
        rows.iter().filter(|row| row.quotient() > MOST).map(|row| row.file.as_str()).collect();
    assert_eq!(above, ABOVE.map(|(file, _)| file));
}

/// A tiled product whose sums clang has moved to the end of the kernel.
#[test]
fn an_unrolled_product_needs_about_20_registers() {
    let tiled: Vec<RegisterExcess> =
        rows().into_iter().filter(|row| row.file.starts_with("tiled_")).collect();
    assert_eq!(tiled.len(), 4);
    for row in tiled {
        assert!(row.found <= 21, "{}: {} registers", row.file, row.found);
    }
}

/// On chips of 1.x a block of 256 threads of the product fits.
#[test]
fn an_unrolled_product_fits_on_chips_of_1_x() {
    for target in ["sm_10", "sm_13"] {
        let chip = isa::types::Capability::from_target(target);
        let asked = isa::options::Compilation { chip, ..Default::default() };
        let source =
            std::sync::Arc::new(isa::source::Source::new("tiled_64x16.ptx", text("tiled_64x16.ptx")));
        let (module, _) = isa::compile_for(&source, asked);
        let registers = module.expect("it is lowered").entries[0].registers;
        assert!(registers <= 20, "{target}: {registers} registers");
    }
}
