//! Names that look the same and are written in two forms of Unicode.

use std::collections::HashMap;

use unicode_normalization::UnicodeNormalization;

/// Returns a note about the first two names that are the same in two forms of Unicode, and so are two vertices; `None`
/// if there are none.
///
/// ```
/// use topdd_graph::format::note_of_forms;
///
/// let note = note_of_forms(["Bern", "Z\u{fc}rich", "Zu\u{308}rich"]).unwrap();
/// assert!(note.starts_with(r"`Z\u{fc}rich` and `Zu\u{308}rich` are the same name in two forms of Unicode"));
/// assert_eq!(note_of_forms(["Bern", "Z\u{fc}rich"]), None);
/// ```
pub fn note_of_forms<'a>(names: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let mut seen = HashMap::new();
    let mut names = names.into_iter().filter(|name| !name.is_ascii());
    names.find_map(|name| {
        let first = *seen.entry(composed(name)).or_insert(name);
        (first != name).then(|| {
            format!(
                "`{}` and `{}` are the same name in two forms of Unicode, and are read as two vertices; write one of \
                 them only",
                first.escape_default(),
                name.escape_default()
            )
        })
    })
}

/// The composed form of a name.
pub(super) fn composed(name: &str) -> String {
    name.nfc().collect()
}
