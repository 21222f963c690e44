//! Names of functions and variables in PTX: the mangling of the Itanium C++ ABI, as NVIDIA's
//! compiler uses it.

use std::fmt::Write as _;

use super::Sema;
use super::scope::{Owner, ScopeId};
use super::types::{CType, CTypes, Kind, Qual};
use super::value::{FunctionName, TemplateValue};
use crate::hir::{FunctionId, Storage};
use crate::lex::{Punct, Symbol};
use crate::syntax::ast::{
    BaseType, Builtin, Chunk, ExprKind, Operator, Qualifiers, Specifiers, TemplateArgument,
    TemplateParameters,
};

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
    format!("{}{text}", text.len())
}

fn operator_code(operator: Operator, operands: usize) -> &'static str {
    let unary = operands == 1;
    match operator {
        Operator::Call => "cl",
        Operator::Index => "ix",
        Operator::Symbol(punct) => match punct {
            Punct::Plus if unary => "ps",
            Punct::Minus if unary => "ng",
            Punct::Star if unary => "de",
            Punct::And if unary => "ad",
            Punct::Plus => "pl",
            Punct::Minus => "mi",
            Punct::Star => "ml",
            Punct::Slash => "dv",
            Punct::Percent => "rm",
            Punct::And => "an",
            Punct::Or => "or",
            Punct::Xor => "eo",
            Punct::Tilde => "co",
            Punct::Not => "nt",
            Punct::Assign => "aS",
            Punct::AddAssign => "pL",
            Punct::SubAssign => "mI",
            Punct::MulAssign => "mL",
            Punct::DivAssign => "dV",
            Punct::RemAssign => "rM",
            Punct::AndAssign => "aN",
            Punct::OrAssign => "oR",
            Punct::XorAssign => "eO",
            Punct::Shl => "ls",
            Punct::Shr => "rs",
            Punct::ShlAssign => "lS",
            Punct::ShrAssign => "rS",
            Punct::EqEq => "eq",
            Punct::NotEq => "ne",
            Punct::Less => "lt",
            Punct::Greater => "gt",
            Punct::Le => "le",
            Punct::Ge => "ge",
            Punct::AndAnd => "aa",
            Punct::OrOr => "oo",
            Punct::Increment => "pp",
            Punct::Decrement => "mm",
            Punct::Comma => "cm",
            Punct::ArrowStar => "pm",
            _ => "pt",
        },
    }
}

fn builtin_code(builtin: Builtin) -> char {
    match builtin {
        Builtin::Void => 'v',
        Builtin::Bool => 'b',
        Builtin::Char => 'c',
        Builtin::SignedChar => 'a',
        Builtin::UnsignedChar => 'h',
        Builtin::Short => 's',
        Builtin::UnsignedShort => 't',
        Builtin::Int => 'i',
        Builtin::UnsignedInt => 'j',
        Builtin::Long => 'l',
        Builtin::UnsignedLong => 'm',
        Builtin::LongLong => 'x',
        Builtin::UnsignedLongLong => 'y',
        Builtin::Float => 'f',
        Builtin::Double => 'd',
    }
}

impl Sema<'_> {
    /// Name of an instance in PTX.
    pub(super) fn mangled(&mut self, id: FunctionId) -> String {
        let instance = &self.instances[id.0 as usize];
        let (function, arguments, scope) = (instance.function, instance.arguments.clone(), instance.scope);
        let signature = instance.signature.clone();
        let info = &self.functions[function.0 as usize];
        let (name, class, decl) = (info.name, info.class, info.decl.clone());
        let is_const = info.is_const && class.is_some() && !info.is_static;
        let template = info.template.clone();
        let outer = info.scope;
        if decl.extern_c
            && class.is_none()
            && let FunctionName::Plain(symbol) = name
        {
            return self.text(symbol).to_owned();
        }
        let specialized = self.specialized_arguments(function);
        let operands = signature.parameters.len() + usize::from(class.is_some());
        let mut items = self.path(outer);
        let own = match name {
            FunctionName::Plain(symbol) => source_name(self.text(symbol)),
            FunctionName::Operator(operator) => operator_code(operator, operands).to_owned(),
            FunctionName::Constructor => "C1".to_owned(),
            FunctionName::Conversion => "cv".to_owned(),
        };
        items.push(Item::Name(own));
        let values = specialized.unwrap_or(arguments);
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
            mangler.name(&items, is_const, false);
            let parameters = decl.declarator.function().map_or(&[][..], |chunk| &chunk.parameters);
            if mangler.template.is_some() {
                mangler.written(&decl.specifiers, &decl.declarator.chunks[1..]);
                for parameter in parameters {
                    let mut chunks = parameter.declarator.chunks.clone();
                    if let Some(first @ Chunk::Array(_)) = chunks.first_mut() {
                        *first = Chunk::Pointer(Qualifiers::default());
                    }
                    mangler.parameter(&parameter.specifiers, &chunks);
                }
            } else {
                if is_template {
                    mangler.ty(signature.result);
                }
                for ty in &signature.parameters {
                    mangler.ty(ty.unqualified());
                }
            }
            if parameters.is_empty() {
                mangler.out.push('v');
            }
            mangler.out
        })
    }

    /// Arguments of the template that a function specializes.
    fn specialized_arguments(&self, function: super::scope::FunctionIndex) -> Option<Vec<TemplateValue>> {
        self.functions.iter().find_map(|info| {
            info.specializations
                .iter()
                .find(|(_, special)| *special == function)
                .map(|(values, _)| values.clone())
        })
    }

    /// Name of a variable outside functions.
    pub(super) fn mangled_variable(&mut self, name: Symbol, scope: ScopeId) -> String {
        let text = self.text(name).to_owned();
        let mut items = self.path(scope);
        if items.is_empty() {
            return text;
        }
        items.push(Item::Name(source_name(&text)));
        let mut mangler =
            Mangler { sema: self, out: "_Z".to_owned(), known: Vec::new(), short: true, template: None };
        mangler.name(&items, false, false);
        mangler.out
    }

    /// Name of a static or shared variable of the current function.
    pub(super) fn mangled_local(&mut self, name: Symbol, storage: Storage) -> String {
        let text = self.text(name).to_owned();
        if storage == Storage::SharedDynamic {
            return text;
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
                    let record = &self.records[id.0 as usize];
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
        let record = &self.records[id.0 as usize];
        match (record.symbol, record.lambda) {
            (Some(symbol), _) => source_name(self.text(symbol)),
            (None, Some(number)) => source_name(&format!("lambda{number}")),
            (None, None) => source_name(&format!("anonymous{}", id.0)),
        }
    }
}

impl Mangler<'_, '_> {
    /// The mangled type in full, which identifies it.
    fn full(&mut self, ty: Qual) -> String {
        self.aside(|mangler| mangler.ty(ty))
    }

    /// What a step writes when nothing is written short.
    fn aside(&mut self, step: impl FnOnce(&mut Self)) -> String {
        let out = std::mem::take(&mut self.out);
        let short = std::mem::replace(&mut self.short, false);
        step(self);
        self.short = short;
        std::mem::replace(&mut self.out, out)
    }

    /// Writes the number of a part that was written before.
    fn again(&mut self, key: &str) -> bool {
        if !self.short {
            return false;
        }
        let Some(at) = self.known.iter().position(|known| known == key) else { return false };
        self.out.push('S');
        if at > 0 {
            let mut number = at - 1;
            let mut digits = Vec::new();
            loop {
                digits.push(char::from_digit((number % 36) as u32, 36).unwrap_or('0').to_ascii_uppercase());
                number /= 36;
                if number == 0 {
                    break;
                }
            }
            self.out.extend(digits.into_iter().rev());
        }
        self.out.push('_');
        true
    }

    fn remember(&mut self, key: String) {
        if self.short && !self.known.contains(&key) {
            self.known.push(key);
        }
    }

    /// Writes a qualified name; `is_type` when the whole name can be written short later.
    fn name(&mut self, items: &[Item], is_const: bool, is_type: bool) {
        let names = items.iter().filter(|item| matches!(item, Item::Name(_))).count();
        let keys: Vec<String> = (1..=items.len())
            .map(|count| {
                self.aside(|mangler| {
                    for item in &items[..count] {
                        mangler.item(item);
                    }
                })
            })
            .collect();
        if is_type && keys.last().is_some_and(|key| self.again(key)) {
            return;
        }
        let nested = names > 1 || is_const;
        if nested {
            self.out.push('N');
            if is_const {
                self.out.push('K');
            }
        }
        let last = items.len();
        let start = (1..last).rev().find(|count| self.again(&keys[count - 1])).unwrap_or(0);
        for at in start..last {
            self.item(&items[at]);
            let is_whole = at + 1 == last;
            if !is_whole {
                self.remember(keys[at].clone());
            }
        }
        if nested {
            self.out.push('E');
        }
        if is_type && let Some(key) = keys.last() {
            self.remember(key.clone());
        }
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Name(name) => self.out.push_str(name),
            Item::Arguments(values) => {
                self.out.push('I');
                for value in values {
                    self.value(*value);
                }
                self.out.push('E');
            }
            Item::Written(arguments) => {
                self.out.push('I');
                for argument in *arguments {
                    self.written_argument(argument);
                }
                self.out.push('E');
            }
        }
    }

    fn value(&mut self, value: TemplateValue) {
        match value {
            TemplateValue::Type(ty) => self.ty(ty),
            TemplateValue::Value(value, ty) => {
                self.out.push('L');
                self.ty(Qual::plain(ty));
                if value < 0 {
                    self.out.push('n');
                }
                self.out.push_str(&value.unsigned_abs().to_string());
                self.out.push('E');
            }
            TemplateValue::Function(function) => {
                let name = self.sema.function_name(function);
                let _ = write!(self.out, "XadL_Z{}EE", source_name(&name));
            }
        }
    }

    /// Writes a type.
    fn ty(&mut self, ty: Qual) {
        let quals = ty.quals;
        let is_array = self.sema.types.array(ty.ty).is_some();
        if (quals.is_const || quals.is_volatile || quals.is_restrict) && !is_array {
            let key = self.aside(|mangler| {
                mangler.qualifiers(quals);
                mangler.ty(ty.unqualified());
            });
            if self.again(&key) {
                return;
            }
            self.qualifiers(quals);
            self.ty(ty.unqualified());
            self.remember(key);
            return;
        }
        match self.sema.types.kind(ty.ty).clone() {
            Kind::Builtin(builtin) => self.out.push(builtin_code(builtin)),
            Kind::Nullptr => self.out.push_str("Dn"),
            Kind::Auto => self.out.push_str("Da"),
            Kind::Record(id) => {
                let record = &self.sema.records[id.0 as usize];
                let (parent, template) = (record.parent, record.template.clone());
                let mut items = self.sema.path(parent);
                items.push(Item::Name(self.sema.record_name(id)));
                if let Some((_, arguments)) = template {
                    items.push(Item::Arguments(arguments));
                }
                self.name(&items, false, true);
            }
            Kind::Enum(id) => {
                let info = &self.sema.types.enums[id.0 as usize];
                let (parent, name) = (info.parent, info.name);
                let mut items = self.sema.path(parent);
                let text =
                    name.map_or_else(|| format!("anonymous{}", id.0), |name| self.sema.text(name).to_owned());
                items.push(Item::Name(source_name(&text)));
                self.name(&items, false, true);
            }
            Kind::Pointer(to) => self.layer("P", |mangler| mangler.ty(to)),
            Kind::Reference(to) => self.layer("R", |mangler| mangler.ty(to)),
            Kind::RvalueReference(to) => self.layer("O", |mangler| mangler.ty(to)),
            Kind::Array(element, length) => {
                let length = length.map_or(String::new(), |length| length.to_string());
                self.layer(&format!("A{length}_"), |mangler| mangler.ty(element.with(quals)));
            }
            Kind::Function(signature) => self.layer("F", |mangler| {
                mangler.ty(signature.result);
                for parameter in &signature.parameters {
                    mangler.ty(parameter.unqualified());
                }
                if signature.parameters.is_empty() {
                    mangler.out.push('v');
                }
                mangler.out.push('E');
            }),
        }
    }

    /// Writes a layer around a type.
    fn layer(&mut self, code: &str, inner: impl Fn(&mut Self)) {
        let key = self.aside(|mangler| {
            mangler.out.push_str(code);
            inner(mangler);
        });
        if self.again(&key) {
            return;
        }
        self.out.push_str(code);
        inner(self);
        self.remember(key);
    }

    fn qualifiers(&mut self, quals: Qualifiers) {
        for (on, code) in [(quals.is_restrict, 'r'), (quals.is_volatile, 'V'), (quals.is_const, 'K')] {
            if on {
                self.out.push(code);
            }
        }
    }

    /// Writes a parameter of a template: qualifiers of the parameter itself do not count.
    fn parameter(&mut self, specifiers: &Specifiers, chunks: &[Chunk]) {
        match chunks.split_first() {
            None => {
                let mut plain = specifiers.clone();
                plain.qualifiers = Qualifiers::default();
                self.written(&plain, chunks);
            }
            Some((Chunk::Pointer(_), rest)) => {
                self.layer("P", |mangler| mangler.written(specifiers, rest));
            }
            Some(_) => self.written(specifiers, chunks),
        }
    }

    /// Writes a type as the template writes it.
    fn written(&mut self, specifiers: &Specifiers, chunks: &[Chunk]) {
        let Some((chunk, rest)) = chunks.split_first() else { return self.written_base(specifiers) };
        match chunk {
            Chunk::Pointer(quals) => {
                let code = "P";
                if quals.is_const || quals.is_volatile || quals.is_restrict {
                    let quals = *quals;
                    let prefix = self.aside(|mangler| mangler.qualifiers(quals));
                    self.layer(&prefix, |mangler| {
                        mangler.layer(code, |mangler| mangler.written(specifiers, rest));
                    });
                } else {
                    self.layer(code, |mangler| mangler.written(specifiers, rest));
                }
            }
            Chunk::Reference => self.layer("R", |mangler| mangler.written(specifiers, rest)),
            Chunk::RvalueReference => self.layer("O", |mangler| mangler.written(specifiers, rest)),
            Chunk::Array(length) => {
                let length = match length.as_deref().map(|length| &length.kind) {
                    Some(ExprKind::Name(name)) => {
                        let index = name.plain().and_then(|plain| self.template_index(plain.symbol));
                        index.unwrap_or_default()
                    }
                    Some(ExprKind::Number(symbol)) => self.sema.text(*symbol).to_owned(),
                    _ => String::new(),
                };
                self.layer(&format!("A{length}_"), |mangler| mangler.written(specifiers, rest));
            }
            Chunk::Function(function) => self.layer("F", |mangler| {
                mangler.written(specifiers, rest);
                for parameter in &function.parameters {
                    mangler.parameter(&parameter.specifiers, &parameter.declarator.chunks);
                }
                if function.parameters.is_empty() {
                    mangler.out.push('v');
                }
                mangler.out.push('E');
            }),
        }
    }

    fn written_base(&mut self, specifiers: &Specifiers) {
        let quals = specifiers.qualifiers;
        if quals.is_const || quals.is_volatile {
            let mut plain = specifiers.clone();
            plain.qualifiers = Qualifiers::default();
            let prefix = self.aside(|mangler| mangler.qualifiers(quals));
            return self.layer(&prefix, |mangler| mangler.written_base(&plain));
        }
        if let BaseType::Named(name) = &specifiers.base {
            if let Some(index) = name.plain().and_then(|plain| self.template_index(plain.symbol)) {
                return self.layer(&index, |_| {});
            }
            // `typename T::type`
            if let Some(index) =
                name.segments.first().and_then(|first| self.template_index(first.name.symbol))
            {
                let mut rest = String::new();
                for segment in &name.segments[1..] {
                    rest.push_str(&source_name(self.sema.text(segment.name.symbol)));
                }
                return self.layer("N", |mangler| {
                    mangler.layer(&index, |_| {});
                    mangler.out.push_str(&rest);
                    mangler.out.push('E');
                });
            }
            if let Some(arguments) = &name.last().arguments
                && arguments.iter().any(|argument| self.depends(argument))
            {
                let text = self.sema.text(name.last().name.symbol).to_owned();
                let items = [Item::Name(source_name(&text)), Item::Written(arguments)];
                return self.name(&items, false, true);
            }
        }
        let mark = self.sema.out.mark();
        let ty = self.sema.specifiers(specifiers).unwrap_or(Qual::plain(CTypes::INT));
        self.sema.out.truncate(mark);
        self.ty(ty);
    }

    fn depends(&self, argument: &TemplateArgument) -> bool {
        match argument {
            TemplateArgument::Type(ty) => match &ty.specifiers.base {
                BaseType::Named(name) => {
                    name.segments.iter().any(|segment| self.template_index(segment.name.symbol).is_some())
                        || name.last().arguments.iter().flatten().any(|inner| self.depends(inner))
                }
                _ => false,
            },
            TemplateArgument::Value(value) => match &value.kind {
                ExprKind::Name(name) => self.template_index(name.last().name.symbol).is_some(),
                _ => false,
            },
        }
    }

    fn written_argument(&mut self, argument: &TemplateArgument) {
        match argument {
            TemplateArgument::Type(ty) => self.written(&ty.specifiers, &ty.declarator.chunks),
            TemplateArgument::Value(value) => {
                if let ExprKind::Name(name) = &value.kind
                    && let Some(index) = self.template_index(name.last().name.symbol)
                {
                    // A parameter that is a value.
                    self.out.push('X');
                    self.out.push_str(&index);
                    self.out.push('E');
                    return;
                }
                let mark = self.sema.out.mark();
                let (value, ty): (i128, CType) =
                    self.sema.constant_int(value, "a template argument").unwrap_or((0, CTypes::INT));
                self.sema.out.truncate(mark);
                self.value(TemplateValue::Value(value, ty));
            }
        }
    }

    /// `T_`, `T0_` and so on.
    fn template_index(&self, symbol: Symbol) -> Option<String> {
        let template = self.template.as_ref()?;
        let at = template.list.iter().position(|one| one.name.is_some_and(|name| name.symbol == symbol))?;
        Some(if at == 0 { "T_".to_owned() } else { format!("T{}_", at - 1) })
    }
}
