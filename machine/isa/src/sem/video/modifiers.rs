//! Modifiers of a video instruction, and their encoding in a word.

/// The part of a word that an operand of a video instruction names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Selector {
    /// The whole word.
    #[default]
    Word,
    /// `.b0`: the lowest byte.
    B0,
    /// `.b1`
    B1,
    /// `.b2`
    B2,
    /// `.b3`: the highest byte.
    B3,
    /// `.h0`: the lower half.
    H0,
    /// `.h1`: the upper half.
    H1,
}

impl Selector {
    /// All selectors with their PTX names, in the order of their codes.
    pub const NAMES: [(&str, Self); 7] = [
        ("", Self::Word),
        ("b0", Self::B0),
        ("b1", Self::B1),
        ("b2", Self::B2),
        ("b3", Self::B3),
        ("h0", Self::H0),
        ("h1", Self::H1),
    ];

    /// Returns the part with a PTX name, such as `b0`.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::NAMES.iter().skip(1).find(|(known, _)| *known == name).map(|(_, selector)| *selector)
    }

    /// Returns the lowest bit and the number of bits.
    pub(super) const fn place(self) -> (u32, u32) {
        match self {
            Self::Word => (0, 32),
            Self::B0 => (0, 8),
            Self::B1 => (8, 8),
            Self::B2 => (16, 8),
            Self::B3 => (24, 8),
            Self::H0 => (0, 16),
            Self::H1 => (16, 16),
        }
    }
}

/// The second operation of a video instruction, on its first result and the third operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the variants are PTX's own names")]
pub enum Second {
    Add,
    Min,
    Max,
}

impl Second {
    /// All operations in the order of their codes, which begin at 1.
    const ALL: [Self; 3] = [Self::Add, Self::Min, Self::Max];
}

/// The comparison of `vset`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the variants are PTX's own names")]
pub enum Relation {
    #[default]
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl Relation {
    /// All comparisons in the order of their codes.
    const ALL: [Self; 6] = [Self::Eq, Self::Ne, Self::Lt, Self::Le, Self::Gt, Self::Ge];
}

/// Distances of the shift of `vmad`, in the order of their codes.
const SHIFTS: [u32; 3] = [0, 7, 15];

/// All modifiers of a video instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each flag is one modifier")]
pub struct Video {
    /// Whether the result, and with it the third operand, is signed.
    pub is_signed: bool,
    /// Whether the first operand is signed.
    pub a_is_signed: bool,
    /// Whether the second operand is signed.
    pub b_is_signed: bool,
    /// Part of the first operand.
    pub a: Selector,
    /// Part of the second operand.
    pub b: Selector,
    /// Part of the third operand that the result replaces; the whole word is the result alone.
    pub into: Selector,
    /// `.sat`
    pub saturates: bool,
    /// Second operation.
    pub second: Option<Second>,
    /// Shifts: `.wrap`; otherwise `.clamp`.
    pub wraps: bool,
    /// `vset`: comparison.
    pub relation: Relation,
    /// `vmad`: the product is negated.
    pub negates_product: bool,
    /// `vmad`: the addend is negated.
    pub negates_third: bool,
    /// `vmad`: `.po`
    pub adds_one: bool,
    /// `vmad`: distance of the shift of the sum to the right.
    pub shift: u32,
}

impl Video {
    /// Returns the modifiers that a word encodes; `None` if it encodes none.
    pub fn decode(bits: u32) -> Option<Self> {
        let mut rest = bits;
        let mut field = |width: u32| {
            let value = rest & ((1 << width) - 1);
            rest >>= width;
            value as usize
        };
        let selector = |code: usize| Selector::NAMES.get(code).map(|(_, selector)| *selector);
        let decoded = Self {
            is_signed: field(1) != 0,
            a_is_signed: field(1) != 0,
            b_is_signed: field(1) != 0,
            a: selector(field(3))?,
            b: selector(field(3))?,
            into: selector(field(3))?,
            saturates: field(1) != 0,
            second: match field(2).checked_sub(1) {
                None => None,
                Some(code) => Some(*Second::ALL.get(code)?),
            },
            wraps: field(1) != 0,
            relation: *Relation::ALL.get(field(3))?,
            negates_product: field(1) != 0,
            negates_third: field(1) != 0,
            adds_one: field(1) != 0,
            shift: *SHIFTS.get(field(2))?,
        };
        (rest == 0).then_some(decoded)
    }

    /// Returns the word that encodes the modifiers.
    pub fn encode(&self) -> u32 {
        let mut bits = 0;
        let mut at = 0;
        let mut field = |width: u32, value: usize| {
            bits |= (value as u32) << at;
            at += width;
        };
        let selector =
            |of: Selector| Selector::NAMES.iter().position(|(_, known)| *known == of).unwrap_or_default();
        let second =
            |of: Second| Second::ALL.iter().position(|known| *known == of).map_or(0, |code| code + 1);
        field(1, self.is_signed.into());
        field(1, self.a_is_signed.into());
        field(1, self.b_is_signed.into());
        field(3, selector(self.a));
        field(3, selector(self.b));
        field(3, selector(self.into));
        field(1, self.saturates.into());
        field(2, self.second.map_or(0, second));
        field(1, self.wraps.into());
        field(3, Relation::ALL.iter().position(|known| *known == self.relation).unwrap_or_default());
        field(1, self.negates_product.into());
        field(1, self.negates_third.into());
        field(1, self.adds_one.into());
        field(2, SHIFTS.iter().position(|known| *known == self.shift).unwrap_or_default());
        bits
    }
}
