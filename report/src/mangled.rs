//! Names of kernels in CUDA C, from the names that a C++ compiler gives them in PTX.

/// Returns the name of a kernel for texts: `saxpy` for `_Z5saxpyifPf`.
pub fn plain(name: &str) -> &str {
    function(name).unwrap_or(name)
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
