//! The files that an answer is written to: the diagram, and pictures of solutions and of sweeps.
//!
//! `topdd_draw` draws the pictures; this module chooses the solutions.

#[cfg(feature = "png")]
use crate::progress::say;

use std::path::{Path, PathBuf};
use std::{fs, io};

use topdd_draw::{Picture, profile};

use crate::args::{Common, Grid, is_png};
use crate::failure::Failure;
use crate::form::{Head, Sheet, Shown};
use crate::outcome::Outcome;
use crate::problem::Problem;
use crate::target::{self, Target};
use crate::{file, interrupt};

/// The files that the answer is written to, checked to be writable.
pub(crate) struct Outputs<'a> {
    pub(crate) pictures: PictureFiles<'a>,
    pub(crate) dot: Option<Target>,
    pub(crate) save: Option<Target>,
}

impl<'a> Outputs<'a> {
    /// Opens the files. A run that cannot write its answer fails before it begins.
    pub(crate) fn open(problem: &dyn Problem, common: &'a Common) -> Result<Self, Failure> {
        let answer = &common.answer;
        if let (Some(dir), Some(save)) = (&common.limits.checkpoint, &answer.save) {
            refuse_inside(dir, save)?;
        }
        if let Some(save) = &answer.save {
            file::refuse_other_format(save)?;
        }
        refuse_stdout(common)?;
        let written = |path: &Option<PathBuf>| {
            let path = path.as_deref().filter(|_| !common.is_silent());
            path.map(Target::at).transpose()
        };
        let (dot, save) = (written(&answer.dot)?, written(&answer.save)?);
        let pictures = PictureFiles::asked(problem, common)?;
        if let Some(dir) = &common.limits.spill_to {
            // A file without a name, as spilled data has.
            tempfile::tempfile_in(dir).map_err(|error| unusable(dir, &error))?;
        }
        Ok(Outputs { pictures, dot, save })
    }
}

/// Refuses to save a diagram where the checkpoint would remove it.
fn refuse_inside(checkpoint: &Path, save: &Path) -> Result<(), Failure> {
    let name = save.file_name().unwrap_or_default().to_string_lossy();
    let place = save.parent().and_then(|dir| fs::canonicalize(dir).ok());
    if name.starts_with("topdd-") && place.is_some() && place == fs::canonicalize(checkpoint).ok() {
        return Err(Failure::Usage(format!(
            "--save {} would be removed with the files of the checkpoint; choose a name that does \
             not start with topdd-",
            save.display()
        )));
    }
    Ok(())
}

/// Refuses to write two things to standard output.
fn refuse_stdout(common: &Common) -> Result<(), Failure> {
    let on_stdout = common.outputs().filter(|(_, file)| target::is_stdout(file));
    let mut options: Vec<&str> = on_stdout.map(|(option, _)| option).collect();
    if !options.is_empty() && common.answer.json {
        options.push("--json");
    }
    if options.len() < 2 {
        return Ok(());
    }
    let both = options.join(" and ");
    Err(Failure::Usage(format!("{both} would both be written to standard output; name a file")))
}

/// The failure for a directory that cannot be spilled to.
fn unusable(dir: &Path, error: &io::Error) -> Failure {
    let hint = "hint: name an existing directory that can be written to";
    Failure::Failed(format!("cannot use --spill-to {}: {error}\n{hint}", dir.display()))
}

/// The pictures of a command line, and their files, which are known to be writable.
pub(crate) struct PictureFiles<'a> {
    common: &'a Common,
    /// For the picture of solutions.
    files: Vec<PictureFile>,
    profile: Option<PictureFile>,
}

/// A file of a picture.
struct PictureFile {
    target: Target,
    is_png: bool,
}

impl<'a> PictureFiles<'a> {
    /// Opens the files, and fails if a picture cannot be drawn.
    fn asked(problem: &dyn Problem, common: &'a Common) -> Result<Self, Failure> {
        let asked = &common.pictures;
        let profile_is_png = asked.profile.as_deref().and_then(is_png) == Some(true);
        if !cfg!(feature = "png") && (asked.png.is_some() || profile_is_png) {
            return Err(Failure::usage(
                "this topdd was built without the feature `png`; draw an SVG file, with --svg or a name that ends in .svg",
            ));
        }
        if asked.heat {
            problem.heats()?;
        }
        let open = |path: &Option<PathBuf>, is_png| {
            let target = path.as_deref().map(Target::at).transpose();
            target.map(|target| target.map(|target| PictureFile { target, is_png }))
        };
        let files = [open(&asked.svg, false)?, open(&asked.png, true)?];
        let profile = open(&asked.profile, profile_is_png)?;
        Ok(PictureFiles { common, files: files.into_iter().flatten().collect(), profile })
    }

    /// Draws and writes the pictures. The solutions that are drawn stay in `shown`.
    pub(crate) fn write(
        self,
        problem: &dyn Problem,
        outcome: &Outcome,
        shown: &mut Shown<'_>,
    ) -> Result<(), Failure> {
        let PictureFiles { common, files, profile: profile_file } = self;
        let title = &problem.identity().title;
        if let (Some(file), Some(report)) = (profile_file, &outcome.report) {
            let title = format!("{title}: the widths of the levels");
            file.write(&profile(report, problem.identity().unit, &title))?;
        }
        if files.is_empty() {
            return Ok(());
        }
        let picture = match &outcome.zdd {
            Some(zdd) if common.pictures.heat => {
                problem.heat(zdd, format!("{title}: how often"))?
            }
            _ => solutions(problem, common, shown)?,
        };
        files.into_iter().try_for_each(|file| file.write(&picture))
    }

    /// Draws and writes one solution.
    pub(crate) fn write_one(
        self,
        problem: &dyn Problem,
        solution: Option<&[usize]>,
    ) -> Result<(), Failure> {
        if self.files.is_empty() {
            return Ok(());
        }
        let solutions = solution.map(|solution| (solution.to_owned(), String::new()));
        let title = format!("{}: one solution", problem.identity().title);
        let sheet = Sheet { solutions: solutions.into_iter().collect(), across: None, title };
        let picture = problem.picture(&sheet).ok_or_else(nothing)?;
        self.files.into_iter().try_for_each(|file| file.write(&picture))
    }
}

/// The solutions that are shown, or the first of them if they are many.
fn solutions(
    problem: &dyn Problem,
    common: &Common,
    shown: &mut Shown<'_>,
) -> Result<Picture, Failure> {
    let sheet = common.pictures.sheet;
    let drawn = shown.solutions.by_ref().take(sheet.unwrap_or(Grid::USUAL).boards());
    let drawn: Vec<Vec<usize>> = drawn.collect();
    interrupt::check()?;
    let caption = |(place, solution): (usize, &Vec<usize>)| match &shown.head {
        Head::Numbered(from) => (from + place).to_string(),
        Head::First | Head::Sample(_) => place.to_string(),
        Head::Best(weighing) => weighing.weight(solution),
    };
    let captions: Vec<String> = drawn.iter().enumerate().map(caption).collect();
    let kind = match &shown.head {
        Head::First | Head::Numbered(_) => "solution".to_owned(),
        Head::Sample(seed) => format!("sample of seed {seed},"),
        Head::Best(_) => "weight".to_owned(),
    };
    let title = &problem.identity().title;
    let (Some(first), Some(last)) = (captions.first(), captions.last()) else {
        return Err(nothing());
    };
    let (across, title) = if drawn.len() == 1 && sheet.is_none() {
        (None, format!("{title}: {kind} {first}"))
    } else {
        // Up to four are in one line; of more, lines are as long as one another.
        let usual = || drawn.len().div_ceil(drawn.len().div_ceil(Grid::USUAL.across));
        let across = sheet.map_or_else(usual, |grid| grid.across);
        (Some(across), format!("{title}: {kind} {first} to {last}"))
    };
    let sheet = Sheet { solutions: drawn.into_iter().zip(captions).collect(), across, title };
    let picture = problem.picture(&sheet).ok_or_else(nothing);
    let rest = std::mem::replace(&mut shown.solutions, Box::new(std::iter::empty()));
    let drawn = sheet.solutions.into_iter().map(|(solution, _)| solution);
    shown.solutions = Box::new(drawn.chain(rest));
    picture
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

impl PictureFile {
    fn write(self, picture: &Picture) -> Result<(), Failure> {
        #[cfg(feature = "png")]
        if self.is_png {
            let png = picture.to_png().map_err(|error| Failure::Failed(error.to_string()))?;
            if !png.missing.is_empty() {
                say(missing(&png.missing));
            }
            return self.target.write(|out| out.write_all(&png.bytes));
        }
        assert!(!self.is_png, "refused when the files were opened");
        self.target.write(|out| out.write_all(picture.svg().as_bytes()))
    }
}
