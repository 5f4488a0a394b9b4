//! The dialogue, driven by keys and read off the screen.

mod brute_force;
mod screen;

use clap::Parser;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use topdd::diagram::{DiagramRule, ZeroSuppressed};

use super::model::Model;
use super::queens_board;
use super::terminal::palette::Palette;
use super::terminal::{keys, view};
use crate::args::{Args, Command, Decided};

/// A board of queens, as `topdd configure queens` starts with these arguments.
fn queens(args: &str) -> Model<ZeroSuppressed> {
    let words = "topdd configure queens".split(' ').chain(args.split_whitespace());
    let Command::Configure(asked) = Args::parse_from(words).command else { panic!("{args}") };
    let Some(Decided::Queens(asked)) = asked.problem else { panic!("{args}") };
    let (zdd, table) = queens_board(&asked.placed).expect("a board");
    Model::new(zdd.configure().expect("solutions"), table, 1)
}

/// Presses these keys, of which some have names.
fn press<R: DiagramRule>(model: &mut Model<R>, keys: &str) {
    for name in keys.split_whitespace() {
        let code = match name {
            "left" => KeyCode::Left,
            "right" => KeyCode::Right,
            "up" => KeyCode::Up,
            "down" => KeyCode::Down,
            "home" => KeyCode::Home,
            "end" => KeyCode::End,
            "tab" => KeyCode::Tab,
            "enter" => KeyCode::Enter,
            "esc" => KeyCode::Esc,
            _ => KeyCode::Char(name.chars().next().expect("a name")),
        };
        let key = KeyEvent::new(code, KeyModifiers::NONE);
        model.act(keys::action(key).unwrap_or_else(|| panic!("{name} means nothing")));
    }
}

/// The state, drawn on a screen of this size.
fn drawn<R: DiagramRule>(model: &Model<R>, coloured: bool, (width, height): (u16, u16)) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("a screen");
    let palette = Palette::new(coloured);
    terminal
        .draw(|frame| view::draw(model, palette, frame.area(), frame.buffer_mut()))
        .expect("drawn");
    terminal.backend().buffer().clone()
}

/// The lines of a screen, without the blanks at their ends.
fn lines(buffer: &Buffer) -> Vec<String> {
    let line = |y| {
        let cells = (0..buffer.area.width).map(|x| buffer[(x, y)].symbol());
        cells.collect::<String>().trim_end().to_owned()
    };
    (0..buffer.area.height).map(line).collect()
}

/// The lines of a screen that is large enough for most.
fn screen<R: DiagramRule>(model: &Model<R>) -> Vec<String> {
    lines(&drawn(model, true, (100, 40)))
}
