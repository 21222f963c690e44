//! Texts of the kernels of plans, by name.

use kernels::RunError;
use kernels::coulomb::Version;
use kernels::matmul::{Barriers, Tiled};
use kernels::reduce::{CORRECTED, End, PRINTED, UNROLLED, Variant};

/// Kernels of the experiments by name.
const FILES: [(&str, &str); 19] = [
    ("arithmetic.template", include_str!("../../../../kernels/ptx/book/arithmetic.template")),
    ("automatic_array.template", include_str!("../../../../kernels/ptx/book/automatic_array.template")),
    ("barriers.ptx", include_str!("../../../../kernels/ptx/book/barriers.ptx")),
    ("chain.ptx", include_str!("../../../../kernels/ptx/book/chain.ptx")),
    ("coulomb.cl", include_str!("../../../../kernels/opencl/coulomb.cl")),
    ("coulomb.cu", include_str!("../../../../kernels/cuda/coulomb.cu")),
    ("constants.template", include_str!("../../../../kernels/ptx/book/constants.template")),
    ("counting.ptx", include_str!("../../../../kernels/ptx/book/counting.ptx")),
    ("divergence.ptx", include_str!("../../../../kernels/ptx/book/divergence.ptx")),
    ("functions.ptx", include_str!("../../../../kernels/ptx/book/functions.ptx")),
    ("gather.template", include_str!("../../../../kernels/ptx/book/gather.template")),
    ("generic.template", include_str!("../../../../kernels/ptx/book/generic.template")),
    ("guards.ptx", include_str!("../../../../kernels/ptx/book/guards.ptx")),
    ("in_order.ptx", include_str!("../../../../kernels/ptx/book/in_order.ptx")),
    ("indices.cl", include_str!("../../../../kernels/opencl/indices.cl")),
    ("indices.ptx", include_str!("../../../../kernels/ptx/book/indices.ptx")),
    ("lines.template", include_str!("../../../../kernels/ptx/book/lines.template")),
    ("one_sum.ptx", include_str!("../../../../kernels/ptx/book/one_sum.ptx")),
    ("walk.ptx", include_str!("../../../../kernels/ptx/book/walk.ptx")),
];

/// Returns the file and the text of a name: of a file; of a built-in workload; `tiles of N` for the
/// matrix product with square tiles, then `unrolled`, `prefetching` or a missing barrier;
/// `transpose of N` for the transpose in place of square blocks; a version of `coulomb`; a `dot
/// product`.
///
/// # Errors
/// There is no text of this name.
pub fn text(name: &str) -> Result<(&'static str, String), RunError> {
    let own =
        || FILES.into_iter().find(|(file, _)| *file == name).map(|(file, text)| (file, text.to_owned()));
    let workload = || kernels::find(name).map(|workload| (workload.file, workload.ptx.to_owned()));
    let found =
        own().or_else(workload).or_else(|| tiles(name)).or_else(|| blocks(name)).or_else(|| version(name));
    found.or_else(|| products(name)).ok_or_else(|| RunError::Unknown(name.to_owned()))
}

fn tiles(name: &str) -> Option<(&'static str, String)> {
    let (side, ways) = name
        .strip_prefix("tiles of ")?
        .split_once(' ')
        .map_or_else(|| Some((name.strip_prefix("tiles of ")?, "")), Some)?;
    let plain = Tiled::new(side.parse().ok()?);
    let tiled = match ways {
        "" => plain,
        "unrolled" => plain.unrolled(),
        "unrolled prefetching" => plain.unrolled().prefetching(),
        "without the first barrier" => plain.barriers(Barriers::WithoutFirst),
        "without the second barrier" => plain.barriers(Barriers::WithoutSecond),
        _ => return None,
    };
    Some(("matmul.ptx", tiled.text()))
}

fn blocks(name: &str) -> Option<(&'static str, String)> {
    let of = name.strip_prefix("transpose of ")?;
    let side = of.strip_suffix(" without its barrier");
    let text = kernels::transpose::text(side.unwrap_or(of).parse().ok()?, side.is_none());
    Some(("block_transpose.ptx", text))
}

fn version(name: &str) -> Option<(&'static str, String)> {
    let version = match name.strip_prefix("coulomb ")? {
        "1" => Version::FIRST,
        "2" => Version::ADJACENT,
        "3" => Version::COALESCED,
        _ => return None,
    };
    Some((kernels::coulomb::version::FILE, version.text()))
}

fn products(name: &str) -> Option<(&'static str, String)> {
    let variant = match name.strip_prefix("dot product ")? {
        "as printed" => PRINTED,
        "with a barrier" => CORRECTED,
        "thread 0 alone" => Variant { end: End::First, ..PRINTED },
        "unrolled" => UNROLLED,
        _ => return None,
    };
    Some(("dot_product.ptx", variant.text()))
}
