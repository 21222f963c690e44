//! The errors of the API.

use warpsim_cuda::runtime::error::Error;

/// A result of a call: `CL_SUCCESS` or an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status(pub i32);

/// Result of a call.
pub type Done<T = ()> = Result<T, Status>;

macro_rules! statuses {
    ($($name:ident = $number:literal)*) => {
        #[expect(missing_docs, reason = "the errors by their names in OpenCL")]
        impl Status {
            $(pub const $name: Self = Self($number);)*
        }

        impl Status {
            /// The name of an error; `None` for `CL_SUCCESS`.
            pub fn error_name(self) -> Option<&'static str> {
                let known = [$(($number, concat!("CL_", stringify!($name)))),*];
                let name = known.into_iter().find(|(number, _)| *number == self.0);
                (self != Self::SUCCESS).then(|| name.map_or("an unknown error", |(_, name)| name))
            }
        }
    };
}

statuses! {
    SUCCESS = 0
    DEVICE_NOT_FOUND = -1
    COMPILER_NOT_AVAILABLE = -3
    MEM_OBJECT_ALLOCATION_FAILURE = -4
    OUT_OF_RESOURCES = -5
    OUT_OF_HOST_MEMORY = -6
    PROFILING_INFO_NOT_AVAILABLE = -7
    MEM_COPY_OVERLAP = -8
    IMAGE_FORMAT_MISMATCH = -9
    IMAGE_FORMAT_NOT_SUPPORTED = -10
    BUILD_PROGRAM_FAILURE = -11
    MAP_FAILURE = -12
    MISALIGNED_SUB_BUFFER_OFFSET = -13
    EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST = -14
    KERNEL_ARG_INFO_NOT_AVAILABLE = -19
    INVALID_VALUE = -30
    INVALID_DEVICE_TYPE = -31
    INVALID_PLATFORM = -32
    INVALID_DEVICE = -33
    INVALID_CONTEXT = -34
    INVALID_QUEUE_PROPERTIES = -35
    INVALID_COMMAND_QUEUE = -36
    INVALID_HOST_PTR = -37
    INVALID_MEM_OBJECT = -38
    INVALID_IMAGE_FORMAT_DESCRIPTOR = -39
    INVALID_IMAGE_SIZE = -40
    INVALID_SAMPLER = -41
    INVALID_BINARY = -42
    INVALID_BUILD_OPTIONS = -43
    INVALID_PROGRAM = -44
    INVALID_PROGRAM_EXECUTABLE = -45
    INVALID_KERNEL_NAME = -46
    INVALID_KERNEL = -48
    INVALID_ARG_INDEX = -49
    INVALID_ARG_VALUE = -50
    INVALID_ARG_SIZE = -51
    INVALID_KERNEL_ARGS = -52
    INVALID_WORK_DIMENSION = -53
    INVALID_WORK_GROUP_SIZE = -54
    INVALID_WORK_ITEM_SIZE = -55
    INVALID_GLOBAL_OFFSET = -56
    INVALID_EVENT_WAIT_LIST = -57
    INVALID_EVENT = -58
    INVALID_OPERATION = -59
    INVALID_BUFFER_SIZE = -61
    INVALID_GLOBAL_WORK_SIZE = -63
    INVALID_PROPERTY = -64
    INVALID_IMAGE_DESCRIPTOR = -65
    PLATFORM_NOT_FOUND_KHR = -1001
}

impl From<Error> for Status {
    fn from(error: Error) -> Self {
        match error {
            Error::MEMORY_ALLOCATION => Self::MEM_OBJECT_ALLOCATION_FAILURE,
            Error::INVALID_VALUE | Error::INVALID_DEVICE_POINTER => Self::INVALID_VALUE,
            Error::INVALID_PTX => Self::INVALID_BINARY,
            _ => Self::OUT_OF_RESOURCES,
        }
    }
}
