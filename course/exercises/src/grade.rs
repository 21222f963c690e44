//! The grade of a submission: its rows with points, and what is known about each failure.

use serde::{Deserialize, Serialize};

/// The grade of a submission.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Grade {
    /// Name of the exercise.
    pub exercise: String,
    /// Title of the exercise.
    pub title: String,
    /// Name of the student.
    pub student: String,
    /// Sum of the points.
    pub points: u32,
    /// Most points.
    pub of: u32,
    /// Points of the rows that the student does not have.
    pub closed: u32,
    /// The program; absent if the submission has none.
    #[serde(skip)]
    #[cfg_attr(feature = "types", ts(skip))]
    pub source: Option<Source>,
    /// Why nothing ran: a missing file, or the messages of the compiler.
    pub problem: Option<String>,
    /// Remarks, such as a wrong name of the file.
    pub notes: Vec<String>,
    /// Rows of the rubric.
    pub rows: Vec<Row>,
}

/// The program of a submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Name of the file.
    pub name: String,
    /// Text of the file.
    pub text: String,
}

impl Grade {
    /// The cause of the first lost points, in one line: why nothing ran, or the first row that does
    /// not fail only because of another row, tests first. `None` if no row failed.
    pub fn cause(&self) -> Option<String> {
        if let Some(problem) = &self.problem {
            let mut lines = problem.lines().map(str::trim).filter(|line| !line.is_empty());
            let first = lines.next().unwrap_or_default();
            return Some(lines.next().map_or_else(|| first.to_owned(), |more| format!("{first}: {more}")));
        }
        let row = self.rows.iter().find(|row| !row.passed() && !row.is_consequence)?;
        let (kind, name) = (row.kind.noun(), &row.name);
        Some(format!("{kind} `{name}`: {}", row.why.as_deref().unwrap_or_default()))
    }
}

/// A row of the rubric for a submission.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[cfg_attr(feature = "types", ts(rename = "GradeRow"))]
pub struct Row {
    /// Test, check, limit or rule about the source.
    pub kind: RowKind,
    /// Name.
    pub name: String,
    /// Whether students see it before they hand in.
    pub is_open: bool,
    /// Points that the row gives.
    pub points: u32,
    /// Most points.
    pub of: u32,
    /// Why it failed, in one line; absent if it passed.
    pub why: Option<String>,
    /// Whether it failed only because of another row, or because nothing ran.
    pub is_consequence: bool,
    /// Details of the failure.
    pub parts: Vec<Part>,
    /// Hint of the rubric, if the row failed.
    pub hint: Option<String>,
}

impl Row {
    /// Whether it passed.
    pub fn passed(&self) -> bool {
        self.why.is_none()
    }
}

/// Kind of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum RowKind {
    /// A test: the output of the program.
    Test,
    /// A checker of the rubric.
    Check,
    /// A limit of metrics.
    Limit,
    /// A rule about the source.
    Source,
}

impl RowKind {
    /// Returns the noun for a row of this kind.
    fn noun(self) -> &'static str {
        match self {
            Self::Test => "test",
            Self::Check => "checker",
            Self::Limit => "limit",
            Self::Source => "source",
        }
    }
}

/// Details of a failure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[cfg_attr(feature = "types", ts(rename = "GradePart"))]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Part {
    /// A text with its lines.
    Text {
        /// Heading of the text.
        title: String,
        /// The lines.
        text: String,
    },
    /// A picture of a launch.
    Picture {
        /// Heading of the picture.
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
