//! The PTX texts of both binnings: their common parts are filled into the templates.

use crate::template::fill;
use std::fmt::Write;

const LARGE: &str = include_str!("../../ptx/cutoff_large_bin.template");
const SMALL: &str = include_str!("../../ptx/cutoff_small_bin.template");

/// Points per thread, above each other.
const POINTS: u32 = 4;

/// Computes the block's region and its coordinates in the map.
const PLACE: &str = "\tmov.u32\t\t%rx, %ctaid.x;
\tld.param.u32\t%first, [first_x];
\tadd.u32\t\t%rx, %rx, %first;
\tmov.u32\t\t%ry, %ctaid.y;
\tld.param.u32\t%x, [rows];
\tdiv.u32\t\t%rz, %ry, %x;
\tmul24.lo.u32\t%offset, %rz, %x;
\tsub.u32\t\t%ry, %ry, %offset;
\tld.param.u32\t%first, [first_y];
\tadd.u32\t\t%ry, %ry, %first;
\tld.param.u32\t%first, [first_z];
\tadd.u32\t\t%rz, %rz, %first;
\tmov.u32\t\t%tx, %tid.x;
\tmov.u32\t\t%ty, %tid.y;
\tmov.u32\t\t%tz, %tid.z;
";

/// Computes the address of the first of the thread's four points; the others follow at distances of
/// 128 words.
const ADDRESS: &str = "\t// Addresses of my points, computed again: registers are scarce.
@PLACE@
\tld.param.u32\t%x, [high];
\tmul24.lo.u32\t%region, %rz, %x;
\tadd.u32\t\t%region, %region, %ry;
\tld.param.u32\t%x, [wide];
\tmul24.lo.u32\t%region, %region, %x;
\tadd.u32\t\t%region, %region, %rx;
\tshl.b32\t\t%region, %region, 9;
\tshl.b32\t\t%offset, %tz, 6;
\tadd.u32\t\t%region, %region, %offset;
\tshl.b32\t\t%offset, %ty, 3;
\tadd.u32\t\t%region, %region, %offset;
\tadd.u32\t\t%region, %region, %tx;
\tshl.b32\t\t%offset, %region, 2;
\tld.param.u32\t%address, [energies];
\tadd.u32\t\t%address, %address, %offset;";

/// Returns the kernel of large bins, with atoms in constant memory.
pub fn large() -> String {
    filled(LARGE, |k| {
        let at = 512 * k;
        format!(
            "\tld.global.f32\t%old, [%address+{at}];\n\tadd.f32\t\t%old, %old, %energy{k};\n\tst.global.f32\t[%address+{at}], %old;\n"
        )
    })
}

/// Returns the kernel of small bins, which loads them into shared memory.
pub fn small() -> String {
    filled(SMALL, |k| format!("\tst.global.f32\t[%address+{}], %energy{k};\n", 512 * k))
}

fn filled(template: &str, store: impl FnMut(u32) -> String) -> String {
    let values = [
        ("REGION", region()),
        ("ADDRESS", ADDRESS.to_owned()),
        ("PLACE", PLACE.trim_end().to_owned()),
        ("POINTS", (0..POINTS).map(point).collect()),
        ("STORE", (0..POINTS).map(store).collect()),
        ("FETCH", (0..2).map(fetch).collect()),
    ];
    fill(template, &values)
}

/// Computes the region of the block, and the coordinates of the thread's points.
fn region() -> String {
    let mut text = "\t// My block's region, and the position of my first point in it.\n@PLACE@\n".to_owned();
    let mut line =
        |args: std::fmt::Arguments<'_>| text.write_fmt(args).expect("writing to a string succeeds");
    line(format_args!("\tld.param.f32\t%spacing, [spacing];\n\tadd.f32\t\t%apart, %spacing, %spacing;\n"));
    for axis in ["x", "y", "z"] {
        line(format_args!("\tshl.b32\t\t%x, %r{axis}, 3;\n\tadd.u32\t\t%x, %x, %t{axis};\n"));
        line(format_args!("\tcvt.rn.f32.u32\t%coor{axis}, %x;\n"));
        line(format_args!("\tmul.f32\t\t%coor{axis}, %coor{axis}, %spacing;\n"));
    }
    for k in 0..POINTS {
        line(format_args!("\tmov.f32\t\t%energy{k}, 0f00000000;\n"));
    }
    line(format_args!("\tld.param.f32\t%cutoff2, [cutoff2];\n\tld.param.f32\t%falling, [falling];"));
    text
}

/// Handles one atom and one of the thread's points.
fn point(k: u32) -> String {
    let up = if k == 0 { "" } else { "\tadd.f32\t\t%dz, %dz, %apart;\n" };
    format!(
        "{up}\tmad.f32\t\t%r, %dz, %dz, %dxy;
\tsetp.lt.f32\t%near, %r, %cutoff2;
\t@!%near bra	far{k};
\tmad.f32\t\t%s, %r, %falling, 0f3F800000;	// 1 - r2 / cutoff2
\tmul.f32\t\t%s, %s, %s;
\trsqrt.approx.f32\t%r, %r;
\tmul.f32\t\t%s, %s, %r;
\tmad.f32\t\t%energy{k}, %aq, %s, %energy{k};
far{k}:
"
    )
}

/// Loads one of the thread's two words of eight bins.
fn fetch(half: u32) -> String {
    let entry = if half == 0 { "" } else { "\tadd.u32\t\t%x, %entry, 4;\n" };
    let number = if half == 0 { "%entry" } else { "%x" };
    format!(
        "{entry}\tsetp.lt.u32\t%there, {number}, %listed;
\tmov.u32\t\t%value, 0;
\t@%there ld.const.u32	%offset, [%list+{}];
\t@%there add.u32	%offset, %offset, %mine;
\t@%there ld.global.u32	%value, [%offset];
\tst.shared.u32	[%to+{}], %value;
",
        16 * half,
        512 * half
    )
}
