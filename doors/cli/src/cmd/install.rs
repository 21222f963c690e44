//! `warpsim completions` and `warpsim man`: completions for shells and manual pages, both made from
//! the definition of the command line.

use crate::args::{CompletionsArgs, ManArgs, command};
use crate::exit::{Code, Failure};
use crate::output::{Files, complain, print, shown};
use clap_mangen::Man;

/// Prints the completions of a shell.
pub fn completions(args: &CompletionsArgs) -> Result<Code, Failure> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut command(), "warpsim", &mut text);
    print(&String::from_utf8_lossy(&text))?;
    Ok(Code::Fine)
}

/// Writes a manual page for the program and for each command.
pub fn man(args: &ManArgs) -> Result<Code, Failure> {
    let folder = &args.folder;
    std::fs::create_dir_all(folder)
        .map_err(|why| Failure::input(format!("error: cannot write to {}: {why}", shown(folder))))?;
    let mut command = command().disable_help_subcommand(true);
    command.build();
    let mut files = Files::new();
    let pages = write(&command, args, &mut files)?;
    complain(&format!("wrote {pages} manual pages to {}", shown(folder)));
    Ok(Code::Fine)
}

/// Writes the page of a command and the pages of its subcommands; returns their number.
fn write(command: &clap::Command, args: &ManArgs, files: &mut Files) -> Result<u64, Failure> {
    let man = Man::new(command.clone());
    let (name, mut page) = (man.get_filename(), Vec::new());
    man.render(&mut page).map_err(|why| Failure::input(format!("error: cannot write {name}: {why}")))?;
    files.open(&args.folder.join(name))?.write(&page)?;
    let of_subcommands = command.get_subcommands().filter(|subcommand| !subcommand.is_hide_set());
    of_subcommands.map(|subcommand| write(subcommand, args, files)).try_fold(1, |all, one| Ok(all + one?))
}
