//! Pictures and pages of `warpsim experiment`, and chips whose memory clock is above the shader
//! clock.

use crate::common::{Run, scratch, warpsim_with};
use serde_json::Value;
use std::fs;

/// Runs an experiment with `--plots` and `--html`. Returns the names of the pictures with their
/// texts, and the page.
fn drawn(name: &str, text: &str) -> (Vec<(String, String)>, String) {
    let folder = scratch(name);
    let path = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
    fs::write(path("drawn.ron"), text).expect("the folder is writable");
    let (file, store, plots, html) = (path("drawn.ron"), path("s.sqlite"), path("plots"), path("page.html"));
    let Run { code, stderr, .. } =
        warpsim_with(&["experiment", &file, "--store", &store, "--plots", &plots, "--html", &html]);
    assert_eq!(code, Some(0), "{stderr}");
    let picture = |entry: std::io::Result<fs::DirEntry>| {
        let path = entry.expect("an entry is readable").path();
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        (name, fs::read_to_string(path).expect("text"))
    };
    let mut pictures: Vec<_> = fs::read_dir(plots).expect("the folder exists").map(picture).collect();
    pictures.sort();
    (pictures, fs::read_to_string(html).expect("the page is written"))
}

/// A page is complete without a network: its only address is the name of the SVG language.
fn stands_alone(page: &str, pictures: &[(String, String)]) {
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    for part in page.replace("http-equiv", "").split("http").skip(1) {
        assert!(part.starts_with("://www.w3.org/2000/svg\""), "{}", &part[..part.len().min(80)]);
    }
    assert!(
        !page.contains("<script src")
            && !page.contains("<link")
            && page.contains("prefers-color-scheme:dark")
    );
    let body = page.split("<script").next().expect("a page has a body");
    let answers = body.split("id=\"plots\"").next().expect("a page has a beginning");
    assert_eq!(answers.matches("<svg ").count(), pictures.len());
    for (name, picture) in pictures {
        // The page has the shapes of the file, on its own ground.
        let (head, shapes) = picture.split_once("class=\"f-paper\"/>\n").expect("a ground");
        assert!(shapes.ends_with("</svg>\n") && page.contains(shapes), "{name}");
        assert!(head.contains("prefers-color-scheme:dark"), "{name}");
        assert!(!picture.contains("NaN") && !picture.contains("inf"), "{name}");
    }
}

#[test]
fn effects_fronts_and_interactions_are_drawn() {
    let text = r#"(
        kernels: [(kernel: "matmul-tiled", size: 32, name: "a<b & c")],
        chips: ["g80"],
        factors: [
            (name: "policy", vary: chip("sm.scheduler"), values: [lrr, gto]),
            (name: "latency", vary: chip("crossbar.latency"), range: (60, 100, 20)),
        ],
        formulas: {"cost": "1000 - crossbar.latency"},
        metrics: ["microseconds"],
        analyses: [effects(of: "microseconds", interactions: true), pareto(minimize: ["microseconds", "cost"])],
    )"#;
    let (pictures, page) = drawn("pictures-effects", text);
    let names: Vec<&str> = pictures.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["effects-1", "front-1", "interactions-1"]);
    stands_alone(&page, &pictures);
    assert!(page.contains("a&lt;b &amp; c") && !page.contains("a<b"));
    let (effects, front) = (&pictures[0].1, &pictures[1].1);
    for part in ["policy = gto", "latency = 80", "mean of microseconds (us)"] {
        assert!(effects.contains(part), "{part} is missing in\n{effects}");
    }
    for part in ["all points (6)", "microseconds (us)", "Pareto front ("] {
        assert!(front.contains(part), "{part} is missing in\n{front}");
    }
    assert_eq!(drawn("pictures-again", text).0, pictures, "equal results give equal pictures");
}

#[test]
fn gains_and_sensitivities_are_drawn() {
    let text = r#"(kernels: [(kernel: "vecadd", size: 600)], chips: ["fermi"], idealize: interactions)"#;
    let (pictures, page) = drawn("pictures-gains", text);
    let names: Vec<&str> = pictures.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["gain-pairs-1", "gains-1"]);
    stands_alone(&page, &pictures);
    for part in ["zero_latency_memory", "perfect_l1", "gain (time / time with the ideal resource)"] {
        assert!(pictures[1].1.contains(part), "{part}");
    }
    let text = r#"(kernels: [(kernel: "vecadd", size: 600)], design: sensitivity(fields: ["clocks"]))"#;
    let (pictures, page) = drawn("pictures-sensitivity", text);
    stands_alone(&page, &pictures);
    assert!(pictures[0].1.contains("elasticity (% of time for each % of the field)"));
}

/// A memory clock above the shader clock gives more bandwidth, up to its peak, for any number of
/// threads.
#[test]
fn the_memory_clock_may_be_above_the_shader_clock() {
    let report = |memory: &str, threads: &str| {
        let set = format!("clocks.memory_mhz={memory}");
        let arguments = [
            "run",
            "vecadd",
            "--chip",
            "g80",
            "--size",
            "65536",
            "--set",
            &set,
            "--threads",
            threads,
            "--json",
            "-",
        ];
        let Run { code, stdout, stderr } = warpsim_with(&arguments);
        assert_eq!(code, Some(0), "{stderr}");
        serde_json::from_str::<Value>(&stdout).expect("JSON")["runs"][0].clone()
    };
    let rate = |report: &Value| report["timing"]["dram"]["gbps"].as_f64().expect("a number");
    let (usual, fast) = (report("900", "1"), report("2700", "1"));
    let peak = fast["chip"]["peak_gbps"].as_f64().expect("a number");
    assert!((peak - 259.2).abs() < 0.1, "{peak}");
    assert!(rate(&usual) < rate(&fast) && rate(&fast) < peak, "{} {}", rate(&usual), rate(&fast));
    assert_eq!(report("2700", "2"), fast);
}
