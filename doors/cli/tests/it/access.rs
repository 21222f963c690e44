//! Tests of untrusted launch files and chip files: they cannot reach files outside their folder.

use crate::common::{Run, command, data, scratch};
use std::fs;
use std::path::{Path, PathBuf};

/// Returns a folder with a `safe` folder for the files of the run, and a file outside it.
fn prepared(name: &str) -> PathBuf {
    let folder = scratch(name);
    let safe = folder.join("safe");
    fs::create_dir(&safe).expect("made");
    for file in ["symbols.ptx", "symbols.ron", "y.expected.bin"] {
        fs::copy(data().join(file), safe.join(file)).expect("copied");
    }
    fs::copy(data().join("x.bin"), folder.join("x.bin")).expect("copied");
    folder
}

/// Replaces text in the launch file.
fn edit(folder: &Path, from: &str, to: &str) {
    let path = folder.join("safe/symbols.ron");
    let text = fs::read_to_string(data().join("symbols.ron")).expect("there");
    let text = text.replace("\"x.bin\"", "\"../x.bin\"");
    assert!(text.contains(from), "{from}");
    fs::write(path, text.replace(from, to)).expect("written");
}

/// Runs the program in the safe folder.
fn run(folder: &Path, more: &[&str]) -> Run {
    let arguments = [&["run", "symbols.ptx", "--launch", "symbols.ron"], more].concat();
    let output = command(&arguments).current_dir(folder.join("safe")).output().expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    Run { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

fn refused(folder: &Path, parts: &[&str]) {
    let Run { code, stderr, .. } = run(folder, &[]);
    assert_eq!(code, Some(2), "{stderr}");
    for part in parts {
        assert!(stderr.contains(part), "`{part}` is missing in\n{stderr}");
    }
}

/// Tests: `files-name-files-below`.
#[test]
fn a_launch_file_reads_only_below_its_own_folder() {
    let folder = prepared("access-read");
    edit(&folder, "\"../x.bin\"", "\"../x.bin\"");
    refused(&folder, &["error[E0608]", "../x.bin", "--allow-path"]);
    let absolute = folder.join("x.bin");
    edit(&folder, "../x.bin", absolute.to_str().expect("UTF-8"));
    refused(&folder, &["error[E0608]", "--allow-path"]);
    edit(&folder, "../x.bin", "../safe/../x.bin");
    refused(&folder, &["error[E0608]", "--allow-path"]);
    let Run { code, stderr, .. } = run(&folder, &["--allow-path", ".."]);
    assert_eq!(code, Some(0), "{stderr}");
    let Run { code, stderr, .. } = run(&folder, &["--allow-path", "missing"]);
    assert!(code == Some(2) && stderr.contains("--allow-path missing"), "{stderr}");
}

/// Tests: `files-name-files-below`.
#[test]
fn a_launch_file_expects_and_dumps_only_below_its_own_folder() {
    let folder = prepared("access-write");
    fs::copy(folder.join("x.bin"), folder.join("safe/x.bin")).expect("copied");
    for (from, to) in [("\"y.out\"", "\"../y.out\""), ("\"y.expected.bin\"", "\"../safe/../x.bin\"")] {
        edit(&folder, from, to);
        let path = folder.join("safe/symbols.ron");
        let text = fs::read_to_string(&path).expect("there").replacen("\"../x.bin\"", "\"x.bin\"", 1);
        fs::write(path, text).expect("written");
        refused(&folder, &["error[E0608]", "--allow-path"]);
        assert!(!folder.join("y.out").exists());
    }
}

#[cfg(unix)]
/// Tests: `files-name-files-below`.
#[test]
fn a_symbolic_link_cannot_leave_the_folder() {
    let folder = prepared("access-link");
    std::os::unix::fs::symlink("../x.bin", folder.join("safe/inside.bin")).expect("linked");
    std::os::unix::fs::symlink("../new.bin", folder.join("safe/dangling.bin")).expect("linked");
    edit(&folder, "../x.bin", "inside.bin");
    refused(&folder, &["error[E0608]", "inside.bin", "--allow-path"]);
    fs::copy(folder.join("x.bin"), folder.join("safe/x.bin")).expect("copied");
    edit(&folder, "\"y.out\"", "\"dangling.bin\"");
    refused(&folder, &["error[E0608]", "dangling.bin", "--allow-path"]);
    assert!(!folder.join("new.bin").exists());
}

/// A pipe without a writer would block, and a device may have any effect.
#[cfg(unix)]
/// Tests: `files-name-files-below`.
#[test]
fn a_launch_file_names_neither_pipes_nor_devices() {
    let folder = prepared("access-fifo");
    let pipe = folder.join("safe/pipe.ron");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo exists");
    assert!(made.success());
    edit(&folder, "../x.bin", "pipe.ron");
    refused(&folder, &["error[E0603]", "not a regular file"]);
    fs::copy(folder.join("x.bin"), folder.join("safe/x.bin")).expect("copied");
    edit(&folder, "\"../x.bin\"", "\"x.bin\"");
    let path = folder.join("safe/symbols.ron");
    let text = fs::read_to_string(&path).expect("there");
    fs::write(&path, text.replace("\"y.out\"", "\"pipe.ron\"")).expect("written");
    refused(&folder, &["error[E0603]", "not a regular file"]);
    fs::write(&path, text.replace("\"y.out\"", "\"/dev/null\"")).expect("written");
    let Run { code, stderr, .. } = run(&folder, &["--allow-path", "/dev"]);
    assert!(code == Some(2) && stderr.contains("not a regular file"), "{stderr}");
    fs::write(folder.join("safe/chip.ron"), "(base: \"pipe.ron\")").expect("written");
    let Run { code, stderr, .. } = run(&folder, &["--chip", "chip.ron"]);
    assert!(code == Some(2) && stderr.contains("not a regular file"), "{stderr}");
}

/// Tests: `files-name-files-below`.
#[test]
fn a_base_is_below_the_folder_of_its_chip() {
    let folder = prepared("access-base");
    let g80 = concat!(env!("CARGO_MANIFEST_DIR"), "/../../configs/g80.ron");
    fs::copy(g80, folder.join("outside.ron")).expect("copied");
    fs::write(folder.join("safe/chip.ron"), "(base: \"../outside.ron\", name: \"mine\")").expect("written");
    let check = |more: &[&str]| {
        let arguments = [&["config", "check", "chip.ron"], more].concat();
        let output =
            command(&arguments).current_dir(folder.join("safe")).output().expect("the program starts");
        (output.status.code(), String::from_utf8(output.stderr).expect("UTF-8"))
    };
    let (code, output_text) = check(&[]);
    assert!(
        code == Some(2) && output_text.contains("../outside.ron") && output_text.contains("--allow-path"),
        "{output_text}"
    );
    let (code, output_text) = check(&["--allow-path", ".."]);
    assert_eq!(code, Some(0), "{output_text}");
}

/// Nothing of a file named as a chip file, launch file or base is shown unless it looks like one.
///
/// Tests: `files-name-files-below`.
#[test]
fn a_file_that_is_not_ron_is_not_quoted() {
    let folder = prepared("access-quote");
    let safe = folder.join("safe");
    let secrets = [
        ("users", "root:S3CRET:0:0::/root:/bin/sh\n"),
        ("word", "S3CRET"),
        ("string", "\"S3CRET\""),
        ("list", "[S3CRET, 7]"),
        ("commented", "// S3CRET\n/* S3CRET */ S3CRET = 7\n"),
        ("lisp", "(setq password \"S3CRET\")"),
        ("tuple", "(S3CRET, 7)"),
        ("empty", ""),
    ];
    for (name, text) in secrets {
        fs::write(safe.join(name), text).expect("written");
        fs::write(safe.join("chip.ron"), format!("(base: \"{name}\")")).expect("written");
        for arguments in [
            ["run", "vecadd", "--chip", name],
            ["run", "vecadd", "--chip", "chip.ron"],
            ["run", "symbols.ptx", "--launch", name],
            ["config", "show", "--chip", name],
        ] {
            let output = command(&arguments).current_dir(&safe).output().expect("the program starts");
            let output_text = String::from_utf8([output.stdout, output.stderr].concat()).expect("UTF-8");
            assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output_text}");
            assert!(!output_text.contains("S3CRET"), "{arguments:?}: {output_text}");
            if !arguments.contains(&"config") {
                assert!(
                    output_text.contains("line 1, column 1") || name == "commented",
                    "{arguments:?}: {output_text}"
                );
                assert!(
                    output_text.contains("expected `(` and the name of a field"),
                    "{arguments:?}: {output_text}"
                );
            }
        }
    }
}

/// A terminal would execute control characters.
#[cfg(unix)]
/// Tests: `files-name-files-below`.
#[test]
fn control_characters_are_shown_escaped() {
    let folder = prepared("access-escape");
    let safe = folder.join("safe");
    fs::copy(folder.join("x.bin"), safe.join("x.bin")).expect("copied");
    let text = fs::read_to_string(safe.join("symbols.ron")).expect("there");
    let odd = "a\u{1b}]0;title\u{7}\u{9b}b\nc";
    fs::write(safe.join(odd), &text).expect("written");
    fs::write(safe.join("odd.ron"), text.replace("\"y\"", "\"y\\u{1b}[2J\"")).expect("written");
    let ptx = fs::read_to_string(safe.join("symbols.ptx")).expect("there");
    fs::write(safe.join("odd.ptx"), ptx.replacen("\n{", "\n{ // \u{1b}[2J\n frob;", 1)).expect("written");
    for arguments in [
        &["run", "symbols.ptx", "--launch", odd, "--json", "/dev/null"][..],
        &["run", "symbols.ptx", "--launch", "symbols.ron", "--chip", odd],
        &["run", "symbols.ptx", "--launch", "odd.ron"],
        &["run", odd],
        &["run", "vecadd", odd],
        &["check", "odd.ptx"],
        &["check", "--source", odd],
        &["run", "symbols.ptx", "--launch", "symbols.ron", "--json", odd],
    ] {
        let output = command(arguments).current_dir(&safe).output().expect("the program starts");
        let output_text = String::from_utf8([output.stdout, output.stderr].concat()).expect("UTF-8");
        let raw = output_text.chars().find(|c| c.is_control() && !matches!(c, '\n' | '\t'));
        assert_eq!(raw, None, "{arguments:?}: {output_text}");
    }
}
