//! `warpsim picture`: the pictures of the documents, and command lines without a picture.

use crate::common::{Run, data, scratch, warpsim, warpsim_with};
use std::fs;
use std::path::PathBuf;

/// The pictures of docs/PICTURES.md: file, arguments.
const PICTURES: [(&str, &str); 12] = [
    ("stalls", "stalls matmul-tiled --chip g80 --size 64"),
    ("roofline", "roofline matmul-naive --chip g80 --with matmul-tiled --size 64"),
    ("occupancy", "occupancy matmul-tiled --chip g80"),
    ("timeline", "timeline matmul-tiled --chip g80 --size 64 --cycles 400..2399"),
    ("segments", "segments matmul-naive --size 64 --line 65 --line 66"),
    ("tree-interleaved", "tree reduce-interleaved --chip g80 --size 512"),
    ("tree-halving", "tree reduce-halving --chip g80 --size 512"),
    ("figure-6-16", "figure 6.16 --chip g80 --size 128"),
    ("figure-8-20", "figure 8.20 --chip g80 --size 8"),
    ("figure-9-10", "figure 9.10 --chip g80 --size 256"),
    ("figure-10-3", "figure 10.3 --chip g80 --size 32"),
    ("latency-gt200", "latency --chip gt200"),
];

fn drawn(arguments: &str, svg: &str) -> Run {
    let mut words: Vec<&str> = arguments.split_whitespace().collect();
    words.insert(0, "picture");
    words.extend(["--svg", svg]);
    warpsim_with(&words)
}

/// Tests: `documents-show-outputs`.
#[test]
fn the_page_shows_the_pictures_of_its_commands() {
    let root = data().join("../../../..");
    let page = fs::read_to_string(root.join("docs/PICTURES.md")).expect("the page is readable");
    let folder = scratch("picture-docs");
    for (name, arguments) in PICTURES {
        let file = folder.join(format!("{name}.svg"));
        let Run { code, stdout, stderr } = drawn(arguments, file.to_str().expect("UTF-8"));
        assert_eq!((code, stdout.as_str()), (Some(0), ""), "{arguments}: {stderr}");
        let now = fs::read_to_string(&file).expect("the picture is written");
        assert!(!now.contains("NaN") && !now.contains("inf\""), "{name}");
        let shown = root.join(format!("docs/pictures/{name}.svg"));
        if std::env::var_os("BLESS").is_some_and(|value| value == "1") {
            fs::write(&shown, &now).expect("the folder is writable");
        }
        let before = fs::read_to_string(&shown).unwrap_or_default();
        assert!(now == before, "docs/pictures/{name}.svg differs; run the test with BLESS=1");
        assert!(page.contains(&format!("warpsim picture {arguments} --svg")), "{arguments}");
        assert!(page.contains(&format!("(pictures/{name}.svg)")), "{name}");
    }
}

/// Tests: `pictures-are-legible`.
#[test]
fn a_picture_does_not_depend_on_the_threads() {
    let folder = scratch("picture-threads");
    let path = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
    for threads in ["1", "3"] {
        let line = "picture stalls matmul-tiled --size 64 --chip fermi --threads";
        let mut words: Vec<&str> = line.split_whitespace().collect();
        let (svg, png) = (path(&format!("{threads}.svg")), path(&format!("{threads}.png")));
        words.extend([threads, "--svg", &svg, "--png", &png]);
        let Run { code, stderr, .. } = warpsim_with(&words);
        assert_eq!(code, Some(0), "{stderr}");
        assert!(stderr.contains("wrote "), "{stderr}");
    }
    let bytes = |name: &str| fs::read(path(name)).expect("written");
    assert_eq!(bytes("1.svg"), bytes("3.svg"));
    assert!(bytes("1.png") == bytes("3.png") && bytes("1.png").starts_with(b"\x89PNG"));
}

#[test]
fn a_picture_that_cannot_be_drawn_has_a_message() {
    let out: PathBuf = scratch("picture-bad").join("x.svg");
    let svg = out.to_str().expect("UTF-8");
    for (arguments, part) in [
        ("pie matmul-naive", "unrecognized subcommand"),
        ("stalls matmul-nave --chip g80", "did you mean `matmul-naive`"),
        (
            "stalls vecadd --chip g80 --size 64 --launch-index 2",
            "launch 2 does not exist: the host program has 1 launch",
        ),
        ("roofline vecadd --chip g80 --size 64 --with vecad", "did you mean `vecadd`"),
        ("roofline histogram-shared --size 1024 --chip gt200", "it has no floating-point operations"),
        (
            "timeline vecadd --chip g80 --size 64 --sm 99",
            "SM 99 does not exist: the chip has 16 SMs, 0 to 15",
        ),
        ("timeline vecadd --chip g80 --size 64 --cycles 9000000..", "has at most 200,000 shader cycles"),
        ("timeline vecadd --chip g80 --size 64 --cycles 9000000..9000010", "the launch ended at cycle"),
        ("timeline vecadd --chip g80 --size 64 --sm 15", "no warp is resident on SM 15"),
        ("segments vecadd --size 64 --line 1", "lines with accesses: "),
        ("segments vecadd --size 64 --chips g80,g81", "did you mean `g80`"),
        ("segments vecadd --size 64 --launch-index 9", "launch 9 does not exist"),
        ("tree vecadd --chip g80 --size 64", "there is no tree"),
        ("tree reduce-halving --chip g80 --size 512 --line 1", "lines that do: "),
        ("occupancy", "the block size is unknown"),
        ("figure 6.17", "invalid value"),
        ("figure 6.16 --chip g80 --size 17", "cannot have size 17"),
        ("figure 9.10 --chip g80 --size 2048", "expected 8 to 1024"),
        ("latency --chip kepler", "cannot run kernels"),
    ] {
        let Run { code, stdout, stderr } = drawn(arguments, svg);
        assert_eq!((code, stdout.as_str()), (Some(2), ""), "{arguments}: {stderr}");
        assert!(stderr.contains(part), "{arguments}: {stderr}");
        assert!(!out.exists(), "{arguments}");
    }
    // Without a file there is nothing to do, and a bad path is reported before the run.
    let Run { code, stderr, .. } = warpsim("picture stalls vecadd --chip g80 --size 64");
    assert!(code == Some(2) && stderr.contains("--svg"), "{stderr}");
    let Run { code, stderr, .. } = drawn("stalls vecadd --chip g80 --size 64", "/no/such/folder/x.svg");
    assert!(code == Some(2) && stderr.contains("cannot write /no/such/folder/x.svg"), "{stderr}");
}

#[test]
fn a_refused_launch_has_its_exit_code() {
    let out = scratch("picture-refused").join("x.svg");
    let svg = out.to_str().expect("UTF-8");
    for arguments in [
        "stalls vecadd --chip g80 --size 64 --registers 200",
        "occupancy matmul-tiled --chip g80 --block 32x32",
        "segments vecadd --size 64 --registers 200",
    ] {
        let Run { code, stderr, .. } = drawn(arguments, svg);
        assert_eq!(code, Some(3), "{arguments}: {stderr}");
        assert!(stderr.contains("registers") || stderr.contains("threads"), "{stderr}");
    }
}
