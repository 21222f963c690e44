//! Single instruction forms with recorded operands and results: tuples of inputs and outputs.
//!
//! The whole record has up to 512 tuples of each form and a kernel for each ([`whole`]); the
//! project contains a few tuples of each form ([`copied`]) and generates the kernels itself
//! ([`super::kernel`]).

use super::Records;
use super::compare::Tolerance;
use std::fmt::Write;

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
    /// The same as text in the list: mode and bound.
    pub mode: [String; 2],
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

/// Reads all forms of the whole record with all their tuples.
pub fn whole(records: &Records) -> Result<Vec<Form>, String> {
    let (inputs, outputs) = (records.read("vec/inputs.bin")?, records.read("vec/outputs.bin")?);
    let json: serde_json::Value =
        serde_json::from_str(&records.text("vec/manifest.json")?).map_err(|e| e.to_string())?;
    let instructions = json["forms"].as_array().ok_or("vec/manifest.json has no forms")?;
    let table = records.text("vec/manifest.tsv")?;
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
            let outs = operands(&outputs, &outs, &out_at, i)?;
            let outs = (!skip.contains(&i)).then_some(outs);
            Ok(Tuple { ins: operands(&inputs, &ins, &in_at, i)?, outs })
        };
        let tuples = (0..number(&count.to_owned())?).map(tuple).collect::<Result<Vec<_>, String>>()?;
        let ptx = instruction["ptx"].as_str().unwrap_or_default().to_owned();
        let mode = [mode.to_owned(), bound.to_owned()];
        let tolerance = tolerance(&mode[0], &mode[1])?;
        Ok(Form { name: name.to_owned(), target: target.to_owned(), ptx, ins, outs, tolerance, mode, tuples })
    };
    let mut forms = rows.iter().zip(instructions).map(form).collect::<Result<Vec<_>, String>>()?;
    super::vote::complete(&mut forms)?;
    Ok(forms)
}

/// Reads the forms of a list written by [`list`].
pub fn copied(list: &str) -> Result<Vec<Form>, String> {
    let values = |cell: &str| {
        let bits = |word: String| u64::from_str_radix(&word, 16).map_err(|e| format!("{word}: {e}"));
        words(cell).into_iter().map(bits).collect::<Result<Vec<u64>, String>>()
    };
    let form = |row: &str| {
        let [name, target, ptx, ins, outs, mode, bound, tuples] = cells(row)?;
        let tuple = |text: &str| {
            let (ins, outs) = text.split_once(':').ok_or_else(|| format!("{name}: invalid tuple: {text}"))?;
            Ok(Tuple { ins: values(ins)?, outs: Some(values(outs)?) })
        };
        let tuples = tuples.split(' ').map(tuple).collect::<Result<Vec<_>, String>>()?;
        let (ins, outs) = (words(ins), words(outs));
        let right = |t: &Tuple| t.ins.len() == ins.len() && t.outs.as_ref().map(Vec::len) == Some(outs.len());
        if !tuples.iter().all(right) {
            return Err(format!("{name}: a tuple has too many operands, or too few"));
        }
        let mode = [mode.to_owned(), bound.to_owned()];
        let tolerance = tolerance(&mode[0], &mode[1])?;
        let (name, target, ptx) = (name.to_owned(), target.to_owned(), ptx.to_owned());
        Ok(Form { name, target, ptx, ins, outs, tolerance, mode, tuples })
    };
    list.lines().filter(|line| !line.starts_with('#')).map(form).collect()
}

/// Number of tuples per form in the project; for a vote, which involves a warp, those of some
/// warps.
const KEPT: usize = 8;
const KEPT_OF_VOTES: usize = 3 * 32;

/// Selects the tuples of a form for the project, from those with defined results: spread over all,
/// preferring tuples with new results.
fn kept(form: &Form) -> Vec<&Tuple> {
    let asked: Vec<&Tuple> = form.tuples.iter().filter(|tuple| tuple.outs.is_some()).collect();
    if form.group() == "vote" {
        return asked[..KEPT_OF_VOTES].to_vec();
    }
    let spread = (0..asked.len()).map(|i| asked[i * 61 % asked.len()]);
    let mut kept: Vec<&Tuple> = Vec::new();
    for only_new in [true, false] {
        for tuple in spread.clone() {
            let new =
                !kept.iter().any(|other| if only_new { other.outs == tuple.outs } else { *other == tuple });
            if kept.len() < KEPT && new {
                kept.push(tuple);
            }
        }
    }
    kept
}

/// Writes the list in the project: a row for each form with a tolerance, with a few of its tuples.
pub fn list(forms: &[Form]) -> String {
    let mut text =
        "# Some tuples of each recorded instruction form, written by tests/tests/silicon.rs. Name, target, \
                    instruction, types of inputs and outputs, mode, bound, tuples (inputs:outputs).\n"
            .to_owned();
    let hex = |values: &[u64]| values.iter().map(|v| format!("{v:x}")).collect::<Vec<_>>().join(",");
    for form in forms.iter().filter(|form| form.tolerance.is_some()) {
        let shown = |t: &Tuple| format!("{}:{}", hex(&t.ins), hex(t.outs.as_deref().unwrap_or_default()));
        let tuples = kept(form).into_iter().map(shown).collect::<Vec<_>>().join(" ");
        let Form { name, target, ptx, ins, outs, mode: [mode, bound], .. } = form;
        let (ins, outs) = (ins.join(","), outs.join(","));
        let _ = writeln!(text, "{name}\t{target}\t{ptx}\t{ins}\t{outs}\t{mode}\t{bound}\t{tuples}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_reads_back_without_the_skipped_tuples() {
        let tuple = |a: u64, d: Option<u64>| Tuple { ins: vec![a, 2], outs: d.map(|d| vec![d]) };
        let mut form = Form {
            name: "add_u32".to_owned(),
            target: "sm_20".to_owned(),
            ptx: "add.u32 $d0, $a, $b;".to_owned(),
            ins: vec!["u32".to_owned(), "u32".to_owned()],
            outs: vec!["u32".to_owned()],
            tolerance: Some(Tolerance::NONE),
            mode: ["exact".to_owned(), "-".to_owned()],
            tuples: vec![tuple(1, Some(3)), tuple(5, None), tuple(u64::from(u32::MAX), Some(1))],
        };
        let read = copied(&list(std::slice::from_ref(&form))).expect("a list");
        form.tuples.remove(1);
        assert_eq!(read, [form]);
        assert!(copied("add\tsm_20\tadd\tu32\tu32\texact\t-\t1,2:3").is_err());
        assert!(copied("add\tsm_20\tadd").is_err());
    }
}
