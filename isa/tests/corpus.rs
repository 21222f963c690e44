//! PTX made by a real compiler, and the book's kernels, must compile and verify.
//!
//! The recorded corpus lies beside the repository and is optional here; without it the test says so and passes. The
//! workspace's own test suite runs copies of the same files.

use isa::diag::render_all;
use isa::uop::verify::verify;
use std::io::Write;
use std::path::PathBuf;

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

#[test]
fn recorded_kernels_compile_and_verify() {
    let root = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/ptx/ptx"));
    if !root.exists() {
        // Written past the test harness, which hides what passing tests print.
        let told = std::io::stderr().write_all(b"SKIPPED: no recorded corpus beside the repository\n");
        told.expect("standard error can be written");
        return;
    }
    for (folder, bits) in [("clang13-sm1x", 64), ("clang13-sm1x-m32", 32)] {
        for kernel in KERNELS {
            let name = format!("{folder}/{kernel}.ptx");
            let text = std::fs::read_to_string(root.join(&name)).expect("the corpus is complete");
            let (module, diagnostics) = isa::compile(&name, &text);
            let Some(module) = module else { panic!("{}", render_all(&diagnostics, &name, &text)) };
            assert_eq!(diagnostics.len(), 0, "{}", render_all(&diagnostics, &name, &text));
            let program = module.entry(kernel).unwrap_or_else(|| panic!("{name} has its entry"));
            assert_eq!(verify(program), Ok(()), "{name}");
            assert_eq!(program.address_bits, bits, "{name}");
            assert!((2..=30).contains(&program.registers), "{name}: {} registers", program.registers);
        }
    }
}

#[test]
fn the_books_kernels_compile_and_verify() {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../kernels/ptx"));
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 5);
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let name = file.file_name().unwrap().to_string_lossy();
        let (module, diagnostics) = isa::compile(&name, &text);
        let Some(module) = module else { panic!("{}", render_all(&diagnostics, &name, &text)) };
        for program in &module.entries {
            assert_eq!(verify(program), Ok(()), "{name}");
            assert_eq!(program.address_bits, 32, "{name}");
        }
    }
}
