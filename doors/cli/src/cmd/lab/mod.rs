//! `warpsim lab`: exercises of the course: hand-outs, their tests, and grades.

mod check;
mod folders;
mod grade;
mod list;
mod new;
mod test;
mod worker;

use crate::args::{LabArgs, LabCommand};
use crate::exit::{Code, Failure};

/// Runs a command of the lab.
pub fn run(args: &LabArgs) -> Result<Code, Failure> {
    match &args.command {
        LabCommand::List(format) => list::run(format.format),
        LabCommand::New(new) => new::run(new),
        LabCommand::Check(check) => check::run(check),
        LabCommand::Grade(grade) => grade::run(grade),
        LabCommand::Test(test) => test::run(test),
    }
}
