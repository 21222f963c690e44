//! A launch that the command line describes: `--grid`, `--block` and `--arg` become the text of a
//! launch file, which comes with the request.

use crate::args::{ChipArgs, DirectArgs, Request};
use crate::chip;
use crate::exit::Failure;
use crate::output::complain;
use isa::types::Dim3;
use request::Compilation;
use request::direct::{Direct, Threads};
use request::ptx::Ptx;

/// Name of the launch file of `--grid` in messages.
const NAME: &str = "launch.ron";

/// Makes the launch file of `--grid` and adds it to the request.
pub fn prepare(workload: &mut Request, chip: &ChipArgs, args: &DirectArgs) -> Result<(), Failure> {
    let threads = match (args.grid, args.global) {
        (_, Some(items)) => Threads::Range(items, args.local),
        (Some(grid), None) => Threads::Grid(grid, args.block.unwrap_or(Dim3::new(1, 1, 1))),
        (None, None) => {
            let Some(option) = args.dependent() else { return Ok(()) };
            let message = format!("error: {option} needs --grid and --block, or --global of OpenCL C");
            return Err(Failure::input(message));
        }
    };
    if kernels::find(&workload.kernel).is_some() {
        let message = format!("error: the built-in kernel `{}` does not accept --grid", workload.kernel);
        return Err(Failure::input(message + "\nhelp: set the problem size with --size"));
    }
    let (capability, features) = chip::capability(chip)?;
    let how = Compilation::new(workload.compile, &workload.preprocess).on(capability, features);
    let ptx = Ptx::linked(&workload.kernel, &workload.linked, &how)?;
    // The run compiles the file again, and prints the warnings.
    let module = ptx.compile(&how, &mut |_| {})?;
    let direct = Direct {
        threads,
        entry: args.entry.as_deref(),
        arguments: &args.arguments,
        expect: &args.expect,
        dynamic_shared: args.dynamic_shared.unwrap_or(0),
    };
    let text = direct.launch_file(ptx.name(), &module, &mut |text| complain(text))?;
    workload.sources.insert(NAME, text);
    workload.launch = Some(NAME.into());
    Ok(())
}
