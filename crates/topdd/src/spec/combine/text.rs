//! States of combinations as text, of the form `op(first, second, ..)`.

use super::op::{And, AndNot, Op, Or, Xor};

/// The text between the parentheses of `op(..)`, if `text` is of this form.
pub(super) fn operands_of<'t>(op: &str, text: &'t str) -> Option<&'t str> {
    let operands = text.strip_prefix(op)?.strip_prefix('(')?.strip_suffix(')')?;
    let mut depth = 0_i32;
    // The last parenthesis must be the counterpart of the first.
    let stays_inside = operands.chars().all(|symbol| {
        depth += i32::from(symbol == '(') - i32::from(symbol == ')');
        depth >= 0
    });
    (stays_inside && depth == 0).then_some(operands)
}

/// Splits operands at the commas that are in no brackets.
fn split(operands: &str) -> Vec<&str> {
    let mut depth = 0_i32;
    let is_end = |symbol: char| {
        depth += i32::from("([{".contains(symbol)) - i32::from(")]}".contains(symbol));
        symbol == ',' && depth == 0
    };
    operands.split(is_end).map(str::trim_start).collect()
}

/// Returns the text of a state of a combination, `after`, in which each run of operands that are the same in the
/// text of an earlier state, `before`, is replaced by their number. Other text is returned as it is.
pub(crate) fn changed_operands(before: &str, after: &str) -> String {
    let operands = |op| Some((op, split(operands_of(op, before)?), split(operands_of(op, after)?)));
    let names = [And::NAME, Or::NAME, AndNot::NAME, Xor::NAME];
    let Some((op, old, new)) =
        names.into_iter().find_map(operands).filter(|(_, old, new)| old.len() == new.len())
    else {
        return after.to_owned();
    };
    let pairs: Vec<_> = old.into_iter().zip(new).collect();
    let runs = pairs.chunk_by(|one, other| one.0 == one.1 && other.0 == other.1);
    let texts = runs.map(|run| match run {
        [(old, new)] if old != new => changed_operands(old, new),
        same => format!("{} unchanged", same.len()),
    });
    format!("{op}({})", texts.collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unchanged_operands_are_replaced_by_their_number() {
        for (before, after, expected) in [
            (
                "and(a: 1, b: 1, c: 1)",
                "and(a: 1, b: 2, c: 1)",
                "and(1 unchanged, b: 2, 1 unchanged)",
            ),
            ("and(1, 2, 3)", "and(1, 2, 3)", "and(3 unchanged)"),
            ("or(f(1, 2), [3, 4])", "or(f(1, 2), [3, 5])", "or(1 unchanged, [3, 5])"),
            ("xor(and(1, 2), 3)", "xor(and(1, 4), 5)", "xor(and(1 unchanged, 4), 5)"),
            ("and(1, 2)", "and(1, 1-terminal)", "and(1 unchanged, 1-terminal)"),
            // These are not the same operands.
            ("and(1, 2)", "or(1, 2)", "or(1, 2)"),
            ("and(1, 2)", "and(1, 2, 3)", "and(1, 2, 3)"),
            ("(1, 2)", "(1, 3)", "(1, 3)"),
            ("", "and(1, 2)", "and(1, 2)"),
        ] {
            assert_eq!(changed_operands(before, after), expected);
        }
    }
}
