//! The errors of the driver API: numbers, names and texts of CUDA 8, and which of them an error of
//! the runtime API is.

use crate::runtime::error::Error;

/// A `CUresult`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status(pub i32);

macro_rules! statuses {
    ($($constant:ident = $number:literal, $text:literal, [$($error:ident),*];)*) => {
        #[expect(missing_docs, reason = "each has its text")]
        impl Status {
            pub const SUCCESS: Self = Self(0);
            $(pub const $constant: Self = Self($number);)*

            /// Returns the name of the enumerator, such as `CUDA_ERROR_INVALID_VALUE`, and the text
            /// for users. Both end with NUL.
            pub fn texts(self) -> Option<(&'static str, &'static str)> {
                match self.0 {
                    0 => Some(("CUDA_SUCCESS\0", "no error\0")),
                    $($number => Some((
                        concat!("CUDA_ERROR_", stringify!($constant), "\0"),
                        concat!($text, "\0"),
                    )),)*
                    _ => None,
                }
            }

            /// Numbers of all errors.
            pub const ALL: &'static [i32] = &[0, $($number),*];
        }

        impl From<Error> for Status {
            fn from(error: Error) -> Self {
                match error {
                    Error::SUCCESS => Self::SUCCESS,
                    $($(Error::$error => Self::$constant,)*)*
                    _ => Self::UNKNOWN,
                }
            }
        }
    };
}

statuses! {
    INVALID_VALUE = 1, "invalid argument", [
        INVALID_VALUE, INVALID_CONFIGURATION, INVALID_PITCH, INVALID_SYMBOL, INVALID_HOST_POINTER,
        INVALID_DEVICE_POINTER, INVALID_TEXTURE, INVALID_TEXTURE_BINDING, INVALID_CHANNELS,
        INVALID_DIRECTION, INVALID_FILTER, INVALID_NORM, INVALID_SURFACE, MISSING_CONFIGURATION];
    OUT_OF_MEMORY = 2, "out of memory", [MEMORY_ALLOCATION];
    NOT_INITIALIZED = 3, "initialization error", [INITIALIZATION];
    DEINITIALIZED = 4, "driver shutting down", [UNLOADING];
    PROFILER_DISABLED = 5, "profiler disabled while using external profiling tool", [PROFILER_DISABLED];
    PROFILER_NOT_INITIALIZED = 6, "profiler not initialized", [PROFILER_NOT_INITIALIZED];
    PROFILER_ALREADY_STARTED = 7, "profiler already started", [PROFILER_STARTED];
    PROFILER_ALREADY_STOPPED = 8, "profiler already stopped", [PROFILER_STOPPED];
    NO_DEVICE = 100, "no CUDA-capable device is detected", [NO_DEVICE];
    INVALID_DEVICE = 101, "invalid device ordinal", [INVALID_DEVICE];
    INVALID_IMAGE = 200, "device kernel image is invalid", [INVALID_IMAGE];
    INVALID_CONTEXT = 201, "invalid device context", [INCOMPATIBLE_CONTEXT];
    CONTEXT_ALREADY_CURRENT = 202, "context already current", [];
    MAP_FAILED = 205, "mapping of buffer object failed", [MAP_FAILED];
    UNMAP_FAILED = 206, "unmapping of buffer object failed", [UNMAP_FAILED];
    ARRAY_IS_MAPPED = 207, "array is mapped", [];
    ALREADY_MAPPED = 208, "resource already mapped", [];
    NO_BINARY_FOR_GPU = 209, "no kernel image is available for execution on the device", [NO_IMAGE];
    ALREADY_ACQUIRED = 210, "resource already acquired", [];
    NOT_MAPPED = 211, "resource not mapped", [];
    NOT_MAPPED_AS_ARRAY = 212, "resource not mapped as array", [];
    NOT_MAPPED_AS_POINTER = 213, "resource not mapped as pointer", [];
    ECC_UNCORRECTABLE = 214, "uncorrectable ECC error encountered", [ECC];
    UNSUPPORTED_LIMIT = 215, "limit is not supported on this architecture", [UNSUPPORTED_LIMIT];
    CONTEXT_ALREADY_IN_USE = 216, "exclusive-thread device already in use by a different thread", [DEVICE_IN_USE];
    PEER_ACCESS_UNSUPPORTED = 217, "peer access is not supported between these two devices", [PEER_UNSUPPORTED];
    INVALID_PTX = 218, "a PTX JIT compilation failed", [INVALID_PTX];
    INVALID_GRAPHICS_CONTEXT = 219, "invalid OpenGL or DirectX context", [INVALID_GRAPHICS];
    NVLINK_UNCORRECTABLE = 220, "uncorrectable NVLink error detected during the execution", [NVLINK];
    INVALID_SOURCE = 300, "device kernel image is invalid", [];
    FILE_NOT_FOUND = 301, "file not found", [];
    SHARED_OBJECT_SYMBOL_NOT_FOUND = 302, "shared object symbol not found", [SHARED_OBJECT_SYMBOL];
    SHARED_OBJECT_INIT_FAILED = 303, "shared object initialization failed", [SHARED_OBJECT_INIT];
    OPERATING_SYSTEM = 304, "OS call failed or operation not supported on this OS", [OPERATING_SYSTEM];
    INVALID_HANDLE = 400, "invalid resource handle", [INVALID_HANDLE, INVALID_DEVICE_FUNCTION];
    NOT_FOUND = 500, "named symbol not found", [];
    NOT_READY = 600, "device not ready", [NOT_READY];
    ILLEGAL_ADDRESS = 700, "an illegal memory access was encountered", [ILLEGAL_ADDRESS];
    LAUNCH_OUT_OF_RESOURCES = 701, "too many resources requested for launch", [LAUNCH_OUT_OF_RESOURCES];
    LAUNCH_TIMEOUT = 702, "the launch timed out and was terminated", [LAUNCH_TIMEOUT];
    LAUNCH_INCOMPATIBLE_TEXTURING = 703, "launch uses incompatible texturing mode", [LAUNCH_TEXTURE, LAUNCH_SURFACE];
    PEER_ACCESS_ALREADY_ENABLED = 704, "peer access is already enabled", [PEER_ENABLED];
    PEER_ACCESS_NOT_ENABLED = 705, "peer access has not been enabled", [PEER_NOT_ENABLED];
    PRIMARY_CONTEXT_ACTIVE = 708, "cannot set while device is active in this process", [SET_ON_ACTIVE];
    CONTEXT_IS_DESTROYED = 709, "context is destroyed", [];
    ASSERT = 710, "device-side assert triggered", [ASSERT];
    TOO_MANY_PEERS = 711, "peer mapping resources exhausted", [TOO_MANY_PEERS];
    HOST_MEMORY_ALREADY_REGISTERED = 712, "part or all of the requested memory range is already mapped",
        [ALREADY_REGISTERED];
    HOST_MEMORY_NOT_REGISTERED = 713, "pointer does not correspond to a registered memory region", [NOT_REGISTERED];
    HARDWARE_STACK_ERROR = 714, "hardware stack error", [HARDWARE_STACK];
    ILLEGAL_INSTRUCTION = 715, "an illegal instruction was encountered", [ILLEGAL_INSTRUCTION];
    MISALIGNED_ADDRESS = 716, "misaligned address", [MISALIGNED_ADDRESS];
    INVALID_ADDRESS_SPACE = 717, "operation not supported on global/shared address space", [INVALID_ADDRESS_SPACE];
    INVALID_PC = 718, "invalid program counter", [INVALID_PC];
    LAUNCH_FAILED = 719, "unspecified launch failure", [LAUNCH_FAILURE, PRIOR_LAUNCH_FAILURE];
    NOT_PERMITTED = 800, "operation not permitted", [NOT_PERMITTED];
    NOT_SUPPORTED = 801, "operation not supported", [NOT_SUPPORTED];
    UNKNOWN = 999, "unknown error", [UNKNOWN];
}

impl Status {
    /// Returns the name without its NUL.
    pub fn name(self) -> &'static str {
        self.texts().map_or("unknown", |(name, _)| name.trim_end_matches('\0'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_the_header() {
        let header = include_str!("../../../../include/driver_results.h");
        for number in Status::ALL {
            let (name, _) = Status(*number).texts().expect("a known error");
            let line = format!("    {} = {number}", name.trim_end_matches('\0'));
            assert!(header.contains(&line), "{line}");
        }
        assert_eq!(header.matches("    CUDA_ERROR_").count(), Status::ALL.len() - 1);
        assert_eq!(Status(12345).texts(), None);
        assert_eq!(Status::from(Error::INVALID_PITCH), Status::INVALID_VALUE);
        assert_eq!(Status::from(Error(12345)), Status::UNKNOWN);
    }
}
