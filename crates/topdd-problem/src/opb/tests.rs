use super::*;
use crate::{Problem, Unlimited};
use proptest::prelude::*;

/// The solutions of a file, by brute force over its constraints as they are written.
type Term = (i64, bool, usize);

/// A constraint: terms, the comparison and the bound.
type Written = (Vec<Term>, usize, i64);

const SENSES: [&str; 3] = [">=", "<=", "="];

fn holds((terms, sense, bound): &Written, values: &[bool]) -> bool {
    let counts = |&(c, plain, v): &Term| if values[v] == plain { c } else { 0 };
    let sum: i64 = terms.iter().map(counts).sum();
    [sum >= *bound, sum <= *bound, sum == *bound][*sense]
}

/// Writes constraints, with coefficients times a large number.
fn written(rows: &[Written], factor: &BigInt) -> String {
    let signed = |number: i64| {
        let product = BigInt::from(number) * factor;
        if product.is_negative() { product.to_string() } else { format!("+{product}") }
    };
    let row = |(terms, sense, bound): &Written| {
        let term = |&(c, plain, v): &Term| {
            format!("{} {}x{} ", signed(c), if plain { "" } else { "~" }, v + 1)
        };
        let terms: String = terms.iter().map(term).collect();
        format!("{terms}{} {};\n", SENSES[*sense], signed(*bound))
    };
    rows.iter().map(row).collect()
}

fn rows() -> impl Strategy<Value = Vec<Written>> {
    let term = (-9i64..10, any::<bool>(), 0usize..6);
    let row = (prop::collection::vec(term, 0..7), 0usize..3, -12i64..13);
    prop::collection::vec(row, 1..5)
}

proptest! {
    /// Also if one large coefficient keeps the sums from being divided, so that they exceed 64 bits.
    #[test]
    fn solutions_are_those_of_brute_force(rows in rows(), large in any::<bool>()) {
        let factor = if large { BigInt::from(10).pow(30) } else { BigInt::one() };
        let mut text = format!("* #variable= 6 #constraint= {}\n", rows.len());
        text += &written(&rows, &factor);
        if large {
            // Another unit in each row that is no equation: 1 more on a variable does not change what holds.
            text = text.replace("000 x1 >=", "001 x1 >=").replace("000 x2 <=", "001 x2 <=");
        }
        let file = OpbFile::parse(&text).unwrap();
        let problem = Problem::Rules(file.rules());
        let (zdd, order, _) = problem.build(&Unlimited).unwrap();
        let mut found: Vec<Vec<bool>> = zdd.iter().map(|solution| {
            let mut values = vec![false; 6];
            order.iter().zip(&solution).for_each(|(&v, &value)| values[v] = value == 1);
            values
        }).collect();
        found.sort_unstable();
        let all = (0..64).map(|bits| (0..6).map(|v| bits >> (5 - v) & 1 == 1).collect::<Vec<_>>());
        let expected: Vec<_> =
            all.filter(|values| rows.iter().all(|row| exact(row, values, &factor, &text))).collect();
        prop_assert_eq!(found, expected, "{}", text);
        prop_assert_eq!(problem.count(&Unlimited).unwrap(), zdd.count());
    }
}

/// Whether a constraint holds, where terms may have a 1 added to the factor.
fn exact(row: &Written, values: &[bool], factor: &BigInt, text: &str) -> bool {
    if factor.is_one() {
        return holds(row, values);
    }
    let line = written(std::slice::from_ref(row), factor);
    let line = line.replace("000 x1 >=", "001 x1 >=").replace("000 x2 <=", "001 x2 <=");
    assert!(text.contains(&line));
    let mut sum = BigInt::ZERO;
    let words: Vec<&str> = line.trim_end_matches(";\n").split_whitespace().collect();
    let (bound, terms) = words.split_last().unwrap();
    let (sense, terms) = terms.split_last().unwrap();
    for pair in terms.chunks(2) {
        let plain = !pair[1].starts_with('~');
        let variable: usize = pair[1].trim_start_matches(['~', 'x']).parse().unwrap();
        if values[variable - 1] == plain {
            sum += pair[0].parse::<BigInt>().unwrap();
        }
    }
    let bound: BigInt = bound.parse().unwrap();
    match *sense {
        ">=" => sum >= bound,
        "<=" => sum <= bound,
        _ => sum == bound,
    }
}

fn count(text: &str) -> u64 {
    let problem = Problem::Rules(OpbFile::parse(text).unwrap().rules());
    u64::try_from(problem.count(&Unlimited).unwrap()).unwrap()
}

#[test]
fn coefficients_of_any_size_are_exact() {
    let power = |k: u32| BigInt::from(2).pow(k);
    // The binary digits of a number of 100 bits: one solution, and as many below it.
    let sum = (0..100).map(|k| format!("+{} b{k} ", power(k))).collect::<Vec<_>>().concat();
    assert_eq!(count(&format!("{sum} = {};", power(99) + 12345)), 1);
    assert_eq!(count(&format!("{sum} <= 4095;")), 4096);
    assert_eq!(count(&format!("{sum} >= {};", power(100) - 7)), 7);
    // Divided by their greatest common divisor, these are small; no sum is the odd bound.
    let huge = power(200);
    assert_eq!(count(&format!("+{huge} a +{huge} b +{huge} c >= {};", &huge + 1)), 4);
    assert_eq!(count(&format!("+{huge} a +{huge} b = {};", &huge + 1)), 0);
    assert_eq!(count(&format!("+{huge} a <= {huge}000;")), 2);
}

#[test]
fn constraints_may_be_written_in_any_layout() {
    let file = OpbFile::parse(
        "\u{feff}* a comment\n  * another\nmin:\n -2 cost_1\n+ 3 ~b;  a +b\n-1 ~c>=1;-c <= - 0 ; 2 a 3 b >= +3;",
    )
    .unwrap();
    assert_eq!(file.names(), ["cost_1", "b", "a", "c"]);
    assert_eq!(file.num_constraints(), 3);
    let objective = file.objective().unwrap();
    assert_eq!(objective.goal, Goal::Minimum);
    assert_eq!(objective.weights, [[0, -2], [3, 0], [0, 0], [0, 0]]);
    let empty = OpbFile::parse("* #variable= 3 #constraint= 0\n").unwrap();
    assert_eq!(
        (empty.names().len(), Problem::Rules(empty.rules()).count(&Unlimited).unwrap()),
        (3, 8u32.into())
    );
    // Variables are in the order of their numbers, and those that are declared exist.
    let gaps = OpbFile::parse("+1 x10 +1 x2 >= 1;").unwrap();
    assert_eq!(gaps.names(), ["x2", "x10"]);
    assert_eq!(count("* #variable= 4 #constraint= 1\n+1 x3 +1 x1 >= 2;"), 4);
    // A sum without variables holds or not.
    assert_eq!((count("+1 x1 -1 x1 >= 0;"), count("+1 x1 +1 ~x1 >= 2;")), (2, 0));
}

#[test]
fn other_lines_are_refused_with_a_remedy() {
    for (text, line, remedy) in [
        ("", 1, "no constraint; write one"),
        ("* only a comment\n", 1, "no constraint; write one"),
        ("+1 x1 >= 1", 1, "no \";\" at its end; add it"),
        ("+1 x1\n>= 1;\n;\n", 3, "a \";\" without a constraint; remove it"),
        ("+1 x1 >= 1;\n+1 x1 +1 x2;\n", 2, "complete the constraint"),
        ("+1 x1 x2 >= 1;\n", 1, "the product with x2 is nonlinear"),
        ("min: +1 x1 ~x2;\n+1 x1 >= 1;\n", 1, "nonlinear"),
        ("+1 x1 >= 1;\n+1 x1 + 2*x2 >= 1;\n", 2, "write a blank in its place"),
        ("+1 x1 +2 >= 1;\n", 1, "move it to the right"),
        ("min: 3;\n", 1, "the number 3 without a variable"),
        ("+1 x1 >= 1 x2;\n", 1, "move all terms to its left, or add \";\""),
        ("+1 x1 >= ;\n", 1, "no number after \">=\""),
        ("+1 x1 >= x2;\n", 1, "\"x2\" is not a whole number"),
        ("+1 x1 > 1;\n", 1, "\">\" is not supported; write \">=\""),
        ("+1 x1 == 1;\n", 1, "\"==\" is not supported"),
        ("+1 x1 != 1;\n", 1, "\"!=\" is not supported"),
        ("+1.5 x1 >= 1;\n", 1, "\"1.5\" is not a whole number; multiply"),
        ("+1 x1 >= 0.5;\n", 1, "\"0.5\" is not a whole number"),
        ("+1 ~~x1 >= 0;\n", 1, "\"~\" in place of a term"),
        ("+1 x1 - >= 0;\n", 1, "write a term such as +2 x1"),
        ("+1 x1 -1 x-1 >= 0;\n", 1, "the number 1 without a variable"),
        ("+1 ! x1 >= 0;\n", 1, "not supported"),
        ("min: +1 x1;\nmax: +1 x1;\n", 2, "after that of line 1; remove one"),
        ("soft: 6;\n", 1, "soft constraints (WBO)"),
        ("+1 x1 >= 1;\n[3] +1 x2 >= 1;\n", 2, "soft constraints (WBO)"),
        ("* #variable= 2 #constraint= 2\n+1 x1 +1 x2 >= 1;\n", 1, "1 constraints follow"),
        ("* #variable= 2 #constraint= 1\n+1 x1 +1 x3 +1 x4 >= 1;\n", 1, "but there is x4"),
        ("* #variable= 3 #constraint= 1\n+1 a +1 b >= 1;\n", 1, "2 variables follow"),
        ("* #variable= 99999999 #constraint= 1\n+1 x1 >= 1;\n", 1, "too many"),
        ("p cnf 2 1\n1 2 0\n", 1, "this is DIMACS CNF"),
        ("p wcnf 2 1 9\n9 1 2 0\n", 1, "this is WCNF"),
        ("* caf\u{fffd}\n+1 x1 >= 1;\n+1 caf\u{fffd} >= 1;\n", 3, "no text in UTF-8"),
        ("<?xml version=\"1.0\"?>\n", 1, "this is XML"),
        ("min: +9000000000000000000 x1;\n", 1, "exceed 62 bits"),
    ] {
        let error = OpbFile::parse(text).map(drop).unwrap_err();
        assert_eq!(error.line, line, "{text:?}: {error}");
        assert!(error.to_string().contains(remedy), "{text:?}: {error}");
    }
}

/// The name `h` is one like others, and declared variables without a constraint are free.
#[test]
fn names_and_free_variables_are_those_of_the_file() {
    let file = OpbFile::parse("h + k >= 1;\n").unwrap();
    assert_eq!(file.names(), ["h", "k"]);
    let file = OpbFile::parse("* #variable= 7 #constraint= 1\n+1 x3 +1 x6 = 1;\n").unwrap();
    assert_eq!(Problem::Rules(file.rules()).count(&Unlimited).unwrap(), 64u32.into());
}

#[test]
fn conditions_and_other_rules_keep_the_variables_apart() {
    let file = OpbFile::parse("+1 a +1 d >= 1;\n+1 b +1 d >= 1;\n+1 c +1 a <= 1;\n").unwrap();
    let size = crate::Condition::Size { least: None, most: Some(2) };
    let taken = crate::Condition::Elements { elements: vec![(1, 1)], taken: true };
    let rules = file.rules().under(&size).unwrap().under(&taken).unwrap();
    // a and d, d is variable 1: d with at most one other, of which a and c exclude each other.
    let alone = Problem::Rules(rules.clone()).count(&Unlimited).unwrap();
    // The same in the order of the variables, which another rule needs.
    let space = rules.space().clone();
    let free = constraint::clauses(space, [[]; 0]);
    let fixed = rules.with(free, None).unwrap();
    assert_eq!(Problem::Rules(fixed).count(&Unlimited).unwrap(), alone);
    assert_eq!(alone, 4u32.into());
}
