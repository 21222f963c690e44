//! `validate --latency`: each chip's load latency over footprint and stride, as a picture with the
//! published steps.

use crate::args::{ChipArgs, ValidateArgs};
use crate::chip;
use crate::cmd::picture::latency;
use crate::exit::{Code, Failure};
use crate::output::{Files, complain, shown};
use figures::svg;
use sim_core::config::builtin::simulated_names;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;

/// Draws the pictures of the chips into `folder`.
pub fn run(args: &ValidateArgs, folder: &Path) -> Result<Code, Failure> {
    let names: Vec<String> = args
        .chip
        .as_ref()
        .map_or_else(|| simulated_names().map(str::to_owned).collect(), |name| vec![name.clone()]);
    fs::create_dir_all(folder)
        .map_err(|why| Failure::input(format!("error: cannot create {}: {why}", shown(folder))))?;
    let mut files = Files::new();
    names.iter().try_for_each(|name| chip::reads(&mut files, name))?;
    let mut charts = Vec::new();
    for name in names {
        let chip = chip::load(&ChipArgs { chip: name, sets: args.sets.clone() })?;
        let path = folder.join(picture_name(&chip.name)?);
        let file = files.open(&path)?;
        charts.push((chip, path, file));
    }
    for (chip, path, file) in charts {
        let curves = latency::measure(&chip)?;
        let name = format!("{} ({})", chip.board, chip.name);
        file.write(svg(&latency::scene(&name, &chip.name, &curves)).as_bytes())?;
        complain(&format!("wrote {}", shown(&path)));
    }
    Ok(Code::Fine)
}

/// Returns the file name of a chip's picture. The name in a chip file is arbitrary, but the picture
/// must be inside the folder.
fn picture_name(chip: &str) -> Result<String, Failure> {
    if Path::new(chip).file_name() == Some(OsStr::new(chip)) {
        return Ok(format!("{chip}.svg"));
    }
    Err(Failure::input(format!("error: the name of chip `{chip}` is not a valid file name")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chip_does_not_choose_the_folder_of_its_picture() {
        assert_eq!(picture_name("g80").expect("a name"), "g80.svg");
        for bad in ["", "..", "../g80", "/tmp/g80", "a/b", "a/"] {
            assert!(picture_name(bad).is_err(), "{bad}");
        }
    }
}
