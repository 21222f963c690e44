//! The settings of a program: the environment variables `WARPSIM_…`, read at the first call.

use isa::Options;
use sim_core::check::{Check, Checks};
use sim_core::config::Chip;
use sim_core::config::base::{Text, Texts};
use sim_core::config::builtin::{DEFAULT_CHIP, builtin_names, builtin_text};
use sim_core::host::{BarrierRule, CachePreference, MemoryRule};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// The settings.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a variable of the environment")]
pub struct Settings {
    /// `WARPSIM_CHIP` with `WARPSIM_SET`: the simulated chip.
    pub chip: Chip,
    /// `WARPSIM_DEVICES`: number of devices, all of this chip.
    pub devices: usize,
    /// `WARPSIM_FUNCTIONAL`: launches are executed without timing.
    pub functional: bool,
    /// `WARPSIM_SAMPLE`: timed launches are sampled.
    pub sample: bool,
    /// `WARPSIM_SAMPLE_LAUNCHES`: the number of launches of a series that are timed at first; the
    /// times of others are estimated.
    pub sample_launches: Option<u64>,
    /// `WARPSIM_TIMED_WORK`: most work of the timed launches of a program; later ones run without
    /// timing.
    pub timed_work: Option<u64>,
    /// `WARPSIM_LAUNCHES`: only the launches with these numbers are timed.
    pub launches: Option<RangeInclusive<u64>>,
    /// `WARPSIM_CHECK`: checkers of the functional launches.
    pub checks: Checks,
    /// `WARPSIM_REPORT`: file for the record of the program.
    pub report: Option<PathBuf>,
    /// `WARPSIM_RECORD`: folder for the launches.
    pub record: Option<PathBuf>,
    /// `WARPSIM_HOST_TIME=real`: host code takes its real time.
    pub real_host_time: bool,
    /// `WARPSIM_MEMORY`: rule for accesses to global memory outside of allocations.
    pub memory: MemoryRule,
    /// `WARPSIM_BARRIERS`: rule for the lanes of a warp at a barrier.
    pub barriers: BarrierRule,
    /// Options for the compilation of PTX; checkers that need plain code turn optimization off.
    pub compilation: Options,
    /// Registers per thread of each launch, instead of those of the compiled code.
    pub registers: Option<u32>,
    /// Division of an SM's memory for each launch, instead of what the program asks for.
    pub cache: Option<CachePreference>,
    /// Number of a launch that is not started: the program ends before it.
    pub hold: Option<u64>,
    /// `WARPSIM_MAX_CYCLES`: limit of each launch.
    pub max_cycles: u64,
    /// `WARPSIM_THREADS`: host threads of a launch.
    pub threads: Option<usize>,
    /// `WARPSIM_QUIET`: no line at the end.
    pub quiet: bool,
}

/// Most launches of a series that are timed at first.
const MOST_SAMPLED: u64 = 1_000_000;
/// Variables that decide which launches are timed, or whether a timed launch is whole.
pub const CHOOSE_LAUNCHES: [&str; 5] =
    ["WARPSIM_SAMPLE_LAUNCHES", "WARPSIM_FUNCTIONAL", "WARPSIM_SAMPLE", "WARPSIM_LAUNCHES", "WARPSIM_CHECK"];

impl Settings {
    /// Settings of a program without messages at its end, on one device that is this chip. Launches
    /// run in one thread.
    pub fn of(chip: Chip) -> Self {
        Self {
            chip,
            devices: 1,
            functional: false,
            sample: false,
            sample_launches: None,
            timed_work: None,
            launches: None,
            checks: Checks::NONE,
            report: None,
            record: None,
            real_host_time: false,
            memory: MemoryRule::default(),
            barriers: BarrierRule::default(),
            compilation: Options::default(),
            registers: None,
            cache: None,
            hold: None,
            max_cycles: u64::MAX,
            threads: Some(1),
            quiet: true,
        }
    }

    /// Reads the settings; `variable` returns the value of an environment variable.
    ///
    /// # Errors
    ///
    /// A sentence about the first wrong value.
    pub fn read(variable: impl Fn(&str) -> Option<String>) -> Result<Self, String> {
        let value = |name: &str| variable(name).filter(|text| !text.trim().is_empty());
        let flag = |name: &str| match value(name).as_deref() {
            None | Some("0") => Ok(false),
            Some("1") => Ok(true),
            Some(other) => Err(format!("{name}={other}: expected 0 or 1")),
        };
        let number = |name: &str, least: u64, most: u64| match value(name) {
            None => Ok(None),
            Some(text) => match text.trim().parse::<u64>() {
                Ok(number) if (least..=most).contains(&number) => Ok(Some(number)),
                _ => Err(format!("{name}={text}: expected a number from {least} to {most}")),
            },
        };
        let real_host_time = match value("WARPSIM_HOST_TIME").as_deref() {
            None | Some("none") => false,
            Some("real") => true,
            Some(other) => return Err(format!("WARPSIM_HOST_TIME={other}: expected none or real")),
        };
        let report = value("WARPSIM_REPORT").map(PathBuf::from);
        if let Some(path) = report.as_ref().filter(|path| path.extension().is_none_or(|end| end != "json")) {
            return Err(format!("WARPSIM_REPORT={}: expected a file that ends in .json", path.display()));
        }
        for (name, others) in
            [("WARPSIM_SAMPLE_LAUNCHES", &CHOOSE_LAUNCHES[1..]), ("WARPSIM_TIMED_WORK", &CHOOSE_LAUNCHES[..])]
        {
            let other = others.iter().find(|other| value(other).is_some_and(|set| set != "0"));
            if let (Some(set), Some(other)) = (value(name), other) {
                return Err(format!("{name}={set}: not possible with {other}"));
            }
        }
        Ok(Self {
            chip: chip(
                value("WARPSIM_CHIP").as_deref().unwrap_or(DEFAULT_CHIP),
                value("WARPSIM_SET").as_deref(),
            )?,
            devices: number("WARPSIM_DEVICES", 1, 8)?.unwrap_or(1) as usize,
            functional: flag("WARPSIM_FUNCTIONAL")?,
            sample: flag("WARPSIM_SAMPLE")?,
            sample_launches: number("WARPSIM_SAMPLE_LAUNCHES", 1, MOST_SAMPLED)?,
            timed_work: number("WARPSIM_TIMED_WORK", 1, u64::MAX)?,
            launches: value("WARPSIM_LAUNCHES").map(|text| range(&text)).transpose()?,
            checks: value("WARPSIM_CHECK").map_or(Ok(Checks::NONE), |text| {
                checks(&text).map_err(|why| format!("WARPSIM_CHECK={text}: {why}"))
            })?,
            report,
            record: value("WARPSIM_RECORD").map(PathBuf::from),
            real_host_time,
            memory: word("WARPSIM_MEMORY", &MemoryRule::NAMES, value("WARPSIM_MEMORY"))?,
            barriers: word("WARPSIM_BARRIERS", &BarrierRule::NAMES, value("WARPSIM_BARRIERS"))?,
            compilation: Options::default(),
            registers: None,
            cache: None,
            hold: None,
            max_cycles: number("WARPSIM_MAX_CYCLES", 1, u64::MAX)?.unwrap_or(u64::MAX),
            threads: number("WARPSIM_THREADS", 1, 256)?.map(|threads| threads as usize),
            quiet: flag("WARPSIM_QUIET")?,
        })
    }
}

/// Returns the value of a word; the default without one.
fn word<T: Copy + Default>(name: &str, known: &[(&str, T)], text: Option<String>) -> Result<T, String> {
    let Some(text) = text else { return Ok(T::default()) };
    let found = known.iter().find(|(word, _)| *word == text.trim()).map(|(_, value)| *value);
    found.ok_or_else(|| {
        let words: Vec<&str> = known.iter().map(|(word, _)| *word).collect();
        format!("{name}={text}: expected {}", words.join(" or "))
    })
}

/// Returns the launches `3..5` (both are included), `3..`, `..5` or `3`, numbered from 1.
fn range(text: &str) -> Result<RangeInclusive<u64>, String> {
    let wrong = || format!("WARPSIM_LAUNCHES={text}: expected a number or a range such as 3..5");
    let number = |part: &str, open: u64| match part.trim() {
        "" => Ok(open),
        part => part.parse().map_err(|_| wrong()),
    };
    let (first, last) = if let Some((first, last)) = text.split_once("..") {
        (number(first, 1)?, number(last.trim_start_matches('='), u64::MAX)?)
    } else {
        let only = text.trim().parse().map_err(|_| wrong())?;
        (only, only)
    };
    if first == 0 || first > last { Err(wrong()) } else { Ok(first..=last) }
}

/// Returns the checkers of a list of words, such as `memory,race`.
///
/// # Errors
///
/// A sentence about the first unknown word.
pub fn checks(text: &str) -> Result<Checks, String> {
    let mut all = Checks::NONE;
    for word in text.split(',').map(str::trim) {
        let known = Check::NAMES.into_iter().find(|(name, _)| *name == word);
        all = match known {
            Some((_, check)) => all.and(check),
            None if word == "all" => Checks::ALL,
            None => {
                let names = Check::NAMES.map(|(name, _)| name).join(", ");
                return Err(format!("`{word}` is not a checker; expected {names} or all"));
            }
        };
    }
    Ok(all)
}

/// Reads a chip by its name or from its file, with overrides `path=value;…`.
fn chip(name: &str, sets: Option<&str>) -> Result<Chip, String> {
    let own = match Text::builtin(name) {
        Some(text) => text,
        None if Path::new(name).extension().is_some_and(|end| end == "ron") || Path::new(name).is_file() => {
            from_file(Path::new(name))?
        }
        None => return Err(format!("WARPSIM_CHIP={name}: unknown chip; {}", known())),
    };
    let texts = Texts::collect(own, |base, of| {
        if let Some(text) = Text::builtin(base) {
            return Ok(text);
        }
        if builtin_text(&of.id).is_some() {
            return Err(known());
        }
        from_file(&Path::new(&of.name).parent().unwrap_or(Path::new("")).join(base))
    });
    let parts = sets.unwrap_or_default().split(';').filter(|part| !part.trim().is_empty());
    let set = |part: &str| match part.split_once('=') {
        Some((path, value)) if !path.trim().is_empty() && !value.trim().is_empty() => {
            Ok((path.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err(format!("WARPSIM_SET: invalid `{part}`: expected PATH=VALUE, such as sm.max_warps=16")),
    };
    let sets = parts.map(set).collect::<Result<Vec<_>, _>>()?;
    let (chip, _) = Chip::from_texts(&texts, &sets).map_err(|complaints| complaints.to_string())?;
    if chip.simulated {
        return Ok(chip);
    }
    Err(format!("WARPSIM_CHIP={name}: this chip cannot run kernels: only its occupancy rules are known"))
}

fn known() -> String {
    format!("built-in chips: {}; a chip file ends in .ron", builtin_names().collect::<Vec<_>>().join(", "))
}

fn from_file(path: &Path) -> Result<Text, String> {
    let text = report::access::read_ron(path, sim_core::config::tree::MAX_BYTES as u64);
    let text = text.map_err(|failure| failure.message)?;
    let id = format!("file {}", path.canonicalize().unwrap_or_else(|_| path.to_owned()).display());
    Ok(Text { id, name: path.display().to_string(), text: text.into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(variables: &[(&str, &str)]) -> Result<Settings, String> {
        Settings::read(|name| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn without_variables_a_fermi_is_timed() {
        let settings = with(&[]).expect("no variable is wrong");
        assert_eq!((settings.chip.name.as_str(), settings.devices), ("fermi", 1));
        assert!(!settings.functional && settings.launches.is_none() && settings.checks.is_empty());
    }

    #[test]
    fn values_are_read() {
        let settings = with(&[
            ("WARPSIM_CHIP", "g80"),
            ("WARPSIM_SET", "sm.max_warps=16;"),
            ("WARPSIM_LAUNCHES", "3..5"),
            ("WARPSIM_CHECK", "memory,race"),
        ])
        .expect("right values");
        assert_eq!((settings.chip.name.as_str(), settings.chip.sm.max_warps), ("g80", 16));
        assert_eq!(settings.launches, Some(3..=5));
        assert!(settings.checks.has(Check::Race) && !settings.checks.has(Check::Init));
        assert_eq!(range("7").expect("one launch"), 7..=7);
        assert_eq!(range("7..").expect("an open range"), 7..=u64::MAX);
        assert_eq!(range("..2").expect("an open range"), 1..=2);
    }

    #[test]
    fn a_wrong_value_is_named() {
        for (name, value, part) in [
            ("WARPSIM_CHIP", "g81", "unknown chip; built-in chips: "),
            ("WARPSIM_CHIP", "/no/such.ron", "/no/such.ron"),
            ("WARPSIM_SET", "sm.max_warps", "expected PATH=VALUE"),
            ("WARPSIM_SET", "sm.warps=1", "sm.warps"),
            ("WARPSIM_FUNCTIONAL", "yes", "WARPSIM_FUNCTIONAL=yes: expected 0 or 1"),
            ("WARPSIM_LAUNCHES", "5..3", "expected a number or a range such as 3..5"),
            ("WARPSIM_MEMORY", "pages", "expected strict or page"),
            ("WARPSIM_BARRIERS", "1", "expected strict or hardware"),
            ("WARPSIM_CHECK", "mem", "expected memory, race, init, sync or all"),
            ("WARPSIM_THREADS", "0", "expected a number from 1 to 256"),
            ("WARPSIM_REPORT", "a.txt", "ends in .json"),
            ("WARPSIM_HOST_TIME", "1", "expected none or real"),
            ("WARPSIM_SAMPLE_LAUNCHES", "0", "expected a number from 1 to 1000000"),
        ] {
            let message = with(&[(name, value)]).expect_err("a wrong value");
            assert!(message.contains(part), "{part}: {message}");
        }
    }
    #[test]
    fn sampled_and_limited_launches_are_not_chosen_in_another_way() {
        for name in &CHOOSE_LAUNCHES[1..] {
            let message = with(&[("WARPSIM_SAMPLE_LAUNCHES", "4"), (name, "1")]).expect_err(name);
            assert_eq!(message, format!("WARPSIM_SAMPLE_LAUNCHES=4: not possible with {name}"));
        }
        for name in CHOOSE_LAUNCHES {
            let message = with(&[("WARPSIM_TIMED_WORK", "9"), (name, "1")]).expect_err(name);
            assert_eq!(message, format!("WARPSIM_TIMED_WORK=9: not possible with {name}"));
        }
        let settings = with(&[("WARPSIM_SAMPLE_LAUNCHES", "4"), ("WARPSIM_SAMPLE", "0")]);
        assert_eq!(settings.map(|settings| settings.sample_launches), Ok(Some(4)));
    }
}
