//! The configurator, fed with lines; completions and manual pages.

use crate::support::{Run, answer, command, refused};
use std::io::Write;
use std::process::Stdio;

/// Runs `topdd` with these arguments, and these lines on standard input.
pub(crate) fn fed(args: &str, lines: impl AsRef<[u8]>) -> Run {
    let mut command = command(args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the command starts");
    // It may have refused to read.
    let _ = child.stdin.take().expect("a pipe").write_all(lines.as_ref());
    let output = child.wait_with_output().expect("the command ends");
    Run {
        code: output.status.code().expect("the command ends by itself"),
        out: String::from_utf8(output.stdout).expect("the answer is text"),
        err: String::from_utf8(output.stderr).expect("messages are text"),
    }
}

#[test]
fn each_command_of_a_script_prints_one_line() {
    let lines = "choose a1\nis e2\nchoose b2   # the diagonal\nwhy c1\n\nforbid e2\nleft\nfree a1\n\
                 undo\nredo\nredo\nfree h8\nclear\nundo\ndecisions\nchoose a1\nopposing b2\n\
                 anyway b2\nundo\nundo\nquit\nnonsense\n";
    let run = fed("configure queens 8", lines);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    assert_eq!(
        run.out,
        "\
queen on a1: 4 of 92 left
free
refused: no queen can stand on b2, because of: queen on a1
no queen can stand on c1, because of: queen on a1
no queen on e2: 3 of 92 left
3
taken back: queen on a1: 84 of 92 left
undone: 3 of 92 left
redone: 84 of 92 left
refused: there is nothing to redo
refused: nothing is decided about h8
all decisions are taken back: 92 of 92 left
undone: 84 of 92 left
no queen on e2
queen on a1: 3 of 92 left
queen on b2: this takes back queen on a1
queen on b2; taken back: queen on a1: 16 of 92 left
undone: 3 of 92 left
undone: 84 of 92 left
queens on 8x8
84 of 92 solutions left

8 . . . . . . . .
7 . . . . . . . .
6 . . . . . . . .
5 . . . . . . . .
4 . . . . . . . .
3 . . . . . . . .
2 . . . . x . . .
1 . . . . . . . .
  a b c d e f g h

decisions: no queen on e2
"
    );
}

#[test]
fn solutions_of_a_graph_are_completed_at_best() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = |name: &str| dir.path().join(name).display().to_string();
    let (map, saved, other) = (path("map.txt"), path("trees.tdd"), path("other.txt"));
    std::fs::write(&map, "a b 5\nb c 2.5\nc a 1\nc d 4\n").expect("a file");
    std::fs::write(&other, "a-b -1\nb-c 1\nc-a 1\nc-d 1\n").expect("a file");
    answer(&format!("graph spanning-trees {map} --save {saved} --quiet"));
    let lines = "weight\nchoose a-b\nweight\nbest\nbest\nundo\nnth 1\nundo\nnth 2\nquit\n";
    let run = fed(&format!("configure {saved}"), lines);
    assert!(
        run.out.starts_with(
            "\
least weight 7.5
a-b chosen: 2 of 3 left
least weight 10
completed at best: least weight 10: 1 of 3 left
there is one solution left, and this is it: 1 of 3 left
undone: 2 of 3 left
completed as solution 2 of 2, of rank 1: 1 of 3 left
undone: 2 of 3 left
refused: there is no solution of rank 2: 2 are left, and ranks start from 0
"
        ),
        "{}",
        run.out
    );
    let first = |args: &str| fed(args, "weight\n").out.lines().next().map(str::to_owned);
    let of = |options: &str| first(&format!("configure {saved} {options}"));
    assert_eq!(of("--max").as_deref(), Some("largest weight 11.5"));
    assert_eq!(of(&format!("--weights {other}")).as_deref(), Some("least weight 1"));
    // A family of a graph has the same options.
    let of = |options: &str| first(&format!("configure graph spanning-trees {map} {options}"));
    assert_eq!(of("").as_deref(), Some("least weight 7.5"));
    assert_eq!(of("--max").as_deref(), Some("largest weight 11.5"));
    assert_eq!(of(&format!("--weights {other}")).as_deref(), Some("least weight 1"));
    let refusal = "refused: the solutions have no weights; save them, and start with `topdd configure FILE --weights WEIGHTS`";
    assert_eq!(first("configure queens 6").as_deref(), Some(refusal));
    let run = fed(&format!("configure {saved}"), "nth x\n");
    assert!(run.code == 2 && run.err.contains("`x` is no rank: write nth 0, say"), "{}", run.err);
    refused(2, "configure queens 8 --max", &["--max"]);
    let queens = path("queens.tdd");
    answer(&format!("queens 5 --save {queens} --quiet"));
    refused(2, &format!("configure {queens} --max"), &["has no weights", "--weights"]);
    refused(1, &format!("configure {saved} --weights {map}x"), &["cannot read"]);
}

/// Starts the dialogue on a terminal, which `script` of util-linux makes. Once it has begun, runs
/// `act` in a shell, where `$PID` is the process, and whose output is typed. Returns the exit code
/// and the output on the terminal; `None` without `script`.
#[cfg(target_os = "linux")]
fn on_terminal(act: &str) -> Option<(i32, String)> {
    use std::io::Read;
    use std::process::Command;

    let line = "echo PID=$$; exec \"$TOPDD\" configure queens 8";
    let mut script = Command::new("script");
    script.args(["-qec", line, "/dev/null"]).env("TOPDD", env!("CARGO_BIN_EXE_topdd"));
    let mut child = script.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()?;
    let mut out = child.stdout.take().expect("a pipe");
    let (mut shown, mut part) = (String::new(), [0; 4096]);
    while !shown.ends_with("> ") {
        let bytes = out.read(&mut part).expect("output");
        assert!(bytes > 0, "{shown}");
        shown += &String::from_utf8_lossy(&part[..bytes]);
    }
    let pid = shown.lines().find_map(|line| line.strip_prefix("PID=")).expect("it is first");
    let keys = Command::new("sh").args(["-c", act]).env("PID", pid).output().expect("a shell");
    assert!(keys.status.success(), "{act}");
    // The pipe stays open: its end would be that of the terminal.
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(&keys.stdout).expect("it reads");
    out.read_to_string(&mut shown).expect("text");
    Some((child.wait().expect("it ends").code().expect("a code"), shown))
}

#[test]
#[cfg(target_os = "linux")]
fn a_terminal_shows_a_board_and_a_prompt_until_the_dialogue_ends() {
    let Some((code, shown)) = on_terminal("printf 'choose a1\\n\\004'") else { return };
    let at = |text: &str| shown.find(text).unwrap_or_else(|| panic!("{text}: {shown}"));
    assert_eq!(code, 0, "{shown}");
    assert!(
        at("92 of 92 left") < at("> choose a1") && at("> choose a1") < at("queen on a1: 4 of 92")
    );
    assert!(shown.ends_with("decisions: queen on a1\r\n"), "{shown}");
    for stop in ["kill -INT $PID", "kill -TERM $PID", "printf '\\003'"] {
        let (code, shown) = on_terminal(stop).expect("a terminal");
        assert_eq!(code, 130, "{stop}: {shown:?}");
        assert!(shown.ends_with("interrupted while deciding\r\n"), "{stop}: {shown:?}");
    }
}

#[test]
fn other_pieces_are_placed_as_well() {
    let run = fed("configure place kings 3 --most", "choose a1\nforbid b2\nwhy b1\nwhy c3\n");
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    assert_eq!(
        run.out,
        "\
king on a1: 1 of 1 left
no king on b2: 1 of 1 left
no king can stand on b1: it is so in every solution
a king must stand on c3: it is so in every solution
as many kings as can be, 4, on 3x3
1 of 1 solutions left

3 k - k
2 - x -
1 K - k
  a b c

decisions: king on a1, no king on b2
"
    );
}

#[test]
fn a_sample_completes_the_board_and_depends_on_the_seed() {
    let run = fed("configure queens 8 --seed 7 --json", "choose a1\nchoose a2\nsample");
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let objects: Vec<serde_json::Value> =
        run.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let [chosen, refused, sampled, end] = &objects[..] else { panic!("{objects:?}") };
    assert_eq!((&chosen["done"], &chosen["left"]), (&true.into(), &"4".into()));
    assert_eq!(refused["done"], false);
    assert_eq!(refused["because"], serde_json::json!(["queen on a1"]));
    assert_eq!(sampled["left"], "1");
    let queens = |of: &str| end[of].as_array().map_or(0, Vec::len);
    assert_eq!((queens("chosen") + queens("forced"), queens("free")), (8, 0));
    let again = fed("configure queens 8 --seed 7 --json", "choose a1\nchoose a2\nsample");
    assert_eq!(again.out, run.out);
}

#[test]
fn a_saved_diagram_is_configured_by_variables() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("q5.tdd");
    let path = path.to_str().expect("a name");
    answer(&format!("queens 5 --quiet --save {path}"));
    let run =
        fed(&format!("configure {path} --values"), "choose 0=2\nwhy 1=2\nforbid 3 = 1\nsample");
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    assert_eq!(
        run.out,
        format!(
            "\
variable 0 = 2: 2 of 10 left
variable 1 cannot be 2, because of: variable 0 = 2
variable 3 != 1: 1 of 10 left
there is one solution left, and this is it: 1 of 10 left
{path}
1 of 10 solutions left

0: 2*
1: 4+
2: 1+
3: 3+
4: 0+

decisions: variable 0 = 2, variable 3 != 1
"
        )
    );
    let run = fed(&format!("configure {path} --values"), "choose 9=0");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("line 1: there is no variable 9: there are 5"), "{}", run.err);
}

#[test]
fn elements_of_a_graph_are_chosen_by_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = |name: &str| folder.path().join(name).display().to_string();
    let saved = place("saved.tdd");
    let graph = |family: &str, name: &str, text: &str| {
        std::fs::write(place(name), text).expect("written");
        answer(&format!("graph {family} {} --quiet --save {saved}", place(name)));
    };
    graph("forests", "parallel.txt", "c d 1\nc d 7\n");
    let run = fed(&format!("configure {saved}"), "choose c-d#2 # the second\ndecisions #\n");
    assert!(run.out.contains("\nc-d#2 chosen\n"), "{run:?}");
    assert_eq!(answer(&format!("best {saved} --max")), "7: c-d#2\n");

    // A number is the label of a vertex, not a variable.
    graph("independent-sets", "numbers.col", "p edge 3 0\n");
    let run = fed(&format!("configure {saved}"), "choose 1\nforbid 3=1\nchoose 2=7\n");
    assert!(run.out.starts_with("1 chosen: 4 of 8 left\n3 forbidden: 2 of 8 left\n"), "{run:?}");
    assert!(run.err.contains("line 3: 2 has no value 7"), "{run:?}");
    let run = fed(&format!("configure {saved}"), "choose 0=1\n");
    assert!(run.code == 2 && run.err.contains("there is no vertex 0 in "), "{run:?}");

    graph("matchings", "dashes.txt", "a b-c\na-b c\n");
    let run = fed(&format!("configure {saved}"), "choose a-b-c\n");
    assert!(run.code == 2 && run.err.contains("several variables are named `a-b-c`"), "{run:?}");
    let run = fed(&format!("configure {saved} --values"), "choose 0=1\n");
    assert!(run.out.starts_with("variable 0 = 1: 2 of 4 left\n"), "{run:?}");
}

#[test]
fn saved_tours_are_decided_on_by_move() {
    let folder = tempfile::tempdir().expect("a folder");
    let saved = folder.path().join("tours.tdd").display().to_string();
    // Of the two moves from a corner, a tour between a1 and e5 makes one; by the half turn, each with half of the tours.
    let open = "knights 5x5 --open --from a1 --to e5";
    for (tours, lines, out) in [
        (
            "knights 6x6",
            "why b3-a1\nchoose c3-e4\nleft\n",
            "a1-b3 cannot be forbidden: it is so in every solution\n",
        ),
        (
            open,
            "forbid a1-c2\nwhy a1-b3\n",
            "a1-c2 forbidden: 28 of 56 left\na1-b3 cannot be forbidden, because of: a1-c2 forbidden\n",
        ),
    ] {
        let runs = ["square", "edge"].map(|encoding| {
            answer(&format!("{tours} --encoding {encoding} --quiet --save {saved}"));
            fed(&format!("configure {saved} --script"), lines)
        });
        assert!(runs[0].code == 0 && runs[0].out.starts_with(out), "{:?}", runs[0]);
        assert_eq!(runs[0].out, runs[1].out);
        let run = fed(&format!("configure {saved} --values"), "choose 0=1\n");
        assert!(run.out.starts_with("variable 0 = 1: "), "{run:?}");
    }
    // They are no sets of moves.
    for tours in ["6x6 --symmetric", "5x5 --open --directed", "3x4 --open --encoding time"] {
        answer(&format!("knights {tours} --quiet --save {saved}"));
        let run = fed(&format!("configure {saved}"), "choose 0=1\n");
        assert!(
            run.out.contains(" left\n\n") && !run.err.contains("there is no"),
            "{tours}: {run:?}"
        );
    }
}

#[test]
fn an_unknown_command_is_named_with_its_line() {
    for (line, words) in [
        ("chose a1", "there is no command `chose`: write choose, "),
        ("choose", "`` is not a square"),
        ("choose i1", "square i1 is not on the 8x8 board"),
        ("undo a1", "`undo` takes no argument; leave `a1` out"),
        ("left 5", "`left` takes no argument; leave `5` out"),
        ("decisions x", "`decisions` takes no argument; leave `x` out"),
        ("show a1", "`show` takes no argument; leave `a1` out"),
    ] {
        let run = fed("configure queens 8 --json", format!("choose a1\n{line}\nclear\n"));
        assert!(run.err.starts_with("error: line 2: ") && run.err.contains(words), "{}", run.err);
        // The decisions before that line are printed.
        let last = run.out.lines().last().expect("the end");
        assert_eq!((run.code, run.out.lines().count()), (2, 2), "{line}");
        assert!(last.contains(r#""commands":["choose a1"]"#) && last.contains(r#""left":"4""#));
    }
}

#[test]
fn a_script_may_begin_with_a_byte_order_mark() {
    let run = fed("configure queens 8", "\u{feff}choose a1\n");
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    assert!(run.out.starts_with("queen on a1: 4 of 92 left\n"), "{}", run.out);
}

#[test]
fn problems_that_cannot_be_configured_are_refused() {
    refused(3, "configure queens 3", &["queens on 3x3: there are no solutions to decide on"]);
    refused(1, "configure not-there.tdd", &["cannot read not-there.tdd", "hint: --save"]);
    refused(2, "configure", &["<FILE>"]);
    refused(2, "configure queens 8 --list", &["--list: not for decisions"]);
    refused(2, "configure place kings 8 --superqueens", &["--superqueens: for queens only"]);
    refused(2, "configure queens 8 --given a9", &["a9 is not on the 8x8 board"]);
    refused(2, "configure queens 8 --given a1,b2", &["a1", "b2", "attack one another"]);
    refused(2, "configure queens 6x5 --symmetric=90", &["cannot be turned by 90 degrees"]);
}

#[test]
fn shells_complete_every_command() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = answer(&format!("completions {shell}"));
        for word in ["queens", "configure", "completions", "toroidal"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    refused(2, "completions tcsh", &["bash"]);
}

#[test]
fn every_command_has_a_manual_page() {
    let page = answer("man");
    assert!(page.contains(".TH topdd 1") && page.contains("topdd\\-configure(1)"), "{page}");
    assert!(answer("man queens").contains(".TH topdd-queens 1"));
    assert!(answer("man configure queens").contains(".TH topdd-configure-queens 1"));
    refused(2, "man chess", &["there is no command 'topdd chess'"]);

    let folder = tempfile::tempdir().expect("a folder");
    let to = folder.path().join("man1");
    assert_eq!(answer(&format!("man --to {}", to.display())), "");
    for name in ["topdd", "topdd-queens", "topdd-configure", "topdd-configure-queens"] {
        let page = std::fs::read_to_string(to.join(format!("{name}.1"))).expect("a page");
        assert!(page.contains(".SH NAME"), "{name}");
    }
}

#[test]
fn a_decision_about_an_edge_is_one_however_it_is_written() {
    let map = crate::support::file("map.txt", "a b 5\nb c 2.5\nc a 1\nc d 4\n");
    let lines = "choose a-b=0\ndecisions\nforbid a-b\nis a-b=0\nis a-b\nfree a-b\nforbid a-b=0\ndecisions\n\
                 choose a-b\nopposing c-d=0\nforbid c-d\nclear\nanyway b-c=0\nanyway b-c=0\nquit\n";
    let run = fed(&format!("configure graph spanning-trees {map}"), lines);
    let replies = "\
a-b forbidden: 1 of 3 left
a-b forbidden
decided already: a-b forbidden: 1 of 3 left
chosen
forbidden
taken back: a-b forbidden: 3 of 3 left
a-b chosen: 2 of 3 left
a-b chosen
decided already: a-b chosen: 2 of 3 left
refused: c-d cannot be forbidden: it is so in every solution
refused: c-d cannot be forbidden: it is so in every solution
all decisions are taken back: 3 of 3 left
b-c forbidden: 1 of 3 left
decided already: b-c forbidden: 1 of 3 left
";
    assert!(run.out.starts_with(replies), "{}", run.out);
    assert!(run.out.ends_with("decisions: b-c forbidden\n"), "{}", run.out);
}

#[test]
fn the_last_object_has_the_best_weight_and_commands_that_lead_to_it_again() {
    let map = crate::support::file("map.txt", "a b 5\nb c 2.5\nc a 1\nc d 4\n");
    let args = format!("configure graph spanning-trees {map} --json");
    let objects = |lines: &str| -> Vec<serde_json::Value> {
        let run = fed(&args, lines);
        run.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    };
    let replies = objects("choose a-b\nopposing c-d=0\nforbid b-c\n");
    let done: Vec<_> = replies.iter().map(|object| object["done"].clone()).collect();
    assert_eq!(done[..3], [true, false, true]);
    for (lines, weight) in [
        ("", "7.5"),
        ("choose a-b\n", "10"),
        ("forbid c-a\n", "11.5"),
        ("best\n", "7.5"),
        ("nth 0\n", "11.5"),
        ("choose b-c=0\nsample\n", "10"),
    ] {
        let last = objects(lines).pop().expect("the end");
        assert_eq!(last["weight"], weight, "{lines}");
        let commands = last["commands"].as_array().expect("commands").iter();
        let commands: Vec<&str> = commands.map(|line| line.as_str().expect("a line")).collect();
        assert_eq!(objects(&commands.join("\n")).pop(), Some(last), "{lines}");
    }
    let run =
        fed(&format!("configure graph spanning-trees {map}"), "best\nforbid a-b\ndecisions\n");
    assert!(run.out.contains("decided already: a-b forbidden: 1 of 3 left"), "{}", run.out);
}

#[test]
fn a_line_that_cannot_be_read_leaves_the_decisions_before_it() {
    let run = fed("configure queens 8 --json", b"choose a1\n\xff\n");
    assert_eq!((run.code, run.out.lines().count()), (1, 2), "{}", run.out);
    assert!(run.out.contains(r#""commands":["choose a1"]"#), "{}", run.out);
    assert!(run.err.contains("line 2: cannot read commands"), "{}", run.err);
}
