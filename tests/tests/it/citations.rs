//! Every citation of docs/HARDWARE.md names a section of that page, and every tag is in its legend.
//!
//! A citation is `HARDWARE`, the number of a section, and usually a source in brackets, as in
//! `HARDWARE 1.2 [P-OCC]` or `HARDWARE 1.3 Volkov [M]`.

use std::collections::BTreeSet;
use std::fs;
use test_support::workspace::{files, relative, root};

/// Word before the number of a section.
const WORD: &str = "HARDWARE ";

/// Types of files that can contain citations.
const EXTENSIONS: [&str; 6] = ["rs", "ron", "md", "ptx", "csv", "snap"];

/// Sections and tags of docs/HARDWARE.md.
struct Page {
    sections: BTreeSet<String>,
    tags: BTreeSet<String>,
}

impl Page {
    fn new(text: &str) -> Self {
        let headings = text.lines().filter(|line| line.starts_with("## ") || line.starts_with("### "));
        let numbers =
            headings.filter_map(|line| line.split(' ').nth(1)).map(|word| word.trim_end_matches('.'));
        let legend = text.lines().filter_map(|line| line.strip_prefix("| `[")?.split_once("]` |"));
        Self {
            sections: numbers.filter(|word| section(word) == Some(word)).map(str::to_owned).collect(),
            tags: legend.map(|(tag, _)| tag.to_owned()).collect(),
        }
    }

    /// Errors of the citations in `text`, and the number of citations.
    fn check(&self, text: &str) -> (Vec<String>, usize) {
        let text = joined(text);
        let (mut errors, mut count) = (Vec::new(), 0);
        for (at, _) in text.match_indices(WORD) {
            let rest = &text[at + WORD.len()..];
            let Some(section) = section(rest) else { continue };
            count += 1;
            if !self.sections.contains(section) {
                errors.push(format!("HARDWARE {section}: no such section"));
            }
        }
        for tag in tags(&text).filter(|tag| !self.tags.contains(*tag)) {
            errors.push(format!("[{tag}]: not in the legend"));
        }
        (errors, count)
    }
}

/// Number of a section at the beginning of `text`, such as `4` or `1.2`.
fn section(text: &str) -> Option<&str> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let number = text[..end].trim_end_matches('.');
    (!number.is_empty()).then_some(number)
}

/// Tags of sources in `text`: the first words in brackets, if they have the form of a tag.
fn tags(text: &str) -> impl Iterator<Item = &str> {
    text.split('[').skip(1).filter_map(|rest| {
        let (inside, _) = rest.split_once(']')?;
        let tag = inside.split([' ', ':']).next()?;
        let (kind, detail) = tag.split_at_checked(1)?;
        let plain = detail.strip_prefix('-').is_some_and(|name| {
            name.len() > 1 && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit())
        });
        let is_tag = match kind {
            "P" => plain,
            "C" | "2" | "S" => plain || detail.is_empty(),
            "M" => ["", "+", "-"].contains(&detail),
            _ => false,
        };
        is_tag.then_some(tag)
    })
}

/// The text with comments and paragraphs of several lines on one line.
fn joined(text: &str) -> String {
    let line = |line: &str| line.trim_start().trim_start_matches(['/', '!']).trim().to_owned();
    text.lines().map(line).collect::<Vec<_>>().join(" ")
}

#[test]
fn every_citation_of_hardware_names_a_section_and_a_tag() {
    let page = Page::new(&fs::read_to_string(root().join("docs/HARDWARE.md")).expect("the page is there"));
    let mut files = files(&root(), &EXTENSIONS);
    files.retain(|file| !file.ends_with(file!()));
    let (mut errors, mut citations) = (Vec::new(), 0);
    for file in files {
        let text = fs::read_to_string(&file).expect("a source file is readable");
        let name = relative(&file);
        let (mut found, count) = page.check(&text);
        // Brackets of program text are not tags.
        if file.extension().is_some_and(|own| own == "rs" || own == "ptx") {
            found.retain(|error| error.starts_with(WORD));
        }
        errors.extend(found.into_iter().map(|error| format!("{name}: {error}")));
        citations += count;
    }
    assert!(errors.is_empty(), "\n{}", errors.join("\n"));
    assert!(citations > 400, "the chip files cite the page; {citations} citations were found");
}

#[test]
fn a_wrong_section_and_a_wrong_tag_are_found() {
    let page = Page::new("# 9 Title\n| `[P-OCC]` | sheet |\n| `[M+]` | sure |\n## 4. DRAM\n### 1.2 SM\n");
    for good in
        ["HARDWARE 1.2 [P-OCC tab. 1]", "HARDWARE 4 Wong [M+].", "// HARDWARE\n    // 1.2: x", "a [P-…] b"]
    {
        let (errors, count) = page.check(good);
        assert_eq!(errors, [""; 0], "{good}");
        assert_eq!(count, usize::from(good.contains("HARDWARE")), "{good}");
    }
    for bad in ["HARDWARE 1.3", "HARDWARE 9", "HARDWARE 1.2 [M]", "HARDWARE 1.2 [P-OCC][P-XYZ: 7]"] {
        assert_eq!(page.check(bad).0.len(), 1, "{bad}");
    }
}
