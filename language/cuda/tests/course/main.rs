//! Kernels as students of a course write them: their results on every target, with and without the
//! optimizer, and the instructions that they execute, compared with clang.

#[path = "../common/mod.rs"]
#[expect(dead_code, reason = "each test uses a part")]
mod common;
mod dense;
mod grid;
mod language;
mod physics;
mod scan;
mod sparse;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;

use common::{Argument, as_floats, as_ints, run_counted};
use cuda::options::Options;
use cuda::preprocess::Included;
use cuda::target::Target;

const FILES: [(&str, &str); 8] = [
    ("dense.cu", include_str!("dense.cu")),
    ("fermi.cu", include_str!("fermi.cu")),
    ("grid.cu", include_str!("grid.cu")),
    ("groups.cu", include_str!("groups.cu")),
    ("language.cu", include_str!("language.cu")),
    ("physics.cu", include_str!("physics.cu")),
    ("scan.cu", include_str!("scan.cu")),
    ("sparse.cu", include_str!("sparse.cu")),
];

/// Instructions that clang's code may be better by. Unit: percent.
const WORSE: u64 = 15;

/// Kernels that may be worse, with the reason.
const EXCEPTIONS: [(&str, &str); 2] = [
    ("invert", "one access of four bytes, which are unpacked, instead of an access of two and one of one"),
    ("mixed", "clang replaces the loop of `goto` by its result, and a remainder by a product"),
];

/// What holds for the buffers after a launch.
type Check = Box<dyn Fn(&[Vec<u8>])>;

/// A launch of a kernel with what holds after it.
struct Case {
    file: &'static str,
    entry: &'static str,
    first: &'static str,
    shape: ((u32, u32), (u32, u32)),
    dynamic: u32,
    arguments: Vec<Argument>,
    checks: Vec<Check>,
}

impl Case {
    fn new(file: &'static str, entry: &'static str, shape: ((u32, u32), (u32, u32))) -> Self {
        Self { file, entry, first: "sm_10", shape, dynamic: 0, arguments: Vec::new(), checks: Vec::new() }
    }

    /// Sets the first target that has the functions of the file.
    fn from(self, first: &'static str) -> Self {
        Self { first, ..self }
    }

    fn dynamic(self, dynamic: u32) -> Self {
        Self { dynamic, ..self }
    }

    fn arguments(mut self, arguments: Vec<Argument>) -> Self {
        self.arguments.extend(arguments);
        self
    }

    fn check(mut self, check: impl Fn(&[Vec<u8>]) + 'static) -> Self {
        self.checks.push(Box::new(check));
        self
    }

    fn bytes(self, buffer: usize, expected: Vec<u8>) -> Self {
        self.check(move |buffers| assert_eq!(buffers[buffer], expected))
    }

    fn ints(self, buffer: usize, expected: Vec<i32>) -> Self {
        self.check(move |buffers| assert_eq!(as_ints(&buffers[buffer]), expected))
    }

    fn floats(self, buffer: usize, expected: Vec<f32>) -> Self {
        self.check(move |buffers| assert_eq!(as_floats(&buffers[buffer]), expected))
    }

    /// Runs PTX, checks the buffers and returns the executed warp instructions.
    fn run(&self, ptx: &str, target: &str, symbol: &str, build: &str) -> u64 {
        let run = run_counted(ptx, target, symbol, self.shape, self.dynamic, &self.arguments);
        let (buffers, count) = run.unwrap_or_else(|e| panic!("{} {build}: {e}\n{ptx}", self.entry));
        // A failed check has no name: the last line of the output has it.
        println!("{} {build}: {count} warp instructions", self.entry);
        self.checks.iter().for_each(|check| check(&buffers));
        count
    }
}

fn numbers(count: usize, factor: usize, modulus: usize) -> Vec<f32> {
    (0..count).map(|i| ((i * factor) % modulus) as f32).collect()
}

fn integers(count: usize, factor: usize, modulus: usize) -> Vec<i32> {
    (0..count).map(|i| ((i * factor) % modulus) as i32).collect()
}

fn cases() -> Vec<Case> {
    let all =
        [dense::cases(), grid::cases(), language::cases(), physics::cases(), scan::cases(), sparse::cases()];
    let filter = std::env::var("WARPSIM_CUDA_CASE").unwrap_or_default();
    all.into_iter().flatten().filter(|case| case.entry.contains(&filter)).collect()
}

fn text(file: &str) -> &'static str {
    FILES.iter().find(|(name, _)| *name == file).expect("a file of this folder").1
}

/// PTX of a file, and the symbols of its kernels.
fn compile(file: &str, target: &str, level: u32) -> (String, BTreeMap<String, String>) {
    let target = Target::from_name(target).expect("a known target");
    let options = Options { opt_level: level, ..Options::of(target) };
    let none = |_: &str, _: &str, _: bool| None::<Included>;
    let compiled = cuda::compile(file, text(file), &none, target, &options);
    let messages = compiled.messages();
    let symbols = compiled.entries.into_iter().map(|entry| (entry.name, entry.symbol)).collect();
    (compiled.ptx.unwrap_or_else(|| panic!("{messages}")), symbols)
}

#[test]
fn kernels_of_a_course_compute_what_the_host_computes() {
    let cases = cases();
    assert!(!cases.is_empty(), "no case matches");
    for target in ["sm_10", "sm_12", "sm_13", "sm_20"] {
        for level in [0, 3] {
            let mut built = BTreeMap::new();
            for case in cases.iter().filter(|case| case.first <= target) {
                let (ptx, symbols) =
                    built.entry(case.file).or_insert_with(|| compile(case.file, target, level));
                case.run(ptx, target, &symbols[case.entry], &format!("{target} -O{level}"));
            }
        }
    }
}

/// PTX of clang for a file; `None` if clang is not installed.
fn clang(file: &str) -> Option<String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (source, output) = (folder.path().join(file), folder.path().join("out.ptx"));
    std::fs::write(&source, text(file)).expect("the folder is writable");
    let shown = |path: &std::path::Path| path.display().to_string();
    let arguments = ["-ptx", "-arch=sm_20", "-std=c++14", "-O3", "-o", &shown(&output), &shown(&source)];
    let run = warpcc::driver::run(arguments.iter().map(ToString::to_string).collect());
    if let Err(failure) = run {
        assert_eq!(failure.code(), 2, "{file}: {:?}", failure.message());
        return None;
    }
    Some(std::fs::read_to_string(output).expect("clang wrote it"))
}

#[test]
fn launches_in_host_code_make_kernels_of_templates() {
    let (_, symbols) = compile("groups.cu", "sm_20", 3);
    let names: Vec<&str> = symbols.keys().map(String::as_str).collect();
    assert_eq!(names, ["groups", "scale<float, float>", "scale<int, double>"]);
}

#[test]
fn instructions_compared_with_clang() {
    // clang has no header of cooperative groups.
    let cases: Vec<Case> = cases().into_iter().filter(|case| case.file != "groups.cu").collect();
    let mut built = BTreeMap::new();
    let mut rows = Vec::new();
    for case in &cases {
        let (theirs, (ptx, symbols)) =
            built.entry(case.file).or_insert_with(|| (clang(case.file), compile(case.file, "sm_20", 3)));
        let Some(theirs) = theirs else {
            let text = "!!!! SKIPPED: instructions_compared_with_clang: needs clang\n";
            std::io::stderr().write_all(text.as_bytes()).expect("standard error is open");
            return;
        };
        let symbol = &symbols[case.entry];
        let own = case.run(ptx, "sm_20", symbol, "sm_20");
        rows.push((case.entry, own, case.run(theirs, "sm_20", symbol, "clang")));
    }
    let mut table = String::from("kernel | warp instructions | of clang | ratio\n");
    for (entry, own, other) in &rows {
        let ratio = *own as f64 / *other as f64;
        writeln!(table, "{entry} | {own} | {other} | {ratio:.2}").expect("a string takes everything");
    }
    println!("{table}");
    let worse: Vec<&str> = rows
        .iter()
        .filter(|(_, own, other)| own * 100 > other * (100 + WORSE))
        .map(|(entry, ..)| *entry)
        .filter(|entry| EXCEPTIONS.iter().all(|(exception, _)| exception != entry))
        .collect();
    assert!(worse.is_empty(), "more than {WORSE} % more instructions: {worse:?}\n{table}");
}
