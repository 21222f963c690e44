//! Random CUDA C programs without undefined behavior.
//!
//! Sums of signed integers are made of masked operands or go through unsigned integers; divisors
//! are not zero; shift counts and indices are masked. Floats are small integers, so that every
//! operation is exact on all targets. Each thread uses its own part of shared memory, so the
//! program can also run on the host, one thread after the other.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::fmt::Write as _;

/// Threads of a block, blocks, and results of a thread.
pub const THREADS: usize = 32;
pub const BLOCKS: usize = 2;
pub const RESULTS: usize = 8;

/// Input words of a thread.
pub const INPUTS: usize = 4;

pub struct Generator {
    pub rng: ChaCha8Rng,
    out: String,
    depth: usize,
    loops: usize,
    budget: i32,
    pub helpers: usize,
    /// Names of loop counters in scope.
    pub counters: Vec<String>,
    /// Whether the code is in a helper, which has fewer variables.
    pub helper: bool,
}

/// The text of a program with the kernel `name`.
pub fn program(seed: u64, name: &str) -> String {
    let rng = ChaCha8Rng::seed_from_u64(seed);
    let mut g = Generator {
        rng,
        out: String::new(),
        depth: 1,
        loops: 0,
        budget: 0,
        helpers: 0,
        counters: Vec::new(),
        helper: true,
    };
    let _ = writeln!(
        g.out,
        "struct S_{name} {{ int a; unsigned b; short c; unsigned char d; float e; int g[3]; }};"
    );
    for index in 0..g.rng.random_range(0..3usize) {
        let kind = ["", "__noinline__ ", "__forceinline__ "][g.rng.random_range(0..3usize)];
        let _ = writeln!(g.out, "static __device__ {kind}int h{index}_{name}(int x, unsigned y, int *r) {{");
        g.line("int i0 = x, i1 = (int)y, i2 = 3, i3 = *r;");
        g.line("unsigned u0 = y, u1 = (unsigned)x, u2 = 9u;");
        g.budget = 6;
        g.statements(3, name);
        g.line("*r = i1 ^ (int)u0;");
        g.line("return i0 ^ i2 ^ (int)u1;");
        g.out.push_str("}\n");
    }
    g.helpers = g.out.matches("static __device__").count();
    g.helper = false;
    let _ = writeln!(g.out, "extern \"C\" __global__ void {name}(const int *in, int *out) {{");
    let lines = [
        "__shared__ int shared[32 * 4];".to_owned(),
        "int t = blockIdx.x * blockDim.x + threadIdx.x;".to_owned(),
        "int base = threadIdx.x * 4;".to_owned(),
        format!("int i0 = in[t * {INPUTS}], i1 = in[t * {INPUTS} + 1], i2 = t, i3 = -7;"),
        format!("unsigned u0 = in[t * {INPUTS} + 2], u1 = in[t * {INPUTS} + 3], u2 = 77u;"),
        "long long l0 = (long long)i0 * 3; unsigned long long l1 = (unsigned long long)u0 << 13;".to_owned(),
        "float f0 = (float)(i0 & 255), f1 = 3.0f;".to_owned(),
        "signed char c0 = (signed char)i1; short s0 = (short)i0; unsigned char b0 = (unsigned char)u1;"
            .to_owned(),
        "int arr[8]; for (int q = 0; q < 8; q++) arr[q] = i0 + (q << 3 & 63) - (i0 & 0x7ffffff0);".to_owned(),
        format!("struct S_{name} st; st.a = i1; st.b = u1; st.c = (short)i2; st.d = b0; st.e = 2.0f;"),
        "for (int q = 0; q < 3; q++) st.g[q] = q * 5;".to_owned(),
        "for (int q = 0; q < 4; q++) shared[base + q] = i1 ^ q;".to_owned(),
        "__syncthreads();".to_owned(),
    ];
    for line in lines {
        g.line(&line);
    }
    g.budget = 40;
    let count = g.rng.random_range(4..14);
    g.statements(count, name);
    let results = [
        "i0 ^ i3",
        "i1 + (int)(u0 >> 1 & 0xffff) - (i1 & 0x7ffff000)",
        "(int)(u1 ^ u2) ^ i2",
        "(int)(l0 ^ (l0 >> 32))",
        "(int)(l1 >> 7)",
        "(int)f0 * 3 + (int)f1",
        "(c0 + s0 * 4 + b0) ^ arr[i0 & 7] ^ arr[0] ^ arr[5]",
        "st.a ^ (int)st.b ^ st.c ^ st.d ^ (int)st.e ^ st.g[u0 % 3] ^ shared[base + (i0 & 3)]",
    ];
    for (index, result) in results.iter().enumerate() {
        g.line(&format!("out[t * {RESULTS} + {index}] = {result};"));
    }
    g.out.push_str("}\n");
    g.out
}

impl Generator {
    fn line(&mut self, text: &str) {
        for _ in 0..self.depth {
            self.out.push_str("    ");
        }
        self.out.push_str(text);
        self.out.push('\n');
    }

    pub fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.rng.random_range(0..list.len())]
    }

    fn statements(&mut self, count: usize, name: &str) {
        for _ in 0..count {
            if self.budget <= 0 {
                return;
            }
            self.budget -= 1;
            self.statement(name);
        }
    }

    fn block(&mut self, head: &str, name: &str) {
        self.line(&format!("{head} {{"));
        self.depth += 1;
        let count = self.rng.random_range(1..4);
        self.statements(count, name);
        self.depth -= 1;
        self.line("}");
    }

    fn statement(&mut self, name: &str) {
        let nested = self.depth < 4;
        match self.rng.random_range(0..24) {
            0..=4 => {
                let (to, value) = (self.int_variable(), self.int(2));
                self.line(&format!("{to} = {value};"));
            }
            5 | 6 => {
                let (to, value) = (self.unsigned_variable(), self.unsigned(2));
                let op = self.pick(&["=", "+=", "-=", "*=", "^=", "|="]);
                self.line(&format!("{to} {op} {value};"));
            }
            7 | 8 if nested => {
                let condition = self.condition(2);
                self.block(&format!("if ({condition})"), name);
                if self.rng.random_bool(0.5) {
                    self.block("else", name);
                }
            }
            9..=11 if nested && self.loops < 3 => self.counted(name),
            12 if nested && self.loops < 3 => {
                let counter = format!("w{}", self.depth);
                let limit = self.rng.random_range(1..9);
                let condition = self.condition(1);
                self.line(&format!("int {counter}_{} = 0;", self.budget));
                let counter = format!("{counter}_{}", self.budget);
                self.loops += 1;
                self.counters.push(counter.clone());
                self.block(&format!("while ({counter}++ < {limit} && {condition})"), name);
                self.counters.pop();
                self.loops -= 1;
            }
            13 if nested => self.switch(name),
            14 if !self.helper => {
                let (index, value) = (self.int(1), self.int(1));
                self.line(&format!("arr[{index} & 7] = {value};"));
            }
            15 if !self.helper => {
                let (index, value) = (self.int(1), self.int(1));
                let target = self.pick(&["shared[base + (", "arr[4 + ("]);
                self.line(&format!("{target}{index} & 3)] = {value};"));
            }
            16 if !self.helper => {
                let value = self.float();
                let target = self.pick(&["f0", "f1"]);
                self.line(&format!("{target} = (float)((int){value} & 4095);"));
            }
            17 if !self.helper => {
                let value = self.int(2);
                let target = self.pick(&["c0", "s0", "b0", "st.a", "st.c", "st.d"]);
                let ty = match target {
                    "c0" => "(signed char)",
                    "s0" | "st.c" => "(short)",
                    "b0" | "st.d" => "(unsigned char)",
                    _ => "",
                };
                self.line(&format!("{target} = {ty}{value};"));
            }
            18 if !self.helper => {
                let (a, b) = (self.unsigned(1), self.unsigned(1));
                let mixed = format!("((unsigned long long){a} ^ ((unsigned long long){b} << 21))");
                self.line(&format!("l1 = l1 * 6364136223846793005ull + {mixed};"));
                let a = self.int(1);
                let shift = self.rng.random_range(0..40);
                self.line(&format!("l0 = ((long long){a} * (long long)i2) >> {shift};"));
            }
            19 if !self.helper && self.helpers > 0 => {
                let index = self.rng.random_range(0..self.helpers);
                let (a, b) = (self.int(1), self.unsigned(1));
                let target = self.pick(&["i0", "arr[2]", "st.a", "st.g[1]", "i3"]);
                let result = self.pick(&["i1", "i2"]);
                self.line(&format!("{result} = h{index}_{name}({a}, {b}, &{target});"));
            }
            20 if !self.helper => {
                let (start, step) = (self.int_variable(), self.rng.random_range(1..4));
                let value = self.int(1);
                self.line(&format!(
                    "{{ int *p = arr + ({start} & 3); p += {step}; *p = {value}; i3 = p[-1] ^ *(p + 1); }}"
                ));
            }
            21 if !self.helper => {
                self.line(&format!(
                    "{{ struct S_{name} copy = st; copy.g[1] = i0; copy.a ^= copy.g[2]; st = copy; }}"
                ));
            }
            _ => {
                let to = self.int_variable();
                let (lower, op) = (self.int(1), self.pick(&["&=", "|=", "^="]));
                self.line(&format!("{to} {op} {lower};"));
            }
        }
    }

    fn counted(&mut self, name: &str) {
        let counter = format!("k{}_{}", self.depth, self.budget.max(0));
        let trips = self.rng.random_range(1..20);
        let head = match self.rng.random_range(0..5) {
            0 => format!("for (int {counter} = {trips}; {counter} > 0; {counter}--)"),
            1 => format!("for (int {counter} = 1; {counter} < {}; {counter} *= 2)", 1 << (trips / 3 + 1)),
            2 => format!("for (int {counter} = 0; {counter} < ({} & 15); ++{counter})", self.int_variable()),
            3 => format!("for (unsigned {counter} = {trips}u; {counter} != 0u; {counter} >>= 1)"),
            _ => format!("for (int {counter} = 0; {counter} < {trips}; {counter}++)"),
        };
        if self.rng.random_bool(0.3) {
            let factor = self.pick(&["", " 1", " 2", " 4", " 5"]);
            self.line(&format!("#pragma unroll{factor}"));
        }
        self.line(&format!("{head} {{"));
        self.depth += 1;
        self.loops += 1;
        self.counters.push(format!("(int){counter}"));
        if !self.helper {
            match self.rng.random_range(0..4) {
                0 => self.line(&format!("i0 ^= arr[(int){counter} & 7];")),
                1 => self.line(&format!("arr[(int){counter} & 7] = i1 ^ (int){counter};")),
                2 => {
                    self.line(&format!("i2 = (i2 & 0xffffff) + shared[base + ((int){counter} & 3)] % 1000;"));
                }
                _ => {}
            }
        }
        let count = self.rng.random_range(1..4);
        self.statements(count, name);
        if self.rng.random_bool(0.3) {
            let condition = self.condition(1);
            let leave = self.pick(&["break", "continue"]);
            self.line(&format!("if ({condition}) {leave};"));
            self.statements(1, name);
        }
        self.counters.pop();
        self.loops -= 1;
        self.depth -= 1;
        self.line("}");
    }

    fn switch(&mut self, name: &str) {
        let value = self.int(1);
        let count = self.rng.random_range(2..8);
        self.line(&format!("switch ({value} & 7) {{"));
        self.depth += 1;
        for case in 0..count {
            self.line(&format!("case {case}: {{"));
            self.statements(1, name);
            self.line("}");
            if self.rng.random_bool(0.7) {
                self.line("break;");
            }
        }
        if self.rng.random_bool(0.6) {
            self.line("default:");
            self.line("i2 ^= 5;");
        }
        self.depth -= 1;
        self.line("}");
    }
}
