//! The text of the kernels with one thread per voxel: the contents of the template's placeholders.

use super::kernel::{CHUNK, DataPlacement, Kernel, Sum, Trig, Values};
use crate::template::{define, fill};

const PTX: &str = include_str!("../../ptx/mri_fhd.template");
const CUDA: &str = include_str!("../../cuda/mri_fhd.cu");
const TRIG: &str = include_str!("../../ptx/trig.template");
/// 2 pi.
const TURN: &str = "0f40C90FDB";
/// 192 bits of 2/pi after the binary point, least significant first: for angles whose quarter turns
/// exceed single precision.
pub const TWO_OVER_PI: &str = "\t.const .align 4 .u32 two_over_pi[6] = \
    {0x3c439041, 0xdb629599, 0xf534ddc0, 0xfc2757d1, 0x4e441529, 0xa2f9836e};\n";

/// Memory of the product of an angle with 2/pi.
pub const PRODUCT: &str = "\t.local .align 4 .u32 product[7];\n";
/// Registers of sine and cosine in software.
pub const OF_SOFTWARE: &str = "\t// Registers of sine and cosine in software
\t.reg .f32 %size, %f, %turns, %z, %square;
\t.reg .s32 %j;
\t.reg .u32 %bits, %e, %m, %part, %parts, %to, %carry, %word, %low, %high;
\t.reg .pred %large, %over, %odd;
";

/// Head comment of a text.
pub struct Head {
    /// Title in the comment of the kernel.
    pub title: &'static str,
    /// Points of interest in the report, one per line.
    pub look: &'static [&'static str],
}

/// Returns a line of pseudocode with a remark in the column of remarks.
fn aligned(line: &str, remark: &str) -> String {
    format!("{line:<54}{remark}")
}

/// Formats `lines` as the points of a comment.
pub fn points(lines: &[&str]) -> String {
    lines.iter().flat_map(|line| ["//   * ", line, "\n"]).collect()
}

impl Kernel {
    /// Fills the template.
    pub fn text(self, head: &Head) -> String {
        let words = self.constant_words() * CHUNK;
        let scan = if self.in_constant() {
            format!("\t.const .align 16 .f32 scan[{words}];\t// {CHUNK} samples\n")
        } else {
            String::new()
        };
        let (constants, locals) = match self.trig {
            Trig::Software => (scan + TWO_OVER_PI, PRODUCT),
            Trig::Units => (scan, ""),
        };
        let launch = if self.in_constant() {
            format!(
                ".\n// One launch for every {CHUNK} samples, which the host has copied to constant memory before"
            )
        } else {
            String::new()
        };
        let values = [
            ("TITLE", head.title.to_owned()),
            ("PSEUDO", self.pseudo()),
            ("THREADS", self.threads().to_string()),
            ("LAUNCH", launch),
            ("LOOK", points(head.look)),
            ("ENTRY", self.entry().to_owned()),
            ("CONSTANTS", constants),
            ("LOCALS", locals.to_owned()),
            ("SOFTWARE", if self.trig == Trig::Software { OF_SOFTWARE.to_owned() } else { String::new() }),
            ("BEFORE", self.before()),
            ("BODY", self.body()),
            ("AFTER", self.after()),
        ];
        fill(PTX, &values)
    }

    /// Returns the kernel of F^H d in CUDA C.
    pub fn cuda(self) -> String {
        let place = match self.place {
            DataPlacement::Memory => "GLOBAL",
            DataPlacement::Registers => "REGISTERS",
            DataPlacement::Arrays => "ARRAYS",
            DataPlacement::Structs => "STRUCTS",
        };
        let values = [
            ("PLACE", place.to_owned()),
            ("VALUES", u8::from(self.values == Values::Constant).to_string()),
            ("UNITS", u8::from(self.trig == Trig::Units).to_string()),
            ("UNROLL", self.unrolled.to_string()),
        ];
        define(&values, CUDA)
    }

    /// Returns the loop in pseudocode, as lines of a comment.
    fn pseudo(self) -> String {
        let memory = self.place == DataPlacement::Memory;
        let (voxel, sum) = if memory { ("[n]", "[n]") } else { ("", "") };
        let sample = match self.place {
            DataPlacement::Memory | DataPlacement::Registers => ["kx[m]", "ky[m]", "kz[m]"],
            DataPlacement::Arrays => ["scan.kx[m]", "scan.ky[m]", "scan.kz[m]"],
            DataPlacement::Structs => ["scan[m].kx", "scan[m].ky", "scan[m].kz"],
        };
        let [a, b] = match (self.values, self.place) {
            (Values::Constant, DataPlacement::Structs) => ["scan[m].a", "scan[m].b"],
            (Values::Constant, _) => ["scan.a[m]", "scan.b[m]"],
            (Values::Global, _) => ["a[m]", "b[m]"],
        };
        let before = if memory { "" } else { "//   x, y, z, re, im = those of voxel n, in registers\n" };
        let after = if memory { "" } else { "//   store re and im as those of voxel n\n" };
        let unrolled =
            if self.unrolled > 1 { format!("   {} samples in a trip", self.unrolled) } else { String::new() };
        let [kx, ky, kz] = sample;
        let trig = match self.trig {
            Trig::Software => {
                "c, s = cos(angle), sin(angle)                          about 40 instructions each"
            }
            Trig::Units => "c, s = cos(angle), sin(angle)                          by special function units",
        };
        let sums = match self.sum {
            Sum::Fhd => [
                aligned(&format!("re{sum} += {a} * c - {b} * s"), "(a, b): the sample's value"),
                format!("im{sum} += {b} * c + {a} * s"),
            ],
            Sum::Q => [
                aligned(&format!("re{sum} += {a} * c"), "a: the sample's weight"),
                format!("im{sum} += {a} * s"),
            ],
        };
        format!(
            "{before}//   for m in 0 .. samples:{unrolled}\n\
             //       angle = 2 pi ({kx} x{voxel} + {ky} y{voxel} + {kz} z{voxel})\n\
             //       {trig}\n//       {}\n//       {}\n{after}",
            sums[0], sums[1]
        )
    }

    /// Returns the code before the loop: `%k` steps from a sample's word to the next one's, up to
    /// `%end`.
    fn before(self) -> String {
        let voxel = "\t// My voxel and its sums, for the whole loop.\n\tld.global.f32\t%x, [%px];\n\tld.global.f32\t%y, [%py];\n\tld.global.f32\t%z0, [%pz];\n\
                     \tld.global.f32\t%sum_re, [%re];\n\tld.global.f32\t%sum_im, [%im];\n";
        if !self.in_constant() {
            let voxel = if self.place == DataPlacement::Memory { "" } else { voxel };
            return voxel.to_owned()
                + &self.for_columns(|k| format!("\tld.param.u32\t%{k}, [{k}];\n"))
                + "\n\t// From the first sample to the end of the last.\n\tmov.u32\t\t%k, %kx;\n\tshl.b32\t\t%bytes, %samples, 2;\n\tadd.u32\t\t%end, %k, %bytes;\n";
        }
        let apart = if self.place == DataPlacement::Structs { 4 * self.constant_words() } else { 4 };
        voxel.to_owned()
            + &self.for_values(|k| format!("\tld.param.u32\t%{k}, [{k}];\n"))
            + "\n\t// From the first sample of the chunk to the end of the last.\n\tmov.u32\t\t%k, scan;\n"
            + &format!("\tmul24.lo.u32\t%bytes, %samples, {apart};\n\tadd.u32\t\t%end, %k, %bytes;\n")
    }

    fn after(self) -> String {
        if self.place == DataPlacement::Memory {
            return String::new();
        }
        "\n\t// The initial value of the next chunk's launch, or the result.\n\tst.global.f32\t[%re], %sum_re;\n\tst.global.f32\t[%im], %sum_im;\n".to_owned()
    }

    /// Returns a line for the name of each word of a sample.
    fn for_columns(self, line: impl Fn(&str) -> String) -> String {
        let names = ["kx", "ky", "kz", "a", "b"];
        names[..self.words() as usize].iter().map(|name| line(name)).collect()
    }

    /// Returns a line for each of a sample's values in global memory, if the coordinates are in
    /// constant memory.
    fn for_values(self, line: impl Fn(&str) -> String) -> String {
        let names: &[&str] = if self.values == Values::Constant { &[] } else { &["a", "b"] };
        names[..names.len().min(self.words() as usize - 3)].iter().map(|name| line(name)).collect()
    }

    /// Returns an iteration of the loop.
    fn body(self) -> String {
        match self.place {
            DataPlacement::Memory => self.in_global_memory(),
            DataPlacement::Registers => {
                let angle = global("fkx", "k", 0)
                    + "\tmul.f32\t\t%angle, %fkx, %x;\n"
                    + &global("fky", "ky", 0)
                    + "\tmad.f32\t\t%angle, %fky, %y, %angle;\n"
                    + &global("fkz", "kz", 0)
                    + "\tmad.f32\t\t%angle, %fkz, %z0, %angle;\n"
                    + &format!("\tmul.f32\t\t%angle, %angle, {TURN};\n");
                angle + &self.both() + &self.loads(0) + &self.sums(|_| None) + &self.next()
            }
            DataPlacement::Arrays | DataPlacement::Structs => {
                let words = self.constant_words();
                let sample = |i: u32| {
                    let at = |word: u32| match self.place {
                        DataPlacement::Structs => 4 * (words * i + word),
                        _ => 4 * (CHUNK * word + i),
                    };
                    let value = |word: u32| (self.values == Values::Constant).then(|| at(word));
                    angle(at) + &self.both() + &self.loads(i) + &self.sums(value)
                };
                let samples: String = (0..self.unrolled).map(sample).collect();
                let step = if self.place == DataPlacement::Structs { words } else { 1 };
                let next = |k: &str| format!("\tadd.u32\t\t%{k}, %{k}, {};\n", 4 * self.unrolled);
                samples
                    + &self.for_values(next)
                    + &format!("\tadd.u32\t\t%k, %k, {};", 4 * step * self.unrolled)
            }
        }
    }

    /// Returns the cosine and sine of the angle.
    fn both(self) -> String {
        match self.trig {
            Trig::Software => software_trig("cos") + &software_trig("sin"),
            Trig::Units => {
                "\t// Two instructions.\n\tcos.approx.f32\t%cos, %angle;\n\tsin.approx.f32\t%sin, %angle;\n"
                    .to_owned()
            }
        }
    }

    /// Returns the loads of the values of the `i`-th sample of an iteration, if they are in global
    /// memory.
    fn loads(self, i: u32) -> String {
        if self.values == Values::Constant {
            return String::new();
        }
        global("fa", "a", 4 * i)
            + &if self.sum == Sum::Fhd { global("fb", "b", 4 * i) } else { String::new() }
    }

    /// Returns the additions of a sample to the sums in registers. A word of constant memory is an
    /// operand: loaded for each use, from `at` bytes after `%k`; other values are in registers
    /// already.
    fn sums(self, at: impl Fn(u32) -> Option<u32>) -> String {
        let remark = "\t// The sums.\n".to_owned();
        let with = |name: &str, word, operation: &str| {
            let load =
                at(word).map_or_else(String::new, |at| format!("\tld.const.f32\t%f{name}, [%k+{at}];\n"));
            load + &format!("\t{operation};\n")
        };
        match self.sum {
            Sum::Q => {
                remark
                    + &with("a", 3, "mad.f32\t\t%sum_re, %fa, %cos, %sum_re")
                    + &with("a", 3, "mad.f32\t\t%sum_im, %fa, %sin, %sum_im")
            }
            Sum::Fhd => {
                remark
                    + &with("b", 4, "mul.f32\t\t%product, %fb, %sin")
                    + "\tneg.f32\t\t%minus, %product;\n"
                    + &with("a", 3, "mad.f32\t\t%product, %fa, %cos, %minus")
                    + "\tadd.f32\t\t%sum_re, %sum_re, %product;\n"
                    + &with("a", 3, "mul.f32\t\t%product, %fa, %sin")
                    + &with("b", 4, "mad.f32\t\t%product, %fb, %cos, %product")
                    + "\tadd.f32\t\t%sum_im, %sum_im, %product;\n"
            }
        }
    }

    /// Returns an iteration with all data in global memory. The sums could overlap the values as
    /// far as the compiler knows, so it loads the values again for each sum.
    fn in_global_memory(self) -> String {
        let load = |register: &str, pointer: &str| global(register, pointer, 0);
        let angle = load("fkx", "k")
            + &load("x", "px")
            + "\tmul.f32\t\t%angle, %fkx, %x;\n"
            + &load("fky", "ky")
            + &load("y", "py")
            + "\tmad.f32\t\t%angle, %fky, %y, %angle;\n"
            + &load("fkz", "kz")
            + &load("z0", "pz")
            + "\tmad.f32\t\t%angle, %fkz, %z0, %angle;\n"
            + &format!("\tmul.f32\t\t%angle, %angle, {TURN};\n");
        let sum = |to: &str, operations: &str| {
            self.loads(0) + &load("sum", to) + operations + &format!("\tst.global.f32\t[%{to}], %sum;\n")
        };
        let [re, im] = match self.sum {
            Sum::Q => ["\tmad.f32\t\t%sum, %fa, %cos, %sum;\n", "\tmad.f32\t\t%sum, %fa, %sin, %sum;\n"],
            Sum::Fhd => [
                "\tmul.f32\t\t%product, %fb, %sin;\n\tneg.f32\t\t%minus, %product;\n\
                 \tmad.f32\t\t%product, %fa, %cos, %minus;\n\tadd.f32\t\t%sum, %sum, %product;\n",
                "\tmul.f32\t\t%product, %fa, %sin;\n\tmad.f32\t\t%product, %fb, %cos, %product;\n\
                 \tadd.f32\t\t%sum, %sum, %product;\n",
            ],
        };
        angle + &self.both() + &sum("re", re) + &sum("im", im) + &self.next()
    }

    /// Advances to the next sample in global memory. The first array's pointer is the loop's
    /// counter.
    fn next(self) -> String {
        self.for_columns(|k| {
            let k = if k == "kx" { "k" } else { k };
            format!("\tadd.u32\t\t%{k}, %{k}, 4;\n")
        })
    }
}

/// Returns a load from global memory, `offset` bytes after a pointer.
fn global(register: &str, pointer: &str, offset: u32) -> String {
    let behind = if offset == 0 { String::new() } else { format!("+{offset}") };
    format!("\tld.global.f32\t%{register}, [%{pointer}{behind}];\n")
}

/// Computes the angle, with the sample's words `at` bytes after `%k` in constant memory.
fn angle(at: impl Fn(u32) -> u32) -> String {
    let load = |name: &str, word| format!("\tld.const.f32\t%f{name}, [%k+{}];\n", at(word));
    "\t// The angle. All lanes read one word of the sample, an operand.\n".to_owned()
        + &load("kx", 0)
        + "\tmul.f32\t\t%angle, %fkx, %x;\n"
        + &load("ky", 1)
        + "\tmad.f32\t\t%angle, %fky, %y, %angle;\n"
        + &load("kz", 2)
        + "\tmad.f32\t\t%angle, %fkz, %z0, %angle;\n"
        + &format!("\tmul.f32\t\t%angle, %angle, {TURN};\n")
}

/// Returns the code for sine or cosine of `%angle` in software, as `%sin` or `%cos`. The cosine is
/// the sine of a quarter turn more.
pub fn software_trig(function: &str) -> String {
    let quadrant = if function == "cos" { "\tadd.s32\t\t%j, %j, 1;" } else { "" };
    fill(TRIG, &[("K", function.to_owned()), ("QUADRANT", quadrant.to_owned())])
}
