//! The files that an answer is written to.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::args::Common;
use crate::failure::Failure;
use crate::file;
use crate::picture::Pictures;
use crate::problem::{Part, Presentation};
use crate::target::{self, Target};

/// The files that the answer is written to, checked to be writable.
pub(crate) struct Outputs<'a> {
    pub(crate) pictures: Pictures<'a>,
    pub(crate) dot: Option<Target>,
    pub(crate) save: Option<Target>,
}

impl<'a> Outputs<'a> {
    /// Opens the files. A run that cannot write its answer fails before it begins.
    pub(crate) fn open<T: Part>(
        problem: &(impl Presentation<T> + ?Sized),
        common: &'a Common,
    ) -> Result<Self, Failure> {
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
        let pictures = Pictures::asked(problem, common)?;
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
