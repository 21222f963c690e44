//! Variables of CUDA C under the debugger: at each store of a variable, the debugger shows the
//! value that the store writes, in random programs.

#[path = "differential/expression.rs"]
mod expression;
#[path = "differential/generate.rs"]
#[expect(dead_code, reason = "each test uses a part")]
mod generate;

use cuda::options::Options;
use cuda::target::Target;
use generate::{Generator, INTS, inputs};
use isa::source::Source;
use report::inspect::variables::Sight;
use report::words::Words;
use sim_core::config::Chip;
use sim_core::debug::{Debugger, Session};
use sim_core::host::{Arg, Gpu, Launch, Mode};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};

/// Elements of the output for each thread.
const STORES: usize = 1_000;

/// A function that calls itself: each call has separate variables, in registers and in its stack
/// frame.
fn recursive_function(made: &mut Generator) {
    made.out += "#if __CUDA_ARCH__ >= 200\n";
    made.out += "__device__ __noinline__ int deep(int *out, int n, int t, int x)\n{\n";
    made.out += "int i0 = x + t, i1 = 5, i2 = n, i3 = x * 7;\nunsigned u0 = 3u, u1 = (unsigned)x, u2 = 9u;\n";
    made.out += "int part[4];\nfor (int i = 0; i < 4; i++) {\npart[i] = x * 10 + i;\n}\n";
    made.budget = 8;
    made.statements(4, "deep");
    made.out += "if (x > 0 && (t & 3) != x) {\ni0 = deep(out, n, t, x - 1);\n}\n";
    for name in INTS {
        made.store(name);
    }
    made.store("part[2]");
    made.out += "i3 += part[i0 & 3] + (int)(u0 ^ u1 ^ u2);\n";
    made.store("i3");
    made.out += "return i3;\n}\n#endif\n";
}

/// A random program that stores its variables.
fn program(seed: u64) -> String {
    let mut made = Generator::new(seed);
    made.stores = Some(0);
    made.prologue = "#if __CUDA_ARCH__ >= 200\ni2 = deep(out, i1, t, 2);\n#endif\n";
    recursive_function(&mut made);
    let text = made.program("k");
    assert!(text.matches("out[").count() < STORES, "a program has few stores");
    text
}

/// What a session has compared.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    /// Lanes of stores.
    lanes: usize,
    /// Lanes whose values were shown without a note.
    shown: usize,
}

struct Checker {
    text: String,
    seen: Arc<Mutex<Result<Seen, String>>>,
}

impl Checker {
    fn check(&self, session: &mut Session<'_>) -> Result<Seen, String> {
        let words = Words::of(session.program(), session.chip());
        let lines: Vec<&str> = self.text.lines().collect();
        let ptx_lines = session.program().ptx_lines().into_owned();
        let out = session.allocations()[1].start;
        let mut seen = Seen::default();
        let mut poll = |_| ControlFlow::Continue(());
        while !session.has_ended() {
            let Some(warp) = session.warp(0, 0).filter(|warp| warp.live != 0) else { break };
            let line =
                ptx_lines.get(warp.pc as usize).and_then(|line| session.program().ptx.files().origin(*line));
            let stored = line.and_then(|origin| {
                let (number, name) = lines[origin.line as usize - 1]
                    .trim_start()
                    .strip_prefix("out[")?
                    .split_once(" * 32 + t] = ")?;
                Some((number.parse::<u32>().expect("a number"), name.strip_suffix(';')?))
            });
            let stored = stored.filter(|_| words.text(warp.pc).starts_with("st.global"));
            let shown = stored.map(|(number, name)| {
                let sight = Sight::new(session, &words, &warp);
                (number, name, sight.evaluate(name, None, &mut poll).expect("a variable"))
            });
            let _ = session.step_instruction(0, 0, &mut poll);
            let Some((number, name, shown)) = shown else { continue };
            let lanes = (0..32).filter(|lane| warp.active >> lane & 1 == 1);
            for lane in lanes {
                seen.lanes += 1;
                let bytes = session.global(out + 4 * (number * 32 + lane), 4).expect("the buffer");
                let real = i32::from_le_bytes(bytes.try_into().expect("four bytes"));
                let Ok([one]) = shown.as_deref() else { continue };
                // A constant gets its register later.
                if one.lanes[lane as usize].is_some()
                    && !one.notes.iter().any(|note| note.contains("-O0 keeps one"))
                {
                    seen.shown += 1;
                    let found = one.text(lane as usize);
                    if found != real.to_string() {
                        let place = words.place(warp.pc);
                        return Err(format!(
                            "line {place}: lane {lane} of `{name}` is {real}, shown {found}"
                        ));
                    }
                }
            }
        }
        Ok(seen)
    }
}

impl Debugger for Checker {
    fn debug(&mut self, session: &mut Session<'_>) {
        let found = self.check(session);
        *self.seen.lock().expect("no panic") = found;
    }
}

/// Runs a program under the debugger.
fn checked(text: &str, target: &str, level: u32) -> Result<Seen, String> {
    let none = |_: &str, _: &str, _: bool| None;
    let known = Target::from_name(target).expect("a target");
    let options = Options { opt_level: level, ..Options::of(known) };
    let compiled = cuda::compile("test.cu", text, &none, known, &options);
    let messages = compiled.messages();
    let mut source = Source::new("test.ptx", compiled.ptx.ok_or(messages)?);
    source.set_variables([Arc::new(compiled.variables)]);
    let options = if level == 0 { isa::Options::PLAIN } else { isa::Options::default() };
    let (module, _) = isa::compile_source(&Arc::new(source), options);
    let chip = if target == "sm_10" { "g80" } else { "fermi" };
    let mut gpu = Gpu::new(Chip::builtin(chip).expect("a chip"));
    let module = gpu.load(module.expect("the PTX is correct")).map_err(|e| e.to_string())?;
    let bytes: Vec<u8> = inputs().into_iter().flat_map(i32::to_le_bytes).collect();
    let input = gpu.malloc(bytes.len() as u64).map_err(|e| e.to_string())?;
    gpu.copy_in(input, &bytes).map_err(|e| e.to_string())?;
    let out = gpu.malloc(128 * STORES as u64).map_err(|e| e.to_string())?;
    let seen = Arc::new(Mutex::new(Ok(Seen::default())));
    gpu.debug(Some(Box::new(Checker { text: text.to_owned(), seen: Arc::clone(&seen) })));
    let launch = Launch::new(module, "k", (1, 1), (32, 1)).args(vec![Arg::Ptr(input), Arg::Ptr(out)]);
    gpu.launch(&launch.mode(Mode::Functional)).map_err(|e| e.to_string())?;
    seen.lock().expect("no panic").clone()
}

fn check(seeds: std::ops::Range<u64>) {
    for target in ["sm_10", "sm_20"] {
        for level in [0, 3] {
            let mut all = Seen::default();
            for seed in seeds.clone() {
                let text = program(seed);
                let Seen { lanes, shown } = checked(&text, target, level)
                    .unwrap_or_else(|why| panic!("seed {seed}, {target}, -O{level}: {why}\n{text}"));
                all.lanes += lanes;
                all.shown += shown;
            }
            println!("{target} -O{level}: {} of {} values are shown without a note", all.shown, all.lanes);
            assert!(all.shown > all.lanes / 32, "{target} -O{level}: {all:?}");
            assert!(level > 0 || all.shown == all.lanes, "{target}: -O0 keeps every variable: {all:?}");
        }
    }
}

#[test]
fn the_debugger_shows_the_values_that_a_program_stores() {
    check(0..40);
}

#[test]
#[ignore = "minutes: thousands of programs"]
fn the_debugger_shows_the_values_that_a_program_stores_at_length() {
    check(1_000..4_000);
}
