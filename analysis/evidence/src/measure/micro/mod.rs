//! Microbenchmarks: small programs, generated from templates, that each measure one property
//! through the instruction set, as a program on silicon does.
//!
//! Reads of clock registers are never moved or removed by the optimizer, every chain ends in a
//! store, and its operands come from memory, so that nothing can be computed at compile time.

pub mod banks;
pub mod barrier;
pub mod chains;
pub mod chase;
pub mod curves;
pub mod host;
pub mod mad;
pub mod memory;

use isa::Options;
use kernels::RunError;
use kernels::lab::Lab;
use sim_core::config::Chip;
use sim_core::host::Arg;

/// Returns the PTX header for the chip. `doubles` needs compute capability 1.3.
fn header(chip: &Chip, doubles: bool) -> &'static str {
    match (chip.capability.major, doubles) {
        (1, false) => ".version 1.4\n.target sm_10\n",
        (1, true) => ".version 1.4\n.target sm_13\n",
        _ => ".version 2.3\n.target sm_20\n",
    }
}

/// A kernel with time stamps: every thread reads `%clock` at three points, with the same code
/// between the first two and the last two. This code may change `%x` and read `%a` and `%b`, which
/// have type `ty`.
///
/// The parts run twice and the second run counts: by then the code is in the instruction caches.
struct Stamping<'t> {
    /// Name in error messages.
    name: &'static str,
    /// PTX type of `%x`, `%a` and `%b`.
    ty: &'static str,
    /// Additional declarations.
    declare: &'t str,
    /// Code that runs once, before the parts.
    before: &'t str,
    /// Code between two time stamps.
    part: &'t str,
    /// Code that runs once, after the parts: combines all results in `%x`.
    after: &'t str,
}

/// Words that a thread writes: three time stamps, one unused word, and its `%x`.
const WORDS: usize = 8;

/// Time stamps of the threads of one block, by thread.
struct Stamps(Vec<[u32; 3]>);

impl Stamps {
    /// Cycles of the second part, as thread 0 measured it.
    fn second_part(&self) -> f64 {
        let [_, begin, end] = self.0[0];
        f64::from(end.wrapping_sub(begin))
    }

    /// Cycles from the first stamp of any thread to the last one of any thread.
    fn whole(&self) -> f64 {
        let origin = self.0[0][0];
        // Signed: other threads may have begun before thread 0.
        let since = |stamp: u32| f64::from(stamp.wrapping_sub(origin) as i32);
        let begin = self.0.iter().map(|s| since(s[0])).fold(f64::INFINITY, f64::min);
        let end = self.0.iter().map(|s| since(s[2])).fold(f64::NEG_INFINITY, f64::max);
        end - begin
    }
}

impl Stamping<'_> {
    fn text(&self, chip: &Chip) -> String {
        let Self { ty, declare, before, part, after, .. } = self;
        let header = header(chip, *ty == "f64");
        format!(
            "{header}
            .shared .align 16 .b8 tile[8192];
            .entry stamps (.param .u32 out, .param .u32 in)
            {{
            .reg .u32 %t, %o, %at, %n, %begin, %middle, %end, %s;
            .reg .{ty} %x, %a, %b;
            .reg .pred %more;
            {declare}
            ld.param.u32 %at, [in];
            ld.global.{ty} %x, [%at];
            ld.global.{ty} %a, [%at+8];
            ld.global.{ty} %b, [%at+16];
            mov.u32 %t, %tid.x;
            {before}
            mov.u32 %n, 2;
            again:
            bar.sync 0;
            mov.u32 %begin, %clock;
            {part}
            mov.u32 %middle, %clock;
            {part}
            mov.u32 %end, %clock;
            sub.u32 %n, %n, 1;
            setp.ne.u32 %more, %n, 0;
            @%more bra again;
            {after}
            shl.b32 %o, %t, 5;
            ld.param.u32 %at, [out];
            add.u32 %at, %at, %o;
            st.global.u32 [%at], %begin;
            st.global.u32 [%at+4], %middle;
            st.global.u32 [%at+8], %end;
            st.global.{ty} [%at+16], %x;
            exit;
            }}"
        )
    }

    /// Runs one block of `threads` threads; `operands` are the initial values of `%x`, `%a` and
    /// `%b`.
    fn run(&self, chip: &Chip, threads: u32, operands: [f64; 3]) -> Result<Stamps, RunError> {
        let mut lab = Lab::new(chip.clone(), self.name, &self.text(chip), Options::default())?;
        let words: Vec<u32> = operands.iter().flat_map(|value| self.words(*value)).collect();
        let input = lab.upload(&words)?;
        let out = lab.allocate(u64::from(threads) * WORDS as u64)?;
        lab.launch("stamps", 1, threads, [Arg::Ptr(out), Arg::Ptr(input)])?;
        let found = lab.download(out, threads as usize * WORDS)?;
        Ok(Stamps(found.as_chunks::<WORDS>().0.iter().map(|w| [w[0], w[1], w[2]]).collect()))
    }

    /// Returns the two words of a number of the kernel's type.
    fn words(&self, value: f64) -> [u32; 2] {
        match self.ty {
            "f32" => [(value as f32).to_bits(), 0],
            "f64" => [value.to_bits() as u32, (value.to_bits() >> 32) as u32],
            _ => [value as u32, 0],
        }
    }
}
