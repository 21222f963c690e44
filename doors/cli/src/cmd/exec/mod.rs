//! `warpsim exec`: a CUDA program whose GPU is simulated by `libwarpsim_cuda`.
//!
//! The library is part of the program and reads its settings from environment variables, so that
//! they also reach a program that another one starts. This command checks the options, sets the
//! variables, and waits.

#[cfg(unix)]
pub mod keeper;
mod opencl;

use crate::access;
use crate::args::{ExecArgs, HostTime, TimedWork};
use crate::chip;
use crate::cmd::program_page;
use crate::exit::{Code, Failure};
use crate::json;
use crate::output::{Files, OutputFile, complain, recording_folder, shown, temporary_folder};
use crate::provenance::Provenance;
use crate::render::short::WIDTH;
use clap::ValueEnum;
use report::program::{Program, VERSION};
use sim_core::config::Chip;
use sim_core::host::{BarrierRule, MemoryRule};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus};
use warpsim_cuda::settings::CHOOSE_LAUNCHES;

/// Runs the program. Returns the exit code of the program, or 128 and the number of its signal.
pub fn run(args: &ExecArgs) -> Result<ExitCode, Failure> {
    named(args, None, Files::new())
}

/// Runs a program. One with a title is followed by its report, and its page has the title. A report
/// replaces no file that the program has written.
pub fn named(args: &ExecArgs, title: Option<&str>, mut files: Files) -> Result<ExitCode, Failure> {
    // An unknown chip is named here and not by the program in the middle of its output.
    let (chip, texts) = chip::load_to_run(&args.chip)?;
    chip::reads(&mut files, &args.chip.chip)?;
    args.record.as_deref().map_or(Ok(()), recording_folder)?;
    let output = args.report.as_ref().map(|file| prepare_report(file, &mut files)).transpose()?;
    // For the document that becomes the report, and for the launches of the debugger.
    let folder = temporary_folder()?;
    let document = folder.path().join("program.json");
    let launches = folder.path().join("launches");
    let record = args.record.as_deref().or(args.debug.map(|_| launches.as_path()));
    let is_recorded = args.report.is_some() || title.is_some();
    let report = is_recorded.then_some(document.as_path());
    let mut all = variables(args, record, report);
    all.extend(opencl::variables(folder.path())?);
    let mut code = process(args, &chip, all)?;
    if title.is_some() && document.exists() {
        let program = read(&document)?;
        complain(program.text(WIDTH, None).trim_end());
        if code == 0 && program.findings.iter().any(|found| found.is_error) {
            code = Code::WrongResult as u8;
        }
    }
    match (&args.report, output) {
        (Some(file), Some(_)) if !document.exists() => complain(&format!(
            "warning: {} was not written: the program made no CUDA call of libwarpsim_cuda (was it built by warpcc?)",
            shown(file)
        )),
        (Some(file), Some(output)) => {
            let mut program = read(&document)?;
            if let Some(title) = title {
                title.clone_into(&mut program.command);
            }
            let sets = args.chip.sets()?;
            let kernel = (&*program.command.clone(), None);
            let none = std::iter::empty();
            let provenance = Provenance::of(kernel, none, (&*args.chip.chip, &sets), &texts, &chip);
            write_report(file, output, &provenance, program, code == 0)?;
        }
        _ => {}
    }
    if let (Some(number), Some(record)) = (args.debug, record) {
        return debug(number, record, args);
    }
    Ok(code.into())
}

/// Starts a program and waits for its end. The chip is simulated in that process.
fn process(args: &ExecArgs, chip: &Chip, variables: Vec<(&'static str, OsString)>) -> Result<u8, Failure> {
    if let Some((path, own)) = chip.registered().next() {
        return Err(Failure::input(format!(
            "error: {path} is {own}, which only this program has: libwarpsim_cuda, which simulates the GPU of a native \
             program, has the built-in words only\nhelp: `run FILE.cu` executes CUDA C in this program, if the \
             built-in compiler accepts it"
        )));
    }
    let [name, arguments @ ..] = args.command.as_slice() else {
        return Err(Failure::input("error: no program is given"));
    };
    wait_for(name, arguments, variables)
}

/// Starts a program that ends with this one, and waits for its end. Returns its exit code.
#[cfg(unix)]
fn wait_for(
    name: &OsString,
    arguments: &[OsString],
    variables: Vec<(&'static str, OsString)>,
) -> Result<u8, Failure> {
    let words: Vec<OsString> = [name].into_iter().chain(arguments).cloned().collect();
    keeper::run(&words, variables)
}

/// Starts a program, and waits for its end. Returns its exit code.
#[cfg(not(unix))]
fn wait_for(
    name: &OsString,
    arguments: &[OsString],
    variables: Vec<(&'static str, OsString)>,
) -> Result<u8, Failure> {
    let mut command = Command::new(name);
    command.args(arguments).envs(variables);
    let status = command.status().map_err(|why| {
        let name = shown(Path::new(name));
        Failure::input(format!(
            "error: cannot start {name}: {why}\nhelp: build a program from CUDA C: warpcc FILE.cu -o NAME"
        ))
    })?;
    Ok(code(status))
}

fn is_page(file: &Path) -> bool {
    file.extension().is_some_and(|end| end == "html")
}

/// Writes the document of a program, or its page.
fn write_report(
    file: &Path,
    output: OutputFile,
    provenance: &Provenance,
    program: Program,
    passed: bool,
) -> Result<(), Failure> {
    if fs::metadata(file).is_ok_and(|metadata| metadata.is_file()) {
        let file = shown(file);
        return Err(Failure::input(format!(
            "error: cannot write {file}: the program has written this file\nhelp: name another file for the report"
        )));
    }
    if is_page(file) {
        return output.write(program_page::page(&program).as_bytes());
    }
    output.write(json::native(provenance, program, passed).as_bytes())
}

fn broken(why: &dyn std::fmt::Display) -> Failure {
    Failure::input(format!("error: the document of the program cannot be read: {why}"))
}

/// Reads the document of a program.
fn read(file: &Path) -> Result<Program, Failure> {
    let text = fs::read_to_string(file).map_err(|why| broken(&why))?;
    let program: Program = serde_json::from_str(&text).map_err(|why| broken(&why))?;
    if program.version == VERSION {
        return Ok(program);
    }
    let why = format!("libwarpsim_cuda writes version {}, and this program reads {VERSION}", program.version);
    Err(broken(&why))
}

/// A report has a known kind. A file of an earlier run is removed, so that it is not taken for the
/// report of this run, and a file at its place is the program's.
fn prepare_report(file: &Path, files: &mut Files) -> Result<OutputFile, Failure> {
    if !is_page(file) && file.extension().is_none_or(|end| end != "json") {
        let file = shown(file);
        return Err(Failure::input(format!(
            "error: --report {file}: expected a file that ends in .html or .json"
        )));
    }
    let output = files.open(file)?;
    if fs::metadata(file).is_ok_and(|metadata| metadata.is_file()) {
        // A link to the file remains.
        access::resolve(file)
            .and_then(fs::remove_file)
            .map_err(|why| Failure::input(format!("error: cannot write {}: {why}", shown(file))))?;
    }
    Ok(output)
}

/// The limit for the work of timed launches without an option; none if an option or a variable of
/// the environment decides which launches are timed.
fn usual_work(args: &ExecArgs) -> Option<TimedWork> {
    let by_option = args.functional
        || args.sample
        || args.sample_launches.is_some()
        || args.launches.is_some()
        || !args.check.is_empty();
    let mut variables = CHOOSE_LAUNCHES.into_iter().chain(["WARPSIM_TIMED_WORK"]);
    let is_set = |name| std::env::var(name).is_ok_and(|value| !matches!(value.trim(), "" | "0"));
    (!by_option && !variables.any(is_set)).then_some(TimedWork::USUAL)
}

/// The environment of the process, which `cudart::settings` reads. A path is absolute, because a
/// program may change its folder.
fn variables(args: &ExecArgs, record: Option<&Path>, report: Option<&Path>) -> Vec<(&'static str, OsString)> {
    let absolute =
        |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).into_os_string();
    let chip = Path::new(&args.chip.chip);
    let chip = if chip.is_file() { absolute(chip) } else { chip.into() };
    let mut all = vec![("WARPSIM_CHIP", chip), ("WARPSIM_SET", args.chip.sets.join(";").into())];
    let checks: Vec<String> = (args.check.iter().filter_map(ValueEnum::to_possible_value))
        .map(|word| word.get_name().to_owned())
        .collect();
    let mut set = |name, value: Option<OsString>| all.extend(value.map(|value| (name, value)));
    let switch = |on: bool| on.then(|| "1".into());
    set("WARPSIM_FUNCTIONAL", switch(args.functional));
    set("WARPSIM_SAMPLE", switch(args.sample));
    set("WARPSIM_SAMPLE_LAUNCHES", args.sample_launches.map(|first| first.to_string().into()));
    let work = args.timed_work.or_else(|| usual_work(args)).and_then(TimedWork::limit);
    set("WARPSIM_TIMED_WORK", work.map(|most| most.to_string().into()));
    set("WARPSIM_LAUNCHES", args.launches.as_ref().map(OsString::from));
    set("WARPSIM_CHECK", (!checks.is_empty()).then(|| checks.join(",").into()));
    set("WARPSIM_REPORT", report.map(absolute));
    set("WARPSIM_RECORD", record.map(absolute));
    set("WARPSIM_HOST_TIME", (args.host_time == HostTime::Real).then(|| "real".into()));
    let rule = |word: &dyn std::fmt::Display| word.to_string().into();
    set("WARPSIM_MEMORY", args.rules.memory.map(|memory| rule(&MemoryRule::from(memory))));
    set("WARPSIM_BARRIERS", args.rules.barriers.map(|barriers| rule(&BarrierRule::from(barriers))));
    set("WARPSIM_MAX_CYCLES", args.max_cycles.map(|most| most.to_string().into()));
    set("WARPSIM_THREADS", args.threads.map(|threads| threads.to_string().into()));
    set("WARPSIM_QUIET", switch(args.quiet));
    all
}

/// Replays a recorded launch in the debugger.
fn debug(number: u64, record: &Path, args: &ExecArgs) -> Result<ExitCode, Failure> {
    let folder: PathBuf = record.join(number.to_string());
    let launch = folder.join("launch.ron");
    if !launch.is_file() {
        return Err(Failure::input(format!("error: --debug {number}: the program has made fewer launches")));
    }
    let program = std::env::current_exe()
        .map_err(|why| Failure::input(format!("error: cannot find this program: {why}")))?;
    let mut command = Command::new(program);
    command.arg("debug").arg(launch).args(["--chip", &args.chip.chip]);
    command.args(args.chip.sets.iter().flat_map(|set| ["--set", set]));
    let status =
        command.status().map_err(|why| Failure::input(format!("error: cannot start the debugger: {why}")))?;
    Ok(code(status).into())
}

/// The exit code of a program as a shell gives it.
fn code(status: ExitStatus) -> u8 {
    #[cfg(unix)]
    let signal = std::os::unix::process::ExitStatusExt::signal(&status);
    #[cfg(not(unix))]
    let signal: Option<i32> = None;
    let code = status.code().unwrap_or_else(|| 128 + signal.unwrap_or(0));
    u8::try_from(code & 0xff).unwrap_or(u8::MAX)
}
