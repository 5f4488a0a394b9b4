//! `topdd cover`, and saved exact covers.

use num_bigint::BigUint;
use serde_json::{Value, json};
use topdd::Frontier;
use topdd::spec::ArraySpec;
use topdd_chess::{Board, Square};
use topdd_draw::{BoardPicture, Picture, sheet};
use topdd_problem::{Cover, CoverFile, Elements, Name, Subject};

use super::files::ProblemFile;
use super::{Identity, Problem, Variables, drawn};
use crate::args;
use crate::failure::Failure;
use crate::form::{ElementForm, Form, Sheet, Usage};
use crate::output::counted;

/// The most squares of a board that is drawn.
const MAX_SQUARES: usize = 1 << 12;

/// Makes the problem of a command line.
pub(crate) fn problem(asked: &args::Cover) -> Result<Box<dyn Problem>, Failure> {
    let (path, common) = (&asked.file, &asked.common);
    #[cfg(feature = "cluster")]
    if path == std::path::Path::new(super::files::STDIN) {
        // The input of the processes that --processes starts is a pipe without content.
        crate::cluster::refuse(common, "standard input")?;
    }
    let file = ProblemFile::read(path, "cover", common)?;
    let text = std::str::from_utf8(&file.bytes);
    let text = text.map_err(|_| file.failed("this is no text in UTF-8"))?;
    let of_file = CoverFile::parse(text).map_err(|error| file.failed(error))?;
    let (names, order) = (of_file.option_names(), of_file.cover.option_order());
    let identity = identity(&file, of_file.items().len(), &order);
    let elements = Elements::named(order, |option| names[option].clone());
    let form = CoverForm::new(elements);
    let is_drawn = common.pictures.svg.is_some() || common.pictures.png.is_some();
    if is_drawn && form.board.is_none() {
        return Err(Failure::usage(
            "--svg and --png draw squares, and the items are not named as squares (a1, b1, ..); leave the option out",
        ));
    }
    Ok(Box::new(Covers { identity, cover: of_file.cover, form }))
}

fn identity(file: &ProblemFile, items: usize, order: &[usize]) -> Identity {
    let options = order.len();
    Identity {
        title: format!(
            "exact covers of {}: {}, {}",
            file.name,
            counted(items, "item"),
            counted(options, "option")
        ),
        facts: json!({
            "name": "cover",
            "file": file.name,
            "items": items,
            "options": options,
            "digest": file.digest(order),
        }),
        formulation: "cover",
        unit: "option",
        subject: Some(Subject::Cover),
    }
}

/// The exact covers of a file.
struct Covers {
    identity: Identity,
    cover: Cover,
    form: CoverForm,
}

impl Problem for Covers {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn frontier(&self) -> Result<Frontier<'_>, Failure> {
        Ok(Frontier::of_boxed(self.cover.spec(&self.form.options.elements.order).boxed()))
    }

    fn num_vars(&self) -> Result<usize, Failure> {
        Ok(self.form.options.elements.order.len())
    }

    fn variables(&self) -> Option<Variables<'_>> {
        Some(Variables::Elements(&self.form.options.elements))
    }

    fn heats(&self) -> Result<(), Failure> {
        Err(Failure::usage("--heat is not for exact covers, which cover each square equally often"))
    }
}

impl Form for Covers {
    fn line(&self, solution: &[usize]) -> String {
        self.form.line(solution)
    }

    fn json(&self, solution: &[usize]) -> Value {
        self.form.json(solution)
    }

    fn draw(&self, solution: &[usize], ascii: bool) -> Option<String> {
        self.form.draw(solution, ascii)
    }

    fn usage(&self, counts: &[Vec<BigUint>]) -> Vec<Usage> {
        self.form.usage(counts)
    }

    fn picture(&self, sheet: &Sheet) -> Option<Picture> {
        self.form.picture(sheet)
    }
}

/// The form of exact covers, whose options are named by their items.
pub(crate) struct CoverForm {
    options: ElementForm,
    /// The board of the squares among the items, if there are squares.
    board: Option<CoverBoard>,
}

/// Squares that are items.
struct CoverBoard {
    board: Board,
    /// The squares of the board that are no items.
    missing: Vec<Square>,
    /// The squares of the option of each variable.
    squares: Vec<Vec<Square>>,
}

impl CoverForm {
    pub(crate) fn new(elements: Elements) -> Self {
        let board = CoverBoard::new(&elements.names);
        CoverForm { options: ElementForm::new(elements), board }
    }
}

impl CoverBoard {
    /// Finds squares in the names of options; `None` if they are less than half of a board, as for items such as r1.
    fn new(options: &[Name]) -> Option<Self> {
        let squares = |name: &Name| -> Vec<Square> {
            name.plain().split_whitespace().filter_map(|item| item.parse().ok()).collect()
        };
        let squares: Vec<Vec<Square>> = options.iter().map(squares).collect();
        let all = || squares.iter().flatten();
        let side =
            |of: fn(&Square) -> usize| all().map(of).max().map(|last| last.saturating_add(1));
        let board = Board::new(side(|square| square.row)?, side(|square| square.col)?);
        let size = board.rows.checked_mul(board.cols).filter(|&size| size <= MAX_SQUARES)?;
        let mut is_item = vec![false; size];
        for &square in all() {
            is_item[board.index(square)?] = true;
        }
        let missing = board.squares().zip(&is_item).filter(|(_, is_item)| !**is_item);
        let missing: Vec<Square> = missing.map(|(square, _)| square).collect();
        (2 * missing.len() <= size).then_some(CoverBoard { board, missing, squares })
    }

    /// The squares of each option of a solution.
    fn classes(&self, options: &ElementForm, solution: &[usize]) -> Vec<&[Square]> {
        options.chosen(solution).map(|variable| &self.squares[variable][..]).collect()
    }
}

impl Form for CoverForm {
    fn line(&self, solution: &[usize]) -> String {
        self.options.line(solution)
    }

    fn json(&self, solution: &[usize]) -> Value {
        self.options.json(solution)
    }

    fn usage(&self, counts: &[Vec<BigUint>]) -> Vec<Usage> {
        self.options.usage(counts)
    }

    fn draw(&self, solution: &[usize], ascii: bool) -> Option<String> {
        let board = self.board.as_ref()?;
        let classes = board.classes(&self.options, solution);
        Some(drawn(&board.board.draw_classes(&classes), ascii))
    }

    fn picture(&self, Sheet { solutions, across, title }: &Sheet) -> Option<Picture> {
        let board = self.board.as_ref()?;
        let picture = |(solution, caption): &(Vec<usize>, String)| {
            let empty = BoardPicture::new(board.board).missing(board.missing.iter().copied());
            (empty.classes(&board.classes(&self.options, solution)), caption.clone())
        };
        let mut pictures: Vec<_> = solutions.iter().map(picture).collect();
        match across {
            Some(across) => Some(sheet(&pictures, *across, title)),
            None => Some(pictures.pop()?.0.title(title).picture()),
        }
    }
}
