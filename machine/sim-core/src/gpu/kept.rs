//! The machine of the last launch, kept for the next one. Most launches of a program have small
//! grids, and to build a machine takes longer than to simulate such a launch.
//!
//! A kept machine is not reset: it becomes a copy of a machine that was never used, so that it is
//! in the state of a new machine. Only its lists keep their memory. The model is built for the
//! second launch, because most programs have one.
//!
//! Invariant `kept-machines`: A kept machine acts as a new one.

use super::machine::{Machine, Part};
use crate::components::Components;
use crate::config::{Chip, Throttle};
use crate::hooks::Hooks;
use crate::mem::image::Memory;
use crate::mem::map::AddressMap;
use crate::sm::scheduler::OwnScheduler;

/// What the machine of a launch depends on, beside the parts that [`Machine::renew`] replaces.
#[derive(PartialEq)]
struct Key {
    chip: Chip,
    hooks: Hooks,
    mapped_from: u32,
    uses_textures: bool,
}

/// The machine of the last launch.
#[derive(Default)]
pub struct Kept {
    /// Of the machines below. The number tells the machine of this key from others.
    key: Option<(u64, Key)>,
    /// A machine that was never used.
    fresh: Option<Machine>,
    /// The machine of the last launch.
    used: Option<Machine>,
}

impl Kept {
    /// Returns the machine for concurrent launches, as [`Machine::new`] does.
    pub fn machine(
        &mut self,
        chip: &Chip,
        kernels: &[Part],
        memory: &mut Memory,
        scheduler: Option<&OwnScheduler>,
        hooks: Hooks,
    ) -> Machine {
        let [part] = kernels else { return Machine::new(chip, kernels, memory, scheduler, hooks) };
        // A component of a user may count the objects that it makes, and a throttle depends on the
        // kernel.
        let has_own = scheduler.is_some() || Components::installed().any();
        if has_own || part.sm.throttle != Throttle::Off {
            return Machine::new(chip, kernels, memory, scheduler, hooks);
        }
        let program = &part.kernel.program;
        let is_key = |key: &Key| {
            key.hooks == hooks
                && key.mapped_from == part.kernel.mapped_from
                && key.uses_textures == program.uses_textures()
                && key.chip == *chip
        };
        let number = match &self.key {
            Some((number, key)) if is_key(key) => *number,
            other => {
                let number = other.as_ref().map_or(0, |(number, _)| *number) + 1;
                let key = Key {
                    chip: chip.clone(),
                    hooks,
                    mapped_from: part.kernel.mapped_from,
                    uses_textures: program.uses_textures(),
                };
                *self = Self { key: Some((number, key)), fresh: None, used: None };
                number
            }
        };
        let Some(mut machine) = self.used.take() else {
            let mut machine = Machine::new(chip, kernels, memory, scheduler, hooks);
            machine.kept_as = Some(number);
            return machine;
        };
        let fresh = self.fresh.get_or_insert_with(|| {
            Machine::new(chip, kernels, &mut Memory::new(AddressMap::LINEAR), scheduler, hooks)
        });
        machine.renew(fresh, chip, part, memory, hooks);
        machine
    }

    /// Moves the images of a machine back into `memory` at the end of its launch, and keeps the
    /// machine if the next launch may need it.
    pub fn give_back(&mut self, mut machine: Machine, memory: &mut Memory) {
        machine.give_back(memory);
        let number = self.key.as_ref().map(|(number, _)| *number);
        if machine.kept_as.is_some() && machine.kept_as == number {
            self.used = Some(machine);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cache::Replacement;
    use crate::exec::Kernel;
    use crate::exec::build::{Builder, memory, with_imm};
    use crate::gpu::run::RunPlan;
    use crate::gpu::running::Running;
    use crate::time::NEVER;
    use isa::sreg::SReg;
    use isa::uop::{NO_ROW, Op};
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use std::sync::Arc;

    /// Address of the memory that the kernels read and write.
    const AT: u32 = 0x1000;

    /// A kernel in which each thread reads its word, and then writes its block number to it.
    fn kernel(rng: &mut ChaCha8Rng) -> Kernel {
        let (blocks, threads) = (rng.random_range(1..70), rng.random_range(1..200));
        let stores = rng.random_range(0..3_u32);
        let start = Builder::new()
            .rows(rng.random_range(3..9), rng.random_range(0..3), 1)
            .launch((blocks, 1), threads)
            .allocate(AT, 1 << 16)
            .inst(with_imm(Op::MovSreg, 0, SReg::TidX as u32))
            .inst(with_imm(Op::MovSreg, 1, SReg::CtaidX as u32))
            .inst(memory(Op::LdGlobalB32, 2, NO_ROW, AT + 4 * rng.random_range(0..1 << 14)));
        let store =
            |builder: Builder, k: u32| builder.inst(memory(Op::StGlobalB32, 1, NO_ROW, AT + 2048 * k));
        (0..stores).fold(start, store).exit().kernel()
    }

    /// A kept machine has the state of a new one, before the launch, in it and at its end, for any
    /// launches before it.
    ///
    /// Tests: `kept-machines`.
    #[test]
    fn a_kept_machine_has_the_state_of_a_new_one() {
        for name in ["g80", "gt200", "fermi", "gtx460"] {
            let mut chip = Chip::builtin(name).expect("a built-in chip");
            if let Some(l2) = chip.partition.l2.as_mut().filter(|_| name == "gtx460") {
                l2.replacement = Replacement::Random { seed: 3 };
            }
            let mut rng = ChaCha8Rng::seed_from_u64(5);
            let (mut kept, mut memory) = (Kept::default(), Memory::new(AddressMap::LINEAR));
            for launch in 0..12 {
                let kernel = Arc::new(kernel(&mut rng));
                let per_sm = rng.random_range(1..4);
                let parts = [Part { kernel, per_sm, sm: chip.sm.clone() }];
                let mut copy = memory.clone();
                let hooks = Hooks::default();
                let other = Machine::new(&chip, &parts, &mut copy, None, hooks);
                let machine = kept.machine(&chip, &parts, &mut memory, None, hooks);
                let plan = RunPlan {
                    threads: 1,
                    shuffle: None,
                    window: chip.crossbar.latency.into(),
                    skip_idle: true,
                    max_cycles: if rng.random() { 1 << 20 } else { rng.random_range(1..3000) },
                    start: 0,
                    pause: NEVER,
                };
                let (mut one, mut two) = (Running::new(machine, plan), Running::new(other, plan));
                assert!(one.save() == two.save(), "{name}: start of launch {launch}");
                let at = rng.random_range(1..2000);
                let (paused, ended) = (one.advance(at, None).0, two.advance(at, None).0);
                assert_eq!(paused, ended);
                assert!(one.save() == two.save(), "{name}: launch {launch} at cycle {at}");
                if paused.is_none() {
                    assert_eq!(one.advance(NEVER, None).0, two.advance(NEVER, None).0);
                }
                assert!(one.save() == two.save(), "{name}: end of launch {launch}");
                kept.give_back(one.machine, &mut memory);
            }
            assert!(kept.fresh.is_some() && kept.used.is_some(), "the machine was kept");
        }
    }
}
