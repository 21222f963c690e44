//! Decodes bytes to calls, makes them on a runtime with two devices, and compares results and
//! memory with the model.

#[path = "contexts.rs"]
mod contexts;
#[path = "objects.rs"]
mod objects;

use crate::host::{Host, inside};
use crate::model::{Array, Block, Byte, Device, Event, Kind, Model, Place, Side};
use isa::types::Dim3;
use warpsim_cuda::runtime::arrays::End;
use warpsim_cuda::runtime::copies::Rows;
use warpsim_cuda::runtime::error::{Error, Outcome};
use warpsim_cuda::runtime::images::{Images, Named};
use warpsim_cuda::runtime::launch::Arguments;
use warpsim_cuda::runtime::regions::Shape;
use warpsim_cuda::runtime::symbols::SymbolPart;
use warpsim_cuda::runtime::thread::{Configuration, Thread};
use warpsim_cuda::runtime::{Runtime, host::Process as _};
use warpsim_cuda::settings::Settings;

/// Adds 1 to each of `n` bytes at `p`.
const TEXT: &str = ".version 3.0
.target sm_20
.address_size 64
.global .align 4 .b8 variable[100];
.visible .entry bump(.param .u64 p, .param .u32 n)
{
    .reg .pred %q;
    .reg .b16 %h<2>;
    .reg .b32 %r<5>;
    .reg .b64 %d<4>;
    ld.param.u64 %d1, [p];
    ld.param.u32 %r1, [n];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.u32 %r4, %r2, %r3, %r4;
    setp.ge.u32 %q, %r4, %r1;
    @%q bra end;
    cvt.u64.u32 %d2, %r4;
    add.u64 %d3, %d1, %d2;
    ld.u8 %h1, [%d3];
    add.u16 %h1, %h1, 1;
    st.u8 [%d3], %h1;
    mov.u64 %d2, variable;
end:
    ret;
}
";

const KERNEL: u64 = 1;
const VARIABLE: u64 = 2;
const VARIABLE_BYTES: u64 = 100;

/// Where results are written; plain host memory; a page that can be registered.
const OUT: u64 = 0x1000_0000_0000;
const PLAIN: u64 = 0x2000_0000_0000;
const PAGE: u64 = 0x3000_0000_0000;
const PLAIN_BYTES: u64 = 4096;
/// The text as an image of the driver API; names in it; a structure with parameters.
const IMAGE: u64 = 0x4000_0000_0000;
const NAMES: u64 = 0x4100_0000_0000;
const STRUCTURE: u64 = 0x4200_0000_0000;

/// The input and both sides.
struct Driver<'a> {
    input: &'a [u8],
    runtime: Runtime,
    thread: Thread,
    host: Host,
    model: Model,
    /// The arguments of the last call, for messages.
    last: String,
}

/// Runs one sequence.
///
/// # Panics
///
/// A call does something else than the model says.
pub fn sequence(bytes: &[u8]) {
    let Some((first, input)) = bytes.split_first() else { return };
    let set = [("WARPSIM_DEVICES", "2"), ("WARPSIM_FUNCTIONAL", "1"), ("WARPSIM_CHIP", "fermi")];
    let settings =
        Settings::read(|name| set.iter().find(|(own, _)| *own == name).map(|(_, value)| (*value).to_owned()));
    let mut images = Images::new();
    let image = images.add(Some(TEXT.to_owned()));
    let named = |name: &str| Named { image, name: name.to_owned(), normalized: false };
    images.functions.insert(KERNEL, named("bump"));
    images.variables.insert(VARIABLE, named("variable"));
    let host = Host::new(first % 2 == 0);
    let runtime = Runtime::new(settings.expect("right settings"), Box::new(host.clone()), images);
    let model = Model { devices: vec![Device::default(); 2], ..Model::default() };
    let mut driver = Driver { input, runtime, thread: Thread::new(), host, model, last: String::new() };
    driver.host.add(OUT, vec![0; 64]);
    let mut image = TEXT.as_bytes().to_vec();
    image.resize(image.len().next_multiple_of(4096) + 4096, 0);
    driver.host.add(IMAGE, image);
    let mut names = b"bump\0\0\0\0variable\0".to_vec();
    names.resize(4096, 0);
    driver.host.add(NAMES, names);
    driver.host.add(STRUCTURE, vec![0; 128]);
    for at in [PLAIN, PAGE] {
        let bytes: Vec<u8> = (0..PLAIN_BYTES).map(|n| (n * 7 + 3) as u8).collect();
        driver.model.host.insert(at, bytes.iter().copied().map(Some).collect());
        driver.host.add(at, bytes);
    }
    for number in [1, 0] {
        driver.switch(number);
        driver.load();
    }
    while !driver.input.is_empty() {
        driver.call();
    }
    driver.compare();
}

impl Driver<'_> {
    fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.input.split_first() else { return 0 };
        self.input = rest;
        *first
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[usize::from(self.byte()) % of.len()]
    }

    fn switch(&mut self, number: usize) {
        assert_eq!(self.runtime.set_device(&mut self.thread, number as i32), Ok(()));
        (self.model.current, self.model.chosen) = (number, number);
        if self.model.stack.pop().is_some() {
            assert_eq!(self.runtime.ctx_get_current(&mut self.thread, OUT), Ok(()));
            self.model.stack.push((self.host.word(OUT), number));
        }
    }

    /// Loads the code on a new device, which places the variable, and maps the blocks.
    fn load(&mut self) {
        assert_eq!(self.runtime.symbol_address(&self.thread, OUT, VARIABLE), Ok(()));
        let variable = self.host.word(OUT);
        assert_eq!(self.runtime.mem_info(&self.thread, OUT, OUT + 8), Ok(()));
        let free = self.host.word(OUT);
        let device = self.model.device();
        (device.variable, device.free) = (variable, free);
        device.memory.insert(variable, vec![Some(0); VARIABLE_BYTES as usize]);
        device.variables.insert(variable);
        let blocks: Vec<u64> = self.model.blocks.keys().copied().collect();
        for start in blocks {
            self.map(start);
        }
    }

    /// Maps a block on all devices that work.
    fn map(&mut self, start: u64) {
        for number in 0..self.model.devices.len() {
            let thread = Thread { device: number, ..Thread::new() };
            if self.model.devices[number].failed || !self.model.exists(number) {
                continue;
            }
            assert_eq!(self.runtime.pointer_attributes(&thread, OUT, start), Ok(()));
            self.model.devices[number].aliases.insert(self.host.word(OUT + 8), start);
        }
    }

    /// Returns any pointer: right, interior, at an end, freed, of another device, null or huge.
    fn pointer(&mut self) -> u64 {
        let (which, entry, offset) = (self.byte() % 16, usize::from(self.byte()), u64::from(self.byte()));
        let nth = |all: Vec<u64>| if all.is_empty() { PLAIN + 9 } else { all[entry % all.len()] };
        let own = &self.model.devices[self.model.current];
        let other = &self.model.devices[(self.model.current + 1) % self.model.devices.len()];
        match which {
            0..=3 => nth(own.memory.keys().copied().collect()),
            4 => nth(own.memory.keys().copied().collect()) + offset,
            5 => nth(own.memory.iter().map(|(start, bytes)| start + bytes.len() as u64).collect()),
            6 => nth(other.memory.keys().copied().collect()),
            7 => nth(self.model.past.clone()),
            8 | 9 => PLAIN + offset,
            10 => nth(self.model.blocks.keys().copied().collect()),
            11 => nth(self.model.blocks.keys().copied().collect()) + offset,
            12 => nth(own.aliases.keys().copied().collect()),
            13 => nth(own.memory.keys().copied().collect()) | 1 << 32,
            14 => PAGE,
            _ => self.pick(&[0, 8, 1 << 31, u64::MAX, u64::MAX - 7, 1 << 63]),
        }
    }

    fn count(&mut self) -> u64 {
        match self.byte() {
            0 => self.pick(&[u64::MAX, 1 << 40, 1 << 32, 3 << 30, u64::MAX / 2]),
            small => u64::from(small) - 1,
        }
    }

    fn stream(&mut self) -> u64 {
        let all: Vec<u64> = self.model.streams.keys().copied().collect();
        match self.byte() {
            0 => self.pick(&[u64::MAX, 77, PLAIN]),
            1 => self.model.past.last().copied().unwrap_or(5),
            n if n < 128 && !all.is_empty() => all[usize::from(n) % all.len()],
            n => u64::from(n % 3),
        }
    }

    fn event(&mut self) -> u64 {
        let all: Vec<u64> = self.model.events.keys().copied().collect();
        match self.byte() {
            0..4 => self.pick(&[0, u64::MAX, PLAIN]),
            n if all.is_empty() => u64::from(n),
            n => all[usize::from(n) % all.len()],
        }
    }

    fn array(&mut self) -> u64 {
        let all: Vec<u64> = self.model.arrays.keys().copied().collect();
        match self.byte() {
            0..4 => self.pick(&[1, u64::MAX, PLAIN]),
            n if all.is_empty() => u64::from(n) + 1,
            n => all[usize::from(n) % all.len()],
        }
    }

    fn out(&mut self) -> u64 {
        match self.byte() {
            0 => self.pick(&[0, u64::MAX, 1 << 40]),
            _ => OUT,
        }
    }

    #[track_caller]
    fn agree(&self, result: Outcome, right: bool) -> bool {
        let right = right && self.model.works();
        assert_eq!(result.is_ok(), right, "{result:?} on device {}: {}", self.model.current, self.last);
        right
    }

    fn call(&mut self) {
        match self.byte() % 32 {
            0..=2 => self.malloc(),
            3 => self.free(),
            4..=7 => self.copy(1),
            8 => self.copy(3),
            9 | 10 => self.fill(),
            11..=13 => self.launch(),
            14 => self.copy_symbol(),
            15 | 16 => self.allocate_block(),
            17 => self.free_block(),
            18 => self.register(),
            19 => self.streams(),
            20..=22 => self.events(),
            23 => self.malloc_array(),
            24 | 25 => self.copy_array(),
            26 => self.copy_peer(),
            27 => {
                let number = self.pick(&[0, 1, -1, 2, i32::MAX]);
                if matches!(number, 0 | 1) {
                    self.switch(number as usize);
                } else {
                    assert!(self.runtime.set_device(&mut self.thread, number).is_err());
                }
            }
            28 if self.byte().is_multiple_of(4) => self.reset(),
            29 => match self.byte() % 8 {
                0..3 => self.contexts(),
                3 | 4 => self.modules(),
                5 => self.fill_pattern(),
                6 => self.address_range(),
                _ => self.runtime.notes.take().clear(),
            },
            _ => {
                let result = self.runtime.synchronize(&self.thread);
                self.agree(result, true);
            }
        }
    }

    /// A copy of up to `most` rows.
    fn copy(&mut self, most: u64) {
        let (to, from, width) = (self.pointer(), self.pointer(), self.count());
        let height = if most == 1 { 1 } else { u64::from(self.byte()) % (most + 1) };
        let pitch = if height > 1 { self.count() } else { 0 };
        let (kind, stream) = (self.pick(&[0, 1, 2, 3, 4, 4, 5, -1]), self.stream());
        let sides = match kind {
            0 => Some((Side::Host, Side::Host)),
            1 => Some((Side::Device, Side::Host)),
            2 => Some((Side::Host, Side::Device)),
            3 => Some((Side::Device, Side::Device)),
            4 => Some((Side::Any, Side::Any)),
            _ => None,
        };
        let empty = width == 0 || height == 0;
        // A copy of nothing has no direction.
        let mut right = (empty || sides.is_some()) && self.model.stream(stream);
        let mut plan = Vec::new();
        if let (Some((to_side, from_side)), false) = (sides, empty) {
            right &= height == 1 || pitch >= width;
            // Rows continue the memory of the first one.
            let all =
                (height - 1).checked_mul(pitch).and_then(|rows| rows.checked_add(width)).unwrap_or(u64::MAX);
            let places = [self.model.place(to, all, to_side), self.model.place(from, all, from_side)];
            if places.contains(&Place::Unclear) {
                return;
            }
            right &= !places.contains(&Place::Bad);
            plan.extend(places);
        }
        self.last =
            format!("copy {to:#x} {from:#x} {width} x {height}, {pitch}, {kind}, {stream:#x}: {plan:x?}");
        let (rows_to, rows_from) = (Rows::plane(to, pitch), Rows::plane(from, pitch));
        let shape = Shape { width, height, depth: 1 };
        let result = if self.byte().is_multiple_of(4) && sides.is_some() && !empty && pitch > 0 {
            self.copy_structure(rows_to, rows_from, shape, kind, stream)
        } else {
            self.runtime.copy(&self.thread, rows_to, rows_from, shape, kind, stream)
        };
        if !self.agree(result, right) {
            return;
        }
        for row in 0..if empty { 0 } else { height } {
            let at = |place| match place {
                Place::Device(start, offset) => Place::Device(start, offset + (row * pitch) as usize),
                Place::Host(start, offset) => Place::Host(start, offset + (row * pitch) as usize),
                other => other,
            };
            let (target, source) = (at(plan[0]), at(plan[1]));
            let mut bytes = self.model.bytes(source, width);
            if overlaps(plan[0], plan[1], (height - 1) * pitch + width) {
                bytes.fill(None);
            }
            self.model.write(target, &bytes);
        }
    }

    fn fill(&mut self) {
        let (at, bytes, value, stream) = (self.pointer(), self.count(), self.byte(), self.stream());
        let place = if bytes == 0 { None } else { Some(self.model.place(at, bytes, Side::Device)) };
        if place == Some(Place::Unclear) {
            return;
        }
        self.last = format!("fill {at:#x} {bytes} {stream:#x}: {place:x?}");
        let right = self.model.stream(stream) && place != Some(Place::Bad);
        let result = self.runtime.fill(&self.thread, Rows::line(at), value, Shape::line(bytes), stream);
        if let (true, Some(place)) = (self.agree(result, right), place) {
            self.model.write(place, &vec![Some(value); bytes as usize]);
        }
    }

    fn launch(&mut self) {
        let (at, n) = (self.pointer(), u32::from(self.byte()));
        let (grid, block) =
            (self.pick(&[1, 2, 3, 1, 0, 65_536]), self.pick(&[32, 1, 100, 1024, 64, 0, 1025, u32::MAX]));
        let (shared, stream) = (self.pick(&[0, 0, 0, 1024, 49_153, u64::MAX]), self.stream());
        let function = self.pick(&[KERNEL, KERNEL, KERNEL, KERNEL, VARIABLE, 0]);
        let count = u64::from(n).min(u64::from(grid) * u64::from(block));
        let place = if count == 0 { None } else { Some(self.model.place(at, count, Side::Any)) };
        let kernel_place = match place {
            Some(Place::Unclear) => return,
            // A kernel accesses only the block itself, and no other host memory.
            Some(Place::Host(start, offset)) => {
                let at = start + offset as u64;
                let block = self.model.block(at);
                let fits = block.is_some_and(|own| at - own + count <= self.model.blocks[&own].bytes);
                Some(if fits { Place::Host(start, offset) } else { Place::Bad })
            }
            place => place,
        };
        self.last =
            format!("launch {at:#x} {n} {grid} {block} {shared} {stream:#x} {function}: {kernel_place:x?}");
        let parameters = [&at.to_le_bytes()[..], &n.to_le_bytes()].concat();
        let dim = |x| Dim3::new(x, 1, 1);
        let call = Configuration { grid: dim(grid), block: dim(block), shared, stream, parameters };
        let mut known = function == KERNEL;
        let way = self.byte() % 4;
        let result = if way == 0 {
            let (handle, own) = self.kernel_handle();
            known = own;
            self.last = format!("{} by the handle {handle:#x}", self.last);
            self.host.write(&[(OUT + 16, 12)], &call.parameters);
            let (pointers, extra) =
                if self.byte().is_multiple_of(2) { (OUT + 32, 0) } else { (0, STRUCTURE) };
            let list = [OUT + 16, OUT + 24].map(u64::to_le_bytes).concat();
            self.host.write(&[(OUT + 32, 16)], &list);
            let list = [1, OUT + 16, 2, STRUCTURE + 40, 0, 12].map(u64::to_le_bytes).concat();
            self.host.write(&[(STRUCTURE, 48)], &list);
            contexts::plain(self.runtime.cu_launch_kernel(&self.thread, handle, &call, pointers, extra))
        } else if way < 3 {
            self.runtime.launch(&self.thread, function, &call, Arguments::Bytes(&call.parameters))
        } else {
            self.host.write(&[(OUT + 16, 12)], &call.parameters);
            let configured = Configuration { parameters: Vec::new(), ..call };
            let thread = &mut self.thread;
            let result = self.runtime.configure(thread, configured);
            let result = result.and_then(|()| self.runtime.setup_argument(thread, OUT + 16, 12, 0));
            result.and_then(|()| self.runtime.launch_configured(thread, function))
        };
        let right = known
            && self.model.stream(stream)
            && (1..=65_535).contains(&grid)
            && (1..=1024).contains(&block)
            && shared <= 49_152;
        let (true, Some(place)) = (self.agree(result, right), kernel_place) else { return };
        let failed = self.runtime.failed(&self.thread).is_some();
        assert_eq!(failed, place == Place::Bad, "{}", self.last);
        if failed {
            self.model.device().failed = true;
            // The threads before the wrong one may have written.
            for start in self.model.blocks.keys() {
                if let Some((start, _)) = inside(&self.model.host, *start, 1) {
                    self.model.host.get_mut(&start).expect("it was found").fill(None);
                }
            }
            return;
        }
        let bytes = self.model.bytes(place, count);
        let bytes: Vec<Byte> = bytes.into_iter().map(|byte| byte.map(|byte| byte.wrapping_add(1))).collect();
        self.model.write(place, &bytes);
    }
}

/// Whether two ranges of `bytes` bytes share some.
fn overlaps(a: Place, b: Place, bytes: u64) -> bool {
    match (a, b) {
        (Place::Device(x, i), Place::Device(y, j)) | (Place::Host(x, i), Place::Host(y, j)) => {
            x == y && (i.abs_diff(j) as u64) < bytes
        }
        _ => false,
    }
}
