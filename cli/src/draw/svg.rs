//! Writes a picture as SVG.

use super::font::{FAMILIES, Weight};
use super::render::{Place, ground, shape};
use super::scene::{Anchor, Scene, Text};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontDesc, FontFamily, FontStyle, FontTransform};
use report::text::entities;

/// Plotters divides font sizes by this number.
const FONT_SCALE: f64 = 1.24;

/// Distance from the top of a text to its baseline in plotters' SVG files, in font sizes.
const BASELINE: f64 = 0.76;

/// Returns the picture as SVG. Equal pictures give equal texts.
pub fn svg(scene: &Scene) -> Result<String, String> {
    let mut svg = String::new();
    {
        let size = (scene.size.0 as u32, scene.size.1 as u32);
        let mut backend = SVGBackend::with_string(&mut svg, size);
        let place = Place { scale: 1.0, top: 0.0 };
        ground(&mut backend)?;
        scene.items.iter().try_for_each(|item| shape(&mut backend, item, place))?;
        scene.texts().try_for_each(|text| draw(&mut backend, text))?;
        backend.present().map_err(|why| why.to_string())?;
    }
    // For screen readers: the picture is one image with a name.
    let name = entities(&scene.title);
    Ok(svg.replacen(">\n", &format!(" role=\"img\" aria-label=\"{name}\">\n<title>{name}</title>\n"), 1))
}

/// Draws a text.
fn draw(backend: &mut SVGBackend<'_>, text: &Text) -> Result<(), String> {
    let h = match text.anchor {
        Anchor::Start => HPos::Left,
        Anchor::Middle => HPos::Center,
        Anchor::End => HPos::Right,
    };
    let style = match text.weight {
        Weight::Regular => FontStyle::Normal,
        Weight::Bold => FontStyle::Bold,
    };
    let transform = if text.upward { FontTransform::Rotate270 } else { FontTransform::None };
    let font = FontDesc::new(FontFamily::Name(FAMILIES), text.size * FONT_SCALE, style).transform(transform);
    let top = BASELINE * text.size;
    let (x, y) = if text.upward { (text.at.0 - top, text.at.1) } else { (text.at.0, text.at.1 - top) };
    let style = TextStyle::from(font).color(&text.color).pos(Pos::new(h, VPos::Top));
    let at = (x.round() as i32, y.round() as i32);
    backend.draw_text(&text.text, &style, at).map_err(|why| why.to_string())
}
