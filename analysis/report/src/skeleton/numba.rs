//! Arrays among the parameters of a kernel that Numba has compiled. Numba passes an array as five
//! words, followed by the size of each dimension and by the distance in bytes of each. The mangled
//! name of the kernel has the types of its arguments.

use isa::uop::Param;

/// Most dimensions of an array, so that a wrong name cannot ask for many lines.
const MOST_DIMENSIONS: usize = 16;

/// Beginning of the type of an array in a mangled name, and of its number of dimensions.
const ARRAY: &str = "5ArrayI";
const DIMENSIONS: &str = "Li";

/// Types of scalars in a mangled name, and the bytes of each.
const SCALARS: [(char, u64); 12] = [
    ('a', 1),
    ('b', 1),
    ('d', 8),
    ('f', 4),
    ('h', 1),
    ('i', 4),
    ('j', 4),
    ('l', 8),
    ('m', 8),
    ('s', 2),
    ('t', 2),
    ('x', 8),
];

/// An argument of the Python function.
enum Argument {
    Scalar,
    /// Bytes of an element, number of dimensions, and whether the first index varies fastest.
    Array {
        element: u64,
        dimensions: usize,
        first_fastest: bool,
    },
}

/// What a parameter of an array is.
pub struct Word {
    /// Which argument the array is, and what the parameter says of it.
    pub what: String,
    /// The value; `None` for the address of the elements.
    pub value: Option<u64>,
    /// Number of elements.
    pub elements: u64,
}

/// Returns the words of arrays of the kernel `name`, one entry for each parameter. An array of one
/// or two dimensions gets about an element for each of the `threads`. All entries are `None` if the
/// name is not one of Numba, or does not describe these parameters.
pub fn words(name: &str, params: &[Param], threads: u64) -> Vec<Option<Word>> {
    let mut words = Vec::new();
    for (number, argument) in arguments(name).unwrap_or_default().into_iter().enumerate() {
        match argument {
            Argument::Scalar => words.push(None),
            Argument::Array { element, dimensions, first_fastest } => {
                let size = if dimensions == 1 { threads } else { threads.isqrt() };
                let elements = size.saturating_pow(dimensions as u32);
                let mut push = |what: &str, value| {
                    let what = format!("argument {}: {what}", number + 1);
                    words.push(Some(Word { what, value, elements }));
                };
                push("owner of the memory, not read", Some(0));
                push("object of Python, not read", Some(0));
                push("elements", Some(elements));
                push("bytes of an element", Some(element));
                push("the elements", None);
                for dimension in 0..dimensions {
                    push(&format!("size of dimension {dimension}"), Some(size));
                }
                for dimension in 0..dimensions {
                    let inner = if first_fastest { dimension } else { dimensions - 1 - dimension };
                    let distance = element.saturating_mul(size.saturating_pow(inner as u32));
                    push(&format!("bytes to the next in dimension {dimension}"), Some(distance));
                }
            }
        }
    }
    let fits = words.len() == params.len()
        && words.iter().zip(params).all(|(word, param)| word.is_none() || param.bytes == 8);
    if fits { words } else { params.iter().map(|_| None).collect() }
}

/// Returns the arguments that a mangled name describes; `None` for a name without an array, or with
/// another type.
fn arguments(name: &str) -> Option<Vec<Argument>> {
    let mut rest = name.strip_prefix("_ZN")?;
    // The names of the module and of the function, and marks of the compiler.
    while !rest.starts_with('E') {
        let word = rest.strip_prefix('B').unwrap_or(rest);
        rest = word.get(word_length(word)?..)?;
    }
    rest = &rest[1..];
    let mut found = Vec::new();
    while !rest.is_empty() {
        let (argument, length) = match rest.strip_prefix(ARRAY) {
            Some(inside) => {
                let element = bytes(inside)?;
                let number = inside.get(1..)?.strip_prefix(DIMENSIONS)?;
                let digits = number.bytes().take_while(u8::is_ascii_digit).count();
                let dimensions: usize = number[..digits].parse().ok()?;
                let mut tail = number[digits..].strip_prefix('E')?;
                let first_fastest = tail.starts_with("1F");
                while !tail.starts_with('E') {
                    tail = tail.get(word_length(tail)?..)?;
                }
                if dimensions == 0 || dimensions > MOST_DIMENSIONS {
                    return None;
                }
                let length = rest.len() - tail.len() + 1;
                (Argument::Array { element, dimensions, first_fastest }, length)
            }
            None => (bytes(rest).map(|_| Argument::Scalar)?, 1),
        };
        found.push(argument);
        rest = &rest[length..];
    }
    found.iter().any(|argument| matches!(argument, Argument::Array { .. })).then_some(found)
}

/// Returns the bytes of the scalar type at the beginning of a mangled type.
fn bytes(text: &str) -> Option<u64> {
    let first = text.chars().next()?;
    SCALARS.iter().find(|(letter, _)| *letter == first).map(|(_, bytes)| *bytes)
}

/// Returns the length of a word with its number of bytes in front, such as `5saxpy`.
fn word_length(text: &str) -> Option<usize> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    digits.checked_add(text[..digits].parse().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_read_from_the_name() {
        let shape = |name: &str| {
            let shown = |argument: Argument| match argument {
                Argument::Scalar => "scalar".to_owned(),
                Argument::Array { element, dimensions, first_fastest } => {
                    format!("{dimensions} of {element}{}", if first_fastest { " F" } else { "" })
                }
            };
            arguments(name).map(|all| all.into_iter().map(shown).collect::<Vec<_>>().join(", "))
        };
        let one = "5ArrayIfLi1E1C7mutable7alignedE";
        let name = |types: &str| format!("_ZN8__main__5saxpyB2v1B3abcE{types}");
        assert_eq!(shape(&name(&format!("f{one}{one}"))).as_deref(), Some("scalar, 1 of 4, 1 of 4"));
        assert_eq!(shape(&name("5ArrayIdLi2E1F7mutable7alignedEx")).as_deref(), Some("2 of 8 F, scalar"));
        for other in
            ["fx", "5ArrayIfLi1E", "5ArrayIfLi0E1CE", "5TupleIfE", "5ArrayIfLi99999999999999999999E1CE", "é"]
        {
            assert_eq!(shape(&name(other)), None, "{other}");
        }
        assert_eq!(shape("_Z5saxpyifPKfPf"), None);
        assert_eq!(shape("_ZN99x"), None);
    }
}
