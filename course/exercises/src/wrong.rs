//! Wrong programs of an exercise: whole, or as the difference to its starting program or solution.

use crate::exercise::Exercise;
use diffy::Patch;
use std::borrow::Cow;

/// End of the name of a difference.
const PATCH: &str = ".patch";

/// Returns the text of the wrong program in the file `name`: the text of the file or, for a
/// `.patch`, what this unified diff makes of the program that its first line names.
///
/// # Errors
///
/// The file is no unified diff, names another program, or does not fit it.
pub fn program<'t>(exercise: &Exercise, name: &str, text: &'t str) -> Result<Cow<'t, str>, String> {
    if !name.ends_with(PATCH) {
        return Ok(Cow::Borrowed(text));
    }
    let patch = Patch::from_str(text).map_err(|why| format!("{name} is no unified diff: {why}"))?;
    // `diff` writes the path that it was given.
    let base = patch.original().unwrap_or_default();
    let base = base.rsplit('/').next().unwrap_or_default();
    let (start, solution) = (exercise.rubric.language().start(), exercise.rubric.language().solution());
    let program = match base {
        _ if base == start => &exercise.start,
        _ if base == solution => &exercise.solution,
        _ => &None,
    };
    let Some(program) = program else {
        return Err(format!("{name}: the line `--- {base}` must name {start} or {solution}"));
    };
    diffy::apply(program, &patch).map(Cow::Owned).map_err(|why| format!("{name} does not fit {base}: {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin;

    #[test]
    fn a_difference_makes_a_program() {
        let exercise = builtin("vector-add").expect("an exercise");
        let solution = exercise.solution.clone().expect("a solution");
        let first = solution.lines().next().expect("a line");
        let patch = |base: &str, old: &str| format!("--- {base}\n+++ wrong\n@@ -1 +1 @@\n-{old}\n+// new\n");
        let made =
            |base: &str, old: &str| program(&exercise, "a.patch", &patch(base, old)).map(Cow::into_owned);
        for base in ["solution.cu", "./a/solution.cu", "solution.cu\t2026-11-27 20:49:21.000000000 +0000"] {
            assert_eq!(made(base, first), Ok(solution.replacen(first, "// new", 1)), "{base}");
        }
        assert_eq!(program(&exercise, "a.cu", "text"), Ok("text".into()));
        for (base, old, part) in [
            ("solution.cu", "no such line", "a.patch does not fit solution.cu: "),
            ("other.cu", first, "a.patch: the line `--- other.cu` must name start.cu or solution.cu"),
        ] {
            let why = made(base, old).expect_err("refused");
            assert!(why.starts_with(part), "{why}");
        }
        let why = program(&exercise, "a.patch", "@@ x").expect_err("refused");
        assert!(why.starts_with("a.patch is no unified diff: "), "{why}");
    }
}
