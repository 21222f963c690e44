//! Specifiers: the type and the keywords in front of declarators.

use std::rc::Rc;

use super::ast::{
    Alignment, Attribute, AttributeArgument, BaseType, Builtin, Expr, ExprKind, Flags, Specifiers, TypeName,
};
use super::keyword::Keyword;
use super::parser::{Parser, Step};
use super::scope::NameKind;
use crate::diagnostics::Diagnostic;
use crate::lex::{Punct, Symbol, TokenKind};
use crate::source::Span;
use crate::target::Side;

/// Keywords of an arithmetic type, counted.
#[derive(Default)]
struct Words {
    base: Option<Keyword>,
    signed: bool,
    unsigned: bool,
    short: bool,
    long: u32,
}

impl Words {
    fn any(&self) -> bool {
        self.base.is_some() || self.signed || self.unsigned || self.short || self.long > 0
    }

    /// The type, if the keywords go together.
    fn builtin(&self) -> Option<Builtin> {
        let (signed, unsigned, short, long) = (self.signed, self.unsigned, self.short, self.long);
        let sign = signed || unsigned;
        let of = |plain, without_sign| if unsigned { without_sign } else { plain };
        Some(match self.base {
            _ if signed && unsigned || short && long > 0 || long > 2 => return None,
            Some(Keyword::Void) if !sign && !short && long == 0 => Builtin::Void,
            Some(Keyword::Bool) if !sign && !short && long == 0 => Builtin::Bool,
            Some(Keyword::Float) if !sign && !short && long == 0 => Builtin::Float,
            Some(Keyword::Double) if !sign && !short && long <= 1 => Builtin::Double,
            Some(Keyword::Char) if signed && !short && long == 0 => Builtin::SignedChar,
            Some(Keyword::Char) if !short && long == 0 => of(Builtin::Char, Builtin::UnsignedChar),
            None | Some(Keyword::Int) if short => of(Builtin::Short, Builtin::UnsignedShort),
            None | Some(Keyword::Int) => match long {
                0 => of(Builtin::Int, Builtin::UnsignedInt),
                1 => of(Builtin::Long, Builtin::UnsignedLong),
                _ => of(Builtin::LongLong, Builtin::UnsignedLongLong),
            },
            _ => return None,
        })
    }
}

impl Parser<'_> {
    /// Parses specifiers. `class` is the class whose constructors may be declared here.
    pub(super) fn specifiers(&mut self, class: Option<Symbol>) -> Step<Rc<Specifiers>> {
        self.nested(|parser| parser.specifiers_inner(class))
    }

    fn specifiers_inner(&mut self, class: Option<Symbol>) -> Step<Rc<Specifiers>> {
        let start = self.span();
        let first = self.at;
        let mut words = Words::default();
        let mut made = Specifiers::new(BaseType::None, Flags::default(), start);
        loop {
            let has_type = words.any() || !matches!(made.base, BaseType::None);
            if let Some(keyword) = self.keyword() {
                // Without the `;` behind a class, the next declaration follows.
                let goes_on = matches!(
                    keyword,
                    Keyword::Const
                        | Keyword::Volatile
                        | Keyword::Attribute
                        | Keyword::Align
                        | Keyword::Alignas
                );
                let defines = matches!(made.base, BaseType::Record(_) | BaseType::Enum(_));
                if defines && !goes_on && self.on_new_line() {
                    break;
                }
                let has_name = !matches!(made.base, BaseType::None);
                if !has_name && self.type_word(keyword, &mut words) || self.flag(keyword, &mut made)? {
                    continue;
                }
                match keyword {
                    Keyword::Struct | Keyword::Class | Keyword::Union if !has_type => {
                        made.base = self.record(None)?;
                    }
                    Keyword::Enum if !has_type => made.base = self.enumeration()?,
                    Keyword::Typename if !has_type => {
                        self.bump();
                        if self.keyword() == Some(Keyword::Decltype) {
                            continue;
                        }
                        made.base = BaseType::Named(self.qualified_name()?.0);
                    }
                    Keyword::Decltype if !has_type => {
                        self.bump();
                        self.expect(Punct::LeftParen, "after `decltype`")?;
                        if self.keyword() == Some(Keyword::Auto) && self.is_at(1, Punct::RightParen) {
                            self.bump();
                            self.bump();
                            made.base = BaseType::DecltypeAuto;
                            continue;
                        }
                        let value = self.with_angles(false, Self::expression)?;
                        self.expect(Punct::RightParen, "after the expression")?;
                        let value = Box::new(value);
                        made.base = if self.accept(Punct::ColonColon) {
                            BaseType::OfDecltype(value, self.qualified_name()?.0)
                        } else {
                            BaseType::Decltype(value)
                        };
                    }
                    Keyword::Auto if !has_type => {
                        self.bump();
                        made.base = BaseType::Auto;
                    }
                    _ => break,
                }
                continue;
            }
            if self.attribute_follows() {
                if has_type {
                    self.plain_attributes()?;
                } else {
                    let align = self.attributes()?;
                    made.align.add(align);
                }
                continue;
            }
            if has_type || !(self.name().is_some() || self.is(Punct::ColonColon)) {
                break;
            }
            if self.constant_word(&mut made.flags) {
                continue;
            }
            if made.constraint.is_none() && self.concept_follows_at(0, true) {
                made.constraint = Some(self.qualified_name()?.0);
                continue;
            }
            if !self.type_name_here(class) {
                break;
            }
            made.base = BaseType::Named(self.qualified_name()?.0);
        }
        if words.any() {
            let Some(builtin) = words.builtin() else {
                let span = self.since(start);
                self.error("syntax", span, "these keywords do not form a type", "");
                return Err(super::parser::Failed);
            };
            if builtin == Builtin::Double && words.long == 1 {
                self.warn_long_double(start);
            }
            made.base = BaseType::Builtin(builtin);
        }
        made.span = if self.at > first { self.since(start) } else { start };
        Ok(Rc::new(made))
    }

    /// Says once that `long double` has no precision beyond that of `double`.
    fn warn_long_double(&mut self, start: Span) {
        let span = self.since(start);
        if !self.sources.is_builtin(span) {
            let message = "`long double` is a `double` here";
            let warning = Diagnostic::warning("long-double", span, message)
                .note("it has 53 bits of precision; compilers of Linux have 64 in host code");
            self.out.push_once(warning);
        }
    }

    /// Takes `consteval` and `constinit`, which are names before C++20.
    fn constant_word(&mut self, flags: &mut Flags) -> bool {
        let is_consteval = self.is_word("consteval");
        let names_type = self.name_at(1).is_some() || self.keyword_at(1).is_some();
        if !(is_consteval || self.is_word("constinit")) || !names_type {
            return false;
        }
        flags.is_constexpr |= is_consteval;
        self.bump();
        true
    }

    fn type_word(&mut self, keyword: Keyword, words: &mut Words) -> bool {
        match keyword {
            Keyword::Void
            | Keyword::Bool
            | Keyword::Char
            | Keyword::Int
            | Keyword::Float
            | Keyword::Double
                if words.base.is_none() =>
            {
                words.base = Some(keyword);
            }
            Keyword::Signed => words.signed = true,
            Keyword::Unsigned => words.unsigned = true,
            Keyword::Short => words.short = true,
            Keyword::Long => words.long += 1,
            _ => return false,
        }
        self.bump();
        true
    }

    /// Whether the name of a class, of this length, begins `A::~A` or `A::operator bool`.
    pub(super) fn names_member_without_type(&self, length: usize) -> bool {
        length > 0
            && self.is_at(length, Punct::ColonColon)
            && (self.is_at(length + 1, Punct::Tilde)
                || self.keyword_at(length + 1) == Some(Keyword::Operator))
    }

    /// Whether the name at the current token is the type of the declaration.
    fn type_name_here(&self, class: Option<Symbol>) -> bool {
        let (kind, length) = self.peek_qualified(0);
        // A constructor: `Name(` in its class, or `Name::Name(`.
        if length == 1 && class.is_some() && self.name().map(|name| name.symbol) == class {
            return !self.is_at(1, Punct::LeftParen);
        }
        if self.names_member_without_type(length) {
            return false;
        }
        if length >= 3 && self.is_at(length, Punct::LeftParen) {
            let last = self.name_at(length - 1).map(|name| name.symbol);
            let before = self.name_at(length - 3).map(|name| name.symbol);
            let of_template = self.is_at(length - 3, Punct::Greater);
            if last.is_some()
                && (last == before || of_template && last == self.name().map(|name| name.symbol))
            {
                return false;
            }
        }
        match kind {
            Some(NameKind::Type(_) | NameKind::TypeTemplate(_)) => true,
            Some(_) => false,
            // An unknown name in front of another name must be meant as a type.
            None => length > 0 && self.name_at(length).is_some(),
        }
    }

    /// Takes a keyword that is no type.
    fn flag(&mut self, keyword: Keyword, made: &mut Specifiers) -> Step<bool> {
        let flags = &mut made.flags;
        match keyword {
            Keyword::Const => made.qualifiers.is_const = true,
            Keyword::Volatile => made.qualifiers.is_volatile = true,
            Keyword::Restrict => made.qualifiers.is_restrict = true,
            Keyword::Static => flags.is_static = true,
            Keyword::Extern => {
                if matches!(self.kind_at(1), TokenKind::Text(_)) {
                    self.bump();
                }
                flags.is_extern = true;
            }
            Keyword::Typedef => flags.is_typedef = true,
            Keyword::Inline => flags.is_inline = true,
            Keyword::Constexpr => {
                flags.is_constexpr = true;
            }
            Keyword::Virtual => flags.is_virtual = true,
            Keyword::Explicit if self.is_at(1, Punct::LeftParen) => {
                self.bump();
                let open = self.span();
                self.bump();
                let condition = self.with_angles(false, Self::conditional)?;
                self.expect_close(Punct::RightParen, open)?;
                made.explicit = Some(Rc::new(condition));
                return Ok(true);
            }
            Keyword::Explicit => flags.is_explicit = true,
            Keyword::Friend => flags.is_friend = true,
            Keyword::Mutable => flags.is_mutable = true,
            Keyword::Global | Keyword::ClKernel => flags.global = true,
            Keyword::Device => flags.device = true,
            Keyword::Host => flags.host = true,
            Keyword::Shared => flags.shared = true,
            Keyword::Constant => flags.constant = true,
            Keyword::Managed => flags.managed = true,
            Keyword::Noinline => flags.noinline = true,
            Keyword::Forceinline => flags.forceinline = true,
            Keyword::ThreadLocal if self.side != Side::Device => {
                let span = self.span();
                let warning = Diagnostic::warning("thread-local", span, "the threads share this variable")
                    .note("each of them sees what the others have stored");
                self.out.push(warning);
            }
            Keyword::Register | Keyword::Extension | Keyword::ThreadLocal | Keyword::GridConstant => {}
            Keyword::LaunchBounds => {
                self.bump();
                made.launch_bounds = self.parenthesized_list("`__launch_bounds__`")?;
                return Ok(true);
            }
            Keyword::Align | Keyword::Alignas => {
                made.align.bytes = self.alignment()?;
                return Ok(true);
            }
            Keyword::ClReadOnly => made.qualifiers.access = Some(false),
            Keyword::ClWriteOnly => made.qualifiers.access = Some(true),
            Keyword::ClGlobal | Keyword::ClLocal | Keyword::ClConstant | Keyword::ClPrivate => {
                return self.address_space(keyword, &mut made.qualifiers).map(|()| true);
            }
            Keyword::Attribute if self.side == Side::OpenCl => {
                self.open_cl_attributes(&mut made.attributes)?;
                for attribute in &made.attributes {
                    match (self.text(attribute.name.symbol).trim_matches('_'), &*attribute.arguments) {
                        ("noinline", _) => made.flags.noinline = true,
                        ("always_inline", _) => made.flags.forceinline = true,
                        _ => {}
                    }
                }
                made.align = self.aligned(&made.attributes)?;
                return Ok(true);
            }
            Keyword::Attribute | Keyword::Declspec => {
                let align = self.attribute_list()?;
                made.align.add(align);
                return Ok(true);
            }
            Keyword::Intrinsic => {
                self.bump();
                self.expect(Punct::LeftParen, "after `__intrinsic__`")?;
                if let TokenKind::Name(symbol) | TokenKind::Text(symbol) = self.kind() {
                    made.intrinsic = Some(symbol);
                }
                made.flags.device = true;
                self.bump();
                self.expect(Punct::RightParen, "after the name")?;
                return Ok(true);
            }
            _ => return Ok(false),
        }
        self.bump();
        Ok(true)
    }

    /// `(a, b)` behind a keyword.
    fn parenthesized_list(&mut self, keyword: &str) -> Step<Vec<Expr>> {
        let open = self.span();
        self.expect(Punct::LeftParen, &format!("after {keyword}"))?;
        self.with_angles(false, |parser| {
            let mut list = vec![parser.assignment()?];
            while parser.accept(Punct::Comma) {
                list.push(parser.assignment()?);
            }
            parser.expect_close(Punct::RightParen, open)?;
            Ok(list)
        })
    }

    /// `__align__(n)` or `alignas(n)`.
    pub(super) fn alignment(&mut self) -> Step<Option<Box<Expr>>> {
        let start = self.span();
        self.bump();
        if self.is(Punct::LeftParen) && self.starts_type_at(1) && self.names_only_type() {
            let open = self.span();
            self.bump();
            let ty = self.with_angles(false, Self::type_name)?;
            self.expect_close(Punct::RightParen, open)?;
            let kind = ExprKind::Alignof(Box::new(ty));
            return Ok(Some(Box::new(Expr { kind, span: self.since(start), depth: 1, chain: 0 })));
        }
        let list = self.parenthesized_list("the alignment keyword")?;
        Ok(list.into_iter().next().map(Box::new))
    }

    /// Whether the parentheses at the current token have a type and not a value that begins with
    /// one, as `T::value` or `T(16)`.
    fn names_only_type(&self) -> bool {
        let length = if self.keyword_at(1).is_some() { 1 } else { self.peek_qualified(1).1 };
        let next = self.kind_at(1 + length);
        !matches!(next, TokenKind::Punct(Punct::LeftParen | Punct::LeftBrace | Punct::ColonColon))
    }

    /// `__attribute__((...))`, `alignas(n)` and `__align__(n)` behind a declarator: the alignment.
    pub(super) fn trailing_attributes(&mut self) -> Step<Alignment> {
        let mut align = Alignment::default();
        while let Some(keyword @ (Keyword::Attribute | Keyword::Align | Keyword::Alignas)) = self.keyword() {
            if keyword != Keyword::Attribute {
                align.bytes = self.alignment()?;
                continue;
            }
            let found = if self.side == Side::OpenCl {
                let mut list = Vec::new();
                self.open_cl_attributes(&mut list)?;
                self.aligned(&list)?
            } else {
                self.attribute_list()?
            };
            align.add(found);
        }
        Ok(align)
    }

    /// The last `aligned(n)` and `packed` of attributes in OpenCL C.
    fn aligned(&mut self, list: &[Attribute]) -> Step<Alignment> {
        let last = |name| list.iter().rfind(|one| self.text(one.name.symbol).trim_matches('_') == name);
        let packed = last("packed").map(|one| one.name.span);
        let bytes = match last("aligned").map(|one| &*one.arguments) {
            None => None,
            Some([AttributeArgument::Value(bytes)]) => Some(Box::new(bytes.clone())),
            Some(_) => return self.unexpected("expected a number of bytes in `aligned`"),
        };
        Ok(Alignment { bytes, packed })
    }

    /// An attribute that changes nothing where it is.
    pub(super) fn no_packed(&mut self) -> Step<()> {
        match self.attribute_list()?.packed {
            Some(span) => self.unsupported(span, Alignment::PACKED),
            None => Ok(()),
        }
    }

    /// `__attribute__((...))` or `__declspec(...)`; only alignments matter.
    pub(super) fn attribute_list(&mut self) -> Step<Alignment> {
        self.bump();
        let start = self.at;
        self.skip_parentheses();
        let end = std::mem::replace(&mut self.at, start);
        let mut found = Alignment::default();
        while self.at < end {
            let text = self.name().map_or("", |name| self.text(name.symbol));
            match text {
                "packed" | "__packed__" => found.packed = Some(self.span()),
                "aligned" | "__aligned__" | "align" if self.is_at(1, Punct::LeftParen) => {
                    found.bytes = self.alignment()?;
                    continue;
                }
                _ => {}
            }
            self.bump();
        }
        Ok(found)
    }

    /// Parses a type without a name.
    pub(super) fn type_name(&mut self) -> Step<TypeName> {
        let ty = self.result_type()?;
        if ty.specifiers.constraint.is_some() {
            return self.unsupported(ty.span, "a concept in front of `auto` at this place");
        }
        Ok(ty)
    }

    /// Parses a type behind `->`, where a concept can be in front of `auto`.
    pub(super) fn result_type(&mut self) -> Step<TypeName> {
        let start = self.span();
        let specifiers = self.specifiers(None)?;
        if matches!(specifiers.base, BaseType::None) {
            return self.unexpected("expected a type");
        }
        let declarator = self.declarator(super::declarator::Mode::Abstract)?;
        Ok(TypeName { specifiers, declarator, span: self.since(start) })
    }
}
