//! A program with host code, as the debugger sees it.
//!
//! The program around the debugger implements these traits: the debugger knows no compiler and no
//! interpreter of host code. Files are numbered from 1, and a place is a file and a line in it.

use isa::diag::nearest;
use report::exit::Failure;
use report::inspect::values::Format;
use report::inspect::variables::{Expression, Expressions as _, Missing, Scope, Shown, never};
use report::program::streams::Streams;
use sim_core::host::Gpu;
use std::collections::BTreeSet;

/// Number of a file and a line in it, from 1.
pub type Place = (u32, u32);

/// How the host code goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Move {
    /// To the next line.
    Line,
    /// To the next of these lines.
    Lines(BTreeSet<Place>),
    /// Not at all: the program ends here.
    End,
}

/// A debugger of host code.
pub trait Control: Send {
    /// A line begins. The first one is that of `main`.
    fn arrived(&mut self, at: &dyn Stopped) -> Move;

    /// The program stops for a mistake.
    fn failed(&mut self, at: &dyn Stopped, why: &str);

    /// The program has ended.
    fn ended(&mut self, _at: &dyn Stopped) {}

    /// Asked regularly: how the host code goes on from now on, if the user has changed that.
    fn changed(&mut self) -> Option<Move>;
}

/// How a program has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// The exit code.
    pub code: i32,
    /// Message about a mistake of the program.
    pub message: Option<String>,
    /// Whether the debugger has ended it.
    pub is_killed: bool,
}

/// Runs a program once, watched, with these streams.
pub type Run<'a> = dyn FnMut(&mut Gpu, Box<dyn Control>, Box<dyn Streams>) -> Result<Ended, Failure> + 'a;

/// A function that is executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Functions that were called before it and have not returned.
    pub outer: usize,
    /// Its number.
    pub function: u32,
}

/// A call of the CUDA runtime, or a launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Called {
    /// The function, or the kernel with its grid and block.
    pub name: String,
    /// Where it is called.
    pub place: Place,
    /// How it ended.
    pub end: CallEnd,
}

/// How a call of the runtime ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallEnd {
    /// Without an error.
    Done,
    /// With an error of this name.
    Failed(String),
    /// The kernel has run for so many shader cycles; without timing, 0.
    Ran(u64),
    /// The kernel has not finished: the verdict.
    Stopped(String),
    /// The kernel waits for concurrent ones.
    Queued,
}

/// Host code that has stopped at the start of a line.
pub trait Stopped {
    /// Instructions that were executed.
    fn steps(&self) -> u64;

    /// Number of functions that are executed.
    fn depth(&self) -> usize;

    /// Fewest functions that were executed at one time since the last line at which it stopped.
    fn lowest(&self) -> usize;

    /// The functions that are executed, the innermost first, without those of headers, and the
    /// places in them.
    fn frames(&self) -> Vec<(String, Place)>;

    /// The innermost function that is no part of a header.
    fn frame(&self) -> Option<Frame>;

    /// The place in the innermost function that is no part of a header.
    fn place(&self) -> Option<Place>;

    /// The file of `main`.
    fn main_file(&self) -> u32;

    /// Name and text of a file.
    fn file(&self, number: u32) -> (&str, &str);

    /// The first line from a place on that has code; `None` if there is none.
    fn with_code(&self, place: Place) -> Option<u32>;

    /// Whether a kernel or device function has a line.
    fn is_in_kernel(&self, place: Place) -> bool;

    /// The line of the first statement of a function of the host or the device.
    fn first_line(&self, function: &str) -> Option<u32>;

    /// The names of functions and kernels.
    fn functions(&self) -> Vec<String>;

    /// The names of the variables that the current place sees, without those of the program.
    fn names(&self) -> Vec<&str>;

    /// The last calls of the CUDA runtime and the launches, in their order.
    fn calls(&self) -> Vec<Called>;

    /// Calls `call` with the variables that the current place sees.
    fn with_scope(&self, call: &mut dyn FnMut(&dyn Scope<'_>));

    /// Calls `call` with the variables that a function sees, if it is executed; without a function,
    /// with those of the program.
    fn with_scope_of(&self, frame: Option<Frame>, call: &mut dyn FnMut(&dyn Scope<'_>));
}

impl dyn Stopped + '_ {
    /// Returns a value of the variables that the current place sees.
    ///
    /// # Errors
    /// Returns the result of `call`.
    pub fn scoped<T>(
        &self,
        mut call: impl FnMut(&dyn Scope<'_>) -> Result<T, Missing>,
    ) -> Result<T, Missing> {
        let mut found = Err(Missing::Value("there is no current place".to_owned()));
        self.with_scope(&mut |scope| found = call(scope));
        found
    }

    /// Evaluates a text, such as `n`, `p->x` or `h_a[0]@8`. `None` if its first name is no variable
    /// here. Only lane 0 has a value.
    ///
    /// # Errors
    /// Why it has no value.
    pub fn evaluate(&self, text: &str, format: Option<Format>) -> Option<Result<Vec<Shown>, String>> {
        let mut found = None;
        self.with_scope(&mut |scope| found = scope.value_of(text, format, &mut never));
        found.map(|all| all.map(first_lane))
    }

    /// Evaluates an expression as the method for texts does.
    ///
    /// # Errors
    /// Why it has no value.
    pub fn value(&self, expression: &Expression, format: Option<Format>) -> Result<Vec<Shown>, Missing> {
        let evaluate = |scope: &dyn Scope<'_>| scope.evaluate_expression(expression, format, &mut never);
        self.scoped(evaluate).map(first_lane)
    }

    /// The text of a line.
    pub fn line_text(&self, (file, line): Place) -> &str {
        let (_, text) = self.file(file);
        text.lines().nth(line.saturating_sub(1) as usize).unwrap_or("").trim_end()
    }

    /// The message about an expression without a value.
    pub fn missing(&self, why: Missing) -> String {
        match why {
            Missing::Name(name) => {
                let near = nearest(&name, self.names());
                let near = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
                format!("this line of host code sees no variable `{name}`{near}")
            }
            Missing::Value(why) => why,
        }
    }
}

/// Values of the one thread of the host.
pub fn first_lane(mut all: Vec<Shown>) -> Vec<Shown> {
    for one in &mut all {
        one.lanes[1..].fill(None);
    }
    all
}
