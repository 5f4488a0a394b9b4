//! Colours, and the attributes that replace them without colours.

use std::env;

use ratatui::style::{Color, Modifier, Style};
use topdd::Status;

/// The style of emphasis.
pub(in crate::configure) const STRONG: Style = Style::new().add_modifier(Modifier::BOLD);

/// The style of the cell at the cursor.
pub(in crate::configure) const CURSOR: Style =
    STRONG.add_modifier(Modifier::REVERSED).remove_modifier(Modifier::DIM);

/// The styles of statuses.
#[derive(Clone, Copy, Debug)]
pub(in crate::configure) struct Palette {
    coloured: bool,
}

impl Palette {
    /// The palette with or without colours.
    pub(in crate::configure) fn new(coloured: bool) -> Self {
        Palette { coloured }
    }

    /// The palette with colours, unless `NO_COLOR` is set and not empty.
    pub(in crate::configure) fn of_environment() -> Self {
        Self::new(env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()))
    }

    fn paint(self, style: Style, colour: Color) -> Style {
        if self.coloured { style.fg(colour) } else { style }
    }

    /// The style of a status.
    pub(in crate::configure) fn style(self, status: Status) -> Style {
        let (plain, bold) = (Style::new(), STRONG);
        match status {
            Status::Chosen => self.paint(bold, Color::Green),
            Status::Forced => self.paint(bold, Color::Cyan),
            Status::Free => plain,
            Status::Forbidden => self.paint(plain, Color::Red),
            Status::Impossible => self.faint(),
        }
    }

    /// The style of less important text.
    pub(in crate::configure) fn faint(self) -> Style {
        // Dark grey is dim already, and some terminals show nothing that is both.
        if self.coloured {
            Style::new().fg(Color::DarkGray)
        } else {
            Style::new().add_modifier(Modifier::DIM)
        }
    }

    /// The style of cells that are a reason for the last message.
    pub(in crate::configure) fn reason(self) -> Style {
        self.paint(STRONG, Color::Magenta)
    }

    /// The style of a refusal.
    pub(in crate::configure) fn refused(self) -> Style {
        self.paint(STRONG, Color::Red)
    }
}
