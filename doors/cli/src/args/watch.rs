//! Options of commands with long runs.

use std::time::Duration;

/// When the progress is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum ShowProgress {
    /// A progress bar; if standard error is not a terminal, a line of text each second
    Always,
    /// Never
    Never,
    /// If standard error is a terminal
    #[default]
    Auto,
}

/// The options for the progress of launches, and for its end.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct ProgressArgs {
    /// Show the progress of a launch that takes longer than a second on standard error
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = ShowProgress::Auto)]
    pub progress: ShowProgress,

    /// Stop after this wall time, such as 90s, 5m or 2h (default: no limit)
    ///
    /// The current launch ends with the verdict `time_limit` and exit code 4, and its report ends
    /// at the cycle at which it stopped. This cycle depends on the host; --max-cycles stops every
    /// run at the same one. The time counts from the start of the host program.
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub time_limit: Option<Duration>,
}

/// Longest limit on wall time: a year.
const MOST_SECONDS: f64 = 366.0 * 86_400.0;

/// Reads a time: a number with the unit s, m or h, or of seconds.
fn time(text: &str) -> Result<Duration, String> {
    let (number, seconds) = match text.strip_suffix('m') {
        Some(number) => (number, 60.0),
        None => match text.strip_suffix('h') {
            Some(number) => (number, 3600.0),
            None => (text.strip_suffix('s').unwrap_or(text), 1.0),
        },
    };
    let is_digit = |byte: u8| byte.is_ascii_digit() || byte == b'.';
    let number = Some(number).filter(|number| number.bytes().all(is_digit));
    let seconds = number.and_then(|number| number.parse::<f64>().ok()).map(|number| number * seconds);
    match seconds {
        Some(seconds) if seconds > 0.0 && seconds <= MOST_SECONDS => Ok(Duration::from_secs_f64(seconds)),
        _ => Err("expected a time above 0, such as 90s, 5m or 2h".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        for (text, seconds) in [("90", 90.0), ("1.5s", 1.5), ("5m", 300.0), ("2h", 7200.0)] {
            assert_eq!(time(text), Ok(Duration::from_secs_f64(seconds)), "{text}");
        }
        for bad in ["", "s", "0", "0s", "-1", "1e3", "inf", "NaN", "5 minutes", "1d", "9999999h", "1.2.3"] {
            assert!(time(bad).is_err(), "{bad}");
        }
    }
}
