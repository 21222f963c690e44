//! The PTX text of the histograms: the contents of the template's placeholders.

use crate::template::{define, fill};

const PTX: &str = include_str!("../../ptx/histogram.template");
const CUDA: &str = include_str!("../../cuda/histogram.cu");

/// Memory of the counts, and access size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Global memory, one byte per thread: from capability 1.1 on.
    Bytes,
    /// Global memory, one word per thread.
    Words,
    /// Shared memory, any number of words per thread, then merged: from capability 1.2 on.
    Shared,
    /// The same as a compiler generates it for capability 2.0: one instruction extracts a byte.
    SharedFermi,
}

impl Kind {
    /// Fills the template, with a title and lines on the points of interest.
    pub fn text(self, title: &str, look: &[&str]) -> String {
        let (version, target) = match self {
            Self::Bytes | Self::Words => ("1.4", "sm_11"),
            Self::Shared => ("1.4", "sm_12"),
            Self::SharedFermi => ("2.1", "sm_20"),
        };
        let shared = self.is_shared();
        let element = match self {
            Self::Bytes => "byte",
            Self::Words => "word, which is four bytes",
            _ => "`words` words, 256 words apart",
        };
        let array = if shared { "\t.shared .align 4 .u32 counts[256];\n" } else { "" };
        let by_words = if shared { " * words" } else { "" };
        let values = [
            ("TITLE", title.to_owned()),
            ("BY_WORDS", by_words.to_owned()),
            ("PSEUDO", self.pseudo().to_owned()),
            ("ELEMENT", element.to_owned()),
            ("LOOK", look.iter().flat_map(|line| ["//   * ", line, "\n"]).collect()),
            ("VERSION", version.to_owned()),
            ("TARGET", target.to_owned()),
            ("PARAMS", self.parameters().to_owned()),
            ("SHARED", array.to_owned()),
            ("BEFORE", if shared { format!("{CLEAR}\n") } else { String::new() }),
            ("BODY", self.body()),
        ];
        fill(PTX, &values)
    }

    /// Returns the kernel in CUDA C.
    pub fn cuda(self) -> String {
        let element = match self {
            Self::Bytes => "BYTE",
            Self::Words => "WORD",
            Self::Shared | Self::SharedFermi => "WORDS",
        };
        define(&[("ELEMENT", element.to_owned())], CUDA)
    }

    /// Whether the counts are in shared memory.
    pub fn is_shared(self) -> bool {
        matches!(self, Self::Shared | Self::SharedFermi)
    }

    /// Pseudocode as lines of a comment.
    fn pseudo(self) -> &'static str {
        match self {
            Self::Bytes => {
                "//   bins[in[i]] += 1                                    an atomic on global memory\n"
            }
            Self::Words => {
                "//   word = in[i]\n\
                 //   for each byte of the word:\n\
                 //       bins[byte] += 1                                 an atomic on global memory\n"
            }
            _ => {
                "//   counts: 256 words, shared by the block\n\
                 //   counts[t] = 0\n\
                 //   wait for the block\n\
                 //   words times:\n\
                 //       for each byte of in[i]:\n\
                 //           counts[byte] += 1                           an atomic on shared memory\n\
                 //       i += 256\n\
                 //   wait for the block\n\
                 //   bins[t] += counts[t]                                an atomic on global memory\n"
            }
        }
    }

    fn parameters(self) -> &'static str {
        if self.is_shared() {
            "\t\t.param .u32 in,\t\t// address of the words, 256 * words for each block\n\
             \t\t.param .u32 bins,\t// address of the 256 bins\n\
             \t\t.param .u32 words)\t// words of a thread, at least 1"
        } else {
            "\t\t.param .u32 in,\t\t// address of the input\n\
             \t\t.param .u32 bins)\t// address of the 256 bins"
        }
    }

    fn body(self) -> String {
        let read = |shift: &str, load: &str| {
            format!(
                "\tshl.b32\t\t%i, %block, 8;\n\tadd.u32\t\t%i, %i, %t;\n{shift}\
                 \tld.param.u32\t%in, [in];\n\tadd.u32\t\t%in, %in, %i;\n\
                 \tld.param.u32\t%bins, [bins];\n\tld.global.{load}, [%in];\n"
            )
        };
        match self {
            Self::Bytes => read("", "u8\t%byte") + &self.count(""),
            Self::Words => read("\tshl.b32\t\t%i, %i, 2;\n", "u32\t%word") + &self.count_all(),
            Self::Shared | Self::SharedFermi => format!("{LOOP}{}{END}", self.count_all()),
        }
    }

    /// Counts the four bytes of `%word`, lowest first.
    fn count_all(self) -> String {
        let middle = |shift: u32| match self {
            Self::SharedFermi => format!("\tbfe.u32\t\t%byte, %word, {shift}, 8;\n"),
            _ => format!("\tshr.u32\t\t%byte, %word, {shift};\n\tand.b32\t\t%byte, %byte, 255;\n"),
        };
        self.count("\tand.b32\t\t%byte, %word, 255;\n")
            + &self.count(&middle(8))
            + &self.count(&middle(16))
            + &self.count("\tshr.u32\t\t%byte, %word, 24;\n")
    }

    /// Counts `%byte`, which `take` extracts.
    fn count(self, take: &str) -> String {
        let (array, space) = if self.is_shared() { ("counts", "shared") } else { ("bins", "global") };
        format!(
            "{take}\tshl.b32\t\t%place, %byte, 2;\n\tadd.u32\t\t%place, %place, %{array};\n\
             \tred.{space}.add.u32\t[%place], 1;\n"
        )
    }
}

/// Clears the block's counts.
const CLEAR: &str = "\t// My bin begins at zero; all bins must be zero before any thread counts.
\tmov.u32\t\t%counts, counts;
	shl.b32\t\t%offset, %t, 2;
	add.u32\t\t%mine, %counts, %offset;
	st.shared.u32\t[%mine], 0;
	bar.sync\t0;
";
/// Beginning of the loop over a thread's words.
const LOOP: &str = "\tld.param.u32\t%left, [words];
	mul.lo.u32\t%i, %block, %left;
	shl.b32\t\t%i, %i, 8;
	add.u32\t\t%i, %i, %t;
	shl.b32\t\t%offset, %i, 2;
	ld.param.u32\t%in, [in];
	add.u32\t\t%in, %in, %offset;
word:
	ld.global.u32\t%word, [%in];
";
/// End of the loop, and the merge.
const END: &str = "\tadd.u32\t\t%in, %in, 1024;
	sub.u32\t\t%left, %left, 1;
	setp.ne.u32\t%more, %left, 0;
	@%more bra\tword;

\t// All have counted: my bin goes to the result.
	bar.sync\t0;
	ld.shared.u32\t%count, [%mine];
	shl.b32\t\t%offset, %t, 2;
	ld.param.u32\t%bins, [bins];
	add.u32\t\t%bins, %bins, %offset;
	red.global.add.u32\t[%bins], %count;";
