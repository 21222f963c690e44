//! Pointer chases: one thread follows pointers (in a texture: positions of texels) that are
//! `stride` bytes apart, in a cycle through a footprint. Each load depends on the previous one, so
//! the time of a load is its latency; the size, line size and latency of a cache show as steps.

use super::header;
use isa::Options;
use kernels::RunError;
use kernels::lab::Lab;
use sim_core::config::Chip;
use sim_core::host::{Arg, DevicePtr, TexelFormat, TextureOptions, TextureShape};

/// Memory space of the pointers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
pub enum Space {
    /// Global memory.
    Global,
    /// Constant memory.
    Constant,
    /// Shared memory.
    Shared,
    /// A texture in linear memory. Its pointers are the positions of texels.
    Texture,
}

impl Space {
    /// Name in PTX; of a texture in words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Global => "global",
            Self::Constant => "const",
            Self::Shared => "shared",
            Self::Texture => "texture",
        }
    }

    /// Whether the host writes the pointers to an array in global memory.
    fn is_array(self) -> bool {
        match self {
            Self::Global | Self::Texture => true,
            Self::Constant | Self::Shared => false,
        }
    }

    /// The load of the next pointer.
    fn load(self) -> String {
        match self {
            Self::Global | Self::Constant | Self::Shared => format!("ld.{}.u32 %p, [%p];", self.name()),
            Self::Texture => "tex.1d.v4.u32.s32 {%p, _, _, _}, [table, {%p}];".to_owned(),
        }
    }
}

/// Bytes of the constant array: all constant memory of every chip of the era.
const CONSTANT_BYTES: u64 = 65536;
/// Bytes of the array in shared memory.
const SHARED_BYTES: u64 = 8192;
/// Loads per iteration of a loop.
const UNROLLED: u64 = 16;
/// Up to this number, pointers are written one by one, without the words between them.
const SPARSE: u64 = 512;
/// Minimum and maximum number of timed loads. More loads only repeat the same pattern.
const TIMED: (u64, u64) = (256, 2048);

/// A chip with the memory of the pointers.
pub struct Chase {
    lab: Lab,
    space: Space,
    /// Address of the array in its space.
    base: u32,
    /// The array in global memory, for spaces that have one.
    array: DevicePtr,
    /// Output buffer: cycles and sum.
    out: DevicePtr,
}

impl Chase {
    /// Prepares a chase in `space`, with footprints of up to `most` bytes.
    pub fn new(chip: &Chip, space: Space, most: u64) -> Result<Self, RunError> {
        let mut lab = Lab::new(chip.clone(), "chase", &text(chip, space), Options::default())?;
        let out = lab.allocate(2)?;
        let array = lab.allocate(if space.is_array() { most / 4 } else { 1 })?;
        let base = match space {
            Space::Global => array.address(),
            Space::Constant | Space::Shared => {
                lab.launch("where", 1, 1, [Arg::Ptr(out), Arg::U32(0)])?;
                lab.download(out, 1)?[0]
            }
            Space::Texture => {
                let shape = TextureShape::Linear((most / 4) as u32);
                let options = TextureOptions::new(shape, TexelFormat::U32, 1);
                lab.gpu.bind_texture(lab.module, "table", array, options)?;
                0
            }
        };
        Ok(Self { lab, space, base, array, out })
    }

    /// Shader cycles of a load in the steady state. `stride` is a multiple of 4 and divides
    /// `footprint`.
    pub fn cycles(&mut self, footprint: u64, stride: u64) -> Result<f64, RunError> {
        let places = footprint / stride;
        self.prepare(footprint, stride)?;
        let warm = places.div_ceil(UNROLLED);
        let timed = places.clamp(TIMED.0, TIMED.1).div_ceil(UNROLLED);
        let args = [
            Arg::Ptr(self.out),
            Arg::Ptr(self.array),
            Arg::U32(warm as u32),
            Arg::U32(timed as u32),
            Arg::U32(footprint as u32),
            Arg::U32(stride as u32),
        ];
        self.lab.launch("chase", 1, 1, args)?;
        let cycles = self.lab.download(self.out, 1)?[0];
        Ok(f64::from(cycles) / (timed * UNROLLED) as f64)
    }

    /// Writes the pointers. In shared memory the kernel itself writes them.
    fn prepare(&mut self, footprint: u64, stride: u64) -> Result<(), RunError> {
        let unit = if self.space == Space::Texture { 4 } else { 1 };
        let pointer = |at: u64| (u64::from(self.base) + (at + stride) % footprint / unit) as u32;
        if self.space == Space::Shared {
            return Ok(());
        }
        if self.space.is_array() && footprint / stride <= SPARSE {
            for at in (0..footprint).step_by(stride as usize) {
                let word = pointer(at).to_le_bytes();
                self.lab.gpu.copy_in(self.array.offset(at as u32), &word)?;
            }
            return Ok(());
        }
        let mut words = vec![0; footprint as usize / 4];
        for at in (0..footprint).step_by(stride as usize) {
            words[at as usize / 4] = pointer(at);
        }
        if self.space.is_array() {
            return self.lab.write(self.array, &words);
        }
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        Ok(self.lab.gpu.copy_to_symbol(self.lab.module, "table", 0, &bytes)?)
    }
}

/// Latency of a load, for one footprint and stride.
pub fn latency(chip: &Chip, space: Space, footprint: u64, stride: u64) -> Result<f64, RunError> {
    Chase::new(chip, space, footprint)?.cycles(footprint, stride)
}

/// Returns the kernels: `chase`, and `where`, which stores the address of the array.
fn text(chip: &Chip, space: Space) -> String {
    let array = match space {
        Space::Global => String::new(),
        Space::Constant => format!(".const .align 256 .b8 table[{CONSTANT_BYTES}];"),
        Space::Shared => format!(".shared .align 256 .b8 table[{SHARED_BYTES}];"),
        Space::Texture if chip.capability.major < 2 => ".tex .u32 table;".to_owned(),
        Space::Texture => ".global .texref table;".to_owned(),
    };
    let address = match space {
        Space::Global => "ld.param.u32 %p, [start];",
        Space::Constant | Space::Shared => "mov.u32 %p, table;",
        Space::Texture => "mov.u32 %p, 0;",
    };
    // table[at] = base + (at + stride) % footprint
    let fill = "
        mov.u32 %at, 0;
        fill:
        add.u32 %q, %at, %stride;
        setp.ge.u32 %more, %q, %foot;
        @%more sub.u32 %q, %q, %foot;
        add.u32 %r, %at, %p;
        add.u32 %q, %q, %p;
        st.shared.u32 [%r], %q;
        add.u32 %at, %at, %stride;
        setp.lt.u32 %more, %at, %foot;
        @%more bra fill;";
    let fill = if space == Space::Shared { fill } else { "" };
    let load = space.load();
    let loads = format!("{load}\n").repeat(UNROLLED as usize - 1);
    let header = header(chip, false);
    // The loop's own instructions follow the first load, and execute while it is pending.
    format!(
        "{header}
        {array}
        .entry where (.param .u32 out, .param .u32 start)
        {{
        .reg .u32 %p, %at;
        {address}
        ld.param.u32 %at, [out];
        st.global.u32 [%at], %p;
        exit;
        }}
        .entry chase (.param .u32 out, .param .u32 start, .param .u32 warm, .param .u32 timed,
                      .param .u32 footprint, .param .u32 stride)
        {{
        .reg .u32 %p, %q, %r, %at, %n, %begin, %end, %sum, %foot, %stride;
        .reg .pred %more;
        ld.param.u32 %foot, [footprint];
        ld.param.u32 %stride, [stride];
        {address}
        {fill}
        ld.param.u32 %n, [warm];
        again:
        {load}
        sub.u32 %n, %n, 1;
        setp.ne.u32 %more, %n, 0;
        {loads}
        @%more bra again;
        ld.param.u32 %n, [timed];
        mov.u32 %sum, %p;
        mov.u32 %begin, %clock;
        timing:
        {load}
        sub.u32 %n, %n, 1;
        setp.ne.u32 %more, %n, 0;
        {loads}
        @%more bra timing;
        add.u32 %sum, %sum, %p;
        mov.u32 %end, %clock;
        sub.u32 %end, %end, %begin;
        ld.param.u32 %at, [out];
        st.global.u32 [%at], %end;
        st.global.u32 [%at+4], %sum;
        exit;
        }}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gt200() -> Chip {
        Chip::builtin("gt200").expect("built in")
    }

    #[test]
    fn a_load_from_shared_memory_has_the_same_latency_for_any_stride() {
        for (footprint, stride) in [(4096, 4), (4096, 128), (256, 4)] {
            let cycles = latency(&gt200(), Space::Shared, footprint, stride).unwrap();
            // The 38 of the chip file, rounded up to the next issue cycle of 4.
            assert!((40.0..40.5).contains(&cycles), "{footprint} by {stride}: {cycles}");
        }
    }

    #[test]
    fn a_chase_ends_at_its_first_pointer() {
        let mut chase = Chase::new(&gt200(), Space::Global, 4096).unwrap();
        chase.cycles(4096, 64).unwrap();
        let sum = chase.lab.download(chase.out, 2).unwrap()[1];
        // 64 positions, 16 loads per iteration: the chase ends where it began, after the warm-up
        // and after the timed part.
        assert_eq!(sum, 2 * chase.base);
    }
}
