//! What decides whether a launch fits, by name: a chip, a chip file, or a compute capability without any chip.

use crate::args::ChipArgs;
use crate::chip;
use crate::exit::Failure;
use isa::types::Capability;
use sim_core::occupancy::Rules;
use sim_core::occupancy::rules::{CAPABILITIES, shared_choices};

/// Rules and what they are called.
#[derive(Clone, Debug)]
pub struct Named {
    /// As the user named them.
    pub name: String,
    /// In words.
    pub title: String,
    /// The rules.
    pub rules: Rules,
}

/// The rules of the chip, chip file or capability; `shared_kb` is the size of shared memory that a capability is set
/// to, in KB.
pub fn load(args: &ChipArgs, shared_kb: Option<u32>) -> Result<Named, Failure> {
    let name = args.chip.trim();
    if let Some(capability) = capability(name) {
        return of_capability(capability, args, shared_kb);
    }
    if shared_kb.is_some() {
        let message = "error: --shared-config belongs to a compute capability, such as --chip 2.0; \
                       of a chip, --set sm.shared_bytes=BYTES says it";
        return Err(Failure::input(message));
    }
    let chip = chip::load(args).map_err(|failure| {
        // A chip file's own complaints need no such advice.
        let unknown = failure.message.contains("there is no chip");
        let more =
            if unknown { "\nA compute capability, from 1.0 to 3.0, can stand in its place." } else { "" };
        Failure { message: failure.message + more, ..failure }
    })?;
    let title = format!("{} ({}), compute capability {}", chip.board, chip.name, chip.capability);
    Ok(Named { name: args.chip.clone(), title, rules: Rules::of(&chip) })
}

/// `1.3`.
fn capability(text: &str) -> Option<Capability> {
    let (major, minor) = text.split_once('.')?;
    let digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    (digits(major) && digits(minor)).then_some(())?;
    Some(Capability::new(major.parse().ok()?, minor.parse().ok()?))
}

fn of_capability(capability: Capability, args: &ChipArgs, shared_kb: Option<u32>) -> Result<Named, Failure> {
    let Some(mut rules) = Rules::of_capability(capability) else {
        let known: Vec<String> = CAPABILITIES.iter().map(|rules| rules.capability.to_string()).collect();
        let message = format!("error: the rules of compute capability {capability} are not known");
        return Err(Failure::input(format!("{message}; known: {}", known.join(", "))));
    };
    if !args.sets.is_empty() {
        return Err(Failure::input("error: --set belongs to a chip; a compute capability is what it is"));
    }
    if let Some(kb) = shared_kb {
        let choices = shared_choices(capability);
        let Some(bytes) = choices.iter().find(|bytes| **bytes / 1024 == kb) else {
            let known: Vec<String> = choices.iter().map(|bytes| (bytes / 1024).to_string()).collect();
            let message = format!("error: capability {capability} has no {kb} KB of shared memory");
            return Err(Failure::input(format!("{message}; it can have: {}", known.join(", "))));
        };
        rules.sm.shared_bytes = *bytes;
    }
    let title = format!("compute capability {capability}");
    Ok(Named { name: args.chip.clone(), title, rules })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(chip: &str, shared_kb: Option<u32>) -> Result<Named, Failure> {
        load(&ChipArgs { chip: chip.to_owned(), sets: Vec::new() }, shared_kb)
    }

    #[test]
    fn chips_and_capabilities_have_rules() {
        assert_eq!(named("g80", None).unwrap().rules, named("1.0", None).unwrap().rules);
        assert_eq!(named("2.1", None).unwrap().rules.sm.shared_bytes, 49152);
        assert_eq!(named("3.0", Some(32)).unwrap().rules.sm.shared_bytes, 32768);
    }

    #[test]
    fn what_is_not_known_says_what_is() {
        for (chip, kb, part) in [
            ("3.5", None, "known: 1.0, 1.1, 1.2, 1.3, 2.0, 2.1, 3.0"),
            ("1.3", Some(48), "it can have: 16"),
            ("g80", Some(16), "sm.shared_bytes"),
            ("g81", None, "from 1.0 to 3.0"),
        ] {
            let failure = named(chip, kb).unwrap_err();
            assert!(failure.message.contains(part), "{chip}: {}", failure.message);
        }
    }
}
