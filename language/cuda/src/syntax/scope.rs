//! What names mean while parsing: only whether they are types, templates, namespaces or values.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::lex::Symbol;

/// Index of a scope.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScopeId(u32);

/// What a name is to the parser.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NameKind {
    /// A type; the scope of its members.
    Type(Option<ScopeId>),
    /// A class template or alias template; the scope of its members.
    TypeTemplate(Option<ScopeId>),
    /// A function template.
    FunctionTemplate,
    /// A concept.
    Concept,
    /// A namespace.
    Namespace(ScopeId),
    /// A variable, function or enumerator.
    Value,
}

impl NameKind {
    /// Whether `<` behind the name starts template arguments.
    pub fn is_template(self) -> bool {
        matches!(self, Self::TypeTemplate(_) | Self::FunctionTemplate | Self::Concept)
    }
}

#[derive(Debug, Default)]
struct Scope {
    names: FxHashMap<Symbol, NameKind>,
    parent: Option<ScopeId>,
    /// Namespaces of `using namespace`, and base classes.
    also: Vec<ScopeId>,
    /// The names that are packs.
    packs: Vec<Symbol>,
}

/// All scopes.
#[derive(Debug)]
pub struct Scopes {
    scopes: Vec<Scope>,
    current: ScopeId,
    /// The names of all function templates: members have them in objects of any class.
    templates: FxHashSet<Symbol>,
    /// The names of all member variables.
    fields: FxHashSet<Symbol>,
    /// Whether a concept is declared.
    has_concepts: bool,
}

impl Default for Scopes {
    fn default() -> Self {
        Self {
            scopes: vec![Scope::default()],
            current: ScopeId(0),
            templates: FxHashSet::default(),
            fields: FxHashSet::default(),
            has_concepts: false,
        }
    }
}

impl Scopes {
    /// The scope of the file.
    pub const FILE: ScopeId = ScopeId(0);

    /// The innermost scope.
    pub fn current(&self) -> ScopeId {
        self.current
    }

    /// Makes a scope inside the current one and enters it.
    pub fn push(&mut self) -> ScopeId {
        let id = ScopeId(self.scopes.len() as u32);
        self.scopes.push(Scope { parent: Some(self.current), ..Scope::default() });
        self.current = id;
        id
    }

    /// Makes a scope that sees no other and enters it.
    pub fn push_root(&mut self) {
        self.push();
        self.scopes[self.current.0 as usize].parent = None;
    }

    /// Enters an existing scope; returns the scope to go back to.
    pub fn enter(&mut self, id: ScopeId) -> ScopeId {
        std::mem::replace(&mut self.current, id)
    }

    /// Declares a name in a scope. A type and a value may share a name in C; the value wins, except
    /// for templates of functions.
    pub fn declare_in(&mut self, scope: ScopeId, name: Symbol, kind: NameKind) {
        if kind == NameKind::FunctionTemplate {
            self.templates.insert(name);
        }
        self.has_concepts |= kind == NameKind::Concept;
        let names = &mut self.scopes[scope.0 as usize].names;
        let keep = matches!(
            (names.get(&name), kind),
            (Some(NameKind::FunctionTemplate), NameKind::Value)
                | (Some(NameKind::Type(Some(_))), NameKind::Type(None))
                | (Some(NameKind::TypeTemplate(Some(_))), NameKind::TypeTemplate(None))
        );
        if !keep {
            names.insert(name, kind);
        }
    }

    /// Whether a concept is declared so far.
    pub fn has_concepts(&self) -> bool {
        self.has_concepts
    }

    /// Notes the name of a member variable.
    pub fn add_field(&mut self, name: Symbol) {
        self.fields.insert(name);
    }

    /// Whether a member variable of any class has a name.
    pub fn is_any_field(&self, name: Symbol) -> bool {
        self.fields.contains(&name)
    }

    /// Whether any function template has a name.
    pub fn is_any_template(&self, name: Symbol) -> bool {
        self.templates.contains(&name)
    }

    /// Declares a name in the current scope.
    pub fn declare(&mut self, name: Symbol, kind: NameKind) {
        self.declare_in(self.current, name, kind);
    }

    /// Declares a pack in the current scope.
    pub fn declare_pack(&mut self, name: Symbol, kind: NameKind) {
        self.declare(name, kind);
        self.scopes[self.current.0 as usize].packs.push(name);
    }

    /// Whether a name is a pack, from the current scope outwards.
    pub fn is_pack(&self, name: Symbol) -> bool {
        let around = std::iter::successors(Some(self.current), |id| self.scopes[id.0 as usize].parent);
        let mut scopes = around.map(|id| &self.scopes[id.0 as usize]);
        scopes.find(|scope| scope.names.contains_key(&name)).is_some_and(|scope| scope.packs.contains(&name))
    }

    /// Makes the names of another scope visible in the current one.
    pub fn also(&mut self, scope: ScopeId) {
        self.scopes[self.current.0 as usize].also.push(scope);
    }

    /// Makes the members of a class or namespace visible in the current scope, and what is visible
    /// around them.
    pub fn also_members(&mut self, scope: ScopeId) {
        let around = |from: ScopeId| {
            std::iter::successors(Some(from), |id| self.scopes[id.0 as usize].parent).collect::<Vec<_>>()
        };
        let known = around(self.current);
        let new: Vec<ScopeId> = around(scope).into_iter().take_while(|one| !known.contains(one)).collect();
        self.scopes[self.current.0 as usize].also.extend(new);
    }

    /// Finds a name in one scope and the scopes it includes.
    pub fn member(&self, scope: ScopeId, name: Symbol) -> Option<NameKind> {
        self.member_within(scope, name, 8)
    }

    fn member_within(&self, scope: ScopeId, name: Symbol, depth: u32) -> Option<NameKind> {
        let found = &self.scopes[scope.0 as usize];
        let own = found.names.get(&name).copied();
        if own.is_some() || depth == 0 {
            return own;
        }
        found.also.iter().find_map(|other| self.member_within(*other, name, depth - 1))
    }

    /// Finds a name from the current scope outwards.
    pub fn find(&self, name: Symbol) -> Option<NameKind> {
        let mut at = Some(self.current);
        while let Some(scope) = at {
            if let Some(kind) = self.member(scope, name) {
                return Some(kind);
            }
            at = self.scopes[scope.0 as usize].parent;
        }
        None
    }
}
