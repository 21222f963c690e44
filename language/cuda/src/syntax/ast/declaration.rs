//! Declarations in the syntax tree.

use std::rc::Rc;

use super::{
    Alignment, Declarator, Expr, Name, Operator, Packs, QualifiedName, Specifiers, Stmt, TemplateArgument,
    TemplateParameter, TypeName,
};
use crate::source::Span;

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
    /// `C(a, b) -> C<A, B>;`: a deduction guide of a class template.
    Guide(Name, Rc<FunctionDecl>),
    /// A class template.
    RecordTemplate(Rc<RecordDecl>),
    /// A namespace, and whether it is `inline`.
    Namespace(Option<Name>, bool, Vec<Decl>),
    /// `namespace a = b;`.
    NamespaceAlias(Name, QualifiedName),
    /// `extern "C" { ... }`.
    Linkage(Vec<Decl>),
    /// `using a::b;`, and `using T::b...;` for each element of packs.
    Using(QualifiedName, Option<Packs>),
    /// `using C::operator();`, and for each element of packs.
    UsingOperator(QualifiedName, Operator, Option<Packs>),
    /// `using namespace a;`.
    UsingNamespace(QualifiedName),
    /// `using enum E;`.
    UsingEnum(QualifiedName),
    /// `using a = T;` and its template.
    Alias(Name, TypeName, Option<Rc<TemplateParameters>>),
    /// `template struct A<int>;` and others that change nothing.
    Empty,
    /// `template <class T> int A<T>::b = 1;`.
    StaticMember(Rc<TemplateParameters>, Box<InitDeclarator>),
    /// `template void f<int>(int);`.
    Instantiate(QualifiedName, Rc<Specifiers>, Declarator),
    /// `template class C<int>;`
    InstantiateClass(QualifiedName),
    /// `static_assert(condition, "text")`.
    StaticAssert(Expr, Vec<u8>),
}

/// Parameters of a template.
#[derive(Clone, Debug)]
pub struct TemplateParameters {
    /// The parameters; none for a full specialization.
    pub list: Vec<TemplateParameter>,
    /// The parameters in front of it: `template <class T>` of `template <class T> template <class
    /// U>`.
    pub outer: Option<Rc<TemplateParameters>>,
    /// What its arguments must satisfy: the concepts in front of parameters, and `requires`.
    pub constraint: Option<Rc<Expr>>,
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
    /// Alignment behind the declarator.
    pub align: Alignment,
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
    /// `= 0`.
    pub is_pure: bool,
    /// The body.
    pub body: FunctionBody,
}

impl FunctionDecl {
    /// Whether it is `f();` in C, which says nothing about the parameters.
    pub fn is_open(&self) -> bool {
        let is_old_style = self.declarator.function().is_some_and(|function| function.is_old_style);
        is_old_style && matches!(self.body, FunctionBody::None)
    }
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
    /// Whether the body is a `try` block with handlers: the only statement. It guards the members
    /// of a constructor, too.
    pub is_try: bool,
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
    /// The packs that it expands: `Bases(values)...`.
    pub packs: Option<Packs>,
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
#[expect(clippy::struct_excessive_bools, reason = "independent properties of a declaration")]
pub struct RecordDecl {
    /// The keyword.
    pub tag: Tag,
    /// The name.
    pub name: Option<Name>,
    /// The whole name of a class that is defined outside the class or namespace that declares it.
    pub outside: Option<QualifiedName>,
    /// Arguments of a specialization.
    pub arguments: Option<Vec<TemplateArgument>>,
    /// Parameters, if it is a template.
    pub template: Option<Rc<TemplateParameters>>,
    /// Base classes.
    pub bases: Vec<BaseClass>,
    /// The members, if there is a body.
    pub members: Option<Vec<Member>>,
    /// `__align__(n)`, and `packed`: its members follow each other without gaps.
    pub align: Alignment,
    /// The largest alignment of its members: `#pragma pack`; 0 without.
    pub pack: u32,
    /// Whether it is a variable template: its only member has its name.
    pub is_variable: bool,
    /// Whether it is a concept: a variable template whose value says what arguments satisfy.
    pub is_concept: bool,
    /// Whether it is a vector type such as `float4`.
    pub is_vector: bool,
    /// `final`: no class derives from it.
    pub is_final: bool,
    /// From the keyword to the name.
    pub span: Span,
}

impl RecordDecl {
    /// A declaration of a template without a body.
    pub fn declared(tag: Tag, name: Name, template: Rc<TemplateParameters>, span: Span) -> Self {
        Self {
            tag,
            name: Some(name),
            outside: None,
            arguments: None,
            template: Some(template),
            bases: Vec::new(),
            members: None,
            align: Alignment::default(),
            pack: 0,
            is_variable: false,
            is_concept: false,
            is_vector: false,
            is_final: false,
            span,
        }
    }
}

/// A base class of a class.
#[derive(Clone, Debug)]
pub struct BaseClass {
    /// Its name.
    pub name: QualifiedName,
    /// Who may use it as a part of the class.
    pub access: Access,
    /// Whether objects share it.
    pub is_virtual: bool,
    /// The packs of `Bases...`.
    pub packs: Option<Packs>,
}

/// A member of a class.
#[derive(Clone, Debug)]
pub struct Member {
    /// Who may use it.
    pub access: Access,
    /// Its declaration.
    pub decl: Decl,
}

/// Who may use a member of a class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// Every function.
    Public,
    /// The class and classes that derive from it.
    Protected,
    /// The class.
    Private,
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
