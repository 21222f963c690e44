//! Chips, by name, from a file or from a text.

use crate::errors::{ChipError, error};
use pyo3::prelude::*;
use report::exit::not_simulated;
use sim_core::config;
use sim_core::config::base::{Text, Texts};
use sim_core::config::builtin::builtin_names;

/// A checked chip with its texts and overrides.
#[pyclass(frozen, module = "warpsim._native")]
pub struct Chip {
    /// Checked chip.
    pub chip: config::Chip,
    /// Its texts, for the origin of numbers.
    pub texts: Texts,
    /// The name as the user gives it.
    #[pyo3(get)]
    pub name: String,
    /// Overrides: path and value.
    #[pyo3(get)]
    pub sets: Vec<(String, String)>,
    /// Warnings about the chip.
    #[pyo3(get)]
    warnings: String,
}

#[pymethods]
impl Chip {
    /// Reads a chip: the name of a built-in chip, a path, or, if `is_text`, RON text.
    #[new]
    fn new(chip: &str, sets: Vec<(String, String)>, is_text: bool) -> PyResult<Self> {
        let texts = if is_text {
            let text = chip.to_owned().into();
            Texts::new(Text { id: "text of the chip".to_owned(), name: "chip".to_owned(), text })
        } else {
            report::chip::texts(chip).map_err(|failure| error::<ChipError>(&failure.message))?
        };
        let made = config::Chip::from_texts(&texts, &sets);
        let (made, complaints) = made.map_err(|why| error::<ChipError>(&why.to_string()))?;
        let name = if is_text { made.name.clone() } else { chip.to_owned() };
        let warnings = if complaints.is_empty() { String::new() } else { complaints.to_string() };
        Ok(Self { chip: made, texts, name, sets, warnings })
    }

    #[getter]
    fn board(&self) -> &str {
        &self.chip.board
    }

    /// Compute capability, such as `2.0`.
    #[getter]
    fn capability(&self) -> String {
        self.chip.capability.to_string()
    }

    #[getter]
    fn sms(&self) -> u32 {
        self.chip.clusters * self.chip.cluster.sms
    }

    /// Shader clock in MHz.
    #[getter]
    fn shader_mhz(&self) -> f64 {
        self.chip.clocks.shader_khz as f64 / 1e3
    }

    /// Whether kernels run on it.
    #[getter]
    fn simulated(&self) -> bool {
        self.chip.simulated
    }
}

impl Chip {
    /// Returns the chip if kernels run on it.
    pub fn to_run(&self) -> PyResult<&config::Chip> {
        if self.chip.simulated { Ok(&self.chip) } else { Err(error::<ChipError>(&not_simulated(&self.chip))) }
    }
}

/// Returns the names of the built-in chips.
#[pyfunction]
pub fn chip_names() -> Vec<&'static str> {
    builtin_names().collect()
}
