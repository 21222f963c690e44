//! Instructions of PTX up to version 8.8 and their modifiers that the simulator knows only by name.
//!
//! Source: the sections "PTX ISA Notes" and "Target ISA Notes" of each instruction in NVIDIA's
//! manual (PTX ISA 8.8), for the instruction's oldest form.

/// Instructions without a row in the table of forms: name, the PTX version that introduced it, and
/// the minimum `sm_` target.
#[rustfmt::skip]
pub(super) const KNOWN: &[(&str, (u8, u8), u32)] = &[
    ("sured", (2, 0), 20),
    ("tld4", (2, 2), 20),
    ("vabsdiff2", (3, 0), 30),
    ("vabsdiff4", (3, 0), 30),
    ("vadd2", (3, 0), 30),
    ("vadd4", (3, 0), 30),
    ("vavrg2", (3, 0), 30),
    ("vavrg4", (3, 0), 30),
    ("vmax2", (3, 0), 30),
    ("vmax4", (3, 0), 30),
    ("vmin2", (3, 0), 30),
    ("vmin4", (3, 0), 30),
    ("vset2", (3, 0), 30),
    ("vset4", (3, 0), 30),
    ("vsub2", (3, 0), 30),
    ("vsub4", (3, 0), 30),
    ("istypep", (4, 0), 30),
    ("dp2a", (5, 0), 61),
    ("dp4a", (5, 0), 61),
    ("barrier", (6, 0), 30),
    ("brx", (6, 0), 30),
    ("fence", (6, 0), 70),
    ("fns", (6, 0), 30),
    ("match", (6, 0), 70),
    ("wmma", (6, 0), 70),
    ("nanosleep", (6, 2), 70),
    ("mma", (6, 4), 70),
    ("ldmatrix", (6, 5), 75),
    ("cp", (7, 0), 80),
    ("mbarrier", (7, 0), 80),
    ("redux", (7, 0), 80),
    ("tanh", (7, 0), 75),
    ("alloca", (7, 3), 52),
    ("stackrestore", (7, 3), 52),
    ("stacksave", (7, 3), 52),
    ("applypriority", (7, 4), 80),
    ("createpolicy", (7, 4), 80),
    ("discard", (7, 4), 80),
    ("bmsk", (7, 6), 70),
    ("szext", (7, 6), 70),
    ("getctarank", (7, 8), 90),
    ("griddepcontrol", (7, 8), 90),
    ("mapa", (7, 8), 90),
    ("movmatrix", (7, 8), 75),
    ("stmatrix", (7, 8), 90),
    ("elect", (8, 0), 90),
    ("setmaxnreg", (8, 0), 90),
    ("wgmma", (8, 0), 90),
    ("multimem", (8, 1), 90),
    ("tensormap", (8, 3), 90),
    ("clusterlaunchcontrol", (8, 6), 100),
    ("tcgen05", (8, 6), 100),
];

/// The instructions of [`KNOWN`] that access surfaces.
pub(super) const SURFACES: &[&str] = &["sured"];

/// Modifiers of later PTX without an equal in a form: name, the PTX version that introduced it, and
/// the minimum `sm_` target, for its oldest instruction.
#[rustfmt::skip]
pub(super) const LATER: &[(&str, (u8, u8), u32)] = &[
    ("f16", (4, 2), 53),
    ("f16x2", (4, 2), 53),
    ("noftz", (6, 2), 70),
    ("pack", (6, 5), 72),
    ("bf16", (7, 0), 80),
    ("bf16x2", (7, 0), 80),
    ("NaN", (7, 0), 80),
    ("relu", (7, 0), 80),
    ("rna", (7, 0), 80),
    ("tf32", (7, 0), 80),
    ("xorsign", (7, 2), 86),
    ("L2::evict_last", (7, 4), 80),
    ("L2::evict_normal", (7, 4), 80),
    ("e4m3x2", (7, 8), 89),
    ("e5m2x2", (7, 8), 89),
    ("shared::cluster", (7, 8), 90),
    ("s16x2", (8, 0), 90),
    ("u16x2", (8, 0), 90),
    ("satfinite", (8, 1), 80),
    ("async", (8, 1), 90),
    ("oob", (8, 1), 90),
    ("unified", (8, 1), 90),
    ("mmio", (8, 2), 70),
    ("b128", (8, 3), 70),
    ("rs", (8, 6), 100),
    ("f32x2", (8, 6), 100),
    ("v8", (8, 8), 100),
    ("L2::evict_first", (8, 8), 100),
];
