//! The values of options of `topdd graph`.

use topdd_graph::families::Order;
use topdd_graph::format::GraphFormat;
use topdd_problem::DegreeCount;

use crate::args::common::Word;

/// Orders of edges or vertices.
pub(super) const ORDERS: &[Word<Order>] = &[
    ("auto", "One with few states, chosen by topdd", Order::Auto),
    ("given", "As in the file", Order::Given),
    ("bfs", "Breadth-first", Order::Bfs),
];

/// A number for each edge, or for each vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum PerItem<T> {
    /// The same for all.
    All(T),
    /// The weight in the file.
    Weights,
}

pub(in crate::args) fn item_probability(text: &str) -> Result<PerItem<f64>, String> {
    if text == "weights" { Ok(PerItem::Weights) } else { probability(text).map(PerItem::All) }
}

pub(super) fn vertex_bound(text: &str) -> Result<PerItem<usize>, String> {
    match text.parse() {
        Ok(bound) => Ok(PerItem::All(bound)),
        Err(_) if text == "weights" => Ok(PerItem::Weights),
        Err(_) => Err("write a whole number, or `weights`".to_owned()),
    }
}

/// The numbers of vertices on both sides of bicliques.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sides {
    pub(crate) a: usize,
    pub(crate) b: usize,
}

pub(super) fn sides(text: &str) -> Result<Sides, String> {
    let read = |(a, b): (&str, &str)| Some(Sides { a: a.parse().ok()?, b: b.parse().ok()? });
    text.split_once(',').and_then(read).ok_or_else(|| "write two numbers, such as 2,3".to_owned())
}

pub(super) fn degree_count(text: &str) -> Result<DegreeCount, String> {
    let read = || {
        let (degree, number) = text.split_once('=')?;
        let (least, most) = number.split_once('-').unwrap_or((number, number));
        let vertices = match number {
            "any" => 0..=usize::MAX,
            _ => least.parse().ok()?..=most.parse().ok()?,
        };
        if vertices.is_empty() {
            return None;
        }
        Some(DegreeCount { degree: degree.parse().ok()?, vertices })
    };
    read().ok_or_else(|| "write DEGREE=NUMBER, such as 1=2, 2=3-5 or 0=any".to_owned())
}

fn probability(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "write a probability, a number from 0 to 1".to_owned())
}

/// Reads yes or no.
pub(super) fn yes_or_no(text: &str) -> Result<bool, String> {
    match text {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err("write yes or no".to_owned()),
    }
}

/// Reads the name of a format.
pub(super) fn format(text: &str) -> Result<GraphFormat, String> {
    text.parse().map_err(|error| format!("{error}"))
}
