//! State of the screen and what keys do to it, without a terminal.

use super::changes::Stop;
use super::input::{Input, Typed};
use super::keys::{Action, action};
use super::layout::Pane;
use super::theme::Theme;
use crate::front::command::Command;
use crate::front::parse::{parse, with_line};
use crate::front::show;
use crate::front::{End, Front};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use report::inspect::values::Format;
use sim_core::debug::{Poll, Session};

/// Lines of output that are kept.
const LOG: usize = 1000;

/// Lines of the output of a movement: a notice and the position, which has two lines. A longer
/// output selects its pane.
const SHORT: usize = 3;

/// State of the screen.
pub struct Screen {
    /// Styles.
    pub theme: Theme,
    /// The pane with the input.
    pub selected: Pane,
    /// The pane below the source, if there is space for one only.
    pub lower: Pane,
    /// Whether the selected pane has all space.
    pub zoomed: bool,
    /// Whether the help is shown.
    pub help: bool,
    /// Scroll position of each pane.
    pub scroll: [i64; Pane::COUNT],
    /// Format of values.
    pub format: Format,
    /// Index of the shown allocation.
    pub allocation: usize,
    /// The command line.
    pub input: Input,
    /// Output of commands.
    pub log: Vec<String>,
    /// The last message, and whether it is an error.
    pub message: Option<(String, bool)>,
    /// The command that is being executed.
    pub running: Option<String>,
    /// Values before the last movement.
    pub before: Stop,
}

/// What follows from a key.
#[derive(Debug, PartialEq, Eq)]
pub enum Next {
    /// The screen has changed.
    Draw,
    /// The terminal must be cleared.
    Redraw,
    /// A command is to be executed.
    Execute(String),
}

impl Screen {
    /// A screen before the first launch.
    pub fn new(theme: Theme) -> Self {
        Self {
            theme,
            selected: Pane::Warps,
            lower: Pane::Warps,
            zoomed: false,
            help: false,
            scroll: [0; Pane::COUNT],
            format: Format::Hex,
            allocation: 0,
            input: Input::default(),
            log: Vec::new(),
            message: None,
            running: None,
            before: Stop::default(),
        }
    }

    /// Begins a launch: moves to its first instruction.
    pub fn begin(&mut self, front: &mut Front, session: &mut Session<'_>, poll: Poll<'_>) {
        self.say(&show::begin(session));
        let position = front.begin(session, poll);
        self.say(&position);
        self.before = Stop::of(session, front.focus().sm);
        self.scroll = [0; Pane::COUNT];
        let hint = "A colon begins a command, for example  :break divergence";
        self.message = Some((hint.to_owned(), false));
    }

    fn say(&mut self, text: &str) {
        self.log.extend(text.lines().map(str::to_owned));
        let extra = self.log.len().saturating_sub(LOG);
        self.log.drain(..extra);
    }

    /// Selects a pane.
    pub fn select(&mut self, pane: Pane) {
        self.selected = pane;
        if pane != Pane::Source {
            self.lower = pane;
        }
    }

    /// Executes a command line. Returns the end of the work on this launch, if it has ended.
    /// `poll` is called regularly; `Break` stops a movement.
    pub fn execute(
        &mut self,
        front: &mut Front,
        session: &mut Session<'_>,
        line: &str,
        poll: Poll<'_>,
    ) -> Option<End> {
        self.say(&format!("(warpsim) {line}"));
        let had_ended = session.has_ended();
        let (before, cycle) = (Stop::of(session, front.focus().sm), session.cycle());
        let line = session.program().source.files().numbered(line);
        let line = with_line(&line, |name| session.program().ptx.variables().first_line(name));
        let command = parse(&line);
        let is_table = matches!(command, Ok(Some(Command::Help(_) | Command::Info(_))));
        let answer = command.and_then(|command| match command {
            Some(command) => front.execute(session, command, poll),
            None => Ok((String::new(), None)),
        });
        let moved = session.cycle() != cycle;
        if moved {
            self.before = before;
            for pane in [Pane::Source, Pane::Warps, Pane::Timeline] {
                self.scroll[pane as usize] = 0;
            }
        }
        match answer {
            Ok((text, end)) => {
                self.say(&text);
                self.scroll[Pane::Output as usize] = 0;
                let lines = text.lines().count();
                // The head shows the position.
                let is_position = moved && lines < SHORT && !session.has_ended();
                let notice = text.lines().next().filter(|_| !is_position);
                self.message = notice.map(|text| (text.to_owned(), false));
                if is_table || lines > SHORT {
                    self.select(Pane::Output);
                }
                // The end of the launch can be looked at, and left to go back.
                if end == Some(End::Launch) && !had_ended {
                    let text = "The launch has ended: G goes back, g continues the host program, q quits.";
                    self.message = Some((text.to_owned(), false));
                    self.say(text);
                    return None;
                }
                end
            }
            Err(message) => {
                let message = format!("error: {message}");
                self.say(&message);
                self.message = Some((message, true));
                None
            }
        }
    }

    /// Handles a key.
    pub fn press(&mut self, front: &Front, session: &Session<'_>, key: KeyEvent) -> Next {
        if self.input.is_open() {
            return match self.input.press(key) {
                Typed::Edited | Typed::Closed => Next::Draw,
                Typed::Command(line) => Next::Execute(line),
            };
        }
        if self.help {
            self.help = false;
            return Next::Draw;
        }
        if key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL) {
            // The key that has stopped a command arrives here, too.
            let text = || ("No command is running: q quits.".to_owned(), false);
            self.message.get_or_insert_with(text);
            return Next::Draw;
        }
        self.message = None;
        let Some(action) = action(key) else { return Next::Draw };
        let at = self.selected as usize;
        match action {
            Action::Command(line) => return Next::Execute(line.to_owned()),
            Action::Warp(forward) => return other_warp(front, session, forward),
            Action::Sm(forward) => return other_sm(front, session, forward),
            Action::Lane(forward) => {
                let lane = front.focus().lane;
                let lane = if forward { (lane + 1).min(31) } else { lane.saturating_sub(1) };
                return Next::Execute(format!("cuda lane {lane}"));
            }
            Action::Tab(forward) => self.select(self.selected.neighbor(forward)),
            Action::Select(pane) => self.select(pane),
            // The height of a pane is known when it is drawn; half a small pane is always visible.
            Action::Page(pages) => self.scroll[at] = self.scroll[at].saturating_add(6 * pages),
            Action::Top => self.scroll[at] = 0,
            Action::Format => {
                self.format = match self.format {
                    Format::Hex | Format::Unsigned | Format::Binary | Format::Octal | Format::Char => {
                        Format::Signed
                    }
                    Format::Signed => Format::Float,
                    Format::Float => Format::Hex,
                }
            }
            Action::Allocation => {
                self.allocation = (self.allocation + 1) % session.allocations().len().max(1);
                self.scroll[Pane::Global as usize] = 0;
                self.select(Pane::Global);
            }
            Action::Zoom => self.zoomed = !self.zoomed,
            Action::Type => self.input.open(),
            Action::Help => self.help = true,
            Action::Redraw => return Next::Redraw,
        }
        Next::Draw
    }
}

/// The command that moves the focus to the next or previous warp of the SM.
fn other_warp(front: &Front, session: &Session<'_>, forward: bool) -> Next {
    let focus = front.focus();
    let slots = session.warps().into_iter().filter(|warp| warp.sm == focus.sm).map(|warp| warp.slot);
    let next = if forward {
        slots.filter(|slot| *slot > focus.slot).min()
    } else {
        slots.filter(|slot| *slot < focus.slot).max()
    };
    next.map_or(Next::Draw, |slot| Next::Execute(format!("cuda warp {slot}")))
}

/// The command that moves the focus to the next or previous SM with a resident warp.
fn other_sm(front: &Front, session: &Session<'_>, forward: bool) -> Next {
    let focus = front.focus();
    let sms = session.warps().into_iter().map(|warp| (warp.sm, warp.slot));
    let next = if forward {
        sms.filter(|(sm, _)| *sm > focus.sm).min()
    } else {
        sms.filter(|(sm, _)| *sm < focus.sm).max_by_key(|(sm, slot)| (*sm, u32::MAX - slot))
    };
    next.map_or(Next::Draw, |(sm, slot)| Next::Execute(format!("cuda sm {sm} warp {slot}")))
}
