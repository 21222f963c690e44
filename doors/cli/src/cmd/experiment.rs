//! `warpsim experiment`: runs the points of an experiment file, keeps their results in a store, and
//! answers the questions of the file. The crate `studies` does the work; this module has the
//! options and the files. `docs/EXPERIMENTS.md` is the manual.

use crate::access;
use crate::args::{Engine, ExperimentArgs};
use crate::chip;
use crate::exit::{Code, Failure};
use crate::host::host;
use crate::json::pretty;
use crate::output::{Files, OutputFile, complain, interrupt, print, shown};
use figures::svg;
use request::Prepared;
use std::path::{Path, PathBuf};
use studies::cluster::{Scheduler, Settings};
use studies::experiment::{Options, Results};
use studies::file::Idealize;
use studies::programs::Programs;
use studies::{Loaded, batch, draw, experiment, load, selection};

/// Runs an experiment.
pub fn run(args: &ExperimentArgs) -> Result<Code, Failure> {
    run_study(args).map(signaled).map_err(|failure| Failure { code: signaled(failure.code), ..failure })
}

/// Returns the code of the signal that ended the study, instead of that of Ctrl-C.
fn signaled(code: Code) -> Code {
    if code == Code::Interrupted { interrupt::code() } else { code }
}

fn run_study(args: &ExperimentArgs) -> Result<Code, Failure> {
    let mut loaded = load(&args.file, host())?;
    if args.idealize && loaded.file.given.idealize == Idealize::None {
        loaded.file.given.idealize = Idealize::Gains;
    }
    let programs = loaded.programs()?;
    let points = loaded.points()?;
    let selected = match &args.points {
        Some(text) => selection::read(text, points.count())?,
        None => (0..points.count()).collect(),
    };
    let mut files = Files::new();
    reads(&loaded, &programs, &mut files)?;
    let jobs = args.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let study = loaded.study(&programs);
    if let Some(part) = &args.part {
        let part = files.open(part)?;
        let (bytes, is_interrupted) = batch::run(study, &points, &selected, jobs)?;
        part.write(&bytes)?;
        return Ok(if is_interrupted { Code::Interrupted } else { Code::Fine });
    }
    let store = args.store.clone().unwrap_or_else(|| PathBuf::from(format!("{}.sqlite", loaded.name)));
    let outputs = Outputs::open(args, &store, &mut files)?;
    let options = Options {
        store: &store,
        merge: &args.merge,
        jobs,
        cluster: if args.dry_run { None } else { settings(args, jobs)? },
        dry_run: args.dry_run,
        host_time: args.host_time,
    };
    let Some(results) = experiment::run(study, &points, &selected, options)? else { return Ok(Code::Fine) };
    let code = results.report_ends();
    Ok(code.max(outputs.write(args, &results, &mut files)?))
}

/// Adds all input files.
fn reads(loaded: &Loaded, programs: &Programs, files: &mut Files) -> Result<(), Failure> {
    files.reads(loaded.path())?;
    programs.first().flat_map(Prepared::files).try_for_each(|path| files.reads(&path))?;
    loaded.chips.iter().flat_map(|entry| chip::files(&entry.texts)).try_for_each(|file| files.reads(&file))
}

/// Files that are opened before the simulation, so that a bad path is reported early.
struct Outputs {
    rows: Option<OutputFile>,
    answers: Option<OutputFile>,
    page: Option<OutputFile>,
}

impl Outputs {
    /// Opens the files of `--out`, `--json` and `--html`, and claims the store.
    fn open(args: &ExperimentArgs, store: &Path, files: &mut Files) -> Result<Self, Failure> {
        if is_stdout(args.out.as_ref()) && is_stdout(args.json.as_ref()) {
            return Err(Failure::input("error: --out and --json cannot both write to standard output"));
        }
        args.merge.iter().try_for_each(|part| files.reads(part))?;
        let mut open = |path: &Option<PathBuf>| {
            let path = path.as_ref().filter(|path| !is_stdout(Some(path)));
            path.map(|path| files.open(path)).transpose()
        };
        let (rows, answers) = (open(&args.out)?, open(&args.json)?);
        let page = args.html.as_ref().map(|path| files.open(path)).transpose()?;
        files.claims(store)?;
        Ok(Self { rows, answers, page })
    }

    /// Writes the rows, the answers, the page and the pictures. Returns the code of a picture that
    /// could not be written; the other results are complete then.
    fn write(self, args: &ExperimentArgs, results: &Results<'_>, files: &mut Files) -> Result<Code, Failure> {
        let (rows, answers) = (|| results.rows(args.format.into()), results.answers());
        if let Some(out) = self.rows {
            out.write(rows().as_bytes())?;
        }
        if let Some(json) = self.answers {
            json.write(pretty(&answers).as_bytes())?;
        }
        if let Some(html) = self.page {
            html.write(results.page(&answers).as_bytes())?;
        }
        if is_stdout(args.out.as_ref()) {
            print(&rows())?;
        } else if is_stdout(args.json.as_ref()) {
            print(&pretty(&answers))?;
        } else {
            print(&results.text(&answers))?;
        }
        let drawn =
            args.plots.as_ref().map_or(Ok(()), |folder| pictures(&draw::all(&answers), folder, files));
        Ok(drawn.map_or_else(
            |failure| {
                complain(&failure.message);
                failure.code
            },
            |()| Code::Fine,
        ))
    }
}

/// Writes pictures into a folder, which is created if it does not exist.
fn pictures(pictures: &[draw::Named], folder: &Path, files: &mut Files) -> Result<(), Failure> {
    std::fs::create_dir_all(folder)
        .map_err(|why| Failure::input(format!("error: cannot write to {}: {why}", shown(folder))))?;
    pictures.iter().try_for_each(|draw::Named { name, scene }| {
        files.open(&folder.join(format!("{name}.svg")))?.write(svg(scene).as_bytes())
    })
}

/// Whether an output is standard output.
fn is_stdout(path: Option<&PathBuf>) -> bool {
    path.is_some_and(|path| path == Path::new("-"))
}

/// Returns the settings of an engine of a cluster; `None` for the local engine.
fn settings(args: &ExperimentArgs, jobs: usize) -> Result<Option<Settings>, Failure> {
    let scheduler = match args.engine {
        Engine::Local if args.engine_args.is_some() => {
            return Err(Failure::input("error: --engine-args needs --engine hyperqueue or --engine slurm"));
        }
        Engine::Local => return Ok(None),
        Engine::Hyperqueue => Scheduler::HyperQueue,
        Engine::Slurm => Scheduler::Slurm,
    };
    let program = std::env::current_exe()
        .map_err(|why| Failure::input(format!("error: cannot find the path of this program: {why}")))?;
    let mut command = vec!["experiment".to_owned(), utf8(&args.file)?];
    command.extend(args.idealize.then(|| "--idealize".to_owned()));
    // A task has one processor unless the arguments of the engine and --jobs say otherwise.
    command.extend(["--jobs".to_owned(), args.jobs.unwrap_or(1).to_string()]);
    for folder in access::allowed() {
        command.extend(["--allow-path".to_owned(), utf8(folder)?]);
    }
    utf8(&program)?;
    let arguments = words(args.engine_args.as_deref().unwrap_or_default())?;
    Ok(Some(Settings { scheduler, arguments, batch_seconds: args.batch_seconds, program, command, jobs }))
}

/// Returns a path as a text for the script of a batch.
fn utf8(path: &Path) -> Result<String, Failure> {
    path.to_str().map(str::to_owned).ok_or_else(|| {
        Failure::input(format!("error: {}: an engine of a cluster needs a path in UTF-8", shown(path)))
    })
}

/// Splits a text into words, as a shell does.
fn words(text: &str) -> Result<Vec<String>, Failure> {
    shlex::split(text)
        .ok_or_else(|| Failure::input(format!("error: --engine-args {text}: a quotation mark is not closed")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engine_arguments_are_words_with_quotation_marks() {
        assert_eq!(words("").expect("valid"), [""; 0]);
        assert_eq!(words(" --mem 4G  -p 'a b'c \"\" ").expect("valid"), ["--mem", "4G", "-p", "a bc", ""]);
        assert!(words("--name 'x").expect_err("open").message.contains("is not closed"));
    }
}
