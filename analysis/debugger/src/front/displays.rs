//! Expressions that are printed at each stop.

use super::{Front, print};
use report::inspect::values::Format;
use report::inspect::variables::{Expression, Expressions as _, Missing, Shown, Sight, never};
use sim_core::debug::Session;
use std::fmt::Write as _;

impl Front {
    /// Ends displays by their numbers, or all.
    pub(super) fn undisplay(&mut self, numbers: &[usize]) -> Result<(), String> {
        for number in numbers {
            let found = number.checked_sub(1).and_then(|i| self.displays.get_mut(i)).and_then(Option::take);
            found.ok_or_else(|| format!("there is no display {number}"))?;
        }
        if numbers.is_empty() {
            self.displays.clear();
        }
        Ok(())
    }

    pub(super) fn list_displays(&self) -> String {
        let one = |(number, one): (usize, &Option<(Option<Format>, Expression)>)| {
            Some(format!("{number}: {}\n", one.as_ref()?.1.text))
        };
        let all: String = (1..).zip(&self.displays).filter_map(one).collect();
        if all.is_empty() { "No expressions are displayed.\n".to_owned() } else { all }
    }

    /// Adds an expression that is printed at each stop. Returns its number.
    pub fn add_display(&mut self, display: (Option<Format>, Expression)) -> usize {
        self.displays.push(Some(display));
        self.displays.len()
    }

    /// Returns the values of the displayed expressions in a lane; `evaluate` has their values. An
    /// expression with names that mean nothing here is not shown.
    pub fn displayed(
        &self,
        lane: usize,
        mut evaluate: impl FnMut(&Expression, Option<Format>) -> Result<Vec<Shown>, Missing>,
    ) -> String {
        let mut out = String::new();
        for (number, display) in (1..).zip(&self.displays) {
            let number: usize = number;
            let Some((format, expression)) = display else { continue };
            let text = &expression.text;
            match evaluate(expression, *format) {
                Ok(all) => {
                    let _ = writeln!(out, "{number}: {}", print::in_lane(text, &all, lane));
                }
                Err(Missing::Name(_)) => {}
                Err(Missing::Value(why)) => {
                    let _ = writeln!(out, "{number}: {text} = - ({why})");
                }
            }
        }
        out
    }

    /// The displayed expressions in the lane in focus.
    pub(super) fn displays(&self, session: &Session<'_>) -> String {
        let Ok(warp) = self.warp(session) else { return String::new() };
        let sight = Sight::new(session, &self.words, &warp);
        self.displayed(self.focus.lane as usize, |expression, format| {
            sight.evaluate_expression(expression, format, &mut never)
        })
    }
}
