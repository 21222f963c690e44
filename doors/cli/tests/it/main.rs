//! Integration tests in one binary: each runs the program as a user does.

mod access;
mod book;
mod checkers;
#[cfg(unix)]
mod cluster;
mod common;
mod compare;
mod config;
mod dap;
mod debug;
mod debug_conditions;
mod debug_program;
#[cfg(unix)]
mod debug_screen;
mod documents;
mod early_return;
mod endings;
mod exercises;
mod exhausted;
mod experiment;
mod experiment_killed;
mod explain;
mod files;
mod init;
#[cfg(unix)]
mod interrupt;
mod kernel_output;
mod lab;
mod large;
mod launch_files;
mod linked;
mod look;
mod mapped;
mod mutate;
#[cfg(target_os = "linux")]
mod native;
mod occupancy;
mod one_launch;
mod one_run;
mod opencl_words;
mod pages;
mod picture;
mod pictures;
mod program;
#[cfg(unix)]
mod program_files;
mod races;
mod reports;
mod retarget;
mod short;
mod source_lines;
mod states;
mod streams;
mod strictness;
mod student;
mod surfaces;
mod sweep;
#[cfg(target_os = "linux")]
mod terminal;
mod trace;
mod usage;
mod validate;
