//! `topdd help advanced`: options left out of the first help pages.

/// Options that are seldom needed.
#[derive(Debug, clap::Args)]
#[command(hide = true, help_template = "{about}{after-help}")]
#[command(after_help = "Options of queens and knights:
  --engine ENGINE     The engine that builds the diagram:
      frontier        from the top down, level by level (the default)
      apply           by conjoining the diagrams of constraints: queens row by row, with one
                      variable for each square; knight's tours step by step, with one variable
                      for each time and square. Not for --first and --colouring, nor for
                      queens with --exactly, --any, --maximal or --symmetric. It runs on one
                      thread, and has no --spill-to, --checkpoint or --profile.
  --report            With --engine apply: after each row or other constraint, the live nodes
                      of the manager and the nodes of the result so far, on standard error.

Option of queens:
  --no-forward-check  Do not drop states without solutions early: the same answer, more states

Examples:
  topdd queens 10 --engine apply --report
  topdd knights 5x6 --engine apply --quiet

'topdd man queens' shows all options of queens, those above included.")]
pub(crate) struct Advanced {}
