//! One access of each memory instruction of a kernel.

use crate::request::Request;
use crate::stepper::Stepper;
use report::exit::Failure;
use report::recorded::access::Found;

/// Returns one access of each memory instruction that the first block of SM 0 executes in the first
/// launch.
///
/// # Errors
///
/// If the request is invalid.
pub fn accesses(request: &Request) -> Result<Vec<Found>, Failure> {
    Ok(Stepper::new(request, 1)?.accesses())
}
