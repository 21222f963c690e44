//! Grades of many submissions, by processes of this program: a submission that ends its
//! process does not end the others.

use crate::args::LabGradeArgs;
use crate::exit::{Code, Failure};
use exercises::{Answers, Exercise, Grade, Submission, grade};
use std::io::{BufRead as _, BufReader, Lines, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Why a submission that has ended its process has no points.
pub const LOST: &str = "the grader failed with this program; please report it";

/// Grades the submissions whose numbers standard input has, a line each, and prints the grades, a
/// line each.
pub fn serve(exercise: &Exercise, all: &[Submission]) -> Result<Code, Failure> {
    let answers = Answers::new(exercise);
    for line in std::io::stdin().lines().map_while(Result::ok) {
        let number = line.parse().ok().and_then(|number: usize| all.get(number));
        let submission =
            number.ok_or_else(|| Failure::input("error: expected the number of a submission"))?;
        let graded = grade(exercise, &answers, submission, false);
        let text = serde_json::to_string(&graded).map_err(|why| Failure::input(format!("error: {why}")))?;
        let mut out = std::io::stdout().lock();
        if writeln!(out, "{text}").and_then(|()| out.flush()).is_err() {
            break;
        }
    }
    Ok(Code::Fine)
}

/// A process that grades.
struct Worker {
    child: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
}

impl Worker {
    /// Starts this program again with the same arguments.
    fn start() -> Result<Self, Failure> {
        let failed = |why: std::io::Error| Failure::input(format!("error: cannot start a process: {why}"));
        let mut command = Command::new(std::env::current_exe().map_err(failed)?);
        command.args(std::env::args_os().skip(1)).arg("--worker");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(failed)?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(Failure::input("error: a process has no pipes"));
        };
        Ok(Self { child, input, output: BufReader::new(output).lines() })
    }

    /// The grade of the submission with this number; `None` if the process has ended.
    fn grade(&mut self, number: usize) -> Option<Result<Grade, String>> {
        writeln!(self.input, "{number}").and_then(|()| self.input.flush()).ok()?;
        serde_json::from_str(&self.output.next()?.ok()?).ok()
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Grades all submissions, `jobs` at the same time.
///
/// # Errors
///
/// A mistake of the exercise, or no process can be started.
pub fn grades(args: &LabGradeArgs, exercise: &Exercise, all: &[Submission]) -> Result<Vec<Grade>, Failure> {
    let jobs = args.jobs.map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from);
    let next = AtomicUsize::new(0);
    let work = || {
        let mut worker = Worker::start()?;
        let mut made = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(submission) = all.get(number) else { return Ok(made) };
            let graded = if let Some(graded) = worker.grade(number) {
                graded.map_err(|why| Failure::input(format!("error: {why}")))?
            } else {
                worker = Worker::start()?;
                ended(exercise, submission)?
            };
            made.push((number, Grade { source: submission.source(exercise), ..graded }));
        }
    };
    let mut grades: Vec<(usize, Grade)> = Vec::new();
    let parts: Vec<Result<Vec<(usize, Grade)>, Failure>> = thread::scope(|scope| {
        let threads: Vec<_> = (0..jobs.min(all.len())).map(|_| scope.spawn(work)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap_or_else(|_| Ok(Vec::new()))).collect()
    });
    for part in parts {
        grades.extend(part?);
    }
    grades.sort_by_key(|(number, _)| *number);
    Ok(grades.into_iter().map(|(_, grade)| grade).collect())
}

/// The grade of a submission that has ended its process.
fn ended(exercise: &Exercise, submission: &Submission) -> Result<Grade, Failure> {
    let nothing = Submission { files: exercises::Texts::new(), ..submission.clone() };
    let made = grade(exercise, &Answers::new(exercise), &nothing, false);
    let mut made = made.map_err(|why| Failure::input(format!("error: {why}")))?;
    made.problem = Some(LOST.to_owned());
    Ok(made)
}
