//! Removes statements from a program as long as it is wrong.

/// The line behind the initializations, without which a program has no defined results.
const FIRST: &str = "    __syncthreads();";
/// The line of the first result.
const LAST: &str = "    out[t";

/// A smallest program for which `is_wrong` holds: no statement, and no header of a block, can be
/// removed.
pub fn shrink(text: &str, is_wrong: &dyn Fn(&str) -> bool) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    let mut index = lines.len();
    let mut changed = false;
    loop {
        let first = lines.iter().position(|line| *line == FIRST).map_or(0, |at| at + 1);
        let last = lines.iter().position(|line| line.starts_with(LAST)).unwrap_or(lines.len());
        if index <= first {
            if !changed {
                return lines.join("\n");
            }
            (index, changed) = (last, false);
            continue;
        }
        index = index.min(last) - 1;
        if index < first {
            continue;
        }
        for part in parts(&lines, index) {
            let (text, fewer) = without(&lines, &part);
            if is_wrong(&text) {
                (lines, changed) = (fewer, true);
                break;
            }
        }
    }
}

/// Lines that can be removed together: a statement; a block, or its header and its end.
fn parts(lines: &[&str], index: usize) -> Vec<Vec<usize>> {
    if !lines[index].ends_with('{') {
        return vec![vec![index]];
    }
    let indent = |line: &str| line.len() - line.trim_start().len();
    let rest = lines[index + 1..].iter();
    let Some(length) = rest.clone().position(|line| indent(line) <= indent(lines[index])) else {
        return Vec::new();
    };
    let end = index + 1 + length;
    vec![(index..=end).collect(), vec![index, end]]
}

fn without<'a>(lines: &[&'a str], part: &[usize]) -> (String, Vec<&'a str>) {
    let kept: Vec<&str> =
        lines.iter().enumerate().filter(|(index, _)| !part.contains(index)).map(|(_, line)| *line).collect();
    (kept.join("\n"), kept)
}
