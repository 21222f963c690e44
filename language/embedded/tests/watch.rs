//! A watched program does what it does otherwise, and its variables have the values that it prints.

#[expect(dead_code, reason = "each test uses a part")]
mod common;

use common::{Setup, run, run_watched, start};
use embedded::stop::Stop;
use embedded::{Control, Move, Stopped};
use report::inspect::variables::{Expressions as _, Shown, never};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, Mutex};

/// The value of a variable.
fn evaluate(at: &Stopped<'_, '_>, name: &str) -> Option<Result<Vec<Shown>, String>> {
    let mut found = None;
    at.with_scope(&mut |scope| found = scope.value_of(name, None, &mut never));
    found
}

/// Stops at each of the first lines, and evaluates all variables there.
struct Looker {
    left: usize,
    /// Values of `i` and `x` at the lines that print them.
    seen: Arc<Mutex<Vec<String>>>,
}

impl Control for Looker {
    fn arrived(&mut self, at: &mut Stopped<'_, '_>) -> Move {
        let names: Vec<String> = at.names().into_iter().map(str::to_owned).collect();
        for name in names {
            assert!(evaluate(at, &name).is_some(), "{name} is a variable of this line");
        }
        let (_, (file, line)) = at.frames().into_iter().next().expect("a function runs");
        let text = at.sources().line_text(cuda::source::FileId(file - 1), line).trim().to_owned();
        if text.starts_with("print_both(") {
            let value = |name| match evaluate(at, name) {
                Some(Ok(all)) => all[0].text(0),
                other => panic!("{name}: {other:?}"),
            };
            self.seen.lock().expect("no panic").push(format!("{} {}", value("i"), value("x")));
        }
        self.left = self.left.saturating_sub(1);
        if self.left == 0 { Move::Lines(BTreeSet::new()) } else { Move::Line }
    }

    fn failed(&mut self, _: &mut Stopped<'_, '_>, stop: &Stop) {
        panic!("{stop:?}");
    }

    fn changed(&mut self) -> Option<Move> {
        None
    }
}

#[test]
fn a_watched_program_does_the_same() {
    for name in ["bfs", "needle", "product", "reduction", "streams", "vecadd"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/programs").join(name);
        let text = std::fs::read_to_string(path.with_extension("cu")).expect("the program exists");
        let file = format!("{name}.cu");
        let plain = run(&file, &text, "fermi", &[]);
        let looker = Looker { left: 3_000, seen: Arc::default() };
        let watched = run_watched(&file, &text, "fermi", &[], Box::new(looker));
        assert_eq!((plain.code, plain.out), (watched.code, watched.out), "{name}");
    }
}

#[test]
fn variables_have_the_values_that_a_program_prints() {
    let text = "#include <stdio.h>\n#include <vector>\n\
        void print_both(int i, float x) { printf(\"%d %.1f\\n\", i, x); }\n\
        float half(float x, int n) {\n    for (int i = 0; i < n; i++) {\n        x -= 1.5f;\n\
        print_both(i, x);\n        {\n            float x = i * 3.5f;\n\
        print_both(i, x);\n        }\n        x += 1;\n    }\n    return x;\n}\n\
        struct Counter { int i; float x; Counter() : i(4), x(0.5f) {} void next() { i++; x *= 3; } };\n\
        int main() {\n    int i = 7;\n    float x = half(20.0f, 5);\n    print_both(i, x);\n\
        std::vector<float> all(3, 2.5f);\n    for (float x : all) {\n        i -= 2;\n\
        print_both(i, x);\n    }\n    i = 1 << 20;\n    float *p = &x;\n    *p = 1e6f;\n\
        print_both(i, x);\n    return 0;\n}\n";
    let seen: Arc<Mutex<Vec<String>>> = Arc::default();
    let looker = Looker { left: usize::MAX, seen: Arc::clone(&seen) };
    let run = run_watched("values.cu", text, "fermi", &[], Box::new(looker));
    let found = seen.lock().expect("no panic").join("\n");
    assert_eq!(found, run.out.trim_end());
    assert_eq!(run.out.lines().count(), 15, "{}", run.out);
}

/// Runs without stops, and notes the number of instructions at a failure.
struct Runner(Arc<Mutex<Option<(Stop, u64)>>>);

impl Control for Runner {
    fn arrived(&mut self, _: &mut Stopped<'_, '_>) -> Move {
        Move::Lines(BTreeSet::new())
    }

    fn failed(&mut self, at: &mut Stopped<'_, '_>, stop: &Stop) {
        *self.0.lock().expect("no panic") = Some((stop.clone(), at.steps()));
    }

    fn changed(&mut self) -> Option<Move> {
        None
    }
}

#[test]
fn a_watched_program_has_its_limit_of_instructions() {
    let failed = Arc::default();
    let control: Option<Box<dyn Control>> = Some(Box::new(Runner(Arc::clone(&failed))));
    let setup = Setup { control, steps: 100_000, ..Setup::default() };
    let text = "int main() { volatile int x = 0; for (;;) x++; }";
    let run = start("endless.cu", text, ("fermi", "1"), &[], setup);
    assert_eq!(run.code, 4, "{}", run.message);
    let failed = failed.lock().expect("no panic").clone();
    assert!(matches!(failed, Some((Stop::Budget, steps)) if steps < 101_000), "{failed:?}");
}

#[test]
fn a_program_without_a_debugger_can_be_interrupted() {
    let text = "int main() { volatile int x = 0; for (;;) x++; }";
    for (asked, steps, code) in [(2, u64::MAX, 130), (2, 1_000, 4)] {
        let left = std::sync::atomic::AtomicI32::new(asked);
        let interrupted: embedded::Interrupted =
            Arc::new(move || left.fetch_sub(1, std::sync::atomic::Ordering::Relaxed) <= 1);
        let setup = Setup { interrupted: Some(interrupted), steps, ..Setup::default() };
        let run = start("endless.cu", text, ("fermi", "1"), &[], setup);
        assert_eq!(run.code, code, "{}", run.message);
        assert!(run.message.contains("in `main` at endless.cu:1"), "{}", run.message);
    }
}
