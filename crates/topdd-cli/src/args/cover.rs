//! `topdd cover`.

use std::path::PathBuf;

use super::common::Common;

/// Exact covers in a file: choices of options that cover each item once, such as tilings
///
/// The first line of the file has the items, each further line an option: some of the items. Items after | in the first
/// line are secondary: they are covered at most once. 2:3|a is an item a that is covered two or three times, and 2|a
/// twice. Empty lines, lines that start with |, and text from # on are comments. It is the usual form of programs of
/// dancing links. Colours of items (x:A) are not supported. The file may be packed by gzip.
///
/// An option is named by its items. If the items are squares such as a1, or squares and others, solutions are drawn.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  topdd cover tiles.txt                       how many, and the first of them
  topdd cover tiles.txt --quiet               only the count
  topdd cover tiles.txt --sample 3 --seed 1   three of them at random
  topdd cover tiles.txt --svg tiling.svg      draw the one that is shown
  topdd cover tiles.txt --save tiles.tdd      for list, count, sample, best and others")]
pub(crate) struct Cover {
    /// The file; - is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    #[command(flatten)]
    pub(crate) common: Common,
}
