//! A counterexample as a folder: the kernel, its launch file and its chip file, the rule and the
//! events around its violation, and the commands that run it again.
//!
//! | file | content |
//! |---|---|
//! | `kernel.ptx` | the kernel, with the rule as its first comment |
//! | `launch.ron`, `NAME.bin` | the launch, and the contents of buffers that are not zero |
//! | `chip.ron` | the chip: a base and the differences that matter |
//! | `rule.txt` | the rule and how it is broken |
//! | `trace.txt` | the last events of the SM before |
//! | `README.md` | the commands that replay it |

use super::{Buffer, Example, Failure, counted};
use crate::generate::chip::ChipSpec;
use crate::rule::{Property, Violation};
use isa::uop::Program;
use serde::Deserialize;
use sim_core::config::{Chip, PolicyKind};
use sim_core::host::RunOptions;
use sim_core::observe::{Event, What, Why};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::{fs, io};

/// A file of a folder.
type File = (String, Vec<u8>);

/// The files of a counterexample: `example` breaks a rule as `violation` says.
pub fn files(example: &Example, violation: &Violation) -> Vec<File> {
    let rule = format!("{violation}\n");
    let mut files = vec![
        ("kernel.ptx".to_owned(), kernel(example, violation).into_bytes()),
        ("launch.ron".to_owned(), launch(example).into_bytes()),
        ("chip.ron".to_owned(), chip(example, violation).into_bytes()),
        ("rule.txt".to_owned(), rule.into_bytes()),
        ("trace.txt".to_owned(), trace(example, violation).into_bytes()),
        ("README.md".to_owned(), readme(example, violation).into_bytes()),
    ];
    let filled = example.buffers.iter().filter(|buffer| !is_zero(buffer));
    files.extend(filled.map(|buffer| (format!("{}.bin", buffer.name), buffer.bytes.clone())));
    files
}

/// Writes the files of a counterexample to `folder`, which is created if it does not exist.
pub fn write(folder: &Path, example: &Example, violation: &Violation) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    files(example, violation).iter().try_for_each(|(name, bytes)| fs::write(folder.join(name), bytes))
}

fn is_zero(buffer: &Buffer) -> bool {
    buffer.bytes.iter().all(|byte| *byte == 0)
}

/// The kernel's text with the rule in front. The instructions near the violation are marked.
fn kernel(example: &Example, violation: &Violation) -> String {
    let mut text = String::new();
    for line in wrap(&format!("{}: {}", violation.property, violation.sentence)) {
        let _ = writeln!(text, "// {line}");
    }
    let sm = violation.sm.map_or(String::new(), |sm| format!(" on SM {sm}"));
    let _ =
        writeln!(text, "// Broken in issue cycle {}{sm}; trace.txt has the events before.", violation.cycle);
    text + &example.text
}

fn launch(example: &Example) -> String {
    let Example { blocks, threads, buffers, .. } = example;
    let params: Vec<String> = buffers.iter().map(|buffer| format!("buf(\"{}\")", buffer.name)).collect();
    let mut text = format!("(\n    entry: \"k\",\n    grid: {blocks},\n    block: {threads},\n");
    let _ = writeln!(text, "    params: [{}],\n    buffers: {{", params.join(", "));
    for buffer in buffers {
        let (name, len) = (&buffer.name, buffer.bytes.len());
        let init = if is_zero(buffer) { "zero".to_owned() } else { format!("file(\"{name}.bin\")") };
        let _ = writeln!(text, "        \"{name}\": (type: b8, len: {len}, init: {init}),");
    }
    text + "    },\n)\n"
}

/// The chip on which a rule is broken.
fn broken_on(example: &Example, violation: &Violation) -> ChipSpec {
    let sets = violation.settings.as_ref().unwrap_or(&example.chip.sets).clone();
    ChipSpec { base: example.chip.base, sets }
}

/// A chip file: settings by path become nested records.
fn chip(example: &Example, violation: &Violation) -> String {
    #[derive(Default)]
    struct Record(BTreeMap<String, Record>, Option<String>);

    fn print(record: &Record, in_map: bool, depth: usize, out: &mut String) {
        for (name, part) in &record.0 {
            let _ = write!(out, "{}", "    ".repeat(depth));
            let _ = if in_map { write!(out, "\"{name}\": ") } else { write!(out, "{name}: ") };
            if let Some(value) = &part.1 {
                let _ = writeln!(out, "{value},");
                continue;
            }
            let map = name == "units";
            let [open, close] = if map { ["{", "}"] } else { ["(", ")"] };
            let _ = writeln!(out, "{open}");
            print(part, map, depth + 1, out);
            let _ = writeln!(out, "{}{close},", "    ".repeat(depth));
        }
    }

    let mut root = Record::default();
    let policy = violation.policy.clone().map(|policy| ("sm.scheduler".to_owned(), policy));
    let chip = broken_on(example, violation);
    for (path, value) in chip.sets.iter().chain(&policy) {
        let mut at = &mut root;
        for name in path.split('.') {
            at = at.0.entry(name.to_owned()).or_default();
        }
        *at = Record(BTreeMap::new(), Some(value.clone()));
    }
    let mut text = format!("(\n    base: \"{}\",\n", chip.base);
    print(&root, false, 1, &mut text);
    text + ")\n"
}

/// The events before the violation, a line each.
fn trace(example: &Example, violation: &Violation) -> String {
    let (module, _) = isa::compile("kernel.ptx", &example.text);
    let program = module.as_ref().and_then(|module| module.entry("k"));
    let mut text = format!("{violation}\n\nThe last events of the SM, by shader cycle:\n");
    for event in &violation.events {
        let _ = writeln!(text, "{:>8}  {}", event.cycle, describe(event, program.map(|program| &**program)));
    }
    text
}

fn describe(event: &Event, program: Option<&Program>) -> String {
    let code =
        |pc: u32| program.map_or(format!("instruction {pc}"), |program| program.ptx_text(pc).to_owned());
    match &event.what {
        What::BlockStarted { block, warps, .. } => format!("block {block} starts in warp slots {warps:#x}"),
        What::BlockRetired { block, warps } => format!("block {block} frees warp slots {warps:#x}"),
        What::State { warp, pc, why: Why::Issued(issued), .. } => {
            let lanes = issued.lanes & issued.guarded;
            format!("slot {warp}: issues `{}` with lanes {lanes:#010x}", code(*pc))
        }
        What::State { warp, pc, state, why, .. } => {
            let until = why.until().map_or(String::new(), |until| format!(" until {until}"));
            format!("slot {warp}: {}{until}, at `{}`", state.row().label, code(*pc))
        }
        What::Stack { warp, entries } if entries.is_empty() => format!("slot {warp}: all lanes have exited"),
        What::Stack { warp, entries } => {
            format!("slot {warp}: reconvergence stack of {} entries", entries.len())
        }
        What::LoadCompleted { load, at, usable } => {
            format!(
                "slot {}: the load issued in {} is complete in {at}, usable from {usable}",
                load.warp, load.cycle
            )
        }
        What::Written { by, .. } => format!("slot {}: registers written", by.warp),
    }
}

fn readme(example: &Example, violation: &Violation) -> String {
    let mut text = format!("# A counterexample: {}\n\n", violation.property);
    text += &paragraph(violation.sentence);
    let Example { blocks, threads, .. } = example;
    let chip = broken_on(example, violation).checked();
    let period = chip.as_ref().map_or(1, |chip| u64::from(chip.sm.issue_period));
    let at = violation.cycle * period;
    let (from, to) = (at.saturating_sub(40 * period), at + period);
    let files = "kernel.ptx --launch launch.ron --chip chip.ron";
    let kernel = counted(example.instructions() as u32, "instruction");
    let (on, sm) =
        violation.sm.map_or((String::new(), "all".to_owned()), |sm| (format!(" on SM {sm}"), sm.to_string()));
    let focus =
        violation.sm.map_or(String::new(), |sm| format!(", and `cuda sm {sm} warp 0` selects its SM"));
    let _ = writeln!(
        text,
        "\nIt is broken in shader cycle {at}{on} by {} of {} and {kernel}.\n\n\
         ```sh\nwarpsim run {files}\nwarpsim trace {files} --sm {sm} --warp all --cycles {from}..{to}\n\
         warpsim debug {files}\n```\n",
        counted(*blocks, "block"),
        counted(*threads, "thread"),
    );
    let steps = format!(
        "In the debugger, `goto {to}` shows the issue cycle of the violation, which begins at {at}{focus}. `rule.txt` \
         has what was found, in issue cycles of {period} shader cycles, and `trace.txt` the events before."
    );
    text += &paragraph(&steps);
    let own = chip.ok().map(|chip| chip.sm.policy).filter(|policy| matches!(policy, PolicyKind::Own(_)));
    if let Some(policy) = violation.policy.clone().or(own.map(|policy| policy.to_string())) {
        let program = format!(
            "The scheduling policy is `{policy}`: instead of `warpsim`, use the program that registers it, for example \
             `cargo run --release --` in its crate."
        );
        text.push('\n');
        text += &paragraph(&program);
    }
    text
}

/// A text in lines.
fn paragraph(text: &str) -> String {
    wrap(text).join("\n") + "\n"
}

/// Lines of at most 96 characters.
fn wrap(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.last_mut().expect("there is a line");
        if !last.is_empty() && last.len() + word.len() >= 96 {
            lines.push(word.to_owned());
        } else {
            if !last.is_empty() {
                last.push(' ');
            }
            last.push_str(word);
        }
    }
    lines
}

/// A folder that was read again.
#[derive(Clone, Debug)]
pub struct Replay {
    /// The kernel and its launch.
    pub example: Example,
    /// The chip of `chip.ron`.
    pub chip: Chip,
}

#[derive(Deserialize)]
struct LaunchFile {
    grid: u32,
    block: u32,
    params: Vec<Param>,
    buffers: BTreeMap<String, Contents>,
}

#[derive(Deserialize)]
enum Param {
    #[serde(rename = "buf")]
    Buffer(String),
}

#[derive(Deserialize)]
struct Contents {
    len: usize,
    init: Init,
}

#[derive(Deserialize)]
enum Init {
    #[serde(rename = "zero")]
    Zero,
    #[serde(rename = "file")]
    File(String),
}

impl Replay {
    /// Reads a folder that [`write()`] has written. The error names the file.
    pub fn read(folder: &Path) -> Result<Self, String> {
        let named = |name: &str, e: &dyn std::fmt::Display| format!("{}: {e}", folder.join(name).display());
        let text = |name: &str| fs::read_to_string(folder.join(name)).map_err(|e| named(name, &e));
        let launch: LaunchFile = ron::from_str(&text("launch.ron")?).map_err(|e| named("launch.ron", &e))?;
        let mut buffers = Vec::new();
        for Param::Buffer(name) in launch.params {
            let missing = || named("launch.ron", &format!("no buffer `{name}`"));
            let Contents { len, init } = launch.buffers.get(&name).ok_or_else(missing)?;
            let bytes = match init {
                Init::Zero => vec![0; *len],
                Init::File(file) => fs::read(folder.join(file)).map_err(|e| named(file, &e))?,
            };
            buffers.push(Buffer { name, bytes });
        }
        let (chip, _) =
            Chip::from_ron("chip.ron", &text("chip.ron")?, &[]).map_err(|e| named("chip.ron", &e))?;
        let kernel = text("kernel.ptx")?;
        let own = kernel.lines().skip_while(|line| line.starts_with("//"));
        let example = Example {
            text: own.collect::<Vec<_>>().join("\n") + "\n",
            blocks: launch.grid,
            threads: launch.block,
            buffers,
            chip: ChipSpec::built_in("g80"),
            scheduler: None,
        };
        Ok(Self { example, chip })
    }

    /// Tests properties in a timed run.
    pub fn test(&self, options: RunOptions, properties: Vec<Property>) -> Result<Vec<u64>, Failure> {
        self.example.test_on(self.chip.clone(), options, properties)
    }
}
