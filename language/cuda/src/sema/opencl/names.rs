//! The names of a program, in a scope that does not see the headers of the compiler.

use crate::sema::Sema;
use crate::sema::scope::{Entity, Owner, ScopeId};
use crate::sema::types::{CTypes, Qual, TypeKind};
use crate::syntax::ast::{Decl, DeclKind};
use crate::syntax::opencl::types::{self, NamedType};

impl Sema<'_> {
    /// Declares what the headers declare, and then the program in a scope beside them.
    pub(in crate::sema) fn collect_open_cl(&mut self, declarations: &[Decl]) {
        let own = declarations.iter().position(|decl| !self.is_builtin(decl.span));
        let (headers, program) = declarations.split_at(own.unwrap_or(declarations.len()));
        self.collect(headers);
        let scope = self.scopes.add_root(Owner::File);
        self.declare_types(scope);
        self.in_scope(scope, |sema| {
            sema.collect(program);
            for decl in program {
                if let DeclKind::Function(function) = &decl.kind {
                    sema.check_kernel(function);
                }
            }
        });
    }

    fn declare_types(&mut self, scope: ScopeId) {
        for name in types::all() {
            let Some(symbol) = self.names.find(&name) else { continue };
            let Some(named) = types::named(&name) else { continue };
            let ty = match named {
                NamedType::Scalar(builtin) => self.types.builtin(builtin),
                NamedType::Vector(builtin, count) => {
                    let element = self.types.builtin(builtin);
                    self.types.intern(TypeKind::Vector(element, count))
                }
                NamedType::Size { signed: true } => CTypes::INT,
                NamedType::Size { signed: false } => CTypes::UINT,
                NamedType::Opaque(opaque) => self.types.intern(TypeKind::Opaque(opaque)),
            };
            self.scopes.get_mut(scope).names.insert(symbol, Entity::Type(Qual::plain(ty)));
        }
    }
}
