//! Kernels, chips and the settings of a chip, for the choices of the page.

use crate::request::Request;
use crate::states::{State, states};
use isa::types::Dim3;
use report::exit::Failure;
use report::ron_text::ron;
use serde::Serialize;
use sim_core::config::Chip;
use sim_core::config::builtin::builtin_names;
use sim_core::config::schema::{Effect, Field, Table, Value, chip as chip_table};
use sim_core::config::tree::{Node, NodeKind};

/// Everything that the page offers.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Catalog {
    /// Program and version.
    pub program: &'static str,
    /// Programs with their host code, and kernels in OpenCL C.
    pub programs: Vec<ProgramEntry>,
    /// Built-in kernels, in order; the variants of a family are consecutive.
    pub kernels: Vec<KernelEntry>,
    /// Built-in chips on which kernels run.
    pub chips: Vec<ChipEntry>,
    /// States of a warp, in the order of their numbers.
    pub states: Vec<State>,
    /// Most bytes of the files of a program.
    pub files_limit: usize,
}

/// A program in CUDA C with its host code, or in C with calls of OpenCL; or a kernel in OpenCL C.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ProgramEntry {
    /// Name of the file.
    pub name: &'static str,
    /// Description in one line.
    pub about: &'static str,
    /// The source.
    pub text: &'static str,
    /// The launch file of a kernel; empty for a program with its host code.
    pub launch: &'static str,
}

/// The programs, the simplest first.
pub const PROGRAMS: [(&str, &str); 21] = [
    ("product.cu", include_str!("../../../../examples/programs/product.cu")),
    ("vecadd.cu", include_str!("../../../../examples/programs/vecadd.cu")),
    ("vadd_host.c", include_str!("../../../../examples/opencl/vadd_host.c")),
    ("transpose.cu", include_str!("../../../../examples/programs/transpose.cu")),
    ("reduction.cu", include_str!("../../../../examples/programs/reduction.cu")),
    ("prefix.cu", include_str!("../../../../examples/programs/prefix.cu")),
    ("histogram.cu", include_str!("../../../../examples/programs/histogram.cu")),
    ("collatz.cu", include_str!("../../../../examples/programs/collatz.cu")),
    ("life.cu", include_str!("../../../../examples/programs/life.cu")),
    ("mandelbrot.cu", include_str!("../../../../examples/programs/mandelbrot.cu")),
    ("needle.cu", include_str!("../../../../examples/programs/needle.cu")),
    ("spmv.cu", include_str!("../../../../examples/programs/spmv.cu")),
    ("bfs.cu", include_str!("../../../../examples/programs/bfs.cu")),
    ("hotspot.cu", include_str!("../../../../examples/programs/hotspot.cu")),
    ("kmeans.cu", include_str!("../../../../examples/programs/kmeans.cu")),
    ("nbody.cu", include_str!("../../../../examples/programs/nbody.cu")),
    ("matmul.cu", include_str!("../../../../examples/programs/matmul.cu")),
    ("lud.cu", include_str!("../../../../examples/programs/lud.cu")),
    ("montecarlo.cu", include_str!("../../../../examples/programs/montecarlo.cu")),
    ("streams.cu", include_str!("../../../../examples/programs/streams.cu")),
    ("printing.cu", include_str!("../../../../examples/programs/printing.cu")),
];

/// Kernels in OpenCL C, with their launch files.
pub const KERNELS: [(&str, &str, &str); 1] = [(
    "vadd.cl",
    include_str!("../../../../examples/opencl/vadd.cl"),
    include_str!("../../../../examples/opencl/vadd.ron"),
)];

/// Launch files of the project, by the name of their PTX file.
const LAUNCHES: [(&str, &str); 3] = [
    ("vecadd.ptx", include_str!("../../../../kernels/launch/vecadd.ron")),
    ("matmul_tiled.ptx", include_str!("../../../../kernels/launch/matmul_tiled.ron")),
    ("reduce_halving.ptx", include_str!("../../../../kernels/launch/reduce_halving.ron")),
];

/// A built-in kernel.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct KernelEntry {
    /// Name.
    pub name: &'static str,
    /// Family of variants.
    pub family: Option<&'static str>,
    /// Description in one line.
    pub about: &'static str,
    /// Place in the book.
    pub book: &'static str,
    /// Meaning and allowed values of the size.
    pub size_meaning: &'static str,
    /// Default size.
    pub default_size: u64,
    /// Sizes that run quickly.
    pub small_sizes: &'static [u64],
    /// Threads per block.
    pub block: [u32; 3],
    /// Name of the PTX file.
    pub file: &'static str,
    /// A launch file for the PTX text on its own, if the project has one.
    pub launch: Option<&'static str>,
}

/// A built-in chip for the list of the page.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ChipEntry {
    /// Name.
    pub name: &'static str,
    /// Board with this chip.
    pub board: String,
    /// Compute capability.
    pub capability: String,
    /// Number of SMs.
    pub sms: u32,
}

/// A setting: a single value of the chip that can be overridden.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Setting {
    /// Path, as in `--set`.
    pub path: String,
    /// Meaning.
    pub about: &'static str,
    /// Unit; empty for plain counts and words.
    pub unit: &'static str,
    /// Whether it changes only times, `timing`, or what programs see, `meaning`; else empty.
    pub effect: &'static str,
    /// Kind of input: `integer`, `number`, `flag`, `word` or `text`.
    pub kind: &'static str,
    /// Smallest value.
    pub min: Option<f64>,
    /// Largest value.
    pub max: Option<f64>,
    /// Words without an argument.
    pub words: Vec<&'static str>,
    /// Value of the chip, as RON; empty if the chip file leaves it out.
    pub value: String,
}

/// Returns the catalog.
pub fn catalog() -> Catalog {
    let kernel = |workload: &'static kernels::Workload| {
        let Dim3 { x, y, z } = workload.block;
        KernelEntry {
            name: workload.name,
            family: workload.family,
            about: workload.about,
            book: workload.book,
            size_meaning: workload.size_meaning,
            default_size: workload.default_size,
            small_sizes: workload.small_sizes,
            block: [x, y, z],
            file: workload.file,
            launch: LAUNCHES.iter().find(|(file, _)| *file == workload.file).map(|(_, text)| *text),
        }
    };
    let chip = |name: &'static str| {
        let chip = Chip::builtin(name).filter(|chip| chip.simulated)?;
        let (board, capability) = (chip.board.clone(), chip.capability.to_string());
        Some(ChipEntry { name, board, capability, sms: chip.clusters * chip.cluster.sms })
    };
    let program = |(name, text, launch): (&'static str, &'static str, &'static str)| {
        let first = text.lines().next().unwrap_or_default();
        ProgramEntry { name, about: first.trim_start_matches("// "), text, launch }
    };
    let programs = PROGRAMS.into_iter().map(|(name, text)| (name, text, "")).chain(KERNELS);
    Catalog {
        program: report::provenance::PROGRAM,
        programs: programs.map(program).collect(),
        kernels: kernels::all().iter().map(kernel).collect(),
        chips: builtin_names().filter_map(chip).collect(),
        states: states(),
        files_limit: embedded::library::VirtualFolder::LARGEST,
    }
}

/// Returns the settings of the chip of a request, without its overrides.
///
/// # Errors
///
/// If there is no such chip, or its file has a syntax error.
pub fn settings(request: &Request) -> Result<Vec<Setting>, Failure> {
    let texts = request.chip_texts()?;
    let root = texts.read().map_err(|why| Failure::input(why.to_string()))?.root;
    let mut all = Vec::new();
    collect(chip_table(), Some(&root), "", &mut all);
    Ok(all)
}

/// Adds the settings of a record. `node` is the record in the chip file, if the file has it.
fn collect(table: &'static Table, node: Option<&Node>, path: &str, all: &mut Vec<Setting>) {
    for field in &table.fields {
        let path = if path.is_empty() { field.name.to_owned() } else { format!("{path}.{}", field.name) };
        let value = node.and_then(|node| member(node, field.name));
        match &field.value {
            Value::Record(inner) => collect(inner, value, &path, all),
            // A part that the chip does not have is not a list of settings.
            Value::RecordOrNone(inner) => {
                if value.is_some_and(|node| matches!(node.kind, NodeKind::Struct(_))) {
                    collect(inner, value, &path, all);
                }
            }
            Value::Map(inner, _) => {
                let Some(NodeKind::Map(entries)) = value.map(|node| &node.kind) else { continue };
                for (key, node) in entries {
                    let NodeKind::Str(name) = &key.kind else { continue };
                    collect(inner, Some(node), &format!("{path}.{name}"), all);
                }
            }
            Value::Int(_)
            | Value::Number(_)
            | Value::Text
            | Value::Capability
            | Value::UnitName
            | Value::Flag
            | Value::Words(..)
            | Value::WordList(_)
            | Value::Formula
            | Value::OneOf(_)
            | Value::List(_)
            | Value::OneOrList(_)
            | Value::Named(_)
            | Value::Other(_)
            | Value::Extents(..) => all.push(setting(field, path, value)),
        }
    }
}

fn member<'n>(node: &'n Node, name: &str) -> Option<&'n Node> {
    let NodeKind::Struct(fields) = &node.kind else { return None };
    fields.iter().find(|field| field.name == name).map(|field| &field.value)
}

fn setting(field: &'static Field, path: String, value: Option<&Node>) -> Setting {
    let (kind, min, max) = match &field.value {
        Value::Int(range) => ("integer", Some(*range.start() as f64), Some(*range.end() as f64)),
        Value::Number(range) => ("number", Some(*range.start()), Some(*range.end())),
        Value::Flag => ("flag", None, None),
        Value::Words(..) => ("word", None, None),
        Value::Text
        | Value::Capability
        | Value::UnitName
        | Value::WordList(_)
        | Value::Extents(..)
        | Value::Formula
        | Value::OneOf(_)
        | Value::List(_)
        | Value::OneOrList(_)
        | Value::Named(_)
        | Value::Other(_)
        | Value::Record(_)
        | Value::RecordOrNone(_)
        | Value::Map(..) => ("text", None, None),
    };
    let words = if let Value::Words(words, _) = &field.value { *words } else { &[] };
    let words = words.iter().filter(|word| word.arguments.is_empty());
    Setting {
        path,
        about: field.about,
        unit: field.unit,
        effect: match field.effect {
            Some(Effect::Timing) => "timing",
            Some(Effect::Meaning) => "meaning",
            None => "",
        },
        kind,
        min,
        max,
        words: words.map(|word| word.word).collect(),
        value: value.map(ron).unwrap_or_default(),
    }
}
