//! Evaluation of constant expressions ([expr.const]): runs the typed program while it is compiled.
//!
//! What it meets decides whether the expression is a constant: undefined behavior, an object whose
//! value is not constant, or a function that is not `constexpr` make it none.

mod expression;
mod place;

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::Sema;
use super::cells::{Cells, Run, Scalar, Stop, Value};
use super::value::FunctionName;
use crate::arena::Arena;
use crate::hir::{self, FunctionId, LabelId, LocalId, LocalKind, StmtKind, Types};
use crate::source::Span;
use crate::syntax::ast::FunctionBody;

/// Nesting of expressions, statements and calls: each level needs some of the compiler's stack.
const MAX_DEPTH: u32 = 2_000;

/// An object.
#[derive(Debug)]
struct Object {
    /// Size in bytes.
    size: u64,
    /// Its value, if it is one of the evaluation.
    cells: Option<Rc<Cells>>,
    is_const: bool,
}

/// How statements end.
enum Flow {
    Next,
    Break,
    Continue,
    Return(Value),
}

/// A call of a function, or the code around the expression.
pub struct Frame<'s> {
    locals: Option<&'s Arena<LocalId, hir::Local>>,
    /// The objects of its variables.
    objects: FxHashMap<LocalId, u32>,
    /// The label to which a `switch` jumps.
    sought: Option<LabelId>,
    /// Whether it is the code around the expression: its variables have no values, but for constant
    /// objects, temporary objects and the variable that is initialized.
    is_around: bool,
    initialized: Option<LocalId>,
}

/// The state of an evaluation.
pub struct Evaluator<'s, 'a> {
    sema: &'s Sema<'a>,
    objects: Vec<Option<Object>>,
    globals: FxHashMap<hir::GlobalId, Option<Rc<Cells>>>,
    /// Steps so far.
    pub steps: u32,
    max_steps: u32,
    depth: u32,
}

impl<'s, 'a> Evaluator<'s, 'a> {
    pub fn new(sema: &'s Sema<'a>, steps: u32, max_steps: u32) -> Self {
        Self { sema, objects: Vec::new(), globals: FxHashMap::default(), steps, max_steps, depth: 0 }
    }

    fn types(&self) -> &'s Types {
        &self.sema.hir
    }

    /// The code around the expression; a variable that is initialized can be changed.
    pub fn around(&self, initialized: Option<LocalId>) -> Frame<'s> {
        Frame {
            locals: self.sema.function.as_ref().map(|function| &function.locals),
            objects: FxHashMap::default(),
            sought: None,
            is_around: true,
            initialized,
        }
    }

    /// Counts steps.
    fn step(&mut self, count: usize) -> Run<()> {
        self.steps = self.steps.saturating_add(u32::try_from(count).unwrap_or(u32::MAX));
        if self.steps > self.max_steps { Err(Stop::Unknown) } else { Ok(()) }
    }

    /// Runs a step that may be nested.
    fn deeper<T>(&mut self, step: impl FnOnce(&mut Self) -> Run<T>) -> Run<T> {
        self.step(1)?;
        if self.depth > MAX_DEPTH {
            return Err(Stop::Unknown);
        }
        self.depth += 1;
        let result = step(self);
        self.depth -= 1;
        result
    }

    /// The object of a variable.
    fn local(&mut self, frame: &mut Frame<'s>, local: LocalId) -> Run<u32> {
        if let Some(&known) = frame.objects.get(&local) {
            return Ok(known);
        }
        let Some(info) = frame.locals.map(|locals| &locals[local]) else { return Err(Stop::Unknown) };
        let is_own = !frame.is_around || frame.initialized == Some(local);
        let constant = if is_own { None } else { self.sema.constant_local(local).cloned() };
        let is_const = constant.is_some();
        let is_set = is_own || info.kind == LocalKind::Temporary;
        let cells = constant.or_else(|| is_set.then(Rc::default));
        self.objects.push(Some(Object { size: self.types().size(info.ty), cells, is_const }));
        let object = self.objects.len() as u32 - 1;
        frame.objects.insert(local, object);
        Ok(object)
    }

    /// The lifetime of a variable starts.
    fn declare(&mut self, frame: &mut Frame<'s>, local: LocalId) -> Run<u32> {
        if let Some(old) = frame.objects.remove(&local) {
            self.objects[old as usize] = None;
        }
        self.local(frame, local)
    }

    /// The value of a variable at the end of its initialization, if it outlives the evaluation.
    pub fn finished(&mut self, frame: &mut Frame<'s>, local: LocalId) -> Run<Rc<Cells>> {
        let object = self.local(frame, local)?;
        let cells = self.objects[object as usize].take().and_then(|object| object.cells);
        cells.filter(|cells| cells.is_lasting()).ok_or(Stop::Unknown)
    }

    /// Whether constant expressions can call a function.
    fn is_constexpr(&self, id: FunctionId) -> bool {
        let info = &self.sema.functions[self.sema.instances[id].function];
        let is_lambda = info.class.is_some_and(|class| self.sema.records[class].lambda.is_some());
        info.decl.specifiers.flags.is_constexpr
            || is_lambda
            || info.inherits.is_some()
            || matches!(info.decl.body, FunctionBody::Defaulted) && info.name != FunctionName::Destructor
            || self.sema.is_builtin(info.span)
    }

    /// Calls a function.
    pub fn call(&mut self, id: FunctionId, arguments: Vec<Value>, span: Span) -> Run<Value> {
        let sema = self.sema;
        if !self.is_constexpr(id) {
            return Err(Stop::Unknown);
        }
        let instance = &sema.instances[id];
        let Some(function) = &instance.body else {
            return Err(if instance.started { Stop::Unknown } else { Stop::Missing(id) });
        };
        if function.parameters.len() != arguments.len() {
            return Err(Stop::Unknown);
        }
        let mut frame = Frame {
            locals: Some(&function.locals),
            objects: FxHashMap::default(),
            sought: None,
            is_around: false,
            initialized: None,
        };
        for (parameter, value) in function.parameters.iter().zip(arguments) {
            self.initialize(&mut frame, *parameter, &value)?;
        }
        let flow = self.statements(&mut frame, &function.body)?;
        for object in frame.objects.into_values() {
            self.objects[object as usize] = None;
        }
        match flow {
            Flow::Return(value) => Ok(value),
            _ if function.result == Types::VOID => Ok(Value::Void),
            _ => Err(Stop::Undefined("the function ends without `return`", span)),
        }
    }

    /// Starts the lifetime of a variable with a value.
    fn initialize(&mut self, frame: &mut Frame<'s>, local: LocalId, value: &Value) -> Run<()> {
        let object = self.declare(frame, local)?;
        if let Value::Cells(cells) = value {
            self.step(cells.len())?;
        }
        let info = frame.locals.map(|locals| &locals[local]).ok_or(Stop::Unknown)?;
        let cells = self.objects[object as usize].as_mut().and_then(|object| object.cells.as_mut());
        Rc::make_mut(cells.ok_or(Stop::Unknown)?).store(&self.sema.hir, 0, info.ty, value);
        Ok(())
    }

    fn statements(&mut self, frame: &mut Frame<'s>, list: &[hir::Stmt]) -> Run<Flow> {
        for statement in list {
            let flow = self.deeper(|run| {
                if frame.sought.is_some() {
                    run.seek(frame, statement)
                } else {
                    run.statement(frame, statement)
                }
            })?;
            if !matches!(flow, Flow::Next) {
                return Ok(flow);
            }
        }
        Ok(Flow::Next)
    }

    /// Skips a statement before the label that is sought.
    fn seek(&mut self, frame: &mut Frame<'s>, statement: &hir::Stmt) -> Run<Flow> {
        match &statement.kind {
            StmtKind::Label(label) if frame.sought == Some(*label) => frame.sought = None,
            StmtKind::Block(list) | StmtKind::Scope(list) => return self.statements(frame, list),
            _ => {}
        }
        Ok(Flow::Next)
    }

    fn statement(&mut self, frame: &mut Frame<'s>, statement: &hir::Stmt) -> Run<Flow> {
        match &statement.kind {
            StmtKind::Expr(expr) => {
                self.value(frame, expr)?;
                Ok(Flow::Next)
            }
            StmtKind::Declare { local, init } => {
                match init {
                    Some(init) => {
                        let value = self.value(frame, init)?;
                        self.initialize(frame, *local, &value)?;
                    }
                    None => _ = self.declare(frame, *local)?,
                }
                Ok(Flow::Next)
            }
            StmtKind::Block(list) | StmtKind::Scope(list) | StmtKind::Try { body: list, .. } => {
                self.statements(frame, list)
            }
            StmtKind::If { condition, then, otherwise } => {
                let list = if self.truth(frame, condition)? { then } else { otherwise };
                self.statements(frame, list)
            }
            StmtKind::While { condition, body, .. } => self.looped(frame, Some(condition), None, body, true),
            StmtKind::DoWhile { body, condition, .. } => {
                self.looped(frame, Some(condition), None, body, false)
            }
            StmtKind::For { init, condition, step, body, .. } => {
                self.statements(frame, init)?;
                self.looped(frame, condition.as_ref(), step.as_ref(), body, true)
            }
            StmtKind::Switch { value, cases, default, body } => {
                let Value::Scalar(Scalar::Int(value)) = self.value(frame, value)? else {
                    return Err(Stop::Unknown);
                };
                let case = cases.iter().find(|(case, _)| *case == value);
                frame.sought = case.map(|(_, label)| *label).or(*default);
                if frame.sought.is_none() {
                    return Ok(Flow::Next);
                }
                let flow = self.statements(frame, body)?;
                if frame.sought.is_some() {
                    // The label is inside of a loop or of `if`.
                    return Err(Stop::Unknown);
                }
                Ok(if matches!(flow, Flow::Break) { Flow::Next } else { flow })
            }
            StmtKind::Break => Ok(Flow::Break),
            StmtKind::Continue => Ok(Flow::Continue),
            StmtKind::Return(value) => Ok(Flow::Return(match value {
                Some(value) => self.value(frame, value)?,
                None => Value::Void,
            })),
            StmtKind::Label(_) => Ok(Flow::Next),
            StmtKind::Goto(_) => Err(Stop::Unknown),
        }
    }

    fn looped(
        &mut self,
        frame: &mut Frame<'s>,
        condition: Option<&hir::Expr>,
        step: Option<&hir::Expr>,
        body: &[hir::Stmt],
        test_first: bool,
    ) -> Run<Flow> {
        let mut test = test_first;
        loop {
            self.step(1)?;
            if test
                && let Some(condition) = condition
                && !self.truth(frame, condition)?
            {
                return Ok(Flow::Next);
            }
            test = true;
            match self.statements(frame, body)? {
                Flow::Break => return Ok(Flow::Next),
                flow @ Flow::Return(_) => return Ok(flow),
                Flow::Next | Flow::Continue => {}
            }
            if let Some(step) = step {
                self.value(frame, step)?;
            }
        }
    }
}
