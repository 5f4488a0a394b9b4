//! The loop at the terminal: draw, wait for a key, act.

pub(super) mod keys;
pub(super) mod palette;
mod table;
pub(super) mod view;

use std::io::{self, BufWriter, Stderr};
use std::sync::Once;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;
use std::{iter, panic, thread};

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::crossterm::{cursor, execute, terminal};
#[cfg(unix)]
use signal_hook::consts::{SIGHUP, SIGQUIT};
use topdd::diagram::DiagramRule;

use super::model::Model;
use crate::failure::Failure;
use crate::interrupt;
use palette::Palette;

/// The interval at which signals are checked.
const A_MOMENT: Duration = Duration::from_millis(50);

/// Runs the dialogue at the terminal until it is over. It is drawn on standard error, as its
/// result goes to standard output.
pub(super) fn run<R: DiagramRule>(model: &mut Model<R>) -> Result<(), Failure> {
    let failed = |error: io::Error| {
        Failure::Failed(format!(
            "cannot use this terminal: {error}\nhint: with --script, commands are read from \
             standard input"
        ))
    };
    let done = Screen::enter().and_then(|mut screen| screen.hold(model));
    done.map_err(failed)
}

/// The screen. Dropping it restores the terminal.
struct Screen {
    terminal: Terminal<CrosstermBackend<BufWriter<Stderr>>>,
    /// Dropped after the terminal, which may still write.
    _entered: Entered,
}

impl Screen {
    fn enter() -> io::Result<Self> {
        let entered = Entered::new()?;
        // One write per picture, as standard error does not wait by itself.
        let backend = CrosstermBackend::new(BufWriter::new(io::stderr()));
        Ok(Screen { terminal: Terminal::new(backend)?, _entered: entered })
    }

    fn hold<R: DiagramRule>(&mut self, model: &mut Model<R>) -> io::Result<()> {
        let palette = Palette::of_environment();
        let heard = listen()?;
        while !model.is_over() && !interrupt::token().is_cancelled() {
            // It asks for the size of the screen each time.
            self.terminal
                .draw(|frame| view::draw(model, palette, frame.area(), frame.buffer_mut()))?;
            let first = match heard.recv_timeout(A_MOMENT) {
                Ok(event) => event,
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            };
            // Of a key that is held down, all that waits is done before the next picture.
            for event in iter::once(first).chain(heard.try_iter()) {
                if let Some(action) = key(&event?).and_then(keys::action) {
                    model.act(action);
                }
                if model.is_over() {
                    break;
                }
            }
        }
        Ok(())
    }
}

/// A key that was pressed.
fn key(event: &Event) -> Option<KeyEvent> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => Some(*key),
        _ => None,
    }
}

/// Reads events on a thread of its own, so that Ctrl-C also ends a long computation.
fn listen() -> io::Result<Receiver<io::Result<Event>>> {
    let (say, heard) = mpsc::channel();
    let listening = move || loop {
        let event = event::read();
        let failed = event.is_err();
        let stop = event.as_ref().ok().and_then(key).is_some_and(|key| {
            key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL)
        });
        if stop {
            interrupt::stop();
        }
        if say.send(event).is_err() || failed {
            return;
        }
    };
    thread::Builder::new().spawn(listening)?;
    Ok(heard)
}

/// The terminal in raw mode; restored when this is dropped.
struct Entered;

impl Entered {
    fn new() -> io::Result<Self> {
        static HOOK: Once = Once::new();
        // The message of a panic must not be on the alternate screen, which disappears.
        HOOK.call_once(|| {
            let before = panic::take_hook();
            panic::set_hook(Box::new(move |info| {
                leave();
                before(info);
            }));
        });
        interrupt::restore_by(leave);
        // Without a handler, these end the process without restoring the terminal.
        #[cfg(unix)]
        let _ = interrupt::watch_for(&[SIGHUP, SIGQUIT]);
        terminal::enable_raw_mode()?;
        let entered = Entered;
        execute!(io::stderr(), terminal::EnterAlternateScreen, cursor::Hide)?;
        Ok(entered)
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        leave();
    }
}

/// Restores the terminal, once. If a step fails, the others are still tried.
fn leave() {
    static LEFT: Once = Once::new();
    LEFT.call_once(|| {
        let _ = terminal::disable_raw_mode();
        // This waits if the terminal is stopped.
        let _ = execute!(io::stderr(), terminal::LeaveAlternateScreen, cursor::Show);
    });
}
