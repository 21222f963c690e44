//! What the crate `studies` gets of the command line: kernels, chips, messages, progress and
//! signals.

use crate::chip;
use crate::cuda_c::Compilation;
use crate::exit::Failure;
use crate::output::{complain, interrupt};
use crate::watch::counting;
use crate::workload::{Prepared, Source};
use isa::Options;
use isa::types::Capability;
use isa::uop::Module;
use kernels::Settings;
use report::outcome::RunResult;
use report::provenance::hex;
use sha2::{Digest, Sha256};
use sim_core::host::{Gpu, StopReason};
use std::fs::File;
use std::io::Read;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::SystemTime;
use studies::host::{Compiled, Found, Host, Program, Warn};

/// Digest of the sources that decide results: `build.rs` makes it.
pub const SOURCES: &str = env!("WARPSIM_SOURCES");

/// Returns the command line as studies see it. From now on the first Ctrl-C ends the study in an
/// orderly way, and the second one the program.
pub fn host() -> Host {
    interrupt::catch();
    Host {
        sources: SOURCES,
        executable,
        say: complain,
        bar: |points| counting(points, "points"),
        interrupted: interrupt::asked,
        ends: interrupt::ends,
        monitor,
        chip: chip::texts,
        program,
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

fn monitor(gpu: &mut Gpu) {
    gpu.monitor(Some(Box::new(|_| match interrupt::flow() {
        ControlFlow::Continue(()) => ControlFlow::Continue(()),
        ControlFlow::Break(()) => ControlFlow::Break(StopReason::Interrupted),
    })));
}

fn program<'k>(
    found: &'k Found,
    options: Options,
    capability: Capability,
    warn: Warn<'_>,
) -> Result<Compiled<'k>, Failure> {
    let source = match found {
        Found::Builtin(workload) => Source::Builtin(workload),
        Found::Files(ptx, launch) => Source::Custom { ptx: vec![ptx.clone()], launch },
    };
    Ok(Box::new(source.prepare_for(&Compilation::usual(options).on(capability), warn)?))
}

impl Program for Prepared<'_> {
    fn module(&self) -> &Module {
        Prepared::module(self)
    }

    fn texts(&self) -> Vec<&str> {
        Prepared::texts(self).collect()
    }

    fn launch_text(&self) -> Option<&str> {
        Prepared::launch_text(self)
    }

    fn files(&self) -> Vec<PathBuf> {
        Prepared::files(self)
    }

    fn inputs(&self, launch: &str) -> Vec<PathBuf> {
        match self {
            Self::Builtin(..) | Self::Program(_) => Vec::new(),
            Self::Custom(prepared) => prepared.inputs(launch),
        }
    }

    fn run(&self, launch: Option<&str>, gpu: &mut Gpu, settings: Settings) -> Result<RunResult, Failure> {
        self.run_launch(launch, gpu, settings)
    }
}
