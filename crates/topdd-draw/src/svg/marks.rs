//! Accents of Latin letters, as lines.

/// An accent.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    /// Lines around the middle of the letter, for a small letter.
    pub(super) lines: &'static str,
    /// The distance by which the lines are moved up.
    pub(super) lift: f64,
}

/// Letters with the same accent, and the letters that carry it, in the same order.
struct Letters {
    lines: &'static str,
    is_above: bool,
    accented: &'static str,
    bases: &'static str,
}

const fn above(lines: &'static str, accented: &'static str, bases: &'static str) -> Letters {
    Letters { lines, is_above: true, accented, bases }
}

/// Letters whose accent has the same place in capitals and in small letters.
const fn fixed(lines: &'static str, accented: &'static str, bases: &'static str) -> Letters {
    Letters { lines, is_above: false, accented, bases }
}

#[rustfmt::skip]
const ALL: [Letters; 21] = [
    above("M 1.3 -10 L -0.4 -8.4", "ÁÉÍÓÚÝĆŃŚŹĹŔáéíóúýćńśźĺŕ", "AEIOUYCNSZLRaeıouycnszlr"),
    above("M -1.3 -10 L 0.4 -8.4", "ÀÈÌÒÙàèìòùģ", "AEIOUaeıoug"),
    above("M -1.7 -8.4 L 0 -10 L 1.7 -8.4", "ÂÊÎÔÛĈĜĤŜŴŶâêîôûĉĝĥŝŵŷ", "AEIOUCGHSWYaeıoucghswy"),
    above("M -1.7 -10 L 0 -8.4 L 1.7 -10", "ČĎĚŇŘŠŤŽčěňřšž", "CDENRSTZcenrsz"),
    above("M -1.4 -9.3 L -1.4 -9.1 M 1.4 -9.3 L 1.4 -9.1", "ÄËÏÖÜŸäëïöüÿ", "AEIOUYaeıouy"),
    above("M -2 -8.6 C -1.2 -10.4 -0.6 -9.4 0 -9.2 C 0.6 -9 1.2 -8 2 -9.8", "ÃÑÕĨŨãñõĩũ", "ANOIUanoıu"),
    above("M 1.1 -9.4 C 1.1 -7.9 -1.1 -7.9 -1.1 -9.4 C -1.1 -10.9 1.1 -10.9 1.1 -9.4 Z", "ÅŮåů", "AUau"),
    above("M -1.7 -10 C -1.4 -8.2 1.4 -8.2 1.7 -10", "ĂĞŬăğŭ", "AGUagu"),
    above("M -1.9 -9 L 1.9 -9", "ĀĒĪŌŪāēīōū", "AEIOUaeıou"),
    above("M -0.3 -10 L -1.6 -8.4 M 1.9 -10 L 0.6 -8.4", "ŐŰőű", "OUou"),
    above("M 0 -9.4 L 0 -9.2", "ĊĖĠİŻċėġż", "CEGIZcegz"),
    fixed("M 0.2 0 L -0.1 1 C 1.6 1 1.6 2.9 -0.9 2.7", "ÇŞŢçşţ", "CSTcst"),
    fixed("M 1.4 0 C 0.2 1.4 0.4 2.8 2.2 2.5", "ĄĘĮŲąęįų", "AEIUaeiu"),
    fixed("M 0.2 1.3 L -0.4 2.9", "ȘȚĢĶĻŅŖșțķļņŗ", "STGKLNRstklnr"),
    fixed("M 4.7 -10 L 4.7 -7.9", "ď", "d"),
    fixed("M 1.8 -10 L 1.8 -7.9", "ľťĽ", "ltL"),
    fixed("M -2.8 0.6 L 2.8 -7.6", "ø", "o"),
    fixed("M -3.4 0.6 L 3.4 -10.6", "Ø", "O"),
    fixed("M -1.4 -4 L 1.4 -6", "ł", "l"),
    fixed("M -4 -4 L -1 -6", "Ł", "L"),
    fixed("M 0.8 -8.4 L 4.2 -8.4", "đ", "d"),
];

/// Returns the letter that carries the accent of a character, and the accent.
pub(super) fn split(c: char) -> Option<(char, Mark)> {
    if c.is_ascii() {
        return None;
    }
    ALL.iter().find_map(|Letters { lines, is_above, accented, bases }| {
        let position = accented.chars().position(|accented| accented == c)?;
        let base = bases.chars().nth(position)?;
        let is_high = base.is_uppercase() || "hl".contains(base);
        Some((base, Mark { lines, lift: if *is_above && is_high { 3.0 } else { 0.0 } }))
    })
}

/// All letters with an accent.
#[cfg(test)]
pub(super) fn letters() -> impl Iterator<Item = char> {
    ALL.iter().flat_map(|letters| {
        assert_eq!(letters.accented.chars().count(), letters.bases.chars().count());
        letters.accented.chars()
    })
}
