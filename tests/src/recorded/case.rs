//! Recorded cases as described by their manifests: a module, a launch, and the content of memory
//! before and after it.

use serde::Deserialize;
use std::collections::BTreeMap;
use test_support::record;

/// The fields of a manifest that the suites need.
#[derive(Deserialize)]
struct Manifest {
    format: u32,
    cases: Vec<Case>,
}

/// One recorded launch.
#[derive(Clone, Debug, Deserialize)]
pub struct Case {
    /// `COMPILER/KERNEL`, or `fuzz/NAME` for a random program.
    pub id: String,
    /// Name of the kernel of a compiled case.
    #[serde(default)]
    pub kernel: String,
    /// The compiler of a compiled case.
    #[serde(default)]
    pub compiler: String,
    /// Kind of a random program: `struct`, `cfg`, `bar`, `call`, `wide` or `mem`.
    #[serde(default)]
    pub kind: String,
    /// File of the module.
    pub ptx: String,
    /// File of the module with 32-bit addresses, if a random program has one.
    #[serde(default)]
    pub ptx32: Option<String>,
    /// Lowest `version/target` that allows the body of a compiled case, such as `1.4/sm_13`; `None`
    /// if no tested target does.
    #[serde(default)]
    pub min_header: Option<String>,
    /// Target of a random program.
    #[serde(default)]
    pub target: Option<String>,
    /// Entry to launch.
    pub entry: String,
    /// Grid dimensions.
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
    /// Buffers to compare afterwards.
    pub outputs: Vec<Output>,
}

/// An argument.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Param {
    /// A pointer to a buffer.
    Buf {
        /// Name of the buffer.
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
    /// A file, or `None` for zeros.
    pub init: Option<String>,
}

/// A module variable with its content before the launch.
#[derive(Clone, Debug, Deserialize)]
pub struct Global {
    /// Name of the variable.
    pub symbol: String,
    /// File with the content.
    pub init: String,
}

/// A buffer to compare.
#[derive(Clone, Debug, Deserialize)]
pub struct Output {
    /// Name of the buffer.
    pub buf: String,
    /// Type of its elements, or `row`.
    #[serde(rename = "type")]
    pub ty: String,
    /// Types of the columns, if an element is a row.
    #[serde(default)]
    pub row: Vec<String>,
    /// Bytes to compare.
    pub bytes: usize,
    /// File with the recorded content.
    pub expected: String,
    /// Absolute tolerance of a floating-point number.
    pub abs: f64,
    /// Tolerance relative to the recorded number.
    pub rel: f64,
}

impl Case {
    /// Returns the compute capability that the body needs, ten for 1.0; `None` if no tested one is
    /// sufficient.
    pub fn capability(&self) -> Option<u32> {
        let target = self.target.as_deref().or(self.min_header.as_deref())?;
        target.rsplit_once("sm_")?.1.parse().ok()
    }

    /// Returns the case with its other module, which has 32-bit addresses.
    pub fn with_32_bits(&self) -> Option<Self> {
        let ptx = self.ptx32.clone()?;
        Some(Self { id: format!("{}.m32", self.id), ptx, ptx32: None, ..self.clone() })
    }
}

/// Reads the compiled kernels, then the random programs.
pub fn all() -> Result<Vec<Case>, String> {
    Ok([read("manifest.json")?, read("fuzz/manifest.json")?].concat())
}

/// Reads the cases of one of the record's two manifests.
fn read(manifest: &str) -> Result<Vec<Case>, String> {
    let text = record::text(manifest)?;
    let read: Manifest = serde_json::from_str(text).map_err(|e| format!("{manifest}: {e}"))?;
    if read.format == 1 {
        Ok(read.cases)
    } else {
        Err(format!("{manifest} has format {}, these suites read 1", read.format))
    }
}
