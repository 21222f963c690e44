//! The lessons of the course with their exercises, pictures and programs.

use exercises::{Listed, builtin, names};
use serde::Serialize;
use std::collections::BTreeMap;

macro_rules! files {
    ($constant:ident, $about:literal, $folder:literal, $end:literal, $($name:literal),* $(,)?) => {
        #[doc = $about]
        const $constant: &[(&str, &str)] = &[$((
            concat!($name, $end),
            include_str!(concat!("../../../../course/lessons/", $folder, $name, $end)),
        )),*];
    };
}

files!(
    LESSONS,
    "The lessons, in order.",
    "",
    ".md",
    "01-vector-addition",
    "02-matrix-product",
    "03-memories-and-tiles",
    "04-warps-and-divergence",
    "05-coalescing",
    "06-banks-of-shared-memory",
    "07-occupancy-and-latency",
    "08-reduction-and-scan",
    "09-constants-and-textures",
    "10-histograms-and-atomics",
    "11-streams-and-overlap",
    "12-caches-of-fermi",
    "13-the-machine",
    "14-opencl",
);
files!(
    PICTURES,
    "The pictures of the lessons.",
    "pictures/",
    ".svg",
    "atomics",
    "banks",
    "chain",
    "constants",
    "divergence",
    "latency-fermi",
    "occupancy",
    "offset",
    "roofline",
    "streams",
    "tiles",
    "tree-doubling",
    "tree-halving",
    "vector-add",
);
files!(
    PROGRAMS,
    "The programs of the lessons.",
    "programs/",
    ".cu",
    "banks",
    "barrier",
    "bins",
    "branches",
    "chain",
    "constants",
    "neighbors",
    "order",
    "overlap",
    "prefix",
    "product",
    "rows",
    "strides",
    "sums",
    "texels",
    "tiles",
    "vector_add",
);

files!(
    KERNELS,
    "The kernels in OpenCL C of the lessons.",
    "programs/",
    ".cl",
    "group_sums",
    "group_sums_no_barrier",
    "potential",
    "potential_divided",
    "vadd",
);

files!(
    LAUNCHES,
    "The launch files of the lessons.",
    "programs/",
    ".ron",
    "aligned",
    "banks_1",
    "banks_16",
    "banks_17",
    "banks_2",
    "banks_32",
    "by_lane",
    "by_warp",
    "chain",
    "chain_3",
    "doubling",
    "from_constant",
    "from_constant_spread",
    "from_global",
    "halving",
    "neighbors",
    "offset",
    "product",
    "rows",
    "stream",
    "stride_wide",
    "tiles",
    "trips",
    "vector_add",
);

/// The list of lessons and exercises.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Course {
    /// The lessons, in order.
    pub lessons: Vec<Lesson>,
    /// The exercises, in the order of the lessons.
    pub exercises: Vec<Listed>,
}

/// A lesson in the list.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Lesson {
    /// Number, from 1.
    pub number: u32,
    /// File name, to which other lessons link.
    pub file: &'static str,
    /// Title without the number.
    pub title: &'static str,
}

/// The text of a lesson.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LessonPage {
    /// The text, in Markdown.
    pub text: &'static str,
    /// Its pictures as SVG, by their paths in the text.
    pub pictures: BTreeMap<String, &'static str>,
    /// Programs that it links or runs, by their paths in the text.
    pub programs: BTreeMap<String, &'static str>,
    /// Launches that it runs, by their paths in the text.
    pub launches: BTreeMap<String, Launch>,
}

/// A launch file with the file of its kernel.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "LessonLaunch"))]
pub struct Launch {
    /// The launch file without the name of the file of its kernel.
    pub text: String,
    /// Name of the file of its kernel.
    pub file: &'static str,
    /// The text of this file.
    pub program: &'static str,
}

/// The launch of a launch file, whose line `ptx` names a program of the lessons.
fn launch(text: &'static str) -> Option<Launch> {
    let line = text.lines().find(|line| line.trim_start().starts_with("ptx:"))?;
    let (file, program) = PROGRAMS.iter().find(|(file, _)| line.trim() == format!("ptx: [\"{file}\"],"))?;
    Some(Launch { text: text.replace(&format!("{line}\n"), ""), file, program })
}

/// Returns the list of lessons and exercises.
pub fn course() -> Course {
    let lesson = |(number, (file, text)): (u32, &(&'static str, &'static str))| {
        let first = text.lines().next().unwrap_or_default();
        Lesson { number, file, title: first.split_once(": ").map_or(first, |(_, title)| title) }
    };
    let exercises = names().filter_map(builtin);
    Course {
        lessons: (1..).zip(LESSONS).map(lesson).collect(),
        exercises: exercises.map(|exercise| Listed::of(&exercise)).collect(),
    }
}

/// Returns the text of a lesson; `None` if there is no lesson with this number.
pub fn lesson(number: u32) -> Option<LessonPage> {
    let (_, text) = LESSONS.get(usize::try_from(number).ok()?.checked_sub(1)?)?;
    let of = |folder: &str, files: &'static [(&'static str, &'static str)]| {
        let paths = files.iter().map(|(name, file)| (format!("{folder}/{name}"), *file));
        paths.filter(|(path, _)| text.contains(path.as_str())).collect::<BTreeMap<_, _>>()
    };
    let launches = LAUNCHES.iter().filter_map(|(name, file)| {
        let path = format!("programs/{name}");
        text.contains(&path).then(|| launch(file).map(|launch| (path, launch)))?
    });
    let mut programs = of("programs", PROGRAMS);
    programs.extend(of("programs", KERNELS));
    Some(LessonPage { text, pictures: of("pictures", PICTURES), programs, launches: launches.collect() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::path::Path;

    #[test]
    fn every_launch_file_has_its_kernel() {
        for (name, text) in LAUNCHES {
            let launch = launch(text).unwrap_or_else(|| panic!("{name}"));
            assert!(launch.program.contains("__global__") && !launch.text.contains("ptx:"), "{name}");
        }
    }

    #[test]
    fn every_file_of_the_course_is_in_the_page() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../course/lessons");
        for (part, end, files) in [
            ("", "md", LESSONS),
            ("pictures", "svg", PICTURES),
            ("programs", "cu", PROGRAMS),
            ("programs", "cl", KERNELS),
            ("programs", "ron", LAUNCHES),
        ] {
            let entries = std::fs::read_dir(folder.join(part)).expect("a folder of the course");
            let names =
                entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("text"));
            let is_other = |name: &str| ["README.md", "TEACHER.md"].contains(&name);
            let on_disk: BTreeSet<String> =
                names.filter(|name| name.ends_with(&format!(".{end}")) && !is_other(name)).collect();
            let known: BTreeSet<String> = files.iter().map(|(name, _)| (*name).to_owned()).collect();
            assert_eq!(on_disk, known, "{part}");
        }
    }
}
