//! The tables of fields in `docs/REPORT.md`, from the doc comments of the report's types. `BLESS=1`
//! writes them.

use std::collections::BTreeMap;
use std::fs;
use test_support::workspace::{files, root};

const BEGIN: &str = "<!-- fields: ";
const END: &str = "<!-- end of fields -->\n";

/// A field of a serialized type.
struct Field {
    name: String,
    /// Its doc comment.
    about: String,
    /// Its type, if the fields of this type take its place in the document.
    flattened: Option<String>,
}

/// The serialized structs of a source file, by name.
fn structs(text: &str, out: &mut BTreeMap<String, Vec<Field>>) {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    for (i, line) in lines.iter().enumerate() {
        let Some((_, rest)) = line.split_once("struct ").filter(|_| line.ends_with('{')) else { continue };
        let attributes = lines[..i].iter().rev().take_while(|line| line.starts_with("#["));
        if !attributes.into_iter().any(|line| line.starts_with("#[derive(") && line.contains("Serialize")) {
            continue;
        }
        let name = rest.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_owned();
        out.insert(name, fields(&lines[i + 1..]));
    }
}

/// Reads the fields of a struct up to its closing brace.
fn fields(lines: &[&str]) -> Vec<Field> {
    let (mut fields, mut about, mut is_flat, mut is_skipped) = (Vec::new(), Vec::new(), false, false);
    for line in lines.iter().take_while(|line| **line != "}") {
        if let Some(words) = line.strip_prefix("///") {
            about.push(words.trim());
        } else if line.starts_with("#[") {
            is_flat |= line.contains("serde(flatten)");
            is_skipped |= line.contains("serde(skip)");
        } else if let Some((name, kind)) = line.trim_end_matches(',').split_once(": ") {
            let name = name.trim_start_matches("pub ").to_owned();
            let flattened = is_flat.then(|| kind.to_owned());
            if !is_skipped {
                fields.push(Field { name, about: about.join(" "), flattened });
            }
            (about, is_flat, is_skipped) = (Vec::new(), false, false);
        }
    }
    fields
}

/// Returns a doc comment as text of the page, and its unit: the last sentence, `Unit: bytes.`
fn text(about: &str) -> (String, String) {
    let (words, unit) = about.rsplit_once(" Unit: ").unwrap_or((about, ""));
    let words = words.replace('|', "\\|").replace("[`", "`").replace("`]", "`");
    let mut out = String::new();
    let mut rest = words.as_str();
    // Pages in the comments become links.
    while let Some(at) = rest.find("docs/") {
        let page: &str = &rest[at + 5..];
        let end = page.find(".md").map_or(0, |end| end + 3);
        out += &rest[..at];
        out.extend([format!("[{0}]({0})", &page[..end])]);
        rest = &page[end..];
    }
    (nvprof(&(out + rest)), unit.trim_end_matches('.').to_owned())
}

/// Writes a name in parentheses, which is the name of nvprof, in italics.
fn nvprof(text: &str) -> String {
    let mut parts = text.split("(`");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let name = part.split_once("`)").filter(|(name, _)| {
            name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
        });
        if let Some((name, rest)) = name {
            out.extend([format!("(*{name}*){rest}")]);
        } else {
            out.extend([format!("(`{part}")]);
        }
    }
    out
}

/// Returns the rows of a struct.
fn rows(name: &str, all: &BTreeMap<String, Vec<Field>>) -> Vec<[String; 3]> {
    let fields = all.get(name).unwrap_or_else(|| panic!("docs/REPORT.md names the type {name}"));
    let row = |field: &Field| {
        if let Some(inner) = &field.flattened {
            return rows(inner, all);
        }
        let (about, unit) = text(&field.about);
        vec![[format!("`{}`", field.name), unit, about]]
    };
    fields.iter().flat_map(row).collect()
}

/// Returns the table of a struct, with a column of units if a field has one.
fn table(name: &str, all: &BTreeMap<String, Vec<Field>>) -> String {
    let rows = rows(name, all);
    let has_units = rows.iter().any(|[_, unit, _]| !unit.is_empty());
    let head = if has_units {
        "| field | unit | meaning |\n|---|---|---|\n"
    } else {
        "| field | meaning |\n|---|---|\n"
    };
    let row = |[name, unit, about]: &[String; 3]| {
        if has_units { format!("| {name} | {unit} | {about} |\n") } else { format!("| {name} | {about} |\n") }
    };
    format!("{head}{}", rows.iter().map(row).collect::<String>())
}

/// Tests: `documents-name-what-exists`.
#[test]
fn the_page_of_the_report_has_the_doc_comments_of_its_types() {
    let mut all = BTreeMap::new();
    for folder in ["machine/sim-core/src", "analysis/report/src"] {
        for path in files(&root().join(folder), &["rs"]) {
            structs(&fs::read_to_string(path).expect("a source file is readable"), &mut all);
        }
    }
    let path = root().join("docs/REPORT.md");
    let old = fs::read_to_string(&path).expect("the page is readable").replace("\r\n", "\n");
    let mut parts = old.split(BEGIN);
    let mut now = parts.next().unwrap_or_default().to_owned();
    let mut tables = 0;
    for part in parts {
        let (name, rest) = part.split_once(" -->\n").expect("the marker ends");
        let (_, after) = rest.split_once(END).expect("the table ends");
        now.extend([format!("{BEGIN}{name} -->\n\n{}\n{END}{after}", table(name, &all))]);
        tables += 1;
    }
    assert!(tables >= 25, "the page has tables; {tables} were found");
    if now == old {
        return;
    }
    let bless = std::env::var_os("BLESS").is_some_and(|value| value == "1");
    let differs = old.lines().zip(now.lines()).find(|(old, new)| old != new);
    assert!(bless, "docs/REPORT.md has old tables; run the test with BLESS=1: {differs:#?}");
    fs::write(path, now).expect("the page is writable");
}

#[test]
fn doc_comments_become_rows() {
    let source = "#[derive(Clone, Serialize)]\npub struct A {\n/// Bytes (`b_c`), see docs/B.md (`A::b`). Unit: bytes.\npub a: u64,\n\
                  #[serde(flatten)]\npub b: B,\n}\n#[derive(Serialize)]\nstruct B {\n/// One\n/// | two.\nc: u8,\n}\n";
    let mut all = BTreeMap::new();
    structs(source, &mut all);
    let rows = "| `a` | bytes | Bytes (*b_c*), see [B.md](B.md) (`A::b`). |\n| `c` |  | One \\| two. |\n";
    assert!(table("A", &all).ends_with(rows), "{}", table("A", &all));
}
