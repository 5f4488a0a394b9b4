//! `topdd graph`: a subcommand for each family, with its own options.
//!
//! `families` has the subcommands, `groups` the options that several of them share, and how values are read.

mod families;
mod groups;

use std::fmt::Write;

use clap::error::ErrorKind;
use clap::{ArgMatches, Args, Command, FromArgMatches, Subcommand};
use topdd_graph::families::Unit;
use topdd_problem::{Family as Families, FamilyKind};

pub(crate) use families::{
    Bicliques, Colourings, Cuts, FamilyOptions, Info, Partitions, Predict, Reliability,
};
pub(crate) use groups::PerItem;
pub(super) use groups::item_probability;
pub(crate) use groups::{
    Ends, GraphInput, GraphRun, OrderOption, SetAnswers, SetConditions, Sets, Terminals,
};

use super::common::whole;
use super::{How, Weighed, with_negative_numbers};

/// The page of `topdd graph --help`, of which [`list`] is a part.
const PAGE: &str = "{about-with-newline}\n{usage-heading} {usage}{after-help}";

const EXAMPLES: &str = "\
'topdd graph FAMILY --help' lists the options of a family.

Examples:
  topdd graph paths map.txt --from ME --to CA        how many, and the first of them
  topdd graph paths map.txt --from ME --hamiltonian --count-only
  topdd graph spanning-trees map.txt --best 3        the three cheapest
  topdd graph independent-sets map.txt --best 1 --max  a largest one
  topdd graph independent-sets map.txt --best 1 --max --width 1000 --gap 5%  nearly a largest one
  topdd graph colourings map.txt -k 4 --sample 2 --seed 1
  topdd graph matchings map.txt --save m.tdd         for list, count and others
  topdd graph matchings map.txt --count-by-size      also how many of each number of edges
  topdd graph paths map.txt --from ME --to NY --svg path.svg
  topdd graph partitions roads.csv --vertices towns.csv -k 3 --min-weight 90 --max-weight 150 --all --json
  topdd graph reliability map.txt -p 0.99            the probability that all vertices are connected
  topdd graph info map.txt                           vertices, edges, degrees
  topdd graph paths map.txt --from ME --predict      how large this run would be
  topdd graph predict map.txt                        how large the runs of some families would be";

const DECISION_EXAMPLES: &str = "\
The options are those of 'topdd graph FAMILY' that define the solutions.

Examples:
  topdd configure graph spanning-trees map.txt --web --open   edges on the map, in the browser
  topdd configure graph paths map.txt --from ME --to CA       a table in the terminal
  topdd configure graph colourings map.txt -k 4 --with ME=0
  echo 'choose ME-NH' | topdd configure graph trees map.txt";

const ABOUT: &str = "Families of subgraphs, vertex sets and colourings of a graph in a file";

const LONG_ABOUT: &str = "\
Families of subgraphs, vertex sets and colourings of a graph in a file.

A plain file has one edge per line: `a b` or `a b weight`; a line with a single vertex adds it, and # begins a \
comment. A vertex is any word, or text in double quotes. Other formats, by the ending or by --format: \
CSV (.csv, .tsv), lists of neighbours (.adjlist), DIMACS (.col, .gr, .clq), METIS (.metis, .graph), GraphML (.graphml, \
.xml), the JSON of networkx (.json), graph6 (.g6) and sparse6 (.s6). Files may be packed by gzip. Vertices of DIMACS and \
METIS files are numbered from 1. A file whose meaning cannot be decided is refused.

Parallel edges are different edges. A path has at least one edge; without --from and --to, a path and its reverse \
are one path. Forests and matchings include the empty set.";

/// The text after the first line of the help of --with, which is shared with the commands on files.
const NAMES_HELP: &str = "Names are written as `topdd list` prints them; edges in a family of sets of edges, \
    vertices otherwise. The option may be repeated.";

/// A question about a graph in a file.
#[derive(Debug)]
pub(crate) struct Graph(pub(crate) Question);

/// The questions about a graph.
#[derive(Debug, Subcommand)]
pub(crate) enum Question {
    #[command(flatten)]
    Family(Box<Family>),
    Reliability(Reliability),
    Info(Info),
    Predict(Predict),
}

/// A family of a graph, as it is asked for.
#[derive(Debug)]
pub(crate) struct Family {
    pub(crate) kind: &'static FamilyKind,
    pub(crate) options: FamilyOptions,
    /// Without any for colourings.
    pub(crate) sets: Sets,
    pub(crate) input: GraphInput,
    pub(crate) order: OrderOption,
    pub(crate) set_answers: SetAnswers,
    pub(crate) run: GraphRun,
}

impl Family {
    /// Reads the options that define a family, which is without answers.
    pub(super) fn define(matches: &ArgMatches) -> Result<(Self, &ArgMatches), clap::Error> {
        let options = FamilyOptions::from_arg_matches(matches)?;
        let subcommand = matches.subcommand();
        let family = subcommand.and_then(|(name, options)| Some((Families::named(name)?, options)));
        let Some((kind, matches)) = family else {
            return Err(clap::Error::new(ErrorKind::InvalidSubcommand));
        };
        let has_sets = kind.unit != Unit::Colour;
        let sets = has_sets.then(|| Sets::from_arg_matches(matches)).transpose()?;
        let family = Family {
            kind,
            options,
            sets: sets.unwrap_or_default(),
            input: GraphInput::from_arg_matches(matches)?,
            order: OrderOption::from_arg_matches(matches)?,
            set_answers: SetAnswers::default(),
            run: GraphRun::default(),
        };
        Ok((family, matches))
    }
}

impl FromArgMatches for Family {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let (mut family, matches) = Family::define(matches)?;
        if family.kind.unit != Unit::Colour {
            family.set_answers = SetAnswers::from_arg_matches(matches)?;
        }
        family.run = GraphRun::from_arg_matches(matches)?;
        family.run.common.needs_solutions = family.sets.extremes.are_asked()
            || family.run.element_counts
            || family.set_answers.best.is_some();
        Ok(family)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Adds the options that define a family.
fn definition(family: Command) -> Command {
    let unit = unit(family.get_name());
    let mut family = family;
    if unit != Some(Unit::Colour) {
        family = Sets::augment_args(family).mut_arg("with", |with| {
            let help = with.get_help().map(ToString::to_string).unwrap_or_default();
            with.long_help(format!("{help}\n\n{NAMES_HELP}"))
        });
    }
    if unit == Some(Unit::Vertex) {
        // For sets of vertices, --with and --without are the names of two conditions.
        for id in ["through", "avoid"] {
            family = family.mut_arg(id, |arg| arg.hide(true));
        }
    }
    OrderOption::augment_args(GraphInput::augment_args(family))
}

/// Adds the options of `topdd graph FAMILY`.
fn run_options(family: Command) -> Command {
    let mut family = definition(family);
    if unit(family.get_name()) != Some(Unit::Colour) {
        family = SetAnswers::augment_args(family);
    }
    with_sentence(GraphRun::augment_args(family))
}

/// Restores the sentence of a family: a group of options has a text as well, which is not for users.
fn with_sentence(family: Command) -> Command {
    let kind = Families::named(family.get_name());
    let family = with_negative_numbers(family);
    family.about(kind.map_or("", |kind| kind.about)).long_about(None)
}

/// Adds the options of `topdd configure graph FAMILY`.
fn decision_options(family: Command) -> Command {
    let examples = format!(
        "Examples of options are in 'topdd graph {} --help'. 'topdd configure --help' lists the keys.",
        family.get_name()
    );
    let family = Weighed::augment_args(definition(family));
    with_sentence(How::augment_args(family).after_help(examples))
}

/// Adds the families, each with these options besides its own.
fn families(command: Command, options: fn(Command) -> Command) -> Command {
    let command = FamilyOptions::augment_subcommands(command);
    Families::KINDS.iter().fold(command, |command, kind| {
        command.mut_subcommand(kind.name, |family| family.about(kind.about).defer(options))
    })
}

/// What the solutions of a family consist of, by its name; `None` for other questions.
fn unit(name: &str) -> Option<Unit> {
    Families::named(name).map(|kind| kind.unit)
}

impl Subcommand for Family {
    fn augment_subcommands(command: Command) -> Command {
        families(command, run_options)
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        FamilyOptions::has_subcommand(name)
    }
}

impl FromArgMatches for Graph {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Question::from_arg_matches(matches).map(Graph)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for Graph {
    /// Deferred: other commands do not need the families, which have a thousand options together.
    fn augment_args(command: Command) -> Command {
        command.about(ABOUT).defer(declare)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// Adds the subcommands, and the page that lists them.
fn declare(command: Command) -> Command {
    let command = with_negative_numbers(Question::augment_subcommands(command));
    let command = command.about(ABOUT).long_about(LONG_ABOUT);
    let page = format!("{}\n{EXAMPLES}", list(&command));
    with_page(command, "topdd graph <FAMILY> <FILE> [OPTIONS]", page)
}

/// The family whose solutions are decided on, and the form of the dialogue.
#[derive(Debug)]
pub(crate) struct ConfigureGraph {
    pub(crate) family: Box<Family>,
    pub(crate) weighed: Weighed,
    pub(crate) how: How,
}

impl FromArgMatches for ConfigureGraph {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let (family, matches) = Family::define(matches)?;
        Ok(ConfigureGraph {
            family: Box::new(family),
            weighed: Weighed::from_arg_matches(matches)?,
            how: How::from_arg_matches(matches)?,
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for ConfigureGraph {
    /// Deferred, as for [`Graph`].
    fn augment_args(command: Command) -> Command {
        command.about(ABOUT).defer(|command| {
            let command = families(command, decision_options).about(ABOUT).long_about(LONG_ABOUT);
            let page = format!("{}\n{DECISION_EXAMPLES}", list(&command));
            with_page(command, "topdd configure graph <FAMILY> <FILE> [OPTIONS]", page)
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// Adds the page of a command whose subcommands are the families.
fn with_page(command: Command, usage: &'static str, page: String) -> Command {
    command
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand_value_name("FAMILY")
        .override_usage(usage)
        .help_template(PAGE)
        .after_help(page)
}

/// The families in groups, with a sentence each.
fn list(command: &Command) -> String {
    let groups = [
        ("Sets of edges", Some(Unit::Edge)),
        ("Sets of vertices", Some(Unit::Vertex)),
        ("Colours of vertices", Some(Unit::Colour)),
        ("Other questions", None),
    ];
    let groups = groups.map(|(heading, of)| {
        let mut text = format!("{heading}:\n");
        for subcommand in command.get_subcommands().filter(|one| unit(one.get_name()) == of) {
            let about = subcommand.get_about().map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(text, "  {:<29}{about}", subcommand.get_name());
        }
        text
    });
    let mut other_names = "Other names:\n".to_owned();
    for subcommand in command.get_subcommands() {
        for name in subcommand.get_visible_aliases() {
            let _ = writeln!(other_names, "  {name:<29}{}", subcommand.get_name());
        }
    }
    let filled: Vec<String> =
        groups.into_iter().chain([other_names]).filter(|group| group.lines().count() > 1).collect();
    filled.join("\n")
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use topdd_graph::format::GraphReadOptions;

    use super::*;

    #[test]
    fn subcommands_are_the_families_of_the_library() {
        let command = FamilyOptions::augment_subcommands(Command::new("graph"));
        let names: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
        let kinds = Families::KINDS.iter().map(|kind| kind.name);
        assert!(kinds.eq(names.iter().copied()), "{names:?}");
    }

    /// Reads fields of the options of the reader, and returns their names.
    macro_rules! options {
        ($($field:ident),*) => {{
            $(let _ = GraphReadOptions::default().$field;)*
            [$(stringify!($field)),*]
        }};
    }

    #[test]
    fn options_of_the_reader_have_the_names_of_the_library() {
        let fields = options!(
            directed,
            merge_directions,
            decimal_comma,
            columns,
            vertex_columns,
            weight_attribute,
            label_attribute
        );
        let command = GraphInput::augment_args(Command::new("graph"));
        for field in fields {
            assert!(command.get_arguments().any(|arg| arg.get_id() == field), "{field}");
        }
    }

    #[test]
    fn each_family_has_a_page_with_an_example_and_its_own_options() {
        let mut command = declare(Command::new("graph"));
        command.build();
        for kind in Families::KINDS {
            let page = command.find_subcommand_mut(kind.name).expect("a subcommand");
            let page = page.render_long_help().to_string();
            assert!(page.contains("Examples:\n  topdd graph "), "{page}");
            assert!(!page.contains("squares of a board"), "{page}");
            assert_eq!(page.contains("--min-weight"), kind.name == "partitions", "{page}");
        }
    }

    #[test]
    fn each_family_can_be_decided_on_with_the_options_that_define_it() {
        let mut run = declare(Command::new("graph"));
        let mut decide = ConfigureGraph::augment_args(Command::new("graph"));
        run.build();
        decide.build();
        for kind in Families::KINDS {
            let ids = |command: &Command| {
                let family = command.find_subcommand(kind.name).expect("a subcommand");
                family.get_arguments().map(|arg| arg.get_id().to_string()).collect::<HashSet<_>>()
            };
            let mut defining = Command::new(kind.name);
            defining = Sets::augment_args(OrderOption::augment_args(defining));
            let shared: HashSet<String> =
                defining.get_arguments().map(|arg| arg.get_id().to_string()).collect();
            let (run, decide) = (ids(&run), ids(&decide));
            assert_eq!(&run & &shared, &decide & &shared);
            assert!(decide.contains("web") && !decide.contains("save"), "{decide:?}");
        }
    }
}
