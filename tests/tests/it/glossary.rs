//! The glossary: in alphabetical order, each term once, each with its meaning and a link.

use std::fs;
use std::path::Path;

#[test]
fn the_glossary_is_sorted_and_every_term_has_a_link() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/GLOSSARY.md");
    let text = fs::read_to_string(path).expect("the page is there").replace("\r\n", "\n");
    let mut terms: Vec<String> = Vec::new();
    for entry in text.split("\n- **").skip(1) {
        let (term, meaning) = entry.split_once("**: ").expect("a colon follows the term");
        let (sentences, link) =
            meaning.rsplit_once(" [").or_else(|| meaning.rsplit_once("\n  [")).expect("a link");
        assert!(
            sentences.trim_end().ends_with('.') && link.contains("]("),
            "`{term}`: sentences, then a link"
        );
        let term = term.to_lowercase();
        if let Some(last) = terms.last() {
            assert!(*last < term, "`{term}` is behind `{last}`");
        }
        terms.push(term);
    }
    assert!(terms.len() >= 100, "{} terms", terms.len());
}
