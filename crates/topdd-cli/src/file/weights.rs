//! The weights of a file, or of the graph of a diagram.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use topdd::{Goal, Weights};
use topdd_problem::{Decimal, ElementWeights, Elements, Scale, Weighing};

use super::weight_lines::{are_sets, parse};
use super::{Content, name};
use crate::failure::Failure;
use crate::progress::say;

/// The most values that get weights: 1 GiB of them.
const MAX_VALUES: usize = 1 << 26;

/// Finds the weights in `given`, or else as [`of`] does. Returns `None` if the diagram has no usable
/// weights, and neither `given` nor the maximum is asked for; a note is printed if the graph has unusable ones.
pub(crate) fn weighing(
    content: &Content,
    given: Option<&WeightFile>,
    file: &Path,
    goal: Goal,
) -> Result<Option<Weighing>, Failure> {
    match weighed(content, given, file, goal) {
        Err(Failure::Usage(message)) if given.is_none() && goal == Goal::Minimum => {
            let lost = |elements: Elements| matches!(elements.weights, ElementWeights::Lost(_));
            if content.elements().is_some_and(lost) {
                say(format_args!("note: {message}"));
            }
            Ok(None)
        }
        weighing => weighing.map(Some),
    }
}

/// Finds the weights in `given`, or else as [`of`] does.
pub(super) fn weighed(
    content: &Content,
    given: Option<&WeightFile>,
    file: &Path,
    goal: Goal,
) -> Result<Weighing, Failure> {
    let weights = choose(content, given, file)?;
    let scale = Scale::new(weights.iter().flatten());
    let weights = scaled(&weights, scale, given.map_or(file, |given| &given.path))?;
    Ok(Weighing { weights, scale, goal })
}

/// The text of a file of weights.
pub(crate) struct WeightFile {
    path: PathBuf,
    text: String,
}

impl WeightFile {
    /// Reads a file. Its lines are not looked at.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let text = fs::read_to_string(path).map_err(|error| {
            let hint = match error.kind() {
                ErrorKind::NotFound => {
                    "\nhint: such a file has a line for each value that weighs something: its \
                     variable, the value, and the weight, as in: 0 3 100"
                }
                _ => "",
            };
            Failure::Failed(format!("cannot read {}: {error}{hint}", path.display()))
        })?;
        Ok(WeightFile { path: path.to_owned(), text })
    }
}

/// The weights in the file at `path`, or else of the graph of the diagram, in which each edge or vertex weighs 1 if
/// none has a weight. `file` is the file of the diagram.
pub(super) fn of(
    content: &Content,
    path: Option<&Path>,
    file: &Path,
) -> Result<Vec<Vec<Decimal>>, Failure> {
    choose(content, path.map(WeightFile::read).transpose()?.as_ref(), file)
}

/// Like [`of`], with the file of weights already read.
fn choose(
    content: &Content,
    given: Option<&WeightFile>,
    file: &Path,
) -> Result<Vec<Vec<Decimal>>, Failure> {
    let (arities, elements) = (content.arities(), content.elements());
    if let Some(given) = given {
        return read(given, &arities, elements.as_ref());
    }
    match elements {
        Some(Elements { weights: ElementWeights::Given(ones), .. }) => {
            Ok(ones.into_iter().map(|weight| vec![0.into(), weight]).collect())
        }
        Some(Elements { weights: ElementWeights::Lost(loss), .. }) => Err(Failure::Usage(format!(
            "{} has no weights: {loss}; give --weights FILE",
            name(file)
        ))),
        Some(Elements { are_coloured: false, .. }) if are_sets(&arities) => {
            Ok(vec![vec![0.into(), 1.into()]; arities.len()])
        }
        _ => Err(Failure::Usage(format!(
            "{} has no weights; give a file of weights, with --weights",
            name(file)
        ))),
    }
}

/// The weights as whole numbers. `file` is the file of the weights.
pub(super) fn scaled(
    weights: &[Vec<Decimal>],
    scale: Scale,
    file: &Path,
) -> Result<Weights<i64>, Failure> {
    let whole = |&weight: &Decimal| {
        scale.whole(weight).ok_or_else(|| {
            Failure::Failed(format!(
                "{}: the weight {weight} has more than 64 bits with all decimals; round other weights",
                name(file)
            ))
        })
    };
    let whole = |values: &Vec<Decimal>| values.iter().map(whole).collect::<Result<Vec<_>, _>>();
    Ok(Weights::from(weights.iter().map(whole).collect::<Result<Vec<_>, _>>()?))
}

/// The weights in a file. Its lines name the edges or vertices of a graph.
fn read(
    WeightFile { path, text }: &WeightFile,
    arities: &[usize],
    elements: Option<&Elements>,
) -> Result<Vec<Vec<Decimal>>, Failure> {
    // A file may say that there are billions.
    let values = arities.iter().fold(0usize, |sum, &arity| sum.saturating_add(arity));
    if values > MAX_VALUES {
        return Err(Failure::Failed(format!(
            "the variables have {values} values, but only {MAX_VALUES} can have weights"
        )));
    }
    let names = elements.map(|elements| &elements.names[..]);
    let of_values = elements.and_then(|elements| elements.values.as_deref());
    let weights = parse(text, arities, names, of_values);
    weights.map_err(|(line, message)| {
        Failure::Failed(format!("{}, line {line}: {message}", path.display()))
    })
}
