//! A writer of SVG documents: elements, groups, text and paths.

pub(crate) mod lettering;
mod marks;
pub(crate) mod palette;
pub(crate) mod path;
pub(crate) mod point;

use std::collections::BTreeSet;
use std::fmt::{self, Display, Write};

use crate::Picture;
use path::N;
use point::Point;

/// The default size of the longer side of a picture, in pixels.
const SHOWN: f64 = 960.0;

/// Text as XML has it.
struct Escaped<'a>(&'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                // XML has no other way to write these.
                c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => f.write_char(' ')?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

/// The side of a point on which a text is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// The position and the style of a text.
#[derive(Clone, Copy)]
pub(crate) struct Style {
    /// The height of its capitals.
    pub(crate) size: f64,
    pub(crate) colour: &'static str,
    pub(crate) anchor: Anchor,
}

/// A document in the making.
#[derive(Default)]
pub(crate) struct Svg {
    body: String,
    /// The characters that need a font.
    fonts: BTreeSet<char>,
    /// The style of classes.
    style: String,
}

impl Svg {
    /// Writes an element, with a title of its own if there is one.
    pub(crate) fn element(
        &mut self,
        name: &str,
        attributes: &[(&str, &dyn Display)],
        title: Option<&str>,
    ) {
        self.open(name, attributes);
        match title {
            None => self.body.insert(self.body.len() - 2, '/'),
            Some(title) => {
                self.body.truncate(self.body.len() - 1);
                self.put(format_args!("<title>{}</title></{name}>\n", Escaped(title)));
            }
        }
    }

    /// Opens a group of a class, moved to a place.
    pub(crate) fn group(&mut self, class: &str, x: f64, y: f64) {
        if (x, y) == (0.0, 0.0) {
            self.open("g", &[("class", &class)]);
        } else {
            let moved = format!("translate({} {})", N(x), N(y));
            self.open("g", &[("class", &class), ("transform", &moved)]);
        }
    }

    /// Closes the last group that is open.
    pub(crate) fn end(&mut self) {
        self.body.push_str("</g>\n");
    }

    pub(crate) fn rect(&mut self, [x, y, width, height]: [f64; 4], fill: &str) {
        self.titled_rect([x, y, width, height], fill, None);
    }

    pub(crate) fn titled_rect(
        &mut self,
        [x, y, width, height]: [f64; 4],
        fill: &str,
        title: Option<&str>,
    ) {
        let [x, y, width, height] = [x, y, width, height].map(N);
        self.element(
            "rect",
            &[("x", &x), ("y", &y), ("width", &width), ("height", &height), ("fill", &fill)],
            title,
        );
    }

    /// The lines of a path, with round ends.
    pub(crate) fn stroke(&mut self, class: &str, d: &str, colour: &str, width: f64) {
        self.titled_stroke(class, d, colour, width, None);
    }

    pub(crate) fn titled_stroke(
        &mut self,
        class: &str,
        d: &str,
        colour: &str,
        width: f64,
        title: Option<&str>,
    ) {
        let attributes: [(&str, &dyn Display); 7] = [
            ("class", &class),
            ("d", &d),
            ("fill", &"none"),
            ("stroke", &colour),
            ("stroke-width", &N(width)),
            ("stroke-linecap", &"round"),
            ("stroke-linejoin", &"round"),
        ];
        self.element("path", &attributes, title);
    }

    /// Sets the style of classes.
    pub(crate) fn style(&mut self, rules: &[&str]) {
        self.style = rules.concat();
    }

    /// A text by a font of the reader, which the style of a class sets.
    pub(crate) fn styled_text(&mut self, class: &str, x: f64, y: f64, text: &str) {
        self.fonts.extend(text.chars());
        self.open("text", &[("class", &class), ("x", &N(x)), ("y", &N(y))]);
        self.body.truncate(self.body.len() - 2);
        self.put(format_args!(">{}</text>\n", Escaped(text)));
    }

    /// A text whose middle, from the top of its capitals to the line they stand on, is at `y`.
    pub(crate) fn text(&mut self, x: f64, y: f64, style: Style, text: &str) {
        self.written("text", style.size * lettering::WEIGHT, Point { x, y }, style, text);
    }

    /// A text around a point with a rim, so that lines under it do not disturb.
    pub(crate) fn label(&mut self, middle: Point, style: Style, text: &str) {
        let rim = Style { colour: palette::PANEL, ..style };
        self.written("halo", style.size * (lettering::WEIGHT + 0.35), middle, rim, text);
        self.text(middle.x, middle.y, style, text);
    }

    /// A text as lines of this width, or by a font of the reader if a character has no lines.
    fn written(&mut self, class: &str, width: f64, at: Point, style: Style, text: &str) {
        let baseline = at.y + style.size / 2.0;
        let mut unknown = text.chars().filter(|&c| !lettering::has_lines(c)).peekable();
        if unknown.peek().is_some() {
            self.fonts.extend(unknown);
            return self.by_font(class, Point { x: at.x, y: baseline }, style, text);
        }
        let across = lettering::width(text) * style.size;
        let left = match style.anchor {
            Anchor::Start => at.x,
            Anchor::Middle => at.x - across / 2.0,
            Anchor::End => at.x - across,
        };
        let d = lettering::path(text, left, baseline, style.size);
        if !d.is_empty() {
            self.stroke(class, &d, style.colour, width);
        }
    }

    fn by_font(&mut self, class: &str, at: Point, style: Style, text: &str) {
        let anchor = match style.anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let size = N(style.size / lettering::CAPITALS);
        // The rim of a text is a line around its letters.
        let rim = N(if class == "halo" { style.size * 0.35 } else { 0.0 });
        self.open(
            "text",
            &[
                ("class", &class),
                ("x", &N(at.x)),
                ("y", &N(at.y)),
                ("font-family", &"sans-serif"),
                ("font-size", &size),
                ("text-anchor", &anchor),
                ("fill", &style.colour),
                ("stroke", &style.colour),
                ("stroke-width", &rim),
            ],
        );
        self.body.truncate(self.body.len() - 1);
        self.put(format_args!("{}</text>\n", Escaped(text)));
    }

    /// The document, on a panel of this size.
    pub(crate) fn finish(self, width: f64, height: f64, title: &str, about: &str) -> Picture {
        let (width, height) = (width.ceil(), height.ceil());
        let shown = (SHOWN / width.max(height)).min(1.0);
        let mut page = Svg::default();
        let view = format!("0 0 {} {}", N(width), N(height));
        page.open(
            "svg",
            &[
                ("xmlns", &"http://www.w3.org/2000/svg"),
                ("role", &"img"),
                ("viewBox", &view),
                ("width", &N((width * shown).round())),
                ("height", &N((height * shown).round())),
            ],
        );
        page.put(format_args!("<title>{}</title>\n", Escaped(title)));
        if !about.is_empty() {
            page.put(format_args!("<desc>{}</desc>\n", Escaped(about)));
        }
        if !self.style.is_empty() {
            page.put(format_args!("<style>{}</style>\n", self.style));
        }
        let attributes: [(&str, &dyn Display); 9] = [
            ("class", &"panel"),
            ("x", &"0.5"),
            ("y", &"0.5"),
            ("width", &N(width - 1.0)),
            ("height", &N(height - 1.0)),
            ("rx", &"10"),
            ("fill", &palette::PANEL),
            ("stroke", &palette::PANEL_EDGE),
            ("stroke-width", &"1"),
        ];
        page.element("rect", &attributes, None);
        page.body.push_str(&self.body);
        page.body.push_str("</svg>\n");
        let fonts = self.fonts.into_iter().collect();
        Picture { svg: page.body, width: width as u32, height: height as u32, fonts }
    }

    fn open(&mut self, name: &str, attributes: &[(&str, &dyn Display)]) {
        self.put(format_args!("<{name}"));
        for (attribute, value) in attributes {
            self.put(format_args!(" {attribute}=\"{value}\""));
        }
        self.body.push_str(">\n");
    }

    fn put(&mut self, text: fmt::Arguments<'_>) {
        self.body.write_fmt(text).expect("writing to a string cannot fail");
    }
}

#[cfg(test)]
mod tests {
    use super::path::placed;
    use super::*;

    #[test]
    fn numbers_are_short() {
        let text: Vec<String> = [0.0, -0.001, 1.0, -2.5, 0.05, 7.34159, 1e6]
            .iter()
            .map(|&number| N(number).to_string())
            .collect();
        assert_eq!(text, ["0", "0", "1", "-2.5", "0.05", "7.34", "1000000"]);
    }

    #[test]
    fn paths_are_moved_and_titles_escaped() {
        let mut out = String::new();
        placed("M 0 1 L 2 3 Z", 10.0, 20.0, 2.0, &mut out);
        assert_eq!(out, "M 10 22 L 14 26 Z");
        let mut svg = Svg::default();
        svg.element("rect", &[("x", &1)], Some("a < \"b\" & c\u{7}"));
        assert_eq!(svg.body, "<rect x=\"1\"><title>a &lt; &quot;b&quot; &amp; c </title></rect>\n");
        svg.body.clear();
        svg.element("rect", &[("x", &1)], None);
        assert_eq!(svg.body, "<rect x=\"1\"/>\n");
    }
}
