//! The form of solutions: how the solutions of a run, and the solutions in a file, are written.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Write};

use num_bigint::BigUint;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use topdd_draw::Picture;
use topdd_graph::families::Unit;
use topdd_problem::elements::NO_ELEMENTS;
use topdd_problem::names::quote;
use topdd_problem::{ElementWeights, Elements, GraphElements, Name, Weighing};

/// The form of the solutions of a diagram. A solution has a value for each variable.
pub(crate) trait Form {
    /// A solution in a line.
    fn line(&self, solution: &[usize]) -> String;

    /// A solution for scripts.
    fn json(&self, solution: &[usize]) -> Value;

    /// A drawing as text, in plain ASCII if `ascii`, if there is one. Each line ends with a line break.
    fn draw(&self, _solution: &[usize], _ascii: bool) -> Option<String> {
        None
    }

    /// How many solutions have each element. `counts` are the numbers of solutions with each value of each variable.
    fn usage(&self, counts: &[Vec<BigUint>]) -> Vec<Usage> {
        Values { names: None }.usage(counts)
    }

    /// A picture; `None` if solutions have none.
    fn picture(&self, _sheet: &Sheet) -> Option<Picture> {
        None
    }
}

/// The solutions of a picture.
pub(crate) struct Sheet {
    /// The solutions with their captions.
    pub(crate) solutions: Vec<(Vec<usize>, String)>,
    /// How many are in a row; `None` for one alone, without its caption.
    pub(crate) across: Option<usize>,
    pub(crate) title: String,
}

/// The number of solutions with an element, or with a value of a variable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Usage {
    #[serde(serialize_with = "stored")]
    pub(crate) name: Name,
    /// The value, if the variable is not whether an element is in a set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) value: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) value_name: Option<String>,
    #[serde(serialize_with = "text")]
    pub(crate) count: BigUint,
}

/// A name as a JSON string, which needs no other quotes.
fn stored<S: Serializer>(name: &Name, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&name.stored())
}

/// A number as a string: numbers of other programs may be too small for it.
fn text<S: Serializer>(count: &BigUint, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(count)
}

impl Usage {
    /// The numbers of solutions with each value of a variable.
    fn of_values(name: &Name, counts: &[BigUint]) -> Vec<Self> {
        let of_value = |(value, count): (usize, &BigUint)| Usage {
            name: name.clone(),
            value: Some(value),
            value_name: None,
            count: count.clone(),
        };
        counts.iter().enumerate().map(of_value).collect()
    }

    /// The number of solutions with the element that a variable of two values stands for, or the numbers with each value
    /// of another one.
    fn of_variable(name: &Name, counts: &[BigUint]) -> Vec<Self> {
        match counts {
            [_, count] => {
                let (name, count) = (name.clone(), count.clone());
                vec![Usage { name, value: None, value_name: None, count }]
            }
            _ => Usage::of_values(name, counts),
        }
    }
}

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name.printed();
        match (&self.value_name, self.value) {
            (Some(value), _) => write!(f, "{name}={}: {}", quote(value), self.count),
            (None, Some(value)) => write!(f, "{name}={value}: {}", self.count),
            (None, None) => write!(f, "{name}: {}", self.count),
        }
    }
}

/// The form of solutions as the values of variables.
pub(crate) struct Values {
    /// The names of the variables, for [`usage`](Form::usage).
    pub(crate) names: Option<Vec<Name>>,
}

impl Values {
    /// The values of a solution in a line.
    pub(crate) fn line_of(solution: &[usize]) -> String {
        let mut line = String::with_capacity(2 * solution.len());
        for (variable, &value) in solution.iter().enumerate() {
            if variable > 0 {
                line.push(' ');
            }
            // Most values have one digit, and formatting takes most of the time of a list.
            match value {
                0..=9 => line.push(char::from(b'0' + value as u8)),
                _ => line.push_str(&value.to_string()),
            }
        }
        line
    }
}

impl Form for Values {
    fn line(&self, solution: &[usize]) -> String {
        Values::line_of(solution)
    }

    fn json(&self, solution: &[usize]) -> Value {
        json!(solution)
    }

    fn usage(&self, counts: &[Vec<BigUint>]) -> Vec<Usage> {
        let number = |variable: usize| Name::Label(variable.to_string());
        let name = |v| self.names.as_ref().map_or_else(|| number(v), |names| names[v].clone());
        let usage = counts.iter().zip(0..).map(|(counts, v)| Usage::of_variable(&name(v), counts));
        usage.flatten().collect()
    }
}

/// The elements of a graph by variable, in this order. `weights` are by element.
pub(crate) fn in_order(
    graph: GraphElements,
    order: Vec<usize>,
    weights: ElementWeights,
) -> Elements {
    let weights = match weights {
        ElementWeights::Given(all) => {
            ElementWeights::Given(order.iter().map(|&index| all[index]).collect())
        }
        weights => weights,
    };
    let names = order.iter().map(|&index| graph.names()[index].clone()).collect();
    let are_coloured = graph.unit() == Unit::Colour;
    Elements { names, are_coloured, values: None, order, weights, graph: Some(graph) }
}

/// The form of sets of edges or vertices, or of colourings.
pub(crate) struct ElementForm {
    pub(crate) elements: Elements,
    /// The names as they are printed, by variable.
    printed: Vec<String>,
    /// The variables in the order of the graph.
    variables: Vec<usize>,
}

impl ElementForm {
    pub(crate) fn new(elements: Elements) -> Self {
        let printed = elements.names.iter().map(Name::printed).collect();
        let mut variables: Vec<usize> = (0..elements.names.len()).collect();
        variables.sort_by_key(|&variable| elements.order[variable]);
        ElementForm { elements, printed, variables }
    }

    /// The edges or vertices of a solution in the order of the graph, with their colours or values; `name` has the name of a
    /// variable, and `shown` is the form of the name of a value.
    fn named<'a>(
        &'a self,
        solution: &[usize],
        name: impl Fn(usize) -> Cow<'a, str>,
        shown: impl Fn(&str) -> Cow<'_, str>,
    ) -> Vec<Cow<'a, str>> {
        let mut named = Vec::new();
        for &variable in &self.variables {
            match solution[variable] {
                0 if !self.elements.are_coloured => {}
                1 if !self.elements.are_coloured => named.push(name(variable)),
                value => {
                    let value = self.elements.value_name(variable, value);
                    named.push(format!("{}={}", name(variable), shown(&value)).into());
                }
            }
        }
        named
    }

    /// The variables of the members of a solution, in the order of the graph or the file.
    pub(crate) fn chosen(&self, solution: &[usize]) -> impl Iterator<Item = usize> {
        self.variables.iter().copied().filter(|&variable| solution[variable] == 1)
    }

    /// The graph, which has a form of its own. A forged file may have other values.
    fn graph_of(&self, solution: &[usize]) -> Option<&GraphElements> {
        let Elements { graph, are_coloured, .. } = &self.elements;
        graph.as_ref().filter(|_| *are_coloured || solution.iter().all(|&value| value < 2))
    }
}

impl Form for ElementForm {
    fn line(&self, solution: &[usize]) -> String {
        if let Some(graph) = self.graph_of(solution) {
            return graph.line(&graph.read(&self.elements.order, solution));
        }
        match &self.named(solution, |variable| self.printed[variable].as_str().into(), quote)[..] {
            [] => NO_ELEMENTS.to_owned(),
            named => named.join(" "),
        }
    }

    fn json(&self, solution: &[usize]) -> Value {
        let Elements { order, names, .. } = &self.elements;
        if let Some(graph) = self.graph_of(solution) {
            return graph.json(&graph.read(order, solution));
        }
        let name = |variable: usize| names[variable].stored().into();
        self.named(solution, name, |value| value.into()).into()
    }

    fn usage(&self, counts: &[Vec<BigUint>]) -> Vec<Usage> {
        let Elements { names, are_coloured, values, .. } = &self.elements;
        let of = if *are_coloured { Usage::of_values } else { Usage::of_variable };
        let of_variable = |&v: &usize| {
            let mut all = of(&names[v], &counts[v]);
            for usage in all.iter_mut().filter(|_| values.is_some()) {
                let name = usage.value.map(|value| self.elements.value_name(v, value));
                usage.value_name = name.map(Cow::into_owned);
            }
            all
        };
        self.variables.iter().flat_map(of_variable).collect()
    }
}

/// Solutions that are shown, and their headings.
pub(crate) struct Shown<'a> {
    pub(crate) head: Head,
    pub(crate) solutions: Box<dyn Iterator<Item = Vec<usize>> + 'a>,
}

/// The heading of a solution.
pub(crate) enum Head {
    /// For the first solution, shown by default.
    First,
    /// The rank of the solution; the first one has this rank.
    Numbered(BigUint),
    /// For samples, drawn by this seed.
    Sample(u64),
    /// For the best solutions, by these weights.
    Best(Weighing),
}

impl Head {
    /// The heading of the solution at a place.
    pub(crate) fn text(&self, place: usize, solution: &[usize]) -> String {
        match self {
            Head::First => "first solution".to_owned(),
            Head::Numbered(from) => format!("solution {}", from + place),
            Head::Sample(seed) => format!("sample {place} of seed {seed}"),
            Head::Best(weighing) => format!("weight {}", weighing.weight(solution)),
        }
    }
}

impl<'a> Shown<'a> {
    pub(crate) fn new(head: Head, solutions: impl Iterator<Item = Vec<usize>> + 'a) -> Self {
        Shown { head, solutions: Box::new(solutions) }
    }

    /// Writes each solution on a line, or, if the form has drawings, as one with a heading.
    pub(crate) fn write(self, out: &mut dyn Write, form: &dyn Form, ascii: bool) -> io::Result<()> {
        for (place, solution) in self.solutions.enumerate() {
            if let Some(drawing) = form.draw(&solution, ascii) {
                let between = if place > 0 { "\n" } else { "" };
                let head = self.head.text(place, &solution);
                write!(out, "{between}{}", headed(&head, &form.line(&solution), &drawing))?;
                continue;
            }
            if let Head::Best(weighing) = &self.head {
                write!(out, "{}: ", weighing.weight(&solution))?;
            }
            writeln!(out, "{}", form.line(&solution))?;
        }
        Ok(())
    }
}

/// A solution under its heading.
pub(crate) fn headed(head: &str, line: &str, drawing: &str) -> String {
    format!("{head}:{}{line}\n{drawing}", if line.is_empty() { "" } else { " " })
}

/// Writes a JSON object whose last member is a list, and a line break. The list is made while it is written, as it may be
/// longer than memory.
pub(crate) fn write_object(
    out: &mut dyn Write,
    members: impl IntoIterator<Item = (&'static str, Option<Value>)>,
    list: &str,
    items: impl IntoIterator<Item = Value>,
) -> io::Result<()> {
    write!(out, "{{")?;
    for (name, value) in members {
        value.map_or(Ok(()), |value| write!(out, "\"{name}\":{value},"))?;
    }
    write!(out, "\"{list}\":[")?;
    for (place, item) in items.into_iter().enumerate() {
        write!(out, "{}{item}", if place > 0 { "," } else { "" })?;
    }
    writeln!(out, "]}}")
}
