//! `-maxrregcount`: a limit of registers in each kernel of a PTX text.

use std::fmt::Write as _;

/// Returns PTX in which each kernel without launch bounds has the directive `.maxnreg`.
///
/// Launch bounds take precedence, as with nvcc.
pub fn limit(ptx: &str, registers: u32) -> String {
    let mut text = String::with_capacity(ptx.len() + 64);
    let (mut entry, mut bounded) = (false, false);
    for line in ptx.split_inclusive('\n') {
        let code = line.trim_start();
        let head = code.starts_with(".entry ") || code.contains(" .entry ");
        if head && code.starts_with('.') {
            (entry, bounded) = (true, false);
        }
        bounded |= entry && [".maxntid", ".minnctapersm", ".maxnreg"].iter().any(|d| code.starts_with(d));
        if entry && code.starts_with('{') {
            if !bounded {
                let _ = writeln!(text, ".maxnreg {registers}");
            }
            entry = false;
        }
        text.push_str(line);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::limit;

    #[test]
    fn kernels_without_launch_bounds_get_the_limit() {
        let ptx = ".visible .entry a(\n)\n{\nret;\n}\n.func f()\n{\n}\n.entry b()\n.maxntid 64, 1, 1\n{\n}\n";
        let limited = limit(ptx, 20);
        assert_eq!(limited.matches(".maxnreg 20\n{").count(), 1);
        assert!(limited.starts_with(".visible .entry a(\n)\n.maxnreg 20\n{"));
    }
}
