//! What each field of a chip file means, from the one place that says it: the tables of
//! `docs/CONFIG.md`.
//!
//! The page is part of the program. A heading with a path (`### …` or `#### …`) says which struct
//! the tables below it tell of; `*` in a path stands for any name.
//!
//! Invariant `every-value-is-explained`: Every value of a chip is explained in docs/CONFIG.md, and
//! every metric in docs/METRICS.md.

use std::sync::LazyLock;

const MANUAL: &str = include_str!("../../docs/CONFIG.md");

/// What the manual says of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its path; `*` stands for any name.
    pub pattern: String,
    /// Its unit or its possible values; may be empty.
    pub unit: String,
    /// What it is.
    pub about: String,
    /// Whether it can change what a kernel computes or whether it may run; if not, only cycles.
    pub meaning: bool,
}

static FIELDS: LazyLock<Vec<Field>> = LazyLock::new(|| read(MANUAL));

/// What the manual says of the field at `path`; of a part of a list or tuple, what it says of the
/// whole.
pub fn find(path: &str) -> Option<&'static Field> {
    let exact = |path: &str| {
        let literal = FIELDS.iter().find(|f| f.pattern == path);
        literal.or_else(|| FIELDS.iter().find(|f| matches(&f.pattern, path)))
    };
    exact(path).or_else(|| {
        let (whole, place) = path.rsplit_once('.')?;
        place.parse::<usize>().ok().and_then(|_| exact(whole))
    })
}

/// The unit of the field at `path`, or of the only one whose path ends so; `None` where it is a
/// word or a struct.
pub fn unit_of(path: &str) -> Option<String> {
    let field = find(path).or_else(|| {
        let ends = |f: &&Field| f.pattern.strip_suffix(path).is_some_and(|head| head.ends_with('.'));
        let mut found = FIELDS.iter().filter(ends);
        found.next().filter(|_| found.next().is_none())
    })?;
    let kinds = ["struct", "map", "word", "name", "policy"];
    let is_unit = !field.unit.is_empty() && !field.unit.contains('`') && !kinds.contains(&&*field.unit);
    is_unit.then(|| field.unit.clone())
}

fn matches(pattern: &str, path: &str) -> bool {
    let (mut pattern, mut path) = (pattern.split('.'), path.split('.'));
    loop {
        match (pattern.next(), path.next()) {
            (None, None) => return true,
            (Some(p), Some(step)) if p == "*" || p == step => {}
            _ => return false,
        }
    }
}

/// The fields of all tables under the heading `## Fields`.
fn read(manual: &str) -> Vec<Field> {
    let mut fields = Vec::new();
    // The path that tables tell of, and whether all of it is meaning.
    let (mut path, mut all_meaning) = ("", false);
    let mut columns: Vec<&str> = Vec::new();
    let body = manual.lines().skip_while(|line| *line != "## Fields").skip(1);
    for line in body.take_while(|line| !line.starts_with("## ")) {
        if line.starts_with("###") {
            path = line.split('`').nth(1).unwrap_or_default();
            all_meaning = line.contains("**Meaning**");
        }
        let Some(row) = line.strip_prefix("| ").and_then(|l| l.trim_end().strip_suffix('|')) else {
            if !line.starts_with("|-") {
                columns.clear();
            }
            continue;
        };
        let cells: Vec<&str> = row.split(" |").map(str::trim).collect();
        if columns.is_empty() {
            columns = cells;
            continue;
        }
        let cell = |title: &str| columns.iter().position(|c| *c == title).and_then(|i| cells.get(i).copied());
        let (names, about) = match (cell("field"), cell("class")) {
            (Some(names), _) => (names, cell("what it is").unwrap_or_default().to_owned()),
            (_, Some(names)) => {
                (names, format!("cost of these instructions: {}", cell("instructions").unwrap_or_default()))
            }
            _ => continue,
        };
        for name in names.split('`').skip(1).step_by(2) {
            let parent = if cell("class").is_some() { path.trim_end_matches(".*") } else { path };
            let dot = if parent.is_empty() { "" } else { "." };
            let clean = about.replace("**Meaning**", "");
            fields.push(Field {
                pattern: format!("{parent}{dot}{name}"),
                unit: cell("unit").unwrap_or_default().to_owned(),
                about: clean.trim().trim_end_matches('.').to_owned(),
                meaning: all_meaning || about.contains("**Meaning**"),
            });
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_core::config::builtin::{builtin_names, builtin_text};
    use sim_core::config::source::Sources;
    use sim_core::config::{Chip, file, set, tree};

    #[test]
    fn tables_are_read_with_the_path_of_their_heading() {
        let text = "# x\n| field | unit | what it is |\n|---|---|---|\n| `no` | | no |\n## Fields\n### The chip\n\n\
                    | field | unit | what it is |\n|---|---|---|\n| `a`, `b` | MHz | one. **Meaning** |\n\n\
                    ### `lim`: all. **Meaning**\n\n| field | unit | what it is |\n|---|---|---|\n| `c` | | two |\n\n\
                    #### `k.*`\n\n| class | instructions |\n|---|---|\n| `mov` | moves |\n## Next\n";
        let field = |pattern: &str, unit: &str, about: &str, meaning| Field {
            pattern: pattern.into(),
            unit: unit.into(),
            about: about.into(),
            meaning,
        };
        let expected = [
            field("a", "MHz", "one", true),
            field("b", "MHz", "one", true),
            field("lim.c", "", "two", true),
            field("k.mov", "", "cost of these instructions: moves", false),
        ];
        assert_eq!(read(text), expected);
    }

    /// Tests: `every-value-is-explained`.
    #[test]
    fn every_value_of_every_chip_is_explained() {
        for name in builtin_names() {
            let root = tree::parse(builtin_text(name).unwrap(), 0).unwrap();
            for path in set::paths(&root) {
                let is_leaf = set::find(&root, &path).is_some_and(|node| set::children(node).is_empty());
                let named = path.starts_with("sm.units.");
                assert!(!is_leaf || find(&path).is_some() || named, "docs/CONFIG.md: no table has {path}");
            }
        }
    }

    #[test]
    fn every_row_is_a_field_of_some_chip() {
        let roots: Vec<_> =
            builtin_names().map(|n| tree::parse(builtin_text(n).unwrap(), 0).unwrap()).collect();
        // Parts that no built-in chip has, as one could have them.
        let level = "(entries: 16, ways: 16, miss_cycles: 50)";
        let sets = [
            ("sm.instr_cache", "(bytes: 4096, line_bytes: 256, ways: 4, instruction_bytes: 8)".to_owned()),
            ("cluster.tlb", format!("(page_bytes: 524288, first: {level}, second: {level})")),
        ]
        .map(|(path, value)| (path.to_owned(), value));
        let text = builtin_text("gt200").unwrap();
        assert!(Chip::from_ron("gt200.ron", text, &sets).is_ok(), "a sound chip");
        let mut whole = tree::parse(text, 0).unwrap();
        assert!(set::apply(&mut whole, &sets, &mut Sources::default()).is_empty());
        let roots = || roots.iter().chain([&whole]);
        let paths: Vec<String> = roots().flat_map(set::paths).chain(roots().flat_map(file::absent)).collect();
        for field in FIELDS.iter().filter(|f| !f.pattern.starts_with("sm.scheduler.")) {
            assert!(paths.iter().any(|p| matches(&field.pattern, p)), "no chip has {}", field.pattern);
        }
    }

    #[test]
    fn fields_are_found_by_path_and_units_by_the_end_of_one() {
        assert_eq!(find("sm.classes.mov.latency").unwrap().unit, "hot cycles");
        assert_eq!(find("limits.grid.2").unwrap().pattern, "limits.grid");
        assert!(find("sm.max_warps").unwrap().meaning && find("limits.block").unwrap().meaning);
        assert!(!find("crossbar.latency").unwrap().meaning);
        assert!(find("no.such").is_none());
        for (path, unit) in [
            ("sm.max_warps", Some("warps")),
            ("max_warps", Some("warps")),
            ("clocks.memory_mhz", Some("MHz")),
            ("scheduler", None),
            ("queue", None),
            ("register_scope", None),
        ] {
            assert_eq!(unit_of(path).as_deref(), unit, "{path}");
        }
    }
}
