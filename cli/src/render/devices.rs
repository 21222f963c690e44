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
    let mut columns = vec![Column::Words(27)];
    columns.extend(devices.iter().map(|_| Column::Words(16)));
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
