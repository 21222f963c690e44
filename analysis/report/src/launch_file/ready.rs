//! A launch file whose launch a command runs itself, action by action.

use super::Plan;
use super::device::Device;
use super::schema::DataName;
use super::value::{Number, decode};
use crate::exit::Failure;
use crate::outcome::Check;
use crate::pointers;
use isa::types::ScalarType;
use isa::uop::Module;
use sim_core::debug::Debugger;
use sim_core::host::{
    Action, Arg, Gpu, HostError, InterleaveError, Interleaved, Launch, LaunchSettings, Order,
};

/// A buffer or a variable in device memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Area {
    /// Name in the launch file.
    pub name: String,
    /// Type of its elements.
    pub ty: ScalarType,
    /// Device address.
    pub address: u32,
    /// Size in bytes.
    pub bytes: u32,
    /// Whether the launch file has expectations about it.
    pub is_expected: bool,
}

impl Area {
    /// Returns the contents after a launch.
    pub fn contents(&self, state: &Interleaved) -> Vec<u8> {
        let mut bytes = vec![0; self.bytes as usize];
        state.memory().read(self.address, &mut bytes);
        bytes
    }

    /// Returns the element in `bytes`, which are exactly one element.
    pub fn element(&self, bytes: &[u8]) -> Number {
        decode(self.ty, bytes)
    }
}

/// A launch on a GPU, before its first instruction.
pub struct Ready<'g> {
    origin: Origin<'g>,
    launch: Launch,
    areas: Vec<Area>,
}

/// Origin of the memory of a launch.
enum Origin<'g> {
    /// A launch file, which has expectations.
    File(Device<'g>, Box<Plan>),
    /// A program with host code.
    Program(&'g mut Gpu),
}

impl<'g> Ready<'g> {
    /// Loads the module, and makes the buffers and their contents.
    ///
    /// # Errors
    /// The launch file has a list of calls, or the GPU refuses a part of it.
    pub fn open(
        mut plan: Plan,
        module: Module,
        gpu: &'g mut Gpu,
        settings: LaunchSettings,
    ) -> Result<Self, Failure> {
        if !plan.file.streams.is_empty() {
            let message = "error: the launch file has a list of calls: only one launch can be explored";
            return Err(Failure::input(format!("{message}\nhelp: remove `streams`, and set `entry`")));
        }
        let types: Vec<ScalarType> = plan.buffers.iter().map(|data| data.ty).collect();
        let device = Device::open(&mut plan, module, gpu)?;
        let launch = device.configured(&plan.file, settings)?;
        let is_expected = |name: &str| {
            plan.expected.iter().any(|expected| match &expected.what {
                DataName::Buffer(other) | DataName::Symbol(other) => other.value == name,
            })
        };
        let mut areas = Vec::new();
        for ((array, buffer), ty) in plan.file.buffers.iter().zip(&device.buffers).zip(types) {
            let (name, bytes) = (array.name.value.clone(), buffer.bytes as u32);
            let is_expected = is_expected(&name);
            areas.push(Area { name, ty, address: buffer.pointer.address(), bytes, is_expected });
        }
        for expected in &plan.expected {
            if let DataName::Symbol(name) = &expected.what
                && let Some(at) = device.symbol(&name.value)
            {
                let (name, bytes) = (name.value.clone(), expected.bytes.len() as u32);
                areas.push(Area { name, ty: expected.ty, address: at.address(), bytes, is_expected: true });
            }
        }
        Ok(Self { origin: Origin::File(device, Box::new(plan)), launch, areas })
    }

    /// The next launch of a program with host code, which has made the memory of `gpu`.
    ///
    /// # Errors
    /// The module of the launch has no such kernel.
    pub fn of_program(gpu: &'g mut Gpu, launch: Launch) -> Result<Self, Failure> {
        let areas = areas(gpu, &launch)?;
        Ok(Self { origin: Origin::Program(gpu), launch, areas })
    }

    fn gpu(&self) -> &Gpu {
        match &self.origin {
            Origin::File(device, _) => device.gpu,
            Origin::Program(gpu) => gpu,
        }
    }

    /// The buffers, and the variables with expectations.
    pub fn areas(&self) -> &[Area] {
        &self.areas
    }

    /// Returns the launch before its first action.
    ///
    /// # Errors
    /// The launch exceeds the limits of the chip or of interleaved launches.
    pub fn start(&self, order: Order) -> Result<Interleaved, Failure> {
        self.gpu().interleave(&self.launch, order).map_err(refused)
    }

    /// Calls a debugger for a schedule of the launch. Returns the launch at the end of the
    /// schedule, or `None` if it was killed.
    ///
    /// # Errors
    /// As for [`Self::start`].
    pub fn debug(
        &self,
        order: Order,
        actions: Vec<Action>,
        debugger: &mut dyn Debugger,
    ) -> Result<Option<Interleaved>, Failure> {
        let ended = self.gpu().debug_schedule(&self.launch, order, actions.into(), debugger);
        ended.map_err(refused)
    }

    /// Compares the memory of a finished launch with the expected data.
    ///
    /// # Errors
    /// The data cannot be read.
    pub fn check(&mut self, state: &Interleaved) -> Result<Check, HostError> {
        match &mut self.origin {
            Origin::File(device, plan) => {
                device.gpu.adopt(state);
                device.check_data(plan)
            }
            Origin::Program(_) => Ok(Check::default()),
        }
    }
}

/// The memory that the arguments of a launch point to, with the names of the parameters.
///
/// # Errors
/// The module of the launch has no such kernel.
pub fn areas(gpu: &Gpu, launch: &Launch) -> Result<Vec<Area>, Failure> {
    let module = gpu.module(launch.module);
    let program = module.entries.iter().find(|program| program.name == launch.entry);
    let program =
        program.ok_or_else(|| Failure::input(format!("error: there is no kernel `{}`", launch.entry)))?;
    let mut areas: Vec<Area> = Vec::new();
    for ((param, pointee), argument) in program.params.iter().zip(pointers::of(program)).zip(&launch.args) {
        let Arg::Ptr(pointer) = argument else { continue };
        let Some(range) = gpu.allocations().find(pointer.address()) else { continue };
        let (name, ty) = (param.name.clone(), pointee.map_or(ScalarType::U8, |pointee| pointee.ty));
        let is_known = areas.iter().any(|area| area.address == range.start);
        if !is_known {
            let bytes = range.bytes;
            areas.push(Area { name, ty, address: range.start, bytes, is_expected: false });
        }
    }
    Ok(areas)
}

fn refused(error: InterleaveError) -> Failure {
    match error {
        InterleaveError::Host(error) => Failure::from(error),
        InterleaveError::Warps { .. } | InterleaveError::Blocks { .. } => {
            Failure::input(format!("error: {error}\nhelp: set fewer blocks or threads in the launch file"))
        }
    }
}
