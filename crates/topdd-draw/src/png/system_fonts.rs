//! The fonts of the system.

use std::collections::BTreeSet;
use std::sync::Arc;

use resvg::usvg::fontdb::{Database, FaceInfo, ID, Stretch, Style, Weight};
use resvg::usvg::{FontResolver, Node, Options, Tree};

/// Families that are legible in small sizes, the first that exists is used.
const FAMILIES: [&str; 8] = [
    "Noto Sans",
    "DejaVu Sans",
    "Liberation Sans",
    "Helvetica Neue",
    "Segoe UI",
    "Arial",
    "Noto Sans CJK SC",
    "WenQuanYi Zen Hei",
];

/// The upright fonts of the system.
pub(super) struct SystemFonts {
    database: Arc<Database>,
    /// The first choice.
    usual: Option<ID>,
}

impl SystemFonts {
    /// Reads the directories of fonts, which takes some milliseconds for each font.
    pub(super) fn load() -> Self {
        let mut database = Database::new();
        database.load_system_fonts();
        let is_upright = |face: &FaceInfo| {
            face.style == Style::Normal
                && face.weight == Weight::NORMAL
                && face.stretch == Stretch::Normal
        };
        // The renderer would mix styles within a name.
        let others: Vec<ID> =
            database.faces().filter(|face| !is_upright(face)).map(|face| face.id).collect();
        for face in others {
            database.remove_face(face);
        }
        let of_family = |family: &&str| {
            let has_family =
                |face: &&FaceInfo| face.families.iter().any(|(name, _)| name == family);
            database.faces().find(has_family)
        };
        let usual = FAMILIES.iter().find_map(of_family).or_else(|| database.faces().next());
        let usual = usual.map(|face| face.id);
        SystemFonts { database: Arc::new(database), usual }
    }

    /// The options of the renderer.
    pub(super) fn options(&self) -> Options<'_> {
        let fallback = FontResolver::default_fallback_selector();
        let font_resolver = FontResolver {
            select_font: Box::new(|_, _| self.usual),
            // A font without the character, too: it may have others of the same name.
            select_fallback: Box::new(move |c, used, database| {
                let unused = || database.faces().find(|face| !used.contains(&face.id));
                let any = unused().map(|face| face.id);
                fallback(c, used, database).or(any)
            }),
        };
        Options { fontdb: Arc::clone(&self.database), font_resolver, ..Options::default() }
    }

    /// The characters that are drawn without a font, although they need one.
    pub(super) fn missing(&self, tree: &Tree, needed: &str) -> String {
        if self.usual.is_none() {
            return needed.to_owned();
        }
        let mut missing = BTreeSet::new();
        let mut groups = vec![tree.root()];
        while let Some(group) = groups.pop() {
            for node in group.children() {
                match node {
                    Node::Group(inner) => groups.push(inner),
                    Node::Text(text) => {
                        let glyphs =
                            text.layouted().iter().flat_map(|span| &span.positioned_glyphs);
                        // Glyph 0 is the box that stands for a character that a font lacks.
                        let absent = glyphs.filter(|glyph| glyph.id.0 == 0);
                        missing.extend(absent.flat_map(|glyph| glyph.text.chars()));
                    }
                    Node::Path(_) | Node::Image(_) => {}
                }
            }
        }
        needed.chars().filter(|c| missing.contains(c)).collect()
    }
}
