//! The errors of the API: numbers, names and texts of CUDA 8, and which error a failure of the
//! simulator is.

use sim_core::host::memory::MemoryError;
use sim_core::host::{HostError, LaunchError, LaunchLimit};
use sim_core::occupancy::Exceeded;
use sim_core::stats::report::Verdict;
use sim_core::stats::verdict::TrapClass;

/// A `cudaError_t`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Error(pub i32);

/// Result of a call.
pub type Outcome<T = ()> = Result<T, Error>;

macro_rules! errors {
    ($($constant:ident = $number:literal, $name:literal, $text:literal;)*) => {
        #[expect(missing_docs, reason = "each has its text")]
        impl Error {
            $(pub const $constant: Self = Self($number);)*

            /// Returns the name of the enumerator, such as `cudaErrorMemoryAllocation`, and the
            /// text for users. Both end with NUL.
            pub fn texts(self) -> Option<(&'static str, &'static str)> {
                match self.0 {
                    $($number => Some((concat!("cuda", $name, "\0"), concat!($text, "\0"))),)*
                    _ => None,
                }
            }

            /// Numbers of all errors.
            pub const ALL: &'static [i32] = &[$($number),*];
        }
    };
}

errors! {
    SUCCESS = 0, "Success", "no error";
    MISSING_CONFIGURATION = 1, "ErrorMissingConfiguration", "__global__ function call is not configured";
    MEMORY_ALLOCATION = 2, "ErrorMemoryAllocation", "out of memory";
    INITIALIZATION = 3, "ErrorInitializationError", "initialization error";
    LAUNCH_FAILURE = 4, "ErrorLaunchFailure", "unspecified launch failure";
    PRIOR_LAUNCH_FAILURE = 5, "ErrorPriorLaunchFailure", "unspecified launch failure in prior launch";
    LAUNCH_TIMEOUT = 6, "ErrorLaunchTimeout", "the launch timed out and was terminated";
    LAUNCH_OUT_OF_RESOURCES = 7, "ErrorLaunchOutOfResources", "too many resources requested for launch";
    INVALID_DEVICE_FUNCTION = 8, "ErrorInvalidDeviceFunction", "invalid device function";
    INVALID_CONFIGURATION = 9, "ErrorInvalidConfiguration", "invalid configuration argument";
    INVALID_DEVICE = 10, "ErrorInvalidDevice", "invalid device ordinal";
    INVALID_VALUE = 11, "ErrorInvalidValue", "invalid argument";
    INVALID_PITCH = 12, "ErrorInvalidPitchValue", "invalid pitch argument";
    INVALID_SYMBOL = 13, "ErrorInvalidSymbol", "invalid device symbol";
    MAP_FAILED = 14, "ErrorMapBufferObjectFailed", "mapping of buffer object failed";
    UNMAP_FAILED = 15, "ErrorUnmapBufferObjectFailed", "unmapping of buffer object failed";
    INVALID_HOST_POINTER = 16, "ErrorInvalidHostPointer", "invalid host pointer";
    INVALID_DEVICE_POINTER = 17, "ErrorInvalidDevicePointer", "invalid device pointer";
    INVALID_TEXTURE = 18, "ErrorInvalidTexture", "invalid texture reference";
    INVALID_TEXTURE_BINDING = 19, "ErrorInvalidTextureBinding", "texture is not bound to a pointer";
    INVALID_CHANNELS = 20, "ErrorInvalidChannelDescriptor", "invalid channel descriptor";
    INVALID_DIRECTION = 21, "ErrorInvalidMemcpyDirection", "invalid copy direction for memcpy";
    ADDRESS_OF_CONSTANT = 22, "ErrorAddressOfConstant", "the address of a constant variable was taken";
    TEXTURE_FETCH = 23, "ErrorTextureFetchFailed", "a texture fetch failed";
    TEXTURE_NOT_BOUND = 24, "ErrorTextureNotBound", "the texture is not bound for access";
    SYNCHRONIZATION = 25, "ErrorSynchronizationError", "a synchronization operation failed";
    INVALID_FILTER = 26, "ErrorInvalidFilterSetting", "linear filtering not supported for non-float type";
    INVALID_NORM = 27, "ErrorInvalidNormSetting", "read as normalized float not supported for data type";
    MIXED_EXECUTION = 28, "ErrorMixedDeviceExecution", "device code and emulated code are mixed";
    UNLOADING = 29, "ErrorCudartUnloading", "driver shutting down";
    UNKNOWN = 30, "ErrorUnknown", "unknown error";
    NOT_YET_IMPLEMENTED = 31, "ErrorNotYetImplemented", "feature not yet implemented";
    MEMORY_VALUE_TOO_LARGE = 32, "ErrorMemoryValueTooLarge", "an emulated device pointer is too large";
    INVALID_HANDLE = 33, "ErrorInvalidResourceHandle", "invalid resource handle";
    NOT_READY = 34, "ErrorNotReady", "device not ready";
    INSUFFICIENT_DRIVER = 35, "ErrorInsufficientDriver",
        "CUDA driver version is insufficient for CUDA runtime version";
    SET_ON_ACTIVE = 36, "ErrorSetOnActiveProcess", "cannot set while device is active in this process";
    INVALID_SURFACE = 37, "ErrorInvalidSurface", "invalid surface reference";
    NO_DEVICE = 38, "ErrorNoDevice", "no CUDA-capable device is detected";
    ECC = 39, "ErrorECCUncorrectable", "uncorrectable ECC error encountered";
    SHARED_OBJECT_SYMBOL = 40, "ErrorSharedObjectSymbolNotFound", "shared object symbol not found";
    SHARED_OBJECT_INIT = 41, "ErrorSharedObjectInitFailed", "shared object initialization failed";
    UNSUPPORTED_LIMIT = 42, "ErrorUnsupportedLimit", "limit is not supported on this architecture";
    DUPLICATE_VARIABLE = 43, "ErrorDuplicateVariableName", "duplicate global variable looked up by string name";
    DUPLICATE_TEXTURE = 44, "ErrorDuplicateTextureName", "duplicate texture looked up by string name";
    DUPLICATE_SURFACE = 45, "ErrorDuplicateSurfaceName", "duplicate surface looked up by string name";
    DEVICES_UNAVAILABLE = 46, "ErrorDevicesUnavailable", "all CUDA-capable devices are busy or unavailable";
    INVALID_IMAGE = 47, "ErrorInvalidKernelImage", "device kernel image is invalid";
    NO_IMAGE = 48, "ErrorNoKernelImageForDevice", "no kernel image is available for execution on the device";
    INCOMPATIBLE_CONTEXT = 49, "ErrorIncompatibleDriverContext", "incompatible driver context";
    PEER_ENABLED = 50, "ErrorPeerAccessAlreadyEnabled", "peer access is already enabled";
    PEER_NOT_ENABLED = 51, "ErrorPeerAccessNotEnabled", "peer access has not been enabled";
    DEVICE_IN_USE = 54, "ErrorDeviceAlreadyInUse", "exclusive-thread device already in use by a different thread";
    PROFILER_DISABLED = 55, "ErrorProfilerDisabled", "profiler disabled while using external profiling tool";
    PROFILER_NOT_INITIALIZED = 56, "ErrorProfilerNotInitialized", "profiler not initialized";
    PROFILER_STARTED = 57, "ErrorProfilerAlreadyStarted", "profiler already started";
    PROFILER_STOPPED = 58, "ErrorProfilerAlreadyStopped", "profiler already stopped";
    ASSERT = 59, "ErrorAssert", "device-side assert triggered";
    TOO_MANY_PEERS = 60, "ErrorTooManyPeers", "peer mapping resources exhausted";
    ALREADY_REGISTERED = 61, "ErrorHostMemoryAlreadyRegistered",
        "part or all of the requested memory range is already mapped";
    NOT_REGISTERED = 62, "ErrorHostMemoryNotRegistered",
        "pointer does not correspond to a registered memory region";
    OPERATING_SYSTEM = 63, "ErrorOperatingSystem", "OS call failed or operation not supported on this OS";
    PEER_UNSUPPORTED = 64, "ErrorPeerAccessUnsupported",
        "peer access is not supported between these two devices";
    LAUNCH_DEPTH = 65, "ErrorLaunchMaxDepthExceeded", "launch would exceed maximum depth of nested launches";
    LAUNCH_TEXTURE = 66, "ErrorLaunchFileScopedTex", "launch failed because kernel uses unsupported texture";
    LAUNCH_SURFACE = 67, "ErrorLaunchFileScopedSurf", "launch failed because kernel uses unsupported surface";
    SYNC_DEPTH = 68, "ErrorSyncDepthExceeded", "device synchronization is nested too deeply";
    PENDING_LAUNCHES = 69, "ErrorLaunchPendingCountExceeded", "too many pending device launches";
    NOT_PERMITTED = 70, "ErrorNotPermitted", "operation not permitted";
    NOT_SUPPORTED = 71, "ErrorNotSupported", "operation not supported";
    HARDWARE_STACK = 72, "ErrorHardwareStackError", "hardware stack error";
    ILLEGAL_INSTRUCTION = 73, "ErrorIllegalInstruction", "an illegal instruction was encountered";
    MISALIGNED_ADDRESS = 74, "ErrorMisalignedAddress", "misaligned address";
    INVALID_ADDRESS_SPACE = 75, "ErrorInvalidAddressSpace",
        "operation not supported on global/shared address space";
    INVALID_PC = 76, "ErrorInvalidPc", "invalid program counter";
    ILLEGAL_ADDRESS = 77, "ErrorIllegalAddress", "an illegal memory access was encountered";
    INVALID_PTX = 78, "ErrorInvalidPtx", "a PTX JIT compilation failed";
    INVALID_GRAPHICS = 79, "ErrorInvalidGraphicsContext", "invalid OpenGL or DirectX context";
    NVLINK = 80, "ErrorNvlinkUncorrectable", "uncorrectable NVLink error detected during the execution";
    STARTUP = 127, "ErrorStartupFailure", "startup failure in cuda runtime";
    API_BASE = 10000, "ErrorApiFailureBase", "api failure base";
}

impl Error {
    /// Returns the error of a failed host call.
    pub fn of_host(error: &HostError) -> Self {
        match error {
            HostError::Memory(error) | HostError::Variable { error, .. } => match error {
                MemoryError::OutOfMemory { .. } | MemoryError::NoAddresses { .. } => Self::MEMORY_ALLOCATION,
                MemoryError::DoubleFree { .. } | MemoryError::UnknownPointer { .. } => {
                    Self::INVALID_DEVICE_POINTER
                }
                MemoryError::CannotMap(_) => Self::NOT_SUPPORTED,
                _ => Self::INVALID_VALUE,
            },
            HostError::Launch(error) => Self::of_launch(error),
            HostError::NoSymbol(_) => Self::INVALID_SYMBOL,
            HostError::SymbolRange { .. } | HostError::LimitInUse { .. } => Self::INVALID_VALUE,
            HostError::ConstantMemory { .. } => Self::INVALID_IMAGE,
            HostError::Texture(_) => Self::INVALID_TEXTURE,
            HostError::Surface(_) => Self::INVALID_SURFACE,
            HostError::UnknownEvent => Self::INVALID_HANDLE,
            HostError::State(_) => Self::UNKNOWN,
        }
    }

    /// Returns the error of a refused launch.
    fn of_launch(error: &LaunchError) -> Self {
        match error {
            LaunchError::NotSimulated { .. } => Self::NO_DEVICE,
            LaunchError::NoEntry { .. } => Self::INVALID_DEVICE_FUNCTION,
            LaunchError::ArgumentCount { .. } | LaunchError::ArgumentSize { .. } => Self::INVALID_VALUE,
            LaunchError::Empty { .. } | LaunchError::RequiredBlock { .. } => Self::INVALID_CONFIGURATION,
            LaunchError::Capability { .. } | LaunchError::Feature { .. } => Self::NO_IMAGE,
            LaunchError::NoTextureUnits { .. } => Self::INVALID_TEXTURE,
            LaunchError::Refused { refusal, .. } => match refusal.limit {
                Exceeded::NoThreads | Exceeded::ThreadsPerBlock => Self::INVALID_CONFIGURATION,
                Exceeded::Shared | Exceeded::SharedPerBlock => Self::INVALID_VALUE,
                Exceeded::Warps
                | Exceeded::Registers
                | Exceeded::RegistersPerBlock
                | Exceeded::RegistersPerThread => Self::LAUNCH_OUT_OF_RESOURCES,
            },
            LaunchError::Limit { limit, .. } => match limit {
                LaunchLimit::Threads
                | LaunchLimit::GridX
                | LaunchLimit::GridY
                | LaunchLimit::GridZ
                | LaunchLimit::BlockX
                | LaunchLimit::BlockY
                | LaunchLimit::BlockZ => Self::INVALID_CONFIGURATION,
                LaunchLimit::Shared => Self::INVALID_VALUE,
                LaunchLimit::MaxThreads
                | LaunchLimit::Parameters
                | LaunchLimit::Local
                | LaunchLimit::ResidentLocal => Self::LAUNCH_OUT_OF_RESOURCES,
            },
        }
    }

    /// Returns the error that a launch leaves on its device; `None` if its results are usable.
    pub fn of_verdict(verdict: &Verdict) -> Option<Self> {
        Some(match verdict {
            Verdict::Finished | Verdict::Estimated => return None,
            Verdict::Trapped { trap } => match trap.class {
                TrapClass::Address => Self::ILLEGAL_ADDRESS,
                TrapClass::Misaligned => Self::MISALIGNED_ADDRESS,
                TrapClass::Space => Self::INVALID_ADDRESS_SPACE,
                TrapClass::Assertion => Self::ASSERT,
                TrapClass::Other => Self::LAUNCH_FAILURE,
            },
            Verdict::Scheduler { .. } => Self::LAUNCH_FAILURE,
            Verdict::Hung { .. }
            | Verdict::Limit { .. }
            | Verdict::TimeLimit { .. }
            | Verdict::Interrupted { .. } => Self::LAUNCH_TIMEOUT,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_the_header() {
        let header = include_str!("../../../include/device/error_types.h");
        for number in Error::ALL {
            let (name, _) = Error(*number).texts().expect("a known error");
            let line = format!("    {} = {number}", name.trim_end_matches('\0'));
            assert!(header.contains(&line), "{line}");
        }
        assert_eq!(header.matches("    cudaError").count(), Error::ALL.len() - 1);
        assert_eq!(Error(12345).texts(), None);
    }
}
