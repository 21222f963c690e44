//! Random programs in which everything is initialized, and the same programs with one mistake: a
//! barrier, an initialization or the limit of an index is wrong.
//!
//! The reference interpreter decides whether a mistake has consequences. It runs a program under
//! different *choices*, all of which PTX allows: orders of the threads, contents of what nothing
//! wrote, and distances between variables. If the results differ, the program has an observable
//! mistake, and a checker must have a finding.
//!
//! Invariant `no-mistake-is-missed`: Random programs without mistakes have no finding. If a random
//! program with one mistake has different results under different choices that PTX leaves open, a
//! checker has a finding of the right kind.

use crate::oracle::{Choice, reference_by};
use crate::reference::{Memory, Order};
use isa::Options;
use isa::source::Source;
use isa::span::LineIndex;
use sim_core::check::{Checks, Finding, Kind};
use sim_core::stats::report::CheckReport;
use warpsim_check::generate::Case;
use warpsim_check::generate::tree::Stmt;
use warpsim_check::mutate::{ChangeKind as Change, Mutant, mutants};
use warpsim_check::run::{Contents, Prepared};

/// A program and the contents of its buffers.
pub struct WrongProgram {
    /// Description of the change.
    pub change: String,
    /// The case with the text of the program.
    pub prepared: Prepared,
    /// Contents of the buffers before the launch.
    pub contents: Contents,
    /// Kinds of findings that report the change; any one is right if the list is empty.
    pub kinds: &'static [Kind],
}

/// Kinds of findings for accesses without an order.
const UNORDERED: [Kind; 5] = [
    Kind::ReadAfterWrite,
    Kind::WriteAfterRead,
    Kind::WriteAfterWrite,
    Kind::LostUpdate,
    Kind::WarpSynchronous,
];

/// Buffers that the kernel reads, by their numbers.
const INPUTS: [usize; 5] = [0, 1, 2, 3, 5];

/// Names of the shared arrays of a kernel.
const ARRAYS: [&str; 3] = ["board", "heap", "mine"];

/// Returns the case without the statements whose barriers are mistakes: threads that exit earlier
/// than others.
pub fn without_exits(mut case: Case) -> Case {
    case.body.retain(|stmt| !matches!(stmt, Stmt::Leave { .. }));
    case
}

/// Returns the PTX that sets the elements of shared array `name` to zero.
fn clear(name: &str, bytes: usize, threads: u32) -> String {
    let (words, label) = (bytes / 4, name.to_uppercase());
    format!(
        "mov.u32 %t0, %tid;\nmov.u32 %t3, {name};\nmov.u32 %t2, 0;\nZ{label}:\nsetp.ge.u32 %q, %t0, {words};\n\
         @%q bra E{label};\nmad24.lo.u32 %t1, %t0, 4, %t3;\nst.shared.u32 [%t1], %t2;\n\
         add.u32 %t0, %t0, {threads};\nbra Z{label};\nE{label}:\n"
    )
}

/// Returns the size in bytes of shared array `name` in a kernel.
fn bytes_of(text: &str, name: &str) -> usize {
    let (_, rest) = text.split_once(&format!(" {name}[")).expect("kernels have the array");
    let count: usize = rest.split(']').next().and_then(|n| n.parse().ok()).expect("a number");
    if name == "mine" { 4 * count } else { count }
}

/// The parts of a program's text.
struct Parts {
    /// Declarations and the prologue, which sets registers.
    before: String,
    /// Initialization of each shared array and of local memory.
    clears: Vec<(Kind, String)>,
    body: String,
}

impl Parts {
    fn of(case: &Case) -> Self {
        let printed = case.printed();
        let (before, body) = printed.text.split_at(printed.body);
        let threads = case.extents.threads;
        let clear = |name: &&str| (Kind::Shared, clear(name, bytes_of(before, name), threads));
        let mut clears: Vec<_> = ARRAYS.iter().map(clear).collect();
        let slots = (0..16).map(|word| format!("st.local.u32 [%slot+{}], %t2;\n", 4 * word));
        clears.push((Kind::Local, slots.collect()));
        Self { before: before.to_owned(), clears, body: body.to_owned() }
    }

    /// Returns the text, without initialization number `without`.
    fn text(&self, without: Option<usize>) -> String {
        let kept = self.clears.iter().enumerate().filter(|(number, _)| Some(*number) != without);
        let clears: String = kept.map(|(_, (_, text))| text.as_str()).collect();
        let carry = "mov.u32 %t2, 0;\nadd.cc.u32 %t2, %t2, 0;\n";
        format!("{}{carry}{clears}bar.sync 0;\n{}", self.before, self.body)
    }
}

/// Returns the program of a case in which everything is initialized.
pub fn right(case: &Case) -> WrongProgram {
    let text = Parts::of(case).text(None);
    program(case, "nothing".to_owned(), text, None, &[])
}

fn program(
    case: &Case,
    change: String,
    text: String,
    unset: Option<usize>,
    kinds: &'static [Kind],
) -> WrongProgram {
    // The checkers of memory and values need the code as it was written.
    let prepared = Prepared::new(case).with_text_compiled(text, Options::PLAIN);
    WrongProgram { change, prepared, contents: Contents { all: true, unset }, kinds }
}

/// Returns the text without line `number`.
fn without_line(text: &str, number: usize) -> String {
    text.split_inclusive('\n').enumerate().filter(|(at, _)| *at != number).map(|(_, line)| line).collect()
}

/// Returns the numbers and texts of the lines for which `is` is true.
fn lines(text: &str, is: impl Fn(&str) -> bool) -> Vec<(usize, &str)> {
    text.lines().enumerate().filter(|(_, line)| is(line)).collect()
}

/// Returns the program of a mutant; `which` selects it among those that `is` accepts. `None`
/// without one.
fn mutated(
    case: &Case,
    which: usize,
    is: impl Fn(&Mutant, &str) -> bool,
    kinds: &'static [Kind],
) -> Option<WrongProgram> {
    let text = Parts::of(case).text(None);
    let mut all = mutants(&Source::new("case.ptx", text.as_str()));
    all.retain(|mutant| is(mutant, &text[mutant.instruction.range()]));
    // An offset becomes larger first, then smaller.
    all.dedup_by_key(|mutant| mutant.instruction);
    let mutant = all.get(which % all.len().max(1))?;
    let (line, old) =
        (LineIndex::new(&text).line(mutant.instruction.start), &text[mutant.instruction.range()]);
    let change = format!("line {line}: `{}` instead of `{old}`", mutant.instruction().unwrap_or_default());
    Some(program(case, change, mutant.apply(&text), None, kinds))
}

/// Returns the program with one barrier removed; `which` selects the barrier. `None` without
/// barriers.
pub fn without_barrier(case: &Case, which: usize) -> Option<WrongProgram> {
    mutated(case, which, |mutant, _| mutant.kind == Change::Barrier, &UNORDERED)
}

/// Returns the program with one initialization removed: of a register, of shared memory, of local
/// memory, or of a buffer in global memory.
pub fn without_initialization(case: &Case, which: usize) -> WrongProgram {
    let parts = Parts::of(case);
    let (declarations, _) = parts.before.split_once("mov.u32 %tid,").expect("kernels begin with it");
    let first = declarations.lines().count();
    let set = |line: &str| {
        let register = line.split_whitespace().nth(1).unwrap_or_default().trim_end_matches(',');
        register.len() == 3 && ["%r", "%f", "%d", "%e"].iter().any(|kind| register.starts_with(kind))
    };
    let mut sets = lines(&parts.before, set);
    sets.retain(|(number, _)| *number >= first);
    match which % 4 {
        0 | 1 => {
            let (number, line) = sets[which / 4 % sets.len()];
            let shorter = Parts { before: without_line(&parts.before, number), ..parts };
            program(case, format!("no `{line}`"), shorter.text(None), None, &[Kind::Register])
        }
        2 => {
            let number = which / 4 % parts.clears.len();
            let kinds: &[Kind] =
                if parts.clears[number].0 == Kind::Local { &[Kind::Local] } else { &[Kind::Shared] };
            let change = format!("no initialization {number} of memory");
            program(case, change, parts.text(Some(number)), None, kinds)
        }
        _ => {
            let buffer = INPUTS[which / 4 % INPUTS.len()];
            program(
                case,
                format!("no contents of buffer {buffer}"),
                parts.text(None),
                Some(buffer),
                &[Kind::Global],
            )
        }
    }
}

/// Returns the program with the index of one access larger by one: the address is larger by the
/// size of the element or vector. `None` without such accesses.
pub fn with_larger_index(case: &Case, which: usize) -> Option<WrongProgram> {
    let is = |mutant: &Mutant, text: &str| {
        let is_access =
            text.split_whitespace().any(|word| word.starts_with("ld.") || word.starts_with("st."));
        mutant.kind == Change::Constant && is_access && text.contains("[%")
    };
    mutated(case, which, is, &[])
}

/// Choices under which a program runs.
fn choices(seed: u64) -> Vec<Choice> {
    let one = |order, fill, gap| Choice { order, fill, gap, most_steps: 100_000 };
    let mut all = vec![
        one(Order::Ascending, 0, 0),
        one(Order::Descending, 0, 0),
        one(Order::Ascending, 0xa5, 64),
        one(Order::Ascending, 0xff, 64),
    ];
    all.extend((0..2).map(|n| one(Order::Random(seed.wrapping_add(n)), 0, 0)));
    all
}

impl WrongProgram {
    /// Returns the different outcomes of the program under the choices that PTX leaves open: an
    /// example of two that differ, or `None` if all are the same.
    pub fn difference(&self, seed: u64) -> Option<String> {
        let outcome = |choice: &Choice| reference_by(&self.prepared, self.contents, *choice);
        // What nothing wrote differs in any case.
        let bytes = |memory: &Memory| -> Vec<Vec<u8>> {
            let ranges = memory.ranges().iter().enumerate();
            ranges.filter(|(n, _)| self.contents.unset != Some(*n)).map(|(_, r)| r.bytes.clone()).collect()
        };
        let all = choices(seed);
        let first = match outcome(&all[0]) {
            Ok(memory) => bytes(&memory),
            Err(error) => return Some(error),
        };
        all[1..].iter().find_map(|choice| match outcome(choice) {
            Ok(memory) => (bytes(&memory) != first).then(|| format!("other results with {choice:?}")),
            Err(error) => Some(format!("{error} with {choice:?}")),
        })
    }

    /// Returns the findings of the checkers `checks`.
    pub fn findings(&self, checks: Checks) -> Vec<Finding> {
        let report = self.prepared.checked(checks, self.contents);
        report.checks.iter().flat_map(CheckReport::mistakes).cloned().collect()
    }

    /// Whether a finding reports the change.
    pub fn is_reported(&self, findings: &[Finding]) -> bool {
        let any = findings.iter().any(|finding| finding.kind != Kind::UnneededBarrier);
        any && (self.kinds.is_empty() || findings.iter().any(|f| self.kinds.contains(&f.kind)))
    }
}
