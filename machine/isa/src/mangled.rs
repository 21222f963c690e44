//! Names of kernels and variables in CUDA C, from the names that a C++ compiler gives them in PTX.

/// Returns the name of a kernel or variable for texts: `saxpy` for `_Z5saxpyifPf`.
pub fn plain(name: &str) -> &str {
    local(name).or_else(|| function(name)).unwrap_or(name)
}

/// Longest mangled name that is shown whole.
const LONGEST: usize = 64;

/// Returns the name of a kernel where the types of its parameters matter: the mangled name, unless
/// it is too long to read.
pub fn titled(name: &str) -> &str {
    if name.len() > LONGEST { plain(name) } else { name }
}

/// Returns the name of a parameter of `kernel` without the name of the kernel that compilers put in
/// front of it, if that is a mangled name: `param_0` of `_Z5saxpyifPf_param_0`.
pub fn parameter<'n>(kernel: &str, name: &'n str) -> &'n str {
    let rest = name.strip_prefix(kernel).and_then(|rest| rest.strip_prefix('_'));
    rest.filter(|rest| !rest.is_empty() && plain(kernel) != kernel).unwrap_or(name)
}

/// Returns the name of a variable of a function: `tile` of `_ZZ5tilesPKfiE4tile`, and of
/// `_ZZ5tilesPKfiE4tile_0`, the second variable of this name.
fn local(name: &str) -> Option<&str> {
    let rest = name.strip_prefix("_ZZ")?;
    rest.match_indices('E').map(|(at, _)| &rest[at + 1..]).find_map(|part| {
        let digits = part.bytes().take_while(u8::is_ascii_digit).count();
        let end = digits.checked_add(part[..digits].parse().ok()?)?;
        let (found, rest) = (part.get(digits..end)?, part.get(end..)?);
        (!found.is_empty() && (rest.is_empty() || rest.starts_with('_'))).then_some(found)
    })
}

/// Returns the function of a mangled name, without namespaces: `saxpy` of `_Z5saxpyifPf`.
pub fn function(name: &str) -> Option<&str> {
    let rest = name.strip_prefix("_Z")?;
    let (nested, mut rest) = rest.strip_prefix('N').map_or((false, rest), |rest| (true, rest));
    let mut found = None;
    loop {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 {
            return found;
        }
        let end = digits.checked_add(rest[..digits].parse().ok()?)?;
        found = Some(rest.get(digits..end)?);
        rest = &rest[end..];
        if !nested {
            return found;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_of_a_function_has_its_name() {
        for (mangled, name) in [
            ("_ZZ5tilesPKfS0_PfiE6tile_n", "tile_n"),
            ("_ZZ5tiledPfPKfS1_iE2ns", "ns"),
            ("_ZZ1kvE1E_1", "E"),
            ("_ZZE4tile", "tile"),
            ("_ZZ1kvE9x", "_ZZ1kvE9x"),
            ("tile", "tile"),
        ] {
            assert_eq!(plain(mangled), name);
        }
    }

    #[test]
    fn a_parameter_is_named_without_its_mangled_kernel() {
        for (kernel, name, shown) in [
            ("_Z5saxpyifPf", "_Z5saxpyifPf_param_0", "param_0"),
            ("saxpy", "saxpy_param_0", "saxpy_param_0"),
            ("_Z5saxpyifPf", "_Z5saxpyifPf_", "_Z5saxpyifPf_"),
            ("_Z5saxpyifPf", "n", "n"),
        ] {
            assert_eq!(parameter(kernel, name), shown);
        }
        let long = format!("_Z5saxpy{}", "i".repeat(60));
        assert_eq!([titled(&long), titled("_Z5saxpyif")], ["saxpy", "_Z5saxpyif"]);
    }

    #[test]
    fn a_mangled_name_has_the_name_of_its_function() {
        for (mangled, name) in [
            ("_Z5saxpyifPKfPf", Some("saxpy")),
            ("_Z1k3Foo", Some("k")),
            ("_ZN1a1b1kENS0_1TEPS1_", Some("k")),
            ("_Z1kIfLi256EEvPT_PKS0_", Some("k")),
            ("saxpy", None),
            ("_Z", None),
            ("_Z9k", None),
            ("_Z99999999999999999999k", None),
        ] {
            assert_eq!(function(mangled), name, "{mangled}");
        }
    }
}
