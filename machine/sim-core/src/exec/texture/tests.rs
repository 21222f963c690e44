//! Fetches against a recording of a real GPU: an H200, by texture objects of the driver's
//! interface. docs/MODEL.md says which fetches are not in the recording.

use super::*;
use crate::words::Named;
use isa::sem::cube;

/// The cases: one in each line, and the bytes of texels, coordinates and results.
const CASES: &str = include_str!("../../../tests/data/textures.tsv");
const BYTES: &[u8] = include_bytes!("../../../tests/data/textures.bin");

fn word<T: Named>(text: &str) -> T {
    let found = T::VALUES.iter().find(|(word, _)| *word == text);
    found.unwrap_or_else(|| panic!("`{text}` is not a word")).1
}

/// Reads little-endian words.
fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

/// Tests: `texture-fetches`.
#[test]
fn fetches_return_the_recorded_values() {
    let (mut fetches, mut inexact) = (0, 0);
    for line in CASES.lines().skip(1) {
        let field: Vec<&str> = line.split('\t').collect();
        let number = |i: usize| field[i].parse::<u32>().expect("a number");
        let (width, height, depth) = (number(2), number(3), number(4));
        let shape = match (field[0], field[1]) {
            ("1d", "linear") => TextureShape::Linear(width),
            ("2d", "pitch") => TextureShape::Pitch { width, height, pitch: number(5) },
            ("1d", _) => TextureShape::Array1(width),
            ("2d", _) => TextureShape::Array2(width, height),
            _ => TextureShape::Array3(width, height, depth),
        };
        let options = TextureOptions {
            read: word(field[8]),
            filter: word(field[9]),
            address: [word(field[10]); 3],
            normalized: number(11) == 1,
            ..TextureOptions::new(shape, word(field[6]), number(7))
        };
        let (integers, count) = (field[12] == "s32", number(13) as usize);
        let (dimensions, channels) = (shape.dimensions() as usize, options.channels as usize);
        let row = width * options.texel_bytes();
        let size = (row * height.max(1) * depth.max(1)) as usize;
        let from = &BYTES[number(14) as usize..];
        // The recording has no gaps between rows.
        let mut bytes = vec![0; options.bytes() as usize];
        for (texels, to) in from[..size].chunks(row as usize).zip(bytes.chunks_mut(options.pitch() as usize))
        {
            to[..texels.len()].copy_from_slice(texels);
        }
        let coordinates = words(&from[size..][..4 * count * dimensions]);
        let results = words(&from[size + 4 * count * dimensions..][..4 * count * channels]);
        let texture = Texture { address: 0, options, bytes: Arc::new(bytes) };
        for (at, wanted) in coordinates.chunks(dimensions).zip(results.chunks(channels)) {
            let mut c = [0; 3];
            c[..dimensions].copy_from_slice(at);
            let found = texture.fetch(c, dimensions as u32, integers, &mut Vec::new());
            let place: Vec<f32> = at.iter().map(|bits| f32::from_bits(*bits)).collect();
            if (dimensions, options.format, options.filter) == (3, TexelFormat::F32, FilterMode::Linear) {
                // How the GPU adds the two slices is not known: sums of texels that nearly cancel
                // differ in their last bits.
                for (found, wanted) in found.iter().zip(wanted) {
                    let difference = f32::from_bits(*found) - f32::from_bits(*wanted);
                    assert!(difference.abs() <= 2f32.powi(-24), "{line} at {place:?}: {difference}");
                    inexact += u32::from(found != wanted);
                }
            } else {
                assert_eq!(found[..channels], *wanted, "{line} at {place:?}, {at:x?}");
            }
            assert_eq!(found[channels..], [0; 4][channels..], "{line}");
            fetches += 1;
        }
    }
    assert!(fetches > 50_000 && inexact < 20, "{fetches} fetches, {inexact} in their last bits");
}

#[test]
fn queries_return_the_properties() {
    let shape = TextureShape::Array2(7, 5);
    let options = TextureOptions {
        filter: FilterMode::Linear,
        address: [AddressMode::Wrap, AddressMode::Clamp, AddressMode::Border],
        normalized: true,
        ..TextureOptions::new(shape, TexelFormat::F32, 2)
    };
    let texture = Texture { address: 0, options, bytes: Arc::default() };
    let all = TextureQuery::NAMES.map(|(_, query)| texture.property(query));
    assert_eq!(all, [7, 5, 0, 32, 2, 1, 1, 0, 3, 4, 0]);
}

#[test]
fn a_fetch_names_the_texels_that_it_reads() {
    let options = TextureOptions {
        filter: FilterMode::Linear,
        ..TextureOptions::new(TextureShape::Array2(4, 4), TexelFormat::U8, 4)
    };
    let options = TextureOptions { read: ReadMode::Normalized, ..options };
    let texture = Texture { address: 0x1000, options, bytes: Arc::new(vec![0; 64]) };
    let mut texels = Vec::new();
    texture.fetch([2f32.to_bits(), 1f32.to_bits(), 0], 2, false, &mut texels);
    assert_eq!(texels, [0x1004, 0x1008, 0x1014, 0x1018]);
    texels.clear();
    texture.fetch([3, 2, 0], 2, true, &mut texels);
    assert_eq!(texels, [0x102c]);
}

/// Recorded on an H100, with texels 1, 2, 3, … and the coordinates x = 2, y = 1 and layer 1.
///
/// Tests: `texture-fetches`.
#[test]
fn the_geometry_follows_from_the_access_and_the_memory() {
    use Geometry::{A1, A2, D1, D2, D3};
    let one = TextureShape::Array1(4);
    let (row, layer) = (TextureShape::Array2(4, 1), TextureShape::Layers2(4, 1, 1));
    for (shape, geometry, nearest, linear) in [
        (one, D1, 3.0_f32, 2.5_f32),
        (one, D2, 3.0, 2.5),
        (one, A2, 3.0, 2.5),
        (row, D1, 3.0, 2.5),
        (row, D2, 3.0, 2.5),
        (row, A2, 3.0, 2.5),
        (layer, D1, 3.0, 2.5),
        (layer, D2, 3.0, 2.5),
        (TextureShape::Array2(4, 3), D2, 7.0, 4.5),
        (TextureShape::Array2(4, 3), A2, 7.0, 4.5),
        (TextureShape::Layers2(4, 1, 2), A2, 7.0, 6.5),
    ] {
        assert!(shape.fits(geometry), "{shape:?} {geometry:?}");
        let bytes = (1..=12).flat_map(|i| (i as f32).to_le_bytes()).collect();
        let mut texture = Texture {
            address: 0,
            options: TextureOptions::new(shape, TexelFormat::F32, 1),
            bytes: Arc::new(bytes),
        };
        for (filter, wanted) in [(FilterMode::Point, nearest), (FilterMode::Linear, linear)] {
            // Only the named coordinates matter, in any address mode.
            for address in [AddressMode::Clamp, AddressMode::Border] {
                texture.options.filter = filter;
                texture.options.address = [AddressMode::Clamp, address, address];
                if geometry == D1 || address == AddressMode::Clamp {
                    let at = [2f32.to_bits(), 1f32.to_bits(), 1];
                    let [found, ..] = texture.fetch(at, geometry.dimensions(), false, &mut Vec::new());
                    assert_eq!(found, wanted.to_bits(), "{shape:?} {geometry:?} {filter:?}");
                }
            }
        }
    }
    for (shape, geometry) in [
        (TextureShape::Array2(4, 3), D1), // silicon reads the first row
        (TextureShape::Layers2(4, 1, 2), D1),
        (TextureShape::Layers2(4, 3, 2), D2),
        // Silicon reads 0.
        (TextureShape::Array3(4, 1, 1), D1),
        (TextureShape::Array3(4, 1, 1), D2),
        (TextureShape::Layers1(4, 1), D1),
        (one, A1),
        (row, A1),
        (row, D3),
        (TextureShape::Linear(4), D2),
    ] {
        assert!(!shape.fits(geometry), "{shape:?} {geometry:?}");
    }
}

/// Layers of 5 or 5 x 3 texels, and faces of 4 x 4 texels: columns geometry, filter, address mode,
/// flags of the texture object (2: normalized), coordinates, result; words in hexadecimal. Recorded
/// on an H100.
const LAYERS: &str = include_str!("../../../tests/data/layers.tsv");

/// Tests: `texture-fetches`.
#[test]
fn layers_and_cubes_return_the_recorded_values() {
    for line in LAYERS.lines() {
        let field: Vec<&str> = line.split('\t').collect();
        let [a, b, c, d, wanted] =
            [4, 5, 6, 7, 8].map(|i| u32::from_str_radix(field[i], 16).expect("a number"));
        let (shape, at) = match field[0] {
            "a1d" => (TextureShape::Layers1(5, 3), [b, 0, a]),
            "a2d" => (TextureShape::Layers2(5, 3, 3), [b, c, a]),
            "cube" => (TextureShape::Cube(4), [cube::s(a, b, c), cube::t(a, b, c), cube::face(a, b, c, 0)]),
            _ => (TextureShape::Cubes(4, 2), [cube::s(b, c, d), cube::t(b, c, d), cube::face(b, c, d, a)]),
        };
        let address = match field[2] {
            "0" => AddressMode::Wrap,
            "1" => AddressMode::Clamp,
            _ => AddressMode::Border,
        };
        let options = TextureOptions {
            filter: if field[1] == "1" { FilterMode::Linear } else { FilterMode::Point },
            address: [address; 3],
            normalized: field[3] == "2",
            ..TextureOptions::new(shape, TexelFormat::F32, 1)
        };
        let texels = shape.size().iter().product::<u32>();
        let bytes = (0..texels).flat_map(|i| ((i * i * 7 % 97 + i) as f32).to_le_bytes()).collect();
        let texture = Texture { address: 0, options, bytes: Arc::new(bytes) };
        let [found, ..] = texture.fetch(at, shape.dimensions(), false, &mut Vec::new());
        assert_eq!(found, wanted, "{line}");
    }
    assert_eq!(LAYERS.lines().count(), 2060);
}
