//! Enumerations.

use std::rc::Rc;

use super::ast::{BaseType, EnumDecl, QualifiedName, Segment};
use super::keyword::Keyword;
use super::parser::{Parser, Step};
use super::scope::NameKind;
use crate::lex::Punct;

impl Parser<'_> {
    /// Parses from the keyword `enum`.
    pub(super) fn enumeration(&mut self) -> Step<BaseType> {
        let start = self.span();
        self.bump();
        let scoped = self.accept_keyword(Keyword::Class) || self.accept_keyword(Keyword::Struct);
        self.plain_attributes()?;
        let name = self.name();
        if name.is_some() && self.is_at(1, Punct::ColonColon) {
            let name = self.qualified_name()?.0;
            return Ok(BaseType::Elaborated(name));
        }
        if name.is_some() {
            self.bump();
        }
        let span = self.since(start);
        let has_type = self.side.is_cpp() && self.accept(Punct::Colon);
        let underlying = if has_type { Some(self.type_name()?) } else { None };
        if !self.is(Punct::LeftBrace) && underlying.is_none() && !scoped {
            let Some(name) = name else { return self.unexpected("expected a name or `{` after `enum`") };
            let segments = vec![Segment { name, arguments: None }];
            return Ok(BaseType::Elaborated(QualifiedName { global: false, segments, span: name.span }));
        }
        let outer = self.scopes.current();
        let own = self.scopes.push();
        self.scopes.enter(outer);
        if let Some(name) = name {
            self.scopes.declare(name.symbol, NameKind::Type(Some(own)));
        }
        let mut enumerators = None;
        if self.is(Punct::LeftBrace) {
            let open = self.span();
            self.bump();
            let mut list = Vec::new();
            while !self.is(Punct::RightBrace) {
                let name = self.expect_name("the name of an enumerator")?;
                self.plain_attributes()?;
                let value = if self.accept(Punct::Assign) {
                    Some(self.with_angles(false, Self::conditional)?)
                } else {
                    None
                };
                self.scopes.declare_in(own, name.symbol, NameKind::Value);
                if !scoped {
                    self.scopes.declare(name.symbol, NameKind::Value);
                }
                list.push((name, value));
                if !self.accept(Punct::Comma) {
                    break;
                }
            }
            self.expect_close(Punct::RightBrace, open)?;
            enumerators = Some(list);
        }
        Ok(BaseType::Enum(Rc::new(EnumDecl { name, scoped, underlying, enumerators, span })))
    }
}
