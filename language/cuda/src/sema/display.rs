//! Types as C writes them.

use super::Sema;
use super::types::{CType, CTypes, Qual, TypeKind};
use super::value::TemplateValue;
use crate::space::AddressSpace;
use crate::syntax::ast::{Builtin, Qualifiers};

/// Bytes of a type in messages.
const MAX_SHOWN: usize = 2 * super::MAX_NAME;

impl Sema<'_> {
    /// The type as messages write it.
    pub(super) fn show(&self, ty: Qual) -> String {
        let mut text = self.declare_as(ty, String::new());
        if text.len() > MAX_SHOWN {
            text.truncate(text.floor_char_boundary(MAX_SHOWN));
            text.push_str("...");
        }
        text
    }

    /// The unqualified type as messages write it.
    pub(super) fn show_type(&self, ty: CType) -> String {
        self.show(Qual::plain(ty))
    }

    /// The declaration of `name` with this type, as in `int *name[3]`.
    fn declare_as(&self, ty: Qual, name: String) -> String {
        let quals = qualifiers(ty.quals);
        let spaced = |left: &str, right: &str| match (left.is_empty(), right.is_empty()) {
            (true, _) => right.to_owned(),
            (_, true) => left.to_owned(),
            _ => format!("{left} {right}"),
        };
        let base = |text: &str| {
            let head = spaced(&quals, text);
            if name.is_empty() { head } else { format!("{head} {name}") }
        };
        match self.types.kind(ty.ty) {
            TypeKind::Builtin(builtin) => base(builtin_name(*builtin)),
            TypeKind::Nullptr => base("nullptr_t"),
            TypeKind::Auto => base("auto"),
            TypeKind::Vector(element, count) => base(&self.vector_name(*element, *count)),
            TypeKind::Opaque(opaque) => base(opaque.name()),
            TypeKind::Record(id) => base(&self.records[*id].name),
            TypeKind::Enum(id) => {
                let name = self.types.enums[*id].name;
                base(name.map_or("enum", |name| self.names.text(name)))
            }
            TypeKind::Pointer(to) => self.declare_pointer(*to, "*", &quals, &name),
            TypeKind::MemberPointer(to, class) => {
                let sign = format!("{}::*", self.show_type(*class));
                let is_const = to.quals.is_const && matches!(self.types.kind(to.ty), TypeKind::Function(_));
                let shown = if is_const { to.unqualified() } else { *to };
                let text = self.declare_pointer(shown, &sign, &quals, &name);
                if is_const { format!("{text} const") } else { text }
            }
            TypeKind::Reference(to) => self.declare_pointer(*to, "&", "", &name),
            TypeKind::RvalueReference(to) => self.declare_pointer(*to, "&&", "", &name),
            TypeKind::Array(..) | TypeKind::VariableArray(..) => {
                let Some((element, length)) = self.types.array(ty.ty) else { return name };
                let length = match length {
                    Some(length) => length.to_string(),
                    None if self.types.variable_size(ty.ty).is_some() => "*".to_owned(),
                    None => String::new(),
                };
                let space = if name.is_empty() { " " } else { "" };
                let name = if name.starts_with(' ') { name.trim_start().to_owned() } else { name };
                let element = element.with(ty.quals);
                if self.types.array(element.ty).is_some() {
                    return self.declare_as(element, format!("{name}{}[{length}]", space.trim_end()));
                }
                self.declare_as(element, format!("{name}[{length}]"))
            }
            TypeKind::Function(signature) => {
                let list: Vec<String> = signature.parameters.iter().map(|one| self.show(*one)).collect();
                let dots = if signature.variadic { ", ..." } else { "" };
                self.declare_as(signature.result, format!("{name}({}{dots})", list.join(", ")))
            }
        }
    }

    fn declare_pointer(&self, to: Qual, sign: &str, quals: &str, name: &str) -> String {
        let mut inner = format!("{sign}{quals}");
        if !name.is_empty() {
            if !quals.is_empty() {
                inner.push(' ');
            }
            inner.push_str(name);
        }
        if matches!(
            self.types.kind(to.ty),
            TypeKind::Array(..) | TypeKind::VariableArray(..) | TypeKind::Function(_)
        ) {
            inner = format!("({inner})");
        }
        self.declare_as(to, inner).replace("* *", "**").replace("* &", "*&")
    }

    /// Template arguments as messages write them.
    pub(super) fn show_arguments(&self, arguments: &[TemplateValue]) -> String {
        let arguments = self.packs.flat(arguments);
        let list: Vec<String> = arguments.iter().map(|argument| self.show_argument(*argument)).collect();
        format!("<{}>", list.join(", "))
    }

    /// A template argument as messages write it.
    pub(super) fn show_argument(&self, argument: TemplateValue) -> String {
        match argument {
            TemplateValue::Type(ty) => self.show(ty),
            TemplateValue::Value(value, ty) if ty == CTypes::BOOL => (value != 0).to_string(),
            TemplateValue::Value(value, _) => value.to_string(),
            TemplateValue::Function(function) => self.function_name(function),
            TemplateValue::Alias(alias) => self.text(self.aliases[alias].name.symbol).to_owned(),
            TemplateValue::Address(variable, ty) => {
                let name = self.text(self.variables[variable].name);
                if self.types.referent(ty).is_some() { name.to_owned() } else { format!("&{name}") }
            }
            TemplateValue::Template(template) => {
                let name = self.templates[template].decl.name;
                name.map_or(String::new(), |name| self.text(name.symbol).to_owned())
            }
            TemplateValue::Pack(id) => {
                let list: Vec<String> =
                    self.packs.get(id).iter().map(|one| self.show_argument(*one)).collect();
                list.join(", ")
            }
        }
    }
}

fn qualifiers(quals: Qualifiers) -> String {
    let access = match quals.access {
        Some(true) => "__write_only",
        Some(false) => "__read_only",
        None => "",
    };
    let list = [
        (!access.is_empty(), access),
        (quals.space != AddressSpace::Unnamed, quals.space.name()),
        (quals.is_const, "const"),
        (quals.is_volatile, "volatile"),
        (quals.is_restrict, "__restrict__"),
    ];
    let list: Vec<&str> = list.iter().filter(|(on, _)| *on).map(|(_, text)| *text).collect();
    list.join(" ")
}

fn builtin_name(builtin: Builtin) -> &'static str {
    match builtin {
        Builtin::Void => "void",
        Builtin::Bool => "bool",
        Builtin::Char => "char",
        Builtin::SignedChar => "signed char",
        Builtin::UnsignedChar => "unsigned char",
        Builtin::Short => "short",
        Builtin::UnsignedShort => "unsigned short",
        Builtin::Int => "int",
        Builtin::UnsignedInt => "unsigned int",
        Builtin::Long => "long",
        Builtin::UnsignedLong => "unsigned long",
        Builtin::LongLong => "long long",
        Builtin::UnsignedLongLong => "unsigned long long",
        Builtin::Float => "float",
        Builtin::Double => "double",
    }
}
