//! Random CUDA C programs without undefined behavior.
//!
//! Sums of signed integers are made of masked operands or go through unsigned integers; divisors
//! are not zero; shift counts and indices are masked. Floats are small integers, so that every
//! operation is exact on all targets. Each thread uses its own part of shared memory, so the
//! program can also run on the host, one thread after the other.
//!
//! It is not the generator of `warpsim-check`, whose operations are texts of PTX and whose threads
//! communicate: these programs are for the types, conversions and scopes of CUDA C.

use std::fmt::Write as _;
use test_support::random::Numbers;

/// Threads of a block, blocks, and results of a thread.
pub const THREADS: usize = 32;
pub const BLOCKS: usize = 2;
pub const RESULTS: usize = 8;

/// Input words of a thread.
pub const INPUTS: usize = 4;

/// Input of the kernels; small numbers are as frequent as large ones.
pub fn inputs() -> Vec<i32> {
    let mut numbers = Numbers::new(1);
    let input = |at: usize| {
        let bits = numbers.bits();
        if at.is_multiple_of(3) { (bits % 64) as i32 - 16 } else { bits as i32 }
    };
    (0..BLOCKS * THREADS * INPUTS).map(input).collect()
}

pub struct Generator {
    pub numbers: Numbers,
    pub out: String,
    depth: usize,
    loops: usize,
    pub budget: i32,
    pub helpers: usize,
    /// Names of loop counters in scope.
    pub counters: Vec<String>,
    /// Whether the code is in a helper, which has fewer variables.
    pub helper: bool,
    /// Number of the next store of a variable, in programs that store the values of variables. A
    /// line `out[N * 32 + t] = NAME;` is a store; each store has its own elements, since equal
    /// stores of two branches become one, with the line of one.
    pub stores: Option<usize>,
    /// Lines of the kernel after the declarations.
    pub prologue: &'static str,
}

/// The text of a program with the kernel `name`.
pub fn program(seed: u64, name: &str) -> String {
    Generator::new(seed).program(name)
}

/// Variables of type `int`.
pub const INTS: [&str; 4] = ["i0", "i1", "i2", "i3"];

impl Generator {
    pub fn new(seed: u64) -> Self {
        Self {
            numbers: Numbers::new(seed),
            out: String::new(),
            depth: 1,
            loops: 0,
            budget: 0,
            helpers: 0,
            counters: Vec::new(),
            helper: true,
            stores: None,
            prologue: "",
        }
    }

    /// Adds the kernel `name` with its helpers, and returns the text.
    pub fn program(self, name: &str) -> String {
        let mut g = self;
        let _ = writeln!(
            g.out,
            "struct S_{name} {{ int a; unsigned b; short c; unsigned char d; float e; int g[3]; }};"
        );
        let stores = g.stores.take();
        for index in 0..g.numbers.below(3) {
            let kind = g.pick(&["", "__noinline__ ", "__forceinline__ "]);
            let _ =
                writeln!(g.out, "static __device__ {kind}int h{index}_{name}(int x, unsigned y, int *r) {{");
            g.line("int i0 = x, i1 = (int)y, i2 = 3, i3 = *r;");
            g.line("unsigned u0 = y, u1 = (unsigned)x, u2 = 9u;");
            g.budget = 6;
            g.statements(3, name);
            g.line("*r = i1 ^ (int)u0;");
            g.line("return i0 ^ i2 ^ (int)u1;");
            g.out.push_str("}\n");
        }
        g.stores = stores;
        g.helpers = g.out.matches("static __device__").count();
        g.helper = false;
        let _ = writeln!(g.out, "extern \"C\" __global__ void {name}(const int *in, int *out) {{");
        let lines = [
            "__shared__ int shared[32 * 4];".to_owned(),
            "int t = blockIdx.x * blockDim.x + threadIdx.x;".to_owned(),
            "int base = threadIdx.x * 4;".to_owned(),
            format!("int i0 = in[t * {INPUTS}], i1 = in[t * {INPUTS} + 1], i2 = t, i3 = -7;"),
            format!("unsigned u0 = in[t * {INPUTS} + 2], u1 = in[t * {INPUTS} + 3], u2 = 77u;"),
            "long long l0 = (long long)i0 * 3; unsigned long long l1 = (unsigned long long)u0 << 13;"
                .to_owned(),
            "float f0 = (float)(i0 & 255), f1 = 3.0f;".to_owned(),
            "signed char c0 = (signed char)i1; short s0 = (short)i0; unsigned char b0 = (unsigned char)u1;"
                .to_owned(),
            "int arr[8]; for (int q = 0; q < 8; q++) arr[q] = i0 + (q << 3 & 63) - (i0 & 0x7ffffff0);"
                .to_owned(),
            format!("struct S_{name} st; st.a = i1; st.b = u1; st.c = (short)i2; st.d = b0; st.e = 2.0f;"),
            "for (int q = 0; q < 3; q++) st.g[q] = q * 5;".to_owned(),
            "for (int q = 0; q < 4; q++) shared[base + q] = i1 ^ q;".to_owned(),
            "__syncthreads();".to_owned(),
        ];
        for line in lines {
            g.line(&line);
        }
        g.out.push_str(g.prologue);
        g.budget = 40;
        let count = 4 + g.numbers.below(10);
        g.statements(count, name);
        for name in INTS {
            g.store(name);
        }
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

    /// Stores a variable, in programs that store the values of variables.
    pub fn store(&mut self, name: &str) {
        if let Some(number) = self.stores {
            self.line(&format!("out[{number} * 32 + t] = {name};"));
            self.stores = Some(number + 1);
        }
    }

    pub fn line(&mut self, text: &str) {
        for _ in 0..self.depth {
            self.out.push_str("    ");
        }
        self.out.push_str(text);
        self.out.push('\n');
    }

    pub fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        self.numbers.one_of(list)
    }

    pub fn statements(&mut self, count: usize, name: &str) {
        for _ in 0..count {
            if self.budget <= 0 {
                return;
            }
            self.budget -= 1;
            self.statement(name);
            if self.stores.is_some() && self.numbers.below(3) == 0 {
                let variable = self.int_variable();
                self.store(&variable);
            }
        }
    }

    fn block(&mut self, head: &str, name: &str) {
        self.line(&format!("{head} {{"));
        self.depth += 1;
        let count = 1 + self.numbers.below(3);
        self.statements(count, name);
        self.depth -= 1;
        self.line("}");
    }

    fn statement(&mut self, name: &str) {
        let nested = self.depth < 4;
        match self.numbers.below(24) {
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
                if self.numbers.below(2) == 0 {
                    self.block("else", name);
                }
            }
            9..=11 if nested && self.loops < 3 => self.counted(name),
            12 if nested && self.loops < 3 => {
                let counter = format!("w{}", self.depth);
                let limit = self.numbers.within(1..9);
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
                let shift = self.numbers.below(40);
                self.line(&format!("l0 = ((long long){a} * (long long)i2) >> {shift};"));
            }
            19 if !self.helper && self.helpers > 0 => {
                let index = self.numbers.below(self.helpers);
                let (a, b) = (self.int(1), self.unsigned(1));
                // The debugger can show an older value of a variable whose address is taken
                // (docs/DEBUGGING.md).
                let targets = ["arr[2]", "st.a", "st.g[1]", "i0", "i3"];
                let count = if self.stores.is_some() { 3 } else { targets.len() };
                let target = self.pick(&targets[..count]);
                let result = self.pick(&["i1", "i2"]);
                self.line(&format!("{result} = h{index}_{name}({a}, {b}, &{target});"));
            }
            20 if !self.helper => {
                let (start, step) = (self.int_variable(), self.numbers.within(1..4));
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
            22 if nested => self.hidden(name),
            _ => {
                let to = self.int_variable();
                let (lower, op) = (self.int(1), self.pick(&["&=", "|=", "^="]));
                self.line(&format!("{to} {op} {lower};"));
            }
        }
    }

    /// A block with another variable of a name, and uses of both.
    fn hidden(&mut self, name: &str) {
        let (hidden, value) = (self.int_variable(), self.int(1));
        let first = format!("s{}_{}", self.depth, self.budget);
        self.line(&format!("int {first} = {value};"));
        self.line(&format!("{{ int {hidden} = {first};"));
        self.depth += 1;
        self.statements(2, name);
        self.store(&hidden);
        let kept = self.pick(&INTS);
        self.line(&format!("{first} ^= {hidden} ^ {kept};"));
        self.depth -= 1;
        self.line("}");
        self.line(&format!("u2 ^= (unsigned){first};"));
    }

    fn counted(&mut self, name: &str) {
        let counter = format!("k{}_{}", self.depth, self.budget.max(0));
        // The debugger stops at each instruction of programs with stores.
        let trips = self.numbers.within(1..if self.stores.is_some() { 4 } else { 20 });
        let head = match self.numbers.below(5) {
            0 => format!("for (int {counter} = {trips}; {counter} > 0; {counter}--)"),
            1 => format!("for (int {counter} = 1; {counter} < {}; {counter} *= 2)", 1 << (trips / 3 + 1)),
            2 => format!("for (int {counter} = 0; {counter} < ({} & 15); ++{counter})", self.int_variable()),
            3 => format!("for (unsigned {counter} = {trips}u; {counter} != 0u; {counter} >>= 1)"),
            _ => format!("for (int {counter} = 0; {counter} < {trips}; {counter}++)"),
        };
        if self.numbers.below(10) < 3 {
            let factor = self.pick(&["", " 1", " 2", " 4", " 5"]);
            self.line(&format!("#pragma unroll{factor}"));
        }
        self.line(&format!("{head} {{"));
        self.depth += 1;
        self.loops += 1;
        self.counters.push(format!("(int){counter}"));
        if !self.helper {
            match self.numbers.below(4) {
                0 => self.line(&format!("i0 ^= arr[(int){counter} & 7];")),
                1 => self.line(&format!("arr[(int){counter} & 7] = i1 ^ (int){counter};")),
                2 => {
                    self.line(&format!("i2 = (i2 & 0xffffff) + shared[base + ((int){counter} & 3)] % 1000;"));
                }
                _ => {}
            }
        }
        let count = 1 + self.numbers.below(3);
        self.statements(count, name);
        if self.numbers.below(10) < 3 {
            let condition = self.condition(1);
            let leave = self.pick(&["break", "continue"]);
            self.line(&format!("if ({condition}) {leave};"));
            self.statements(1, name);
        }
        self.store(&counter);
        self.counters.pop();
        self.loops -= 1;
        self.depth -= 1;
        self.line("}");
    }

    fn switch(&mut self, name: &str) {
        let value = self.int(1);
        let count = self.numbers.within(2..8);
        self.line(&format!("switch ({value} & 7) {{"));
        self.depth += 1;
        for case in 0..count {
            self.line(&format!("case {case}: {{"));
            self.statements(1, name);
            self.line("}");
            if self.numbers.below(10) < 7 {
                self.line("break;");
            }
        }
        if self.numbers.below(10) < 6 {
            self.line("default:");
            self.line("i2 ^= 5;");
        }
        self.depth -= 1;
        self.line("}");
    }
}
