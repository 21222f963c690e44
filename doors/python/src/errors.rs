//! Exceptions, and messages of the simulator as exceptions.

use pyo3::exceptions::PyException;
use pyo3::{PyErr, create_exception};
use report::text::visible;

create_exception!(warpsim, Error, PyException, "Base of all exceptions of warpsim.");
create_exception!(warpsim, CompileError, Error, "The compiler refuses a text; the message shows its lines.");
create_exception!(warpsim, ChipError, Error, "A chip is unknown, or one of its values is invalid.");
create_exception!(
    warpsim,
    LaunchError,
    Error,
    "A launch is refused, or a kernel does not finish. After a launch, `report` is its report."
);
create_exception!(warpsim, InternalError, Error, "The simulator has a defect. Please report it.");

/// Makes an exception of a message of the command line.
pub fn error<E: pyo3::PyTypeInfo>(message: &str) -> PyErr {
    let message = message.strip_prefix("error: ").unwrap_or(message);
    PyErr::new::<E, _>(visible(message).into_owned())
}
