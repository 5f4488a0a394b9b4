//! Pictures of solutions and of sweeps, written to files.
//!
//! `topdd_draw` draws them; this module chooses the solutions.

use topdd::Report;
use topdd_draw::{Picture, profile};

use crate::args::{Common, Grid, is_png};
use crate::failure::Failure;
use crate::interrupt;
use crate::outcome::Outcome;
use crate::output::{Head, Shown};
use crate::problem::{Drawing, Part, Presentation, Problem};
#[cfg(feature = "png")]
use crate::progress::say;
use crate::target::Target;

/// The pictures of a command line, and their files, which are known to be writable.
pub(crate) struct Pictures<'a> {
    common: &'a Common,
    svg: Option<Target>,
    png: Option<Target>,
    profile: Option<(Target, bool)>,
}

impl<'a> Pictures<'a> {
    /// Opens the files, and fails if a picture cannot be drawn.
    pub(crate) fn asked<T: Part>(
        problem: &(impl Presentation<T> + ?Sized),
        common: &'a Common,
    ) -> Result<Self, Failure> {
        let asked = &common.pictures;
        let profile_is_png = asked.profile.as_deref().and_then(is_png) == Some(true);
        if !cfg!(feature = "png") && (asked.png.is_some() || profile_is_png) {
            let advice = "draw an SVG file, with --svg or a name that ends in .svg";
            return Err(Failure::Usage(format!(
                "this topdd was built without the feature `png`; {advice}"
            )));
        }
        if asked.heat {
            problem.heats()?;
        }
        let svg = asked.svg.as_deref().map(Target::at).transpose()?;
        let png = asked.png.as_deref().map(Target::at).transpose()?;
        let profile = asked.profile.as_deref().map(Target::at).transpose()?;
        let profile = profile.map(|target| (target, profile_is_png));
        Ok(Pictures { common, svg, png, profile })
    }

    /// Draws and writes the pictures. The solutions that are drawn stay in `shown`.
    pub(crate) fn write<T: Part>(
        self,
        problem: &dyn Problem<T>,
        outcome: &Outcome,
        shown: &mut Shown<'_, T>,
    ) -> Result<(), Failure> {
        let Pictures { common, svg, png, profile } = self;
        if let (Some((target, as_png)), Some(report)) = (profile, &outcome.report) {
            let picture = plot(problem, report);
            if as_png { pixels(target, &picture)? } else { text(target, &picture)? }
        }
        if svg.is_none() && png.is_none() {
            return Ok(());
        }
        let picture = match &outcome.zdd {
            Some(zdd) if common.pictures.heat => {
                let title = format!("{}: how often", problem.identity().title);
                problem.heat(zdd)?.titled(title)
            }
            _ => solutions(problem, common, shown)?,
        };
        write(svg, png, &picture)
    }

    /// Draws and writes one solution.
    pub(crate) fn write_one<T: Part>(
        self,
        problem: &dyn Problem<T>,
        squares: Option<&[T]>,
    ) -> Result<(), Failure> {
        if self.svg.is_none() && self.png.is_none() {
            return Ok(());
        }
        let squares = squares.ok_or_else(nothing)?;
        let title = format!("{}: one solution", problem.identity().title);
        write(self.svg, self.png, &problem.picture(squares).titled(title))
    }
}

/// The solutions that are shown, or the first of them if they are many.
fn solutions<T: Part>(
    problem: &dyn Problem<T>,
    common: &Common,
    shown: &mut Shown<'_, T>,
) -> Result<Picture, Failure> {
    let grid = common.pictures.sheet.unwrap_or(Grid::USUAL);
    let drawn: Vec<Vec<T>> = shown.solutions.by_ref().take(grid.boards()).collect();
    interrupt::check()?;
    let captions = (0..drawn.len()).map(|place| match &shown.head {
        Head::Numbered(from) => (from + place).to_string(),
        Head::First | Head::Sample(_) => place.to_string(),
        Head::Best(weights) => weights[place].clone(),
    });
    let captions: Vec<String> = captions.collect();
    let kind = match &shown.head {
        Head::First | Head::Numbered(_) => "solution".to_owned(),
        Head::Sample(seed) => format!("sample of seed {seed},"),
        Head::Best(_) => "weight".to_owned(),
    };
    let title = &problem.identity().title;
    let (Some(first), Some(last)) = (captions.first(), captions.last()) else {
        return Err(nothing());
    };
    let picture = if drawn.len() == 1 && common.pictures.sheet.is_none() {
        problem.picture(&drawn[0]).titled(format!("{title}: {kind} {first}"))
    } else {
        let boards = drawn.iter().map(|squares| problem.picture(squares));
        let boards: Vec<_> = boards.zip(captions.iter().cloned()).collect();
        let across = match common.pictures.sheet {
            Some(grid) => grid.across,
            // Up to four are in one line; of more, lines are as long as one another.
            None => drawn.len().div_ceil(drawn.len().div_ceil(Grid::USUAL.across)),
        };
        T::Picture::sheet(&boards, across, &format!("{title}: {kind} {first} to {last}"))
    };
    let rest = std::mem::replace(&mut shown.solutions, Box::new(std::iter::empty()));
    shown.solutions = Box::new(drawn.into_iter().chain(rest));
    Ok(picture)
}

fn plot<T: Part>(problem: &dyn Problem<T>, report: &Report) -> Picture {
    profile(
        report,
        problem.identity().unit,
        &format!("{}: the widths of the levels", problem.identity().title),
    )
}

/// A note about characters that cannot be drawn in a PNG file.
#[cfg(feature = "png")]
fn missing(characters: &str) -> String {
    /// The most characters that are listed.
    const MAX_LISTED: usize = 20;
    let listed: String = characters.chars().take(MAX_LISTED).collect();
    let dots = if characters.chars().nth(MAX_LISTED).is_some() { ".." } else { "" };
    let (reason, remedy) = if cfg!(feature = "fonts") {
        ("no font of this system has", "")
    } else {
        (
            "this topdd was built without the feature `fonts` for",
            "build it with `--features fonts`, or ",
        )
    };
    format!(
        "note: the PNG lacks characters, as {reason} {listed}{dots}; {remedy}write an SVG (--svg)"
    )
}

fn nothing() -> Failure {
    Failure::Missing("there is no solution to draw".to_owned())
}

fn write(svg: Option<Target>, png: Option<Target>, picture: &Picture) -> Result<(), Failure> {
    if let Some(target) = svg {
        text(target, picture)?;
    }
    png.map_or(Ok(()), |target| pixels(target, picture))
}

fn text(target: Target, picture: &Picture) -> Result<(), Failure> {
    target.write(|out| out.write_all(picture.svg().as_bytes()))
}

#[cfg(not(feature = "png"))]
fn pixels(_: Target, _: &Picture) -> Result<(), Failure> {
    unreachable!("refused when the files were opened")
}

#[cfg(feature = "png")]
fn pixels(target: Target, picture: &Picture) -> Result<(), Failure> {
    let png = picture.to_png().map_err(|error| Failure::Failed(error.to_string()))?;
    if !png.missing.is_empty() {
        say(missing(&png.missing));
    }
    target.write(|out| out.write_all(&png.bytes))
}
