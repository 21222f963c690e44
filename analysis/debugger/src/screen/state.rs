//! State of the screen and what keys do to it, without a terminal.

use super::changes::Stop;
use super::host::HostView;
use super::keys::{Action, action};
use super::layout::{Choice, Pane};
use super::theme::Theme;
use crate::completion::Words;
use crate::front::command::Command;
use crate::front::parse::parse;
use crate::front::{End, Front};
use crate::input::{Input, Typed};
use crate::program::Ended;
use crate::site::Site;
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
    /// The panes that are shown.
    pub choice: Choice,
    /// The panes that a launch has shown while host code is shown, and the other way around.
    other: Choice,
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
    /// Output of commands and of the program.
    pub log: Vec<String>,
    /// Whether more output of the program belongs to the last line of the log.
    is_open: bool,
    /// The last message, and whether it is an error.
    pub message: Option<(String, bool)>,
    /// The command that is being executed.
    pub running: Option<String>,
    /// Values before the last movement.
    pub before: Stop,
    /// The host code at its last stop.
    pub host: HostView,
}

/// Effect of a key on the session.
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
            choice: Choice { is_host: false, selected: Pane::Warps, lower: Pane::Warps, zoomed: false },
            other: Choice { is_host: true, selected: Pane::Registers, lower: Pane::Registers, zoomed: false },
            help: false,
            scroll: [0; Pane::COUNT],
            format: Format::Hex,
            allocation: 0,
            input: Input::default(),
            log: Vec::new(),
            is_open: false,
            message: Some(("A colon begins a command, for example  :help break".to_owned(), false)),
            running: None,
            before: Stop::default(),
            host: HostView::default(),
        }
    }

    /// The program has stopped at another place.
    pub fn begin(&mut self, front: &Front, site: &Site<'_, '_>) {
        let is_host = !matches!(site, Site::Launch { .. });
        if self.choice.is_host != is_host {
            std::mem::swap(&mut self.choice, &mut self.other);
        }
        match site {
            Site::Launch { session, .. } => {
                self.before = Stop::of(session, front.focus().sm);
                self.scroll = [0; Pane::COUNT];
            }
            Site::Host { at, .. } => {
                self.host.arrives(*at);
                for pane in [Pane::Source, Pane::Warps, Pane::Output] {
                    self.scroll[pane as usize] = 0;
                }
            }
            Site::End { .. } => {}
        }
    }

    /// The program has ended.
    pub fn ends(&mut self, ended: &Ended) {
        for line in ended.message.iter().flat_map(|message| message.lines()) {
            self.say(line);
        }
        let text = format!("The program has ended with exit code {}: G and S go back, q quits.", ended.code);
        self.say(&text);
        self.host.ends(ended.code);
        self.message = Some((text, false));
    }

    /// Shows output of a command, or of the program around it.
    pub fn say(&mut self, text: &str) {
        self.is_open = false;
        self.add(text.lines());
    }

    /// Shows why the program has stopped.
    pub fn notice(&mut self, text: &str) {
        self.say(text);
        if let Some(first) = text.lines().next() {
            self.message = Some((first.to_owned(), false));
        }
    }

    /// Shows an error.
    pub fn complain(&mut self, message: &str) {
        self.say(message);
        self.message = message.lines().next().map(|line| (line.to_owned(), true));
    }

    /// Shows output of the program, whose last line may be continued.
    pub fn output(&mut self, text: &str) {
        let mut rest = text;
        if self.is_open
            && let Some(last) = self.log.last_mut()
        {
            let (first, after) =
                text.split_once('\n').map_or((text, None), |(first, after)| (first, Some(after)));
            *last += first;
            let Some(after) = after else { return };
            rest = after;
        }
        self.is_open = !text.ends_with('\n');
        self.add(rest.lines());
    }

    fn add<'t>(&mut self, lines: impl Iterator<Item = &'t str>) {
        self.log.extend(lines.map(str::to_owned));
        let extra = self.log.len().saturating_sub(LOG);
        self.log.drain(..extra);
    }

    /// Selects a pane.
    pub fn select(&mut self, pane: Pane) {
        let choice = &mut self.choice;
        if !Pane::all(choice.is_host).contains(&pane) {
            let text = format!("{} is a pane of a launch, and host code runs now.", pane.name(true));
            self.message = Some((text, false));
            return;
        }
        choice.selected = pane;
        if pane != Pane::Source {
            choice.lower = pane;
        }
    }

    /// Executes a command line. Returns what follows if the program leaves the place where it has
    /// stopped. `poll` is called regularly; `Break` stops a movement.
    pub fn execute(
        &mut self,
        front: &mut Front,
        site: &mut Site<'_, '_>,
        line: &str,
        poll: Poll<'_>,
    ) -> Option<End> {
        self.say(&format!("(warpsim) {line}"));
        let before = site
            .session()
            .map(|session| (Stop::of(session, front.focus().sm), session.cycle(), session.has_ended()));
        let is_table = matches!(parse(line), Ok(Some(Command::Help(_) | Command::Info(_))));
        let answer = site.execute(front, line, poll);
        let cycle = site.session().map_or(0, Session::cycle);
        let has_ended = site.session().is_some_and(Session::has_ended);
        let mut had_ended = false;
        let mut moved = false;
        if let Some((values, at, ended)) = before {
            (moved, had_ended) = (cycle != at, ended);
            if moved {
                self.before = values;
                for pane in [Pane::Source, Pane::Warps, Pane::Timeline] {
                    self.scroll[pane as usize] = 0;
                }
            }
        }
        match answer {
            Ok((text, end)) => {
                self.say(&text);
                self.scroll[Pane::Output as usize] = 0;
                let lines = text.lines().count();
                // The head shows the position.
                let is_position = moved && lines < SHORT && !has_ended;
                let notice = text.lines().next().filter(|_| !is_position);
                self.message = notice.map(|text| (text.to_owned(), false));
                if is_table || lines > SHORT {
                    self.select(Pane::Output);
                }
                // The end of the launch can be inspected, and left to go back. In a program, the
                // host code goes back.
                if matches!(site, Site::Launch { code: None, .. }) && end == Some(End::Launch) && !had_ended {
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
    pub fn press(&mut self, front: &Front, site: &Site<'_, '_>, key: KeyEvent) -> Next {
        if self.input.is_open() {
            return match self.input.press(key) {
                Typed::Edited | Typed::Closed => Next::Draw,
                Typed::Complete => {
                    let words = Words::of(site);
                    let possible = self.input.complete(&words).join("  ");
                    self.input.hint = possible;
                    Next::Draw
                }
                Typed::Command(line) => Next::Execute(line),
            };
        }
        if self.help {
            self.help = false;
            return Next::Draw;
        }
        if key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL) {
            // The key that has stopped a command arrives here, too.
            let text = || ("Stopped. No command is running: q quits.".to_owned(), false);
            self.message.get_or_insert_with(text);
            return Next::Draw;
        }
        self.message = None;
        let Choice { is_host, selected, .. } = self.choice;
        let Some(action) = action(key, is_host) else { return Next::Draw };
        let at = selected as usize;
        match action {
            Action::Command(line) => return Next::Execute(line.to_owned()),
            Action::Warp(forward) => {
                return site.session().map_or(Next::Draw, |session| other_warp(front, session, forward));
            }
            Action::Sm(forward) => {
                return site.session().map_or(Next::Draw, |session| other_sm(front, session, forward));
            }
            Action::Lane(forward) => {
                let lane = front.focus().lane;
                let lane = if forward { (lane + 1).min(31) } else { lane.saturating_sub(1) };
                return Next::Execute(format!("cuda lane {lane}"));
            }
            Action::Tab(forward) => self.select(selected.neighbor(forward, is_host)),
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
                let all = site.session().map_or(0, |session| session.allocations().len());
                self.allocation = (self.allocation + 1) % all.max(1);
                self.scroll[Pane::Global as usize] = 0;
                self.select(Pane::Global);
            }
            Action::Zoom => self.choice.zoomed = !self.choice.zoomed,
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
