//! The commands, one module each.

pub mod book;
pub mod check;
pub mod compare;
pub mod compile;
pub mod config;
pub mod dap;
pub mod debug;
pub mod devices;
pub mod disasm;
pub mod exec;
pub mod experiment;
pub mod explain;
pub mod explore;
pub mod init;
pub mod install;
pub mod lab;
pub mod list;
pub mod mutate;
pub mod new_scheduler;
pub mod occupancy;
pub mod picture;
pub mod program_page;
pub mod run;
pub mod sweep;
pub mod trace;
pub mod validate;
