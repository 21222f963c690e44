//! Errors: messages, exit codes, and no files left behind.

use crate::support::{Folder, outcome};
use std::fs;

/// Checks exit code 2 and a part of the message.
fn refused(arguments: &[&str], part: &str) {
    let folder = Folder::without_clang();
    folder.write("a.cu", "").write("b.cu", "").write("a.xyz", "");
    let (code, text) = folder.run(arguments);
    assert_eq!(code, 2, "{arguments:?}: {text}");
    assert!(text.starts_with("warpcc: error: ") && text.contains(part), "{arguments:?}: {text}");
}

#[test]
fn wrong_arguments_are_named() {
    refused(&[], "no input file");
    refused(&["--wrong", "a.cu"], "unknown option --wrong");
    refused(&["a.cu", "-o"], "a value must follow the option -o");
    refused(&["-c", "missing.cu"], "missing.cu: no such file");
    refused(&["-c", "a.cu", "b.cu", "-o", "x.o"], "-o names one result");
    refused(&["-c", "a.xyz"], "the kind of the file is unknown");
    refused(&["-c", "a.cu", "-maxrregcount=1000"], "from 1 to 255");
    refused(&["-c", "a.cu", "-ftz=maybe"], "true or false");
    refused(&["-c", "a.cu", "--device-arch", "sm_13"], "sm_20 or later");
    refused(&["-c", "a.cu", "-x", "fortran"], "must be cu, c++ or c");
    refused(&["@missing.rsp"], "cannot read the response file missing.rsp");
}

#[test]
fn a_missing_or_old_clang_is_explained() {
    let folder = Folder::without_clang();
    folder.write("a.cu", "").write("empty/file", "");
    let (code, text) = outcome(
        &folder.command(&["-c", "a.cu"]).env("PATH", folder.path("empty")).output().expect("it starts"),
    );
    // Homebrew's folder is searched too.
    if code != 0 {
        assert_eq!(code, 2, "{text}");
        for part in
            ["clang is not installed", "apt-get install", "dnf install", "brew install", "winget install"]
        {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
    let (code, text) = folder.run(&["-c", "a.cu", "--clang", "no-such-clang"]);
    assert_eq!((code, text.contains("no-such-clang (--clang) is not a clang")), (2, true), "{text}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        folder.write("old", "#!/bin/sh\necho 'Debian clang version 14.0.6'\n");
        let permissions = fs::Permissions::from_mode(0o755);
        fs::set_permissions(folder.path("old"), permissions).expect("a file can be made a program");
        let old = folder.path("old");
        let mut command = folder.command(&["-c", "a.cu"]);
        let (code, text) = outcome(&command.env("WARPSIM_CLANG", &old).output().expect("it starts"));
        assert_eq!(code, 2, "{text}");
        assert!(text.contains("(WARPSIM_CLANG) is clang 14; warpcc needs clang 16 or newer"), "{text}");
    }
}

#[test]
fn errors_of_clang_pass_through_and_temporary_files_are_removed() {
    let Some(folder) = Folder::new("errors of clang") else { return };
    folder.write("k.cu", "\n__global__ void k(int *p) { p[0] = unknown; }\n");
    let (code, text) = folder.run(&["-c", "k.cu"]);
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("k.cu:2:36: error: use of undeclared identifier 'unknown'"), "{text}");
    assert!(!folder.path("k.o").exists());
    let left = fs::read_dir(folder.temporary()).expect("the folder exists").count();
    assert_eq!(left, 0, "temporary files remain");
    // A hint at the architecture, if a later one is asked for.
    folder.write("s.cu", "__global__ void k(int *p) { p[0] = __shfl(p[0], 1); }\n");
    let (code, text) = folder.run(&["-c", "s.cu", "-arch=sm_35"]);
    assert!(code == 1 && text.contains("--device-arch sm_30"), "{text}");
    folder.good(&["-ptx", "s.cu", "-arch=sm_35", "--device-arch", "sm_30"]);
    assert!(folder.read("s.ptx").contains("shfl.idx.b32"));
}

#[test]
fn a_missing_library_is_explained() {
    let Some(folder) = Folder::new("a missing library") else { return };
    folder.write("k.cu", "int main() { return 0; }\n");
    let (code, text) = folder.run(&["k.cu", "--lib=nowhere"]);
    assert_eq!(code, 2, "{text}");
    assert!(
        text.contains("is in none of these folders:\n  nowhere\n") && text.contains("WARPSIM_LIB"),
        "{text}"
    );
}
