//! Chips as text: one chip with all its properties, or a list of chips.

use super::{Device, Property, Value};
use crate::render::number::{count, fixed};
use crate::render::table::{Column, Columns, NARROW, heading_within, line};

/// Properties that are omitted, with the reason.
const LEFT_OUT: &str = " Left out is what depends on things that are not modelled (docs/MODEL.md):\n \
                        texture and pitch limits.\n";

/// Returns all properties of one chip.
pub fn one(device: &Device) -> String {
    let mut out = String::new();
    line(&mut out, format!("Device `{}`", device.chip));
    out += &heading_within("cudaGetDeviceProperties", NARROW);
    out += &table(&device.properties);
    out += LEFT_OUT;
    out += &heading_within("Besides", NARROW);
    out += &table(&device.more);
    out
}

fn table(properties: &[Property]) -> String {
    let mut table = Columns::new(&[Column::Words(28), Column::Words(18), Column::Rest]).narrow();
    for property in properties {
        table.row(&[property.name, &value(&property.value), property.note]);
    }
    table.draw()
}

/// Columns of the list: title, property, and divisor of its number.
const LIST: [(&str, &str, f64); 8] = [
    ("board", "name", 1.0),
    ("cc", "", 1.0),
    ("SMs", "multiProcessorCount", 1.0),
    ("warps", "warps per SM", 1.0),
    ("MHz", "clockRate", 1e3),
    ("GFLOP/s", "peak arithmetic", 1.0),
    ("GB/s", "peak memory bandwidth", 1.0),
    ("MiB", "totalGlobalMem", 1_048_576.0),
];

/// Returns the list of chips, one line each.
pub fn all(devices: &[Device]) -> String {
    let mut columns = vec![Column::Words(9), Column::Words(19), Column::Words(3)];
    columns.extend([4, 6, 6, 8, 6, 6].map(Column::Numbers));
    let titles: Vec<&str> = std::iter::once("chip").chain(LIST.iter().map(|l| l.0)).collect();
    let mut table = Columns::new(&columns).narrow().titles(&titles);
    for device in devices {
        let mut cells = vec![device.chip.clone()];
        cells.extend(LIST.iter().map(|(title, name, unit)| match *title {
            "cc" => format!("{}.{}", cell(device, "major", 1.0), cell(device, "minor", 1.0)),
            _ => cell(device, name, *unit),
        }));
        table.row(&cells.iter().map(String::as_str).collect::<Vec<_>>());
    }
    let mut out = table.draw();
    out += "\n MHz: shader clock. GFLOP/s: multiply-adds count 2. -: known for its occupancy\n";
    out += " only, no program runs on it. All properties, with units and meanings:\n";
    out += " warpsim devices NAME. Simulate one: --chip NAME.\n";
    out
}

/// Returns a property of a chip, divided by `unit`.
fn cell(device: &Device, name: &str, unit: f64) -> String {
    let mut all = device.properties.iter().chain(&device.more);
    let value = all.find(|p| p.name == name).map(|p| &p.value);
    match value {
        None => "-".to_owned(),
        Some(Value::Number(number)) => fixed(*number as f64 / unit, 0),
        Some(Value::Real(number)) => fixed(*number / unit, 1),
        Some(other) => self::value(other),
    }
}

fn value(value: &Value) -> String {
    match value {
        Value::Text(text) => text.clone(),
        Value::Number(number) => count(*number),
        Value::Extents([x, y, z]) => format!("{x} x {y} x {z}"),
        Value::Real(number) => fixed(*number, 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_chip_has_a_line_within_80_columns() {
        let property = |name, value| Property { name, value, note: "" };
        let device = |chip: &str| Device {
            chip: chip.to_owned(),
            properties: vec![
                property("name", Value::Text("GeForce GTX 560 Ti".to_owned())),
                property("totalGlobalMem", Value::Number(4_294_967_296)),
                property("major", Value::Number(2)),
                property("minor", Value::Number(1)),
                property("multiProcessorCount", Value::Number(30)),
                property("clockRate", Value::Number(1_645_000)),
            ],
            more: vec![
                property("warps per SM", Value::Number(48)),
                property("peak memory bandwidth", Value::Real(177.44)),
                property("peak arithmetic", Value::Real(1344.96)),
            ],
        };
        let mut devices = vec![device("g80"), device("gtx560ti"), device("kepler")];
        devices[2].properties.truncate(1);
        devices[2].more.truncate(1);
        let text = all(&devices);
        let rows: Vec<Vec<&str>> = text.lines().take(4).map(|l| l.split_whitespace().collect()).collect();
        assert!(text.lines().take(4).all(|l| l.chars().count() <= 80 && l == l.trim_end()), "{text}");
        assert_eq!(rows[1].join(" "), "g80 GeForce GTX 560 Ti 2.1 30 48 1,645 1,345.0 177.4 4,096", "{text}");
        assert!(rows[3].ends_with(&["-", "48", "-", "-", "-", "-"]), "absent properties are dashes: {text}");
    }
}
