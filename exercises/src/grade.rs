//! The grade of a submission: its rows with points, and what is known about each failure.

use serde::Serialize;

/// The grade of a submission.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Grade {
    /// Name of the exercise.
    pub exercise: String,
    /// Title of the exercise.
    pub title: String,
    /// Name of the student.
    pub student: String,
    /// Points.
    pub points: u32,
    /// Most points.
    pub of: u32,
    /// Points of the rows that the student does not have.
    pub closed: u32,
    /// Why nothing ran: a missing file, or the messages of the compiler.
    pub problem: Option<String>,
    /// Remarks, such as a wrong name of the file.
    pub notes: Vec<String>,
    /// Rows of the rubric.
    pub rows: Vec<Row>,
}

/// A row of the rubric for a submission.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[cfg_attr(feature = "types", ts(rename = "GradeRow"))]
pub struct Row {
    /// Kind.
    pub kind: RowKind,
    /// Name.
    pub name: String,
    /// Whether students see it before they hand in.
    pub is_open: bool,
    /// Points.
    pub points: u32,
    /// Most points.
    pub of: u32,
    /// Why it failed, in one line; absent if it passed.
    pub why: Option<String>,
    /// What is known about the failure.
    pub parts: Vec<Part>,
    /// What to look at, if it failed and the rubric says it.
    pub hint: Option<String>,
}

impl Row {
    /// Whether it passed.
    pub fn passed(&self) -> bool {
        self.why.is_none()
    }
}

/// Kind of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum RowKind {
    /// A test: the output of the program.
    Test,
    /// A checker.
    Check,
    /// A limit of metrics.
    Limit,
    /// A rule about the source.
    Source,
}

/// What is known about a failure.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[cfg_attr(feature = "types", ts(rename = "GradePart"))]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Part {
    /// A text with its lines.
    Text {
        /// What it is.
        title: String,
        /// The lines.
        text: String,
    },
    /// A picture.
    Picture {
        /// What it shows.
        title: String,
        /// The picture.
        svg: String,
    },
}

impl Part {
    /// A text.
    pub(crate) fn text(title: impl Into<String>, text: impl Into<String>) -> Self {
        Self::Text { title: title.into(), text: text.into() }
    }
}
