//! `docs/COMMANDS.md`, generated from the help texts. `BLESS=1` writes it.

use crate::args::command;
use clap::{Arg, ArgAction, Command};
use report::render::table::wrapped;
use std::collections::BTreeMap;
use std::fmt::Write as _;

const HEAD: &str = "\
# Commands

<!-- Generated from the help texts. To renew it: BLESS=1 cargo test -p warpsim --lib docs -->

```sh
warpsim                        # a short page for newcomers
warpsim help                   # all commands
warpsim help run               # every option of a command; so does warpsim run --help
```

`warpsim` without a command prints its page on standard error with exit code 2, because no command
was given. [ERRORS.md](ERRORS.md#exit-codes) lists the exit codes. Read-only commands accept
`--format json` and then print one JSON document. Its `schema` number increases when a field changes
its meaning. Messages are written to standard error.
";

/// Notes in addition to the help text of a command: the page with examples, and notes.
const NOTES: [(&str, &str); 26] = [
    (
        "run",
        "[PROGRAMS.md](PROGRAMS.md) explains the short report, long runs, saved states and programs, \
         [REPORT.md](REPORT.md) the JSON report, [CHECKERS.md](CHECKERS.md) `--check`, and \
         [LIMITS.md](LIMITS.md#testing-a-limit---why) `--why`.",
    ),
    ("exec", "Details: [PROGRAMS.md](PROGRAMS.md#a-compiled-program-warpsim-exec)."),
    ("compile", "Details: [FROM-CUDA.md](FROM-CUDA.md)."),
    ("compare", "Details: [EXPERIMENTS.md](EXPERIMENTS.md#comparing-two-runs)."),
    ("sweep", "Details: [EXPERIMENTS.md](EXPERIMENTS.md#sweeps)."),
    ("experiment", "Details: [EXPERIMENTS.md](EXPERIMENTS.md)."),
    ("book", "Details: [BOOK.md](BOOK.md)."),
    ("validate", "Details: [VALIDATION.md](VALIDATION.md)."),
    ("picture", "Details: [PICTURES.md](PICTURES.md)."),
    ("trace", "Details: [TRACE.md](TRACE.md)."),
    ("debug", "Details: [DEBUGGING.md](DEBUGGING.md)."),
    ("explore", "Details: [EXPLORE.md](EXPLORE.md)."),
    ("dap", "Details: [DEBUGGING.md](DEBUGGING.md#debugging-in-an-editor)."),
    ("check", "Details: [FROM-CUDA.md](FROM-CUDA.md#the-resources-of-a-kernel-warpsim-check)."),
    ("disasm", "Details: [FROM-CUDA.md](FROM-CUDA.md#the-compiled-code-warpsim-disasm)."),
    ("mutate", "Details: [MUTATE.md](MUTATE.md)."),
    ("lab", "Details: [EXERCISES.md](EXERCISES.md)."),
    ("init", "Details: [LAUNCH.md](LAUNCH.md#a-new-launch-file-warpsim-init)."),
    ("new-scheduler", "Details: [extending/scheduler.md](extending/scheduler.md)."),
    ("occupancy", "Details: [LIMITS.md](LIMITS.md#occupancy)."),
    ("devices", "Details: [CONFIG.md](CONFIG.md#the-properties-of-cuda-warpsim-devices)."),
    ("config", "Details: [CONFIG.md](CONFIG.md#the-commands-of-chips-warpsim-config)."),
    ("list", "Details: [PROGRAMS.md](PROGRAMS.md#the-built-in-kernels-warpsim-list)."),
    ("explain", "Details: [PROGRAMS.md](PROGRAMS.md#the-meaning-of-a-name-warpsim-explain)."),
    (
        "completions",
        "`warpsim completions bash > warpsim.bash` writes a file for `source`; zsh reads a file `_warpsim` in \
         a folder of `$fpath`. The packages ([CONTRIBUTING.md](../CONTRIBUTING.md#releasing)) contain both.",
    ),
    (
        "man",
        "`warpsim man pages` writes `warpsim.1` and a page for each command. `man ./warpsim.1` shows one; the \
         folder of installed pages is `share/man/man1`.",
    ),
];

/// Number of commands with the same option from which the option has one row for all of them.
const COMMON: usize = 3;

/// Options of commands that run a kernel of a PTX file, which have one name on the page.
const COMPILED: [&str; 14] = [
    "`KERNEL|FILE.ptx`",
    "`FILE.ptx`",
    "`--launch`",
    "`--size`",
    "`--registers`",
    "`--opt-level`",
    "`--fmad`",
    "`--schedule`",
    "`--maxrregcount`",
    "`--lines`",
    "`--memory`",
    "`--barriers`",
    "`--cache`",
    "`--max-cycles`",
];

/// Returns the commands without subcommands, each with its words, such as `config show`.
fn leaves(command: &Command) -> Vec<(String, &Command)> {
    let mut all = Vec::new();
    for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
        let below: Vec<_> = leaves(sub);
        if below.is_empty() {
            all.push((sub.get_name().to_owned(), sub));
        }
        all.extend(below.into_iter().map(|(words, leaf)| (format!("{} {words}", sub.get_name()), leaf)));
    }
    all
}

/// Returns the arguments of a command that its help shows.
fn arguments(command: &Command) -> impl Iterator<Item = &Arg> {
    let action = |arg: &Arg| {
        !matches!(
            arg.get_action(),
            ArgAction::Help | ArgAction::HelpShort | ArgAction::HelpLong | ArgAction::Version
        )
    };
    command.get_arguments().filter(move |arg| !arg.is_hide_set() && action(arg))
}

/// Returns a text on one line, in which a pipe does not end a cell.
fn cell(text: &str) -> String {
    let paragraphs = text.split("\n\n").map(|part| part.split_whitespace().collect::<Vec<_>>().join(" "));
    paragraphs.collect::<Vec<_>>().join(". ").replace('|', "\\|")
}

/// Returns the spelling of an option: `-O`, `--opt-level LEVEL`.
fn spelling(arg: &Arg) -> String {
    let takes_value = arg.get_action().takes_values();
    let names = arg.get_value_names().unwrap_or_default();
    let values: Vec<String> = names.iter().map(ToString::to_string).collect();
    let value = if takes_value { format!(" {}", values.join(" ")) } else { String::new() };
    let Some(long) = arg.get_long() else { return format!("`{}`", values.join(" ")) };
    let short = arg.get_short().map_or_else(String::new, |short| format!("`-{short}`, "));
    format!("{short}`--{long}{}`", value.trim_end())
}

/// Returns the row of an option: spelling, help, values and default.
fn row(arg: &Arg) -> String {
    let help = arg.get_long_help().or_else(|| arg.get_help()).map(ToString::to_string).unwrap_or_default();
    let mut meaning = cell(&help);
    let values = arg.get_possible_values();
    let values: Vec<_> = values.iter().filter(|value| !value.is_hide_set()).collect();
    if !values.is_empty() && arg.get_action().takes_values() {
        let word = |value: &&clap::builder::PossibleValue| {
            let help =
                value.get_help().map_or_else(String::new, |help| format!(": {}", cell(&help.to_string())));
            format!("`{}`{help}", value.get_name())
        };
        let between = if values.iter().any(|value| value.get_help().is_some()) { "; " } else { ", " };
        let _ = write!(meaning, ". One of {}", values.iter().map(word).collect::<Vec<_>>().join(between));
    }
    let defaults: Vec<_> = arg.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    if !defaults.is_empty() && arg.get_action().takes_values() {
        let _ = write!(meaning, ". Default `{}`", defaults.join(" "));
    }
    format!("| {} | {meaning} |\n", cell(&spelling(arg)))
}

fn table(rows: &[String]) -> String {
    if rows.is_empty() {
        String::new()
    } else {
        format!("\n| option | meaning |\n|---|---|\n{}", rows.concat())
    }
}

/// Returns lines of at most 100 columns.
fn paragraph(text: &str) -> String {
    format!("\n{}\n", wrapped("", text, 0, 100).join("\n"))
}

/// Returns the section of a command without its heading.
fn section(command: &Command, common: &BTreeMap<String, usize>) -> String {
    let about = command.get_long_about().or_else(|| command.get_about());
    let about = about.map(ToString::to_string).unwrap_or_default();
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage:").split_whitespace().collect::<Vec<_>>().join(" ");
    let mut out = paragraph(&format!("{}.", about.trim().trim_end_matches('.')));
    out.extend([format!("\n```text\n{usage}\n```\n")]);
    let is_common = |arg: &&Arg| common.get(&row(arg)).is_some_and(|uses| *uses >= COMMON);
    out += &table(&arguments(command).filter(|arg| !is_common(arg)).map(row).collect::<Vec<_>>());
    let shared = arguments(command).filter(is_common).filter(|arg| !arg.is_global_set());
    let name = |arg: &Arg| arg.get_long().map_or_else(|| spelling(arg), |long| format!("`--{long}`"));
    let mut shared: Vec<String> = shared.map(name).collect();
    let all = COMPILED.iter().all(|option| shared.iter().any(|shared| shared == option));
    if all {
        shared.retain(|option| !COMPILED.contains(&option.as_str()));
        shared.insert(0, "the options of PTX".to_owned());
    }
    if !shared.is_empty() {
        out +=
            &paragraph(&format!("[As other commands](#options-of-several-commands): {}.", shared.join(", ")));
    }
    out
}

fn page() -> String {
    let mut root = command();
    root.build();
    let leaves = leaves(&root);
    let mut common: BTreeMap<String, usize> = BTreeMap::new();
    for row in leaves.iter().flat_map(|(_, command)| arguments(command)).map(row) {
        *common.entry(row).or_default() += 1;
    }
    let mut out = HEAD.to_owned();
    for command in root.get_subcommands().filter(|sub| sub.get_name() != "help") {
        let name = command.get_name();
        out.extend([format!("\n## `warpsim {name}`\n")]);
        let (_, note) = NOTES.iter().find(|(noted, _)| *noted == name).expect("a row of NOTES");
        let below: Vec<_> =
            leaves.iter().filter(|(words, _)| words.starts_with(&format!("{name} "))).collect();
        if below.is_empty() {
            out += &section(command, &common);
            out += &paragraph(note);
            continue;
        }
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        out += &paragraph(&format!("{about}. {note}"));
        for (words, leaf) in below {
            out.extend([format!("\n### `warpsim {words}`\n{}", section(leaf, &common))]);
        }
    }
    let shared = common.iter().filter(|(_, uses)| **uses >= COMMON).map(|(row, _)| row.clone());
    out += "\n## Options of several commands\n";
    out += &paragraph(&format!("*The options of PTX* are {}.", COMPILED.join(", ")));
    out + &table(&shared.collect::<Vec<_>>())
}

/// Tests: `documents-show-outputs`.
#[test]
fn the_page_of_commands_has_the_help_texts() {
    super::renew("COMMANDS.md", |_| page());
}
