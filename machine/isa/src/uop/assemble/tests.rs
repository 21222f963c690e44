//! Round trip of the text form for every instruction, and the errors of invalid texts.

use super::*;
use crate::types::Capability;
use crate::uop::disasm;
use crate::uop::program::Source;
use proptest::prelude::*;
use std::sync::Arc;

/// Number of register rows of every file. [`program`] has the same number of constants.
const REGISTERS: u16 = 6;

fn program(code: Vec<Inst>) -> Program {
    let value = |bits: u64| ConstValue::Bits(bits);
    let global = |offset| ConstValue::Global { symbol: 3, offset };
    Program {
        name: "k".into(),
        spans: vec![crate::span::Span::default(); code.len()],
        lines: vec![1; code.len()],
        code,
        labels: vec![(0, "$L_1".into()), (0, "M".into())],
        rows: RowCounts { w: REGISTERS, d: REGISTERS, p: REGISTERS },
        // The first constant appears twice, and so does the third one of the other pool.
        const32: vec![
            value(0),
            value(0xffff_fffb),
            value(0x3f80_0000),
            global(0),
            ConstValue::Param { offset: 8 },
            value(0),
        ],
        const64: vec![
            value(u64::MAX),
            value(1 << 63),
            value(9999),
            global(1 << 40),
            ConstValue::Bank { offset: 0 },
            value(9999),
        ],
        functions: Vec::new(),
        call_depth: 0,
        registers: 1,
        spills: crate::uop::Spills::default(),
        options: crate::Options::default(),
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
        selections: crate::uop::Selections::default(),
        required_block: None,
        max_block: None,
        target: Capability::new(1, 0),
        address_bits: 32,
        ptx: Arc::new(Source::new("k.ptx", "")),
        source: Arc::new(Source::new("k.ptx", "")),
    }
}

/// Generates micro-ops with random rows that their shape allows, and with random offsets and flags.
fn instruction() -> impl Strategy<Value = Inst> {
    let imm = prop_oneof![0..20u32, any::<u32>()];
    let operation =
        (0..4u32, 0..16u32).prop_map(|(flags, operation)| flags | operation << Inst::OPERATION_SHIFT);
    let aux = prop_oneof![3 => 0..32u32, 1 => Just(TO_EXIT), 1 => any::<u32>(), 2 => operation];
    let rows = prop::array::uniform9(0..2 * REGISTERS);
    let guard = prop_oneof![Just(None), (0..REGISTERS + 2, any::<bool>()).prop_map(Some)];
    (prop::sample::select(Op::ALL), guard, rows, imm, aux, any::<bool>()).prop_map(
        |(op, guard, rows, imm, aux, absolute)| {
            let guard = guard.map_or(Guard::NONE, |(pred, negated)| Guard::new(pred, negated));
            let mut inst = Inst { guard, imm, aux, ..Inst::new(op) };
            let row = |(kind, row): (OperandKind, u16)| match kind {
                OperandKind::P => row % (REGISTERS + 2),
                OperandKind::Addr if absolute => NO_ROW,
                _ => row,
            };
            let dsts: Vec<u16> = inst.dsts().zip(rows).map(|((_, _), row)| row % REGISTERS).collect();
            let srcs: Vec<u16> = inst.srcs().zip(&rows[4..]).map(|((kind, _), r)| row((kind, *r))).collect();
            inst.set_srcs(srcs);
            inst.set_dsts(dsts);
            inst
        },
    )
}

proptest! {
    /// Tests: `disassembly-is-complete`.
    #[test]
    fn the_text_contains_every_field_of_an_instruction(code in prop::collection::vec(instruction(), 1..8)) {
        let program = program(code);
        let text = disasm::program(&program);
        prop_assert_eq!(parse(&text), Ok(vec![Listing::from(&program)]), "{}", text);
        let twice = vec![Listing::from(&program); 2];
        prop_assert_eq!(parse(&(text.clone() + &text)), Ok(twice));
    }

    #[test]
    fn no_text_causes_a_panic(text in "([@!#{}\\[\\]|,;=:+. 0-9a-z%-]{0,40}\n?){0,4}") {
        let _ = parse(&text);
    }
}

#[test]
fn names_of_micro_ops_are_unique() {
    let mut names: Vec<&str> = Op::ALL.iter().map(|op| op.text()).collect();
    names.sort_unstable();
    for pair in names.windows(2) {
        assert_ne!(pair[0], pair[1]);
    }
}

#[test]
fn every_invalid_line_is_reported() {
    let text = ".rows w=2 d=1 p=1
        .const32 #1, #x
        0  add.b32 w0, w1, w2
        0  @p1 exit
        frobnicate w0
        ld.global.b32 w0, w1
        ld.global.v2.b32 {w0}, [w1]
        st.shared.b32 [w0
        mov.b32 w0, w1, 5
        mov.b32 w0, w1, w1
        1  exit
        exit twice ; a comment";
    let errors = parse(text).expect_err("most lines are invalid");
    let found: Vec<(usize, &str)> = errors.iter().map(|e| (e.line, e.message.as_str())).collect();
    let expected = [
        (2, "`#x` is not a 32-bit constant"),
        (3, "`w2` is not a row of file `w`"),
        (4, "`p1` is not a row of file `p`"),
        (5, "unknown micro-op `frobnicate`"),
        (6, "`w1` is not an address in brackets"),
        (7, "found 1 rows, expected 2"),
        (8, "`[w0` is not closed"),
        (10, "unexpected operand `w1`"),
        (12, "unknown attribute `twice`"),
    ];
    assert_eq!(found, expected);
}
