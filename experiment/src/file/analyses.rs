//! The questions of an experiment file about its results.

use super::names::Known;
use super::read::{items, read_formula};
use super::schema::{Analysis, Goal, Objective};
use crate::{Spanned, codes};
use isa::diag::Diagnostic;
use isa::span::Span;
use sim_core::config::read::{Fields, Reader};
use sim_core::config::tree::Node;

/// Reads the list of questions.
pub(super) fn read_analyses(fields: &Fields<'_>, names: &Known<'_>) -> Vec<Spanned<Analysis>> {
    let reader = fields.reader();
    let one = |item: &Node| {
        let value = read_analysis(reader, item, names)?;
        Some(Spanned { value, span: item.span })
    };
    items(fields, "analyses").iter().filter_map(one).collect()
}

fn read_analysis(reader: &Reader, node: &Node, names: &Known<'_>) -> Option<Analysis> {
    let tagged = reader.tagged(node, "an analysis", &["effects", "pareto", "best"])?;
    let (word, span, inner) = (tagged.word, tagged.span, tagged.fields);
    let analysis = match word {
        "effects" => {
            let of = inner.required("of").and_then(|n| read_formula(reader, n, "of", names));
            let flag = inner.optional("interactions");
            let interactions = flag.and_then(|n| reader.bool(n, "interactions")).unwrap_or(false);
            of.map(|of| Analysis::Effects { of, interactions })
        }
        "pareto" => {
            let objectives = read_objectives(&inner, names);
            match <[Objective; 2]>::try_from(objectives) {
                Ok(pair) => Some(Analysis::Pareto(Box::new(pair))),
                Err(found) => count(reader, span, "pareto", 2, found.len()),
            }
        }
        _ => {
            let mut objectives = read_objectives(&inner, names);
            let condition = inner.optional("where").and_then(|n| read_formula(reader, n, "where", names));
            match (objectives.pop(), objectives.len()) {
                (Some(objective), 0) => Some(Analysis::Best { objective: Box::new(objective), condition }),
                (_, others) => count(reader, span, "best", 1, others),
            }
        }
    };
    inner.finish();
    analysis
}

/// Reads `minimize` and `maximize`: each a quantity or a list of quantities.
fn read_objectives(fields: &Fields<'_>, names: &Known<'_>) -> Vec<Objective> {
    let reader = fields.reader();
    let mut objectives = Vec::new();
    for (word, goal) in [("minimize", Goal::Minimize), ("maximize", Goal::Maximize)] {
        let Some(node) = fields.optional(word) else { continue };
        let nodes = match &node.kind {
            sim_core::config::tree::Kind::List(nodes) => nodes.as_slice(),
            _ => std::slice::from_ref(node),
        };
        let formulas = nodes.iter().filter_map(|node| read_formula(reader, node, word, names));
        objectives.extend(formulas.map(|formula| Objective {
            name: formula.text.value.clone(),
            formula,
            goal,
        }));
    }
    objectives
}

fn count(reader: &Reader, span: Span, word: &str, expected: usize, found: usize) -> Option<Analysis> {
    let message = format!("`{word}` needs {expected} of `minimize` and `maximize` together, found {found}");
    reader.push(Diagnostic::error(codes::ONE_OF, message, span, "expected other objectives"));
    None
}
