//! Values of expressions during analysis, and the tables of functions, variables and classes.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::cells::Cells;
use super::described::Closure;
use super::id::PackId;
use super::scope::{AliasIndex, Constant, FunctionIndex, ScopeId, TemplateIndex, VariableIndex};
use super::types::{CType, Qual, RecordId, Signature};
use crate::hir;
use crate::lex::Symbol;
use crate::source::Span;
use crate::syntax::ast::{
    Access, Expr, FunctionDecl, Initializer, Operator, RecordDecl, RefQualifier, TemplateArgument,
    TemplateParameters,
};

/// Marks a failed step whose message is recorded.
#[derive(Clone, Copy, Debug)]
pub struct Failed;

/// Result of a step of the analysis.
pub type Res<T> = Result<T, Failed>;

#[derive(Clone, Debug)]
pub struct Value {
    pub kind: ValueKind,
    /// Its type, never a reference.
    pub ty: Qual,
    pub span: Span,
}

impl Value {
    /// A value without an address.
    pub fn rvalue(kind: hir::ExprKind, ty: CType, span: Span) -> Self {
        Self { kind: ValueKind::Rvalue(kind), ty: Qual::plain(ty), span }
    }

    /// An object.
    pub fn place(place: hir::PlaceKind, ty: Qual, span: Span) -> Self {
        Self { kind: ValueKind::Place(place, None), ty, span }
    }

    /// The object at an address.
    pub fn deref(address: hir::Expr, ty: Qual, span: Span) -> Self {
        Self::place(hir::PlaceKind::Deref(Box::new(address)), ty, span)
    }

    /// The value of a constant.
    pub fn constant(constant: Constant, ty: CType, span: Span) -> Self {
        Self::rvalue(constant.kind(), ty, span)
    }

    /// An integer constant.
    pub fn int(int: i128, ty: CType, span: Span) -> Self {
        Self::rvalue(hir::ExprKind::Int(int), ty, span)
    }

    /// The constant that the value is.
    pub fn known(&self) -> Option<Constant> {
        match &self.kind {
            ValueKind::Rvalue(kind) => Constant::of(kind),
            ValueKind::Place(_, known) => *known,
            ValueKind::Functions(_) | ValueKind::Elements(_) => None,
        }
    }
}

/// What a value is.
#[derive(Clone, Debug)]
pub enum ValueKind {
    /// A value without an address.
    Rvalue(hir::ExprKind),
    /// An object, and its value if that is constant.
    Place(hir::PlaceKind, Option<Constant>),
    /// Functions of one name.
    Functions(Box<FunctionSet>),
    /// Several elements of a vector object (OpenCL C).
    Elements(Box<Elements>),
}

/// `v.zyx`: elements of a vector object in the order of the result.
#[derive(Clone, Debug)]
pub struct Elements {
    /// The vector.
    pub of: hir::PlaceKind,
    /// Its type.
    pub ty: Qual,
    /// The numbers of the elements.
    pub at: Vec<u8>,
}

/// Functions of one name, before one is selected.
#[derive(Clone, Debug)]
pub struct FunctionSet {
    pub functions: Vec<FunctionIndex>,
    /// Explicit template arguments.
    pub arguments: Option<Vec<TemplateValue>>,
    /// The object of a method.
    pub object: Option<Value>,
    /// Whether the class is named, as in `Base::f()`: no function that overrides it is called.
    pub is_named: bool,
    pub name: Symbol,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TemplateValue {
    /// A type.
    Type(Qual),
    /// An integer constant of a type.
    Value(i128, CType),
    Function(FunctionIndex),
    /// A class template.
    Template(TemplateIndex),
    /// An alias template.
    Alias(AliasIndex),
    /// A variable outside functions: its address, of a pointer type, or itself for a reference.
    Address(VariableIndex, CType),
    /// The arguments of a parameter with `...`.
    Pack(PackId),
}

impl TemplateValue {
    /// Whether both are the same argument. Constants may have different types.
    pub fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Value(one, _), Self::Value(other, _)) => one == other,
            _ => self == other,
        }
    }
}

impl FunctionInfo {
    /// Which objects it takes, if it is a method.
    pub fn reference(&self) -> RefQualifier {
        self.decl.declarator.function().map_or(RefQualifier::None, |chunk| chunk.reference)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FunctionName {
    Plain(Symbol),
    Operator(Operator),
    Constructor,
    Destructor,
    /// A conversion to the type of the result.
    Conversion,
    /// The virtual function whose result it converts to a base class.
    Covariant(FunctionIndex),
    /// The virtual function that it calls, and the bytes from its object to the object of that.
    Moved(FunctionIndex, i64),
}

/// A declared function or function template.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent properties of a declaration")]
pub struct FunctionInfo {
    pub name: FunctionName,
    /// The declaration, with the body if there is one.
    pub decl: Rc<FunctionDecl>,
    /// Scope around it; for a template, around its parameters.
    pub scope: ScopeId,
    pub class: Option<RecordId>,
    pub template: Option<Rc<TemplateParameters>>,
    /// Types; those of a template are known for each instance only.
    pub signature: Option<Signature>,
    /// Default arguments by parameter.
    pub defaults: Vec<Option<Rc<Expr>>>,
    pub specializations: Vec<(Vec<TemplateValue>, FunctionIndex)>,
    /// Instances by template arguments.
    pub instances: FxHashMap<Vec<TemplateValue>, hir::FunctionId>,
    /// Whether the user declares a function of the library again.
    pub is_redeclared: bool,
    /// Whether the half of the program that is compiled can call it, or is it.
    pub device: bool,
    pub global: bool,
    /// Whether it has no `this`.
    pub is_static: bool,
    pub is_const: bool,
    /// The constructor of a base class that it calls, if `using` inherits it.
    pub inherits: Option<FunctionIndex>,
    /// Whether it is a deduction guide of the program.
    pub is_guide: bool,
    /// Number of its declaration in the file.
    pub order: u32,
    /// Number of its definition in the file.
    pub body_order: u32,
    pub span: Span,
}

/// A function that code calls, or a kernel.
#[derive(Debug)]
pub struct Instance {
    pub function: FunctionIndex,
    pub arguments: Vec<TemplateValue>,
    /// Scope with the template arguments.
    pub scope: ScopeId,
    pub signature: Signature,
    /// The analyzed body.
    pub body: Option<hir::Function>,
    /// Whether its body is analyzed, or will be.
    pub queued: bool,
    /// Whether analysis began.
    pub started: bool,
    /// Call that needs it first.
    pub needed_at: Span,
    /// The call outside of the compiler's headers that led to it.
    pub origin: Span,
    /// Instances of templates that led to this one.
    pub chain: u32,
}

/// A variable at file, namespace or class scope.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent properties of a declaration")]
pub struct VariableInfo {
    pub name: Symbol,
    pub ty: Qual,
    /// Memory, if it is a device variable.
    pub storage: Option<hir::Storage>,
    /// Initializer in its scope.
    pub init: Option<Rc<Initializer>>,
    pub scope: ScopeId,
    /// Value, if it is a constant.
    pub known: Option<Constant>,
    /// Value, if it is a constant object that is no number.
    pub value: Option<Rc<Cells>>,
    /// The variable in the typed program.
    pub global: Option<hir::GlobalId>,
    /// Texture: element type, dimensions, normalized floats (device).
    pub texture: Option<Texture>,
    /// The texture or surface that the variable stands for (host).
    pub reference: Option<hir::Reference>,
    /// Alignment that the source asks for.
    pub align: u64,
    /// Whether it is only declared (`extern`).
    pub is_extern: bool,
    pub is_static: bool,
    pub is_inline: bool,
    /// Whether a declaration says `extern`.
    pub is_external: bool,
    /// Whether `template <> T C<A>::name` declares the member of an instance of a class template.
    pub is_specialized: bool,
    /// Number of its declaration in the file.
    pub order: u32,
    /// Number of its definition: variables are initialized in this order ([basic.start.dynamic]).
    pub defined: u32,
    pub span: Span,
}

/// What a texture or surface reference reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Texture {
    pub element: CType,
    /// 1, 2 or 3.
    pub dimensions: i128,
    /// Whether integers are read as floats in [0, 1].
    pub normalized: bool,
    pub is_surface: bool,
}

impl Texture {
    /// What stands for it in host code.
    pub fn reference(self) -> hir::Reference {
        if self.is_surface { hir::Reference::Surface } else { hir::Reference::Texture(self.normalized) }
    }
}

#[derive(Debug)]
pub struct RecordTemplate {
    pub decl: Rc<RecordDecl>,
    /// Specializations with their arguments, full ones and partial ones.
    pub specializations: Vec<(Vec<TemplateArgument>, Rc<RecordDecl>)>,
    pub scope: ScopeId,
    pub instances: FxHashMap<Vec<TemplateValue>, RecordId>,
    /// Whether arguments satisfy it, if it is a concept.
    pub satisfied: FxHashMap<Vec<TemplateValue>, bool>,
    /// The deduction guides of the program, and those of the constructors, if code needed them.
    pub guides: Vec<FunctionIndex>,
    pub constructors: Option<Vec<FunctionIndex>>,
    /// Definitions of methods outside the class.
    pub outer: Vec<(OuterClass, Rc<FunctionDecl>)>,
    /// Definitions of static members outside the class.
    pub statics: Vec<OuterStatic>,
    /// Definitions of classes and class templates inside it outside the class.
    pub nested: Vec<Rc<OuterNested>>,
}

/// The definition of a class inside a class template outside of that.
#[derive(Debug)]
pub struct OuterNested {
    pub class: OuterClass,
    /// The arguments of the only class that has this one, if it is a specialization.
    pub exact: Option<Vec<TemplateValue>>,
    /// The parameters of the class template around it.
    pub parameters: Rc<TemplateParameters>,
    pub decl: Rc<RecordDecl>,
}

/// The definition of a static member outside of a class template.
#[derive(Clone, Debug)]
pub struct OuterStatic {
    pub class: OuterClass,
    pub name: Symbol,
    pub parameters: Rc<TemplateParameters>,
    pub init: Option<Rc<Initializer>>,
}

/// The class of a definition outside of a class template.
#[derive(Clone, Debug)]
pub struct OuterClass {
    /// Number of the partial specialization, with its arguments as the definition writes them; none
    /// for the template itself.
    pub special: Option<(usize, Vec<TemplateArgument>)>,
    /// Names of the classes inside it, from the outer one to the inner one, that lead to the class
    /// of the member.
    pub path: Vec<Symbol>,
}

#[derive(Clone, Debug)]
pub struct FieldInfo {
    /// Name; none for a base class or an anonymous member.
    pub name: Option<Symbol>,
    pub ty: Qual,
    /// Initializer in the class.
    pub init: Option<Rc<Initializer>>,
    /// Lowest bit and number of bits of a bit field.
    pub bits: Option<(u8, u8)>,
    /// `mutable`: a member of a `const` object can be changed.
    pub is_mutable: bool,
    /// Whether it follows the member in front of it without a gap.
    pub packed: bool,
    /// Least alignment that the declaration asks for.
    pub align: u64,
    pub span: Span,
}

/// How far a class is analyzed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    Declared,
    /// Being analyzed.
    Started,
    /// Its layout is known.
    Complete,
    /// With an error.
    Failed,
}

/// A class, structure or union.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent properties of a class")]
pub struct Record {
    /// Name with template arguments.
    pub name: String,
    /// Name without template arguments; none for anonymous classes.
    pub symbol: Option<Symbol>,
    /// Declaration with the members.
    pub decl: Option<Rc<RecordDecl>>,
    /// Template and arguments.
    pub template: Option<(TemplateIndex, Vec<TemplateValue>)>,
    /// Scope of the members.
    pub scope: ScopeId,
    pub parent: ScopeId,
    /// How far it is analyzed.
    pub state: State,
    /// Base classes: consecutive fields, first the one whose table of virtual functions the class
    /// shares.
    pub bases: Vec<RecordId>,
    /// Base classes that depend on the arguments of a class template: names without a class in
    /// front of them do not mean their members ([temp.dep.type]).
    pub dependent_bases: Vec<RecordId>,
    /// Base classes that are `private` or `protected`.
    pub hidden_bases: Vec<(RecordId, Access)>,
    /// Member variables of base classes that `using` names, with the class.
    pub used: FxHashMap<Symbol, RecordId>,
    /// Number of base classes that the declaration names before the first one of the list.
    pub before_primary: usize,
    /// The field of the first base class: behind the pointer to the table, if the class adds it.
    pub first_base: usize,
    /// Member variables, and base classes in front of them.
    pub fields: Vec<FieldInfo>,
    /// Bit fields without a name: the number of the next member, type and number of bits.
    pub gaps: Vec<(usize, CType, u8)>,
    pub constructors: Vec<FunctionIndex>,
    pub conversions: Vec<FunctionIndex>,
    pub operators: Vec<(Operator, FunctionIndex)>,
    /// The destructor; after the analysis of the members only if it has an effect.
    pub destructor: Option<FunctionIndex>,
    /// Whether a copy is more than a copy of the bytes (host).
    pub copies: bool,
    /// Whether an assignment is more than a copy of the bytes (host).
    pub assigns: bool,
    /// The virtual functions of an object in the order of its table; `None` is the destructor.
    pub slots: Vec<Option<FunctionIndex>>,
    /// The table, if code needs it (host).
    pub table: Option<hir::GlobalId>,
    pub is_union: bool,
    /// Whether members of a class that derives from it do not use the padding at its end.
    pub is_pod: bool,
    /// Whether it was defined in a header of the compiler.
    pub builtin: bool,
    /// Number of a lambda expression.
    pub lambda: Option<u32>,
    /// How the other half makes the class of a lambda expression with `__device__`.
    pub closure: Option<Rc<Closure>>,
    /// The function that a lambda expression without captures converts to, if code needs it.
    pub pointer: Option<FunctionIndex>,
    /// The structure in the typed program.
    pub hir: hir::TypeId,
    /// The objects of empty classes in it, once it has a layout: class and offset.
    pub empty_parts: Rc<[(RecordId, u64)]>,
    pub span: Span,
}
