//! What the commands print. Lines have at most 80 characters, but for PTX text.

use super::command::Info;
use super::stops::Point;
use isa::source::Files;
use report::inspect::{InFocus, Scene, ending, text, thread, time};
use report::mangled;
use report::render::number::{count, plural};
use report::render::table::{line, wrapped};
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
    format!("[Launch {launch}: kernel {name}, grid {grid}, block {block}, chip {chip}{machine}]\n")
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
    let mut out = match session.mode() {
        Mode::Timed => {
            let WarpView { sm, slot, .. } = warp;
            format!("{when}, sm {sm}, warp {slot} (block {block}, warp {index}): {state}\n")
        }
        Mode::Functional => format!("{when}, block {block}, warp {index}: {state}\n"),
    };
    match warp.live {
        0 => line(&mut out, "  all lanes have exited"),
        _ if words.files().is_listing() => {
            let source = session.program().source.line(words.line(warp.pc));
            line(&mut out, format!("  {}	{source}", words.place(warp.pc)));
            line(&mut out, format!("  	  {}", words.text(warp.pc)));
        }
        _ => line(&mut out, format!("  {}	{}", words.place(warp.pc), words.text(warp.pc))),
    }
    out
}

/// `info`.
pub fn info(scene: &Scene<'_, '_>, points: &[Option<Point>], info: Info) -> String {
    match info {
        Info::Facts(subject) => text::print(&subject.facts(scene)),
        Info::Breakpoints => breakpoints(points, scene.words.files()),
        Info::Timeline => timeline(scene.session, scene.focus),
    }
}

/// `info breakpoints`.
pub fn breakpoints(points: &[Option<Point>], files: &Files) -> String {
    let shown = |point: &Option<Point>| Some(point.as_ref()?.shown(files));
    let all = (1..).zip(points).filter_map(|(number, point)| Some(format!("{number}: {}\n", shown(point)?)));
    let text: String = all.collect();
    if text.is_empty() { "No breakpoints or watchpoints.\n".to_owned() } else { text }
}

/// `info timeline`.
fn timeline(session: &Session<'_>, in_focus: InFocus) -> String {
    let Some(timeline) = session.timeline(in_focus.sm, CYCLES) else { return String::new() };
    let mut out = format!(
        "SM {}: {} before shader cycle {}, the first begins at {}\n",
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

/// `list`.
pub fn list(session: &Session<'_>, around: u32, here: Option<u32>) -> String {
    let first = around.saturating_sub(LISTED / 2).max(1);
    let text = &session.program().source.text;
    let numbered = (1..).zip(text.lines()).skip(first as usize - 1).take(LISTED as usize);
    let mark = |number: u32| if here == Some(number) { "=>" } else { "  " };
    let place = |number: u32| session.program().source.files().place(number);
    let shown = numbered.map(|(number, text)| format!("{} {:>4} {text}", mark(number), place(number)));
    lines(shown)
}
