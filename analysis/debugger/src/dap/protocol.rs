//! The part of the Debug Adapter Protocol that the adapter uses: names of requests, their
//! arguments, and the bodies of responses. Field names are those of the specification.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Command {
    /// First request: what the client can do.
    Initialize,
    /// Starts a program.
    Launch,
    /// Rejected: there is no running simulator to attach to.
    Attach,
    /// The breakpoints are set.
    ConfigurationDone,
    /// Breakpoints at lines of a source.
    SetBreakpoints,
    /// Breakpoints at kernels.
    SetFunctionBreakpoints,
    /// Breakpoints at events, such as divergence.
    SetExceptionBreakpoints,
    /// Breakpoints at writes of registers and memory.
    SetDataBreakpoints,
    /// Whether a variable can have a data breakpoint.
    DataBreakpointInfo,
    /// Lines that can have a breakpoint.
    BreakpointLocations,
    /// The event at which the launch stopped.
    ExceptionInfo,
    /// The warps.
    Threads,
    /// The SIMT stack of a warp.
    StackTrace,
    /// Groups of variables.
    Scopes,
    /// Variables of a group.
    Variables,
    /// A command of the debugger, or an expression.
    Evaluate,
    /// The text of a built-in kernel.
    Source,
    /// Bytes of memory.
    ReadMemory,
    /// Runs to the next breakpoint.
    Continue,
    /// Runs back to the latest breakpoint.
    ReverseContinue,
    /// One instruction of a warp, over calls.
    Next,
    /// One instruction of a warp.
    StepIn,
    /// Runs until a frame of a warp ends.
    StepOut,
    /// Back by one instruction of a warp.
    StepBack,
    /// Stops a running launch.
    Pause,
    /// Stops a movement.
    Cancel,
    /// Ends the program.
    Terminate,
    /// Ends the session.
    Disconnect,
}

/// Reads the arguments of a request; missing arguments are an empty object.
///
/// # Errors
/// The field that is missing or has another type.
pub fn arguments<T: DeserializeOwned>(arguments: &Value) -> Result<T, String> {
    let empty = Value::Object(serde_json::Map::new());
    let arguments = if arguments.is_null() { &empty } else { arguments };
    T::deserialize(arguments).map_err(|error| format!("wrong arguments: {error}"))
}

/// `initialize`: what the client can do.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Client {
    /// Whether the first line has number 1.
    #[serde(rename = "linesStartAt1")]
    pub lines_start_at_1: bool,
    /// Whether the client shows progress.
    pub supports_progress_reporting: bool,
    /// Whether the client shows memory.
    pub supports_memory_references: bool,
}

impl Default for Client {
    fn default() -> Self {
        Self { lines_start_at_1: true, supports_progress_reporting: false, supports_memory_references: false }
    }
}

/// A source: a file, or a number of the adapter.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Source {
    /// Short name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Path of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Number for the request `source`; 0 or nothing for a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_reference: Option<i64>,
}

/// A breakpoint that the client asks for; which fields are present depends on its kind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Wanted {
    /// Line of a source.
    pub line: u32,
    /// Kernel.
    pub name: String,
    /// Register or address.
    pub data_id: String,
    /// Event.
    pub filter_id: String,
    /// Condition on a register, or restriction to blocks and warps.
    pub condition: Option<String>,
    /// Condition on the number of hits.
    pub hit_condition: Option<String>,
    /// Text to print instead of a stop.
    pub log_message: Option<String>,
}

/// `setBreakpoints`, `setFunctionBreakpoints`, `setDataBreakpoints`.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SetBreakpoints {
    /// Source of line breakpoints.
    #[serde(default)]
    pub source: Source,
    /// All breakpoints; they replace the former ones.
    #[serde(default)]
    pub breakpoints: Vec<Wanted>,
}

/// `setExceptionBreakpoints`.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SetExceptions {
    /// Filters without a condition.
    #[serde(default)]
    pub filters: Vec<String>,
    /// Filters with conditions.
    #[serde(default)]
    pub filter_options: Vec<Wanted>,
}

/// `dataBreakpointInfo`.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DataInfo {
    /// Group of the variable; nothing for an expression.
    #[serde(default)]
    pub variables_reference: usize,
    /// Variable or expression.
    pub name: String,
    /// Frame of an expression.
    pub frame_id: Option<usize>,
}

/// `breakpointLocations`.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Locations {
    /// Source whose breakpoints are set.
    pub source: Source,
    /// First line.
    pub line: u32,
    /// Last line.
    pub end_line: Option<u32>,
}

/// Unit that a step of a client executes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Granularity {
    /// A line.
    #[default]
    Statement,
    /// A line of the source.
    Line,
    /// An instruction of PTX.
    Instruction,
}

/// A request about a warp.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OfThread {
    /// The warp.
    pub thread_id: u64,
    /// Unit that `next`, `stepIn` and `stepBack` execute.
    #[serde(default)]
    pub granularity: Granularity,
    /// First frame of `stackTrace`.
    #[serde(default)]
    pub start_frame: usize,
    /// Most frames of `stackTrace`; 0: all.
    #[serde(default)]
    pub levels: usize,
}

/// A request about a frame.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OfFrame {
    /// Number of the frame.
    pub frame_id: usize,
}

/// How values are shown.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default)]
pub struct ValueFormat {
    /// Hexadecimal.
    pub hex: bool,
}

/// `variables`.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Variables {
    /// The group.
    pub variables_reference: usize,
    /// First variable.
    #[serde(default)]
    pub start: usize,
    /// Most variables; 0: all.
    #[serde(default)]
    pub count: usize,
    /// Format of values.
    #[serde(default)]
    pub format: ValueFormat,
}

/// Where an expression comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Context {
    /// The debug console: a command.
    Repl,
    /// A word under the pointer.
    Hover,
    /// The list of watched expressions, and all others.
    #[default]
    #[serde(other)]
    Watch,
}

/// `evaluate`.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Evaluate {
    /// Command or expression.
    pub expression: String,
    /// Number of the frame in which the expression is evaluated.
    pub frame_id: Option<usize>,
    /// Where it comes from.
    #[serde(default)]
    pub context: Context,
    /// Format of values.
    #[serde(default)]
    pub format: ValueFormat,
}

/// `readMemory`.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReadMemory {
    /// Address space and address.
    pub memory_reference: String,
    /// Added to the address.
    #[serde(default)]
    pub offset: i64,
    /// Number of bytes.
    pub count: u32,
}

/// `cancel`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Cancel {
    /// Progress to stop.
    pub progress_id: Option<String>,
}

/// A breakpoint as the client shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Shown {
    /// Number.
    pub id: u32,
    /// Whether it can be reached.
    pub verified: bool,
    /// Why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Line of the source, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// Source of the breakpoint.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
}

/// A variable of the protocol, with its name and value as text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Variable {
    /// Name.
    pub name: String,
    /// Value as text.
    pub value: String,
    /// PTX type.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub ty: Option<String>,
    /// Expression with this value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluate_name: Option<String>,
    /// Group of its parts; 0: it has none.
    pub variables_reference: usize,
    /// Number of its parts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub indexed_variables: Option<usize>,
    /// Address in memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_reference: Option<String>,
}

/// A group of variables.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Scope {
    /// Name.
    pub name: String,
    /// Kind of a register scope.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub presentation_hint: Option<&'static str>,
    /// The group.
    pub variables_reference: usize,
    /// Whether the client should wait until the user opens it.
    pub expensive: bool,
}
