//! Numbers of elements among the parameters of a kernel: a parameter with which the kernel compares
//! the index of its threads along an axis, as in `if (blockIdx.x * blockDim.x + threadIdx.x < n)`.
//!
//! A parameter that is also compared with a value computed from the index is not such a number: a
//! loop with a stride over the grid needs fewer threads than elements.

use crate::exec::ways;
use isa::sreg::SReg;
use isa::types::Dim3;
use isa::uop::{ConstValue, Inst, MemoryKind, MemorySpace, Op, OperandKind, Program};
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of registers times instructions; larger programs have no counts.
const MOST_STATES: usize = 1 << 24;

/// Known origin of a value. Axes are 0 to 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Value {
    /// Nothing has reached the instruction.
    Unreached,
    /// A number.
    Number(u64),
    /// `threadIdx`.
    Thread(u8),
    /// `blockIdx`.
    Block(u8),
    /// `blockDim`.
    Extent(u8),
    /// `blockIdx * blockDim`.
    Start(u8),
    /// `blockIdx * blockDim + threadIdx`.
    Index(u8),
    /// Computed from an index.
    Derived,
    /// The parameter at this offset.
    Param(u32),
    /// Anything else.
    Other,
}

impl Value {
    /// Whether it is computed from the index of a thread or a block.
    fn is_of_index(self) -> bool {
        match self {
            Self::Thread(_) | Self::Block(_) | Self::Start(_) | Self::Index(_) | Self::Derived => true,
            Self::Unreached | Self::Number(_) | Self::Extent(_) | Self::Param(_) | Self::Other => false,
        }
    }

    fn join(self, other: Self) -> Self {
        match (self, other) {
            (a, b) if a == b => a,
            (Self::Unreached, a) | (a, Self::Unreached) => a,
            (a, b) => mixed(&[a, b]),
        }
    }
}

/// A value that is computed from others in an unknown way.
fn mixed(values: &[Value]) -> Value {
    if values.iter().any(|value| value.is_of_index()) { Value::Derived } else { Value::Other }
}

/// Returns the offsets of the parameters that are numbers of elements, with their axes, for a
/// launch with this grid and block.
pub fn counts(program: &Program, grid: Dim3, block: Dim3) -> BTreeMap<u32, usize> {
    let code = program.code.len();
    let rows = usize::from(program.rows.w) + usize::from(program.rows.d);
    if code.saturating_mul(rows) > MOST_STATES {
        return BTreeMap::new();
    }
    let flow = Flow { program, grid: extents(grid), block: extents(block), rows };
    let mut states = vec![Value::Unreached; code * rows];
    // A kernel begins with registers that nothing wrote.
    states.iter_mut().take(rows).for_each(|value| *value = Value::Other);
    let mut reached = vec![false; code];
    let mut open = vec![0_u32];
    while let Some(pc) = open.pop() {
        reached[pc as usize] = true;
        let at = pc as usize * rows;
        let mut after = states[at..at + rows].to_vec();
        let inst = &program.code[pc as usize];
        let result = flow.result(inst, &after);
        for bit in inst.dsts().filter_map(|register| flow.slot(register)) {
            after[bit] = if inst.guard.get().is_some() { after[bit].join(result) } else { result };
        }
        for next in ways::after(program, pc) {
            let to = &mut states[next as usize * rows..(next as usize + 1) * rows];
            let mut changes = !reached[next as usize];
            for (to, from) in to.iter_mut().zip(&after) {
                let joined = to.join(*from);
                changes |= joined != *to;
                *to = joined;
            }
            if changes {
                reached[next as usize] = true;
                open.push(next);
            }
        }
    }
    let (mut found, mut others) = (BTreeMap::new(), BTreeSet::new());
    for (pc, inst) in program.code.iter().enumerate().filter(|(pc, _)| reached[*pc]) {
        let Some(index_is_first) = compares(inst.op) else { continue };
        let own = &states[pc * rows..(pc + 1) * rows];
        let [Some(a), Some(b)] = [0, 1].map(|at| inst.srcs().nth(at).map(|source| flow.value(source, own)))
        else {
            continue;
        };
        for (value, param, is_strict) in [(a, b, index_is_first), (b, a, !index_is_first)] {
            let Value::Param(offset) = param else { continue };
            let axis = match value {
                Value::Index(axis) => Some(axis),
                Value::Thread(axis) if flow.grid[usize::from(axis)] == 1 => Some(axis),
                _ => None,
            };
            match axis.filter(|_| is_strict) {
                Some(axis) => {
                    found.insert(offset, usize::from(axis));
                }
                None if value.is_of_index() => {
                    others.insert(offset);
                }
                None => {}
            }
        }
    }
    found.retain(|offset, _| !others.contains(offset));
    found
}

fn extents(of: Dim3) -> [u32; 3] {
    [of.x, of.y, of.z]
}

/// For a comparison of order: whether the first operand is below the second one in all cases or in
/// none, as an index is below a number of elements. If it is `false`, this holds for the second
/// operand.
fn compares(op: Op) -> Option<bool> {
    match op {
        Op::SetpLtU32
        | Op::SetpGeU32
        | Op::SetpLtS32
        | Op::SetpGeS32
        | Op::SetpLtU64
        | Op::SetpGeU64
        | Op::SetpLtS64
        | Op::SetpGeS64 => Some(true),
        Op::SetpGtU32
        | Op::SetpLeU32
        | Op::SetpGtS32
        | Op::SetpLeS32
        | Op::SetpGtU64
        | Op::SetpLeU64
        | Op::SetpGtS64
        | Op::SetpLeS64 => Some(false),
        _ => None,
    }
}

struct Flow<'a> {
    program: &'a Program,
    grid: [u32; 3],
    block: [u32; 3],
    rows: usize,
}

impl Flow<'_> {
    /// Place of a register in a state.
    fn slot(&self, (kind, row): (OperandKind, u16)) -> Option<usize> {
        let rows = self.program.rows;
        let (first, count) = match kind {
            OperandKind::W | OperandKind::Addr => (0, rows.w),
            OperandKind::D => (usize::from(rows.w), rows.d),
            OperandKind::P => return None,
        };
        (row < count).then_some(first + usize::from(row)).filter(|slot| *slot < self.rows)
    }

    fn value(&self, source: (OperandKind, u16), state: &[Value]) -> Value {
        if let Some(slot) = self.slot(source) {
            return state[slot];
        }
        let Program { rows, const32, const64, .. } = self.program;
        let constant = match source.0 {
            OperandKind::W | OperandKind::Addr => {
                source.1.checked_sub(rows.w).and_then(|at| const32.get(usize::from(at)))
            }
            OperandKind::D => source.1.checked_sub(rows.d).and_then(|at| const64.get(usize::from(at))),
            OperandKind::P => None,
        };
        match constant {
            Some(ConstValue::Bits(bits)) => Value::Number(*bits),
            Some(ConstValue::Param { offset }) => Value::Param(*offset),
            Some(ConstValue::Global { .. } | ConstValue::Bank { .. }) | None => Value::Other,
        }
    }

    /// Value that an instruction computes.
    fn result(&self, inst: &Inst, state: &[Value]) -> Value {
        if let Some(memory) = inst.op.memory() {
            let is_param = (memory.kind, memory.space) == (MemoryKind::Load, MemorySpace::Param);
            let has_address = inst.srcs().any(|source| self.slot(source).is_some());
            return if is_param && !has_address { Value::Param(inst.imm) } else { Value::Other };
        }
        let values: Vec<Value> = inst.srcs().map(|source| self.value(source, state)).collect();
        match (inst.op, &values[..]) {
            (Op::MovSreg | Op::MovSreg64, _) => special(inst.imm),
            (
                Op::MovB32 | Op::MovB64 | Op::CvtB64U32 | Op::CvtB64S32 | Op::CvtB32B64 | Op::CvtU32U16,
                [value],
            ) => *value,
            (
                Op::MulLoB32
                | Op::Mul24LoU32
                | Op::Mul24LoS32
                | Op::Mul16B32
                | Op::MulWideU32
                | Op::MulWideS32
                | Op::MulLoB64,
                [a, b],
            ) => self.product(*a, *b),
            (Op::ShlB32 | Op::ShlB64, [a, Value::Number(by @ 0..32)]) => {
                self.product(*a, Value::Number(1 << by))
            }
            (Op::AddB32 | Op::AddB64, [a, b]) => sum(*a, *b),
            (
                Op::MadLoB32
                | Op::Mad24LoU32
                | Op::Mad24LoS32
                | Op::Mad16B32
                | Op::MadWideU32
                | Op::MadWideS32
                | Op::MadLoB64,
                [a, b, c],
            ) => sum(self.product(*a, *b), *c),
            _ => mixed(&values),
        }
    }

    fn product(&self, a: Value, b: Value) -> Value {
        match (a, b) {
            (Value::Block(axis), Value::Extent(other)) | (Value::Extent(other), Value::Block(axis))
                if axis == other =>
            {
                Value::Start(axis)
            }
            (Value::Block(axis), Value::Number(number)) | (Value::Number(number), Value::Block(axis))
                if u64::from(self.block[usize::from(axis)]) == number =>
            {
                Value::Start(axis)
            }
            _ => mixed(&[a, b]),
        }
    }
}

fn sum(a: Value, b: Value) -> Value {
    match (a, b) {
        (Value::Start(axis), Value::Thread(other)) | (Value::Thread(other), Value::Start(axis))
            if axis == other =>
        {
            Value::Index(axis)
        }
        _ => mixed(&[a, b]),
    }
}

/// Value of a special register.
fn special(code: u32) -> Value {
    match SReg::from_code(code) {
        Some(SReg::TidX) => Value::Thread(0),
        Some(SReg::TidY) => Value::Thread(1),
        Some(SReg::TidZ) => Value::Thread(2),
        Some(SReg::CtaidX) => Value::Block(0),
        Some(SReg::CtaidY) => Value::Block(1),
        Some(SReg::CtaidZ) => Value::Block(2),
        Some(SReg::NtidX) => Value::Extent(0),
        Some(SReg::NtidY) => Value::Extent(1),
        Some(SReg::NtidZ) => Value::Extent(2),
        Some(SReg::LaneId | SReg::WarpId) => Value::Derived,
        _ => Value::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(body: &str, grid: u32) -> Vec<(u32, usize)> {
        let text = format!(
            ".version 2.3\n.target sm_20\n.entry k(.param .u32 n, .param .u32 m) {{\n.reg .u32 %r<9>;\n\
             .reg .pred %p<4>;\n.shared .u32 s[64];\n{body}\nexit;\n}}\n"
        );
        let (module, errors) = isa::compile("k.ptx", &text);
        let module = module.unwrap_or_else(|| panic!("{errors:?}"));
        counts(&module.entries[0], Dim3 { x: grid, y: 2, z: 1 }, Dim3 { x: 64, y: 4, z: 1 })
            .into_iter()
            .collect()
    }

    /// Code with the index along an axis in `%r1` and the parameters in `%r2` and `%r3`.
    fn index(axis: char) -> String {
        format!(
            "mov.u32 %r4, %ctaid.{axis};\nmov.u32 %r5, %ntid.{axis};\nmov.u32 %r6, %tid.{axis};\n\
             mad.lo.u32 %r1, %r4, %r5, %r6;\nld.param.u32 %r2, [n];\nld.param.u32 %r3, [m];\n"
        )
    }

    #[test]
    fn a_count_is_compared_with_the_index_of_its_axis() {
        let ending = "@%p1 bra D;\nst.shared.u32 [s], %r1;\nD:";
        let with = |axis, test: &str| found(&format!("{}{test}\n{ending}", index(axis)), 2);
        assert_eq!(with('x', "setp.ge.u32 %p1, %r1, %r2;"), [(0, 0)]);
        assert_eq!(with('y', "setp.ge.s32 %p1, %r1, %r3;"), [(4, 1)]);
        assert_eq!(with('x', "setp.le.s32 %p1, %r2, %r1;"), [(0, 0)]);
        // No comparison of order with the index alone.
        assert_eq!(with('x', "setp.gt.u32 %p1, %r1, %r2;"), []);
        assert_eq!(with('x', "setp.eq.u32 %p1, %r1, %r2;"), []);
        assert_eq!(with('x', "setp.ge.u32 %p1, %r6, %r2;"), []);
        assert_eq!(with('x', "add.u32 %r1, %r1, 1;\nsetp.ge.u32 %p1, %r1, %r2;"), []);
        assert_eq!(with('x', "setp.ge.u32 %p1, %r5, %r2;"), []);
    }

    #[test]
    fn a_loop_over_the_grid_and_a_single_block_are_known() {
        let stride = "L: setp.ge.u32 %p1, %r1, %r2;\n@%p1 exit;\nst.shared.u32 [s], %r1;\n\
                      add.u32 %r1, %r1, 128;\nbra L;";
        assert_eq!(found(&(index('x') + stride), 2), []);
        let again = "setp.ge.u32 %p1, %r1, %r2;\n@%p1 exit;\nL: st.shared.u32 [s], %r1;\n\
                     add.u32 %r1, %r1, 128;\nsetp.lt.u32 %p1, %r1, %r2;\n@%p1 bra L;";
        assert_eq!(found(&(index('x') + again), 2), []);
        let thread = "mov.u32 %r1, %tid.x;\nld.param.u32 %r2, [n];\nsetp.ge.u32 %p1, %r1, %r2;\n@%p1 exit;\n\
                      st.shared.u32 [s], %r1;";
        assert_eq!(found(thread, 1), [(0, 0)]);
        assert_eq!(found(thread, 2), []);
        let constant = "mov.u32 %r4, %ctaid.x;\nmov.u32 %r6, %tid.x;\nshl.b32 %r1, %r4, 6;\n\
                        add.u32 %r1, %r1, %r6;\nld.param.u32 %r2, [n];\nsetp.lt.u32 %p1, %r1, %r2;\n\
                        @!%p1 exit;\nst.shared.u32 [s], %r1;";
        assert_eq!(found(constant, 2), [(0, 0)]);
    }
}
