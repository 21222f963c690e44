//! Writes a picture as SVG: a separate file, or a part of a page.
//!
//! Colors that depend on the ground have a class. A file has a style for dark screens; a page has
//! the rules of the classes in its own style (`doors/web/src/figure.css`), with its colors. A
//! viewer without CSS draws the light colors of the attributes.

use super::font::{FAMILIES, Weight};
use super::hatch::{Hatch, segments};
use super::palette::{ALERT, DARK};
use super::scene::{Anchor, INK, Item, MUTED, PALE, PAPER, Point, Scene, Text};
use plotters::style::RGBColor;
use report::text::{entities, visible};
use std::fmt::Write as _;

/// Colors that depend on the ground: color, class, color on a dark ground.
const ROLES: [(RGBColor, &str, &str); 6] = [
    (INK, "ink", "#e6e9ee"),
    (MUTED, "muted", "#a5afbb"),
    (PALE, "pale", "#444d58"),
    (PAPER, "paper", "#1c2128"),
    (ALERT, "alert", "#ff8f85"),
    (DARK, "dark", "#a5afbb"),
];

/// Smallest part of its width to which a page reduces a picture: the smallest texts have 9 pixels.
const LEAST: f64 = 0.55;

/// Returns the picture as an SVG file. Equal pictures give equal texts.
pub fn svg(scene: &Scene) -> String {
    let mut rules = String::new();
    for (_, role, dark) in ROLES {
        let _ = write!(rules, ".f-{role}{{fill:{dark}}}.s-{role}{{stroke:{dark}}}");
    }
    let style = format!("<style>@media screen and (prefers-color-scheme:dark){{{rules}}}</style>\n");
    let mut svg = Svg { text: style, is_page: false };
    svg.area((0.0, 0.0), scene.size, Some(PAPER), None, "");
    svg.finish(scene)
}

/// Returns the picture as a part of a page, on the ground of the page.
pub fn embedded(scene: &Scene) -> String {
    Svg { text: String::new(), is_page: true }.finish(scene)
}

/// A picture in the making.
struct Svg {
    text: String,
    is_page: bool,
}

/// A number with at most one decimal.
fn n(value: f64) -> String {
    // The sum removes the sign of a zero.
    let tenths = (value * 10.0).round() + 0.0;
    let whole = tenths / 10.0;
    if tenths % 10.0 == 0.0 { format!("{whole:.0}") } else { format!("{whole:.1}") }
}

fn points(points: &[Point]) -> String {
    let points: Vec<String> = points.iter().map(|(x, y)| format!("{},{}", n(*x), n(*y))).collect();
    points.join(" ")
}

/// Returns the attributes of a fill color and of a line color.
fn paint(fill: Option<RGBColor>, stroke: Option<RGBColor>) -> String {
    let mut out = String::new();
    let mut classes = Vec::new();
    for (attribute, letter, color) in [("fill", 'f', fill), ("stroke", 's', stroke)] {
        let Some(color) = color else { continue };
        let _ = write!(out, " {attribute}=\"{}\"", hex(color));
        let role = ROLES.iter().find(|(of, ..)| *of == color);
        classes.extend(role.map(|(_, role, _)| format!("{letter}-{role}")));
    }
    if !classes.is_empty() {
        let _ = write!(out, " class=\"{}\"", classes.join(" "));
    }
    out
}

fn hex(RGBColor(r, g, b): RGBColor) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// Returns the end of an element; its tip is shown under the pointer.
fn end(name: &str, tip: &str) -> String {
    if tip.is_empty() {
        return "/>\n".to_owned();
    }
    format!("><title>{}</title></{name}>\n", entities(&visible(tip)))
}

impl Svg {
    fn finish(mut self, scene: &Scene) -> String {
        for (number, item) in scene.items.iter().enumerate() {
            self.shape(item, scene.tip_of(number));
        }
        scene.texts().for_each(|text| self.label(text));
        let (width, height) = (n(scene.size.0), n(scene.size.1));
        let name = entities(&visible(&scene.title));
        let of_page = if self.is_page {
            format!(" class=\"figure\" style=\"min-width:{}px\"", n(LEAST * scene.size.0))
        } else {
            String::new()
        };
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"{FAMILIES}\" role=\"img\" \
             aria-label=\"{name}\"{of_page}>\n<title>{name}</title>\n{}</svg>\n",
            self.text
        )
    }

    fn area(&mut self, at: Point, size: Point, fill: Option<RGBColor>, line: Option<RGBColor>, tip: &str) {
        // A rectangle without a fill has a tip, too.
        let none = match (fill, tip) {
            (Some(_), _) => "",
            (None, "") => " fill=\"none\"",
            (None, _) => " fill=\"none\" pointer-events=\"all\"",
        };
        let _ = write!(
            self.text,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{none}{}{}",
            n(at.0),
            n(at.1),
            n(size.0.max(0.0)),
            n(size.1.max(0.0)),
            paint(fill, line),
            end("rect", tip)
        );
    }

    fn shape(&mut self, item: &Item, tip: &str) {
        match item {
            Item::Area { at, size, fill, hatch, outline } => {
                self.area(*at, *size, *fill, *outline, tip);
                if let Some(Hatch { lines, color }) = hatch {
                    let step = |(from, to): (Point, Point)| {
                        format!("M{} {}L{} {}", n(from.0), n(from.1), n(to.0), n(to.1))
                    };
                    let path: String = segments(*lines, *at, *size).into_iter().map(step).collect();
                    let color = hex(*color);
                    let _ = writeln!(
                        self.text,
                        "<path d=\"{path}\" stroke=\"{color}\" stroke-width=\"1.4\" pointer-events=\"none\"/>"
                    );
                }
            }
            Item::Line { points: along, color, width, dash } => {
                let dash = dash.map_or_else(String::new, |(dash, gap)| {
                    format!(" stroke-dasharray=\"{} {}\"", n(dash), n(gap))
                });
                let _ = write!(
                    self.text,
                    "<polyline points=\"{}\" fill=\"none\"{} stroke-width=\"{}\"{dash}{}",
                    points(along),
                    paint(None, Some(*color)),
                    n(*width),
                    end("polyline", tip)
                );
            }
            Item::Polygon { points: corners, color } => {
                let paint = paint(Some(*color), None);
                let _ = write!(
                    self.text,
                    "<polygon points=\"{}\"{paint}{}",
                    points(corners),
                    end("polygon", tip)
                );
            }
            Item::Circle { at, radius, color } => {
                let (x, y, paint) = (n(at.0), n(at.1), paint(Some(*color), None));
                let _ = write!(
                    self.text,
                    "<circle cx=\"{x}\" cy=\"{y}\" r=\"{}\"{paint}{}",
                    n(*radius),
                    end("circle", tip)
                );
            }
            Item::Text(_) => {}
        }
    }

    fn label(&mut self, text: &Text) {
        let anchor = match text.anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let weight = match text.weight {
            Weight::Regular => "",
            Weight::Bold => " font-weight=\"bold\"",
        };
        let (x, y) = (n(text.at.0), n(text.at.1));
        let turn = if text.upward { format!(" transform=\"rotate(-90 {x} {y})\"") } else { String::new() };
        // A white text is on a color.
        let paint = match text.color {
            PAPER => format!(" fill=\"{}\"", hex(PAPER)),
            color => paint(Some(color), None),
        };
        let _ = writeln!(
            self.text,
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{}\"{weight}{anchor}{paint}{turn}>{}</text>",
            n(text.size),
            entities(&visible(&text.text))
        );
    }
}
