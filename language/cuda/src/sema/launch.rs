//! Kernels that are made from templates because host code launches them.

use super::Sema;
use super::deduce::Found;
use super::scope::{Entity, FunctionIndex};
use super::value::Res;
use crate::syntax::Launch;

impl Sema<'_> {
    /// Makes the instance of a kernel that host code launches, as `f<int><<<...>>>(x)` or with
    /// template arguments that follow from the types of the arguments.
    pub(super) fn instantiate_launch(&mut self, launch: &Launch) -> Res<()> {
        let (Entity::Functions(list), _) = self.find_qualified(&launch.name)? else { return Ok(()) };
        for function in list {
            if self.functions[function].global {
                self.instantiate_kernel(function, launch)?;
            }
        }
        Ok(())
    }

    fn instantiate_kernel(&mut self, function: FunctionIndex, launch: &Launch) -> Res<()> {
        let info = &self.functions[function];
        let (Some(template), decl, scope) = (info.template.clone(), info.decl.clone(), info.scope) else {
            return Ok(());
        };
        let written = launch.name.last().arguments.as_deref().unwrap_or(&[]);
        let written = self.template_values(written, &template)?;
        let mut found = Found::default();
        for (parameter, value) in template.list.iter().zip(&written) {
            if let Some(name) = parameter.name {
                found.insert(name.symbol, *value);
            }
        }
        let parameters = decl.declarator.function().map_or(&[][..], |chunk| &chunk.parameters);
        for (parameter, argument) in parameters.iter().zip(&launch.arguments) {
            let Some(argument) = argument else { continue };
            // Types of the host may be unknown here.
            let Ok(ty) = self.type_name(argument) else { continue };
            if self.types.contains_auto(ty) {
                continue;
            }
            let mut own = Found::default();
            let fits = self.in_scope(scope, |sema| sema.deduce_parameter(&template, parameter, ty, &mut own));
            if fits {
                for (name, value) in own {
                    found.entry(name).or_insert(value);
                }
            }
        }
        let values = self.values_of(&template, &found, launch.name.span)?;
        self.instance(function, values, launch.name.span)?;
        Ok(())
    }
}
