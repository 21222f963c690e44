//! [`Op`]: the columns of the micro-op table as data.

use super::class::Class;
use super::memory::{Memory, MemoryKind, MemorySpace, Width};
use super::shape::{OperandKind, Shape};
use crate::for_each_uop;
use crate::sem::fidelity::{self, Bound, Fidelity};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Whether the words of a row contain a word.
macro_rules! has_word {
    (wide: wide $($word:ident)*) => {
        true
    };
    (ftz: ftz) => {
        true
    };
    ($wanted:ident: $other:ident $($word:ident)*) => {
        has_word!($wanted: $($word)*)
    };
    ($wanted:ident:) => {
        false
    };
}

macro_rules! define_op {
    (alu { $($ac:ident $as:ident $af:literal {
        $($a:ident $at:literal $module:ident :: $meaning:ident $($word:ident)* $(=> $ab:ident)?;)*
     })* }
     memory { $($kind:ident $space:ident $rc:ident { $($r:ident $rt:literal $width:ident;)* })* }
     machine { $($m:ident $mt:literal $mc:ident $ms:ident;)* }) => {
        /// A micro-op. Each operand type has its own micro-op, so the executor has one match arm
        /// for each.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u16)]
        #[expect(missing_docs, reason = "the table in `table.rs` documents its rows")]
        pub enum Op { $($($a,)*)* $($($r,)*)* $($m,)* }

        /// Memory columns of each micro-op, by its number.
        const MEMORY: [Option<Memory>; Op::ALL.len()] = {
            let mut table = [None; Op::ALL.len()];
            $($(table[Op::$r as usize] =
                Some(Memory::new(MemoryKind::$kind, MemorySpace::$space, Width::$width));)*)*
            table
        };

        impl Op {
            /// Every micro-op in the order of the table.
            pub const ALL: &'static [Self] = &[$($(Self::$a,)*)* $($(Self::$r,)*)* $(Self::$m,)*];

            /// Returns the name in the text form.
            pub const fn text(self) -> &'static str {
                match self { $($(Self::$a => $at,)*)* $($(Self::$r => $rt,)*)* $(Self::$m => $mt,)* }
            }

            /// Returns the instruction class.
            pub const fn class(self) -> Class {
                match self {
                    $($(Self::$a)|* => Class::$ac,)*
                    $($(Self::$r)|* => Class::$rc,)*
                    $(Self::$m => Class::$mc,)*
                }
            }

            /// Returns the operand shape.
            pub const fn shape(self) -> Shape {
                match self {
                    $($(Self::$a)|* => Shape::$as,)*
                    $($(Self::$r => const { Shape::of_memory(MemoryKind::$kind, Width::$width) },)*)*
                    $(Self::$m => Shape::$ms,)*
                }
            }

            /// Returns the micro-op for a memory access, if the table has one.
            pub const fn accessing(memory: Memory) -> Option<Self> {
                match (memory.kind, memory.space, memory.width) {
                    $($((MemoryKind::$kind, MemorySpace::$space, Width::$width) => Some(Self::$r),)*)*
                    _ => None,
                }
            }

            /// Returns the number of floating-point operations of one lane, in the precision
            /// [`Self::precision`].
            pub const fn flops(self) -> u32 {
                match self { $($(Self::$a)|* => $af,)* $($(Self::$r)|* => 0,)* $(Self::$m => 0,)* }
            }

            /// Whether the micro-op flushes subnormal numbers to zero.
            pub const fn is_ftz(self) -> bool {
                match self {
                    $($(Self::$a => has_word!(ftz: $($word)*),)*)*
                    $($(Self::$r)|* => false,)*
                    $(Self::$m => false,)*
                }
            }

            /// Whether the micro-op has a separate vector loop.
            pub const fn is_wide(self) -> bool {
                match self {
                    $($(Self::$a => has_word!(wide: $($word)*),)*)*
                    $($(Self::$r)|* => false,)*
                    $(Self::$m => false,)*
                }
            }

            /// Returns how closely the result agrees with the hardware.
            pub fn fidelity(self) -> Fidelity {
                let bound: Option<Bound> = match self {
                    $($($(Self::$a => Some(fidelity::$ab),)?)*)*
                    _ => None,
                };
                bound.into()
            }

            /// Returns the path, relative to `isa::sem`, of the function that computes the result;
            /// `None` if the micro-op accesses memory, control flow or other warps.
            pub const fn meaning(self) -> Option<&'static str> {
                match self {
                    $($(Self::$a => Some(concat!(stringify!($module), "::", stringify!($meaning))),)*)*
                    $($(Self::$r)|* => None,)*
                    $(Self::$m => None,)*
                }
            }
        }
    };
}
for_each_uop!(define_op);

/// Micro-ops by their names in the text form.
static NAMES: LazyLock<BTreeMap<&'static str, Op>> =
    LazyLock::new(|| Op::ALL.iter().map(|op| (op.text(), *op)).collect());

/// Precision of floating-point operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// `f32`.
    Single,
    /// `f64`.
    Double,
}

impl Op {
    /// Returns the precision of the floating-point operations, that of the result, if it has some.
    #[inline]
    pub const fn precision(self) -> Option<Precision> {
        match (self.flops(), self.shape().dst()) {
            (0, _) | (_, None) => None,
            (_, Some(OperandKind::W)) => Some(Precision::Single),
            (_, Some(OperandKind::D)) => Some(Precision::Double),
            (_, Some(OperandKind::P | OperandKind::Addr)) => {
                panic!("a micro-op with floating-point operations has a floating-point result")
            }
        }
    }

    /// Returns the micro-op with a name in the text form.
    pub fn named(text: &str) -> Option<Self> {
        NAMES.get(text).copied()
    }

    /// Returns the memory access of the micro-op; `None` if there is none.
    #[inline]
    pub const fn memory(self) -> Option<Memory> {
        MEMORY[self as usize]
    }

    /// Whether the micro-op is an atomic operation, with or without a result.
    pub const fn is_atomic(self) -> bool {
        matches!(self.memory(), Some(memory) if memory.kind.is_atomic())
    }

    /// Whether the addresses are generic: the address of each lane selects the state space.
    pub const fn is_generic(self) -> bool {
        matches!(self.memory(), Some(Memory { space: MemorySpace::Generic, .. }))
    }

    /// Returns the bytes that one lane moves in a load, store or atomic, and else 0.
    pub const fn access_bytes(self) -> u32 {
        match self.memory() {
            Some(memory) => memory.width.bytes(),
            None => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The type after the last dot of the name determines the precision.
    #[test]
    fn operations_have_the_precision_of_the_type_in_the_name() {
        let mut counted = [0, 0];
        for op in Op::ALL {
            let name = op.text();
            let last = name.rsplit('.').next();
            let expected = match (op.flops(), last) {
                (0, _) => None,
                (_, Some("f32")) => Some(Precision::Single),
                (_, Some("f64")) => Some(Precision::Double),
                (_, other) => panic!("{name} counts floating-point operations of type {other:?}"),
            };
            assert_eq!(op.precision(), expected, "{name}");
            let arithmetic = ["add.", "sub.", "mul.", "mad.", "fma.", "div.", "rcp.", "sqrt.", "rsqrt."];
            if matches!(last, Some("f32" | "f64")) && arithmetic.iter().any(|start| name.starts_with(start)) {
                assert!(expected.is_some(), "{name} counts no operation");
                counted[usize::from(expected == Some(Precision::Double))] += 1;
            }
        }
        assert!(counted.iter().all(|rows| *rows > 20), "{counted:?}");
    }
}
