//! Launches as files and results as reports: what the command line and the browser lab share.
//!
//! `launch_file` reads launch files and runs their launches, `skeleton` writes them, `access`
//! restricts the files that other files may name, `book` runs claims of the course texts, `outcome`
//! is the result of a run, `provenance` the origin of its numbers, `why` the result of the
//! experiments that test a limit. `render` writes reports as text, `json` as JSON, `page` as HTML;
//! `recorded` has what pictures need in addition to a report. `trace` writes traces. `compare`
//! compares two reports, `metrics` is the registry of metrics, `exit` lists the exit codes,
//! `schema` is the JSON Schema of chip files, `ron_text` writes values of a chip, `words` names
//! instructions and waits, `text` handles texts from outside, `packed` compresses saved states, and
//! `pixels` averages those of pictures. The crate prints nothing and starts no run itself, except
//! the one launch of a launch file and those of a claim.

pub mod access;
pub mod book;
pub mod compare;
pub mod exit;
pub mod json;
pub mod launch_file;
pub mod metrics;
pub mod outcome;
pub mod packed;
pub mod page;
pub mod pixels;
pub mod program;
pub mod provenance;
pub mod recorded;
pub mod render;
pub mod ron_text;
pub mod schema;
pub mod skeleton;
pub mod text;
pub mod trace;
pub mod why;
pub mod words;
