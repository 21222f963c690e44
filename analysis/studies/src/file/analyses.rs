//! The questions of an experiment file about its results.

use super::names::{Known, parse_formula};
use super::schema::{Analysis, Goal, Objective, Objectives, Question};
use crate::codes;
use isa::diag::Diagnostic;
use isa::span::Spanned;
use sim_core::config::read::Reader;

/// Returns a question with its parsed formulas.
pub(super) fn resolve(
    reader: &Reader,
    question: &Spanned<Question>,
    names: &Known<'_>,
) -> Option<Spanned<Analysis>> {
    let wrong_count = |word: &str, expected: usize, found: usize| {
        // A formula with an error is an objective, too.
        if found == expected {
            return None;
        }
        let message =
            format!("`{word}` needs {expected} of `minimize` and `maximize` together, found {found}");
        let label = "expected other objectives";
        reader.push(Diagnostic::error(codes::ONE_OF, question.span, message).label(label));
        None
    };
    let value = match &question.value {
        Question::Effects(effects) => {
            let of = parse_formula(reader, &effects.of, names)?;
            Analysis::Effects { of, interactions: effects.interactions }
        }
        Question::Pareto(given) => match <[Objective; 2]>::try_from(objectives(reader, given, names)) {
            Ok(pair) => Analysis::Pareto(Box::new(pair)),
            Err(_) => return wrong_count("pareto", 2, count(given)),
        },
        Question::Best(best) => {
            let objectives = objectives(reader, &best.objectives, names);
            let condition = best.condition.as_ref().and_then(|text| parse_formula(reader, text, names));
            match <[Objective; 1]>::try_from(objectives) {
                Ok([objective]) => Analysis::Best { objective: Box::new(objective), condition },
                Err(_) => return wrong_count("best", 1, count(&best.objectives)),
            }
        }
    };
    Some(Spanned { value, span: question.span })
}

/// Number of objectives that are given.
fn count(given: &Objectives) -> usize {
    given.minimize.len() + given.maximize.len()
}

fn objectives(reader: &Reader, given: &Objectives, names: &Known<'_>) -> Vec<Objective> {
    let minimize = given.minimize.iter().map(|text| (text, Goal::Minimize));
    let maximize = given.maximize.iter().map(|text| (text, Goal::Maximize));
    let objective = |(text, goal): (&Spanned<String>, Goal)| {
        Some(Objective { name: text.value.clone(), formula: parse_formula(reader, text, names)?, goal })
    };
    minimize.chain(maximize).filter_map(objective).collect()
}
