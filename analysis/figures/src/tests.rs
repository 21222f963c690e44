//! Tests of the invariant of pictures.

use super::palette::{self, state};
use super::scene::{Anchor, Scene};
use super::svg;
use plotters::style::RGBColor;
use sim_core::stats::WarpState;

/// Brightness of a color from 0 to 255.
fn brightness(RGBColor(r, g, b): RGBColor) -> f64 {
    0.299 * f64::from(r) + 0.587 * f64::from(g) + 0.114 * f64::from(b)
}

/// Tests: `pictures-are-legible`.
#[test]
fn states_differ_in_brightness_or_hatch() {
    for (i, a) in WarpState::ALL.into_iter().enumerate() {
        for b in &WarpState::ALL[i + 1..] {
            let ((first, hatch), (second, other)) = (state(a), state(*b));
            let lines = |hatch: Option<super::hatch::Hatch>| hatch.map(|hatch| hatch.lines);
            let apart = (brightness(first) - brightness(second)).abs();
            assert!(apart > 24.0 || lines(hatch) != lines(other), "{a:?} and {b:?}: {apart}");
        }
    }
}

/// A picture with all kinds of parts.
fn picture() -> Scene {
    let (mut scene, top) = Scene::titled("a < b on \"chip\"", &["a note".to_owned()]);
    scene.hatched((100.0, top), (300.0, 40.0), state(WarpState::MemoryDependency));
    scene.plate((250.0, top + 26.0), Anchor::Middle, "memory dependency");
    scene.dashed(&[(100.0, top + 60.0), (400.0, top + 80.0)], palette::ALERT, 2.0);
    for number in 0..6 {
        palette::mark(&mut scene, number, (120.0 + 40.0 * number as f64, top + 110.0), 8.0);
    }
    scene.upward((60.0, top + 100.0), "cycles");
    scene.end(top + 200.0)
}

/// Tests: `pictures-are-legible`.
#[test]
fn equal_pictures_give_equal_bytes() {
    let text = svg(&picture());
    assert_eq!(text, svg(&picture()));
    assert!(
        text.contains("aria-label=\"a &lt; b on &quot;chip&quot;\"") && text.ends_with("</svg>\n"),
        "{text}"
    );
    assert!(picture().flaws().is_empty(), "{:?}", picture().flaws());
}

/// Tests: `pictures-are-legible`.
#[test]
#[cfg(feature = "png")]
fn equal_pictures_give_equal_pixels() {
    let image = super::png(&picture()).expect("drawn");
    assert_eq!(image, super::png(&picture()).expect("drawn"));
    assert!(image.starts_with(b"\x89PNG\r\n"));
}

#[test]
fn texts_that_overlap_are_found() {
    let mut scene = picture();
    scene.note((90.0, 300.0), Anchor::Start, "one text");
    scene.note((110.0, 305.0), Anchor::Start, "another one");
    scene.note((5.0, 400.0), Anchor::End, "outside");
    scene.size.1 = 500.0;
    let flaws = scene.flaws();
    assert_eq!(flaws.len(), 2, "{flaws:?}");
}
