//! Runs a generated case on the reference interpreter, in the same memory as on the machine.

use crate::reference::{self, Order};
use warpsim_check::run::{Contents, Prepared, Ready, contents};

/// Choices that PTX leaves open in a launch.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// Order of the threads.
    pub order: Order,
    /// Byte that everything consists of before it is written.
    pub fill: u8,
    /// Free bytes behind each variable in shared memory.
    pub gap: u64,
    /// Number of instructions after which a thread counts as hanging.
    pub most_steps: u64,
}

impl Default for Choice {
    fn default() -> Self {
        Self { order: Order::Ascending, fill: 0, gap: 0, most_steps: 10_000_000 }
    }
}

/// Returns the final content of the buffers by the reference interpreter, in the same fresh
/// memory.
pub fn reference(prepared: &Prepared) -> Result<reference::Memory, String> {
    reference_by(prepared, Contents::default(), Choice::default())
}

/// Same as [`reference()`], with other contents and choices.
pub fn reference_by(
    prepared: &Prepared,
    what: Contents,
    choice: Choice,
) -> Result<reference::Memory, String> {
    let Ready { mut gpu, launch, buffers } = prepared.ready_with(0, what, |_| {});
    let mut memory = reference::Memory::default();
    for (number, buffer) in buffers.into_iter().enumerate() {
        let unset = what.unset == Some(number);
        let bytes = if unset { vec![choice.fill; buffer.1 as usize] } else { contents(&mut gpu, buffer) };
        memory.add(buffer.0.address().into(), bytes);
    }
    let program = reference::ReferenceProgram::read_with_gaps(prepared.text(), "k", choice.gap)?;
    let args = launch.args.iter().map(|arg| arg.to_bytes(4).expect("all parameters are pointers")).collect();
    let (grid, block) = (launch.grid, launch.block);
    let isa::types::Capability { major, minor } = prepared.chip.capability;
    let capability = u32::from(10 * major + minor);
    let Choice { order, fill, most_steps, .. } = choice;
    let launch = reference::Launch::new(&program, grid, block);
    let launch = reference::Launch { args, capability, most_steps, order, fill, ..launch };
    reference::run(&launch, &mut memory)?;
    Ok(memory)
}
