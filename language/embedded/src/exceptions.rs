//! Objects that are registered for destruction, and exceptions.

/// What a function has registered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Registered {
    /// An object, and the address of its destructor.
    Object { object: u64, destructor: u64 },
    /// A member of an object whose constructor runs: it ends only if an exception leaves that.
    Part { object: u64, destructor: u64 },
    /// An object whose value has moved.
    Nothing,
    /// Handlers: their types, the instruction, and the number of frames below theirs. Without types
    /// no exception leaves: `noexcept`.
    Handlers { handlers: u32, target: u32, frame: usize },
    /// An exception that is handled; none after it was thrown again.
    Caught(Option<Exception>),
    /// Memory of an exception whose object is destroyed before.
    Memory(u64),
}

/// An exception.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exception {
    /// Address of the object.
    pub object: u64,
    /// Address of its destructor, or 0.
    pub destructor: u64,
    /// Address of the function that ends the program if no handler takes it, or 0.
    pub uncaught: u64,
    /// Number of its type.
    pub ty: u32,
}
