//! Interface of the crate `studies` to the command line: messages, progress and signals.

use crate::output::{complain, interrupt};
use crate::watch::counting;
use indicatif::ProgressBar;
use report::provenance::hex;
use sha2::{Digest, Sha256};
use sim_core::host::{Gpu, StopReason};
use std::fs::File;
use std::io::Read;
use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};
use std::time::SystemTime;
use studies::host::Host;

/// Digest of the sources that decide results: `build.rs` makes it.
pub const SOURCES: &str = env!("WARPSIM_SOURCES");

/// Returns the command line as studies see it. From now on the first Ctrl-C ends the study in an
/// orderly way, and the second one the program.
pub fn host() -> Arc<dyn Host> {
    interrupt::catch();
    Arc::new(Process)
}

struct Process;

impl Host for Process {
    fn sources(&self) -> &'static str {
        SOURCES
    }

    fn executable(&self) -> &'static str {
        executable()
    }

    fn say(&self, text: &str) {
        complain(text);
    }

    fn bar(&self, points: u64) -> ProgressBar {
        counting(points, "points")
    }

    fn interrupted(&self) -> bool {
        interrupt::asked()
    }

    fn ends(&self) {
        interrupt::ends();
    }

    fn monitor(&self, gpu: &mut Gpu) {
        gpu.monitor(Some(Box::new(|_| match interrupt::flow() {
            ControlFlow::Continue(()) => ControlFlow::Continue(()),
            ControlFlow::Break(()) => ControlFlow::Break(StopReason::Interrupted),
        })));
    }
}

/// Returns the digest of the program file. If it cannot be read, the result is another one in each
/// process, so that no result of an unknown program is used.
fn executable() -> &'static str {
    static DIGEST: OnceLock<String> = OnceLock::new();
    DIGEST.get_or_init(|| {
        let mut hash = Sha256::new();
        let read = std::env::current_exe().and_then(File::open).and_then(|mut file| {
            let mut piece = vec![0; 1 << 20];
            loop {
                match file.read(&mut piece)? {
                    0 => return Ok(()),
                    bytes => hash.update(&piece[..bytes]),
                }
            }
        });
        match read {
            Ok(()) => hex(&hash.finalize()),
            Err(_) => format!("{} {:?}", std::process::id(), SystemTime::now()),
        }
    })
}
