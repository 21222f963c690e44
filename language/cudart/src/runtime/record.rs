//! `WARPSIM_RECORD`: each launch as a folder with its PTX, a launch file, and the contents of
//! memory before and after it, for `warpsim run`.
//!
//! Each allocation is a buffer. Pointers among the parameters name their buffers; pointers in
//! structures and in memory keep their numbers.

use super::Runtime;
use super::error::{Error, Outcome};
use super::functions::Function;
use super::thread::Configuration;
use isa::types::ScalarType;
use report::mangled::plain;
use sim_core::host::memory::Allocation;
use sim_core::host::{Arg, DevicePtr, Launch, ModuleId};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// A launch that is being recorded.
pub(super) struct Recording {
    folder: PathBuf,
    /// Fields of the launch file before the expectations.
    text: String,
    buffers: Vec<Allocation>,
}

fn name(buffer: &Allocation) -> String {
    format!("m{:08x}", buffer.start)
}

/// Returns a text in quotation marks, for RON.
fn quoted(text: &str) -> String {
    format!("{text:?}")
}

fn argument(arg: &Arg, ty: Option<ScalarType>, buffers: &[Allocation]) -> String {
    let bytes = match arg {
        Arg::Ptr(ptr) => {
            let at = ptr.address();
            let holds = |buffer: &&Allocation| at >= buffer.start && u64::from(at) < buffer.end();
            if let Some(buffer) = buffers.iter().find(holds) {
                return format!("buf({}, {})", quoted(&name(buffer)), at - buffer.start);
            }
            u64::from(at).to_le_bytes().to_vec()
        }
        Arg::Bytes(bytes) => bytes.clone(),
        other => [1, 2, 4, 8].into_iter().find_map(|size| other.to_bytes(size)).unwrap_or_default(),
    };
    let number = bytes.iter().rev().fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
    match bytes.len() {
        // The bits of a number with a fraction.
        4 | 8 if matches!(ty, Some(ScalarType::F32 | ScalarType::F64)) => {
            format!("b{}({number})", 8 * bytes.len())
        }
        1 | 2 | 4 | 8 => format!("u{}({number})", 8 * bytes.len()),
        _ => format!("bytes({bytes:?})"),
    }
}

impl Runtime {
    /// Writes the launch before it runs; `None` if launches are not recorded or this one cannot be.
    pub(super) fn record(
        &mut self,
        device: usize,
        function: &Function,
        call: &Configuration,
        launch: &Launch,
    ) -> Option<Recording> {
        let root = self.settings.record.clone()?;
        let number = self.program.launches.len() + 1;
        let kernel = &function.program.name;
        if function.program.uses_textures() || function.program.uses_surfaces() {
            let text = format!(
                "warpsim: launch {number} of `{}` is not recorded: it uses textures or surfaces",
                plain(kernel)
            );
            self.notes.once(text);
            return None;
        }
        let is_of_name = |c: &char| c.is_ascii_alphanumeric() || *c == '_';
        let short: String = plain(kernel).chars().filter(is_of_name).take(40).collect();
        let folder = root.join(format!("{number:05}-{short}"));
        match self.write_launch(device, function, call, launch, &folder) {
            Ok(recording) => Some(recording),
            Err(why) => {
                self.notes
                    .once(format!("warpsim: error: cannot record launches in {}: {why}", root.display()));
                None
            }
        }
    }

    fn write_launch(
        &self,
        device: usize,
        function: &Function,
        call: &Configuration,
        launch: &Launch,
        folder: &Path,
    ) -> std::io::Result<Recording> {
        std::fs::create_dir_all(folder)?;
        let mut files = Vec::new();
        for (number, (_, text)) in function.program.ptx.texts().enumerate() {
            let file = format!("kernel-{}.ptx", number + 1);
            std::fs::write(folder.join(&file), text)?;
            files.push(quoted(&file));
        }
        let owner = &self.devices[device];
        let variables: Vec<u32> = owner.variables().map(DevicePtr::address).collect();
        let ranges = owner.gpu.allocations().ranges().iter();
        // The heap and the buffer of printf have names, and so do variables.
        let buffers: Vec<Allocation> = ranges
            .filter(|range| !variables.contains(&range.start) && range.name.is_none())
            .cloned()
            .collect();
        let [grid, block] = [call.grid, call.block].map(|dim| format!("({}, {}, {})", dim.x, dim.y, dim.z));
        let types = function.program.params.iter().map(|param| Some(param.ty)).chain(std::iter::repeat(None));
        let params: Vec<String> =
            launch.args.iter().zip(types).map(|(arg, ty)| argument(arg, ty, &buffers)).collect();
        let mut text = format!(
            "(\n    ptx: [{}],\n    entry: {},\n    grid: {grid},\n    block: {block},\n    dynamic_shared: {},\n    \
             params: [{}],\n    buffers: {{\n",
            files.join(", "),
            quoted(&function.program.name),
            launch.dynamic_shared,
            params.join(", ")
        );
        if launch.environment != [0; 32] {
            text.insert_str(2, &format!("    environment: {:?},\n", launch.environment));
        }
        let mapped = |buffer: &Allocation| self.block_on(device, buffer.start.into()).is_some();
        for buffer in &buffers {
            let (name, bytes) = (name(buffer), buffer.bytes);
            std::fs::write(folder.join(format!("{name}.bin")), self.contents(device, buffer))?;
            let memory = if mapped(buffer) { ", memory: mapped" } else { "" };
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "        \"{name}\": (type: u8, bytes: {bytes}, init: file(\"{name}.bin\"){memory}),"
            );
        }
        text += "    },\n    symbols: {\n";
        for (name, bytes) in self.variables_of(device, function.module) {
            let _ = writeln!(text, "        {}: (type: u8, init: values({bytes:?})),", quoted(&name));
        }
        text += "    },\n";
        Ok(Recording { folder: folder.to_owned(), text, buffers })
    }

    /// Writes the contents of memory after a launch as its expectations, and the launch file.
    pub(super) fn recorded(&mut self, device: usize, recording: Recording, finished: bool) -> Outcome {
        let Recording { folder, mut text, buffers } = recording;
        let write = |name: String, bytes: &[u8]| std::fs::write(folder.join(name), bytes);
        let mut result = Ok(());
        if finished {
            text += "    expect: [\n";
            for buffer in &buffers {
                let file = format!("{}.expected.bin", name(buffer));
                let _ = writeln!(text, "        (buf: \"{}\", file: \"{file}\"),", name(buffer));
                result = result.and(write(file, &self.contents(device, buffer)));
            }
            text += "    ],\n";
        }
        result = result.and(write("launch.ron".to_owned(), (text + ")\n").as_bytes()));
        result.map_err(|why| {
            self.notes.once(format!("warpsim: error: cannot write {}: {why}", folder.display()));
            Error::OPERATING_SYSTEM
        })
    }

    /// Returns the bytes of an allocation.
    fn contents(&self, device: usize, buffer: &Allocation) -> Vec<u8> {
        let mut bytes = vec![0; buffer.bytes as usize];
        self.devices[device].gpu.memory().read(buffer.start, &mut bytes);
        bytes
    }

    /// Returns the variables of a module with their contents, but not those of the device library.
    fn variables_of(&self, device: usize, module: ModuleId) -> Vec<(String, Vec<u8>)> {
        let gpu = &self.devices[device].gpu;
        let mut all = Vec::new();
        for symbol in &gpu.module(module).globals {
            let own = self.driver.has_module(device, module)
                || self.images.variables.values().any(|named| named.name == symbol.name);
            if let Some(ptr) = gpu.symbol_address(module, &symbol.name).ok().flatten().filter(|_| own) {
                let mut bytes = vec![0; symbol.bytes as usize];
                gpu.memory().read(ptr.address(), &mut bytes);
                all.push((symbol.name.clone(), bytes));
            }
        }
        let written = self.constants.iter().filter(|((of, number, _), _)| *of == device && *number == module);
        all.extend(written.map(|((_, _, name), bytes)| (name.clone(), bytes.clone())));
        all
    }

    /// Notes that the host has written bytes of a `.const` variable.
    pub(super) fn constant_written(
        &mut self,
        device: usize,
        place: (ModuleId, &str),
        offset: u64,
        bytes: &[u8],
    ) {
        if self.settings.record.is_none() {
            return;
        }
        let (module, name) = place;
        let consts = &self.devices[device].gpu.module(module).consts;
        let Some(symbol) = consts.iter().find(|symbol| symbol.name == name) else { return };
        let mut first = symbol.init.clone();
        first.resize(symbol.bytes as usize, 0);
        let key = (device, module, name.to_owned());
        let at = self.constants.iter().position(|(other, _)| *other == key).unwrap_or_else(|| {
            self.constants.push((key, first));
            self.constants.len() - 1
        });
        let own = &mut self.constants[at].1;
        own[offset as usize..][..bytes.len()].copy_from_slice(bytes);
    }
}
