//! Single instruction forms with recorded operands and results: tuples of inputs and outputs.
//!
//! The record has up to 512 tuples of each form ([`all`]) and a kernel for each, which
//! [`super::kernel`] generates, too.

use super::compare::Tolerance;
use test_support::record;

/// An instruction form.
#[derive(Clone, Debug, PartialEq)]
pub struct Form {
    /// Name of the form and of its kernel.
    pub name: String,
    /// `sm_20` and `sm_13` for PTX 2.3 and 1.4 of that target; `v1.3` for the syntax of PTX 1.3.
    pub target: String,
    /// The instruction as in the record's generator, with `$` before each operand.
    pub ptx: String,
    /// Types of the inputs.
    pub ins: Vec<String>,
    /// Types of the outputs.
    pub outs: Vec<String>,
    /// Tolerance of a result; `None` if it is recorded for information only.
    pub tolerance: Option<Tolerance>,
    /// The recorded tuples.
    pub tuples: Vec<Tuple>,
}

/// One recorded execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tuple {
    /// Bits of the inputs.
    pub ins: Vec<u64>,
    /// Bits of the outputs; `None` if these depend on the generation or are unspecified.
    pub outs: Option<Vec<u64>>,
}

/// Returns the bytes of an operand in memory: bytes and predicates use a word.
pub fn stride(ty: &str) -> Result<usize, String> {
    match ty {
        "pred" | "u8" | "s8" | "b8" => Ok(4),
        _ => super::compare::size(ty),
    }
}

impl Form {
    /// Returns the instruction: the first word of the form's name.
    pub fn group(&self) -> &str {
        self.name.split('_').next().unwrap_or_default()
    }

    /// Returns the compute capability that the form needs, ten for 1.0.
    pub fn capability(&self) -> u32 {
        if self.target == "sm_20" { 20 } else { 13 }
    }
}

/// Returns the tolerance of a mode: `exact`, or `rel`, `abs`, `absrel` within 2^bound; `info` has
/// none.
fn tolerance(mode: &str, log2: &str) -> Result<Option<Tolerance>, String> {
    let bound = || log2.parse().map(|log2: f64| log2.exp2()).map_err(|e| format!("bound `{log2}`: {e}"));
    // Relative tolerances apply to normal numbers: a result near zero may differ by one step of the
    // subnormals.
    let least = (-148_f64).exp2();
    Ok(Some(match mode {
        "exact" => Tolerance::NONE,
        "rel" => Tolerance { abs: least, rel: bound()? },
        "abs" => Tolerance { abs: bound()?, rel: 0.0 },
        "absrel" => Tolerance { abs: bound()?, rel: bound()? },
        "info" => return Ok(None),
        _ => return Err(format!("unknown mode `{mode}`")),
    }))
}

/// Splits a cell at commas.
fn words(cell: &str) -> Vec<String> {
    cell.split(',').filter(|word| !word.is_empty() && *word != "-").map(str::to_owned).collect()
}

/// Splits a row into exactly `N` cells.
fn cells<const N: usize>(row: &str) -> Result<[&str; N], String> {
    let cells: Vec<&str> = row.split('\t').collect();
    cells.try_into().map_err(|_| format!("a row does not have {N} cells: {}", row.get(..80).unwrap_or(row)))
}

/// Reads all forms with all their tuples.
pub fn all() -> Result<Vec<Form>, String> {
    let (inputs, outputs) = (record::read("vec/inputs.bin")?, record::read("vec/outputs.bin")?);
    let json: serde_json::Value =
        serde_json::from_str(record::text("vec/manifest.json")?).map_err(|e| e.to_string())?;
    let instructions = json["forms"].as_array().ok_or("vec/manifest.json has no forms")?;
    let table = record::text("vec/manifest.tsv")?;
    let rows: Vec<&str> = table.lines().skip(1).collect();
    if rows.len() != instructions.len() {
        return Err("the two manifests of the vectors differ in length".to_owned());
    }
    let form = |(row, instruction): (&&str, &serde_json::Value)| {
        let [name, _, target, count, ins, in_at, outs, out_at, mode, bound, _, skip] = cells(row)?;
        if instruction["name"].as_str() != Some(name) {
            return Err(format!("the two manifests of the vectors differ at `{name}`"));
        }
        let number = |word: &String| word.parse::<usize>().map_err(|e| format!("{name}: {word}: {e}"));
        let numbers = |cell: &str| words(cell).iter().map(number).collect::<Result<Vec<_>, _>>();
        let (ins, outs, skip) = (words(ins), words(outs), numbers(skip)?);
        let operands = |bytes: &[u8], types: &[String], offsets: &[usize], i: usize| {
            let value = |(ty, at): (&String, &usize)| {
                let size = stride(ty)?;
                let bytes = bytes.get(at + i * size..at + (i + 1) * size).ok_or("the file is too short")?;
                Ok(bytes.iter().rev().fold(0, |bits, byte| bits << 8 | u64::from(*byte)))
            };
            types.iter().zip(offsets).map(value).collect::<Result<Vec<u64>, String>>()
        };
        let (in_at, out_at) = (numbers(in_at)?, numbers(out_at)?);
        let tuple = |i| {
            let outs = operands(outputs, &outs, &out_at, i)?;
            let outs = (!skip.contains(&i)).then_some(outs);
            Ok(Tuple { ins: operands(inputs, &ins, &in_at, i)?, outs })
        };
        let tuples = (0..number(&count.to_owned())?).map(tuple).collect::<Result<Vec<_>, String>>()?;
        let ptx = instruction["ptx"].as_str().unwrap_or_default().to_owned();
        let tolerance = tolerance(mode, bound)?;
        Ok(Form { name: name.to_owned(), target: target.to_owned(), ptx, ins, outs, tolerance, tuples })
    };
    let mut forms = rows.iter().zip(instructions).map(form).collect::<Result<Vec<_>, String>>()?;
    super::vote::complete(&mut forms)?;
    Ok(forms)
}
