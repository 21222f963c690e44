//! Reads a command from a line.

use super::command::{
    Address, Breakpoint, COMMANDS, Command, Compare, Condition, Focus, Row, Stop, Target, Value, Verb,
    subjects,
};
use isa::diag::nearest;
use isa::types::Dim3;
use report::inspect::values::Format;
use report::step::{By, Step};

/// Events at which a breakpoint can stop. A number follows `stall` and `access`.
const EVENTS: [(&str, Stop); 9] = [
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

    /// `(1,0,0)`, `1,0` or `1`.
    fn index(&mut self, what: &str) -> Read<Dim3> {
        let word = self.next(what)?;
        let inner = word.trim_start_matches('(').trim_end_matches(')');
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

    fn target(&mut self) -> Read<Target> {
        match self.words.peek().copied() {
            Some("shared" | "global") => Ok(Target::Memory(self.address()?)),
            _ => Ok(Target::Register(self.next("a register, `shared ADDR` or `global ADDR`")?.to_owned())),
        }
    }

    fn condition(&mut self) -> Read<Condition> {
        let register = self.next("a register")?.to_owned();
        let word = self.next("a comparison")?;
        let Some(compare) = Compare::ALL.into_iter().find(|compare| compare.sign() == word) else {
            let signs = Compare::ALL.map(Compare::sign).join(" ");
            return Err(format!("unknown comparison `{word}`; expected one of: {signs}"));
        };
        let word = self.next("a constant")?;
        let float = || word.parse::<f64>().ok().filter(|_| word.contains('.')).map(Value::Float);
        let int = || word.parse::<i64>().ok().or_else(|| number(word).map(|n| n as i64)).map(Value::Int);
        let value = float().or_else(int).ok_or_else(|| format!("`{word}` is not a constant"))?;
        Ok(Condition { register, compare, value })
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

    fn breakpoint(&mut self) -> Read<Breakpoint> {
        let word = self.next("a line or an event")?;
        let stop = if let Some(event) = self.event(word)? {
            event
        } else {
            let line = word.rsplit(':').next().and_then(|line| line.parse().ok());
            let events = EVENTS.map(|(name, _)| name);
            let known = format!("expected a line or one of: {}", events.join(", "));
            Stop::Line(line.ok_or_else(|| unknown("breakpoint", word, events, &known))?)
        };
        let mut breakpoint = Breakpoint { stop, block: None, warp: None, thread: None, condition: None };
        while !self.is_empty() {
            match self.next("a restriction")? {
                "block" => breakpoint.block = Some(self.index("a block index")?),
                "warp" => breakpoint.warp = Some(self.number32("a warp number")?),
                "thread" => breakpoint.thread = Some(self.index("a thread index")?),
                "if" => breakpoint.condition = Some(self.condition()?),
                word => {
                    return Err(unknown(
                        "restriction",
                        word,
                        ["block", "warp", "thread", "if"],
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
            match self.next("a coordinate")? {
                "block" => focus.block = Some(self.index("a block index")?),
                "thread" => focus.thread = Some(self.index("a thread index")?),
                "sm" => focus.sm = Some(self.number32("an SM number")?),
                "warp" => focus.warp = Some(self.number32("a warp number")?),
                "lane" => focus.lane = Some(self.number32("a lane number")?),
                word => {
                    let known = ["block", "thread", "sm", "warp", "lane"];
                    return Err(unknown(
                        "coordinate",
                        word,
                        known,
                        "expected block, thread, sm, warp or lane",
                    ));
                }
            }
        }
        Ok(focus)
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

/// The row of a command, of which a short form may be given.
fn row(word: &str) -> Read<&'static Row> {
    let named = |(_, name, short, _): &&Row| *name == word || short.contains(&word);
    let found = COMMANDS.iter().find(named);
    let names =
        COMMANDS.iter().flat_map(|(_, name, short, _)| [*name].into_iter().chain(short.iter().copied()));
    found.ok_or_else(|| unknown("command", word, names, "`help` lists the commands"))
}

/// The format of a letter.
pub fn format_of(letter: char) -> Option<Format> {
    match letter {
        'x' => Some(Format::Hex),
        'd' => Some(Format::Signed),
        'u' => Some(Format::Unsigned),
        'f' => Some(Format::Float),
        't' => Some(Format::Binary),
        _ => None,
    }
}

/// `8xw` behind `x/`: number of units, format, bytes of a unit.
fn examine(text: &str) -> Read<(u32, Format, u32)> {
    let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
    let (mut format, mut bytes) = (Format::Hex, 4);
    for letter in text[digits.len()..].chars() {
        match (letter, format_of(letter)) {
            ('b', _) => bytes = 1,
            ('h', _) => bytes = 2,
            ('w', _) => bytes = 4,
            ('g', _) => bytes = 8,
            (_, Some(known)) => format = known,
            (_, None) => {
                return Err(format!(
                    "unknown format letter `{letter}`; expected x, d, u, f, t, b, h, w or g"
                ));
            }
        }
    }
    let count =
        if digits.is_empty() { 1 } else { digits.parse().map_err(|_| format!("`{digits}` is too large"))? };
    if count == 0 {
        return Err("x requires at least one unit".to_owned());
    }
    Ok((count, format, bytes))
}

/// Reads a line; `Ok(None)` if it is empty or a comment.
///
/// # Errors
/// What is wrong, without a position.
pub fn parse(line: &str) -> Read<Option<Command>> {
    let line = line.split('#').next().unwrap_or("").trim();
    let Some(first) = line.split_whitespace().next() else { return Ok(None) };
    let (name, slash) = first.split_once('/').map_or((first, None), |(name, format)| (name, Some(format)));
    let (verb, name, ..) = *row(name)?;
    let rest: Vec<&str> = line.split_whitespace().skip(1).collect();
    let mut words = Words { command: name, words: rest.into_iter().peekable() };
    let command = match verb {
        Verb::Step => Command::Step(Step { by: By::Line, over: false }, words.count()?),
        Verb::StepInstruction => Command::Step(Step { by: By::Instruction, over: false }, words.count()?),
        Verb::Next => Command::Step(Step { by: By::Line, over: true }, words.count()?),
        Verb::NextInstruction => Command::Step(Step { by: By::Instruction, over: true }, words.count()?),
        Verb::Finish => Command::Finish,
        Verb::ReverseStep => Command::StepBack(By::Line, words.count()?),
        Verb::ReverseStepInstruction => Command::StepBack(By::Instruction, words.count()?),
        Verb::Cycle => Command::Cycle(words.count()?),
        Verb::ReverseCycle => Command::CycleBack(words.count()?),
        Verb::Continue => Command::Continue,
        Verb::ReverseContinue if words.is_empty() => Command::ContinueBack(None),
        Verb::ReverseContinue => Command::ContinueBack(Some(words.target()?)),
        Verb::GoTo => Command::GoTo(words.number("a shader cycle")?),
        Verb::Break => Command::Break(words.breakpoint()?),
        Verb::Watch => Command::Watch(words.target()?),
        Verb::Delete if words.is_empty() => Command::Delete(None),
        Verb::Delete => Command::Delete(Some(words.number("the number of a breakpoint")? as usize)),
        Verb::Cuda => Command::Focus(words.focus()?),
        Verb::Info => {
            let word = words.next("a subject")?;
            // cuda-gdb writes `info cuda warps`.
            let word = if word == "cuda" { words.next("a subject")? } else { word };
            let all = subjects();
            let found = all.iter().find(|(name, _)| *name == word).map(|(_, info)| *info);
            let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
            let expected = format!("expected one of: {}", names.join(", "));
            Command::Info(found.ok_or_else(|| unknown("subject", word, names, &expected))?)
        }
        Verb::Print => {
            let format = match slash.map(|text| (text, text.chars().next().and_then(format_of))) {
                None => None,
                Some((_, Some(format))) => Some(format),
                Some((text, None)) => {
                    return Err(format!("unknown format `{text}`; expected x, d, u, f or t"));
                }
            };
            let first = words.next("a register or a variable")?;
            let rest: Vec<&str> = words.words.by_ref().collect();
            Command::Print(format, [&[first], &rest[..]].concat().join(" "))
        }
        Verb::Examine => {
            let (count, format, bytes) = examine(slash.unwrap_or(""))?;
            Command::Examine(count, format, bytes, words.address()?)
        }
        Verb::List if words.is_empty() => Command::List(None),
        Verb::List => Command::List(Some(words.number32("a line")?)),
        Verb::Where => Command::Where,
        Verb::Why => Command::Why,
        Verb::Kill => Command::Kill,
        Verb::Detach => Command::Detach,
        Verb::Help => Command::Help(words.words.next().map(str::to_owned)),
        Verb::Quit => Command::Quit,
    };
    match words.words.next() {
        Some(word) => Err(format!("{name} does not accept `{word}`")),
        None => Ok(Some(command)),
    }
}

/// Returns a command in which the function of a breakpoint is a line, if `line` knows the function.
pub fn with_line(text: &str, line: impl Fn(&str) -> Option<u32>) -> String {
    let mut words = text.splitn(3, ' ');
    let (Some("break" | "b"), Some(name)) = (words.next(), words.next()) else { return text.to_owned() };
    match line(name).filter(|_| !EVENTS.iter().any(|(event, _)| *event == name)) {
        Some(line) => format!("break {line} {}", words.next().unwrap_or("")),
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
