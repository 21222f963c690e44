//! Merges the parsed modules of a program into one, as a linker does.
//!
//! A name without a linkage directive belongs to its module. The other names are shared: each has
//! one definition, to which the `.extern` declarations of all modules refer.

use super::header;
use super::layout::{align_of, size_of};
use crate::diag::Diagnostic;
use crate::ptx::ast::{Ast, Function, Linkage, Variable};
use crate::ptx::header::Header;
use crate::source::Source;
use crate::span::Span;
use crate::types::{Capability, StateSpace, Version};
use std::collections::{BTreeMap, BTreeSet};

/// Several modules as one.
#[derive(Debug)]
pub struct Modules<'t> {
    /// Definitions of all modules, in their order, and declarations without a definition. The
    /// header is that of the first module, with the address size of any module.
    pub tree: Ast<'t>,
    /// Header of each module.
    pub headers: Vec<Header>,
    /// Compute capability that the modules are compiled for.
    pub target: Capability,
    /// Variable of each name in each module, as an index into those of the tree.
    variables: BTreeMap<(u32, &'t str), u32>,
}

impl<'t> Modules<'t> {
    /// Merges the modules of `source`, followed by the module of the library if there is one.
    pub fn new(trees: Vec<Ast<'t>>, source: &Source, diagnostics: &mut Vec<Diagnostic>) -> Self {
        let files = source.files().iter().len();
        let checked: Vec<_> = trees.iter().take(files).map(|tree| header::check(tree, diagnostics)).collect();
        check_targets(&trees[..files], &checked, diagnostics);
        let mut headers: Vec<Header> = checked.iter().map(|(header, _)| *header).collect();
        headers.extend(trees.iter().skip(files).map(Header::of));
        let target = checked.first().map_or(Capability::new(u8::MAX, 9), |(_, target)| *target);
        let mut parts = (0..).zip(trees).map(|(number, mut tree)| {
            for variable in &mut tree.variables {
                variable.module = number;
            }
            for function in &mut tree.functions {
                function.module = number;
            }
            tree
        });
        let mut tree = parts.next().unwrap_or_default();
        for part in parts {
            tree.address_size = tree.address_size.or(part.address_size);
            tree.variables.extend(part.variables);
            tree.functions.extend(part.functions);
        }
        if headers.len() > 1 {
            name_apart(&mut tree, source);
        }
        let mut merged = Self { tree, headers, target, variables: BTreeMap::new() };
        merged.functions(diagnostics);
        merged.variables(diagnostics);
        merged
    }

    /// Returns the variable that a name of a module denotes.
    pub fn variable(&self, module: u32, name: &str) -> Option<u32> {
        self.variables.get(&(module, name)).copied()
    }

    /// Iterates over the names of the variables of a module.
    pub fn variables_of(&self, module: u32) -> impl Iterator<Item = (&'t str, u32)> {
        self.variables.range((module, "")..(module + 1, "")).map(|((_, name), number)| (*name, *number))
    }

    /// Returns `.version` of a module.
    pub fn version(&self, module: u32) -> (u32, u32) {
        let version = self.headers.get(module as usize).and_then(Header::version);
        version.map_or((1, 0), |Version { major, minor }| (major.into(), minor.into()))
    }

    /// Keeps one body of each shared name.
    fn functions(&mut self, diagnostics: &mut Vec<Diagnostic>) {
        let shared = shared_functions(&self.tree.functions);
        let is_weak = |function: &Function| function.linkage == Linkage::Weak;
        let mut kept: BTreeMap<&str, usize> = BTreeMap::new();
        let mut dropped = Vec::new();
        for (index, function) in self.tree.functions.iter().enumerate() {
            let name = function.name.name;
            if function.body.is_none() || !shared.contains(&(function.module, name)) {
                continue;
            }
            let Some(first) = kept.insert(name, index) else { continue };
            let earlier = &self.tree.functions[first];
            // Two bodies of one module are reported with the names of the module.
            if is_weak(earlier) && !is_weak(function) && earlier.module != function.module {
                dropped.push(first);
                continue;
            }
            kept.insert(name, first);
            if earlier.module != function.module {
                dropped.push(index);
                if !is_weak(function) {
                    diagnostics.push(defined_twice(name, function.name.span, earlier.name.span));
                }
            }
        }
        for variable in self.tree.variables.iter().filter(|variable| is_definition(variable)) {
            let other = kept.get(variable.name.name).map(|index| &self.tree.functions[*index]);
            if let Some(function) = other.filter(|function| function.module != variable.module) {
                let spans = [variable.name.span, function.name.span];
                let later = usize::from(spans[0].start < spans[1].start);
                diagnostics.push(defined_twice(variable.name.name, spans[later], spans[1 - later]));
            }
        }
        for index in dropped {
            self.tree.functions[index].body = None;
        }
    }

    /// Keeps one declaration of each shared variable: its definition if there is one.
    fn variables(&mut self, diagnostics: &mut Vec<Diagnostic>) {
        let all = std::mem::take(&mut self.tree.variables);
        let mut shared: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (index, variable) in all.iter().enumerate() {
            if variable.linkage != Linkage::Local {
                shared.entry(variable.name.name).or_default().push(index);
            }
        }
        let mut kept: Vec<usize> = (0..all.len()).collect();
        for declarations in shared.values() {
            let definition = definition(&all, declarations, diagnostics);
            for index in declarations.iter().filter(|index| **index != definition) {
                let (one, other) = (&all[*index], &all[definition]);
                // Two definitions in one module are reported with the names of the module.
                if one.linkage == Linkage::Extern || one.module != other.module {
                    kept[*index] = definition;
                }
                if one.linkage == Linkage::Extern {
                    diagnostics.extend(conflict(one, other));
                }
            }
        }
        let mut place = 0;
        let places: Vec<u32> = (0..)
            .zip(&kept)
            .map(|(index, of)| {
                let here = place;
                place += u32::from(index == *of);
                here
            })
            .collect();
        for (variable, of) in all.iter().zip(&kept) {
            let key = (variable.module, variable.name.name);
            self.variables.entry(key).or_insert(places[*of]);
        }
        let own = all.into_iter().zip((0..).zip(kept)).filter(|(_, (index, of))| index == of);
        self.tree.variables = own.map(|(variable, _)| variable).collect();
    }
}

/// Returns the functions with a shared name, as module and name. A directive at any declaration of
/// a module applies to all. Entries are visible to the host.
pub fn shared_functions<'t>(functions: &[Function<'t>]) -> BTreeSet<(u32, &'t str)> {
    let shared = functions.iter().filter(|function| function.entry || function.linkage != Linkage::Local);
    shared.map(|function| (function.module, function.name.name)).collect()
}

/// Whether a variable is the one definition of a shared name.
fn is_definition(variable: &Variable) -> bool {
    match variable.linkage {
        Linkage::Visible | Linkage::Weak | Linkage::Common => true,
        Linkage::Local | Linkage::Extern => false,
    }
}

/// Returns the declaration of a shared variable that remains: the definition that is neither weak
/// nor common, else the largest common one, else the first weak one, else an `.extern` declaration
/// with the largest alignment.
fn definition(all: &[Variable], declarations: &[usize], diagnostics: &mut Vec<Diagnostic>) -> usize {
    let rank = |index: usize| {
        let variable = &all[index];
        match variable.linkage {
            Linkage::Local | Linkage::Visible => (3, 0),
            Linkage::Common => (2, size_of(variable).unwrap_or(u32::MAX)),
            Linkage::Weak => (1, 0),
            Linkage::Extern => (0, align_of(variable)),
        }
    };
    let mut best = declarations[0];
    for index in declarations.iter().copied().skip(1) {
        if rank(index) > rank(best) {
            best = index;
        } else if rank(index).0 == 3 && all[index].module != all[best].module {
            let name = &all[index].name;
            diagnostics.push(defined_twice(name.name, name.span, all[best].name.span));
        }
    }
    best
}

/// Returns the error for an `.extern` declaration that differs from the definition. Dynamic shared
/// memory has no definition, and its declarations may differ.
fn conflict(declared: &Variable, defined: &Variable) -> Option<Diagnostic> {
    if defined.linkage == Linkage::Extern && defined.space == StateSpace::Shared {
        return None;
    }
    let open = |variable: &Variable| variable.dims.first() == Some(&None) && variable.init.is_none();
    let sizes = (size_of(declared), size_of(defined));
    let (found, expected) = if declared.space != defined.space {
        (format!("in {} memory", declared.space), format!("in {} memory", defined.space))
    } else if !open(declared) && !open(defined) && sizes.0 != sizes.1 {
        let bytes = |size: Option<u32>| size.map_or("too many bytes".into(), |size| format!("{size} bytes"));
        (bytes(sizes.0), bytes(sizes.1))
    } else if defined.linkage != Linkage::Extern && align_of(declared) > align_of(defined) {
        let aligned = |variable| format!("an alignment of {} bytes", align_of(variable));
        (aligned(declared), aligned(defined))
    } else {
        return None;
    };
    let message = format!("conflicting declarations of `{}`", declared.name.name);
    let error = Diagnostic::error("E0313", declared.span, message).label(format!("declared here: {found}"));
    let what = if defined.linkage == Linkage::Extern { "declared" } else { "defined" };
    Some(error.at(defined.span, format!("{what} here: {expected}")))
}

fn defined_twice(name: &str, span: Span, earlier: Span) -> Diagnostic {
    let message = format!("`{name}` is defined in two modules");
    Diagnostic::error("E0316", span, message)
        .label("defined again here")
        .at(earlier, "first defined here")
        .help("remove one definition, or remove `.visible` if each module has its own `.func` or variable")
}

/// Reports modules with different targets or address sizes.
fn check_targets(trees: &[Ast], checked: &[(Header, Capability)], diagnostics: &mut Vec<Diagnostic>) {
    let mut report = |what: &str, [found, expected]: [&str; 2], span: Span, first: Span| {
        let message = format!("the modules have different {what}: {found} and {expected}");
        let error = Diagnostic::error("E0317", span, message).label(format!("{found} here"));
        let error = error.at(first, format!("{expected} here"));
        diagnostics.push(error.help("compile all modules for the same target"));
    };
    // A module without a valid target has its own error.
    let mut targets = trees
        .iter()
        .zip(checked)
        .filter_map(|(tree, (header, _))| Some((tree.target.first()?, header.target()?)));
    if let Some((first, number)) = targets.next() {
        for (name, _) in targets.filter(|(_, other)| *other != number) {
            report("targets", [name.name, first.name], name.span, first.span);
        }
    }
    let mut sizes = trees.iter().filter_map(|tree| tree.address_size);
    if let Some((bits, first)) = sizes.next() {
        for (other, span) in sizes.filter(|(other, _)| *other != bits) {
            let names = [other, bits].map(|bits| format!("{bits} bits"));
            report("address sizes", [&names[0], &names[1]], span, first);
        }
    }
}

/// Gives the name of its file to every variable and function of one module whose name another
/// module has, too.
fn name_apart(tree: &mut Ast, source: &Source) {
    let names: Vec<&str> = source.files().iter().map(|file| &*file.name).collect();
    let title = |module: u32, name: &str| Some(format!("{}:{name}", names.get(module as usize)?));
    let mut owners: BTreeMap<&str, BTreeSet<Option<u32>>> = BTreeMap::new();
    for variable in &tree.variables {
        let module = (variable.linkage == Linkage::Local).then_some(variable.module);
        owners.entry(variable.name.name).or_default().insert(module);
    }
    for variable in tree.variables.iter_mut().filter(|variable| variable.linkage == Linkage::Local) {
        if owners.get(variable.name.name).is_some_and(|owners| owners.len() > 1) {
            variable.title = title(variable.module, variable.name.name);
        }
    }
    let shared = shared_functions(&tree.functions);
    let owner = |function: &Function| {
        let key = (function.module, function.name.name);
        (!shared.contains(&key)).then_some(function.module)
    };
    let mut owners: BTreeMap<&str, BTreeSet<Option<u32>>> = BTreeMap::new();
    for function in &tree.functions {
        owners.entry(function.name.name).or_default().insert(owner(function));
    }
    for function in &mut tree.functions {
        let several = owners.get(function.name.name).is_some_and(|owners| owners.len() > 1);
        if several && owner(function).is_some() {
            function.title = title(function.module, function.name.name);
        }
    }
}

#[cfg(test)]
mod tests;
