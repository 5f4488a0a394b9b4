//! `topdd opb`.

use serde_json::{Value, json};

use crate::support::{answer, case, file, refused, topdd};

/// A knapsack, in which d needs a.
const KNAPSACK: &str = "* #variable= 4 #constraint= 2\nmax: +4 a +5 b +7 c\n +1 ~d;\n+3 a +4 b +5 c <= 9;\n+1 a -1 d >= 0;\n";

#[test]
fn solutions_are_counted_listed_and_the_best_are_found() {
    let knapsack = file("knapsack.opb", KNAPSACK);
    let text = answer(&format!("opb {knapsack} --list"));
    assert!(text.contains(": 2 constraints, 4 variables\n10 solutions\n"), "{text}");
    assert!(text.contains("a b -c d"), "{text}");
    assert_eq!(answer(&format!("opb {knapsack} --quiet --count-only")), "10\n");
    let best = answer(&format!("opb {knapsack} --best 2 --quiet"));
    assert_eq!(best, "-a b c -d\na -b c -d\n");
    let found: Value =
        serde_json::from_str(&answer(&format!("opb {knapsack} --best 2 --json"))).expect("JSON");
    assert_eq!(found["weights"], json!(["13", "12"]));
    assert_eq!(found["solutions"][0], json!(["-a", "b", "c", "-d"]));
    assert_eq!(
        (&found["problem"]["objective"], &found["count"]),
        (&json!("maximum"), &json!("10"))
    );
    assert_eq!(answer(&format!("opb {knapsack} --quiet --with d,c")), "1\n");
    assert_eq!(answer(&format!("opb {knapsack} --quiet --without a --without b")), "2\n");
    let saved = file("knapsack.tdd", "");
    answer(&format!("opb {knapsack} --save {saved} --quiet"));
    assert_eq!(answer(&format!("count {saved} --with d")), "3\n");
    assert_eq!(answer(&format!("opb {} --quiet", case("small.opb"))), "3\n");
}

#[test]
fn coefficients_have_any_size_and_the_order_of_a_file_does_not_matter() {
    let digits = (0..90u32).map(|k| format!("+{} b{k} ", 1u128 << k)).collect::<Vec<_>>().concat();
    let sum = file("sum.opb", &format!("{digits} = {};\n", (1u128 << 89) + 5));
    assert_eq!(answer(&format!("opb {sum} --quiet")), "1\n");
    let pairs =
        (1..=16).map(|v| format!("+1 x{v} +1 x{} = 1;\n", v + 16)).collect::<Vec<_>>().concat();
    assert_eq!(answer(&format!("opb {} --quiet", file("pairs.opb", &pairs))), "65536\n");
}

#[test]
fn failures_name_the_line_and_the_remedy() {
    let broken = file("broken.opb", "+1 x1 >= 1;\n+1 x1 x2 >= 1;\n");
    refused(1, &format!("opb {broken}"), &["broken.opb: OPB, line 2", "nonlinear", "new variable"]);
    refused(1, &format!("opb {}", file("a.opb", "p cnf 1 0\n")), &["`topdd cnf`"]);
    refused(1, "opb missing.opb", &["cannot read missing.opb"]);
    let plain = file("plain.opb", "+1 x1 +1 x2 >= 1;\n");
    refused(2, &format!("opb {plain} --best 1"), &["no objective", "min: +1 x1;"]);
    refused(
        2,
        &format!("opb {plain} --save {plain}"),
        &["would overwrite the file of constraints"],
    );
    refused(2, &format!("opb {plain} --with x3"), &["no variable x3"]);
    refused(3, &format!("opb {plain} --nth 3"), &["no solution of rank 3"]);
    let saved = file("plain.tdd", "");
    answer(&format!("opb {plain} --save {saved} --quiet"));
    refused(1, &format!("opb {saved}"), &["is a saved diagram"]);
    // No two sums of these powers are equal, so the states are as many as sets.
    let hard =
        (1..=60).map(|v| format!("+{} x{v} ", 3u128.pow(v % 37) + 1)).collect::<Vec<_>>().concat();
    let hard = file("hard.opb", &format!("{hard} = {};\n", 3u128.pow(36)));
    let stopped = topdd(&format!("opb {hard} --quiet --memory-limit 1MiB"));
    assert!(stopped.code == 0 || stopped.err.contains("--memory-limit"), "{}", stopped.err);
}
