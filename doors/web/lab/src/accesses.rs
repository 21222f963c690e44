//! Pictures of one access of each memory instruction of a kernel.

use crate::pictures;
use crate::request::Request;
use crate::stepper::Stepper;
use report::exit::Failure;

/// Returns the picture of one access of each memory instruction that the first block of SM 0
/// executes in the first launch.
///
/// # Errors
///
/// If the request is invalid.
pub fn accesses(request: &Request) -> Result<Vec<String>, Failure> {
    let found = Stepper::new(request, 1)?.accesses();
    Ok(found.iter().filter_map(|one| pictures::access(&one.access, &one.view)).collect())
}
