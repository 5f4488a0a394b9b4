//! `topdd cnf`.

use std::collections::BTreeSet;
use std::fmt::Write;

use serde_json::Value;

use crate::support::{answer, case, command, file, output, refused, topdd};

/// The generator xorshift of G. Marsaglia.
struct Draw(u64);

impl Draw {
    fn below(&mut self, end: i64) -> i64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20).cast_signed() % end
    }
}

/// The unit of the weights of random formulas.
const UNIT: i128 = 60;

/// A random formula.
struct Formula {
    num_vars: i64,
    clauses: Vec<Vec<i64>>,
    /// The variables from 1 to count over.
    shown: BTreeSet<i64>,
    /// The weights of false and true, as multiples of 1 / `UNIT`.
    weights: Option<Vec<[i128; 2]>>,
    text: String,
}

impl Formula {
    fn draw(draw: &mut Draw) -> Self {
        let num_vars = 1 + draw.below(7);
        let variable = |draw: &mut Draw| 1 + draw.below(num_vars);
        let literal = |draw: &mut Draw| variable(draw) * if draw.below(2) == 0 { 1 } else { -1 };
        let clauses: Vec<Vec<i64>> = (0..draw.below(2 * num_vars + 1))
            .map(|_| (0..draw.below(4) + draw.below(8).min(1)).map(|_| literal(draw)).collect())
            .collect();
        let mut notes = vec!["c a comment 1 0".to_owned()];
        let all: BTreeSet<i64> = (1..=num_vars).collect();
        let mut shown = all.clone();
        let has_shown = draw.below(2) == 0;
        if has_shown {
            shown.clear();
            for word in ["c p show", "c ind"].iter().take(1 + draw.below(2) as usize) {
                let of_line: Vec<i64> = (0..draw.below(5)).map(|_| variable(draw)).collect();
                let ended = of_line.iter().chain(&[0]);
                let names: Vec<String> = ended.map(ToString::to_string).collect();
                notes.push(format!("{word} {}", names.join(" ")));
                shown.extend(of_line);
            }
        }
        let mut weights = vec![[UNIT; 2]; num_vars as usize];
        let has_weights = draw.below(2) == 0;
        if has_weights {
            for (index, of_variable) in weights.iter_mut().enumerate() {
                draw_weights(draw, index + 1, of_variable, &mut notes);
            }
        }
        let is_weighted = notes.iter().any(|note| note.starts_with('w') || note.contains("weight"));
        let kind = ["", "", "mc", "pmc", "wmc", "pwmc"][draw.below(6) as usize];
        if !kind.is_empty() {
            notes.push(format!("c t {kind}"));
        }
        if kind == "mc" || kind == "wmc" {
            shown = all;
        }
        let weights = match kind {
            "" => is_weighted,
            kind => kind.contains('w'),
        }
        .then_some(weights);
        let text = written(draw, num_vars, &clauses, notes);
        Formula { num_vars, clauses, shown, weights, text }
    }

    /// The models over the variables to count over.
    fn models(&self) -> BTreeSet<Vec<i64>> {
        let mut models = BTreeSet::new();
        for bits in 0..1u64 << self.num_vars {
            let value = |variable: i64| bits >> (variable - 1) & 1 == 1;
            let holds = |literal: &i64| value(literal.abs()) == (*literal > 0);
            if self.clauses.iter().all(|clause| clause.iter().any(holds)) {
                let shown = self.shown.iter();
                let signed = shown.map(|&v| if value(v) { v } else { -v });
                models.insert(signed.collect());
            }
        }
        models
    }

    /// The weighted count as a fraction in lowest terms.
    fn weighted_count(&self, models: &BTreeSet<Vec<i64>>) -> Option<String> {
        let weights = self.weights.as_ref()?;
        let weight =
            |literal: &i64| weights[literal.unsigned_abs() as usize - 1][usize::from(*literal > 0)];
        let sum: i128 = models.iter().map(|model| model.iter().map(weight).product::<i128>()).sum();
        let (mut numerator, mut denominator) = (sum, UNIT.pow(self.shown.len() as u32));
        for prime in [2, 3, 5] {
            while numerator % prime == 0 && denominator % prime == 0 {
                (numerator, denominator) = (numerator / prime, denominator / prime);
            }
        }
        Some(match denominator {
            1 => numerator.to_string(),
            _ if numerator == 0 => "0".to_owned(),
            _ => format!("{numerator}/{denominator}"),
        })
    }
}

/// Draws lines with the weights of a variable.
fn draw_weights(
    draw: &mut Draw,
    variable: usize,
    weights: &mut [i128; 2],
    notes: &mut Vec<String>,
) {
    let mut line = |draw: &mut Draw, value: usize, weight: i128| {
        weights[value] = weight;
        weights[1 - value] = UNIT - weight;
        let sign = if value == 0 { "-" } else { "" };
        let text = match weight % 3 {
            0 => (weight as f64 / UNIT as f64).to_string(),
            _ => format!("{weight}/{UNIT}"),
        };
        notes.push(match draw.below(3) {
            0 => format!("w {sign}{variable} {text}"),
            1 => format!("w {sign}{variable} {text} 0"),
            _ => format!("c p weight {sign}{variable} {text} 0"),
        });
    };
    match draw.below(5) {
        0 => {}
        1 => notes.push(format!("w {variable} -1")),
        2 => {
            let value = draw.below(2) as usize;
            let weight = i128::from(draw.below(61));
            line(draw, value, weight);
        }
        _ => {
            let [no, yes] = [0; 2].map(|_| i128::from(draw.below(200)));
            line(draw, 0, no);
            line(draw, 1, yes);
            *weights = [no, yes];
        }
    }
}

/// Writes a formula, with clauses over several lines, and the notes at random places.
fn written(draw: &mut Draw, num_vars: i64, clauses: &[Vec<i64>], notes: Vec<String>) -> String {
    let mut text = format!("p cnf {num_vars} {}\n", clauses.len());
    for clause in clauses {
        for literal in clause.iter().chain(&[0]) {
            let _ = write!(text, "{literal}{}", if draw.below(4) == 0 { '\n' } else { ' ' });
        }
    }
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for note in notes {
        lines.insert(draw.below(lines.len().cast_signed() as i64 + 1) as usize, note);
    }
    if draw.below(4) == 0 {
        lines.extend(["%".to_owned(), "0".to_owned()]);
    }
    lines.join("\n") + "\n"
}

#[test]
fn random_formulas_have_the_models_and_weights_of_brute_force() {
    let mut draw = Draw(0x9e37_79b9_7f4a_7c15);
    let mut non_empty = 0;
    for round in 0..200 {
        let formula = Formula::draw(&mut draw);
        let path = file("random.cnf", &formula.text);
        let engine = if round % 4 == 0 { "frontier" } else { "apply" };
        let run = answer(&format!("cnf {path} --list --json --engine {engine}"));
        let found: Value = serde_json::from_str(&run).expect("JSON");
        let models = formula.models();
        let text = &formula.text;
        assert_eq!(found["count"], models.len().to_string(), "{engine}:\n{text}");
        let listed: Vec<Vec<i64>> =
            serde_json::from_value(found["solutions"].clone()).expect("lists of literals");
        assert_eq!(listed.len(), models.len(), "{engine}:\n{text}");
        assert_eq!(BTreeSet::from_iter(listed), models, "{engine}:\n{text}");
        let weighted = formula.weighted_count(&models);
        let found = found.get("weighted_count").and_then(Value::as_str);
        assert_eq!(found, weighted.as_deref(), "{engine}:\n{text}");
        let quiet = answer(&format!("cnf {path} --quiet --engine {engine}"));
        assert_eq!(quiet.trim(), weighted.unwrap_or_else(|| models.len().to_string()), "{text}");
        non_empty += usize::from(!models.is_empty());
    }
    assert!((50..200).contains(&non_empty), "{non_empty} formulas have models");
}

/// Not both of 1 and 2, at least one of 2 and 3, and 4 is free.
const SMALL: &str = "p cnf 4 2\n-1 -2 0\n2 3 0\n";

#[test]
fn models_are_counted_sampled_and_saved() {
    let small = file("small.cnf", SMALL);
    let text = answer(&format!("cnf {small}"));
    assert!(text.contains(": 2 clauses, 4 variables\n8 solutions\n"), "{text}");
    assert_eq!(answer(&format!("cnf {small} --count-only --quiet")), "8\n");
    let sample = answer(&format!("cnf {small} --sample 3 --seed 1 --quiet"));
    let models: BTreeSet<&str> = sample.lines().collect();
    assert_eq!(models.len(), 3);
    for model in models {
        let model: Vec<i64> =
            model.split(' ').map(|word| word.parse().expect("a literal")).collect();
        assert!(model.iter().map(|literal| literal.abs()).eq(1..=4), "{model:?}");
        assert!(!(model.contains(&1) && model.contains(&2)), "{model:?}");
        assert!(model.contains(&2) || model.contains(&3), "{model:?}");
    }
    assert_eq!(answer(&format!("cnf {small} --sample 3 --seed 1 --quiet")), sample);

    let shown = file("shown.cnf", &format!("{SMALL}c p show 1 3 0\nc p weight 3 1/3 0\n"));
    let text = answer(&format!("cnf {shown} --list"));
    assert!(text.contains(", 4 variables, over 2 of them\n3 solutions\n"), "{text}");
    assert!(text.contains("\nweighted count: 4/3, about 1.33333333333333\n"), "{text}");
    let saved = file("shown.tdd", "");
    answer(&format!("cnf {shown} --save {saved} --quiet"));
    let mut listed: Vec<String> =
        answer(&format!("list {saved}")).lines().map(str::to_owned).collect();
    listed.sort();
    assert_eq!(listed, ["(empty)", "1 3", "3"]);
    assert_eq!(answer(&format!("count {saved} --with 3")), "2\n");
    assert_eq!(answer(&format!("cnf {shown} --quiet --engine frontier")), "4/3\n");
}

#[test]
fn names_in_comments_are_listed_and_selected_by() {
    let features = case("feature-names.cnf");
    let models = "Root -\"Light System\" -\"Größe XL\"\nRoot -\"Light System\" \"Größe XL\"\nRoot \"Light System\" \
                  -\"Größe XL\"\nRoot \"Light System\" \"Größe XL\"\n";
    assert_eq!(answer(&format!("cnf {features} --list --quiet")), models);
    let json: Value =
        serde_json::from_str(&answer(&format!("cnf {features} --nth 1 --json"))).expect("JSON");
    assert_eq!(json["solutions"][0], serde_json::json!(["Root", "-Light System", "Größe XL"]));
    let saved = file("features.tdd", "");
    answer(&format!("cnf {features} --save {saved} --quiet"));
    let sets =
        "Root\nRoot \"Größe XL\"\nRoot \"Light System\"\nRoot \"Light System\" \"Größe XL\"\n";
    let mut listed: Vec<String> =
        answer(&format!("list {saved}")).split_inclusive('\n').map(str::to_owned).collect();
    listed.sort();
    assert_eq!(listed.concat(), sets);
    // The formula and the saved diagram, by one engine and by the other.
    for asked in [
        format!("count {saved}"),
        format!("cnf {features} --quiet"),
        format!("cnf {features} --quiet --engine frontier"),
        format!("cnf {features} --quiet --count-only"),
    ] {
        for (options, count) in [
            (&["--with", "Light System"][..], "2\n"),
            (&["--with", "\"Light System\",Root"], "2\n"),
            (&["--with", "Light System", "--without", "Größe XL"], "1\n"),
            (&["--without", "Root"], "0\n"),
        ] {
            let run = output(command(&asked).args(options));
            assert_eq!((run.code, &run.out[..]), (0, count), "{asked} {options:?}: {}", run.err);
        }
    }
    refused(2, &format!("cnf {features} --with Light"), &["no variable Light", "\"Light System\""]);
    let run = topdd(&format!("cnf {features} --with Root --without Root --list"));
    assert!(run.out.contains(", with Root, without Root\n0 solutions\n"), "{}", run.out);
    // Without names, by number.
    let plain = file("plain.cnf", "c 2 clauses\np cnf 3 1\n1 2 0\n");
    assert_eq!(answer(&format!("cnf {plain} --quiet --with 3 --without 1")), "1\n");
    refused(2, &format!("cnf {plain} --with clauses"), &["no variable clauses"]);
    // A condition on a variable that is not counted over.
    let shown = file("shown.cnf", "p cnf 3 1\nc p show 1 2 0\n1 -3 0\n");
    assert_eq!(answer(&format!("cnf {shown} --quiet --with 3")), "2\n");
}

#[test]
fn formulas_as_people_have_them_are_read_or_refused_by_name() {
    for (name, count) in [("mark.cnf", "3"), ("packed.cnf.gz", "4")] {
        assert_eq!(answer(&format!("cnf {} --quiet", case(name))), format!("{count}\n"));
    }
    refused(
        1,
        &format!("cnf {}", case("small.opb")),
        &["this is OPB, pseudo-Boolean", "`topdd opb`"],
    );
    for (name, text, words) in [
        ("a.uvl", "features\n\tRoot\n", "this is UVL"),
        ("a.cnf", "features\n\tRoot\n", "this is UVL"),
        ("a.wcnf", "10 1 2 0\n", "this is WCNF"),
        ("a.dnf", "p cnf 1 1\n1 0\n", "this is DNF"),
        ("a.nnf", "nnf 1 0 2\n", "this is NNF"),
        ("a.cnf.gz", "1 2 0\n", "move that line up"),
        ("b.cnf", "BZh91AY", "packed by bzip2"),
    ] {
        refused(1, &format!("cnf {}", file(name, text)), &[name, words]);
    }
    let opb = file("opb.gz", "");
    let run = std::process::Command::new("gzip").arg("-c").arg(case("small.opb")).output();
    if let Ok(packed) = run.map(|run| run.stdout) {
        std::fs::write(&opb, &packed).expect("a file");
        refused(1, &format!("cnf {opb}"), &["this is OPB"]);
        std::fs::write(&opb, &packed[..20]).expect("a file");
        refused(1, &format!("cnf {opb}"), &["cut off"]);
    }
    refused(2, &format!("count {}", case("packed.cnf.gz")), &["is a formula", "`topdd cnf`"]);
    refused(2, "count a.tdd.gz", &["packed by gzip", "gunzip"]);
}

#[test]
fn minimal_cut_sets_of_a_fault_tree_have_names_and_a_probability() {
    let (tree, saved) = (case("fault-tree.cnf"), file("tree.tdd", ""));
    answer(&format!("cnf {tree} --save {saved} --quiet"));
    let mut sets: Vec<String> =
        answer(&format!("list {saved} --minimal")).lines().map(str::to_owned).collect();
    sets.sort();
    assert_eq!(sets, ["A B", "C"]);
    let count = answer(&format!("count {saved} -p 0.1"));
    assert!(count.contains("0.109000000000"), "{count}");
}

#[test]
fn feature_model_of_854_variables_is_counted_with_its_names() {
    let model = case("feature-model-854.cnf");
    let count = answer(&format!("cnf {model} --quiet"));
    assert!(count.starts_with("20611385193567817606") && count.trim().len() == 202, "{count}");
    let first = answer(&format!("cnf {model} --limit 1 --quiet"));
    assert_eq!(first.split(' ').filter(|word| word.ends_with("NC_EXTRA")).count(), 1, "{first}");
}

#[test]
fn failures_name_the_line_and_the_remedy() {
    let broken = file("broken.cnf", "p cnf 2 1\n1 5 0\n");
    refused(
        1,
        &format!("cnf {broken}"),
        &["broken.cnf: DIMACS, line 2", "literal 5", "correct it"],
    );
    refused(1, "cnf missing.cnf", &["cannot read missing.cnf"]);
    let small = file("other.cnf", SMALL);
    refused(2, &format!("cnf {small} --save {small}"), &["would overwrite the formula"]);
    refused(2, &format!("cnf {small} --svg a.svg"), &["--svg"]);
    refused(2, &format!("cnf {small} --spill-to ."), &["--engine frontier only"]);
    refused(3, &format!("cnf {small} --nth 8"), &["no solution of rank 8"]);
    let weighted = file("weighted.cnf", &format!("{SMALL}w 1 0.5\n"));
    refused(2, &format!("cnf {weighted} --count-only"), &["a weighted count needs the diagram"]);
    let saved = file("small.tdd", "");
    answer(&format!("cnf {small} --save {saved} --quiet"));
    refused(1, &format!("cnf {saved}"), &["is a saved diagram, not a formula"]);
}

#[test]
fn limits_stop_a_formula_with_advice() {
    // Pairs far from each other, in several interleaved orders: no order of the variables is good.
    let mut draw = Draw(7);
    let mut clauses = String::new();
    for _ in 0..400 {
        for _ in 0..3 {
            let sign = if draw.below(2) == 0 { "" } else { "-" };
            let _ = write!(clauses, "{sign}{} ", 1 + draw.below(120));
        }
        clauses.push_str("0\n");
    }
    let hard = file("hard.cnf", &format!("p cnf 120 400\n{clauses}"));
    let advice =
        ["--memory-limit allows, 1 MiB", "use --engine frontier, which can --spill-to DIR"];
    refused(1, &format!("cnf {hard} --quiet --memory-limit 1MiB"), &advice);
    let late = topdd(&format!("cnf {hard} --quiet --time-limit 200ms"));
    assert_eq!(late.code, 1, "{}", late.err);
    assert!(late.err.contains("allow more with --time-limit"), "{}", late.err);
}
