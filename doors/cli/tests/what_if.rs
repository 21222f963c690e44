//! The what-if gallery (`docs/what-if`): every page shows what its command prints, and the pictures
//! that it draws.
//!
//! A page has one block of text after `<!-- output: warpsim experiment FILE.ron -->`: the answers
//! that the command prints in the folder of the page. A picture `FILE-NAME.svg` of the page is
//! `NAME.svg` of the command's folder of plots. `BLESS=1` renews both.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const MARKER: &str = "<!-- output: warpsim ";
const BLOCK: &str = " -->\n\n```text\n";
const END: &str = "```\n";

fn gallery() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/what-if")
}

/// The pages, without the index.
fn pages() -> Vec<PathBuf> {
    let entries = fs::read_dir(gallery()).expect("the folder is readable");
    let paths = entries.map(|entry| entry.expect("an entry is readable").path());
    let is_page = |path: &PathBuf| {
        path.extension().is_some_and(|extension| extension == "md") && !path.ends_with("README.md")
    };
    let mut pages: Vec<PathBuf> = paths.filter(is_page).collect();
    pages.sort();
    pages
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).expect("the file is readable").replace("\r\n", "\n")
}

/// The names of the pictures that a page shows.
fn pictures(page: &str) -> Vec<&str> {
    let links = page.split("](").skip(1).filter_map(|part| part.split_once(')'));
    let is_picture =
        |target: &&str| Path::new(target).extension().is_some_and(|extension| extension == "svg");
    links.map(|(target, _)| target).filter(is_picture).collect()
}

/// Files that differ from those in the gallery, with their new contents.
fn renewed(path: &Path) -> Vec<(PathBuf, String)> {
    let page = read(path);
    let name = path.file_stem().expect("a name").to_str().expect("UTF-8");
    let (before, rest) = page.split_once(MARKER).expect("the page has an output");
    let (command, rest) = rest.split_once(BLOCK).expect("a block of text follows the command");
    let (_, after) = rest.split_once(END).expect("the block ends");
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("what-if-{name}"));
    let _ = fs::remove_dir_all(&scratch);
    fs::create_dir_all(&scratch).expect("the folder is writable");
    let output = Command::new(env!("CARGO_BIN_EXE_warpsim"))
        .args(command.split_whitespace())
        .arg("--store")
        .arg(scratch.join("s.sqlite"))
        .arg("--plots")
        .arg(&scratch)
        .current_dir(gallery())
        .output()
        .expect("it starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "warpsim {command}: {errors}");
    let printed = String::from_utf8(output.stdout).expect("text");
    let new = format!("{before}{MARKER}{command}{BLOCK}{printed}{END}{after}");
    let mut all = vec![(path.to_owned(), new)];
    for picture in pictures(&page) {
        let drawn = picture.strip_prefix(&format!("{name}-")).expect("the picture has the name of the page");
        all.push((gallery().join(picture), read(&scratch.join(drawn))));
    }
    all.retain(|(path, new)| !fs::read_to_string(path).is_ok_and(|old| old.replace("\r\n", "\n") == *new));
    all
}

/// Tests: `documents-show-outputs`.
#[test]
fn the_gallery_shows_what_its_commands_print_and_draw() {
    let pages = pages();
    assert!(pages.len() >= 7, "{} pages", pages.len());
    let index = read(&gallery().join("README.md"));
    for page in pages {
        let name = page.file_name().expect("a name").to_str().expect("UTF-8");
        assert!(index.contains(&format!("]({name})")), "README.md does not name {name}");
        for (path, new) in renewed(&page) {
            let bless = std::env::var_os("BLESS").is_some_and(|value| value == "1");
            assert!(bless, "{} is old; run the test with BLESS=1", path.display());
            fs::write(path, new).expect("the file is writable");
        }
    }
}
