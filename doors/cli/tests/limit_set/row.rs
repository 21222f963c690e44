//! The rows of the set: a kernel, its launch on each chip, and the resource that limits it.
//! `kernels.ron` explains the fields and the notation of the texts.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The chips, each with its number of SMs.
pub const CHIPS: [(&str, u32); 3] = [("g80", 16), ("gt200", 30), ("fermi", 15)];

/// How the truth of a row is measured.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Proof {
    /// By the gain that `--why` measures for the resource.
    #[default]
    Gains,
    /// By a chip without the limit: overrides after those of the row.
    Sets(Vec<String>),
    /// By the same kernel without the limit: other values of variables.
    Twin(BTreeMap<String, String>),
}

/// A kernel with a known limit.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LimitCase {
    /// Name of the kernel.
    pub name: String,
    /// Why the machine can only be limited by the truth, in one line.
    pub because: String,
    /// Chips that can run the kernel.
    #[serde(default = "all_chips")]
    pub chips: Vec<String>,
    /// Target of the PTX file.
    #[serde(default = "sm_10")]
    pub target: String,
    /// Declarations of the module.
    #[serde(default)]
    pub module: String,
    /// Names of the parameters, all `.u32`.
    #[serde(default = "x")]
    pub params: Vec<String>,
    /// Instructions of the kernel, without the last `exit`.
    pub body: String,
    /// Number of blocks.
    #[serde(default = "one_per_sm")]
    pub grid: String,
    /// Threads of a block.
    #[serde(default = "full_block")]
    pub block: String,
    /// Fields of the launch file after entry, grid and block.
    #[serde(default = "one_buffer")]
    pub launch: String,
    /// Variables of the texts.
    #[serde(default)]
    pub vars: BTreeMap<String, String>,
    /// Variables with another value on a chip.
    #[serde(default)]
    pub vars_on: BTreeMap<String, BTreeMap<String, String>>,
    /// Overrides of the chip.
    #[serde(default)]
    pub sets: Vec<String>,
    /// More overrides, for one chip.
    #[serde(default)]
    pub sets_on: BTreeMap<String, Vec<String>>,
    /// Words of which each is right.
    pub truth: Vec<String>,
    /// The truth on a chip where it differs.
    #[serde(default)]
    pub truth_on: BTreeMap<String, Vec<String>>,
    /// Words that name the place of the limit but not its cause: half right.
    #[serde(default)]
    pub half: Vec<String>,
    /// How the truth is measured.
    #[serde(default)]
    pub proof: Proof,
    /// The same, on a chip where it differs.
    #[serde(default)]
    pub proof_on: BTreeMap<String, Proof>,
}

fn all_chips() -> Vec<String> {
    CHIPS.map(|(chip, _)| chip.to_owned()).into()
}

fn sm_10() -> String {
    "sm_10".to_owned()
}

fn x() -> Vec<String> {
    vec!["x".to_owned()]
}

fn one_per_sm() -> String {
    "$sms".to_owned()
}

fn full_block() -> String {
    "256".to_owned()
}

fn one_buffer() -> String {
    "params: [buf(\"x\")], buffers: {\"x\": (type: u32, len: $len, init: fill(1))}".to_owned()
}

/// The files and overrides of a row on a chip.
pub struct Case {
    /// Text of the PTX file.
    pub ptx: String,
    /// Text of the launch file.
    pub launch: String,
    /// Overrides.
    pub sets: Vec<String>,
}

impl LimitCase {
    /// Returns the words that are right on `chip`.
    pub fn truth(&self, chip: &str) -> &[String] {
        self.truth_on.get(chip).unwrap_or(&self.truth)
    }

    /// Returns how the truth is measured on `chip`.
    pub fn proof(&self, chip: &str) -> &Proof {
        self.proof_on.get(chip).unwrap_or(&self.proof)
    }

    /// Returns the files and overrides on `chip`; those of the run without the limit if `ideal`.
    pub fn case(&self, chip: &str, ideal: bool) -> Case {
        let sms = CHIPS.iter().find(|(name, _)| *name == chip).expect("a chip of the set").1;
        let mut vars = self.vars.clone();
        vars.extend(self.vars_on.get(chip).cloned().unwrap_or_default());
        let mut sets = self.sets.clone();
        sets.extend(self.sets_on.get(chip).cloned().unwrap_or_default());
        match self.proof(chip) {
            Proof::Twin(twin) if ideal => vars.extend(twin.clone()),
            Proof::Sets(more) if ideal => sets.extend(more.clone()),
            _ => {}
        }
        vars.entry("sms".to_owned()).or_insert_with(|| sms.to_string());
        let grid = vars.remove("grid").unwrap_or_else(|| self.grid.clone());
        let block = vars.remove("block").unwrap_or_else(|| self.block.clone());
        vars.insert("grid".to_owned(), format!("$({grid})"));
        vars.insert("block".to_owned(), format!("$({block})"));
        vars.insert("threads".to_owned(), format!("$(({grid})*({block}))"));
        vars.entry("len".to_owned()).or_insert_with(|| "$threads".to_owned());
        let fill = |text: &str| filled(text, &vars);
        let mut params = String::new();
        for (number, name) in self.params.iter().enumerate() {
            let comma = if number == 0 { "" } else { ", " };
            let _ = write!(params, "{comma}.param .u32 {name}");
        }
        let doubles = if self.body.contains("%d") { "\n.reg .f64 %d<16>;" } else { "" };
        let body = expanded(&fill(&self.body));
        let ptx = format!(
            "// {}.\n.version 2.3\n.target {}\n{}\n.entry k({params})\n{{\n.reg .u32 %r<64>;\n\
             .reg .f32 %f<64>;\n.reg .pred %p<16>;{doubles}\n{body}exit;\n}}\n",
            self.because,
            fill(&self.target),
            expanded(&fill(&self.module)),
        );
        let launch = format!(
            "(entry: \"k\", grid: {}, block: {}, {})\n",
            fill("$grid"),
            fill("$block"),
            fill(&self.launch)
        );
        Case { ptx, launch, sets: sets.iter().map(|set| fill(set)).collect() }
    }
}

/// Replaces variables, and then sums in `$( )` by their values.
fn filled(text: &str, vars: &BTreeMap<String, String>) -> String {
    let mut text = text.to_owned();
    // Values may contain variables. `$i` belongs to `@repeat`.
    for _ in 0..5 {
        for (name, value) in vars.iter().rev() {
            text = text.replace(&format!("${name}"), value);
        }
    }
    while let Some(start) = text.find("$(") {
        let mut depth = 0;
        let end = text[start + 1..].find(|c: char| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            depth == 0
        });
        let end = start + 1 + end.expect("a closing bracket");
        // The innermost sum is the first to have a value.
        let inner = text[start + 2..end].replace('$', "");
        text.replace_range(start..=end, &sum(&inner).to_string());
    }
    text
}

/// Returns the value of a sum of products with brackets.
fn sum(text: &str) -> u64 {
    let bytes: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let (value, rest) = terms(&bytes);
    assert!(rest.is_empty(), "{text} is not a sum of products");
    value
}

fn terms(mut text: &[u8]) -> (u64, &[u8]) {
    let mut value = 0;
    loop {
        let mut product = 1;
        loop {
            let (factor, rest) = factor(text);
            product *= factor;
            text = rest;
            if text.first() != Some(&b'*') {
                break;
            }
            text = &text[1..];
        }
        value += product;
        if text.first() != Some(&b'+') {
            return (value, text);
        }
        text = &text[1..];
    }
}

fn factor(text: &[u8]) -> (u64, &[u8]) {
    if text.first() == Some(&b'(') {
        let (value, rest) = terms(&text[1..]);
        return (value, &rest[1..]);
    }
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let number = std::str::from_utf8(&text[..digits]).expect("digits");
    (
        number.parse().unwrap_or_else(|_| panic!("no number in {:?}", String::from_utf8_lossy(text))),
        &text[digits..],
    )
}

/// Instructions for `@ids`: `%r0` thread of the grid, `%r1` thread of the block, `%r2` threads of a
/// block, `%r3` block, `%r4` 4 x thread of the grid, `%r5` parameter `x`, `%r6` address of the
/// thread's word of `x`, `%r7` lane, `%r8` warp of the block.
const IDS: &str = "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %ntid.x;\nmov.u32 %r3, %ctaid.x;\n\
    mad.lo.u32 %r0, %r3, %r2, %r1;\nshl.b32 %r4, %r0, 2;\nld.param.u32 %r5, [x];\n\
    add.u32 %r6, %r5, %r4;\nand.b32 %r7, %r1, 31;\nshr.u32 %r8, %r1, 5;\n";

/// Expands `@ids`, `@loop n` … `@end` and `@repeat n` … `@end`.
fn expanded(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let (mut out, mut labels) = (String::new(), 0);
    block(&lines, 0, &mut labels, &mut out);
    out
}

fn block(lines: &[&str], depth: usize, labels: &mut usize, out: &mut String) {
    let mut at = 0;
    while at < lines.len() {
        let line = lines[at];
        if line == "@ids" {
            out.push_str(IDS);
        } else if let Some(head) = line.strip_prefix("@loop ").or_else(|| line.strip_prefix("@repeat ")) {
            let count = sum(head);
            let mut open = 0;
            let length = lines[at..].iter().position(|line| {
                open += i32::from(line.starts_with("@loop") || line.starts_with("@repeat"));
                open -= i32::from(*line == "@end");
                open == 0
            });
            let end = at + length.expect("an @end");
            let inner = &lines[at + 1..end];
            if line.starts_with("@loop") {
                *labels += 1;
                let (label, counter, flag) = (*labels, 63 - depth, 15 - depth);
                let _ = writeln!(out, "mov.u32 %r{counter}, 0;\nLOOP{label}:");
                block(inner, depth + 1, labels, out);
                let _ = writeln!(
                    out,
                    "add.u32 %r{counter}, %r{counter}, 1;\nsetp.lt.u32 %p{flag}, %r{counter}, {count};\n\
                     @%p{flag} bra LOOP{label};"
                );
            } else {
                for i in 0..count {
                    let copy: Vec<String> = inner.iter().map(|line| indexed(line, i)).collect();
                    let copy: Vec<&str> = copy.iter().map(String::as_str).collect();
                    block(&copy, depth, labels, out);
                }
            }
            at = end;
        } else {
            // Instructions end without a semicolon in the table.
            let end = if line.ends_with([';', ':']) { "" } else { ";" };
            let _ = writeln!(out, "{line}{end}");
        }
        at += 1;
    }
}

/// Replaces sums in `<< >>` by their values with `i`.
fn indexed(line: &str, i: u64) -> String {
    let mut line = line.to_owned();
    while let Some(start) = line.find("<<") {
        let end = line.find(">>").expect("a closing >>");
        let value = sum(&line[start + 2..end].replace('i', &i.to_string()));
        line.replace_range(start..end + 2, &value.to_string());
    }
    line
}

/// Reads a table.
pub fn table(text: &str) -> Vec<LimitCase> {
    ron::from_str(text).unwrap_or_else(|error| panic!("the table: {error}"))
}
