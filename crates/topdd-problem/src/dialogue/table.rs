//! Names and signs of a board, or of a table of variables.

use std::collections::{HashMap, HashSet};

use topdd::{Decision, Status};
use topdd_chess::{Board, Piece, Square};
use topdd_graph::families::Unit;

use crate::elements::GraphElements;
use crate::elements::NO_ELEMENTS;
use crate::names::{Name, NameIndex, Nouns, quote};

/// A position in the table: a square of a board, or a variable and a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// Counted from the bottom on a board, from the top in a table of variables.
    pub row: usize,
    /// Counted from the left.
    pub col: usize,
}

/// Pieces on a board, in a problem where each value of a variable puts pieces on certain squares,
/// independently of the other variables.
#[derive(Clone, Debug)]
pub struct Placement {
    /// The piece.
    pub piece: Piece,
    /// The board.
    pub board: Board,
    /// For each square, in the order of [`Board::squares`], the variable and the value that put a
    /// piece on it.
    pub puts: Vec<(usize, usize)>,
}

/// A board, or a table of variables.
#[derive(Debug)]
pub struct CellTable {
    pub(super) title: String,
    pub(super) kind: Kind,
    /// The graph whose elements the variables are, and the element of each variable.
    graph: Option<(GraphElements, Vec<usize>)>,
    /// Whether solutions are sets of the variables that have the value 1.
    has_sets: bool,
}

#[derive(Debug)]
pub(super) enum Kind {
    Board {
        piece: Piece,
        board: Board,
        /// For each square, the variable and the value that put a piece on it.
        puts: Vec<(usize, usize)>,
        /// For each variable and value, its squares: more than one if the solutions are symmetric.
        squares: HashMap<(usize, usize), Vec<Square>>,
    },
    List {
        arities: Vec<usize>,
        most: usize,
        /// The names of the variables, if the file has names.
        names: Option<Names>,
        /// The names of the values of each variable, as they are printed; `None` if they are numbers.
        values: Option<Vec<Vec<String>>>,
    },
}

/// The names of variables.
#[derive(Debug)]
pub(super) struct Names {
    /// The words for the variables: edges or vertices in a graph.
    pub(super) nouns: Nouns,
    /// As they are printed, by variable.
    pub(super) printed: Vec<String>,
    pub(super) index: NameIndex,
}

/// The most letters of a solution in a line.
const MAX_TEXT: usize = 1000;

/// All statuses of a value.
pub const STATUSES: [Status; 5] =
    [Status::Chosen, Status::Forced, Status::Free, Status::Forbidden, Status::Impossible];

impl CellTable {
    /// A board of pieces.
    pub fn on_board(title: String, placement: Placement) -> Self {
        let Placement { piece, board, puts } = placement;
        let mut squares: HashMap<_, Vec<Square>> = HashMap::new();
        for (square, &put) in board.squares().zip(&puts) {
            squares.entry(put).or_default().push(square);
        }
        let kind = Kind::Board { piece, board, puts, squares };
        CellTable { title, kind, graph: None, has_sets: false }
    }

    /// The table of variables with these numbers of values, with `names` if there is one for each. `nouns` are the
    /// words for the variables.
    pub fn list(
        title: String,
        arities: Vec<usize>,
        names: Option<Vec<Name>>,
        nouns: Nouns,
    ) -> Self {
        let most = arities.iter().copied().max().unwrap_or(0);
        let names = names.filter(|names| names.len() == arities.len());
        let names = names.map(|names| Names {
            nouns,
            printed: names.iter().map(Name::printed).collect(),
            index: NameIndex::new(&names),
        });
        let kind = Kind::List { arities, most, names, values: None };
        CellTable { title, kind, graph: None, has_sets: false }
    }

    /// Adds the graph whose elements the variables are, and the element of each variable.
    pub fn with_graph(self, graph: Option<(GraphElements, Vec<usize>)>) -> Self {
        let unit = graph.as_ref().map(|(elements, _)| elements.unit());
        CellTable { has_sets: matches!(unit, Some(Unit::Edge | Unit::Vertex)), graph, ..self }
    }

    /// Reads the solutions as sets of the variables that have the value 1.
    pub fn with_sets(self) -> Self {
        CellTable { has_sets: true, ..self }
    }

    /// Adds the names of the values of each variable. They remain numbers if some variable does not have one for each value, or
    /// has two of the same name.
    pub fn with_values(mut self, given: &[Vec<String>]) -> Self {
        if let Kind::List { arities, values, .. } = &mut self.kind {
            let are_names = |(names, &arity): (&Vec<String>, &usize)| {
                names.len() == arity && names.iter().collect::<HashSet<_>>().len() == arity
            };
            let fits = given.len() == arities.len() && given.iter().zip(&*arities).all(are_names);
            let printed =
                |names: &Vec<String>| names.iter().map(|name| quote(name).into_owned()).collect();
            *values = fits.then(|| given.iter().map(printed).collect());
        }
        self
    }

    /// What the solutions of a graph consist of; `None` without a graph.
    pub fn unit(&self) -> Option<Unit> {
        self.graph.as_ref().map(|(elements, _)| elements.unit())
    }

    /// The map of the graph; see [`GraphElements::map`].
    pub fn map(&self) -> Option<serde_json::Value> {
        self.graph.as_ref().map(|(elements, order)| elements.map(order))
    }

    /// The title, one line.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The board; `None` for a table of variables.
    pub fn board(&self) -> Option<Board> {
        match self.kind {
            Kind::Board { board, .. } => Some(board),
            Kind::List { .. } => None,
        }
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        match &self.kind {
            Kind::Board { board, .. } => board.rows,
            Kind::List { arities, .. } => arities.len(),
        }
    }

    /// The number of columns of the widest row.
    pub fn cols(&self) -> usize {
        match self.kind {
            Kind::Board { board, .. } => board.cols,
            Kind::List { most, .. } => most,
        }
    }

    /// The number of columns of a row.
    pub fn cols_in(&self, row: usize) -> usize {
        match &self.kind {
            Kind::Board { board, .. } => board.cols,
            Kind::List { arities, .. } => arities.get(row).copied().unwrap_or(0),
        }
    }

    /// All cells, row by row.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + '_ {
        (0..self.rows()).flat_map(|row| (0..self.cols_in(row)).map(move |col| Cell { row, col }))
    }

    /// The variable and the value of a cell, if there is such a cell.
    pub fn at(&self, cell: Cell) -> Option<(usize, usize)> {
        match &self.kind {
            Kind::Board { board, puts, .. } => {
                board.index(Square::new(cell.row, cell.col)).map(|index| puts[index])
            }
            Kind::List { .. } => {
                (cell.col < self.cols_in(cell.row)).then_some((cell.row, cell.col))
            }
        }
    }

    /// The cells of a value of a variable: one, or several if the solutions of a board are symmetric.
    fn cells_of(&self, variable: usize, value: usize) -> Vec<Cell> {
        match &self.kind {
            Kind::Board { squares, .. } => {
                let squares = squares.get(&(variable, value)).into_iter().flatten();
                squares.map(|square| Cell { row: square.row, col: square.col }).collect()
            }
            Kind::List { .. } => vec![Cell { row: variable, col: value }],
        }
    }

    /// The cells of a solution: the squares with pieces, the edges or vertices on a map, or all values.
    pub fn solution_cells(&self, solution: &[usize]) -> Vec<Cell> {
        let values = solution.iter().enumerate().map(|(variable, &value)| (variable, value));
        let is_shown = |&(_, value): &(usize, usize)| value == 1 || !self.has_sets();
        values.filter(is_shown).flat_map(|(v, value)| self.cells_of(v, value)).collect()
    }

    /// A solution in a line: the squares with pieces, the edges or vertices of a set, or the values of all variables. A
    /// long line is cut short.
    pub fn solution_text(&self, solution: &[usize]) -> String {
        let mut cells = self.solution_cells(solution);
        let text = match (&self.graph, &self.kind) {
            (Some((graph, order)), _) => graph.line(&graph.read(order, solution)),
            (None, Kind::List { arities, values: None, .. })
                if arities.iter().all(|&arity| arity == 2) =>
            {
                let ones = cells.iter().filter(|cell| cell.col == 1);
                ones.map(|cell| self.row_name(cell.row)).collect::<Vec<_>>().join(" ")
            }
            (None, _) => {
                cells.sort_by_key(|cell| (cell.row, cell.col));
                let names = cells.iter().map(|&cell| self.cell_name(cell));
                names.collect::<Vec<_>>().join(" ")
            }
        };
        match text.char_indices().nth(MAX_TEXT) {
            Some((end, _)) => format!("{} …", &text[..end]),
            None if text.is_empty() => NO_ELEMENTS.to_owned(),
            None => text,
        }
    }

    /// The name of a variable beside its level of the diagram.
    pub fn level_name(&self, variable: usize) -> String {
        let Kind::Board { board, puts, .. } = &self.kind else { return self.row_name(variable) };
        let own = board.squares().zip(puts).filter(|(_, put)| put.0 == variable);
        let own: Vec<(usize, usize)> = own.map(|(square, put)| (square.row, put.1)).collect();
        match &own[..] {
            [(_, value), rest @ ..] if rest.iter().all(|other| other.1 == *value) => {
                self.name(variable, *value)
            }
            [(row, _), rest @ ..] if rest.iter().all(|other| other.0 == *row) => {
                format!("row {}", row + 1)
            }
            _ => format!("variable {variable}"),
        }
    }

    /// The name of a cell, as [`parse`](CellTable::parse) reads it.
    pub fn cell_name(&self, cell: Cell) -> String {
        match &self.kind {
            Kind::Board { .. } => Square::new(cell.row, cell.col).to_string(),
            Kind::List { .. } => {
                format!("{}={}", self.row_name(cell.row), self.value_name(cell.row, cell.col))
            }
        }
    }

    /// The names of the values of a variable in a table; `None` if they are numbers.
    pub fn value_names(&self, variable: usize) -> Option<&[String]> {
        let Kind::List { values, .. } = &self.kind else { return None };
        values.as_ref().and_then(|all| all.get(variable)).map(|names| &names[..])
    }

    /// The name of a value of a variable in a table.
    pub fn value_name(&self, variable: usize, value: usize) -> String {
        let names = self.value_names(variable);
        names.map_or_else(|| value.to_string(), |names| names[value].clone())
    }

    /// The piece on the board, a capital letter.
    pub fn piece(&self) -> Option<char> {
        match self.kind {
            Kind::Board { piece, .. } => Some(piece.letter()),
            Kind::List { .. } => None,
        }
    }

    /// The decision that gives a value to a variable. On a board, a square that stays empty is a
    /// forbidden square.
    pub fn decision(&self, variable: usize, value: usize) -> Decision {
        match &self.kind {
            Kind::Board { squares, .. } if !squares.contains_key(&(variable, value)) => {
                Decision::is_not(variable, 1)
            }
            _ => self.canonical(Decision::is(variable, value)),
        }
    }

    /// The name of a row.
    pub fn row_name(&self, row: usize) -> String {
        match &self.kind {
            Kind::Board { .. } => (row + 1).to_string(),
            Kind::List { names: None, .. } => row.to_string(),
            Kind::List { names: Some(names), .. } => {
                names.printed.get(row).cloned().unwrap_or_default()
            }
        }
    }

    /// Returns the name of a column.
    pub fn col_name(&self, col: usize) -> String {
        match self.kind {
            Kind::Board { .. } => {
                let name = Square::new(0, col).to_string();
                name.trim_end_matches('1').to_owned()
            }
            Kind::List { .. } => col.to_string(),
        }
    }

    /// The sign of a status. Chosen pieces are capital letters, forced ones small letters.
    pub fn sign(&self, status: Status) -> char {
        match (status, &self.kind) {
            (Status::Chosen, Kind::Board { piece, .. }) => piece.letter(),
            (Status::Forced, Kind::Board { piece, .. }) => piece.letter().to_ascii_lowercase(),
            (Status::Chosen, Kind::List { .. }) => '*',
            (Status::Forced, Kind::List { .. }) => '+',
            (Status::Free, _) => '.',
            (Status::Forbidden, _) => 'x',
            (Status::Impossible, _) => '-',
        }
    }

    /// The name of a value of a variable: a square, or variable and value.
    pub fn name(&self, variable: usize, value: usize) -> String {
        match &self.kind {
            Kind::Board { squares, .. } => match squares.get(&(variable, value)) {
                Some(squares) => joined(squares.iter().map(Square::to_string), "and"),
                None => Decision::is(variable, value).to_string(),
            },
            Kind::List { .. } => {
                format!("{} = {}", self.variable(variable), self.value_name(variable, value))
            }
        }
    }

    /// Whether solutions are sets of variables, such as edges or vertices of a graph.
    pub fn has_sets(&self) -> bool {
        self.has_sets
    }

    /// Whether a decision includes its edge or vertex; `None` if solutions are not sets.
    fn membership(&self, decision: Decision) -> Option<bool> {
        self.has_sets().then(|| decision.allows(1))
    }

    /// Returns the normal form of a decision. For sets, it is about the value 1: `e = 0` becomes
    /// `e != 1`.
    pub fn canonical(&self, decision: Decision) -> Decision {
        match self.membership(decision) {
            Some(true) => Decision::is(decision.variable(), 1),
            Some(false) => Decision::is_not(decision.variable(), 1),
            None => decision,
        }
    }

    /// The cells that a decision is about. About an edge or vertex, these are both of its values.
    pub fn cells_about(&self, decision: Decision) -> Vec<Cell> {
        if self.has_sets() {
            return vec![
                Cell { row: decision.variable(), col: 1 },
                Cell { row: decision.variable(), col: 0 },
            ];
        }
        self.cells_of(decision.variable(), decision.value())
    }

    /// A decision in words.
    pub fn describe(&self, decision: Decision) -> String {
        let (variable, value) = (decision.variable(), decision.value());
        if let Some(is_in) = self.membership(decision) {
            let status = if is_in { Status::Chosen } else { Status::Forbidden };
            return format!("{} {}", self.variable(variable), word(status));
        }
        match (&self.kind, decision) {
            (Kind::Board { piece, .. }, Decision::Is { .. }) => {
                format!("{} on {}", one(*piece), self.name(variable, value))
            }
            (Kind::Board { piece, .. }, Decision::IsNot { .. }) => {
                format!("no {} on {}", one(*piece), self.name(variable, value))
            }
            (Kind::List { .. }, Decision::Is { .. }) => self.name(variable, value),
            (Kind::List { .. }, Decision::IsNot { .. }) => {
                format!("{} != {}", self.variable(variable), self.value_name(variable, value))
            }
        }
    }

    /// The command of a script that makes a decision.
    pub fn command(&self, decision: Decision) -> String {
        let command = if matches!(decision, Decision::Is { .. }) { "choose" } else { "forbid" };
        let cells = self.cells_of(decision.variable(), decision.value());
        let name = cells.first().map(|&cell| self.cell_name(cell)).unwrap_or_default();
        format!("{command} {name}")
    }

    /// The refusal of an impossible decision, in words.
    pub fn refusal(&self, decision: Decision) -> String {
        let (variable, value) = (decision.variable(), decision.value());
        if let Some(is_in) = self.membership(decision) {
            let status = if is_in { Status::Chosen } else { Status::Forbidden };
            return format!("{} cannot be {}", self.variable(variable), word(status));
        }
        let name = self.name(variable, value);
        match (&self.kind, decision) {
            (Kind::Board { piece, .. }, Decision::Is { .. }) => {
                format!("no {} can stand on {name}", one(*piece))
            }
            (Kind::Board { piece, .. }, Decision::IsNot { .. }) => {
                format!("a {} must stand on {name}", one(*piece))
            }
            (Kind::List { .. }, Decision::Is { .. }) => {
                format!(
                    "{} cannot be {}",
                    self.variable(variable),
                    self.value_name(variable, value)
                )
            }
            (Kind::List { .. }, Decision::IsNot { .. }) => {
                format!("{} must be {}", self.variable(variable), self.value_name(variable, value))
            }
        }
    }

    /// The name of a variable in messages.
    pub(super) fn variable(&self, variable: usize) -> String {
        match &self.kind {
            Kind::List { names: Some(names), .. } => names.printed[variable].clone(),
            _ => format!("variable {variable}"),
        }
    }
}

/// The name of the piece in the singular.
fn one(piece: Piece) -> String {
    piece.to_string().trim_end_matches('s').to_owned()
}

/// The name of a status.
pub fn word(status: Status) -> &'static str {
    match status {
        Status::Chosen => "chosen",
        Status::Forced => "forced",
        Status::Free => "free",
        Status::Forbidden => "forbidden",
        Status::Impossible => "impossible",
    }
}

/// The words as a list: with commas, and `last` before the last one.
pub fn joined(words: impl IntoIterator<Item = String>, last: &str) -> String {
    let mut words: Vec<String> = words.into_iter().collect();
    match words.pop() {
        Some(end) if words.is_empty() => end,
        Some(end) => format!("{} {last} {end}", words.join(", ")),
        None => String::new(),
    }
}
