//! `warpsim explore`: runs a small launch under many schedules of its warps and requests, and shows
//! the different outcomes, the data races and the hangs.

mod answer;
mod condition;
mod document;
mod facts;
pub mod replay;
mod text;

use crate::args::{ExploreArgs, ExploreMode, WhichLaunch};
use crate::exit::{Code, Failure};
use crate::json;
use crate::launch_file::{Area, Ready};
use crate::output::{Files, interrupt, print, read_text, shown};
use crate::workload::Opened;
use answer::Answer;
use condition::Condition;
use kernels::Settings;
use request::Prepared;
use sim_core::host::{Gpu, Interleaved, Mode};
use std::path::Path;
use warpsim_check::explore::{Asks, Limits, Schedule, Search, explore};

/// Largest schedule file in bytes.
const LONGEST_SCHEDULE: u64 = 16 << 20;

/// The machine that runs a launch action by action, and its threads.
pub const STEPS: (Mode, usize) = (Mode::Functional, 1);

/// Schedules that are drawn without `--schedules`.
const DRAWN: u64 = 1000;

/// Explores.
pub fn run(args: &ExploreArgs) -> Result<Code, Failure> {
    let mut files = Files::new();
    let Opened { prepared, settings, chip, .. } = Opened::new(&args.workload, &args.chip, STEPS, &mut files)?;
    let replayed = args.replay.as_deref().map(|path| read_schedule(path, &mut files)).transpose()?;
    let to_standard = args.json.as_deref() == Some(Path::new("-"));
    let json_file = match args.json.as_deref().filter(|_| !to_standard) {
        Some(path) => Some(files.open(path)?),
        None => None,
    };
    let out = args.out.as_deref().map(|path| files.open(path)).transpose()?;
    let mut gpu = Gpu::new(chip);
    let mut ready = ready(&prepared, (&args.workload.kernel, &args.which), &mut gpu, settings)?;
    let conditions: Vec<Condition> =
        args.assertions.iter().map(|text| Condition::parse(text, ready.areas())).collect::<Result<_, _>>()?;
    let results = results(args, &ready, &conditions)?;
    let start = ready.start(args.order.order())?;
    if let Some(schedule) = replayed {
        return replay::run(&mut ready, &start, &schedule);
    }
    interrupt::catch();
    let contents = |state: &Interleaved| results.iter().flat_map(|area| area.contents(state)).collect();
    let asks = Asks { result: &contents, goes_on: &mut |_| interrupt::flow().is_continue() };
    let found = explore(&start, search(args), limits(args), asks);
    let answer = Answer::new(args, &mut ready, (&results, &conditions), &start, found)?;
    let chosen = chosen(args, &answer)?;
    let text = if to_standard { json::pretty(&document::of(&answer)) } else { text::render(&answer) };
    print(&text)?;
    if args.show.is_some() && !to_standard {
        print(&replay::text(&ready, &start, &answer.found.outcomes[chosen].schedule)?)?;
    }
    if let Some(file) = json_file {
        file.write(json::pretty(&document::of(&answer)).as_bytes())?;
    }
    if let Some(file) = out {
        let schedule = answer.found.outcomes.get(chosen).map(|outcome| &outcome.schedule);
        let text = schedule.map_or_else(String::new, Schedule::to_string);
        let heading =
            format!("# warpsim explore: outcome {} of kernel `{}`\n", chosen + 1, start.program().name);
        file.write(format!("{heading}{text}\n").as_bytes())?;
    }
    Ok(if interrupt::asked() { interrupt::code() } else { answer.code() })
}

/// Reads a schedule.
pub fn read_schedule(path: &Path, files: &mut Files) -> Result<Schedule, Failure> {
    files.reads(path)?;
    let text = read_text(path, LONGEST_SCHEDULE)?;
    Schedule::parse(&text).map_err(|error| Failure::input(format!("error: {}: {error}", shown(path))))
}

/// Index of the outcome whose schedule is shown or written.
fn chosen(args: &ExploreArgs, answer: &Answer<'_>) -> Result<usize, Failure> {
    let outcomes = answer.found.outcomes.len();
    match args.show {
        Some(number) if (1..=outcomes).contains(&number) => Ok(number - 1),
        Some(number) => {
            let message = format!("error: outcome {number} does not exist: the search has found {outcomes}");
            Err(Failure::input(format!("{message}\nhelp: give --show a number of the table of outcomes")))
        }
        None => Ok(answer.first_wrong().unwrap_or(0)),
    }
}

/// Returns the areas that are the result. Areas that a condition names belong to it.
fn results(args: &ExploreArgs, ready: &Ready<'_>, conditions: &[Condition]) -> Result<Vec<Area>, Failure> {
    let areas = ready.areas();
    let is_asked = |number: usize| conditions.iter().any(|condition| condition.names(number));
    if args.results.is_empty() {
        let has_expected = areas.iter().any(|area| area.is_expected) || !conditions.is_empty();
        let is_result =
            |(number, area): &(usize, &Area)| area.is_expected || !has_expected || is_asked(*number);
        return Ok(areas.iter().enumerate().filter(is_result).map(|(_, area)| area.clone()).collect());
    }
    let named = |name: &String| {
        areas.iter().find(|area| area.name == *name).cloned().ok_or_else(|| {
            let known: Vec<String> = areas.iter().map(|area| format!("`{}`", area.name)).collect();
            let message = format!("error: --result {name}: the launch file has no buffer of this name");
            Failure::input(format!("{message}\nhelp: its buffers are {}", known.join(", ")))
        })
    };
    let mut all: Vec<Area> = args.results.iter().map(named).collect::<Result<_, _>>()?;
    let more = areas.iter().enumerate().filter(|(number, _)| is_asked(*number)).map(|(_, area)| area);
    for area in more {
        if !all.contains(area) {
            all.push(area.clone());
        }
    }
    Ok(all)
}

/// Returns the launch of a launch file, or the launch with a number of a program with host code,
/// before its first instruction.
pub fn ready<'g>(
    prepared: &Prepared,
    (kernel, which): (&str, &WhichLaunch),
    gpu: &'g mut Gpu,
    settings: Settings,
) -> Result<Ready<'g>, Failure> {
    let given = which.given().into_iter().find(|(_, is_given)| *is_given);
    if let Some((option, _)) = given.filter(|_| !matches!(prepared, Prepared::Program(_))) {
        return Err(Failure::input(format!(
            "error: {option} is for a program with host code, and {kernel} is not one"
        )));
    }
    match prepared {
        Prepared::Kernel(custom) => custom.ready(gpu, settings.launches),
        Prepared::Program(program) => {
            let number = which.before(prepared, gpu.chip(), settings)?;
            let launch = program.held(gpu, settings.launches, number)?;
            Ready::of_program(gpu, launch)
        }
        Prepared::Builtin(..) => {
            let message = format!("error: the built-in kernel `{kernel}` cannot be explored");
            let help = "\nhelp: give a PTX or CUDA C file with --launch; `warpsim init` writes a launch file";
            Err(Failure::input(message + help))
        }
    }
}

fn search(args: &ExploreArgs) -> Search {
    match args.mode {
        ExploreMode::Exhaustive => Search::Exhaustive,
        ExploreMode::Random => Search::Random { seed: args.seed },
        ExploreMode::Pct => Search::Pct { seed: args.seed, depth: args.depth },
    }
}

fn limits(args: &ExploreArgs) -> Limits {
    let default = Limits::default();
    let schedules = if args.mode == ExploreMode::Exhaustive { default.schedules } else { DRAWN };
    Limits {
        schedules: args.schedules.unwrap_or(schedules),
        preemptions: args.preemptions,
        actions: args.actions,
    }
}
