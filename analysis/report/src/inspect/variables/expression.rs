//! Values of expressions: `print`, `display`, conditions of breakpoints and the expressions of
//! editors are evaluated here, in a launch and in host code.

use super::arithmetic::{convert, truth};
use super::evaluate::{Evaluate, MOST_ELEMENTS, special};
use super::scope::{Missing, Run, View};
use super::syntax::{Expression, Node};
use super::{At, Lanes, Shown, Space, Ty};
use crate::inspect::values::Format;
use isa::types::ScalarType;
use sim_core::debug::Poll;

/// The values of expressions of the variables that a place sees.
pub trait Expressions<'a>: Evaluate<'a> {
    /// Evaluates a text. Returns `None` if its first name means nothing here.
    ///
    /// # Errors
    /// Why it has no value.
    fn value_of(
        &self,
        text: &str,
        format: Option<Format>,
        poll: Poll<'_>,
    ) -> Option<Result<Vec<Shown>, String>> {
        let is_name = |c: char| c.is_alphanumeric() || "_$%:".contains(c);
        let first = text.trim_start_matches(['*', '&', '(', ' ', '-', '!', '~']);
        let first = &first[..first.find(|c| !is_name(c)).unwrap_or(first.len())];
        let expression = match Expression::parse(text) {
            Ok(expression) => expression,
            // Perhaps it is no expression at all.
            Err(why) => return self.base(first, poll).map(|_| Err(why)),
        };
        match self.evaluate_expression(&expression, format, poll) {
            Err(Missing::Name(name)) if name == first => None,
            found => Some(found.map_err(|why| why.text("number and no variable of this line"))),
        }
    }

    /// Evaluates an expression, such as `i`, `p.x`, `tile[threadIdx.y][3]`, `*p`, `a[i]@8` or
    /// `i * 2 < n`: a number, or the members of a structure and the elements of an array.
    ///
    /// # Errors
    /// Why it has no value.
    fn evaluate_expression(
        &self,
        expression: &Expression,
        format: Option<Format>,
        poll: Poll<'_>,
    ) -> Result<Vec<Shown>, Missing> {
        let mut run = Run { poll, notes: Vec::new(), doubt: None };
        if let Node::Name(name) = &expression.node {
            let parts = self.components(name, format)?;
            if !parts.is_empty() {
                return Ok(parts);
            }
        }
        let place = self.place(&expression.node, &expression.text, &mut run)?;
        let mut all = match &expression.count {
            None => self.shown(&place, format, &mut *run.poll)?,
            Some(count) => {
                let lanes = self.integer(count, &mut run)?;
                let count = lanes.iter().flatten().next().copied().unwrap_or(0);
                if !(1..=MOST_ELEMENTS).contains(&count) {
                    let count = count as i64;
                    let why = format!("`{count}` is not a number of elements from 1 to {MOST_ELEMENTS}");
                    return Err(Missing::Value(why));
                }
                self.consecutive(&place, count, format, &mut *run.poll)?
            }
        };
        if let (Ty::ToType(..) | Ty::ToNumber(..), [one]) = (place.ty, &mut all[..]) {
            one.c_type = self.type_name(place.ty);
        }
        if let Some(last) = all.last_mut() {
            run.notes.retain(|note| !last.notes.contains(note));
            last.notes.append(&mut run.notes);
            last.doubt = last.doubt.take().or(run.doubt);
        }
        Ok(all)
    }

    /// The lanes of `lanes` in which an expression is true.
    ///
    /// # Errors
    /// Why the expression has no value in any of these lanes.
    fn lanes_where(&self, expression: &Expression, lanes: u32, poll: Poll<'_>) -> Result<u32, String> {
        let mut run = Run { poll, notes: Vec::new(), doubt: None };
        let names = "variable or register of this place";
        let place = self.place(&expression.node, &expression.text, &mut run);
        let (ty, values) =
            place.and_then(|place| self.number(&place, &mut run)).map_err(|why| why.text(names))?;
        if let Some(doubt) = run.doubt {
            return Err(doubt);
        }
        let mut found = 0;
        let mut is_known = false;
        for lane in (0..32).filter(|lane| lanes >> lane & 1 == 1) {
            if let Some(bits) = values[lane] {
                is_known = true;
                found |= u32::from(truth(ty, bits)) << lane;
            }
        }
        if !is_known && lanes != 0 {
            return Err(format!("`{}` has no value in these lanes", expression.text));
        }
        Ok(found)
    }

    /// The memory and the address that an expression means, in each lane: of a pointer its value,
    /// of an array or variable in memory its place. A number is an address.
    ///
    /// # Errors
    /// Why there is no address.
    fn address(&self, expression: &Expression, poll: Poll<'_>) -> Result<(Space, Lanes), Missing> {
        let mut run = Run { poll, notes: Vec::new(), doubt: None };
        let place = self.place(&expression.node, &expression.text, &mut run)?;
        match (self.view(place.ty), place.at) {
            (View::Array(..) | View::Members(_), At::Memory(space, addresses)) => Ok((space, addresses)),
            (View::Pointer(_, _, space), _) => {
                let (_, lanes) = self.number(&place, &mut run)?;
                Ok((space.map_or_else(|| self.pointee(&place, &lanes), Ok)?, lanes))
            }
            _ => {
                let (ty, lanes) = self.number(&place, &mut run)?;
                let is_float = matches!(ty, ScalarType::F32 | ScalarType::F64);
                if is_float {
                    let text = &expression.text;
                    return Err(format!("`{text}` is a number with a point; `&{text}` is its address").into());
                }
                Ok((self.memory(), lanes.map(|bits| bits.map(|bits| convert(ty, ScalarType::U64, bits)))))
            }
        }
    }

    /// The type of an expression in C, and the members of a structure.
    ///
    /// # Errors
    /// Why it has none.
    fn type_of(&self, expression: &Expression, poll: Poll<'_>) -> Result<(String, Vec<String>), Missing> {
        let mut run = Run { poll, notes: Vec::new(), doubt: None };
        if let Node::Name(name) = &expression.node
            && !special(name).is_empty()
        {
            let is_one = special(name).len() == 1;
            let members = ["x", "y", "z"].map(|name| format!("unsigned int {name};"));
            return Ok(if is_one {
                ("unsigned int".to_owned(), Vec::new())
            } else {
                ("uint3".to_owned(), members.to_vec())
            });
        }
        let place = self.place(&expression.node, &expression.text, &mut run)?;
        let name = if place.c_type.is_empty() { self.type_name(place.ty) } else { place.c_type.to_owned() };
        let members = match self.view(place.ty) {
            View::Members(fields) => fields
                .iter()
                .map(|field| {
                    let width = field.bits.map_or_else(String::new, |(_, width)| format!(" : {width}"));
                    let declared = self.declared(Ty::Of(field.ty), &field.name);
                    format!("{declared}{width};")
                })
                .collect(),
            _ => Vec::new(),
        };
        Ok((name, members))
    }
}

impl<'a, S: Evaluate<'a> + ?Sized> Expressions<'a> for S {}
