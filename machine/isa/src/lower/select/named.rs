//! Selection by name: instructions for which a micro-op has the same name, such as `brev.b32`,
//! `bfe.u64` or `shf.l.wrap.b32`. Every instruction without other selection code is looked up here,
//! so such an instruction needs no selection code.

use super::super::resolve::Inst;
use super::{Selected, Selector};
use crate::uop::Op;

impl Selector<'_, '_> {
    /// Selects the micro-op with the instruction's name. The operand types are those of the form.
    pub(super) fn named(&mut self, inst: &Inst) -> Selected {
        let ty = self.ty(inst)?;
        let name: String = self.name(inst).split_whitespace().collect();
        let op = Op::named(&name).ok_or_else(|| self.missing(inst))?;
        let mut sources = Vec::new();
        for place in 1..=op.shape().srcs().len() {
            let ty = inst.form.operand_type(place).unwrap_or(ty);
            sources.push(self.read(inst, self.operand(inst, place)?, ty)?);
        }
        self.write(inst, inst.form.operand_type(0).unwrap_or(ty), op, &sources)
    }
}
