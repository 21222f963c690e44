//! Names, types and template arguments, with abbreviations of repeated parts.

use super::code::builtin_code;
use super::{Item, Mangler, source_name};
use crate::lex::Symbol;
use crate::sema::MAX_NAME;
use crate::sema::scope::ScopeId;
use crate::sema::types::{Qual, TypeKind};
use crate::sema::value::TemplateValue;
use crate::syntax::ast::Qualifiers;
use std::fmt::Write as _;

impl Mangler<'_, '_> {
    /// The mangled type in full, which identifies it.
    pub(super) fn full(&mut self, ty: Qual) -> String {
        self.aside(|mangler| mangler.ty(ty))
    }

    /// What a step writes when nothing is written short.
    pub(super) fn aside(&mut self, step: impl FnOnce(&mut Self)) -> String {
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
    pub(super) fn name(&mut self, items: &[Item], qualifiers: &str, is_type: bool) {
        let names = items.iter().filter(|item| matches!(item, Item::Name(_))).count();
        let nested = names > 1 || !qualifiers.is_empty();
        if !self.short {
            self.out.push_str(if nested { "N" } else { "" });
            self.out.push_str(qualifiers);
            for item in items {
                self.item(item);
            }
            self.out.push_str(if nested { "E" } else { "" });
            return;
        }
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
        if nested {
            self.out.push('N');
            self.out.push_str(qualifiers);
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

    pub(super) fn value(&mut self, value: TemplateValue) {
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
            TemplateValue::Template(template) => {
                let info = &self.sema.templates[template];
                let (scope, name) = (info.scope, info.decl.name);
                self.name_in(scope, name.map(|name| name.symbol));
            }
            TemplateValue::Alias(alias) => {
                let info = &self.sema.aliases[alias];
                self.name_in(info.scope, Some(info.name.symbol));
            }
            TemplateValue::Address(variable, ty) => {
                let info = &self.sema.variables[variable];
                let is_pointer = self.sema.types.referent(ty).is_none();
                self.out.push_str(if is_pointer { "XadL_Z" } else { "L_Z" });
                self.name_in(info.scope, Some(info.name));
                self.out.push_str(if is_pointer { "EE" } else { "E" });
            }
            TemplateValue::Pack(id) => {
                self.out.push('J');
                for one in self.sema.packs.get(id).clone().iter() {
                    self.value(*one);
                }
                self.out.push('E');
            }
            TemplateValue::Function(function) => {
                let name = self.sema.function_name(function);
                let _ = write!(self.out, "XadL_Z{}EE", source_name(&name));
            }
        }
    }

    fn name_in(&mut self, scope: ScopeId, name: Option<Symbol>) {
        let text = name.map_or(String::new(), |name| self.sema.text(name).to_owned());
        let mut items = self.sema.path(scope);
        items.push(Item::Name(source_name(&text)));
        self.name(&items, "", true);
    }

    /// Writes a type.
    pub(super) fn ty(&mut self, ty: Qual) {
        let quals = ty.quals;
        let is_array = self.sema.types.array(ty.ty).is_some();
        if (quals.is_const || quals.is_volatile || quals.is_restrict) && !is_array {
            if !self.short {
                self.qualifiers(quals);
                return self.ty(ty.unqualified());
            }
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
            TypeKind::Builtin(builtin) => self.out.push(builtin_code(builtin)),
            TypeKind::Nullptr => self.out.push_str("Dn"),
            TypeKind::Auto => self.out.push_str("Da"),
            TypeKind::Vector(element, count) => {
                self.layer(&format!("Dv{count}_"), |mangler| mangler.ty(Qual::plain(element)));
            }
            TypeKind::Opaque(opaque) => self.out.push_str(&source_name(opaque.name())),
            TypeKind::Record(id) => {
                let record = &self.sema.records[id];
                // A part of a key: the number says which class it is, as the name would.
                if !self.short && record.template.is_some() && record.name.len() > MAX_NAME {
                    let _ = write!(self.out, "{{{}}}", id.0);
                    return;
                }
                let (parent, template) = (record.parent, record.template.clone());
                // Only the host half has the lambda expressions around one with `__device__`.
                let is_handed_over = record.closure.is_some();
                let mut items = if is_handed_over { Vec::new() } else { self.sema.path(parent) };
                items.push(Item::Name(self.sema.record_name(id)));
                if let Some((_, arguments)) = template {
                    items.push(Item::Arguments(arguments));
                }
                self.name(&items, "", true);
            }
            TypeKind::Enum(id) => {
                let info = &self.sema.types.enums[id];
                let (parent, name) = (info.parent, info.name);
                let mut items = self.sema.path(parent);
                let text =
                    name.map_or_else(|| format!("anonymous{}", id.0), |name| self.sema.text(name).to_owned());
                items.push(Item::Name(source_name(&text)));
                self.name(&items, "", true);
            }
            TypeKind::Pointer(to) => self.layer("P", |mangler| mangler.ty(to)),
            TypeKind::MemberPointer(to, class) => self.layer("M", |mangler| {
                mangler.ty(Qual::plain(class));
                mangler.ty(to);
            }),
            TypeKind::Reference(to) => self.layer("R", |mangler| mangler.ty(to)),
            TypeKind::RvalueReference(to) => self.layer("O", |mangler| mangler.ty(to)),
            TypeKind::VariableArray(element, _) => {
                self.layer("A_", |mangler| mangler.ty(element.with(quals)));
            }
            TypeKind::Array(element, length) => {
                let length = length.map_or(String::new(), |length| length.to_string());
                self.layer(&format!("A{length}_"), |mangler| mangler.ty(element.with(quals)));
            }
            TypeKind::Function(signature) => self.layer("F", |mangler| {
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
    pub(super) fn layer(&mut self, code: &str, inner: impl Fn(&mut Self)) {
        if !self.short {
            self.out.push_str(code);
            return inner(self);
        }
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

    pub(super) fn qualifiers(&mut self, quals: Qualifiers) {
        for (on, code) in [(quals.is_restrict, 'r'), (quals.is_volatile, 'V'), (quals.is_const, 'K')] {
            if on {
                self.out.push(code);
            }
        }
    }
}
