//! Recorded cases as their manifests describe them: a module, a launch, what lies in memory before
//! and after.

use super::Records;
use serde::Deserialize;
use std::collections::BTreeMap;

/// A manifest, as far as the suites need it.
#[derive(Deserialize)]
struct Manifest {
    format: u32,
    cases: Vec<Case>,
}

/// One recorded launch.
#[derive(Clone, Debug, Deserialize)]
pub struct Case {
    /// `COMPILER/KERNEL`, or `fuzz/NAME` of a random program.
    pub id: String,
    /// Name of the kernel of a compiled case.
    #[serde(default)]
    pub kernel: String,
    /// The compiler of a compiled case.
    #[serde(default)]
    pub compiler: String,
    /// What a random program is made of: `struct`, `cfg`, `bar`, `call`, `wide` or `mem`.
    #[serde(default)]
    pub kind: String,
    /// The module.
    pub ptx: String,
    /// The module with 32-bit addresses, of a random program that has one.
    #[serde(default)]
    pub ptx32: Option<String>,
    /// Lowest `version/target` under which the body of a compiled case is legal, such as
    /// `1.4/sm_13`; nothing if it needs more than any target that was tried.
    #[serde(default)]
    pub min_header: Option<String>,
    /// Target of a random program.
    #[serde(default)]
    pub target: Option<String>,
    /// The entry to launch.
    pub entry: String,
    /// Blocks.
    pub grid: [u32; 3],
    /// Threads per block.
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub dyn_shared: u32,
    /// Arguments in order.
    pub params: Vec<Param>,
    /// Buffers by name.
    pub buffers: BTreeMap<String, Buffer>,
    /// Module variables to fill before the launch.
    #[serde(default)]
    pub globals: Vec<Global>,
    /// What to look at afterwards.
    pub outputs: Vec<Output>,
}

/// An argument.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Param {
    /// A pointer to a buffer.
    Buf {
        /// Its name.
        name: String,
    },
    /// A scalar.
    Val {
        /// `0x` and two digits per byte.
        bits: String,
    },
}

/// A buffer in device memory.
#[derive(Clone, Debug, Deserialize)]
pub struct Buffer {
    /// Size in bytes.
    pub bytes: usize,
    /// A file, or nothing for zeros.
    pub init: Option<String>,
}

/// A module variable with what it holds before the launch.
#[derive(Clone, Debug, Deserialize)]
pub struct Global {
    /// Its name.
    pub symbol: String,
    /// A file.
    pub init: String,
}

/// A buffer to be compared.
#[derive(Clone, Debug, Deserialize)]
pub struct Output {
    /// The buffer.
    pub buf: String,
    /// Type of its elements, or `row`.
    #[serde(rename = "type")]
    pub ty: String,
    /// Types of the columns, where an element is a row.
    #[serde(default)]
    pub row: Vec<String>,
    /// Bytes to compare.
    pub bytes: usize,
    /// The file of what was recorded.
    pub expected: String,
    /// Absolute tolerance of a floating-point number.
    pub abs: f64,
    /// Tolerance relative to the recorded number.
    pub rel: f64,
}

impl Case {
    /// The compute capability that the body needs, ten for 1.0; nothing if that lies above all that
    /// was tried.
    pub fn capability(&self) -> Option<u32> {
        let target = self.target.as_deref().or(self.min_header.as_deref())?;
        target.rsplit_once("sm_")?.1.parse().ok()
    }

    /// The case once more with its other module, which has 32-bit addresses.
    pub fn with_32_bits(&self) -> Option<Self> {
        let ptx = self.ptx32.clone()?;
        Some(Self { id: format!("{}.m32", self.id), ptx, ptx32: None, ..self.clone() })
    }

    /// Every file that the case names.
    pub fn files(&self) -> Vec<&str> {
        let modules = [Some(&self.ptx), self.ptx32.as_ref()].into_iter().flatten();
        let buffers = self.buffers.values().filter_map(|b| b.init.as_ref());
        let globals = self.globals.iter().map(|g| &g.init);
        let outputs = self.outputs.iter().map(|o| &o.expected);
        modules.chain(buffers).chain(globals).chain(outputs).map(String::as_str).collect()
    }
}

/// The cases of one of the record's two manifests.
pub fn read(records: &Records, manifest: &str) -> Result<Vec<Case>, String> {
    let text = records.text(manifest)?;
    let read: Manifest = serde_json::from_str(&text).map_err(|e| format!("{manifest}: {e}"))?;
    if read.format == 1 {
        Ok(read.cases)
    } else {
        Err(format!("{manifest} has format {}, these suites read 1", read.format))
    }
}
