//! The state of a timed launch at a cycle: saved as bytes, and restored in another run.
//!
//! A [`SavedState`] has everything that changes while a launch runs, with device memory. The rest
//! (program, arguments, configuration) is made again by the host program, which loads the module,
//! allocates memory and launches. [`StateIdentity`] has a digest of each, so that a state is
//! restored only into the launch from which it was saved.
//!
//! Invariant `saved-states`: A launch that is restored from a saved state ends with the report and
//! the memory of the launch that was not interrupted, for any use of the host. A state of another
//! launch, or with changed bytes, is an error.

use super::gpu::{Gpu, HostError};
use super::identity::StateIdentity;
use super::start::Ready;
use crate::exec::Mode;
use crate::gpu::running::Running;
use crate::state::Corrupt;
use crate::stats::sampled::WarmupReport;
use crate::time::NEVER;

/// Shader cycles between two checks of the number of retired blocks.
const BLOCK_CHECK: u64 = 1 << 10;

/// When a state is saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SaveAt {
    /// At the start of this shader cycle of the launch.
    Cycle(u64),
    /// When this number of blocks has retired: at the next multiple of 1,024 shader cycles.
    Blocks(u64),
}

/// The state of a launch, or of several concurrent launches, at a shader cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedState {
    /// Digests of the launch.
    pub identity: StateIdentity,
    /// Number of the launch on its GPU, from 1.
    pub launch: u32,
    /// Shader cycle: all earlier cycles are complete.
    pub cycle: u64,
    /// Blocks that have retired.
    pub retired: u64,
    /// The state itself. The format is that of this version of the simulator.
    pub bytes: Vec<u8>,
}

/// Why a launch is neither saved nor restored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StateError {
    /// The kernel differs.
    #[error("the state was saved from another kernel, or the kernel was compiled differently")]
    Kernel,
    /// The chip differs.
    #[error("the state was saved on another chip, or with other overrides")]
    Chip,
    /// The launch differs.
    #[error("the state was saved from a launch with another grid, other blocks or other arguments")]
    Launch,
    /// Device memory before the launch differs.
    #[error("the state was saved from a launch with other contents of device memory")]
    Memory,
    /// The bytes are not a state of this machine.
    #[error("the state is damaged: {0}")]
    Corrupt(#[from] Corrupt),
    /// The limit of the launch is before the cycle of the state.
    #[error("the state is at cycle {cycle}, but the launch has a limit of {limit} cycles")]
    Limit {
        /// Cycle of the state.
        cycle: u64,
        /// Limit of the launch.
        limit: u64,
    },
    /// The launch is sampled, or runs on the functional machine.
    #[error("only a launch that is simulated in full, with timing, has a state to save or load")]
    NotTimed,
    /// The launch has an observer or a debugger.
    #[error("a launch that is traced or debugged cannot be saved or loaded")]
    Observed,
    /// A component of the user has a state that the simulator does not know.
    #[error("a launch with a policy that is not built in cannot be saved or loaded")]
    OwnComponent,
}

/// Callback that receives a saved state.
pub type StateSink = Box<dyn FnMut(SavedState) + Send>;

/// A state that is to be saved.
struct Saving {
    launch: u32,
    at: SaveAt,
    sink: StateSink,
    /// Identity of the launch, once it has begun.
    identity: Option<StateIdentity>,
}

/// The states that a GPU saves and loads.
#[derive(Default)]
pub(super) struct States {
    saving: Option<Saving>,
    loading: Option<SavedState>,
}

impl Gpu {
    /// Saves the state of launch number `launch` of this GPU, counted from 1, and passes it to
    /// `sink`. The launch continues. If it ends before `at`, nothing is saved, and
    /// [`Self::has_unsaved_state`] is true.
    ///
    /// The launch is an error ([`StateError`]) if it is on the functional machine, sampled,
    /// observed or debugged, or has a policy of the user.
    pub fn save_state(&mut self, launch: u32, at: SaveAt, sink: StateSink) {
        self.states.saving = Some(Saving { launch, at, sink, identity: None });
    }

    /// Restores `state` when its launch begins: the launch continues at the cycle of the state. The
    /// host program must have made the same calls as before the state was saved. Otherwise the
    /// launch is an error ([`StateError`]).
    pub fn load_state(&mut self, state: SavedState) {
        self.states.loading = Some(state);
    }

    /// Whether a state has not been saved: its launch has not occurred, or has ended before.
    pub fn has_unsaved_state(&self) -> bool {
        self.states.saving.is_some()
    }

    /// Whether a state has not been loaded: its launch has not occurred.
    pub fn has_unloaded_state(&self) -> bool {
        self.states.loading.is_some()
    }

    /// Checks that launches of which a state is saved or loaded can have one. Returns their
    /// identity, and `None` for all other launches.
    pub(super) fn identity(
        &self,
        launches: &[Ready<'_>],
        warmed: Option<&WarmupReport>,
    ) -> Result<Option<StateIdentity>, StateError> {
        if !self.states.concern(launches) {
            return Ok(None);
        }
        if launches.iter().any(|ready| ready.launch.mode == Mode::Functional) || self.sampling.is_some() {
            return Err(StateError::NotTimed);
        }
        if self.observer.is_some() || self.debugger.is_some() {
            return Err(StateError::Observed);
        }
        if self.scheduler.is_some() || self.chip.registered().next().is_some() {
            return Err(StateError::OwnComponent);
        }
        Ok(Some(StateIdentity::of(launches, warmed, &self.memory)))
    }

    /// Restores the state of launches that have not begun, if there is one to load. After an error
    /// the launches have ended, and memory is undefined.
    pub(super) fn restored(
        &mut self,
        mut running: Running,
        launches: &[Ready<'_>],
        identity: Option<StateIdentity>,
    ) -> Result<Running, HostError> {
        let Some(identity) = identity else { return Ok(running) };
        let result = self.states.load(&mut running, launches, &identity);
        match result {
            Ok(()) => Ok(running),
            Err(error) => {
                self.kept.give_back(running.machine, &mut self.memory);
                Err(error.into())
            }
        }
    }
}

impl States {
    /// Whether no state is to be saved or loaded.
    pub(super) fn idle(&self) -> bool {
        self.saving.is_none() && self.loading.is_none()
    }

    /// Whether a state of these launches is to be saved or loaded.
    fn concern(&self, launches: &[Ready<'_>]) -> bool {
        let saved = self.saving.as_ref().map(|saving| saving.launch);
        let loaded = self.loading.as_ref().map(|state| state.launch);
        let number = |ready: &Ready<'_>| Some(ready.kernel.number());
        launches.iter().map(number).any(|number| number == saved || number == loaded)
    }

    fn load(
        &mut self,
        running: &mut Running,
        launches: &[Ready<'_>],
        identity: &StateIdentity,
    ) -> Result<(), StateError> {
        let has = |number| launches.iter().any(|ready| ready.kernel.number() == number);
        if let Some(saving) = self.saving.as_mut().filter(|saving| has(saving.launch)) {
            saving.identity = Some(*identity);
        }
        let Some(state) = self.loading.take_if(|state| has(state.launch)) else { return Ok(()) };
        check(&state.identity, identity)?;
        let limit = launches.iter().map(|ready| ready.launch.options.max_cycles).min().unwrap_or(NEVER);
        if limit <= state.cycle {
            return Err(StateError::Limit { cycle: state.cycle, limit });
        }
        running.load(&state.bytes)?;
        Ok(())
    }

    /// Saves the state of `running` if it is due. Returns the shader cycle at which the launch
    /// pauses next for this purpose.
    pub(super) fn save(&mut self, running: &Running) -> u64 {
        let Some(Saving { launch, at, identity: Some(identity), .. }) = &self.saving else { return NEVER };
        let (now, machine) = (running.cycle(), &running.machine);
        let retired = || (0..machine.dispatcher.kernels()).map(|k| machine.dispatcher.progress(k).0).sum();
        let (due, next) = match at {
            SaveAt::Cycle(cycle) => (now >= *cycle, *cycle),
            SaveAt::Blocks(blocks) => {
                let due = now.is_multiple_of(BLOCK_CHECK) && retired() >= *blocks;
                (due, (now / BLOCK_CHECK + 1) * BLOCK_CHECK)
            }
        };
        if !due {
            return next;
        }
        let (identity, launch, retired) = (*identity, *launch, retired());
        let state = SavedState { identity, launch, cycle: now, retired, bytes: running.save() };
        if let Some(mut saving) = self.saving.take() {
            (saving.sink)(state);
        }
        NEVER
    }
}

/// Checks that a state with the identity `saved` continues a launch with the identity `found`.
fn check(saved: &StateIdentity, found: &StateIdentity) -> Result<(), StateError> {
    let parts = [
        (saved.kernel == found.kernel, StateError::Kernel),
        (saved.chip == found.chip, StateError::Chip),
        (saved.launch == found.launch, StateError::Launch),
        (saved.memory == found.memory, StateError::Memory),
    ];
    parts.into_iter().find(|(same, _)| !same).map_or(Ok(()), |(_, error)| Err(error))
}
