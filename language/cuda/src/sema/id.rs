//! Ids of the tables of the analysis.

crate::arena::ids! {
    /// A type; equal types have equal ids.
    CType
    /// A class.
    RecordId
    /// An enumeration.
    EnumId
    /// A scope.
    ScopeId
    /// A declared function.
    FunctionIndex
    /// A class template.
    TemplateIndex
    /// An alias template.
    AliasIndex
    /// A pack of template arguments; equal packs have equal ids.
    PackId
    /// A variable at file, namespace or class scope, or a static one.
    VariableIndex
}
