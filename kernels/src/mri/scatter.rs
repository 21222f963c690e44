//! The kernels with one thread per sample (figure 8.5), as variants of one template
//! (`ptx/mri_scatter.template`): how a thread adds to a sum that all threads share.

use super::text::{Head, OF_SOFTWARE, PRODUCT, TWO_OVER_PI, points, software_trig};
use crate::template::{define, fill};

const PTX: &str = include_str!("../../ptx/mri_scatter.template");
const CUDA: &str = include_str!("../../cuda/mri_scatter.cu");
/// Threads per block.
pub const THREADS: u32 = 256;

/// How a thread adds to a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Update {
    /// Load, add, store, as in the figure: concurrent additions are lost.
    Racing,
    /// A loop with compare and swap: from capability 1.1 on.
    Swap,
    /// A floating-point atomic: from capability 2.0 on.
    Atomic,
}

impl Update {
    /// Fills the template.
    pub fn text(self, head: &Head) -> String {
        let (version, target, how) = match self {
            Self::Racing => ("1.4", "sm_10", "load, add, store"),
            Self::Swap => ("1.4", "sm_11", "compare and swap, until no other thread came first"),
            Self::Atomic => ("2.1", "sm_20", "atomicAdd"),
        };
        let values = [
            ("TITLE", head.title.to_owned()),
            ("HOW", how.to_owned()),
            ("THREADS", THREADS.to_string()),
            ("LOOK", points(head.look).trim_end().to_owned()),
            ("VERSION", version.to_owned()),
            ("TARGET", target.to_owned()),
            ("CONSTANTS", TWO_OVER_PI.to_owned()),
            ("LOCALS", PRODUCT.to_owned()),
            ("SOFTWARE", OF_SOFTWARE.to_owned()),
            ("TRIG", software_trig("cos") + &software_trig("sin")),
            ("UPDATES", self.to("re", "part_re") + &self.to("im", "part_im")),
        ];
        fill(PTX, &values)
    }

    /// Returns the kernel in CUDA C.
    pub fn cuda(self) -> String {
        let update = match self {
            Self::Racing => "RACING",
            Self::Swap => "SWAP",
            Self::Atomic => "ATOMIC",
        };
        define(&[("UPDATE", update.to_owned())], CUDA)
    }

    /// Adds `%part` to the word at `%sum`.
    fn to(self, sum: &str, part: &str) -> String {
        match self {
            Self::Racing => format!(
                "\tld.global.f32\t%sum, [%{sum}];\n\tadd.f32\t\t%sum, %sum, %{part};\n\
                 \tst.global.f32\t[%{sum}], %sum;\t\t// of concurrent stores only one remains\n"
            ),
            Self::Swap => format!(
                "\tmov.u32\t\t%old, 0;\t\t\t\t// a guess: the first attempt reads the value\n{sum}_again:\n\
                 \tmov.b32\t\t%sum, %old;\n\tadd.f32\t\t%sum, %sum, %{part};\n\tmov.b32\t\t%new, %sum;\n\
                 \tatom.global.cas.b32\t%found, [%{sum}], %old, %new;\n\
                 \tsetp.ne.u32\t%lost, %found, %old;\t\t// another thread came first: retry with its value\n\
                 \tmov.u32\t\t%old, %found;\n\t@%lost bra\t{sum}_again;\n"
            ),
            Self::Atomic => format!("\tred.global.add.f32\t[%{sum}], %{part};\n"),
        }
    }
}
