//! The CUDA host model: a [`Gpu`] with device memory, modules, copies timed over PCI Express, and
//! launches.
//!
//! ```no_run
//! use sim_core::config::Chip;
//! use sim_core::host::{Arg, Gpu, Launch};
//!
//! let text = std::fs::read_to_string("vecadd.ptx").unwrap();
//! let (module, _diagnostics) = isa::compile("vecadd.ptx", &text);
//! let mut gpu = Gpu::new(Chip::builtin("g80").unwrap());
//! let module = gpu.load(module.unwrap()).unwrap();
//! let a = gpu.malloc(4096).unwrap();
//! gpu.copy_in(a, &[0; 4096]).unwrap();
//! let report = gpu.launch(&Launch::new(module, "vecadd", 4, 256).args([Arg::Ptr(a), Arg::S32(1024)])).unwrap();
//! assert!(report.verdict.is_finished());
//! ```

mod ahead;
mod checks;
mod counts;
mod device_memory;
mod effects;
mod engines;
pub mod fit;
pub mod gpu;
mod group;
mod identity;
mod interleave;
pub mod launch;
mod launch_error;
mod limited;
mod mapped;
pub mod memory;
mod module;
mod monitor;
mod objects;
mod output;
mod peer;
mod replaced;
mod sample;
mod schedule;
mod speculation;
mod start;
mod state;
mod surfaces;
mod textures;
mod timed;
pub mod timeline;
mod together;
mod warmup;

pub use crate::config::CachePreference;
pub use crate::exec::surface::SurfaceOptions;
pub use crate::exec::texture::{
    AddressMode, ChannelOrder, FilterMode, ReadMode, SamplerOptions, TexelFormat, TextureOptions,
    TextureShape,
};
pub use crate::exec::{BarrierRule, MemoryRule, Mode};
pub use crate::gpu::functional::Ending;
pub use crate::gpu::interleaved::{
    Action, Done, End, Interleaved, LaneValue, Order, Place, Touch, Waiting, Why,
};
pub use crate::gpu::run::HostStats;
pub use crate::gpu::running::FIRST_LOOK;
pub use crate::gpu::stop::StopReason;
pub use crate::mem::image::Memory;
pub use crate::mem::map::AddressMap;
pub use counts::counts;
pub use effects::{Effects, Recorded, Replaced};
pub use gpu::{Gpu, HostError, ModuleId};
pub use identity::StateIdentity;
pub use interleave::{InterleaveError, MOST_WARPS};
pub use launch::{Arg, Launch, LaunchSettings, RunOptions};
pub use launch_error::{LaunchError, LaunchLimit};
pub use memory::{DevicePtr, Row};
pub use monitor::{Concurrent, Listener, Monitor, Pass, Progress};
pub use output::{Limit, Values, format};
pub use sample::{MEASURED, MeasuredError, Sampling};
pub use schedule::{Ran, StreamCall, Waited};
pub use state::{SaveAt, SavedState, StateError, StateSink};
pub use surfaces::SurfaceError;
pub use textures::TextureError;
pub use timeline::{HostMemory, Stream, TimelineEvent};
pub use warmup::WarmupCache;
