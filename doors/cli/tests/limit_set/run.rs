//! Runs of the program on a row of the set.

use crate::row::{Case, LimitCase};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The result of a run.
pub struct Measured {
    /// Time of the kernel.
    pub microseconds: f64,
    /// The stated limit.
    pub stated: String,
    /// The gain of each resource that is twice as fast; of the execution units, the largest.
    pub gains: Vec<(String, f64)>,
}

impl Measured {
    /// Returns the largest gain of the resources in `words`; `None` if none has an experiment.
    pub fn gain_of(&self, words: &[String]) -> Option<f64> {
        self.gains.iter().filter(|(name, _)| words.contains(name)).map(|gain| gain.1).reduce(f64::max)
    }

    /// Returns the resource outside of `words` with the largest gain. The issue rate contains the
    /// execution units and the passes of banks and constants, the execution unit of shared memory
    /// contains the banks, and the gain of PCI Express is that of the whole program.
    pub fn best(&self, words: &[String]) -> (String, f64) {
        let has = |word: &str| words.iter().any(|own| own == word);
        let parts =
            ["execution_unit", "bank_conflicts", "constant_serialization", "divergence", "tail", "imbalance"];
        let competes = |name: &str| match name {
            "pcie" => false,
            "issue_rate" => !parts.iter().any(|part| has(part)),
            "execution_unit" => !has("issue_rate") && !has("bank_conflicts"),
            _ => true,
        };
        let others = self.gains.iter().filter(|(name, _)| !has(name) && competes(name));
        let best = others.max_by(|a, b| a.1.total_cmp(&b.1));
        best.cloned().unwrap_or_else(|| ("-".to_owned(), 1.0))
    }
}

/// Writes the PTX and the launch file of a case and returns their paths.
pub fn write_files(case: &Case, name: &str, chip: &str) -> (PathBuf, PathBuf) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("limit_set");
    std::fs::create_dir_all(&folder).expect("a folder");
    let ptx = folder.join(format!("{name}.{chip}.ptx"));
    let launch = folder.join(format!("{name}.{chip}.ron"));
    for (path, text) in [(&ptx, &case.ptx), (&launch, &case.launch)] {
        // Two tests write the same file at the same time.
        let part = path.with_extension(format!("{:?}", std::thread::current().id()));
        std::fs::write(&part, text).expect("a file");
        std::fs::rename(&part, path).expect("a file");
    }
    (ptx, launch)
}

/// Runs a row on `chip`, with the experiments if `why`; without the limit if `ideal`.
///
/// # Errors
///
/// Returns the message of the program if the run fails.
pub fn measure(row: &LimitCase, chip: &str, why: bool, ideal: bool) -> Result<Measured, String> {
    let case = row.case(chip, ideal);
    let kind = if ideal {
        ".ideal"
    } else if why {
        ".why"
    } else {
        ""
    };
    let (ptx, launch) = write_files(&case, &format!("{}{kind}", row.name), chip);
    let program =
        std::env::var("LIMIT_SET_PROGRAM").unwrap_or_else(|_| env!("CARGO_BIN_EXE_warpsim").to_owned());
    let mut command = Command::new(program);
    command.arg("run").arg(&ptx).arg("--launch").arg(&launch).args(["--chip", chip, "--json", "-"]);
    command.args(["--threads", "1"]).args(case.sets.iter().flat_map(|set| ["--set", set]));
    if why {
        command.arg("--why");
    }
    let output = command.output().expect("the program runs");
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let document: Value = serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())?;
    let timing = &document["runs"][0]["timing"];
    let word = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    let mut gains: Vec<(String, f64)> = Vec::new();
    for gain in document["why"]["gains"].as_array().into_iter().flatten() {
        // A resource may be listed without an experiment.
        let Some(twice) = gain["twice"].as_f64() else { continue };
        let name = word(&gain["resource"]);
        match gains.iter_mut().find(|(known, _)| *known == name) {
            Some(known) => known.1 = known.1.max(twice),
            None => gains.push((name, twice)),
        }
    }
    Ok(Measured {
        microseconds: timing["microseconds"].as_f64().expect("a time"),
        stated: word(&timing["limits"]["limited_by"]),
        gains,
    })
}
