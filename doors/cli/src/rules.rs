//! Occupancy rules by name: of a chip, of a chip file, or of a compute capability without a chip.

use crate::args::ChipArgs;
use crate::chip;
use crate::exit::Failure;
use isa::types::Capability;
use sim_core::config::CachePreference;
use sim_core::host::fit::Request;
use sim_core::occupancy::Rules;
use sim_core::occupancy::rules::{CAPABILITIES, shared_choices};
use std::borrow::Cow;

/// Rules and their names.
#[derive(Clone, Debug)]
pub struct Named {
    /// Name from the command line.
    pub name: String,
    /// Title for texts.
    pub title: String,
    /// Permitted folders and files.
    pub rules: Rules,
    /// Rules for blocks whose shared memory fits into the smaller part that a launch with
    /// preference for L1 leaves.
    pub prefer_l1: Option<Rules>,
    /// Preference of the launch, if given, and whether the chip's memory can be divided in two
    /// ways.
    pub cache: Option<(CachePreference, bool)>,
}

impl Named {
    /// Returns both sets of rules.
    pub fn rule_set(&self) -> RuleSet {
        RuleSet { usual: self.rules, prefer_l1: self.prefer_l1 }
    }
}

/// Rules that depend on the shared memory of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleSet {
    /// Rules without a preference, or for a block that does not fit into the smaller shared memory.
    pub usual: Rules,
    /// Rules for a block that fits, in a launch that prefers L1.
    pub prefer_l1: Option<Rules>,
}

impl RuleSet {
    /// Applies `change` to both sets of rules.
    pub fn map(&self, change: impl Fn(Rules) -> Rules) -> Self {
        Self { usual: change(self.usual), prefer_l1: self.prefer_l1.map(change) }
    }

    /// Returns the maximum shared memory of a block, without the part that a launch adds, for which
    /// L1 can be preferred.
    pub fn edge(&self, param_bytes: u32) -> Option<u32> {
        let small = self.prefer_l1.as_ref()?;
        small.sm.shared_bytes.checked_sub(small.launch_bytes(param_bytes))
    }

    /// Returns the rules for a request.
    pub fn of(&self, request: &Request<'_>) -> &Rules {
        let fits = self.edge(request.param_bytes).is_some_and(|edge| request.shared_bytes <= edge.into());
        self.prefer_l1.as_ref().filter(|_| fits).unwrap_or(&self.usual)
    }
}

/// Loads the rules of the chip, chip file or capability. `shared_kb` is the shared memory size of a
/// capability in KB, and `cache` the preference of a launch on a chip.
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
    let prefer_l1 = match chip.divided(cache.unwrap_or_default(), 0) {
        Cow::Borrowed(_) => None,
        Cow::Owned(divided) => Some(Rules::of(&divided)),
    };
    let choice = matches!(chip.divided(CachePreference::L1, 0), Cow::Owned(_));
    let cache = cache.map(|preference| (preference, choice));
    Ok(Named { name: args.chip.clone(), title, rules: Rules::of(&chip), prefer_l1, cache })
}

/// Parses a capability such as `1.3`.
fn capability(text: &str) -> Option<Capability> {
    let (major, minor) = text.split_once('.')?;
    let digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    (digits(major) && digits(minor)).then_some(())?;
    Some(Capability::new(major.parse().ok()?, minor.parse().ok()?))
}

fn of_capability(capability: Capability, args: &ChipArgs, shared_kb: Option<u32>) -> Result<Named, Failure> {
    let Some(mut rules) = Rules::of_capability(capability) else {
        let known: Vec<String> = CAPABILITIES.iter().map(|rules| rules.capability.to_string()).collect();
        let message = format!("error: unknown compute capability {capability}");
        return Err(Failure::input(format!("{message}\nhelp: expected one of: {}", known.join(", "))));
    };
    if !args.sets.is_empty() {
        return Err(Failure::input(
            "error: --set requires a chip, not a compute capability\nhelp: name a chip, such as --chip g80",
        ));
    }
    if let Some(kb) = shared_kb {
        let choices = shared_choices(capability);
        let Some(bytes) = choices.iter().find(|bytes| **bytes / 1024 == kb) else {
            let known: Vec<String> = choices.iter().map(|bytes| (bytes / 1024).to_string()).collect();
            let message = format!("error: compute capability {capability} has no {kb} KB of shared memory");
            return Err(Failure::input(format!("{message}\nhelp: sizes in KB: {}", known.join(", "))));
        };
        rules.sm.shared_bytes = *bytes;
    }
    let title = format!("compute capability {capability}");
    Ok(Named { name: args.chip.clone(), title, rules, prefer_l1: None, cache: None })
}

#[cfg(test)]
mod tests {
    use super::*;
    use isa::types::Dim3;

    fn named(chip: &str, shared_kb: Option<u32>) -> Result<Named, Failure> {
        load(&ChipArgs { chip: chip.to_owned(), sets: Vec::new() }, shared_kb, None)
    }

    #[test]
    fn l1_is_preferred_where_a_block_fits_into_what_is_left() {
        let args = |chip: &str| ChipArgs { chip: chip.to_owned(), sets: Vec::new() };
        let book = load(&args("fermi"), None, Some(CachePreference::L1)).unwrap().rule_set();
        let bytes = |shared_bytes| {
            let request =
                Request { shared_bytes, ..Request::new("", Dim3::new(1, 1, 1), Dim3::new(32, 1, 1)) };
            book.of(&request).sm.shared_bytes
        };
        assert_eq!([0, 16_384, 16_385].map(bytes), [16_384, 16_384, 49_152]);
        assert_eq!(book.edge(64), Some(16_384));
        // A chip without a division ignores the preference, as a launch on it does.
        let g80 = load(&args("g80"), None, Some(CachePreference::L1)).unwrap();
        assert_eq!((g80.prefer_l1, g80.rule_set().edge(16)), (None, None));
        let failure = load(&args("2.0"), None, Some(CachePreference::L1)).unwrap_err();
        assert!(failure.message.contains("--shared-config"), "{}", failure.message);
    }

    #[test]
    fn chips_and_capabilities_have_rules() {
        assert_eq!(named("g80", None).unwrap().rules, named("1.0", None).unwrap().rules);
        assert_eq!(named("2.1", None).unwrap().rules.sm.shared_bytes, 49152);
        assert_eq!(named("3.0", Some(32)).unwrap().rules.sm.shared_bytes, 32768);
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
