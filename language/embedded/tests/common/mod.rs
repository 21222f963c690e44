//! Compiles and runs programs for tests.

use cuda::Unit;
use cuda::options::Options;
use cuda::preprocess::{Included, Loader};
use cuda::target::Target;
use embedded::library::{Folder, VirtualFolder};
use embedded::{Compiled, Control, Ended, Interrupted, Outside, Refused};
use report::program::streams::Streams;
use sim_core::check::{Check, Checks};
use sim_core::config::Chip;
use sim_core::host::Gpu;
use sim_core::stats::Report;
use std::path::Path;
use std::sync::{Arc, Mutex};
use warpsim_cuda::settings::Settings;

/// Collects what a program prints, and gives it the parts of its input.
#[derive(Clone, Default)]
pub struct Printed(Arc<Mutex<(String, String)>>, std::vec::IntoIter<&'static str>);

impl Streams for Printed {
    fn print(&mut self, bytes: &[u8]) {
        self.0.lock().expect("no test panics here").0 += &String::from_utf8_lossy(bytes);
    }

    fn complain(&mut self, bytes: &[u8]) {
        self.0.lock().expect("no test panics here").1 += &String::from_utf8_lossy(bytes);
    }

    fn input(&mut self) -> Option<Vec<u8>> {
        Some(self.1.next().map(|part| part.as_bytes().to_vec()).unwrap_or_default())
    }
}

/// A program that has ended.
pub struct Run {
    /// Executed instructions of the host.
    pub steps: u64,
    pub code: i32,
    pub out: String,
    pub err: String,
    pub message: String,
    /// Hints at its end.
    pub hints: Vec<String>,
    /// The report at its end.
    pub report: String,
}

/// Compiles and runs a program, on the functional machine.
pub fn run(name: &str, text: &str, chip: &str, arguments: &[&str]) -> Run {
    run_with(name, text, chip, arguments, "1")
}

/// Compiles and runs a program; `functional` is `1` or `0`.
pub fn run_with(name: &str, text: &str, chip: &str, arguments: &[&str], functional: &str) -> Run {
    start(name, text, (chip, functional), arguments, Setup::default())
}

/// What is around a program.
pub struct Setup {
    pub folder: Box<dyn Folder>,
    pub control: Option<Box<dyn Control>>,
    pub interrupted: Option<Interrupted>,
    /// Most instructions of the host.
    pub steps: u64,
    /// The parts of standard input.
    pub input: Vec<&'static str>,
    /// Instructions that a function executes before it is translated.
    pub interpreted: u64,
}

impl Default for Setup {
    fn default() -> Self {
        let folder = Box::<VirtualFolder>::default();
        let input = vec!["17 words\nnext line\n"];
        // With the feature `jit` all tests run in translated code.
        Self { folder, control: None, interrupted: None, steps: 2_000_000_000, input, interpreted: 0 }
    }
}

/// Compiles and runs a program under a debugger, on the functional machine.
pub fn run_watched(name: &str, text: &str, chip: &str, arguments: &[&str], control: Box<dyn Control>) -> Run {
    start(name, text, (chip, "1"), arguments, Setup { control: Some(control), ..Setup::default() })
}

/// Compiles and runs a program with checkers; returns the reports of its launches, too.
pub fn checked(name: &str, text: &str, chip: &str, checks: Checks, setup: Setup) -> (Run, Vec<Report>) {
    let words: Vec<&str> = checks.iter().map(Check::name).collect();
    let mut gpu = Gpu::new(Chip::builtin(chip).expect("it is built in"));
    gpu.check(checks);
    let machine = Machine { chip, functional: "1", checks: &words.join(","), gpu: Some(&mut gpu) };
    start_on(name, text, machine, &[], setup)
}

/// Compiles and runs a program with timing, and keeps the reports of its launches.
pub fn timed(name: &str, text: &str, chip: &str) -> Run {
    let mut gpu = Gpu::new(Chip::builtin(chip).expect("it is built in"));
    let machine = Machine { chip, functional: "0", checks: "", gpu: Some(&mut gpu) };
    start_on(name, text, machine, &[], Setup::default()).0
}

/// The machine of a program.
struct Machine<'a> {
    chip: &'a str,
    functional: &'a str,
    checks: &'a str,
    gpu: Option<&'a mut Gpu>,
}

/// Compiles and runs a program on a machine, which is a chip and `1` or `0` for functional.
pub fn start(
    name: &str,
    text: &str,
    (chip, functional): (&str, &str),
    arguments: &[&str],
    setup: Setup,
) -> Run {
    start_on(name, text, Machine { chip, functional, checks: "", gpu: None }, arguments, setup).0
}

fn start_on(
    name: &str,
    text: &str,
    Machine { chip, functional, checks, gpu }: Machine<'_>,
    arguments: &[&str],
    Setup { folder, control, interrupted, steps, input, interpreted }: Setup,
) -> (Run, Vec<Report>) {
    let target = match chip {
        "g80" => "sm_10",
        "gt200" => "sm_13",
        _ => "sm_20",
    };
    let target = Target::from_name(target).expect("a target");
    let load = |wanted: &str, _: &str, _: bool| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/programs").join(wanted);
        let text = std::fs::read_to_string(path).ok()?;
        Some(Included { name: wanted.to_owned(), text, hidden: false })
    };
    let compiled = compile(name, text, target, &load);
    let (compiled, _) = compiled.unwrap_or_else(|refused| panic!("{name}: {}", refused.messages));
    let variables = [
        ("WARPSIM_CHIP", chip),
        ("WARPSIM_FUNCTIONAL", functional),
        ("WARPSIM_QUIET", "1"),
        ("WARPSIM_CHECK", checks),
    ];
    let value = |wanted: &str| {
        let of = |(known, value): &&(&str, &str)| *known == wanted && !value.is_empty();
        variables.iter().find(of).map(|(_, value)| (*value).to_owned())
    };
    let settings = Settings::read(value).expect("the settings are right");
    let words = [name].iter().chain(arguments).map(|word| (*word).to_owned()).collect();
    let options = embedded::Options {
        arguments: words,
        memory: 1 << 30,
        unwritten: embedded::Unwritten::default(),
        steps,
        called_ns: u64::MAX,
        interpreted,
    };
    let printed = Printed(Arc::default(), input.into_iter());
    let outside = Outside { control, interrupted, gpu, ..Outside::new(Box::new(printed.clone()), folder) };
    let ended: Ended = embedded::run(&compiled, settings, &options, outside);
    let (out, err) = printed.0.lock().expect("no test panics here").clone();
    let (hints, report) = (ended.record.hints(), ended.record.text(200, None));
    let message = ended.message.unwrap_or_default();
    (Run { code: ended.code, steps: ended.steps, out, err, message, hints, report }, ended.reports)
}

/// Runs a program on three chips, which must print the same. Returns it.
pub fn printed(name: &str, text: &str) -> String {
    let mut all: Vec<String> = Vec::new();
    for chip in ["g80", "gt200", "fermi"] {
        let run = run(name, text, chip, &[]);
        assert_eq!((run.code, run.message.as_str()), (0, ""), "{chip}: {}", run.err);
        all.push(run.out);
    }
    assert!(all.iter().all(|one| *one == all[0]), "{all:?}");
    all.remove(0)
}

/// The messages about a program that is refused.
pub fn refused(name: &str, text: &str) -> String {
    let target = Target::from_name("sm_20").expect("a target");
    let made = compile(name, text, target, &|_: &str, _: &str, _: bool| None);
    made.err().unwrap_or_else(|| panic!("{text} is accepted")).messages
}

/// The warnings about a program.
pub fn warnings(name: &str, text: &str) -> String {
    let target = Target::from_name("sm_20").expect("a target");
    let made = compile(name, text, target, &|_: &str, _: &str, _: bool| None);
    made.unwrap_or_else(|refused| panic!("{text}: {}", refused.messages)).1
}

/// The options of a file. A first line that ends with `(C++20).` selects this standard.
fn options_of(name: &str, text: &str, target: Target) -> Options {
    let first = text.lines().next().unwrap_or_default();
    let standard = first.ends_with("(C++20).").then(|| "c++20".parse().expect("a standard"));
    Options { standard, ..Options::of(target).of_file(Path::new(name), target) }
}

/// Compiles a program: one file, or several ones, each behind a line `//// NAME`.
pub fn compile(
    name: &str,
    text: &str,
    target: Target,
    load: &dyn Loader,
) -> Result<(Compiled, String), Refused> {
    let parts = text.strip_prefix("//// ").map(|rest| rest.split("\n//// ").collect::<Vec<_>>());
    let files = parts.map_or_else(
        || vec![(name, text)],
        |parts| parts.iter().filter_map(|part| part.split_once('\n')).collect(),
    );
    let options: Vec<Options> = files.iter().map(|(name, text)| options_of(name, text, target)).collect();
    let beside = |wanted: &str, from: &str, is_angled: bool| {
        let file = files.iter().find(|(name, _)| *name == wanted);
        let text = file.map(|(_, text)| (*text).to_owned());
        let own = text.map(|text| Included { name: wanted.to_owned(), text, hidden: false });
        own.or_else(|| load.load(wanted, from, is_angled))
    };
    let is_source = |name: &str| Path::new(name).extension().is_none_or(|end| end != "h");
    let units: Vec<Unit> = files
        .iter()
        .zip(&options)
        .filter(|((name, _), _)| is_source(name))
        .map(|((name, text), options)| Unit::new(name, text, &beside, options))
        .collect();
    embedded::compile(&units, target)
}
