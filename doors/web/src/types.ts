// Documents of the engine, generated from its types by lab/src/types.rs:
// `BLESS=1 cargo test -p lab types` writes them again.

/** The chip of runs that name none. */
export const DEFAULT_CHIP = "fermi";

/** Rules for the lanes of a warp at a barrier. */
export type Barriers = "strict" | "hardware";

/** Preferences for the division of an SM's memory. */
export type Cache = "prefer-none" | "prefer-shared" | "prefer-l1";

/** Everything that the page offers. */
export type Catalog = {
/** Program and version. */
program: string,
/** Programs with their host code, and kernels in OpenCL C. */
programs: Array<ProgramEntry>,
/** Built-in kernels, in order; the variants of a family are consecutive. */
kernels: Array<KernelEntry>,
/** Built-in chips on which kernels run. */
chips: Array<ChipEntry>,
/** States of a warp, in the order of their numbers. */
states: Array<StateEntry>,
/** Most bytes of the files of a program. */
files_limit: number, };

/** Checkers that the page can select. */
export type CheckName = "memory" | "race" | "init" | "sync" | "all";

/** Result of a check. */
export type Checked = {
/** Diagnostics, in the order of the text. */
diagnostics: Array<Marked>,
/** All diagnostics, drawn as the command line draws them. */
drawn: string,
/** Kernels of the text; empty if it has errors. */
kernels: Array<KernelInfo>,
/** Errors of the launch file, drawn; empty if there is no launch file or the PTX has errors. */
launch: string, };

/** Result of a check of a chip file. */
export type CheckedChip = {
/** Errors and warnings at places of the file, in the order of the text. */
diagnostics: Array<Marked>,
/** All errors and warnings, also those of other texts, drawn as `warpsim config check` draws
 * them. */
drawn: string,
/** Name and board of the chip, if it is valid. */
name: string, };

/** A built-in chip for the list of the page. */
export type ChipEntry = {
/** Name. */
name: string,
/** Board with this chip. */
board: string,
/** Compute capability. */
capability: string,
/** Number of SMs. */
sms: number, };

export type Claim = { id: string, section: string, source: string, places: Array<string>, claim: string, must_show: string,
/** Last recorded verdict. */
recorded: string | null, verdict: string,
/** Description of the run. */
ran: string | null,
/** Estimated launches. */
sampled: Estimate | null, findings: Array<Finding>, why: Array<string>, cause: string | null,
/** Message of an error that ended the program. */
error: string | null, };

/** The document. */
export type ClaimDocument = { schema: number, full_size: boolean, sampled: boolean, sets: Array<string>, claims: Array<Claim>, };

/** Result of a claim. */
export type ClaimRan = {
/** The text that `warpsim book CLAIM` prints. */
text: string,
/** The document that `warpsim book CLAIM --format json` prints. */
json: string,
/** Picture of its numbers as SVG; `null` without numbers. */
picture: string | null, };

/** A movement. */
export type Command = { "do": "cycle",
/** Whether the launch moves back. */
back: boolean, } | { "do": "instruction",
/** Whether the launch moves back. */
back: boolean, } | { "do": "line",
/** Whether the launch moves back. */
back: boolean, } | { "do": "issue",
/** Whether the launch moves back. */
back: boolean, } | { "do": "continue",
/** Whether the launch moves back. */
back: boolean, } | { "do": "goto",
/** Shader cycle to which the stepper goes. */
cycle: number, };

/** Comparison of two runs. */
export type Compared = {
/** The text that `warpsim compare` prints. */
text: string,
/** The JSON document of the comparison. */
json: string,
/** Pictures of both together, and of each, as SVG. */
pictures: [Array<string>, Array<string>, Array<string>],
/** Why the reports cannot be compared; empty if they can. */
error: string, };

/** A name that the editor completes. */
export type Completion = {
/** The name. */
name: string,
/** `keyword`, `variable`, `function`, `type` or `constant`. */
kind: string,
/** Parameters of a function, as its header writes them. */
parameters: string,
/** `device` or `host` if only this code has the name; else empty. */
place: string, };

/** The list of lessons and exercises. */
export type Course = {
/** The lessons, in order. */
lessons: Array<Lesson>,
/** The exercises, in the order of the lessons. */
exercises: Array<Listed>, };

/** The options of `warpsim run` that replace a launch file. */
export type DirectLaunch = {
/** Blocks. */
grid?: string,
/** Threads of a block. */
block?: string,
/** Work-items. */
global?: string,
/** Work-items of a work-group. */
local?: string,
/** The kernel. */
entry?: string,
/** Arguments, `NAME=VALUE`. */
arguments?: Array<string>,
/** Expected values of buffers, `NAME=FORMULA`. */
expect?: Array<string>,
/** Bytes of dynamic shared memory. */
dynamic_shared?: number, };

export type Estimate = { launches: number, estimated: number, blocks: number, simulated: number, };

/** A fact. A fact with children and without a value is a row of a table: its children are cells,
 * whose names are the titles of the columns. */
export type Fact = {
/** Name of the value; empty if the value explains itself. */
name: string,
/** Value of the fact. */
value: Value,
/** Whether the fact is about the warp or the lane in focus, or needed by its next instruction. */
marked: boolean,
/** Where the fact is. */
place: Place | null,
/** Facts that belong to this one. */
children: Array<Fact>, };

export type Finding = { what: string, expected: string, simulated: string, error_percent: number | null, verdict: string, };

/** The warp and the lane in focus. */
export type Focus = {
/** Number of the SM. */
sm: number,
/** Warp slot. */
slot: number,
/** Number of the lane, 0 to 31. */
lane: number, };

/** How values are printed. */
export type Format = "hex" | "signed" | "unsigned" | "float" | "binary" | "octal" | "char";

/** An exercise as the page gives it. */
export type Given = {
/** Name of a built-in exercise, or the usual name of the files. */
name: string,
/** Texts of a hand-out by their file names; empty for a built-in exercise. */
files: { [key in string]: string }, };

/** The grade of a submission. */
export type Grade = {
/** Name of the exercise. */
exercise: string,
/** Title of the exercise. */
title: string,
/** Name of the student. */
student: string,
/** Sum of the points. */
points: number,
/** Most points. */
of: number,
/** Points of the rows that the student does not have. */
closed: number,
/** Why nothing ran: a missing file, or the messages of the compiler. */
problem: string | null,
/** Remarks, such as a wrong name of the file. */
notes: Array<string>,
/** Rows of the rubric. */
rows: Array<GradeRow>, };

/** Details of a failure. */
export type GradePart = { "kind": "text",
/** Heading of the text. */
title: string,
/** The lines. */
text: string, } | { "kind": "picture",
/** Heading of the picture. */
title: string,
/** The picture. */
svg: string, };

/** A row of the rubric for a submission. */
export type GradeRow = {
/** Test, check, limit or rule about the source. */
kind: RowKind,
/** Name. */
name: string,
/** Whether students see it before they hand in. */
is_open: boolean,
/** Points that the row gives. */
points: number,
/** Most points. */
of: number,
/** Why it failed, in one line; absent if it passed. */
why: string | null,
/** Whether it failed only because of another row, or because nothing ran. */
is_consequence: boolean,
/** Details of the failure. */
parts: Array<GradePart>,
/** Hint of the rubric, if the row failed. */
hint: string | null, };

/** A built-in kernel. */
export type KernelEntry = {
/** Name. */
name: string,
/** Family of variants. */
family: string | null,
/** Description in one line. */
about: string,
/** Place in the book. */
book: string,
/** Meaning and allowed values of the size. */
size_meaning: string,
/** Default size. */
default_size: number,
/** Sizes that run quickly. */
small_sizes: Array<number>,
/** Threads per block. */
block: [number, number, number],
/** Name of the PTX file. */
file: string,
/** A launch file for the PTX text on its own, if the project has one. */
launch: string | null, };

/** Resources of a kernel. */
export type KernelInfo = {
/** Name. */
name: string,
/** Parameters, type and name. */
params: Array<string>,
/** Registers per thread. */
registers: number,
/** Bytes of static shared memory of a block. */
shared_bytes: number,
/** Bytes of local memory of a thread. */
local_bytes: number,
/** Number of micro-ops. */
instructions: number, };

/** A lesson in the list. */
export type Lesson = {
/** Number, from 1. */
number: number,
/** File name, to which other lessons link. */
file: string,
/** Title without the number. */
title: string, };

/** A launch file with the file of its kernel. */
export type LessonLaunch = {
/** The launch file without the name of the file of its kernel. */
text: string,
/** Name of the file of its kernel. */
file: string,
/** The text of this file. */
program: string, };

/** The text of a lesson. */
export type LessonPage = {
/** The text, in Markdown. */
text: string,
/** Its pictures as SVG, by their paths in the text. */
pictures: { [key in string]: string },
/** Programs that it links or runs, by their paths in the text. */
programs: { [key in string]: string },
/** Launches that it runs, by their paths in the text. */
launches: { [key in string]: LessonLaunch }, };

/** An exercise in a list. */
export type Listed = {
/** Name. */
name: string,
/** Title of the exercise. */
title: string,
/** Number of its lesson; absent in an exercise without a lesson. */
lesson: number | null,
/** Difficulty: `easy`, `medium` or `hard`. */
level: string,
/** Task of the student: `write`, `debug` or `fast`. */
kind: string,
/** Points of the rows that students can check. */
points: number,
/** Points of the other rows. */
closed: number,
/** Chips on which its tests run, each once. */
chips: Array<string>, };

/** The lines of the PTX, in their order. */
export type Lowered = {
/** Whether the PTX is compiled from CUDA C. */
is_cuda_c: boolean,
/** Lines of the PTX. */
lines: Array<PtxLine>, };

/** A diagnostic at its position. */
export type Marked = {
/** `error`, `warning` or `note`. */
severity: Severity,
/** Code, such as `E0102`. */
code: string,
/** One sentence. */
message: string,
/** First UTF-16 unit of the primary label. */
from: number,
/** End of the primary label, in UTF-16 units. */
to: number,
/** Line of the primary label, from 1. */
line: number,
/** Text of the primary label. */
label: string,
/** Notes and helps. */
more: Array<string>, };

/** A micro-op. */
export type MicroOp = {
/** Index in its kernel. */
pc: number,
/** Text of the line. */
text: string,
/** Timing class. */
class: string,
/** Registers of a thread that are live after it. */
registers: number, };

/** Result of a movement. */
export type Moved = {
/** Why the movement stopped. */
halt: Stopped,
/** Where it stopped or how the launch ended, in words; empty after a plain step. */
message: string,
/** SM and warp slot of the event at which it stopped. */
at: [number, number] | null, };

/** A file of a program. */
export type NamedBytes = {
/** Path in the folder of the program. */
name: string,
/** The bytes in base 64. */
base64: string, };

/** A text with its file name, for messages. */
export type NamedText = {
/** File name. */
name: string,
/** The text. */
text: string, };

/** An exercise that is open. */
export type Opened = {
/** Its row in the list. */
listed: Listed,
/** The statement, in Markdown. */
statement: string,
/** File name of a submission. */
file: string,
/** The program that a student gets. */
start: string,
/** Arguments of the first open test, as a shell has them. */
arguments: string,
/** Standard input of this test. */
input: string,
/** Files of this test. */
files: Array<NamedBytes>,
/** Built-in chip of this test; absent if its chip is a file of the exercise. */
chip: string | null, };

/** The pictures of the launch that a report shows. */
export type Pictures = {
/** Number of the launch, from 1; 0 without one. */
launch: number,
/** The parts; none without timing. */
parts: Array<PicturesPart>, };

/** A part of the pictures of a run. */
export type PicturesPart = {
/** Heading. */
title: string,
/** Explanation; may be empty. */
note: string,
/** The pictures as SVG. */
pictures: Array<string>, };

/** A place of a fact. */
export type Place = { "line": number } | { "warp": {
/** Number of the SM. */
sm: number,
/** Warp slot. */
slot: number, } };

/** A program in CUDA C with its host code, or in C with calls of OpenCL; or a kernel in OpenCL C. */
export type ProgramEntry = {
/** Name of the file. */
name: string,
/** Description in one line. */
about: string,
/** The source. */
text: string,
/** The launch file of a kernel; empty for a program with its host code. */
launch: string, };

/** Progress of a launch. */
export type Progress = {
/** Name of the kernel. */
kernel: string,
/** Number of the launch, from 1. */
launch: number,
/** Blocks that have ended. */
retired: number,
/** Blocks to simulate. */
blocks: number,
/** Shader cycle. */
cycle: number,
/** Executed warp instructions. */
instructions: number, };

/** A line of PTX. */
export type PtxLine = {
/** The line. */
text: string,
/** Line of the user's text from which it comes, from 1; 0 if it comes from no line. */
line: number,
/** Micro-ops that the instruction becomes. The code of a function that several kernels call has
 * the micro-ops of the first kernel. */
micro_ops: Array<MicroOp>, };

/** Result of a run. */
export type Ran = {
/** The exit code that `warpsim run` has for this run. */
code: number,
/** Whether the results are right; absent if nothing compared them with expected results, as
 * after a program with its host code. */
passed: boolean | null,
/** The text that `warpsim run` prints: the short report, or the findings of the checkers. */
text: string,
/** The full report (`--details`); empty if checkers were on. */
details: string,
/** The JSON document (`--json`); empty if the run did not start. */
json: string,
/** The messages on standard error. */
messages: Array<string>,
/** Pictures of the shown launch. */
pictures: Pictures,
/** Files that a program has written. */
files: Array<NamedBytes>, };

/** A register with its values by lane. */
export type RegisterRow = {
/** PTX name; of an intermediate value its row in parentheses. */
name: string,
/** Values by lane. */
values: Array<string>,
/** Source line of the latest writer. */
line: number,
/** Whether the latest writer issued in the last issue cycle. */
changed: boolean,
/** Since when the value can be used; empty if it can be used. */
busy: string, };

/** A run. */
export type Request = {
/** Name of a built-in kernel; the other choice is `ptx` with `launch`. */
kernel?: string,
/** Problem size of a built-in kernel. */
size?: number,
/** PTX text, or CUDA C in a file `.cu`. */
ptx?: NamedText,
/** Launch file of the text; a program in CUDA C has none. */
launch?: NamedText,
/** Name of a built-in chip; the default chip if it is absent. */
chip?: string,
/** Chip file, instead of a built-in chip. */
chip_file?: NamedText,
/** Overrides of the chip, path and value. */
sets: Array<[string, string]>,
/** Registers per thread. */
registers?: number,
/** Rule at barriers. */
barriers?: Barriers,
/** Division of an SM's memory. */
cache?: Cache,
/** Limit of a launch. */
max_cycles?: number,
/** Optimization level of the compiler; absent means 3. */
opt_level?: number,
/** Whether products and sums are fused; absent means in CUDA C. */
fmad?: boolean,
/** Whether the functional machine runs the kernel. */
functional?: boolean,
/** Arguments of a program with its host code: words as in a shell. */
arguments?: string,
/** Standard input of a program with its host code. */
input?: string,
/** Files in the folder of the program. */
files?: Array<NamedBytes>,
/** Checkers; they run on the functional machine. */
checks?: Array<CheckName>, };

/** Kind of a row. */
export type RowKind = "test" | "check" | "limit" | "source";

/** A setting: a single value of the chip that can be overridden. */
export type Setting = {
/** Path, as in `--set`. */
path: string,
/** Meaning. */
about: string,
/** Unit; empty for plain counts and words. */
unit: string,
/** Whether it changes only times, `timing`, or what programs see, `meaning`; else empty. */
effect: string,
/** Kind of input: `integer`, `number`, `flag`, `word` or `text`. */
kind: string,
/** Smallest value. */
min: number | null,
/** Largest value. */
max: number | null,
/** Words without an argument. */
words: Array<string>,
/** Value of the chip, as RON; empty if the chip file leaves it out. */
value: string, };

/** Severity of a diagnostic. */
export type Severity = "error" | "warning" | "note";

/** A state of a warp. */
export type StateEntry = {
/** Key in reports. */
key: string,
/** Name in tables. */
label: string,
/** Meaning. */
about: string,
/** Color, as CSS has it. */
color: string, };

/** A request of the page. */
export type Step = {
/** A movement; without one, the launch is only described. */
command: Command | null,
/** The warp and the lane to describe. */
focus: Focus,
/** Source lines at which a search stops. */
breakpoints: Array<number>,
/** Format of values. */
format: Format, };

/** Data that does not change during a launch. */
export type StepProgram = {
/** Name of the kernel. */
kernel: string,
/** Name of the PTX file. */
file: string,
/** Text of the lines: PTX, or CUDA C. */
text: string,
/** Whether it is CUDA C. */
is_cuda_c: boolean,
/** Number of the launch in the host program, from 1. */
launch: number,
/** Blocks. */
grid: [number, number, number],
/** Threads of a block. */
block: [number, number, number],
/** Name of the chip. */
chip: string,
/** Shader cycles of an issue cycle. */
period: number,
/** Number of SMs. */
sms: number,
/** Warp slots of an SM. */
warp_slots: number,
/** Banks of shared memory. */
banks: number,
/** Source lines with instructions, in ascending order. */
lines: Array<number>,
/** Reconvergence points do not exist in PTX; the stack names them by line. Line of each
 * micro-op. */
line_of: Array<number>, };

/** States by issue cycle. */
export type StepTimeline = {
/** First shader cycle. */
from: number,
/** Shader cycles of an issue cycle. */
period: number,
/** Warp slots with their cells; the number of the state is -1 without a warp. */
rows: Array<[number, Array<[number, boolean, number]>]>, };

/** The state of a launch. */
export type StepView = {
/** Shader cycle before which everything is complete. */
cycle: number,
/** Whether the launch has ended. */
ended: boolean,
/** Warps of the SM in focus. */
warps: Fact,
/** Reconvergence stack of the warp in focus. */
stack: Fact,
/** Barriers of its block. */
barriers: Fact,
/** Load/store queue and pending loads of the SM. */
queue: Fact,
/** Resident blocks. */
blocks: Fact,
/** Source line of the next instruction of the warp in focus; 0 without a warp and after its
 * exit. */
line: number,
/** Source lines of the other warps of the SM. */
others: Array<number>,
/** Variables of CUDA C that the line of the warp in focus sees; `None` without CUDA C. */
variables: Array<VariableRow> | null,
/** Registers that the warp in focus has written. */
registers: Array<RegisterRow>,
/** Picture of its last access to memory, as SVG; empty for an access without segments and
 * banks. */
access: string | null,
/** Words of the shared memory of its block. */
shared: Array<string>,
/** States of the warps of the SM in the last issue cycles. */
timeline: StepTimeline, };

/** The answer. */
export type Stepped = {
/** Result of the movement. */
moved: Moved | null,
/** The state after it. */
view: StepView, };

/** Why a movement stopped. */
export type Stopped = "done" | "event" | "ended" | "start" | "unfinished";

/** A recorded timeline. */
export type Timeline = {
/** Name of the kernel. */
kernel: string,
/** Number of the SM. */
sm: number,
/** Shader cycles of an issue cycle. */
period: number,
/** Shader cycle after the last recorded change. */
end: number,
/** Whether later cycles were not recorded. */
cut: boolean,
/** Labels of the states, by number. */
labels: Array<string>,
/** Colors of the states, as CSS has them, by number. */
colors: Array<string>,
/** Changes by warp slot: shader cycle, state or -1 without a warp, source line. */
rows: Array<Array<[number, number, number]>>, };

/** A value of a fact. */
export type Value = "none" | { "words": string } | { "number": number } | { "count": number } | { "address": number } | { "line": string } | { "lanes": {
/** Lanes that are meant. */
active: number,
/** These, and other lanes that have not exited. */
live: number, } } | { "state": [string, string] };

/** A variable of CUDA C, or a part of one. */
export type VariableRow = {
/** Name, such as `sum` or `last[2]`. */
name: string,
/** Type as C writes it; empty for a part. */
c_type: string,
/** Values by lane; empty if there is none. */
values: Array<string>,
/** Note about the values. */
note: string, };
