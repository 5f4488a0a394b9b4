//! `--width` and `--gap`: bounded runs.

use serde_json::{Value, json};

use crate::support::{answer, file, refused, topdd};

/// A random graph of the edges that a linear congruence keeps, with weights of edges.
fn random_graph(vertices: u64, percent: u64, mut seed: u64) -> String {
    let mut lines = String::new();
    for a in 0..vertices {
        for b in 0..a {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            if (seed >> 33) % 100 < percent {
                let weight = (seed >> 45) % 9 + 1;
                lines.extend([b, a, weight].map(|number| format!("{number} ")));
                lines.push('\n');
            }
        }
    }
    lines
}

fn object(args: &str) -> Value {
    serde_json::from_str(&answer(args)).expect("JSON")
}

const FAMILIES: [&str; 7] = [
    "independent-sets",
    "independent-sets --at-least 2 --at-most 4",
    "vertex-covers",
    "dominating-sets",
    "cliques --with 3",
    "matchings",
    "matchings --cost-at-most 20",
];

#[test]
fn proven_weights_are_those_of_the_diagram() {
    let graph = file("random.txt", &random_graph(14, 30, 5));
    for family in FAMILIES {
        for goal in ["", "--max"] {
            let exact = object(&format!("graph {family} {graph} --best 1 {goal} --json"));
            let asked =
                format!("graph {family} {graph} --best 1 {goal} --json --threads 1 --width");
            let best = object(&format!("{asked} 3"));
            assert_eq!(best["weights"], exact["weights"], "{family} {goal}");
            assert_eq!((&best["bound"], &best["gap"]), (&best["weights"][0], &json!(0.0)));
            assert_eq!((&best["proven"], &best["stopped_by"]), (&json!(true), &Value::Null));
            let number = |object: &Value| object.as_str().and_then(|text| text.parse::<i64>().ok());
            let near = object(&format!("{asked} 1 --gap 50%"));
            let exact = number(&exact["weights"][0]).unwrap();
            let (weight, bound) =
                (number(&near["weights"][0]).unwrap(), number(&near["bound"]).unwrap());
            let sides =
                if goal.is_empty() { [bound, exact, weight] } else { [weight, exact, bound] };
            assert!(sides.is_sorted(), "{family} {goal}: {sides:?}");
        }
    }
}

/// The graph of Johnson, J(8, 2, 4): pairs of eight numbers, of which disjoint ones are adjacent.
#[test]
fn known_graphs_have_the_known_numbers() {
    let pairs: Vec<(u32, u32)> = (0..8).flat_map(|b| (0..b).map(move |a| (a, b))).collect();
    let mut johnson = String::new();
    for (j, &(c, d)) in pairs.iter().enumerate() {
        for (i, &(a, b)) in pairs[..j].iter().enumerate() {
            if ![a, b].contains(&c) && ![a, b].contains(&d) {
                johnson.extend([i, j].map(|number| format!("{number} ")));
                johnson.push('\n');
            }
        }
    }
    let johnson = file("johnson.txt", &johnson);
    let text = answer(&format!("graph cliques {johnson} --best 1 --max --width 20"));
    assert!(text.contains("\nweight 4, bound 4, gap 0%, proven\n"), "{text}");
    // The pairs with one number in common, or the pairs of three numbers.
    let text =
        answer(&format!("graph independent-sets {johnson} --best 1 --max --width 20 --quiet"));
    assert_eq!(text.split_whitespace().count(), 7);
}

#[test]
fn objectives_of_files_have_bounds() {
    let knapsack = "max: +4 a +5 b +7 c +1 ~d;\n+3 a +4 b +5 c <= 9;\n+1 a -1 d >= 0;\n";
    let knapsack = file("bounded.opb", knapsack);
    let text = answer(&format!("opb {knapsack} --best 1 --width 2"));
    assert!(text.contains("\nweight 13, bound 13, gap 0%, proven\n"), "{text}");
    assert!(text.ends_with("\nweight 13: -a b c -d\n"), "{text}");
    let none = file("none.opb", "min: +1 a +1 b;\n+1 a +1 b >= 1;\n+1 a +1 b <= 0;\n");
    let text = answer(&format!("opb {none} --best 1 --gap 0"));
    assert!(text.contains("\nno solution, proven\n"), "{text}");
    assert_eq!(object(&format!("opb {none} --best 1 --gap 0 --json"))["count"], "0");
}

#[test]
fn a_limit_ends_a_run_with_what_is_known() {
    let graph = file("large.txt", &random_graph(120, 8, 1));
    let asked = format!("graph independent-sets {graph} --order given --best 1 --max --width 20");
    // With little memory, the deepest states come first, so that the run goes on.
    for limit in ["--time-limit 300ms", "--time-limit 300ms --memory-limit 8MB"] {
        let end = "not proven: stopped by ";
        let text = answer(&format!("{asked} {limit}"));
        assert!(
            text.contains(end) && text.contains("\nweight ") && text.contains(", bound "),
            "{text}"
        );
    }
    let found = object(&format!("{asked} --time-limit 300ms --json"));
    assert_eq!((&found["proven"], &found["stopped_by"]), (&json!(false), &json!("time")));
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_shows_what_is_known() {
    use std::process::{Command, Stdio};

    let graph = file("interrupted.txt", &random_graph(120, 8, 1));
    let asked = format!("graph independent-sets {graph} --best 1 --max --width 20");
    let child =
        crate::support::command(&asked).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let child = child.expect("the command starts");
    std::thread::sleep(std::time::Duration::from_secs(1));
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("a signal");
    let done = child.wait_with_output().expect("the command ends");
    let text = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success() && text.contains("not proven: interrupted\n"), "{text}");
}

#[test]
fn a_run_goes_on_from_its_checkpoint() {
    let graph = file("resumed.txt", &random_graph(60, 12, 3));
    let folder = tempfile::tempdir().expect("a folder");
    let asked = format!(
        "graph independent-sets {graph} --best 1 --max --width 5 --threads 1 --checkpoint {}",
        folder.path().display()
    );
    let stopped = topdd(&format!("{asked} --time-limit 100ms"));
    assert_eq!(stopped.code, 0, "{}", stopped.err);
    let done = object(&format!("{asked} --json"));
    let exact = object(&format!("graph independent-sets {graph} --best 1 --max --json"));
    assert_eq!((&done["proven"], &done["weights"]), (&json!(true), &exact["weights"]));
    let left = std::fs::read_dir(folder.path()).expect("the folder").count();
    assert_eq!(left, 1, "only the lock is left");
}

#[test]
fn runs_that_prove_nothing_are_refused() {
    let graph = file("refused.txt", &random_graph(8, 50, 2));
    for (args, words) in [
        ("matchings --best 1 --width 0", ["--width", "1 or more"]),
        ("matchings --best 1 --gap much", ["--gap", "such as 5%"]),
        ("matchings --best 1 --gap 5", ["--gap", "such as 5%"]),
        ("matchings --best 2 --width 9", ["--best 1", "leave them out"]),
        ("matchings --width 9", ["--best", "required"]),
        ("trees --best 1 --width 9", ["spanning trees", "do not merge"]),
        ("paths --best 1 --gap 5%", ["paths", "leave them out"]),
        ("matchings --maximal --best 1 --width 9", ["--maximal", "all solutions"]),
        ("matchings --count-by-size --best 1 --width 9", ["--count-by-size", "all solutions"]),
        ("matchings --best 1 --width 9 --save a.tdd", ["--save", "no diagram"]),
        ("matchings --best 1 --width 9 --spill-to .", ["--spill-to", "spill nothing"]),
    ] {
        let (family, options) = args.split_once(' ').unwrap_or((args, ""));
        refused(2, &format!("graph {family} {graph} {options}"), &words);
    }
    assert_eq!(topdd(&format!("graph colourings {graph} -k 3 --best 1 --width 9")).code, 2);
}
