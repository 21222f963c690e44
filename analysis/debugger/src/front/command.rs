//! The commands of the debugger. The words are those of cuda-gdb where it has the command.

use isa::types::Dim3;
use report::inspect::Subject;
use report::inspect::values::Format;
use report::inspect::variables::Expression;
use report::step::{By, Step};

/// A command word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    /// `step`
    Step,
    /// `stepi`
    StepInstruction,
    /// `next`
    Next,
    /// `nexti`
    NextInstruction,
    /// `finish`
    Finish,
    /// `reverse-step`
    ReverseStep,
    /// `reverse-stepi`
    ReverseStepInstruction,
    /// `cycle`
    Cycle,
    /// `reverse-cycle`
    ReverseCycle,
    /// `continue`
    Continue,
    /// `reverse-continue`
    ReverseContinue,
    /// `goto`
    GoTo,
    /// `until`
    Until,
    /// `advance`
    Advance,
    /// `run`
    Run,
    /// `break`
    Break,
    /// `tbreak`
    TemporaryBreak,
    /// `watch`
    Watch,
    /// `delete`
    Delete,
    /// `clear`
    Clear,
    /// `enable`
    Enable,
    /// `disable`
    Disable,
    /// `ignore`
    Ignore,
    /// `condition`
    Condition,
    /// `cuda`
    Cuda,
    /// `info`
    Info,
    /// `print`
    Print,
    /// `display`
    Display,
    /// `undisplay`
    Undisplay,
    /// `ptype`
    PrintType,
    /// `whatis`
    WhatIs,
    /// `x`
    Examine,
    /// `list`
    List,
    /// `disassemble`
    Disassemble,
    /// `frame`
    Frame,
    /// `set`
    Set,
    /// `echo`
    Echo,
    /// `where`
    Where,
    /// `why`
    Why,
    /// `kill`
    Kill,
    /// `detach`
    Detach,
    /// `help`
    Help,
    /// `quit`
    Quit,
}

/// A command: verb, name, short forms, and help.
pub type Row = (Verb, &'static str, &'static [&'static str], &'static str);

/// Commands with their short forms and one line of help, in the order of `help`.
pub const COMMANDS: [Row; 43] = [
    (
        Verb::Step,
        "step",
        &["s"],
        "step [N]: execute the next N lines of CUDA C, or the next N instructions of PTX, of the warp in focus",
    ),
    (
        Verb::StepInstruction,
        "stepi",
        &["si"],
        "stepi [N]: execute the next N instructions of the warp in focus",
    ),
    (Verb::Next, "next", &["n"], "next [N]: as step; a called function is executed as a whole"),
    (Verb::NextInstruction, "nexti", &["ni"], "nexti [N]: as stepi; a call is one instruction"),
    (
        Verb::Finish,
        "finish",
        &["fin"],
        "finish: run to the end of the current function; in a kernel, to the end of the launch",
    ),
    (
        Verb::Until,
        "until",
        &["u"],
        "until [LINE|FUNCTION]: run until the warp in focus reaches a line, or exits; without a line, as next, \
         but past the end of a loop",
    ),
    (
        Verb::Advance,
        "advance",
        &[],
        "advance LINE|FUNCTION: run until the warp in focus reaches a line, or exits",
    ),
    (
        Verb::ReverseStep,
        "reverse-step",
        &["rs"],
        "reverse-step [N]: go back N lines of CUDA C, each to its first instruction, or N instructions of PTX",
    ),
    (
        Verb::ReverseStepInstruction,
        "reverse-stepi",
        &["rsi"],
        "reverse-stepi [N]: go back N instructions of the warp in focus; after `stepi N`, to the position \
         before it",
    ),
    (Verb::Cycle, "cycle", &["cy"], "cycle [N]: execute N issue cycles of all SMs"),
    (Verb::ReverseCycle, "reverse-cycle", &["rcy"], "reverse-cycle [N]: go back N issue cycles"),
    (
        Verb::Continue,
        "continue",
        &["c", "fg"],
        "continue: run to the next breakpoint, watchpoint, or the end",
    ),
    (
        Verb::ReverseContinue,
        "reverse-continue",
        &["rc"],
        "reverse-continue [REGISTER|shared ADDR|global ADDR]: go back to the latest breakpoint, or to the \
         instruction that wrote a register of the warp in focus or changed a word of memory",
    ),
    (Verb::GoTo, "goto", &[], "goto CYCLE: go to a shader cycle, forward or back"),
    (
        Verb::Run,
        "run",
        &["r", "start"],
        "run: as continue, from the start; the program is started with the debugger",
    ),
    (
        Verb::Break,
        "break",
        &["b", "br", "hbreak"],
        "break [LINE|FUNCTION|divergence|bank-conflict|uncoalesced|access N|barrier|exit|stall CYCLES] [block (X,Y,Z)] \
         [warp N] [thread (X,Y,Z)] [if EXPRESSION]: stop before the instruction issues; access N: an \
         access with more than N transactions. A trap or a hang always stops, just after it",
    ),
    (
        Verb::TemporaryBreak,
        "tbreak",
        &["tb", "thbreak"],
        "tbreak ...: as break; the breakpoint is deleted when it stops",
    ),
    (
        Verb::Watch,
        "watch",
        &[],
        "watch REGISTER|EXPRESSION|shared ADDR|global ADDR: stop when the value is written or changes",
    ),
    (Verb::Delete, "delete", &["d"], "delete [N...]: remove breakpoints and watchpoints, or all"),
    (Verb::Clear, "clear", &[], "clear [LINE|FUNCTION]: remove the breakpoints at a line"),
    (Verb::Enable, "enable", &["en"], "enable [N...]: breakpoints stop again"),
    (Verb::Disable, "disable", &["dis"], "disable [N...]: breakpoints do not stop until `enable`"),
    (Verb::Ignore, "ignore", &[], "ignore N COUNT: breakpoint N does not stop the next COUNT times"),
    (
        Verb::Condition,
        "condition",
        &["cond"],
        "condition N [EXPRESSION]: set, or remove, the condition of breakpoint N",
    ),
    (
        Verb::Cuda,
        "cuda",
        &["focus"],
        "cuda [block (X,Y,Z)] [thread (X,Y,Z)] [sm N] [warp N] [lane N]: change the focus, or show it",
    ),
    (
        Verb::Info,
        "info",
        &["i", "inf"],
        "info warps|threads|lanes|warp|blocks|sms|kernels|devices|registers|locals|args|stack|shared|global, \
         info breakpoints|display|line|source|functions|variables, info \
         scoreboard|queue|access|timeline|barrier",
    ),
    (
        Verb::Print,
        "print",
        &["p", "inspect", "call", "output"],
        "print[/xduotcf] EXPRESSION: the value in each lane of the warp in focus, of a variable, a register, \
         threadIdx.x, a parameter or a formula; of a register that is not live, the last value",
    ),
    (
        Verb::Display,
        "display",
        &[],
        "display[/F] [EXPRESSION]: print the value in the lane in focus now and at each stop; without an \
         expression, print all",
    ),
    (Verb::Undisplay, "undisplay", &[], "undisplay [N...]: end displays, or all"),
    (Verb::PrintType, "ptype", &["pt"], "ptype EXPRESSION: its type, with the members of a structure"),
    (Verb::WhatIs, "whatis", &["what"], "whatis EXPRESSION: its type"),
    (
        Verb::Examine,
        "x",
        &[],
        "x/NFU EXPRESSION|shared ADDR|global ADDR: N units of memory; F is x, d, u, o, t, c, f, a, s or i \
         (instructions); U is b, h, w or g. Without an address, the next ones",
    ),
    (
        Verb::List,
        "list",
        &["l"],
        "list [LINE|FIRST,LAST|FUNCTION]: source lines around the current one, or others",
    ),
    (
        Verb::Disassemble,
        "disassemble",
        &["disas"],
        "disassemble: the PTX instructions of the current function",
    ),
    (Verb::Where, "where", &["bt", "backtrace"], "where: the position of the warp in focus"),
    (Verb::Frame, "frame", &["f"], "frame: as where; warps have no frames of callers to select"),
    (Verb::Why, "why", &[], "why: the state of the warp in focus, and what it waits for"),
    (
        Verb::Set,
        "set",
        &[],
        "set cuda break_on_launch application|none: whether each launch of a program stops at its start",
    ),
    (Verb::Echo, "echo", &[], "echo TEXT: print a text"),
    (Verb::Kill, "kill", &["k"], "kill: end this launch"),
    (Verb::Detach, "detach", &[], "detach: run all launches to their end without the debugger"),
    (Verb::Help, "help", &["h"], "help [COMMAND]"),
    (Verb::Quit, "quit", &["q", "exit"], "quit: end the program"),
];

/// Commands of GDB that this debugger does not have, and what does their work.
pub const ELSEWHERE: [(&str, &str); 40] = [
    ("attach", "a program is debugged from its start: `warpsim debug FILE.cu`"),
    ("awatch", "`watch` stops at writes; `break` at the line of a read stops there"),
    ("catch", "`break trap`, `break barrier` and other events stop; every trap stops"),
    ("cd", "files have the paths of the command line"),
    ("checkpoint", "`goto CYCLE` and the reverse commands go back without checkpoints"),
    ("commands", "a script, `-x FILE` or `-ex COMMAND`, has the commands after a stop"),
    ("core-file", "a debugged launch always begins at its start"),
    ("define", "a script, `-x FILE`, has several commands"),
    ("directory", "sources are read from the paths of the command line"),
    ("document", "`help` has the commands"),
    ("down", "`where` prints the functions; `info stack` the SIMT stack"),
    ("edit", "`list` prints the source"),
    ("exec-file", "the program is named on the command line"),
    ("file", "the program is named on the command line"),
    ("forward-search", "`list` prints the source"),
    ("generate-core-file", "`goto CYCLE` returns to any position"),
    ("handle", "traps and hangs always stop"),
    ("jump", "`goto CYCLE` and the reverse commands change the position"),
    ("layout", "`warpsim debug --tui` opens the screen"),
    ("load", "the program is named on the command line"),
    ("printf", "`print` and `display` print values, `echo` a text"),
    ("pwd", "files have the paths of the command line"),
    ("rbreak", "`break FUNCTION` stops at a function"),
    ("record", "every launch can go back: `reverse-step`, `reverse-continue`"),
    ("restart", "`goto CYCLE` and the reverse commands go back"),
    ("return", "`finish` runs to the end of a function"),
    ("rwatch", "`watch` stops at writes; `break` at the line of a read stops there"),
    ("search", "`list` prints the source"),
    ("shell", "the debugger starts no programs"),
    ("show", "`info` shows the state; `help` has the commands"),
    ("signal", "kernels have no signals; traps and hangs always stop"),
    ("source", "the option `-x FILE` has a script"),
    ("symbol-file", "the program is named on the command line"),
    ("target", "the option `--chip` names the chip"),
    ("thread", "`cuda block (X,Y,Z) thread (X,Y,Z)` changes the focus; `info threads` lists the threads"),
    ("tty", "`warpsim debug --tui` opens the screen"),
    ("tui", "`warpsim debug --tui` opens the screen"),
    ("undefine", "a script, `-x FILE`, has several commands"),
    ("unset", "the debugger changes no value and no variable of the environment"),
    ("up", "`where` prints the functions; `info stack` the SIMT stack"),
];

/// A place in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Address {
    /// Byte of the shared memory of the block in focus.
    Shared(u32),
    /// Global memory.
    Global(u32),
}

/// Register, variable or word that `watch` and `reverse-continue` observe.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// A PTX register or a variable of the warp in focus.
    Register(String),
    /// Four bytes of memory.
    Memory(Address),
    /// A place in memory.
    Place(Expression),
}

/// Memory that `x` prints.
#[derive(Clone, Debug, PartialEq)]
pub enum Examined {
    /// Memory at an address.
    Memory(Address),
    /// Memory at the address that an expression means.
    Place(Expression),
    /// The units after the last printed one.
    Next,
}

/// How `x` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Units {
    /// Numbers: how many, format, bytes of each.
    Numbers(u32, Format, u32),
    /// So many texts.
    Texts(u32),
    /// So many instructions.
    Instructions(u32),
}

/// The lines that `list` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lines {
    /// Around the current line.
    Here,
    /// Before those around the current line.
    Before,
    /// Around a line.
    Around(u32),
    /// From a line to another one.
    Range(u32, u32),
}

/// Line or event at which a breakpoint stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// A source line.
    Line(u32),
    /// So many lines after the current one.
    Here(i32),
    /// A branch on which the lanes of a warp disagree.
    Divergence,
    /// An access to shared memory with bank conflicts.
    BankConflict,
    /// A warp arrives at a barrier.
    Barrier,
    /// The exit of a warp.
    Exit,
    /// A load or store of global or local memory with more transactions than an aligned access to
    /// consecutive words.
    Uncoalesced,
    /// An access to global or local memory with more than so many transactions.
    Access(u32),
    /// A warp that has waited for so many shader cycles.
    Stall(u64),
    /// A trap. Movements stop at every trap.
    Trap,
    /// The proof of a hang. Movements stop at every hang.
    Hang,
}

/// A breakpoint, restricted to a block, a warp of a block, and a condition.
#[derive(Clone, Debug, PartialEq)]
pub struct Breakpoint {
    /// Line or event at which it stops.
    pub stop: Stop,
    /// Block index; `None`: any.
    pub block: Option<Dim3>,
    /// Number of the warp in its block; `None`: any.
    pub warp: Option<u32>,
    /// Index of a thread in its block, which must be active; `None`: any.
    pub thread: Option<Dim3>,
    /// Condition: it stops if the value is not zero in an active lane.
    pub condition: Option<Expression>,
}

impl Breakpoint {
    /// A breakpoint without restrictions.
    pub fn new(stop: Stop) -> Self {
        Self { stop, block: None, warp: None, thread: None, condition: None }
    }
}

/// A coordinate of the focus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coordinate {
    /// The device, of which there is one.
    Device,
    /// Number of the kernel, from 0.
    Kernel,
    /// Number of the launch, from 1.
    Grid,
    /// Block index.
    Block,
    /// Thread index.
    Thread,
    /// Number of an SM.
    Sm,
    /// Warp slot.
    Warp,
    /// Number of a lane, 0 to 31.
    Lane,
}

impl Coordinate {
    /// All coordinates with their names.
    pub const ALL: [(&'static str, Self); 8] = [
        ("device", Self::Device),
        ("kernel", Self::Kernel),
        ("grid", Self::Grid),
        ("block", Self::Block),
        ("thread", Self::Thread),
        ("sm", Self::Sm),
        ("warp", Self::Warp),
        ("lane", Self::Lane),
    ];
}

/// A change of the focus: what is named.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Focus {
    /// Coordinates without a value, which are printed.
    pub shown: Vec<Coordinate>,
    /// Number of the device; only 0 exists.
    pub device: Option<u32>,
    /// Number of the launch, from 1.
    pub launch: Option<u32>,
    /// Block index.
    pub block: Option<Dim3>,
    /// Thread index in the block.
    pub thread: Option<Dim3>,
    /// Number of the SM.
    pub sm: Option<u32>,
    /// Warp slot of the SM; with a block the number of the warp in the block.
    pub warp: Option<u32>,
    /// Number of the lane, 0 to 31.
    pub lane: Option<u32>,
}

/// Subjects of `info`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Info {
    /// Facts about a subject.
    Facts(Subject),
    /// Breakpoints and watchpoints.
    Breakpoints,
    /// States of the warps of the SM in focus in the last issue cycles.
    Timeline,
    /// Expressions that are printed at each stop.
    Displays,
    /// Parameters of the kernel.
    Arguments,
    /// The current file.
    Source,
    /// The instructions of a line.
    Line(u32),
    /// A register by its PTX name.
    Register(String),
    /// Functions of the program.
    Functions,
    /// Variables in memory that functions share.
    Variables,
    /// Position of the warp in focus.
    Position,
}

/// Returns the subjects of `info` with their names.
pub fn subjects() -> Vec<(&'static str, Info)> {
    // `why` is a command.
    let facts = Subject::ALL.into_iter().filter(|subject| *subject != Subject::Why);
    let mut all: Vec<(&str, Info)> = facts.map(|one| (one.name(), Info::Facts(one))).collect();
    all.extend([
        ("breakpoints", Info::Breakpoints),
        ("watchpoints", Info::Breakpoints),
        ("timeline", Info::Timeline),
        ("display", Info::Displays),
        ("args", Info::Arguments),
        ("source", Info::Source),
        ("all-registers", Info::Facts(Subject::Registers)),
        ("functions", Info::Functions),
        ("variables", Info::Variables),
        ("frame", Info::Position),
        ("program", Info::Position),
    ]);
    all
}

/// A command of the debugger, as `parse` reads it.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// `step`, `next` and their forms for instructions: number of steps
    Step(Step, u64),
    /// `finish`
    Finish,
    /// `until` and `advance`: the line
    Until(Option<u32>),
    /// `reverse-step` and `reverse-stepi`: number of steps
    StepBack(By, u64),
    /// `cycle`
    Cycle(u64),
    /// `reverse-cycle`
    CycleBack(u64),
    /// `continue`
    Continue,
    /// `run`
    Run,
    /// `reverse-continue`
    ContinueBack(Option<Target>),
    /// `goto`
    GoTo(u64),
    /// `break`; with `true` `tbreak`
    Break(Breakpoint, bool),
    /// `watch`
    Watch(Target),
    /// `delete`
    Delete(Vec<usize>),
    /// `clear`
    Clear(Option<u32>),
    /// `enable`, and with `false` `disable`
    Enable(Vec<usize>, bool),
    /// `ignore`: breakpoint and count
    Ignore(usize, u64),
    /// `condition`: breakpoint and condition
    Condition(usize, Option<Expression>),
    /// `cuda`
    Focus(Focus),
    /// `info`
    Info(Info),
    /// `print`
    Print(Option<Format>, Expression),
    /// `display`; without an expression all
    Display(Option<(Option<Format>, Expression)>),
    /// `undisplay`
    Undisplay(Vec<usize>),
    /// `whatis`; with `true` `ptype`
    Type(Expression, bool),
    /// `x`; without units as the last one
    Examine(Option<Units>, Examined),
    /// `list`
    List(Lines),
    /// `disassemble`
    Disassemble,
    /// `where` and `frame`
    Where,
    /// `why`
    Why,
    /// `set cuda break_on_launch`
    BreakOnLaunch(bool),
    /// A setting that this debugger always has
    Settled,
    /// `echo`
    Echo(String),
    /// `kill`
    Kill,
    /// `detach`
    Detach,
    /// `help`
    Help(Option<String>),
    /// `quit`
    Quit,
}

impl Command {
    /// Whether the command moves a launch.
    pub fn moves(&self) -> bool {
        match self {
            Self::Step(..)
            | Self::Finish
            | Self::Until(_)
            | Self::StepBack(..)
            | Self::Cycle(_)
            | Self::CycleBack(_)
            | Self::Continue
            | Self::Run
            | Self::ContinueBack(_)
            | Self::GoTo(_) => true,
            Self::Break(..)
            | Self::Watch(_)
            | Self::Delete(_)
            | Self::Clear(_)
            | Self::Enable(..)
            | Self::Ignore(..)
            | Self::Condition(..)
            | Self::Focus(_)
            | Self::Info(_)
            | Self::Print(..)
            | Self::Display(_)
            | Self::Undisplay(_)
            | Self::Type(..)
            | Self::Examine(..)
            | Self::List(_)
            | Self::Disassemble
            | Self::Where
            | Self::Why
            | Self::BreakOnLaunch(_)
            | Self::Settled
            | Self::Echo(_)
            | Self::Kill
            | Self::Detach
            | Self::Help(_)
            | Self::Quit => false,
        }
    }

    /// Whether the command shows the end of a launch, or goes back from it. Other commands are for
    /// what follows.
    pub fn is_for_end(&self) -> bool {
        let goes_back =
            matches!(self, Self::StepBack(..) | Self::CycleBack(_) | Self::ContinueBack(_) | Self::GoTo(_));
        goes_back || !self.moves() && !matches!(self, Self::Kill | Self::Detach)
    }
}
