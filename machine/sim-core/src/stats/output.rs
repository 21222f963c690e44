//! Output of the kernel in the report.

use serde::Serialize;

/// Text that threads have printed, and assertions that have failed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct OutputReport {
    /// Text of `printf` in the kernel; bytes that are not UTF-8 are U+FFFD. The text report begins
    /// with it.
    pub printed: String,
    /// Messages of failed assertions, also on standard error; absent without one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub assertions: Vec<String>,
    /// Whether the printf buffer was too small, so that the oldest output is lost.
    pub overflowed: bool,
}
