//! Roundings as suffixes of names: `convert_int_rte`, `vstore_half_rtz`.

/// A rounding of a conversion, as the headers name it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rounding {
    Near,
    Zero,
    Up,
    Down,
}

impl Rounding {
    /// The suffix in OpenCL C and in the headers.
    const ALL: [(&'static str, Self, &'static str); 4] = [
        ("_rte", Self::Near, "rn"),
        ("_rtz", Self::Zero, "rz"),
        ("_rtp", Self::Up, "ru"),
        ("_rtn", Self::Down, "rd"),
    ];

    /// Splits a name into its front and the rounding that it ends with.
    pub(super) fn split(name: &str) -> (&str, Option<Self>) {
        for (suffix, rounding, _) in Self::ALL {
            if let Some(front) = name.strip_suffix(suffix) {
                return (front, Some(rounding));
            }
        }
        (name, None)
    }

    pub(super) fn suffix(self) -> &'static str {
        Self::ALL.iter().find(|(_, one, _)| *one == self).map_or("rn", |(.., suffix)| *suffix)
    }
}
