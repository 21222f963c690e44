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

/// What is done with an exception that objects of `std::exception_ptr` keep.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keep {
    /// Keeps the exception that is handled. Returns the address of its object, or 0.
    Handled,
    /// Adds an owner.
    Share,
    /// Removes an owner; the last one ends the object. The instruction is executed again then.
    Drop,
    /// Begins the exception again, which the next instruction propagates.
    Throw,
    /// Returns the number of exceptions that look for their handlers.
    Flying,
}

impl Keep {
    /// The operation of a function of the compiler's headers.
    pub fn of(function: &str) -> Option<Self> {
        Some(match function {
            "__ws_exception_handled" => Self::Handled,
            "__ws_exception_share" => Self::Share,
            "__ws_exception_drop" => Self::Drop,
            "__ws_exception_throw" => Self::Throw,
            "__ws_exceptions_flying" => Self::Flying,
            _ => return None,
        })
    }
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
