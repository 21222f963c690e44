//! Tests of registrations: names, and parameters with ranges and defaults.

use super::*;
use crate::config::tree::{self, NodeKind};
use crate::scheduler::View;

/// The eligible warp in the lowest slot.
#[derive(Clone)]
struct Lowest;

impl SchedulingPolicy for Lowest {
    fn pick(&mut self, view: &View) -> Option<u32> {
        view.eligible_warps().next()
    }
}

/// The errors of a registry with one scheduler.
fn refused<const N: usize>(name: &'static str, parameters: [Argument; N]) -> Vec<String> {
    let mut registry = Registry::default();
    registry.scheduler_with(name, parameters, |_, _, _| Lowest);
    registry.refused.iter().map(ToString::to_string).collect()
}

fn argument(name: &'static str) -> Argument {
    Argument::new(name, 1..=9, 4, "A number.")
}

/// Tests: `registered-components`.
#[test]
fn a_name_is_a_free_word() {
    for name in ["", "two words", "3rd", "a-b", "none", "true", "inf", "r#a", "a(", "ä", "a\n", "Some"] {
        let refused = refused(name, []);
        assert!(refused.len() == 1 && refused[0].contains("a name is a word"), "{name:?}: {refused:?}");
    }
    for name in PolicyKind::WORDS {
        assert_eq!(
            refused(name, []),
            [format!("the scheduler `{name}`: a built-in scheduler has this name")]
        );
    }
    for name in ["mine", "Mine", "_m3", "lru", Replacement::WORDS[1]] {
        assert_eq!(refused(name, []), [""; 0], "{name}");
        let node = tree::parse(name, 0).expect("a word is RON");
        assert!(matches!(&node.kind, NodeKind::Variant { name: word, args: None, .. } if word == name));
    }
}

/// Tests: `registered-components`.
#[test]
fn a_name_is_registered_once_per_kind() {
    let mut registry = Registry::default();
    registry.scheduler("mine", |_, _| Lowest);
    registry.scheduler("mine", |_, _| Lowest);
    let errors = registry.install().expect_err("it is registered twice");
    assert_eq!(errors, [RegistryError::Twice { kind: "scheduler", name: "mine" }]);
}

/// Tests: `registered-components`.
#[test]
fn parameters_have_names_ranges_and_defaults() {
    assert_eq!(refused("mine", [argument("a"), argument("b")]), [""; 0]);
    for (parameters, why) in [
        ([argument("a b"), argument("b")], "`a b` of the scheduler `mine`: a name is a word"),
        ([argument("a"), argument("a")], "another parameter has this name"),
        ([Argument { least: 7, most: 6, ..argument("a") }, argument("b")], "its range is empty"),
        ([Argument { default: Some(10), ..argument("a") }, argument("b")], "its default is not in its range"),
        ([Argument { default: None, ..argument("a") }, argument("b")], "its default is not in its range"),
    ] {
        let refused = refused("mine", parameters);
        assert!(refused.len() == 1 && refused[0].contains(why), "{refused:?}");
    }
    let names: [&str; MAX_PARAMETERS + 1] = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
    assert_eq!(refused("mine", names.map(argument)), ["the scheduler `mine` has more than 8 parameters"]);
}
