//! Checks of commands before they are executed.

use super::command::{Breakpoint, Command, Info, Stop};
use isa::types::Dim3;
use isa::uop::Program;
use report::inspect::variables::{Expression, is_known, known_names, missed};
use report::inspect::{Subject, terms};
use report::mangled;
use sim_core::debug::{Session, written_in_text};

/// Rejects commands that need time, which the functional machine does not have.
///
/// # Errors
/// The command, and how to run it.
pub fn without_time(session: &Session<'_>, command: &Command) -> Result<(), String> {
    // The interleaved machine has loads under way.
    let has_loads = |subject: &Subject| session.is_scheduled() && *subject == Subject::Scoreboard;
    let subject = match command {
        Command::Info(Info::Facts(subject)) if subject.needs_time() && !has_loads(subject) => {
            format!("info {}", subject.name())
        }
        _ => String::new(),
    };
    let needs_time = [
        (!subject.is_empty(), &*subject),
        (matches!(command, Command::Cycle(_)), "cycle"),
        (matches!(command, Command::CycleBack(_)), "reverse-cycle"),
        (matches!(command, Command::Info(Info::Timeline)), "info timeline"),
        (matches!(command, Command::Break(Breakpoint { stop: Stop::Stall(_), .. }, _)), "break stall"),
        (
            matches!(command, Command::Break(Breakpoint { stop: Stop::BankConflict, .. }, _)),
            "break bank-conflict",
        ),
    ];
    let Some((_, what)) = needs_time.into_iter().find(|(is, _)| *is) else { return Ok(()) };
    let (machine, option) =
        if session.is_scheduled() { ("interleaved", "--replay") } else { ("functional", "--functional") };
    Err(format!("`{what}` requires time, which the {machine} machine does not have; run without {option}"))
}

/// Rejects a line without an instruction, a thread or block outside of the launch, and a condition
/// with an unknown name.
///
/// # Errors
/// Returns a message about the breakpoint.
pub fn check_breakpoint(session: &Session<'_>, breakpoint: &Breakpoint) -> Result<(), String> {
    if let Stop::Line(line) = breakpoint.stop {
        check_line(session, line)?;
    }
    let (_, extents) = session.extents();
    let terms = terms(session);
    let outside = |t: &Dim3| t.x >= extents.x || t.y >= extents.y || t.z >= extents.z;
    if let Some(thread) = breakpoint.thread.filter(outside) {
        return Err(format!("{} {thread} is outside of the {} {extents}", terms.thread, terms.block));
    }
    let (grid, _) = session.extents();
    let outside = |b: &Dim3| b.x >= grid.x || b.y >= grid.y || b.z >= grid.z;
    if let Some(block) = breakpoint.block.filter(outside) {
        return Err(format!("{} {block} is outside of the {} {grid}", terms.block, terms.blocks));
    }
    match &breakpoint.condition {
        Some(condition) => check_names(session, condition, breakpoint.stop),
        None => Ok(()),
    }
}

/// Rejects a condition with a name that the kernel does not have, or with a variable that can
/// change without an instruction.
///
/// # Errors
/// The name, or the line of the assignment.
pub fn check_names(session: &Session<'_>, condition: &Expression, stop: Stop) -> Result<(), String> {
    let program = session.program();
    for name in condition.names() {
        if !is_known(program, session.names(), &name) {
            return Err(unknown(session, &name));
        }
        if is_variable(session, &name) {
            check_variable(program, &name, stop)?;
        }
    }
    Ok(())
}

/// The message about a name that a kernel does not have.
pub fn unknown(session: &Session<'_>, name: &str) -> String {
    let program = session.program();
    if name.starts_with('%') || program.ptx.variables().types.is_empty() {
        return check_register(session, name).err().unwrap_or_else(|| format!("`{name}` has no value"));
    }
    if name.starts_with('$') {
        return format!(
            "`{name}` is no name here; registers have their PTX names, which `info registers` lists"
        );
    }
    let near = isa::diag::nearest(name, known_names(program, session.names()));
    let hint = near.map_or_else(
        || "`info locals` lists those of the current line".to_owned(),
        |near| format!("did you mean `{near}`?"),
    );
    format!("kernel `{}` has no variable `{name}`; {hint}", mangled::plain(&program.name))
}

/// Rejects a condition at a stop on a variable that can change without an instruction.
///
/// # Errors
/// The line that assigns it.
pub fn check_variable(program: &Program, name: &str, stop: Stop) -> Result<(), String> {
    let line = match stop {
        Stop::Line(line) if program.source.files().is_listing() => {
            program.source.files().at(line).map(|(_, line)| line)
        }
        Stop::Line(line) => program.ptx.files().origin(line).map(|origin| origin.line),
        _ => None,
    };
    missed(program, name, line).map_or(Ok(()), |assigned| {
        Err(format!(
            "line {assigned} assigns `{name}` without a separate instruction, so the condition would miss it; \
             -O0 keeps one"
        ))
    })
}

/// Whether a name is that of a variable of CUDA C, and of no PTX register.
pub fn is_variable(session: &Session<'_>, name: &str) -> bool {
    let locals = &session.program().ptx.variables().locals;
    locals.iter().any(|local| local.name == name) && !session.names().all().iter().any(|known| known == name)
}

/// Whether a line without an instruction is one of a function of the launch: an instruction of the
/// same function follows.
pub fn is_inside(session: &Session<'_>, line: u32) -> bool {
    let program = session.program();
    let files = program.source.files();
    let next = program.lines.iter().filter(|other| **other > line).min();
    let Some(((file, line), (other, next))) = files.at(line).zip(next.and_then(|next| files.at(*next)))
    else {
        return false;
    };
    let holds = |(first, last): (u32, u32)| first <= line && next <= last;
    file.first_line == other.first_line
        && program.ptx.variables().functions.iter().any(|function| holds(function.lines))
}

fn check_line(session: &Session<'_>, line: u32) -> Result<(), String> {
    let lines = &session.program().lines;
    if lines.contains(&line) {
        return Ok(());
    }
    let after = lines.iter().filter(|other| **other > line).min();
    let files = session.program().source.files();
    let hint = after.map_or(String::new(), |after| {
        format!("; the next line with an instruction is {}", files.place(*after))
    });
    Err(format!("line {} has no instruction{hint}", files.place(line)))
}

/// Rejects a register that no instruction of the program writes.
///
/// # Errors
/// Why the register has no value: the line of the removed instruction, or the nearest name.
pub fn check_register(session: &Session<'_>, name: &str) -> Result<(), String> {
    let all = session.names().all();
    if all.iter().any(|known| known == name) {
        return Ok(());
    }
    let program = session.program();
    if let Some(line) = written_in_text(program, name) {
        let place = program.source.files().place(line);
        return Err(format!(
            "the optimizer removed `{name}`, which line {place} writes: no instruction needs it in a register; \
             -O0 keeps it"
        ));
    }
    let near = isa::diag::nearest(name, all.iter().map(String::as_str));
    let hint = near.map_or_else(
        || {
            "`info registers` lists the registers that have a value; for memory, `watch global ADDR` or \
             `watch shared ADDR`"
                .to_owned()
        },
        |near| format!("did you mean `{near}`?"),
    );
    Err(format!("no instruction of this kernel writes a register `{name}`; {hint}"))
}
