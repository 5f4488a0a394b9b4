//! The dialogue of decisions: its state, the actions that change it, and the texts of its messages. A page, a terminal and a
//! script are views of it.
//!
//! `table` has the names of squares and values, which `parse` reads, `commands` the actions as lines of text, `completion` the solutions that
//! are left, and `page` a page in the browser.

mod commands;
mod completion;
pub mod page;
mod parse;
mod table;
#[cfg(test)]
mod tests;

use std::cell::OnceCell;
use std::sync::Arc;

use num_bigint::BigUint;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use topdd::diagram::DiagramRule;
use topdd::{Best, Configurator, Conflict, Decision, Diagram, Goal, QueryError, Status, Weights};

use crate::decimal::Scale;
pub use commands::{Answer, COMMANDS, Table, help};
pub use completion::{Listed, MAX_BEST};
pub use table::{Cell, CellTable, Placement, STATUSES, joined, word};

/// The most nodes of a diagram for which the number of solutions with a value, and the best weight, are always shown.
const SMALL: usize = 1 << 18;

/// The weights of the solutions of a diagram.
#[derive(Debug)]
pub struct Weighing {
    /// The weights as whole numbers.
    pub weights: Weights<i64>,
    /// The scale that made them whole.
    pub scale: Scale,
    /// Which solutions are best.
    pub goal: Goal,
}

impl Weighing {
    /// Returns the weight of a value of a variable.
    pub fn of_value(&self, variable: usize, value: usize) -> String {
        self.scale.text(self.weights.variable(variable)[value].into())
    }

    /// Returns the weight of a solution.
    pub fn weight(&self, solution: &[usize]) -> String {
        let of = |(variable, &value): (usize, &usize)| self.weights.variable(variable)[value];
        self.scale.text(solution.iter().enumerate().map(of).map(i128::from).sum())
    }
}

/// The last message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// The message.
    pub text: String,
    /// Whether it refuses an action.
    pub refused: bool,
    /// The decisions that it names as the reason.
    pub because: Vec<Decision>,
}

/// Decisions on the cells of a table.
#[derive(Clone, Debug)]
pub struct Dialogue<R: DiagramRule> {
    configurator: Configurator<R>,
    table: Arc<CellTable>,
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
}

impl<R: DiagramRule> Dialogue<R> {
    /// Starts a dialogue without decisions. `seed` is the seed of samples.
    pub fn new(configurator: Configurator<R>, table: impl Into<Arc<CellTable>>, seed: u64) -> Self {
        let table = table.into();
        let all = configurator.solutions_left().clone();
        Dialogue {
            configurator,
            table,
            said: Said::default(),
            done: Vec::new(),
            undone: Vec::new(),
            rng: ChaCha8Rng::seed_from_u64(seed),
            all,
            counts: OnceCell::new(),
            weighing: None,
            best: OnceCell::new(),
        }
    }

    /// Sets the weights of the solutions.
    pub fn with_weights(self, weighing: Option<Arc<Weighing>>) -> Self {
        Dialogue { weighing, ..self }
    }

    /// Returns the squares or values, and their names.
    pub fn table(&self) -> &CellTable {
        &self.table
    }

    /// Returns the last message.
    pub fn said(&self) -> &Said {
        &self.said
    }

    /// Returns the decisions, in their order.
    pub fn decisions(&self) -> &[Decision] {
        self.configurator.decisions()
    }

    /// The number of remaining solutions: those that satisfy all decisions.
    pub fn left(&self) -> &BigUint {
        self.configurator.solutions_left()
    }

    /// The number of all solutions.
    pub fn all(&self) -> &BigUint {
        &self.all
    }

    /// The solutions that are left, as a diagram.
    ///
    /// # Errors
    ///
    /// The errors of [`Configurator::rest`].
    pub fn rest(&self) -> Result<Diagram<R>, QueryError> {
        self.configurator.rest()
    }

    /// The status of a cell; `None` if there is no such cell. If a two-valued variable is decided,
    /// the decided cell is chosen or forbidden, and the other one forced or impossible; of an edge or vertex of a graph,
    /// one is chosen and the other one forbidden.
    pub fn status(&self, cell: Cell) -> Option<Status> {
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

    /// Selects the stream `draw` of the random generator: with a seed, equal streams give equal samples.
    pub fn set_draw(&mut self, draw: u64) {
        self.rng.set_stream(draw);
    }

    /// Whether further passes over the diagram take a moment only.
    fn is_small(&self) -> bool {
        self.configurator.diagram().node_count() <= SMALL
    }

    /// For each variable and value, the number of the solutions left that have it.
    fn value_counts(&self) -> &[Vec<BigUint>] {
        self.counts.get_or_init(|| self.configurator.value_counts())
    }

    /// For each variable, how many of a thousand remaining solutions have the value 1; `None` if counting them would take
    /// long.
    pub fn shares(&self) -> Option<Vec<u32>> {
        let is_quick = self.counts.get().is_some() || self.is_small();
        let counts = is_quick.then(|| self.value_counts())?;
        let share = |values: &Vec<BigUint>| {
            let twice = 2u32 * self.left();
            let thousand = values.get(1).map(|count| (count * 2000u32 + self.left()) / &twice);
            thousand.and_then(|share| u32::try_from(share).ok()).unwrap_or(0)
        };
        Some(counts.iter().map(share).collect())
    }

    /// The only solution that is left, in a line.
    pub fn solution(&self) -> Option<String> {
        let values: Option<Vec<usize>> = (*self.left() == BigUint::from(1u32)).then(|| {
            (0..self.configurator.num_vars()).map(|v| self.configurator.value(v)).collect()
        })?;
        values.map(|values| self.table.solution_text(&values))
    }

    /// For each variable, the number of its nodes, and of the nodes on the paths of the solutions that are left.
    pub fn widths(&self) -> Vec<[usize; 2]> {
        let all = self.configurator.diagram().widths();
        all.into_iter().zip(self.configurator.widths_left()).map(<[usize; 2]>::from).collect()
    }

    /// The diagram as SVG, with the solutions that are left marked; `None` with more than `limit` nodes, or too many
    /// edges.
    pub fn picture(&self, limit: usize) -> Option<String> {
        let shape = self.configurator.shape(limit).ok()?;
        Some(topdd_draw::diagram(&shape).to_string())
    }

    /// Takes all decisions back.
    pub fn clear(&mut self) {
        let any = !self.decisions().is_empty();
        self.configurator.reset();
        self.changed(usize::from(any));
        self.say(if any { "all decisions are taken back" } else { "nothing is decided" });
    }

    /// Makes a decision. One that was made before stays.
    pub fn decide(&mut self, decision: Decision) {
        let decision = self.table.canonical(decision);
        let before = self.decisions().to_vec();
        let taken_back = self.configurator.decide(decision).map(|()| Vec::new());
        self.decided(decision, &before, taken_back);
    }

    /// Makes a decision, and takes back the fewest decisions that oppose it.
    pub fn decide_anyway(&mut self, decision: Decision) {
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

    /// The decision that `anyway` makes: a forced cell is forbidden, another one chosen.
    pub fn other_way(&self, cell: Cell) -> Option<Decision> {
        let (variable, value) = self.table.at(cell)?;
        Some(self.table.canonical(match self.status(cell)? {
            Status::Forced => Decision::is_not(variable, value),
            _ => Decision::is(variable, value),
        }))
    }

    /// The fewest decisions without which a decision is possible, and what to say about them.
    pub fn opposing(&self, decision: Decision) -> Said {
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

    /// The decisions in words, as a list.
    fn described(&self, decisions: &[Decision]) -> String {
        joined(decisions.iter().map(|&decision| self.table.describe(decision)), "and")
    }

    /// Makes all the decisions, or none if they conflict.
    pub fn decide_all(&mut self, decisions: &[Decision]) {
        let decisions: Vec<_> = decisions.iter().map(|&d| self.table.canonical(d)).collect();
        match self.configurator.decide_all(&decisions) {
            Ok(()) => self.changed(usize::from(!decisions.is_empty())),
            Err(QueryError::Impossible(conflict)) => self.said = self.because(&conflict, true),
            Err(error) => self.refuse(&error.to_string()),
        }
    }

    /// Replaces all decisions, as one action, or none if they conflict.
    pub fn replace_all(&mut self, decisions: &[Decision]) {
        let any = !self.decisions().is_empty();
        self.configurator.reset();
        self.changed(usize::from(any));
        self.say("the decisions are replaced");
        self.decide_all(decisions);
        if self.said.refused && any {
            self.configurator.undo();
            self.done.pop();
            self.forget();
        } else if any && !decisions.is_empty() {
            let changes = self.done.drain(self.done.len() - 2..).sum();
            self.done.push(changes);
        }
    }

    /// Takes back the decision about a cell.
    pub fn free(&mut self, cell: Cell) {
        let Some((variable, value)) = self.table.at(cell) else { return };
        let is_about = |&&taken: &&Decision| self.table.cells_about(taken).contains(&cell);
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

    /// Takes back all decisions about a variable, as one action.
    pub fn free_variable(&mut self, variable: usize) {
        let about = self.decisions().iter().filter(|decision| decision.variable() == variable);
        let about: Vec<Decision> = about.copied().collect();
        if about.is_empty() {
            return self
                .refuse(&format!("nothing is decided about {}", self.table.variable(variable)));
        }
        for &decision in &about {
            if let Err(error) = self.configurator.take_back(decision) {
                return self.refuse(&error.to_string());
            }
        }
        self.changed(about.len());
        self.say(&format!("taken back: {}", self.described(&about)));
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

    /// Explains the status of a cell.
    pub fn why(&self, cell: Cell) -> Said {
        let Some((variable, value)) = self.table.at(cell) else { return Said::default() };
        let chosen = self.table.canonical(Decision::is(variable, value));
        let said = |text| Said { text, ..Said::default() };
        let Some(status) = self.status(cell) else { return Said::default() };
        let conflict = match status {
            Status::Impossible | Status::Forbidden => self.configurator.why_not(variable, value),
            Status::Forced => self.configurator.why(variable),
            Status::Chosen => {
                let text = format!("decided: {}", self.table.describe(chosen));
                return Said { because: vec![chosen], ..said(text) };
            }
            Status::Free => {
                let name = self.table.name(variable, value);
                let count = short(&self.value_counts()[variable][value]);
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
        Said { text, refused, because }
    }

    /// Takes back the last change.
    pub fn undo(&mut self) {
        let Some(changes) = self.done.pop() else { return self.refuse("there is nothing to undo") };
        for _ in 0..changes {
            self.configurator.undo();
        }
        self.undone.push(changes);
        self.forget();
        self.say("undone");
    }

    /// Makes the change again that was undone last.
    pub fn redo(&mut self) {
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

    /// Sets a message that refuses an action.
    pub fn refuse(&mut self, text: &str) {
        self.said = Said { text: text.to_owned(), refused: true, ..Said::default() };
    }
}

/// A count in full, or rounded if it has many digits.
pub fn short(count: &BigUint) -> String {
    let digits = count.to_string();
    match digits.len() {
        0..=24 => digits,
        len => format!("{}.{}e{}", &digits[..1], &digits[1..5], len - 1),
    }
}
