//! Types of C and C++, interned, and their mapping to the types of the typed program.

use rustc_hash::FxHashMap;

use super::id::ScopeId;
pub use super::id::{CType, EnumId, RecordId};
use crate::arena::Arena;
use crate::hir;
use crate::hir::LocalId;
use crate::lex::Symbol;
use crate::syntax::ast::{Builtin, Qualifiers};
use crate::syntax::opencl::types::Opaque;
use crate::target::Target;

/// A type with qualifiers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Qual {
    pub ty: CType,
    pub quals: Qualifiers,
}

impl Qual {
    /// The type without qualifiers.
    pub fn plain(ty: CType) -> Self {
        Self { ty, quals: Qualifiers::default() }
    }

    /// The same type without qualifiers.
    pub fn unqualified(self) -> Self {
        Self::plain(self.ty)
    }

    /// The type, `const`.
    pub fn constant(ty: CType) -> Self {
        Self { ty, quals: Qualifiers { is_const: true, ..Qualifiers::default() } }
    }

    /// The type with more qualifiers.
    pub fn with(self, quals: Qualifiers) -> Self {
        Self { quals: self.quals.with(quals), ..self }
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TypeKind {
    /// An arithmetic type or void.
    Builtin(Builtin),
    /// The type of `nullptr`.
    Nullptr,
    Pointer(Qual),
    /// `T C::*`: the type of the member, and the class. The type of a `const` method is `const`.
    MemberPointer(Qual, CType),
    /// `T &`.
    Reference(Qual),
    /// `T &&`.
    RvalueReference(Qual),
    /// An array, of unknown length in `extern __shared__` and initialized arrays.
    Array(Qual, Option<u64>),
    /// An array whose length is known when it is declared (C, host): the variable with its size in
    /// bytes.
    VariableArray(Qual, LocalId),
    Function(Signature),
    Record(RecordId),
    Enum(EnumId),
    /// `auto`, before deduction.
    Auto,
    /// A vector of OpenCL C: the type and the number of its elements.
    Vector(CType, u8),
    /// A type of OpenCL C whose values only functions use.
    Opaque(Opaque),
}

/// Types of a function.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Signature {
    pub parameters: Vec<Qual>,
    pub result: Qual,
    /// `...`.
    pub variadic: bool,
}

#[derive(Clone, Debug)]
pub struct EnumInfo {
    pub name: Option<Symbol>,
    /// Type of its values.
    pub underlying: CType,
    /// Type after promotion: `int` if it holds all values, although the type of the values can be
    /// unsigned.
    pub promoted: CType,
    /// `enum class`.
    pub scoped: bool,
    /// Whether its declaration says the type of its values, or is scoped.
    pub is_fixed: bool,
    /// Scope of its declaration.
    pub parent: ScopeId,
}

/// The table of types.
#[derive(Debug)]
pub struct CTypes {
    kinds: Arena<CType, TypeKind>,
    /// Number of parts of each type as it is written; a class is one part.
    parts: Arena<CType, u32>,
    /// Number of types around the innermost part of each type.
    heights: Arena<CType, u32>,
    /// Heights of the template arguments of classes; absent for other classes.
    records: FxHashMap<RecordId, u32>,
    index: FxHashMap<TypeKind, CType>,
    pub enums: Arena<EnumId, EnumInfo>,
    /// Type of `size_t`.
    pub size_type: CType,
    /// Type of the difference of pointers.
    pub difference_type: CType,
}

macro_rules! builtins {
    ($($name:ident $kind:ident $at:literal)*) => {
        impl CTypes {
            $(#[doc = stringify!($kind)] pub const $name: CType = CType($at);)*

            fn add_builtins(&mut self) {
                $(assert_eq!(self.intern(TypeKind::Builtin(Builtin::$kind)), CType($at), "the order of the list");)*
            }
        }
    };
}

builtins! {
    VOID Void 0
    BOOL Bool 1
    CHAR Char 2
    SCHAR SignedChar 3
    UCHAR UnsignedChar 4
    SHORT Short 5
    USHORT UnsignedShort 6
    INT Int 7
    UINT UnsignedInt 8
    LONG Long 9
    ULONG UnsignedLong 10
    LLONG LongLong 11
    ULLONG UnsignedLongLong 12
    FLOAT Float 13
    DOUBLE Double 14
}

impl CTypes {
    /// A table with the arithmetic types.
    pub fn new(target: Target) -> Self {
        let wide = target.pointer_bytes == 8;
        let mut types = Self {
            kinds: Arena::default(),
            parts: Arena::default(),
            heights: Arena::default(),
            records: FxHashMap::default(),
            index: FxHashMap::default(),
            enums: Arena::default(),
            size_type: if wide { Self::ULONG } else { Self::UINT },
            difference_type: if wide { Self::LONG } else { Self::INT },
        };
        types.add_builtins();
        types
    }

    /// Returns the index of a type.
    pub fn intern(&mut self, mut kind: TypeKind) -> CType {
        if let TypeKind::Pointer(to)
        | TypeKind::MemberPointer(to, _)
        | TypeKind::Reference(to)
        | TypeKind::RvalueReference(to)
        | TypeKind::Array(to, _)
        | TypeKind::VariableArray(to, _) = &mut kind
        {
            to.quals.is_expiring = false;
        }
        // `int(const char)` is `int(char)` ([dcl.fct]/5).
        if let TypeKind::Function(signature) = &mut kind {
            for quals in signature.parameters.iter_mut().map(|ty| &mut ty.quals) {
                (quals.is_const, quals.is_volatile, quals.is_restrict) = (false, false, false);
            }
        }
        if let Some(&found) = self.index.get(&kind) {
            return found;
        }
        let of = |ty: &Qual| (self.parts[ty.ty], self.heights[ty.ty]);
        let (parts, height) = match &kind {
            TypeKind::Pointer(to)
            | TypeKind::MemberPointer(to, _)
            | TypeKind::Reference(to)
            | TypeKind::RvalueReference(to)
            | TypeKind::Array(to, _)
            | TypeKind::VariableArray(to, _) => of(to),
            TypeKind::Function(signature) => {
                let all = signature.parameters.iter().chain([&signature.result]);
                all.map(of).fold((0u32, 0), |(sum, highest), (parts, height)| {
                    (sum.saturating_add(parts), highest.max(height))
                })
            }
            TypeKind::Record(record) => (0, self.records.get(record).copied().unwrap_or(0)),
            TypeKind::Builtin(_)
            | TypeKind::Nullptr
            | TypeKind::Enum(_)
            | TypeKind::Auto
            | TypeKind::Vector(..)
            | TypeKind::Opaque(_) => (0, 0),
        };
        self.parts.push(parts.saturating_add(1));
        self.heights.push(height + 1);
        let id = self.kinds.push(kind.clone());
        self.index.insert(kind, id);
        id
    }

    /// Returns what a type is.
    pub fn kind(&self, ty: CType) -> &TypeKind {
        &self.kinds[ty]
    }

    /// Number of parts of a type as it is written; a class is one part.
    pub fn parts(&self, ty: CType) -> u32 {
        self.parts[ty]
    }

    /// Number of types around the innermost part of a type; template arguments are inside of their
    /// class.
    pub fn height(&self, ty: CType) -> u32 {
        self.heights[ty]
    }

    /// Notes the height of the template arguments of a class that has no type yet.
    pub fn set_height(&mut self, record: RecordId, height: u32) {
        self.records.insert(record, height);
    }

    /// The arithmetic type of a keyword.
    pub fn builtin(&self, builtin: Builtin) -> CType {
        self.index[&TypeKind::Builtin(builtin)]
    }

    pub fn pointer(&mut self, to: Qual) -> CType {
        self.intern(TypeKind::Pointer(to))
    }

    /// What a pointer points to.
    pub fn pointee(&self, ty: CType) -> Option<Qual> {
        if let TypeKind::Pointer(to) = self.kind(ty) { Some(*to) } else { None }
    }

    /// The type of the member that a pointer to a member has, and the class.
    pub fn member_pointer(&self, ty: CType) -> Option<(Qual, CType)> {
        if let TypeKind::MemberPointer(to, class) = self.kind(ty) { Some((*to, *class)) } else { None }
    }

    /// The class and the method type that a pointer to a method has.
    pub fn method_pointer(&self, ty: CType) -> Option<(Qual, CType)> {
        self.member_pointer(ty).filter(|(to, _)| matches!(self.kind(to.ty), TypeKind::Function(_)))
    }

    /// What a reference refers to; `None` for other types.
    pub fn referent(&self, ty: CType) -> Option<Qual> {
        match self.kind(ty) {
            TypeKind::Reference(to) | TypeKind::RvalueReference(to) => Some(*to),
            _ => None,
        }
    }

    /// The class, if the type is one.
    pub fn record(&self, ty: CType) -> Option<RecordId> {
        if let TypeKind::Record(id) = self.kind(ty) { Some(*id) } else { None }
    }

    /// Element and length of an array.
    pub fn array(&self, ty: CType) -> Option<(Qual, Option<u64>)> {
        match self.kind(ty) {
            TypeKind::Array(element, length) => Some((*element, *length)),
            TypeKind::VariableArray(element, _) => Some((*element, None)),
            _ => None,
        }
    }

    /// The variable with the size of an array of variable length.
    pub fn variable_size(&self, ty: CType) -> Option<LocalId> {
        if let TypeKind::VariableArray(_, size) = self.kind(ty) { Some(*size) } else { None }
    }

    /// Type and number of the elements of a vector of OpenCL C.
    pub fn vector(&self, ty: CType) -> Option<(CType, u8)> {
        if let TypeKind::Vector(element, count) = self.kind(ty) { Some((*element, *count)) } else { None }
    }

    /// The opaque type of OpenCL C, if the type is one.
    pub fn opaque(&self, ty: CType) -> Option<Opaque> {
        if let TypeKind::Opaque(opaque) = self.kind(ty) { Some(*opaque) } else { None }
    }

    /// Whether a type is `auto` behind pointers or a reference.
    pub fn contains_auto(&self, ty: Qual) -> bool {
        match self.kind(ty.ty) {
            TypeKind::Auto => true,
            TypeKind::Pointer(to) | TypeKind::Reference(to) | TypeKind::RvalueReference(to) => {
                self.contains_auto(*to)
            }
            _ => false,
        }
    }

    /// The type and the number of the elements of an array of any dimensions; one for other types.
    pub fn all_elements(&self, ty: CType) -> (CType, u64) {
        let (mut element, mut count) = (ty, 1u64);
        while let Some((inner, length)) = self.array(element) {
            (element, count) = (inner.ty, count.saturating_mul(length.unwrap_or(0)));
        }
        (element, count)
    }

    /// Whether one array type is the other with elements that are `const` ([conv.qual]).
    pub fn is_array_with_const(&self, from: CType, to: CType) -> bool {
        let (TypeKind::Array(one, length), TypeKind::Array(other, expected)) =
            (self.kind(from), self.kind(to))
        else {
            return false;
        };
        let is_same = one.ty == other.ty && other.quals.is_const && !one.quals.is_const;
        length == expected && (is_same || self.is_array_with_const(one.ty, other.ty))
    }

    pub fn same_but_qualifiers(&self, one: CType, other: CType) -> bool {
        if one == other {
            return true;
        }
        match (self.kind(one), self.kind(other)) {
            (TypeKind::Pointer(one), TypeKind::Pointer(other)) => {
                (other.quals.is_const || !one.quals.is_const)
                    && one.quals.space.or_private() == other.quals.space.or_private()
                    && self.same_but_qualifiers(one.ty, other.ty)
            }
            (TypeKind::Array(one, length), TypeKind::Array(other, expected)) => {
                // In C, `float a[n][m]` is declared before the length is known.
                (length == expected || expected.is_none()) && self.same_but_qualifiers(one.ty, other.ty)
            }
            // The lengths are those of the program's run.
            (
                TypeKind::VariableArray(one, _),
                TypeKind::Array(other, _) | TypeKind::VariableArray(other, _),
            )
            | (TypeKind::Array(one, _), TypeKind::VariableArray(other, _)) => {
                self.same_but_qualifiers(one.ty, other.ty)
            }
            _ => false,
        }
    }

    /// The type of a parameter that is declared with this type.
    pub fn adjusted(&mut self, ty: Qual) -> Qual {
        match *self.kind(ty.ty) {
            TypeKind::Array(element, _) | TypeKind::VariableArray(element, _) => {
                Qual::plain(self.pointer(element.with(ty.quals)))
            }
            TypeKind::Function(_) => Qual::plain(self.pointer(ty)),
            _ => ty,
        }
    }

    /// Whether the type is an integer, `bool` or (unscoped) enumeration.
    pub fn is_integral(&self, ty: CType) -> bool {
        (Self::BOOL..=Self::ULLONG).contains(&ty) || self.is_unscoped_enum(ty)
    }

    /// Whether the type is an enumeration whose values convert to integers.
    pub fn is_unscoped_enum(&self, ty: CType) -> bool {
        matches!(self.kind(ty), TypeKind::Enum(id) if !self.enums[*id].scoped)
    }

    /// The enumeration, if the type is one.
    pub fn enumeration(&self, ty: CType) -> Option<EnumId> {
        if let TypeKind::Enum(id) = self.kind(ty) { Some(*id) } else { None }
    }

    /// Whether the type is a function.
    pub fn is_function(&self, ty: CType) -> bool {
        matches!(self.kind(ty), TypeKind::Function(_))
    }

    /// Whether the type is one of the three types of a character.
    pub fn is_char(ty: CType) -> bool {
        matches!(ty, Self::CHAR | Self::SCHAR | Self::UCHAR)
    }

    /// Whether the type is any enumeration.
    pub fn is_enum(&self, ty: CType) -> bool {
        matches!(self.kind(ty), TypeKind::Enum(_))
    }

    /// Whether the type is `float` or `double`.
    #[expect(clippy::unused_self, reason = "called like the other questions about types")]
    pub fn is_floating(&self, ty: CType) -> bool {
        ty == Self::FLOAT || ty == Self::DOUBLE
    }

    /// Whether the type is a number.
    pub fn is_arithmetic(&self, ty: CType) -> bool {
        self.is_integral(ty) || self.is_floating(ty)
    }

    /// Whether the type is a pointer.
    pub fn is_pointer(&self, ty: CType) -> bool {
        matches!(self.kind(ty), TypeKind::Pointer(_))
    }

    /// Whether the type is a number or pointer.
    pub fn is_scalar(&self, ty: CType) -> bool {
        self.is_arithmetic(ty)
            || matches!(
                self.kind(ty),
                TypeKind::Pointer(_) | TypeKind::MemberPointer(..) | TypeKind::Nullptr | TypeKind::Enum(_)
            )
    }

    /// The integer that represents a value of the type, if it is integral or an enumeration.
    pub fn int_type(&self, ty: CType) -> Option<hir::IntType> {
        let of = |bits, signed| Some(hir::IntType { bits, signed });
        match self.kind(ty) {
            TypeKind::Builtin(builtin) => match builtin {
                Builtin::Char | Builtin::SignedChar => of(8, true),
                Builtin::UnsignedChar => of(8, false),
                Builtin::Short => of(16, true),
                Builtin::UnsignedShort => of(16, false),
                Builtin::Int => of(32, true),
                Builtin::UnsignedInt => of(32, false),
                Builtin::Long | Builtin::LongLong => of(64, true),
                Builtin::UnsignedLong | Builtin::UnsignedLongLong => of(64, false),
                _ => None,
            },
            TypeKind::Enum(id) => self.int_type(self.enums[*id].underlying),
            _ => None,
        }
    }

    /// Whether the type is `bool`, or an enumeration with its values.
    pub fn is_boolean(&self, ty: CType) -> bool {
        match self.kind(ty) {
            TypeKind::Enum(id) => self.enums[*id].underlying == Self::BOOL,
            _ => ty == Self::BOOL,
        }
    }

    /// The type after integer promotion.
    pub fn promoted(&self, ty: CType) -> CType {
        if let TypeKind::Enum(id) = self.kind(ty) {
            return self.enums[*id].promoted;
        }
        if (Self::BOOL..=Self::USHORT).contains(&ty) { Self::INT } else { ty }
    }

    /// The common type of two numbers.
    pub fn common(&self, left: CType, right: CType) -> CType {
        for floating in [Self::DOUBLE, Self::FLOAT] {
            if left == floating || right == floating {
                return floating;
            }
        }
        // The list of integer types is in the order of their ranks, unsigned after signed.
        let (left, right) = (self.promoted(left), self.promoted(right));
        let (low, high) = (left.min(right), left.max(right));
        let rank = |ty: CType| (ty.0 - Self::INT.0) / 2;
        let unsigned = |ty: CType| (ty.0 - Self::INT.0) % 2 == 1;
        if rank(low) == rank(high) || !unsigned(low) || unsigned(high) {
            return high;
        }
        // An unsigned type of lower rank: a wider signed type holds all its values.
        let bits = |ty: CType| self.int_type(ty).map_or(0, |int| int.bits);
        if bits(high) > bits(low) { high } else { CType(high.0 + 1) }
    }

    /// Size of an arithmetic type in bytes.
    pub fn arithmetic_size(&self, ty: CType) -> u64 {
        match ty {
            Self::BOOL => 1,
            Self::SHORT | Self::USHORT => 2,
            Self::FLOAT => 4,
            Self::DOUBLE => 8,
            _ => self.int_type(ty).map_or(1, |int| u64::from(int.bits / 8)),
        }
    }
}
