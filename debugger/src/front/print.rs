//! `print`: registers, special registers and parameters.

use super::checks::check_register;
use super::show::lines;
use isa::sreg::SReg;
use report::inspect::lanes;
use report::inspect::values::{Format, Reading, parameter as parameter_of};
use report::inspect::variables::{BUILT_IN, Shown, Sight};
use report::render::number::count;
use report::render::table::{line, wrapped};
use report::words::Words;
use sim_core::debug::{LastValue, Part, Poll, Session, WarpView};

/// Registers of a line of values.
const VALUES: usize = 8;

/// Returns the special registers that `name` means: `%tid.x` or `threadIdx.x` one, `threadIdx` or
/// `%tid` its three components.
pub fn special(name: &str) -> Vec<(&'static str, SReg)> {
    let (base, component) = name.split_once('.').unwrap_or((name, ""));
    let base = match BUILT_IN.iter().find(|(variable, _)| *variable == base) {
        // A vector of CUDA C has three components, a vector of PTX has four.
        Some(_) if !["", "x", "y", "z"].contains(&component) => return Vec::new(),
        Some((_, register)) => register,
        None if name == "warpSize" => "WARP_SZ",
        None => base,
    };
    let is_vector = BUILT_IN.iter().any(|(_, register)| *register == base);
    let wanted: Vec<String> = match component {
        "" if is_vector => ["x", "y", "z"].map(|component| format!("{base}.{component}")).to_vec(),
        "" => vec![base.to_owned()],
        _ => vec![format!("{base}.{component}")],
    };
    let all = wanted.iter().filter_map(|name| SReg::ALL.iter().find(|(known, _)| known == name));
    all.copied().collect()
}

/// `print`.
///
/// # Errors
/// The name is unknown, or the register has no value.
pub fn print(
    session: &Session<'_>,
    words: &Words,
    warp: &WarpView,
    (format, name): (Option<Format>, &str),
    poll: Poll<'_>,
) -> Result<String, String> {
    let (sm, slot) = (warp.sm, warp.slot);
    let known = |name: &str| session.names().all().iter().any(|known| known == name);
    if !known(name) {
        let sight = Sight::new(session, words, warp);
        if let Some(found) = sight.and_then(|sight| sight.evaluate(name, format, poll)) {
            return found.map(|all| all.iter().map(shown).collect());
        }
        let registers = special(name);
        if !registers.is_empty() {
            return registers.iter().map(|one| print_special(session, warp, (format, name), *one)).collect();
        }
        if let Some(text) = parameter(session, format, name) {
            return Ok(text);
        }
    }
    check_register(session, name)?;
    let Some(found) = session.last_value(sm, slot, name, poll) else {
        let lines: Vec<String> =
            session.names().writers(name).map(|pc| words.place(pc).to_string()).collect();
        return Err(format!("the warp has not written `{name}`; line {} writes it", lines.join(", ")));
    };
    let pc = found.parts.first().map_or(0, |part| part.pc);
    let reading = Reading::written(words, session.names(), (name, found.kind, pc), format);
    // A lane that has not written the register has no value.
    let one = |lane: usize| match found.lanes >> lane & 1 {
        1 => reading.plain_text(found.values[lane]),
        _ => "-".to_owned(),
    };
    let mut out = String::new();
    if found.lanes != 0 {
        out += &table(name, &(0..32).map(one).collect::<Vec<_>>());
    }
    for note in notes(words, name, &found) {
        line(&mut out, format!("  {note}"));
    }
    Ok(out)
}

/// A value of a variable of host code.
pub fn value(one: &Shown) -> String {
    let notes = one.notes.iter().flat_map(|note| wrapped("  ", note, 2, 80));
    let mut out = format!("{} = {}\n", one.name, one.text(0));
    out += &lines(notes);
    out
}

/// A value of a variable of CUDA C.
fn shown(one: &Shown) -> String {
    let mut out = String::new();
    if one.lanes.iter().any(Option::is_some) {
        out += &table(&one.name, &(0..32).map(|lane| one.text(lane)).collect::<Vec<_>>());
    }
    for note in &one.notes {
        out += &lines(wrapped("  ", note, 2, 80));
    }
    out
}

/// The values of all lanes.
fn table(name: &str, values: &[String]) -> String {
    if values.iter().all(|one| *one == values[0]) {
        return format!("{name} = {} in all lanes\n", values[0]);
    }
    let mut out = format!("{name} =\n");
    let width = values.iter().map(String::len).max().unwrap_or(0);
    // As many to a line as 80 characters hold.
    let each = (1..=VALUES).rev().find(|each| 12 + each * (width + 1) <= 80 && 32 % each == 0).unwrap_or(1);
    for (i, part) in values.chunks(each).enumerate() {
        let mut text = format!("  lane {:>2}:", i * each);
        for one in part {
            text = format!("{text} {one:>width$}");
        }
        line(&mut out, text);
    }
    out
}

/// What to know about values that are not in their row now.
fn notes(words: &Words, name: &str, found: &LastValue) -> Vec<String> {
    let all = found.parts.iter().fold(0, |lanes, part| lanes | part.lanes);
    let note = |part: &Part| {
        let Part { lanes: mask, pc, cycle, overwritten, is_pending } = *part;
        let written = format!("line {} in cycle {}", words.place(pc), count(cycle));
        let what = match overwritten {
            _ if is_pending => format!("`{name}` is pending in memory: loaded by {written}"),
            Some((by, _)) if part.is_lost() => format!(
                "`{name}` exists only within the fused instruction of {written}: line {} overwrites it",
                words.place(by)
            ),
            Some((by, at)) => format!(
                "last value, written by {written}; its hardware register was reused by line {} in cycle {}",
                words.place(by),
                count(at)
            ),
            None => return None,
        };
        Some(if mask == all { what } else { format!("lanes [{}]: {what}", lanes(mask, u32::MAX)) })
    };
    found.parts.iter().filter_map(note).collect()
}

fn print_special(
    session: &Session<'_>,
    warp: &WarpView,
    (format, name): (Option<Format>, &str),
    (register, number): (&'static str, SReg),
) -> Result<String, String> {
    let values = session.special(warp.sm, warp.slot, number);
    let values = values.ok_or_else(|| format!("`{register}` changes with time; `where` prints the cycle"))?;
    let reading = Reading::number(Some(format.unwrap_or(Format::Unsigned)));
    // `threadIdx` prints `threadIdx.x`, `threadIdx.y` and `threadIdx.z`.
    let shown = match register.split_once('.') {
        Some((_, component)) if !name.contains('.') => format!("{name}.{component}"),
        _ => name.to_owned(),
    };
    let texts: Vec<String> = values.iter().map(|value| reading.text((*value).into())).collect();
    Ok(table(&shown, &texts))
}

/// The value of a kernel parameter.
fn parameter(session: &Session<'_>, format: Option<Format>, name: &str) -> Option<String> {
    let params = &session.program().params;
    let index = params.iter().position(|param| param.name == name)?;
    let all = parameter_of(session, index, format)?;
    Some(format!("{name} = {}\n", all.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::special;

    #[test]
    fn variables_of_cuda_c_are_special_registers() {
        let names = |name| special(name).iter().map(|(name, _)| *name).collect::<Vec<_>>();
        assert_eq!(names("threadIdx.x"), ["%tid.x"]);
        assert_eq!(names("blockDim"), ["%ntid.x", "%ntid.y", "%ntid.z"]);
        assert_eq!(names("gridDim.z"), ["%nctaid.z"]);
        assert_eq!(names("%ctaid.y"), ["%ctaid.y"]);
        assert_eq!(names("%laneid"), ["%laneid"]);
        assert_eq!(names("%r1"), [""; 0]);
        assert_eq!(names("threadIdx.w"), [""; 0]);
    }
}
