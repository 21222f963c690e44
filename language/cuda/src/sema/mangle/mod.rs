//! Names of functions and variables in PTX: the mangling of the Itanium C++ ABI, as NVIDIA's
//! compiler uses it.

mod code;
mod part;
mod written;

use super::Sema;
use super::scope::{FunctionIndex, Owner, ScopeId};
use super::types::{CType, Qual, Signature};
use super::value::{FunctionName, TemplateValue};
use crate::hir::{FunctionId, Storage};
use crate::lex::Symbol;
use crate::syntax::ast::{Chunk, Operator, Qualifiers, RefQualifier, TemplateArgument, TemplateParameters};
use code::operator_code;
use std::fmt::Write as _;

/// A part of a qualified name.
#[derive(Clone)]
enum Item<'t> {
    /// A name with its length, or an operator.
    Name(String),
    /// Template arguments of the name in front.
    Arguments(Vec<TemplateValue>),
    /// Template arguments that depend on the parameters of the function.
    Written(&'t [TemplateArgument]),
}

/// Writes one mangled name.
struct Mangler<'s, 'a> {
    sema: &'s mut Sema<'a>,
    out: String,
    /// What was written before, in full.
    known: Vec<String>,
    /// Whether repeated parts are written short.
    short: bool,
    /// Template parameters of the function.
    template: Option<std::rc::Rc<TemplateParameters>>,
}

fn source_name(text: &str) -> String {
    let text = plain(text);
    format!("{}{text}", text.len())
}

/// A name in the letters of PTX: others are written as their numbers.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        if letter.is_ascii() {
            out.push(letter);
        } else {
            let _ = write!(out, "${:x}", u32::from(letter));
        }
    }
    out
}

impl Sema<'_> {
    /// Name of an instance in PTX.
    pub(super) fn mangled(&mut self, id: FunctionId) -> String {
        let instance = &self.instances[id];
        let (function, arguments, scope) = (instance.function, instance.arguments.clone(), instance.scope);
        let signature = instance.signature.clone();
        self.mangled_instance(function, &arguments, scope, &signature)
    }

    /// Name in PTX of a function with template arguments, the scope with them, and its types.
    pub(super) fn mangled_instance(
        &mut self,
        function: FunctionIndex,
        arguments: &[TemplateValue],
        scope: ScopeId,
        signature: &Signature,
    ) -> String {
        let info = &self.functions[function];
        let (name, class, decl) = (info.name, info.class, info.decl.clone());
        let reference = info.reference();
        let qualifiers = match (info.is_const && class.is_some() && !info.is_static, reference) {
            (false, RefQualifier::None) => "",
            (true, RefQualifier::None) => "K",
            (false, RefQualifier::Lvalue) => "R",
            (true, RefQualifier::Lvalue) => "KR",
            (false, RefQualifier::Rvalue) => "O",
            (true, RefQualifier::Rvalue) => "KO",
        };
        let template = info.template.clone();
        let outer = info.scope;
        let is_c = self.rules.is_c && !self.is_builtin(decl.declarator.span);
        if (decl.extern_c || is_c || self.is_main(info))
            && class.is_none()
            && let FunctionName::Plain(symbol) = name
        {
            return plain(self.text(symbol));
        }
        if let FunctionName::Moved(of, distance) = name {
            let scope = self.functions[of].scope;
            let inner = self.mangled_instance(of, arguments, scope, signature);
            let sign = if distance < 0 { "n" } else { "" };
            return format!("_ZTh{sign}{}_{}", distance.unsigned_abs(), &inner["_Z".len()..]);
        }
        let specialized = self.specialized.get(&function).cloned();
        let operands = signature.parameters.len() + usize::from(class.is_some());
        let mut items = self.path(outer);
        let own = match name {
            FunctionName::Plain(symbol) => source_name(self.text(symbol)),
            FunctionName::Operator(Operator::Literal(suffix)) => {
                format!("li{}", source_name(self.text(suffix)))
            }
            FunctionName::Operator(operator) => operator_code(operator, operands).to_owned(),
            FunctionName::Constructor => "C1".to_owned(),
            FunctionName::Destructor => "D1".to_owned(),
            FunctionName::Conversion => "cv".to_owned(),
            FunctionName::Moved(..) => String::new(),
            FunctionName::Covariant(of) => {
                let is_plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
                let text = self.function_name(of);
                let code =
                    |one| if is_plain(one) { one.to_string() } else { format!("${:x}", u32::from(one)) };
                source_name(&text.chars().map(code).collect::<String>())
            }
        };
        items.push(Item::Name(own));
        let values = specialized.unwrap_or_else(|| arguments.to_vec());
        let is_template = !values.is_empty();
        if is_template {
            items.push(Item::Arguments(values));
        }
        self.in_scope(scope, |sema| {
            let mut mangler =
                Mangler { sema, out: "_Z".to_owned(), known: Vec::new(), short: true, template };
            if let (FunctionName::Conversion, Some(Item::Name(own))) = (name, items.last_mut()) {
                *own = format!("cv{}", mangler.full(signature.result));
            }
            if let (FunctionName::Covariant(_), Some(Item::Name(own))) = (name, items.last_mut()) {
                *own = format!("Tc{}{own}", mangler.full(signature.result));
            }
            mangler.name(&items, qualifiers, false);
            let parameters = decl.declarator.function().map_or(&[][..], |chunk| &chunk.parameters);
            if mangler.template.is_some() {
                mangler.written(&decl.specifiers, &decl.declarator.chunks[1..]);
                for parameter in parameters {
                    let mut chunks = parameter.declarator.chunks.clone();
                    if let Some(first @ Chunk::Array(_)) = chunks.first_mut() {
                        *first = Chunk::Pointer(Qualifiers::default());
                    }
                    if parameter.pack.is_some() {
                        mangler.layer("Dp", |mangler| mangler.parameter(&parameter.specifiers, &chunks));
                    } else {
                        mangler.parameter(&parameter.specifiers, &chunks);
                    }
                }
                if parameters.is_empty() {
                    mangler.out.push('v');
                }
            } else {
                if is_template {
                    mangler.ty(signature.result);
                }
                for ty in &signature.parameters {
                    mangler.ty(ty.unqualified());
                }
                if signature.parameters.is_empty() {
                    mangler.out.push('v');
                }
            }
            mangler.out
        })
    }

    /// Name of what belongs to a class, such as its table (`TV`).
    pub(super) fn mangled_class(&mut self, ty: CType, code: &str) -> String {
        let mut mangler =
            Mangler { sema: self, out: format!("_Z{code}"), known: Vec::new(), short: true, template: None };
        mangler.ty(Qual::plain(ty));
        mangler.out
    }

    /// Name of a variable outside functions.
    pub(super) fn mangled_variable(&mut self, name: Symbol, scope: ScopeId) -> String {
        let text = self.text(name).to_owned();
        let mut items = self.path(scope);
        if items.is_empty() {
            return plain(&text);
        }
        items.push(Item::Name(source_name(&text)));
        let mut mangler =
            Mangler { sema: self, out: "_Z".to_owned(), known: Vec::new(), short: true, template: None };
        mangler.name(&items, "", false);
        mangler.out
    }

    /// Name of a static or shared variable of the current function.
    pub(super) fn mangled_local(&mut self, name: Symbol, storage: Storage) -> String {
        let text = self.text(name).to_owned();
        if storage == Storage::SharedDynamic {
            return plain(&text);
        }
        let Some(function) = &mut self.function else { return text };
        let count = function.statics.entry(name).or_insert(0);
        *count += 1;
        let suffix = match *count {
            1 => String::new(),
            2 => "_0".to_owned(),
            n => format!("_{}", n - 2),
        };
        let own = match function.symbol.strip_prefix("_Z") {
            Some(encoding) => encoding.to_owned(),
            None => source_name(&function.symbol),
        };
        format!("_ZZ{own}E{}{suffix}", source_name(&text))
    }

    /// The namespaces and classes around a scope.
    fn path<'t>(&self, scope: ScopeId) -> Vec<Item<'t>> {
        let mut items = Vec::new();
        for scope in self.scopes.outwards(scope) {
            match self.scopes.get(scope).owner {
                Owner::Namespace(Some(name)) => items.push(Item::Name(source_name(self.text(name)))),
                Owner::Namespace(None) => items.push(Item::Name("12_GLOBAL__N_1".to_owned())),
                Owner::Record(id) => {
                    let record = &self.records[id];
                    if let Some((_, arguments)) = &record.template {
                        items.push(Item::Arguments(arguments.clone()));
                    }
                    items.push(Item::Name(self.record_name(id)));
                }
                _ => {}
            }
        }
        items.reverse();
        items
    }

    fn record_name(&self, id: super::types::RecordId) -> String {
        let record = &self.records[id];
        if let Some(closure) = &record.closure {
            return source_name(&closure.name());
        }
        match (record.symbol, record.lambda) {
            (Some(symbol), _) => source_name(self.text(symbol)),
            (None, Some(number)) => source_name(&format!("lambda{number}")),
            (None, None) => source_name(&format!("anonymous{}", id.0)),
        }
    }
}
