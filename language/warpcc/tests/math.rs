//! The device math library: its errors, measured on the host, and its acceptance by the simulator.
//!
//! Each test needs clang and says so if it is missing.

use isa::diag::Severity;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use test_support::tools::say;

/// Folder of the C++ sources of these tests.
fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/math")
}

/// Returns the installed C++ compilers of clang from version 16 on. Reports a skipped test if there
/// is none.
fn compilers(test: &str) -> Vec<String> {
    let names =
        ["clang++".to_owned()].into_iter().chain((16..=21).map(|version| format!("clang++-{version}")));
    let mut found: Vec<(String, String)> = Vec::new();
    for name in names {
        let Ok(output) = Command::new(&name).arg("--version").output() else { continue };
        let version = String::from_utf8_lossy(&output.stdout).lines().next().unwrap_or("").to_owned();
        let number =
            version.split("version ").nth(1).and_then(|rest| rest.split('.').next()?.parse::<u32>().ok());
        let new = found.iter().all(|(_, other)| *other != version);
        if output.status.success() && number.is_some_and(|number| number >= 16) && new {
            found.push((name, version));
        }
    }
    if found.is_empty() {
        say(&format!("!!!! SKIPPED: {test}: needs clang++ 16 or newer\n"));
    }
    found.into_iter().map(|(name, _)| name).collect()
}

/// Folder of the compiler of GCC that has `quadmath.h`, with its headers.
fn quadmath() -> Option<PathBuf> {
    let output = Command::new("gcc").arg("-print-file-name=libquadmath.so").output().ok()?;
    let library = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim());
    let folder = library.parent()?.to_owned();
    folder.join("include/quadmath.h").exists().then_some(folder)
}

fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text += &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}\n{text}");
    text
}

/// A command of `compiler` that compiles CUDA C without other headers than those of the library.
fn cuda(compiler: &str) -> Command {
    let mut command = Command::new(compiler);
    command.args(["-x", "cuda", "--cuda-gpu-arch=sm_20", "-nocudainc", "-nocudalib"]);
    command.args(["-std=gnu++17", "-w"]);
    command
}

/// Measures the errors of `functions`, or of all functions, with so many arguments each. Returns
/// the rows; `None` if a tool is missing.
fn measure(test: &str, defines: &[&str], functions: &[String], samples: u32) -> Option<String> {
    let compiler = compilers(test).pop()?;
    let Some(folder) = quadmath() else {
        say(&format!("!!!! SKIPPED: {test}: needs quadmath.h of GCC on x86-64\n"));
        return None;
    };
    let out = tempfile::tempdir().expect("a temporary folder");
    let program = out.path().join("measure");
    let mut compile = Command::new(compiler);
    // `-mfma`: without the instruction, each `fma` is a call of a slow function.
    compile.args(["-std=c++17", "-O2", "-ffp-contract=off", "-mfma", "-w"]).args(defines);
    compile.arg(sources().join("measure.cpp")).arg("-o").arg(&program);
    compile.arg("-I").arg(folder.join("include")).arg("-L").arg(&folder);
    run(compile.args(["-lquadmath", "-lm", "-lpthread"]));
    let table = run(Command::new(&program).args(["--samples", &samples.to_string()]).args(functions));
    let rows = table.lines().filter(|line| line.contains(" | ")).count();
    assert!(rows >= 40, "{rows} functions measured:\n{table}");
    Some(table)
}

/// A measured function: its name, the bound, the error, and both as absolute errors from 8 on.
type Measured<'t> = (&'t str, &'t str, &'t str, Option<(&'t str, &'t str)>);

/// Reads the rows that the program prints.
fn rows(table: &str) -> Vec<Measured<'_>> {
    let mut all: Vec<Measured<'_>> = Vec::new();
    for line in table.lines() {
        let cells: Vec<&str> = line.split(" | ").collect();
        if let [name, bound, error, _] = cells[..] {
            all.push((name, bound, error, None));
        } else if let Some((_, rest)) = line.split_once(": bound ")
            && let (Some(last), Some((bound, error))) = (all.last_mut(), rest.split_once(", measured "))
        {
            last.3 = Some((bound, error));
        }
    }
    all
}

/// The tables of the page: of each function, the row of `float` is followed by the row of `double`.
fn tables(measured: &str) -> String {
    let head = "| function | guide, float | measured | guide, double | measured |\n|---|---|---|---|---|\n";
    let (mut relative, mut absolute) = (head.to_owned(), head.to_owned());
    for pair in rows(measured).chunks_exact(2) {
        let (float, double) = (&pair[0], &pair[1]);
        assert_eq!(float.0, format!("{}f", double.0));
        let name = double.0;
        if let (Some(float), Some(double)) = (float.3, double.3) {
            let row = format!("| `{name}` | {} | {} | {} | {} |\n", float.0, float.1, double.0, double.1);
            absolute += &row;
        }
        if float.1 != "0" {
            let _ =
                writeln!(relative, "| `{name}` | {} | {} | {} | {} |", float.1, float.2, double.1, double.2);
        }
    }
    format!("{relative}\n{ABSOLUTE}\n{absolute}")
}

/// The text between the two tables.
const ABSOLUTE: &str = "The rows of `j0`, `j1`, `y0` and `y1` apply to |x| < 8. From 8 to 10,000 the guide bounds the\n\
     absolute error (`jn3`: `jn(3, x)`):\n";

const BEGIN: &str =
    "<!-- errors: generated; BLESS=1 cargo test -p warpcc --test math table -- --ignored -->\n\n";
const END: &str = "\n<!-- end of the generated errors -->";

/// The page has the errors of all functions for 2^20 arguments.
#[test]
#[ignore = "minutes"]
fn the_table_of_errors_is_the_measured_one() {
    let Some(measured) = measure("table of errors of the device math library", &[], &[], 1 << 20) else {
        return;
    };
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/ISA.md");
    let text = std::fs::read_to_string(&page).expect("the page");
    let begin = text.find(BEGIN).expect("the begin of the tables") + BEGIN.len();
    let end = text.find(END).expect("the end of the tables");
    let new = tables(&measured);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&page, format!("{}{new}{}", &text[..begin], &text[end..]))
            .expect("the page is writable");
    } else {
        assert_eq!(&text[begin..end], new, "BLESS=1 writes the measured errors");
    }
}

/// No error exceeds the bound of the programming guide. The program checks each function.
#[test]
fn errors_are_within_the_bounds_of_the_programming_guide() {
    measure("errors of the device math library", &[], &[], 100_000);
}

/// Without a fused multiply-add of floats (compute capability 1.x) the bounds hold, too.
#[test]
fn errors_of_floats_are_within_the_bounds_without_fma() {
    let table = std::fs::read_to_string(sources().join("functions.inc")).expect("functions.inc");
    let mut names = Vec::new();
    for line in table.lines().filter(|line| line.starts_with("ONE(") || line.starts_with("TWO(")) {
        names.push(format!("{}f", line.split('"').nth(1).expect("a name in quotation marks")));
    }
    measure("errors of the device math library without fma", &["-DWARPSIM_NO_FMAF"], &names, 100_000);
}

/// Compiles the calls of all names for the device and the host, and the simulator accepts the PTX.
#[test]
fn the_simulator_accepts_every_function() {
    let out = tempfile::tempdir().expect("a temporary folder");
    let source = sources().join("every_name.cu");
    for compiler in compilers("PTX of the device math library") {
        run(cuda(&compiler).args(["--cuda-host-only", "-fsyntax-only"]).arg(&source));
        for (name, options) in [("plain", &["-O2"][..]), ("fast", &["-O2", "-D__USE_FAST_MATH__"])] {
            let file = out.path().join(format!("{name}.ptx"));
            run(cuda(&compiler)
                .args(options)
                .args(["--cuda-device-only", "-S", "-o"])
                .arg(&file)
                .arg(&source));
            let text = std::fs::read_to_string(&file).expect("the PTX");
            assert_eq!(text.contains("sin.approx"), name == "fast", "{compiler} {name}");
            if name == "fast" {
                continue;
            }
            let (module, diagnostics) = isa::compile("every_name.ptx", &text);
            let mut errors = String::new();
            for found in diagnostics.iter().filter(|found| found.severity == Severity::Error) {
                writeln!(errors, "{found:?}").expect("writing to a string cannot fail");
            }
            assert!(module.is_some(), "{compiler} {name}:\n{errors}");
        }
    }
}

/// A file that calls no function of the library contains none, and no function of floats uses
/// doubles.
#[test]
fn unused_functions_vanish_and_floats_need_no_doubles() {
    let out = tempfile::tempdir().expect("a temporary folder");
    let (source, file) = (out.path().join("floats.cu"), out.path().join("floats.ptx"));
    let table = std::fs::read_to_string(sources().join("functions.inc")).expect("functions.inc");
    let mut calls = String::new();
    for line in table.lines() {
        let name = line.split('"').nth(1).unwrap_or("");
        if line.starts_with("ONE(") && !name.ends_with(|digit: char| "38".contains(digit)) {
            writeln!(calls, "    *x++ = {name}f(*x);").expect("writing to a string cannot fail");
        }
    }
    for (body, contains) in [("", ""), (calls.as_str(), "fma.rn.f32")] {
        let header = sources().join("../../../include/math/device_math.h");
        let header = header.display();
        let text = format!(
            "#define __CUDACC__ 1\n#include \"{header}\"\n\
             extern \"C\" __attribute__((global)) void f(float *x) {{\n{body}}}\n"
        );
        std::fs::write(&source, text).expect("the source");
        for compiler in compilers("doubles in functions of floats") {
            let mut command = cuda(&compiler);
            run(command.args(["-O2", "--cuda-device-only", "-S", "-o"]).arg(&file).arg(&source));
            let ptx = std::fs::read_to_string(&file).expect("the PTX");
            assert!(!ptx.contains(".f64"), "doubles in functions of floats");
            assert!(ptx.contains(contains));
            assert!(!body.is_empty() || (!ptx.contains(".func") && !ptx.contains(".const")), "{ptx}");
        }
    }
}
