//! Names of types that every program in OpenCL C has.

use crate::syntax::ast::Builtin;

/// What a name of a type means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NamedType {
    /// A number.
    Scalar(Builtin),
    /// A vector of numbers.
    Vector(Builtin, u8),
    /// An integer of the size of pointers.
    Size {
        /// Whether it is signed.
        signed: bool,
    },
    /// A type without operators.
    Opaque(Opaque),
}

/// A type whose values only functions use.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Opaque {
    /// `half`: storage only.
    Half,
    /// `image2d_t`.
    Image2d,
    /// `image3d_t`.
    Image3d,
    /// `sampler_t`.
    Sampler,
    /// `event_t`.
    Event,
}

impl Opaque {
    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Half => "half",
            Self::Image2d => "image2d_t",
            Self::Image3d => "image3d_t",
            Self::Sampler => "sampler_t",
            Self::Event => "event_t",
        }
    }

    /// Bytes of a value: of an image and a sampler, of its handle.
    pub fn bytes(self) -> u64 {
        match self {
            Self::Half => 2,
            Self::Image2d | Self::Image3d | Self::Sampler => 8,
            Self::Event => 4,
        }
    }
}

/// The numbers that have vectors, by the name in front of the number of elements.
pub const ELEMENTS: [(&str, Builtin); 10] = [
    ("char", Builtin::Char),
    ("uchar", Builtin::UnsignedChar),
    ("short", Builtin::Short),
    ("ushort", Builtin::UnsignedShort),
    ("int", Builtin::Int),
    ("uint", Builtin::UnsignedInt),
    ("long", Builtin::Long),
    ("ulong", Builtin::UnsignedLong),
    ("float", Builtin::Float),
    ("double", Builtin::Double),
];

/// Numbers of elements of vectors.
pub const WIDTHS: [u8; 5] = [2, 3, 4, 8, 16];

/// The meaning of a name.
pub fn named(text: &str) -> Option<NamedType> {
    let digits = text.trim_start_matches(|c: char| !c.is_ascii_digit());
    let front = &text[..text.len() - digits.len()];
    let element = ELEMENTS.iter().find(|(name, _)| *name == front).map(|(_, builtin)| *builtin);
    if !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit()) {
        let width = WIDTHS.into_iter().find(|width| width.to_string() == digits)?;
        return element.map(|element| NamedType::Vector(element, width));
    }
    Some(match text {
        "uchar" | "ushort" | "uint" | "ulong" => NamedType::Scalar(element?),
        "size_t" | "uintptr_t" => NamedType::Size { signed: false },
        "ptrdiff_t" | "intptr_t" => NamedType::Size { signed: true },
        _ => {
            let all = [Opaque::Half, Opaque::Image2d, Opaque::Image3d, Opaque::Sampler, Opaque::Event];
            NamedType::Opaque(all.into_iter().find(|one| one.name() == text)?)
        }
    })
}

/// All names.
pub fn all() -> impl Iterator<Item = String> {
    let vectors = ELEMENTS.iter().flat_map(|(name, _)| WIDTHS.iter().map(move |n| format!("{name}{n}")));
    let others = "uchar ushort uint ulong size_t uintptr_t ptrdiff_t intptr_t half image2d_t image3d_t \
        sampler_t event_t";
    vectors.chain(others.split_ascii_whitespace().map(str::to_owned))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_a_meaning() {
        assert!(all().all(|name| named(&name).is_some()));
        assert_eq!(named("float4"), Some(NamedType::Vector(Builtin::Float, 4)));
        for wrong in ["float5", "float04", "float", "double1", "half2", "4", "", "uint1"] {
            assert_eq!(named(wrong), None, "{wrong}");
        }
    }
}
