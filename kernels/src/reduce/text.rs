//! The text of the block sums: the contents of the template's placeholders.

use crate::template::{define, fill};
use std::fmt::Write;

const PTX: &str = include_str!("../../ptx/block_sum.template");
const CUDA: &str = include_str!("../../cuda/block_sum.cu");

/// The terms that a block adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Terms {
    /// Two elements per thread, or zeros beyond the end (exercise 6.1).
    Pairs,
    /// One element per thread, or zero beyond the end.
    Elements,
    /// The product of an element of each factor per thread: a dot product.
    Products,
}

/// The end of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Thread 0, which made the last addition, stores the sum.
    First,
    /// Every thread stores the content of the first word, without waiting for the last addition:
    /// the error of exercise 6.7.
    Printed,
    /// Every thread stores it, after a barrier.
    Waits,
    /// The last warp makes the last six additions without barriers, and thread 0 stores the sum
    /// (exercise 6.9).
    LastWarp,
}

/// A variant of the kernel.
#[derive(Clone, Copy, Debug)]
pub struct Variant {
    /// Name of the kernel in the text.
    pub entry: &'static str,
    /// Title of the head comment.
    pub title: &'static str,
    /// Place in the book.
    pub book: &'static str,
    /// Terms of the sum.
    pub terms: Terms,
    /// End of a block.
    pub end: End,
    /// Points of interest in the report, one per line.
    pub look: &'static [&'static str],
}

impl Variant {
    /// Fills the template.
    pub fn text(&self) -> String {
        let look = self.look.iter().fold(String::new(), |mut text, line| {
            let _ = writeln!(text, "//   * {line}");
            text
        });
        let (enter, again) = if self.end == End::LastWarp {
            (
                "\tbra\t\ttest;\n",
                "test:\n\t// More than a warp's worth of sums are left.\n\tsetp.gt.u32\t%more, %stride, 32;\n",
            )
        } else {
            ("", "\tsetp.ne.u32\t%more, %stride, 0;\n")
        };
        let values = [
            ("TITLE", self.title.to_owned()),
            ("BOOK", self.book.to_owned()),
            ("PSEUDO", self.pseudo()),
            ("LAUNCH", self.launch().to_owned()),
            ("LOOK", look),
            ("ENTRY", self.entry.to_owned()),
            ("PARAMETERS", self.parameters().to_owned()),
            ("LOAD", self.load()),
            ("ENTER", enter.to_owned()),
            ("AGAIN", again.to_owned()),
            ("END", self.ending()),
        ];
        fill(PTX, &values)
    }

    /// Returns the kernel in CUDA C.
    pub fn cuda(&self) -> String {
        let terms = match self.terms {
            Terms::Pairs => "PAIRS",
            Terms::Elements => "ELEMENTS",
            Terms::Products => "PRODUCTS",
        };
        let end = match self.end {
            End::First => "FIRST",
            End::Printed => "PRINTED",
            End::Waits => "WAITS",
            End::LastWarp => "LAST_WARP",
        };
        let values = [("ENTRY", self.entry), ("TERMS", terms), ("END", end)];
        define(&values.map(|(name, value)| (name, value.to_owned())), CUDA)
    }

    /// Returns the algorithm in pseudocode, as lines of a comment.
    fn pseudo(&self) -> String {
        let begin = match self.terms {
            Terms::Pairs => {
                "//   sums[t] = in[512 * block + t] + in[512 * block + 256 + t], zeros beyond the end\n\
                 //   for stride = 128, 64 .. 1:                      eight iterations for 256 threads\n"
            }
            Terms::Elements => {
                "//   sums[t] = in[512 * block + t], or 0 beyond the end\n\
                 //   for stride = 256, 128 .. @LAST@:\n"
            }
            Terms::Products => {
                "//   sums[t] = a[threads * block + t] * b[threads * block + t]\n\
                 //   for stride = threads / 2 .. @LAST@:\n"
            }
        };
        let body = "//       wait for the block\n\
                    //       if t < stride:\n\
                    //           sums[t] += sums[t + stride]\n";
        let last = if self.end == End::LastWarp { "64" } else { "1" };
        let end = match self.end {
            End::First => "//   thread 0: out[block] = sums[0]\n",
            End::Printed => {
                "//   every thread: out[block] = sums[0]             without waiting for the last addition\n"
            }
            End::Waits => {
                "//   wait for the block\n\
                 //   every thread: out[block] = sums[0]\n"
            }
            End::LastWarp => {
                "//   wait for the block\n\
                 //   the first warp:\n\
                 //       for stride = 32, 16 .. 1:                   six additions in a row, no barriers\n\
                 //           sums[t] += sums[t + stride]\n\
                 //   thread 0: out[block] = sums[0]\n"
            }
        };
        begin.replace("@LAST@", last) + body + end
    }

    fn launch(&self) -> &'static str {
        match self.terms {
            Terms::Pairs => "1D blocks of 256 threads, one for each 512 elements.",
            Terms::Elements => "1D blocks of 512 threads, one for each 512 elements.",
            Terms::Products => {
                "a block for each product, a thread for each of its elements: a power of two, 64 to 512."
            }
        }
    }

    fn parameters(&self) -> &'static str {
        match self.terms {
            Terms::Products => {
                "\t\t.param .u32 a,\t\t// address of the left factors\n\
                 \t\t.param .u32 b,\t\t// address of the right factors\n\
                 \t\t.param .u32 out)\t// address of one word per block"
            }
            _ => {
                "\t\t.param .u32 in,\t\t// address of the elements\n\
                 \t\t.param .u32 out,\t// address of one word per block\n\
                 \t\t.param .u32 n)\t\t// elements"
            }
        }
    }

    /// Loads the thread's term into `%value`.
    fn load(&self) -> String {
        let index = "\t// Both factors have less than 24 bits.\n\tmad24.lo.u32\t%i, %block, %threads, %t;\n";
        let one = |name: &str, register: &str| {
            format!(
                "\tld.param.u32\t%address, [{name}];\n\tadd.u32\t\t%address, %address, %offset;\n\tld.global.f32\t{register}, [%address];\n"
            )
        };
        let bounded = |register: &str, displacement: &str| {
            format!(
                "\tsetp.lt.u32\t%inside, %i, %n;\n\tmov.f32\t\t{register}, 0f00000000;\n\
                 \t@%inside ld.global.f32 {register}, [%address{displacement}];\n"
            )
        };
        let address = "\tld.param.u32\t%n, [n];\n\tshl.b32\t\t%offset, %i, 2;\n\tld.param.u32\t%address, [in];\n\
                       \tadd.u32\t\t%address, %address, %offset;\n";
        match self.terms {
            Terms::Products => {
                let offset = "\tshl.b32\t\t%offset, %i, 2;\n";
                format!(
                    "{index}{offset}{}{}\tmul.f32\t\t%value, %value, %summand;\n",
                    one("a", "%value"),
                    one("b", "%summand")
                )
            }
            Terms::Elements => format!(
                "{index}\n\t// A guard instead of a branch: lanes beyond the end keep the zero, and nothing diverges.\n{address}{}",
                bounded("%value", "")
            ),
            Terms::Pairs => format!(
                "\t// A block has twice as many elements as threads.\n\tshl.b32\t\t%i, %threads, 1;\n\
                 \tmad24.lo.u32\t%i, %block, %i, %t;\n\n\
                 \t// Guards instead of branches: lanes beyond the end keep the zero, and nothing diverges.\n{address}{}\
                 \tadd.u32\t\t%i, %i, %threads;\n{}\tadd.f32\t\t%value, %value, %summand;\n",
                bounded("%value", ""),
                bounded("%summand", "+1024")
            ),
        }
    }

    fn ending(&self) -> String {
        let place = "\tshl.b32\t\t%offset, %block, 2;\n\tld.param.u32\t%address, [out];\n\tadd.u32\t\t%address, %address, %offset;\n";
        let all = format!("\tld.shared.f32\t%value, [sums];\n{place}\tst.global.f32\t[%address], %value;\n");
        match self.end {
            End::First => format!(
                "\t// Thread 0 wrote sums[0] itself, so it may read it without a barrier. A guard again, no branch.\n\
                 \tsetp.eq.u32\t%first, %t, 0;\n{place}\t@%first ld.shared.f32 %value, [%mine];\n\
                 \t@%first st.global.f32 [%address], %value;\n"
            ),
            End::Printed => format!(
                "\t// As printed: every thread reads the first word. Thread 0 has just written it, and the other warps do\n\
                 \t// not wait for that.\n{all}"
            ),
            End::Waits => format!("\t// All threads must see the last addition.\n\tbar.sync\t0;\n{all}"),
            End::LastWarp => Self::last_warp(place),
        }
    }

    fn last_warp(place: &str) -> String {
        let mut text = "\tbar.sync\t0;\n\tsetp.ge.u32\t%idle, %t, 32;\n\t@%idle bra\tdone;\n\n\
             \t// The first warp continues alone: its lanes run in lockstep, so each sees what the others wrote an instruction\n\
             \t// before. All 32 work in each step; sums that are no longer needed do no harm. Volatile, so that no\n\
             \t// compiler keeps a word in a register across the lanes' exchange.\n\
             \tld.volatile.shared.f32 %value, [%mine];\n"
            .to_owned();
        for bytes in [128, 64, 32, 16, 8, 4] {
            let _ = write!(
                text,
                "\tld.volatile.shared.f32 %summand, [%mine+{bytes}];\n\tadd.f32\t\t%value, %value, %summand;\n\
                 \tst.volatile.shared.f32 [%mine], %value;\n"
            );
        }
        let _ = write!(
            text,
            "\n\tsetp.eq.u32\t%first, %t, 0;\n{place}\t@%first st.global.f32 [%address], %value;\ndone:\n"
        );
        text
    }
}
