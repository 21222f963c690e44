//! `warpsim debug --replay`: the schedule of a launch, which `explore` has found, step by step.

use super::{Shared, has_screen, script};
use crate::args::DebugArgs;
use crate::cmd::explore;
use crate::exit::{Code, Failure};
use crate::output::{Files, interrupt, print};
use crate::watch::Process;
use crate::workload::Opened;
use sim_core::host::Gpu;
use std::path::Path;

/// Debugs the schedule in a file.
pub fn run(args: &DebugArgs, schedule: &Path) -> Result<Code, Failure> {
    let mut files = Files::new();
    let Opened { prepared, settings, chip, .. } =
        Opened::new(&args.workload, &args.chip, explore::STEPS, &mut files)?;
    let schedule = explore::read_schedule(schedule, &mut files)?;
    let script = script(args)?;
    let mut gpu = Gpu::new(chip);
    let mut ready = explore::ready(&prepared, (&args.workload.kernel, &args.which), &mut gpu, settings)?;
    let order = args.order.order();
    let actions = explore::replay::actions(&ready.start(order)?, &schedule)?;
    interrupt::catch();
    let mut console = Shared::open(&Process, script, has_screen(args)?)?;
    let ended = ready.debug(order, actions, &mut console);
    let closed = console.close();
    let ended = ended?;
    if let Some(failure) = closed.failure {
        return Err(failure);
    }
    if closed.quit {
        return Ok(if interrupt::asked() {
            interrupt::code()
        } else if closed.has_failed {
            Code::BadInput
        } else {
            Code::Fine
        });
    }
    let Some(state) = ended else { return Ok(Code::Fine) };
    let Some((facts, code)) = explore::replay::end(&mut ready, &state)? else { return Ok(Code::HangOrLimit) };
    print(&debugger::lines(facts))?;
    Ok(code)
}
