//! The area between two axes.

use super::axis::Axis;
use super::scene::{Anchor, INK, MUTED, NOTE, PALE, Point, Scene};
use crate::font::{Weight, width};

/// An area between two axes.
#[derive(Clone, Debug)]
pub struct Plot {
    /// Corner at the top left.
    pub at: Point,
    /// Width and height.
    pub size: Point,
    /// The axis to the right.
    pub x: Axis,
    /// The axis upward.
    pub y: Axis,
}

/// Space left of an area for the numbers and the label of its axis, in pixels.
pub const LEFT: f64 = 92.0;
/// Space below an area for the numbers and the label of its axis, in pixels.
pub const BELOW: f64 = 62.0;

impl Plot {
    /// Returns the place of a value on the axis to the right.
    pub fn x(&self, value: f64) -> f64 {
        self.at.0 + self.x.part(value) * self.size.0
    }

    /// Returns the place of a value on the axis upward.
    pub fn y(&self, value: f64) -> f64 {
        self.at.1 + (1.0 - self.y.part(value)) * self.size.1
    }

    /// Returns the place of a pair of values.
    pub fn place(&self, (x, y): Point) -> Point {
        (self.x(x), self.y(y))
    }

    /// Returns the bottom of the area.
    pub fn bottom(&self) -> f64 {
        self.at.1 + self.size.1
    }

    /// Adds the grid, the numbers of both axes and their labels. Numbers that would come too close
    /// to the one before are left out.
    pub fn frame(&self, scene: &mut Scene, x_label: &str, y_label: &str) {
        self.upward(scene, y_label);
        self.across(scene, x_label);
    }

    /// Adds the axis upward: its numbers, its label and the grid.
    pub fn upward(&self, scene: &mut Scene, label: &str) {
        let ((left, top), right) = (self.at, self.at.0 + self.size.0);
        for mark in &self.y.marks {
            let y = self.y(*mark);
            scene.line(&[(left, y), (right, y)], PALE, 1.0);
            scene.note((left - 10.0, y + 0.35 * NOTE), Anchor::End, &self.y.text(*mark));
        }
        scene.line(&[(left, top), (left, self.bottom())], MUTED, 1.6);
        if !label.is_empty() {
            scene.upward((left - LEFT + 30.0, top + self.size.1 / 2.0), label);
        }
    }

    /// Adds the axis to the right: its numbers and its label.
    pub fn across(&self, scene: &mut Scene, label: &str) {
        let (left, right, bottom) = (self.at.0, self.at.0 + self.size.0, self.bottom());
        let mut free = f64::NEG_INFINITY;
        for mark in &self.x.marks {
            let (x, text) = (self.x(*mark), self.x.text(*mark));
            scene.line(&[(x, bottom), (x, bottom + 6.0)], MUTED, 1.6);
            let half = width(&text, NOTE, Weight::Regular) / 2.0;
            if x - half > free {
                scene.note((x, bottom + 11.0 + 0.74 * NOTE), Anchor::Middle, &text);
                free = x + half + 8.0;
            }
        }
        scene.line(&[(left, bottom), (right, bottom)], INK, 1.6);
        scene.label((f64::midpoint(left, right), bottom + BELOW - 8.0), Anchor::Middle, label);
    }
}
