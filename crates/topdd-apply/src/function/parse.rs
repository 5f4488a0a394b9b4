//! The syntax of expressions: from text to steps in postfix notation.

use crate::error::Error;
use std::iter::Peekable;

/// The operators of two operands by precedence: later ones bind closer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Operator {
    Iff,
    Implies,
    Or,
    Xor,
    And,
}

impl Operator {
    fn from_token(token: &str) -> Option<Self> {
        Some(match token {
            "<->" | "<=>" => Operator::Iff,
            "->" | "=>" => Operator::Implies,
            "|" | "||" | "\\/" => Operator::Or,
            "^" | "#" => Operator::Xor,
            "&" | "&&" | "/\\" => Operator::And,
            _ => return None,
        })
    }

    /// Whether the package dd reads a text with both operators, without parentheses, in another way.
    fn differs_in_dd(self, other: Self) -> bool {
        use Operator::{Implies, Or, Xor};
        matches!((self, other), (Or, Xor) | (Xor, Or) | (Implies, Implies))
    }
}

/// The texts that are read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Grammar {
    Common,
    /// With numbers of functions, and without texts that the package dd reads in another way.
    Dd,
}

/// A step of an expression in postfix notation.
pub(super) enum ParseStep {
    Constant(bool),
    Variable(usize),
    /// A function by its number.
    Number(i64),
    Not,
    /// Joins the last values.
    Join(Operator, usize),
    /// If-then-else of the last three values.
    Ite,
    /// Quantifies variables in the last value, universally if the flag is set.
    Quantify(Vec<usize>, bool),
}

/// A part of the expression whose end is not yet read.
enum Open {
    /// A parenthesis, with its position in the text.
    Parenthesis(usize),
    /// The parenthesis of `ite`, with its position and the number of commas after it.
    Ite(usize, usize),
    Not,
    /// An operator, with the number of its operands.
    Chain(Operator, usize),
    /// A quantifier, which ends with the parenthesis around it.
    Quantifier(Vec<usize>, bool),
}

/// Parses a text by the shunting-yard algorithm of E. W. Dijkstra, which does not recurse. `variable` finds the
/// variable of a name.
pub(super) fn parse<'t>(
    text: &'t str,
    grammar: Grammar,
    variable: impl FnMut(&'t str) -> Option<usize>,
) -> Result<Vec<ParseStep>, Error> {
    let mut parser = Parser { text, grammar, variable, steps: Vec::new(), open: Vec::new() };
    let mut tokens = tokens(text).peekable();
    let mut at_operand = true;
    while let Some((position, token)) = tokens.next() {
        if at_operand {
            at_operand = !parser.operand(position, token, &mut tokens)?;
        } else {
            at_operand = parser.operator(position, token)?;
        }
        // A negation ends with its operand.
        while let Some(Open::Not) = parser.open.last().filter(|_| !at_operand) {
            parser.open.pop();
            parser.steps.push(ParseStep::Not);
        }
    }
    if at_operand {
        return Err(malformed(text, text.len(), format!("{}, but the text ends", expected(true))));
    }
    match parser.close() {
        Some(Open::Parenthesis(position) | Open::Ite(position, _)) => {
            Err(malformed(text, position, "\"(\" without \")\"; add \")\"".into()))
        }
        _ => Ok(parser.steps),
    }
}

struct Parser<'t, V> {
    text: &'t str,
    grammar: Grammar,
    variable: V,
    steps: Vec<ParseStep>,
    open: Vec<Open>,
}

impl<'t, V: FnMut(&'t str) -> Option<usize>> Parser<'t, V> {
    /// Reads a token where an operand begins. Returns whether the operand is complete.
    fn operand(
        &mut self,
        position: usize,
        token: &'t str,
        rest: &mut Peekable<impl Iterator<Item = (usize, &'t str)>>,
    ) -> Result<bool, Error> {
        match token {
            "(" => self.open.push(Open::Parenthesis(position)),
            "!" | "~" => self.open.push(Open::Not),
            "\\E" | "\\A" => {
                let variables = self.quantified(rest)?;
                self.open.push(Open::Quantifier(variables, token == "\\A"));
            }
            "ite" if rest.next_if(|next| next.1 == "(").is_some() => {
                self.open.push(Open::Ite(position, 0));
            }
            "0" | "false" | "False" | "FALSE" | "1" | "true" | "True" | "TRUE" => {
                let value = matches!(token, "1" | "true" | "True" | "TRUE");
                self.steps.push(ParseStep::Constant(value));
                return Ok(true);
            }
            name if name.starts_with(begins_name) => {
                let variable = self.named(position, name)?;
                self.steps.push(ParseStep::Variable(variable));
                return Ok(true);
            }
            number if self.grammar == Grammar::Dd && number.starts_with('@') => {
                let Ok(number) = number[1..].parse() else {
                    return Err(malformed(self.text, position, "\"@\" without a number".into()));
                };
                self.steps.push(ParseStep::Number(number));
                return Ok(true);
            }
            _ => return Err(self.unexpected(position, token, true)),
        }
        Ok(false)
    }

    /// Reads a token after an operand. Returns whether an operand must follow.
    fn operator(&mut self, position: usize, token: &str) -> Result<bool, Error> {
        let refused = |reason: &str| Err(malformed(self.text, position, reason.into()));
        match token {
            ")" => match self.close() {
                Some(Open::Ite(_, 2)) => self.steps.push(ParseStep::Ite),
                Some(Open::Ite(..)) => {
                    return refused("\"ite\" has three operands, with \",\" between");
                }
                Some(_) => {}
                None => return refused("\")\" without \"(\"; remove it, or add \"(\" before"),
            },
            "," => match self.close() {
                Some(Open::Ite(start, commas @ 0..2)) => {
                    self.open.push(Open::Ite(start, commas + 1));
                    return Ok(true);
                }
                _ => return refused("\",\" is for the three operands of \"ite\""),
            },
            _ => match Operator::from_token(token) {
                Some(operator) => {
                    self.open_chain(position, operator)?;
                    return Ok(true);
                }
                None => return Err(self.unexpected(position, token, false)),
            },
        }
        Ok(false)
    }

    /// Reads the names of a quantifier up to the colon.
    fn quantified(
        &mut self,
        rest: &mut impl Iterator<Item = (usize, &'t str)>,
    ) -> Result<Vec<usize>, Error> {
        let mut variables = Vec::new();
        let end = (self.text.len(), "");
        let unexpected = loop {
            let (position, name) = rest.next().unwrap_or(end);
            if !name.starts_with(begins_name) {
                break position;
            }
            variables.push(self.named(position, name)?);
            match rest.next().unwrap_or(end) {
                (_, ",") => {}
                (_, ":") => return Ok(variables),
                (position, _) => break position,
            }
        };
        let reason = "names with \",\" between, and then \":\", follow a quantifier";
        Err(malformed(self.text, unexpected, reason.into()))
    }

    fn named(&mut self, position: usize, name: &'t str) -> Result<usize, Error> {
        (self.variable)(name).ok_or_else(|| {
            let reason = format!("no variable has the name \"{name}\"; add it to the names");
            malformed(self.text, position, reason)
        })
    }

    fn unexpected(&self, position: usize, token: &str, operand: bool) -> Error {
        let remedy = match token {
            "-" => "; write \"a & ~b\" for a difference",
            "\\" => "; signs with \"\\\" are \"/\\\", \"\\/\", \"\\E\" and \"\\A\"",
            _ => "",
        };
        let reason = format!("{}, not \"{token}\"{remedy}", expected(operand));
        malformed(self.text, position, reason)
    }

    /// Ends the chains of operators that bind closer, and continues the chain of the same operator or begins one.
    fn open_chain(&mut self, position: usize, operator: Operator) -> Result<(), Error> {
        while let Some(&mut Open::Chain(last, ref mut operands)) = self.open.last_mut() {
            if self.grammar == Grammar::Dd && last.differs_in_dd(operator) {
                let reason = "add parentheses: without them, dd reads a text with \"^\" beside \"|\", or with \
                              \"->\" twice, in another way than topdd";
                return Err(malformed(self.text, position, reason.into()));
            }
            if last == operator && operator != Operator::Implies {
                *operands += 1;
                return Ok(());
            }
            if last <= operator {
                break;
            }
            self.steps.push(ParseStep::Join(last, *operands));
            self.open.pop();
        }
        self.open.push(Open::Chain(operator, 2));
        Ok(())
    }

    /// Ends all parts up to the last parenthesis, and returns this parenthesis.
    fn close(&mut self) -> Option<Open> {
        loop {
            let step = match self.open.pop()? {
                Open::Not => ParseStep::Not,
                Open::Chain(operator, operands) => ParseStep::Join(operator, operands),
                Open::Quantifier(variables, is_all) => ParseStep::Quantify(variables, is_all),
                parenthesis => return Some(parenthesis),
            };
            self.steps.push(step);
        }
    }
}

fn expected(operand: bool) -> &'static str {
    if operand {
        "expected a name, 0, 1, \"~\", \"!\" or \"(\""
    } else {
        "expected \"&\", \"^\", \"|\", \"->\", \"<->\", \")\" or the end"
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

/// The signs of more than one character, of which none begins with an earlier one.
const SIGNS: [&str; 10] = ["<->", "<=>", "->", "=>", "/\\", "\\/", "&&", "||", "\\E", "\\A"];

/// Splits a text into names, numbers and signs, each with its position in bytes. Leaves out blanks and the comments of
/// TLA+: `(* .. *)`, and from `\*` to the end of the line.
fn tokens(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        while let Some((start, end)) =
            [("(*", "*)"), ("\\*", "\n")].into_iter().find(|(start, _)| rest.starts_with(start))
        {
            let after = rest[start.len()..].find(end).map(|at| start.len() + at + end.len());
            rest = rest[after.unwrap_or(rest.len())..].trim_start();
        }
        let first = rest.chars().next()?;
        let in_word = |c: char| c.is_alphanumeric() || "_.[]'".contains(c);
        let start = if rest.starts_with("@-") { 2 } else { usize::from(first == '@') };
        let word = rest[start..].find(|c| !in_word(c)).map_or(rest.len(), |end| start + end);
        let sign = SIGNS.into_iter().find(|sign| rest.starts_with(sign));
        let len = if word > 0 { word } else { sign.map_or(first.len_utf8(), str::len) };
        let position = text.len() - rest.len();
        rest = &rest[len..];
        Some((position, &text[position..position + len]))
    })
}
