//! Statements.

use super::ast::{Asm, AsmOperand, Condition, DeclaratorName, For, RangeFor, Stmt, StmtKind};
use super::declaration::Place;
use super::declarator::Mode;
use super::keyword::Keyword;
use super::parser::{Failed, Parser, Step};
use super::scope::NameKind;
use crate::diagnostics::Diagnostic;
use crate::lex::{Kind, Punct};
use crate::source::Span;

impl Parser<'_> {
    /// Parses `{ ... }`. Returns the statements and the place of `}`.
    pub(super) fn block(&mut self) -> Step<(Vec<Stmt>, Span)> {
        let open = self.span();
        self.bump();
        let outer = self.scopes.current();
        self.scopes.push();
        let result = self.statements(open);
        self.scopes.enter(outer);
        result
    }

    fn statements(&mut self, open: Span) -> Step<(Vec<Stmt>, Span)> {
        let mut list = Vec::new();
        let mut failed = false;
        while !self.is(Punct::RightBrace) {
            if self.ended() {
                if failed {
                    return Err(Failed);
                }
                self.out.push(Diagnostic::error("syntax", open, "`{` has no `}`").label("opened here"));
                return Err(Failed);
            }
            let (depth, scope, angles) = (self.depth, self.scopes.current(), self.in_angles);
            if let Ok(statement) = self.statement() {
                list.push(statement);
            } else {
                failed = true;
                self.depth = depth;
                self.in_angles = angles;
                self.scopes.enter(scope);
                if self.out.is_full() {
                    return Err(Failed);
                }
                self.skip_statement();
            }
        }
        let end = self.span();
        self.bump();
        Ok((list, end))
    }

    /// Parses a statement.
    pub(super) fn statement(&mut self) -> Step<Stmt> {
        self.nested(|parser| {
            let start = parser.span();
            let kind = parser.statement_kind(start)?;
            Ok(Stmt { kind, span: parser.since(start) })
        })
    }

    fn statement_kind(&mut self, start: Span) -> Step<StmtKind> {
        match self.kind() {
            Kind::Punct(Punct::Semicolon) => {
                self.bump();
                return Ok(StmtKind::Empty);
            }
            Kind::Punct(Punct::LeftBrace) => return Ok(StmtKind::Block(self.block()?.0)),
            Kind::Unroll(factor) => {
                self.bump();
                return self.unrolled(start, factor);
            }
            _ => {}
        }
        if let Some(label) = self.label()? {
            return self.labelled(label, start);
        }
        if let Some(keyword) = self.keyword()
            && let Some(kind) = self.keyword_statement(keyword, start)?
        {
            return Ok(kind);
        }
        if self.starts_declaration() {
            return Ok(StmtKind::Decl(self.declaration(Place::Block)?));
        }
        let value = self.with_angles(false, Self::expression)?;
        self.expect_semicolon("after the expression")?;
        Ok(StmtKind::Expr(value))
    }

    /// Whether a declaration starts at the current token.
    fn starts_declaration(&self) -> bool {
        use Keyword as K;
        match self.keyword() {
            Some(
                K::Static
                | K::Extern
                | K::Register
                | K::Typedef
                | K::Constexpr
                | K::Shared
                | K::Constant
                | K::Device
                | K::Align
                | K::Alignas
                | K::Attribute
                | K::Using
                | K::Namespace
                | K::StaticAssert
                | K::Template
                | K::Inline
                | K::ThreadLocal,
            ) => return true,
            Some(_) if !self.starts_type() => return false,
            Some(
                K::Struct | K::Class | K::Union | K::Enum | K::Typename | K::Auto | K::Const | K::Volatile,
            ) => return true,
            Some(_) => {
                // `int(x);` is a value, `int (*p)[2];` a declaration.
                return !self.is_at(1, Punct::LeftParen) || self.is_at(2, Punct::Star);
            }
            None => {}
        }
        let (kind, length) = self.peek_qualified(0);
        match kind {
            Some(NameKind::Type(_) | NameKind::TypeTemplate(_)) => match self.kind_at(length) {
                Kind::Punct(Punct::LeftParen) => self.is_at(length + 1, Punct::Star),
                Kind::Punct(Punct::LeftBrace | Punct::ColonColon | Punct::Dot) => false,
                _ => true,
            },
            Some(_) => false,
            // Two names in a row: the first must be meant as a type.
            None => length > 0 && self.name_at(length).is_some(),
        }
    }

    /// Parses one label, if one is here.
    fn label(&mut self) -> Step<Option<StmtKind>> {
        match self.keyword() {
            Some(Keyword::Case) => {
                self.bump();
                let first = self.with_angles(false, Self::conditional)?;
                let last = if self.accept(Punct::Ellipsis) {
                    Some(self.with_angles(false, Self::conditional)?)
                } else {
                    None
                };
                self.expect(Punct::Colon, "after the value of `case`")?;
                return Ok(Some(StmtKind::Case(first, last)));
            }
            Some(Keyword::Default) => {
                self.bump();
                self.expect(Punct::Colon, "after `default`")?;
                return Ok(Some(StmtKind::Default));
            }
            _ => {}
        }
        let Some(name) = self.name().filter(|_| self.is_at(1, Punct::Colon)) else { return Ok(None) };
        self.bump();
        self.bump();
        Ok(Some(StmtKind::Label(name)))
    }

    /// Parses labels and the statement behind them: a flat list, however many labels there are.
    fn labelled(&mut self, first: StmtKind, start: Span) -> Step<StmtKind> {
        let mut list = vec![Stmt { kind: first, span: self.since(start) }];
        loop {
            let start = self.span();
            let Some(kind) = self.label()? else { break };
            list.push(Stmt { kind, span: self.since(start) });
        }
        if !self.is(Punct::RightBrace) {
            list.push(self.statement()?);
        }
        Ok(StmtKind::Labelled(list))
    }

    fn keyword_statement(&mut self, keyword: Keyword, start: Span) -> Step<Option<StmtKind>> {
        let kind = match keyword {
            Keyword::If => self.if_statement()?,
            Keyword::While | Keyword::For | Keyword::Do => self.loop_statement(keyword, None)?,
            Keyword::Switch => {
                self.bump();
                self.scoped(|parser| {
                    let condition = parser.condition("`switch`")?;
                    let body = Box::new(parser.statement()?);
                    Ok(StmtKind::Switch(condition, body))
                })?
            }
            Keyword::Break => self.jump(StmtKind::Break, "after `break`")?,
            Keyword::Continue => self.jump(StmtKind::Continue, "after `continue`")?,
            Keyword::Goto => {
                self.bump();
                let name = self.expect_name("the name of a label")?;
                self.expect_semicolon("after the label")?;
                StmtKind::Goto(name)
            }
            Keyword::Return => {
                self.bump();
                let value = if self.is(Punct::Semicolon) || self.is(Punct::RightBrace) {
                    None
                } else {
                    let value = self.with_angles(false, |parser| {
                        if parser.is(Punct::LeftBrace) {
                            parser.initializer_clause()
                        } else {
                            parser.expression()
                        }
                    })?;
                    Some(value)
                };
                self.expect_semicolon("after `return`")?;
                StmtKind::Return(value)
            }
            Keyword::Asm => self.asm()?,
            Keyword::Try => {
                self.out.push(Diagnostic::unsupported(start, "`try` in device code"));
                return Err(Failed);
            }
            Keyword::Else => {
                self.error("syntax", start, "`else` without `if`", "");
                return Err(Failed);
            }
            _ => return Ok(None),
        };
        Ok(Some(kind))
    }

    fn jump(&mut self, kind: StmtKind, place: &str) -> Step<StmtKind> {
        self.bump();
        self.expect_semicolon(place)?;
        Ok(kind)
    }

    fn if_statement(&mut self) -> Step<StmtKind> {
        self.bump();
        self.accept_keyword(Keyword::Constexpr);
        self.scoped(|parser| {
            let condition = parser.condition("`if`")?;
            let then = Box::new(parser.statement()?);
            let otherwise =
                if parser.accept_keyword(Keyword::Else) { Some(Box::new(parser.statement()?)) } else { None };
            Ok(StmtKind::If(condition, then, otherwise))
        })
    }

    /// `(condition)`, with or without a declaration.
    fn condition(&mut self, keyword: &str) -> Step<Condition> {
        let open = self.span();
        self.expect(Punct::LeftParen, &format!("after {keyword}"))?;
        let condition = self.condition_inner()?;
        self.expect_close(Punct::RightParen, open)?;
        Ok(condition)
    }

    fn condition_inner(&mut self) -> Step<Condition> {
        if !self.starts_declaration() {
            return Ok(Condition::Expr(self.with_angles(false, Self::expression)?));
        }
        let start = self.span();
        let specifiers = self.specifiers(None)?;
        let declarator = self.declarator(Mode::Inner)?;
        if let DeclaratorName::Plain(name) = &declarator.name {
            self.scopes.declare(name.symbol, NameKind::Value);
        }
        let init = self.initializer()?;
        let list = vec![super::ast::InitDeclarator { declarator, init, bits: None }];
        let kind = super::ast::DeclKind::Simple(specifiers, list);
        Ok(Condition::Decl(Box::new(super::ast::Decl { kind, span: self.since(start) })))
    }

    fn unrolled(&mut self, start: Span, factor: u32) -> Step<StmtKind> {
        if let Some(keyword @ (Keyword::For | Keyword::While | Keyword::Do)) = self.keyword() {
            self.loop_statement(keyword, Some(factor))
        } else {
            let warning = Diagnostic::warning("unroll", start, "`#pragma unroll` is not in front of a loop")
                .label("it has no effect");
            self.out.push(warning);
            self.statement().map(|statement| statement.kind)
        }
    }

    fn loop_statement(&mut self, keyword: Keyword, unroll: Option<u32>) -> Step<StmtKind> {
        self.bump();
        self.scoped(|parser| match keyword {
            Keyword::While => {
                let condition = parser.condition("`while`")?;
                Ok(StmtKind::While(condition, Box::new(parser.statement()?), unroll))
            }
            Keyword::Do => {
                let body = Box::new(parser.statement()?);
                if !parser.accept_keyword(Keyword::While) {
                    return parser.unexpected("expected `while` after the body of `do`");
                }
                let open = parser.span();
                parser.expect(Punct::LeftParen, "after `while`")?;
                let condition = parser.with_angles(false, Self::expression)?;
                parser.expect_close(Punct::RightParen, open)?;
                parser.expect_semicolon("after `do ... while`")?;
                Ok(StmtKind::DoWhile(body, condition, unroll))
            }
            _ => parser.for_statement(unroll),
        })
    }

    fn for_statement(&mut self, unroll: Option<u32>) -> Step<StmtKind> {
        let open = self.span();
        self.expect(Punct::LeftParen, "after `for`")?;
        let start = self.span();
        let mut init = None;
        if self.starts_declaration() {
            let before = self.at;
            if self.range_follows() {
                return self.range_for(open, unroll);
            }
            self.at = before;
            let decl = self.declaration(Place::Block)?;
            init = Some(Stmt { span: decl.span, kind: StmtKind::Decl(decl) });
        } else if !self.accept(Punct::Semicolon) {
            let value = self.with_angles(false, Self::expression)?;
            self.expect(Punct::Semicolon, "after the first part of `for`")?;
            init = Some(Stmt { kind: StmtKind::Expr(value), span: self.since(start) });
        }
        let condition = if self.is(Punct::Semicolon) { None } else { Some(self.condition_inner()?) };
        self.expect(Punct::Semicolon, "after the condition of `for`")?;
        let step =
            if self.is(Punct::RightParen) { None } else { Some(self.with_angles(false, Self::expression)?) };
        self.expect_close(Punct::RightParen, open)?;
        let body = self.statement()?;
        Ok(StmtKind::For(Box::new(For { init, condition, step, body, unroll })))
    }

    /// Whether the declaration in `for (` ends with `:`.
    fn range_follows(&self) -> bool {
        let mut question = false;
        for ahead in 0..40 {
            match self.kind_at(ahead) {
                Kind::Punct(Punct::Colon) => return !question,
                Kind::Punct(Punct::Question) => question = true,
                Kind::Punct(Punct::Semicolon | Punct::Assign | Punct::LeftParen) | Kind::End => return false,
                _ => {}
            }
        }
        false
    }

    fn range_for(&mut self, open: Span, unroll: Option<u32>) -> Step<StmtKind> {
        let specifiers = self.specifiers(None)?;
        let declarator = self.declarator(Mode::Inner)?;
        if let DeclaratorName::Plain(name) = &declarator.name {
            self.scopes.declare(name.symbol, NameKind::Value);
        }
        self.expect(Punct::Colon, "after the variable")?;
        let range = self.with_angles(false, Self::initializer_clause)?;
        self.expect_close(Punct::RightParen, open)?;
        let body = self.statement()?;
        Ok(StmtKind::RangeFor(Box::new(RangeFor { specifiers, declarator, range, body, unroll })))
    }

    fn asm(&mut self) -> Step<StmtKind> {
        self.bump();
        let mut volatile = false;
        while matches!(self.keyword(), Some(Keyword::Volatile | Keyword::Inline | Keyword::Goto)) {
            volatile |= self.keyword() == Some(Keyword::Volatile);
            self.bump();
        }
        let open = self.span();
        self.expect(Punct::LeftParen, "after `asm`")?;
        let span = self.span();
        let template = self.string()?;
        let span = self.since(span);
        let (mut outputs, mut inputs, mut clobbers) = (Vec::new(), Vec::new(), Vec::new());
        for part in 0..3 {
            // `::` separates two parts at once.
            if self.is(Punct::ColonColon) && part < 2 && !self.half_colon {
                self.half_colon = true;
                continue;
            }
            if std::mem::take(&mut self.half_colon) || self.is(Punct::Colon) {
                self.bump();
            } else {
                break;
            }
            if part == 2 {
                while matches!(self.kind(), Kind::Text(_)) {
                    clobbers.push(self.string()?);
                    self.accept(Punct::Comma);
                }
                break;
            }
            while matches!(self.kind(), Kind::Text(_)) || self.is(Punct::LeftBracket) {
                let operand = self.asm_operand()?;
                if part == 0 {
                    outputs.push(operand);
                } else {
                    inputs.push(operand);
                }
                if !self.accept(Punct::Comma) {
                    break;
                }
            }
        }
        self.half_colon = false;
        self.expect_close(Punct::RightParen, open)?;
        self.expect_semicolon("after `asm`")?;
        Ok(StmtKind::Asm(Box::new(Asm { template, span, volatile, outputs, inputs, clobbers })))
    }

    fn asm_operand(&mut self) -> Step<AsmOperand> {
        let mut name = None;
        if self.accept(Punct::LeftBracket) {
            name = Some(self.expect_name("the name of the operand")?);
            self.expect(Punct::RightBracket, "after the name")?;
        }
        let constraint = self.string()?;
        let open = self.span();
        self.expect(Punct::LeftParen, "after the constraint")?;
        let value = self.with_angles(false, Self::expression)?;
        self.expect_close(Punct::RightParen, open)?;
        Ok(AsmOperand { name, constraint, value })
    }
}
