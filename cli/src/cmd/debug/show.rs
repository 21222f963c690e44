//! What the commands print. Lines have at most 80 characters, but for PTX text.

use super::command::{Format, Info};
use super::front::InFocus;
use super::stops::Point;
use super::threads;
use super::views;
use crate::render::number::count;
use crate::render::table::{Column, Columns, line, wrapped};
use crate::render::verdict::{About, describe};
use isa::uop::{OperandKind, TO_EXIT};
use report::words::Words;
use sim_core::debug::{Halt, Register, Session, WarpView};
use sim_core::host::Mode;
use sim_core::stats::WarpState;
use sim_core::stats::report::Verdict;

/// Lines of PTX that `list` prints.
const LISTED: u32 = 10;

/// The first line of a launch.
pub fn begin(session: &Session<'_>) -> String {
    let (grid, block) = session.extents();
    let (launch, name) = (session.launch(), &session.program().name);
    let machine = match session.mode() {
        Mode::Timed => "",
        Mode::Functional => ", functional machine",
    };
    let chip = &session.chip().name;
    format!("[Launch {launch}: kernel {name}, grid {grid}, block {block}, chip {chip}{machine}]\n")
}

/// The present time.
fn time(session: &Session<'_>) -> String {
    match session.mode() {
        Mode::Timed => format!("shader cycle {}", count(session.cycle())),
        Mode::Functional => format!("warp instruction {}", count(session.cycle())),
    }
}

/// The end of a launch: the last line, or why it did not finish.
pub fn ended(session: &Session<'_>) -> String {
    let program = session.program();
    let timed = session.mode() == Mode::Timed;
    let source = &program.source;
    let about = About { kernel: &program.name, file: &source.name, files: source.files(), timed };
    let message = session.verdict().and_then(|verdict| describe(&verdict, about));
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
    lines(&wrapped(" ", text, 4, 80))
}

/// Lines as one text.
pub fn lines(all: &[String]) -> String {
    all.iter().fold(String::new(), |mut out, one| {
        line(&mut out, one);
        out
    })
}

/// After a movement: why it stopped, and the position of the warp in focus.
pub fn stopped(session: &Session<'_>, words: &Words, focus: InFocus, halt: &Halt) -> String {
    let mut out = match halt {
        Halt::Done | Halt::Event(_) => String::new(),
        Halt::Changed => "The watched value changed.\n".to_owned(),
        Halt::Ended if matches!(session.verdict(), Some(Verdict::Finished)) => return ended(session),
        Halt::Ended => ended(session),
        Halt::Start => "This is the start of the launch.\n".to_owned(),
        Halt::Interrupted => "Interrupted.\n".to_owned(),
    };
    out += &position(session, words, focus);
    out
}

/// The focus in the words of cuda-gdb.
pub fn focus(session: &Session<'_>, focus: InFocus) -> String {
    let InFocus { sm, slot, lane } = focus;
    match session.warp(sm, slot) {
        Some(warp) => {
            let (_, block) = session.extents();
            let linear = 32 * warp.index + lane;
            let (x, y, z) = (linear % block.x, linear / block.x % block.y, linear / block.x / block.y);
            let launch = session.launch();
            format!(
                "[launch {launch}, block {}, thread ({x},{y},{z}), sm {sm}, warp {slot}, lane {lane}]\n",
                warp.block_index
            )
        }
        None => format!("[sm {sm}, warp {slot}, lane {lane}: no warp is resident]\n"),
    }
}

/// The position of the warp in focus: cycle, line, what it waits for.
pub fn position(session: &Session<'_>, words: &Words, in_focus: InFocus) -> String {
    let when = match session.mode() {
        Mode::Timed => format!("cycle {}", count(session.cycle())),
        Mode::Functional => time(session),
    };
    let Some(warp) = session.warp(in_focus.sm, in_focus.slot) else {
        return format!("{when}: {}", focus(session, in_focus));
    };
    let (block, index, state) = (warp.block_index, warp.index, state(session, words, &warp));
    let mut out = match session.mode() {
        Mode::Timed => {
            let WarpView { sm, slot, .. } = warp;
            format!("{when}, sm {sm}, warp {slot} (block {block}, warp {index}): {state}\n")
        }
        Mode::Functional => format!("{when}, block {block}, warp {index}: {state}\n"),
    };
    match warp.live {
        0 => line(&mut out, "  all lanes have exited"),
        _ => line(&mut out, format!("  {}	{}", words.place(warp.pc), words.text(warp.pc))),
    }
    out
}

/// State of a warp and its reason.
pub fn state(session: &Session<'_>, words: &Words, warp: &WarpView) -> String {
    let Some(status) = warp.status else { return "has not been scheduled".to_owned() };
    if session.mode() == Mode::Functional && status.state == WarpState::NotSelected {
        return "ready".to_owned();
    }
    let why = words.why(&status.why, session.cycle().saturating_sub(1).max(status.since));
    let label = status.state.label();
    if why.is_empty() { label.to_owned() } else { format!("{label} ({why})") }
}

/// Lanes of a mask as dots: `#` in the mask, `.` outside; lane 0 first.
pub fn lanes_of(mask: u32) -> String {
    (0..32).map(|lane| if mask >> lane & 1 == 1 { '#' } else { '.' }).collect()
}

/// Lanes as dots: `#` active, `.` waiting, ` ` exited or absent; lane 0 first.
fn lanes(warp: &WarpView) -> String {
    let lane = |lane: u32| match (warp.active >> lane & 1, warp.live >> lane & 1) {
        (1, _) => '#',
        (_, 1) => '.',
        _ => ' ',
    };
    (0..32).map(lane).collect()
}

/// `info`.
pub fn info(
    session: &Session<'_>,
    words: &Words,
    in_focus: InFocus,
    points: &[Option<Point>],
    info: Info,
) -> String {
    let warp = session.warp(in_focus.sm, in_focus.slot);
    let none = || format!("No warp is resident in slot {} of SM {}.\n", in_focus.slot, in_focus.sm);
    match info {
        Info::Warps => warps(session, words, in_focus),
        Info::Threads => threads::threads(session, words, in_focus),
        Info::Lanes => warp.map_or_else(none, |warp| info_lanes(session, &warp, in_focus)),
        Info::Blocks => blocks(session),
        Info::Sms => sms(session),
        Info::Registers => warp.map_or_else(none, |warp| registers(session, words, &warp, in_focus.lane)),
        Info::Stack => warp.map_or_else(none, |warp| stack(words, &warp)),
        Info::Shared => warp.map_or_else(none, |warp| shared(session, &warp)),
        Info::Global => global(session),
        Info::Breakpoints => views::breakpoints(points, words.files()),
        Info::Line => warp.map_or_else(none, |warp| {
            let (file, line) = words.source_line(warp.pc);
            format!("{file}:{line}\t{}\n", words.text(warp.pc))
        }),
        Info::Scoreboard => warp.map_or_else(none, |warp| views::scoreboard(session, words, &warp)),
        Info::Queue => views::queue(session, words, in_focus.sm),
        Info::Access => warp.map_or_else(none, |warp| views::access(session, words, &warp)),
        Info::Timeline => views::timeline(session, in_focus),
        Info::Barrier => warp.map_or_else(none, |warp| views::barrier(session, words, &warp)),
    }
}

fn warps(session: &Session<'_>, words: &Words, in_focus: InFocus) -> String {
    let columns = [Column::Words(1), Column::Numbers(4), Column::Words(9), Column::Numbers(4)];
    let mut table = Columns::new(&[&columns[..], &[Column::Words(36), Column::Rest]].concat());
    table = table.titles(&["", "warp", "block", "line", "lanes 0 to 31", "state"]);
    let of_sm = session.warps().into_iter().filter(|warp| warp.sm == in_focus.sm);
    for warp in of_sm {
        let mark = if warp.slot == in_focus.slot { "*" } else { "" };
        let line = if warp.live == 0 { String::new() } else { words.place(warp.pc).to_string() };
        let block = format!("{}.{}", warp.block_index, warp.index);
        let lanes = format!("[{}]", lanes(&warp));
        let state = match (warp.status.map(|status| status.state), session.mode()) {
            (Some(WarpState::NotSelected), Mode::Functional) => "ready",
            (state, _) => state.map_or("", WarpState::label),
        };
        table.row(&[mark, &warp.slot.to_string(), &block, &line, &lanes, state]);
    }
    match session.mode() {
        Mode::Timed => format!("SM {}, {}\n{}", in_focus.sm, time(session), table.draw()),
        Mode::Functional => format!("{}\n{}", time(session), table.draw()),
    }
}

/// The reconvergence stack, the running entry first.
fn stack(words: &Words, warp: &WarpView) -> String {
    if warp.stack.is_empty() {
        return "The stack is empty: all lanes have exited.\n".to_owned();
    }
    let mut table =
        Columns::new(&[Column::Words(8), Column::Words(36), Column::Numbers(5), Column::Words(14)]);
    table = table.titles(&["", "lanes 0 to 31", "line", "reconverges at"]);
    for (i, entry) in warp.stack.iter().rev().enumerate() {
        let until = match entry.reconv {
            TO_EXIT => "exit".to_owned(),
            pc => format!("line {}", words.place(pc)),
        };
        let what = if i == 0 { "running" } else { "waiting" };
        table.row(&[
            what,
            &format!("[{}]", lanes_of(entry.mask)),
            &words.place(entry.pc).to_string(),
            &until,
        ]);
    }
    table.draw()
}

fn info_lanes(session: &Session<'_>, warp: &WarpView, in_focus: InFocus) -> String {
    let (_, block) = session.extents();
    let columns = [Column::Words(1), Column::Numbers(4), Column::Words(12), Column::Words(8)];
    let mut table = Columns::new(&columns).titles(&["", "lane", "thread", "state"]);
    for lane in 0..32 {
        let linear = 32 * warp.index + lane;
        if u64::from(linear) >= block.count() {
            break;
        }
        let (x, y, z) = (linear % block.x, linear / block.x % block.y, linear / block.x / block.y);
        let state = match (warp.active >> lane & 1, warp.live >> lane & 1) {
            (1, _) => "active",
            (_, 1) => "inactive",
            _ => "exited",
        };
        let mark = if lane == in_focus.lane { "*" } else { "" };
        table.row(&[mark, &lane.to_string(), &format!("({x},{y},{z})"), state]);
    }
    table.draw()
}

fn blocks(session: &Session<'_>) -> String {
    let columns =
        [Column::Numbers(4), Column::Words(12), Column::Numbers(6), Column::Numbers(8), Column::Numbers(12)];
    let mut table = Columns::new(&columns).titles(&["sm", "block", "warps", "running", "since cycle"]);
    for block in session.blocks() {
        table.row(&[
            &block.sm.to_string(),
            &block.index.to_string(),
            &block.warps.count_ones().to_string(),
            &block.live.count_ones().to_string(),
            &count(block.since),
        ]);
    }
    let (grid, _) = session.extents();
    format!("{}{} of {} blocks have ended\n", table.draw(), count(session.retired()), count(grid.count()))
}

fn sms(session: &Session<'_>) -> String {
    let columns = [Column::Numbers(4), Column::Numbers(7), Column::Numbers(7)];
    let mut table = Columns::new(&columns).titles(&["sm", "blocks", "warps"]);
    let blocks = session.blocks();
    for sm in 0..session.sms() {
        let of_sm = || blocks.iter().filter(|block| block.sm == sm);
        let warps: u32 = of_sm().map(|block| block.live.count_ones()).sum();
        table.row(&[&sm.to_string(), &of_sm().count().to_string(), &warps.to_string()]);
    }
    table.draw()
}

/// The value of one lane, by kind of row and format.
pub fn value(kind: OperandKind, format: Option<Format>, value: u64) -> String {
    let bits = match kind {
        OperandKind::P => return value.to_string(),
        OperandKind::W => 32,
        OperandKind::D | OperandKind::Addr => 64,
    };
    match (format.unwrap_or(Format::Hex), bits) {
        (Format::Hex, 32) => format!("{value:#010x}"),
        (Format::Hex, _) => format!("{value:#018x}"),
        (Format::Signed, 32) => (value as u32 as i32).to_string(),
        (Format::Signed, _) => (value as i64).to_string(),
        (Format::Unsigned, _) => value.to_string(),
        (Format::Float, 32) => format!("{:?}", f32::from_bits(value as u32)),
        (Format::Float, _) => format!("{:?}", f64::from_bits(value)),
        (Format::Binary, 32) => format!("{value:#034b}"),
        (Format::Binary, _) => format!("{value:#066b}"),
    }
}

fn registers(session: &Session<'_>, words: &Words, warp: &WarpView, lane: u32) -> String {
    let columns =
        [Column::Words(8), Column::Words(18), Column::Numbers(12), Column::Numbers(14), Column::Rest];
    let mut table = Columns::new(&columns).titles(&["register", "hex", "int", "float", "written by line"]);
    let mut all = session.registers(warp.sm, warp.slot);
    all.retain(|register| register.name.is_some() && register.lanes >> lane & 1 == 1);
    let key = |register: &Register| {
        let name = register.name.clone().unwrap_or_default();
        let letters = name.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned();
        let number: u64 = name[letters.len()..].parse().unwrap_or(0);
        (letters, number, u64::MAX - register.cycle)
    };
    all.sort_by_key(key);
    all.dedup_by_key(|register| register.name.clone());
    for register in all {
        let Some(row) = session.row(warp.sm, warp.slot, register.kind, register.row) else { continue };
        let of = |format| value(register.kind, Some(format), row[lane as usize]);
        let float = if register.kind == OperandKind::P { String::new() } else { of(Format::Float) };
        let name = register.name.as_deref().unwrap_or("");
        let line = words.place(register.pc).to_string();
        table.row(&[name, &of(Format::Hex), &of(Format::Signed), &float, &line]);
    }
    format!("Registers of lane {lane} that the warp has written:\n{}", table.draw())
}

fn shared(session: &Session<'_>, warp: &WarpView) -> String {
    let bytes = session.shared(warp.block).map_or(0, <[u8]>::len);
    let mut out = format!("Shared memory of block {}: {} bytes\n", warp.block_index, count(bytes as u64));
    for variable in &session.program().shared {
        let text =
            format!("  {:#06x} {} ({} bytes)", variable.offset, variable.name, count(variable.bytes.into()));
        line(&mut out, text);
    }
    out
}

fn global(session: &Session<'_>) -> String {
    let columns = [Column::Words(12), Column::Numbers(14), Column::Rest];
    let mut table = Columns::new(&columns).titles(&["address", "bytes", "name"]);
    for allocation in session.allocations() {
        let bytes = allocation.end() - u64::from(allocation.start);
        let name = allocation.name.as_deref().unwrap_or("");
        table.row(&[&format!("{:#010x}", allocation.start), &count(bytes), name]);
    }
    table.draw()
}

/// `list`.
pub fn list(session: &Session<'_>, around: u32, here: Option<u32>) -> String {
    let first = around.saturating_sub(LISTED / 2).max(1);
    let text = &session.program().source.text;
    let numbered = (1..).zip(text.lines()).skip(first as usize - 1).take(LISTED as usize);
    let mark = |number: u32| if here == Some(number) { "=>" } else { "  " };
    let place = |number: u32| session.program().source.files().place(number);
    let shown = numbered.map(|(number, text)| format!("{} {:>4} {text}", mark(number), place(number)));
    lines(&shown.collect::<Vec<_>>())
}
