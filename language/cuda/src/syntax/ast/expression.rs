//! Expressions in the syntax tree.

use std::rc::Rc;

use super::{
    Body, FunctionChunk, Initializer, Name, Operator, Packs, QualifiedName, TemplateParameters, TypeName,
};
use crate::lex::Symbol;
use crate::source::{Place, Span};
use crate::syntax::Keyword;

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// All of it.
    pub span: Span,
    /// Height of the tree; a long chain counts as its parts.
    pub depth: u16,
    /// Operators of the chain `a + b - c` that ends here.
    pub chain: u16,
}

/// Operators in front of an operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "each variant is the operator of its name")]
pub enum UnaryOp {
    Plus,
    Minus,
    Not,
    Complement,
    Deref,
    AddressOf,
    Increment,
    Decrement,
}

/// A cast.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CastKind {
    /// `(T)x`.
    C,
    /// `static_cast<T>(x)`.
    Static,
    /// `reinterpret_cast<T>(x)`.
    Reinterpret,
    /// `const_cast<T>(x)`.
    Const,
    /// `dynamic_cast<T>(x)`.
    Dynamic,
}

/// The kinds of expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A number as it is written.
    Number(Symbol),
    /// A character constant as it is written.
    Char(Symbol),
    /// The bytes of joined string literals.
    Text(Rc<Vec<u8>>),
    /// `"a"_suffix` and `'a'_suffix`.
    Suffixed(Box<Expr>, Name),
    /// `true`, `false`.
    Bool(bool),
    /// `nullptr`.
    Nullptr,
    /// `this`.
    This,
    /// A name.
    Name(QualifiedName),
    /// An operator in front.
    Unary(UnaryOp, Box<Expr>),
    /// `x++` (true) or `x--`.
    Postfix(bool, Box<Expr>),
    /// An operator between two operands, also `&&`, `||` and the comma.
    Binary(crate::lex::Punct, Box<Expr>, Box<Expr>, Span),
    /// `=`, or with an operator, as `+=`.
    Assign(Option<crate::lex::Punct>, Box<Expr>, Box<Expr>, Span),
    /// `c ? a : b`; GNU C allows `a` to be absent.
    Conditional(Box<Expr>, Option<Box<Expr>>, Box<Expr>),
    /// `f(a, b)`.
    Call(Box<Expr>, Vec<Expr>),
    /// `f<<<grid, block>>>(a, b)`: the kernel, the configuration and the arguments.
    Launch(Box<Expr>, Vec<Expr>, Vec<Expr>),
    /// `a[i]`.
    Index(Box<Expr>, Box<Expr>),
    /// `a.b` or (true) `a->b`.
    Member(Box<Expr>, bool, MemberName),
    /// A cast.
    Cast(CastKind, Box<TypeName>, Box<Expr>),
    /// `T(a, b)` or (true) `T{a, b}`.
    Construct(Box<TypeName>, Vec<Expr>, bool),
    /// `(T){a, .b = c}` of C.
    Compound(Box<TypeName>, Box<Expr>),
    /// `{a, .b = c}`.
    List(Vec<ListItem>),
    /// `sizeof(T)`.
    SizeofType(Box<TypeName>),
    /// `sizeof e`.
    SizeofExpr(Box<Expr>),
    /// `_Generic(e, T: a, default: b)` of C: a default has no type.
    Generic(Box<Expr>, Vec<(Option<TypeName>, Expr)>),
    /// `noexcept(e)`.
    Noexcept(Box<Expr>),
    /// `typeid(T)`.
    TypeidOfType(Box<TypeName>),
    /// `typeid(e)`.
    Typeid(Box<Expr>),
    /// `alignof(T)`.
    Alignof(Box<TypeName>),
    /// `decltype(e)::x`.
    OfDecltype(Box<Expr>, QualifiedName),
    /// `vec_step(T)` of OpenCL C.
    VecStep(Box<TypeName>),
    /// A lambda expression.
    Lambda(Rc<Lambda>),
    /// `new T(a)` and `new T[n]`.
    New(Box<New>),
    /// `delete p` or (true) `delete[] p`.
    Delete(Box<Delete>),
    /// `throw e`, or `throw` of the exception that is handled.
    Throw(Option<Box<Expr>>),
    /// `operator+` as a name, as in `operator+(a, b)`.
    OperatorName(Operator),
    /// `e...`: the expression for each element of the packs that it names.
    Expand(Rc<Expr>, Packs),
    /// The expression for one element of packs.
    Element(Rc<Expr>, Packs, u32),
    /// `sizeof...(pack)`.
    SizeofPack(Name),
    /// `(e + ...)`.
    Fold(Box<Fold>),
    /// `requires (T a) { ... }`.
    Requires(Rc<Requires>),
    /// A construct that is parsed but never compiled, with its name.
    Unsupported(&'static str),
}

/// A fold expression: an operator between the elements of packs ([expr.prim.fold]).
#[derive(Clone, Debug)]
pub struct Fold {
    /// The operand for each element.
    pub pattern: Rc<Expr>,
    /// The packs that it names.
    pub packs: Packs,
    /// The operator, which may assign.
    pub operator: crate::lex::Punct,
    /// The operand at the other end.
    pub init: Option<Expr>,
    /// Whether the first elements are joined first: `(... + e)`.
    pub from_left: bool,
}

/// A `requires` expression ([expr.prim.req]).
#[derive(Clone, Debug)]
pub struct Requires {
    /// The parameters that the requirements name.
    pub function: FunctionChunk,
    /// The requirements.
    pub list: Vec<Requirement>,
}

/// A requirement of a `requires` expression.
#[derive(Clone, Debug)]
pub enum Requirement {
    /// `e;`: the expression is valid.
    Valid(Expr),
    /// `typename T::type;`: the type exists.
    Type(TypeName),
    /// `{ e } noexcept -> C;`: the place of `noexcept`, and what the type of the value satisfies.
    Compound(Expr, Option<Span>, Option<Expr>),
    /// `requires e;`: the constraint is satisfied.
    Nested(Expr),
}

/// A `new` expression.
#[derive(Clone, Debug)]
pub struct New {
    /// `::new`, which does not look for `operator new` in the class.
    pub is_global: bool,
    /// The arguments in front of the type.
    pub placement: Vec<Expr>,
    /// The type, or that of the elements.
    pub ty: TypeName,
    /// The number of elements.
    pub count: Option<Expr>,
    /// The initializer.
    pub init: Option<Initializer>,
}

/// `delete` and its operand.
#[derive(Clone, Debug)]
pub struct Delete {
    /// `::delete`, which does not look for `operator delete` in the class.
    pub is_global: bool,
    /// `delete[]`.
    pub array: bool,
    /// The pointer.
    pub operand: Expr,
}

/// What a lambda expression captures by its own name.
#[derive(Clone, Debug)]
pub struct Capture {
    /// The name inside the body.
    pub name: Name,
    /// Whether it refers to the variable instead of a copy.
    pub by_reference: bool,
    /// The value of `name = value`; otherwise the variable of this name.
    pub init: Option<Expr>,
    /// The packs of a capture with `...`.
    pub pack: Option<Packs>,
}

impl Capture {
    /// Whether it is `this` (by reference) or `*this`.
    pub fn is_this(&self) -> bool {
        Keyword::of(self.name.symbol) == Some(Keyword::This)
    }
}

/// The halves of a program that can call a lambda expression.
#[derive(Clone, Debug)]
pub struct Marks {
    /// `__host__`.
    pub host: bool,
    /// `__device__`.
    pub device: bool,
    /// The names behind the marks.
    pub names: Vec<Symbol>,
    /// The `{` of the body.
    pub place: Option<Place>,
}

/// A lambda expression.
#[derive(Clone, Debug)]
pub struct Lambda {
    /// `[=]` (false) or `[&]` (true): captures the variables that the body names.
    pub default: Option<bool>,
    /// The captures that are written, also `this` and `*this`.
    pub captures: Vec<Capture>,
    /// The names in the body that may be variables around it.
    pub names: Vec<Symbol>,
    /// `__host__` and `__device__`, if one of them is written.
    pub marks: Option<Marks>,
    /// The parameters of the template that it is: those in `<>`, and one for each `auto`.
    pub template: Option<Rc<TemplateParameters>>,
    /// The parameters.
    pub function: FunctionChunk,
    /// The body.
    pub body: Rc<Body>,
}

/// The name behind `.` or `->`.
#[derive(Clone, Debug)]
pub enum MemberName {
    /// A name.
    Name(QualifiedName),
    /// An operator, and the class in front of it (`a.Base::operator=`).
    Operator(Option<crate::lex::Symbol>, Operator, Span),
    /// A conversion function (`a.operator int()`).
    Conversion(Box<TypeName>, Span),
    /// A destructor.
    Destructor(Span),
}

/// An element of an initializer list.
#[derive(Clone, Debug)]
pub struct ListItem {
    /// `.member` and `[index]` in front of `=`.
    pub designators: Vec<Designator>,
    /// The value.
    pub value: Expr,
}

/// A part of a designator.
#[derive(Clone, Debug)]
pub enum Designator {
    /// `.member`.
    Member(Name),
    /// `[index]`.
    Index(Expr),
}
