//! The module's header: what `.target` names, whether `.version` has it, and what is done about a
//! newer one.

use crate::diag::{Diagnostic, Severity, nearest};
use crate::ptx::ast::{Ast, Ident};
use crate::ptx::header::{DIRECTIVES, Header, LAST_TARGET, LAST_VERSION};
use crate::span::Span;
use crate::types::{Capability, Version};

/// The targets whose instructions this simulator knows, and the versions that brought them.
const TARGETS: [(u32, Version); 6] = [
    (10, Version::new(1, 0)),
    (11, Version::new(1, 0)),
    (12, Version::new(1, 2)),
    (13, Version::new(1, 2)),
    (20, Version::new(2, 0)),
    (21, Version::new(2, 0)),
];

/// The first target beyond them, and the version that brought it.
const NEWER: (u32, Version) = (30, Version::new(3, 0));

/// What may stand behind the target, and the versions that brought it.
const OPTIONS: [(&str, Version); 4] = [
    ("map_f64_to_f32", Version::new(1, 0)),
    ("texmode_unified", Version::new(1, 5)),
    ("texmode_independent", Version::new(1, 5)),
    ("debug", Version::new(3, 0)),
];

/// Complains about what is wrong with the header, and about directives that it does not have.
/// Returns what the rest of the module is held against, and the capability that it is compiled for.
/// Without a usable target the parser's complaint stands, and no other follows.
pub fn check(tree: &Ast, diagnostics: &mut Vec<Diagnostic>) -> (Header, Capability) {
    let header = &Header::of(tree);
    let (capability, since) = target(tree, header, diagnostics);
    // A version below that of the target has been complained about: once.
    let header = &header.at_least(since);
    for option in tree.target.iter().skip(1) {
        let Some((name, since)) = OPTIONS.iter().find(|(name, _)| *name == option.name) else {
            let near = nearest(option.name, OPTIONS.iter().map(|(name, _)| *name));
            let message = format!("unknown target option `{}`", option.name);
            let label = "expected map_f64_to_f32, texmode_unified, texmode_independent or debug";
            diagnostics.push(Diagnostic::error("E0310", message, option.span, label).meant(near));
            continue;
        };
        diagnostics.extend(too_new(name, *since, header, option.span));
    }
    for word in &tree.dated {
        let found = DIRECTIVES.iter().find(|(name, _)| *name == word.name);
        let name = format!(".{}", word.name);
        diagnostics.extend(found.and_then(|(_, needs)| header.refusal(&name, needs, word.span)));
    }
    diagnostics.extend(newer(tree, header));
    (*header, capability)
}

/// The capability of `.target`, and the version that brought it.
fn target(tree: &Ast, header: &Header, diagnostics: &mut Vec<Diagnostic>) -> (Capability, Version) {
    let unknown = (Capability::new(u8::MAX, 9), Version::new(1, 0));
    let Some(name) = tree.target.first() else { return unknown };
    let known = |number| match number {
        30.. => Some(NEWER.1),
        _ => TARGETS.iter().find(|(target, _)| *target == number).map(|(_, since)| *since),
    };
    let Some((number, since)) = header.target().and_then(|number| Some((number, known(number)?))) else {
        if !diagnostics.iter().any(Diagnostic::is_error) {
            let message = format!("unknown target `{}`", name.name);
            let label = "expected sm_10, sm_11, sm_12, sm_13, sm_20 or sm_21";
            diagnostics.push(Diagnostic::error("E0310", message, name.span, label));
        }
        return unknown;
    };
    diagnostics.extend(too_new(name.name, since, header, name.span));
    (Capability::new((number / 10) as u8, (number % 10) as u8), since)
}

/// A word of the header that the version does not have.
fn too_new(name: &str, since: Version, header: &Header, span: Span) -> Option<Diagnostic> {
    let version = header.version().filter(|version| *version < since)?;
    let message = format!("`{name}` requires PTX {since}, but this module has .version {version}");
    let label = format!("not available in PTX {version}");
    Some(Diagnostic::error("E0314", message, span, label).help(format!("write `.version {since}` or above")))
}

/// A header that is newer than this simulator, which compilers write for code that needs nothing
/// newer.
fn newer(tree: &Ast, header: &Header) -> Option<Diagnostic> {
    let version = tree.version.filter(|_| header.version().is_some_and(|version| version > LAST_VERSION));
    let target = tree.target.first().filter(|_| header.target().is_some_and(|target| target > LAST_TARGET));
    let mut parts: Vec<(Span, String)> = Vec::new();
    if let Some((major, minor, span)) = version {
        parts.push((span, format!("`.version {major}.{minor}`")));
    }
    if let Some(Ident { name, span }) = target {
        parts.push((*span, format!("`.target {name}`")));
    }
    let (span, _) = *parts.first().as_ref()?;
    let names: Vec<&str> = parts.iter().map(|(_, name)| name.as_str()).collect();
    let verb = if names.len() > 1 { "are" } else { "is" };
    let message = format!("{} {verb} newer than this simulator supports", names.join(" and "));
    let label = format!("read as PTX {LAST_VERSION} for sm_{LAST_TARGET}");
    let note = format!(
        "features newer than PTX {LAST_VERSION} or sm_{LAST_TARGET} are rejected where they are used"
    );
    let note = Diagnostic::error("W0302", message, *span, label).note(note);
    Some(Diagnostic { severity: Severity::Note, ..note })
}
