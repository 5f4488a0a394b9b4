//! The formats of files: which there are, and how diagrams are read and written in them.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

use topdd::diagram::{Diagram, DiagramRule};
use topdd::format::Metadata;
use topdd::format::interchange::ReadOptions;
use topdd::format::interchange::dddmp::DddmpFile;
use topdd::{AnyDiagram, Bdd, FileError as Error, IoError, Rule, Zdd};
use topdd_problem::{Bytes, Elements, Name, Record};

use super::{Content, Named, either, failed, name};
use crate::args::{Convert, Input};
use crate::failure::Failure;
use crate::memory;
use crate::progress::say;

/// Reads a diagram under the options of the command line.
type Reader = fn(&Input) -> Result<Content, Failure>;
/// Writes a diagram under the options of the command line.
type Writer = fn(&Content, &Convert, &mut dyn Write) -> Result<(), Error>;

/// A format that diagrams are written to, and maybe read from.
pub(super) struct Format {
    /// The endings of its files, of which the first is its name.
    endings: &'static [&'static str],
    read: Option<Reader>,
    pub(super) write: Writer,
}

/// The result of writing, as an error of files.
fn io(written: io::Result<()>) -> Result<(), Error> {
    written.map_err(|error| Error::Io(IoError::new("write", None, error)))
}

impl Format {
    /// A format that is read and written.
    const fn new(endings: &'static [&'static str], read: Reader, write: Writer) -> Self {
        Format { endings, read: Some(read), write }
    }

    /// A format that is written only.
    const fn written(endings: &'static [&'static str], write: Writer) -> Self {
        Format { endings, read: None, write }
    }
}

/// All formats; the first is for files with other endings.
const FORMATS: &[Format] = &[
    Format::new(&["tdd"], read_tdd, |content, _, out| {
        io(content.diagram.write_with(out, &content.metadata))
    }),
    Format::new(
        &["json"],
        |input| whole(input, AnyDiagram::read_json_with_metadata(opened(input)?)),
        |content, _, out| {
            let metadata = &content.metadata;
            io(either!(&content.diagram, diagram => diagram.write_json_with(out, metadata)))
        },
    ),
    Format::written(&["dot", "gv"], |content, _, out| {
        io(either!(&content.diagram, diagram => diagram.write_dot(out)))
    }),
    Format::written(&["svg"], |content, asked, out| {
        let shape = either!(&content.diagram, diagram => diagram.shape(asked.max_nodes))?;
        io(out.write_all(topdd_draw::diagram(&shape).svg().as_bytes()))
    }),
    Format::written(&["csv"], |content, _, out| {
        io(either!(&content.diagram, diagram => diagram.write_widths_csv(out)))
    }),
    Format::new(
        &["sapporo"],
        read_sapporo,
        |content, _, out| either!(&content.diagram, diagram => diagram.write_sapporo(out)),
    ),
    Format::new(
        &["graphillion"],
        |input| {
            holds(input, Rule::ZeroSuppressed)?;
            of_text(input, |text, options| Ok(Zdd::read_graphillion(text, options)?.into()))
        },
        |content, _, out| {
            match &content.diagram {
                AnyDiagram::Zdd(zdd) => zdd.write_graphillion(out)?,
                AnyDiagram::Bdd(bdd) => bdd.to_zdd()?.write_graphillion(out)?,
            }
            say(graphillion_universe(content));
            Ok(())
        },
    ),
    Format::new(&["dddmp"], |input| select(dddmp(input)?, input), write_dddmp),
    Format::new(
        &["libbdd"],
        |input| {
            holds(input, Rule::AnyValue)?;
            of_text(input, |text, options| Ok(Bdd::read_lib_bdd(text, options)?.into()))
        },
        |content, _, out| match &content.diagram {
            AnyDiagram::Zdd(zdd) => zdd.to_bdd()?.write_lib_bdd(out),
            AnyDiagram::Bdd(bdd) => bdd.write_lib_bdd(out),
        },
    ),
];

/// The content of a file that has all of it.
fn whole(input: &Input, read: Result<(AnyDiagram, Metadata), Error>) -> Result<Content, Failure> {
    let (diagram, metadata) = read.map_err(|error| failed(&input.file, &error))?;
    Ok(Content { diagram, metadata })
}

fn read_tdd(input: &Input) -> Result<Content, Failure> {
    if input.is_stdin() {
        return whole(input, AnyDiagram::read_with_metadata(io::stdin().lock()));
    }
    refuse_large(&input.file)?;
    whole(input, AnyDiagram::load_with_metadata(&input.file))
}

fn read_sapporo(input: &Input) -> Result<Content, Failure> {
    let Some(rule) = input.rule else {
        return Err(Failure::usage(
            "a Sapporo text does not state the rule of skipped variables: add --rule zdd (they are 0) or --rule bdd \
             (they may have any value)",
        ));
    };
    of_text(input, |text, options| {
        Ok(match rule {
            Rule::ZeroSuppressed => Zdd::read_sapporo(text, options)?.into(),
            Rule::AnyValue => Bdd::read_sapporo(text, options)?.into(),
        })
    })
}

/// Refuses a file of topdd's own format that does not fit into memory: its diagram takes as many bytes.
fn refuse_large(path: &Path) -> Result<(), Failure> {
    let (limit, bytes) = (memory::limit(), fs::metadata(path).map_or(0, |file| file.len()));
    if bytes <= limit.bytes as u64 {
        return Ok(());
    }
    Err(Failure::Failed(format!(
        "{}: the file has {}\nhint: allow more with --memory-limit, on a machine that has it",
        limit.exceeded(limit.bytes),
        Bytes(usize::try_from(bytes).unwrap_or(usize::MAX)),
    )))
}

type Text = Box<dyn BufRead>;

/// Opens the input as a text.
fn opened(input: &Input) -> Result<Text, Failure> {
    if input.is_stdin() {
        return Ok(Box::new(io::stdin().lock()));
    }
    let io = |error: io::Error| {
        failed(&input.file, &Error::Io(IoError::new("open", Some(input.file.clone()), error)))
    };
    Ok(Box::new(BufReader::new(File::open(&input.file).map_err(io)?)))
}

fn read_options(input: &Input) -> ReadOptions {
    match input.variables {
        Some(number) => ReadOptions::new().num_vars(number),
        None => ReadOptions::new(),
    }
}

/// Reads a text of another package.
fn of_text(
    input: &Input,
    read: impl FnOnce(Text, &ReadOptions) -> Result<AnyDiagram, Error>,
) -> Result<Content, Failure> {
    let mut options = read_options(input);
    if let Some(root) = &input.root {
        let number = root.parse().map_err(|_| {
            Failure::Usage(format!("--root {root}: diagrams of this format have numbers, from 0"))
        })?;
        options = options.root(number);
    }
    let read = read(opened(input)?, &options);
    read.map(Content::from).map_err(|error| failed(&input.file, &error))
}

/// The number of elements of a universe up to which a note lists them.
const MAX_LISTED: usize = 100;

/// The note that says which universe loads a dump for Graphillion: its elements in the order of the
/// variables.
fn graphillion_universe(content: &Content) -> String {
    let elements = content.elements();
    let listed = |elements: Vec<String>| match elements.len() {
        0..=MAX_LISTED => format!("[{}]", elements.join(", ")),
        count => format!("the {count} names in metadata.variables of `topdd info FILE --json`"),
    };
    let of_edges = elements.as_ref().and_then(|elements| {
        let edge = |name: &Name| match name {
            Name::Ends { from, to, nth: 1, .. } => {
                Some(format!("({}, {})", python(from), python(to)))
            }
            // Graphillion has neither parallel edges nor labels of edges.
            Name::Ends { .. } | Name::Label(_) | Name::EdgeLabel(_) => None,
        };
        elements.names.iter().map(edge).collect()
    });
    let (class, universe, option) = match (of_edges, elements) {
        (Some(edges), _) => ("GraphSet", listed(edges), ", traversal='as-is'"),
        (None, Some(Elements { names, .. })) => {
            ("setset", listed(names.iter().map(|name| python(&name.stored())).collect()), "")
        }
        (None, None) => ("setset", format!("range(1, {})", content.diagram.num_vars() + 1), ""),
    };
    format!(
        "note: to load it in Graphillion, first call {class}.set_universe({universe}{option}), and \
         then {class}.load(open(FILE))"
    )
}

/// A text as a literal of Python.
fn python(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}

/// The diagrams of a DDDMP text, each with its name or number.
fn dddmp(input: &Input) -> Result<Vec<Named>, Failure> {
    match input.rule.unwrap_or(Rule::AnyValue) {
        Rule::ZeroSuppressed => dddmp_under(input, Zdd::read_dddmp_file),
        Rule::AnyValue => dddmp_under(input, Bdd::read_dddmp_file),
    }
}

fn dddmp_under<R: DiagramRule>(
    input: &Input,
    read: fn(Text, &ReadOptions) -> Result<DddmpFile<R>, Error>,
) -> Result<Vec<Named>, Failure>
where
    AnyDiagram: From<Diagram<R>>,
{
    let file =
        read(opened(input)?, &read_options(input)).map_err(|error| failed(&input.file, &error))?;
    let (root_names, variable_names) = (file.root_names.unwrap_or_default(), file.variable_names);
    let named = file.diagrams.into_iter().enumerate().map(|(number, diagram)| {
        let name = root_names.get(number).cloned().unwrap_or_else(|| number.to_string());
        let mut content = Content::from(diagram);
        if let Some(variables) = &variable_names {
            content.metadata.set_variable_names(variables);
        }
        Named { name, content }
    });
    Ok(named.collect())
}

/// The diagram that --root selects, or the only one.
fn select(mut all: Vec<Named>, input: &Input) -> Result<Content, Failure> {
    let index = match &input.root {
        Some(root) => {
            let named = all.iter().position(|of| of.name == *root);
            named.or_else(|| root.parse().ok()).filter(|&index| index < all.len())
        }
        None => (all.len() == 1).then_some(0),
    };
    if let Some(index) = index {
        return Ok(all.swap_remove(index).content);
    }
    let names: Vec<&str> = all.iter().map(|of| &of.name[..]).collect();
    let (file, count, list) = (name(&input.file), names.len(), names.join(", "));
    let first = names.first().copied().unwrap_or("0");
    Err(Failure::Failed(format!(
        "{file} has {count} diagrams: {list}\nhint: choose one with --root, as in --root {first}"
    )))
}

/// Writes a DDDMP text: a BDD, because CUDD reads every file as one, or a ZDD if that is asked for.
fn write_dddmp(content: &Content, asked: &Convert, out: &mut dyn Write) -> Result<(), Error> {
    let num_vars = content.diagram.num_vars();
    let names = content.metadata.variable_names().filter(|names| names.len() == num_vars);
    let is_word = |name: &String| !name.is_empty() && !name.contains(char::is_whitespace);
    if names.iter().flatten().any(|name| !is_word(name)) {
        say(
            "note: the names of variables are left out, because a DDDMP file has names without blanks only",
        );
    }
    let names = names.filter(|names| names.iter().all(is_word));
    match (&content.diagram, asked.rule_written.unwrap_or(Rule::AnyValue)) {
        (AnyDiagram::Zdd(zdd), Rule::ZeroSuppressed) => dddmp_text(zdd, names, out),
        (AnyDiagram::Bdd(bdd), Rule::ZeroSuppressed) => dddmp_text(&bdd.to_zdd()?, names, out),
        (AnyDiagram::Bdd(bdd), Rule::AnyValue) => dddmp_text(bdd, names, out),
        (AnyDiagram::Zdd(zdd), Rule::AnyValue) => {
            say(
                "note: the ZDD is written as a BDD of the same solutions, because CUDD reads every DDDMP \
                 file as a BDD; --as zdd writes the ZDD for OxiDD",
            );
            dddmp_text(&zdd.to_bdd()?, names, out)
        }
    }
}

fn dddmp_text<R: DiagramRule>(
    diagram: &Diagram<R>,
    names: Option<Vec<String>>,
    out: &mut dyn Write,
) -> Result<(), Error> {
    match names {
        Some(names) => diagram.write_dddmp_with_names(out, &names),
        None => diagram.write_dddmp(out),
    }
}

/// Refuses to read by another rule than all files of a format have.
fn holds(input: &Input, rule: Rule) -> Result<(), Failure> {
    match input.rule {
        Some(other) if other != rule => {
            let (this, that) = match rule {
                Rule::ZeroSuppressed => ("ZDD", "zdd"),
                Rule::AnyValue => ("BDD", "bdd"),
            };
            Err(Failure::Usage(format!(
                "a file of this format is a {this}: leave --rule out, or write --rule {that}"
            )))
        }
        _ => Ok(()),
    }
}

/// The format of this name, or of files with this ending.
pub(super) fn format(name: &str) -> Option<&'static Format> {
    FORMATS
        .iter()
        .find(|format| format.endings.iter().any(|ending| ending.eq_ignore_ascii_case(name)))
}

impl Format {
    pub(super) fn name(&self) -> &'static str {
        self.endings[0]
    }

    /// Whether its files contain diagrams without names of variables.
    pub(super) fn is_without_names(&self) -> bool {
        matches!(self.name(), "sapporo" | "libbdd")
    }
}

pub(super) fn ending(path: &Path) -> &str {
    path.extension().and_then(|ending| ending.to_str()).unwrap_or_default()
}

/// Reads the input in the format of --read-as, or of the ending of the file, or else in topdd's
/// own.
pub(super) fn read(input: &Input) -> Result<Content, Failure> {
    let format_name = format_name(input)?;
    match format(format_name).map(|format| format.read) {
        Some(Some(read)) => {
            let content = read(input)?;
            if let Err(error) = Record::read(&content.metadata) {
                say(format_args!("note: {}: {error}", name(&input.file)));
            }
            Ok(content)
        }
        found => {
            let why = if found.is_some() { "is written, but not read" } else { "is no format" };
            Err(Failure::Usage(format!(
                "{format_name} {why}: those read are {}; `topdd graph` reads graphs",
                names(|f| f.read.is_some())
            )))
        }
    }
}

/// Reads all diagrams of a file, or the one that --root selects.
pub(super) fn read_all(input: &Input) -> Result<Vec<Named>, Failure> {
    if input.root.is_none() && format(format_name(input)?).is_some_and(|of| of.name() == "dddmp") {
        return dddmp(input);
    }
    Ok(vec![Named { name: String::new(), content: read(input)? }])
}

/// The name of the format of the input.
fn format_name(input: &Input) -> Result<&str, Failure> {
    let is_packed = ending(&input.file) == "gz";
    let unpacked = if is_packed { input.file.with_extension("") } else { input.file.clone() };
    Ok(match &input.read_as {
        Some(name) => &name[..],
        None if input.is_stdin() => told_apart(&input.file)?,
        None if is_packed || ending(&unpacked) == "cnf" => {
            let advice = match ending(&unpacked) {
                "cnf" => "a formula, and no diagram; count its models with `topdd cnf`",
                _ => "packed by gzip; unpack it with `gunzip`",
            };
            return Err(Failure::Usage(format!("{} is {advice}", input.file.display())));
        }
        // If this is the wrong format, the error names the first byte.
        None if format(ending(&input.file)).is_none() => "tdd",
        None => ending(&input.file),
    })
}

/// The format of standard input, by its first byte.
fn told_apart(path: &Path) -> Result<&'static str, Failure> {
    let mut stdin = io::stdin().lock();
    let first = stdin.fill_buf().map(|bytes| bytes.first().copied());
    match first {
        Ok(None | Some(0x89)) => Ok("tdd"),
        Ok(Some(b'{')) => Ok("json"),
        Ok(Some(_)) => Err(Failure::Usage(format!(
            "state the format of standard input with --read-as: {}",
            names(|format| format.read.is_some())
        ))),
        Err(error) => Err(failed(path, &Error::Io(IoError::new("read", None, error)))),
    }
}

/// The names of the formats with a property.
pub(super) fn names(such: impl Fn(&Format) -> bool) -> String {
    let names: Vec<_> = FORMATS.iter().filter(|f| such(f)).map(Format::name).collect();
    names.join(", ")
}
