//! The textures of a kernel: for each a buffer of texels, and the properties that the fetches need.

use isa::types::ScalarType;
use isa::uop::{Inst, Op, Program};

/// Texels of each dimension, for one, two and three dimensions.
const SIZES: [u32; 3] = [1024, 64, 16];

/// A texture that a kernel reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texture {
    /// Name in the module.
    pub name: String,
    /// Number of dimensions: that of its fetches, or 1 if the kernel only reads its properties.
    pub dimensions: u32,
    /// Type of the results of its fetches.
    pub format: ScalarType,
    /// Whether all fetches have one integer coordinate, as those of linear memory.
    pub linear: bool,
}

/// Returns the textures of a kernel, in the order of the module.
pub fn of(program: &Program) -> Vec<Texture> {
    let mut textures: Vec<(u32, Texture)> = Vec::new();
    for (number, dimensions) in program.fetched_textures() {
        let Some(name) = program.textures.get(number as usize) else { continue };
        if let Some((_, known)) = textures.last_mut().filter(|(last, _)| *last == number) {
            known.dimensions = known.dimensions.max(dimensions);
            continue;
        }
        let own = |inst: &&Inst| inst.imm == number && inst.op.fetched_dimensions().is_some();
        let mut fetches = (0..).zip(&program.code).filter(|(_, inst)| own(inst)).peekable();
        let format = fetches.peek().and_then(|(pc, _)| result(program, *pc)).unwrap_or(ScalarType::F32);
        let linear = fetches.peek().is_some() && fetches.all(|(_, inst)| inst.op == Op::Tex1dS32);
        let dimensions = dimensions.max(1);
        textures.push((number, Texture { name: name.clone(), dimensions, format, linear }));
    }
    textures.into_iter().map(|(_, texture)| texture).collect()
}

/// Returns the type of the results of the fetch at `pc`, the first type in `tex.2d.v4.f32.s32`.
fn result(program: &Program, pc: usize) -> Option<ScalarType> {
    let text = program.source.text.get(program.spans.get(pc)?.range())?;
    let name = text.split_whitespace().find(|word| word.starts_with("tex."))?;
    name.split('.').find_map(ScalarType::from_name)
}

impl Texture {
    /// Name of the buffer with its texels.
    pub fn buffer(&self) -> String {
        format!("{}_texels", self.name)
    }

    /// Number of texels.
    pub fn texels(&self) -> u32 {
        SIZES[self.dimensions as usize - 1].pow(self.dimensions)
    }

    /// Returns the binding to the buffer, as in a launch file.
    pub fn binding(&self) -> String {
        let side = SIZES[self.dimensions as usize - 1].to_string();
        let size = vec![side; self.dimensions as usize].join(", ");
        let size = if self.dimensions > 1 { format!("({size})") } else { size };
        let memory = if self.linear { ", memory: linear" } else { "" };
        let (name, buffer, format) = (&self.name, self.buffer(), self.format.name());
        format!("\"{name}\": (buffer: \"{buffer}\", size: {size}, format: {format}{memory}),")
    }
}
