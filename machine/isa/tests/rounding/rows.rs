//! The micro-op table as data: text, shape and, for pure functions of one lane, the function.

use isa::for_each_uop;

/// Maps the bits of the sources to the bits of the result. Values narrower than 64 bits are in the
/// low bits.
pub type Apply = fn(&[u64]) -> u64;

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct RoundingRow {
    /// Text form, which specifies the operation.
    pub text: &'static str,
    /// Operands, in the notation of the table.
    pub shape: &'static str,
    /// Function of the row; `None` for shapes that no floating-point arithmetic has.
    pub apply: Option<Apply>,
}

macro_rules! apply {
    (w_w $f:path) => {
        Some((|v| $f(v[0] as u32).into()) as Apply)
    };
    (w_row $f:path) => {
        Some((|v| $f(&[v[0] as u32; 32])[0].into()) as Apply)
    };
    (w_ww $f:path) => {
        Some((|v| $f(v[0] as u32, v[1] as u32).into()) as Apply)
    };
    (w_www $f:path) => {
        Some((|v| $f(v[0] as u32, v[1] as u32, v[2] as u32).into()) as Apply)
    };
    (w_mad $f:path) => {
        apply!(w_www $f)
    };
    (w_fma $f:path) => {
        apply!(w_www $f)
    };
    (d_fma $f:path) => {
        apply!(d_ddd $f)
    };
    (d_d $f:path) => {
        Some((|v| $f(v[0])) as Apply)
    };
    (d_dd $f:path) => {
        Some((|v| $f(v[0], v[1])) as Apply)
    };
    (d_ddd $f:path) => {
        Some((|v| $f(v[0], v[1], v[2])) as Apply)
    };
    (d_w $f:path) => {
        Some((|v| $f(v[0] as u32)) as Apply)
    };
    (w_d $f:path) => {
        Some((|v| $f(v[0]).into()) as Apply)
    };
    (p_ww $f:path) => {
        Some((|v| $f(v[0] as u32, v[1] as u32).into()) as Apply)
    };
    (p_dd $f:path) => {
        Some((|v| $f(v[0], v[1]).into()) as Apply)
    };
    ($other:ident $f:path) => {
        None
    };
}

/// The name of a shape; one for a kind of function has the operands of its general shape.
macro_rules! shape {
    (w_row) => {
        "w_w"
    };
    (w_mad) => {
        "w_www"
    };
    (w_fma) => {
        "w_www"
    };
    (d_fma) => {
        "d_ddd"
    };
    ($other:ident) => {
        stringify!($other)
    };
}

macro_rules! rows {
    (
        alu { $($class:ident $shape:ident $flops:literal {
            $($name:ident $text:literal $module:ident :: $meaning:ident $($word:ident)* $(=> $bound:ident)?;)*
        })* }
        memory { $($kind:ident $space:ident $r_class:ident { $($r_name:ident $r_text:literal $width:ident;)* })* }
        machine { $($m_name:ident $m_text:literal $m_class:ident $m_shape:ident;)* }
    ) => {
        /// All rows.
        pub const ROWS: &[RoundingRow] = &[
            $($(RoundingRow {
                text: $text,
                shape: shape!($shape),
                apply: apply!($shape isa::sem::$module::$meaning),
            },)*)*
            $($(RoundingRow { text: $r_text, shape: "memory", apply: None },)*)*
            $(RoundingRow { text: $m_text, shape: stringify!($m_shape), apply: None },)*
        ];
    };
}

for_each_uop!(rows);

impl RoundingRow {
    /// Whether the row involves floating-point numbers.
    pub fn is_float(&self) -> bool {
        self.text.split('.').any(|word| ["f16", "f32", "f64"].contains(&word))
    }
}
