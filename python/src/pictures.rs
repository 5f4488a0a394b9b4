//! Pictures of solutions and graphs as SVG.

use std::collections::HashMap;
use std::path::PathBuf;
use std::slice;

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyTuple};
use topdd::BigUint;
use topdd_chess::Square;
use topdd_draw::{AssignmentPicture, BoardPicture, CellValue, GraphPicture, graph_sheet, sheet};

use crate::errors::{Failure, Outcome};
use crate::graph::{Graph, GraphData};
use crate::run::short;
use crate::solution::{Solution, Solutions};
use crate::universe::{Domain, Universe};

/// The most vertices and edges of a graph that is drawn, and the most variables.
const DRAWN: usize = 1000;
/// The number of solutions side by side.
const ACROSS: usize = 4;

/// A picture, which a notebook shows.
#[pyclass(frozen, module = "topdd")]
pub(crate) struct Picture(pub(crate) topdd_draw::Picture);

#[pymethods]
impl Picture {
    /// The text of the SVG document.
    #[getter]
    fn svg(&self) -> String {
        self.0.to_string()
    }

    /// Writes the picture to a file, whose name ends in ``.svg`` or ``.png``. The longer side of a PNG file has 1600
    /// pixels, or up to 6000 if there are many squares.
    fn save(&self, path: PathBuf, py: Python<'_>) -> Outcome<()> {
        let ending = path.extension().unwrap_or_default().to_ascii_lowercase();
        let bytes = match ending.to_str() {
            Some("svg") => self.0.to_string().into_bytes(),
            Some("png") => self.png(py)?,
            _ => {
                return Err(Failure::Input(format!(
                    "{} does not end in .svg or .png; other programs convert SVG to other formats",
                    path.display()
                )));
            }
        };
        std::fs::write(&path, bytes)
            .map_err(|error| Failure::File(format!("cannot write {}: {error}", path.display())))
    }

    fn _repr_svg_(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        let (width, height) = self.0.size();
        format!("<topdd.Picture: {width} x {height}>")
    }
}

impl Picture {
    /// The picture as a PNG file, with a warning of characters that no font has.
    fn png(&self, py: Python<'_>) -> Outcome<Vec<u8>> {
        let png = short(py, || self.0.to_png().map_err(Failure::input))?;
        if !png.missing.is_empty() {
            let message =
                format!("no font has {:?}, which the picture lacks; save it as .svg", png.missing);
            let warnings = py.import("warnings")?;
            warnings.call_method1("warn", (message,))?;
        }
        Ok(png.bytes)
    }
}

#[pymethods]
impl Graph {
    /// Returns a picture of the graph: at the positions ``pos``, or at positions by springs.
    fn picture(&self, py: Python<'_>) -> Outcome<Picture> {
        Ok(Picture(graph_picture(&self.0, py)?.picture()))
    }

    fn _repr_svg_(&self, py: Python<'_>) -> Outcome<Option<String>> {
        if is_large(&self.0) {
            return Ok(None);
        }
        Ok(Some(graph_picture(&self.0, py)?.picture().to_string()))
    }
}

#[pymethods]
impl Solution {
    /// Returns a picture of the solution: of the graph with its edges, or vertices, or colours, or of the board, or of the values
    /// of variables.
    ///
    /// Variables whose names are pairs ``(row, column)``, or squares such as ``"a1"``, are in a grid. Others are in a table. ``True``
    /// has a mark, and ``False`` is an empty cell.
    fn picture(&self, py: Python<'_>) -> Outcome<Picture> {
        drawn(of_solution(self, py)?)
    }
}

#[pymethods]
impl Solutions {
    /// Returns a picture of the solutions side by side, of the first twelve if there are more.
    fn picture(&self, py: Python<'_>) -> Outcome<Picture> {
        drawn(of_solutions(&self.shown(), py)?)
    }
}

fn drawn(picture: Option<topdd_draw::Picture>) -> Outcome<Picture> {
    picture.map(Picture).ok_or_else(|| {
        Failure::Input(format!(
            "there is no picture of this; boards, and graphs and variables of at most {DRAWN} are drawn"
        ))
    })
}

fn is_large(graph: &GraphData) -> bool {
    graph.core.num_vertices().max(graph.core.num_edges()) > DRAWN
}

fn graph_picture(graph: &GraphData, py: Python<'_>) -> Outcome<GraphPicture> {
    if is_large(graph) {
        return Err(Failure::Input(format!(
            "a graph of more than {DRAWN} vertices or edges is not drawn"
        )));
    }
    let labelled = graph.labelled(py)?;
    short(py, || Ok(GraphPicture::new(&labelled)))
}

/// A picture of one kind, before it is drawn.
enum Drawing {
    Graph(Box<GraphPicture>),
    Board(BoardPicture),
}

fn draft(solution: &Solution, py: Python<'_>) -> Outcome<Option<Drawing>> {
    let members = || solution.members();
    let (graph, part) = match &*solution.universe {
        Universe::Squares(_, board, piece) => {
            let squares: Vec<Square> = board.squares().collect();
            let pieces: Vec<Square> = members().map(|number| squares[number]).collect();
            return Ok(Some(Drawing::Board(BoardPicture::new(*board).pieces(*piece, &pieces))));
        }
        Universe::Objects(_) | Universe::Variables(..) => return Ok(None),
        Universe::Graph(graph, part) => (graph, part),
    };
    if let (Some(board), Some(tour)) = (graph.board, solution.sequence()) {
        let tour: Vec<Square> =
            tour.into_iter().map(|vertex| square_of(graph, vertex, py)).collect::<Outcome<_>>()?;
        let closed = members().count() == tour.len();
        return Ok(Some(Drawing::Board(BoardPicture::new(board).tour(&tour, closed))));
    }
    if is_large(graph) {
        return Ok(None);
    }
    let picture = graph_picture(graph, py)?;
    let blocks = || solution.blocks().map(|blocks| blocks.into_iter().enumerate());
    Ok(Some(Drawing::Graph(Box::new(match part {
        Domain::Vertices => picture.vertices(members()),
        Domain::Colours(_) => picture.colours(blocks()?),
        Domain::Edges(reading) if reading.blocks => picture.edges(members()).colours(blocks()?),
        Domain::Edges(_) => picture.edges(members()),
    }))))
}

/// The square that a vertex of the graph of moves is.
fn square_of(graph: &GraphData, vertex: usize, py: Python<'_>) -> Outcome<Square> {
    let name = graph.vertices.object(py, vertex)?.str()?.to_string();
    name.parse().map_err(Failure::input)
}

pub(crate) fn of_solution(
    solution: &Solution,
    py: Python<'_>,
) -> Outcome<Option<topdd_draw::Picture>> {
    if let Universe::Variables(..) = &*solution.universe {
        return of_assignments(slice::from_ref(solution), py);
    }
    let draft = draft(solution, py)?;
    short(py, || {
        Ok(draft.map(|draft| match draft {
            Drawing::Graph(picture) => picture.picture(),
            Drawing::Board(picture) => picture.picture(),
        }))
    })
}

/// A sheet of several solutions.
pub(crate) fn of_solutions(
    solutions: &[Solution],
    py: Python<'_>,
) -> Outcome<Option<topdd_draw::Picture>> {
    if let Some(Universe::Variables(..)) = solutions.first().map(|first| &*first.universe) {
        return of_assignments(solutions, py);
    }
    let (mut graphs, mut boards) = (Vec::new(), Vec::new());
    for solution in solutions {
        match draft(solution, py)? {
            Some(Drawing::Graph(picture)) => graphs.push((*picture, String::new())),
            Some(Drawing::Board(picture)) => boards.push((picture, String::new())),
            None => return Ok(None),
        }
    }
    let title = format!("{} solutions", solutions.len());
    Ok(match (graphs.is_empty(), boards.is_empty()) {
        (false, _) => Some(graph_sheet(&graphs, ACROSS, &title)),
        (_, false) => Some(sheet(&boards, ACROSS, &title)),
        _ => None,
    })
}

/// A picture of assignments of the same variables.
fn of_assignments(solutions: &[Solution], py: Python<'_>) -> Outcome<Option<topdd_draw::Picture>> {
    let universe = &solutions[0].universe;
    let objects = universe.elements().objects(py);
    if objects.len() > DRAWN {
        return Ok(None);
    }
    let (values, numbers) = cell_values(universe, py)?;
    let names = objects.iter().map(|name| text(&name)).collect::<PyResult<_>>()?;
    let mut picture = AssignmentPicture::new(names, values);
    let pairs = objects.iter().map(|name| match name.cast::<PyTuple>() {
        Ok(name) if name.len() == 2 => {
            Ok(Some([text(&name.get_item(0)?)?, text(&name.get_item(1)?)?]))
        }
        _ => Ok(None),
    });
    if let Some(pairs) = pairs.collect::<PyResult<Option<Vec<_>>>>()? {
        picture = picture.pairs(&pairs);
    }
    let row = |solution: &Solution| {
        let values = solution.values.iter().zip(&numbers);
        values.map(|(&value, numbers)| numbers[usize::from(value)]).collect()
    };
    let rows: Vec<Vec<usize>> = solutions.iter().map(row).collect();
    short(py, || Ok(Some(picture.picture(&rows, ACROSS))))
}

/// All values of the variables, each once, and the number of each value of each variable.
fn cell_values(universe: &Universe, py: Python<'_>) -> PyResult<(Vec<CellValue>, Vec<Vec<usize>>)> {
    let (mut all, mut known) = (Vec::new(), HashMap::new());
    let mut numbers: Vec<Vec<usize>> = Vec::new();
    for element in 0..universe.elements().len() {
        let values = universe.values(element);
        if element > 0 && values.is(&universe.values(element - 1)) {
            numbers.push(numbers[element - 1].clone());
            continue;
        }
        let mut own = Vec::new();
        for object in values.objects(py)? {
            let value = match object.cast::<PyBool>() {
                Ok(bool) if bool.is_true() => CellValue::True,
                Ok(_) => CellValue::False,
                Err(_) => CellValue::Text(text(&object)?),
            };
            own.push(*known.entry(value).or_insert_with_key(|value| {
                all.push(value.clone());
                all.len() - 1
            }));
        }
        numbers.push(own);
    }
    Ok((all, numbers))
}

fn text(object: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(object.str()?.to_string_lossy().into_owned())
}

/// A picture of the number of solutions that use each element.
pub(crate) fn heat_map(
    universe: &Universe,
    uses: Vec<BigUint>,
    count: &BigUint,
    py: Python<'_>,
) -> Outcome<topdd_draw::Picture> {
    Ok(match universe {
        Universe::Squares(_, board, _) => {
            BoardPicture::new(*board).heat(board.squares().zip(uses), count).picture()
        }
        Universe::Graph(graph, Domain::Edges(_)) => match graph.board {
            Some(board) => {
                let squares = |(&(a, b), uses)| {
                    Ok((square_of(graph, a, py)?, square_of(graph, b, py)?, uses))
                };
                let moves = graph.core.edges().iter().zip(uses).map(squares);
                let moves = moves.collect::<Outcome<Vec<_>>>()?;
                BoardPicture::new(board).moves(moves, count).picture()
            }
            None => {
                graph_picture(graph, py)?.edge_uses(uses.into_iter().enumerate(), count).picture()
            }
        },
        Universe::Graph(graph, Domain::Vertices) => {
            graph_picture(graph, py)?.vertex_uses(uses.into_iter().enumerate(), count).picture()
        }
        _ => return Err(Failure::input("heat maps are for edges, vertices and squares")),
    })
}
