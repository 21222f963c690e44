//! The text of the kernels: what stands in the template's places.

use super::super::fill;
use super::{CHUNK, Kernel, Sum, Version};

const PTX: &str = include_str!("../../../../ptx/measure/mri.template");
const TRIG: &str = include_str!("../../../../ptx/measure/trig.template");
/// 2 pi.
const TURN: &str = "0f40C90FDB";
/// Samples of a trip of the unrolled loop; a scan's and a chunk's are a multiple of it.
const UNROLLED: u32 = 8;
/// 192 bits of 2/pi behind the binary point, least first: for angles whose quarter turns are beyond single precision.
const TWO_OVER_PI: &str = "\t.const .align 4 .u32 two_over_pi[6] = \
    {0x3c439041, 0xdb629599, 0xf534ddc0, 0xfc2757d1, 0x4e441529, 0xa2f9836e};\n";

impl Kernel {
    /// The template, filled in.
    pub(super) fn text(self) -> String {
        let words = self.words() * CHUNK;
        let scan = format!("\t.const .align 16 .f32 scan[{words}];\t// {CHUNK} samples\n");
        let constants = match self.version {
            Version::Global => TWO_OVER_PI.to_owned(),
            Version::Constant => scan + TWO_OVER_PI,
            Version::Tuned => scan,
        };
        let locals = if self.version == Version::Tuned { "" } else { "\t.local .align 4 .u32 product[7];\n" };
        let values = [
            ("CONSTANTS", constants),
            ("LOCALS", locals.to_owned()),
            ("BEFORE", self.before()),
            ("BODY", self.body()),
            ("AFTER", self.after()),
        ];
        fill(PTX, &values)
    }

    /// What is done once, before the loop: `%k` goes from a sample's word to the next one's, up to `%end`.
    fn before(self) -> String {
        if self.version == Version::Global {
            return self.for_columns(|k| format!("\tld.param.u32\t%{k}, [{k}];\n"))
                + "\tmov.u32\t\t%k, %kx;\n\tshl.b32\t\t%bytes, %samples, 2;\n\tadd.u32\t\t%end, %k, %bytes;\n";
        }
        let apart = if self.version == Version::Tuned { 4 * self.words() } else { 4 };
        "\tld.global.f32\t%x, [%px];\n\tld.global.f32\t%y, [%py];\n\tld.global.f32\t%z0, [%pz];\n".to_owned()
            + "\tld.global.f32\t%sum_re, [%re];\n\tld.global.f32\t%sum_im, [%im];\n\tmov.u32\t\t%k, scan;\n"
            + &format!("\tmul24.lo.u32\t%bytes, %samples, {apart};\n\tadd.u32\t\t%end, %k, %bytes;\n")
    }

    fn after(self) -> String {
        if self.version == Version::Global {
            return String::new();
        }
        "\tst.global.f32\t[%re], %sum_re;\n\tst.global.f32\t[%im], %sum_im;\n".to_owned()
    }

    /// A line for the name of each word of a sample.
    fn for_columns(self, line: impl Fn(&str) -> String) -> String {
        let names = ["kx", "ky", "kz", "a", "b"];
        names[..self.words() as usize].iter().map(|name| line(name)).collect()
    }

    /// A trip of the loop.
    fn body(self) -> String {
        match self.version {
            Version::Global => self.in_global_memory(),
            Version::Constant => {
                let at = |word: u32| format!("{}", 4 * CHUNK * word);
                angle(at) + &trig("cos") + &trig("sin") + &self.sums(at) + "\tadd.u32\t\t%k, %k, 4;"
            }
            Version::Tuned => {
                let sample = |i: u32| {
                    let at = |word: u32| format!("{}", 4 * (self.words() * i + word));
                    angle(at)
                        + "\tcos.approx.f32\t%cos, %angle;\n\tsin.approx.f32\t%sin, %angle;\n"
                        + &self.sums(at)
                };
                let samples: String = (0..UNROLLED).map(sample).collect();
                samples + &format!("\tadd.u32\t\t%k, %k, {};", 4 * self.words() * UNROLLED)
            }
        }
    }

    /// What a sample adds, kept in registers. A word of constant memory is an operand: loaded for each use.
    fn sums(self, at: impl Fn(u32) -> String) -> String {
        let with = |name: &str, word, operation: &str| {
            format!("\tld.const.f32\t%f{name}, [%k+{}];\n\t{operation};\n", at(word))
        };
        match self.sum {
            Sum::Q => {
                with("a", 3, "mad.f32\t\t%sum_re, %fa, %cos, %sum_re")
                    + &with("a", 3, "mad.f32\t\t%sum_im, %fa, %sin, %sum_im")
            }
            Sum::Fhd => {
                with("b", 4, "mul.f32\t\t%product, %fb, %sin")
                    + "\tneg.f32\t\t%minus, %product;\n"
                    + &with("a", 3, "mad.f32\t\t%product, %fa, %cos, %minus")
                    + "\tadd.f32\t\t%sum_re, %sum_re, %product;\n"
                    + &with("a", 3, "mul.f32\t\t%product, %fa, %sin")
                    + &with("b", 4, "mad.f32\t\t%product, %fb, %cos, %product")
                    + "\tadd.f32\t\t%sum_im, %sum_im, %product;\n"
            }
        }
    }

    /// A trip where everything is in global memory. The sums might be where the values are, for all the compiler
    /// knows: it loads these anew for each sum.
    fn in_global_memory(self) -> String {
        let load = |register: &str, pointer: &str| format!("\tld.global.f32\t%{register}, [%{pointer}];\n");
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
            let values =
                if self.sum == Sum::Fhd { load("fa", "a") + &load("fb", "b") } else { load("fa", "a") };
            values + &load("sum", to) + operations + &format!("\tst.global.f32\t[%{to}], %sum;\n")
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
        // The first array's pointer is the loop's counter.
        let next = self.for_columns(|k| {
            let k = if k == "kx" { "k" } else { k };
            format!("\tadd.u32\t\t%{k}, %{k}, 4;\n")
        });
        angle + &trig("cos") + &trig("sin") + &sum("re", re) + &sum("im", im) + &next
    }
}

/// The angle, with the sample's words `at` so many bytes from `%k` in constant memory.
fn angle(at: impl Fn(u32) -> String) -> String {
    let load = |name: &str, word| format!("\tld.const.f32\t%f{name}, [%k+{}];\n", at(word));
    load("kx", 0)
        + "\tmul.f32\t\t%angle, %fkx, %x;\n"
        + &load("ky", 1)
        + "\tmad.f32\t\t%angle, %fky, %y, %angle;\n"
        + &load("kz", 2)
        + "\tmad.f32\t\t%angle, %fkz, %z0, %angle;\n"
        + &format!("\tmul.f32\t\t%angle, %angle, {TURN};\n")
}

/// Sine or cosine in software. The cosine is the sine of a quarter turn more.
fn trig(function: &str) -> String {
    let quadrant = if function == "cos" { "\tadd.s32\t\t%j, %j, 1;" } else { "" };
    let values =
        [("K", function.to_owned()), ("FUNCTION", function.to_owned()), ("QUADRANT", quadrant.to_owned())];
    fill(TRIG, &values)
}
