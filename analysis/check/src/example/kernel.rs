//! The text of a kernel as lines: which of them are instructions, and which may be removed.

use std::fmt::Write;

/// The lines of a module with one entry, in a form in which each line can be removed alone.
#[derive(Clone, Debug)]
pub(super) struct Kernel {
    /// `.version`, `.target`, the functions before the entry.
    head: Vec<String>,
    /// Names of the entry's parameters.
    pub params: Vec<String>,
    /// Declarations and statements of the entry, without the exit at its end.
    pub lines: Vec<String>,
}

/// Whether a line of PTX is an instruction.
fn is_instruction(line: &str) -> bool {
    let line = line.trim();
    !(line.is_empty()
        || line.starts_with('.')
        || line.starts_with("//")
        || line.starts_with(['{', '}'])
        || line.ends_with(':')
        || line.contains(".callprototype"))
}

/// Number of instructions of a text with one statement in a line.
pub(super) fn instructions(text: &str) -> usize {
    let of_line = |line: &str| line.split("//").next().unwrap_or("").matches(';').count();
    text.lines().filter(|line| is_instruction(line)).map(of_line).sum()
}

impl Kernel {
    /// Splits a text into lines. `None` if it has not the form of a generated kernel.
    pub fn of(text: &str) -> Option<Self> {
        let entry = text.find(".entry k (")?;
        let (head, rest) = text.split_at(entry);
        let (params, body) = rest.strip_prefix(".entry k (")?.split_once(')')?;
        let params = params.split(',').filter_map(|param| param.split_whitespace().last());
        let body = body.trim().strip_prefix('{')?.strip_suffix('}')?;
        let mut lines = Vec::new();
        for line in body.lines().map(str::trim).filter(|line| !line.is_empty()) {
            split(line, &mut lines);
        }
        if lines.last().is_some_and(|last| last == "exit;") {
            lines.pop();
        }
        Some(Self {
            head: head.lines().map(str::to_owned).collect(),
            params: params.map(str::to_owned).collect(),
            lines,
        })
    }

    /// The kernel without the functions before its entry.
    pub fn without_functions(&self) -> Self {
        let line = |line: &&String| line.starts_with(".version") || line.starts_with(".target");
        Self { head: self.head.iter().filter(line).cloned().collect(), ..self.clone() }
    }

    /// The kernel with other lines.
    pub fn with(&self, lines: &[String]) -> Self {
        Self { lines: lines.to_vec(), ..self.clone() }
    }

    /// The text of the module.
    pub fn text(&self) -> String {
        let params: Vec<String> = self.params.iter().map(|name| format!(".param .u32 {name}")).collect();
        let mut text = self.head.join("\n");
        let _ = write!(text, "\n.entry k ({})\n{{\n", params.join(", "));
        for line in &self.lines {
            if !line.ends_with(':') {
                text.push_str("    ");
            }
            text.push_str(line);
            text.push('\n');
        }
        text.push_str("    exit;\n}\n");
        text
    }
}

/// Adds the statements of a line, each declaration with one name.
fn split(line: &str, lines: &mut Vec<String>) {
    if let Some(label) = line.find(':').filter(|at| !line[..*at].contains([' ', '[', '"'])) {
        lines.push(line[..=label].to_owned());
        return split(line[label + 1..].trim(), lines);
    }
    for statement in line.split(';').map(str::trim).filter(|statement| !statement.is_empty()) {
        match statement.strip_prefix(".reg ").and_then(|rest| rest.split_once(' ')) {
            Some((kind, names)) => {
                let one = |name: &str| format!(".reg {kind} {};", name.trim());
                lines.extend(names.split(',').map(one));
            }
            None => lines.push(format!("{statement};")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kernel_is_split_into_lines_and_back() {
        let text = ".version 1.4\n.target sm_10\n.entry k (.param .u32 in, .param .u32 out)\n{\n.reg .u32 %r<2>, %x;\nL1: \
                    mov.u32 %x, 1; mov.u32 %x, 2;\nbra L1;\nexit;\n}\n";
        let kernel = Kernel::of(text).expect("a kernel");
        assert_eq!(kernel.params, ["in", "out"]);
        let lines =
            [".reg .u32 %r<2>;", ".reg .u32 %x;", "L1:", "mov.u32 %x, 1;", "mov.u32 %x, 2;", "bra L1;"];
        assert_eq!(kernel.lines, lines);
        assert_eq!(instructions(&kernel.text()), 4);
        assert!(isa::compile("k.ptx", &kernel.text()).0.is_some(), "{}", kernel.text());
    }
}
