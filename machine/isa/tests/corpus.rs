//! PTX from a real compiler, and the book's kernels, must compile and verify.

use isa::diag::render_all;
use isa::uop::verify::verify;
use std::path::PathBuf;

/// Returns the files of a folder of the workspace, sorted by name.
fn files(folder: &str) -> Vec<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .collect();
    files.sort();
    files
}

/// Tests: `verified-programs-do-not-panic`.
#[test]
fn recorded_kernels_compile_and_verify() {
    let folders = [
        ("clang13-sm1x", 64, 36),
        ("clang13-sm1x-m32", 32, 36),
        ("clang13-sm20", 64, 46),
        ("clang13-sm20-m32", 32, 46),
    ];
    for (folder, bits, kernels) in folders {
        let files: Vec<_> = test_support::record::ptx(&format!("ptx/{folder}/")).collect();
        assert_eq!(files.len(), kernels, "{folder}");
        for (name, text) in files {
            let (module, diagnostics) = isa::compile(name, text);
            let Some(module) = module else { panic!("{}", render_all(&diagnostics, name, text)) };
            // Only a header newer than the supported version is reported.
            let newer: Vec<&str> = if folder.contains("sm20") { vec!["W0302"] } else { Vec::new() };
            let found: Vec<&str> = diagnostics.iter().map(|d| d.code).collect();
            assert_eq!(found, newer, "{}", render_all(&diagnostics, name, text));
            let kernel = name.rsplit(['/', '.']).nth(1).expect("a file has a name");
            let program = module.entry(kernel).unwrap_or_else(|| panic!("{name} has no entry `{kernel}`"));
            assert_eq!(verify(program), Ok(()), "{name}");
            assert_eq!(program.address_bits, bits, "{name}");
            assert!((2..=30).contains(&program.registers), "{name}: {} registers", program.registers);
        }
    }
}

#[test]
fn the_books_kernels_compile_and_verify() {
    // Templates become PTX text only when their parameters are filled in. The tests of the kernels
    // crate compile and verify them.
    let is_ptx = |file: &PathBuf| file.extension().is_some_and(|extension| extension == "ptx");
    let files: Vec<PathBuf> =
        ["kernels/ptx", "kernels/ptx/book", "kernels/ptx/matmul", "kernels/ptx/measure"]
            .into_iter()
            .flat_map(files)
            .filter(is_ptx)
            .collect();
    assert!(files.len() >= 15, "{}", files.len());
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
