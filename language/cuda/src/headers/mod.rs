//! The headers that are part of the compiler.

use crate::target::Side;
use std::path::Path;

/// A header of the compiler.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Header {
    /// Name and text.
    Text(&'static str, &'static str),
    /// A header that only host code needs: it is empty here.
    HostOnly,
    /// A header of the host, of which this compiler has nothing.
    Absent,
    /// A header that is refused, and what to do instead.
    Refused(&'static str),
}

/// The prelude: what `cuda_runtime.h` declares. It is part of every program.
pub const PRELUDE: [(&str, &str); 13] = [
    ("<types>", include_str!("types.cuh")),
    PITCHED,
    ERRORS,
    ("<device>", include_str!("device.cuh")),
    ("<objects>", include_str!("objects.cuh")),
    ("integers.h", include_str!("../../../include/device/integers.h")),
    ("floats.h", include_str!("../../../include/device/floats.h")),
    ("<math>", include_str!("math.cuh")),
    CONSTANTS_OF_MATH,
    ("classes.h", include_str!("../../../include/device/classes.h")),
    ("masks.h", include_str!("../../../include/device/masks.h")),
    ("old_names.h", include_str!("../../../include/device/old_names.h")),
    ("<std>", include_str!("std.cuh")),
];

/// What `cuda.h` has without the library of the driver.
const DRIVER: &str = concat!(
    "#define CUDA_VERSION 8000\n#include <cuda_runtime_api.h>\n",
    include_str!("../../../include/driver_results.h"),
    include_str!("driver.cuh"),
);

/// Structures of the runtime API, which both halves have.
const PITCHED: (&str, &str) = ("pitched_types.h", include_str!("../../../include/device/pitched_types.h"));

/// Error codes of the runtime API, which both halves have.
const ERRORS: (&str, &str) = ("error_types.h", include_str!("../../../include/device/error_types.h"));

/// The prelude of OpenCL C. Its names are hidden from the program: `crate::opencl::rows` has the
/// functions that a program can call.
const OPEN_CL_PRELUDE: [(&str, &str); 6] = [
    ("<types>", include_str!("types.cuh")),
    ("<device>", include_str!("device.cuh")),
    ("integers.h", include_str!("../../../include/device/integers.h")),
    ("floats.h", include_str!("../../../include/device/floats.h")),
    ("<math>", include_str!("math.cuh")),
    ("<opencl>", include_str!("opencl.cuh")),
];

/// What OpenCL C has beside the device math library.
pub const OPEN_CL_MATH: (&str, &str) = ("<opencl math>", include_str!("opencl_math.cuh"));

/// What a program in OpenCL C sees of the macros: those of the prelude are removed.
pub const OPEN_CL_PROGRAM: (&str, &str) = ("<opencl macros>", include_str!("opencl_macros.cuh"));

/// The device math library and the operations on the lanes of a word, which clang uses too. They
/// are part of the programs that use one of the [`library_names`], or a name with [`LANES`].
pub const LIBRARY: [(&str, &str); 15] = [
    ("<library>", include_str!("library.cuh")),
    ("base.h", include_str!("../../../include/math/base.h")),
    ("coefficients.h", include_str!("../../../include/math/coefficients.h")),
    ("basic.h", include_str!("../../../include/math/basic.h")),
    ("exp_log.h", include_str!("../../../include/math/exp_log.h")),
    ("trig.h", include_str!("../../../include/math/trig.h")),
    ("root.h", include_str!("../../../include/math/root.h")),
    ("special.h", include_str!("../../../include/math/special.h")),
    ("bessel.h", include_str!("../../../include/math/bessel.h")),
    ("single.h", include_str!("../../../include/math/single.h")),
    ("fast.h", include_str!("../../../include/math/fast.h")),
    ("kinds.h", include_str!("../../../include/math/kinds.h")),
    ("names.h", NAMES),
    ("<overloads>", include_str!("overloads.cuh")),
    ("simd.h", include_str!("../../../include/device/simd.h")),
];

/// How the operations on the lanes of a word start.
pub const LANES: &str = "__v";

const NAMES: &str = include_str!("../../../include/math/names.h");

/// The names of the functions of [`LIBRARY`], without the suffix `f` of most functions of `float`.
pub fn library_names() -> impl Iterator<Item = &'static str> {
    let rows = NAMES.lines().take_while(|line| *line != "#ifndef __WARPSIM__");
    rows.filter_map(|line| line.strip_prefix("__WM_")?.split_once('(')?.1.split(',').next())
}

/// `math_constants.h`, which CUDA's mathematical functions include.
const CONSTANTS_OF_MATH: (&str, &str) =
    ("<math constants>", include_str!("../../../include/math_constants.h"));

/// The prelude of host code: the runtime API, whose headers clang uses too, and the C library.
const HOST_PRELUDE: [(&str, &str); 14] = [
    ("<types>", include_str!("types.cuh")),
    PITCHED,
    ERRORS,
    ("driver_types.h", include_str!("../../../include/driver_types.h")),
    ("surface_types.h", include_str!("../../../include/surface_types.h")),
    ("texture_types.h", include_str!("../../../include/texture_types.h")),
    ("cuda_runtime_api.h", include_str!("../../../include/cuda_runtime_api.h")),
    ("driver_functions.h", include_str!("../../../include/driver_functions.h")),
    ("channel_descriptor.h", include_str!("../../../include/channel_descriptor.h")),
    ("<templates>", include_str!("../../../include/device/templates.h")),
    ("<objects>", include_str!("objects.cuh")),
    ("<host>", include_str!("host.cuh")),
    CONSTANTS_OF_MATH,
    ("<textures>", include_str!("../../../include/device/texture_types.h")),
];

/// The prelude of a program in C: the C library.
const C_PRELUDE: [(&str, &str); 2] =
    [("<types>", include_str!("types.cuh")), ("<host>", include_str!("host.cuh"))];

/// The macros of NVIDIA's headers that say that they are included. Programs and their utility
/// headers ask for them.
pub const GUARDS: &str = "__CUDA_RUNTIME_H__ __CUDA_RUNTIME_API_H__ __DRIVER_TYPES_H__ __DRIVER_FUNCTIONS_H__ \
    __VECTOR_TYPES_H__ __VECTOR_FUNCTIONS_H__ __DEVICE_TYPES_H__ __DEVICE_FUNCTIONS_H__ \
    __DEVICE_LAUNCH_PARAMETERS_H__ __HOST_DEFINES_H__ __HOST_CONFIG_H__ __BUILTIN_TYPES_H__ \
    __CHANNEL_DESCRIPTOR_H__ __TEXTURE_TYPES_H__ __SURFACE_TYPES_H__ __MATH_FUNCTIONS_H__";

/// What a program in C sees of the macros: those of C++ and CUDA C are removed.
pub const C_PROGRAM: (&str, &str) =
    ("<C macros>", "#undef __cplusplus\n#undef __CUDACC__\n#undef __NVCC__\n#define _Noreturn\n");

/// The runtime API of programs in C.
const C_RUNTIME: [(&str, &str); 9] = [
    ("cuda.h", DRIVER),
    ("cuda_runtime.h", "#include <cuda_runtime_api.h>\n"),
    (
        "cuda_runtime_api.h",
        concat!(
            "#include <driver_types.h>\n#include <surface_types.h>\n#include <texture_types.h>\n",
            include_str!("../../../include/cuda_runtime_api.h"),
        ),
    ),
    ("device/error_types.h", ERRORS.1),
    ("device/pitched_types.h", PITCHED.1),
    ("driver_types.h", include_str!("../../../include/driver_types.h")),
    ("surface_types.h", include_str!("../../../include/surface_types.h")),
    ("texture_types.h", include_str!("../../../include/texture_types.h")),
    ("vector_types.h", include_str!("../../../include/vector_types.h")),
];

/// The headers of [`HOST_TEXTS`] that C has.
const C_HEADERS: [&str; 31] = [
    "__getopt",
    "alloca.h",
    "assert.h",
    "byteswap.h",
    "dirent.h",
    "endian.h",
    "err.h",
    "errno.h",
    "error.h",
    "fcntl.h",
    "getopt.h",
    "inttypes.h",
    "libgen.h",
    "locale.h",
    "omp.h",
    "pthread.h",
    "sched.h",
    "semaphore.h",
    "signal.h",
    "stdalign.h",
    "stdnoreturn.h",
    "strings.h",
    "sys/resource.h",
    "sys/stat.h",
    "sys/time.h",
    "sys/timeb.h",
    "sys/times.h",
    "sys/utsname.h",
    "time.h",
    "unistd.h",
    "values.h",
];

/// Headers with a text of their own.
const TEXTS: [(&str, &str); 8] = [
    // Copies of GNU's `getopt` in programs leave themselves out.
    ("gnu-versions.h", "#define _GNU_GETOPT_INTERFACE_VERSION 2\n"),
    ("cuComplex.h", include_str!("../../../include/cuComplex.h")),
    ("helper_math.h", HELPER_MATH),
    ("cutil_math.h", HELPER_MATH),
    ("vector_math.h", HELPER_MATH),
    ("cutil.h", CUTIL),
    ("cutil_inline.h", CUTIL),
    ("cooperative_groups.h", include_str!("../../../include/cooperative_groups.h")),
];

/// What device code takes from the first utility library: an access that a tool counted.
const CUTIL: &str = "#define CUT_BANK_CHECKER(array, index) array[index]\n";

const ASSERT: &str = include_str!("assert.cuh");

const ERRNO: &str = include_str!("errno.cuh");

const HELPER_MATH: &str = include_str!("helper_math.cuh");

/// Headers whose contents the prelude has already.
const IN_PRELUDE: &str = "cuda_runtime.h cuda.h cuda_runtime_api.h device_launch_parameters.h vector_types.h \
    vector_functions.h device_functions.h math_functions.h sm_11_atomic_functions.h sm_12_atomic_functions.h \
    sm_13_double_functions.h sm_20_atomic_functions.h sm_20_intrinsics.h texture_fetch_functions.h \
    texture_types.h device/error_types.h device/pitched_types.h surface_functions.h surface_types.h channel_descriptor.h driver_types.h host_defines.h \
    builtin_types.h common_functions.h device_types.h math_constants.h device_atomic_functions.h math.h \
    cmath stdint.h cstdint stddef.h cstddef limits.h climits float.h cfloat stdbool.h stdio.h cstdio \
    assert.h cassert stdlib.h cstdlib string.h cstring";

/// Headers whose contents the prelude of host code has already: the C library.
const IN_HOST_PRELUDE: &str = "cctype ctype.h cstdarg stdarg.h memory.h malloc.h iso646.h ciso646 sys/types.h \
    cuda_profiler_api.h";

/// Headers of the host that declare nothing for device code.
const HOST_ONLY: &str = "iostream iomanip fstream sstream iosfwd istream ostream streambuf strstream string vector \
    list deque map set queue stack bitset array tuple utility functional algorithm numeric iterator memory \
    new exception stdexcept typeinfo typeindex type_traits limits complex valarray random ratio chrono \
    thread charconv execution mutex atomic condition_variable future regex locale initializer_list unordered_map \
    unordered_set forward_list optional variant any string_view cctype ctype.h cerrno errno.h ctime \
    time.h csetjmp setjmp.h cstdarg stdarg.h clocale locale.h cwchar wchar.h cwctype wctype.h \
    inttypes.h cinttypes filesystem system_error cfenv fenv.h complex.h tgmath.h iso646.h ciso646 unistd.h csignal signal.h \
    shared_mutex stdalign.h stdnoreturn.h stdatomic.h syslog.h pwd.h termios.h getopt.h fcntl.h malloc.h memory.h \
    alloca.h byteswap.h endian.h error.h strings.h dirent.h dlfcn.h libgen.h pthread.h semaphore.h sched.h poll.h netdb.h omp.h mpi.h windows.h winsock2.h \
    process.h io.h conio.h direct.h intrin.h emmintrin.h xmmintrin.h immintrin.h x86intrin.h values.h err.h \
    wb.h multithreading.h cutil_gl_inline.h cutil_gl_error.h cutil_inline_runtime.h helper_cuda.h \
    helper_functions.h helper_string.h helper_timer.h helper_image.h helper_cuda_gl.h helper_gl.h \
    helper_cuda_drvapi.h exception.h sdkHelper.h rendercheck_gl.h rendercheck_gles.h paramgl.h \
    nvrtc.h cufft.h cublas.h cublas_v2.h curand.h cusparse.h cusolverDn.h cudnn.h nppi.h npp.h cuda_profiler_api.h \
    cudaProfiler.h cuda_gl_interop.h cuda_d3d9_interop.h cupti.h nvml.h FreeImage.h glut.h glew.h";

/// Folders of headers of the host.
const HOST_FOLDERS: &str = "CL/ OpenCL/ sys/ bits/ linux/ asm/ net/ netinet/ arpa/ GL/ GLES/ GLUT/ OpenGL/ thrust/ cub/ opencv2/ opencv/ boost/ mach/ \
    X11/ experimental/ cuda/std/";

/// Headers of samples and courses, which clang uses too: host code has them.
const HOST_TEXTS: [(&str, &str); 53] = [
    ("__getopt", include_str!("getopt_words.cuh")),
    // The prelude has it, as <stdlib.h> of glibc.
    ("alloca.h", ""),
    ("arpa/inet.h", "#include <endian.h>\n"),
    ("assert.h", ASSERT),
    ("byteswap.h", "#include <endian.h>\n"),
    ("cassert", ASSERT),
    ("cerrno", ERRNO),
    ("cinttypes", "#include <inttypes.h>\n"),
    ("clocale", "#include <locale.h>\n"),
    ("csignal", "#include <signal.h>\n"),
    ("cuda.h", DRIVER),
    ("ctime", "#include <time.h>\n"),
    ("cutil.h", include_str!("../../../include/cutil.h")),
    ("cutil_inline.h", include_str!("../../../include/cutil_inline.h")),
    ("cutil_inline_bankchecker.h", include_str!("../../../include/cutil_inline_bankchecker.h")),
    ("cutil_inline_runtime.h", include_str!("../../../include/cutil_inline_runtime.h")),
    ("dirent.h", include_str!("dirent.cuh")),
    ("endian.h", include_str!("endian.cuh")),
    ("err.h", include_str!("err.cuh")),
    ("errno.h", ERRNO),
    ("error.h", include_str!("error.cuh")),
    ("exception.h", include_str!("../../../include/exception.h")),
    ("fcntl.h", include_str!("fcntl.cuh")),
    ("getopt.h", include_str!("getopt.cuh")),
    ("helper_cuda.h", include_str!("../../../include/helper_cuda.h")),
    ("helper_functions.h", include_str!("../../../include/helper_functions.h")),
    ("helper_image.h", include_str!("../../../include/helper_image.h")),
    ("helper_string.h", include_str!("../../../include/helper_string.h")),
    ("helper_timer.h", include_str!("../../../include/helper_timer.h")),
    ("inttypes.h", include_str!("inttypes.cuh")),
    ("libgen.h", include_str!("libgen.cuh")),
    ("locale.h", include_str!("locale.cuh")),
    ("multithreading.h", include_str!("../../../include/multithreading.h")),
    ("omp.h", include_str!("../../../include/omp.h")),
    ("parboil.h", include_str!("../../../include/parboil.h")),
    ("polybench.h", include_str!("../../../include/polybench.h")),
    ("pthread.h", include_str!("pthread.cuh")),
    ("sched.h", "#include <pthread.h>\n"),
    ("semaphore.h", include_str!("semaphore.cuh")),
    ("signal.h", include_str!("signal.cuh")),
    ("stdalign.h", "#ifdef __WARPSIM_C__\n#define alignas _Alignas\n#define alignof _Alignof\n#endif\n"),
    ("stdnoreturn.h", "#define noreturn _Noreturn\n"),
    ("strings.h", include_str!("strings.cuh")),
    ("sys/resource.h", include_str!("resource.cuh")),
    ("sys/stat.h", include_str!("stat.cuh")),
    ("sys/time.h", include_str!("timeval.cuh")),
    ("sys/timeb.h", include_str!("timeb.cuh")),
    ("sys/times.h", include_str!("times.cuh")),
    ("sys/utsname.h", include_str!("utsname.cuh")),
    ("time.h", include_str!("time.cuh")),
    ("unistd.h", include_str!("unistd.cuh")),
    ("values.h", include_str!("values.cuh")),
    ("wb.h", include_str!("../../../include/wb.h")),
];

/// Headers of courses, books and samples, which clang uses too: both halves have them.
const COURSE_TEXTS: [(&str, &str); 16] = [
    ("bitmap_file.h", include_str!("../../../include/common/bitmap_file.h")),
    ("book.h", include_str!("../../../include/book.h")),
    ("common/bitmap_file.h", include_str!("../../../include/common/bitmap_file.h")),
    ("common/book.h", include_str!("../../../include/common/book.h")),
    ("common/common.h", include_str!("../../../include/common/common.h")),
    ("common/cpu_anim.h", include_str!("../../../include/common/cpu_anim.h")),
    ("common/cpu_bitmap.h", include_str!("../../../include/common/cpu_bitmap.h")),
    ("common/gpu_anim.h", include_str!("../../../include/common/gpu_anim.h")),
    ("cpu_anim.h", include_str!("../../../include/cpu_anim.h")),
    ("cpu_bitmap.h", include_str!("../../../include/cpu_bitmap.h")),
    ("gpu_anim.h", include_str!("../../../include/gpu_anim.h")),
    ("gputimer.h", include_str!("../../../include/gputimer.h")),
    ("nvToolsExt.h", include_str!("../../../include/nvToolsExt.h")),
    ("shrQATest.h", include_str!("../../../include/shrQATest.h")),
    ("shrUtils.h", include_str!("../../../include/shrUtils.h")),
    ("timer.h", include_str!("../../../include/timer.h")),
];

/// Headers of OpenCL, which only host code has.
const CL_TEXTS: [(&str, &str); 8] = [
    ("CL/cl.h", include_str!("cl/cl.h")),
    ("CL/cl_platform.h", include_str!("cl/cl_platform.h")),
    ("CL/cl_ext.h", include_str!("cl/cl_ext.h")),
    ("CL/opencl.h", ALL_OF_CL),
    ("OpenCL/cl.h", "#include <CL/cl.h>\n"),
    ("OpenCL/cl_platform.h", "#include <CL/cl_platform.h>\n"),
    ("OpenCL/cl_ext.h", "#include <CL/cl_ext.h>\n"),
    ("OpenCL/opencl.h", ALL_OF_CL),
];

const ALL_OF_CL: &str = "#include <CL/cl_ext.h>\n";

/// Headers that other OpenCL libraries have, and host programs of this compiler do not.
const REFUSED_CL: [&str; 7] = [
    "CL/cl.hpp",
    "CL/cl2.hpp",
    "CL/opencl.hpp",
    "OpenCL/cl.hpp",
    "OpenCL/opencl.hpp",
    "CL/cl_gl.h",
    "OpenCL/cl_gl.h",
];

/// Headers of the C++ library with types and constants, which device code has too.
pub const CONSTANTS: [&str; 11] = [
    "array",
    "bit",
    "compare",
    "concepts",
    "cstddef",
    "initializer_list",
    "limits",
    "numbers",
    "span",
    "type_traits",
    "utility",
];

/// Headers of later hardware.
const REFUSED_LATER: [(&str, &str); 5] = [
    ("cuda_fp16.h", "arithmetic of half precision needs compute capability 5.3"),
    ("cuda_fp16.hpp", "arithmetic of half precision needs compute capability 5.3"),
    ("cuda_bf16.h", "arithmetic of half precision needs compute capability 8.0"),
    ("mma.h", "the tensor cores need compute capability 7.0"),
    ("cuda_pipeline.h", "asynchronous copies need compute capability 8.0"),
];

/// Headers of the C++ library, which only host code has.
const CPP_TEXTS: [(&str, &str); 73] = [
    ("__algobase", include_str!("cpp/algobase.cuh")),
    ("__allocator", include_str!("cpp/allocator.cuh")),
    ("__errors", include_str!("cpp/errors.cuh")),
    ("__functions", include_str!("cpp/functions.cuh")),
    ("__hash", include_str!("cpp/hash.cuh")),
    ("__heap", include_str!("cpp/heap.cuh")),
    ("__ranges", include_str!("cpp/ranges.cuh")),
    ("__vector_bool", include_str!("cpp/vector_bool.cuh")),
    ("algorithm", include_str!("cpp/algorithm.cuh")),
    ("any", include_str!("cpp/any.cuh")),
    ("array", include_str!("cpp/array.cuh")),
    ("atomic", include_str!("cpp/atomic.cuh")),
    ("bit", include_str!("cpp/bit.cuh")),
    ("bits/stdc++.h", include_str!("cpp/all.cuh")),
    ("bitset", include_str!("cpp/bitset.cuh")),
    ("charconv", include_str!("cpp/charconv.cuh")),
    ("chrono", include_str!("cpp/chrono.cuh")),
    ("complex", include_str!("cpp/complex.cuh")),
    ("compare", include_str!("cpp/compare.cuh")),
    ("complex.h", "#include <complex>\n"),
    ("concepts", include_str!("cpp/concepts.cuh")),
    ("condition_variable", "#include <mutex>\n"),
    ("cstddef", include_str!("cpp/cstddef.cuh")),
    ("deque", include_str!("cpp/deque.cuh")),
    ("exception", include_str!("cpp/exception.cuh")),
    ("execution", include_str!("cpp/execution.cuh")),
    ("filesystem", include_str!("cpp/filesystem.cuh")),
    ("forward_list", include_str!("cpp/forward_list.cuh")),
    ("fstream", include_str!("cpp/fstream.cuh")),
    ("functional", include_str!("cpp/functional.cuh")),
    ("future", include_str!("cpp/future.cuh")),
    ("initializer_list", include_str!("cpp/initializer_list.cuh")),
    ("iomanip", include_str!("cpp/iomanip.cuh")),
    ("ios", include_str!("cpp/ios.cuh")),
    ("iosfwd", "#include <ios>\n"),
    ("iostream", include_str!("cpp/iostream.cuh")),
    ("istream", "#include <ios>\n"),
    ("iterator", include_str!("cpp/iterator.cuh")),
    ("limits", include_str!("cpp/limits.cuh")),
    ("list", include_str!("cpp/list.cuh")),
    ("locale", include_str!("cpp/locale.cuh")),
    ("map", include_str!("cpp/map.cuh")),
    ("memory", include_str!("cpp/memory.cuh")),
    ("mutex", include_str!("cpp/mutex.cuh")),
    ("new", "#include <exception>\n"),
    ("numbers", include_str!("cpp/numbers.cuh")),
    ("numeric", include_str!("cpp/numeric.cuh")),
    ("optional", include_str!("cpp/optional.cuh")),
    ("ostream", "#include <ios>\n"),
    ("queue", include_str!("cpp/queue.cuh")),
    ("random", include_str!("cpp/random.cuh")),
    ("ratio", include_str!("cpp/ratio.cuh")),
    ("set", "#include <map>\n"),
    ("shared_mutex", "#include <mutex>\n"),
    ("span", include_str!("cpp/span.cuh")),
    ("sstream", include_str!("cpp/sstream.cuh")),
    ("stack", include_str!("cpp/stack.cuh")),
    ("stdexcept", "#include <string>\n"),
    ("streambuf", "#include <ios>\n"),
    ("string", include_str!("cpp/string.cuh")),
    ("string_view", include_str!("cpp/string_view.cuh")),
    ("system_error", include_str!("cpp/system_error.cuh")),
    ("thread", include_str!("cpp/thread.cuh")),
    ("tuple", include_str!("cpp/tuple.cuh")),
    ("type_traits", include_str!("cpp/type_traits.cuh")),
    ("typeindex", include_str!("cpp/typeindex.cuh")),
    ("typeinfo", include_str!("cpp/typeinfo.cuh")),
    ("unordered_map", include_str!("cpp/unordered.cuh")),
    ("unordered_set", "#include <unordered_map>\n"),
    ("utility", include_str!("cpp/utility.cuh")),
    ("valarray", include_str!("cpp/valarray.cuh")),
    ("variant", include_str!("cpp/variant.cuh")),
    ("vector", include_str!("cpp/vector.cuh")),
];

/// The prelude of one half of a program.
pub fn prelude(side: Side) -> &'static [(&'static str, &'static str)] {
    match side {
        Side::Device => &PRELUDE,
        Side::Host => &HOST_PRELUDE,
        Side::C => &C_PRELUDE,
        Side::OpenCl => &OPEN_CL_PRELUDE,
    }
}

/// Whether a header has another meaning each time that it is included.
pub fn is_repeated(name: &str) -> bool {
    matches!(name, "assert.h" | "cassert")
}

/// Finds a header of the compiler.
pub fn find(path: &str, side: Side) -> Option<Header> {
    // Samples name the folder of their helpers from their own one.
    let path = path.trim_start_matches("../");
    if !side.is_device() {
        if REFUSED_CL.contains(&path) {
            return Some(Header::Refused("the C functions of OpenCL are in <CL/cl.h>"));
        }
        if side == Side::C
            && let Some((name, text)) = C_RUNTIME.iter().find(|(name, _)| *name == path)
        {
            return Some(Header::Text(name, text));
        }
        let texts = HOST_TEXTS.iter().chain(&CPP_TEXTS);
        let texts = texts.filter(|(name, _)| side == Side::Host || C_HEADERS.contains(name));
        if let Some((name, text)) = texts.chain(&CL_TEXTS).find(|(name, _)| *name == path) {
            return Some(Header::Text(name, text));
        }
    }
    if side == Side::Device && CONSTANTS.contains(&path) {
        return CPP_TEXTS.iter().find(|(name, _)| *name == path).map(|(name, text)| Header::Text(name, text));
    }
    if let Some((_, why)) = REFUSED_LATER.iter().find(|(name, _)| *name == path) {
        return Some(Header::Refused(why));
    }
    let course = COURSE_TEXTS.iter().find(|(name, _)| *name == path);
    if let (Some((name, text)), Side::Host | Side::Device) = (course, side) {
        return Some(Header::Text(name, text));
    }
    let is_of_c = Path::new(path).extension().is_some_and(|end| end == "h") && !path.starts_with("cuda");
    if side == Side::C && !is_of_c {
        return Some(Header::Refused("a `.c` file is a program in C; `.cpp` is C++, and `.cu` CUDA C"));
    }
    if side == Side::C && matches!(path, "complex.h" | "tgmath.h") {
        return Some(Header::Refused("complex numbers of C are not supported: use two members, or C++"));
    }
    let has = |list: &str| list.split_ascii_whitespace().any(|name| name == path);
    if side == Side::Device && matches!(path, "assert.h" | "cassert") {
        return Some(Header::Text("assert.h", include_str!("assert_device.cuh")));
    }
    if let Some((name, text)) = TEXTS.iter().find(|(name, _)| *name == path) {
        return Some(Header::Text(name, text));
    }
    let folder = HOST_FOLDERS.split_ascii_whitespace().any(|folder| path.starts_with(folder));
    let is_of_host = has(HOST_ONLY) || folder;
    if is_of_host && !side.is_device() && !has(IN_HOST_PRELUDE) {
        return Some(Header::Absent);
    }
    (has(IN_PRELUDE) || is_of_host).then_some(Header::HostOnly)
}

/// Whether a header declares a library of CUDA that programs link.
pub fn is_of_cuda_library(path: &str) -> bool {
    const LIBRARIES: &str = "thrust/ cub/ cublas curand cufft cusparse cusolver cudnn npp nvrtc";
    LIBRARIES.split_ascii_whitespace().any(|library| path.starts_with(library))
}
