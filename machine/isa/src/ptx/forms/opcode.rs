//! The opcodes of PTX with their meanings.

/// Declares the opcodes: name, and a line that says what the instruction does.
macro_rules! opcodes {
    ($($name:ident: $meaning:literal,)*) => {
        /// The instructions that the simulator executes, by the first word of their name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[expect(missing_docs, reason = "the variants are PTX's own mnemonics")]
        pub enum Opcode {
            $($name,)*
        }

        impl Opcode {
            /// Returns a one-line description: `d` is the result; `a`, `b`, `c` and `e` are
            /// operands with the names in the forms.
            pub fn meaning(self) -> &'static str {
                match self {
                    $(Self::$name => $meaning,)*
                }
            }
        }
    };
}

opcodes! {
    Mov: "d = a, the address of a variable, or a special register",
    Selp: "d = a if c is true, else b",
    Add: "d = a + b",
    Sub: "d = a - b",
    Neg: "d = -a",
    Abs: "d = |a|",
    Min: "d = the smaller of a and b",
    Max: "d = the larger of a and b",
    Sad: "d = c + |a - b|",
    Mul: "d = a × b",
    Mad: "d = a × b + c",
    Fma: "d = a × b + c, rounded once",
    Mul24: "d = one half of the 48-bit product of the lower 24 bits of a and b",
    Mad24: "d = one half of the 48-bit product of the lower 24 bits of a and b, plus c",
    Div: "d = a / b",
    Rcp: "d = 1 / a",
    Sqrt: "d = √a",
    Rsqrt: "d = 1 / √a",
    Copysign: "d = b with the sign of a",
    Testp: "p = whether a is finite, infinite, a number, …",
    Rem: "d = remainder of a / b",
    Sin: "d = sin a, a in radians",
    Cos: "d = cos a, a in radians",
    Lg2: "d = log₂ a",
    Ex2: "d = 2^a",
    And: "d = bitwise and of a and b",
    Or: "d = bitwise or of a and b",
    Xor: "d = bitwise exclusive or of a and b",
    Not: "d = bitwise complement of a",
    Shl: "d = a shifted left by b, filled with zeros; 0 if b is at least the width",
    Shr: "d = a shifted right by b, filled with zeros, or with the sign for a signed type",
    Addc: "d = a + b + the condition code",
    Subc: "d = a - b - 1 + the condition code",
    Madc: "d = one half of a × b, plus c and the condition code",
    Cnot: "d = 1 if a is 0, else 0",
    Popc: "d = number of one bits in a",
    Clz: "d = number of leading zeros of a",
    Brev: "d = a with its bits reversed",
    Bfind:
        "d = position of the highest bit of a that differs from its sign; all ones if there is none",
    Bfe: "d = c bits of a from bit b on, zero-extended or sign-extended",
    Bfi: "d = b with e bits from position c on replaced by the lowest bits of a",
    Prmt: "d = four of the eight bytes of a and b, selected by c",
    Shf: "d = one half of the 64 bits of b and a, shifted by c",
    Lop3: "d = bitwise operation on a, b and c with the truth table i",
    Vadd: "d = a + b, with a second operation on c, or as a part of c",
    Vsub: "d = a - b, with a second operation on c, or as a part of c",
    Vabsdiff: "d = |a - b|, with a second operation on c, or as a part of c",
    Vmin: "d = the smaller of a and b, with a second operation on c, or as a part of c",
    Vmax: "d = the larger of a and b, with a second operation on c, or as a part of c",
    Vshl: "d = a shifted left by b, with a second operation on c, or as a part of c",
    Vshr: "d = a shifted right by b, with a second operation on c, or as a part of c",
    Vset:
        "d = 1 if the comparison is true, else 0; with a second operation on c, or as a part of c",
    Vmad: "d = a × b + c, shifted to the right",
    Set: "d = all ones, or 1.0, if the comparison of a and b is true, else 0",
    Slct: "d = a if c ≥ 0, else b",
    Cvt: "d = a converted to another type",
    Cvta: "d = generic address of an address or variable in the space",
    CvtaTo: "d = address in the space for generic address u",
    Isspacep: "p = whether generic address u is in the space",
    Setp: "p = comparison of a and b, q = its negation; each combined with c",
    Ld: "d = value at the address",
    St: "value at the address = b",
    Prefetch: "prefetches a line into a cache; no effect here",
    Atom:
        "d = value at the address, which is replaced atomically by the operation on it and b (and c)",
    Red: "replaces the value at the address atomically by the operation on it and b",
    Tex: "d = the texel, or the filtered texels, of texture t at coordinates c",
    Txq: "d = a property of texture t",
    Suld: "d = bytes of surface s at byte x, or at byte x of row y",
    Sust: "bytes of surface s at byte x, or at byte x of row y = b",
    Suq: "d = a property of surface s",
    Vote:
        "p = vote over the predicates of the warp's active lanes; or d = these predicates, one bit per lane",
    VoteSync: "p = vote over the predicates of the active lanes that mask b names; or d = \
        these predicates, one bit per lane",
    Activemask: "d = the active lanes of the warp, one bit per lane",
    Shfl: "d = a in another lane, which b, c and the mode select; p = whether it is inside \
        the bound in c, otherwise d = a",
    ShflSync: "d = a in another lane, which b, c and the mode select; p = whether it is inside \
        the bound in c, otherwise d = a",
    Bra: "branches to t",
    BarSync: "waits until all threads of the block, or m threads, have arrived at the barrier",
    BarArrive: "arrives at the barrier of m threads and does not wait",
    BarRed: "waits like bar.sync; d = number of threads of the block with c true",
    BarWarp: "waits for the lanes of the warp that the mask names; none is waited for in lockstep",
    Membar: "waits until the thread's accesses are visible to its block, the chip, or the system",
    Call: "calls a function: (results), name, (arguments); or, with a prototype, the \
        function at an address in a register",
    Ret: "returns from a function; in a kernel, ends the thread",
    Exit: "ends the thread",
    Trap: "stops the kernel with an error",
    Brkpt: "stops the kernel (breakpoint)",
    Pmevent: "triggers performance monitor event k; no effect here",
}

impl Opcode {
    /// Whether this is a video instruction.
    pub(crate) fn is_video(self) -> bool {
        matches!(
            self,
            Self::Vadd
                | Self::Vsub
                | Self::Vabsdiff
                | Self::Vmin
                | Self::Vmax
                | Self::Vshl
                | Self::Vshr
                | Self::Vset
                | Self::Vmad
        )
    }
}
