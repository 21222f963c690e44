//! Reads a command from a line.

use super::command::{
    Address, Breakpoint, COMMANDS, Command, Coordinate, ELSEWHERE, Examined, Focus, Info, Lines, Row, Stop,
    Target, Units, Verb, subjects,
};
use isa::diag::nearest;
use isa::types::Dim3;
use report::inspect::values::Format;
use report::inspect::variables::{Expression, Node};
use report::step::{By, Step};

/// Events at which a breakpoint can stop. A number follows `stall` and `access`.
pub const EVENTS: [(&str, Stop); 9] = [
    ("divergence", Stop::Divergence),
    ("bank-conflict", Stop::BankConflict),
    ("uncoalesced", Stop::Uncoalesced),
    ("access", Stop::Access(0)),
    ("barrier", Stop::Barrier),
    ("exit", Stop::Exit),
    ("stall", Stop::Stall(0)),
    ("trap", Stop::Trap),
    ("hang", Stop::Hang),
];

/// Words that restrict a breakpoint.
pub const RESTRICTIONS: [&str; 4] = ["block", "warp", "thread", "if"];

/// Short forms of the subjects of `info`.
const SHORT: [(&str, &str); 6] = [
    ("b", "breakpoints"),
    ("break", "breakpoints"),
    ("r", "registers"),
    ("f", "frame"),
    ("disp", "display"),
    ("reg", "registers"),
];

/// Reads the words of a command.
struct Words<'a> {
    command: &'a str,
    words: std::iter::Peekable<std::vec::IntoIter<&'a str>>,
}

type Read<T> = Result<T, String>;

impl<'a> Words<'a> {
    fn next(&mut self, what: &str) -> Read<&'a str> {
        self.words.next().ok_or_else(|| format!("{} requires {what}", self.command))
    }

    fn is_empty(&mut self) -> bool {
        self.words.peek().is_none()
    }

    fn number(&mut self, what: &str) -> Read<u64> {
        let word = self.next(what)?;
        number(word).ok_or_else(|| format!("{} requires {what}, found `{word}`", self.command))
    }

    fn number32(&mut self, what: &str) -> Read<u32> {
        let wide = self.number(what)?;
        u32::try_from(wide).map_err(|_| format!("{wide} is too large for {what}"))
    }

    fn count(&mut self) -> Read<u64> {
        if self.is_empty() { Ok(1) } else { self.number("a number") }
    }

    /// All remaining words as numbers of breakpoints or displays.
    fn numbers(&mut self) -> Read<Vec<usize>> {
        let mut all = Vec::new();
        while !self.is_empty() {
            all.push(self.number("the number of a breakpoint")? as usize);
        }
        Ok(all)
    }

    /// `(1,0,0)`, `1,0` or `1`; blanks may follow the commas.
    fn index(&mut self, what: &str) -> Read<Dim3> {
        let mut word = self.next(what)?.to_owned();
        while word.starts_with('(') && !word.contains(')')
            || word.ends_with(',')
                && self.words.peek().is_some_and(|next| next.starts_with(|c: char| c.is_ascii_digit()))
        {
            word += self.next(what)?;
        }
        let inner = word.trim_end_matches(',').trim_start_matches('(').trim_end_matches(')');
        let parts: Option<Vec<u32>> = inner.split(',').map(|part| part.parse().ok()).collect();
        match parts.as_deref() {
            Some([x]) => Ok(Dim3::new(*x, 0, 0)),
            Some([x, y]) => Ok(Dim3::new(*x, *y, 0)),
            Some([x, y, z]) => Ok(Dim3::new(*x, *y, *z)),
            _ => Err(format!("{} requires {what} such as (1,0,0), found `{word}`", self.command)),
        }
    }

    fn address(&mut self) -> Read<Address> {
        match self.next("`shared ADDR` or `global ADDR`")? {
            "shared" => Ok(Address::Shared(self.number32("an address")?)),
            "global" => Ok(Address::Global(self.number32("an address")?)),
            word => Err(format!("unknown address space `{word}`; expected shared or global")),
        }
    }

    /// Whether the words are a memory and an address.
    fn has_address(&mut self) -> bool {
        let mut ahead = self.words.clone();
        matches!(ahead.next(), Some("shared" | "global"))
            && ahead.next().is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit()))
    }

    fn target(&mut self, rest: &str) -> Read<Target> {
        if self.has_address() {
            return Ok(Target::Memory(self.address()?));
        }
        if rest.starts_with('-') {
            return Err(format!("{} has no options; `watch global ADDR` watches memory", self.command));
        }
        let first = self.next("a register, an expression, `shared ADDR` or `global ADDR`")?;
        if matches!(first, "shared" | "global") && self.is_empty() {
            return Err(format!("{} requires an address", self.command));
        }
        self.words.by_ref().for_each(drop);
        let expression = Expression::parse(rest)?;
        Ok(match &expression.node {
            Node::Name(name) => Target::Register(name.clone()),
            _ => Target::Place(expression),
        })
    }

    /// The event at which a breakpoint stops; `None` if `word` names none.
    fn event(&mut self, word: &str) -> Read<Option<Stop>> {
        let Some((_, event)) = EVENTS.iter().find(|(name, _)| *name == word) else { return Ok(None) };
        Ok(Some(match event {
            Stop::Stall(_) => Stop::Stall(self.number("a number of shader cycles")?),
            Stop::Access(_) => Stop::Access(self.number32("a number of transactions")?),
            other => *other,
        }))
    }

    /// The place of a breakpoint.
    fn stop(&mut self) -> Read<Stop> {
        let Some(word) = self.words.peek().copied() else { return Ok(Stop::Here(0)) };
        if RESTRICTIONS.contains(&word) {
            return Ok(Stop::Here(0));
        }
        let word = self.next("a line or an event").unwrap_or(word);
        if let Some(event) = self.event(word)? {
            return Ok(event);
        }
        if let Some(lines) = word.strip_prefix('+').or_else(|| word.strip_prefix('-'))
            && let Ok(lines) = lines.parse::<i32>()
        {
            return Ok(Stop::Here(if word.starts_with('-') { -lines } else { lines }));
        }
        if word.starts_with('*') {
            return Err(format!(
                "a breakpoint is at a line, not at an address `{word}`; `info line` has the line"
            ));
        }
        let line = word.rsplit(':').next().and_then(|line| line.parse().ok());
        let events = EVENTS.map(|(name, _)| name);
        let known = format!("expected a line or one of: {}", events.join(", "));
        Ok(Stop::Line(line.ok_or_else(|| unknown("breakpoint", word, events, &known))?))
    }

    /// A breakpoint without its condition.
    fn breakpoint(&mut self) -> Read<Breakpoint> {
        let mut breakpoint = Breakpoint::new(self.stop()?);
        while !self.is_empty() {
            match self.next("a restriction")? {
                "block" => breakpoint.block = Some(self.index("a block index")?),
                "warp" => breakpoint.warp = Some(self.number32("a warp number")?),
                "thread" => breakpoint.thread = Some(self.index("a thread index")?),
                word => {
                    return Err(unknown(
                        "restriction",
                        word,
                        RESTRICTIONS,
                        "expected block, warp, thread or if",
                    ));
                }
            }
        }
        Ok(breakpoint)
    }

    fn focus(&mut self) -> Read<Focus> {
        let mut focus = Focus::default();
        while !self.is_empty() {
            let word = self.next("a coordinate")?;
            let names = Coordinate::ALL.map(|(name, _)| name);
            let Some((_, coordinate)) = Coordinate::ALL.iter().find(|(name, _)| *name == word) else {
                let expected = format!("expected one of: {}", names.join(", "));
                return Err(unknown("coordinate", word, names, &expected));
            };
            if self.words.peek().is_none_or(|next| names.contains(next)) {
                focus.shown.push(*coordinate);
                continue;
            }
            let mut number = |what| self.index(what).map(|index| index.x);
            match coordinate {
                Coordinate::Device => focus.device = Some(number("a device number")?),
                Coordinate::Kernel => focus.launch = Some(number("a kernel number")?.saturating_add(1)),
                Coordinate::Grid => focus.launch = Some(number("a launch number")?),
                Coordinate::Block => focus.block = Some(self.index("a block index")?),
                Coordinate::Thread => focus.thread = Some(self.index("a thread index")?),
                Coordinate::Sm => focus.sm = Some(number("an SM number")?),
                Coordinate::Warp => focus.warp = Some(number("a warp number")?),
                Coordinate::Lane => focus.lane = Some(number("a lane number")?),
            }
        }
        Ok(focus)
    }

    /// The subject of `info`.
    fn info(&mut self) -> Read<Info> {
        let word = self.next("a subject")?;
        // cuda-gdb writes `info cuda warps`.
        let word = if word == "cuda" { self.next("a subject")? } else { word };
        match word {
            "line" if !self.is_empty() => return Ok(Info::Line(self.number32("a line")?)),
            "registers" | "reg" | "r" if !self.is_empty() => {
                return Ok(Info::Register(self.next("a register")?.to_owned()));
            }
            "launch" if self.words.peek() == Some(&"trace") => {
                return Err(
                    "launches run one after the other; `info kernels` shows the one that runs".to_owned()
                );
            }
            "contexts" => return Err("a program has one context; `info devices` shows the chip".to_owned()),
            "managed" => {
                return Err("there is no managed memory; `info global` has the allocations".to_owned());
            }
            "threads" if !self.is_empty() => {
                return Err(
                    "`info threads` shows all threads; `cuda block (X,Y,Z) thread (X,Y,Z)` selects one"
                        .to_owned(),
                );
            }
            "breakpoints" | "display" | "functions" | "variables" if !self.is_empty() => {
                return Err(format!("`info {word}` shows all; it accepts no word behind it"));
            }
            _ => {}
        }
        let all = subjects();
        let exact = all.iter().find(|(name, _)| *name == word);
        // A short form means the first subject that it begins.
        let found = exact.or_else(|| all.iter().find(|(name, _)| SHORT.contains(&(word, *name))));
        let found = found.or_else(|| {
            let mut begin = all.iter().filter(|(name, _)| word.len() > 2 && name.starts_with(word));
            begin.next().filter(|_| begin.next().is_none())
        });
        let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
        let expected = format!("expected one of: {}", names.join(", "));
        found.map(|(_, info)| info.clone()).ok_or_else(|| unknown("subject", word, names, &expected))
    }

    fn setting(&mut self, rest: &str) -> Read<Command> {
        let rest = rest.split_whitespace().collect::<Vec<_>>().join(" ");
        self.words.by_ref().for_each(drop);
        match &*rest {
            "cuda break_on_launch application" | "cuda break_on_launch all" => Ok(Command::BreakOnLaunch(true)),
            "cuda break_on_launch none" | "cuda break_on_launch system" => Ok(Command::BreakOnLaunch(false)),
            // The debugger never asks, divides its output into pages, or runs threads one by one.
            "pagination off" | "confirm off" | "height 0" | "width 0" | "scheduler-locking off"
            | "cuda software_preemption on" | "non-stop off" => Ok(Command::Settled),
            "" => Err("set requires a setting".to_owned()),
            _ if rest.starts_with("var") || rest.contains('=') => Err(
                "the debugger changes no value, so that a debugged launch computes what a plain run computes; \
                 `--arg NAME=VALUE` and the launch file set the parameters of a kernel"
                    .to_owned(),
            ),
            _ if rest.starts_with("args") => {
                Err("the arguments of a program follow `--` on the command line".to_owned())
            }
            _ => Err(format!(
                "`set {rest}` is no setting of this debugger; `set cuda break_on_launch application` is one, \
                 others are options of the command line"
            )),
        }
    }

    /// The lines of `list`.
    fn lines(&mut self) -> Read<Lines> {
        let Some(word) = self.words.next() else { return Ok(Lines::Here) };
        let mut text = word.to_owned();
        while text.ends_with(',') || self.words.peek().is_some_and(|next| next.starts_with(',')) {
            let Some(next) = self.words.next() else { break };
            text += next;
        }
        let line = |word: &str| {
            let line = word.rsplit(':').next().and_then(|line| line.parse::<u32>().ok());
            line.ok_or_else(|| format!("list requires a line, found `{word}`"))
        };
        match text.split_once(',') {
            _ if text == "-" => Ok(Lines::Before),
            Some((first, "")) => line(first).map(|first| Lines::Range(first, first.saturating_add(9))),
            Some(("", last)) => line(last).map(|last| Lines::Range(last.saturating_sub(9), last)),
            Some((first, last)) => Ok(Lines::Range(line(first)?, line(last)?)),
            None => line(&text).map(Lines::Around),
        }
    }
}

/// A decimal or hexadecimal number.
fn number(word: &str) -> Option<u64> {
    match word.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).ok(),
        None => word.parse().ok(),
    }
}

fn unknown<'a>(what: &str, word: &str, known: impl IntoIterator<Item = &'a str>, expected: &str) -> String {
    match nearest(word, known) {
        Some(near) => format!("unknown {what} `{word}`; did you mean `{near}`?"),
        None => format!("unknown {what} `{word}`; {expected}"),
    }
}

/// Finds a command by its name, a short form, or the beginning of its name.
pub fn row(word: &str) -> Read<&'static Row> {
    let named = |(_, name, short, _): &&Row| *name == word || short.contains(&word);
    if let Some(found) = COMMANDS.iter().find(named) {
        return Ok(found);
    }
    if let Some((_, instead)) = ELSEWHERE.iter().find(|(name, _)| *name == word) {
        return Err(format!("`{word}` of GDB is not a command here: {instead}"));
    }
    let begins = |(_, name, ..): &&Row| word.len() > 1 && name.starts_with(word);
    let all: Vec<&Row> = COMMANDS.iter().filter(begins).collect();
    match all[..] {
        [one] => return Ok(one),
        [] => {}
        _ => {
            let names: Vec<&str> = all.iter().map(|(_, name, ..)| *name).collect();
            return Err(format!("`{word}` can be one of: {}", names.join(", ")));
        }
    }
    let names =
        COMMANDS.iter().flat_map(|(_, name, short, _)| [*name].into_iter().chain(short.iter().copied()));
    Err(unknown("command", word, names, "`help` lists the commands"))
}

/// The format of a letter.
pub fn format_of(letter: char) -> Option<Format> {
    match letter {
        'x' | 'a' | 'z' => Some(Format::Hex),
        'd' => Some(Format::Signed),
        'u' => Some(Format::Unsigned),
        'f' => Some(Format::Float),
        't' => Some(Format::Binary),
        'o' => Some(Format::Octal),
        'c' => Some(Format::Char),
        _ => None,
    }
}

/// The format behind `print/`.
fn one_format(text: Option<&str>) -> Read<Option<Format>> {
    let Some(text) = text else { return Ok(None) };
    let mut letters = text.chars();
    match (letters.next(), letters.next()) {
        (Some('s' | 'r'), None) => Ok(None),
        (Some(letter), None) if format_of(letter).is_some() => Ok(format_of(letter)),
        _ => Err(format!("unknown format `{text}`; expected x, d, u, o, t, c, f, a or z")),
    }
}

/// `8xw` behind `x/`.
fn units(text: &str) -> Read<Units> {
    let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
    let (mut format, mut bytes, mut kind) = (Format::Hex, None, ' ');
    for letter in text[digits.len()..].chars() {
        match (letter, format_of(letter)) {
            ('b', _) => bytes = Some(1),
            ('h', _) => bytes = Some(2),
            ('w', _) => bytes = Some(4),
            ('g', _) => bytes = Some(8),
            ('s' | 'i', _) => kind = letter,
            (_, Some(known)) => format = known,
            (_, None) => {
                return Err(format!(
                    "unknown format letter `{letter}`; expected x, d, u, o, t, c, f, a, s, i, b, h, w or g"
                ));
            }
        }
    }
    let count =
        if digits.is_empty() { 1 } else { digits.parse().map_err(|_| format!("`{digits}` is too large"))? };
    if count == 0 {
        return Err("x requires at least one unit".to_owned());
    }
    Ok(match kind {
        's' => Units::Texts(count),
        'i' => Units::Instructions(count),
        _ => {
            let usual = if format == Format::Char { 1 } else { 4 };
            Units::Numbers(count, format, bytes.unwrap_or(usual))
        }
    })
}

/// Divides the words of a breakpoint from its condition, which follows `if`.
fn divided(text: &str) -> (&str, Option<&str>) {
    let mut at = 0;
    for word in text.split_whitespace() {
        let start = at + text[at..].find(word).unwrap_or(0);
        at = start + word.len();
        if word == "if" || word.starts_with("if(") {
            return (&text[..start], Some(&text[start + 2..]));
        }
    }
    (text, None)
}

/// Reads a breakpoint: its place, restrictions, and a condition behind `if`.
///
/// # Errors
/// Returns a message with its position.
pub fn breakpoint(command: &str, text: &str) -> Read<Breakpoint> {
    let (place, condition) = divided(text);
    let words: Vec<&str> = place.split_whitespace().collect();
    let mut words = Words { command, words: words.into_iter().peekable() };
    let mut breakpoint = words.breakpoint()?;
    if let Some(condition) = condition {
        if condition.trim().is_empty() {
            return Err(format!("{command} requires an expression behind `if`"));
        }
        breakpoint.condition = Some(Expression::parse(condition)?);
    }
    Ok(breakpoint)
}

/// Reads a line; `Ok(None)` if it is empty or a comment.
///
/// # Errors
/// Returns a message without a position.
pub fn parse(line: &str) -> Read<Option<Command>> {
    let line = line.split('#').next().unwrap_or("").trim();
    let (first, mut rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    rest = rest.trim();
    if first.is_empty() {
        return Ok(None);
    }
    let (name, mut slash) =
        first.split_once('/').map_or((first, None), |(name, format)| (name, Some(format)));
    let (verb, name, ..) = *row(name)?;
    let has_format = matches!(verb, Verb::Print | Verb::Display | Verb::Examine);
    if let Some(text) = rest.strip_prefix('/').filter(|_| has_format && slash.is_none()) {
        let (format, after) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        (slash, rest) = (Some(format), after.trim());
    }
    let words: Vec<&str> = rest.split_whitespace().collect();
    let mut words = Words { command: name, words: words.into_iter().peekable() };
    let command = match moving(verb, &mut words, rest)? {
        Some(command) => command,
        None => staying(verb, &mut words, (rest, slash))?,
    };
    match words.words.next() {
        Some(word) => Err(format!("{name} does not accept `{word}`")),
        None => Ok(Some(command)),
    }
}

/// The command of a verb that moves, with its `words`, which are those of the text `rest`; `None`
/// for other verbs.
fn moving(verb: Verb, words: &mut Words<'_>, rest: &str) -> Read<Option<Command>> {
    Ok(Some(match verb {
        Verb::Step => Command::Step(Step { by: By::Line, over: false }, words.count()?),
        Verb::StepInstruction => Command::Step(Step { by: By::Instruction, over: false }, words.count()?),
        Verb::Next => Command::Step(Step { by: By::Line, over: true }, words.count()?),
        Verb::NextInstruction => Command::Step(Step { by: By::Instruction, over: true }, words.count()?),
        Verb::Finish => Command::Finish,
        Verb::Until if words.is_empty() => Command::Until(None),
        Verb::Until | Verb::Advance => Command::Until(Some(words.number32("a line or a function")?)),
        Verb::ReverseStep => Command::StepBack(By::Line, words.count()?),
        Verb::ReverseStepInstruction => Command::StepBack(By::Instruction, words.count()?),
        Verb::Cycle => Command::Cycle(words.count()?),
        Verb::ReverseCycle => Command::CycleBack(words.count()?),
        Verb::Continue if words.is_empty() => Command::Continue,
        Verb::Continue => {
            return Err(
                "continue accepts no number; `ignore N COUNT` passes breakpoint N so often".to_owned()
            );
        }
        Verb::ReverseContinue if words.is_empty() => Command::ContinueBack(None),
        Verb::ReverseContinue => Command::ContinueBack(Some(words.target(rest)?)),
        Verb::GoTo => Command::GoTo(words.number("a shader cycle")?),
        Verb::Run if words.is_empty() => Command::Run,
        Verb::Run => return Err("the arguments of a program follow `--` on the command line".to_owned()),
        Verb::Kill => Command::Kill,
        Verb::Detach => Command::Detach,
        Verb::Quit => Command::Quit,
        _ => return Ok(None),
    }))
}

/// The command of a verb that does not move, with its `words`, which are those of the text `rest`,
/// and its format behind a slash.
fn staying(verb: Verb, words: &mut Words<'_>, (rest, slash): (&str, Option<&str>)) -> Read<Command> {
    let name = words.command;
    // The rest is an expression.
    let expression = |words: &mut Words<'_>| {
        words.next("an expression")?;
        words.words.by_ref().for_each(drop);
        Expression::parse(rest)
    };
    Ok(match verb {
        Verb::Break | Verb::TemporaryBreak => {
            words.words.by_ref().for_each(drop);
            Command::Break(breakpoint(name, rest)?, verb == Verb::TemporaryBreak)
        }
        Verb::Watch => Command::Watch(words.target(rest)?),
        Verb::Delete if words.words.peek() == Some(&"display") => {
            words.words.next();
            Command::Undisplay(words.numbers()?)
        }
        Verb::Delete => {
            words.words.next_if_eq(&"breakpoints");
            Command::Delete(words.numbers()?)
        }
        Verb::Clear if words.is_empty() => Command::Clear(None),
        Verb::Clear => Command::Clear(Some(words.number32("a line or a function")?)),
        Verb::Enable | Verb::Disable => {
            words.words.next_if_eq(&"breakpoints");
            if let Some(word) = words.words.next_if(|word| number(word).is_none()) {
                return Err(format!(
                    "{name} requires numbers of breakpoints, found `{word}`; `tbreak` stops once, and \
                     `undisplay` ends a display"
                ));
            }
            Command::Enable(words.numbers()?, verb == Verb::Enable)
        }
        Verb::Ignore => {
            Command::Ignore(words.number("the number of a breakpoint")? as usize, words.number("a count")?)
        }
        Verb::Condition => {
            let number = words.number("the number of a breakpoint")? as usize;
            let text = rest.split_once(char::is_whitespace).map_or("", |(_, text)| text.trim());
            words.words.by_ref().for_each(drop);
            let text = text.strip_prefix("if ").unwrap_or(text);
            let condition = if text.is_empty() { None } else { Some(Expression::parse(text)?) };
            Command::Condition(number, condition)
        }
        Verb::Cuda => Command::Focus(words.focus()?),
        Verb::Info => Command::Info(words.info()?),
        Verb::Print => Command::Print(one_format(slash)?, expression(words)?),
        Verb::Display if words.is_empty() => Command::Display(None),
        Verb::Display => Command::Display(Some((one_format(slash)?, expression(words)?))),
        Verb::Undisplay => Command::Undisplay(words.numbers()?),
        Verb::PrintType | Verb::WhatIs => Command::Type(expression(words)?, verb == Verb::PrintType),
        Verb::Examine => {
            let units = slash.map(units).transpose()?;
            if words.is_empty() {
                Command::Examine(units, Examined::Next)
            } else if words.has_address() {
                Command::Examine(units, Examined::Memory(words.address()?))
            } else {
                Command::Examine(units, Examined::Place(expression(words)?))
            }
        }
        Verb::List => Command::List(words.lines()?),
        Verb::Disassemble => {
            // The function is the current one; modifiers such as `/s` choose columns.
            if let Some(word) = words.words.next() {
                return Err(format!("disassemble shows the current function; it does not accept `{word}`"));
            }
            Command::Disassemble
        }
        Verb::Frame => match words.words.next() {
            None | Some("0") => Command::Where,
            Some(word) => {
                return Err(format!(
                    "frame {word} cannot be selected: variables are those of the running function; `where` \
                     prints the position, `info stack` the SIMT stack"
                ));
            }
        },
        Verb::Where => {
            if words.words.next_if(|word| matches!(*word, "full" | "-full")).is_some() {
                Command::Info(Info::Facts(report::inspect::Subject::Locals))
            } else {
                words.count()?;
                Command::Where
            }
        }
        Verb::Why => Command::Why,
        Verb::Set => words.setting(rest)?,
        Verb::Echo => {
            words.words.by_ref().for_each(drop);
            Command::Echo(rest.replace("\\n", "\n").replace("\\t", "\t"))
        }
        Verb::Help => Command::Help(words.words.next().map(str::to_owned)),
        // Verbs that move.
        _ => return Err(format!("{name} is not possible here")),
    })
}

/// Returns a command in which the function of a place is a line, if `line` knows the function.
pub fn with_line(text: &str, line: impl Fn(&str) -> Option<u32>) -> String {
    let Some((word, rest)) = text.trim().split_once(char::is_whitespace) else { return text.to_owned() };
    let Ok((verb, ..)) = row(word) else { return text.to_owned() };
    let places = [Verb::Break, Verb::TemporaryBreak, Verb::Until, Verb::Advance, Verb::Clear, Verb::List];
    let rest = rest.trim_start();
    let (before, rest) = match rest.strip_prefix("line ") {
        Some(rest) if *verb == Verb::Info => ("line ", rest.trim_start()),
        _ if places.contains(verb) => ("", rest),
        _ => return text.to_owned(),
    };
    let (name, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let is_event = EVENTS.iter().any(|(event, _)| *event == name);
    // The function of another place in the file: `FILE:FUNCTION`.
    let function = name.rsplit(':').next().unwrap_or(name);
    match line(function).filter(|_| !is_event) {
        Some(line) => format!("{word} {before}{line} {after}"),
        None => text.to_owned(),
    }
}

/// The help of a command, or of all.
pub fn help(command: Option<&str>) -> Read<Vec<&'static str>> {
    match command {
        None => Ok(COMMANDS.iter().map(|(.., text)| *text).collect()),
        Some(word) => row(word).map(|(.., text)| vec![*text]),
    }
}
