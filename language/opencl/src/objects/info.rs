//! Queries of the properties of objects.

use super::image::{IMAGE2D, IMAGE3D, Image};
use super::program::Program;
use super::{Handle, State};
use crate::device::Answer::{self, List, Long, Text, Word};
use crate::status::{Done, Status};
use cuda::compile::ParameterKind;

impl State {
    /// Writes an answer: at most `size` bytes to `out`, and its size to `needed`.
    ///
    /// # Errors
    ///
    /// The answer does not fit.
    pub fn answer(&self, bytes: &[u8], size: u64, out: u64, needed: u64) -> Done {
        if out != 0 {
            if size < bytes.len() as u64 {
                return Err(Status::INVALID_VALUE);
            }
            self.runtime.put(out, bytes)?;
        }
        if needed != 0 {
            self.runtime.put_word(needed, bytes.len() as u64)?;
        }
        Ok(())
    }

    /// `clGetContextInfo`.
    ///
    /// # Errors
    ///
    /// There is no such object or property, as of the other queries.
    pub fn context_info(&self, handle: Handle, name: u32) -> Done<Answer> {
        let context = self.context(handle)?;
        Ok(match name {
            0x1080 => Word(self.references(handle)),
            0x1081 => Long(self.device),
            0x1082 => List(context.properties.clone()),
            0x1083 => Word(1),
            _ => return Err(Status::INVALID_VALUE),
        })
    }

    /// `clGetCommandQueueInfo`.
    ///
    /// # Errors
    ///
    /// There is no such object or property.
    pub fn queue_info(&self, handle: Handle, name: u32) -> Done<Answer> {
        let queue = self.queue(handle)?;
        Ok(match name {
            0x1090 => Long(queue.context),
            0x1091 => Long(self.device),
            0x1092 => Word(self.references(handle)),
            0x1093 => Long(queue.properties),
            _ => return Err(Status::INVALID_VALUE),
        })
    }

    /// `clGetMemObjectInfo`.
    ///
    /// # Errors
    ///
    /// There is no such object or property.
    pub fn memory_info(&self, handle: Handle, name: u32) -> Done<Answer> {
        let memory = self.memory(handle)?;
        Ok(match name {
            0x1100 => Word(match &memory.image {
                None => 0x10F0,
                Some(Image { dimensions: 3, .. }) => IMAGE3D,
                Some(_) => IMAGE2D,
            }),
            0x1101 => Long(memory.flags),
            0x1102 => Long(memory.bytes),
            0x1103 => Long(memory.host.unwrap_or(0)),
            0x1104 => Word(memory.map_count()),
            0x1105 => Word(self.references(handle)),
            0x1106 => Long(memory.context),
            0x1107 => Long(memory.parent.unwrap_or(0)),
            0x1108 => Long(memory.offset),
            _ => return Err(Status::INVALID_VALUE),
        })
    }

    /// `clGetImageInfo`.
    ///
    /// # Errors
    ///
    /// There is no such object or property.
    pub fn image_info(&self, handle: Handle, name: u32) -> Done<Answer> {
        let image = self.image(handle)?;
        let [width, height, depth] = image.size;
        let of_3d = |value: u64| if image.dimensions == 3 { value } else { 0 };
        let has_host = self.memory(handle)?.host.is_some();
        let row = if has_host { image.pitches[0] } else { width * image.element };
        let slice = if has_host { image.pitches[1] } else { row * height };
        Ok(match name {
            0x1110 => Long(u64::from(image.format.order) | u64::from(image.format.kind) << 32),
            0x1111 => Long(image.element),
            0x1112 => Long(row),
            0x1113 => Long(of_3d(slice)),
            0x1114 => Long(width),
            0x1115 => Long(height),
            0x1116 => Long(of_3d(depth)),
            // Layers, the buffer, mipmap levels and samples of 1.2: none.
            0x1117 | 0x1118 => Long(0),
            0x1119 | 0x111A => Word(0),
            _ => return Err(Status::INVALID_VALUE),
        })
    }

    /// `clGetSamplerInfo`.
    ///
    /// # Errors
    ///
    /// There is no such object or property.
    pub fn sampler_info(&self, handle: Handle, name: u32) -> Done<Answer> {
        let sampler = self.sampler(handle)?;
        Ok(match name {
            0x1150 => Word(self.references(handle)),
            0x1151 => Long(sampler.context),
            0x1152 => Word(u32::from(sampler.normalized)),
            0x1153 => Word(sampler.addressing),
            0x1154 => Word(sampler.filter),
            _ => return Err(Status::INVALID_VALUE),
        })
    }

    fn binary(program: &Program) -> &str {
        let built = program.built.as_ref().map(|built| built.ptx.as_str());
        built.or(program.binary.as_deref()).unwrap_or_default()
    }

    /// `clGetProgramInfo`. The binaries are in `program_binary`.
    ///
    /// # Errors
    ///
    /// There is no such object or property.
    pub fn program_info(&self, handle: Handle, name: u32) -> Done<Answer> {
        let program = self.program(handle)?;
        Ok(match name {
            0x1160 => Word(self.references(handle)),
            0x1161 => Long(program.context),
            0x1162 => Word(1),
            0x1163 => Long(self.device),
            0x1164 => Text(program.source.clone().unwrap_or_default()),
            0x1165 => Long(Self::binary(program).len() as u64),
            0x1167 => Long(self.kernel_names(handle)?.len() as u64),
            0x1168 => Text(self.kernel_names(handle)?.join(";")),
            _ => return Err(Status::INVALID_VALUE),
        })
    }

    /// The binary of a program: its PTX.
    ///
    /// # Errors
    ///
    /// There is no such program.
    pub fn program_binary(&self, handle: Handle) -> Done<Vec<u8>> {
        Ok(Self::binary(self.program(handle)?).as_bytes().to_vec())
    }

    /// `clGetProgramBuildInfo`.
    ///
    /// # Errors
    ///
    /// There is no such object or property.
    pub fn build_info(&self, handle: Handle, name: u32) -> Done<Answer> {
        let program = self.program(handle)?;
        Ok(match name {
            0x1181 => Word(program.status as u32),
            0x1182 => Text(program.options.clone()),
            0x1183 => Text(program.log.clone()),
            // CL_PROGRAM_BINARY_TYPE: executable or none
            0x1184 => Word(if program.built.is_some() { 4 } else { 0 }),
            _ => return Err(Status::INVALID_VALUE),
        })
    }

    /// `clGetKernelInfo`.
    ///
    /// # Errors
    ///
    /// There is no such object or property.
    pub fn kernel_info(&self, handle: Handle, name: u32) -> Done<Answer> {
        let kernel = self.kernel(handle)?;
        Ok(match name {
            0x1190 => Text(kernel.code.name.clone()),
            0x1191 => Word(kernel.parameters.len() as u32),
            0x1192 => Word(self.references(handle)),
            0x1193 => Long(self.program(kernel.program)?.context),
            0x1194 => Long(kernel.program),
            0x1195 => Text(kernel.attributes.clone()),
            _ => return Err(Status::INVALID_VALUE),
        })
    }

    /// `clGetKernelWorkGroupInfo`.
    ///
    /// # Errors
    ///
    /// There is no such object or property.
    pub fn work_group_info(&mut self, handle: Handle, name: u32) -> Done<Answer> {
        let most = self.work_group_limit(handle)?;
        let param_bytes = self.kernel(handle)?.code.param_bytes;
        let launch_bytes = self.runtime.launch_bytes(&self.thread, param_bytes)?;
        let kernel = self.kernel(handle)?;
        let locals = kernel.arguments.iter().flatten().filter_map(|value| {
            if let super::kernel::Value::Local(bytes) = value { Some(u64::from(*bytes)) } else { None }
        });
        Ok(match name {
            0x11B0 => Long(most),
            0x11B1 => {
                let sizes = kernel.code.required_block.unwrap_or([0; 3]);
                List(sizes.map(u64::from).to_vec())
            }
            0x11B2 => {
                let variables = u64::from(kernel.code.shared_bytes) + u64::from(launch_bytes);
                Long(variables + locals.sum::<u64>())
            }
            0x11B3 => Long(32),
            0x11B4 => Long(kernel.code.local_bytes.into()),
            _ => return Err(Status::INVALID_VALUE),
        })
    }

    /// `clGetKernelArgInfo`.
    ///
    /// # Errors
    ///
    /// There is no such object or property, or the program is no source.
    pub fn argument_info(&self, handle: Handle, index: u32, name: u32) -> Done<Answer> {
        let kernel = self.kernel(handle)?;
        let parameter = kernel.parameters.get(index as usize).ok_or(Status::INVALID_ARG_INDEX)?;
        if parameter.c_type.is_empty() {
            return Err(Status::KERNEL_ARG_INFO_NOT_AVAILABLE);
        }
        let is_const = parameter.c_type.contains("const ") || parameter.kind == ParameterKind::Constant;
        let is_pointer = plain_type(&parameter.c_type).ends_with('*');
        Ok(match name {
            0x1196 => Word(match parameter.kind {
                ParameterKind::Global | ParameterKind::Image { .. } => 0x119B,
                ParameterKind::Local(_) => 0x119C,
                ParameterKind::Constant => 0x119D,
                ParameterKind::Value | ParameterKind::Sampler => 0x119E,
            }),
            0x1197 => Word(match parameter.kind {
                ParameterKind::Image { is_written: true, .. } => 0x11A1,
                ParameterKind::Image { is_written: false, .. } => 0x11A0,
                _ => 0x11A3,
            }),
            0x1198 => Text(plain_type(&parameter.c_type)),
            0x1199 if is_pointer => {
                let has = |word: &str| u64::from(parameter.c_type.contains(word));
                Long(u64::from(is_const) | has("restrict") << 1 | has("volatile") << 2)
            }
            0x1199 => Long(0),
            0x119A => Text(parameter.name.clone()),
            _ => return Err(Status::INVALID_VALUE),
        })
    }

    /// `clGetEventInfo`.
    ///
    /// # Errors
    ///
    /// There is no such object or property.
    pub fn event_info(&self, handle: Handle, name: u32) -> Done<Answer> {
        let event = self.event(handle)?;
        Ok(match name {
            0x11D0 => Long(event.queue.unwrap_or(0)),
            0x11D1 => Word(event.command),
            0x11D2 => Word(self.references(handle)),
            0x11D3 => Word(event.status as u32),
            0x11D4 => Long(event.context),
            _ => return Err(Status::INVALID_VALUE),
        })
    }

    /// `clGetEventProfilingInfo`.
    ///
    /// # Errors
    ///
    /// The queue has no profiling, the event is not complete, or there is no such property.
    pub fn profiling_info(&self, handle: Handle, name: u32) -> Done<Answer> {
        let event = self.event(handle)?;
        if !self.has_profiling(event) || event.status != super::command::COMPLETE {
            return Err(Status::PROFILING_INFO_NOT_AVAILABLE);
        }
        let at = name.checked_sub(0x1280).filter(|at| *at < 4).ok_or(Status::INVALID_VALUE)?;
        Ok(Long(event.times[at as usize]))
    }
}

/// A type without its qualifiers.
fn plain_type(c_type: &str) -> String {
    let c_type = c_type.replace("__restrict__", " ");
    let words = c_type.split_ascii_whitespace();
    let is_qualifier = |word: &&str| {
        matches!(
            *word,
            "const"
                | "volatile"
                | "__global"
                | "__local"
                | "__constant"
                | "__private"
                | "__read_only"
                | "__write_only"
        )
    };
    let text: Vec<&str> = words.filter(|word| !is_qualifier(word)).collect();
    text.join(" ")
        .replace(" *", "*")
        .replace("unsigned char", "uchar")
        .replace("unsigned int", "uint")
        .replace("unsigned short", "ushort")
        .replace("unsigned long", "ulong")
}
