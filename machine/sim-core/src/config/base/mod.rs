//! A chip with a base: `base: "g80"`, and only the differences.
//!
//! Records and maps merge field by field; all other values replace the value of the base. Every
//! value keeps its place in the file that has it, so that complaints show the right file. This
//! module reads no file: the caller of [`Texts::collect`] passes the texts.
//!
//! Invariant `based-chips`: The values of a chip file override the values of its base, and every
//! message shows the file that it is about.

use super::builtin::builtin_text;
use super::codes;
use super::source::{Complaints, Sources};
use super::tree::{self, Field, Node, NodeKind};
use isa::diag::Diagnostic;
use isa::span::Span;
use std::borrow::Cow;
use std::sync::OnceLock;

/// The field that names a chip's base.
const BASE: &str = "base";

/// Largest number of chips in a chain of bases.
const MOST_LAYERS: usize = 16;

/// The text of one chip file.
#[derive(Clone, Debug)]
pub struct Text {
    /// Identity of the file, the same for every spelling of its path. It detects a circle of bases.
    pub id: String,
    /// The name that complaints show.
    pub name: String,
    /// The RON text.
    pub text: Cow<'static, str>,
}

impl Text {
    /// The text of a built-in chip; `None` for a name that is not built in.
    pub fn builtin(name: &str) -> Option<Self> {
        let text = builtin_text(name)?;
        Some(Self { id: name.to_owned(), name: format!("{name} (built-in chip)"), text: text.into() })
    }

    /// The `name` of the chip or, without one, the name that complaints show.
    pub fn chip_name(&self) -> String {
        let name = self.tree(0).ok().and_then(|tree| string_of(&tree, "name"));
        name.unwrap_or_else(|| self.name.clone())
    }

    /// The tree of the text, whose spans count from `base`; `Err` has its syntax errors.
    fn tree(&self, base: usize) -> Result<Node, Vec<Diagnostic>> {
        let own: &str = &self.text;
        let is_builtin = builtin_text(&self.id).is_some_and(|text| std::ptr::eq(text, own));
        // A test reads every built-in chip.
        if is_builtin { tree::parse_valid(&self.text, base) } else { tree::parse(&self.text, base) }
    }
}

/// The texts of a chip: its own, that of its base, and so on to a chip without a base.
#[derive(Clone, Debug)]
pub struct Texts {
    /// The chip's own first.
    layers: Vec<Text>,
    /// The same texts, with the places of the spans of the trees.
    sources: Sources,
    /// The tree of each text, or its syntax errors.
    trees: Vec<Result<Node, Vec<Diagnostic>>>,
    /// The reason why the base of the last text is missing.
    lost: Option<Lost>,
    /// The tree, read once: many runs change only some values of one chip.
    tree: OnceLock<Result<Layers, Complaints>>,
}

/// The reason why a base is missing.
#[derive(Clone, Debug)]
enum Lost {
    /// It is unknown; a note with the known names.
    Unknown(String),
    /// It is one of the chips that are based on it.
    Circle,
    /// The chain of bases is too long.
    TooMany,
}

impl Texts {
    /// A chip whose bases are all built in.
    pub fn new(own: Text) -> Self {
        Self::collect(own, |base, _| {
            let names: Vec<&str> = super::builtin::builtin_names().collect();
            Text::builtin(base).ok_or_else(|| format!("built-in chips: {}", names.join(", ")))
        })
    }

    /// A chip with all its bases. `find` gets the name of a base and the text that names it. It
    /// returns the text of the base, or a note with the reason why there is none.
    pub fn collect(own: Text, mut find: impl FnMut(&str, &Text) -> Result<Text, String>) -> Self {
        let (mut layers, mut sources, mut trees) = (Vec::new(), Sources::default(), Vec::new());
        let (mut next, mut lost) = (Some(own), None);
        while let Some(text) = next.take() {
            let tree = text.tree(sources.add(&*text.name, &*text.text));
            let base = tree.as_ref().ok().and_then(|tree| string_of(tree, BASE));
            layers.push(text);
            trees.push(tree);
            let (Some(base), Some(last)) = (base, layers.last()) else { break };
            match find(&base, last) {
                Err(why) => lost = Some(Lost::Unknown(why)),
                Ok(text) if layers.iter().any(|l| l.id == text.id) => lost = Some(Lost::Circle),
                Ok(_) if layers.len() == MOST_LAYERS => lost = Some(Lost::TooMany),
                Ok(text) => next = Some(text),
            }
        }
        Self { layers, sources, trees, lost, tree: OnceLock::new() }
    }

    /// The chip's own text.
    pub fn own(&self) -> &Text {
        &self.layers[0]
    }

    /// All texts, the chip's own first.
    pub fn all(&self) -> &[Text] {
        &self.layers
    }

    /// The tree of the chip, with its values on top of those of its bases. `Err` has syntax errors.
    pub fn read(&self) -> Result<Layers, Complaints> {
        self.tree.get_or_init(|| self.parse()).clone()
    }

    fn parse(&self) -> Result<Layers, Complaints> {
        let sources = self.sources.clone();
        let errors: Vec<Diagnostic> =
            self.trees.iter().filter_map(|tree| tree.as_ref().err()).flatten().cloned().collect();
        let mut trees: Vec<Node> = self.trees.iter().filter_map(|tree| tree.as_ref().ok()).cloned().collect();
        if !errors.is_empty() {
            return Err(Complaints::new(errors, sources));
        }
        let mut diagnostics = Vec::new();
        let mut partial = false;
        let last = trees.len() - 1;
        for (i, tree) in trees.iter_mut().enumerate() {
            let lost = self.lost.as_ref().filter(|_| i == last);
            partial |= take_base(tree, lost, &mut diagnostics);
        }
        let root = trees.pop().expect("a chip has a text");
        let root = trees.iter().rev().fold(root, |root, over| merge(over, root));
        Ok(Layers { sources, root, partial, diagnostics })
    }
}

/// The tree of a chip, from all its files.
#[derive(Clone, Debug)]
pub struct Layers {
    /// The texts of the spans of the tree, the chip's own first.
    pub sources: Sources,
    /// The chip.
    pub root: Node,
    /// Whether a part of the chip is missing, because a base is missing.
    pub(super) partial: bool,
    /// Complaints about the bases.
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// The string of a field of a file; `None` without such a field, or if the text is no chip.
fn string_of(tree: &Node, name: &str) -> Option<String> {
    let NodeKind::Struct(fields) = &tree.kind else { return None };
    match &fields.iter().find(|field| field.name == name)?.value.kind {
        NodeKind::Str(value) => Some(value.clone()),
        _ => None,
    }
}

/// Removes the field `base` from a file, and complains of a bad one. Returns whether the base is
/// missing.
fn take_base(tree: &mut Node, lost: Option<&Lost>, diagnostics: &mut Vec<Diagnostic>) -> bool {
    let NodeKind::Struct(fields) = &mut tree.kind else { return false };
    let named: Vec<Field> = fields.extract_if(.., |f| f.name == BASE).collect();
    let Some(first) = named.first() else { return false };
    for again in &named[1..] {
        let message = "duplicate field `base`";
        let diagnostic =
            Diagnostic::error(codes::DUPLICATE_FIELD, again.name_span, message).label("second value");
        diagnostics.push(diagnostic.at(first.name_span, "first value"));
    }
    let span = first.value.span;
    let NodeKind::Str(base) = &first.value.kind else {
        let message = format!("base must be a string in double quotes, found {}", first.value.describe());
        diagnostics.push(
            Diagnostic::error(codes::WRONG_TYPE, span, message).label("expected a string in double quotes"),
        );
        return true;
    };
    diagnostics.extend(lost.map(|lost| lost.diagnostic(base, span)));
    lost.is_some()
}

impl Lost {
    fn diagnostic(&self, base: &str, span: Span) -> Diagnostic {
        match self {
            Self::Unknown(why) => {
                let message = format!("unknown base chip `{base}`");
                let label = "expected a built-in chip or the path of a chip file";
                Diagnostic::error(codes::UNKNOWN_BASE, span, message).label(label).note(why.clone())
            }
            Self::Circle => {
                let message = format!("base `{base}` is based on this chip");
                Diagnostic::error(codes::BASE_CIRCLE, span, message).label("circular base")
            }
            Self::TooMany => {
                let message = format!("the chain of base chips has more than {MOST_LAYERS} chips");
                Diagnostic::error(codes::BASE_CIRCLE, span, message).label("one base too many")
            }
        }
    }
}

/// `base` with the values of `over` on top.
fn merge(over: &Node, base: Node) -> Node {
    let Node { span, kind } = base;
    let kind = match (&over.kind, kind) {
        (NodeKind::Struct(above), NodeKind::Struct(mut fields)) => {
            let mut seen: Vec<&str> = Vec::new();
            for field in above {
                let below = fields.iter_mut().find(|f| f.name == field.name);
                match below.filter(|_| !seen.contains(&field.name.as_str())) {
                    Some(below) => {
                        merge_into(&field.value, &mut below.value);
                        below.name_span = field.name_span;
                    }
                    // New, or a duplicate: the reader complains of both at their places.
                    None => fields.push(field.clone()),
                }
                seen.push(&field.name);
            }
            NodeKind::Struct(fields)
        }
        (NodeKind::Tuple(items), NodeKind::Struct(fields)) if items.is_empty() => NodeKind::Struct(fields),
        (NodeKind::Map(above), NodeKind::Map(mut entries)) => {
            let mut seen: Vec<&NodeKind> = Vec::new();
            for (key, value) in above {
                let below = entries.iter_mut().find(|(k, _)| k.kind == key.kind);
                match below.filter(|_| !seen.contains(&&key.kind)) {
                    Some((_, below)) => merge_into(value, below),
                    None => entries.push((key.clone(), value.clone())),
                }
                seen.push(&key.kind);
            }
            NodeKind::Map(entries)
        }
        _ => return over.clone(),
    };
    Node { span, kind }
}

fn merge_into(over: &Node, below: &mut Node) {
    let base = std::mem::replace(below, Node { span: Span::default(), kind: NodeKind::Other });
    *below = merge(over, base);
}

#[cfg(test)]
mod tests;
