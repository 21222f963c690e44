//! An interpreter of lowered programs that runs one thread at a time to its end: no warps, no masks, no time.
//! It has nothing in common with the simulator's executor but the meaning of the arithmetic.

use isa::for_each_uop;
use isa::sem::atomic::{apply32, apply64};
use isa::sem::{approx, bits, cvt, divide, double, float, int};
use isa::sreg::SReg;
use isa::types::Dim3;
use isa::uop::{Class, ConstValue, Inst, NO_ROW, Op, OperandKind, Program};

/// Micro-ops that a thread may run before it is taken to be caught in a loop.
const MOST_STEPS: u32 = 1_000_000;

/// What all threads of a launch share.
pub struct Launch<'a> {
    /// The kernel; it must not use barriers, votes or constant memory, and each thread finds shared memory zero.
    pub program: &'a Program,
    /// The parameter block.
    pub params: &'a [u8],
    /// Blocks.
    pub grid: Dim3,
    /// Threads of a block.
    pub block: Dim3,
}

struct Thread<'a> {
    launch: &'a Launch<'a>,
    w: Vec<u32>,
    d: Vec<u64>,
    p: Vec<bool>,
    shared: Vec<u8>,
    local: Vec<u8>,
    block: Dim3,
    thread: Dim3,
}

impl Launch<'_> {
    /// Runs every thread, in order, on `memory`, whose first byte has address 0.
    pub fn run(&self, memory: &mut [u8]) {
        for block in 0..self.grid.count() {
            for thread in 0..self.block.count() {
                Thread::new(self, self.grid.index_of(block), self.block.index_of(thread)).run(memory);
            }
        }
    }
}

/// Applies the function of an alu row as its shape says.
macro_rules! apply {
    (w_w $t:ident $i:ident $f:path) => {
        $t.w[$i.dst as usize] = $f($t.w($i, 0))
    };
    (w_ww $t:ident $i:ident $f:path) => {
        $t.w[$i.dst as usize] = $f($t.w($i, 0), $t.w($i, 1))
    };
    (w_www $t:ident $i:ident $f:path) => {
        $t.w[$i.dst as usize] = $f($t.w($i, 0), $t.w($i, 1), $t.w($i, 2))
    };
    (w_wwp $t:ident $i:ident $f:path) => {
        $t.w[$i.dst as usize] = $f($t.w($i, 0), $t.w($i, 1), $t.p($i, 2))
    };
    (w_wwww $t:ident $i:ident $f:path) => {
        $t.w[$i.dst as usize] = $f($t.w($i, 0), $t.w($i, 1), $t.w($i, 2), $t.w($i, 3))
    };
    (wp_ww $t:ident $i:ident $f:path) => {
        ($t.w[$i.dst as usize], $t.p[$i.dst2 as usize]) = $f($t.w($i, 0), $t.w($i, 1))
    };
    (wp_wwp $t:ident $i:ident $f:path) => {
        ($t.w[$i.dst as usize], $t.p[$i.dst2 as usize]) = $f($t.w($i, 0), $t.w($i, 1), $t.p($i, 2))
    };
    (w_d $t:ident $i:ident $f:path) => {
        $t.w[$i.dst as usize] = $f($t.d($i, 0))
    };
    (d_w $t:ident $i:ident $f:path) => {
        $t.d[$i.dst as usize] = $f($t.w($i, 0))
    };
    (d_ww $t:ident $i:ident $f:path) => {
        $t.d[$i.dst as usize] = $f($t.w($i, 0), $t.w($i, 1))
    };
    (d_wwd $t:ident $i:ident $f:path) => {
        $t.d[$i.dst as usize] = $f($t.w($i, 0), $t.w($i, 1), $t.d($i, 2))
    };
    (d_d $t:ident $i:ident $f:path) => {
        $t.d[$i.dst as usize] = $f($t.d($i, 0))
    };
    (d_dd $t:ident $i:ident $f:path) => {
        $t.d[$i.dst as usize] = $f($t.d($i, 0), $t.d($i, 1))
    };
    (d_ddd $t:ident $i:ident $f:path) => {
        $t.d[$i.dst as usize] = $f($t.d($i, 0), $t.d($i, 1), $t.d($i, 2))
    };
    (d_dw $t:ident $i:ident $f:path) => {
        $t.d[$i.dst as usize] = $f($t.d($i, 0), $t.w($i, 1))
    };
    (d_dww $t:ident $i:ident $f:path) => {
        $t.d[$i.dst as usize] = $f($t.d($i, 0), $t.w($i, 1), $t.w($i, 2))
    };
    (d_ddww $t:ident $i:ident $f:path) => {
        $t.d[$i.dst as usize] = $f($t.d($i, 0), $t.d($i, 1), $t.w($i, 2), $t.w($i, 3))
    };
    (d_ddp $t:ident $i:ident $f:path) => {
        $t.d[$i.dst as usize] = $f($t.d($i, 0), $t.d($i, 1), $t.p($i, 2))
    };
    (p_ww $t:ident $i:ident $f:path) => {
        $t.p[$i.dst as usize] = $f($t.w($i, 0), $t.w($i, 1))
    };
    (p_dd $t:ident $i:ident $f:path) => {
        $t.p[$i.dst as usize] = $f($t.d($i, 0), $t.d($i, 1))
    };
    (p_p $t:ident $i:ident $f:path) => {
        $t.p[$i.dst as usize] = $f($t.p($i, 0))
    };
    (p_pp $t:ident $i:ident $f:path) => {
        $t.p[$i.dst as usize] = $f($t.p($i, 0), $t.p($i, 1))
    };
}

macro_rules! arithmetic {
    (alu { $($a:ident $at:literal $ac:ident $shape:ident $af:literal $f:path $(=> $bound:ident)?;)* }
     machine { $($m:tt)* }) => {
        impl Thread<'_> {
            /// Runs an alu micro-op; false for one of the machine.
            fn arithmetic(&mut self, inst: &Inst) -> bool {
                let t = self;
                match inst.op {
                    $(Op::$a => apply!($shape t inst $f),)*
                    _ => return false,
                }
                true
            }
        }
    };
}
for_each_uop!(arithmetic);

impl<'a> Thread<'a> {
    fn new(launch: &'a Launch<'a>, block: Dim3, thread: Dim3) -> Self {
        let program = launch.program;
        let bits = |value: &ConstValue| match value {
            ConstValue::Bits(bits) => *bits,
            ConstValue::Param { offset } => {
                let mut bytes = [0; 8];
                bytes.iter_mut().zip(&launch.params[*offset as usize..]).for_each(|(to, from)| *to = *from);
                u64::from_le_bytes(bytes)
            }
            ConstValue::Global { .. } | ConstValue::Bank { .. } => {
                panic!("module variables have no place here")
            }
        };
        let mut w = vec![0; program.rows.w as usize];
        w.extend(program.const32.iter().map(|value| bits(value) as u32));
        let mut d = vec![0; program.rows.d as usize];
        d.extend(program.const64.iter().map(bits));
        let mut p = vec![false; program.rows.p as usize];
        p.extend([false, true]);
        let shared = vec![0; program.shared_bytes as usize];
        let local = vec![0; program.local_bytes as usize];
        Self { launch, w, d, p, shared, local, block, thread }
    }

    fn w(&self, inst: &Inst, i: usize) -> u32 {
        self.w[inst.src[i] as usize]
    }

    fn d(&self, inst: &Inst, i: usize) -> u64 {
        self.d[inst.src[i] as usize]
    }

    fn p(&self, inst: &Inst, i: usize) -> bool {
        self.p[inst.src[i] as usize]
    }

    fn run(&mut self, memory: &mut [u8]) {
        let mut pc = 0;
        for _ in 0..MOST_STEPS {
            let inst = &self.launch.program.code[pc as usize];
            pc += 1;
            if inst.guard.get().is_some_and(|(row, negated)| self.p[row as usize] == negated) {
                continue;
            }
            match inst.op {
                _ if self.arithmetic(inst) => {}
                Op::Bra => pc = inst.imm,
                Op::Exit => return,
                Op::MovSreg => self.w[inst.dst as usize] = self.special(inst.imm),
                op => match op.class() {
                    Class::LdParam => self.load(inst, self.launch.params),
                    Class::LdGlobal => self.load(inst, memory),
                    Class::StGlobal => self.store(inst, memory),
                    Class::AtomGlobal => self.atomic(inst, memory),
                    Class::LdShared | Class::StShared | Class::AtomShared => {
                        let mut shared = std::mem::take(&mut self.shared);
                        match op.class() {
                            Class::LdShared => self.load(inst, &shared),
                            Class::StShared => self.store(inst, &mut shared),
                            _ => self.atomic(inst, &mut shared),
                        }
                        self.shared = shared;
                    }
                    Class::LdLocal | Class::StLocal => {
                        let mut local = std::mem::take(&mut self.local);
                        if op.class() == Class::LdLocal {
                            self.load(inst, &local);
                        } else {
                            self.store(inst, &mut local);
                        }
                        self.local = local;
                    }
                    class => panic!("{class:?} is not for one thread"),
                },
            }
        }
        panic!("a thread never ends");
    }

    fn special(&self, code: u32) -> u32 {
        match SReg::from_code(code) {
            Some(SReg::TidX) => self.thread.x,
            Some(SReg::NtidX) => self.launch.block.x,
            Some(SReg::CtaidX) => self.block.x,
            Some(SReg::NctaidX) => self.launch.grid.x,
            other => panic!("{other:?} is not offered here"),
        }
    }

    fn address(&self, inst: &Inst) -> usize {
        let address = if inst.src[0] == NO_ROW {
            inst.imm as u64
        } else if inst.aux & Inst::ADDR64 == 0 {
            self.w(inst, 0).wrapping_add(inst.imm) as u64
        } else {
            self.d(inst, 0).wrapping_add(inst.imm as i32 as u64)
        };
        assert_eq!(address % inst.op.access_bytes() as u64, 0, "accesses are aligned");
        address as usize
    }

    fn load(&mut self, inst: &Inst, memory: &[u8]) {
        let (at, size) = (self.address(inst), Self::element_bytes(inst));
        for (k, (kind, row)) in inst.dsts().enumerate() {
            let mut word = [0; 8];
            word[..size].copy_from_slice(&memory[at + k * size..][..size]);
            let value = u64::from_le_bytes(word);
            if kind == OperandKind::D {
                self.d[row as usize] = value;
                continue;
            }
            let name = inst.op.text();
            self.w[row as usize] = match (name.ends_with("s8"), name.ends_with("s16")) {
                (true, _) => int::sext8(value as u32),
                (_, true) => int::sext16(value as u32),
                _ => value as u32,
            };
        }
    }

    /// Bytes of one element of what is loaded or stored.
    fn element_bytes(inst: &Inst) -> usize {
        inst.op.access_bytes() as usize / inst.op.shape().elements()
    }

    fn atomic(&mut self, inst: &Inst, memory: &mut [u8]) {
        let (at, operation) = (self.address(inst), inst.operation().expect("a verified program"));
        let third = if inst.src[2] == NO_ROW { 1 } else { 2 };
        let returns = inst.dst != NO_ROW;
        if inst.op.access_bytes() == 8 {
            let cell: &mut [u8; 8] = (&mut memory[at..at + 8]).try_into().expect("eight bytes");
            let old = u64::from_le_bytes(*cell);
            *cell = apply64(operation, old, self.d(inst, 1), self.d(inst, third)).to_le_bytes();
            if returns {
                self.d[inst.dst as usize] = old;
            }
        } else {
            let cell: &mut [u8; 4] = (&mut memory[at..at + 4]).try_into().expect("four bytes");
            let old = u32::from_le_bytes(*cell);
            *cell = apply32(operation, old, self.w(inst, 1), self.w(inst, third)).to_le_bytes();
            if returns {
                self.w[inst.dst as usize] = old;
            }
        }
    }

    fn store(&self, inst: &Inst, memory: &mut [u8]) {
        let (at, size) = (self.address(inst), Self::element_bytes(inst));
        for (k, (kind, row)) in inst.srcs().skip(1).enumerate() {
            let row = row as usize;
            let value = if kind == OperandKind::D { self.d[row] } else { self.w[row] as u64 };
            memory[at + k * size..][..size].copy_from_slice(&value.to_le_bytes()[..size]);
        }
    }
}
