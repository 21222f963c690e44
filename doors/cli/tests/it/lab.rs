//! The reports of the browser lab are those of the program. `doors/web/test` checks the same for
//! the lab as WebAssembly.

use crate::common::{data, small, warpsim, warpsim_with};
use lab::request::{NamedText, Request};
use lab::run::{Ran, run};
use std::fs;
use std::path::Path;

/// Runs a request, and the program with the same arguments: both give the same bytes.
fn same(request: &Request, arguments: &[&str]) -> Ran {
    let ran = run(request, None);
    let native = warpsim_with(&[&["run"], arguments].concat());
    assert_eq!(ran.text, native.stdout, "{arguments:?}");
    assert_eq!(Some(i32::from(ran.code)), native.code, "{arguments:?}");
    let messages = ran.messages.iter().fold(String::new(), |all, line| all + line + "\n");
    assert_eq!(messages, native.stderr);
    if !ran.json.is_empty() {
        let json = warpsim_with(&[&["run"], arguments, &["--json", "-"]].concat());
        assert_eq!(ran.json, json.stdout, "{arguments:?}");
    }
    ran
}

/// Tests: `lab-reports`.
#[test]
fn every_built_in_kernel_has_the_reports_of_the_program() {
    for workload in kernels::all() {
        let line = small(workload);
        let words: Vec<&str> = line.split(' ').collect();
        let request = Request {
            kernel: Some(workload.name.to_owned()),
            size: words[2].parse().ok(),
            chip: words.get(4).map(|chip| (*chip).to_owned()),
            ..Request::default()
        };
        // Some kernels that the book prints with a race give a wrong result.
        assert!(same(&request, &words).code < 2, "{line}");
    }
}

/// Tests: `lab-reports`.
#[test]
fn ptx_with_a_launch_file_has_the_report_of_the_program() {
    let text = |name: &str| {
        let text = fs::read_to_string(data().join(name)).expect("a text");
        Some(NamedText { name: name.to_owned(), text })
    };
    let (ptx, launch) = (text("trace.ptx"), text("trace.ron"));
    let set = ("sm.max_warps".to_owned(), "16".to_owned());
    let request = Request { ptx, launch, sets: vec![set], ..Request::default() };
    let arguments = ["trace.ptx", "--launch", "trace.ron", "--set", "sm.max_warps=16"];
    assert_ne!(same(&request, &arguments).json, "");
    let broken = Request { ptx: text("broken.ptx"), launch: text("trace.ron"), ..Request::default() };
    let ran = same(&broken, &["broken.ptx", "--launch", "trace.ron"]);
    assert_eq!(ran.code, 2);
}

/// Standard error of the program has the report behind the output.
///
/// Tests: `lab-reports`.
#[test]
fn a_program_has_the_output_and_the_report_of_the_program() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/programs/product.cu");
    let name = path.to_str().expect("UTF-8").to_owned();
    let text = fs::read_to_string(&path).expect("the program exists");
    let ptx = Some(NamedText { name: name.clone(), text });
    let ran = run(&Request { ptx, chip: Some("gt200".to_owned()), ..Request::default() }, None);
    let native = warpsim_with(&["run", &name, "--compiler", "embedded", "--chip", "gt200"]);
    assert_eq!(ran.text, native.stdout + &native.stderr);
    assert_eq!((Some(i32::from(ran.code)), ran.messages.len()), (native.code, 0));
}

/// Every setting that the page offers is accepted as an override with its own value, and changes
/// nothing.
#[test]
fn settings_are_overrides() {
    for chip in ["g80", "gt200", "fermi"] {
        let built_in = Request { chip: Some(chip.to_owned()), ..Request::default() };
        let settings = lab::catalog::settings(&built_in).expect("a built-in chip");
        assert!(settings.len() > 60, "{} settings of {chip}", settings.len());
        for setting in settings.into_iter().filter(|setting| !setting.value.is_empty()) {
            let sets = vec![(setting.path.clone(), setting.value.clone())];
            let request = Request { chip: Some(chip.to_owned()), sets, ..Request::default() };
            let changed = request.chip().unwrap_or_else(|why| panic!("{}: {}", setting.path, why.message));
            assert_eq!(changed, built_in.chip().expect("a chip"), "{}", setting.path);
        }
    }
}

/// A comparison of the lab has the bytes of `warpsim compare`.
#[test]
fn comparisons_are_those_of_the_program() {
    let of = |kernel: &str| {
        let kernel = Some(kernel.to_owned());
        run(&Request { kernel, size: Some(32), ..Request::default() }, None).json
    };
    let names = ["run matmul-naive --size 32", "run matmul-tiled --size 32"];
    let compared = lab::compare::compare((names[0], &of("matmul-naive")), (names[1], &of("matmul-tiled")));
    assert_eq!(compared.error, "");
    let line = format!("compare -- {} -- {}", names[0], names[1]);
    assert_eq!(compared.text, warpsim(&line).stdout);
}

/// A claim of the lab has the bytes of `warpsim book`.
#[test]
fn claims_are_those_of_the_program() {
    assert_eq!(lab::book::claims(), warpsim("book --format json").stdout);
    for id in ["OCC-12", "MEM-08"] {
        let ran = lab::book::run(id, None).expect("a claim");
        assert_eq!(ran.text, warpsim(&format!("book {id}")).stdout);
        assert_eq!(ran.json, warpsim(&format!("book {id} --format json")).stdout);
    }
    assert!(lab::book::run("OCC-99", None).is_err());
}

/// Tests: `lab-reports`.
#[test]
fn a_chip_file_has_the_report_of_the_program() {
    let text = lab::chip_file::new_chip("fermi", &[("sm.max_warps".to_owned(), "16".to_owned())]);
    let text = text.expect("a chip");
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("lab-chip.ron");
    fs::write(&path, &text).expect("the folder is writable");
    let name = path.to_str().expect("UTF-8").to_owned();
    let request = Request {
        kernel: Some("matmul-tiled".to_owned()),
        size: Some(64),
        chip_file: Some(NamedText { name: name.clone(), text }),
        ..Request::default()
    };
    same(&request, &["matmul-tiled", "--size", "64", "--chip", &name]);
}
