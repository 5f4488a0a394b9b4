//! Colours, and what stands for them where there are none.

use std::env;

use ratatui::style::{Color, Modifier, Style};
use topdd::Status;

/// What is to be seen first.
pub(super) const STRONG: Style = Style::new().add_modifier(Modifier::BOLD);

/// Where the cursor is.
pub(super) const CURSOR: Style =
    STRONG.add_modifier(Modifier::REVERSED).remove_modifier(Modifier::DIM);

/// How things look.
#[derive(Clone, Copy, Debug)]
pub(super) struct Palette {
    coloured: bool,
}

impl Palette {
    /// With colours or without.
    pub(super) fn new(coloured: bool) -> Self {
        Palette { coloured }
    }

    /// With colours, unless `NO_COLOR` is set to something.
    pub(super) fn of_environment() -> Self {
        Self::new(env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()))
    }

    fn paint(self, style: Style, colour: Color) -> Style {
        if self.coloured { style.fg(colour) } else { style }
    }

    /// How a value that stands so is shown.
    pub(super) fn of(self, status: Status) -> Style {
        let (plain, bold) = (Style::new(), STRONG);
        match status {
            Status::Chosen => self.paint(bold, Color::Green),
            Status::Forced => self.paint(bold, Color::Cyan),
            Status::Free => plain,
            Status::Forbidden => self.paint(plain, Color::Red),
            Status::Impossible => self.faint(),
        }
    }

    /// What is there, but need not be read.
    pub(super) fn faint(self) -> Style {
        // Dark grey is dim already, and some terminals show nothing that is both.
        if self.coloured {
            Style::new().fg(Color::DarkGray)
        } else {
            Style::new().add_modifier(Modifier::DIM)
        }
    }

    /// The reasons for what was said.
    pub(super) fn reason(self) -> Style {
        self.paint(STRONG, Color::Magenta)
    }

    /// What was refused.
    pub(super) fn refused(self) -> Style {
        self.paint(STRONG, Color::Red)
    }
}
