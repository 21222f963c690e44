//! Shows how a rule is refuted: the search must find a kernel on which youngest-first passes over a
//! warp again and again, make it small, and write a folder that the program of this crate replays.

use own_scheduler::YoungestFirst;
use sim_core::scheduler::OwnScheduler;
use std::path::Path;
use std::process::Command;
use warpsim_check::draw::Draw;
use warpsim_check::generate::case::crowded;
use warpsim_check::rule::property::starvation_bound;
use warpsim_check::search;

#[test]
fn a_kernel_on_which_youngest_first_starves_is_found_and_replayed() {
    let own = OwnScheduler::new("youngest_first", |_, _| YoungestFirst);
    let rule = starvation_bound(5);
    let found = search(&crowded(), Draw::Same, 64, |example| example.under(own.clone()).keeps(&rule));
    let found = found.expect("youngest-first passes over the oldest warp");
    println!("{found}");
    assert!(found.violation.to_string().starts_with("RULE starvation bound: "), "{found}");
    assert!(found.example.instructions() <= 8 && found.example.threads <= 128, "{found}");

    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("youngest_first");
    found.write(&folder).expect("the folder is written");
    let files = ["kernel.ptx", "--launch", "launch.ron", "--chip", "chip.ron"];
    let run = Command::new(env!("CARGO_BIN_EXE_own-scheduler"))
        .current_dir(&folder)
        .arg("run")
        .args(files)
        .output()
        .expect("the program starts");
    let text = String::from_utf8_lossy(&run.stdout);
    assert!(
        run.status.success() && text.contains("kernel     k"),
        "{text}{}",
        String::from_utf8_lossy(&run.stderr)
    );
}
