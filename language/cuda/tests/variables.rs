//! Variables of CUDA C under the debugger: at each store of a variable, the debugger shows the
//! value that the store writes, in random programs.

use cuda::options::Options;
use cuda::target::Target;
use isa::source::Source;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use report::inspect::variables::Sight;
use report::words::Words;
use sim_core::config::Chip;
use sim_core::debug::{Debugger, Session};
use sim_core::host::{Arg, Gpu, Launch, Mode};
use std::fmt::Write;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};

/// Variables of a random program, all `int`.
const NAMES: [&str; 3] = ["x", "y", "z"];

/// Most stores of a program.
const STORES: usize = 1_000;

/// A random program. A line `out[N * 32 + t] = NAME;` stores a variable; each store has its own
/// elements, since equal stores of two branches become one, with the line of one.
struct Program {
    random: ChaCha8Rng,
    text: String,
    loops: usize,
    stores: usize,
}

impl Program {
    fn text(seed: u64) -> String {
        let mut made =
            Self { random: ChaCha8Rng::seed_from_u64(seed), text: String::new(), loops: 0, stores: 0 };
        made.text += "__device__ int mix(int a, int b)\n{\nint c = a * 3;\nc -= b;\nreturn c;\n}\n";
        made.recursive_function();
        made.text += "__global__ void k(int *out, int n)\n{\nint t = threadIdx.x;\n";
        made.text += "int x = t * 5;\nint y = n;\nint z = 7;\n";
        made.text += "#if __CUDA_ARCH__ >= 200\nz = deep(out, n, t, 2);\n#endif\n";
        made.block(3);
        for name in NAMES {
            made.store(name);
        }
        made.text += "}\n";
        made.text
    }

    /// A function that calls itself: each call has separate variables, in registers and in its
    /// stack frame.
    fn recursive_function(&mut self) {
        self.text += "#if __CUDA_ARCH__ >= 200\n";
        self.text += "__device__ __noinline__ int deep(int *out, int n, int t, int x)\n{\n";
        self.text += "int y = x + t;\nint z = 5;\nint part[4];\n";
        self.text += "for (int i = 0; i < 4; i++) {\npart[i] = x * 10 + i;\n}\n";
        self.block(1);
        self.text += "if (x > 0 && (t & 3) != x) {\ny = deep(out, n, t, x - 1);\n}\n";
        for name in NAMES {
            self.store(name);
        }
        self.store("part[2]");
        self.text += "z += part[y & 3];\n";
        self.store("z");
        self.text += "return z;\n}\n#endif\n";
    }

    fn store(&mut self, name: &str) {
        let _ = writeln!(self.text, "out[{} * 32 + t] = {name};", self.stores);
        self.stores += 1;
        assert!(self.stores < STORES, "a program has few stores");
    }

    fn any<'t>(&mut self, all: &[&'t str]) -> &'t str {
        all[self.random.random_range(0..all.len())]
    }

    fn expression(&mut self) -> String {
        let (a, b) = (self.any(&NAMES), self.any(&["x", "y", "z", "t", "3", "n"]));
        match self.random.random_range(0..6) {
            0 => format!("mix({a}, {b})"),
            1 => b.to_owned(),
            2 => format!("{a} > {b} ? {a} : {b}"),
            _ => format!("{a} {} {b}", self.any(&["+", "-", "*", "^", "&"])),
        }
    }

    fn block(&mut self, depth: u32) {
        for _ in 0..self.random.random_range(2..6) {
            let (name, value) = (self.any(&NAMES), self.expression());
            match self.random.random_range(0..if depth > 0 { 10 } else { 6 }) {
                0..3 => {
                    let _ = writeln!(self.text, "{name} = {value};");
                }
                3 => {
                    let _ = writeln!(self.text, "{name} += {value};");
                }
                4 | 5 => {
                    self.store(name);
                }
                6 => {
                    let bit = self.random.random_range(0..4);
                    let _ = writeln!(self.text, "if (({name} >> {bit}) & 1) {{");
                    self.block(depth - 1);
                    self.text += "} else {\n";
                    self.block(depth - 1);
                    self.text += "}\n";
                }
                7 | 8 => {
                    let index = self.loops;
                    self.loops += 1;
                    let limit = self.any(&["3", "n", "(t & 3)"]);
                    let _ = writeln!(self.text, "for (int i{index} = 0; i{index} < {limit}; i{index}++) {{");
                    self.block(depth - 1);
                    self.store(&format!("i{index}"));
                    self.text += "}\n";
                }
                _ => {
                    // Another variable of that name.
                    let first = self.any(&["t", "n + 1", "9"]);
                    let _ = writeln!(self.text, "{{\nint {name} = {first};");
                    self.block(depth - 1);
                    self.store(name);
                    self.text += "}\n";
                }
            }
        }
    }
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
        let out = session.allocations()[0].start;
        let mut seen = Seen::default();
        let mut poll = |_| ControlFlow::Continue(());
        while !session.has_ended() {
            let Some(warp) = session.warp(0, 0).filter(|warp| warp.live != 0) else { break };
            let line =
                ptx_lines.get(warp.pc as usize).and_then(|line| session.program().ptx.files().origin(*line));
            let stored = line.and_then(|origin| {
                let (number, name) =
                    lines[origin.line as usize - 1].strip_prefix("out[")?.split_once(" * 32 + t] = ")?;
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
    let out = gpu.malloc(128 * STORES as u64).map_err(|e| e.to_string())?;
    let seen = Arc::new(Mutex::new(Ok(Seen::default())));
    gpu.debug(Some(Box::new(Checker { text: text.to_owned(), seen: Arc::clone(&seen) })));
    let launch = Launch::new(module, "_Z1kPii", (1, 1), (32, 1)).args(vec![Arg::Ptr(out), Arg::S32(3)]);
    gpu.launch(&launch.mode(Mode::Functional)).map_err(|e| e.to_string())?;
    seen.lock().expect("no panic").clone()
}

fn check(seeds: std::ops::Range<u64>) {
    for target in ["sm_10", "sm_20"] {
        for level in [0, 3] {
            let mut all = Seen::default();
            for seed in seeds.clone() {
                let text = Program::text(seed);
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
