//! A launch file whose launch a command runs itself, action by action.

use super::Plan;
use super::device::Device;
use super::schema::DataName;
use super::value::{Number, decode};
use crate::exit::Failure;
use crate::outcome::Check;
use isa::types::ScalarType;
use isa::uop::Module;
use kernels::Settings;
use sim_core::debug::Debugger;
use sim_core::host::{Action, Gpu, HostError, InterleaveError, Interleaved, Launch, Order};

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
    device: Device<'g>,
    plan: Plan,
    launch: Launch,
    areas: Vec<Area>,
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
        settings: Settings,
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
        Ok(Self { device, plan, launch, areas })
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
        self.device.gpu.interleave(&self.launch, order).map_err(refused)
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
        let ended = self.device.gpu.debug_schedule(&self.launch, order, actions.into(), debugger);
        ended.map_err(refused)
    }

    /// Compares the memory of a finished launch with the expected data.
    ///
    /// # Errors
    /// The data cannot be read.
    pub fn check(&mut self, state: &Interleaved) -> Result<Check, HostError> {
        self.device.gpu.adopt(state);
        self.device.check_data(&self.plan)
    }
}

fn refused(error: InterleaveError) -> Failure {
    match error {
        InterleaveError::Host(error) => Failure::from(error),
        InterleaveError::Warps { .. } | InterleaveError::Blocks { .. } => {
            Failure::input(format!("error: {error}\nhelp: set fewer blocks or threads in the launch file"))
        }
    }
}
