//! No damage to a CUDA C program causes a panic or an endless run: the compiler accepts or refuses
//! it, what it accepts is valid PTX and valid host code, and the program ends.
//!
//! `WARPSIM_CUDA_MUTANTS=1000000 cargo test --release -p embedded --test mutations` tries more;
//! `WARPSIM_CUDA_SEED=7` starts at another seed.

use cuda::options::Options;
use cuda::preprocess::Included;
use cuda::target::Target;
use embedded::Outside;
use embedded::library::VirtualFolder;
use report::program::streams::Streams;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use test_support::mutate::mutant_of_cuda_c;
use test_support::random::{Numbers, setting};
use warpsim_cuda::settings::Settings;

/// Most bytes of the messages about one program.
const MESSAGES: usize = 200_000;

/// The folders of the project with programs in CUDA C.
const FOLDERS: [&str; 5] = [
    "language/cuda/tests/programs",
    "language/cuda/tests/course",
    "language/embedded/tests/cpp",
    "examples/cuda-c",
    "examples/programs",
];

/// Output without a reader, and a line of input.
#[derive(Default)]
struct Silent {
    has_read: bool,
}

impl Streams for Silent {
    fn print(&mut self, _: &[u8]) {}

    fn complain(&mut self, _: &[u8]) {}

    fn input(&mut self) -> Option<Vec<u8>> {
        let has_read = std::mem::replace(&mut self.has_read, true);
        Some(if has_read { Vec::new() } else { b"7 words\n".to_vec() })
    }
}

/// The programs of the project, in the order of their names.
fn programs() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files: Vec<PathBuf> = FOLDERS
        .iter()
        .flat_map(|folder| fs::read_dir(root.join(folder)).expect("a folder of programs"))
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|end| end == "cu"))
        .collect();
    files.sort();
    assert!(files.len() > 20, "{files:?}");
    files.iter().map(|path| fs::read_to_string(path).expect("text")).collect()
}

/// Compiles and runs a program. Returns whether the compiler takes the device half, and whether the
/// host half runs.
fn compile_and_run(text: &str, numbers: &mut Numbers) -> (bool, bool) {
    let (name, chip) = numbers.one_of(&[("sm_10", "g80"), ("sm_13", "gt200"), ("sm_20", "fermi")]);
    let target = Target::from_name(name).expect("a target");
    let options = Options { opt_level: numbers.one_of(&[0, 3]), ..Options::of(target) };
    let none = |_: &str, _: &str, _: bool| None::<Included>;
    let made = cuda::compile_program(&[cuda::Unit::new("mutant.cu", text, &none, &options)], target);
    let messages = made.messages();
    assert!(messages.len() < MESSAGES, "{} bytes of messages", messages.len());
    let Some(ptx) = made.device.ptx else {
        assert!(!messages.is_empty(), "a refusal has a reason");
        return (false, false);
    };
    let (module, diagnostics) = isa::compile("mutant.ptx", &ptx);
    let rendered = isa::diag::render_all(&diagnostics, "mutant.ptx", &ptx);
    assert!(module.is_some(), "{name}: the PTX is refused: {rendered}");
    let Some(host) = made.host else { return (true, false) };
    let Ok(program) = embedded::lower::lower(&host) else { return (true, false) };
    let value = |wanted: &str| {
        let value = match wanted {
            "WARPSIM_CHIP" => chip,
            "WARPSIM_FUNCTIONAL" | "WARPSIM_QUIET" => "1",
            "WARPSIM_MAX_CYCLES" => "20000",
            _ => return None,
        };
        Some(value.to_owned())
    };
    let settings = Settings::read(value).expect("the settings are right");
    let options = embedded::Options {
        arguments: vec!["mutant".to_owned(), "64".to_owned()],
        memory: 1 << 26,
        unwritten: embedded::Unwritten::default(),
        steps: 200_000,
        called_ns: u64::MAX,
        interpreted: embedded::INTERPRETED,
    };
    let device = embedded::Device { ptx, variables: made.device.variables };
    let variables = Arc::new(cuda::host_variables(&host, &made.sources));
    let compiled = embedded::Compiled {
        program,
        sources: Arc::new(made.sources),
        device,
        variables,
        module: warpsim_cuda::runtime::images::Shared::default(),
    };
    let outside = Outside::new(Box::<Silent>::default(), Box::<VirtualFolder>::default());
    embedded::run(&compiled, settings, &options, outside);
    (true, true)
}

#[test]
fn no_damage_makes_the_compiler_or_the_program_panic() {
    let (count, first) = (setting("WARPSIM_CUDA_MUTANTS", 1_200), setting("WARPSIM_CUDA_SEED", 0));
    let programs = programs();
    let (mut taken, mut ran, mut failures) = (0, 0, 0);
    for seed in first..first + count {
        let mut numbers = Numbers::new(seed);
        let text = mutant_of_cuda_c(&programs[seed as usize % programs.len()], &mut numbers);
        if let Ok((compiles, runs)) = catch_unwind(AssertUnwindSafe(|| compile_and_run(&text, &mut numbers)))
        {
            taken += u64::from(compiles);
            ran += u64::from(runs);
        } else {
            failures += 1;
            println!("seed {seed}:\n{text}");
        }
    }
    println!("of {count} programs {taken} compile, and {ran} run");
    assert_eq!(failures, 0, "the programs above make it panic");
    assert!(taken > count / 20 && ran > count / 100, "of {count}, {taken} compile and {ran} run");
}
