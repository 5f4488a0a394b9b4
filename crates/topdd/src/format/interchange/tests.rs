//! Every format: round trips, golden files, and damaged files.

use super::ReadOptions;
use crate::check::RandomSpec;
use crate::diagram::{Bdd, Diagram, DiagramRule, Zdd};
use crate::{BigUint, BuildError, FileError, Position};
use proptest::prelude::*;
use proptest::sample::Index;

const GRAPHILLION: &str = include_str!("golden/graphillion.txt");
const TDZDD: &str = include_str!("golden/sapporo-tdzdd.txt");
const NEGATIVE: &str = include_str!("golden/sapporo-negative.txt");
const CUDD: &str = include_str!("golden/dddmp-cudd.txt");
const OXIDD: &str = include_str!("golden/dddmp-oxidd.txt");
const LIB_BDD: &str = include_str!("golden/lib-bdd.txt");

type Read<D> = fn(&[u8], &ReadOptions) -> Result<D, FileError>;
type Write<D> = fn(&D, &mut Vec<u8>) -> Result<(), FileError>;

const ZDD_FORMATS: [(&str, Read<Zdd>, Write<Zdd>); 3] = [
    (
        "Sapporo text",
        |text, options| Zdd::read_sapporo(text, options),
        |zdd, out| zdd.write_sapporo(out),
    ),
    (
        "Graphillion dump",
        |text, options| Zdd::read_graphillion(text, options),
        |zdd, out| zdd.write_graphillion(out),
    ),
    ("DDDMP text", |text, options| Zdd::read_dddmp(text, options), |zdd, out| zdd.write_dddmp(out)),
];

const BDD_FORMATS: [(&str, Read<Bdd>, Write<Bdd>); 3] = [
    (
        "Sapporo text",
        |text, options| Bdd::read_sapporo(text, options),
        |bdd, out| bdd.write_sapporo(out),
    ),
    ("DDDMP text", |text, options| Bdd::read_dddmp(text, options), |bdd, out| bdd.write_dddmp(out)),
    (
        "lib-bdd text",
        |text, options| Bdd::read_lib_bdd(text, options),
        |bdd, out| bdd.write_lib_bdd(out),
    ),
];

fn text_of<D>(diagram: &D, write: Write<D>) -> String {
    let mut text = Vec::new();
    write(diagram, &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

fn round_trips(zdd: &Zdd, bdd: &Bdd) {
    let options = ReadOptions::new().num_vars(zdd.num_vars());
    for (format, read, write) in ZDD_FORMATS {
        let text = text_of(zdd, write);
        assert_eq!(&read(text.as_bytes(), &options).unwrap(), zdd, "{format}:\n{text}");
    }
    for (format, read, write) in BDD_FORMATS {
        let text = text_of(bdd, write);
        assert_eq!(&read(text.as_bytes(), &options).unwrap(), bdd, "{format}:\n{text}");
        assert_eq!(&read(text.as_bytes(), &ReadOptions::new()).unwrap(), bdd, "{format}");
    }
}

proptest! {
    #[test]
    fn written_files_are_read_back(num_vars in 0..9usize, seed: u64) {
        let bdd = crate::bdd(&RandomSpec::over(vec![2; num_vars], seed)).unwrap();
        round_trips(&bdd.to_zdd().unwrap(), &bdd);
    }

    /// Files may have their nodes in any order, at least where lines are nodes.
    #[test]
    fn nodes_are_read_in_any_order(seed: u64, places: Vec<Index>) {
        let zdd = crate::zdd(&RandomSpec::over(vec![2; 6], seed)).unwrap();
        let text = text_of(&zdd, |zdd, out| zdd.write_sapporo(out));
        let mut lines: Vec<&str> = text.lines().collect();
        let nodes = 3..lines.len() - 1;
        for (from, place) in nodes.clone().zip(&places) {
            lines.swap(from, nodes.start + place.index(nodes.len()));
        }
        let text = lines.join("\n");
        prop_assert_eq!(Zdd::read_sapporo(text.as_bytes(), &ReadOptions::new()).unwrap(), zdd);
    }
}

#[test]
fn constants_are_read_and_written() {
    for num_vars in [0, 1, 5] {
        for one in [false, true] {
            let text = format!("_i {num_vars} _o 1 _n 0 {}", if one { "T" } else { "F" });
            let options = ReadOptions::new();
            let bdd = Bdd::read_sapporo(text.as_bytes(), &options).unwrap();
            let zdd = Zdd::read_sapporo(text.as_bytes(), &options).unwrap();
            let all = BigUint::from(1u32) << num_vars;
            assert_eq!(bdd.count(), if one { all } else { 0u32.into() });
            assert_eq!(zdd.count(), BigUint::from(u32::from(one)));
            round_trips(&zdd, &bdd);
        }
    }
}

/// The paths from corner to corner of a grid of 3 by 3 vertices.
#[test]
fn a_dump_of_graphillion() {
    let zdd = Zdd::read_graphillion(GRAPHILLION.as_bytes(), &ReadOptions::new()).unwrap();
    assert_eq!((zdd.num_vars(), zdd.count()), (12, 12u32.into()));
    let by_length = [4, 6, 8]
        .map(|length| zdd.iter().filter(|path| path.iter().sum::<usize>() == length).count());
    assert_eq!(by_length, [6, 4, 2]);
    let text = text_of(&zdd, |zdd, out| zdd.write_graphillion(out));
    assert_eq!(text.lines().count(), GRAPHILLION.lines().count());
}

/// Level 3 is variable 0.
#[test]
fn a_dump_of_tdzdd() {
    let zdd = Zdd::read_sapporo(TDZDD.as_bytes(), &ReadOptions::new()).unwrap();
    assert!(zdd.iter().eq([[0, 1, 1], [1, 0, 0], [1, 0, 1]]));
    let mut text = Vec::new();
    zdd.write_sapporo(&mut text).unwrap();
    assert_eq!(String::from_utf8(text).unwrap(), TDZDD);
    let bdd = Bdd::read_sapporo(TDZDD.as_bytes(), &ReadOptions::new()).unwrap();
    assert_eq!(bdd.count(), 5u32.into());
    // Further variables are above the variables of the file.
    let zdd = Zdd::read_sapporo(TDZDD.as_bytes(), &ReadOptions::new().num_vars(5)).unwrap();
    assert!(zdd.iter().eq([[0, 0, 0, 1, 1], [0, 0, 1, 0, 0], [0, 0, 1, 0, 1]]));
}

/// Complements, against their meaning, written by hand for d, c, b, a = levels 1 to 4.
#[test]
fn an_export_of_sapporobdd() {
    let read = |root| Bdd::read_sapporo(NEGATIVE.as_bytes(), &ReadOptions::new().root(root));
    // 132 = c xor d; 140 = b ? d : c xor d; 160 = a ? not (c xor d) : 140.
    let xor = |a: &[usize]| a[2] != a[3];
    let at_140 = |a: &[usize]| if a[1] == 1 { a[3] == 1 } else { xor(a) };
    let root = |a: &[usize]| !(if a[0] == 1 { !xor(a) } else { at_140(a) });
    let (first, second) = (read(0).unwrap(), read(1).unwrap());
    for bits in 0..16usize {
        let a: Vec<usize> = (0..4).map(|v| bits >> v & 1).collect();
        assert_eq!(first.contains(&a).unwrap(), root(&a), "{a:?}");
        assert_eq!(second.contains(&a).unwrap(), at_140(&a), "{a:?}");
    }
    let read = |root| Zdd::read_sapporo(NEGATIVE.as_bytes(), &ReadOptions::new().root(root));
    // 130 = {d}; 132 = {d} and c with ({d} and {}); 140 = 132 and bd.
    let second = [[0, 0, 0, 1], [0, 0, 1, 0], [0, 0, 1, 1], [0, 1, 0, 1]];
    assert!(read(1).unwrap().iter().eq(second));
    // 160 = 140 and a with (132 and {}); 161 = that and {}.
    let mut first = vec![[0; 4]];
    first.extend(second);
    first.extend([[1, 0, 0, 0], [1, 0, 0, 1], [1, 0, 1, 0], [1, 0, 1, 1]]);
    assert!(read(0).unwrap().iter().eq(first));
}

/// The same diagram in the dialect without complements, where odd numbers are numbers.
#[test]
fn consecutive_node_numbers_are_read() {
    let text = "_i 3 _o 1 _n 4  1 1 F T  2 1 T T  3 2 F 1  4 3 3 2  4";
    let zdd = Zdd::read_sapporo(text.as_bytes(), &ReadOptions::new()).unwrap();
    assert_eq!(zdd, Zdd::read_sapporo(TDZDD.as_bytes(), &ReadOptions::new()).unwrap());
}

/// Six variables a to f. The diagram uses a, c and e, with e at the root and a at the bottom.
#[test]
fn a_file_of_cudd() {
    let read = |root| Bdd::read_dddmp(CUDD.as_bytes(), &ReadOptions::new().root(root)).unwrap();
    let (f, g) = (read(0), read(1));
    assert_eq!(f.num_vars(), 6);
    let same = |a: &[usize]| a[2] == a[0];
    for bits in 0..64usize {
        let a: Vec<usize> = (0..6).map(|v| bits >> v & 1).collect();
        let wanted = if a[4] == 1 { a[2] == 1 || a[0] == 1 } else { !same(&a) };
        assert_eq!(f.contains(&a).unwrap(), wanted, "{a:?}");
        assert_eq!(g.contains(&a).unwrap(), !same(&a), "{a:?}");
    }
    assert_eq!(f.count(), 40u32.into());
    let file = Bdd::read_dddmp_file(CUDD.as_bytes(), &ReadOptions::new()).unwrap();
    assert_eq!(file.diagrams, [f, g.clone()]);
    assert_eq!(file.root_names.unwrap(), ["f", "g"]);
    assert_eq!(file.variable_names.unwrap(), ["a", "b", "c", "d", "e", "f"]);
    let file = Bdd::read_dddmp_file(CUDD.as_bytes(), &ReadOptions::new().root(1)).unwrap();
    assert_eq!((file.diagrams, file.root_names.unwrap()), (vec![g], vec!["g".to_owned()]));
}

/// The file that CUDD writes of a diagram whose order is r, q, p, and of the variables p and r alone.
#[test]
fn dddmp_variables_keep_numbers_and_names_in_any_order() {
    let text = "\u{feff}.ver DDDMP-2.0\n.mode A\n.varinfo 0\n.nnodes 3\n.nvars 3\n.nsuppvars 2\n\
        .suppvarnames p r\n.orderedvarnames r q p\n.ids 0 2\n.permids 2 0\n.nroots 1\n.rootids -3\n\
        .nodes\n1 T 1 0 0\n2 0 1 1 -1\n3 2 0 2 1\n.end\n";
    let file = Bdd::read_dddmp_file(text.as_bytes(), &ReadOptions::new()).unwrap();
    assert!(file.diagrams[0].iter().eq([[0, 0, 1], [0, 1, 1]]));
    assert_eq!(file.variable_names.unwrap(), ["p", "q", "r"]);
    // Without names of all variables, the names of the used variables.
    let fewer = text.replace(".orderedvarnames r q p\n", "");
    let file = Bdd::read_dddmp_file(fewer.as_bytes(), &ReadOptions::new()).unwrap();
    assert_eq!(file.variable_names.unwrap(), ["p", "1", "r"]);
}

proptest! {
    /// A file whose levels are in another order than its numbers has the same solutions.
    #[test]
    fn dddmp_files_in_any_order_have_the_solutions_of_their_numbers(
        seed: u64,
        order in Just((0..6usize).collect::<Vec<_>>()).prop_shuffle(),
    ) {
        let bdd = crate::bdd(&RandomSpec::over(vec![2; 6], seed)).unwrap();
        // At level `i` is variable `order[i]`.
        let text = text_of(&bdd.reorder(&order).unwrap(), |bdd, out| bdd.write_dddmp(out));
        let lines = text.lines().map(|line| match line.strip_prefix(".ids") {
            Some(levels) => {
                let number = |level: &str| order[level.parse::<usize>().unwrap()].to_string();
                let numbers: Vec<_> = levels.split_whitespace().map(number).collect();
                format!(".ids {}\n", numbers.join(" "))
            }
            None => format!("{line}\n"),
        });
        let text: String = lines.collect();
        prop_assert_eq!(Bdd::read_dddmp(text.as_bytes(), &ReadOptions::new()).unwrap(), bdd);
    }
}

/// Variables 0 or 1 but not both, or not both of 3 and 4.
#[test]
fn a_file_of_oxidd() {
    let bdd = Bdd::read_dddmp(OXIDD.as_bytes(), &ReadOptions::new()).unwrap();
    for bits in 0..32usize {
        let a: Vec<usize> = (0..5).map(|v| bits >> v & 1).collect();
        let wanted = a[0] != a[1] || a[3] == 0 || a[4] == 0;
        assert_eq!(bdd.contains(&a).unwrap(), wanted, "{a:?}");
    }
    let text = text_of(&bdd, |bdd, out| bdd.write_dddmp(out));
    assert!(text.starts_with(".ver DDDMP-2.0\n.mode A\n.varinfo 4\n.nnodes 6\n.nvars 5\n"));
}

#[test]
fn a_file_of_lib_bdd() {
    let bdd = Bdd::read_lib_bdd(LIB_BDD.as_bytes(), &ReadOptions::new()).unwrap();
    // a, or not b and (not c or d).
    let wanted = |a: &[usize]| a[0] == 1 || a[1] == 0 && (a[2] == 0 || a[3] == 1);
    for bits in 0..16usize {
        let a: Vec<usize> = (0..4).map(|v| bits >> v & 1).collect();
        assert_eq!(bdd.contains(&a).unwrap(), wanted(&a), "{a:?}");
    }
    assert_eq!(text_of(&bdd, |bdd, out| bdd.write_lib_bdd(out)) + "\n", LIB_BDD);
}

/// Errors name the fault and its position.
#[test]
fn errors_name_the_line_and_the_column() {
    let zdd_cases: [(Read<Zdd>, &str, &str); 15] = [
        (
            ZDD_FORMATS[1].1,
            "2 1 B T\n",
            "the input: Graphillion dump, line 2, column 1: expected a node",
        ),
        (ZDD_FORMATS[1].1, "2 1 B\n.", "line 1, column 6: expected a child: B, T or the number"),
        (ZDD_FORMATS[1].1, "2 0 B T\n.", "line 1, column 3: expected a variable, from 1"),
        (ZDD_FORMATS[1].1, "2 1 B T x\n.", "line 1, column 9: expected the end of the line"),
        (ZDD_FORMATS[1].1, "2 1 B T\n2 2 B T\n.", "line 2, column 1: expected a new node"),
        (ZDD_FORMATS[1].1, "\n 2 1 B 3\n.", "line 2, column 2: node 2 leads to node 3, which is"),
        (ZDD_FORMATS[1].1, "3 1 B T\n2 2 B 3\n.", "line 2, column 1: node 2 leads to node 3, but"),
        (ZDD_FORMATS[1].1, "2 1 B 2\n.", "line 1, column 1: node 2 leads to node 2, but edges"),
        (ZDD_FORMATS[1].1, "T\n", "line 2, column 1: expected a line with a dot"),
        (ZDD_FORMATS[1].1, ".", "line 1, column 1: expected a node or a terminal"),
        (ZDD_FORMATS[0].1, "_i 2 _o 1 _m", "Sapporo text, line 1, column 11: expected _n, found"),
        (ZDD_FORMATS[0].1, "_i 2\n_o 2\n", "line 2, column 4: there are 2 diagrams here; say"),
        (ZDD_FORMATS[0].1, "_i 2 _o 1 _n 1 2 3 F T", "column 18: expected a level, from 1, at"),
        (ZDD_FORMATS[0].1, "_i 2 _o 1 _n 1 2 2 F T 4", "column 24: node 4 is said to be the r"),
        (ZDD_FORMATS[2].1, ".ver DDDMP-2.0\n.bdd", "line 2, column 1: expected a diagram under"),
    ];
    for (read, text, message) in zdd_cases {
        let error = read(text.as_bytes(), &ReadOptions::new()).unwrap_err();
        assert!(matches!(error, FileError::Malformed { .. }), "{error:?}");
        assert!(error.to_string().contains(message), "{error}");
    }
    let dddmp = BDD_FORMATS[1].1;
    let lib_bdd = BDD_FORMATS[2].1;
    let bdd_cases: [(Read<Bdd>, String, &str); 15] = [
        // Levels that were in range, and no longer are.
        (dddmp, CUDD.replace(".nroots", ".nvars 3\n.nroots"), "expected .nvars once, found it"),
        (dddmp, CUDD.replace("DDDMP-2.0", "2.0"), "DDDMP text, line 1, column 6: expected DDDMP"),
        (dddmp, CUDD.replace(".mode A", ".mode B"), "line 2, column 7: expected A (only text is"),
        (dddmp, CUDD.replace(".nnodes 5", ".nnodes 6"), "line 22, column 1: expected the number"),
        (dddmp, CUDD.replace(".nnodes 5", ".nnodes 4"), "line 21, column 1: expected .end, as"),
        (dddmp, CUDD.replace(".permids 4 2 0", ".permids 4 2"), "line 11, column 13: expected as"),
        (dddmp, CUDD.replace(".permids 4 2 0", ".permids 4 2 4"), "expected different variables"),
        (dddmp, CUDD.replace(".permids 4 2 0", ".permids 4 2 6"), "column 14: expected the number"),
        (dddmp, CUDD.replace("4 c 1 2 -2", "4 c 3 2 -2"), "line 20, column 5: expected the index"),
        (dddmp, CUDD.replace("1 T 1 0 0", "1 T 2 0 0"), "line 17, column 5: expected the value"),
        (dddmp, CUDD.replace("2 a 2 1 -1", "2 a 2 1 0"), "line 18, column 9: expected the number"),
        (lib_bdd, "|2,0,0|2,1,1|2,0,1|".into(), "lib-bdd text, line 1, column 14: expected a var"),
        (lib_bdd, "|2,0,0|3,1,1|".into(), "column 8: expected the number of variables, 2, found"),
        (
            lib_bdd,
            "|2,0,0|2,1,1|1,0".into(),
            "line 1, column 17: expected a comma, found the end of",
        ),
        (lib_bdd, "|2,0,1|".into(), "column 6: expected 0, as this is the 0-terminal, found \"1\""),
    ];
    for (read, text, message) in bdd_cases {
        let error = read(text.as_bytes(), &ReadOptions::new().root(0)).unwrap_err();
        assert!(error.to_string().contains(message), "{error}");
    }
    let few = ReadOptions::new().num_vars(2);
    let error = Zdd::read_graphillion("2 3 B T\n.".as_bytes(), &few).unwrap_err();
    assert!(
        error.to_string().contains("column 3: expected a variable, from 1, at most 2, found 3")
    );
    let error = Zdd::read_sapporo(TDZDD.as_bytes(), &few).unwrap_err();
    assert!(error.to_string().contains("there are 3 variables here, but only 2 were asked for"));
    let error = Zdd::read_sapporo(TDZDD.as_bytes(), &ReadOptions::new().root(1)).unwrap_err();
    assert!(error.to_string().contains("diagram 1 was asked for, but there are 1"));
    let many = ReadOptions::new().num_vars(usize::MAX);
    let error = Zdd::read_sapporo(TDZDD.as_bytes(), &many).unwrap_err();
    assert!(matches!(error, FileError::Build(BuildError::TooManyVariables { .. })));
}

#[test]
fn dddmp_text_of_a_zdd_is_not_read_as_a_bdd() {
    let zdd = Zdd::from_solutions([2; 3], [[0, 0, 1], [1, 0, 0]]).unwrap();
    for zdd in [zdd, Zdd::full([2; 2]).unwrap(), Zdd::empty([2; 2]).unwrap()] {
        let mut text = Vec::new();
        zdd.write_dddmp(&mut text).unwrap();
        let error = Bdd::read_dddmp(&text[..], &ReadOptions::new()).unwrap_err();
        assert!(error.to_string().contains("use Zdd::read_dddmp"), "{error}");
        assert_eq!(Zdd::read_dddmp(&text[..], &ReadOptions::new()).unwrap(), zdd);
    }
}

/// Headers that promise more than there is cost nothing.
#[test]
fn headers_that_promise_too_much_are_refused() {
    let most = "2147483646";
    let text = format!("_i {most}\n_o 18446744073709551615\n_n 18446744073709551615\n2 1 F T\n");
    let error = Zdd::read_sapporo(text.as_bytes(), &ReadOptions::new().root(7)).unwrap_err();
    assert!(error.to_string().contains("line 5, column 1: expected the number of a node"));
    let text = format!("_i {most}\n_o 1\n_n 1\n2 {most} F T\n2\n");
    let zdd = Zdd::read_sapporo(text.as_bytes(), &ReadOptions::new()).unwrap();
    assert_eq!((zdd.num_vars(), zdd.node_count()), (2147483646, 1));
    let text = OXIDD.replace(".nnodes ", ".nnodes 9999999999");
    assert!(Bdd::read_dddmp(text.as_bytes(), &ReadOptions::new()).is_err());
    let text = OXIDD.replace(".nroots ", ".nroots 9999999999");
    assert!(Bdd::read_dddmp(text.as_bytes(), &ReadOptions::new().root(3)).is_err());
}

#[test]
fn diagrams_that_a_format_cannot_express_are_refused() {
    let zdd = crate::zdd(&RandomSpec::over(vec![2, 3, 2], 1)).unwrap();
    for (format, _, write) in ZDD_FORMATS {
        let error = write(&zdd, &mut Vec::new()).unwrap_err();
        assert_eq!(error, FileError::NotTwoValued { format, variable: 1, arity: 3 });
    }
    let text = "_i 65536 _o 1 _n 0 T";
    let bdd = Bdd::read_sapporo(text.as_bytes(), &ReadOptions::new()).unwrap();
    let error = bdd.write_lib_bdd(Vec::new()).unwrap_err();
    assert!(matches!(error, FileError::TooLargeForFormat { found: 65536, .. }));
}

/// A writer that is full.
#[test]
fn writing_fails_with_an_error() {
    let zdd = Zdd::read_sapporo(TDZDD.as_bytes(), &ReadOptions::new()).unwrap();
    let mut room = [0; 10];
    let error = zdd.write_sapporo(&mut room[..]).unwrap_err();
    assert!(error.to_string().starts_with("could not write the Sapporo text: "), "{error}");
}

/// The reader of native files looks at all that makes a diagram one.
fn is_sound<R: DiagramRule>(diagram: &Diagram<R>) {
    let mut bytes = Vec::new();
    diagram.write_to(&mut bytes).unwrap();
    assert_eq!(&Diagram::read_from(&bytes[..]).unwrap(), diagram);
}

/// Draws a damaged file. No reader panics on one, and errors have a position in the file.
fn damaged() -> impl Strategy<Value = (usize, Vec<u8>)> {
    let files = [GRAPHILLION, TDZDD, NEGATIVE, CUDD, OXIDD, LIB_BDD];
    let byte = prop_oneof![prop::sample::select(&b"0123456789 \n-.|,BTF_"[..]), any::<u8>(),];
    let change = (0..5u8, any::<Index>(), any::<Index>(), byte);
    (0..files.len(), prop::collection::vec(change, 1..6)).prop_map(move |(file, changes)| {
        let mut bytes = files[file].as_bytes().to_vec();
        for (kind, at, to, byte) in changes {
            if bytes.is_empty() {
                break;
            }
            let (at, to) = (at.index(bytes.len()), to.index(bytes.len()));
            match kind {
                0 => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                2 => bytes.truncate(at),
                // A line that occurs twice may be a contradiction.
                3 => {
                    let lines: Vec<&[u8]> = bytes.split_inclusive(|&byte| byte == b'\n').collect();
                    let (from, to) = (at % lines.len(), to % lines.len());
                    let twice = lines[..to].iter().chain([&lines[from]]).chain(&lines[to..]);
                    bytes = twice.copied().collect::<Vec<_>>().concat();
                }
                _ => drop(bytes.drain(at.min(to)..at.max(to))),
            }
        }
        (file, bytes)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn damage_is_an_error_or_another_diagram((_, bytes) in damaged(), root in 0..2usize) {
        for options in [ReadOptions::new(), ReadOptions::new().root(root).num_vars(20)] {
            let zdds = ZDD_FORMATS.map(|(_, read, _)| read(&bytes, &options).map(|read| is_sound(&read)));
            let bdds = BDD_FORMATS.map(|(_, read, _)| read(&bytes, &options).map(|read| is_sound(&read)));
            for result in zdds.into_iter().chain(bdds) {
                match result {
                    Ok(()) | Err(FileError::Build(BuildError::TooManyVariables { .. })) => {}
                    Err(FileError::Malformed { at: Position::Line(line, column), .. }) => {
                        let lines: Vec<_> = bytes.split(|&byte| byte == b'\n').collect();
                        prop_assert!(line >= 1 && line <= lines.len());
                        let length = lines[line - 1].len();
                        prop_assert!(column >= 1 && column <= length + 1);
                    }
                    Err(other) => prop_assert!(false, "{other}"),
                }
            }
        }
    }
}
