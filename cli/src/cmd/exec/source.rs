//! `warpsim run FILE.cu`: a CUDA C program with its host code. The built-in compiler takes both
//! halves. Only if the user permits it, a program becomes native code: `warpcc` compiles it to a
//! temporary folder, and it runs as with `warpsim exec`.

use super::embedded;
use crate::args::{Compiler, ExecArgs, RunArgs, WorkloadArgs};
use crate::exit::{Code, Failure};
use crate::output::{Files, complain, temporary_folder};
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Endings of the names of sources.
const ENDINGS: [&str; 4] = ["cu", "cpp", "cc", "cxx"];

/// Whether a file is a CUDA C program and not PTX, a launch file or the name of a kernel.
pub fn is_source(file: &str) -> bool {
    Path::new(file).extension().is_some_and(|end| ENDINGS.iter().any(|known| end.eq_ignore_ascii_case(known)))
}

/// Compiles and runs the program, on the default chip of programs unless the command line names
/// one.
pub fn run(args: &RunArgs, names_chip: bool) -> Result<ExitCode, Failure> {
    let others = [
        ("--details", args.details.is_some()),
        ("--why", args.why),
        ("--timeline", args.timeline.is_some()),
        ("--warmup", args.warmup.is_some()),
        ("--save-state", args.save_state.is_some()),
        ("--load-state", args.load_state.is_some()),
        ("--host-stats", args.host_stats),
        ("--html with --json", args.html.is_some() && args.json.is_some()),
    ];
    check(&args.workload, &others)?;
    let arguments = args.program_arguments.iter().map(|word| word.to_string_lossy().into_owned());
    let words: Vec<String> = [args.workload.kernel.clone()].into_iter().chain(arguments).collect();
    let title = words.join(" ");
    let mut exec = options(args, names_chip);
    let native = || match args.workload.host_memory {
        None => Ok(()),
        Some(_) => Err(Failure::input(
            "error: --host-memory is not possible with host code that clang compiles: it reads the memory of this machine",
        )),
    };
    if args.compiler != Compiler::Clang {
        match embedded::prepare(&args.workload, &exec.chip.chip)? {
            Ok(program) => {
                let mut files = Files::new();
                program.files.iter().try_for_each(|file| files.reads(file))?;
                return super::named(&exec, Some(&title), files, |_, variables, files| {
                    program.run(&words, &variables, files)
                });
            }
            Err(refused) if args.compiler == Compiler::Embedded || warpcc::clang::find(None).is_err() => {
                return Err(refused);
            }
            Err(refused) => {
                native()?;
                permit(&refused)?;
            }
        }
    }
    native()?;
    let mut files = Files::new();
    let sources = [Path::new(&args.workload.kernel)].into_iter();
    sources.chain(args.workload.linked.iter().map(PathBuf::as_path)).try_for_each(|one| files.reads(one))?;
    let folder = temporary_folder()?;
    let program = folder.path().join("program");
    let text = |path: &Path| {
        let text = path.to_str().map(str::to_owned);
        text.ok_or_else(|| Failure::input(format!("error: {}: the name is not UTF-8", path.display())))
    };
    let compile = &args.workload.compile;
    let mut words = vec![format!("-O{}", compile.opt_level), args.workload.kernel.clone()];
    for file in &args.workload.linked {
        words.push(text(file)?);
    }
    words.extend(compile.maxrregcount.map(|most| format!("-maxrregcount={most}")));
    for folder in &args.workload.preprocess.include {
        words.extend(["-I".to_owned(), text(folder)?]);
    }
    words.extend(args.workload.preprocess.define.iter().map(|name| format!("-D{name}")));
    words.extend(["-o".to_owned(), text(&program)?]);
    warpcc::driver::run_in(folder.path(), words).map_err(|failure| Failure {
        code: if failure.code() == 2 { Code::BadInput } else { Code::WrongResult },
        message: failure.message().map_or_else(
            || format!("error: {} was not compiled", args.workload.kernel),
            |text| format!("error: {text}"),
        ),
    })?;
    let mut command = vec![program.into_os_string()];
    command.extend_from_slice(&args.program_arguments);
    exec.command = command;
    super::named(&exec, Some(&title), files, |chip, variables, _| super::process(&exec, chip, variables))
}

/// Asks the user, on a terminal, whether a program that the built-in compiler has refused becomes
/// native code: such code is not checked, and can do everything that the user can do.
///
/// # Errors
///
/// The user does not permit it, or cannot be asked.
fn permit(refused: &Failure) -> Result<(), Failure> {
    let can = "clang can compile this program to native code, which can do everything that you can do";
    if !std::io::stdin().is_terminal() || !std::io::stderr().is_terminal() {
        let help = format!("help: {can}: if you trust its author, run it with `--compiler clang`");
        return Err(Failure { message: format!("{}\n{help}", refused.message), code: refused.code });
    }
    complain(&refused.message);
    eprint!("{can}. Run it as native code? [y/N] ");
    let mut answer = String::new();
    // Without an answer the program does not run.
    let _ = std::io::stdin().read_line(&mut answer);
    if matches!(answer.trim(), "y" | "Y" | "yes") {
        return Ok(());
    }
    Err(Failure { message: "error: the program was not run".to_owned(), code: refused.code })
}

/// The options of the command as those of `exec`.
fn options(args: &RunArgs, names_chip: bool) -> ExecArgs {
    ExecArgs {
        functional: args.functional,
        sample: args.sample,
        sample_launches: args.sample_launches,
        check: args.all_checks(),
        report: args.html.clone().or_else(|| args.json.clone()),
        threads: args.threads,
        ..ExecArgs::of_program(&args.workload, &args.chip, names_chip)
    }
}

/// Refuses options of a single launch: those of all commands, and `others`, each with whether it is
/// given.
///
/// # Errors
///
/// The first option that is given.
pub fn check(launch: &WorkloadArgs, others: &[(&str, bool)]) -> Result<(), Failure> {
    let given = [
        ("--launch", launch.launch.is_some()),
        ("--size", launch.size.is_some()),
        ("--registers", launch.registers.is_some()),
        ("--cache", launch.cache.is_some()),
    ];
    match given.iter().chain(others).find(|(_, is_given)| *is_given) {
        None => Ok(()),
        Some((option, _)) => Err(Failure::input(format!(
            "error: {option} is not possible with {}, a program with host code\n\
             help: record its launches with `warpsim exec --record DIR`, and run one of them: warpsim run DIR/1/launch.ron",
            launch.kernel
        ))),
    }
}
