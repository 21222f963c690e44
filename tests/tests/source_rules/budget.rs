//! The size of the program: each theme has a budget of production lines, so that a feature that
//! makes a theme larger says so in its commit.

use super::{Source, none, sources};
use std::fs;
use test_support::workspace::root;

/// The themes are folders, from the machine upwards.
const THEMES: [&str; 6] = ["machine", "kernels", "language", "analysis", "course", "doors"];

const TABLE: &str = "tests/tests/source_rules/budget.tsv";

/// Lines of code that are shipped, without empty ones and comments.
fn lines(source: &Source) -> usize {
    source.shipped().filter(|(_, line)| !line.trim().is_empty()).count()
}

/// The budgets are the sizes of the last commit that changed them: a theme may be up to 2 % larger.
/// `BLESS=1` writes the present sizes; the commit says what they pay for.
#[test]
fn no_theme_is_larger_than_its_budget() {
    let sources = sources();
    let sizes = THEMES.map(|theme| {
        let is_own = |source: &&Source| source.path.split('/').next() == Some(theme) && !source.is_test();
        (theme, sources.iter().filter(is_own).map(lines).sum::<usize>())
    });
    if std::env::var_os("BLESS").is_some() {
        let rows = sizes.map(|(theme, size)| format!("{theme}\t{size}\n"));
        let text = format!("# theme\tproduction lines of Rust\n{}", rows.concat());
        fs::write(root().join(TABLE), text).expect("the table is written");
    }
    let table = fs::read_to_string(root().join(TABLE)).expect("the table");
    let budget = |theme: &str| {
        let row = table.lines().find_map(|row| row.strip_prefix(theme)?.strip_prefix('\t'));
        row.and_then(|number| number.parse::<usize>().ok()).expect("each theme has a budget")
    };
    let complaints = sizes.into_iter().filter_map(|(theme, size)| {
        let most = budget(theme) + budget(theme) / 50;
        (size > most).then(|| {
            format!("{theme}: {size} lines, and its budget is {most}: simplify, or raise it with a reason")
        })
    });
    none(&complaints.collect::<Vec<_>>());
}

/// Each folder with Rust code that is shipped is a theme.
#[test]
fn every_folder_has_a_theme() {
    let others = ["tests", "examples"];
    let mut complaints: Vec<String> = sources()
        .iter()
        .filter(|source| !source.is_test())
        .filter_map(|source| source.path.split('/').next().map(str::to_owned))
        .filter(|top| !THEMES.contains(&top.as_str()) && !others.contains(&top.as_str()))
        .collect();
    complaints.dedup();
    none(&complaints);
}
