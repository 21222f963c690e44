//! The built-in functions of OpenCL C 1.1, one row each.
//!
//! A function of numbers has a row with its types and the function of one element in the headers of
//! the compiler; on vectors it is computed for each element. A type is one letter:
//!
//! | letter | type |
//! |---|---|
//! | `g` | the generic type of the row: a number or vector of its elements |
//! | `s` | the same, or one number for all elements |
//! | `i`, `n` | `int` or a vector of as many `int`; `n` also one number for all elements |
//! | `l`, `u` | signed or unsigned integers of the size of the elements |
//! | `r` | the result of a comparison: `int`, or a vector of `l` with -1 for true |
//! | `p`, `q` | pointer to `g`, pointer to `i`; the function has a pointer to one element |
//! | `w` | integers of twice the size of the elements |
//! | `v` | unsigned integers of the size of the elements of `g`, with its elements in `w` |

/// The elements for which a function exists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum On {
    /// `float` and `double`.
    Floats,
    /// `float` only.
    Single,
    /// All integers.
    Integers,
    /// `int` and `uint`.
    Words,
    /// Integers of at most 32 bits.
    Narrow,
    /// All numbers.
    Numbers,
}

/// What a function computes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// Elements, result, parameters, and the function of one element.
    Each(On, char, &'static str, &'static str),
    /// A number from all elements of all arguments: the function has as many parameters.
    All(On, &'static str),
    /// A function of the headers, with its overloads.
    Plain(&'static str),
    /// A function of the headers of a dimension. For a constant one its name ends with the axis:
    /// `_x`.
    OfAxis(&'static str),
    /// Another one.
    Other(Other),
}

/// Functions with rules that a row cannot have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Other {
    /// `select(a, b, c)`.
    Select,
    /// `cross`.
    Cross,
    /// `normalize` or (true) `fast_normalize`.
    Normalize(bool),
    /// `any` or (true) `all`.
    Any(bool),
    /// `shuffle` of one or two vectors.
    Shuffle(u8),
    /// `vec_step`.
    VecStep,
    /// `read_imagef`, `read_imagei`, `read_imageui`: the letter of the type.
    ReadImage(char),
    /// `write_imagef`, `write_imagei`, `write_imageui`.
    WriteImage(char),
    /// A property of an image.
    ImageQuery(ImageQuery),
}

/// A property of an image.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ImageQuery {
    /// `get_image_width`.
    Width,
    /// `get_image_height`.
    Height,
    /// `get_image_depth`.
    Depth,
    /// `get_image_channel_data_type`.
    DataType,
    /// `get_image_channel_order`.
    Order,
    /// `get_image_dim`.
    Dimensions,
}

impl ImageQuery {
    /// The instruction for an image that is read or written; of `Dimensions`, for the width.
    pub fn instruction(self, is_written: bool) -> &'static str {
        let [read, written] = match self {
            Self::Width | Self::Dimensions => ["txq.width", "suq.width"],
            Self::Height => ["txq.height", "suq.height"],
            Self::Depth => ["txq.depth", "suq.depth"],
            Self::DataType => ["txq.channel_data_type", "suq.channel_data_type"],
            Self::Order => ["txq.channel_order", "suq.channel_order"],
        };
        if is_written { written } else { read }
    }
}

/// A built-in function.
#[derive(Clone, Copy, Debug)]
pub struct FunctionRow {
    /// Name in OpenCL C.
    pub name: &'static str,
    /// What it computes.
    pub meaning: Meaning,
}

use Meaning::{All, Each, Plain};
use On::{Floats, Integers, Narrow, Numbers, Single, Words};

const fn each(
    name: &'static str,
    on: On,
    result: char,
    parameters: &'static str,
    function: &'static str,
) -> FunctionRow {
    FunctionRow { name, meaning: Each(on, result, parameters, function) }
}

/// A function of floating-point numbers with the name of its function in the headers.
const fn math(name: &'static str, parameters: &'static str) -> FunctionRow {
    each(name, Floats, 'g', parameters, name)
}

const fn plain(name: &'static str, function: &'static str) -> FunctionRow {
    FunctionRow { name, meaning: Plain(function) }
}

const fn of_axis(name: &'static str, function: &'static str) -> FunctionRow {
    FunctionRow { name, meaning: Meaning::OfAxis(function) }
}

const fn other(name: &'static str, meaning: Other) -> FunctionRow {
    FunctionRow { name, meaning: Meaning::Other(meaning) }
}

/// The functions that need the device math library.
pub const MATH: &[FunctionRow] = &[
    math("acos", "g"),
    math("acosh", "g"),
    each("acospi", Floats, 'g', "g", "__cl_acospi"),
    math("asin", "g"),
    math("asinh", "g"),
    each("asinpi", Floats, 'g', "g", "__cl_asinpi"),
    math("atan", "g"),
    math("atan2", "gg"),
    math("atanh", "g"),
    each("atanpi", Floats, 'g', "g", "__cl_atanpi"),
    each("atan2pi", Floats, 'g', "gg", "__cl_atan2pi"),
    math("cbrt", "g"),
    math("cos", "g"),
    math("cosh", "g"),
    math("cospi", "g"),
    math("erfc", "g"),
    math("erf", "g"),
    math("exp", "g"),
    math("exp2", "g"),
    math("exp10", "g"),
    math("expm1", "g"),
    math("fdim", "gg"),
    math("fmod", "gg"),
    each("fract", Floats, 'g', "gp", "__cl_fract"),
    each("frexp", Floats, 'g', "gq", "frexp"),
    math("hypot", "gg"),
    each("ilogb", Floats, 'i', "g", "__cl_ilogb"),
    each("ldexp", Floats, 'g', "gn", "ldexp"),
    math("lgamma", "g"),
    each("lgamma_r", Floats, 'g', "gq", "__cl_lgamma_r"),
    math("log", "g"),
    math("log2", "g"),
    math("log10", "g"),
    math("log1p", "g"),
    math("logb", "g"),
    each("modf", Floats, 'g', "gp", "modf"),
    math("nextafter", "gg"),
    each("pow", Floats, 'g', "gg", "__cl_pow"),
    each("pown", Floats, 'g', "gi", "__cl_pown"),
    each("powr", Floats, 'g', "gg", "__cl_powr"),
    math("remainder", "gg"),
    each("remquo", Floats, 'g', "ggq", "__cl_remquo"),
    each("rootn", Floats, 'g', "gi", "__cl_rootn"),
    math("round", "g"),
    math("sin", "g"),
    each("sincos", Floats, 'g', "gp", "__cl_sincos"),
    math("sinh", "g"),
    math("sinpi", "g"),
    math("tan", "g"),
    math("tanh", "g"),
    each("tanpi", Floats, 'g', "g", "__cl_tanpi"),
    math("tgamma", "g"),
    each("half_cos", Single, 'g', "g", "cos"),
    each("half_exp", Single, 'g', "g", "exp"),
    each("half_exp2", Single, 'g', "g", "exp2"),
    each("half_exp10", Single, 'g', "g", "exp10"),
    each("half_log", Single, 'g', "g", "log"),
    each("half_log2", Single, 'g', "g", "log2"),
    each("half_log10", Single, 'g', "g", "log10"),
    each("half_powr", Single, 'g', "gg", "__cl_powr"),
    each("half_sin", Single, 'g', "g", "sin"),
    each("half_tan", Single, 'g', "g", "tan"),
    each("native_cos", Single, 'g', "g", "__cosf"),
    each("native_exp", Single, 'g', "g", "__expf"),
    each("native_exp2", Single, 'g', "g", "__cl_native_exp2"),
    each("native_exp10", Single, 'g', "g", "__exp10f"),
    each("native_log", Single, 'g', "g", "__logf"),
    each("native_log2", Single, 'g', "g", "__log2f"),
    each("native_log10", Single, 'g', "g", "__log10f"),
    each("native_powr", Single, 'g', "gg", "__powf"),
    each("native_sin", Single, 'g', "g", "__sinf"),
    each("native_tan", Single, 'g', "g", "__tanf"),
];

/// The other functions.
pub const OTHERS: &[FunctionRow] = &[
    plain("get_work_dim", "__cl_get_work_dim"),
    of_axis("get_global_size", "__cl_get_global_size"),
    of_axis("get_global_id", "__cl_get_global_id"),
    of_axis("get_local_size", "__cl_get_local_size"),
    of_axis("get_local_id", "__cl_get_local_id"),
    of_axis("get_num_groups", "__cl_get_num_groups"),
    of_axis("get_group_id", "__cl_get_group_id"),
    of_axis("get_global_offset", "__cl_get_global_offset"),
    math("ceil", "g"),
    math("copysign", "gg"),
    math("fabs", "g"),
    math("floor", "g"),
    each("fma", Floats, 'g', "ggg", "__cl_fma"),
    each("fmax", Floats, 'g', "gs", "fmax"),
    each("fmin", Floats, 'g', "gs", "fmin"),
    each("mad", Floats, 'g', "ggg", "__cl_mad"),
    each("maxmag", Floats, 'g', "gg", "__cl_maxmag"),
    each("minmag", Floats, 'g', "gg", "__cl_minmag"),
    each("nan", Floats, 'g', "u", "__cl_nan"),
    math("rint", "g"),
    math("rsqrt", "g"),
    math("sqrt", "g"),
    math("trunc", "g"),
    each("half_divide", Single, 'g', "gg", "__cl_half_divide"),
    each("half_recip", Single, 'g', "g", "__cl_half_recip"),
    each("half_rsqrt", Single, 'g', "g", "rsqrt"),
    each("half_sqrt", Single, 'g', "g", "__cl_native_sqrt"),
    each("native_divide", Single, 'g', "gg", "__fdividef"),
    each("native_recip", Single, 'g', "g", "__cl_native_recip"),
    each("native_rsqrt", Single, 'g', "g", "rsqrt"),
    each("native_sqrt", Single, 'g', "g", "__cl_native_sqrt"),
    each("abs", Integers, 'u', "g", "__cl_abs"),
    each("abs_diff", Integers, 'u', "gg", "__cl_abs_diff"),
    each("add_sat", Integers, 'g', "gg", "__cl_add_sat"),
    each("hadd", Integers, 'g', "gg", "__cl_hadd"),
    each("rhadd", Integers, 'g', "gg", "__cl_rhadd"),
    each("clz", Integers, 'g', "g", "__cl_clz"),
    each("mad_hi", Integers, 'g', "ggg", "__cl_mad_hi"),
    each("mad_sat", Integers, 'g', "ggg", "__cl_mad_sat"),
    each("mul_hi", Integers, 'g', "gg", "__cl_mul_hi"),
    each("rotate", Integers, 'g', "gg", "__cl_rotate"),
    each("sub_sat", Integers, 'g', "gg", "__cl_sub_sat"),
    each("upsample", Narrow, 'w', "gv", "__cl_upsample"),
    each("mad24", Words, 'g', "ggg", "__cl_mad24"),
    each("mul24", Words, 'g', "gg", "__cl_mul24"),
    each("clamp", Numbers, 'g', "gss", "__cl_clamp"),
    each("max", Numbers, 'g', "gs", "__cl_max"),
    each("min", Numbers, 'g', "gs", "__cl_min"),
    each("degrees", Floats, 'g', "g", "__cl_degrees"),
    each("mix", Floats, 'g', "ggs", "__cl_mix"),
    each("radians", Floats, 'g', "g", "__cl_radians"),
    each("step", Floats, 'g', "sg", "__cl_step"),
    each("smoothstep", Floats, 'g', "ssg", "__cl_smoothstep"),
    each("sign", Floats, 'g', "g", "__cl_sign"),
    FunctionRow { name: "dot", meaning: All(Floats, "__cl_dot") },
    FunctionRow { name: "length", meaning: All(Floats, "__cl_length") },
    FunctionRow { name: "distance", meaning: All(Floats, "__cl_distance") },
    FunctionRow { name: "fast_length", meaning: All(Single, "__cl_fast_length") },
    FunctionRow { name: "fast_distance", meaning: All(Single, "__cl_fast_distance") },
    other("cross", Other::Cross),
    other("normalize", Other::Normalize(false)),
    other("fast_normalize", Other::Normalize(true)),
    each("isequal", Floats, 'r', "gg", "__cl_isequal"),
    each("isnotequal", Floats, 'r', "gg", "__cl_isnotequal"),
    each("isgreater", Floats, 'r', "gg", "__cl_isgreater"),
    each("isgreaterequal", Floats, 'r', "gg", "__cl_isgreaterequal"),
    each("isless", Floats, 'r', "gg", "__cl_isless"),
    each("islessequal", Floats, 'r', "gg", "__cl_islessequal"),
    each("islessgreater", Floats, 'r', "gg", "__cl_islessgreater"),
    each("isfinite", Floats, 'r', "g", "__cl_isfinite"),
    each("isinf", Floats, 'r', "g", "__cl_isinf"),
    each("isnan", Floats, 'r', "g", "__cl_isnan"),
    each("isnormal", Floats, 'r', "g", "__cl_isnormal"),
    each("isordered", Floats, 'r', "gg", "__cl_isordered"),
    each("isunordered", Floats, 'r', "gg", "__cl_isunordered"),
    each("signbit", Floats, 'r', "g", "__cl_signbit"),
    other("any", Other::Any(false)),
    other("all", Other::Any(true)),
    each("bitselect", Numbers, 'g', "ggg", "__cl_bitselect"),
    other("select", Other::Select),
    other("shuffle", Other::Shuffle(1)),
    other("shuffle2", Other::Shuffle(2)),
    other("vec_step", Other::VecStep),
    plain("barrier", "__cl_barrier"),
    plain("mem_fence", "__cl_mem_fence"),
    plain("read_mem_fence", "__cl_mem_fence"),
    plain("write_mem_fence", "__cl_mem_fence"),
    plain("async_work_group_copy", "__cl_async_work_group_copy"),
    plain("async_work_group_strided_copy", "__cl_async_work_group_strided_copy"),
    plain("wait_group_events", "__cl_wait_group_events"),
    plain("prefetch", "__cl_prefetch"),
    plain("atomic_add", "__cl_atomic_add"),
    plain("atomic_sub", "__cl_atomic_sub"),
    plain("atomic_xchg", "__cl_atomic_xchg"),
    plain("atomic_inc", "__cl_atomic_inc"),
    plain("atomic_dec", "__cl_atomic_dec"),
    plain("atomic_cmpxchg", "__cl_atomic_cmpxchg"),
    plain("atomic_min", "__cl_atomic_min"),
    plain("atomic_max", "__cl_atomic_max"),
    plain("atomic_and", "__cl_atomic_and"),
    plain("atomic_or", "__cl_atomic_or"),
    plain("atomic_xor", "__cl_atomic_xor"),
    // The names of the extensions of OpenCL 1.0.
    plain("atom_add", "__cl_atomic_add"),
    plain("atom_sub", "__cl_atomic_sub"),
    plain("atom_xchg", "__cl_atomic_xchg"),
    plain("atom_inc", "__cl_atomic_inc"),
    plain("atom_dec", "__cl_atomic_dec"),
    plain("atom_cmpxchg", "__cl_atomic_cmpxchg"),
    plain("atom_min", "__cl_atomic_min"),
    plain("atom_max", "__cl_atomic_max"),
    plain("atom_and", "__cl_atomic_and"),
    plain("atom_or", "__cl_atomic_or"),
    plain("atom_xor", "__cl_atomic_xor"),
    other("read_imagef", Other::ReadImage('f')),
    other("read_imagei", Other::ReadImage('i')),
    other("read_imageui", Other::ReadImage('u')),
    other("write_imagef", Other::WriteImage('f')),
    other("write_imagei", Other::WriteImage('i')),
    other("write_imageui", Other::WriteImage('u')),
    other("get_image_width", Other::ImageQuery(ImageQuery::Width)),
    other("get_image_height", Other::ImageQuery(ImageQuery::Height)),
    other("get_image_depth", Other::ImageQuery(ImageQuery::Depth)),
    other("get_image_channel_data_type", Other::ImageQuery(ImageQuery::DataType)),
    other("get_image_channel_order", Other::ImageQuery(ImageQuery::Order)),
    other("get_image_dim", Other::ImageQuery(ImageQuery::Dimensions)),
];

/// The row of a function.
pub fn find(name: &str) -> Option<&'static FunctionRow> {
    MATH.iter().chain(OTHERS).find(|row| row.name == name)
}

/// Whether a function needs the device math library.
pub fn needs_library(name: &str) -> bool {
    MATH.iter().any(|row| row.name == name)
}
