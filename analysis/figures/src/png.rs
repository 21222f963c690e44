//! Writes a picture as PNG. Shapes are drawn with more pixels than the file has, and averaged;
//! texts are drawn with the embedded font.

use super::font::{advance, outlines};
use super::pixels::average;
use super::render::{Viewport, ground, shape};
use super::scene::{Anchor, Item, Point, Scene, Text};
use plotters::prelude::*;

/// Pixels of the file for each pixel of the picture.
const SCALE: usize = 2;
/// Pixels in each direction that are averaged to a pixel of the file.
const SAMPLES: usize = 2;
/// Rows of the picture that are drawn at once, to limit memory.
const BAND: usize = 200;

/// Returns the picture as the bytes of a PNG file. Equal pictures give equal bytes.
pub fn png(scene: &Scene) -> Result<Vec<u8>, String> {
    let (width, height) = (scene.size.0 as usize * SCALE, scene.size.1 as usize * SCALE);
    let mut image = Image { width, height, bytes: vec![255; 3 * width * height] };
    for top in (0..scene.size.1 as usize).step_by(BAND) {
        image.shapes(scene, top)?;
    }
    scene.texts().for_each(|text| image.text(text));
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, width as u32, height as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    let written = encoder.write_header().and_then(|mut writer| {
        writer.write_image_data(&image.bytes)?;
        writer.finish()
    });
    written.map_err(|why| why.to_string())?;
    Ok(out)
}

/// Pixels: three bytes each, row by row.
struct Image {
    width: usize,
    height: usize,
    bytes: Vec<u8>,
}

impl Image {
    /// Draws the shapes of a band of rows.
    fn shapes(&mut self, scene: &Scene, top: usize) -> Result<(), String> {
        let rows = BAND.min(scene.size.1 as usize - top);
        let fine = SCALE * SAMPLES;
        let (width, height) = (scene.size.0 as usize * fine, rows * fine);
        let mut buffer = vec![0; 3 * width * height];
        {
            let size = (width as u32, height as u32);
            let mut backend = BitMapBackend::with_buffer(&mut buffer, size);
            let place = Viewport { scale: fine as f64, top: top as f64 };
            let reach = (top as f64, (top + rows) as f64);
            ground(&mut backend)?;
            let mut within = scene.items.iter().filter(|item| touches(item, reach));
            within.try_for_each(|item| shape(&mut backend, item, place))?;
            backend.present().map_err(|why| why.to_string())?;
        }
        let band = 3 * self.width * SCALE;
        average(&buffer, width, SAMPLES, &mut self.bytes[band * top..band * (top + rows)]);
        Ok(())
    }

    /// Draws a text.
    fn text(&mut self, text: &Text) {
        let scale = SCALE as f64;
        let size = text.size * scale;
        let length = advance(&text.text, size, text.weight);
        let before = match text.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => length / 2.0,
            Anchor::End => length,
        };
        let (x, y) = ((text.at.0 * scale).round() as i64, (text.at.1 * scale).round() as i64);
        let before = before.round() as i64;
        for glyph in outlines(&text.text, size, text.weight) {
            let bounds = glyph.px_bounds();
            glyph.draw(|column, row, coverage| {
                let along = bounds.min.x as i64 + i64::from(column) - before;
                let down = bounds.min.y as i64 + i64::from(row);
                let (x, y) = if text.upward { (x + down, y - along) } else { (x + along, y + down) };
                self.blend(x, y, text.color, coverage);
            });
        }
    }

    /// Covers a part of a pixel with a color.
    fn blend(&mut self, x: i64, y: i64, color: RGBColor, coverage: f32) {
        if x < 0 || y < 0 || x >= self.width as i64 || y >= self.height as i64 {
            return;
        }
        let place = 3 * (y as usize * self.width + x as usize);
        let part = coverage.clamp(0.0, 1.0);
        for (byte, ink) in self.bytes[place..place + 3].iter_mut().zip([color.0, color.1, color.2]) {
            *byte = (f32::from(*byte) * (1.0 - part) + f32::from(ink) * part).round() as u8;
        }
    }
}

/// Whether a shape may have a part in rows from `from` to `to`.
fn touches(item: &Item, (from, to): Point) -> bool {
    // Lines are wider than their points; no line is as wide as this.
    const REACH: f64 = 12.0;
    let within = |low: f64, high: f64| low - REACH < to && high + REACH > from;
    match item {
        Item::Area { at, size, .. } => within(at.1, at.1 + size.1),
        Item::Line { points, .. } | Item::Polygon { points, .. } => {
            let low = points.iter().map(|point| point.1).fold(f64::INFINITY, f64::min);
            let high = points.iter().map(|point| point.1).fold(f64::NEG_INFINITY, f64::max);
            within(low, high)
        }
        Item::Circle { at, radius, .. } => within(at.1 - radius, at.1 + radius),
        Item::Text(_) => false,
    }
}
