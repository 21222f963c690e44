//! The whole program: what is analyzed, and what is kept.

use super::Sema;
use super::described::Closure;
use super::handover::{KernelInstance, UsedKernel};
use super::scope::{FunctionIndex, Owner, Scopes, VariableIndex};
use super::types::RecordId;
use super::value::{FunctionInfo, FunctionName};
use crate::arena::Arena;
use crate::hir::{self, FunctionId, Linkage, Program, START};
use crate::syntax::Launch;
use crate::syntax::ast::{DeclKind, FunctionBody};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A kernel as launch files and runtimes see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Name in the source, with template arguments.
    pub name: String,
    /// Name in PTX.
    pub symbol: String,
    /// The parameters in order.
    pub parameters: Vec<Parameter>,
    /// The attributes that the host can query, with a blank between them (OpenCL).
    pub attributes: String,
    /// Bytes of the static shared variables that the kernel itself uses.
    pub shared_bytes: u64,
}

/// A parameter of a kernel as the host sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Name in the source.
    pub name: String,
    /// Type as C writes it.
    pub c_type: String,
    /// What the host passes.
    pub kind: ParameterKind,
}

/// What the host passes for a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterKind {
    /// A value; pointers of CUDA C are values.
    Value,
    /// OpenCL: a buffer (`__global T *`).
    Global,
    /// OpenCL: a buffer that is copied to the constant bank (`__constant T *`).
    Constant,
    /// OpenCL: a number of bytes of dynamic shared memory (`__local T *`), with this alignment.
    Local(u64),
    /// OpenCL: an image of two or three dimensions.
    Image {
        /// 2 or 3.
        dimensions: u8,
        /// Whether it is `write_only`.
        is_written: bool,
    },
    /// OpenCL: a sampler.
    Sampler,
}

/// The result of the analysis.
#[derive(Debug)]
pub struct Analyzed {
    /// The typed program; incomplete if there are errors.
    pub program: Program,
    /// The kernels; empty if there are errors.
    pub entries: Vec<Entry>,
    /// Kernels that the host half uses.
    pub kernels: Vec<UsedKernel>,
    /// The lambda expressions of the host half that the device half can make.
    pub closures: Vec<Rc<Closure>>,
    /// Whether a template of a kernel has no instance: the arguments are not known here.
    pub has_open_kernels: bool,
    /// Whether products and sums may be contracted, as far as the source says so.
    pub contracts: bool,
}

/// Describes the kernels of a program.
fn entries(program: &Program, kinds: &FxHashMap<String, Vec<ParameterKind>>) -> Vec<Entry> {
    let kernels = program.functions.iter().filter(|function| function.kind == hir::FunctionKind::Kernel);
    let entry = |function: &hir::Function| {
        let own = kinds.get(&function.symbol);
        let parameter = |(at, local): (usize, &hir::LocalId)| {
            let local = &function.locals[*local];
            let kind = own.and_then(|kinds| kinds.get(at)).copied().unwrap_or(ParameterKind::Value);
            Parameter { name: local.name.clone(), c_type: local.c_type.clone(), kind }
        };
        Entry {
            name: function.name.clone(),
            symbol: function.symbol.clone(),
            parameters: function.parameters.iter().enumerate().map(parameter).collect(),
            attributes: function.attributes.clone(),
            shared_bytes: super::checks::shared_bytes(program, function),
        }
    };
    kernels.map(entry).collect()
}

impl Sema<'_> {
    /// Analyzes one half of the program.
    pub(super) fn program(mut self, launches: &[Launch], kernels: Option<&[KernelInstance]>) -> Analyzed {
        for kernel in kernels.into_iter().flatten() {
            // The caller reports a kernel that the program does not have.
            let _ = self.make_kernel(kernel);
        }
        for launch in launches.iter().filter(|_| kernels.is_none()) {
            let mark = self.out.mark();
            let _ = self.instantiate_launch(launch);
            self.out.truncate(mark);
        }
        self.device_variables();
        self.wanted_functions();
        while let Some(id) = self.next_pending() {
            self.analyze_instance(id);
            if self.out.is_full() {
                break;
            }
        }
        let roots: Vec<FunctionId> = self
            .instances
            .ids()
            .filter(|id| {
                let instance = &self.instances[*id];
                let info = &self.functions[instance.function];
                let is_root = if self.rules.has_device_code {
                    info.global
                } else {
                    let is_seen =
                        self.function_linkage(*id) == Linkage::External || self.explicit.contains(id);
                    self.is_main(info) || self.is_part && is_seen
                };
                is_root && instance.body.as_ref().is_some_and(|body| body.linkage != Linkage::Undefined)
            })
            .collect();
        if roots.is_empty() && !self.out.has_errors() {
            for message in std::mem::take(&mut self.quiet) {
                self.out.push(message);
            }
        }
        let has_open_kernels = self.functions.ids().any(|id| {
            let info = &self.functions[id];
            info.global && info.template.is_some() && !self.instances.iter().any(|one| one.function == id)
        });
        let start = self.start_function();
        while let Some(id) = self.next_pending() {
            if self.out.is_full() {
                break;
            }
            self.analyze_instance(id);
        }
        self.unused_classes();
        let kinds = self.parameter_kinds();
        let mut functions: Arena<FunctionId, _> =
            self.instances.iter_mut().map(|instance| instance.body.take()).collect();
        let mut roots = roots;
        if let Some(start) = start {
            roots.push(functions.push(Some(start)));
        }
        let thrown = self.thrown_types();
        let globals = std::mem::take(&mut self.globals);
        let complete = !self.out.has_errors();
        let (functions, globals) = if complete {
            super::prune::prune(functions, globals, &roots)
        } else {
            (Arena::default(), globals)
        };
        let program = Program { target: self.target, types: self.hir, globals, functions, thrown };
        if complete && self.rules.has_device_code {
            super::checks::check(&program, self.sources, self.out);
        }
        let entries = entries(&program, &kinds);
        let (kernels, closures) = (self.kernels, self.closures);
        Analyzed { program, entries, kernels, closures, has_open_kernels, contracts: true }
    }

    /// What the host passes for the parameters of the kernels of OpenCL C, by their names in PTX.
    fn parameter_kinds(&mut self) -> FxHashMap<String, Vec<ParameterKind>> {
        let mut kinds = FxHashMap::default();
        for id in self.instances.ids().filter(|_| self.rules.is_open_cl) {
            let instance = &self.instances[id];
            if !self.functions[instance.function].global {
                continue;
            }
            let parameters = instance.signature.parameters.clone();
            let own = parameters.into_iter().map(|ty| self.parameter_kind(ty)).collect();
            kinds.insert(self.mangled(id), own);
        }
        kinds
    }

    /// The function that initializes variables before `main`.
    fn start_function(&mut self) -> Option<hir::Function> {
        if self.dynamic.is_empty() {
            return None;
        }
        let span = self.globals[self.dynamic[0].0].span;
        self.function_count += 1;
        self.function = Some(super::function::FunctionState::new(self.function_count, START));
        let mut parts_of = Vec::new();
        let mut at = 0;
        // An initializer may need further variables.
        while let Some((id, variable)) = self.dynamic.get(at).copied() {
            at += 1;
            let info = &self.variables[variable];
            let (ty, init, scope, span) = (info.ty, info.init.clone(), info.scope, info.span);
            let place = (info.defined, span.start);
            let parts = self.in_scope(scope, |sema| sema.dynamic_parts(id, ty, init.as_deref(), span));
            parts_of.extend(parts.ok().map(|parts| (place, parts)));
        }
        parts_of.sort_by_key(|(place, _)| *place);
        let mut body = Vec::new();
        for (_, parts) in parts_of {
            super::special::push_expressions(parts, &mut body);
        }
        let state = self.function.take()?;
        Some(hir::Function {
            name: START.to_owned(),
            symbol: START.to_owned(),
            kind: hir::FunctionKind::Host,
            linkage: Linkage::Internal,
            result: hir::Types::VOID,
            parameters: Vec::new(),
            locals: state.locals,
            labels: state.labels,
            body,
            inlining: hir::Inlining::Auto,
            launch_bounds: None,
            work_group: None,
            attributes: String::new(),
            is_builtin: false,
            span,
            origin: span,
            end: span,
        })
    }

    /// Whether a function is the program's `main`.
    pub(super) fn is_main(&self, info: &FunctionInfo) -> bool {
        info.class.is_none()
            && info.scope == Scopes::FILE
            && matches!(info.name, FunctionName::Plain(name) if self.text(name) == "main")
    }

    fn next_pending(&mut self) -> Option<hir::FunctionId> {
        // In the order of their first use.
        self.pending.pop_front()
    }

    /// Variables of the file that the host may use.
    fn device_variables(&mut self) {
        for variable in self.variables.ids() {
            let info = &self.variables[variable];
            let device = matches!(
                info.storage,
                Some(
                    hir::Storage::Device
                        | hir::Storage::Constant
                        | hir::Storage::Texture
                        | hir::Storage::Surface
                )
            );
            // Another file may use a static member that this one defines, and its initializer runs.
            let class = self.scopes.class(info.scope);
            let is_member = (self.is_part || info.known.is_none())
                && class.is_some_and(|class| info.is_specialized || !self.inside_template(class));
            let device = device
                || info.storage == Some(hir::Storage::Host)
                    && (is_member || self.scopes.is_global(info.scope));
            if device && !info.is_extern && !self.is_builtin(info.span) {
                self.order = u32::MAX;
                let _ = self.global_of(variable);
            }
        }
    }

    /// Kernels or `main`, and other functions of the file, whose errors are reported also when
    /// nothing calls them.
    fn wanted_functions(&mut self) {
        self.explicit_members();
        for id in self.records.ids() {
            let record = &self.records[id];
            if record.template.is_none() && !record.builtin && self.has_device_methods(id) {
                let _ = self.complete(id);
            }
        }
        for function in self.functions.ids() {
            let info = &self.functions[function];
            let in_template =
                info.class.is_some_and(|class| self.inside_template(class)) || info.template.is_some();
            let has_body = matches!(info.decl.body, FunctionBody::Block(_));
            let marked = !self.rules.needs_marks
                || info.decl.specifiers.flags.device
                || info.decl.specifiers.flags.global
                || info.global;
            if has_body && info.device && !in_template && marked && !self.is_builtin(info.span) {
                let span = info.span;
                let _ = self.instance(function, Vec::new(), span);
            }
        }
    }

    /// The members of explicit instantiations, which other files may use.
    fn explicit_members(&mut self) {
        for record in std::mem::take(&mut self.explicit_classes) {
            if !self.is_part || self.complete(record).is_err() {
                continue;
            }
            let owner = Owner::Record(record);
            let is_own = |one: &VariableIndex| self.scopes.get(self.variables[*one].scope).owner == owner;
            for variable in self.variables.ids().filter(is_own).collect::<Vec<_>>() {
                let _ = self.global_of(variable);
            }
            let own: Vec<FunctionIndex> =
                self.functions.ids().filter(|one| self.functions[*one].class == Some(record)).collect();
            for function in own {
                let info = &self.functions[function];
                // The body may be outside of the class.
                let may_have_body = matches!(info.decl.body, FunctionBody::Block(_) | FunctionBody::None);
                let span = info.span;
                if may_have_body
                    && info.device
                    && info.template.is_none()
                    && let Ok(made) = self.instance(function, Vec::new(), span)
                {
                    self.explicit.push(made);
                }
            }
        }
    }

    /// Whether a class is made from a template, or is inside one that is.
    pub(super) fn inside_template(&self, class: RecordId) -> bool {
        let record = &self.records[class];
        record.template.is_some()
            || self.scopes.outwards(record.parent).any(|scope| match self.scopes.get(scope).owner {
                Owner::Record(id) => self.records[id].template.is_some(),
                _ => false,
            })
    }

    fn has_device_methods(&self, id: RecordId) -> bool {
        let Some(decl) = &self.records[id].decl else { return false };
        decl.members.iter().flatten().any(|member| match &member.decl.kind {
            DeclKind::Function(function) => function.specifiers.flags.device,
            _ => false,
        })
    }
}
