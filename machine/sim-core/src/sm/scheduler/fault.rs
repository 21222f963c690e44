//! Errors of a user's scheduling policy. The messages state where the error occurred and which
//! selection would have been valid.

use super::bits;
use super::own::PATIENCE;
use crate::state::Value;

/// Error of a scheduling policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Value)]
pub enum Misconduct {
    /// It selected a slot whose warp is not eligible.
    NotEligible {
        /// The selected slot.
        picked: u32,
    },
    /// It left its slot empty [`PATIENCE`] times in a row although warps were eligible.
    Idle,
}

/// An error of a scheduling policy, with its location and time.
#[derive(Clone, Debug, PartialEq, Eq, Value)]
pub struct SchedulerFault {
    /// The error.
    pub misconduct: Misconduct,
    /// Name of the policy.
    pub policy: String,
    /// SM number in the chip.
    pub sm: u32,
    /// Scheduler number in the SM.
    pub scheduler: u32,
    /// Shader cycle.
    pub cycle: u64,
    /// Issue cycle.
    pub issue_cycle: u64,
    /// Warp slots that were eligible.
    pub eligible: u64,
    /// Warp slots of the scheduler whose warps are resident.
    pub resident: u64,
}

/// Formats a mask of slots: `slot 3`, `slots 0, 2 and 5`.
fn slots(mask: u64) -> String {
    let names: Vec<String> = bits(mask).map(|slot| slot.to_string()).collect();
    match names.split_last() {
        None => "no slot".to_owned(),
        Some((only, [])) => format!("slot {only}"),
        Some((last, rest)) => format!("slots {} and {last}", rest.join(", ")),
    }
}

impl std::fmt::Display for SchedulerFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { policy, sm, scheduler, cycle, issue_cycle, .. } = self;
        let place =
            format!("on SM {sm}, scheduler {scheduler}, in issue cycle {issue_cycle} (shader cycle {cycle})");
        let eligible = slots(self.eligible);
        match self.misconduct {
            Misconduct::NotEligible { picked } => {
                let why = if picked >= 64 {
                    "the slot does not exist"
                } else if self.resident >> picked & 1 == 1 {
                    "its warp cannot issue in this cycle"
                } else {
                    "the slot holds no warp of this scheduler"
                };
                write!(
                    f,
                    "the scheduling policy `{policy}` picked warp slot {picked} {place}: {why}. Eligible: \
                     {eligible}. A policy returns one of `view.eligible`, or `None` to leave the slot empty"
                )
            }
            Misconduct::Idle => write!(
                f,
                "the scheduling policy `{policy}` left its slot empty {PATIENCE} times in a row, the last time \
                 {place}, although warps were eligible: {eligible}. A policy that returns `None` must \
                 pick an eligible warp eventually, or the kernel never ends"
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(misconduct: Misconduct) -> SchedulerFault {
        SchedulerFault {
            misconduct,
            policy: "mine".to_owned(),
            sm: 3,
            scheduler: 1,
            cycle: 480,
            issue_cycle: 120,
            eligible: 0b10_0101,
            resident: 0b11_0101,
        }
    }

    #[test]
    fn a_wrong_pick_reports_its_location_and_the_valid_slots() {
        let text = fault(Misconduct::NotEligible { picked: 4 }).to_string();
        for part in ["`mine` picked warp slot 4", "SM 3, scheduler 1", "issue cycle 120 (shader cycle 480)"] {
            assert!(text.contains(part), "{text}");
        }
        assert!(text.contains("cannot issue in this cycle. Eligible: slots 0, 2 and 5."), "{text}");
        let text = fault(Misconduct::NotEligible { picked: 3 }).to_string();
        assert!(text.contains("the slot holds no warp of this scheduler"), "{text}");
        let text = fault(Misconduct::NotEligible { picked: 64 }).to_string();
        assert!(text.contains("the slot does not exist"), "{text}");
    }

    #[test]
    fn the_idle_fault_reports_the_number_of_empty_slots() {
        let text = fault(Misconduct::Idle).to_string();
        assert!(text.contains("left its slot empty 1048576 times in a row"), "{text}");
    }

    #[test]
    fn slots_are_listed_as_text() {
        assert_eq!([slots(0), slots(8), slots(0b11)], ["no slot", "slot 3", "slots 0 and 1"]);
    }
}
