//! `why`: the state of the warp in focus, and what it waits for.

use super::show::state;
use crate::render::number::{count, plural};
use crate::render::table::line;
use report::words::Words;
use sim_core::debug::{BarrierView, Session, WarpView};
use sim_core::host::Mode;
use sim_core::stats::WarpState;

/// `why`.
pub fn why(session: &Session<'_>, words: &Words, warp: &WarpView) -> String {
    let mut out = format!("{}\n", state(session, words, warp));
    let Some(status) = warp.status else { return out };
    if session.mode() == Mode::Timed {
        let mut since = format!("  in this state since cycle {}", count(status.since));
        let wait = session.wait(warp.sm, warp.slot);
        if let Some(until) = wait.as_ref().and_then(|wait| wait.until) {
            since.extend([", until cycle ", &count(until)]);
        }
        line(&mut out, since);
    }
    if status.state == WarpState::Exited || warp.live == 0 {
        return out;
    }
    let label = if status.state == WarpState::Issuing { "issued" } else { "next" };
    let pc = if status.state == WarpState::Issuing { status.pc } else { warp.pc };
    line(&mut out, format!("  {label}: line {}: {}", words.place(pc), words.text(pc)));
    let Some(wait) = session.wait(warp.sm, warp.slot) else { return out };
    for register in &wait.registers {
        let name = register.name.as_deref().unwrap_or("an intermediate value");
        let by = register.producer.map_or(String::new(), |by| {
            format!(" of line {}, issued in cycle {}", words.place(by.pc), count(by.cycle))
        });
        let ready = match register.ready {
            Some(ready) => format!("usable from cycle {}", count(ready)),
            None => "pending in memory".to_owned(),
        };
        line(&mut out, format!("  needs {name}{by}: {ready}"));
    }
    for load in &wait.loads {
        let replies = match load.replies {
            1 => "1 reply".to_owned(),
            many => format!("{many} replies"),
        };
        line(&mut out, format!("  the load of line {} waits for {replies}", words.place(load.pc)));
    }
    if let Some(barrier) = &wait.barrier {
        missing(&mut out, words, barrier);
    }
    out
}

/// The warps that have not arrived at a barrier.
fn missing(out: &mut String, words: &Words, barrier: &BarrierView) {
    let BarrierView { id, count, required, missing, .. } = barrier;
    line(out, format!("  barrier {id}: {count} of {} have arrived", plural((*required).into(), "warp")));
    for warp in missing {
        line(out, format!("  missing: warp {}, at line {}", warp.index, words.place(warp.pc)));
    }
}
