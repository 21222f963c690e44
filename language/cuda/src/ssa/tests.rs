//! Tests of the graph and the verifier.

use super::*;
use func::Loc;

/// A function that counts to its parameter.
fn counting() -> Function {
    let mut f = Function::new("count");
    let (entry, head, exit) = (f.add_block(), f.add_block(), f.add_block());
    let at = Loc::default();
    let zero = f.push(entry, Ty::I32, Op::Const(0), at);
    let limit = f.push(entry, Ty::I32, Op::FuncParam(0), at);
    f.blocks[entry.at()].term = Terminator::Jump(Jump { to: head, args: vec![zero] });
    let i = f.add_param(head, Ty::I32);
    let one = f.push(head, Ty::I32, Op::Const(1), at);
    let next = f.push(head, Ty::I32, Op::Binary(Binary::Add, i, one), at);
    let more = f.push(head, Ty::I1, Op::Cmp(Cmp::LtS, next, limit), at);
    let again = Jump { to: head, args: vec![next] };
    f.blocks[head.at()].term = Terminator::Branch(more, again, Jump::to(exit));
    f.blocks[exit.at()].term = Terminator::Return(Some(next));
    f
}

#[test]
fn loops_have_headers_latches_and_preheaders() {
    let f = counting();
    verify::verify(&f).unwrap();
    let cfg = Cfg::new(&f);
    let loops = Loops::new(&f, &cfg);
    assert_eq!(loops.loops.len(), 1);
    assert_eq!(loops.loops[0].header, Block(1));
    assert_eq!(loops.loops[0].latches, [Block(1)]);
    assert_eq!(loops.loops[0].preheader(&f, &cfg), Some(Block(0)));
    assert!(cfg.dominates(Block(1), Block(2)));
}

#[test]
fn the_verifier_rejects_uses_before_definitions() {
    let mut f = counting();
    f.blocks[1].insts.swap(0, 1);
    assert!(verify::verify(&f).unwrap_err().contains("before its definition"));
}

#[test]
fn the_text_names_blocks_and_operations() {
    let text = counting().to_string();
    assert!(text.contains("b1(v2):"), "{text}");
    assert!(text.contains("v4 = i32 add v2, v3"), "{text}");
    assert!(text.contains("branch v5, b1(v4), b2"), "{text}");
}
