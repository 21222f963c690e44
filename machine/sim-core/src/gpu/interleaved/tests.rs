//! Tests of the interleaved machine with programs built in code.

use super::*;
use crate::exec::build::{Builder, memory, with_imm};
use crate::mem::image::Memory;
use crate::mem::map::AddressMap;
use isa::sreg::SReg;
use isa::uop::{NO_ROW, Op};
use std::sync::Arc;

/// Address of global memory in which the programs store.
const AT: u32 = 0x1000;

/// A launch of two blocks of one thread. Each stores its block number to `AT` and to `AT` + 4.
fn start(order: Order) -> Interleaved {
    let kernel = Builder::new()
        .rows(1, 0, 0)
        .launch((2, 1), 1)
        .allocate(AT, 256)
        .inst(with_imm(Op::MovSreg, 0, SReg::CtaidX as u32))
        .inst(memory(Op::StGlobalB32, 0, NO_ROW, AT))
        .inst(memory(Op::StGlobalB32, 0, NO_ROW, AT + 4))
        .exit()
        .kernel();
    Interleaved::new(Arc::new(kernel), Memory::new(AddressMap::LINEAR), order, AddressMap::LINEAR, 2).begun()
}

fn actions(machine: &Interleaved) -> Vec<Action> {
    machine.actions().collect()
}

#[test]
fn a_request_takes_effect_when_it_is_delivered() {
    let mut machine = start(Order::Words);
    let word = |machine: &Interleaved| u32::from_le_bytes(machine.memory().load(AT));
    assert_eq!(actions(&machine), [Action::Step { warp: 0 }, Action::Step { warp: 1 }]);
    machine.perform(Action::Step { warp: 1 });
    assert_eq!(word(&machine), 0);
    let done = machine.perform(Action::Deliver { warp: 1, request: 0 });
    assert_eq!((word(&machine), done.causes, done.touches.len()), (1, vec![0], 1));
}

#[test]
fn only_requests_for_one_place_keep_their_order() {
    for (order, free) in [(Order::Words, 2), (Order::Partitions, 1)] {
        let mut machine = start(order);
        machine.perform(Action::Step { warp: 0 });
        machine.perform(Action::Step { warp: 0 });
        let deliveries = actions(&machine).into_iter().filter(|action| !action.is_step()).count();
        assert_eq!(deliveries, free, "{order:?}: the linear map has one partition");
    }
    let mut machine = start(Order::Sequential);
    machine.perform(Action::Step { warp: 1 });
    assert_eq!(u32::from_le_bytes(machine.memory().load(AT)), 1);
    assert_eq!(actions(&machine).len(), 2, "nothing is under way");
}

#[test]
fn a_copy_continues_without_the_original() {
    let mut machine = start(Order::Words);
    let copy = machine.clone();
    while let Some(action) = actions(&machine).first().copied() {
        machine.perform(action);
    }
    assert_eq!((machine.end(), copy.end()), (Some(End::Finished), None));
    assert_eq!(u32::from_le_bytes(copy.memory().load(AT)), 0);
    assert_eq!(actions(&copy), actions(&start(Order::Words)));
}
