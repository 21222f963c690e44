//! Scopes and what names mean in them.

use std::rc::Rc;

use rustc_hash::FxHashMap;

pub use super::id::{AliasIndex, FunctionIndex, ScopeId, TemplateIndex, VariableIndex};
use super::types::{CType, Qual, RecordId};
use crate::arena::Arena;
use crate::hir::{ExprKind, GlobalId, LocalId, PlaceKind};
use crate::lex::Symbol;
use crate::source::Span;
use crate::syntax::ast::{Name, Operator, TemplateParameters, TypeName};

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Constant {
    /// An integer, `bool` or enumeration.
    Int(i128),
    Float(f64),
}

impl Constant {
    /// Returns the value of an expression that is a literal.
    pub fn of(expr: &ExprKind) -> Option<Self> {
        match expr {
            ExprKind::Int(int) => Some(Self::Int(*int)),
            ExprKind::Float(float) => Some(Self::Float(*float)),
            _ => None,
        }
    }

    /// The literal.
    pub fn kind(self) -> ExprKind {
        match self {
            Self::Int(int) => ExprKind::Int(int),
            Self::Float(float) => ExprKind::Float(float),
        }
    }
}

/// A template with one type behind it.
#[derive(Debug)]
pub struct AliasTemplate {
    pub name: Name,
    pub parameters: Rc<TemplateParameters>,
    pub target: TypeName,
    pub scope: ScopeId,
}

#[derive(Clone, Copy, Debug)]
pub struct LocalInfo {
    /// The variable in the typed program.
    pub local: LocalId,
    /// Type, which may be a reference.
    pub ty: Qual,
    /// Number of the function that declares it.
    pub function: u32,
    /// Value, if it is constant.
    pub known: Option<Constant>,
    pub span: Span,
}

/// What a name means.
#[derive(Clone, Debug)]
pub enum Entity {
    Type(Qual),
    RecordTemplate(TemplateIndex),
    AliasTemplate(AliasIndex),
    /// Functions and function templates.
    Functions(Vec<FunctionIndex>),
    /// A variable outside functions.
    Variable(VariableIndex),
    Local(LocalInfo),
    /// A static or shared variable of a function.
    Static(GlobalId, Qual),
    /// A template argument of this pointer type: the address of a variable outside functions.
    Address(VariableIndex, CType),
    /// A constant: an enumerator or a template argument.
    Constant(Constant, CType),
    Namespace(ScopeId),
    /// A member of a class.
    Field,
    /// The member variable of this number in the class of a lambda expression: an element of a pack
    /// that it captures.
    FieldAt(RecordId, u32),
    /// A structured binding that refers to a bit field, in the function of this number.
    Bound(Rc<PlaceKind>, Qual, u32),
    /// The elements of a pack.
    Pack(Rc<[Entity]>),
    /// A name that several base classes of the class declare.
    Ambiguous(RecordId),
    /// A variable or type of a host function, in a lambda expression that runs on the device.
    OfHost,
    /// A declaration with an error that was reported.
    Error,
}

/// What a scope belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Owner {
    File,
    /// A namespace; anonymous without name.
    Namespace(Option<Symbol>),
    Record(RecordId),
    Enum(Symbol),
    Template,
    Block,
}

#[derive(Debug)]
pub struct Scope {
    /// Scope around it.
    pub parent: Option<ScopeId>,
    /// What it belongs to.
    pub owner: Owner,
    /// The names with the order of their declarations.
    pub names: FxHashMap<Symbol, Entity>,
    /// The types of `struct`, `union`, `class` and `enum`, which other entities of their name hide.
    pub tags: FxHashMap<Symbol, Qual>,
    /// Namespaces of `using namespace`.
    pub also: Vec<ScopeId>,
    /// Operators that are defined outside classes.
    pub operators: FxHashMap<Operator, Vec<FunctionIndex>>,
}

#[derive(Debug)]
pub struct Scopes(Arena<ScopeId, Scope>);

impl Default for Scopes {
    fn default() -> Self {
        let file = Scope {
            parent: None,
            owner: Owner::File,
            names: FxHashMap::default(),
            tags: FxHashMap::default(),
            also: Vec::new(),
            operators: FxHashMap::default(),
        };
        Self(Arena::from_iter([file]))
    }
}

impl Scopes {
    /// The scope of the file.
    pub const FILE: ScopeId = ScopeId(0);

    /// The class whose members a scope has.
    pub fn class(&self, scope: ScopeId) -> Option<RecordId> {
        match self.get(scope).owner {
            Owner::Record(record) => Some(record),
            _ => None,
        }
    }

    pub fn add(&mut self, parent: ScopeId, owner: Owner) -> ScopeId {
        self.0.push(Scope {
            parent: Some(parent),
            owner,
            names: FxHashMap::default(),
            tags: FxHashMap::default(),
            also: Vec::new(),
            operators: FxHashMap::default(),
        })
    }

    /// Adds a scope that sees no other.
    pub fn add_root(&mut self, owner: Owner) -> ScopeId {
        let id = self.add(Self::FILE, owner);
        self.0[id].parent = None;
        id
    }

    /// The number of scopes so far.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    pub fn get(&self, id: ScopeId) -> &Scope {
        &self.0[id]
    }

    pub fn get_mut(&mut self, id: ScopeId) -> &mut Scope {
        &mut self.0[id]
    }

    /// Adds a function to a scope: beside others of its name, or instead of another entity.
    pub fn add_function(&mut self, scope: ScopeId, name: Symbol, function: FunctionIndex) {
        let names = &mut self.get_mut(scope).names;
        match names.get_mut(&name) {
            Some(Entity::Functions(list)) => list.push(function),
            _ => _ = names.insert(name, Entity::Functions(vec![function])),
        }
    }

    /// The scopes from one outwards.
    pub fn outwards(&self, from: ScopeId) -> impl Iterator<Item = ScopeId> + '_ {
        std::iter::successors(Some(from), |id| self.get(*id).parent)
    }

    /// The scope of the enumerators of an enumeration that is declared in `parent`.
    pub fn enum_scope(&self, parent: ScopeId, name: Symbol) -> Option<ScopeId> {
        self.0.ids().rev().find(|id| {
            let scope = self.get(*id);
            scope.parent == Some(parent) && scope.owner == Owner::Enum(name)
        })
    }

    /// Whether a scope is the file or a namespace.
    pub fn is_global(&self, scope: ScopeId) -> bool {
        self.outwards(scope).all(|scope| matches!(self.get(scope).owner, Owner::File | Owner::Namespace(_)))
    }

    /// Finds a name in a scope or the namespaces it includes.
    pub fn own(&self, scope: ScopeId, name: Symbol) -> Option<&Entity> {
        self.own_within(scope, name, 8)
    }

    fn own_within(&self, scope: ScopeId, name: Symbol, depth: u32) -> Option<&Entity> {
        let found = self.get(scope);
        let own = found.names.get(&name);
        if own.is_some() || depth == 0 {
            return own;
        }
        found.also.iter().find_map(|other| self.own_within(*other, name, depth - 1))
    }
}
