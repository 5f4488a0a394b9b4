//! The message for an option that a problem does not take: which problems take it. And for `topdd bench`.

use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};

/// The program of measurements, which is not installed with the command.
const BENCH: &str = "measurements are a program of the repository: cargo run --release -p topdd-benches --bin \
                     topdd-bench -- --only NAME --threads N --json";

/// Other words for options, where the parser suggests none or another option.
const OTHER_WORDS: [(&str, &str); 10] = [
    ("--usage", "--element-counts"),
    ("--by-size", "--count-by-size"),
    ("--min-size", "--at-least"),
    ("--max-size", "--at-most"),
    ("--min-length", "--at-least"),
    ("--max-length", "--at-most"),
    ("--min-cost", "--cost-at-least"),
    ("--max-cost", "--cost-at-most"),
    ("--queens", "--exactly"),
    ("--pieces", "--exactly"),
];

/// The largest number of problems that a message lists.
const MAX_LISTED: usize = 5;

/// The boards, which are problems without a file.
const BOARDS: [&str; 3] = ["queens", "place", "knights"];

/// The message for an option of `words` that is for other problems; `None` if no problem takes it. `command` is the
/// whole command line.
pub(super) fn message(
    error: &clap::Error,
    mut command: Command,
    words: impl Iterator<Item = String>,
) -> Option<String> {
    if let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidSubcommand) {
        return (name == "bench").then(|| BENCH.to_owned());
    }
    let Some(ContextValue::String(flag)) = error.get(ContextKind::InvalidArg) else { return None };
    if error.kind() != ErrorKind::UnknownArgument {
        return None;
    }
    command.build();
    let words: Vec<String> = words.collect();
    let used = |words: &[String]| {
        words.iter().fold(&command, |used, word| used.find_subcommand(word).unwrap_or(used))
    };
    if let Some((_, name)) = OTHER_WORDS.iter().find(|(word, _)| word == flag)
        && takes(used(&words), name)
    {
        return Some(format!("there is no {flag}: write {name}"));
    }
    let Some((_, problem)) = words.split_first().filter(|(first, _)| *first == "configure") else {
        return among_problems(&command, flag, &words);
    };
    let decided = among_problems(command.find_subcommand("configure")?, flag, problem);
    decided.or_else(|| {
        takes(used(problem), flag).then(|| {
            format!("{flag}: not for decisions, which take the options that define the solutions")
        })
    })
}

/// The message for a flag of a problem, by the problems that are subcommands of `command`.
fn among_problems(command: &Command, flag: &str, words: &[String]) -> Option<String> {
    let problem = words.first()?;
    let boards = command.get_subcommands().filter(|board| BOARDS.contains(&board.get_name()));
    if BOARDS.contains(&&problem[..]) {
        return for_others(flag, problem, boards);
    }
    let families = command.find_subcommand("graph").filter(|graph| graph.get_name() == problem)?;
    let family = families.find_subcommand(words.get(1)?)?.get_name();
    let for_families = for_others(flag, family, families.get_subcommands());
    for_families.or_else(|| for_others(flag, family, boards))
}

/// The message for a flag, if one of the commands takes it.
fn for_others<'a>(
    flag: &str,
    problem: &str,
    commands: impl Iterator<Item = &'a Command>,
) -> Option<String> {
    let commands = commands.filter(|command| takes(command, flag));
    let names: Vec<&str> = commands.map(Command::get_name).collect();
    let (last, others) = names.split_last()?;
    Some(match others {
        [] => format!("{flag}: for {last} only"),
        _ if names.len() > MAX_LISTED => format!("{flag}: not for {problem}"),
        _ => format!("{flag}: for {} and {last} only", others.join(", ")),
    })
}

/// Whether a command has an option of this name.
fn takes(command: &Command, flag: &str) -> bool {
    command.get_arguments().any(|arg| match flag.strip_prefix("--") {
        None => arg.get_short().is_some_and(|short| flag == format!("-{short}")),
        Some(long) => {
            let aliases = arg.get_all_aliases().unwrap_or_default();
            arg.get_long() == Some(long) || aliases.contains(&long)
        }
    })
}
