//! Kernels that are made from templates because host code launches them.

use super::Sema;
use super::constraint_order::{Normal, is_stronger};
use super::deduce::Found;
use super::scope::{Entity, FunctionIndex};
use super::value::{Res, TemplateValue};
use crate::syntax::Launch;

impl Sema<'_> {
    /// Makes the instance of a kernel that host code launches, as `f<int><<<...>>>(x)` or with
    /// template arguments that follow from the types of the arguments.
    pub(super) fn instantiate_launch(&mut self, launch: &Launch) -> Res<()> {
        let (Entity::Functions(list), _) = self.find_qualified(&launch.name)? else { return Ok(()) };
        let mut made: Vec<(FunctionIndex, Vec<TemplateValue>, Option<Normal>)> = Vec::new();
        for function in list {
            if !self.functions[function].global {
                continue;
            }
            let Some(values) = self.launch_arguments(function, launch)? else { continue };
            if !self.function_satisfied(function, &values)? {
                continue;
            }
            let constraint = self.normal_constraint(function, &values);
            let like = |(_, other, known): &&mut (FunctionIndex, Vec<TemplateValue>, Option<Normal>)| {
                *other == values && (known.is_some() || constraint.is_some())
            };
            // Of templates that differ in constraints, the strongest is launched.
            match made.iter_mut().find(like) {
                Some(known) if is_stronger(constraint.as_ref(), known.2.as_ref()) => {
                    *known = (function, values, constraint);
                }
                Some(_) => {}
                None => made.push((function, values, constraint)),
            }
        }
        for (function, values, _) in made {
            self.instance(function, values, launch.name.span)?;
        }
        Ok(())
    }

    /// The template arguments of a kernel that is launched; none if it is no template.
    fn launch_arguments(
        &mut self,
        function: FunctionIndex,
        launch: &Launch,
    ) -> Res<Option<Vec<TemplateValue>>> {
        let info = &self.functions[function];
        let (Some(template), decl, scope) = (info.template.clone(), info.decl.clone(), info.scope) else {
            return Ok(None);
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
        self.values_of(&template, &found, launch.name.span).map(Some)
    }
}
