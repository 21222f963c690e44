//! Occupancy by block size, registers per thread and shared memory per block, side by side.

use super::files::Targets;
use crate::args::{ChipArgs, Format, FormatArgs, OccupancyArgs, OccupancyPictureArgs};
use crate::chip;
use crate::cmd::occupancy::answer::{as_reported, refusals};
use crate::cmd::occupancy::curves;
use crate::cmd::occupancy::subject::{self, Subject};
use crate::exit::{Code, Failure};
use crate::output::Files;
use crate::render::number::{count, plural};
use crate::rules::{self, Named};
use figures::occupancy;
use figures::scene::Scene;
use isa::terms::Terms;

/// Draws the picture of the arguments.
pub fn run(args: &OccupancyPictureArgs) -> Result<Code, Failure> {
    let named = rules::load(&args.chip, None, args.cache.map(Into::into))?.opted_in(args.opt_in)?;
    let subjects = subject::subjects(&plain(args), &named.set.usual)?;
    let [subject] = subjects.as_slice() else {
        let names: Vec<&str> =
            subjects.iter().filter_map(|one| Some(one.program.as_ref()?.name.as_str())).collect();
        return Err(Failure::input(format!(
            "error: the file has several kernels, and a picture shows one\nhelp: choose one with --entry: {}",
            names.join(", ")
        )));
    };
    let mut files = Files::new();
    chip::reads(&mut files, &args.chip.chip)?;
    if let Some(kernel) = args.kernel.as_ref().filter(|_| subject.program.is_some())
        && kernels::find(kernel).is_none()
    {
        files.reads(kernel.as_ref())?;
    }
    let targets = Targets::open(&args.files, &mut files)?;
    targets.write(&scene(args, subject, &named)?)?;
    Ok(Code::Fine)
}

/// The same question for `warpsim occupancy`.
fn plain(args: &OccupancyPictureArgs) -> OccupancyArgs {
    OccupancyArgs {
        kernel: args.kernel.clone(),
        linked: Vec::new(),
        entry: args.entry.clone(),
        block: args.block,
        regs: args.regs,
        barriers: None,
        shared: args.shared,
        params: None,
        dynamic_shared: args.dynamic_shared,
        shared_config: None,
        opt_in: args.opt_in,
        cache: args.cache,
        chip: ChipArgs { chip: args.chip.chip.clone(), sets: args.chip.sets.clone() },
        sweep: None,
        html: None,
        compile: args.compile,
        preprocess: args.preprocess.clone(),
        format: FormatArgs { format: Format::Text },
    }
}

fn scene(args: &OccupancyPictureArgs, subject: &Subject, named: &Named) -> Result<Scene, Failure> {
    let Some((block, _)) = subject.block else {
        return Err(Failure::input(format!(
            "error: the {} size is unknown\nhelp: give it with --block 256",
            subject.terms.block
        )));
    };
    let set = &named.set;
    // Plain numbers are the calculator's input, as in `warpsim occupancy`.
    let counts = if subject.params.is_some() { set.clone() } else { as_reported(set) };
    let request = subject.request(block);
    let rules = counts.of(&request);
    if let Some(refusal) = refusals(subject, &request, &rules).into_iter().next() {
        return Err(Failure {
            code: refusal.code,
            message: format!("error: {}{}", refusal.message, refusal.help),
        });
    }
    let result = request.occupancy(&rules);
    let threads = u32::try_from(block.count()).unwrap_or(u32::MAX);
    let name = match (&subject.program, &args.kernel) {
        (Some(_), Some(kernel)) if kernels::find(kernel).is_some() => kernel.clone(),
        (Some(program), _) => program.name.clone(),
        (None, _) => "a kernel".to_owned(),
    };
    let limiters: Vec<_> = result.limiters.iter().map(|limiter| limiter.name(subject.terms)).collect();
    let Terms { thread, block, shared, sm, .. } = subject.terms;
    let slots = rules.sm.max_warps;
    let notes = [
        format!(
            "{threads} {thread}s per {block}, {} per {thread}, {} bytes of {shared} per {block}",
            plural(subject.registers.0.into(), "register"),
            count(u64::from(subject.static_shared) + u64::from(subject.dynamic_shared))
        ),
        format!(
            "{} per {sm}: {} of {slots} warps, {:.0} %; limited by {}",
            plural(result.blocks.into(), block),
            result.warps,
            100.0 * result.occupancy,
            limiters.join(", ")
        ),
    ];
    let sets: Vec<String> = args.chip.sets.iter().map(|set| format!(", {}", set.trim())).collect();
    let chip = named.title.split(", compute capability").next().unwrap_or(&named.title);
    let title = format!("Occupancy of {name} on {chip}{}", sets.concat());
    Ok(occupancy::scene(&title, &notes, &curves::of(subject, set)))
}
