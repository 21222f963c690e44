//! The interface of the WebAssembly module. Every function takes and returns JSON texts.

use crate::cuda_c::{self, is_cuda_c};
use crate::exercise::{Given, Task};
use crate::request::Request;
use crate::run::Progress;
use crate::stepper::{Step, Stepped, Stepper};
use crate::{
    accesses, book, catalog, check, chip_file, compare, course, json, lowered, names, pictures, recording,
    run,
};
use report::exit::Failure;
use report::text::visible;
use sim_core::config::builtin::{DEFAULT_CHIP, builtin_text};
use std::cell::RefCell;
use std::ops::ControlFlow;
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    /// The page's function for the progress of a run, in the global scope of the worker.
    #[wasm_bindgen(js_name = labProgress)]
    fn lab_progress(text: &str);
}

/// Sends the progress of a launch to the page.
fn send(progress: &sim_core::host::Progress<'_>) {
    lab_progress(&json(&Progress {
        kernel: progress.kernel,
        launch: progress.launch,
        retired: progress.retired,
        blocks: progress.blocks,
        cycle: progress.cycle,
        instructions: progress.instructions,
    }));
}

fn failed(failure: &Failure) -> JsError {
    JsError::new(&visible(&failure.message))
}

/// Returns the kernels and chips.
#[wasm_bindgen(js_name = catalog)]
pub fn catalog_json() -> String {
    json(&catalog::catalog())
}

/// Returns the PTX text of a built-in kernel; empty if there is no such kernel.
#[wasm_bindgen]
pub fn kernel(name: &str) -> String {
    kernels::find(name).map_or_else(String::new, |workload| workload.ptx.to_owned())
}

/// Returns the settings of the chip of a request.
#[wasm_bindgen]
pub fn settings(request: &str) -> Result<String, JsError> {
    let request = Request::parse(request).map_err(|failure| failed(&failure))?;
    catalog::settings(&request).map(|all| json(&all)).map_err(|failure| failed(&failure))
}

/// Returns the text of a built-in chip; empty if there is no such chip.
#[wasm_bindgen(js_name = chipText)]
pub fn chip_text(name: &str) -> String {
    builtin_text(name).unwrap_or_default().to_owned()
}

/// Returns the text of a new chip file that is based on the chip of a request.
#[wasm_bindgen(js_name = newChip)]
pub fn new_chip(request: &str) -> Result<String, JsError> {
    let request = Request::parse(request).map_err(|failure| failed(&failure))?;
    let base = request.chip.as_deref().unwrap_or(DEFAULT_CHIP);
    chip_file::new_chip(base, &request.sets).map_err(|failure| failed(&failure))
}

/// Checks the chip file of a request.
#[wasm_bindgen(js_name = checkChip)]
pub fn check_chip(request: &str) -> Result<String, JsError> {
    let request = Request::parse(request).map_err(|failure| failed(&failure))?;
    chip_file::check(&request).map(|checked| json(&checked)).map_err(|failure| failed(&failure))
}

/// Returns the claims of the course texts.
#[wasm_bindgen]
pub fn claims() -> String {
    book::claims()
}

/// Runs a claim.
#[wasm_bindgen(js_name = claim)]
pub fn claim_json(id: &str) -> Result<String, JsError> {
    book::run(id, Some(send)).map(|ran| json(&ran)).map_err(|failure| failed(&failure))
}

/// Returns the list of lessons and exercises.
#[wasm_bindgen(js_name = course)]
pub fn course_json() -> String {
    json(&course::course())
}

/// Returns a lesson; `null` if there is no lesson with this number.
#[wasm_bindgen(js_name = lesson)]
pub fn lesson_json(number: u32) -> String {
    json(&course::lesson(number))
}

/// Opens an exercise.
#[wasm_bindgen(js_name = exercise)]
pub fn exercise_json(given: &str) -> Result<String, JsError> {
    let opened = Given::parse(given).and_then(|given| given.open());
    opened.map(|opened| json(&opened)).map_err(|failure| failed(&failure))
}

thread_local! {
    /// The exercise of the last grade, with its answers.
    static TASK: RefCell<Option<Task>> = const { RefCell::new(None) };
}

/// Runs the open tests of an exercise on a program.
#[wasm_bindgen(js_name = grade)]
pub fn grade_json(given: &str, text: &str) -> Result<String, JsError> {
    let graded = Given::parse(given).and_then(|given| {
        let known = TASK.take().filter(|task| task.is(&given));
        let task = known.map_or_else(|| Task::new(&given), Ok)?;
        let grade = task.grade(text);
        TASK.set(Some(task));
        grade
    });
    graded.map(|grade| json(&grade)).map_err(|failure| failed(&failure))
}

/// Returns the JSON Schema of chip files.
#[wasm_bindgen]
pub fn schema() -> String {
    report::json::pretty(&report::schema::chip_schema())
}

/// Checks the PTX of a request, and its launch file if the chip is valid.
#[wasm_bindgen(js_name = check)]
pub fn check_json(request: &str) -> Result<String, JsError> {
    let request = Request::parse(request).map_err(|failure| failed(&failure))?;
    let Some(ptx) = &request.ptx else { return Err(JsError::new("the request has no PTX")) };
    let chip = request.chip().ok();
    if let (true, Some(chip)) = (is_cuda_c(&ptx.name), &chip) {
        return Ok(json(&cuda_c::check(ptx, request.launch.is_none(), chip, request.opt_level.unwrap_or(3))));
    }
    let launch = request.launch.as_ref().map(|launch| (&*launch.name, &*launch.text));
    Ok(json(&check::check(&ptx.name, &ptx.text, launch, chip.as_ref())))
}

/// Returns the PTX and the micro-ops of a request.
#[wasm_bindgen(js_name = lowered)]
pub fn lowered_json(request: &str) -> Result<String, JsError> {
    let request = Request::parse(request).map_err(|failure| failed(&failure))?;
    lowered::lowered(&request).map(|lowered| json(&lowered)).map_err(|failure| failed(&failure))
}

/// Returns the names of CUDA C for the chip of a request.
#[wasm_bindgen(js_name = names)]
pub fn names_json(request: &str) -> Result<String, JsError> {
    let request = Request::parse(request).map_err(|failure| failed(&failure))?;
    names::completions(&request).map(|all| json(&all)).map_err(|failure| failed(&failure))
}

/// Returns a launch file for the kernels of a request: of the launch that `direct` describes, or
/// as `warpsim init` writes it if that is `null`.
#[wasm_bindgen(js_name = launchFor)]
pub fn launch_for(request: &str, direct: &str) -> Result<String, JsError> {
    let request = Request::parse(request).map_err(|failure| failed(&failure))?;
    let direct: Option<check::DirectLaunch> = serde_json::from_str(direct)?;
    check::launch_for(&request, direct.as_ref()).map_err(|failure| failed(&failure))
}

/// Runs a request.
#[wasm_bindgen(js_name = run)]
pub fn run_json(request: &str) -> Result<String, JsError> {
    let request = Request::parse(request).map_err(|failure| failed(&failure))?;
    let monitor = Box::new(|progress: &sim_core::host::Progress<'_>| {
        send(progress);
        ControlFlow::Continue(())
    });
    Ok(json(&run::run(&request, Some(monitor))))
}

/// Compares two JSON reports.
#[wasm_bindgen(js_name = compare)]
pub fn compare_json(name_a: &str, a: &str, name_b: &str, b: &str) -> String {
    json(&compare::compare((name_a, a), (name_b, b)))
}

/// Records a timeline.
#[wasm_bindgen(js_name = timeline)]
pub fn timeline_json(request: &str, launch: u32, sm: u32, cycles: f64) -> Result<String, JsError> {
    let request = Request::parse(request).map_err(|failure| failed(&failure))?;
    let recorded = recording::timeline(&request, launch, sm, cycles as u64);
    recorded.map(|timeline| json(&timeline)).map_err(|failure| failed(&failure))
}

/// Counts the active lanes by source line, and draws them.
#[wasm_bindgen(js_name = lanes)]
pub fn lanes_json(request: &str, launch: u32, sm: u32, cycles: f64) -> Result<String, JsError> {
    let request = Request::parse(request).map_err(|failure| failed(&failure))?;
    let counted = recording::lanes(&request, launch, sm, cycles as u64);
    counted.map(|lanes| json(&pictures::lanes(&lanes))).map_err(|failure| failed(&failure))
}

/// Draws one access of each memory instruction.
#[wasm_bindgen(js_name = accesses)]
pub fn accesses_json(request: &str) -> Result<String, JsError> {
    let request = Request::parse(request).map_err(|failure| failed(&failure))?;
    accesses::accesses(&request).map(|all| json(&all)).map_err(|failure| failed(&failure))
}

/// A launch under the debugger.
#[wasm_bindgen]
pub struct Debug(Stepper);

#[wasm_bindgen]
impl Debug {
    /// Starts a launch.
    #[wasm_bindgen(constructor)]
    pub fn new(request: &str, launch: u32) -> Result<Debug, JsError> {
        let request = Request::parse(request).map_err(|failure| failed(&failure))?;
        Stepper::new(&request, launch).map(Debug).map_err(|failure| failed(&failure))
    }

    /// Returns the parts of the launch that do not change.
    pub fn program(&self) -> String {
        json(&self.0.program())
    }

    /// Moves the launch, if there is a command, and describes it.
    pub fn step(&mut self, step: &str) -> Result<String, JsError> {
        let Step { command, focus, breakpoints, format } =
            serde_json::from_str(step).map_err(|why| JsError::new(&why.to_string()))?;
        self.0.set_breakpoints(breakpoints);
        let moved = command.map(|command| self.0.step(command, focus));
        Ok(json(&Stepped { moved, view: self.0.view(focus, format) }))
    }
}
