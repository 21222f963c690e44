//! Output of the kernel in the report.

use serde::Serialize;

/// Text that threads have printed, and assertions that have failed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct OutputReport {
    /// Text of `printf` in kernels. Bytes that are not UTF-8 are replaced by U+FFFD.
    pub printed: String,
    /// Messages of failed assertions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub assertions: Vec<String>,
    /// Whether the buffer was too small, so that the oldest output is lost.
    pub overflowed: bool,
}
