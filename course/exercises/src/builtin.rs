//! The exercises of the course.

use crate::exercise::Exercise;
use crate::rubric::Texts;

/// Name and files of an exercise.
type Files = (&'static str, [(&'static str, &'static str); 4]);

/// End of the names of programs: `cu`, if no other is given.
macro_rules! ending {
    () => {
        "cu"
    };
    ($end:literal) => {
        $end
    };
}

macro_rules! exercises {
    ($($name:literal $(in $end:literal)?),* $(,)?) => {
        /// All exercises, in the order of the lessons.
        const ALL: &[Files] = &[$(($name, [
            ("exercise.ron", include_str!(concat!("../", $name, "/exercise.ron"))),
            ("README.md", include_str!(concat!("../", $name, "/README.md"))),
            (concat!("start.", ending!($($end)?)), include_str!(concat!("../", $name, "/start.", ending!($($end)?)))),
            (
                concat!("solution.", ending!($($end)?)),
                include_str!(concat!("../", $name, "/solution.", ending!($($end)?))),
            ),
        ])),*];
    };
}

exercises![
    "vector-add",
    "saxpy",
    "off-by-one",
    "copy-direction",
    "host-pointer",
    "matrix-product",
    "tiled-product",
    "missing-barrier",
    "uninitialized-tile",
    "divergent-barrier",
    "divergence",
    "transpose",
    "uncoalesced",
    "row-sums",
    "bank-conflict",
    "occupancy",
    "reduction",
    "scan",
    "race",
    "coulomb",
    "lost-update",
    "histogram",
    "streams",
    "stencil",
    "matrix-product-opencl" in "cl",
];

/// Names of the exercises, in the order of the lessons.
pub fn names() -> impl Iterator<Item = &'static str> {
    ALL.iter().map(|(name, _)| *name)
}

/// Returns an exercise by its name.
pub fn builtin(name: &str) -> Option<Exercise> {
    let (name, files) = ALL.iter().find(|(known, _)| *known == name)?;
    let texts: Texts = files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
    Some(Exercise::new(name, texts).expect("the exercises of the course are right"))
}
