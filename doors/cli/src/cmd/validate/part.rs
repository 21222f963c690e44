//! Pages of the documentation with a generated part: `--markdown` and `--ablation` renew it and
//! keep the text around it.

use std::fs;
use std::path::Path;

/// A page to write: its first lines, and the generated part after them.
pub struct Page {
    /// Title and introduction of a page that has only this part.
    pub head: &'static str,
    /// Name of the part, in the lines `<!-- begin NAME -->` and `<!-- end NAME -->`.
    pub name: &'static str,
    /// The generated text.
    pub part: String,
}

impl Page {
    /// Returns the text of the file at `path` with the new part between the lines of its name. A
    /// file without these lines, or no file, gets the whole page. An open
    /// output file does not change its path before it is written.
    pub fn text(&self, path: &Path) -> String {
        // A pipe or a terminal is not read.
        let old = if path.is_file() { fs::read_to_string(path).unwrap_or_default() } else { String::new() };
        self.renewed(&old).unwrap_or_else(|| format!("{}\n{}", self.head, self.part))
    }

    fn renewed(&self, old: &str) -> Option<String> {
        let [begin, end] = ["begin", "end"].map(|word| format!("<!-- {word} {} -->\n", self.name));
        let (before, rest) = old.split_once(&begin)?;
        let (_, after) = rest.split_once(&end)?;
        Some(format!("{before}{begin}\n{}\n\n{end}{after}", self.part.trim_end()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_part_of_that_name_changes() {
        let page = Page { head: "# Rows\n", name: "rows", part: "| new |\n".to_owned() };
        let old = "# A\n<!-- begin rows -->\n| old |\n<!-- end rows -->\nb\n";
        let new = "# A\n<!-- begin rows -->\n\n| new |\n\n<!-- end rows -->\nb\n";
        assert_eq!(page.renewed(old).as_deref(), Some(new));
        assert_eq!(page.renewed(new).as_deref(), Some(new));
        assert_eq!(page.renewed("# A\n<!-- begin others -->\n<!-- end others -->\n"), None);
        assert_eq!(page.text(Path::new("no such file")), "# Rows\n\n| new |\n");
    }
}
