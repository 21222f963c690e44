//! What instructions compute: each operation once, for the interpreter and the names of the code.

/// The operations of instructions, each once: name, operands and result. A load has the names that
/// the interpreter gives its two forms, and its result from the bytes; a store the names and the
/// integer of its bytes; a comparison the names of its jumps.
macro_rules! operations {
    ($callback:ident) => {
        $callback! {
        binary {
            AddI32 |a, b| int((a as i32).wrapping_add(b as i32));
            AddU32 |a, b| u64::from((a as u32).wrapping_add(b as u32));
            Add64 |a, b| a.wrapping_add(b);
            AddF32 |a, b| u64::from((float(a) + float(b)).to_bits());
            AddF64 |a, b| (double(a) + double(b)).to_bits();
            SubI32 |a, b| int((a as i32).wrapping_sub(b as i32));
            SubU32 |a, b| u64::from((a as u32).wrapping_sub(b as u32));
            Sub64 |a, b| a.wrapping_sub(b);
            SubF32 |a, b| u64::from((float(a) - float(b)).to_bits());
            SubF64 |a, b| (double(a) - double(b)).to_bits();
            MulI32 |a, b| int((a as i32).wrapping_mul(b as i32));
            MulU32 |a, b| u64::from((a as u32).wrapping_mul(b as u32));
            Mul64 |a, b| a.wrapping_mul(b);
            MulF32 |a, b| u64::from((float(a) * float(b)).to_bits());
            MulF64 |a, b| (double(a) * double(b)).to_bits();
            DivF32 |a, b| u64::from((float(a) / float(b)).to_bits());
            DivF64 |a, b| (double(a) / double(b)).to_bits();
            And |a, b| a & b;
            Or |a, b| a | b;
            Xor |a, b| a ^ b;
            ShlI32 |a, b| int((a as i32).wrapping_shl(b as u32));
            ShlU32 |a, b| u64::from((a as u32).wrapping_shl(b as u32));
            Shl64 |a, b| a.wrapping_shl(b as u32);
            ShrI32 |a, b| int((a as i32).wrapping_shr(b as u32));
            ShrU32 |a, b| u64::from((a as u32).wrapping_shr(b as u32));
            ShrI64 |a, b| (a as i64).wrapping_shr(b as u32) as u64;
            ShrU64 |a, b| a.wrapping_shr(b as u32);
            EqInt |a, b| u64::from(a == b);
            NeInt |a, b| u64::from(a != b);
            LtSigned |a, b| u64::from((a as i64) < b as i64);
            LeSigned |a, b| u64::from(a as i64 <= b as i64);
            LtUnsigned |a, b| u64::from(a < b);
            LeUnsigned |a, b| u64::from(a <= b);
            EqF32 |a, b| u64::from(float(a) == float(b));
            NeF32 |a, b| u64::from(float(a) != float(b));
            LtF32 |a, b| u64::from(float(a) < float(b));
            LeF32 |a, b| u64::from(float(a) <= float(b));
            EqF64 |a, b| u64::from(double(a) == double(b));
            NeF64 |a, b| u64::from(double(a) != double(b));
            LtF64 |a, b| u64::from(double(a) < double(b));
            LeF64 |a, b| u64::from(double(a) <= double(b));
        }
        unary {
            ToI8 |a| i64::from(a as i8) as u64;
            ToU8 |a| u64::from(a as u8);
            ToI16 |a| i64::from(a as i16) as u64;
            ToU16 |a| u64::from(a as u16);
            ToI32 |a| int(a as i32);
            ToU32 |a| u64::from(a as u32);
            IntToBool |a| u64::from(a != 0);
            F32ToBool |a| u64::from(float(a) != 0.0);
            F64ToBool |a| u64::from(double(a) != 0.0);
            Not |a| u64::from(a == 0);
            NegI32 |a| int((a as i32).wrapping_neg());
            NegU32 |a| u64::from((a as u32).wrapping_neg());
            Neg64 |a| a.wrapping_neg();
            NegF32 |a| u64::from((-float(a)).to_bits());
            NegF64 |a| (-double(a)).to_bits();
            ComplementI32 |a| int(!(a as i32));
            ComplementU32 |a| u64::from(!(a as u32));
            Complement64 |a| !a;
            SignedToF32 |a| u64::from((a as i64 as f32).to_bits());
            SignedToF64 |a| (a as i64 as f64).to_bits();
            UnsignedToF32 |a| u64::from((a as f32).to_bits());
            UnsignedToF64 |a| (a as f64).to_bits();
            F32ToF64 |a| f64::from(float(a)).to_bits();
            F64ToF32 |a| u64::from((double(a) as f32).to_bits());
            F32ToI64 |a| to_i64(f64::from(float(a))) as u64;
            F64ToI64 |a| to_i64(double(a)) as u64;
            F32ToU64 |a| to_u64(f64::from(float(a)));
            F64ToU64 |a| to_u64(double(a));
            F32ToI32 |a| int(to_i32(f64::from(float(a))));
            F64ToI32 |a| int(to_i32(double(a)));
        }
        load {
            I8 LoadI8 LoadAtI8 |bytes| i64::from(i8::from_le_bytes(bytes)) as u64;
            U8 LoadU8 LoadAtU8 |bytes| u64::from(u8::from_le_bytes(bytes));
            I16 LoadI16 LoadAtI16 |bytes| i64::from(i16::from_le_bytes(bytes)) as u64;
            U16 LoadU16 LoadAtU16 |bytes| u64::from(u16::from_le_bytes(bytes));
            I32 LoadI32 LoadAtI32 |bytes| i64::from(i32::from_le_bytes(bytes)) as u64;
            U32 LoadU32 LoadAtU32 |bytes| u64::from(u32::from_le_bytes(bytes));
            W64 LoadW64 LoadAtW64 |bytes| u64::from_le_bytes(bytes);
        }
        store {
            (Access::I8 | Access::U8) Store8 StoreAt8 u8;
            (Access::I16 | Access::U16) Store16 StoreAt16 u16;
            (Access::I32 | Access::U32) Store32 StoreAt32 u32;
            (Access::W64) Store64 StoreAt64 u64;
        }
        compare {
            Eq JumpEq JumpEqImm StepEq StepEqImm |a, b| a == b;
            LtSigned JumpLtSigned JumpLtSignedImm StepLtSigned StepLtSignedImm |a, b| (a as i64) < b as i64;
            LeSigned JumpLeSigned JumpLeSignedImm StepLeSigned StepLeSignedImm |a, b| a as i64 <= b as i64;
            LtUnsigned JumpLtUnsigned JumpLtUnsignedImm StepLtUnsigned StepLtUnsignedImm |a, b| a < b;
            LeUnsigned JumpLeUnsigned JumpLeUnsignedImm StepLeUnsigned StepLeUnsignedImm |a, b| a <= b;
        }
        }
    };
}
pub(crate) use operations;

/// An `int` as a register holds it.
#[inline(always)]
pub fn int(value: i32) -> u64 {
    i64::from(value) as u64
}

#[inline(always)]
pub fn float(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

#[inline(always)]
pub fn double(bits: u64) -> f64 {
    f64::from_bits(bits)
}

/// 2 to the power of 63.
pub const HALF: f64 = (1_u64 << 63) as f64;

pub fn to_i32(value: f64) -> i32 {
    let inside = value > -2_147_483_649.0 && value < 2_147_483_648.0;
    if inside { value as i32 } else { i32::MIN }
}

pub fn to_i64(value: f64) -> i64 {
    let inside = (-HALF..HALF).contains(&value);
    if inside { value as i64 } else { i64::MIN }
}

pub fn to_u64(value: f64) -> u64 {
    if value < HALF { to_i64(value) as u64 } else { to_i64(value - HALF) as u64 ^ 1 << 63 }
}
