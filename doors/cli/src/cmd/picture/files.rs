//! The files of a picture. They are opened before a run, so that a bad path is reported early.

use crate::args::PictureFiles;
use crate::exit::Failure;
use crate::output::{Files, OutputFile, complain, shown};
use figures::scene::Scene;
use figures::{png, svg};
use std::path::Path;

/// The opened files, with their paths.
pub struct Targets<'a> {
    svg: Option<(&'a Path, OutputFile)>,
    png: Option<(&'a Path, OutputFile)>,
}

impl<'a> Targets<'a> {
    /// Opens the files of the command line; all inputs are in `files`.
    pub fn open(args: &'a PictureFiles, files: &mut Files) -> Result<Self, Failure> {
        let mut open = |path: &'a Option<std::path::PathBuf>| match path {
            Some(path) => files.open(path).map(|file| Some((path.as_path(), file))),
            None => Ok(None),
        };
        Ok(Self { svg: open(&args.svg)?, png: open(&args.png)? })
    }

    /// Writes the picture.
    pub fn write(self, scene: &Scene) -> Result<(), Failure> {
        // The tests draw all kinds of pictures, and look at each here.
        #[cfg(test)]
        assert!(scene.flaws().is_empty(), "{}: {:#?}", scene.title, scene.flaws());
        let cannot = |why: String| Failure::input(format!("error: cannot draw the picture: {why}"));
        if let Some((path, file)) = self.svg {
            file.write(svg(scene).as_bytes())?;
            complain(&format!("wrote {}", shown(path)));
        }
        if let Some((path, file)) = self.png {
            file.write(&png(scene).map_err(cannot)?)?;
            complain(&format!("wrote {}", shown(path)));
        }
        Ok(())
    }
}
