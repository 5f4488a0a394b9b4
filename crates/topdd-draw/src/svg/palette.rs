//! The colours.

/// The background of a picture, so that it is the same on any page.
pub(crate) const PANEL: &str = "#fbfaf7";
pub(crate) const PANEL_EDGE: &str = "#d9d4ca";
/// Pieces and large text.
pub(crate) const INK: &str = "#25272d";
/// Fine lines within a piece.
pub(crate) const FINE: &str = "#f6efe3";
/// Coordinates and captions.
pub(crate) const QUIET: &str = "#5d584f";
pub(crate) const BOARD_EDGE: &str = "#6b5844";
pub(crate) const GRID: &str = "#dedad2";

/// Squares under pieces, the dark ones first: a1 is dark.
pub(crate) const SQUARES: [&str; 2] = ["#c49f77", "#f1e4cf"];
/// Squares under tours and heat maps.
pub(crate) const PALE: [&str; 2] = ["#ddd3c2", "#efe8db"];

pub(crate) const GIVEN: &str = "#1f5fbf";
pub(crate) const GIVEN_ON_HEAT: &str = "#e08a1e";
pub(crate) const FORBIDDEN: &str = "#a3271d";

pub(crate) const TOUR: &str = "#2a6db0";
pub(crate) const START: &str = "#1c7f47";
pub(crate) const END: &str = "#b3382c";
pub(crate) const PAPER: &str = "#ffffff";

/// Lines of a plot. They also differ in lightness, for readers with colour-blindness.
pub(crate) const LINES: [&str; 3] = ["#1f4e9c", "#d9822b", "#4f9e6b"];

/// Colours of classes, light enough for dark numbers; Okabe and Ito's, made lighter.
pub(crate) const CLASSES: [&str; 12] = [
    "#f3c577", "#9fd3f0", "#7fcfb4", "#f5ee94", "#7fb5dc", "#eba678", "#e2b4cf", "#c9c9c9",
    "#b7dd8a", "#c3aee3", "#f2a3a3", "#a9dbd6",
];

/// The colour of a class. Beyond [`CLASSES`], hues go around the circle by the golden angle, so that no two
/// are equal.
pub(crate) fn class(class: usize) -> String {
    if let Some(colour) = CLASSES.get(class) {
        return (*colour).to_owned();
    }
    let turns = (class - CLASSES.len()) as f64 * 0.381_966;
    // Lightness differs as well, in three steps.
    let light = [0.72, 0.84, 0.62][class % 3];
    let channel = |shift: f64| {
        let angle = (turns + shift) * std::f64::consts::TAU;
        (255.0 * (light + (0.95 - light) * angle.cos())).round() as u8
    };
    format!("#{:02x}{:02x}{:02x}", channel(0.0), channel(1.0 / 3.0), channel(2.0 / 3.0))
}

/// The colour of text on a colour `#rrggbb`: dark on light ones.
pub(crate) fn on(colour: &str) -> &'static str {
    let channel = |at: usize| u32::from_str_radix(&colour[at..at + 2], 16).unwrap_or_default();
    // Luma of ITU-R BT.601, in thousandths.
    let luma = 299 * channel(1) + 587 * channel(3) + 114 * channel(5);
    if luma < 110_000 { PAPER } else { INK }
}

/// From none to most: the five-step Blues of C. Brewer.
const HEAT: [[u8; 3]; 5] =
    [[247, 251, 255], [198, 219, 239], [107, 174, 214], [33, 113, 181], [8, 48, 107]];

/// The colour of a share from 0 to 1 of the most.
pub(crate) fn heat(share: f64) -> String {
    let place = share.clamp(0.0, 1.0) * (HEAT.len() - 1) as f64;
    let step = (place as usize).min(HEAT.len() - 2);
    let rest = place - step as f64;
    let mix = |channel: usize| {
        let [from, to] = [HEAT[step], HEAT[step + 1]].map(|colour| f64::from(colour[channel]));
        (from + (to - from) * rest).round() as u8
    };
    format!("#{:02x}{:02x}{:02x}", mix(0), mix(1), mix(2))
}

/// The colour of text on [`heat`] of this share.
pub(crate) fn on_heat(share: f64) -> &'static str {
    if share > 0.55 { PAPER } else { INK }
}
