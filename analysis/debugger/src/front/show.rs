//! Output of the commands. Lines have at most 80 characters, but for PTX text.

use super::command::{Coordinate, Info, Lines};
use isa::uop::issue::issues;
use report::inspect::variables::{Sight, never, table as variables};
use report::inspect::{InFocus, Scene, ending, terms, text, thread, time};
use report::mangled;
use report::render::number::{count, plural};
use report::render::table::{line, wrapped};
use report::words::Words;
use sim_core::debug::{Cell, Halt, Session, WarpView};
use sim_core::host::Mode;
use sim_core::stats::WarpState;
use sim_core::stats::report::Verdict;

/// Lines of PTX that `list` prints.
const LISTED: u32 = 10;

/// Issue cycles of a line of the timeline.
const CYCLES: u64 = 60;

/// The first line of a launch.
pub fn begin(session: &Session<'_>) -> String {
    let (grid, block) = session.extents();
    let (launch, name) = (session.launch(), mangled::plain(&session.program().name));
    let machine = match session.mode() {
        Mode::Timed => "",
        Mode::Functional if session.is_scheduled() => ", interleaved machine",
        Mode::Functional => ", functional machine",
    };
    let chip = &session.chip().name;
    let (blocks, word) = (terms(session).blocks, terms(session).block);
    format!("[Launch {launch}: kernel {name}, {blocks} {grid}, {word} {block}, chip {chip}{machine}]\n")
}

/// The end of a launch: the last line, or why it did not finish.
pub fn ended(session: &Session<'_>) -> String {
    let message = ending(session);
    let message = message.map_or(String::new(), |message| message + "\n");
    format!("{message}[Launch {} has ended at {}]\n", session.launch(), time(session))
}

/// The last line of a session whose commands end before the launch.
pub fn out_of_commands(session: &Session<'_>) -> String {
    match session.verdict() {
        Some(_) => String::new(),
        None => {
            format!("[End of the commands: launch {} is stopped at {}]\n", session.launch(), time(session))
        }
    }
}

/// A line of help.
pub fn help(text: &str) -> String {
    lines(wrapped(" ", text, 4, 80))
}

/// Lines as one text.
pub fn lines(all: impl IntoIterator<Item: AsRef<str>>) -> String {
    all.into_iter().fold(String::new(), |mut out, one| {
        line(&mut out, one.as_ref());
        out
    })
}

/// After a movement: why it stopped, and the position of the warp in focus.
pub fn stopped(scene: &Scene<'_, '_>, halt: &Halt) -> String {
    let session = scene.session;
    let mut out = match halt {
        Halt::Done | Halt::Event(_) => String::new(),
        Halt::Changed => "The watched value changed.\n".to_owned(),
        Halt::Ended if matches!(session.verdict(), Some(Verdict::Finished)) => return ended(session),
        Halt::Ended => ended(session),
        Halt::Start => "This is the start of the launch.\n".to_owned(),
        Halt::Interrupted => "Interrupted.\n".to_owned(),
    };
    out += &position(scene);
    out
}

/// The focus in the words of cuda-gdb.
pub fn focus(session: &Session<'_>, focus: InFocus) -> String {
    let InFocus { sm, slot, lane } = focus;
    match session.warp(sm, slot) {
        Some(warp) => {
            let (_, block) = session.extents();
            let thread = thread(block, u64::from(32 * warp.index + lane));
            let launch = session.launch();
            format!(
                "[launch {launch}, block {}, thread {thread}, sm {sm}, warp {slot}, lane {lane}]\n",
                warp.block_index
            )
        }
        None => format!("[sm {sm}, warp {slot}, lane {lane}: no warp is resident]\n"),
    }
}

/// The position of the warp in focus: cycle, line, what it waits for.
pub fn position(scene: &Scene<'_, '_>) -> String {
    let Scene { session, words, focus: in_focus } = *scene;
    let when = match session.mode() {
        Mode::Timed => format!("cycle {}", count(session.cycle())),
        Mode::Functional => time(session),
    };
    let Some(warp) = session.warp(in_focus.sm, in_focus.slot) else {
        return format!("{when}: {}", focus(session, in_focus));
    };
    let (block, index, state) = (warp.block_index, warp.index, scene.state(&warp));
    let word = words.terms().block;
    let mut out = match session.mode() {
        Mode::Timed => {
            let WarpView { sm, slot, .. } = warp;
            format!("{when}, sm {sm}, warp {slot} ({word} {block}, warp {index}): {state}\n")
        }
        Mode::Functional => format!("{when}, {word} {block}, warp {index}: {state}\n"),
    };
    match warp.live {
        0 => line(&mut out, "  all lanes have exited"),
        _ if words.files().is_listing() => {
            let text = &session.program().source.text;
            let at = words.line(warp.pc).saturating_sub(1) as usize;
            let source = text.lines().nth(at).unwrap_or("").trim_end();
            line(&mut out, format!("  {}	{source}", words.place(warp.pc)));
            line(&mut out, format!("  	  {}", words.text(warp.pc)));
        }
        _ => line(&mut out, format!("  {}	{}", words.place(warp.pc), words.text(warp.pc))),
    }
    out
}

/// Coordinates of the focus, as `cuda block thread` prints them.
pub fn coordinates(session: &Session<'_>, focus: InFocus, shown: &[Coordinate]) -> String {
    let InFocus { sm, slot, lane } = focus;
    let warp = session.warp(sm, slot);
    let one = |coordinate: &Coordinate| {
        let of_warp = |text: &dyn Fn(&WarpView) -> String| warp.as_ref().map_or("-".to_owned(), text);
        match coordinate {
            Coordinate::Device => "device 0".to_owned(),
            Coordinate::Kernel => format!("kernel {}", session.launch() - 1),
            Coordinate::Grid => format!("grid {}", session.launch()),
            Coordinate::Block => format!("block {}", of_warp(&|warp| warp.block_index.to_string())),
            Coordinate::Thread => {
                let (_, block) = session.extents();
                let of = |warp: &WarpView| thread(block, u64::from(32 * warp.index + lane));
                format!("thread {}", of_warp(&of))
            }
            Coordinate::Sm => format!("sm {sm}"),
            Coordinate::Warp => format!("warp {slot}"),
            Coordinate::Lane => format!("lane {lane}"),
        }
    };
    shown.iter().map(one).collect::<Vec<_>>().join(", ") + "\n"
}

/// `info`.
#[expect(clippy::needless_pass_by_value, reason = "it is a part of the command")]
pub fn info(scene: &Scene<'_, '_>, info: Info) -> String {
    let session = scene.session;
    let program = session.program();
    match info {
        Info::Facts(subject) => text::print(&subject.facts(scene)),
        Info::Timeline => timeline(session, scene.focus),
        Info::Arguments => arguments(scene),
        Info::Source => source(scene),
        Info::Functions => {
            let kernel = format!("kernel {}", mangled::plain(&program.name));
            let functions =
                program.functions.iter().map(|one| format!("function {}", mangled::plain(&one.name)));
            lines([kernel].into_iter().chain(functions))
        }
        Info::Variables => {
            let symbols =
                program.ptx.variables().symbols.iter().map(|one| format!("{} {}", one.c_type, one.name));
            let mut all: Vec<String> = symbols.collect();
            if all.is_empty() {
                let memory = program.shared.iter().chain(program.consts.iter());
                all = memory.map(|one| format!(".{} {}", one.ty, one.name)).collect();
            }
            if all.is_empty() {
                "No variables in memory that functions share.\n".to_owned()
            } else {
                lines(all)
            }
        }
        Info::Position => position(scene),
        // They are no facts of a launch.
        Info::Breakpoints | Info::Displays | Info::Line(_) | Info::Register(_) => String::new(),
    }
}

/// `info args`: the parameters of the kernel in the lane in focus.
fn arguments(scene: &Scene<'_, '_>) -> String {
    let InFocus { sm, slot, lane } = scene.focus;
    let Some(warp) = scene.session.warp(sm, slot) else { return focus(scene.session, scene.focus) };
    let sight = Sight::new(scene.session, scene.words, &warp);
    let all = sight.parameters().into_iter().filter_map(|name| {
        let found = sight.evaluate(name, None, &mut never)?.map(|mut all| {
            for one in &mut all {
                one.lanes = std::array::from_fn(|at| one.lanes[at].filter(|_| at == lane as usize));
            }
            all
        });
        Some((name.to_owned(), found))
    });
    text::print(&variables("Parameters of the kernel:".to_owned(), all))
}

/// `info source`: the file of the current line.
fn source(scene: &Scene<'_, '_>) -> String {
    let files = scene.words.files();
    let InFocus { sm, slot, .. } = scene.focus;
    let line = scene.session.warp(sm, slot).map_or(1, |warp| scene.words.line(warp.pc));
    let Some((file, _)) = files.at(line) else {
        return "The kernel has no source file.\n".to_owned();
    };
    let language = if files.is_listing() { "CUDA C" } else { "PTX" };
    let path = if file.path.is_empty() { &file.name } else { &file.path };
    format!("Current source file is {}\nLocated in {path}\nSource language {language}\n", file.name)
}

/// `info line`: the instructions of a line.
///
/// # Errors
/// The line has none.
pub fn line_info(scene: &Scene<'_, '_>, line: u32) -> Result<String, String> {
    let program = scene.session.program();
    let place = scene.words.files().place(line);
    let own: Vec<String> = issues(&program.code)
        .map(|issue| issue.main as u32)
        .filter(|pc| scene.words.line(*pc) == line)
        .map(|pc| format!("  {pc:>4}  {}", scene.words.text(pc)))
        .collect();
    if own.is_empty() {
        return Err(format!("line {place} has no instruction"));
    }
    Ok(format!("Line {place} has {}:\n{}", plural(own.len() as u64, "instruction"), lines(own)))
}

/// `disassemble` and `x/Ni`: the instructions of the function of `pc`, or so many from `pc` on.
pub fn instructions(session: &Session<'_>, words: &Words, pc: u32, count: Option<u32>) -> String {
    let program = session.program();
    let own = program.functions.iter().find(|one| (one.start..one.end).contains(&pc));
    let range = own.map_or(0..program.kernel_len() as u32, |one| one.start..one.end);
    let from = if count.is_some() { pc } else { range.start };
    let all = issues(&program.code)
        .filter(|issue| issue.first as u32 >= from && range.contains(&(issue.first as u32)));
    let most = count.map_or(usize::MAX, |count| count as usize);
    let shown = all.take(most).map(|issue| {
        let mark = if (issue.first..issue.end).contains(&(pc as usize)) { "=>" } else { "  " };
        let main = issue.main as u32;
        format!("{mark} {main:>4} line {:>4}  {}", words.place(main), words.text(main))
    });
    lines(shown)
}

/// `info timeline`.
fn timeline(session: &Session<'_>, in_focus: InFocus) -> String {
    let Some(timeline) = session.timeline(in_focus.sm, CYCLES) else { return String::new() };
    let mut out = format!(
        "{} {}: {} before shader cycle {}, the first begins at {}\n",
        terms(session).sm,
        in_focus.sm,
        plural(timeline.cycles as u64, "issue cycle"),
        count(session.cycle()),
        count(timeline.from)
    );
    for row in &timeline.rows {
        let letters: String = row.cells.iter().map(|cell| cell.map_or(' ', |cell| letter(cell).0)).collect();
        let mark = if row.slot == in_focus.slot { '*' } else { ' ' };
        line(&mut out, format!("{mark} warp {:>2} |{letters}|", row.slot));
    }
    let meanings = WarpState::ALL.into_iter().flat_map(|state| {
        let of = |issues| letter(Cell { state, pc: 0, issues, since: 0 });
        if state == WarpState::Issuing { vec![of(true), of(false)] } else { vec![of(false)] }
    });
    let meanings: Vec<String> = meanings.map(|(letter, name)| format!("{letter} {name}")).collect();
    for one in wrapped(" ", &meanings.join(", "), 2, 80) {
        line(&mut out, one);
    }
    out
}

/// Returns the letter of a state in the timeline, and its meaning.
pub fn letter(cell: Cell) -> (char, &'static str) {
    match cell.state {
        WarpState::Issuing if !cell.issues => ('+', "further slot of its instruction"),
        state => (state.row().letter, state.row().short),
    }
}

/// `list`; `here` is the current line.
pub fn list(session: &Session<'_>, wanted: Lines, here: Option<u32>) -> String {
    let text = &session.program().source.text;
    let place = |number: u32| session.program().source.files().place(number).to_string();
    listing(text, wanted, here, place)
}

/// Lines of a text with their numbers; the current one is marked.
pub fn listing(text: &str, wanted: Lines, here: Option<u32>, place: impl Fn(u32) -> String) -> String {
    let around = |line: u32| (line.saturating_sub(LISTED / 2).max(1), LISTED);
    let (first, count) = match wanted {
        Lines::Here => around(here.unwrap_or(1)),
        Lines::Before => around(here.unwrap_or(1).saturating_sub(LISTED)),
        Lines::Around(line) => around(line),
        Lines::Range(first, last) => (first.max(1), last.saturating_sub(first).saturating_add(1)),
    };
    let numbered = (1..).zip(text.lines()).skip(first as usize - 1).take(count as usize);
    let mark = |number: u32| if here == Some(number) { "=>" } else { "  " };
    lines(numbered.map(|(number, text)| format!("{} {:>4} {text}", mark(number), place(number))))
}
