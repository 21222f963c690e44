//! HTML pages: one file without references to other files, in light and dark colors, printable.
//!
//! A page is complete without scripts: its tables, reports and pictures are in the HTML. The only
//! script replaces the picture of a timeline by one that can be zoomed;
//! `doors/web/src/report/main.ts` is its source, which the browser lab shares, and
//! `doors/web/build.mjs` makes `assets/page.js` and
//! `assets/page.css`.
//!
//! Invariant `pages-stand-alone`: A page of `--html` loads nothing, and texts from files cannot add
//! elements or scripts to it.

use crate::recorded::timeline::Timeline;
use crate::text::{entities, visible};
use serde::Serialize;
use std::fmt::Write as _;

/// Script that makes timelines.
const SCRIPT: &str = include_str!("../../assets/page.js");
/// Style of all pages.
const STYLE: &str = include_str!("../../assets/page.css");

/// Permits only what is inside the page.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

/// A page in the making.
#[derive(Debug)]
pub struct Page {
    title: String,
    /// Identifiers and titles of the sections.
    sections: Vec<(String, String)>,
    body: String,
    has_timeline: bool,
}

impl Page {
    /// A page with a title and no contents.
    pub fn new(title: &str) -> Self {
        Self { title: escaped(title), sections: Vec::new(), body: String::new(), has_timeline: false }
    }

    /// Adds the answer of the page: whether it is good, and one sentence.
    pub fn answer(&mut self, is_good: bool, text: &str) {
        let kind = if is_good { "good" } else { "bad" };
        let _ = writeln!(self.body, "<p class=\"answer {kind}\">{}</p>", prose(text));
    }

    /// Begins a section. `id` is unique in the page, and the address of the section in it.
    pub fn section(&mut self, id: &str, title: &str) {
        self.end_section();
        let (id, title) = (escaped(id), escaped(title));
        let _ = writeln!(self.body, "<section id=\"{id}\" aria-labelledby=\"{id}-title\">");
        let _ = writeln!(self.body, "<h2 id=\"{id}-title\">{title}</h2>");
        self.sections.push((id, title));
    }

    fn end_section(&mut self) {
        if !self.sections.is_empty() {
            self.body += "</section>\n";
        }
    }

    /// Adds a heading inside a section.
    pub fn heading(&mut self, text: &str) {
        let _ = writeln!(self.body, "<h3>{}</h3>", escaped(text));
    }

    /// Adds a paragraph. Here, in notes, answers and tables, a part in backquotes is code.
    pub fn paragraph(&mut self, text: &str) {
        let _ = writeln!(self.body, "<p>{}</p>", prose(text));
    }

    /// Adds an explanation.
    pub fn note(&mut self, text: &str) {
        let _ = writeln!(self.body, "<p class=\"note\">{}</p>", prose(text));
    }

    /// Adds a text with its line ends, such as a report. `name` is for screen readers.
    pub fn text(&mut self, name: &str, text: &str) {
        let (name, text) = (escaped(name), escaped(text.trim_end()));
        let _ = writeln!(self.body, "<pre tabindex=\"0\" role=\"region\" aria-label=\"{name}\">{text}</pre>");
    }

    /// Adds a table; `numbers` marks the columns of numbers, and `name` is for screen readers.
    pub fn table(&mut self, name: &str, titles: &[&str], numbers: &[bool], rows: &[Vec<String>]) {
        self.linked_table(name, titles, numbers, rows, &[]);
    }

    /// Adds a table as [`Self::table`] does; the first cell of row `i` is a link to the file
    /// `files[i]` beside the page.
    pub fn linked_table(
        &mut self,
        name: &str,
        titles: &[&str],
        numbers: &[bool],
        rows: &[Vec<String>],
        files: &[String],
    ) {
        let class = |column| if numbers.get(column) == Some(&true) { " class=\"number\"" } else { "" };
        let cell = |(column, text): (usize, &String)| format!("<td{}>{}</td>", class(column), prose(text));
        let title = |(column, title): (usize, &&str)| {
            format!("<th scope=\"col\"{}>{}</th>", class(column), escaped(title))
        };
        let head: String = titles.iter().enumerate().map(title).collect();
        let name = escaped(name);
        let _ = writeln!(
            self.body,
            "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"{name}\"><table>\n\
             <thead><tr>{head}</tr></thead>\n<tbody>"
        );
        for (number, row) in rows.iter().enumerate() {
            let link = files.get(number).zip(row.first());
            let first = link.map(|(file, text)| {
                // `./` keeps a name with a colon from being the scheme of an address.
                format!("<td><a href=\"./{}\">{}</a></td>", escaped(file), prose(text))
            });
            let rest = row.iter().enumerate().skip(usize::from(first.is_some())).map(cell);
            let cells: String = first.into_iter().chain(rest).collect();
            let _ = writeln!(self.body, "<tr>{cells}</tr>");
        }
        self.body += "</tbody></table></div>\n";
    }

    /// Adds a finished picture.
    pub fn picture(&mut self, name: &str, svg: &str) {
        let name = escaped(name);
        let _ = writeln!(
            self.body,
            "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"{name}\">\n{svg}</div>"
        );
    }

    /// Adds a timeline that a script draws and zooms; without scripts the page has the picture.
    pub fn timeline(&mut self, timeline: &Timeline, svg: &str) {
        self.has_timeline = true;
        let data = json(timeline);
        let _ = writeln!(
            self.body,
            "<div class=\"timeline\">\n<div class=\"wide\" tabindex=\"0\" role=\"region\" \
             aria-label=\"Timeline\">\n{svg}</div>\n<script type=\"application/json\">{data}</script>\n</div>"
        );
    }

    /// Begins two columns; [`Self::next_column`] begins the second one, and [`Self::end_columns`]
    /// ends both.
    pub fn columns(&mut self) {
        self.body += "<div class=\"columns\"><div>\n";
    }

    /// Begins the second column.
    pub fn next_column(&mut self) {
        self.body += "</div><div>\n";
    }

    /// Ends both columns.
    pub fn end_columns(&mut self) {
        self.body += "</div></div>\n";
    }

    /// Returns the page; `program` wrote it.
    pub fn finish(mut self, program: &str) -> String {
        self.end_section();
        let Self { title, sections, body, has_timeline } = self;
        let entry = |(id, title): &(String, String)| format!("<li><a href=\"#{id}\">{title}</a></li>");
        let entries: String = sections.iter().map(entry).collect();
        let navigation = if sections.len() > 1 {
            format!("<nav aria-label=\"Sections\"><ul>{entries}</ul></nav>\n")
        } else {
            String::new()
        };
        let script = if has_timeline { format!("<script>{SCRIPT}</script>\n") } else { String::new() };
        let program = escaped(program);
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
             <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n\
             <style>{STYLE}</style>\n</head>\n<body>\n<header>\n<h1>{title}</h1>\n{navigation}</header>\n\
             <main>\n{body}</main>\n<footer><p class=\"note\">{program}</p></footer>\n{script}</body>\n</html>\n"
        )
    }
}

/// Returns the data as JSON that cannot end its element: `<` occurs only inside strings.
fn json(data: &impl Serialize) -> String {
    let text = serde_json::to_string(data).expect("string keys and finite trees only");
    visible(&text).replace('<', "\\u003c")
}

/// Returns a text as HTML; its parts in backquotes are code.
fn prose(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return escaped(text);
    }
    let part = |(place, part): (usize, &&str)| match place % 2 {
        0 => escaped(part),
        _ => format!("<code>{}</code>", escaped(part)),
    };
    parts.iter().enumerate().map(part).collect()
}

/// Returns a text with the characters that HTML reserves as entities, and with visible control
/// characters.
fn escaped(text: &str) -> String {
    entities(&visible(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests: `pages-stand-alone`.
    #[test]
    fn texts_cannot_add_elements_or_end_the_data() {
        let evil = "</script><script>alert(1)</script><!-- \" & \u{1b}[2J";
        let mut page = Page::new(evil);
        page.answer(true, evil);
        page.section("one", evil);
        page.text(evil, evil);
        page.table(evil, &[evil], &[false], &[vec![evil.to_owned()]]);
        let timeline = Timeline::new(evil, 0, 1, 1);
        page.timeline(&timeline, "<svg></svg>");
        let text = page.finish(evil);
        assert!(!text.contains("alert(1)</script><") && !text.contains("<script>alert"), "{text}");
        assert!(!text.contains('\u{1b}'));
        let data = text.split("application/json\">").nth(1).and_then(|rest| rest.split("</script>").next());
        let read: serde_json::Value = serde_json::from_str(data.expect("data")).expect("JSON");
        assert_eq!(read["kernel"], evil);
    }

    #[test]
    fn parts_in_backquotes_are_code() {
        assert_eq!(prose("line `a < b`, `c`"), "line <code>a &lt; b</code>, <code>c</code>");
        assert_eq!(prose("one ` only"), "one ` only");
    }

    /// Tests: `pages-stand-alone`.
    #[test]
    fn a_page_without_a_timeline_has_no_script() {
        let mut page = Page::new("t");
        page.section("one", "One");
        page.paragraph("Text.");
        let text = page.finish("warpsim");
        assert!(!text.contains("<script") && !text.contains("<nav"));
        assert!(text.starts_with("<!DOCTYPE html>") && text.ends_with("</html>\n"));
    }

    /// Tests: `pages-stand-alone`.
    #[test]
    fn the_bundle_has_no_address() {
        let addresses = |text: &str| text.replace("http://www.w3.org/2000/svg", "").contains("http");
        assert!(!addresses(SCRIPT) && !addresses(STYLE) && !STYLE.contains("url("));
        assert!(!SCRIPT.contains("</script") && !STYLE.contains("</style"));
        assert!(SCRIPT.len() + STYLE.len() < 16_000, "the bundle has more than 16 kB");
    }
}
