//! [`Shape`]: the operands of a micro-op.

use super::memory::{MemoryKind, Registers, Width};

/// Row file of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OperandKind {
    /// A 32-bit row (one value per lane).
    W,
    /// A 64-bit row.
    D,
    /// A predicate: one bit per lane.
    P,
    /// An address: a 32-bit or 64-bit row, depending on [`Inst::ADDR64`](super::Inst::ADDR64), or
    /// no row.
    Addr,
}

macro_rules! shapes {
    ($($(#[$doc:meta])* $name:ident [$($dst:ident),*], [$($src:ident),*];)*) => {
        /// The operands of a micro-op: destinations and sources.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[expect(non_camel_case_types, reason = "the micro-op table uses these names")]
        pub enum Shape { $($(#[$doc])* $name,)* }

        impl Shape {
            /// Returns the kinds of the destinations, in order.
            const fn destinations(self) -> &'static [OperandKind] {
                match self { $(Self::$name => &[$(OperandKind::$dst),*],)* }
            }

            /// Returns the kinds of the sources, in order.
            pub const fn srcs(self) -> &'static [OperandKind] {
                match self { $(Self::$name => &[$(OperandKind::$src),*],)* }
            }
        }
    };
}

shapes! {
    /// 32 ← 32.
    w_w [W], [W];
    /// 32 ← 32, by a function of all lanes: one that has steps of different kinds.
    w_row [W], [W];
    /// 32 ← 32, 32.
    w_ww [W], [W, W];
    /// 32 ← 32, 32, 32.
    w_www [W], [W, W, W];
    /// 32 ← 32, 32, 32: a multiply-add that has a shorter function for ordinary operands.
    w_mad [W], [W, W, W];
    /// 32 ← 32, 32, 32: a multiply-add that the host may have as an instruction.
    w_fma [W], [W, W, W];
    /// 32 ← 32, 32, 32 with the modifiers of a video instruction, which are in the immediate.
    w_video [W], [W, W, W];
    /// 32 ← 32, 32, predicate.
    w_wwp [W], [W, W, P];
    /// 32 ← 32, 32, 32, 32.
    w_wwww [W], [W, W, W, W];
    /// 32 and predicate ← 32, 32.
    wp_ww [W, P], [W, W];
    /// 32 and predicate ← 32, 32, 32, 32.
    wp_wwww [W, P], [W, W, W, W];
    /// 32 and predicate ← 32, 32, predicate.
    wp_wwp [W, P], [W, W, P];
    /// 32 and predicate ← 32, 32, 32.
    wp_www [W, P], [W, W, W];
    /// 32 ← 64.
    w_d [W], [D];
    /// 64 ← 32.
    d_w [D], [W];
    /// 64 ← 32, 32.
    d_ww [D], [W, W];
    /// 64 ← 32, 32, 64.
    d_wwd [D], [W, W, D];
    /// 64 ← 64.
    d_d [D], [D];
    /// 64 ← 64, 64.
    d_dd [D], [D, D];
    /// 64 ← 64, 64, 64.
    d_ddd [D], [D, D, D];
    /// 64 ← 64, 64, 64: a multiply-add that the host may have as an instruction.
    d_fma [D], [D, D, D];
    /// 64 ← 64, 32.
    d_dw [D], [D, W];
    /// 64 ← 64, 32, 32.
    d_dww [D], [D, W, W];
    /// 64 ← 64, 64, 32, 32.
    d_ddww [D], [D, D, W, W];
    /// 64 ← 64, 64, predicate.
    d_ddp [D], [D, D, P];
    /// Predicate ← 32, 32.
    p_ww [P], [W, W];
    /// Predicate ← 64, 64.
    p_dd [P], [D, D];
    /// Predicate ← predicate.
    p_p [P], [P];
    /// Predicate ← predicate, predicate.
    p_pp [P], [P, P];
    /// 32 ← immediate.
    w_imm [W], [];
    /// 64 ← immediate.
    d_imm [D], [];
    /// 32 ← memory.
    w_addr [W], [Addr];
    /// 64 ← memory.
    d_addr [D], [Addr];
    /// Memory ← 32.
    addr_w [], [Addr, W];
    /// Memory ← 64.
    addr_d [], [Addr, D];
    /// An address, without a data operand.
    addr [], [Addr];
    /// 32, 32 ← memory.
    w2_addr [W, W], [Addr];
    /// 32, 32, 32, 32 ← memory.
    w4_addr [W, W, W, W], [Addr];
    /// 64, 64 ← memory.
    d2_addr [D, D], [Addr];
    /// Memory ← 32, 32.
    addr_w2 [], [Addr, W, W];
    /// Memory ← 32, 32, 32, 32.
    addr_w4 [], [Addr, W, W, W, W];
    /// Memory ← 64, 64.
    addr_d2 [], [Addr, D, D];
    /// 32 ← memory, 32.
    w_addr_w [W], [Addr, W];
    /// 64 ← memory, 64.
    d_addr_d [D], [Addr, D];
    /// 32 ← memory, 32, 32.
    w_addr_ww [W], [Addr, W, W];
    /// 64 ← memory, 64, 64.
    d_addr_dd [D], [Addr, D, D];
    /// Four 32 ← 32.
    w4_w [W, W, W, W], [W];
    /// Four 32 ← 32, 32.
    w4_ww [W, W, W, W], [W, W];
    /// Four 32 ← 64, 32.
    w4_dw [W, W, W, W], [D, W];
    /// Four 32 ← 32, 64.
    w4_wd [W, W, W, W], [W, D];
    /// Four 32 ← 64, 64.
    w4_dd [W, W, W, W], [D, D];
    /// 32 ← predicate.
    w_p [W], [P];
    /// 32 ← predicate, 32.
    w_pw [W], [P, W];
    /// Predicate ← predicate, 32.
    p_pw [P], [P, W];
    /// 32 ← no rows.
    w_none [W], [];
    /// No destination ← 32, 32.
    ww [], [W, W];
    /// Predicate ← 32, 32, predicate.
    p_wwp [P], [W, W, P];
    /// No rows.
    control [], [];
}

impl Shape {
    /// Returns the operands of a memory access. A vector cannot be atomic.
    pub(super) const fn of_memory(kind: MemoryKind, width: Width) -> Self {
        match (kind, width.registers()) {
            (MemoryKind::Load, Registers::W) => Self::w_addr,
            (MemoryKind::Load, Registers::D) => Self::d_addr,
            (MemoryKind::Load, Registers::W2) => Self::w2_addr,
            (MemoryKind::Load, Registers::W4) => Self::w4_addr,
            (MemoryKind::Load, Registers::D2) => Self::d2_addr,
            (MemoryKind::Store | MemoryKind::Reduction, Registers::W) => Self::addr_w,
            (MemoryKind::Store | MemoryKind::Reduction, Registers::D) => Self::addr_d,
            (MemoryKind::Store, Registers::W2) => Self::addr_w2,
            (MemoryKind::Store, Registers::W4) => Self::addr_w4,
            (MemoryKind::Store, Registers::D2) => Self::addr_d2,
            (MemoryKind::Atomic, Registers::W) => Self::w_addr_w,
            (MemoryKind::Atomic, Registers::D) => Self::d_addr_d,
            (MemoryKind::Cas, Registers::W) => Self::w_addr_ww,
            (MemoryKind::Cas, Registers::D) => Self::d_addr_dd,
            (
                MemoryKind::Atomic | MemoryKind::Cas | MemoryKind::Reduction,
                Registers::W2 | Registers::W4 | Registers::D2,
            ) => panic!("a vector cannot be atomic"),
        }
    }

    /// Returns the kind of the first destination, if there is one.
    pub const fn dst(self) -> Option<OperandKind> {
        self.dsts()[0]
    }

    /// Returns the kinds of all destinations, in order.
    pub const fn dsts(self) -> [Option<OperandKind>; 4] {
        match *self.destinations() {
            [] => [None; 4],
            [a] => [Some(a), None, None, None],
            [a, b] => [Some(a), Some(b), None, None],
            [a, b, c] => [Some(a), Some(b), Some(c), None],
            [a, b, c, d] => [Some(a), Some(b), Some(c), Some(d)],
            _ => panic!("an instruction has at most four destinations"),
        }
    }

    /// Returns the number of elements of a load, store or texture fetch: 2 or 4 for a vector, 1 for
    /// every other micro-op.
    pub const fn elements(self) -> usize {
        match (self.destinations(), self.srcs()) {
            (loaded @ [_, ..], [OperandKind::Addr]) => loaded.len(),
            (fetched @ [_, _, _, _], _) => fetched.len(),
            ([], [OperandKind::Addr, stored @ ..]) if !stored.is_empty() => stored.len(),
            _ => 1,
        }
    }
}
