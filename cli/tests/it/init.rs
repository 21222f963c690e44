//! Launch files that `warpsim init` writes: they run, and no existing file is lost.

use crate::common::{Run, data, scratch, warpsim, warpsim_with};
use std::fs;

#[test]
fn the_launch_file_runs_as_it_is_written() {
    let folder = scratch("init");
    fs::copy(data().join("symbols.ptx"), folder.join("symbols.ptx")).expect("copied");
    let path = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
    let (ptx, launch) = (path("symbols.ptx"), path("launch.ron"));
    let Run { code, stdout, stderr } = warpsim_with(&["init", &ptx, "-o", &launch]);
    assert_eq!((code, stdout.as_str()), (Some(0), ""), "{stderr}");
    let text = fs::read_to_string(&launch).expect("written");
    assert_eq!(stderr, format!("wrote {launch} ({} bytes)\n", text.len()));
    assert!(text.contains(&format!("//   warpsim run {ptx} --launch {launch}\n")), "{text}");
    let Run { code, stderr, .. } = warpsim_with(&["run", &ptx, "--launch", &launch]);
    assert_eq!(code, Some(0), "{stderr}");
}

#[test]
fn an_existing_file_is_never_overwritten() {
    let folder = scratch("init-existing");
    for name in ["launch.ron", "symbols.ptx"] {
        fs::copy(data().join("symbols.ptx"), folder.join(name)).expect("copied");
    }
    let before = fs::read(data().join("symbols.ptx")).expect("readable");
    let path = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
    for name in ["launch.ron", "symbols.ptx"] {
        let Run { code, stdout, stderr } =
            warpsim_with(&["init", &path("symbols.ptx"), "--output", &path(name)]);
        assert_eq!((code, stdout.as_str()), (Some(2), ""));
        let message = format!("error: cannot write {}: the file exists\nhelp: choose a new name", path(name));
        assert!(stderr.starts_with(&message), "{stderr}");
        assert_eq!(fs::read(path(name)).expect("readable"), before);
    }
}

#[test]
fn bad_input_is_refused_with_the_usual_messages() {
    for (line, message) in [
        ("init", "required"),
        ("init nothing.ptx", "cannot read nothing.ptx"),
        ("init matmul-tilde", "did you mean `matmul-tiled`?"),
        ("init broken.ptx", "error["),
        ("init symbols.ptx --entry nothing", "unknown kernel `nothing` in symbols.ptx"),
        ("init symbols.ptx -o nowhere/launch.ron", "cannot write nowhere/launch.ron"),
        ("init symbols.ptx -o .", "the path is a folder"),
    ] {
        let Run { code, stdout, stderr } = warpsim(line);
        assert_eq!((code, stdout.as_str()), (Some(2), ""), "{line}");
        assert!(stderr.contains(message), "{line}: {stderr}");
    }
}
