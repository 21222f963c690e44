//! `print` and `display`: values of expressions, and registers with what happened to them.

use super::checks::unknown;
use super::show::lines;
use report::inspect::lanes;
use report::inspect::values::{Format, Reading, parameter as parameter_of};
use report::inspect::variables::{Expression, Expressions as _, Missing, Node, Shown, Sight};
use report::render::number::count;
use report::render::table::{line, wrapped};
use report::words::Words;
use sim_core::debug::{LastValue, Part, Poll, Session, WarpView};

/// Registers of a line of values.
const VALUES: usize = 8;

/// `print`.
///
/// # Errors
/// The name is unknown, or the register has no value.
pub fn print(
    session: &Session<'_>,
    words: &Words,
    warp: &WarpView,
    (format, expression): (Option<Format>, &Expression),
    poll: Poll<'_>,
) -> Result<String, String> {
    let (sm, slot) = (warp.sm, warp.slot);
    let lone = match &expression.node {
        Node::Name(name) if expression.count.is_none() => Some(&**name),
        _ => None,
    };
    let is_register = |name: &&str| session.names().all().iter().any(|known| known == name);
    let Some(name) = lone.filter(is_register) else {
        let found = Sight::new(session, words, warp).evaluate_expression(expression, format, poll);
        return match (found, lone.and_then(|name| parameter(session, format, name))) {
            (Ok(all), _) => Ok(all.iter().map(shown).collect()),
            // A parameter with several elements.
            (Err(_), Some(text)) => Ok(text),
            (Err(Missing::Name(name)), None) => Err(unknown(session, &name)),
            (Err(Missing::Value(why)), None) => Err(why),
        };
    };
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
    let mut out = format!("{} = {}\n", one.name, typed(one, 0));
    out += &lines(notes);
    out
}

/// A value of an expression.
fn shown(one: &Shown) -> String {
    let mut out = String::new();
    if one.lanes.iter().any(Option::is_some) {
        out += &table(&one.name, &(0..32).map(|lane| typed(one, lane)).collect::<Vec<_>>());
    }
    for note in &one.notes {
        out += &lines(wrapped("  ", note, 2, 80));
    }
    out
}

/// The value of a lane; the address of a place with its type, as in `(@shared int *) 0x20`.
fn typed(one: &Shown, lane: usize) -> String {
    if one.c_type.starts_with('@') { format!("({}) {}", one.c_type, one.text(lane)) } else { one.text(lane) }
}

/// The values of an expression in a lane, on one line.
pub fn in_lane(text: &str, all: &[Shown], lane: usize) -> String {
    let part = |one: &Shown| format!("{} = {}", one.name, typed(one, lane));
    match all {
        [one] => format!("{text} = {}", typed(one, lane)),
        _ => all.iter().map(part).collect::<Vec<_>>().join(", "),
    }
}

/// The type of an expression: `ptype` also prints the members of a structure.
pub fn type_text((name, members): (String, Vec<String>), is_full: bool) -> String {
    if !is_full || members.is_empty() {
        return format!("type = {name}\n");
    }
    let members = members.join("\n    ");
    let name = if name.starts_with("struct") { "struct".to_owned() } else { format!("struct {name}") };
    format!("type = {name} {{\n    {members}\n}}\n")
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

/// Notes about values that are not in their row now.
fn notes(words: &Words, name: &str, found: &LastValue) -> Vec<String> {
    let all = found.parts.iter().fold(0, |lanes, part| lanes | part.lanes);
    let note = |part: &Part| {
        let Part { lanes: mask, pc, cycle, overwritten, is_pending, arrives } = *part;
        let written = format!("line {} in cycle {}", words.place(pc), count(cycle));
        let what = match overwritten {
            _ if is_pending => {
                let until = arrives.map_or_else(String::new, |at| format!(", until cycle {}", count(at)));
                format!("`{name}` is pending in memory: loaded by {written}{until}")
            }
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

/// The value of a kernel parameter.
fn parameter(session: &Session<'_>, format: Option<Format>, name: &str) -> Option<String> {
    let params = &session.program().params;
    let index = params.iter().position(|param| param.name == name)?;
    let all = parameter_of(session, index, format)?;
    Some(format!("{name} = {}\n", all.join(", ")))
}
