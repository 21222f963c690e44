//! The syntax tree. Names are not resolved; types are as they are written.

mod declaration;
mod expression;
mod statement;

use std::rc::Rc;

use crate::lex::Symbol;
use crate::source::Span;
use crate::space::AddressSpace;
use crate::target::Side;

pub use declaration::{
    Access, BaseClass, Body, Decl, DeclKind, EnumDecl, FunctionBody, FunctionDecl, InitDeclarator,
    Initializer, Member, MemberInit, RecordDecl, Tag, TemplateParameters,
};
pub use expression::{
    Capture, CastKind, Delete, Designator, Expr, ExprKind, Fold, Lambda, ListItem, Marks, MemberName, New,
    Requirement, Requires, UnaryOp,
};
pub use statement::{Asm, AsmOperand, Condition, For, Handler, RangeFor, Stmt, StmtKind};

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

    /// A name alone.
    pub fn of(name: Name) -> Self {
        Self { global: false, segments: vec![Segment { name, arguments: None }], span: name.span }
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
    /// `a...`: the argument for each element of the packs that it names.
    Expand(Rc<TemplateArgument>, Packs),
}

/// Names of the packs that `...` expands together.
pub type Packs = Rc<[Symbol]>;

/// `const`, `volatile` and `restrict`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent properties of a type")]
pub struct Qualifiers {
    /// `const`.
    pub is_const: bool,
    /// `volatile`.
    pub is_volatile: bool,
    /// `__restrict__`.
    pub is_restrict: bool,
    /// Of a value only: an object that is about to end, as `std::move` returns it.
    pub is_expiring: bool,
    /// `__global` and its like of OpenCL C.
    pub space: AddressSpace,
    /// `__read_only` or (true) `__write_only` of an image.
    pub access: Option<bool>,
}

impl Qualifiers {
    /// The qualifiers of both.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self {
            is_const: self.is_const || other.is_const,
            is_volatile: self.is_volatile || other.is_volatile,
            is_restrict: self.is_restrict || other.is_restrict,
            is_expiring: self.is_expiring || other.is_expiring,
            space: if self.space == AddressSpace::Unnamed { other.space } else { self.space },
            access: self.access.or(other.access),
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

impl TypeName {
    /// A type without declarators.
    pub(crate) fn of(base: BaseType, span: Span) -> Self {
        let declarator = Declarator { name: DeclaratorName::None, chunks: Vec::new(), span };
        Self { specifiers: Rc::new(Specifiers::of_both_halves(base, span)), declarator, span }
    }

    /// The type of a name.
    pub(crate) fn named(name: QualifiedName) -> Self {
        let span = name.span;
        Self::of(BaseType::Named(name), span)
    }
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
    /// `decltype(auto)`.
    DecltypeAuto,
    /// `decltype(e)`.
    Decltype(Box<Expr>),
    /// `decltype(e)::x`.
    OfDecltype(Box<Expr>, QualifiedName),
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
    pub is_mutable: bool,
    pub global: bool,
    pub device: bool,
    pub host: bool,
    pub shared: bool,
    pub constant: bool,
    pub managed: bool,
    pub noinline: bool,
    pub forceinline: bool,
}

impl Flags {
    /// Whether a function belongs to one half of the program, or can be called there.
    pub fn belong_to(self, side: Side, is_builtin: bool) -> bool {
        is_builtin
            || match side {
                Side::Device => self.device || self.global || self.is_constexpr,
                Side::Host => self.host || !(self.device || self.global),
                Side::C | Side::OpenCl => true,
            }
    }
}

/// `name(arguments)` in `__attribute__((...))`.
#[derive(Clone, Debug)]
pub struct Attribute {
    /// The name without underscores around it.
    pub name: Name,
    /// The arguments.
    pub arguments: Vec<AttributeArgument>,
}

/// An argument of an attribute.
#[derive(Clone, Debug)]
pub enum AttributeArgument {
    /// A type, as in `vec_type_hint(float4)`.
    Type(TypeName),
    /// A constant.
    Value(Expr),
}

/// How attributes align an object or a class.
#[derive(Clone, Debug, Default)]
pub struct Alignment {
    /// `__align__(n)`, `alignas(n)` or `aligned(n)`.
    pub bytes: Option<Box<Expr>>,
    /// Place of `packed`.
    pub packed: Option<Span>,
}

impl Alignment {
    /// What is refused.
    pub const PACKED: &str = "`packed` for anything but a class or a member";

    /// What later attributes add.
    pub fn add(&mut self, more: Alignment) {
        self.bytes = more.bytes.or(self.bytes.take());
        self.packed = more.packed.or(self.packed);
    }
}

/// Specifiers of a declaration.
#[derive(Clone, Debug)]
pub struct Specifiers {
    /// The type.
    pub base: BaseType,
    /// The concept in front of `auto`.
    pub constraint: Option<QualifiedName>,
    /// Qualifiers of the type.
    pub qualifiers: Qualifiers,
    /// Other keywords.
    pub flags: Flags,
    /// The condition of `explicit(condition)`.
    pub explicit: Option<Rc<Expr>>,
    /// `__align__(n)` and `packed`.
    pub align: Alignment,
    /// `__launch_bounds__(...)`.
    pub launch_bounds: Vec<Expr>,
    /// Attributes of OpenCL C.
    pub attributes: Vec<Attribute>,
    /// `__intrinsic__(name)` in headers of the compiler.
    pub intrinsic: Option<Symbol>,
    /// All of it.
    pub span: Span,
}

impl Specifiers {
    /// A type and keywords, and nothing else.
    pub(crate) fn new(base: BaseType, flags: Flags, span: Span) -> Self {
        Self {
            base,
            constraint: None,
            qualifiers: Qualifiers::default(),
            flags,
            explicit: None,
            align: Alignment::default(),
            launch_bounds: Vec::new(),
            attributes: Vec::new(),
            intrinsic: None,
            span,
        }
    }

    /// The type alone, of a function that both halves of a program can call.
    pub(crate) fn of_both_halves(base: BaseType, span: Span) -> Self {
        Self::new(base, Flags { device: true, host: true, ..Flags::default() }, span)
    }
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
    /// `operator T()`; the class in front if it is defined outside its class.
    Conversion(Option<QualifiedName>, Box<TypeName>),
    /// `[a, b]`: names for the parts of an object.
    Bindings(Vec<Name>),
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
    /// `operator""_km`.
    Literal(Symbol),
    /// `operator new`, or (true) `operator new[]`.
    New(bool),
    /// `operator delete`, or (true) `operator delete[]`.
    Delete(bool),
}

impl Operator {
    /// Whether it is a function of memory, which is static in a class ([class.free]).
    #[must_use]
    pub fn is_of_memory(self) -> bool {
        matches!(self, Self::New(_) | Self::Delete(_))
    }

    /// Whether it compares two values.
    pub fn compares(self) -> bool {
        use crate::lex::Punct as P;
        matches!(self, Self::Symbol(P::EqEq | P::NotEq | P::Less | P::Le | P::Greater | P::Ge | P::Spaceship))
    }
}

/// A layer of a declarator.
#[derive(Clone, Debug)]
pub enum Chunk {
    /// `*`.
    Pointer(Qualifiers),
    /// `C::*`: a pointer to a member of a class.
    MemberPointer(QualifiedName, Qualifiers),
    /// `&`.
    Reference,
    /// `&&`.
    RvalueReference,
    /// `[n]`.
    Array(Option<Box<Expr>>),
    /// `(parameters)`.
    Function(Box<FunctionChunk>),
}

/// What a function says about its exceptions.
#[derive(Clone, Debug, Default)]
pub enum Noexcept {
    /// It may throw.
    #[default]
    No,
    /// `noexcept` or `throw()`.
    Yes,
    /// `noexcept(condition)`.
    If(Box<Expr>),
}

/// Which objects a method takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RefQualifier {
    /// All.
    #[default]
    None,
    /// `&`: those that stay, and constant ones.
    Lvalue,
    /// `&&`: those that may be moved from.
    Rvalue,
}

/// A parameter list.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent parts of a declarator")]
pub struct FunctionChunk {
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// `...`.
    pub variadic: bool,
    /// `f()` or `f(x) int x; {…}` in C, which say nothing about the arguments of a call.
    pub is_old_style: bool,
    /// `const` behind the list.
    pub is_const: bool,
    /// `&` or `&&` behind the list.
    pub reference: RefQualifier,
    /// Whether it throws no exceptions.
    pub noexcept: Noexcept,
    /// `-> T`.
    pub trailing: Option<Box<TypeName>>,
    /// `override`.
    pub overrides: bool,
    /// `final`.
    pub is_final: bool,
    /// What `requires` behind the list demands.
    pub requires: Option<Rc<Expr>>,
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
    /// The packs of `T... x`: a parameter for each of their elements.
    pub pack: Option<Packs>,
}

/// A template parameter.
#[derive(Clone, Debug)]
pub struct TemplateParameter {
    /// The name, if it has one.
    pub name: Option<Name>,
    /// What it stands for.
    pub kind: TemplateParameterKind,
    /// Whether it stands for any number of arguments.
    pub is_pack: bool,
}

/// What a template parameter stands for.
#[derive(Clone, Debug)]
pub enum TemplateParameterKind {
    /// A type with its default.
    Type(Option<TypeName>),
    /// A constant of a type with its default.
    Value(Rc<Specifiers>, Box<Declarator>, Option<Expr>),
    /// A class template with these parameters, with its default.
    Template(Rc<TemplateParameters>, Option<TypeName>),
}
