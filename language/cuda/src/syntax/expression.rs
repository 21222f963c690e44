//! Expressions: operators by precedence.

use super::ast::{CastKind, Designator, Expr, ExprKind, ListItem, UnaryOp};
use super::keyword::Keyword;
use super::parser::{Failed, LONGEST_CHAIN, MAX_DEPTH, PART_OF_CHAIN, Parser, Step};
use crate::diagnostics::Diagnostic;
use crate::lex::{Punct, TokenKind};
use crate::source::Span;
use crate::target::Side;

/// The operator of a compound assignment; `Some(None)` for `=`.
#[expect(clippy::option_option, reason = "no assignment, and one without an operator, differ")]
pub(crate) fn assignment_operator(punct: Punct) -> Option<Option<Punct>> {
    Some(match punct {
        Punct::Assign => None,
        Punct::AddAssign => Some(Punct::Plus),
        Punct::SubAssign => Some(Punct::Minus),
        Punct::MulAssign => Some(Punct::Star),
        Punct::DivAssign => Some(Punct::Slash),
        Punct::RemAssign => Some(Punct::Percent),
        Punct::AndAssign => Some(Punct::And),
        Punct::OrAssign => Some(Punct::Or),
        Punct::XorAssign => Some(Punct::Xor),
        Punct::ShlAssign => Some(Punct::Shl),
        Punct::ShrAssign => Some(Punct::Shr),
        _ => return None,
    })
}

impl Parser<'_> {
    /// Makes an expression; its height is bounded so that later passes can recurse.
    pub(super) fn make(&mut self, kind: ExprKind, span: Span, children: &[u16]) -> Step<Expr> {
        self.make_of_depth(kind, span, children.iter().copied().max().unwrap_or(0) + 1)
    }

    fn make_of_depth(&mut self, kind: ExprKind, span: Span, depth: u16) -> Step<Expr> {
        if depth > MAX_DEPTH {
            self.error("limit", span, "the expression is nested too deeply", "simplify this");
            return Err(Failed);
        }
        Ok(Expr { kind, span, depth, chain: 0 })
    }

    /// Makes an expression with an operator that associates to the left: the next part of a chain.
    pub(super) fn chained(&mut self, punct: Punct, left: Expr, right: Expr, operator: Span) -> Step<Expr> {
        let span = self.sources.join(left.span, right.span);
        let chain = left.chain + 1;
        if usize::from(chain) > LONGEST_CHAIN {
            let message = format!("the expression has more than {LONGEST_CHAIN} operators in a row");
            self.error("limit", span, &message, "simplify this");
            // Dropped as a whole, the chain would need a stack frame for each operator.
            let mut left = left;
            while let ExprKind::Binary(_, inner, ..) = left.kind {
                left = *inner;
            }
            return Err(Failed);
        }
        let depth = if usize::from(chain) < PART_OF_CHAIN {
            left.depth.max(right.depth) + 1
        } else {
            left.depth.max(right.depth + PART_OF_CHAIN as u16)
        };
        let kind = ExprKind::Binary(punct, Box::new(left), Box::new(right), operator);
        Ok(Expr { chain, ..self.make_of_depth(kind, span, depth)? })
    }

    /// Parses an expression with commas.
    pub(super) fn expression(&mut self) -> Step<Expr> {
        let mut left = self.assignment()?;
        while self.is(Punct::Comma) && !self.is_at(1, Punct::Ellipsis) {
            let operator = self.span();
            self.bump();
            let right = self.assignment()?;
            left = self.chained(Punct::Comma, left, right, operator)?;
        }
        Ok(left)
    }

    /// Parses an expression without commas.
    pub(super) fn assignment(&mut self) -> Step<Expr> {
        self.nested(|parser| {
            if parser.keyword() == Some(Keyword::Throw) {
                return parser.throw();
            }
            let left = parser.conditional_inner()?;
            let TokenKind::Punct(punct) = parser.kind() else { return Ok(left) };
            let Some(operator) = assignment_operator(punct) else { return Ok(left) };
            if parser.is_at(1, Punct::Ellipsis) {
                return Ok(left);
            }
            let place = parser.span();
            parser.bump();
            let right = parser.initializer_clause()?;
            let span = parser.sources.join(left.span, right.span);
            let depths = [left.depth, right.depth];
            parser.make(ExprKind::Assign(operator, Box::new(left), Box::new(right), place), span, &depths)
        })
    }

    /// Parses an expression without commas and assignments.
    pub(super) fn conditional(&mut self) -> Step<Expr> {
        self.nested(Self::conditional_inner)
    }

    fn conditional_inner(&mut self) -> Step<Expr> {
        let condition = self.binary(1)?;
        if !self.accept(Punct::Question) {
            return Ok(condition);
        }
        let first = if self.is(Punct::Colon) {
            None
        } else {
            Some(Box::new(self.with_angles(false, Self::expression)?))
        };
        self.expect(Punct::Colon, "in the conditional expression")?;
        let second = self.assignment()?;
        let span = self.sources.join(condition.span, second.span);
        let depths = [condition.depth, first.as_ref().map_or(0, |first| first.depth), second.depth];
        self.make(ExprKind::Conditional(Box::new(condition), first, Box::new(second)), span, &depths)
    }

    fn binary(&mut self, least: u8) -> Step<Expr> {
        let mut left = self.unary()?;
        loop {
            let TokenKind::Punct(punct) = self.kind() else { return Ok(left) };
            if self.in_angles && matches!(punct, Punct::Greater | Punct::Shr) {
                return Ok(left);
            }
            let Some(level) = punct.precedence().filter(|level| *level >= least) else { return Ok(left) };
            if self.is_at(1, Punct::Ellipsis) {
                // A fold expression.
                return Ok(left);
            }
            let operator = self.span();
            if punct == Punct::Shl && self.is_at(1, Punct::Less) {
                if self.side.is_device() {
                    let message = "kernels cannot be launched from device code";
                    self.out.push(Diagnostic::error("unsupported", operator, message).help(
                        "a launch in device code needs compute capability 3.5, later than every chip of the \
                         simulator",
                    ));
                    return Err(Failed);
                }
                left = self.launch_expression(left)?;
                continue;
            }
            self.bump();
            self.nest()?;
            let right = self.binary(level + 1);
            self.depth -= 1;
            left = self.chained(punct, left, right?, operator)?;
        }
    }

    /// `kernel<<<grid, block, shared, stream>>>(arguments)` from the `<<<`.
    fn launch_expression(&mut self, kernel: Expr) -> Step<Expr> {
        let open = self.span();
        self.bump();
        self.bump();
        let configuration = self.with_angles(true, |parser| {
            let mut list = vec![parser.initializer_clause()?];
            while parser.accept(Punct::Comma) {
                list.push(parser.initializer_clause()?);
            }
            Ok(list)
        })?;
        for _ in 0..3 {
            if !self.accept_greater() {
                let message = format!("expected `>>>`, found {}", self.found());
                let span = self.span();
                self.out.push(Diagnostic::error("syntax", span, message).at(open, "opened here"));
                return Err(super::parser::Failed);
            }
        }
        if !self.is(Punct::LeftParen) {
            return self.unexpected("expected `(` with the arguments of the kernel");
        }
        let arguments = self.arguments()?;
        let depths: Vec<u16> = configuration.iter().chain(&arguments).map(|one| one.depth).collect();
        let span = self.since(kernel.span);
        self.make(ExprKind::Launch(Box::new(kernel), configuration, arguments), span, &depths)
    }

    pub(super) fn unary(&mut self) -> Step<Expr> {
        let start = self.span();
        let operator = match self.kind() {
            TokenKind::Punct(Punct::Plus) => UnaryOp::Plus,
            TokenKind::Punct(Punct::Minus) => UnaryOp::Minus,
            TokenKind::Punct(Punct::Not) => UnaryOp::Not,
            TokenKind::Punct(Punct::Tilde) => UnaryOp::Complement,
            TokenKind::Punct(Punct::Star) => UnaryOp::Deref,
            TokenKind::Punct(Punct::And) => UnaryOp::AddressOf,
            TokenKind::Punct(Punct::Increment) => UnaryOp::Increment,
            TokenKind::Punct(Punct::Decrement) => UnaryOp::Decrement,
            TokenKind::Punct(Punct::ColonColon) => match self.keyword_at(1) {
                Some(Keyword::New) => {
                    self.bump();
                    return self.new_expression(start, true);
                }
                Some(Keyword::Delete) => {
                    self.bump();
                    return self.delete_expression(start, true);
                }
                _ => return self.postfix(),
            },
            TokenKind::Punct(Punct::LeftParen) if self.starts_type_at(1) && self.is_cast() => {
                return self.cast(start);
            }
            TokenKind::Name(_) => match self.keyword() {
                Some(Keyword::Sizeof | Keyword::Alignof) => return self.size_of(start),
                Some(Keyword::Noexcept) => {
                    self.bump();
                    let open = self.span();
                    self.expect(Punct::LeftParen, "after `noexcept`")?;
                    let operand = self.with_angles(false, Self::expression)?;
                    self.expect_close(Punct::RightParen, open)?;
                    let (depth, span) = (operand.depth, self.since(start));
                    return self.make(ExprKind::Noexcept(Box::new(operand)), span, &[depth]);
                }
                Some(Keyword::New) => return self.new_expression(start, false),
                Some(Keyword::Delete) => return self.delete_expression(start, false),
                Some(Keyword::Extension) => {
                    self.bump();
                    return self.nested(Self::unary);
                }
                _ if self.is_vec_step() => return self.size_of(start),
                _ => return self.postfix(),
            },
            _ => return self.postfix(),
        };
        self.bump();
        let operand = self.nested(Self::unary)?;
        let span = self.sources.join(start, operand.span);
        let depth = operand.depth;
        self.make(ExprKind::Unary(operator, Box::new(operand)), span, &[depth])
    }

    /// Whether `(T` starts a cast, and not a parenthesized value such as `(T(1) + 2)`.
    pub(super) fn is_cast(&self) -> bool {
        let length = match self.keyword_at(1) {
            Some(Keyword::Decltype) => self.after_parentheses(2) - 1,
            Some(_) => 1,
            None => self.peek_qualified(1).1,
        };
        match self.kind_at(1 + length) {
            TokenKind::Punct(Punct::LeftParen) => {
                matches!(self.kind_at(2 + length), TokenKind::Punct(Punct::Star | Punct::And))
                    || self.pointer_to_member_at(2 + length)
            }
            TokenKind::Punct(Punct::LeftBrace | Punct::ColonColon | Punct::Dot) => false,
            _ => true,
        }
    }

    fn cast(&mut self, start: Span) -> Step<Expr> {
        self.bump();
        let ty = self.with_angles(false, Self::type_name)?;
        self.expect_close(Punct::RightParen, start)?;
        if self.is(Punct::LeftBrace) && self.side == Side::C {
            let list = self.initializer_clause()?;
            let (depth, span) = (list.depth, self.since(start));
            let literal = self.make(ExprKind::Compound(Box::new(ty), Box::new(list)), span, &[depth])?;
            return self.postfix_of(literal);
        }
        if self.is(Punct::LeftBrace) {
            let list = self.braced_items()?;
            let depths: Vec<u16> = list.iter().map(|item| item.depth).collect();
            let span = self.since(start);
            let literal = self.make(ExprKind::Construct(Box::new(ty), list, true), span, &depths)?;
            return self.postfix_of(literal);
        }
        if self.side == Side::OpenCl && self.list_follows() {
            let list = self.arguments()?;
            let depths: Vec<u16> = list.iter().map(|item| item.depth).collect();
            let span = self.since(start);
            return self.make(ExprKind::Construct(Box::new(ty), list, false), span, &depths);
        }
        let operand = self.nested(Self::unary)?;
        let span = self.sources.join(start, operand.span);
        let depth = operand.depth;
        self.make(ExprKind::Cast(CastKind::C, Box::new(ty), Box::new(operand)), span, &[depth])
    }

    /// Whether `vec_step` of a type follows; `vec_step` of a value is a call.
    fn is_vec_step(&self) -> bool {
        self.side == Side::OpenCl
            && self.is_at(1, Punct::LeftParen)
            && self.name().is_some_and(|name| self.text(name.symbol) == "vec_step")
            && self.starts_type_at(2)
    }

    fn size_of(&mut self, start: Span) -> Step<Expr> {
        let kind = match self.keyword() {
            Some(Keyword::Sizeof) => ExprKind::SizeofType,
            Some(Keyword::Alignof) => ExprKind::Alignof,
            _ => ExprKind::VecStep,
        };
        self.bump();
        if self.is(Punct::Ellipsis) {
            return self.size_of_pack(start);
        }
        if self.is(Punct::LeftParen) && self.starts_type_at(1) && self.is_cast() {
            let open = self.span();
            self.bump();
            let ty = Box::new(self.with_angles(false, Self::type_name)?);
            self.expect_close(Punct::RightParen, open)?;
            let span = self.since(start);
            return self.make(kind(ty), span, &[]);
        }
        let operand = self.nested(Self::unary)?;
        let span = self.sources.join(start, operand.span);
        let depth = operand.depth;
        self.make(ExprKind::SizeofExpr(Box::new(operand)), span, &[depth])
    }

    /// Parses a construct that is not compiled; the message comes if the code is needed.
    pub(super) fn unsupported_operand(&mut self, construct: &'static str) -> Step<Expr> {
        let start = self.span();
        self.bump();
        let mut round = 0usize;
        while !self.ended() {
            match self.kind() {
                TokenKind::Punct(Punct::LeftParen | Punct::LeftBracket | Punct::LeftBrace) => round += 1,
                TokenKind::Punct(Punct::RightParen | Punct::RightBracket | Punct::RightBrace)
                    if round > 0 =>
                {
                    round -= 1;
                }
                TokenKind::Punct(
                    Punct::Semicolon
                    | Punct::Comma
                    | Punct::RightParen
                    | Punct::RightBracket
                    | Punct::RightBrace,
                ) if round == 0 => break,
                _ => {}
            }
            self.bump();
        }
        let span = self.since(start);
        self.make(ExprKind::Unsupported(construct), span, &[])
    }

    /// Parses an expression or `{...}`.
    pub(super) fn initializer_clause(&mut self) -> Step<Expr> {
        if !self.is(Punct::LeftBrace) {
            return self.assignment();
        }
        self.nested(|parser| parser.with_angles(false, Self::list))
    }

    /// Whether `[` begins a designator, not a lambda expression.
    fn designator_follows(&self) -> bool {
        let mut nesting = 0;
        for ahead in 0.. {
            match self.kind_at(ahead) {
                TokenKind::Punct(Punct::LeftBracket) => nesting += 1,
                TokenKind::Punct(Punct::RightBracket) => nesting -= 1,
                TokenKind::Punct(Punct::Semicolon) | TokenKind::End => break,
                _ => {}
            }
            if nesting == 0 {
                let next = self.kind_at(ahead + 1);
                return matches!(next, TokenKind::Punct(Punct::Assign | Punct::Dot | Punct::LeftBracket));
            }
        }
        false
    }

    fn list(&mut self) -> Step<Expr> {
        let open = self.span();
        self.bump();
        let mut items = Vec::new();
        let mut depth = 0;
        while !self.is(Punct::RightBrace) {
            let mut designators = Vec::new();
            loop {
                if self.is(Punct::Dot) && self.name_at(1).is_some() {
                    self.bump();
                    designators.push(Designator::Member(self.expect_name("a member")?));
                } else if self.is(Punct::LeftBracket) && self.designator_follows() {
                    let bracket = self.span();
                    self.bump();
                    designators.push(Designator::Index(self.conditional()?));
                    self.expect_close(Punct::RightBracket, bracket)?;
                } else {
                    break;
                }
            }
            if !designators.is_empty() {
                self.expect(Punct::Assign, "after the designator")?;
            }
            let value = self.clause_or_expansion()?;
            depth = depth.max(value.depth);
            items.push(ListItem { designators, value });
            if !self.accept(Punct::Comma) {
                break;
            }
        }
        self.expect_close(Punct::RightBrace, open)?;
        let span = self.since(open);
        self.make(ExprKind::List(items), span, &[depth])
    }

    /// Parses `{a, b}` as the arguments of a constructor.
    pub(super) fn braced_items(&mut self) -> Step<Vec<Expr>> {
        let list = self.initializer_clause()?;
        let ExprKind::List(items) = list.kind else { return Ok(vec![list]) };
        if items.iter().any(|item| !item.designators.is_empty()) {
            let span = list.span;
            let depth = list.depth;
            let whole = Expr { kind: ExprKind::List(items), span, depth, chain: 0 };
            return Ok(vec![whole]);
        }
        Ok(items.into_iter().map(|item| item.value).collect())
    }

    /// Parses `(a, b)`.
    pub(super) fn arguments(&mut self) -> Step<Vec<Expr>> {
        let open = self.span();
        self.bump();
        self.with_angles(false, |parser| {
            let mut list = Vec::new();
            while !parser.is(Punct::RightParen) {
                list.push(parser.clause_or_expansion()?);
                if !parser.accept(Punct::Comma) {
                    break;
                }
                if parser.is(Punct::RightParen) {
                    return parser.unexpected("expected an argument");
                }
            }
            parser.expect_close(Punct::RightParen, open)?;
            Ok(list)
        })
    }
}
