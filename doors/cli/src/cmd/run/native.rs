//! `warpsim run FILE.cu` for a program that the built-in compiler refuses: only if the user permits
//! it, the program becomes native code. `warpcc` compiles it to a temporary folder, and it runs as
//! with `warpsim exec`.

use crate::args::{ExecArgs, HostTime, RunArgs};
use crate::chip;
use crate::cmd::exec;
use crate::exit::{Code, Failure};
use crate::output::{Files, TemporaryFolder, complain, temporary_folder};
use isa::types::Capability;
use std::ffi::OsString;
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use warpcc::command::Mode;

/// A program that clang has compiled.
pub struct Native {
    /// Where it is, until it has run.
    folder: TemporaryFolder,
    program: PathBuf,
}

/// Compiles the program to native code; the mode says whether clang prints its messages.
///
/// # Errors
///
/// An option is not possible with native code, or clang refuses the program.
pub fn compile(args: &RunArgs, mode: Mode) -> Result<Native, Failure> {
    let others = [
        ("--details", args.details.is_some()),
        ("--why", args.why),
        ("--timeline", args.timeline.is_some()),
        ("--warmup", args.warmup.is_some()),
        ("--save-state", args.save_state.is_some()),
        ("--load-state", args.load_state.is_some()),
        ("--host-stats", args.host_stats),
        ("--html with --json", args.html.is_some() && args.json.is_some()),
        ("--launch-index", args.which.launch_index.is_some()),
        ("--kernel", args.which.of_kernel.is_some()),
        ("--registers", args.workload.registers.is_some()),
        ("--cache", args.workload.cache.is_some()),
        ("--host-memory", args.workload.host_memory.is_some()),
    ];
    if let Some((option, _)) = others.iter().find(|(_, is_given)| *is_given) {
        return Err(Failure::input(format!(
            "error: {option} is not possible with host code that clang compiles, which runs in a separate process\n\
             help: record its launches with --record DIR, and run one of them: warpsim run DIR/NUMBER-KERNEL/launch.ron"
        )));
    }
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
    // What the chip has after Fermi: clang compiles for the first architecture with all of it.
    let (_, features) = chip::capability(&args.chip)?;
    if let Some(Capability { major, minor }) = features.since() {
        words.extend(["--device-arch".to_owned(), format!("sm_{major}{minor}")]);
    }
    words.extend(compile.maxrregcount.map(|most| format!("-maxrregcount={most}")));
    for folder in &args.workload.preprocess.include {
        words.extend(["-I".to_owned(), text(folder)?]);
    }
    words.extend(args.workload.preprocess.define.iter().map(|name| format!("-D{name}")));
    words.extend(args.workload.preprocess.standard.map(|standard| format!("-std={}", standard.name())));
    words.extend(["-o".to_owned(), text(&program)?]);
    warpcc::driver::run_in(folder.path(), words, mode).map_err(|failure| Failure {
        code: if failure.code() == 2 { Code::BadInput } else { Code::WrongResult },
        message: failure.message().map_or_else(
            || format!("error: {} was not compiled", args.workload.kernel),
            |text| format!("error: {text}"),
        ),
    })?;
    Ok(Native { folder, program })
}

/// Runs the program as native code.
///
/// # Errors
///
/// A file of the run cannot be used, or the program cannot be started.
pub fn run(args: &RunArgs, Native { folder, program }: Native) -> Result<ExitCode, Failure> {
    let arguments = args.workload.program_arguments.iter().map(|word| word.to_string_lossy().into_owned());
    let words: Vec<String> = [args.workload.kernel.clone()].into_iter().chain(arguments).collect();
    let mut files = Files::new();
    let sources = [Path::new(&args.workload.kernel)].into_iter();
    sources.chain(args.workload.linked.iter().map(PathBuf::as_path)).try_for_each(|one| files.reads(one))?;
    let mut command = vec![program.into_os_string()];
    command.extend_from_slice(&args.workload.program_arguments);
    let ended = exec::named(&options(args, command), Some(&words.join(" ")), files);
    drop(folder);
    ended
}

/// Asks the user, on a terminal, whether a program that the built-in compiler has refused becomes
/// native code: such code is not checked, and can do everything that the user can do.
///
/// # Errors
///
/// The user does not permit it, or cannot be asked.
pub fn permit(refused: &Failure) -> Result<(), Failure> {
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
fn options(args: &RunArgs, command: Vec<OsString>) -> ExecArgs {
    ExecArgs {
        chip: args.chip.clone(),
        functional: args.functional,
        sample: args.sample,
        sample_launches: args.sample_launches,
        timed_work: Some(args.work_limit()),
        launches: None,
        check: args.all_checks(),
        report: args.html.clone().or_else(|| args.json.clone()),
        record: args.record.clone(),
        debug: None,
        host_time: HostTime::None,
        rules: args.workload.rules,
        max_cycles: args.workload.max_cycles,
        threads: args.threads,
        // The command says itself what the user is told.
        quiet: true,
        command,
    }
}
