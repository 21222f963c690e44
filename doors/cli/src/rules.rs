//! Occupancy rules by name: of a chip, of a chip file, or of a compute capability without a chip.

use crate::args::ChipArgs;
use crate::chip;
use crate::exit::Failure;
use isa::types::Capability;
use sim_core::config::CachePreference;
use sim_core::host::fit::RuleSet;
use sim_core::occupancy::Rules;
use sim_core::occupancy::rules::{CAPABILITIES, shared_choices, smaller_choices};
use std::borrow::Cow;

/// Rules and their names.
#[derive(Clone, Debug)]
pub struct Named {
    /// Name from the command line.
    pub name: String,
    /// Title for texts.
    pub title: String,
    /// Rules with the largest shared memory, and the smaller sizes that the launch can get.
    pub set: RuleSet,
    /// Division of an SM's memory that the launch prefers, if given.
    pub division: Option<Division>,
}

impl Named {
    /// Applies `--opt-in`, if it was given.
    pub fn opted_in(mut self, is_given: bool) -> Result<Self, Failure> {
        if is_given {
            let message = "error: --opt-in requires a compute capability from 7.0 on, such as --chip 8.0";
            self.set.usual = self.set.usual.opted_in().ok_or_else(|| Failure::input(message))?;
        }
        Ok(self)
    }
}

/// Division of an SM's memory that a launch prefers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Division {
    /// `--cache`, and whether the chip's memory can be divided in two ways.
    Cache(CachePreference, bool),
    /// `--shared-config` in bytes.
    Bytes(u32),
}

/// Loads the rules of the chip, chip file or capability. `shared_kb` is the shared memory of an SM
/// that a launch prefers on a capability, in KB, and `cache` the preference of a launch on a chip.
pub fn load(
    args: &ChipArgs,
    shared_kb: Option<u32>,
    cache: Option<CachePreference>,
) -> Result<Named, Failure> {
    let name = args.chip.trim();
    if let Some(capability) = capability(name) {
        if cache.is_some() {
            let message = "error: --cache requires a chip, such as --chip fermi\n\
                           help: for a compute capability, set the size of shared memory with --shared-config";
            return Err(Failure::input(message));
        }
        return of_capability(capability, args, shared_kb);
    }
    if shared_kb.is_some() {
        let message = "error: --shared-config requires a compute capability, such as --chip 2.0\n\
                       help: for a chip, use --set sm.shared_bytes=BYTES";
        return Err(Failure::input(message));
    }
    let chip = chip::load(args).map_err(|failure| {
        // Errors inside a chip file need no such advice.
        let unknown = failure.message.contains("unknown chip");
        let more = if unknown { "\nhelp: a compute capability from 1.0 to 9.0 is also accepted" } else { "" };
        Failure { message: failure.message + more, ..failure }
    })?;
    let title = format!("{} ({}), compute capability {}", chip.board, chip.name, chip.capability);
    // Each request checks whether its block fits; a block without shared memory always fits.
    let smaller = match chip.divided(cache.unwrap_or_default(), 0) {
        Cow::Borrowed(_) => Vec::new(),
        Cow::Owned(divided) => vec![divided.sm.shared_bytes],
    };
    let choice = matches!(chip.divided(CachePreference::L1, 0), Cow::Owned(_));
    let division = cache.map(|preference| Division::Cache(preference, choice));
    Ok(Named { name: args.chip.clone(), title, set: RuleSet { usual: Rules::of(&chip), smaller }, division })
}

/// Parses a capability such as `1.3`.
fn capability(text: &str) -> Option<Capability> {
    let (major, minor) = text.split_once('.')?;
    let digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    (digits(major) && digits(minor)).then_some(())?;
    Some(Capability::new(major.parse().ok()?, minor.parse().ok()?))
}

fn of_capability(capability: Capability, args: &ChipArgs, shared_kb: Option<u32>) -> Result<Named, Failure> {
    let Some(usual) = Rules::of_capability(capability) else {
        let known: Vec<String> = CAPABILITIES.iter().map(|rules| rules.capability.to_string()).collect();
        let message = format!("error: unknown compute capability {capability}");
        return Err(Failure::input(format!("{message}\nhelp: expected one of: {}", known.join(", "))));
    };
    if !args.sets.is_empty() {
        return Err(Failure::input(
            "error: --set requires a chip, not a compute capability\nhelp: name a chip, such as --chip g80",
        ));
    }
    let mut smaller = Vec::new();
    let mut division = None;
    if let Some(kb) = shared_kb {
        let choices = shared_choices(capability);
        let Some(bytes) = choices.iter().find(|bytes| **bytes / 1024 == kb) else {
            let known: Vec<String> = choices.iter().map(|bytes| (bytes / 1024).to_string()).collect();
            let message = format!("error: compute capability {capability} has no {kb} KB of shared memory");
            return Err(Failure::input(format!("{message}\nhelp: sizes in KB: {}", known.join(", "))));
        };
        smaller = smaller_choices(capability, *bytes);
        division = Some(Division::Bytes(*bytes));
    }
    let title = format!("compute capability {capability}");
    Ok(Named { name: args.chip.clone(), title, set: RuleSet { usual, smaller }, division })
}

#[cfg(test)]
mod tests {
    use super::*;
    use isa::types::Dim3;
    use sim_core::host::fit::Request;

    fn named(chip: &str, shared_kb: Option<u32>) -> Result<Named, Failure> {
        load(&ChipArgs { chip: chip.to_owned(), sets: Vec::new() }, shared_kb, None)
    }

    #[test]
    fn l1_is_preferred_where_a_block_fits_into_what_is_left() {
        let args = |chip: &str| ChipArgs { chip: chip.to_owned(), sets: Vec::new() };
        let book = load(&args("fermi"), None, Some(CachePreference::L1)).unwrap().set;
        let bytes = |shared_bytes| {
            let request =
                Request { shared_bytes, ..Request::new("", Dim3::new(1, 1, 1), Dim3::new(32, 1, 1)) };
            book.of(&request).sm.shared_bytes
        };
        assert_eq!([0, 16_384, 16_385].map(bytes), [16_384, 16_384, 49_152]);
        assert_eq!(book.edges(64).collect::<Vec<_>>(), [16_384]);
        // A chip without a division ignores the preference, as a launch on it does.
        let g80 = load(&args("g80"), None, Some(CachePreference::L1)).unwrap();
        assert_eq!(g80.set.smaller, [0; 0]);
        let failure = load(&args("2.0"), None, Some(CachePreference::L1)).unwrap_err();
        assert!(failure.message.contains("--shared-config"), "{}", failure.message);
    }

    #[test]
    fn chips_and_capabilities_have_rules() {
        assert_eq!(named("g80", None).unwrap().set, named("1.0", None).unwrap().set);
        assert_eq!(named("2.1", None).unwrap().set.usual.sm.shared_bytes, 49152);
        assert_eq!(named("3.0", Some(32)).unwrap().set.smaller, [32768]);
        assert_eq!(named("8.6", Some(32)).unwrap().set.smaller, [32768, 65536]);
    }

    #[test]
    fn an_unknown_value_lists_the_known_ones() {
        for (chip, kb, part) in [
            ("3.2", None, "expected one of: 1.0, 1.1, 1.2, 1.3, 2.0, 2.1, 3.0, 3.5, 3.7, 5.0,"),
            ("1.3", Some(48), "sizes in KB: 16"),
            ("g80", Some(16), "sm.shared_bytes"),
            ("g81", None, "from 1.0 to 9.0"),
            ("8.6", Some(164), "sizes in KB: 100, 64, 32, 16, 8, 0"),
        ] {
            let failure = named(chip, kb).unwrap_err();
            assert!(failure.message.contains(part), "{chip}: {}", failure.message);
        }
    }
}
