//! The text of a file of weights: lines or JSON.

use std::collections::HashMap;
use std::fmt::Display;

use serde::de::IgnoredAny;
use topdd_problem::names::{without_comment, words};
use topdd_problem::{Ambiguous, Decimal, Name, NameIndex};

/// Whether solutions are sets.
pub(crate) fn are_sets(arities: &[usize]) -> bool {
    arities.iter().all(|&arity| arity == 2)
}

/// Reads weights for the values of variables, as lines or as JSON. If the variables are the edges or vertices of a
/// graph, lines have their names in place of numbers, and so they have the names of values, if these have some.
pub(crate) fn parse(
    text: &str,
    arities: &[usize],
    names: Option<&[Name]>,
    of_values: Option<&[Vec<String>]>,
) -> Result<Vec<Vec<Decimal>>, Wrong> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if is_json(text, names.is_some()) {
        return json(text, arities);
    }
    lines(
        text,
        Grammar { arities, names, of_values, index: names.map(NameIndex::new), has_header: false },
    )
}

/// Whether the text is JSON. The first name in a text of lines may start with a bracket, as `[0,0]-[0,1]` does.
fn is_json(text: &str, named: bool) -> bool {
    text.trim_start().starts_with('[')
        && (!named || serde_json::from_str::<IgnoredAny>(text).is_ok())
}

/// The number of a line, from 1, and the error in it.
pub(crate) type Wrong = (usize, String);

fn lines(text: &str, mut grammar: Grammar<'_>) -> Result<Vec<Vec<Decimal>>, Wrong> {
    let (arities, names) = (grammar.arities, grammar.names);
    let mut weights: Vec<Vec<Decimal>> =
        arities.iter().map(|&arity| vec![0.into(); arity]).collect();
    let mut seen: HashMap<(usize, usize), usize> = HashMap::new();
    let mut first = true;
    for (line, number) in text.lines().zip(1..) {
        let line = without_comment(line);
        let words = words(line, is_separator);
        if words.is_empty() {
            continue;
        }
        if std::mem::take(&mut first) && words == ["variable", "value", "weight"] {
            grammar.has_header = true;
            continue;
        }
        let wrong = |message| (number, message);
        let Entry { variable, value, weight } = grammar.entry(line, &words).map_err(wrong)?;
        weights[variable][value] = weight;
        if let Some(before) = seen.insert((variable, value), number) {
            return Err(wrong(format!(
                "value {value} of {} has a weight already, from line {before}",
                grammar.called(variable)
            )));
        }
    }
    let is_missing = |variable: &usize| !seen.contains_key(&(*variable, 1));
    match names.filter(|_| grammar.are_sets()).zip((0..arities.len()).find(is_missing)) {
        Some((names, variable)) => Err((
            text.lines().count().max(1),
            format!("the file ends without a weight of {}; write it", names[variable].printed()),
        )),
        None => Ok(weights),
    }
}

/// The weight of a value in a line.
struct Entry {
    variable: usize,
    value: usize,
    weight: Decimal,
}

/// The grammar of a line: a variable, a value and a weight. A variable is a number, or the name of an element as it is
/// printed. Without a value, the weight of an element of sets is its weight in a set.
struct Grammar<'a> {
    arities: &'a [usize],
    names: Option<&'a [Name]>,
    /// The names of the values of each variable.
    of_values: Option<&'a [Vec<String>]>,
    index: Option<NameIndex>,
    /// Whether the file has the names of the columns.
    has_header: bool,
}

impl Grammar<'_> {
    fn entry(&self, line: &str, words: &[&str]) -> Result<Entry, String> {
        let (name, value, weight) = match *words {
            [name, value, weight] => (name, value, weight),
            [name, weight] if self.names.is_some() && self.are_sets() => (name, "1", weight),
            _ => return Err(self.expected(words.len())),
        };
        let before = line.rfind(weight).map_or(line, |end| &line[..end]);
        if words.len() == 3 && self.find(before.trim_end_matches(is_separator)).is_ok() {
            return Err(format!("{line:?} may be the weight of another name; put names in quotes"));
        }
        let variable = self.find(name)?;
        let called = self.called(variable);
        let is_digits = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
        if self.names.is_some()
            && self.of_values.is_none()
            && !self.has_header
            && is_digits(value)
            && is_digits(weight)
            && line.trim_end_matches(is_separator).ends_with(&format!("{value},{weight}"))
        {
            return Err(format!(
                "the weight of {called} may be {value},{weight} with a decimal comma; write a point, or blanks \
                 between value and weight"
            ));
        }
        let value = match self.of_values {
            None => index(value, &format!("value of {called}"), self.arities[variable])?,
            Some(names) => {
                names[variable].iter().position(|name| name == value).ok_or_else(|| {
                    let all = names[variable].join(", ");
                    format!("{called} has no value {value:?}; its values are {all}")
                })?
            }
        };
        let weight =
            weight.parse().map_err(|error: String| format!("the weight of {called}: {error}"))?;
        Ok(Entry { variable, value, weight })
    }

    /// Whether solutions are sets: a value that has no name is whether an element is in the set.
    fn are_sets(&self) -> bool {
        self.of_values.is_none() && are_sets(self.arities)
    }

    /// The variable of a name.
    fn find(&self, name: &str) -> Result<usize, String> {
        let Some(names) = &self.index else { return index(name, "variable", self.arities.len()) };
        let unknown =
            || format!("{name:?} is no edge or vertex; `topdd info --json` lists the names");
        let ambiguous = |Ambiguous| {
            format!(
                "several edges are named {name:?}; put the labels of their ends in quotes, as `topdd list` does"
            )
        };
        names.find(name).map_err(ambiguous)?.ok_or_else(unknown)
    }

    /// The name of a variable in messages.
    fn called(&self, variable: usize) -> String {
        self.names.map_or_else(|| format!("variable {variable}"), |names| names[variable].printed())
    }

    /// The message for a line of another number of words.
    fn expected(&self, count: usize) -> String {
        match self.names {
            None => format!("three numbers are expected, variable, value and weight, not {count}"),
            Some(_) if self.are_sets() => format!(
                "a name and a weight are expected, not {count} words; a name with blanks or commas needs quotes"
            ),
            Some(_) => format!(
                "a name, a value and a weight are expected, not {count} words; a name with blanks or commas needs \
                 quotes"
            ),
        }
    }
}

fn is_separator(letter: char) -> bool {
    letter.is_whitespace() || letter == ',' || letter == ';'
}

/// One of `0..end`.
fn index(word: &str, what: &str, end: usize) -> Result<usize, String> {
    word.parse().ok().filter(|&index| index < end).ok_or_else(|| match end {
        0 => format!("there is no {what}"),
        _ => format!("{word:?} is no {what}: there are 0 to {}", end - 1),
    })
}

fn json(text: &str, arities: &[usize]) -> Result<Vec<Vec<Decimal>>, Wrong> {
    let weights: Vec<Vec<Decimal>> = serde_json::from_str(text).map_err(|error| {
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or(&message);
        (error.line(), format!("{message} (a list of lists of numbers is expected)"))
    })?;
    let differs = |what: &dyn Display, found: usize, expected: usize| {
        (1, format!("there are weights for {found} {what}, where the diagram has {expected}"))
    };
    if weights.len() != arities.len() {
        return Err(differs(&"variables", weights.len(), arities.len()));
    }
    for (variable, (found, &arity)) in weights.iter().zip(arities).enumerate() {
        if found.len() != arity {
            return Err(differs(&format!("values of variable {variable}"), found.len(), arity));
        }
    }
    Ok(weights)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_lines(
        text: &str,
        arities: &[usize],
        names: Option<&[Name]>,
    ) -> Result<Vec<Vec<Decimal>>, Wrong> {
        let index = names.map(NameIndex::new);
        lines(text, Grammar { arities, names, of_values: None, index, has_header: false })
    }

    #[test]
    fn values_with_names_are_read_by_them() {
        let names = ["d1", "d2"].map(|name| Name::Label(name.to_owned()));
        let values = [["1", "2"], ["2", "3"]].map(|all| all.map(str::to_owned).to_vec());
        let read = |text| parse(text, &[2, 2], Some(&names), Some(&values));
        let weight = |number: i64| Decimal::from(number);
        let expected = vec![vec![weight(5), weight(0)], vec![weight(7), weight(0)]];
        assert_eq!(read("d1 1 5\nd2 2 7\n"), Ok(expected));
        let (line, message) = read("d1 0 5\n").expect_err("no value is named so");
        assert_eq!((line, &message[..]), (1, "d1 has no value \"0\"; its values are 1, 2"));
        // A set of names without values would be one of second values.
        assert!(read("d1 5\n").is_err());
    }

    /// Weights that are whole numbers.
    fn whole(weights: Result<Vec<Vec<Decimal>>, Wrong>) -> Result<Vec<Vec<i64>>, Wrong> {
        let number = |weight: Decimal| weight.to_string().parse().expect("a whole number");
        Ok(weights?.into_iter().map(|weights| weights.into_iter().map(number).collect()).collect())
    }

    fn labels<const N: usize>(labels: [&str; N]) -> Vec<Name> {
        labels.into_iter().map(|label| Name::Label(label.to_owned())).collect()
    }

    #[test]
    fn lines_are_read() {
        let text = "variable,value,weight\n\n0 1 5\n 2,\t3 ; -7 # dear\n# 1 1 1\n";
        assert_eq!(
            whole(read_lines(text, &[2, 2, 4], None)),
            Ok(vec![vec![0, 5], vec![0, 0], vec![0, 0, 0, -7]])
        );
        assert_eq!(whole(read_lines("", &[1], None)), Ok(vec![vec![0]]));
        let decimal = read_lines("0 1 -1.50", &[2], None).expect("a weight");
        assert_eq!(decimal[0].iter().map(Decimal::to_string).collect::<Vec<_>>(), ["0", "-1.5"]);
    }

    #[test]
    fn variables_of_graphs_have_names() {
        let names = labels(["1", "0", "b-c"]);
        let sets = |text| whole(read_lines(text, &[2; 3], Some(&names)));
        assert_eq!(sets("0 5\n1 2\nb-c 1 7\n"), Ok(vec![vec![0, 2], vec![0, 5], vec![0, 7]]));
        let (line, message) = sets("0 5\nb-c 1 7\n1 0 3\n").expect_err("no weight of 1");
        assert_eq!((line, &message[..]), (3, "the file ends without a weight of 1; write it"));
        let colours = |text| whole(read_lines(text, &[3; 3], Some(&names)));
        assert_eq!(colours("1 2 7"), Ok(vec![vec![0, 0, 7], vec![0; 3], vec![0; 3]]));
        for (text, line, word) in
            [("1 0 1\n2 1 5", 2, "no edge"), ("1 5", 1, "a value and a weight")]
        {
            let (at, message) = colours(text).expect_err(text);
            assert!(at == line && message.contains(word), "{text}: {at}: {message}");
        }
        let twice = labels(["a", "a"]);
        let (_, message) = read_lines("a 1", &[2; 2], Some(&twice)).expect_err("two are named so");
        assert!(message.contains("several edges"), "{message}");
    }

    #[test]
    fn names_with_separators_need_quotes() {
        let names = ["New York-L.A.", "[0,0]-[0,1]", "c-d", "c-d#2", "Room", "Room 1"];
        let names = labels(names);
        let text = "\"[0,0]-[0,1]\" -8 # a tuple\n\"New York-L.A.\" 1 7\nc-d#2;5 #\n\"Room 1\" 3\nRoom;0;2\n\"Room\" 1\nc-d 1\n#\n";
        assert!(!is_json(text, true) && is_json("[[0,0],\n [0,1]]", true) && is_json("[[", false));
        assert_eq!(
            whole(read_lines(text, &[2; 6], Some(&names))),
            Ok(vec![vec![0, 7], vec![0, -8], vec![0, 1], vec![0, 5], vec![2, 1], vec![0, 3]])
        );
        let colours =
            whole(read_lines("\"New York-L.A.\" 2 7\n", &[3; 6], Some(&names))).expect("weights");
        assert_eq!(colours[0], [0, 0, 7]);
        let (_, message) =
            read_lines("NewYrok-L.A. 7", &[2; 6], Some(&names)).expect_err("misspelled");
        assert!(message.contains("\"NewYrok-L.A.\" is no edge"), "{message}");
        let (_, message) = read_lines("Room 1 3", &[2; 6], Some(&names)).expect_err("two readings");
        assert!(message.contains("put names in quotes"), "{message}");
        let (_, message) =
            read_lines("New York-L.A. 1 7", &[2; 6], Some(&names)).expect_err("no quotes");
        assert!(message.contains("needs quotes"), "{message}");
    }

    #[test]
    fn a_weight_that_is_not_one_number_is_an_error_with_the_name() {
        let names = labels(["b-c", "New York", "Room 1"]);
        for (text, arity, word) in [
            ("b-c 1,5", 2, "the weight of b-c may be 1,5 with a decimal comma; write a point"),
            ("b-c 3,5", 2, "decimal comma"),
            ("b-c 0,5", 2, "decimal comma"),
            ("b-c;1,1", 2, "decimal comma"),
            ("b-c,1,5", 2, "decimal comma"),
            ("b-c 2,5 # km", 3, "decimal comma"),
            ("b-c 3 m", 2, "\"3\" is no value of b-c"),
            ("b-c 3m", 2, "the weight of b-c: "),
            ("b-c", 2, "a name and a weight are expected, not 1 words"),
            ("b-c # to do", 3, "a name, a value and a weight are expected"),
            ("\"New York\"", 2, "a name and a weight are expected"),
            ("b-c 3 5", 2, "no value of b-c: there are 0 to 1"),
            ("b-c 1\nb-c 1 2", 2, "value 1 of b-c has a weight already, from line 1"),
        ] {
            let (line, message) = read_lines(text, &[arity; 3], Some(&names)).expect_err(text);
            let last = text.lines().count();
            assert!(line == last && message.contains(word), "{text}: {line}: {message}");
        }
        // Two columns with a name in quotes that ends with a number, blanks after the comma, and the names of the columns.
        for text in [
            "b-c, 1, 5\n\"New York\",2\n\"Room 1\",5",
            "variable,value,weight\nb-c,1,5\n\"New York\",1,2\n\"Room 1\",1,5",
        ] {
            let weights = whole(read_lines(text, &[2; 3], Some(&names)));
            assert_eq!(weights, Ok(vec![vec![0, 5], vec![0, 2], vec![0, 5]]), "{text}");
        }
    }

    #[test]
    fn a_byte_order_mark_belongs_to_the_file_or_to_a_name_in_quotes() {
        let names = labels(["a", "\u{feff}a"]);
        assert_eq!(
            whole(parse("\u{feff}a 5\n\u{feff}a 1\n", &[2; 2], Some(&names), None)),
            Ok(vec![vec![0, 5], vec![0, 1]])
        );
        let printed = format!("{} 7\na 1\n", names[1].printed());
        assert_eq!(
            whole(parse(&printed, &[2; 2], Some(&names), None)),
            Ok(vec![vec![0, 1], vec![0, 7]])
        );
    }

    #[test]
    fn errors_name_the_line() {
        for (text, line, word) in [
            ("0 1", 1, "three numbers"),
            ("0 0 1\n0 0 1 1", 2, "three numbers"),
            ("0 0 1\n\n0 0 2", 3, "from line 1"),
            ("x 0 1", 1, "variable"),
            ("2 0 1", 1, "0 to 1"),
            ("-1 0 1", 1, "variable"),
            ("1 3 1", 1, "value of variable 1"),
            ("1 1 1,5", 1, "three numbers"),
            ("1 1 x", 1, "decimal number"),
            ("1 1 9223372036854775808", 1, "64 bits"),
            ("0 0 1\nvariable value weight", 2, "variable"),
        ] {
            let (at, message) = read_lines(text, &[2, 3], None).expect_err(text);
            assert!(at == line && message.contains(word), "{text}: {at}: {message}");
        }
        assert!(read_lines("0 0 1", &[], None).expect_err("no variable").1.contains("no variable"));
    }

    #[test]
    fn json_is_read() {
        assert_eq!(
            whole(json("[[0, 1], [2, -3, 4]]", &[2, 3])),
            Ok(vec![vec![0, 1], vec![2, -3, 4]])
        );
        for (text, line, word) in [
            ("[[0, 1]]", 1, "1 variables"),
            ("[[0, 1],\n[2, 3]]", 1, "2 values of variable 1"),
            ("[[0, 1],\n[2, 3, true]]", 2, "lists of numbers"),
            ("[[0, 1],\n[2, 3, 0.12345678901234567]]", 2, "15 digits"),
            ("[[0, 1],\n", 2, "lists of numbers"),
        ] {
            let (at, message) = json(text, &[2, 3]).expect_err(text);
            assert!(at == line && message.contains(word), "{text}: {at}: {message}");
        }
    }
}
