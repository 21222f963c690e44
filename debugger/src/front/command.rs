//! The commands of the debugger. The words are those of cuda-gdb where it has the command.

use isa::types::Dim3;
use report::inspect::Subject;
use report::inspect::values::Format;
use report::step::{By, Step};
use std::fmt;

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
    /// `break`
    Break,
    /// `watch`
    Watch,
    /// `delete`
    Delete,
    /// `cuda`
    Cuda,
    /// `info`
    Info,
    /// `print`
    Print,
    /// `x`
    Examine,
    /// `list`
    List,
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
pub const COMMANDS: [Row; 26] = [
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
    (Verb::Continue, "continue", &["c"], "continue: run to the next breakpoint, watchpoint, or the end"),
    (
        Verb::ReverseContinue,
        "reverse-continue",
        &["rc"],
        "reverse-continue [REGISTER|shared ADDR|global ADDR]: go back to the latest breakpoint, or to the \
         instruction that wrote a register of the warp in focus or changed a word of memory",
    ),
    (Verb::GoTo, "goto", &["until"], "goto CYCLE: go to a shader cycle, forward or back"),
    (
        Verb::Break,
        "break",
        &["b"],
        "break LINE|FUNCTION|divergence|bank-conflict|uncoalesced|access N|barrier|exit|stall CYCLES [block (X,Y,Z)] \
         [warp N] [thread (X,Y,Z)] [if REGISTER OP VALUE]: stop before the instruction issues; access N: an \
         access with more than N transactions. A trap or a hang always stops, just after it",
    ),
    (
        Verb::Watch,
        "watch",
        &[],
        "watch REGISTER|shared ADDR|global ADDR: stop when the value is written or changes",
    ),
    (Verb::Delete, "delete", &["d"], "delete [N]: remove a breakpoint or watchpoint, or all"),
    (
        Verb::Cuda,
        "cuda",
        &["focus"],
        "cuda [block (X,Y,Z)] [thread (X,Y,Z)] [sm N] [warp N] [lane N]: change the focus, or show it",
    ),
    (
        Verb::Info,
        "info",
        &["i"],
        "info warps|threads|lanes|warp|blocks|sms|registers|stack|shared|global|breakpoints|line, info \
         scoreboard|queue|access|timeline|barrier",
    ),
    (
        Verb::Print,
        "print",
        &["p"],
        "print[/xduft] REGISTER|threadIdx.x|blockIdx|blockDim|gridDim|PARAMETER: the value in each lane of \
         the warp in focus; of a register that is not live, the last value",
    ),
    (
        Verb::Examine,
        "x",
        &[],
        "x/NFU shared ADDR|global ADDR: N units of memory; F is x, d, u or f; U is b, h, w or g",
    ),
    (Verb::List, "list", &["l"], "list [LINE]: PTX lines around the current one"),
    (Verb::Where, "where", &["bt", "backtrace"], "where: the position of the warp in focus"),
    (Verb::Why, "why", &[], "why: the state of the warp in focus, and what it waits for"),
    (Verb::Kill, "kill", &["k"], "kill: end this launch"),
    (Verb::Detach, "detach", &[], "detach: run all launches to their end without the debugger"),
    (Verb::Help, "help", &["h"], "help [COMMAND]"),
    (Verb::Quit, "quit", &["q"], "quit: end the program"),
];

/// A place in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Address {
    /// Byte of the shared memory of the block in focus.
    Shared(u32),
    /// Global memory.
    Global(u32),
}

/// What `watch` and `reverse-continue` look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A PTX register of the warp in focus.
    Register(String),
    /// Four bytes of memory.
    Memory(Address),
}

/// A comparison of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compare {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `>`
    Greater,
    /// `<=`
    AtMost,
    /// `>=`
    AtLeast,
}

impl Compare {
    /// All comparisons.
    pub const ALL: [Self; 6] =
        [Self::Equal, Self::NotEqual, Self::Less, Self::Greater, Self::AtMost, Self::AtLeast];

    /// The sign, as in C.
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::Greater => ">",
            Self::AtMost => "<=",
            Self::AtLeast => ">=",
        }
    }
}

/// `if %r3 == 5`: true when it holds in one active lane. Values are compared as signed integers,
/// or as `f32` when the constant has a point.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// PTX register.
    pub register: String,
    /// Comparison.
    pub compare: Compare,
    /// Constant.
    pub value: Value,
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = self.compare.sign();
        match self.value {
            Value::Int(value) => write!(f, "{} {sign} {value}", self.register),
            Value::Float(value) => write!(f, "{} {sign} {value:?}", self.register),
        }
    }
}

/// A constant of a condition.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// Integer.
    Int(i64),
    /// Floating point.
    Float(f64),
}

impl Value {
    /// The constant as a floating-point number.
    pub fn as_float(self) -> f64 {
        match self {
            Self::Int(value) => value as f64,
            Self::Float(value) => value,
        }
    }
}

/// What a breakpoint stops at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// A PTX line.
    Line(u32),
    /// A branch on which the lanes of a warp disagree.
    Divergence,
    /// An access to shared memory with bank conflicts.
    BankConflict,
    /// A barrier.
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
    /// What it stops at.
    pub stop: Stop,
    /// Block index; `None`: any.
    pub block: Option<Dim3>,
    /// Number of the warp in its block; `None`: any.
    pub warp: Option<u32>,
    /// Index of a thread in its block, which must be active; `None`: any.
    pub thread: Option<Dim3>,
    /// Condition on a register.
    pub condition: Option<Condition>,
}

/// A change of the focus: what is named.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Focus {
    /// Block index.
    pub block: Option<Dim3>,
    /// Thread index in the block.
    pub thread: Option<Dim3>,
    /// SM.
    pub sm: Option<u32>,
    /// Warp slot of the SM; with a block the number of the warp in the block.
    pub warp: Option<u32>,
    /// Lane.
    pub lane: Option<u32>,
}

/// What `info` shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Info {
    /// Facts about a subject.
    Facts(Subject),
    /// Breakpoints and watchpoints.
    Breakpoints,
    /// States of the warps of the SM in focus in the last issue cycles.
    Timeline,
}

/// Returns the subjects of `info` with their names.
pub fn subjects() -> Vec<(&'static str, Info)> {
    // `why` is a command.
    let facts = Subject::ALL.into_iter().filter(|subject| *subject != Subject::Why);
    let mut all: Vec<(&str, Info)> = facts.map(|one| (one.name(), Info::Facts(one))).collect();
    all.extend([("breakpoints", Info::Breakpoints), ("timeline", Info::Timeline)]);
    all
}

/// A command.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// `step`, `next` and their forms for instructions: number of steps
    Step(Step, u64),
    /// `finish`
    Finish,
    /// `reverse-step` and `reverse-stepi`: number of steps
    StepBack(By, u64),
    /// `cycle`
    Cycle(u64),
    /// `reverse-cycle`
    CycleBack(u64),
    /// `continue`
    Continue,
    /// `reverse-continue`
    ContinueBack(Option<Target>),
    /// `goto`
    GoTo(u64),
    /// `break`
    Break(Breakpoint),
    /// `watch`
    Watch(Target),
    /// `delete`
    Delete(Option<usize>),
    /// `cuda`
    Focus(Focus),
    /// `info`
    Info(Info),
    /// `print`
    Print(Option<Format>, String),
    /// `x`: number of units, format, bytes of a unit, address
    Examine(u32, Format, u32, Address),
    /// `list`
    List(Option<u32>),
    /// `where`
    Where,
    /// `why`
    Why,
    /// `kill`
    Kill,
    /// `detach`
    Detach,
    /// `help`
    Help(Option<String>),
    /// `quit`
    Quit,
}
