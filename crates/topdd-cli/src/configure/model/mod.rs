//! The state of the dialogue, and the actions that change it, without a screen.
//!
//! `completion` has the solutions that are left, and the actions that choose one of them.

mod completion;

use std::cell::OnceCell;
use std::sync::Arc;

use num_bigint::BigUint;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use topdd::diagram::DiagramRule;
#[cfg(feature = "web")]
use topdd::format::SvgOptions;
use topdd::{Best, Configurator, Conflict, Decision, QueryError, Status};

#[cfg(feature = "web")]
pub(super) use completion::{Listed, MAX_BEST};

use crate::cell_table::{Cell, CellTable, joined};
use crate::file::Weighing;

/// The rows of a page.
const PAGE: isize = 10;
/// The most nodes of a diagram for which the number of solutions with a value, and the best weight, are always shown.
const SMALL: usize = 1 << 18;

/// An action of the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    Left,
    Right,
    Up,
    Down,
    PageUp,
    PageDown,
    /// Moves to the first or the last row of the screen.
    Top,
    Bottom,
    /// Moves to the next free cell, row by row.
    NextFree,
    /// Chooses the cell, or takes the choice back.
    Choose,
    /// Forbids the cell, or allows it again.
    Forbid,
    Why,
    /// Chooses the cell, or forbids a forced one, although decisions oppose it. The first time, those
    /// decisions are named; the second time, they are taken back. A chosen cell stays.
    Anyway,
    Undo,
    Redo,
    Sample,
    /// Completes the decisions to the best solution that is left.
    Best,
    Clear,
    Quit,
}

/// The last message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Said {
    pub(super) text: String,
    /// Whether it refuses an action.
    pub(super) refused: bool,
    /// The decisions that it names as the reason.
    pub(super) because: Vec<Decision>,
    /// The decision that [`Action::Anyway`] takes next.
    pub(super) offer: Option<Decision>,
}

/// Decisions on the cells of a table, and a cursor.
#[derive(Debug)]
pub(super) struct Model<R: DiagramRule> {
    configurator: Configurator<R>,
    table: Arc<CellTable>,
    cursor: Cell,
    said: Said,
    /// The number of changes of the configurator by each action that can be undone.
    done: Vec<usize>,
    undone: Vec<usize>,
    rng: ChaCha8Rng,
    all: BigUint,
    /// The number of solutions with each value, once it was computed.
    counts: OnceCell<Vec<Vec<BigUint>>>,
    /// The weights of the solutions, if they have any.
    weighing: Option<Arc<Weighing>>,
    /// The best solution that is left, once it was computed.
    best: OnceCell<Option<Best>>,
    over: bool,
}

impl<R: DiagramRule> Model<R> {
    /// Starts a dialogue without decisions. `seed` is the seed of samples.
    pub(super) fn new(
        configurator: Configurator<R>,
        table: impl Into<Arc<CellTable>>,
        seed: u64,
    ) -> Self {
        let table = table.into();
        let all = configurator.solutions_left().clone();
        // The upper left corner, where one begins to read.
        let row = table.shown(0);
        Model {
            configurator,
            table,
            cursor: Cell { row, col: 0 },
            said: Said::default(),
            done: Vec::new(),
            undone: Vec::new(),
            rng: ChaCha8Rng::seed_from_u64(seed),
            all,
            counts: OnceCell::new(),
            weighing: None,
            best: OnceCell::new(),
            over: false,
        }
    }

    /// Sets the weights of the solutions.
    pub(super) fn with_weights(self, weighing: Option<Arc<Weighing>>) -> Self {
        Model { weighing, ..self }
    }

    pub(super) fn table(&self) -> &CellTable {
        &self.table
    }

    pub(super) fn cursor(&self) -> Cell {
        self.cursor
    }

    pub(super) fn said(&self) -> &Said {
        &self.said
    }

    /// Whether the dialogue has ended.
    pub(super) fn is_over(&self) -> bool {
        self.over
    }

    pub(super) fn decisions(&self) -> &[Decision] {
        self.configurator.decisions()
    }

    /// The number of remaining solutions: those that satisfy all decisions.
    pub(super) fn left(&self) -> &BigUint {
        self.configurator.solutions_left()
    }

    /// The number of all solutions.
    pub(super) fn all(&self) -> &BigUint {
        &self.all
    }

    /// The status of a cell; `None` if there is no such cell. If a two-valued variable is decided,
    /// the decided cell is chosen or forbidden, and the other one forced or impossible; of an edge or vertex of a graph,
    /// one is chosen and the other one forbidden.
    pub(super) fn status(&self, cell: Cell) -> Option<Status> {
        let (variable, value) = self.table.at(cell)?;
        if !(self.table.has_sets() && value == 0) {
            return self.configurator.get_status(variable, value);
        }
        Some(match self.configurator.get_status(variable, 1)? {
            Status::Chosen => Status::Forbidden,
            Status::Forbidden => Status::Chosen,
            Status::Forced => Status::Impossible,
            Status::Impossible => Status::Forced,
            Status::Free => Status::Free,
        })
    }

    /// Whether the last message names a decision about this cell as a reason.
    pub(super) fn is_reason(&self, cell: Cell) -> bool {
        self.said.because.iter().any(|&reason| self.table.cells_about(reason).contains(&cell))
    }

    /// The number of remaining solutions with the cell at the cursor; `None` if counting them would
    /// take long.
    pub(super) fn count_here(&self) -> Option<&BigUint> {
        (self.counts.get().is_some() || self.is_small()).then(|| self.counted())?
    }

    /// Selects the stream `draw` of the random generator: with a seed, equal streams give equal samples.
    #[cfg(feature = "web")]
    pub(super) fn set_draw(&mut self, draw: u64) {
        self.rng.set_stream(draw);
    }

    /// Whether further passes over the diagram take a moment only.
    fn is_small(&self) -> bool {
        self.configurator.diagram().node_count() <= SMALL
    }

    fn counted(&self) -> Option<&BigUint> {
        let (variable, value) = self.table.at(self.cursor)?;
        self.counts.get_or_init(|| self.configurator.value_counts()).get(variable)?.get(value)
    }

    /// For each variable, how many of a thousand remaining solutions have the value 1; `None` if counting them would take
    /// long.
    #[cfg(feature = "web")]
    pub(super) fn shares(&self) -> Option<Vec<u32>> {
        self.count_here()?;
        let counts = self.counts.get_or_init(|| self.configurator.value_counts());
        let share = |values: &Vec<BigUint>| {
            let twice = 2u32 * self.left();
            let thousand = values.get(1).map(|count| (count * 2000u32 + self.left()) / &twice);
            thousand.and_then(|share| u32::try_from(share).ok()).unwrap_or(0)
        };
        Some(counts.iter().map(share).collect())
    }

    /// The only solution that is left, in a line.
    #[cfg(feature = "web")]
    pub(super) fn solution(&self) -> Option<String> {
        let values: Option<Vec<usize>> = (*self.left() == BigUint::from(1u32)).then(|| {
            (0..self.configurator.num_vars()).map(|v| self.configurator.value(v)).collect()
        })?;
        values.map(|values| self.table.solution_text(&values))
    }

    /// For each variable, the number of its nodes, and of the nodes on the paths of the solutions that are left.
    #[cfg(feature = "web")]
    pub(super) fn widths(&self) -> Vec<[usize; 2]> {
        let all = self.configurator.diagram().widths();
        all.into_iter().zip(self.configurator.widths_left()).map(<[usize; 2]>::from).collect()
    }

    /// The diagram as SVG, with the solutions that are left marked; `None` with more than `limit` nodes, or too many
    /// edges.
    #[cfg(feature = "web")]
    pub(super) fn picture(&self, limit: usize) -> Option<String> {
        self.configurator.to_svg(&SvgOptions::new().limit(limit)).ok()
    }

    /// Moves the cursor to a cell, if there is such a cell.
    pub(super) fn go_to(&mut self, cell: Cell) {
        if self.table.at(cell).is_some() {
            self.cursor = cell;
        }
    }

    /// Performs an action.
    pub(super) fn act(&mut self, action: Action) {
        match action {
            Action::Left => self.step(0, -1),
            Action::Right => self.step(0, 1),
            Action::Up => self.step(-1, 0),
            Action::Down => self.step(1, 0),
            Action::PageUp => self.step(-PAGE, 0),
            Action::PageDown => self.step(PAGE, 0),
            Action::Top => self.step(isize::MIN, 0),
            Action::Bottom => self.step(isize::MAX, 0),
            Action::NextFree => self.next_free(),
            Action::Quit => self.over = true,
            Action::Choose | Action::Forbid => self.toggle(action),
            Action::Why => self.said = self.why(),
            Action::Anyway => self.offer_anyway(),
            Action::Undo => self.undo(),
            Action::Redo => self.redo(),
            Action::Sample => self.sample(),
            Action::Best => self.complete_best(),
            Action::Clear => {
                let any = !self.decisions().is_empty();
                self.configurator.reset();
                self.changed(usize::from(any));
                self.say(if any { "all decisions are taken back" } else { "nothing is decided" });
            }
        }
    }

    /// Makes a decision. One that was made before stays.
    pub(super) fn decide(&mut self, decision: Decision) {
        let decision = self.table.canonical(decision);
        let before = self.decisions().to_vec();
        let taken_back = self.configurator.decide(decision).map(|()| Vec::new());
        self.decided(decision, &before, taken_back);
    }

    /// Makes a decision, and takes back the fewest decisions that oppose it.
    pub(super) fn decide_anyway(&mut self, decision: Decision) {
        let decision = self.table.canonical(decision);
        let before = self.decisions().to_vec();
        let taken_back = self.configurator.decide_anyway(decision);
        self.decided(decision, &before, taken_back);
    }

    /// Records and reports a decision, by the decisions `before` and those that it took back.
    fn decided(
        &mut self,
        decision: Decision,
        before: &[Decision],
        taken_back: Result<Vec<Decision>, QueryError>,
    ) {
        let text = self.table.describe(decision);
        match taken_back {
            Ok(_) if self.decisions() == before => self.say(&format!("decided already: {text}")),
            Ok(taken_back) => {
                self.changed(1);
                let also = self.described(&taken_back);
                let also = if also.is_empty() { also } else { format!("; taken back: {also}") };
                self.say(&format!("{text}{also}"));
            }
            Err(QueryError::Impossible(conflict)) => self.said = self.because(&conflict, true),
            Err(error) => self.refuse(&error.to_string()),
        }
    }

    /// The decision that [`Action::Anyway`] takes: a forced cell at the cursor is forbidden, another one chosen.
    pub(super) fn other_way(&self) -> Option<Decision> {
        let (variable, value) = self.table.at(self.cursor)?;
        Some(self.table.canonical(match self.status(self.cursor)? {
            Status::Forced => Decision::is_not(variable, value),
            _ => Decision::is(variable, value),
        }))
    }

    /// The fewest decisions without which a decision is possible, and what to say about them.
    pub(super) fn opposing(&self, decision: Decision) -> Said {
        let text = self.table.describe(decision);
        match self.configurator.opposing(decision) {
            Ok(because) if because.is_empty() => {
                Said { text: format!("{text}: no decision opposes it"), ..Said::default() }
            }
            Ok(because) => {
                let text = format!("{text}: this takes back {}", self.described(&because));
                Said { text, because, ..Said::default() }
            }
            Err(QueryError::Impossible(conflict)) => self.because(&conflict, true),
            Err(error) => Said { text: error.to_string(), refused: true, ..Said::default() },
        }
    }

    fn offer_anyway(&mut self) {
        let Some(decision) = self.other_way() else { return };
        if self.said.offer == Some(decision) {
            return self.decide_anyway(decision);
        }
        let said = self.opposing(decision);
        if said.refused || said.because.is_empty() {
            return self.decide_anyway(decision);
        }
        let text = format!("{}; ask once more to confirm", said.text);
        self.said = Said { text, offer: Some(decision), ..said };
    }

    /// The decisions in words, as a list.
    fn described(&self, decisions: &[Decision]) -> String {
        joined(decisions.iter().map(|&decision| self.table.describe(decision)), "and")
    }

    /// Makes all of these decisions, or none if they conflict.
    pub(super) fn decide_all(&mut self, decisions: &[Decision]) {
        let decisions: Vec<_> = decisions.iter().map(|&d| self.table.canonical(d)).collect();
        match self.configurator.decide_all(&decisions) {
            Ok(()) => self.changed(usize::from(!decisions.is_empty())),
            Err(QueryError::Impossible(conflict)) => self.said = self.because(&conflict, true),
            Err(error) => self.refuse(&error.to_string()),
        }
    }

    /// Takes back the decisions about the cell at the cursor.
    pub(super) fn free(&mut self) {
        let Some((variable, value)) = self.table.at(self.cursor) else { return };
        let is_about = |&&taken: &&Decision| self.table.cells_about(taken).contains(&self.cursor);
        match self.decisions().iter().find(is_about).copied() {
            Some(decision) => self.take_back(decision),
            None => {
                self.refuse(&format!(
                    "nothing is decided about {}",
                    self.table.name(variable, value)
                ));
            }
        }
    }

    fn take_back(&mut self, decision: Decision) {
        match self.configurator.take_back(decision) {
            Ok(()) => {
                self.changed(1);
                self.say(&format!("taken back: {}", self.table.describe(decision)));
            }
            Err(error) => self.refuse(&error.to_string()),
        }
    }

    /// Chooses or forbids the cell at the cursor, or takes that decision back.
    fn toggle(&mut self, action: Action) {
        let Some((variable, value)) = self.table.at(self.cursor) else { return };
        let decision = match action {
            Action::Choose => Decision::is(variable, value),
            _ => Decision::is_not(variable, value),
        };
        let decision = self.table.canonical(decision);
        if self.decisions().contains(&decision) {
            self.take_back(decision);
        } else {
            self.decide(decision);
        }
    }

    /// Explains the status of the cell at the cursor.
    fn why(&self) -> Said {
        let Some((variable, value)) = self.table.at(self.cursor) else { return Said::default() };
        let chosen = self.table.canonical(Decision::is(variable, value));
        let said = |text| Said { text, ..Said::default() };
        let Some(status) = self.status(self.cursor) else { return Said::default() };
        let conflict = match status {
            Status::Impossible | Status::Forbidden => self.configurator.why_not(variable, value),
            Status::Forced => self.configurator.why(variable),
            Status::Chosen => {
                let text = format!("decided: {}", self.table.describe(chosen));
                return Said { because: vec![chosen], ..said(text) };
            }
            Status::Free => {
                let name = self.table.name(variable, value);
                let count = self.counted().map_or_else(String::new, short);
                let left = short(self.left());
                return said(format!("{name} is free: {count} of {left} solutions have it"));
            }
        };
        match conflict {
            Ok(Some(conflict)) => self.because(&conflict, false),
            Ok(None) => Said::default(),
            Err(error) => Said { refused: true, ..said(error.to_string()) },
        }
    }

    /// Refuses a decision as impossible, and names the decisions that conflict with it.
    fn because(&self, conflict: &Conflict, refused: bool) -> Said {
        let claim = self.table.refusal(conflict.decision);
        let because = conflict.because.clone();
        let reasons = self.described(&because);
        let text = match because.len() {
            0 => format!("{claim}: it is so in every solution"),
            _ if conflict.smallest => format!("{claim}, because of: {reasons}"),
            _ => format!("{claim}, because of (fewer may do): {reasons}"),
        };
        Said { text, refused, because, ..Said::default() }
    }

    fn undo(&mut self) {
        let Some(changes) = self.done.pop() else { return self.refuse("there is nothing to undo") };
        for _ in 0..changes {
            self.configurator.undo();
        }
        self.undone.push(changes);
        self.forget();
        self.say("undone");
    }

    fn redo(&mut self) {
        let Some(changes) = self.undone.pop() else {
            return self.refuse("there is nothing to redo");
        };
        for _ in 0..changes {
            self.configurator.redo();
        }
        self.done.push(changes);
        self.forget();
        self.say("redone");
    }

    /// Records an action that made this number of changes.
    fn changed(&mut self, changes: usize) {
        if changes > 0 {
            self.done.push(changes);
            self.undone.clear();
            self.forget();
        }
    }

    /// Removes what was computed for the decisions before a change.
    fn forget(&mut self) {
        self.counts.take();
        self.best.take();
    }

    fn say(&mut self, text: &str) {
        self.said = Said { text: text.to_owned(), ..Said::default() };
    }

    pub(super) fn refuse(&mut self, text: &str) {
        self.said = Said { text: text.to_owned(), refused: true, ..Said::default() };
    }

    /// Moves the cursor by numbers of rows on the screen and of columns.
    fn step(&mut self, rows: isize, cols: isize) {
        // Of the board, the last row is shown first.
        let rows = if self.table.board().is_some() { rows.saturating_neg() } else { rows };
        let moved = |at: usize, by: isize, size: usize| {
            at.saturating_add_signed(by).min(size.saturating_sub(1))
        };
        let row = moved(self.cursor.row, rows, self.table.rows());
        let col = moved(self.cursor.col, cols, self.table.cols_in(row));
        self.cursor = Cell { row, col };
    }

    fn next_free(&mut self) {
        // As one reads, from the top; then from the beginning.
        let read = |cell: &Cell| (self.table.shown(cell.row), cell.col);
        let here = read(&self.cursor);
        let free = self.table.cells().filter(|&cell| self.status(cell) == Some(Status::Free));
        match free.min_by_key(|cell| (read(cell) <= here, read(cell))) {
            Some(cell) => self.cursor = cell,
            None => self.say("nothing is free any more"),
        }
    }
}

/// A count in full, or rounded if it has many digits.
pub(super) fn short(count: &BigUint) -> String {
    let digits = count.to_string();
    match digits.len() {
        0..=24 => digits,
        len => format!("{}.{}e{}", &digits[..1], &digits[1..5], len - 1),
    }
}
