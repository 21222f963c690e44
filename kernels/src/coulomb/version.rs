//! The three versions of direct summation: their text, generated from one template, and their
//! points per thread.

use isa::types::Dim3;
use std::fmt::Write;

/// PTX template of all versions.
const TEMPLATE: &str = include_str!("../../ptx/coulomb.template");
/// All versions in CUDA C.
const CUDA: &str = include_str!("../../cuda/coulomb.cu");
/// Rows and columns of threads in a block.
pub const SIDE: u32 = 16;
/// Shape of a block.
pub const BLOCK: Dim3 = Dim3::new(SIDE, SIDE, 1);
/// Number of atoms that fit into constant memory; further atoms need another launch.
pub const ATOMS: usize = 4000;
/// File name of the text in messages.
pub const FILE: &str = "coulomb.ptx";
/// Name of the kernel.
pub const ENTRY: &str = "coulomb";

/// A version of the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Version {
    /// Points per thread.
    pub points: u32,
    /// Distance between the points of a thread: 1, or the width of a block, so that the points of
    /// neighboring threads are adjacent.
    pub apart: u32,
}

impl Version {
    /// Figure 9.5: one point per thread.
    pub const FIRST: Self = Self { points: 1, apart: 1 };
    /// Figure 9.7: four adjacent points.
    pub const ADJACENT: Self = Self { points: 4, apart: 1 };
    /// Figure 9.9: eight points, a block's width apart.
    pub const COALESCED: Self = Self { points: 8, apart: SIDE };

    /// Floating-point operations per point and atom, as the book counts them: 10, 7.75, 7.375.
    /// Three for dy and its square, which the points of a thread share, and seven for each point.
    pub fn flops(self) -> f64 {
        f64::from(3 + 7 * self.points) / f64::from(self.points)
    }

    /// Points of a block along x and y; a slice is padded to a multiple of them.
    pub fn tile(self) -> [u32; 2] {
        [SIDE * self.points, SIDE]
    }

    /// Returns the PTX text of the kernel.
    pub fn text(self) -> String {
        let Self { points, apart } = self;
        // With adjacent points, a thread's first point is `points` times its index.
        let first = if apart == 1 {
            format!("\tadd.u32\t\t%x, %x, %tx;\n\tmul24.lo.u32\t%x, %x, {points};")
        } else {
            format!("\tmad24.lo.u32\t%x, %x, {points}, %tx;")
        };
        let values = [
            ("POINTS_X", self.coordinates()),
            ("POINTS", points.to_string()),
            ("FIRST_X", first),
            ("APART", format!("0f{:08X}", (apart as f32).to_bits())),
            ("APART_POINTS", apart.to_string()),
            ("ATOM", self.atom()),
            ("STORE", self.store()),
        ];
        crate::template::fill(TEMPLATE, &values)
    }

    /// Returns the kernel in CUDA C.
    pub fn cuda(self) -> String {
        let values = [("POINTS", self.points.to_string()), ("APART", self.apart.to_string())];
        crate::template::define(&values, CUDA)
    }

    /// Initializes the energies and, if they are kept, the coordinates of the points. The third
    /// version computes its distances from that of the first point.
    fn coordinates(self) -> String {
        self.each(|text, k| {
            if k > 0 && self.apart == 1 {
                writeln!(text, "\tadd.f32\t\t%coorx{k}, %coorx{}, %apart;", k - 1)?;
            }
            writeln!(text, "\tmov.f32\t\t%energy{k}, 0f00000000;")
        })
    }

    /// Returns the instructions for one atom.
    fn atom(self) -> String {
        let y = "\tld.const.f32\t%ay, [%atom+4];\n\tsub.f32\t\t%dy, %coory, %ay;\n";
        if self.points == 1 {
            // dx * dx + dy * dy + z, from left to right
            return "\tld.const.f32\t%ax, [%atom];\n\tsub.f32\t\t%dx, %coorx0, %ax;\n".to_owned()
                + y
                + "\tmul.f32\t\t%r, %dx, %dx;\n\tmad.f32\t\t%r, %dy, %dy, %r;\n"
                + "\tld.const.f32\t%az, [%atom+8];\n\tadd.f32\t\t%r, %r, %az;\n"
                + &charge(0);
        }
        y.to_owned()
            + "\tld.const.f32\t%az, [%atom+8];\n\tmad.f32\t\t%dyz, %dy, %dy, %az;\n"
            + &self.each(|text, k| {
                if k > 0 && self.apart != 1 {
                    writeln!(text, "\tadd.f32\t\t%dx, %dx, %apart;")?;
                } else {
                    writeln!(text, "\tld.const.f32\t%ax, [%atom];\n\tsub.f32\t\t%dx, %coorx{k}, %ax;")?;
                }
                writeln!(text, "\tmad.f32\t\t%r, %dx, %dx, %dyz;")?;
                text.write_str(&charge(k))
            })
    }

    /// Adds the energies to the values in memory.
    fn store(self) -> String {
        self.each(|text, k| {
            let at = 4 * k * self.apart;
            writeln!(text, "\tld.global.f32\t%old, [%address+{at}];\n\tadd.f32\t\t%old, %old, %energy{k};")?;
            writeln!(text, "\tst.global.f32\t[%address+{at}], %old;")
        })
    }

    /// Concatenates the output of `line` for each point.
    fn each(self, mut line: impl FnMut(&mut String, u32) -> std::fmt::Result) -> String {
        let mut text = String::new();
        for k in 0..self.points {
            line(&mut text, k).expect("writing to a string succeeds");
        }
        text
    }
}

/// Adds the charge divided by the root of `%r` to the energy of a point.
fn charge(point: u32) -> String {
    format!(
        "\trsqrt.approx.f32\t%r, %r;\n\tld.const.f32\t%aw, [%atom+12];\n\tmad.f32\t\t%energy{point}, %aw, %r, %energy{point};\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests: `operations-as-published`.
    #[test]
    fn operations_are_counted_as_published() {
        let versions = [Version::FIRST, Version::ADJACENT, Version::COALESCED];
        assert_eq!(versions.map(|v| (1000.0 * v.flops()) as u32), [10_000, 7750, 7375]);
    }

    #[test]
    fn no_placeholder_of_the_template_remains() {
        for version in [Version::FIRST, Version::ADJACENT, Version::COALESCED] {
            assert!(!version.text().replace("@%more", "").contains('@'), "{version:?}");
        }
    }
}
