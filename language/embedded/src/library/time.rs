//! Time: one nanosecond for each host instruction, the time of `sleep`, and the time that the host
//! spends in calls of the runtime.

use super::{Call, Table};
use crate::stop::Stop;

/// Seconds from 1970 to the start of a program: every program starts at the same time.
const START: u64 = 1_300_000_000;

fn store(call: &mut Call<'_>, to: u64, per_second: u64) -> Result<u64, Stop> {
    let now = call.host.time();
    let part = now % 1_000_000_000 / (1_000_000_000 / per_second);
    if to != 0 {
        call.memory.write(to, &(START + now / 1_000_000_000).to_le_bytes())?;
        call.memory.write(to + 8, &part.to_le_bytes())?;
    }
    Ok(0)
}

pub(super) const TABLE: Table = &[
    ("time", |call| {
        let now = START + call.host.time() / 1_000_000_000;
        if call.word(0) != 0 {
            call.memory.write(call.word(0), &now.to_le_bytes())?;
        }
        Ok(now)
    }),
    ("clock", |call| Ok(call.host.time() / 1000)),
    ("gettimeofday", |call| store(call, call.word(0), 1_000_000)),
    ("clock_gettime", |call| store(call, call.word(1), 1_000_000_000)),
    ("difftime", |call| Ok(((call.word(0) as i64 - call.word(1) as i64) as f64).to_bits())),
    ("clock_getres", |call| {
        if call.word(1) != 0 {
            call.memory.write(call.word(1), &0_u64.to_le_bytes())?;
            call.memory.write(call.word(1) + 8, &1_u64.to_le_bytes())?;
        }
        Ok(0)
    }),
    ("__ws_thread_clock", |call| Ok(call.host.time())),
];
