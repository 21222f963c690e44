//! Panes and their places for a size of the terminal.

use ratatui::layout::Rect;

/// Smallest size of a terminal: columns and rows.
pub const SMALLEST: (u16, u16) = (80, 24);

/// Size from which all panes are visible.
const ALL_VISIBLE: (u16, u16) = (160, 48);

/// A part of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pane {
    /// CUDA C or PTX with the warps at each line.
    Source,
    /// Warps of the SM in focus.
    Warps,
    /// Variables and registers of the warp in focus.
    Registers,
    /// Its reconvergence stack.
    Stack,
    /// Shared memory of its block.
    Shared,
    /// Allocations of global memory and their words.
    Global,
    /// Scoreboard, load/store queue and the last access.
    Access,
    /// The last issue cycles of the SM.
    Timeline,
    /// Output of commands.
    Output,
}

impl Pane {
    /// Number of panes.
    pub const COUNT: usize = Self::ALL.len();

    /// All panes, in the order of their keys 1 to 9.
    pub const ALL: [Self; 9] = [
        Self::Source,
        Self::Warps,
        Self::Registers,
        Self::Stack,
        Self::Shared,
        Self::Global,
        Self::Access,
        Self::Timeline,
        Self::Output,
    ];

    /// Returns the name in titles, for a program in CUDA C or in PTX.
    pub fn name(self, is_cuda_c: bool) -> &'static str {
        match self {
            Self::Source if is_cuda_c => "CUDA C",
            Self::Source => "PTX",
            Self::Warps => "Warps",
            Self::Registers if is_cuda_c => "Variables",
            Self::Registers => "Registers",
            Self::Stack => "Stack",
            Self::Shared => "Shared",
            Self::Global => "Global",
            Self::Access => "Access",
            Self::Timeline => "Timeline",
            Self::Output => "Output",
        }
    }

    /// Returns the pane after this one, or before it.
    pub fn neighbor(self, forward: bool) -> Self {
        let step = if forward { 1 } else { Self::COUNT - 1 };
        Self::ALL[(self as usize + step) % Self::COUNT]
    }
}

/// Places on the screen.
#[derive(Debug)]
pub struct Layout {
    /// The launch, the warp in focus and its state.
    pub head: Rect,
    /// Visible panes; the first line of a place is the title.
    pub panes: Vec<(Pane, Rect)>,
    /// Pane whose title line lists all panes that share its place.
    pub tabs: Option<Pane>,
    /// The command line.
    pub input: Rect,
    /// The most important keys.
    pub keys: Rect,
}

/// Lines of the head.
const HEAD: u16 = 3;

/// Heights of the panes in each column of a screen with all panes. The last pane of a column has
/// the lines that remain.
const LEFT: [(Pane, u16); 5] =
    [(Pane::Source, 26), (Pane::Access, 30), (Pane::Shared, 16), (Pane::Global, 16), (Pane::Output, 12)];
const RIGHT: [(Pane, u16); 4] =
    [(Pane::Warps, 30), (Pane::Stack, 12), (Pane::Registers, 30), (Pane::Timeline, 28)];

/// Returns the places for `area`; `None` if it is too small. `selected` is the pane with the input;
/// `lower` is the pane below the source if there is space for one only. If `zoomed`, the selected
/// pane has all space.
pub fn layout(area: Rect, selected: Pane, lower: Pane, zoomed: bool) -> Option<Layout> {
    let Rect { x, y, width, height } = area;
    if width < SMALLEST.0 || height < SMALLEST.1 {
        return None;
    }
    let line = |from: u16, lines: u16| Rect { x, y: y + from, width, height: lines };
    let middle = line(HEAD, height - HEAD - 2);
    let (panes, tabs) = if zoomed {
        (vec![(selected, middle)], Some(selected))
    } else if width >= ALL_VISIBLE.0 && height >= ALL_VISIBLE.1 {
        let left = Rect { width: width / 2, ..middle };
        let right = Rect { x: x + width / 2, width: width - width / 2, ..middle };
        ([column(left, &LEFT), column(right, &RIGHT)].concat(), None)
    } else {
        let source = (middle.height - 1) / 2;
        let upper = Rect { height: source, ..middle };
        let below = Rect { y: middle.y + source, height: middle.height - source, ..middle };
        (vec![(Pane::Source, upper), (lower, below)], Some(lower))
    };
    Some(Layout { head: line(0, HEAD), panes, tabs, input: line(height - 2, 1), keys: line(height - 1, 1) })
}

/// Divides a column in proportion to the heights of its panes.
fn column(area: Rect, panes: &[(Pane, u16)]) -> Vec<(Pane, Rect)> {
    let all: u16 = panes.iter().map(|(_, height)| height).sum();
    let mut sum = 0;
    let place = |(pane, share): &(Pane, u16)| {
        let start = u32::from(area.height) * u32::from(sum) / u32::from(all);
        sum += share;
        let end = u32::from(area.height) * u32::from(sum) / u32::from(all);
        (*pane, Rect { y: area.y + start as u16, height: (end - start) as u16, ..area })
    };
    panes.iter().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_do_not_overlap_and_lie_inside() {
        for (width, height) in [(80, 24), (100, 30), (159, 60), (160, 48), (160, 50), (300, 100)] {
            for zoomed in [false, true] {
                let area = Rect::new(0, 0, width, height);
                let layout = layout(area, Pane::Warps, Pane::Stack, zoomed).expect("it is large enough");
                let panes = layout.panes.iter().map(|(_, place)| *place);
                let all: Vec<Rect> = panes.chain([layout.head, layout.input, layout.keys]).collect();
                for (i, one) in all.iter().enumerate() {
                    assert_eq!(one.intersection(area), *one, "{width}x{height}");
                    assert!(one.height >= 1 && one.width >= 79, "{width}x{height}: {one:?}");
                    assert!(all[..i].iter().all(|other| !other.intersects(*one)), "{width}x{height}");
                }
            }
        }
        assert!(layout(Rect::new(0, 0, 79, 24), Pane::Warps, Pane::Warps, false).is_none());
        assert!(layout(Rect::new(0, 0, 80, 23), Pane::Warps, Pane::Warps, false).is_none());
    }

    #[test]
    fn all_panes_are_visible_on_a_large_screen() {
        let layout = layout(Rect::new(0, 0, 160, 50), Pane::Warps, Pane::Warps, false).expect("large");
        assert!(Pane::ALL.iter().all(|pane| layout.panes.iter().any(|(other, _)| other == pane)));
    }
}
