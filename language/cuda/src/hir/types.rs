//! Types of the typed program: interned, compared by index, without qualifiers.

use rustc_hash::FxHashMap;

use crate::arena::Arena;
use crate::space::AddressSpace;
use crate::target::Target;

crate::arena::ids! {
    /// A type in [`Types`]; equal types have equal ids.
    TypeId
    /// A structure or union in [`Types`].
    StructId
    /// A signature in [`Types`]; equal signatures have equal ids.
    SignatureId
}

/// An integer type of C by its size and sign.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct IntType {
    /// Size in bits: 8, 16, 32 or 64.
    pub bits: u8,
    /// Whether the type is signed.
    pub signed: bool,
}

impl IntType {
    /// `int`.
    pub const I32: Self = Self { bits: 32, signed: true };
    /// `unsigned int`.
    pub const U32: Self = Self { bits: 32, signed: false };
    /// `long long`.
    pub const I64: Self = Self { bits: 64, signed: true };
    /// `unsigned long long`.
    pub const U64: Self = Self { bits: 64, signed: false };

    /// Wraps `value` to the range of the type; signed results are sign-extended.
    pub fn wrap(self, value: i128) -> i128 {
        let shift = 128 - u32::from(self.bits);
        if self.signed { (value << shift) >> shift } else { ((value as u128) << shift >> shift) as i128 }
    }
}

/// A type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// No value.
    Void,
    /// `bool`: one byte in memory, 0 or 1.
    Bool,
    /// An integer. Enumerations and characters are integers too.
    Int(IntType),
    /// `float`.
    F32,
    /// `double`.
    F64,
    /// A pointer to a value of the given type in a memory; references and `this` are pointers too.
    Pointer(TypeId, AddressSpace),
    /// A pointer to a function (`sm_20` only).
    FunctionPointer(SignatureId),
    /// An array of elements; dynamic shared arrays have length 0.
    Array(TypeId, u64),
    /// A structure, union or vector type.
    Struct(StructId),
}

/// Parameter and result types of a function pointer.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Signature {
    /// Types of the parameters in order.
    pub parameters: Vec<TypeId>,
    /// Type of the result.
    pub result: TypeId,
}

/// A member of a structure with its place in memory. A base class is the first member.
#[derive(Clone, Debug)]
pub struct Field {
    /// Name in the source; empty for anonymous members.
    pub name: String,
    /// Type of the member.
    pub ty: TypeId,
    /// Offset in bytes.
    pub offset: u64,
    /// Lowest bit and number of bits of a bit field.
    pub bits: Option<(u8, u8)>,
    /// Whether the attribute `packed` applies to the member, by itself or by its class.
    pub is_packed: bool,
}

/// Layout of a structure or union as NVIDIA's compiler lays it out.
#[derive(Clone, Debug)]
pub struct Struct {
    /// Name in the source, such as `float4` or `Pair<int>`.
    pub name: String,
    /// Members in order of declaration; members of a union all have offset 0.
    pub fields: Vec<Field>,
    /// Size in bytes, a multiple of `align`.
    pub size: u64,
    /// Bytes that a copy transfers. The other bytes at the end may have members of a class that
    /// derives from this one.
    pub data_size: u64,
    /// Alignment in bytes.
    pub align: u64,
    /// Whether the members share their storage.
    pub is_union: bool,
    /// Whether objects must be destroyed: the caller passes the address of its object for a
    /// parameter, and destroys it.
    pub is_destroyed: bool,
    /// Whether it is a built-in vector type (`float4`): accesses may use `.v2` or `.v4` when
    /// `align` equals `size`.
    pub is_vector: bool,
}

/// The table of all types of a program.
#[derive(Clone, Debug)]
pub struct Types {
    types: Arena<TypeId, Type>,
    index: FxHashMap<Type, TypeId>,
    structs: Arena<StructId, Struct>,
    signatures: Arena<SignatureId, Signature>,
    pointer_bytes: u64,
}

impl Types {
    /// A table with the scalar types.
    pub fn new(target: Target) -> Self {
        let mut types = Self {
            types: Arena::default(),
            index: FxHashMap::default(),
            structs: Arena::default(),
            signatures: Arena::default(),
            pointer_bytes: u64::from(target.pointer_bytes),
        };
        for (at, ty) in [Type::Void, Type::Bool, Type::F32, Type::F64].into_iter().enumerate() {
            assert_eq!(types.intern(ty), TypeId(at as u32), "the constants below give these indices");
        }
        for signed in [true, false] {
            for bits in [8, 16, 32, 64] {
                types.intern(Type::Int(IntType { bits, signed }));
            }
        }
        types
    }

    /// `void`.
    pub const VOID: TypeId = TypeId(0);
    /// `bool`.
    pub const BOOL: TypeId = TypeId(1);
    /// `float`.
    pub const F32: TypeId = TypeId(2);
    /// `double`.
    pub const F64: TypeId = TypeId(3);
    /// `signed char`.
    pub const I8: TypeId = TypeId(4);
    /// `short`.
    pub const I16: TypeId = TypeId(5);
    /// `int`.
    pub const I32: TypeId = TypeId(6);
    /// `long long`.
    pub const I64: TypeId = TypeId(7);
    /// `unsigned char`.
    pub const U8: TypeId = TypeId(8);
    /// `unsigned short`.
    pub const U16: TypeId = TypeId(9);
    /// `unsigned int`.
    pub const U32: TypeId = TypeId(10);
    /// `unsigned long long`.
    pub const U64: TypeId = TypeId(11);

    /// Returns the index of `ty`, adding it to the table when it is new.
    pub fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.index.get(&ty) {
            return id;
        }
        let id = self.types.push(ty);
        self.index.insert(ty, id);
        id
    }

    /// Returns the index of the integer type `int`.
    pub fn int(int: IntType) -> TypeId {
        let first = if int.signed { Self::I8.0 } else { Self::U8.0 };
        TypeId(first + u32::from(int.bits.trailing_zeros() as u8 - 3))
    }

    /// Returns the index of the pointer to `pointee`, which is in any memory.
    pub fn pointer(&mut self, pointee: TypeId) -> TypeId {
        self.intern(Type::Pointer(pointee, AddressSpace::Unnamed))
    }

    /// Adds a structure. Two structures are different types even if they look the same.
    pub fn add_struct(&mut self, layout: Struct) -> TypeId {
        let id = self.structs.push(layout);
        self.intern(Type::Struct(id))
    }

    /// Replaces the layout of a structure that was added before its members were known.
    pub fn set_layout(&mut self, ty: TypeId, layout: Struct) {
        if let Type::Struct(id) = self.get(ty) {
            self.structs[id] = layout;
        }
    }

    /// Returns the index of the signature.
    pub fn signature_id(&mut self, signature: Signature) -> SignatureId {
        let known = self.signatures.position(|other| *other == signature);
        known.unwrap_or_else(|| self.signatures.push(signature))
    }

    /// Iterates over the types, in the order of their indices.
    pub fn iter(&self) -> impl Iterator<Item = Type> {
        self.types.iter().copied()
    }

    /// Returns the type at `id`.
    pub fn get(&self, id: TypeId) -> Type {
        self.types[id]
    }

    /// Returns the layout of a structure.
    pub fn layout(&self, id: StructId) -> &Struct {
        &self.structs[id]
    }

    /// Returns a signature.
    pub fn signature(&self, id: SignatureId) -> &Signature {
        &self.signatures[id]
    }

    /// Returns the layout when `id` is a structure.
    pub fn as_struct(&self, id: TypeId) -> Option<&Struct> {
        if let Type::Struct(id) = self.get(id) { Some(self.layout(id)) } else { None }
    }

    /// Size of a value in bytes; 1 for `void`, as in GNU C.
    pub fn size(&self, id: TypeId) -> u64 {
        match self.get(id) {
            Type::Void | Type::Bool => 1,
            Type::Int(int) => u64::from(int.bits / 8),
            Type::F32 => 4,
            Type::F64 => 8,
            Type::Pointer(..) | Type::FunctionPointer(_) => self.pointer_bytes,
            Type::Array(element, count) => self.size(element).saturating_mul(count),
            Type::Struct(id) => self.layout(id).size,
        }
    }

    /// Bytes that a copy of a value transfers.
    pub fn data_size(&self, id: TypeId) -> u64 {
        self.as_struct(id).map_or_else(|| self.size(id), |layout| layout.data_size)
    }

    /// Alignment of a value in bytes.
    pub fn align(&self, id: TypeId) -> u64 {
        match self.get(id) {
            Type::Array(element, _) => self.align(element),
            Type::Struct(id) => self.layout(id).align,
            _ => self.size(id),
        }
    }
}
