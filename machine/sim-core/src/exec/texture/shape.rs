//! Shape of the memory of a texture or surface.

use isa::sem::cube::CUBE_SHIFT;
use isa::uop::Geometry;

/// Faces of a cube.
const FACES: u32 = 6;

/// Memory of a texture or surface. Layers, slices and faces follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextureShape {
    /// Linear memory with this number of texels: read by integer coordinates, without a filter.
    Linear(u32),
    /// Rows of linear memory, at a distance in bytes.
    Pitch {
        /// Texels of a row.
        width: u32,
        /// Rows.
        height: u32,
        /// Bytes from one row to the next.
        pitch: u32,
    },
    /// An array of one dimension with this number of texels.
    Array1(u32),
    /// An array of two dimensions: width and height.
    Array2(u32, u32),
    /// An array of three dimensions: width, height and depth.
    Array3(u32, u32, u32),
    /// Layers of one dimension: width and number of layers.
    Layers1(u32, u32),
    /// Layers of two dimensions: width, height and number of layers.
    Layers2(u32, u32, u32),
    /// The six faces of a cube, with this width and height.
    Cube(u32),
    /// Cubes: width and height of a face, and number of cubes.
    Cubes(u32, u32),
}

impl TextureShape {
    /// Returns its own geometry.
    pub fn geometry(self) -> Geometry {
        match self {
            Self::Linear(_) | Self::Array1(_) => Geometry::D1,
            Self::Pitch { .. } | Self::Array2(..) => Geometry::D2,
            Self::Array3(..) => Geometry::D3,
            Self::Layers1(..) => Geometry::A1,
            Self::Layers2(..) => Geometry::A2,
            Self::Cube(_) => Geometry::Cube,
            Self::Cubes(..) => Geometry::CubeArray,
        }
    }

    /// Whether accesses of this geometry can read it. Accesses of the same geometry can. Between
    /// one and two dimensions, with layers or without, accesses with fewer or more coordinates can,
    /// too, if it has one row, or one layer, of each that only one side names: `tex1D` reads an
    /// array that was made with height 1. Silicon then reads the first row or layer (recorded on an
    /// H100), also of memory with several, which no program can mean.
    pub fn fits(self, geometry: Geometry) -> bool {
        let [_, rows, layers] = self.size();
        let flat =
            matches!(self, Self::Array1(_) | Self::Pitch { .. } | Self::Array2(..) | Self::Layers2(..));
        self.geometry() == geometry
            || flat
                && match geometry {
                    Geometry::D1 => rows == 1 && layers == 1,
                    Geometry::D2 => layers == 1,
                    Geometry::A2 => true,
                    Geometry::D3 | Geometry::A1 | Geometry::Cube | Geometry::CubeArray => false,
                }
    }

    /// Number of dimensions of the texture, or of one layer or face.
    pub fn dimensions(self) -> u32 {
        self.geometry().dimensions()
    }

    /// Texels along each dimension; 1 for a dimension that the texture does not have. Layers and
    /// faces are the third dimension.
    pub fn size(self) -> [u32; 3] {
        match self {
            Self::Linear(width) | Self::Array1(width) => [width, 1, 1],
            Self::Pitch { width, height, .. } | Self::Array2(width, height) => [width, height, 1],
            Self::Array3(width, height, depth) => [width, height, depth],
            Self::Layers1(width, layers) => [width, 1, layers],
            Self::Layers2(width, height, layers) => [width, height, layers],
            Self::Cube(side) => [side, side, FACES],
            Self::Cubes(side, cubes) => [side, side, cubes.saturating_mul(FACES)],
        }
    }

    /// Slice of layer or face `number`, the third coordinate of a fetch. A layer outside is the
    /// last one. In cubes the number has the face in its lowest bits, below that of the cube.
    pub(super) fn layer(self, number: u32) -> u32 {
        let [.., slices] = self.size();
        match self {
            Self::Cube(_) | Self::Cubes(..) => {
                let (cube, face) = (number >> CUBE_SHIFT, number & ((1 << CUBE_SHIFT) - 1));
                cube.min(slices / FACES - 1) * FACES + face.min(FACES - 1)
            }
            _ => number.min(slices - 1),
        }
    }
}
