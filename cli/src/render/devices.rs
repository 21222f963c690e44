//! Chips as text: one with all its properties, or several side by side.

use super::number::{count, fixed};
use super::table::{Column, Columns, NARROW, heading_within, line};
use crate::cmd::devices::{Device, Property, Value};

/// What is not among the properties, and why.
const LEFT_OUT: &str = " Left out is what depends on things that are not modelled (docs/MODEL.md):\n \
                        texture and pitch limits, copies beside kernels, concurrent kernels.\n";

/// One of a device's lists.
type List = fn(&Device) -> &Vec<Property>;

/// All properties of one chip.
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

/// Chips side by side.
pub fn all(devices: &[Device]) -> String {
    let mut columns = vec![Column::Words(28)];
    columns.extend(devices.iter().map(|_| Column::Words(17)));
    let mut titles = vec![""];
    titles.extend(devices.iter().map(|d| d.chip.as_str()));
    let mut table = Columns::new(&columns).narrow().titles(&titles);
    let lists: [List; 2] = [|device| &device.properties, |device| &device.more];
    for list in lists {
        for name in names(devices, list) {
            let cell = |device: &Device| {
                let found = list(device).iter().find(|p| p.name == name);
                found.map_or_else(|| "-".to_owned(), |p| value(&p.value))
            };
            let mut cells = vec![name.to_owned()];
            cells.extend(devices.iter().map(cell));
            table.row(&cells.iter().map(String::as_str).collect::<Vec<_>>());
        }
    }
    let mut out = table.draw();
    out += "\n With units and meanings: warpsim devices NAME. Simulate one: --chip NAME.\n";
    out
}

/// The names of all properties that any device has, in order.
fn names(devices: &[Device], list: List) -> Vec<&'static str> {
    let mut names = Vec::new();
    for property in devices.iter().flat_map(list) {
        if !names.contains(&property.name) {
            names.push(property.name);
        }
    }
    names
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
    fn three_chips_stand_side_by_side_within_80_columns() {
        let property = |name, value| Property { name, value, note: "" };
        let device = |chip: &str| Device {
            chip: chip.to_owned(),
            properties: vec![
                property("name", Value::Text("GeForce 8800 GTX".to_owned())),
                property("totalGlobalMem", Value::Number(1_610_612_736)),
                property("maxThreadsPerMultiProcessor", Value::Number(1536)),
            ],
            more: vec![property("peak arithmetic", Value::Real(1344.96))],
        };
        let mut devices = vec![device("g80"), device("gt200"), device("fermi")];
        devices[2].properties.pop();
        let text = all(&devices);
        assert!(text.lines().all(|l| l.chars().count() <= 80 && l == l.trim_end()), "{text}");
        let row = |name: &str| text.lines().find(|l| l.contains(name)).unwrap_or_else(|| panic!("{text}"));
        assert_eq!(row("name").matches("GeForce 8800 GTX").count(), 3, "{text}");
        assert!(row("maxThreadsPerMultiProcessor").ends_with('-'), "what a chip does not have: {text}");
    }
}
