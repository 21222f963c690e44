//! Names that every program has: keywords, built-in variables, and what the prelude of the compiler
//! declares. Editors complete them.

use crate::compile::{library, macros};
use crate::diagnostics::Diagnostics;
use crate::headers::prelude;
use crate::lex::{Interner, Symbol};
use crate::options::Options;
use crate::preprocess::{Included, Preprocessor};
use crate::sema::names::{BUILTIN_FUNCTIONS, BUILTIN_VARIABLES};
use crate::source::Sources;
use crate::syntax::ast::{BaseType, Decl, DeclKind, Declarator, DeclaratorName, FunctionBody, Specifiers};
use crate::syntax::{Keyword, parse};
use crate::target::{Side, Target};
use std::collections::BTreeMap;

/// What a name is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CompletionKind {
    /// A keyword.
    Keyword,
    /// A variable.
    Variable,
    /// A function that the compiler implements.
    Function,
    /// A function that a library implements.
    Library,
    /// A type.
    Type,
    /// A macro or an enumerator.
    Constant,
}

/// A name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    /// What it is.
    pub kind: CompletionKind,
    /// The parameters of its first overload, as the header writes them; empty if it has none.
    pub parameters: String,
}

/// Returns the names that each program has on a target.
pub fn names(target: Target) -> BTreeMap<String, Name> {
    let mut sources = Sources::default();
    let mut symbols = Interner::default();
    let mut out = Diagnostics::default();
    let mut all = Names::default();
    Keyword::register(&mut symbols);
    for text in Keyword::all() {
        all.add(text, CompletionKind::Keyword, String::new());
    }
    let predefined = macros(target, &Options::of(target));
    let texts = [("<macros>", &*predefined)].into_iter().chain(prelude(target.side).iter().copied());
    let files: Vec<_> = texts.filter_map(|(name, text)| sources.add(name, text, true)).collect();
    let mut tokens = Vec::new();
    let mut preprocessor = Preprocessor::new(&mut sources, &mut symbols, &mut out, &includes_nothing);
    preprocessor.side = target.side;
    for file in files {
        preprocessor.run(file, &mut tokens);
    }
    let known = preprocessor.macros();
    if target.side == Side::Device {
        tokens.extend(library(&predefined, false, &mut sources, &mut symbols, &mut out).unwrap_or_default());
    }
    for (name, has_parameters) in known {
        // The other macros with `__` are for the prelude.
        let is_predefined = predefined.lines().any(|line| line.split(' ').nth(1) == Some(name.as_str()));
        if !name.starts_with("__") || is_predefined {
            let kind = if has_parameters { CompletionKind::Function } else { CompletionKind::Constant };
            all.add(&name, kind, String::new());
        }
    }
    let parsed = parse(&tokens, &symbols, &sources, &mut out, target.side, &[]);
    all.declarations(&parsed.declarations, &symbols, &sources);
    if target.side == Side::Device {
        for (name, parameters, capability) in BUILTIN_FUNCTIONS {
            if target.capability >= capability {
                all.add(name, CompletionKind::Function, parameters.to_owned());
            }
        }
        for name in BUILTIN_VARIABLES {
            all.add(name, CompletionKind::Variable, String::new());
            let axes = if name == "warpSize" { "" } else { "xyz" };
            for axis in axes.chars() {
                all.add(&format!("{name}.{axis}"), CompletionKind::Variable, String::new());
            }
        }
    }
    all.0
}

fn includes_nothing(_: &str, _: &str, _: bool) -> Option<Included> {
    None
}

#[derive(Default)]
struct Names(BTreeMap<String, Name>);

impl Names {
    /// Adds a name, unless only the headers use it.
    fn add(&mut self, name: &str, kind: CompletionKind, parameters: String) {
        let internal = ["__ws", "__wm_", "__nvvm_", "__builtin_", "__cuda", "WARPSIM_", "warpcc_"];
        if !internal.iter().any(|start| name.starts_with(start)) {
            self.0.entry(name.to_owned()).or_insert(Name { kind, parameters });
        }
    }

    fn declarations(&mut self, all: &[Decl], symbols: &Interner, sources: &Sources) {
        let text = |symbol: Symbol| symbols.text(symbol);
        for one in all {
            match &one.kind {
                DeclKind::Linkage(inner) => self.declarations(inner, symbols, sources),
                DeclKind::Function(function) => {
                    let DeclaratorName::Plain(name) = function.declarator.name else { continue };
                    let is_library = matches!(function.body, FunctionBody::None)
                        && function.specifiers.intrinsic.is_none();
                    let kind = if is_library { CompletionKind::Library } else { CompletionKind::Function };
                    self.add(text(name.symbol), kind, parameters(&function.declarator, sources));
                }
                DeclKind::Simple(specifiers, declared) => {
                    self.base(specifiers, symbols);
                    let kind = if specifiers.flags.is_typedef {
                        CompletionKind::Type
                    } else {
                        CompletionKind::Variable
                    };
                    for one in declared {
                        let DeclaratorName::Plain(name) = one.declarator.name else { continue };
                        if one.declarator.function().is_some() && kind == CompletionKind::Variable {
                            let parameters = parameters(&one.declarator, sources);
                            self.add(text(name.symbol), CompletionKind::Library, parameters);
                        } else {
                            self.add(text(name.symbol), kind, String::new());
                        }
                    }
                }
                DeclKind::RecordTemplate(record) => {
                    if let Some(name) = record.name {
                        self.add(text(name.symbol), CompletionKind::Type, String::new());
                    }
                }
                DeclKind::Alias(name, ..) => self.add(text(name.symbol), CompletionKind::Type, String::new()),
                DeclKind::Namespace(..)
                | DeclKind::NamespaceAlias(..)
                | DeclKind::Using(..)
                | DeclKind::UsingOperator(..)
                | DeclKind::UsingNamespace(_)
                | DeclKind::UsingEnum(_)
                | DeclKind::Empty
                | DeclKind::Guide(..)
                | DeclKind::Instantiate(..)
                | DeclKind::InstantiateClass(_)
                | DeclKind::StaticMember(..)
                | DeclKind::StaticAssert(..) => {}
            }
        }
    }

    /// Adds the structure or the enumeration that specifiers define.
    fn base(&mut self, specifiers: &Specifiers, symbols: &Interner) {
        let (name, values) = match &specifiers.base {
            BaseType::Record(record) => (record.name, None),
            BaseType::Enum(enumeration) => (enumeration.name, enumeration.enumerators.as_ref()),
            _ => return,
        };
        if let Some(name) = name {
            self.add(symbols.text(name.symbol), CompletionKind::Type, String::new());
        }
        for (name, _) in values.into_iter().flatten() {
            self.add(symbols.text(name.symbol), CompletionKind::Constant, String::new());
        }
    }
}

/// The parameters of a function as its header writes them, on one line.
fn parameters(function: &Declarator, sources: &Sources) -> String {
    let Some(span) = function.function().map(|function| function.span) else { return String::new() };
    let Some(file) = sources.file_of(span) else { return String::new() };
    let start = sources.start(file);
    let range = (span.start - start) as usize..(span.end.max(span.start) - start) as usize;
    let text = sources.file(file).text.get(range).unwrap_or_default().replace('\\', " ");
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    // The headers of the runtime are headers of C, too, which has no default arguments.
    let mut parts = text.split("WARPSIM_OR(");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |all, part| all + "= " + &part.replacen(')', "", 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_are_those_of_cuda() {
        let target = Target::from_name("sm_20").expect("a target");
        let device = names(target);
        let host = names(target.host());
        let shown = |all: &BTreeMap<String, Name>, name: &str| {
            all.get(name).map(|one| (one.kind, one.parameters.clone()))
        };
        for (name, kind, parameters) in [
            ("threadIdx.x", CompletionKind::Variable, ""),
            ("warpSize", CompletionKind::Variable, ""),
            ("__syncthreads", CompletionKind::Function, "()"),
            ("atomicAdd", CompletionKind::Function, "(T *address, T value)"),
            ("__shared__", CompletionKind::Keyword, ""),
            ("float4", CompletionKind::Type, ""),
            ("sqrtf", CompletionKind::Function, "(float x)"),
            ("INT_MAX", CompletionKind::Constant, ""),
            ("printf", CompletionKind::Function, "(const char *format, ...)"),
            ("assert", CompletionKind::Function, ""),
        ] {
            assert_eq!(shown(&device, name), Some((kind, parameters.to_owned())), "{name}");
        }
        for (name, kind) in [
            ("cudaMalloc", CompletionKind::Library),
            ("printf", CompletionKind::Library),
            ("cudaMemcpyHostToDevice", CompletionKind::Constant),
            ("cudaDeviceProp", CompletionKind::Type),
            ("FILE", CompletionKind::Type),
            ("dim3", CompletionKind::Type),
        ] {
            assert_eq!(shown(&host, name).map(|(kind, _)| kind), Some(kind), "{name}");
        }
        for internal in ["__D", "__ws_clock", "__cudaPopCallConfiguration", "WARPSIM_OR"] {
            assert!(!device.contains_key(internal) && !host.contains_key(internal), "{internal}");
        }
        let copy = "(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind, \
                    cudaStream_t stream = 0)";
        assert_eq!(shown(&host, "cudaMemcpyAsync"), Some((CompletionKind::Library, copy.to_owned())));
        assert!(!host.contains_key("threadIdx.x"));
        assert!(!names(Target::from_name("sm_13").expect("a target")).contains_key("printf"));
    }
}
