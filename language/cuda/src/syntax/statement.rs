//! Statements: dispatch, labels, conditions and jumps.

use super::ast::{Alignment, Condition, DeclaratorName, Stmt, StmtKind};
use super::declaration::DeclaredIn;
use super::declarator::Mode;
use super::keyword::Keyword;
use super::parser::{Failed, LONGEST_CHAIN, PART_OF_CHAIN, Parser, Step};
use super::scope::NameKind;
use crate::diagnostics::Diagnostic;
use crate::lex::{Punct, TokenKind};
use crate::source::Span;
use crate::target::Side;

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
            TokenKind::Punct(Punct::Semicolon) => {
                self.bump();
                return Ok(StmtKind::Empty);
            }
            TokenKind::Punct(Punct::LeftBrace) => return Ok(StmtKind::Block(self.block()?.0)),
            TokenKind::Unroll(factor) => {
                self.bump();
                return self.unrolled(start, factor);
            }
            TokenKind::Pack(_) => return Ok(StmtKind::Decl(self.declaration(DeclaredIn::Block)?)),
            TokenKind::Punct(Punct::LeftBracket) if self.attribute_follows() => {
                let before = self.at;
                let align = self.attributes()?;
                let is_label = self.name().is_some() && self.is_at(1, Punct::Colon);
                if !is_label && self.starts_declaration() {
                    self.at = before;
                    return Ok(StmtKind::Decl(self.declaration(DeclaredIn::Block)?));
                }
                if align.bytes.is_some() || align.packed.is_some() {
                    self.at = before;
                    self.plain_attributes()?;
                }
                return self.statement_kind(start);
            }
            _ => {}
        }
        if let Some(label) = self.label()? {
            return self.labelled(label, start);
        }
        if self.coroutine_follows() {
            return self.unsupported(start, "a coroutine");
        }
        if let Some(keyword) = self.keyword()
            && let Some(kind) = self.keyword_statement(keyword, start)?
        {
            return Ok(kind);
        }
        if self.starts_declaration() {
            return Ok(StmtKind::Decl(self.declaration(DeclaredIn::Block)?));
        }
        let value = self.with_angles(false, Self::expression)?;
        self.expect_semicolon("after the expression")?;
        Ok(StmtKind::Expr(value))
    }

    /// Whether a declaration starts at the current token.
    pub(super) fn starts_declaration(&self) -> bool {
        use Keyword as K;
        if self.attribute_follows() {
            return true;
        }
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
            Some(K::Decltype) => {
                let after = self.after_parentheses(1);
                if self.is_at(after, Punct::ColonColon) {
                    let behind = after + self.peek_qualified(after).1;
                    return self.name_at(behind).is_some()
                        || matches!(self.kind_at(behind), TokenKind::Punct(Punct::Star | Punct::And));
                }
                return !matches!(
                    self.kind_at(after),
                    TokenKind::Punct(Punct::LeftParen | Punct::LeftBrace | Punct::ColonColon)
                );
            }
            Some(_) if !self.starts_type() => return false,
            Some(
                K::Struct | K::Class | K::Union | K::Enum | K::Typename | K::Auto | K::Const | K::Volatile,
            ) => return true,
            Some(_) => {
                // `int(x);` is a value, `int (*p)[2];` a declaration.
                return !self.is_at(1, Punct::LeftParen)
                    || self.name_and_value_at(2)
                    || self.is_at(2, Punct::Star)
                    || self.reference_at(2)
                    || self.pointer_to_member_at(2);
            }
            None => {}
        }
        let (kind, length) = self.peek_qualified(0);
        match kind {
            Some(NameKind::Type(_) | NameKind::TypeTemplate(_)) => match self.kind_at(length) {
                TokenKind::Punct(Punct::LeftParen) => {
                    let inner = length + 1;
                    self.is_at(inner, Punct::Star)
                        || self.name_and_value_at(inner)
                        || self.reference_at(inner)
                        || self.pointer_to_member_at(inner)
                }
                TokenKind::Punct(Punct::LeftBrace | Punct::ColonColon | Punct::Dot) => false,
                _ => true,
            },
            Some(NameKind::Concept) => self.concept_follows_at(0, true),
            Some(_) => false,
            // Two names in a row: the first must be meant as a type.
            None => length > 0 && self.name_at(length).is_some(),
        }
    }

    /// Whether `name)` follows, and the initial value or the length of an array behind it:
    /// `int (x) = 7;`. What can be a declaration is one ([stmt.ambig]).
    fn name_and_value_at(&self, ahead: usize) -> bool {
        self.name_at(ahead).is_some()
            && self.is_at(ahead + 1, Punct::RightParen)
            && matches!(
                self.kind_at(ahead + 2),
                TokenKind::Punct(Punct::Assign | Punct::LeftParen | Punct::LeftBrace | Punct::LeftBracket)
            )
    }

    /// Whether `&name)` follows, and no `.` behind it: `int (&r)[2] = a;`.
    fn reference_at(&self, ahead: usize) -> bool {
        self.is_at(ahead, Punct::And)
            && self.name_at(ahead + 1).is_some()
            && self.is_at(ahead + 2, Punct::RightParen)
            && !self.is_at(ahead + 3, Punct::Dot)
    }

    /// The token behind the parentheses that open at a later token.
    pub(super) fn after_parentheses(&self, open: usize) -> usize {
        let mut nesting = 0usize;
        for ahead in open.. {
            match self.kind_at(ahead) {
                TokenKind::Punct(Punct::LeftParen) => nesting += 1,
                TokenKind::Punct(Punct::RightParen) if nesting <= 1 => return ahead + 1,
                TokenKind::Punct(Punct::RightParen) => nesting -= 1,
                TokenKind::End => return ahead,
                _ => {}
            }
        }
        open
    }

    /// Parses one label, if one is here.
    pub(super) fn label(&mut self) -> Step<Option<StmtKind>> {
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
                    let (init, condition) = parser.selection("`switch`")?;
                    let body = Box::new(parser.statement()?);
                    Ok(parser.with_init(init, StmtKind::Switch(condition, body), start))
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
            Keyword::Try if matches!(self.side, Side::Host | Side::C) => self.try_statement()?,
            Keyword::Try => {
                return self.unsupported(start, "`try` in device code");
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
        let outer = self.scopes.current();
        let result = self.branches();
        self.scopes.enter(outer);
        result
    }

    /// Parses `if` and all its `else if`: a loop, so that the length of a chain needs no stack.
    fn branches(&mut self) -> Step<StmtKind> {
        let mut branches = Vec::new();
        // Branches that declare a variable: the later branches are nested in them.
        let mut declarations = 0;
        let mut otherwise = loop {
            let start = self.span();
            if branches.len() >= LONGEST_CHAIN {
                let message = format!("there are more than {LONGEST_CHAIN} `else if` in a row");
                self.error("limit", start, &message, "simplify this");
                return Err(Failed);
            }
            let has_declaration = branches.last().is_some_and(
                |(_, init, condition, _): &(_, Option<Stmt>, Condition, Box<Stmt>)| {
                    init.is_some() || matches!(condition, Condition::Decl(_))
                },
            );
            declarations += usize::from(has_declaration);
            if declarations > PART_OF_CHAIN {
                return self.too_deep();
            }
            self.bump();
            let constant = self.accept_keyword(Keyword::Constexpr);
            let scope = self.scopes.current();
            self.scopes.push();
            let (init, mut condition) = self.selection("`if`")?;
            if constant {
                condition = match condition {
                    Condition::Expr(value) => Condition::Constant(value),
                    _ => return self.unsupported(start, "a declaration in the condition of `if constexpr`"),
                };
            }
            // In the typed program, a branch is nested in the branches before it.
            let nesting = (branches.len() % PART_OF_CHAIN) as u16;
            self.depth += nesting;
            let then = Box::new(self.statement()?);
            self.depth -= nesting;
            // A variable of the condition is visible in all later branches.
            if init.is_none() && !matches!(condition, Condition::Decl(_)) {
                self.scopes.enter(scope);
            }
            branches.push((start, init, condition, then));
            if !self.accept_keyword(Keyword::Else) {
                break None;
            }
            if self.keyword() != Some(Keyword::If) {
                self.depth += nesting;
                let last = Box::new(self.statement()?);
                self.depth -= nesting;
                break Some(last);
            }
        };
        loop {
            let Some((start, init, condition, then)) = branches.pop() else { return Err(Failed) };
            let kind = self.with_init(init, StmtKind::If(condition, then, otherwise), start);
            if branches.is_empty() {
                return Ok(kind);
            }
            otherwise = Some(Box::new(Stmt { kind, span: self.since(start) }));
        }
    }

    /// `(condition)` or `(init; condition)` of `if` and `switch`.
    fn selection(&mut self, keyword: &str) -> Step<(Option<Stmt>, Condition)> {
        if !self.is(Punct::LeftParen) || !self.init_follows() {
            return Ok((None, self.condition(keyword)?));
        }
        let open = self.span();
        self.bump();
        let start = self.span();
        let kind = if self.accept(Punct::Semicolon) {
            StmtKind::Empty
        } else if self.starts_declaration() {
            StmtKind::Decl(self.declaration(DeclaredIn::Block)?)
        } else {
            let value = self.with_angles(false, Self::expression)?;
            self.expect(Punct::Semicolon, &format!("after the first part of {keyword}"))?;
            StmtKind::Expr(value)
        };
        let init = Stmt { kind, span: self.since(start) };
        let condition = self.condition_inner()?;
        self.expect_close(Punct::RightParen, open)?;
        Ok((Some(init), condition))
    }

    /// Whether a `;` is in the parentheses here (C++).
    fn init_follows(&self) -> bool {
        let mut nesting = 0usize;
        for ahead in 0.. {
            match self.kind_at(ahead) {
                TokenKind::Punct(Punct::LeftParen | Punct::LeftBrace) => nesting += 1,
                TokenKind::Punct(Punct::RightParen | Punct::RightBrace) if nesting <= 1 => return false,
                TokenKind::Punct(Punct::RightParen | Punct::RightBrace) => nesting -= 1,
                TokenKind::Punct(Punct::Semicolon) if nesting == 1 => return self.side.is_cpp(),
                TokenKind::End => return false,
                _ => {}
            }
        }
        false
    }

    /// A statement behind the declaration in its parentheses.
    fn with_init(&self, init: Option<Stmt>, kind: StmtKind, start: Span) -> StmtKind {
        match init {
            Some(init) => StmtKind::Block(vec![init, Stmt { kind, span: self.since(start) }]),
            None => kind,
        }
    }

    /// `(condition)`, with or without a declaration.
    pub(super) fn condition(&mut self, keyword: &str) -> Step<Condition> {
        let open = self.span();
        self.expect(Punct::LeftParen, &format!("after {keyword}"))?;
        let condition = self.condition_inner()?;
        self.expect_close(Punct::RightParen, open)?;
        Ok(condition)
    }

    pub(super) fn condition_inner(&mut self) -> Step<Condition> {
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
        if init.is_none() {
            return self.unexpected("expected `=` and a value behind the variable of a condition");
        }
        let list =
            vec![super::ast::InitDeclarator { declarator, init, bits: None, align: Alignment::default() }];
        let kind = super::ast::DeclKind::Simple(specifiers, list);
        Ok(Condition::Decl(Box::new(super::ast::Decl { kind, span: self.since(start) })))
    }
}
