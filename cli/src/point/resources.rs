//! Resources of a chip that can be made ideal: the chips of `--why`.

use sim_core::config::Chip;
use sim_core::stats::limits::Limiter;
use sim_core::stats::limits::change::{Change, changed};

/// A resource of a chip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resource {
    /// Name: that of the limiter; for an execution unit, `execution_unit` and the name of the unit.
    pub name: String,
    limiter: Limiter,
    /// Number of the execution unit.
    unit: Option<usize>,
}

impl Resource {
    /// Returns the chip with the resource ideal; `None` if it has nothing to change.
    pub fn idealized(&self, chip: &Chip) -> Option<Chip> {
        changed(chip, self.limiter, self.unit, Change::Ideal)
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
                limiter,
                unit: Some(number),
            };
            all.extend(chip.sm.units.iter().enumerate().map(of_unit));
        } else {
            all.push(Resource { name: name.to_owned(), limiter, unit: None });
        }
    }
    all.retain(|resource| resource.idealized(chip).is_some());
    all
}
