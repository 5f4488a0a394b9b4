//! Boolean expressions as text.

use super::Function;
use crate::error::Error;
use crate::manager::Manager;
use crate::store::{Edge, Store};
use crate::{Map, Set};
use topdd::diagram::AnyValue;

/// The operators of two operands by precedence: later ones bind closer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Operator {
    Iff,
    Implies,
    Or,
    Xor,
    And,
}

impl Operator {
    fn from_token(token: &str) -> Option<Self> {
        Some(match token {
            "<->" => Operator::Iff,
            "->" => Operator::Implies,
            "|" => Operator::Or,
            "^" => Operator::Xor,
            "&" => Operator::And,
            _ => return None,
        })
    }

    /// Joins at least two operands, in a balanced tree.
    fn join(self, operands: &[Function]) -> Result<Function, Error> {
        type Join = fn(&mut Store<AnyValue>, Edge, Edge) -> Result<Edge, Error>;
        let joined = |negation: u32, join: Join| {
            let edge = |f: &Function| Ok(f.0.edge() ^ negation);
            let make = |store: &mut Store<_>| store.balanced(operands, |_, f| edge(f), join);
            operands[0].manager().make(make).map(Function)
        };
        match self {
            Operator::Iff if operands.len().is_multiple_of(2) => Ok(!joined(0, Store::xor)?),
            Operator::Iff | Operator::Xor => joined(0, Store::xor),
            Operator::Implies => operands[0].implies(&operands[1]),
            Operator::Or => joined(0, Store::or),
            Operator::And => Ok(!joined(1, Store::or)?),
        }
    }
}

/// A step of an expression in postfix notation.
enum ParseStep {
    Constant(bool),
    Variable(usize),
    Not,
    /// Joins the last values.
    Join(Operator, usize),
}

/// A part of the expression whose end is not yet read.
enum Open {
    /// A parenthesis, with its position in the text.
    Parenthesis(usize),
    Not,
    /// An operator, with the number of its operands.
    Chain(Operator, usize),
}

/// Parses a text by the shunting-yard algorithm of E. W. Dijkstra, which does not recurse. `variable` finds the
/// variable of a name.
fn parse<'t>(
    text: &'t str,
    mut variable: impl FnMut(&'t str) -> Option<usize>,
) -> Result<Vec<ParseStep>, Error> {
    let (mut steps, mut open): (Vec<ParseStep>, Vec<Open>) = (Vec::new(), Vec::new());
    let mut at_operand = true;
    for (position, token) in tokens(text) {
        let refused = |reason: String| Err(malformed(text, position, reason));
        match (token, Operator::from_token(token)) {
            ("(", _) if at_operand => open.push(Open::Parenthesis(position)),
            ("!" | "~", _) if at_operand => open.push(Open::Not),
            ("0" | "false" | "False" | "1" | "true" | "True", _) if at_operand => {
                steps.push(ParseStep::Constant(matches!(token, "1" | "true" | "True")));
                at_operand = false;
            }
            (name, _) if at_operand && name.starts_with(begins_name) => {
                let Some(variable) = variable(name) else {
                    return refused(format!(
                        "no variable has the name \"{name}\"; add it to the names"
                    ));
                };
                steps.push(ParseStep::Variable(variable));
                at_operand = false;
            }
            (_, Some(operator)) if !at_operand => {
                open_chain(operator, &mut open, &mut steps);
                at_operand = true;
            }
            (")", _) if !at_operand => {
                if close(&mut open, &mut steps).is_none() {
                    return refused("\")\" without \"(\"; remove it, or add \"(\" before".into());
                }
            }
            _ => return refused(format!("{}, not \"{token}\"", expected(at_operand))),
        }
        // A negation ends with its operand.
        while let Some(Open::Not) = open.last().filter(|_| !at_operand) {
            open.pop();
            steps.push(ParseStep::Not);
        }
    }
    if at_operand {
        return Err(malformed(text, text.len(), format!("{}, but the text ends", expected(true))));
    }
    match close(&mut open, &mut steps) {
        Some(position) => Err(malformed(text, position, "\"(\" without \")\"; add \")\"".into())),
        None => Ok(steps),
    }
}

fn expected(operand: bool) -> &'static str {
    if operand {
        "expected a name, 0, 1, \"~\", \"!\" or \"(\""
    } else {
        "expected \"&\", \"^\", \"|\", \"->\", \"<->\", \")\" or the end"
    }
}

/// Ends the chains of operators that bind closer, and continues the chain of the same operator or begins one.
fn open_chain(operator: Operator, open: &mut Vec<Open>, steps: &mut Vec<ParseStep>) {
    while let Some(&mut Open::Chain(last, ref mut operands)) = open.last_mut() {
        if last == operator && operator != Operator::Implies {
            *operands += 1;
            return;
        }
        if last <= operator {
            break;
        }
        steps.push(ParseStep::Join(last, *operands));
        open.pop();
    }
    open.push(Open::Chain(operator, 2));
}

/// Ends all chains up to the last parenthesis, and this parenthesis. Returns its position.
fn close(open: &mut Vec<Open>, steps: &mut Vec<ParseStep>) -> Option<usize> {
    loop {
        match open.pop()? {
            Open::Parenthesis(position) => return Some(position),
            Open::Not => steps.push(ParseStep::Not),
            Open::Chain(operator, operands) => steps.push(ParseStep::Join(operator, operands)),
        }
    }
}

/// The error at a position of the text, in bytes.
fn malformed(text: &str, position: usize, reason: String) -> Error {
    let before = &text[..position];
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
    Error::Expression { line, column, reason }
}

fn begins_name(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

/// Splits a text into names, numbers and signs, each with its position in bytes.
fn tokens(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        let first = rest.chars().next()?;
        let in_word = |c: char| c.is_alphanumeric() || "_.[]".contains(c);
        let word = rest.find(|c| !in_word(c)).unwrap_or(rest.len());
        let sign = ["<->", "->"].into_iter().find(|sign| rest.starts_with(sign));
        let len = if word > 0 { word } else { sign.map_or(first.len_utf8(), str::len) };
        let position = text.len() - rest.len();
        rest = &rest[len..];
        Some((position, &text[position..position + len]))
    })
}

impl Manager {
    /// Returns the function of an expression, in which `names[v]` is the name of variable `v`.
    ///
    /// | | from those that bind closest |
    /// | --- | --- |
    /// | operands | names, `0`, `1`, `false`, `true`, parentheses |
    /// | not | `~` or `!` |
    /// | and | `&` |
    /// | exclusive or | `^` |
    /// | or | `\|` |
    /// | implies | `->`; `a -> b -> c` is `a -> (b -> c)` |
    /// | if and only if | `<->`; `a <-> b <-> c` is `(a <-> b) <-> c` |
    ///
    /// A name consists of letters, digits, `_`, `.`, `[` and `]`, and begins with a letter or `_`. Blanks and line
    /// breaks separate. The operands of a chain, as in `a & b & c`, are joined in a balanced tree, in the order of
    /// the text. No depth of parentheses overflows the stack.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(4)?;
    /// let f = manager.expression("a & (b | ~c) <-> d", &["a", "b", "c", "d"])?;
    /// let (a, b, c, d) = (manager.var(0)?, manager.var(1)?, manager.var(2)?, manager.var(3)?);
    /// assert_eq!(f, (a & (b | !c)).iff(&d)?);
    ///
    /// let error = manager.expression("a & & b", &["a", "b"]).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     r#"expression, line 1, column 5: expected a name, 0, 1, "~", "!" or "(", not "&""#
    /// );
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::Expression`] if the text is malformed, or contains a name that is not in `names`; and if a name
    /// is in `names` twice, there is no such variable, or a limit is reached.
    #[doc(alias("eval_expression_string", "add_expr"))]
    pub fn expression<N: AsRef<str>>(&self, text: &str, names: &[N]) -> Result<Function, Error> {
        let mut variables = Map::default();
        for (variable, name) in names.iter().map(AsRef::as_ref).enumerate() {
            if variables.insert(name, variable).is_some() {
                return Err(Error::RepeatedName { name: name.to_owned() });
            }
        }
        self.evaluate(&parse(text, |name| variables.get(name).copied())?)
    }

    fn evaluate(&self, steps: &[ParseStep]) -> Result<Function, Error> {
        let mut values: Vec<Function> = Vec::new();
        for step in steps {
            let value = match *step {
                ParseStep::Constant(value) => self.constant(value),
                ParseStep::Variable(variable) => self.var(variable)?,
                ParseStep::Not => !values.pop().expect("a negation follows its operand"),
                ParseStep::Join(operator, operands) => {
                    let operands = values.split_off(values.len() - operands);
                    operator.join(&operands)?
                }
            };
            values.push(value);
        }
        Ok(values.pop().expect("an expression has a value"))
    }
}

/// Returns the names of the variables of an [expression](Manager::expression), in the order in which they first occur.
/// `known` are the names that may occur; without it, all may.
///
/// ```
/// let any = None::<&[String]>;
/// assert_eq!(topdd_apply::expression_names("b & (a | ~b)", any)?, ["b", "a"]);
/// let error = topdd_apply::expression_names("b & (a | ~b)", Some(&["b"])).unwrap_err();
/// assert!(error.to_string().contains("column 6: no variable has the name \"a\""), "{error}");
/// # Ok::<(), topdd_apply::Error>(())
/// ```
///
/// # Errors
///
/// [`Error::Expression`] if the text is malformed, or contains another name than `known` has.
pub fn expression_names<N: AsRef<str>>(
    text: &str,
    known: Option<&[N]>,
) -> Result<Vec<String>, Error> {
    let known = known.map(|known| known.iter().map(AsRef::as_ref).collect::<Set<&str>>());
    let (mut names, mut variables) = (Vec::new(), Map::default());
    parse(text, |name| {
        if known.as_ref().is_some_and(|known| !known.contains(name)) {
            return None;
        }
        let variable = *variables.entry(name).or_insert(names.len());
        if variable == names.len() {
            names.push(name.to_owned());
        }
        Some(variable)
    })?;
    Ok(names)
}

impl Function {
    /// Returns the function of an [expression](Manager::expression) in a new manager, and the names of its
    /// variables, in the order in which they first occur.
    ///
    /// ```
    /// use topdd_apply::Function;
    ///
    /// let (f, names) = Function::from_expression("rain -> wet\n& ~sun")?;
    /// assert_eq!(names, ["rain", "wet", "sun"]);
    /// assert_eq!(f.count(), 5u32.into());
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::Expression`] if the text is malformed; or if there are too many names.
    pub fn from_expression(text: &str) -> Result<(Function, Vec<String>), Error> {
        let names = expression_names(text, None::<&[String]>)?;
        Ok((Manager::new(names.len())?.expression(text, &names)?, names))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const NAMES: [&str; 4] = ["a", "b_1", "x[2]", "été.z"];

    /// An expression as text with as few parentheses as possible, the precedence of its outermost operator, and
    /// its values: bit `i` is the value for the assignment in which variable `v` is bit `v` of `i`.
    #[derive(Clone, Debug)]
    struct Sample {
        text: String,
        precedence: usize,
        table: u16,
    }

    impl Sample {
        /// The text as an operand of an operator, in parentheses if its own operator binds less.
        fn operand(&self, least: usize) -> String {
            if self.precedence < least { format!("( {})", self.text) } else { self.text.clone() }
        }
    }

    fn samples() -> impl Strategy<Value = Sample> {
        let variable = (0..4usize).prop_map(|v| Sample {
            text: NAMES[v].to_owned(),
            precedence: 5,
            table: (0..16).filter(|i| i >> v & 1 == 1).fold(0, |table, i| table | 1 << i),
        });
        let constant = (any::<bool>(), any::<bool>()).prop_map(|(value, short)| Sample {
            text: if short { u8::from(value).to_string() } else { value.to_string() },
            precedence: 5,
            table: if value { !0 } else { 0 },
        });
        prop_oneof![9 => variable, 1 => constant].prop_recursive(8, 60, 2, |inner| {
            prop_oneof![
                1 => (inner.clone(), "[!~] ?").prop_map(|(of, sign)| Sample {
                    text: sign + &of.operand(5),
                    precedence: 5,
                    table: !of.table,
                }),
                5 => (inner.clone(), 0..5usize, inner, "[ \n]?").prop_map(|(left, by, right, blank)| {
                    let (f, g) = (left.table, right.table);
                    // An implication groups from the right, which the left operand needs parentheses for.
                    let least = if by == 1 { 2 } else { by };
                    let sign = ["<->", "->", "|", "^", "&"][by];
                    let (left, right) = (left.operand(least), right.operand(by));
                    Sample {
                        text: format!("{left}{blank}{sign}{blank}{right}"),
                        precedence: by,
                        table: [!(f ^ g), !f | g, f | g, f ^ g, f & g][by],
                    }
                }),
            ]
        })
    }

    proptest! {
        #[test]
        fn expressions_equal_truth_tables(sample in samples()) {
            let manager = Manager::new(4).unwrap();
            let f = manager.expression(&sample.text, &NAMES).unwrap();
            for i in 0..16 {
                let assignment = [0, 1, 2, 3].map(|v| i >> v & 1 == 1);
                prop_assert_eq!(f.eval(&assignment).unwrap(), sample.table >> i & 1 == 1);
            }
            let (named, names) = Function::from_expression(&sample.text).unwrap();
            prop_assert_eq!(&named, &named.manager().expression(&sample.text, &names).unwrap());
        }
    }

    proptest! {
        #[test]
        fn any_text_is_an_expression_or_has_a_position(text in "[ab01()&|^~!<>é \n-]{0,24}") {
            if let Err(error) = Function::from_expression(&text) {
                let Error::Expression { line, column, .. } = error else { panic!("{error}") };
                let lines: Vec<&str> = text.split('\n').collect();
                prop_assert!(column <= lines[line - 1].chars().count() + 1);
            }
        }
    }

    #[test]
    fn malformed_expressions_are_errors_with_line_and_column() {
        let manager = Manager::new(3).unwrap();
        for (text, at, reason) in [
            ("", (1, 1), "expected a name, 0, 1, \"~\", \"!\" or \"(\", but the text ends"),
            ("  \n ", (2, 2), "but the text ends"),
            ("a &", (1, 4), "but the text ends"),
            (
                "a b",
                (1, 3),
                "expected \"&\", \"^\", \"|\", \"->\", \"<->\", \")\" or the end, not \"b\"",
            ),
            ("a && b", (1, 4), "not \"&\""),
            ("a ~ b", (1, 3), "not \"~\""),
            ("é |\n (b -> )", (2, 8), "not \")\""),
            ("(a | b", (1, 1), "add \")\""),
            ("a | ((b)", (1, 5), "add \")\""),
            ("a)", (1, 2), "remove it"),
            ("a <- b", (1, 3), "not \"<\""),
            ("a = b", (1, 3), "not \"=\""),
            ("a ∧ b", (1, 3), "not \"∧\""),
            ("2", (1, 1), "not \"2\""),
            ("()", (1, 2), "expected a name"),
            ("a & c", (1, 5), "no variable has the name \"c\"; add it to the names"),
        ] {
            match manager.expression(text, &["a", "b", "é"]) {
                Err(Error::Expression { line, column, reason: found }) => {
                    assert_eq!((line, column), at, "{text:?}");
                    assert!(found.contains(reason), "{text:?}: {found}");
                }
                other => panic!("{text:?}: {other:?}"),
            }
        }
        let repeated = Err(Error::RepeatedName { name: "a".into() });
        assert_eq!(manager.expression("b", &["a", "b", "a"]), repeated);
        let unknown = Err(Error::UnknownVariable { variable: 3, num_vars: 3 });
        assert_eq!(manager.expression("d", &["a", "b", "c", "d"]), unknown);
    }

    #[test]
    fn deep_and_long_expressions_do_not_overflow_the_stack() {
        let depth = 200_000;
        let deep = format!("{}a{}", "~(".repeat(depth), ")".repeat(depth));
        let (f, _) = Function::from_expression(&deep).unwrap();
        assert_eq!(f, f.manager().var(0).unwrap());
        let (f, _) = Function::from_expression(&("a -> ".repeat(depth) + "a")).unwrap();
        assert!(f.is_true());
        let (f, names) = Function::from_expression(&("a ^ ".repeat(depth) + "b")).unwrap();
        assert_eq!(f, f.manager().var(1).unwrap());
        assert_eq!(names, ["a", "b"]);
    }
}
