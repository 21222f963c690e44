//! The header of a module: checks `.target` against `.version`, and reports a header that is newer
//! than the simulator.

use crate::diag::{Diagnostic, Severity, nearest};
use crate::ptx::ast::{Ast, Function, Ident};
use crate::ptx::header::{DIRECTIVES, Header, LAST_TARGET, LAST_VERSION, Needs};
use crate::span::Span;
use crate::types::{Capability, Version};

/// The supported targets, each with the PTX version that introduced it.
const TARGETS: [(u32, Version); 6] = [
    (10, Version::new(1, 0)),
    (11, Version::new(1, 0)),
    (12, Version::new(1, 2)),
    (13, Version::new(1, 2)),
    (20, Version::new(2, 0)),
    (21, Version::new(2, 0)),
];

/// The first target above the supported ones, with the PTX version that introduced it.
const NEWER: (u32, Version) = (30, Version::new(3, 0));

/// The PTX version that introduced parameter lists of kernels; before it they were declared in the
/// body.
const LISTS: Version = Version::new(1, 4);

/// Code of the note about a header that is newer than the simulator.
const NEWER_HEADER: &str = "W0302";

/// The option for double precision below `sm_13`.
const MAP_F64: &str = "map_f64_to_f32";

/// Options that may follow the target, each with the PTX version that introduced it.
const OPTIONS: [(&str, Version); 4] = [
    (MAP_F64, Version::new(1, 0)),
    ("texmode_unified", Version::new(1, 5)),
    ("texmode_independent", Version::new(1, 5)),
    ("debug", Version::new(3, 0)),
];

/// Reports errors in the header and directives that its version does not have. Returns the header
/// against which the rest of the module is checked, and the capability that the module is compiled
/// for. Without a usable target the parser has already reported an error and no further one
/// follows.
pub fn check(tree: &Ast, diagnostics: &mut Vec<Diagnostic>) -> (Header, Capability) {
    let header = &Header::of(tree);
    let (capability, since) = target(tree, header, diagnostics);
    // A version below the target's minimum has already been reported; report it only once.
    let header = &header.at_least(since);
    for option in tree.target.iter().skip(1) {
        let Some((name, since)) = OPTIONS.iter().find(|(name, _)| *name == option.name) else {
            let near = nearest(option.name, OPTIONS.iter().map(|(name, _)| *name));
            let message = format!("unknown target option `{}`", option.name);
            let label = "expected map_f64_to_f32, texmode_unified, texmode_independent or debug";
            diagnostics.push(Diagnostic::error("E0310", option.span, message).label(label).meant(near));
            continue;
        };
        diagnostics.extend(too_new(name, *since, header, option.span));
        if *name == MAP_F64 && header.target().is_some_and(|target| target >= 13) {
            let message = format!("`{name}` is not allowed for sm_13 and above");
            let label = "these targets have double precision";
            diagnostics.push(Diagnostic::error("E0310", option.span, message).label(label));
        }
    }
    for word in &tree.versioned {
        let found = DIRECTIVES.iter().find(|(name, _)| *name == word.name);
        let name = format!(".{}", word.name);
        diagnostics.extend(found.and_then(|(_, needs)| header.rejection(&name, needs, word.span)));
    }
    for function in &tree.functions {
        directives(function, diagnostics);
        let listed = function.params.iter().any(|param| function.span.to(param.span) == function.span);
        if function.entry && listed {
            let what = "(…)` of `.entry";
            diagnostics.extend(header.rejection(what, &Needs::version(LISTS), function.span));
        }
    }
    diagnostics.extend(newer(tree, header));
    (*header, capability)
}

/// Checks the numbers of a function's performance directives.
fn directives(function: &Function, diagnostics: &mut Vec<Diagnostic>) {
    let error = |word: &Ident, message: String, label: &str| {
        Diagnostic::error("E0114", word.span, message).label(label)
    };
    for (word, numbers) in &function.directives {
        let most = match word.name {
            "maxntid" | "reqntid" => 3,
            "maxnreg" | "minnctapersm" | "maxnctapersm" => 1,
            _ => 0,
        };
        let count = numbers.len();
        if count > most || count == 0 && most > 0 {
            let expected = ["no number", "one number", "", "one to three numbers"][most];
            let message = format!("`.{}` has {count} numbers", word.name);
            diagnostics.push(error(word, message, &format!("expected {expected}")));
        } else if numbers.contains(&0) {
            let message = format!("`.{}` has a number that is 0", word.name);
            diagnostics.push(error(word, message, "expected positive numbers"));
        }
        if word.name == "noreturn" && function.entry {
            let message = "`.noreturn` is not allowed for an `.entry`".to_owned();
            diagnostics.push(error(word, message, "expected a `.func`"));
        }
    }
    let find = |name: &str| function.directives.iter().find(|(word, _)| word.name == name);
    if let (Some((word, _)), Some(_)) = (find("reqntid"), find("maxntid")) {
        let message = "`.maxntid` and `.reqntid` exclude each other".to_owned();
        diagnostics.push(error(word, message, "only one of them"));
    }
}

/// Returns the capability of `.target` and the PTX version that introduced it.
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
            diagnostics.push(Diagnostic::error("E0310", name.span, message).label(label));
        }
        return unknown;
    };
    diagnostics.extend(too_new(name.name, since, header, name.span));
    (Capability::new((number / 10) as u8, (number % 10) as u8), since)
}

/// Returns the error for a word of the header that requires a later PTX version.
fn too_new(name: &str, since: Version, header: &Header, span: Span) -> Option<Diagnostic> {
    let version = header.version().filter(|version| *version < since)?;
    let message = format!("`{name}` requires PTX {since}, but this module has .version {version}");
    let label = format!("not available in PTX {version}");
    Some(
        Diagnostic::error("E0314", span, message)
            .label(label)
            .help(format!("write `.version {since}` or above")),
    )
}

/// Returns the note for a header that is newer than this simulator. Compilers write such headers
/// also for code that needs no newer feature.
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
    let message = format!("{} {verb} read as PTX {LAST_VERSION} for sm_{LAST_TARGET}", names.join(" and "));
    let note = Diagnostic::error(NEWER_HEADER, *span, message).label("newer than this simulator");
    Some(Diagnostic { severity: Severity::Note, ..note })
}

/// Removes the notes about headers if there is another diagnostic or if they are not `wanted`, and
/// otherwise all but the first.
pub fn newer_once(diagnostics: &mut Vec<Diagnostic>, wanted: bool) {
    let mut left =
        usize::from(wanted && diagnostics.iter().all(|diagnostic| diagnostic.code == NEWER_HEADER));
    diagnostics.retain(|diagnostic| diagnostic.code != NEWER_HEADER || std::mem::take(&mut left) == 1);
}
