//! Kernels: their arguments, and launches.

use super::memory::flags;
use super::program::Built;
use super::{Handle, Object, State};
use crate::status::{Done, Status};
use cuda::compile::{Parameter, ParameterKind};
use isa::sreg::opencl;
use isa::types::Dim3;
use isa::uop::Program as Code;
use sim_core::host::{Arg, ModuleId};
use std::sync::Arc;
use warpsim_cuda::runtime::prepared::Prepared;

/// The value of an argument.
#[derive(Clone, Debug)]
pub enum Value {
    /// The bytes of a number, vector or structure.
    Bytes(Vec<u8>),
    /// A buffer or an image.
    Memory(Handle),
    /// A sampler.
    Sampler(Handle),
    /// No buffer (`NULL`).
    Null,
    /// Bytes of local memory.
    Local(u32),
}

/// A kernel.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// Its program.
    pub program: Handle,
    /// The build that it belongs to.
    pub module: ModuleId,
    /// Its code.
    pub code: Arc<Code>,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// Its attributes as OpenCL C writes them.
    pub attributes: String,
    /// The arguments that are set.
    pub arguments: Vec<Option<Value>>,
}

/// A launch whose arguments are known.
#[derive(Clone, Debug)]
pub struct Launched {
    module: ModuleId,
    code: Arc<Code>,
    arguments: Vec<Arg>,
    groups: [u32; 3],
    local: [u32; 3],
    offset: [u32; 3],
    dimensions: u32,
}

impl Launched {
    /// The launch of a part of its work-groups.
    fn of_groups(&self, grid: [u32; 3], environment: [u32; 32]) -> Prepared {
        let extent = |[x, y, z]: [u32; 3]| Dim3::new(x, y, z);
        Prepared {
            module: self.module,
            program: Arc::clone(&self.code),
            grid: extent(grid),
            block: extent(self.local),
            args: self.arguments.clone(),
            environment,
        }
    }
}

/// The `NDRange` of a launch.
#[derive(Clone, Copy, Debug)]
pub struct Range {
    /// Number of dimensions.
    pub dimensions: u32,
    /// First global ID.
    pub offset: [u64; 3],
    /// Work-items.
    pub global: [u64; 3],
    /// Work-items of a work-group; `None`: the implementation chooses.
    pub local: Option<[u64; 3]>,
}

impl State {
    fn built(&self, program: Handle) -> Done<&Built> {
        self.program(program)?.built.as_ref().ok_or(Status::INVALID_PROGRAM_EXECUTABLE)
    }

    /// `clCreateKernel`.
    ///
    /// # Errors
    ///
    /// The program is not built, or has no such kernel.
    pub fn create_kernel(&mut self, program: Handle, name: &str) -> Done<Handle> {
        let built = self.built(program)?;
        let found = built.kernels.iter().find(|(code, ..)| code.name == name);
        let (code, parameters, attributes) = found.cloned().ok_or(Status::INVALID_KERNEL_NAME)?;
        let module = built.module;
        self.retain(program);
        let arguments = vec![None; parameters.len()];
        Ok(self.add(Object::Kernel(Kernel { program, module, code, parameters, attributes, arguments })))
    }

    /// Names of the kernels of a program.
    ///
    /// # Errors
    ///
    /// The program is not built.
    pub fn kernel_names(&self, program: Handle) -> Done<Vec<String>> {
        Ok(self.built(program)?.kernels.iter().map(|(code, ..)| code.name.clone()).collect())
    }

    /// `clSetKernelArg`.
    ///
    /// # Errors
    ///
    /// The argument does not fit the parameter.
    pub fn set_argument(&mut self, handle: Handle, index: u32, bytes: u64, address: u64) -> Done {
        let kernel = self.kernel(handle)?;
        let at = index as usize;
        let Some(parameter) = kernel.parameters.get(at) else { return Err(Status::INVALID_ARG_INDEX) };
        let size = u64::from(kernel.code.params[at].bytes);
        let value = match parameter.kind {
            ParameterKind::Local(_) => {
                if address != 0 {
                    return Err(Status::INVALID_ARG_VALUE);
                }
                let bytes = u32::try_from(bytes).ok().filter(|bytes| *bytes > 0);
                Value::Local(bytes.ok_or(Status::INVALID_ARG_SIZE)?)
            }
            ParameterKind::Global | ParameterKind::Constant => {
                if bytes != 8 {
                    return Err(Status::INVALID_ARG_SIZE);
                }
                let memory = if address == 0 { 0 } else { self.words(address, 1)?[0] };
                if memory == 0 {
                    Value::Null
                } else {
                    self.buffer(memory)?;
                    Value::Memory(memory)
                }
            }
            ParameterKind::Image { .. } | ParameterKind::Sampler => {
                if bytes != 8 {
                    return Err(Status::INVALID_ARG_SIZE);
                }
                let object = if address == 0 { 0 } else { self.words(address, 1)?[0] };
                self.object_argument(parameter, object)?
            }
            ParameterKind::Value => {
                if address == 0 {
                    return Err(Status::INVALID_ARG_VALUE);
                }
                if bytes != size {
                    return Err(Status::INVALID_ARG_SIZE);
                }
                Value::Bytes(self.runtime.get(address, bytes).map_err(|_| Status::INVALID_ARG_VALUE)?)
            }
        };
        self.kernel_mut(handle)?.arguments[at] = Some(value);
        Ok(())
    }

    /// The image or sampler of an argument.
    fn object_argument(&self, parameter: &Parameter, object: Handle) -> Done<Value> {
        let ParameterKind::Image { dimensions, is_written } = parameter.kind else {
            self.sampler(object)?;
            return Ok(Value::Sampler(object));
        };
        let image = self.image(object)?;
        // Kernels of foreign PTX do not say the dimensions, nor does the type.
        let is_other = image.dimensions != dimensions && !parameter.c_type.is_empty();
        let refused = if is_written { flags::READ_ONLY } else { flags::WRITE_ONLY };
        if is_other || self.memory(object)?.flags & refused != 0 {
            return Err(Status::INVALID_ARG_VALUE);
        }
        Ok(Value::Memory(object))
    }

    /// Largest number of work-items of a work-group of a kernel.
    ///
    /// # Errors
    ///
    /// There is no such kernel.
    pub fn work_group_limit(&mut self, handle: Handle) -> Done<u64> {
        let code = Arc::clone(&self.kernel(handle)?.code);
        Ok(self.runtime.largest_block(&self.thread, &code)?.into())
    }

    /// Checks an `NDRange`, and the arguments of a kernel.
    ///
    /// # Errors
    ///
    /// As `clEnqueueNDRangeKernel` has them.
    pub fn launched(&mut self, handle: Handle, range: &Range) -> Done<Launched> {
        let kernel = self.kernel(handle)?.clone();
        if self.built(kernel.program)?.module != kernel.module {
            return Err(Status::INVALID_PROGRAM_EXECUTABLE);
        }
        let arguments = self.launch_arguments(&kernel)?;
        let limits = self.runtime.device(&self.thread)?.gpu.chip().limits;
        let extents = [limits.block.x, limits.block.y, limits.block.z].map(u64::from);
        let required = kernel.code.required_block.map(|sizes| sizes.map(|size| u64::from(size.max(1))));
        let local = match (range.local, required) {
            (Some(local), Some(required)) if local != required => {
                return Err(Status::INVALID_WORK_GROUP_SIZE);
            }
            (Some(local), _) | (None, Some(local)) => local,
            (None, None) => chosen(range.global, self.work_group_limit(handle)?.min(256), extents),
        };
        if (0..3).any(|axis| local[axis] == 0 || local[axis] > extents[axis]) {
            let is_zero = local.contains(&0);
            return Err(if is_zero {
                Status::INVALID_WORK_GROUP_SIZE
            } else {
                Status::INVALID_WORK_ITEM_SIZE
            });
        }
        let items: u64 = local.iter().product();
        let divides = (0..3).all(|axis| range.global[axis].is_multiple_of(local[axis]));
        if items > limits.threads_per_block.into() || !divides {
            return Err(Status::INVALID_WORK_GROUP_SIZE);
        }
        let word = |value: u64, error: Status| u32::try_from(value).map_err(|_| error);
        let mut launched = Launched {
            module: kernel.module,
            code: kernel.code,
            arguments,
            groups: [1; 3],
            local: [1; 3],
            offset: [0; 3],
            dimensions: range.dimensions,
        };
        #[expect(clippy::needless_range_loop, reason = "an axis of five arrays")]
        for axis in 0..3 {
            let end =
                range.offset[axis].checked_add(range.global[axis]).ok_or(Status::INVALID_GLOBAL_OFFSET)?;
            word(end.saturating_sub(1), Status::INVALID_GLOBAL_OFFSET)?;
            launched.groups[axis] = word(range.global[axis] / local[axis], Status::INVALID_GLOBAL_WORK_SIZE)?;
            launched.local[axis] = local[axis] as u32;
            launched.offset[axis] = range.offset[axis] as u32;
        }
        let block = launched.of_groups([1; 3], [0; 32]);
        self.runtime.check_block(&self.thread, &block).map_err(|_| Status::OUT_OF_RESOURCES)?;
        if launched.groups[0] > limits.grid.x || launched.groups[1] > limits.grid.y {
            let name = launched.code.name.clone();
            (launched.module, launched.code) = self.in_parts(kernel.program, &name)?;
        }
        Ok(launched)
    }

    fn launch_arguments(&self, kernel: &Kernel) -> Done<Vec<Arg>> {
        let mut list = Vec::new();
        for ((argument, parameter), param) in
            kernel.arguments.iter().zip(&kernel.parameters).zip(&kernel.code.params)
        {
            let argument = argument.as_ref().ok_or(Status::INVALID_KERNEL_ARGS)?;
            list.push(match argument {
                Value::Bytes(bytes) => Arg::Bytes(bytes.clone()),
                Value::Null => Arg::Bytes(vec![0; param.bytes as usize]),
                Value::Local(bytes) => Arg::Local(*bytes),
                Value::Sampler(sampler) => Arg::U64(self.sampler(*sampler)?.object),
                Value::Memory(memory) => {
                    let memory = self.memory(*memory)?;
                    if let Some(image) = &memory.image {
                        let is_written =
                            matches!(parameter.kind, ParameterKind::Image { is_written: true, .. });
                        Arg::U64(if is_written { image.surface } else { image.texture })
                    } else if parameter.kind == ParameterKind::Constant {
                        let bytes = u32::try_from(memory.bytes).map_err(|_| Status::OUT_OF_RESOURCES)?;
                        Arg::Constant(memory.ptr, bytes)
                    } else {
                        Arg::Ptr(memory.ptr)
                    }
                }
            });
        }
        Ok(list)
    }

    /// Launches a kernel. A range that is larger than a grid is several launches, and so is one of
    /// three dimensions where grids have two.
    pub(super) fn execute_launch(&mut self, launched: &Launched) -> Done<(u64, u64)> {
        let Launched { groups, offset, dimensions, .. } = launched;
        let most = self.runtime.device(&self.thread)?.gpu.chip().limits.grid;
        let mut span: Option<(u64, u64)> = None;
        for (first, grid) in parts(*groups, [most.x, most.y, most.z]) {
            let mut environment = [0; 32];
            environment[opencl::FIRST_GROUP..][..3].copy_from_slice(&first);
            environment[opencl::OFFSET..][..3].copy_from_slice(offset);
            environment[opencl::GROUPS..][..3].copy_from_slice(groups);
            environment[opencl::DIMENSIONS] = *dimensions;
            let prepared = launched.of_groups(grid, environment);
            let (start, ns) = self.runtime.launch_prepared(&self.thread, &prepared)?;
            if self.runtime.failed(&self.thread).is_some() {
                return Err(Status::OUT_OF_RESOURCES);
            }
            let first = span.map_or(start, |(first, _)| first);
            span = Some((first, start + ns - first));
        }
        Ok(span.unwrap_or((0, 0)))
    }
}

/// Divides a range of work-groups into grids: the first work-group and the size of each.
fn parts(groups: [u32; 3], most: [u32; 3]) -> impl Iterator<Item = ([u32; 3], [u32; 3])> {
    let along = move |axis: usize| (0..groups[axis]).step_by(most[axis] as usize);
    let firsts = along(2).flat_map(move |z| along(1).flat_map(move |y| along(0).map(move |x| [x, y, z])));
    firsts.map(move |first| {
        let size = |axis: usize| (groups[axis] - first[axis]).min(most[axis]);
        (first, [size(0), size(1), size(2)])
    })
}

/// The largest work-group of up to `most` work-items that divides a range and is within the limits
/// of each axis, long in x.
fn chosen(global: [u64; 3], most: u64, limits: [u64; 3]) -> [u64; 3] {
    let mut left = most;
    std::array::from_fn(|axis| {
        let most = left.min(limits[axis]);
        let size =
            (1..=most.min(global[axis])).rev().find(|size| global[axis].is_multiple_of(*size)).unwrap_or(1);
        left /= size;
        size
    })
}
