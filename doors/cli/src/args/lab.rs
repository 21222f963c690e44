//! Options of `warpsim lab`.

use super::{Format, FormatArgs};
use clap::Subcommand;
use std::path::PathBuf;

/// Options of `lab`.
#[derive(Debug, clap::Args)]
pub struct LabArgs {
    /// The part of the command.
    #[command(subcommand)]
    pub command: LabCommand,
}

/// The commands of `lab`.
#[derive(Debug, Subcommand)]
pub enum LabCommand {
    /// List the exercises of the course
    List(FormatArgs),
    /// Write the hand-out of an exercise: the statement, a starting program and the open tests
    New(LabNewArgs),
    /// Run the open tests of a hand-out, and show hints
    Check(LabCheckArgs),
    /// Grade submissions: points, pages for students and the class, files for other programs
    Grade(LabGradeArgs),
    /// Try exercises as their teacher does: the solution, the starting program and wrong programs
    Test(LabTestArgs),
}

/// Options of `lab new`.
#[derive(Debug, clap::Args)]
pub struct LabNewArgs {
    /// An exercise of the course, or the folder of an exercise
    #[arg(value_name = "NAME|FOLDER")]
    pub exercise: String,

    /// The folder of the hand-out; existing files in it are kept, and are an error
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,

    /// A student, whose inputs differ from the inputs of others; by default the name of the folder
    #[arg(long, value_name = "STUDENT")]
    pub seed: Option<String>,
}

/// Options of `lab check`.
#[derive(Debug, clap::Args)]
pub struct LabCheckArgs {
    /// The folder of a hand-out
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,

    /// The output format.
    #[command(flatten)]
    pub format: FormatArgs,
}

/// Options of `lab grade`.
#[derive(Debug, clap::Args)]
pub struct LabGradeArgs {
    /// Folders of submissions, files of CUDA C, or folders that have such folders
    #[arg(value_name = "DIR|FILE.cu", required = true)]
    pub submissions: Vec<PathBuf>,

    /// The exercise: a name, or a folder; by default, the exercise of the first hand-out
    #[arg(long, value_name = "NAME|FOLDER")]
    pub rubric: Option<String>,

    /// Number of submissions that run at the same time; by default, the number of processors
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,

    /// Grade the submissions whose numbers standard input has: for processes of this command
    #[arg(long, hide = true)]
    pub worker: bool,

    /// Write a table with a row for each student
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,

    /// Write a page for each student, and `index.html` for the class
    #[arg(long, value_name = "DIR")]
    pub html: Option<PathBuf>,

    /// Write the rows as XML that tools for test results read
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,

    /// Write a file for Gradescope: `results.json` of one submission, `STUDENT.json` of several
    #[arg(long, value_name = "DIR")]
    pub gradescope: Option<PathBuf>,

    /// The output format.
    #[command(flatten)]
    pub format: FormatArgs,
}

/// Options of `lab test`.
#[derive(Debug, clap::Args)]
pub struct LabTestArgs {
    /// Exercises of the course, or folders of exercises
    #[arg(value_name = "NAME|FOLDER", required = true)]
    pub exercises: Vec<String>,

    /// Also show the grade of each program
    #[arg(long)]
    pub verbose: bool,
}

impl LabGradeArgs {
    /// Whether the output is JSON.
    pub fn is_json(&self) -> bool {
        self.format.format == Format::Json
    }
}
