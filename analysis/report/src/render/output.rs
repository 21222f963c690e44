//! Output of kernels: what they have printed, for standard output, and messages about it.

use sim_core::stats::Report;

/// Returns the printed text of all launches, with a line end after the last line of each.
pub fn printed(reports: &[Report]) -> String {
    let mut out = String::new();
    for output in reports.iter().filter_map(|report| report.output.as_ref()) {
        out += &output.printed;
        if !out.is_empty() && !out.ends_with('\n') {
            out.push('\n');
        }
    }
    out
}

/// Returns the messages of failed assertions, and warnings about lost output.
pub fn messages(reports: &[Report]) -> Vec<String> {
    let mut messages = Vec::new();
    for report in reports {
        let Some(output) = &report.output else { continue };
        messages.extend(output.assertions.iter().cloned());
        if output.overflowed {
            messages.push(format!(
                "warning: kernel `{}` has printed more than the printf buffer holds: the oldest output is lost",
                report.launch.kernel
            ));
        }
    }
    messages
}
