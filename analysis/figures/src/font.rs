//! The font of pictures: Arimo, which has the widths of Arial, Helvetica and Liberation Sans.
//!
//! A PNG file is drawn with it, so that no system font is needed. An SVG file names these fonts; a
//! viewer without them takes a font that is somewhat wider, for which [`width`] leaves space.

use ab_glyph::{Font, FontRef, OutlinedGlyph, PxScale, point};
use std::sync::LazyLock;

/// Font families of SVG files, in order of preference.
pub const FAMILIES: &str = "Arial, Helvetica, Liberation Sans, Arimo, sans-serif";

/// Space of a text relative to its width in Arimo: about the factors of the widest usual font, in
/// regular and bold.
const SLACK: [f64; 2] = [1.15, 1.24];

/// Weight of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// Regular.
    Regular,
    /// Bold.
    Bold,
}

static REGULAR: LazyLock<FontRef<'static>> = LazyLock::new(|| {
    FontRef::try_from_slice(include_bytes!("../font/Arimo-Regular.ttf")).expect("the embedded font is valid")
});

static BOLD: LazyLock<FontRef<'static>> = LazyLock::new(|| {
    FontRef::try_from_slice(include_bytes!("../font/Arimo-Bold.ttf")).expect("the embedded font is valid")
});

fn font(weight: Weight) -> &'static FontRef<'static> {
    match weight {
        Weight::Regular => &REGULAR,
        Weight::Bold => &BOLD,
    }
}

/// Returns the scale at which an em has `size` pixels.
fn scale(font: &FontRef<'_>, size: f64) -> PxScale {
    let units = font.units_per_em().unwrap_or(2048.0);
    PxScale::from(size as f32 * font.height_unscaled() / units)
}

/// Returns the width of a text in Arimo, in pixels; `size` is the font size in pixels.
pub fn advance(text: &str, size: f64, weight: Weight) -> f64 {
    let font = font(weight);
    let units = f64::from(font.units_per_em().unwrap_or(2048.0));
    let sum: f64 = text.chars().map(|c| f64::from(font.h_advance_unscaled(font.glyph_id(c)))).sum();
    sum / units * size
}

/// Returns the space that a text needs in any usual font, in pixels.
pub fn width(text: &str, size: f64, weight: Weight) -> f64 {
    let slack = match weight {
        Weight::Regular => SLACK[0],
        Weight::Bold => SLACK[1],
    };
    advance(text, size, weight) * slack
}

/// Returns the text, or its beginning with a mark that it was cut, so that it needs at most `space`
/// pixels.
pub fn fit(text: &str, size: f64, weight: Weight, space: f64) -> String {
    let mark = width("…", size, weight);
    let (mut used, mut kept, mut buffer) = (0.0, 0, [0; 4]);
    // No character beyond the space is examined.
    for (start, character) in text.char_indices() {
        used += width(character.encode_utf8(&mut buffer), size, weight);
        if used > space {
            return if mark <= space { format!("{}…", &text[..kept]) } else { String::new() };
        }
        if used + mark <= space && !character.is_whitespace() {
            kept = start + character.len_utf8();
        }
    }
    text.to_owned()
}

/// Iterates over the outlines of a text that begins at x = 0 on the baseline y = 0.
pub fn outlines(text: &str, size: f64, weight: Weight) -> Vec<OutlinedGlyph> {
    let font = font(weight);
    let scale = scale(font, size);
    let mut x = 0.0f32;
    let mut all = Vec::new();
    for character in text.chars() {
        let id = font.glyph_id(character);
        all.extend(font.outline_glyph(id.with_scale_and_position(scale, point(x, 0.0))));
        x += font.h_advance_unscaled(id) / font.units_per_em().unwrap_or(2048.0) * size as f32;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_those_of_arial() {
        // Widths of Arial in units of 1/2048 em: `W` 1933, `i` 455, `0` 1139.
        for (text, units) in [("W", 1933.0), ("i", 455.0), ("0", 1139.0), ("Wi0", 3527.0)] {
            let width = advance(text, 2048.0, Weight::Regular);
            assert!((width - units).abs() < 1.0, "{text}: {width}");
        }
        assert!(advance("Wi0", 20.0, Weight::Bold) > advance("Wi0", 20.0, Weight::Regular));
    }

    #[test]
    fn a_long_text_is_cut_at_its_space() {
        assert_eq!(fit("short", 16.0, Weight::Regular, 100.0), "short");
        let cut = fit("a rather long text about nothing", 16.0, Weight::Regular, 100.0);
        assert!(cut.ends_with('…') && width(&cut, 16.0, Weight::Regular) <= 100.0, "{cut}");
        assert_eq!(fit("text", 16.0, Weight::Regular, 1.0), "");
        assert_eq!(fit("a  bbbbbb", 16.0, Weight::Regular, width("a  …", 16.0, Weight::Regular)), "a…");
        let long = "x".repeat(1 << 20);
        assert_eq!(fit(&long, 16.0, Weight::Regular, 100.0), fit(&long[..100], 16.0, Weight::Regular, 100.0));
    }

    #[test]
    fn every_character_of_the_pictures_has_an_outline() {
        for character in ('!'..='~').chain("°²µ·×…≤≥→–".chars()) {
            assert!(font(Weight::Regular).glyph_id(character).0 != 0, "{character}");
            assert!(font(Weight::Bold).glyph_id(character).0 != 0, "{character}");
        }
        assert_eq!(outlines("a b", 20.0, Weight::Regular).len(), 2, "a blank has no outline");
    }
}
