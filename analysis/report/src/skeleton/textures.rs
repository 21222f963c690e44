//! The textures of a kernel: for each a buffer of texels, and the properties that the fetches need.

use isa::types::ScalarType;
use isa::uop::{Geometry, Inst, Op, Program};

/// Texels of each dimension, for one, two and three dimensions.
const SIZES: [u32; 3] = [1024, 64, 16];

/// Layers of a texture with layers.
const LAYERS: u32 = 4;

/// Faces of a cube.
const FACES: u32 = 6;

/// A texture that a kernel reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texture {
    /// Name in the module.
    pub name: String,
    /// Geometry of its fetches, or one dimension if the kernel only reads its properties.
    pub geometry: Geometry,
    /// Type of the results of its fetches.
    pub format: ScalarType,
    /// Whether all fetches have one integer coordinate, as those of linear memory.
    pub linear: bool,
}

/// Returns the textures of a kernel, in the order of the module.
pub fn of(program: &Program) -> Vec<Texture> {
    let mut textures: Vec<(u32, Texture)> = Vec::new();
    for (number, geometry) in program.fetched_textures() {
        let Some(name) = program.textures.get(number as usize) else { continue };
        if let Some((_, known)) = textures.last_mut().filter(|(last, _)| *last == number) {
            known.geometry = known.geometry.max(geometry.unwrap_or(Geometry::D1));
            continue;
        }
        let own = |inst: &&Inst| inst.imm == number && inst.op.is_fetch();
        let mut fetches = (0..).zip(&program.code).filter(|(_, inst)| own(inst)).peekable();
        let format = fetches.peek().and_then(|(pc, _)| result(program, *pc)).unwrap_or(ScalarType::F32);
        let linear = fetches.peek().is_some() && fetches.all(|(_, inst)| inst.op == Op::Tex1dS32);
        let geometry = geometry.unwrap_or(Geometry::D1);
        textures.push((number, Texture { name: name.clone(), geometry, format, linear }));
    }
    textures.into_iter().map(|(_, texture)| texture).collect()
}

/// Returns the type of the results of the fetch at `pc`, the first type in `tex.2d.v4.f32.s32`.
fn result(program: &Program, pc: usize) -> Option<ScalarType> {
    let name = program.ptx_text(pc as u32).split_whitespace().find(|word| word.starts_with("tex."))?;
    name.split('.').find_map(ScalarType::from_name)
}

impl Texture {
    /// Name of the buffer with its texels.
    pub fn buffer(&self) -> String {
        format!("{}_texels", self.name)
    }

    /// Texels along each dimension.
    fn side(&self) -> u32 {
        SIZES[self.geometry.dimensions() as usize - 1]
    }

    /// Number of texels.
    pub fn texels(&self) -> u32 {
        let layers = if self.geometry.has_layers() { LAYERS } else { 1 };
        let faces = if self.geometry >= Geometry::Cube { FACES } else { 1 };
        self.side().pow(self.geometry.dimensions()) * layers * faces
    }

    /// Returns the binding to the buffer, as in a launch file.
    pub fn binding(&self) -> String {
        let is_cube = self.geometry >= Geometry::Cube;
        let sizes = if is_cube { 1 } else { self.geometry.dimensions() as usize };
        let size = vec![self.side().to_string(); sizes].join(", ");
        let size = if sizes > 1 { format!("({size})") } else { size };
        let memory = match (self.linear, is_cube) {
            (true, _) => ", memory: linear",
            (false, true) => ", memory: cube",
            (false, false) => "",
        };
        let layers = if self.geometry.has_layers() { format!(", layers: {LAYERS}") } else { String::new() };
        let (name, buffer, format) = (&self.name, self.buffer(), self.format.name());
        format!("\"{name}\": (buffer: \"{buffer}\", size: {size}, format: {format}{memory}{layers}),")
    }
}
