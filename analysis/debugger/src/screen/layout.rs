//! Panes and their places for a size of the terminal.

use ratatui::layout::Rect;

/// Smallest size of a terminal: columns and rows.
pub const SMALLEST: (u16, u16) = (80, 24);

/// Size from which all panes of a launch are visible.
const ALL_VISIBLE: (u16, u16) = (160, 48);

/// Size from which all panes of host code are visible.
const ALL_OF_HOST: (u16, u16) = (110, 36);

/// A part of the screen. Some have other content in host code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pane {
    /// CUDA C or PTX with the warps at each line; the lines of host code.
    Source,
    /// Warps of the SM in focus; in host code the calls of the CUDA runtime.
    Warps,
    /// Variables and registers of the warp in focus; variables of host code.
    Registers,
    /// Its reconvergence stack; in host code the functions that are executed.
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

    /// The panes of host code.
    pub const OF_HOST: [Self; 5] = [Self::Source, Self::Warps, Self::Registers, Self::Stack, Self::Output];

    /// Returns the panes of host code or of a launch.
    pub fn all(is_host: bool) -> &'static [Self] {
        if is_host { &Self::OF_HOST } else { &Self::ALL }
    }

    /// Returns the pane after this one, or before it.
    pub fn neighbor(self, forward: bool, is_host: bool) -> Self {
        let all = Self::all(is_host);
        let at = all.iter().position(|pane| *pane == self).unwrap_or(0);
        let step = if forward { 1 } else { all.len() - 1 };
        all[(at + step) % all.len()]
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

/// The same for host code.
const LEFT_OF_HOST: [(Pane, u16); 2] = [(Pane::Source, 22), (Pane::Output, 10)];
const RIGHT_OF_HOST: [(Pane, u16); 3] = [(Pane::Registers, 14), (Pane::Warps, 12), (Pane::Stack, 6)];

/// The panes that are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Whether they are those of host code.
    pub is_host: bool,
    /// The pane with the input.
    pub selected: Pane,
    /// The pane below the source, if there is space for one only.
    pub lower: Pane,
    /// Whether the selected pane has all space.
    pub zoomed: bool,
}

/// Returns the places for `area`; `None` if it is too small.
pub fn layout(area: Rect, choice: Choice) -> Option<Layout> {
    let Choice { is_host, selected, lower, zoomed } = choice;
    let Rect { x, y, width, height } = area;
    if width < SMALLEST.0 || height < SMALLEST.1 {
        return None;
    }
    let line = |from: u16, lines: u16| Rect { x, y: y + from, width, height: lines };
    let middle = line(HEAD, height - HEAD - 2);
    let (panes, tabs) = if zoomed {
        (vec![(selected, middle)], Some(selected))
    } else if is_host && width >= ALL_OF_HOST.0 && height >= ALL_OF_HOST.1 {
        (columns(middle, width * 3 / 5, &LEFT_OF_HOST, &RIGHT_OF_HOST), None)
    } else if !is_host && width >= ALL_VISIBLE.0 && height >= ALL_VISIBLE.1 {
        (columns(middle, width / 2, &LEFT, &RIGHT), None)
    } else {
        let source = (middle.height - 1) / 2;
        let upper = Rect { height: source, ..middle };
        let below = Rect { y: middle.y + source, height: middle.height - source, ..middle };
        (vec![(Pane::Source, upper), (lower, below)], Some(lower))
    };
    Some(Layout { head: line(0, HEAD), panes, tabs, input: line(height - 2, 1), keys: line(height - 1, 1) })
}

/// Divides an area into two columns of panes, the left one `width` characters wide.
fn columns(area: Rect, width: u16, left: &[(Pane, u16)], right: &[(Pane, u16)]) -> Vec<(Pane, Rect)> {
    let first = Rect { width, ..area };
    let second = Rect { x: area.x + width, width: area.width - width, ..area };
    [column(first, left), column(second, right)].concat()
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

    fn choice(is_host: bool, zoomed: bool) -> Choice {
        Choice { is_host, selected: Pane::Warps, lower: Pane::Stack, zoomed }
    }

    #[test]
    fn places_do_not_overlap_and_lie_inside() {
        let sizes = [(80, 24), (100, 30), (110, 36), (159, 60), (160, 48), (160, 50), (300, 100)];
        for ((width, height), is_host) in sizes.into_iter().flat_map(|size| [(size, false), (size, true)]) {
            for zoomed in [false, true] {
                let area = Rect::new(0, 0, width, height);
                let layout = layout(area, choice(is_host, zoomed)).expect("it is large enough");
                let panes = layout.panes.iter().map(|(_, place)| *place);
                let all: Vec<Rect> = panes.chain([layout.head, layout.input, layout.keys]).collect();
                let narrowest = if is_host { 44 } else { 79 };
                for (i, one) in all.iter().enumerate() {
                    assert_eq!(one.intersection(area), *one, "{width}x{height}");
                    assert!(one.height >= 1 && one.width >= narrowest, "{width}x{height}: {one:?}");
                    assert!(all[..i].iter().all(|other| !other.intersects(*one)), "{width}x{height}");
                }
            }
        }
        assert!(layout(Rect::new(0, 0, 79, 24), choice(false, false)).is_none());
        assert!(layout(Rect::new(0, 0, 80, 23), choice(true, false)).is_none());
    }

    #[test]
    fn all_panes_are_visible_on_a_large_screen() {
        for (is_host, (width, height)) in [(false, (160, 50)), (true, (120, 40))] {
            let layout = layout(Rect::new(0, 0, width, height), choice(is_host, false)).expect("large");
            let is_shown = |pane: &Pane| layout.panes.iter().any(|(other, _)| other == pane);
            assert!(Pane::all(is_host).iter().all(is_shown));
        }
    }
}
