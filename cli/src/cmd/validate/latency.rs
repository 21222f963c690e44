//! `validate --latency`: each chip's load latency over footprint and stride, as a picture with the
//! published steps.

use crate::args::{ChipArgs, ValidateArgs};
use crate::chip;
use crate::draw::palette::{FONT, color, marker};
use crate::exit::{Code, Failure};
use crate::output::{Files, complain, shown};
use kernels::measure::micro::curves::{self, Curve, PublishedStep, StepPosition};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use sim_core::config::Chip;
use sim_core::config::builtin::simulated_names;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;

/// Size of the picture in pixels.
const SIZE: (u32, u32) = (1000, 600);
/// Width of the legend in pixels.
const LEGEND: u32 = 210;
/// Horizontal distance between labels of similar height, in pixels.
const SIDESTEP: i32 = 210;
/// Color of the published steps.
const PUBLISHED: RGBColor = RGBColor(150, 150, 150);

/// Draws the pictures of the chips into `folder`.
pub fn run(args: &ValidateArgs, folder: &Path) -> Result<Code, Failure> {
    let names: Vec<String> = args
        .chip
        .as_ref()
        .map_or_else(|| simulated_names().map(str::to_owned).collect(), |name| vec![name.clone()]);
    fs::create_dir_all(folder)
        .map_err(|why| Failure::input(format!("error: cannot create {}: {why}", shown(folder))))?;
    let mut files = Files::new();
    names.iter().try_for_each(|name| files.reads_chip(name))?;
    let mut charts = Vec::new();
    for name in names {
        let chip = chip::load(&ChipArgs { chip: name, sets: args.sets.clone() })?;
        let path = folder.join(picture_name(&chip.name)?);
        let file = files.open(&path)?;
        charts.push((chip, path, file));
    }
    for (chip, path, file) in charts {
        let curves = curves::curves(&chip).map_err(|why| Failure {
            code: Code::WrongResult,
            message: format!("error: {}: {why}", chip.name),
        })?;
        file.write(draw(&chip, &curves, &curves::steps(&chip.name))?.as_bytes())?;
        complain(&format!("wrote {}", shown(&path)));
    }
    Ok(Code::Fine)
}

/// Returns the file name of a chip's picture. The name in a chip file is arbitrary, but the picture
/// must be inside the folder.
fn picture_name(chip: &str) -> Result<String, Failure> {
    if Path::new(chip).file_name() == Some(OsStr::new(chip)) {
        return Ok(format!("{chip}.svg"));
    }
    Err(Failure::input(format!("error: the name of chip `{chip}` is not a valid file name")))
}

/// Returns the picture as SVG. Equal curves give equal texts.
fn draw(chip: &Chip, curves: &[Curve], steps: &[PublishedStep]) -> Result<String, Failure> {
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        let drawn = picture(&root, chip, curves, steps).and_then(|()| root.present());
        drawn.map_err(|why| Failure::input(format!("error: cannot draw the plot: {why}")))?;
    }
    Ok(svg)
}

fn picture<DB: DrawingBackend>(
    root: &DrawingArea<DB, Shift>,
    chip: &Chip,
    curves: &[Curve],
    steps: &[PublishedStep],
) -> Result<(), DrawingAreaErrorKind<DB::ErrorType>> {
    root.fill(&WHITE)?;
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let from = points().map(|p| p.0).min().unwrap_or(1) as f64 / 1.5;
    let to = points().map(|p| p.0).max().unwrap_or(2) as f64 * 1.5;
    let published = steps.iter().filter_map(|step| match step.place {
        StepPosition::Cycles(cycles) => Some(cycles),
        StepPosition::Bytes(_) => None,
    });
    let top = points().map(|p| p.1).chain(published).fold(1.0, f64::max) * 1.12;
    let (left, right) = root.split_horizontally(SIZE.0 - LEGEND);
    let mut chart = ChartBuilder::on(&left)
        .caption(format!("Latency of a load: {} ({})", chip.board, chip.name), (FONT, 17))
        .margin(12)
        .x_label_area_size(52)
        .y_label_area_size(70)
        .build_cartesian_2d((from..to).log_scale().base(2.0), 0.0..top)?;
    chart
        .configure_mesh()
        .disable_mesh()
        .x_labels(20)
        .x_label_formatter(&bytes)
        .y_label_formatter(&|cycles| format!("{cycles:.0}"))
        .x_desc("footprint")
        .y_desc("cycles of the shader clock")
        .label_style((FONT, 14))
        .axis_desc_style((FONT, 17))
        .draw()?;
    // Heights of the labels at the right edge so far.
    let mut heights: Vec<i32> = Vec::new();
    let small = (FONT, 13).into_font().color(&RGBColor(90, 90, 90));
    for (i, step) in steps.iter().enumerate() {
        let (line, at, style) = match step.place {
            StepPosition::Cycles(y) => {
                let place = chart.backend_coord(&(to, y));
                // Moves a label to the left if another one has nearly the same height.
                let close = heights.iter().filter(|height| (*height - place.1).abs() < 14).count();
                heights.push(place.1);
                let at = (place.0 - 4 - SIDESTEP * close as i32, place.1 - 3);
                ([(from, y), (to, y)], at, Pos::new(HPos::Right, VPos::Bottom))
            }
            // Labels of sizes alternate in height, because they may be close together.
            StepPosition::Bytes(x) => {
                let x = x as f64;
                let place = chart.backend_coord(&(x, top));
                let below = 4 + 14 * (i as i32 % 3);
                ([(x, 0.0), (x, top)], (place.0 + 3, place.1 + below), Pos::new(HPos::Left, VPos::Top))
            }
        };
        chart.draw_series(LineSeries::new(line, PUBLISHED.stroke_width(1)))?;
        root.draw(&Text::new(step.label.clone(), at, small.clone().pos(style)))?;
    }
    for (number, curve) in curves.iter().enumerate() {
        let line = curve.points.iter().map(|(x, y)| (*x as f64, *y));
        chart.draw_series(LineSeries::new(line.clone(), color(number).stroke_width(2)))?;
        for point in line {
            root.draw(&marker(number, chart.backend_coord(&point)))?;
        }
    }
    let style = (FONT, 14).into_font().color(&BLACK).pos(Pos::new(HPos::Left, VPos::Center));
    for (number, curve) in curves.iter().enumerate() {
        let y = 48 + 20 * number as i32;
        right.draw(&marker(number, (10, y)))?;
        let name = format!("{}, stride {}", curve.space.name(), bytes(&(curve.stride as f64)));
        right.draw(&Text::new(name, (22, y), style.clone()))?;
    }
    let y = 54 + 20 * curves.len() as i32;
    right.draw(&PathElement::new([(2, y), (18, y)], PUBLISHED.stroke_width(1)))?;
    right.draw(&Text::new("published", (22, y), style))?;
    Ok(())
}

/// Formats a number of bytes in the largest unit that is not larger than it.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "what plotters calls")]
fn bytes(value: &f64) -> String {
    let units = [("MB", 1_048_576.0), ("KB", 1024.0)];
    let (unit, size) = units.into_iter().find(|(_, size)| value >= size).unwrap_or(("B", 1.0));
    format!("{} {unit}", value / size)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernels::measure::micro::chase::Space;

    #[test]
    fn a_chip_does_not_choose_the_folder_of_its_picture() {
        assert_eq!(picture_name("g80").expect("a name"), "g80.svg");
        for bad in ["", "..", "../g80", "/tmp/g80", "a/b", "a/"] {
            assert!(picture_name(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn curves_and_published_steps_are_drawn_and_named() {
        let chip = Chip::builtin("gt200").expect("built in");
        let curve =
            |stride, y| Curve { space: Space::Constant, stride, points: vec![(512, y), (4096, 2.0 * y)] };
        let steps = curves::steps("gt200");
        let svg = draw(&chip, &[curve(64, 32.0), curve(256, 40.0)], &steps).unwrap();
        let labels = steps.iter().map(|step| step.label.as_str());
        for part in labels.chain(["const, stride 64 B", "4 KB", "GeForce GTX 280"]) {
            assert!(svg.contains(part), "{part} is missing in\n{svg}");
        }
    }
}
