//! A chip of a study.

use crate::resources::Resource;
use sim_core::config::base::Texts;
use sim_core::config::tree::Node;

/// A chip of a study.
pub struct ChipEntry {
    /// Name or file.
    pub name: String,
    /// Texts of the chip file and its bases.
    pub texts: Texts,
    /// Its tree without overrides.
    pub root: Node,
    /// Resources that can be made ideal.
    pub resources: Vec<Resource>,
}
