//! The objects of the API and their handles.

pub mod command;
pub mod image;
pub mod info;
pub mod kernel;
pub mod memory;
pub mod program;
pub mod queue;

use crate::status::{Done, Status};
use command::{Command, Event};
use kernel::Kernel;
use memory::Memory;
use program::Program;
use queue::Queue;
use sim_core::host::SamplerOptions;
use std::collections::BTreeMap;
use warpsim_cuda::runtime::Runtime;
use warpsim_cuda::runtime::thread::Thread;

/// A handle of the host program: the address of an object that it never reads.
pub type Handle = u64;

/// First handle that is a number. No pointer of a host program has such a value.
const FIRST_NUMBER: Handle = 0x434c_0000_0000_0000;

/// Makes handles that are only numbers, for host programs without the dispatch table of the ICD.
pub fn numbers() -> Box<dyn FnMut() -> Handle> {
    let mut last = FIRST_NUMBER;
    Box::new(move || {
        last += 16;
        last
    })
}

/// A context.
#[derive(Clone, Debug)]
pub struct Context {
    /// The properties of its creation, with their final 0.
    pub properties: Vec<u64>,
}

/// A sampler.
#[derive(Clone, Copy, Debug)]
pub struct Sampler {
    /// Its context.
    pub context: Handle,
    /// Whether coordinates are from 0 to 1.
    pub normalized: bool,
    /// `CL_ADDRESS_...`.
    pub addressing: u32,
    /// `CL_FILTER_...`.
    pub filter: u32,
    /// Handle for kernels.
    pub object: u64,
}

/// An object.
#[derive(Debug)]
pub enum Object {
    /// A context.
    Context(Context),
    /// A command queue.
    Queue(Queue),
    /// A buffer or an image.
    Memory(Memory),
    /// A sampler.
    Sampler(Sampler),
    /// A program.
    Program(Program),
    /// A kernel.
    Kernel(Kernel),
    /// An event.
    Event(Event),
}

#[derive(Debug)]
struct Counted {
    references: u32,
    object: Object,
}

/// A function of the host program that is called when the state is free again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Callback {
    /// `clSetEventCallback`: function, event, status, data.
    Event(u64, Handle, i32, u64),
    /// `clSetMemObjectDestructorCallback`: function, object, data.
    Memory(u64, Handle, u64),
    /// `clBuildProgram`: function, program, data.
    Program(u64, Handle, u64),
}

impl Callback {
    /// The function and its arguments as words.
    pub fn call(self) -> (u64, Vec<u64>) {
        match self {
            Self::Event(function, event, status, data) => {
                (function, vec![event, i64::from(status) as u64, data])
            }
            Self::Memory(function, object, data) | Self::Program(function, object, data) => {
                (function, vec![object, data])
            }
        }
    }
}

/// All state of the API in a process.
pub struct State {
    /// The simulated GPU, its settings and the record of the program.
    pub runtime: Runtime,
    /// The state of the calling thread: all threads use the first device.
    pub thread: Thread,
    /// Handle of the platform.
    pub platform: Handle,
    /// Handle of the device.
    pub device: Handle,
    objects: BTreeMap<Handle, Counted>,
    /// Commands that are not complete, in the order of their calls.
    pub(crate) pending: Vec<Command>,
    /// The samplers of the device.
    samplers: Vec<(SamplerOptions, u64)>,
    /// The different texts of programs from sources, and of programs from binaries.
    texts: [Vec<String>; 2],
    /// Functions to call.
    pub callbacks: Vec<Callback>,
    new_handle: Box<dyn FnMut() -> Handle>,
}

macro_rules! objects {
    ($($get:ident, $change:ident, $kind:ident, $error:ident;)*) => {
        impl State {
            $(
                #[doc = concat!("Returns the object of a handle, or `", stringify!($error), "`.")]
                pub fn $get(&self, handle: Handle) -> Done<&$kind> {
                    match self.objects.get(&handle).map(|counted| &counted.object) {
                        Some(Object::$kind(object)) => Ok(object),
                        _ => Err(Status::$error),
                    }
                }

                #[doc = concat!("Returns the object of a handle to change it, or `", stringify!($error), "`.")]
                pub fn $change(&mut self, handle: Handle) -> Done<&mut $kind> {
                    match self.objects.get_mut(&handle).map(|counted| &mut counted.object) {
                        Some(Object::$kind(object)) => Ok(object),
                        _ => Err(Status::$error),
                    }
                }
            )*
        }
    };
}

objects! {
    context, context_mut, Context, INVALID_CONTEXT;
    queue, queue_mut, Queue, INVALID_COMMAND_QUEUE;
    memory, memory_mut, Memory, INVALID_MEM_OBJECT;
    sampler, sampler_mut, Sampler, INVALID_SAMPLER;
    program, program_mut, Program, INVALID_PROGRAM;
    kernel, kernel_mut, Kernel, INVALID_KERNEL;
    event, event_mut, Event, INVALID_EVENT;
}

impl State {
    /// State without objects. `new_handle` makes the handles: [`numbers`], or addresses of objects
    /// whose first word is the dispatch table of the ICD.
    pub fn new(runtime: Runtime, mut new_handle: Box<dyn FnMut() -> Handle>) -> Self {
        Self {
            runtime,
            thread: Thread::new(),
            platform: new_handle(),
            device: new_handle(),
            objects: BTreeMap::new(),
            pending: Vec::new(),
            samplers: Vec::new(),
            texts: Default::default(),
            callbacks: Vec::new(),
            new_handle,
        }
    }

    /// Adds an object with one reference.
    pub fn add(&mut self, object: Object) -> Handle {
        let handle = (self.new_handle)();
        self.runtime.program.is_opencl |= matches!(object, Object::Context(_));
        self.objects.insert(handle, Counted { references: 1, object });
        handle
    }

    /// Number of references of an object.
    pub fn references(&self, handle: Handle) -> u32 {
        self.objects.get(&handle).map_or(0, |counted| counted.references)
    }

    /// Adds a reference to an object, which exists.
    pub fn retain(&mut self, handle: Handle) {
        if let Some(counted) = self.objects.get_mut(&handle) {
            counted.references = counted.references.saturating_add(1);
        }
    }

    /// Removes a reference of an object. The last one removes the object, and the references that
    /// it has.
    pub fn release(&mut self, handle: Handle) {
        let Some(counted) = self.objects.get_mut(&handle) else { return };
        counted.references -= 1;
        if counted.references > 0 {
            return;
        }
        let Some(Counted { object, .. }) = self.objects.remove(&handle) else { return };
        let uses = match object {
            Object::Context(_) => Vec::new(),
            Object::Queue(queue) => vec![queue.context],
            Object::Sampler(sampler) => vec![sampler.context],
            Object::Program(program) => vec![program.context],
            Object::Kernel(kernel) => vec![kernel.program],
            Object::Event(event) => event.queue.into_iter().chain([event.context]).collect(),
            Object::Memory(memory) => {
                let context = memory.context;
                let parent = memory.parent;
                self.free_memory(handle, &memory);
                parent.into_iter().chain([context]).collect()
            }
        };
        for one in uses {
            self.release(one);
        }
    }

    /// Kernels of a program.
    pub fn kernels_of(&self, program: Handle) -> usize {
        let is_own = |counted: &&Counted| matches!(&counted.object, Object::Kernel(kernel) if kernel.program == program);
        self.objects.values().filter(is_own).count()
    }

    /// Checks that a handle is the platform.
    ///
    /// # Errors
    ///
    /// It is another one.
    pub fn check_platform(&self, handle: Handle) -> Done {
        if handle == self.platform { Ok(()) } else { Err(Status::INVALID_PLATFORM) }
    }

    /// Checks that a handle is the device.
    ///
    /// # Errors
    ///
    /// It is another one.
    pub fn check_device(&self, handle: Handle) -> Done {
        if handle == self.device { Ok(()) } else { Err(Status::INVALID_DEVICE) }
    }

    /// Checks that a list of handles is exactly the device.
    ///
    /// # Errors
    ///
    /// It has no devices, or other ones.
    pub fn check_devices(&self, devices: &[u64]) -> Done {
        match devices {
            [] => Err(Status::INVALID_VALUE),
            all if all.iter().all(|device| *device == self.device) => Ok(()),
            _ => Err(Status::INVALID_DEVICE),
        }
    }

    /// Reads words of the host program.
    ///
    /// # Errors
    ///
    /// The address has no memory.
    pub fn words(&self, address: u64, count: u64) -> Done<Vec<u64>> {
        let bytes = self.runtime.get(address, count.checked_mul(8).ok_or(Status::INVALID_VALUE)?)?;
        Ok(bytes.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().expect("8 bytes"))).collect())
    }

    /// Simulated nanoseconds at which the host makes its next call.
    pub fn now(&self) -> u64 {
        self.runtime.host_ns()
    }
}
