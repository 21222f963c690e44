//! Builds a module from a probe: its instructions, with declarations of their registers.

use std::fmt::Write as _;

/// Names of the operands of an instruction, in the two naming schemes of the probes.
const NAMES: [&[&str]; 5] = [&["%d0", "%d1", "%d"], &["%va", "%a"], &["%vb", "%b"], &["%vc", "%c"], &["%ve"]];

/// Code of probes that the record describes but does not contain as text.
const DESCRIBED: [(&str, &str); 7] = [
    ("mov.b64.unpack", "mov.b64 {%x, %y}, %ad;"),
    ("mov.b32.pack", "mov.b32 %x, {%h, %h};"),
    ("mov.b64.pack4", "mov.b64 %ad, {%h, %h, %h, %h};"),
    ("ld.global.u8->64", "ld.global.u8 %ad, [%m];"),
    ("ld.global.u16->32", "ld.global.u16 %x, [%m];"),
    ("ld.global.s16->32", "ld.global.s16 %x, [%m];"),
    ("ld.global.s16->64", "ld.global.s16 %ad, [%m];"),
];

/// Returns the instructions of a probe. The record names all instructions of a chain but contains
/// the text of only some; this function returns all of them.
pub fn text(form: &str, text: &str) -> String {
    if let Some((_, described)) = DESCRIBED.iter().find(|(name, _)| *name == form) {
        return (*described).to_owned();
    }
    if form.starts_with("syntax") || !form.contains('+') {
        return text.to_owned();
    }
    let chain: Vec<String> = form.split('+').map(|name| format!("{name} %d0, %va, %vb;")).collect();
    chain.join(" ")
}

/// Returns the type words of an instruction's name.
fn types(name: &str) -> Vec<&str> {
    let is_type = |word: &&str| {
        *word == "pred"
            || word.starts_with(['u', 's', 'b', 'f']) && matches!(&word[1..], "8" | "16" | "32" | "64")
    };
    name.split('.').filter(is_type).collect()
}

/// Returns the type of a register that holds a value of the type: there are no registers for 8-bit
/// types and f16.
fn register_type(ty: &str) -> &str {
    match ty {
        "u8" | "s8" | "b8" => "b32",
        "f16" => "b16",
        _ => ty,
    }
}

/// Returns the type of twice the width.
fn wide(ty: &str) -> &'static str {
    match ty {
        "u16" => "u32",
        "s16" => "s32",
        "u32" => "u64",
        _ => "s64",
    }
}

/// Returns the types of the destination and up to four sources.
fn registers(name: &str) -> [String; 5] {
    let types = types(name);
    let opcode = name.split('.').next().unwrap_or_default();
    let first = types.first().copied().unwrap_or("b32");
    let second = types.get(1).copied().unwrap_or(first);
    let found = match opcode {
        "cvt" => [first, second, first, first, first],
        "set" => [first, second, second, "pred", "pred"],
        "setp" => ["pred", first, first, "pred", "pred"],
        "testp" => ["pred", first, first, first, first],
        "slct" => [first, first, first, second, second],
        "selp" => [first, first, first, "pred", "pred"],
        "mul" if name.contains(".wide") => [wide(first), first, first, first, first],
        "mad" if name.contains(".wide") => [wide(first), first, first, wide(first), first],
        "shl" | "shr" | "bfe" => [first, first, "u32", "u32", "u32"],
        "popc" | "clz" | "bfind" => ["u32", first, first, first, first],
        "bfi" => [first, first, first, "u32", "u32"],
        "vote" => [first, "pred", "pred", "pred", "pred"],
        _ => [first; 5],
    };
    found.map(|ty| register_type(ty).to_owned())
}

/// Returns the module that probes `text` under the header `version/target`.
pub fn module(header: &str, text: &str) -> String {
    let (version, target) = header.split_once('/').unwrap_or_default();
    let mut declared = String::new();
    // In the record `%p` is a predicate, except in one probe of an address.
    let p = if text.contains("%p, %p, %o") { "u64" } else { "pred" };
    for (ty, names) in [
        ("u64", "%m, %ad, %o"),
        ("u32", "%x, %y, %i, %t"),
        ("s32", "%s, %z"),
        ("b32", "%bb"),
        ("f32", "%f"),
        ("u16", "%h"),
        (p, "%p"),
        ("pred", "%ex"),
        // One probe declares this register in a nested scope.
        ("u32", if text.starts_with('{') { "%unused" } else { "%n" }),
    ] {
        write!(declared, ".reg .{ty} {names}; ").expect("writing to a string cannot fail");
    }
    let name = text.split([' ', ';']).next().unwrap_or_default();
    for (ty, names) in registers(name).iter().zip(NAMES) {
        write!(declared, ".reg .{ty} {}; ", names.join(", ")).expect("writing to a string cannot fail");
    }
    // Before PTX 1.4 the parameters of a kernel were declared in its body.
    let early = version < "1.4";
    let (listed, inside) = if early { ("", ".param .u32 pa;") } else { ("(.param .u32 pa)", "") };
    format!(
        ".version {version}\n.target {target}\n.entry k {listed}\n{{\n{inside}\n{declared}\n{text}\nexit;\n}}\n"
    )
}

/// Whether the module is valid. Valid instructions that this simulator does not execute count as
/// valid.
pub fn is_legal(module: &str) -> bool {
    let (_, found) = isa::compile("probe.ptx", module);
    found.iter().all(|d| !d.is_error() || matches!(d.code, "E0202" | "E0402"))
}

/// Returns the module that probes an instruction of `later.tsv`, or the directives of a kernel.
pub fn later_module(header: &str, directives: &str, instruction: &str) -> String {
    let (version, target) = header.split_once('/').unwrap_or_default();
    format!(
        ".version {version}\n.target {target}\n.address_size 64\n.global .texref tx;\n.global .surfref sf;\n\
         .visible .entry k(.param .u64 out, .param .u32 n) {directives}\n{{\n\
         .reg .u16 %h<9>; .reg .u32 %r<9>; .reg .u64 %rd<9>; .reg .f32 %f<9>; .reg .pred %p<4>;\n\
         ld.param.u64 %rd1, [out];\nld.param.u32 %r1, [n];\n{instruction}\nret;\n}}\n"
    )
}
