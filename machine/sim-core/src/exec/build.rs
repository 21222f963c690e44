//! Test helpers: programs and kernels built in code.

use super::Rows;
use super::allocations::{Allocation, AllocationTable, NOT_MAPPED};
use super::objects::Objects;
use super::wide::Vectors;
use super::{BarrierRule, Kernel, MemoryRule, Warp, WarpId};
use crate::config::FirstPath;
use isa::Options;
use isa::span::Span;
use isa::types::{Capability, Dim3};
use isa::uop::{Guard, Inst, NO_ROW, Op, Program, RowCounts, Selections, Spills, program::Source};
use std::sync::Arc;

/// An instruction `op` with a destination and up to four sources.
pub fn inst<const N: usize>(op: Op, dst: u16, src: [u16; N]) -> Inst {
    let mut i = Inst::new(op);
    i.dst = dst;
    i.src[..N].copy_from_slice(&src);
    i
}

/// An instruction `op` with an address row (or [`NO_ROW`]), an offset, and the row to load or
/// store.
pub fn memory(op: Op, row: u16, address: u16, offset: u32) -> Inst {
    let stores = op.shape().dst().is_none();
    let mut i = inst(op, if stores { NO_ROW } else { row }, [address, if stores { row } else { NO_ROW }]);
    i.imm = offset;
    i
}

/// An instruction `op` with an immediate.
pub fn with_imm(op: Op, dst: u16, imm: u32) -> Inst {
    let mut i = Inst::new(op);
    (i.dst, i.imm) = (dst, imm);
    i
}

/// A branch.
pub fn bra(target: u32, reconv: u32) -> Inst {
    let mut i = Inst::new(Op::Bra);
    (i.imm, i.aux) = (target, reconv);
    i
}

/// Adds a guard to `i`.
pub fn guarded(mut i: Inst, pred: u16, negated: bool) -> Inst {
    i.guard = Guard::new(pred, negated);
    i
}

/// Builds a kernel; by default one block of 32 threads.
pub struct Builder {
    code: Vec<Inst>,
    kernel: Kernel,
    rows: RowCounts,
}

impl Builder {
    /// An empty program with four rows of each kind, 256 bytes of shared memory and no allocation.
    pub fn new() -> Self {
        let program = Program {
            name: "test".to_owned(),
            code: Vec::new(),
            spans: Vec::new(),
            lines: Vec::new(),
            labels: Vec::new(),
            rows: RowCounts::default(),
            const32: Vec::new(),
            const64: Vec::new(),
            functions: Vec::new(),
            call_depth: 0,
            registers: 4,
            spills: Spills::default(),
            params: Vec::new(),
            param_bytes: 0,
            addresses: Vec::new(),
            shared: Vec::new(),
            shared_bytes: 0,
            local: Vec::new(),
            consts: Arc::default(),
            uses: Vec::new(),
            local_bytes: 0,
            textures: Arc::default(),
            surfaces: Arc::default(),
            selections: Selections::default(),
            required_block: None,
            max_block: None,
            target: Capability::new(1, 0),
            address_bits: 32,
            options: Options::PLAIN,
            ptx: Arc::new(Source::new("test.ptx", "")),
            source: Arc::new(Source::new("test.ptx", "")),
        };
        let kernel = Kernel {
            program: Arc::new(program),
            const32: Rows::new([0; 32], 0),
            const64: Rows::new([0; 32], 0),
            params: Vec::new(),
            constants: Arc::default(),
            textures: Objects::default(),
            surfaces: Objects::default(),
            grid: Dim3::from(1),
            block: Dim3::from(32),
            shared_bytes: 256,
            allocations: Arc::default(),
            mapped_from: NOT_MAPPED,
            first_path: FirstPath::LaterInProgram,
            barriers: BarrierRule::default(),
            memory: MemoryRule::default(),
            nsmid: 1,
            nwarpid: 24,
            grid_id: 0,
            environment: [0; 32],
            vectors: Vectors::widest(),
        };
        Self { code: Vec::new(), kernel, rows: RowCounts { w: 4, d: 4, p: 4 } }
    }

    /// Sets the number of rows of each kind.
    pub fn rows(mut self, w: u16, d: u16, p: u16) -> Self {
        self.rows = RowCounts { w, d, p };
        self
    }

    /// Appends an instruction.
    pub fn inst(mut self, inst: Inst) -> Self {
        self.code.push(inst);
        self
    }

    /// Appends `exit`.
    pub fn exit(self) -> Self {
        self.inst(Inst::new(Op::Exit))
    }

    /// Appends a 32-bit constant row.
    pub fn const32(mut self, value: u32) -> Self {
        self.kernel.const32.push([value; 32]);
        self
    }

    /// Appends a 64-bit constant row.
    pub fn const64(mut self, value: u64) -> Self {
        self.kernel.const64.push([value; 32]);
        self
    }

    /// Sets the parameter block and constant memory.
    pub fn banks(mut self, params: &[u8], constants: &[u8]) -> Self {
        self.kernel.params = params.to_vec();
        self.kernel.constants = Arc::new(constants.to_vec());
        self
    }

    /// Sets grid and block.
    pub fn launch(mut self, grid: impl Into<Dim3>, block: impl Into<Dim3>) -> Self {
        (self.kernel.grid, self.kernel.block) = (grid.into(), block.into());
        self
    }

    /// Sets the bytes of local memory per thread.
    pub fn local(mut self, bytes: u32) -> Self {
        Arc::make_mut(&mut self.kernel.program).local_bytes = bytes;
        self
    }

    /// Allocates `bytes` bytes at `start`.
    pub fn allocate(mut self, start: u32, bytes: u32) -> Self {
        let mut table = AllocationTable::clone(&self.kernel.allocations);
        assert!(table.insert(Allocation { start, bytes, name: None }), "test allocations are disjoint");
        self.kernel.allocations = Arc::new(table);
        self
    }

    /// Returns the kernel; instruction i is on line i + 1.
    pub fn kernel(self) -> Kernel {
        let mut kernel = self.kernel;
        let program = Arc::make_mut(&mut kernel.program);
        program.lines = (1..=self.code.len() as u32).collect();
        program.spans = vec![Span::default(); self.code.len()];
        (program.code, program.rows) = (self.code, self.rows);
        kernel
    }

    /// Returns the kernel and its first warp, started.
    pub fn started(self) -> (Kernel, Warp) {
        let kernel = self.kernel();
        let mut warp = Warp::empty(kernel.program.rows, kernel.program.call_depth);
        let id = WarpId { block: 0, ctaid: Dim3::new(0, 0, 0), index: 0, sm: 0, slot: 0 };
        warp.start(id, kernel.threads());
        (kernel, warp)
    }
}
