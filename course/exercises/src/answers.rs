//! Right answers of the tests: runs of the solution and of the starting program.

use crate::exercise::Exercise;
use crate::observed::{Budget, Mode, Observed};
use crate::origin::Origin;
use crate::program::{Program, Source, run};
use crate::rubric::Test;
use report::metrics;
use sim_core::config::Chip;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

/// The right answer of a test on one chip.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// Standard output.
    pub output: String,
    /// Most cycles of a launch of the solution.
    pub cycles: u64,
    /// Instructions of its host code.
    pub steps: u64,
    /// Simulated nanoseconds of its program.
    pub program_ns: u64,
    /// Cycles and simulated nanoseconds of the starting program, if a limit needs them.
    pub reference: Option<(f64, f64)>,
    /// Origin of the output: host or kernels.
    pub origin: Origin,
}

impl Answer {
    /// Returns the limits of a submission in the test.
    pub fn budget(&self) -> Budget {
        Budget::of_submission(self.steps, self.program_ns, self.cycles)
    }
}

/// Answers that are independent of the student, by test and chip: each is made once.
type Cache = BTreeMap<(usize, usize), OnceLock<Result<Arc<Answer>, String>>>;

/// The solution and the starting program, compiled for a chip.
type Programs = Result<[Option<Program>; 2], String>;

/// The answers of an exercise. Threads share them.
#[derive(Debug)]
pub struct Answers {
    /// The solution and the starting program for each target.
    programs: BTreeMap<String, OnceLock<Programs>>,
    cache: Cache,
}

impl Answers {
    /// The answers of an exercise; none is made yet.
    pub fn new(exercise: &Exercise) -> Self {
        let tests = exercise.rubric.tests.iter().enumerate();
        let places = tests.flat_map(|(test, of)| (0..of.chips.len()).map(move |chip| (test, chip)));
        let chips = exercise.rubric.tests.iter().flat_map(|test| &test.chips);
        Self {
            programs: chips.map(|(name, _)| (name.clone(), OnceLock::new())).collect(),
            cache: places.map(|place| (place, OnceLock::new())).collect(),
        }
    }

    /// Returns the answer of a test on one of its chips, for a student with a number.
    ///
    /// # Errors
    ///
    /// The solution does not compile or does not end well: a sentence about the mistake of the
    /// teacher.
    pub fn get(
        &self,
        exercise: &Exercise,
        test: usize,
        chip: usize,
        seed: u32,
    ) -> Result<Arc<Answer>, String> {
        let of = &exercise.rubric.tests[test];
        let make = || self.make(exercise, test, chip, seed).map(Arc::new);
        if of.is_seeded() { make() } else { self.cache[&(test, chip)].get_or_init(make).clone() }
    }

    fn make(&self, exercise: &Exercise, number: usize, chip: usize, seed: u32) -> Result<Answer, String> {
        let test = &exercise.rubric.tests[number];
        let (name, chip) = &test.chips[chip];
        if exercise.solution.is_none() {
            return given(test, name);
        }
        let programs = self.programs[name].get_or_init(|| compile(exercise, chip));
        let [solution, start] = programs.as_ref().map_err(Clone::clone)?;
        let arguments = test.arguments(seed);
        let file = exercise.file();
        let timed = |program: &Option<Program>, what: &str| -> Result<Observed, String> {
            let Some(program) = program else { return Err(format!("there is no {what}")) };
            run(program, &file, (test, &arguments), (chip, Mode::Timed), Budget::TEACHER)
        };
        let observed = timed(solution, "solution")?;
        let broken = (observed.code != 0).then(|| format!("exit code {}", observed.code));
        if let Some(why) = observed.failure.or(broken) {
            return Err(format!(
                "the solution fails in test `{}` on {name}: {why}\n{}",
                test.name, observed.terminal
            ));
        }
        let needs = exercise.rubric.needs_reference(number);
        let reference = needs.then(|| timed(start, "starting program")).transpose()?;
        // A starting program without a launch has no cycles.
        let reference = reference.and_then(|observed| {
            let cycles = metrics::find("cycles").ok().and_then(|metric| observed.metrics().value(metric))?;
            Some((cycles.as_f64()?, observed.program_ns as f64))
        });
        let (cycles, steps, program_ns) = (observed.cycles, observed.steps, observed.program_ns);
        let output = observed.out;
        let origin = match solution {
            Some(program) if exercise.rubric.has_origins() => {
                let run = |arguments: &[String], mode| {
                    run(program, &file, (test, arguments), (chip, mode), Budget::TEACHER).ok()
                };
                Origin::of_solution(test, seed, &output, &run)
            }
            _ => Origin::default(),
        };
        Ok(Answer { output, cycles, steps, program_ns, reference, origin })
    }
}

/// The answer that a hand-out has.
fn given(test: &Test, chip: &str) -> Result<Answer, String> {
    let entry = test.entry.answers.iter().find(|answer| answer.chip == chip);
    let entry = entry.ok_or_else(|| format!("the test `{}` has no answer for {chip}", test.name))?;
    Ok(Answer {
        output: entry.output.clone(),
        cycles: entry.cycles,
        steps: entry.steps,
        program_ns: entry.program_ns,
        reference: entry.reference.zip(entry.reference_program_ns),
        origin: Origin::given(entry),
    })
}

fn compile(exercise: &Exercise, chip: &Chip) -> Programs {
    let none = BTreeMap::new();
    let mut made = [None, None];
    let language = exercise.rubric.language();
    let texts = [(language.solution(), &exercise.solution), (language.start(), &exercise.start)];
    for (program, (name, text)) in made.iter_mut().zip(texts) {
        let Some(text) = text else { continue };
        let source = Source { name, text, beside: &none, rubric: &exercise.rubric };
        *program =
            Some(source.compile(chip).map_err(|messages| format!("{name} does not compile\n{messages}"))?);
    }
    Ok(made)
}
