//! The text of a launch file with placeholders.

use super::numba;
use super::pointers::{self, CONSTANT, Pointee};
use super::textures::{self, Texture};
use crate::exit::Failure;
use crate::launch_file::{TYPES, c_name, placeholder};
use isa::feature::Features;
use isa::ptx::ast::{Ident, OperandKind, Variable};
use isa::ptx::parse::parse;
use isa::sreg::SReg;
use isa::terms::Terms;
use isa::types::{Dim3, ScalarType, StateSpace, TypeKind};
use isa::uop::{Module, Param, Program, Symbol};
use sim_core::config::Chip;
use sim_core::config::builtin::{DEFAULT_CHIP, simulated_names};
use sim_core::host::fit::{self, Request};
use sim_core::host::{HostError, LaunchError, LaunchLimit};
use sim_core::occupancy::Rules;
use std::collections::{BTreeMap, BTreeSet};

/// Grids: of a kernel with one dimension, and of one that reads `%ctaid.y`.
const GRIDS: [(u32, u32); 2] = [(4, 1), (2, 2)];

/// Blocks where the PTX names none: the first of these that the chip can run, and for whose threads
/// the `.shared` variables, if there are any, have a word each.
const BLOCKS: [(u32, u32); 6] = [(256, 1), (128, 1), (64, 1), (32, 1), (16, 1), (1, 1)];

/// The same of a kernel that reads `%tid.y`.
const BLOCKS_2D: [(u32, u32); 6] = [(16, 16), (16, 8), (8, 8), (8, 4), (4, 4), (1, 1)];

/// Bytes of dynamic shared memory for each thread.
const DYNAMIC_BYTES: u32 = 4;

/// Most threads for which a buffer has elements; no chip runs as many threads in so few blocks.
const MOST_ELEMENTS: u64 = 1 << 14;

/// Bytes of an array parameter that are written on one line.
const BYTES_ON_A_LINE: usize = 16;

/// Column at which comments begin.
const COMMENTS: usize = 48;

/// A path as an argument of a command: in quotation marks if it has a blank.
pub fn argument(path: &str) -> String {
    if path.contains(char::is_whitespace) { format!("\"{path}\"") } else { path.to_owned() }
}

/// The comment that opens the file.
pub fn head(file: &str, builtin: Option<&str>, launch: &str, program: &Program) -> Vec<String> {
    let chip = chip(program);
    let option = if chip == DEFAULT_CHIP { String::new() } else { format!(" --chip {chip}") };
    let mut lines = vec![format!("// Launch file for {file}. Run it with")];
    lines.extend(builtin.map(|name| format!("//   warpsim check --source {name} > {file}")));
    lines.extend([
        format!("//   warpsim run {file} --launch {launch}{option}"),
        "// Sizes and values are placeholders: replace them by your program's. Buffers are guessed"
            .to_owned(),
        "// from the code: a parameter that is used as an address of global memory is a buffer. An integer"
            .to_owned(),
        "// that the kernel compares is guessed as the number of threads along x.".to_owned(),
        "// docs/LAUNCH.md explains every field.".to_owned(),
    ]);
    lines
}

/// The built-in chip for a kernel: the default one, or the least capable one that can run it.
pub fn chip(program: &Program) -> &'static str {
    let chips = simulated_names().filter_map(|name| Some((name, Chip::builtin(name)?.capability)));
    // Instructions after Fermi are enabled on the command line.
    let able = chips.filter(|(_, chip)| fit::capability(program, *chip, Features::ALL).is_ok());
    let least = able.min_by_key(|(name, chip)| (*name != DEFAULT_CHIP, chip.major, chip.minor));
    least.map_or(DEFAULT_CHIP, |(name, _)| name)
}

/// Refuses a kernel with more parameters than its chip allows: no launch file can name them all.
pub fn check_parameters(program: &Program) -> Result<(), Failure> {
    let terms = Terms::of(program.source.files());
    let rules = Chip::builtin(chip(program)).map(|chip| Rules::of(&chip));
    let Some(available) = rules.map(|rules| rules.param_bytes(terms)) else { return Ok(()) };
    if program.param_bytes <= available {
        return Ok(());
    }
    Err(HostError::Launch(LaunchError::Limit {
        kernel: program.name.clone(),
        limit: LaunchLimit::Parameters,
        needed: program.param_bytes.into(),
        available: available.into(),
        terms,
    })
    .into())
}

/// Returns the launch file of one launch.
pub fn launch(ptx: &str, module: &Module, program: &Program) -> Vec<String> {
    let pointees = pointers::of(program);
    let dynamic = program.shared.iter().any(|symbol| symbol.bytes == 0);
    let (x, y) = GRIDS[usize::from(program.reads(SReg::CtaidY))];
    let grid = Dim3::new(x, y, 1);
    let terms = Terms::of(program.source.files());
    let (block, why) = block(program, grid, dynamic, terms);
    let threads = block.count().saturating_mul(grid.count()).min(MOST_ELEMENTS);
    let mut lines = vec![
        "(".to_owned(),
        format!("    entry: \"{}\",", c_name(module, program)),
        commented(
            &format!("    grid: {},", extent(grid)),
            &terms.fill("number of {block}s: x, (x, y) or (x, y, z)"),
        ),
        commented(&format!("    block: {},", extent(block)), &why),
    ];
    if dynamic {
        let bytes = u64::from(DYNAMIC_BYTES) * block.count().min(MOST_ELEMENTS);
        lines.push(commented(
            &format!("    dynamic_shared: {bytes},"),
            "bytes per block for `.extern .shared` arrays",
        ));
    }
    let mut of_structures = Vec::new();
    lines.push(list("    params: [", program.params.is_empty(), "],"));
    let declared = declared(ptx, &program.name);
    let arrays = numba::words(&program.name, &program.params, threads);
    let name = |param: &Param| isa::mangled::parameter(&program.name, &param.name).to_owned();
    let compared = pointers::compared(program);
    let along_x = (u64::from(grid.x) * u64::from(block.x)).min(MOST_ELEMENTS);
    for (number, (param, pointee)) in program.params.iter().zip(&pointees).enumerate() {
        let count = compared.contains(&number).then_some(along_x);
        let Declared { align, read } = declared.get(param.name.as_str()).copied().unwrap_or_default();
        let space = param.pointee.and_then(|pointee| pointee.space);
        if let Some(word) = &arrays[number] {
            let argument = match word.value {
                None => format!("buf(\"{}\")", name(param)),
                Some(value) => scalar(ScalarType::U64, value),
            };
            lines.push(commented(&format!("        {argument},"), &word.what));
        } else if space == Some(StateSpace::Shared) {
            let bytes = u64::from(DYNAMIC_BYTES) * block.count();
            let line = format!("        local({bytes}),");
            lines.push(commented(&line, &format!("{}: bytes per {}", name(param), terms.block)));
        } else if space == Some(StateSpace::Const) {
            lines.push(commented(&format!("        constant(\"{}\"),", name(param)), &name(param)));
        } else if let Some((argument, buffers)) = placeholder(program, param) {
            lines.push(commented(&format!("        {argument},"), &name(param)));
            of_structures.extend(buffers);
        } else {
            lines.extend(argument_lines(param, &name(param), pointee.as_ref(), count, align, read));
        }
    }
    if !program.params.is_empty() {
        lines.push("    ],".to_owned());
    }
    let buffers: Vec<(String, &Pointee, u64)> = program
        .params
        .iter()
        .zip(&pointees)
        .zip(&arrays)
        .filter_map(|((param, pointee), array)| {
            let is_constant = param.pointee.is_some_and(|to| to.space == Some(StateSpace::Const));
            let elements = array.as_ref().map_or(threads, |array| array.elements);
            Some((name(param), pointee.as_ref().or(is_constant.then_some(&CONSTANT))?, elements))
        })
        .collect();
    let textures = textures::of(program);
    if !buffers.is_empty() || !textures.is_empty() || !of_structures.is_empty() {
        lines.push("    buffers: {".to_owned());
        lines.extend(buffers.iter().map(|(name, pointee, elements)| buffer(name, pointee, *elements)));
        lines.extend(of_structures.iter().map(|(name, ty)| {
            format!("        \"{name}\": (type: {}, len: {threads}, init: fill(1)),", ty.name())
        }));
        lines.extend(textures.iter().map(texels));
        lines.push("    },".to_owned());
    }
    if !textures.is_empty() {
        lines.push(commented("    textures: {", "the textures that the kernel reads"));
        lines.extend(textures.iter().map(|texture| format!("        {}", texture.binding())));
        lines.push("    },".to_owned());
    }
    lines.extend(symbols(module));
    if let Some((name, ..)) = buffers.iter().find(|(_, pointee, _)| pointee.written) {
        lines.push(format!("    // dumps: [(buf: \"{name}\", to: \"{name}.bin\")],"));
        lines.push(format!("    // expect: [(buf: \"{name}\", formula: \"2 * i\", rel: 1e-6)],"));
    }
    lines.push(")".to_owned());
    lines
}

/// The beginning of a list, which ends on its line if it is empty.
fn list(begin: &str, empty: bool, end: &str) -> String {
    if empty { format!("{begin}{end}") } else { begin.to_owned() }
}

/// The block of a launch, and where it comes from.
fn block(program: &Program, grid: Dim3, dynamic: bool, terms: &Terms) -> (Dim3, String) {
    let each = terms.fill("{thread}s per {block}");
    let dims = |[x, y, z]: [u32; 3]| Dim3::new(x.max(1), y.max(1), z.max(1));
    if let Some(required) = program.required_block {
        return (dims(required), format!("{each}, as {} requires", terms.required));
    }
    if let Some(most) = program.max_block {
        return (dims(most), format!("{each}: the most that .maxntid allows"));
    }
    let rules = Chip::builtin(chip(program)).map(|chip| Rules::of(&chip));
    let runs = |block: &Dim3| {
        let shared = if dynamic { DYNAMIC_BYTES * block.count() as u32 } else { 0 };
        let request = Request::of(program, grid, *block, shared, program.registers);
        let word_each = program.shared_bytes == 0 || block.count() * 4 <= u64::from(program.shared_bytes);
        word_each && rules.as_ref().is_none_or(|rules| request.refusals(rules).is_empty())
    };
    let sizes = if program.reads(SReg::TidY) { BLOCKS_2D } else { BLOCKS };
    let mut blocks = sizes.into_iter().map(|(x, y)| Dim3::new(x, y, 1));
    let block = blocks.find(runs).unwrap_or(Dim3::new(1, 1, 1));
    (block, format!("{each}: x, (x, y) or (x, y, z)"))
}

fn extent(block: Dim3) -> String {
    match (block.x, block.y, block.z) {
        (x, 1, 1) => x.to_string(),
        (x, y, 1) => format!("({x}, {y})"),
        (x, y, z) => format!("({x}, {y}, {z})"),
    }
}

/// What the PTX says of a parameter.
#[derive(Clone, Copy, Default)]
struct Declared {
    /// `.align`, if given.
    align: Option<u32>,
    /// Whether an instruction names it.
    read: bool,
}

/// What the PTX says of each parameter of a kernel.
fn declared(ptx: &str, kernel: &str) -> BTreeMap<String, Declared> {
    let (tree, _) = parse(ptx);
    let Some(entry) = tree.functions.iter().find(|f| f.entry && f.name.name == kernel) else {
        return BTreeMap::new();
    };
    let mut named = BTreeSet::new();
    for operand in entry.instructions().iter().flat_map(|inst| &inst.operands) {
        match &operand.kind {
            OperandKind::Memory { base: Some(Ident { name, .. }), .. }
            | OperandKind::Name(name)
            | OperandKind::NameOffset(name, _) => _ = named.insert(*name),
            // Textures and surfaces.
            OperandKind::List(parts) => {
                for part in parts {
                    if let OperandKind::Memory { base: Some(base), .. } = &part.kind {
                        named.insert(base.name);
                    }
                }
            }
            _ => {}
        }
    }
    let each = |param: &Variable| {
        let name = param.name.name;
        let of = Declared { align: param.align.map(|(align, _)| align), read: named.contains(name) };
        (name.to_owned(), of)
    };
    entry.params.iter().map(each).collect()
}

/// An argument, with the declaration of its parameter as a comment.
///
/// `count` is the guess for a number of elements.
fn argument_lines(
    param: &Param,
    name: &str,
    pointee: Option<&Pointee>,
    count: Option<u64>,
    align: Option<u32>,
    read: bool,
) -> Vec<String> {
    let (ty, bytes) = (param.ty, param.bytes);
    let plural = if bytes == 1 { "" } else { "s" };
    let align = align.unwrap_or(ty.bytes());
    let declared = format!("{name}: {ty}, {bytes} byte{plural}, align {align}");
    if let Some(pointee) = pointee {
        let line = format!("        buf(\"{name}\"),");
        return vec![commented(&line, &format!("{declared}; points to {}", pointee.ty))];
    }
    if bytes == ty.bytes() {
        let count = count.filter(|_| ty.bytes() >= 4 && ty.kind() != TypeKind::Float);
        let guessed = match count {
            Some(_) => "; a guess: the threads along x",
            // Such as the addresses that Triton adds to the parameters of the source.
            None if !read => "; not read",
            None => "",
        };
        let line = format!("        {},", scalar(ty, count.unwrap_or(read.into())));
        return vec![commented(&line, &(declared + guessed))];
    }
    let zeros = vec!["0"; bytes as usize];
    let mut rows: Vec<String> = zeros.chunks(BYTES_ON_A_LINE).map(|row| row.join(", ") + ",").collect();
    if let [only] = rows.as_mut_slice() {
        only.pop();
        return vec![commented(&format!("        bytes([{only}]),"), &declared)];
    }
    let mut lines = vec![commented("        bytes([", &declared)];
    lines.extend(rows.iter().map(|row| format!("            {row}")));
    lines.push("        ]),".to_owned());
    lines
}

/// A scalar argument: an integer, or 1 of a floating-point type; bits where launch files do not
/// have the type.
fn scalar(ty: ScalarType, value: u64) -> String {
    let Some((word, _)) = TYPES.iter().find(|(_, known)| *known == ty) else {
        return format!("b{}({value})", ty.bytes() * 8);
    };
    if ty.kind() == TypeKind::Float { format!("{word}(1.0)") } else { format!("{word}({value})") }
}

/// A buffer with an element, or a vector, for every thread.
fn buffer(name: &str, pointee: &Pointee, threads: u64) -> String {
    let ty = pointee.ty.name();
    let len = threads * u64::from(pointee.elements);
    let (init, used) = match (pointee.read, pointee.written) {
        (true, true) => (", init: fill(1)", "read and written"),
        (true, false) => (", init: fill(1)", "read"),
        (false, _) => ("", "written; zero before the launch"),
    };
    commented(&format!("        \"{name}\": (type: {ty}, len: {len}{init}),"), used)
}

/// A buffer with the texels of a texture.
fn texels(texture: &Texture) -> String {
    let (name, ty, len) = (texture.buffer(), texture.format.name(), texture.texels());
    let line = format!("        \"{name}\": (type: {ty}, len: {len}, init: fill(1)),");
    commented(&line, "texels; each has one component")
}

/// The variables that a host program may set before the launch, as comments.
fn symbols(module: &Module) -> Vec<String> {
    let lines = |space: &str, all: &[Symbol]| -> Vec<String> {
        let unset = all.iter().filter(|symbol| symbol.init.is_empty() && symbol.relocs.is_empty());
        let line = |Symbol { name, ty, bytes, .. }: &Symbol| {
            let text = format!("    //     \"{name}\": (init: values([0])),");
            commented(&text, &format!("{space} {ty} {name}, {bytes} bytes"))
        };
        unset.map(line).collect()
    };
    let mut all = lines(".const", &module.consts);
    all.extend(lines(".global", &module.globals));
    if !all.is_empty() {
        all.insert(0, "    // Variables of the module, zero unless they are set here:".to_owned());
        all.insert(1, "    // symbols: {".to_owned());
        all.push("    // },".to_owned());
    }
    all
}

/// A line with a comment behind it.
fn commented(line: &str, comment: &str) -> String {
    format!("{line:<COMMENTS$} // {comment}")
}
