//! Reads surfaces: `"s": (buffer: "image", size: (64, 64), format: u32)`.

use super::super::Spanned;
use super::super::schema::Surface;
use super::spanned_string;
use super::textures::{array, read_channels, read_layers, read_named, read_size};
use sim_core::config::read::{Fields, Reader};
use sim_core::config::tree::Node;
use sim_core::host::{SurfaceOptions, TexelFormat};

/// Reads the map of surfaces.
pub fn read_surfaces(fields: &Fields<'_>) -> Vec<Surface> {
    read_named(fields, "surfaces", read_surface)
}

fn read_surface(reader: &Reader, node: &Node, name: Spanned<String>) -> Surface {
    let fields = reader.fields(node, &format!("surface `{}`", name.value));
    let buffer = fields.required("buffer").and_then(|n| spanned_string(reader, n, "buffer"));
    let options = read_options(&fields);
    fields.finish();
    Surface { name, buffer, options }
}

fn read_options(fields: &Fields<'_>) -> Option<SurfaceOptions> {
    let format = fields.choice("format", &TexelFormat::NAMES);
    let size = read_size(fields);
    let channels = read_channels(fields);
    let layers = read_layers(fields);
    let shape = array(fields, size?, layers?)?;
    Some(SurfaceOptions { shape, format: format?, channels: channels? })
}
