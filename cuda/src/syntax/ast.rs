//! The syntax tree. Names are not resolved; types are as they are written.

use std::rc::Rc;

use crate::lex::Symbol;
use crate::source::Span;

/// A name with its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Name {
    /// The name.
    pub symbol: Symbol,
    /// Where it is.
    pub span: Span,
}

/// `::a::b<c>::d`.
#[derive(Clone, Debug)]
pub struct QualifiedName {
    /// Whether it starts with `::`.
    pub global: bool,
    /// The parts; never empty.
    pub segments: Vec<Segment>,
    /// All of it.
    pub span: Span,
}

impl QualifiedName {
    /// The last part.
    pub fn last(&self) -> &Segment {
        self.segments.last().expect("a qualified name has a segment")
    }

    /// The name, if it is a single one without template arguments.
    pub fn plain(&self) -> Option<Name> {
        match self.segments.as_slice() {
            [Segment { name, arguments: None }] if !self.global => Some(*name),
            _ => None,
        }
    }
}

/// A part of a qualified name.
#[derive(Clone, Debug)]
pub struct Segment {
    /// The name.
    pub name: Name,
    /// Template arguments.
    pub arguments: Option<Vec<TemplateArgument>>,
}

/// A template argument.
#[derive(Clone, Debug)]
pub enum TemplateArgument {
    /// A type.
    Type(TypeName),
    /// A constant.
    Value(Expr),
}

/// `const`, `volatile` and `restrict`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Qualifiers {
    /// `const`.
    pub is_const: bool,
    /// `volatile`.
    pub is_volatile: bool,
    /// `__restrict__`.
    pub is_restrict: bool,
}

impl Qualifiers {
    /// The qualifiers of both.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self {
            is_const: self.is_const || other.is_const,
            is_volatile: self.is_volatile || other.is_volatile,
            is_restrict: self.is_restrict || other.is_restrict,
        }
    }
}

/// A type without a declared name.
#[derive(Clone, Debug)]
pub struct TypeName {
    /// The specifiers.
    pub specifiers: Rc<Specifiers>,
    /// Pointers, arrays and so on.
    pub declarator: Declarator,
    /// All of it.
    pub span: Span,
}

/// The arithmetic types by their keywords.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "each variant is the type of C with this name")]
pub enum Builtin {
    Void,
    Bool,
    Char,
    SignedChar,
    UnsignedChar,
    Short,
    UnsignedShort,
    Int,
    UnsignedInt,
    Long,
    UnsignedLong,
    LongLong,
    UnsignedLongLong,
    Float,
    Double,
}

/// The type in specifiers.
#[derive(Clone, Debug)]
pub enum BaseType {
    /// An arithmetic type or void.
    Builtin(Builtin),
    /// A name of a type.
    Named(QualifiedName),
    /// `struct name`, `enum name` without a body.
    Elaborated(QualifiedName),
    /// `struct { ... }`.
    Record(Rc<RecordDecl>),
    /// `enum { ... }`.
    Enum(Rc<EnumDecl>),
    /// `auto`.
    Auto,
    /// `decltype(e)`.
    Decltype(Box<Expr>),
    /// Constructors, destructors and conversions have no type.
    None,
}

/// Keywords that may precede a declaration.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is one keyword of the language")]
#[expect(missing_docs, reason = "each field is the keyword of its name")]
pub struct Flags {
    pub is_extern: bool,
    pub is_static: bool,
    pub is_typedef: bool,
    pub is_inline: bool,
    pub is_constexpr: bool,
    pub is_virtual: bool,
    pub is_explicit: bool,
    pub is_friend: bool,
    pub global: bool,
    pub device: bool,
    pub host: bool,
    pub shared: bool,
    pub constant: bool,
    pub managed: bool,
    pub noinline: bool,
    pub forceinline: bool,
}

/// Specifiers of a declaration.
#[derive(Clone, Debug)]
pub struct Specifiers {
    /// The type.
    pub base: BaseType,
    /// Qualifiers of the type.
    pub qualifiers: Qualifiers,
    /// Other keywords.
    pub flags: Flags,
    /// `__align__(n)`.
    pub align: Option<Box<Expr>>,
    /// `__launch_bounds__(...)`.
    pub launch_bounds: Vec<Expr>,
    /// `__intrinsic__(name)` in headers of the compiler.
    pub intrinsic: Option<Symbol>,
    /// All of it.
    pub span: Span,
}

/// A name with the pointers, arrays and parameters around it.
#[derive(Clone, Debug)]
pub struct Declarator {
    /// The declared name.
    pub name: DeclaratorName,
    /// From the name outwards: `*a[3]` is an array of pointers.
    pub chunks: Vec<Chunk>,
    /// The name, or the place where it would be.
    pub span: Span,
}

impl Declarator {
    /// The outermost chunk is a parameter list: the declaration is a function.
    pub fn function(&self) -> Option<&FunctionChunk> {
        if let Some(Chunk::Function(function)) = self.chunks.first() { Some(function) } else { None }
    }
}

/// What a declarator declares.
#[derive(Clone, Debug)]
pub enum DeclaratorName {
    /// Nothing: an abstract declarator or an unnamed parameter.
    None,
    /// A name.
    Plain(Name),
    /// A member defined outside its class, or a specialization `f<int>`.
    Qualified(QualifiedName),
    /// An operator; the scope in front if it is defined outside its class.
    Operator(Option<QualifiedName>, Operator),
    /// A constructor.
    Constructor(Option<QualifiedName>),
    /// A destructor.
    Destructor(Option<QualifiedName>),
    /// `operator T()`.
    Conversion(Box<TypeName>),
}

/// An operator that a class may define.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operator {
    /// With one operand, or two where the text is the same (`-`).
    Symbol(crate::lex::Punct),
    /// `operator()`.
    Call,
    /// `operator[]`.
    Index,
}

/// A layer of a declarator.
#[derive(Clone, Debug)]
pub enum Chunk {
    /// `*`.
    Pointer(Qualifiers),
    /// `&`.
    Reference,
    /// `&&`.
    RvalueReference,
    /// `[n]`.
    Array(Option<Box<Expr>>),
    /// `(parameters)`.
    Function(Box<FunctionChunk>),
}

/// A parameter list.
#[derive(Clone, Debug)]
pub struct FunctionChunk {
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// `...`.
    pub variadic: bool,
    /// `const` behind the list.
    pub is_const: bool,
    /// `-> T`.
    pub trailing: Option<Box<TypeName>>,
    /// From `(` to `)`.
    pub span: Span,
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// The specifiers.
    pub specifiers: Rc<Specifiers>,
    /// The declarator.
    pub declarator: Declarator,
    /// The default argument.
    pub default: Option<Expr>,
}

/// A template parameter.
#[derive(Clone, Debug)]
pub struct TemplateParameter {
    /// The name, if it has one.
    pub name: Option<Name>,
    /// What it stands for.
    pub kind: TemplateParameterKind,
}

/// What a template parameter stands for.
#[derive(Clone, Debug)]
pub enum TemplateParameterKind {
    /// A type with its default.
    Type(Option<TypeName>),
    /// A constant of a type with its default.
    Value(Rc<Specifiers>, Box<Declarator>, Option<Expr>),
}

/// A declaration.
#[derive(Clone, Debug)]
pub struct Decl {
    /// What is declared.
    pub kind: DeclKind,
    /// All of it.
    pub span: Span,
}

/// The kinds of declarations.
#[derive(Clone, Debug)]
pub enum DeclKind {
    /// Variables, type names, structures without variables.
    Simple(Rc<Specifiers>, Vec<InitDeclarator>),
    /// A function with or without a body; also methods.
    Function(Rc<FunctionDecl>),
    /// A class template.
    RecordTemplate(Rc<RecordDecl>),
    /// A namespace.
    Namespace(Option<Name>, Vec<Decl>),
    /// `namespace a = b;`.
    NamespaceAlias(Name, QualifiedName),
    /// `extern "C" { ... }`.
    Linkage(Vec<Decl>),
    /// `using a::b;`.
    Using(QualifiedName),
    /// `using namespace a;`.
    UsingNamespace(QualifiedName),
    /// `using a = T;` and its template.
    Alias(Name, TypeName, Option<Rc<TemplateParameters>>),
    /// `template struct A<int>;` and others that change nothing.
    Empty,
    /// `template void f<int>(int);`.
    Instantiate(QualifiedName, Rc<Specifiers>, Declarator),
    /// `static_assert(condition, "text")`.
    StaticAssert(Expr, Vec<u8>),
}

/// Parameters of a template.
#[derive(Clone, Debug)]
pub struct TemplateParameters {
    /// The parameters; none for a full specialization.
    pub list: Vec<TemplateParameter>,
    /// `template<...>`.
    pub span: Span,
}

/// A declarator with its initializer.
#[derive(Clone, Debug)]
pub struct InitDeclarator {
    /// The declarator.
    pub declarator: Declarator,
    /// The initializer.
    pub init: Option<Initializer>,
    /// Width of a bit field.
    pub bits: Option<Expr>,
}

/// An initializer.
#[derive(Clone, Debug)]
pub enum Initializer {
    /// `= e`, also `= {...}`.
    Value(Expr),
    /// `{...}`.
    List(Expr),
    /// `(a, b)`.
    Arguments(Vec<Expr>, Span),
}

/// A function.
#[derive(Clone, Debug)]
pub struct FunctionDecl {
    /// The specifiers.
    pub specifiers: Rc<Specifiers>,
    /// The declarator; its first chunk is the parameter list.
    pub declarator: Declarator,
    /// Parameters, if it is a template.
    pub template: Option<Rc<TemplateParameters>>,
    /// Whether its PTX name is its C name.
    pub extern_c: bool,
    /// The body.
    pub body: FunctionBody,
}

/// The body of a function.
#[derive(Clone, Debug)]
pub enum FunctionBody {
    /// A declaration.
    None,
    /// A body of a host function.
    Skipped,
    /// `= default`.
    Defaulted,
    /// `= delete`.
    Deleted,
    /// The statements.
    Block(Rc<Body>),
}

/// Statements of a function.
#[derive(Clone, Debug)]
pub struct Body {
    /// `: member(value)` of a constructor.
    pub initializers: Vec<MemberInit>,
    /// The statements.
    pub statements: Vec<Stmt>,
    /// The closing brace.
    pub end: Span,
}

/// `member(value)` of a constructor.
#[derive(Clone, Debug)]
pub struct MemberInit {
    /// The member or base class.
    pub name: QualifiedName,
    /// The value.
    pub init: Initializer,
}

/// Keyword of a class.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Tag {
    /// `struct` or `class`.
    Struct,
    /// `union`.
    Union,
}

/// A structure, class or union.
#[derive(Clone, Debug)]
pub struct RecordDecl {
    /// The keyword.
    pub tag: Tag,
    /// The name.
    pub name: Option<Name>,
    /// Arguments of a specialization.
    pub arguments: Option<Vec<TemplateArgument>>,
    /// Parameters, if it is a template.
    pub template: Option<Rc<TemplateParameters>>,
    /// Base classes.
    pub bases: Vec<QualifiedName>,
    /// The members, if there is a body.
    pub members: Option<Vec<Decl>>,
    /// `__align__(n)`.
    pub align: Option<Box<Expr>>,
    /// Whether it is a vector type such as `float4`.
    pub is_vector: bool,
    /// From the keyword to the name.
    pub span: Span,
}

/// An enumeration.
#[derive(Clone, Debug)]
pub struct EnumDecl {
    /// The name.
    pub name: Option<Name>,
    /// `enum class`.
    pub scoped: bool,
    /// The type of its values.
    pub underlying: Option<TypeName>,
    /// The values, if there is a body.
    pub enumerators: Option<Vec<(Name, Option<Expr>)>>,
    /// From the keyword to the name.
    pub span: Span,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// All of it.
    pub span: Span,
    /// Height of the tree.
    pub depth: u16,
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
    /// `a[i]`.
    Index(Box<Expr>, Box<Expr>),
    /// `a.b` or (true) `a->b`.
    Member(Box<Expr>, bool, MemberName),
    /// A cast.
    Cast(CastKind, Box<TypeName>, Box<Expr>),
    /// `T(a, b)` or (true) `T{a, b}`.
    Construct(Box<TypeName>, Vec<Expr>, bool),
    /// `{a, .b = c}`.
    List(Vec<ListItem>),
    /// `sizeof(T)`.
    SizeofType(Box<TypeName>),
    /// `sizeof e`.
    SizeofExpr(Box<Expr>),
    /// `alignof(T)`.
    Alignof(Box<TypeName>),
    /// A lambda expression.
    Lambda(Rc<Lambda>),
    /// `operator+` as a name, as in `operator+(a, b)`.
    OperatorName(Operator),
    /// A construct that is parsed but never compiled, with its name.
    Unsupported(&'static str),
}

/// A lambda expression without captures, or with captures that the compiler refuses.
#[derive(Clone, Debug)]
pub struct Lambda {
    /// The captures as they are written, if there are some.
    pub captures: Option<Span>,
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
    /// An operator.
    Operator(Operator, Span),
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

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// All of it.
    pub span: Span,
}

/// A condition, which may declare a variable.
#[derive(Clone, Debug)]
pub enum Condition {
    /// An expression.
    Expr(Expr),
    /// A declaration; the value of the variable is the condition.
    Decl(Box<Decl>),
}

/// The kinds of statements.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `;`.
    Empty,
    /// An expression.
    Expr(Expr),
    /// A declaration.
    Decl(Decl),
    /// `{ ... }`.
    Block(Vec<Stmt>),
    /// `if`.
    If(Condition, Box<Stmt>, Option<Box<Stmt>>),
    /// `while`, with `#pragma unroll`.
    While(Condition, Box<Stmt>, Option<u32>),
    /// `do ... while`.
    DoWhile(Box<Stmt>, Expr, Option<u32>),
    /// `for`.
    For(Box<For>),
    /// `for (x : range)`.
    RangeFor(Box<RangeFor>),
    /// `switch`.
    Switch(Condition, Box<Stmt>),
    /// `case e:` or `case e ... f:`.
    Case(Expr, Option<Expr>),
    /// `default:`.
    Default,
    /// `name:`.
    Label(Name),
    /// Labels with the statement behind them.
    Labelled(Vec<Stmt>),
    /// `break`.
    Break,
    /// `continue`.
    Continue,
    /// `goto`.
    Goto(Name),
    /// `return`.
    Return(Option<Expr>),
    /// Inline PTX.
    Asm(Box<Asm>),
    /// A construct that is parsed but never compiled, with its name.
    Unsupported(&'static str),
}

/// A `for` loop.
#[derive(Clone, Debug)]
pub struct For {
    /// Before the loop.
    pub init: Option<Stmt>,
    /// Before each iteration.
    pub condition: Option<Condition>,
    /// After each iteration.
    pub step: Option<Expr>,
    /// The body.
    pub body: Stmt,
    /// `#pragma unroll`.
    pub unroll: Option<u32>,
}

/// A `for` loop over the elements of an array.
#[derive(Clone, Debug)]
pub struct RangeFor {
    /// Specifiers of the variable.
    pub specifiers: Rc<Specifiers>,
    /// The variable.
    pub declarator: Declarator,
    /// The array.
    pub range: Expr,
    /// The body.
    pub body: Stmt,
    /// `#pragma unroll`.
    pub unroll: Option<u32>,
}

/// Inline PTX.
#[derive(Clone, Debug)]
pub struct Asm {
    /// The text.
    pub template: Vec<u8>,
    /// Place of the text.
    pub span: Span,
    /// `volatile`.
    pub volatile: bool,
    /// Written operands.
    pub outputs: Vec<AsmOperand>,
    /// Read operands.
    pub inputs: Vec<AsmOperand>,
    /// Names behind the third colon.
    pub clobbers: Vec<Vec<u8>>,
}

/// An operand of inline PTX.
#[derive(Clone, Debug)]
pub struct AsmOperand {
    /// `[name]` in front.
    pub name: Option<Name>,
    /// The constraint.
    pub constraint: Vec<u8>,
    /// The operand.
    pub value: Expr,
}
