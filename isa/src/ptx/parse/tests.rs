//! Tests of the parser: the trees of good text, the rendered complaints about bad text, and a corpus.

use super::*;
use std::path::{Path, PathBuf};

/// All PTX files below a folder, in name order.
fn ptx_files(folder: &Path, files: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("a readable folder")
        .map(|e| e.expect("a readable entry").path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            ptx_files(&path, files);
        } else if path.extension().is_some_and(|e| e == "ptx") {
            files.push(path);
        }
    }
}

/// What compilers and generators wrote parses without a complaint.
#[test]
fn the_corpus_parses() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/ptx");
    if !folder.is_dir() {
        eprintln!("SKIPPED: there is no corpus beside the repository (../../shared/ptx)");
        return;
    }
    let mut files = Vec::new();
    ptx_files(&folder, &mut files);
    assert!(!files.is_empty(), "the corpus folder holds no PTX");
    let mut complaints = String::new();
    for file in &files {
        let text = std::fs::read_to_string(file).expect("a readable file");
        let (ast, diagnostics) = parse(&text);
        assert!(!ast.functions.is_empty(), "{} has no function", file.display());
        if let Some(first) = diagnostics.first() {
            complaints += &first.render(&file.display().to_string(), &text);
            complaints += "\n";
        }
    }
    assert!(complaints.is_empty(), "{complaints}");
}
