//! Parameters of templates, mangled as the template writes them.

use super::{Item, Mangler, source_name};
use crate::lex::Symbol;
use crate::sema::types::{CType, CTypes, Qual};
use crate::sema::value::TemplateValue;
use crate::syntax::ast::{
    BaseType, Chunk, Expr, ExprKind, Parameter, Qualifiers, Specifiers, TemplateArgument,
};
use std::fmt::Write as _;

impl Mangler<'_, '_> {
    /// Writes a parameter of a template: qualifiers of the parameter itself do not count.
    pub(super) fn parameter(&mut self, specifiers: &Specifiers, chunks: &[Chunk]) {
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
    pub(super) fn written(&mut self, specifiers: &Specifiers, chunks: &[Chunk]) {
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
            Chunk::MemberPointer(class, _) => {
                let base = BaseType::Named(class.clone());
                let class = Specifiers::of_both_halves(base, class.span);
                let is_const = matches!(rest.first(), Some(Chunk::Function(function)) if function.is_const);
                self.layer("M", |mangler| {
                    mangler.written_base(&class);
                    if is_const {
                        mangler.layer("K", |mangler| mangler.written(specifiers, rest));
                    } else {
                        mangler.written(specifiers, rest);
                    }
                });
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
                for Parameter { specifiers, declarator, pack, .. } in &function.parameters {
                    if pack.is_some() {
                        mangler.layer("Dp", |mangler| mangler.parameter(specifiers, &declarator.chunks));
                    } else {
                        mangler.parameter(specifiers, &declarator.chunks);
                    }
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
                return self.name(&items, "", true);
            }
        }
        let mark = self.sema.out.mark();
        let ty = self.sema.specifiers(specifiers).unwrap_or(Qual::plain(CTypes::INT));
        self.sema.out.truncate(mark);
        self.ty(ty);
    }

    fn depends(&self, argument: &TemplateArgument) -> bool {
        match argument {
            TemplateArgument::Expand(..) => true,
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

    pub(super) fn written_argument(&mut self, argument: &TemplateArgument) {
        match argument {
            TemplateArgument::Expand(pattern, _) => match &**pattern {
                TemplateArgument::Type(_) => self.layer("Dp", |mangler| mangler.written_argument(pattern)),
                TemplateArgument::Value(Expr { kind: ExprKind::Name(name), .. }) => {
                    let index = self.template_index(name.last().name.symbol).unwrap_or_default();
                    let _ = write!(self.out, "Xsp{index}E");
                }
                _ => self.out.push_str("Xsp0E"),
            },
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
