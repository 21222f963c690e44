//! What only OpenCL C has: names of types, address spaces, attributes.

pub mod types;

use super::ast::{Attribute, AttributeArgument, Qualifiers};
use super::keyword::Keyword;
use super::parser::{Parser, Step};
use super::scope::NameKind;
use crate::diagnostics::Diagnostic;
use crate::lex::{Punct, TokenKind};
use crate::space::AddressSpace;

impl Parser<'_> {
    /// Enters the scope of the program, which does not see the headers of the compiler.
    pub(super) fn enter_open_cl(&mut self) {
        self.scopes.push_root();
        for name in types::all() {
            if let Some(symbol) = self.names.find(&name) {
                self.scopes.declare(symbol, NameKind::Type(None));
            }
        }
        self.extern_c = true;
    }

    /// Whether parentheses with several expressions follow, as in `(float4)(a, b)`.
    pub(super) fn list_follows(&self) -> bool {
        if !self.is(Punct::LeftParen) {
            return false;
        }
        let mut depth = 0usize;
        for ahead in 0.. {
            match self.kind_at(ahead) {
                TokenKind::Punct(Punct::LeftParen | Punct::LeftBracket | Punct::LeftBrace) => depth += 1,
                TokenKind::Punct(Punct::RightParen | Punct::RightBracket | Punct::RightBrace) => {
                    depth -= 1;
                    if depth == 0 {
                        return false;
                    }
                }
                TokenKind::Punct(Punct::Comma) if depth == 1 => return true,
                TokenKind::Punct(Punct::Semicolon) | TokenKind::End => return false,
                _ => {}
            }
        }
        false
    }

    /// Takes the keyword of an address space.
    pub(super) fn address_space(&mut self, keyword: Keyword, quals: &mut Qualifiers) -> Step<()> {
        let space = match keyword {
            Keyword::ClGlobal => AddressSpace::Global,
            Keyword::ClLocal => AddressSpace::Local,
            Keyword::ClConstant => AddressSpace::Constant,
            _ => AddressSpace::Private,
        };
        if quals.space != AddressSpace::Unnamed && quals.space != space {
            let (first, second) = (quals.space.name(), space.name());
            let message = format!("an object cannot be in `{first}` and `{second}` memory");
            let span = self.span();
            self.error("address-space", span, &message, "");
            return Err(super::parser::Failed);
        }
        quals.space = space;
        self.bump();
        Ok(())
    }

    /// Takes `__attribute__((name(arguments), ...))`.
    pub(super) fn open_cl_attributes(&mut self, out: &mut Vec<Attribute>) -> Step<()> {
        self.bump();
        let open = self.span();
        self.expect(Punct::LeftParen, "after `__attribute__`")?;
        self.expect(Punct::LeftParen, "after `__attribute__(`")?;
        while !self.is(Punct::RightParen) {
            let TokenKind::Name(symbol) = self.kind() else {
                return self.unexpected("expected the name of an attribute");
            };
            let name = super::ast::Name { symbol, span: self.span() };
            self.bump();
            let mut arguments = Vec::new();
            if self.is(Punct::LeftParen) {
                let open = self.span();
                self.bump();
                while !self.is(Punct::RightParen) {
                    arguments.push(if self.starts_type() {
                        AttributeArgument::Type(self.type_name()?)
                    } else {
                        AttributeArgument::Value(self.with_angles(false, Self::assignment)?)
                    });
                    if !self.accept(Punct::Comma) {
                        break;
                    }
                }
                self.expect_close(Punct::RightParen, open)?;
            }
            if self.is_known_attribute(&name) {
                out.push(Attribute { name, arguments });
            }
            if !self.accept(Punct::Comma) {
                break;
            }
        }
        self.expect_close(Punct::RightParen, open)?;
        self.expect_close(Punct::RightParen, open)
    }

    /// Whether an attribute has an effect; others get a warning.
    fn is_known_attribute(&mut self, name: &super::ast::Name) -> bool {
        let text = self.text(name.symbol).trim_matches('_');
        if KNOWN.contains(&text) {
            return true;
        }
        let message = format!("attribute `{text}` has no effect");
        self.out.push(Diagnostic::warning("attribute", name.span, message));
        false
    }
}

/// The attributes that are honored. Hints ask for nothing, and both byte orders are that of the
/// device.
const KNOWN: [&str; 9] = [
    "reqd_work_group_size",
    "work_group_size_hint",
    "vec_type_hint",
    "aligned",
    "packed",
    "always_inline",
    "noinline",
    "unused",
    "endian",
];
