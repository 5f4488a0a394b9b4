//! Graphviz DOT and DDDMP, by the writers and readers of topdd.
//!
//! A diagram of topdd has its variables in ascending order, and a manager has them in any order. So the
//! diagram that is written has the levels of the manager as its variables. The text then gets the
//! variables of the manager: the names of the nodes in DOT, and the line `.ids` in DDDMP.

use crate::convert::Assemble;
use crate::error::Error;
use crate::manager::handle::Handle;
use crate::manager::{Manager, VariableOrder};
use crate::{Family, Function, Limits};
use std::io::{self, BufRead, Write};
use topdd::Diagram;
use topdd::format::interchange::ReadOptions;

impl Function {
    /// Returns the BDD in the DOT language of Graphviz, in the order of the manager, in the style of
    /// [`Diagram::to_dot`].
    ///
    /// A function and its negation, which share their nodes in the manager, are drawn apart.
    ///
    /// Cost: a copy of the diagram.
    ///
    /// ```
    /// use topdd_apply::Manager;
    ///
    /// let manager = Manager::builder(2).order([1, 0]).build()?;
    /// let dot = (manager.var(0)? & manager.var(1)?).to_dot()?;
    /// assert!(dot.contains(r#"n3 [label="x1"]"#) && dot.contains(r#"n2 [label="x0"]"#));
    /// assert!(dot.contains("n3 -> n2"));
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the diagram has more nodes than topdd can number.
    #[doc(alias("Cudd_DumpDot", "Cudd_zddDumpDot", "to_dot_string", "dump_all"))]
    pub fn to_dot(&self) -> Result<String, Error> {
        dot(&self.0)
    }

    /// Writes the BDD for CUDD or OxiDD, in the format [DDDMP](topdd::format::interchange::dddmp) as text.
    /// The file contains the numbers of the variables (`.ids`) and their levels (`.permids`).
    ///
    /// Cost: a copy of the diagram.
    ///
    /// ```
    /// use topdd_apply::{Manager, ReadOptions};
    ///
    /// let manager = Manager::builder(3).order([2, 0, 1]).build()?;
    /// let f = manager.var(0)? ^ manager.var(2)?;
    /// let mut text = Vec::new();
    /// f.write_dddmp(&mut text)?;
    /// assert!(String::from_utf8_lossy(&text).contains(".ids 2 0\n.permids 0 1\n"));
    ///
    /// let other = Manager::new(3)?; // in another order
    /// let copy = other.function_of_dddmp(&text[..], &ReadOptions::new())?;
    /// assert_eq!(copy, other.copy_function(&f)?);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If `out` fails, or the diagram has more nodes than topdd can number.
    #[doc(alias("Dddmp_cuddBddStore", "export"))]
    pub fn write_dddmp<W: Write>(&self, out: W) -> Result<(), Error> {
        write_dddmp(&self.0, out)
    }
}

impl Family {
    /// Returns the ZDD in the DOT language of Graphviz, in the order of the manager, in the style of
    /// [`Diagram::to_dot`].
    ///
    /// Cost: a copy of the diagram.
    ///
    /// ```
    /// use topdd_apply::Manager;
    ///
    /// let manager = Manager::builder(2).order([1, 0]).build()?;
    /// let dot = manager.singletons([0, 1])?.to_dot()?;
    /// assert!(dot.contains(r#"n3 [label="x1"]"#) && dot.contains(r#"n2 [label="x0"]"#));
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the diagram has more nodes than topdd can number.
    #[doc(alias("Cudd_DumpDot", "Cudd_zddDumpDot", "to_dot_string", "dump_all"))]
    pub fn to_dot(&self) -> Result<String, Error> {
        dot(&self.0)
    }

    /// Writes the ZDD for OxiDD, or an extension of CUDD, in the format
    /// [DDDMP](topdd::format::interchange::dddmp) as text. The file contains the numbers of the variables
    /// (`.ids`) and their levels (`.permids`).
    ///
    /// Cost: a copy of the diagram.
    ///
    /// ```
    /// use topdd_apply::{Manager, ReadOptions};
    ///
    /// let manager = Manager::new(3)?;
    /// let f = manager.family([vec![0, 2], vec![1]])?;
    /// let mut text = Vec::new();
    /// f.write_dddmp(&mut text)?;
    /// assert_eq!(manager.family_of_dddmp(&text[..], &ReadOptions::new())?, f);
    /// # Ok::<(), topdd_apply::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If `out` fails, or the diagram has more nodes than topdd can number.
    #[doc(alias("Dddmp_cuddBddStore", "export"))]
    pub fn write_dddmp<W: Write>(&self, out: W) -> Result<(), Error> {
        write_dddmp(&self.0, out)
    }
}

impl Manager {
    /// Reads a BDD of CUDD, OxiDD or topdd, in the format
    /// [DDDMP](topdd::format::interchange::dddmp) as text.
    ///
    /// A variable of the file is the variable with the same number (`.ids`) of the manager, whose order
    /// may be another one. The file may contain several functions: the options select one.
    ///
    /// Takes linear time if the variables of the file have the same order in the manager.
    ///
    /// # Errors
    ///
    /// - If the text cannot be read, or is malformed: [`Error::File`].
    /// - If the function has a variable that the manager does not have.
    /// - If a limit is reached.
    #[doc(alias("Dddmp_cuddBddLoad", "import"))]
    pub fn function_of_dddmp<I: BufRead>(
        &self,
        input: I,
        options: &ReadOptions,
    ) -> Result<Function, Error> {
        self.read_dddmp(input, options).map(Function)
    }

    /// Reads a ZDD of OxiDD or topdd, in the format [DDDMP](topdd::format::interchange::dddmp) as text, by
    /// the rules of [`function_of_dddmp`](Manager::function_of_dddmp).
    ///
    /// # Errors
    ///
    /// - If the text cannot be read, or is malformed: [`Error::File`].
    /// - If a member has a variable that the manager does not have.
    /// - If a limit is reached.
    #[doc(alias = "import")]
    pub fn family_of_dddmp<I: BufRead>(
        &self,
        input: I,
        options: &ReadOptions,
    ) -> Result<Family, Error> {
        self.read_dddmp(input, options).map(Family)
    }

    fn read_dddmp<K: Assemble, I: BufRead>(
        &self,
        input: I,
        options: &ReadOptions,
    ) -> Result<Handle<K>, Error> {
        let (diagram, numbers) = Diagram::<K>::read_dddmp_by_level(input, options)?;
        let levels = numbers.into_iter().map(|number| self.level(number));
        self.import_at(&diagram, &levels.collect::<Result<Vec<_>, _>>()?)
    }
}

fn dot<K: Assemble>(handle: &Handle<K>) -> Result<String, Error> {
    let text = handle.by_level(&Limits::new())?.to_dot();
    let order = handle.manager().order_copy();
    let mut pieces = text.split(NAME);
    let mut named = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (level, rest) = piece.split_once('"').expect("a name ends");
        let level = level.parse().expect("a name is a level");
        named.extend([NAME, &order.variable_at(level).to_string(), "\"", rest]);
    }
    Ok(named)
}

/// The start of the name of a node in DOT, before the number.
const NAME: &str = "[label=\"x";

fn write_dddmp<K: Assemble, W: Write>(handle: &Handle<K>, out: W) -> Result<(), Error> {
    let diagram = handle.by_level(&Limits::new())?;
    let order = handle.manager().order_copy();
    Ok(diagram.write_dddmp(NumberedNodes { out, order, line: Some(Vec::new()) })?)
}

/// Replaces levels by numbers of variables in the line `.ids` of a DDDMP file.
struct NumberedNodes<W> {
    out: W,
    order: VariableOrder,
    /// The start of the current line; `None` after the header.
    line: Option<Vec<u8>>,
}

impl<W: Write> NumberedNodes<W> {
    /// Writes a line of the header.
    fn write_line(&mut self, line: &[u8]) -> io::Result<()> {
        let Some(levels) = line.strip_prefix(b".ids") else { return self.out.write_all(line) };
        self.out.write_all(b".ids")?;
        for level in String::from_utf8_lossy(levels).split_whitespace() {
            let level = level.parse().expect("levels are numbers");
            write!(self.out, " {}", self.order.variable_at(level))?;
        }
        self.out.write_all(b"\n")
    }
}

impl<W: Write> Write for NumberedNodes<W> {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        let Some(mut line) = self.line.take() else { return self.out.write(text) };
        let mut rest = text;
        while let Some(end) = rest.iter().position(|&byte| byte == b'\n') {
            let (end_of_line, after) = rest.split_at(end + 1);
            rest = after;
            line.extend_from_slice(end_of_line);
            self.write_line(&line)?;
            if line.starts_with(b".nodes") {
                self.out.write_all(rest)?;
                return Ok(text.len());
            }
            line.clear();
        }
        line.extend_from_slice(rest);
        self.line = Some(line);
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use crate::strategies::{families, functions, managers};
    use crate::{Error, Family, Function, Manager, ReadOptions};
    use proptest::prelude::*;
    use topdd::{Bdd, FileError, Zdd};

    const VARS: usize = 5;

    type Drawn = (Manager, Function, Family, Manager);

    fn drawn() -> impl Strategy<Value = Drawn> {
        (managers(VARS), managers(VARS + 1)).prop_flat_map(|(manager, other)| {
            let handles = (functions(&manager), families(&manager));
            (Just(manager), handles, Just(other))
                .prop_map(|(manager, (f, g), other)| (manager, f, g, other))
        })
    }

    fn written(write: impl FnOnce(&mut Vec<u8>) -> Result<(), Error>) -> String {
        let mut text = Vec::new();
        write(&mut text).unwrap();
        String::from_utf8(text).unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

        #[test]
        fn dddmp_keeps_the_variables_in_any_order((manager, f, g, other) in drawn()) {
            let options = ReadOptions::new();
            let text = written(|out| f.write_dddmp(out));
            prop_assert_eq!(&manager.function_of_dddmp(text.as_bytes(), &options).unwrap(), &f);
            let copy = other.function_of_dddmp(text.as_bytes(), &options).unwrap();
            prop_assert_eq!(copy, other.copy_function(&f).unwrap());
            let text = written(|out| g.write_dddmp(out));
            prop_assert_eq!(&manager.family_of_dddmp(text.as_bytes(), &options).unwrap(), &g);
            let copy = other.family_of_dddmp(text.as_bytes(), &options).unwrap();
            prop_assert_eq!(copy, other.copy_family(&g).unwrap());
        }

        /// In ascending order, files and pictures are the same as topdd's.
        #[test]
        fn ascending_orders_give_the_files_of_topdd(f in functions(&Manager::new(VARS).unwrap()), g in families(&Manager::new(VARS).unwrap())) {
            let (bdd, zdd) = (f.to_bdd().unwrap(), g.to_zdd().unwrap());
            prop_assert_eq!(written(|out| f.write_dddmp(out)), written(|out| Ok(bdd.write_dddmp(out)?)));
            prop_assert_eq!(written(|out| g.write_dddmp(out)), written(|out| Ok(zdd.write_dddmp(out)?)));
            prop_assert_eq!(f.to_dot().unwrap(), bdd.to_dot());
            prop_assert_eq!(g.to_dot().unwrap(), zdd.to_dot());
        }

        /// A picture has the name of the topmost variable at the root, and one line for each node.
        #[test]
        fn pictures_name_the_variables_of_the_manager((_, f, g, _) in drawn()) {
            for (dot, top, support) in [
                (f.to_dot().unwrap(), f.top_variable(), f.support()),
                (g.to_dot().unwrap(), g.top_variable(), g.support()),
            ] {
                let mut names: Vec<usize> = dot.split("[label=\"x").skip(1)
                    .map(|rest| rest.split('"').next().unwrap().parse().unwrap()).collect();
                prop_assert_eq!(names.first().copied(), top);
                names.sort_unstable();
                names.dedup();
                prop_assert_eq!(names, support);
            }
        }
    }

    /// As CUDD writes it: numbers of variables that differ from their levels.
    const OTHER_NUMBERS: &str = "\
.ver DDDMP-2.0
.mode A
.varinfo 4
.nnodes 3
.nvars 9
.nsuppvars 2
.ids 7 1
.permids 0 3
.nroots 1
.rootids -3
.nodes
1 1 0 0
2 1 1 -1
3 0 1 2
.end
";

    #[test]
    fn numbers_of_variables_are_those_of_the_file() {
        let manager = Manager::new(8).unwrap();
        let read = |text: &str, manager: &Manager| {
            manager.function_of_dddmp(text.as_bytes(), &ReadOptions::new())
        };
        let neither = !manager.var(1).unwrap() & !manager.var(7).unwrap();
        assert_eq!(read(OTHER_NUMBERS, &manager).unwrap(), neither);
        let by_level = OTHER_NUMBERS.replace(".ids 7 1\n", "");
        let neither = !manager.var(0).unwrap() & !manager.var(3).unwrap();
        assert_eq!(read(&by_level, &manager).unwrap(), neither);
    }

    #[test]
    fn files_that_do_not_fit_are_errors() {
        let manager = Manager::new(7).unwrap();
        let read = |text: &str| {
            manager.function_of_dddmp(text.as_bytes(), &ReadOptions::new()).unwrap_err()
        };
        assert_eq!(read(OTHER_NUMBERS), Error::UnknownVariable { variable: 7, num_vars: 7 });
        for cut in 0..OTHER_NUMBERS.len() - ".end\n".len() {
            let error = read(&OTHER_NUMBERS[..cut]);
            assert!(matches!(error, Error::File(FileError::Malformed { .. })), "{cut}: {error}");
        }
        let error =
            read(&OTHER_NUMBERS.replace(".nsuppvars 2\n", "").replace(".ids 7 1", ".ids 1"));
        assert!(matches!(error, Error::File(FileError::Malformed { .. })), "{error}");
        let text = OTHER_NUMBERS.as_bytes();
        let error = manager.family_of_dddmp(text, &ReadOptions::new()).unwrap_err();
        assert!(matches!(error, Error::File(FileError::Malformed { .. })), "{error}");
    }

    #[test]
    fn constants_are_written_and_read() {
        let manager = Manager::builder(3).order([2, 1, 0]).build().unwrap();
        let options = ReadOptions::new();
        for value in [false, true] {
            let text = written(|out| manager.constant(value).write_dddmp(out));
            assert_eq!(Bdd::read_dddmp(text.as_bytes(), &options).unwrap().is_empty(), !value);
            let read = manager.function_of_dddmp(text.as_bytes(), &options).unwrap();
            assert_eq!(read, manager.constant(value));
        }
        for family in [manager.empty(), manager.base()] {
            let text = written(|out| family.write_dddmp(out));
            assert_eq!(Zdd::read_dddmp(text.as_bytes(), &options).unwrap().count(), family.count());
            assert_eq!(manager.family_of_dddmp(text.as_bytes(), &options).unwrap(), family);
        }
    }

    /// The line of variables is longer than the buffer of the writer.
    #[test]
    fn files_of_many_variables_are_numbered_in_pieces() {
        let n = 2500;
        let manager = Manager::builder(n).order((0..n).rev()).build().unwrap();
        let set = manager.set(0..n).unwrap();
        let text = written(|out| set.write_dddmp(out));
        assert!(text.contains("\n.ids 2499 2498 ") && text.contains("\n.permids 0 1 "));
        let other = Manager::new(n).unwrap();
        let read = other.family_of_dddmp(text.as_bytes(), &ReadOptions::new());
        assert_eq!(read, other.set(0..n));
    }
}
