//! The actions of keys.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::configure::model::Action;

/// The key that needs weights, and its meaning.
pub(in crate::configure) const BEST: (&str, &str) = ("b", "complete at best");

/// The line of help.
pub(in crate::configure) const HELP: [(&str, &str); 11] = [
    ("arrows", "move"),
    ("Enter", "choose or take back"),
    ("x", "forbid"),
    ("?", "why"),
    ("!", "anyway"),
    ("u", "undo"),
    ("r", "redo"),
    ("s", "complete"),
    BEST,
    ("c", "clear"),
    ("q", "quit"),
];

/// The action of a key, if it has one.
pub(in crate::configure) fn action(key: KeyEvent) -> Option<Action> {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return match key.code {
            KeyCode::Char('d') => Some(Action::Quit),
            KeyCode::Char('z') => Some(Action::Undo),
            KeyCode::Char('r' | 'y') => Some(Action::Redo),
            _ => None,
        };
    }
    Some(match key.code {
        KeyCode::Left | KeyCode::Char('h') => Action::Left,
        KeyCode::Right | KeyCode::Char('l') => Action::Right,
        KeyCode::Up | KeyCode::Char('k') => Action::Up,
        KeyCode::Down | KeyCode::Char('j') => Action::Down,
        KeyCode::PageUp => Action::PageUp,
        KeyCode::PageDown => Action::PageDown,
        KeyCode::Home | KeyCode::Char('g') => Action::Top,
        KeyCode::End | KeyCode::Char('G') => Action::Bottom,
        KeyCode::Tab => Action::NextFree,
        KeyCode::Enter | KeyCode::Char(' ') => Action::Choose,
        KeyCode::Char('x') | KeyCode::Delete => Action::Forbid,
        KeyCode::Char('?' | 'w') => Action::Why,
        KeyCode::Char('!' | 'a') => Action::Anyway,
        KeyCode::Char('u') => Action::Undo,
        KeyCode::Char('r') => Action::Redo,
        KeyCode::Char('s') => Action::Sample,
        KeyCode::Char('b') => Action::Best,
        KeyCode::Char('c') => Action::Clear,
        KeyCode::Char('q') | KeyCode::Esc => Action::Quit,
        _ => return None,
    })
}
