//! Resources of a chip that can be made ideal: those of `--why`, and those that no limit names.

use sim_core::config::Chip;
use sim_core::stats::limits::Limiter;
use sim_core::stats::limits::change::{Change, changed};
use sim_core::stats::limits::ideal::{Ideal, idealized};

/// A resource of a chip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resource {
    /// Name: that of the limiter or of the ideal; for an execution unit, `execution_unit` and the
    /// name of the unit.
    pub name: String,
    what: What,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Limiter(Limiter),
    /// The execution unit with this number.
    Unit(usize),
    Ideal(Ideal),
}

impl Resource {
    /// Returns the chip with the resource ideal; `None` if it has nothing to change.
    pub fn idealized(&self, chip: &Chip) -> Option<Chip> {
        match self.what {
            What::Limiter(limiter) => changed(chip, limiter, None, Change::Ideal),
            What::Unit(unit) => changed(chip, Limiter::ExecutionUnit, Some(unit), Change::Ideal),
            What::Ideal(ideal) => idealized(chip, ideal),
        }
    }
}

/// Returns the resources of a chip, without PCI Express, which no kernel uses.
pub fn resources(chip: &Chip) -> Vec<Resource> {
    let mut all = Vec::new();
    for (name, limiter) in Limiter::NAMES {
        if limiter == Limiter::Pcie {
            continue;
        }
        if limiter == Limiter::ExecutionUnit {
            let of_unit = |(number, unit): (usize, &sim_core::config::UnitConfig)| Resource {
                name: format!("{name} {}", unit.name),
                what: What::Unit(number),
            };
            all.extend(chip.sm.units.iter().enumerate().map(of_unit));
        } else {
            all.push(Resource { name: name.to_owned(), what: What::Limiter(limiter) });
        }
    }
    all.extend(
        Ideal::NAMES.map(|(name, ideal)| Resource { name: name.to_owned(), what: What::Ideal(ideal) }),
    );
    all.retain(|resource| resource.idealized(chip).is_some());
    all
}
