//! `warpsim explain`: the meaning of a name in a report, a sweep or a message. The texts come from
//! the registry of metrics, the lists of codes, and the words of reports and the glossary.

mod terms;
#[cfg(test)]
mod tests;
mod text;

use crate::args::{ExplainArgs, Format};
use crate::exit::{Code, Failure};
use crate::metrics::{self, Metric};
use crate::output::print;
use crate::{codes, json};
use isa::diag::nearest;
use serde::Serialize;
use sim_core::stats::limits::Limiter;
use sim_core::stats::{Counters, SlotBreakdown, WarpState};
use terms::{TERMS, Term};

/// Version of the JSON document.
const SCHEMA: u32 = 1;

/// Title of the limits in the list of names.
const LIMITS: &str = "Limits: what `run` states as \"limited by\"";

/// Maximum number of suggestions in the message about an unknown name.
const SUGGESTED: usize = 6;

#[derive(Clone, Copy, Debug)]
enum Topic {
    /// A metric, and the warp state if the metric is its share.
    Metric(&'static Metric, Option<WarpState>),
    /// A resource that limits launches.
    Limit(Limiter),
    /// The code of a diagnostic, its meaning, and the input of the stage that reports it.
    Diagnostic(&'static str, &'static str, &'static str),
    /// A word of reports or a term of the glossary.
    Term(&'static Term),
}

#[derive(Serialize)]
struct Document {
    schema: u32,
    entries: Vec<Entry>,
}

#[derive(Serialize)]
struct Entry {
    name: &'static str,
    kind: &'static str,
    group: &'static str,
    meaning: &'static str,
    state: Option<&'static str>,
    unit: Option<&'static str>,
    formula: Option<String>,
    field: Option<&'static str>,
    launches: Option<String>,
    improve: Option<&'static str>,
    related: Vec<String>,
}

/// Explains a name, or lists all names.
pub fn run(args: &ExplainArgs) -> Result<Code, Failure> {
    let name = args.name.join(" ");
    let topic = if name.is_empty() { None } else { Some(find(&name)?) };
    print(&match (args.format.format, topic) {
        (Format::Text, Some(topic)) => text::topic(&entry(topic)),
        (Format::Text, None) => text::list(),
        (Format::Json, Some(topic)) => document(vec![entry(topic)]),
        (Format::Json, None) => document(all().map(entry).collect()),
    })?;
    Ok(Code::Fine)
}

fn document(entries: Vec<Entry>) -> String {
    json::pretty(&Document { schema: SCHEMA, entries })
}

/// Iterates over all topics.
fn all() -> impl Iterator<Item = Topic> {
    let metrics = metrics::ALL.iter().map(|metric| Topic::Metric(metric, state_of(metric)));
    let limits = Limiter::NAMES.iter().map(|(_, limiter)| Topic::Limit(*limiter));
    metrics
        .chain(limits)
        .chain(codes::all().map(|(code, meaning, stage)| Topic::Diagnostic(code, meaning, stage.title)))
        .chain(TERMS.iter().map(Topic::Term))
}

/// Returns the state whose share of the warp state breakdown a metric is.
fn state_of(metric: &Metric) -> Option<WarpState> {
    let name = metric.field()?.strip_prefix("timing.warps.states.")?;
    WarpState::ALL.into_iter().find(|state| metrics::name_of(*state) == name)
}

/// Returns the names of a topic: its primary name, and the other names under which a report shows
/// it.
fn names(topic: Topic) -> Vec<String> {
    match topic {
        Topic::Diagnostic(code, ..) => vec![code.to_owned()],
        Topic::Term(term) => std::iter::once(&term.name).chain(&term.also).cloned().collect(),
        Topic::Limit(limiter) => vec![limiter.name().to_owned(), limiter.label().to_owned()],
        Topic::Metric(metric, state) => {
            let mut names = vec![metric.name.to_owned()];
            if let Some(state) = state {
                names.extend([metrics::name_of(state), state.label().to_owned()]);
            }
            if let Some(outcome) = outcome(metric) {
                names.push(outcome.to_owned());
            }
            names
        }
    }
}

/// Returns the issue slot outcome that a metric counts.
fn outcome(metric: &Metric) -> Option<&'static str> {
    let name = metric.field()?.strip_prefix("timing.slots.")?.trim_end_matches(".*");
    SlotBreakdown::LIST.iter().map(|counter| counter.name).find(|counter| *counter == name)
}

/// Returns the name in lower case, with `_` for all characters except letters, digits and dots.
fn plain(name: &str) -> String {
    let kept = |c: char| if c.is_ascii_alphanumeric() || c == '.' { c.to_ascii_lowercase() } else { ' ' };
    let words: String = name.chars().map(kept).collect();
    words.split_whitespace().collect::<Vec<_>>().join("_")
}

/// Returns the topic of a name.
fn find(name: &str) -> Result<Topic, Failure> {
    let wanted = plain(name);
    let stall = wanted.strip_prefix("stall_").unwrap_or(&wanted);
    let empty = wanted.strip_prefix("empty_").unwrap_or(&wanted);
    let named = |topic: &Topic| {
        let with_state = matches!(topic, Topic::Metric(_, Some(_)));
        names(*topic).iter().map(|n| plain(n)).any(|n| n == wanted || n == empty || with_state && n == stall)
    };
    let other = |topic: &Topic| !matches!(topic, Topic::Term(_) | Topic::Limit(_)) && named(topic);
    // The name of a term is stronger than its mention in another row, and than a limit with its
    // name.
    let is_term = |topic: &Topic| matches!(topic, Topic::Term(_));
    let primary =
        |topic: &Topic| is_term(topic) && names(*topic).first().is_some_and(|name| plain(name) == wanted);
    let singular = |topic: &Topic| {
        let one = wanted.strip_suffix('s').filter(|_| matches!(topic, Topic::Term(_)));
        names(*topic).first().is_some_and(|name| Some(plain(name).as_str()) == one)
    };
    let at_field = |topic: &Topic| matches!(topic, Topic::Metric(m, _) if m.field() == Some(name));
    let found = all().find(other).or_else(|| all().find(primary)).or_else(|| all().find(named));
    let found = found.or_else(|| all().find(singular));
    found.or_else(|| all().find(at_field)).ok_or_else(|| unknown(name, &wanted))
}

/// Returns the error for an unknown name.
fn unknown(name: &str, wanted: &str) -> Failure {
    let names: Vec<String> = all().flat_map(names).collect();
    let plain_names: Vec<String> = names.iter().map(|name| plain(name)).collect();
    let near = nearest(wanted, plain_names.iter().map(String::as_str));
    let alike = |n: &&str| wanted.len() > 2 && n.contains(wanted) && near != Some(n);
    let found: Vec<&str> = near
        .into_iter()
        .chain(plain_names.iter().map(String::as_str).filter(alike))
        .take(SUGGESTED)
        .collect();
    let hint = if found.is_empty() {
        String::new()
    } else {
        format!("; did you mean {}?", found.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(" or "))
    };
    let rest = "`warpsim explain` lists all names";
    Failure::input(format!("error: `{name}` is no metric, warp state, limit, code or term{hint}\n{rest}"))
}

/// Returns the registry's information about a topic.
fn entry(topic: Topic) -> Entry {
    match topic {
        Topic::Metric(metric, state) => Entry {
            name: metric.name,
            kind: if state.is_some() { "warp_state" } else { "metric" },
            group: metric.group.title(),
            meaning: metric.about,
            state: state.map(WarpState::label),
            unit: Some(metric.unit).filter(|unit| !unit.is_empty()),
            formula: Some(metric.formula().into_owned()),
            field: metric.field(),
            launches: Some(metric.of_launches()),
            improve: Some(metric.improve).filter(|improve| !improve.is_empty()),
            related: metrics::related(metric).into_iter().map(|m| m.name.to_owned()).collect(),
        },
        Topic::Limit(limiter) => Entry {
            name: limiter.name(),
            kind: "limit",
            group: LIMITS,
            meaning: limiter.explanation(),
            state: None,
            unit: None,
            formula: None,
            field: Some("timing.limits.limited_by"),
            launches: None,
            improve: Some(limiter.advice()),
            related: metrics::quoted(limiter.advice())
                .filter(|name| metrics::find(name).is_ok())
                .map(str::to_owned)
                .collect(),
        },
        Topic::Diagnostic(code, meaning, stage) => Entry {
            name: code,
            kind: "diagnostic",
            group: stage,
            meaning,
            state: None,
            unit: None,
            formula: None,
            field: None,
            launches: None,
            improve: None,
            related: vec!["docs/ERRORS.md lists all codes; the message itself names the line".to_owned()],
        },
        Topic::Term(term) => Entry {
            name: &term.name,
            kind: "term",
            group: term.group,
            meaning: &term.meaning,
            state: None,
            unit: None,
            formula: None,
            field: None,
            launches: None,
            improve: None,
            related: term.pages.clone(),
        },
    }
}
