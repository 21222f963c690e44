//! Styles of the screen. Without colors, bold, underlined and reversed text has the same meaning.

use ratatui::style::{Color, Modifier, Style};
use sim_core::stats::{TerminalColor, WarpState};

/// The styles.
#[derive(Clone, Copy, Debug)]
pub struct Theme {
    colors: bool,
}

impl Theme {
    /// Styles with or without colors.
    pub fn new(colors: bool) -> Self {
        Self { colors }
    }

    fn colored(self, color: Color, modifier: Modifier) -> Style {
        let style = Style::new().add_modifier(modifier);
        if self.colors { style.fg(color) } else { style }
    }

    /// The line at the top.
    pub fn head(self) -> Style {
        self.colored(Color::Reset, Modifier::REVERSED | Modifier::BOLD)
    }

    /// Title of a pane.
    pub fn title(self, selected: bool) -> Style {
        let modifier = if selected { Modifier::REVERSED | Modifier::BOLD } else { Modifier::BOLD };
        self.colored(Color::Cyan, modifier)
    }

    /// Headings of columns, line numbers and hints.
    pub fn dim(self) -> Style {
        self.colored(Color::DarkGray, if self.colors { Modifier::empty() } else { Modifier::DIM })
    }

    /// The warp in focus and its line.
    pub fn focus(self) -> Style {
        self.colored(Color::Reset, Modifier::BOLD)
    }

    /// A value that has changed since the last stop.
    pub fn changed(self) -> Style {
        self.colored(Color::Yellow, Modifier::BOLD | Modifier::UNDERLINED)
    }

    /// An error message.
    pub fn error(self) -> Style {
        self.colored(Color::Red, Modifier::BOLD)
    }

    /// Key names.
    pub fn key(self) -> Style {
        self.colored(Color::Cyan, Modifier::BOLD)
    }

    /// A state of a warp.
    pub fn state(self, state: WarpState) -> Style {
        let modifier = if state == WarpState::Issuing { Modifier::BOLD } else { Modifier::empty() };
        match state.row().terminal {
            TerminalColor::Green => self.colored(Color::Green, modifier),
            TerminalColor::Blue => self.colored(Color::Blue, modifier),
            TerminalColor::Yellow => self.colored(Color::Yellow, modifier),
            TerminalColor::Red => self.colored(Color::Red, modifier),
            TerminalColor::Magenta => self.colored(Color::Magenta, modifier),
            TerminalColor::Gray => self.dim(),
        }
    }
}
