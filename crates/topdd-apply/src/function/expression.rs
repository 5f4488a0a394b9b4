//! Boolean expressions as text: evaluation, and functions as expressions.

use super::Function;
use super::parse::{Grammar, Operator, ParseStep, parse};
use crate::error::Error;
use crate::manager::Manager;
use crate::snapshot::{Id, ONE, ZERO};
use crate::store::{Edge, Store};
use crate::{Map, Set};
use topdd::diagram::AnyValue;

impl Operator {
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

impl Manager {
    /// Returns the function of an expression, in which `names[v]` is the name of variable `v`.
    ///
    /// | | from those that bind closest |
    /// | --- | --- |
    /// | operands | names, `0`, `1`, `false`, `true`, `ite(a, b, c)`, parentheses |
    /// | not | `~` or `!` |
    /// | and | `&`, `&&` or `/\` |
    /// | exclusive or | `^` or `#` |
    /// | or | `\|`, `\|\|` or `\/` |
    /// | implies | `->` or `=>`; `a -> b -> c` is `a -> (b -> c)` |
    /// | if and only if | `<->` or `<=>`; `a <-> b <-> c` is `(a <-> b) <-> c` |
    /// | there is, for all | `\E a, b: ..` and `\A a, b: ..`, up to the end or the next parenthesis that closes |
    ///
    /// A name consists of letters, digits, `_`, `'`, `.`, `[` and `]`, and begins with a letter or `_`. Blanks, line
    /// breaks and comments, `(* .. *)` and from `\*` to the end of the line, separate. The operands of a chain, as in `a & b & c`, are joined in a balanced tree, in the order of
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
    #[doc(alias = "eval_expression_string")]
    pub fn expression<N: AsRef<str>>(&self, text: &str, names: &[N]) -> Result<Function, Error> {
        self.read(text, names, Grammar::Common)
    }

    /// Returns the function of an expression as the Python package dd reads it, by the grammar of
    /// [`expression`](Manager::expression). In addition, `@` and the [number](Function::number) of a function is an
    /// operand. Refuses texts that dd reads in another way: `^` beside `|`, or `->` twice, without parentheses.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(3)?;
    /// let names = ["x", "y", "z"];
    /// let f = manager.expression_of_dd(r"y \/ z", &names)?;
    /// let g = manager.expression_of_dd(&format!(r"x /\ @{}", f.number()), &names)?;
    /// assert_eq!(g, manager.var(0)? & f);
    /// assert!(manager.expression_of_dd("x ^ y | z", &names).is_err());
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`expression`](Manager::expression). Also fails if a number belongs to no function.
    #[doc(alias = "add_expr")]
    pub fn expression_of_dd<N: AsRef<str>>(
        &self,
        text: &str,
        names: &[N],
    ) -> Result<Function, Error> {
        self.read(text, names, Grammar::Dd)
    }

    fn read<N: AsRef<str>>(
        &self,
        text: &str,
        names: &[N],
        grammar: Grammar,
    ) -> Result<Function, Error> {
        let mut variables = Map::default();
        for (variable, name) in names.iter().map(AsRef::as_ref).enumerate() {
            if variables.insert(name, variable).is_some() {
                return Err(Error::RepeatedName { name: name.to_owned() });
            }
        }
        self.evaluate(&parse(text, grammar, |name| variables.get(name).copied())?)
    }

    fn evaluate(&self, steps: &[ParseStep]) -> Result<Function, Error> {
        let mut values: Vec<Function> = Vec::new();
        for step in steps {
            let value = match step {
                ParseStep::Constant(value) => self.constant(*value),
                ParseStep::Variable(variable) => self.var(*variable)?,
                ParseStep::Number(number) => self.function_of_number(*number)?,
                ParseStep::Not => !values.pop().expect("a negation follows its operand"),
                ParseStep::Join(operator, operands) => {
                    let operands = values.split_off(values.len() - operands);
                    operator.join(&operands)?
                }
                ParseStep::Ite => {
                    let parts = values.split_off(values.len() - 3);
                    parts[0].ite(&parts[1], &parts[2])?
                }
                ParseStep::Quantify(variables, is_all) => {
                    let body = values.pop().expect("a quantifier has an operand");
                    let variables = variables.iter().copied();
                    if *is_all { body.forall(variables)? } else { body.exists(variables)? }
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
    parse(text, Grammar::Common, |name| {
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

/// The most bytes of an expression.
const MAX_EXPRESSION: usize = 1 << 24;

/// A part of an expression that is not yet written.
enum Unwritten {
    /// A node of a snapshot, and whether it is negated.
    Node(Id, bool),
    Text(&'static str),
}

impl Function {
    /// Returns an [expression](Manager::expression) of nested `ite`, one for each node on each path. `names[v]` is the
    /// name of variable `v`, by default `x` and its number. Each part is true if all its variables are, or negated, as
    /// in the Python package dd.
    ///
    /// ```
    /// # let manager = topdd_apply::Manager::new(2)?;
    /// let (x, y) = (manager.var(0)?, manager.var(1)?);
    /// assert_eq!((&x | &y).to_expression(&["x", "y"])?, "ite(x, TRUE, y)");
    /// assert_eq!((&x ^ &y).to_expression(&["x", "y"])?, "(~ ite(x, y, (~ y)))");
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the expression is longer than 16 MiB: it may be exponentially larger than the diagram.
    pub fn to_expression<N: AsRef<str>>(&self, names: &[N]) -> Result<String, Error> {
        let snapshot = self.0.snapshot();
        let at_ones = snapshot.evaluate(false, true, |values, node| values[node.hi as usize]);
        let order = self.manager().order_copy();
        let mut text = String::new();
        let mut rest = vec![Unwritten::Node(snapshot.roots[0], false)];
        while let Some(part) = rest.pop() {
            let (id, is_negated) = match part {
                Unwritten::Node(id, is_negated) => (id, is_negated),
                Unwritten::Text(part) => {
                    text += part;
                    continue;
                }
            };
            if text.len() > MAX_EXPRESSION {
                return Err(Error::LongExpression { limit: MAX_EXPRESSION });
            }
            let is_true_at_ones = at_ones[id as usize] != is_negated;
            if id == ZERO || id == ONE {
                text += if is_true_at_ones { "TRUE" } else { "FALSE" };
                continue;
            }
            if !is_true_at_ones {
                rest.extend([Unwritten::Text(")"), Unwritten::Node(id, !is_negated)]);
                text += "(~ ";
                continue;
            }
            let node = snapshot.node(id);
            let variable = order.variable_at(node.level);
            let is_variable = node.lo == u32::from(is_negated) && node.hi == u32::from(!is_negated);
            text += if is_variable { "" } else { "ite(" };
            match names.get(variable) {
                Some(name) => text += name.as_ref(),
                None => text.extend(["x", &variable.to_string()]),
            }
            if !is_variable {
                rest.extend([
                    Unwritten::Text(")"),
                    Unwritten::Node(node.lo, is_negated),
                    Unwritten::Text(", "),
                    Unwritten::Node(node.hi, is_negated),
                    Unwritten::Text(", "),
                ]);
            }
        }
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategies::{functions, managers};
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
        fn expressions_of_functions_are_read_as_the_same_functions(
            f in managers(4).prop_flat_map(|manager| functions(&manager))
        ) {
            let text = f.to_expression(&NAMES).unwrap();
            prop_assert_eq!(&f.manager().expression(&text, &NAMES).unwrap(), &f);
            prop_assert_eq!(&f.manager().expression_of_dd(&text, &NAMES).unwrap(), &f);
        }

        /// The signs of TLA+ in place of others, quantifiers and `ite`, which reach as far as they may.
        #[test]
        fn quantifiers_and_ite_equal_operations(texts in [samples(), samples(), samples()]) {
            let manager = Manager::new(4).unwrap();
            let [f, g, h] = texts.each_ref().map(|of| manager.expression(&of.text, &NAMES).unwrap());
            let read = |text: String| manager.expression(&text, &NAMES).unwrap();
            let [a, b, c] = texts.map(|of| {
                let text = of.text.replace("<->", "<=>").replace("->", "=>").replace('&', "/\\");
                text.replace('|', "\\/").replace('^', " # ") + " (* as is *)"
            });
            let ite = f.ite(&g, &h).unwrap();
            prop_assert_eq!(read(format!("ite({a}, {b},{c}) \\* end")), ite.clone());
            prop_assert_eq!(read(format!("~\\E a,b_1: ite({a}, {b}, {c})")), !ite.exists([0, 1]).unwrap());
            let all = g.implies(&h).unwrap().forall([2]).unwrap();
            prop_assert_eq!(read(format!("({a}) & \\A x[2] : ({b}) => ({c})")), &f & all);
        }

        #[test]
        fn any_text_is_an_expression_or_has_a_position(text in "[ab01()&|^~!<>é,:@EA*/\\\\= \n-]{0,24}|(ite\\(|[a,b]|[|]|\\)|\\\\E a:){0,9}") {
            if let Err(error) = Function::from_expression(&text) {
                let Error::Expression { line, column, .. } = error else { panic!("{error}") };
                let lines: Vec<&str> = text.split('\n').collect();
                prop_assert!(column <= lines[line - 1].chars().count() + 1);
            }
        }
    }

    #[test]
    fn texts_that_dd_reads_otherwise_are_refused() {
        let manager = Manager::new(3).unwrap();
        let read = |text: &str| manager.expression_of_dd(text, &["a", "b", "c"]);
        for text in ["a ^ b | c", "a | b ^ c", "a ^ b & c | a", r"a \/ b /\ a # c", "a -> b => c"] {
            let Err(Error::Expression { reason, .. }) = read(text) else { panic!("{text}") };
            assert!(reason.starts_with("add parentheses"), "{text}: {reason}");
            assert!(manager.expression(text, &["a", "b", "c"]).is_ok(), "{text}");
        }
        for text in ["(a ^ b) | c", "a & b ^ c", "a ^ b -> c", "a -> (b -> c)", "a <-> b <-> c"] {
            assert_eq!(read(text), manager.expression(text, &["a", "b", "c"]), "{text}");
        }
        let f = read("a & ~b").unwrap();
        assert_eq!(read(&format!("~@{}", f.number())), Ok(!&f));
        assert_eq!(read(&format!("@{} | c", -f.number())), Ok(!&f | manager.var(2).unwrap()));
        assert_eq!(read("@77"), Err(Error::UnknownNumber { number: 77 }));
        for text in ["@", "@-", "@a", "@1_0", "a @1"] {
            assert!(matches!(read(text), Err(Error::Expression { .. })), "{text}");
        }
    }

    #[test]
    fn an_expression_that_repeats_too_many_nodes_is_an_error() {
        let manager = Manager::new(60).unwrap();
        let parity = (0..60).try_fold(manager.constant(false), |f, v| f.try_xor(&manager.var(v)?));
        let names: [&str; 0] = [];
        let error = parity.unwrap().to_expression(&names).unwrap_err();
        assert_eq!(error, Error::LongExpression { limit: 1 << 24 });
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
            ("a & & b", (1, 5), "not \"&\""),
            ("a ~ b", (1, 3), "not \"~\""),
            ("a - b", (1, 3), "the end, not \"-\"; write \"a & ~b\""),
            ("\\S a: b", (1, 1), "not \"\\\"; signs with \"\\\" are \"/\\\", "),
            ("é |\n (b -> )", (2, 8), "not \")\""),
            ("(a | b", (1, 1), "add \")\""),
            ("a | ((b)", (1, 5), "add \")\""),
            ("a)", (1, 2), "remove it"),
            ("a <- b", (1, 3), "not \"<\""),
            ("a = b", (1, 3), "not \"=\""),
            ("a & @1", (1, 5), "not \"@1\""),
            ("ite(a, b)", (1, 9), "three operands"),
            ("ite(a, b, é", (1, 1), "add \")\""),
            ("ite(a, b, é, a)", (1, 12), "\",\" is for"),
            ("(a, b)", (1, 3), "\",\" is for"),
            ("a & (* b", (1, 9), "but the text ends"),
            ("\\E a b: b", (1, 6), "\":\", follow a quantifier"),
            ("\\A : b", (1, 4), "\":\", follow a quantifier"),
            ("\\A a", (1, 5), "follow a quantifier"),
            ("\\E z: b", (1, 4), "no variable has the name \"z\""),
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
