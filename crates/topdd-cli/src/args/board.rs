//! The board of a problem, as an argument.

use std::num::{IntErrorKind, ParseIntError};

use clap::error::ErrorKind;
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};
use topdd_chess::Board;

/// The board of a problem: `6x8` for 6 rows and 8 columns, `8` for `8x8`. Two arguments, `6 8`,
/// are read as `6x8`.
///
/// A command that also takes `--symmetric` declares it under the id `symmetric`, after the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BoardSize(pub(crate) Board);

const FIRST: &str = "board";
const SECOND: &str = "columns";

impl Args for BoardSize {
    fn augment_args(command: Command) -> Command {
        let help = "The board: 6x8 for 6 rows and 8 columns, 8 for 8x8";
        let first = Arg::new(FIRST).value_name("BOARD").required(true).help(help);
        let second = Arg::new(SECOND).hide(true);
        command.args([first, second].map(|arg| arg.allow_negative_numbers(true)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for BoardSize {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let [first, second] = [FIRST, SECOND].map(|id| matches.get_one::<String>(id));
        let [first, second] = [first, second].map(|text| text.map(String::as_str));
        let places = [FIRST, "symmetric", SECOND].map(|id| match matches.try_contains_id(id) {
            Ok(true) => matches.index_of(id),
            _ => None,
        });
        let board = match meant_for_symmetric(first.unwrap_or(""), second, places) {
            Some(word) => Err(format!(
                "write --symmetric={word} if {word} is meant for --symmetric; write the board in \
                 one word, such as 6x8"
            )),
            None => read(first.unwrap_or(""), second),
        };
        board
            .map(BoardSize)
            .map_err(|message| clap::Error::raw(ErrorKind::ValueValidation, message))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The word that may be meant as the value of `--symmetric`, as in `12 --symmetric 90` and in
/// `--symmetric 90 12`. `places` are the places of the first word, the option and the second
/// word on the command line.
fn meant_for_symmetric<'a>(
    first: &'a str,
    second: Option<&'a str>,
    places: [Option<usize>; 3],
) -> Option<&'a str> {
    let [Some(first_at), Some(option_at), Some(second_at)] = places else { return None };
    if first_at < option_at && option_at < second_at {
        return second;
    }
    let is_size = first.parse().is_ok_and(|size: usize| ![90, 180].contains(&size));
    (option_at < first_at && !is_size).then_some(first)
}

/// Reads the board from one or two arguments.
fn read(first: &str, second: Option<&str>) -> Result<Board, String> {
    let size = |text: &str| {
        text.parse().map_err(|error: ParseIntError| match error.kind() {
            IntErrorKind::PosOverflow => format!("the number {text} is too large"),
            _ => format!(
                "`{text}` is not a whole number: write 6x8 for 6 rows and 8 columns, 8 for 8x8"
            ),
        })
    };
    match (first.split_once(['x', 'X']), second) {
        (Some((rows, columns)), None) => Ok(Board::new(size(rows)?, size(columns)?)),
        (Some(_), Some(second)) => {
            Err(format!("{first} is a whole board; leave out the {second} after it"))
        }
        (None, second) => Ok(Board::new(size(first)?, size(second.unwrap_or(first))?)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_read_from_one_or_two_arguments() {
        for (first, second, board) in [
            ("8", None, Board::new(8, 8)),
            ("6x9", None, Board::new(6, 9)),
            ("6X9", None, Board::new(6, 9)),
            ("6", Some("9"), Board::new(6, 9)),
        ] {
            assert_eq!(read(first, second), Ok(board), "{first} {second:?}");
        }
        for text in ["", "x", "6x", "x9", "6x9x2", "-3", "6.0", "6 8", "eight"] {
            let error = read(text, None).expect_err(text);
            assert!(error.contains("whole number") && error.contains("6x8"), "{error}");
        }
        for (first, second) in [("99999999999999999999", None), ("6", Some("99999999999999999999"))]
        {
            assert!(read(first, second).is_err_and(|error| error.ends_with("is too large")));
        }
        assert!(read("6", Some("x")).is_err_and(|error| error.contains("whole number")));
        assert!(read("6x9", Some("2")).is_err_and(|error| error.contains("leave out the 2")));
    }

    #[test]
    fn a_value_for_symmetric_is_not_taken_for_a_size() {
        let meant = |first, places| meant_for_symmetric(first, Some("8"), places);
        let after = [Some(1), Some(2), Some(3)];
        let before = [Some(2), Some(1), Some(3)];
        assert_eq!(meant("12", after), Some("8"));
        assert_eq!(meant("90", before), Some("90"));
        assert_eq!(meant("half-turn", before), Some("half-turn"));
        assert_eq!(meant("6", before), None);
        assert_eq!(meant("6", [Some(1), Some(3), Some(2)]), None);
        assert_eq!(meant("6", [Some(1), None, Some(2)]), None);
    }
}
