//! The width profile of a sweep.

use std::fmt::Write;

use topdd::Report;

use crate::svg::path::N;
use crate::svg::{Anchor, Style, Svg, lettering, palette};
use crate::{Picture, heat};

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 480.0;
const LEFT: f64 = 84.0;
const RIGHT: f64 = 28.0;
const TOP: f64 = 64.0;
const BOTTOM: f64 = 72.0;
const SMALL: f64 = 13.0;

/// The maximum number of levels that are drawn with a dot each.
const DOTTED: usize = 40;
/// The maximum number of points of a line. With more levels, a point is the widest of a range.
const POINTS: usize = 800;

/// A line of the plot: its name, its width, and the (variable, number) of its levels.
struct ProfileLine {
    name: &'static str,
    class: &'static str,
    thick: f64,
    levels: Vec<(usize, u64)>,
}

/// Draws the width profile of a sweep, level by level: states, edges, and the nodes of the diagram
/// if one was built. The scale is logarithmic if the numbers differ much.
///
/// `unit` names the meaning of a variable, such as a row.
///
/// ```
/// use topdd_chess::Queens;
/// use topdd_draw::profile;
/// use topdd_chess::queens::BoardEncoding;
///
/// let mut frontier = Queens::new(6).frontier(BoardEncoding::Row)?;
/// frontier.zdd()?;
/// let picture = profile(frontier.report(), "row", "queens on 6x6");
/// for name in ["states", "edges", "nodes"] {
///     assert!(picture.svg().contains(&format!("class=\"line {name}\"")));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn profile(report: &Report, unit: &str, title: &str) -> Picture {
    let levels = report.levels.iter();
    let mut nodes: Vec<(usize, u64)> =
        report.reduced.iter().map(|level| (level.variable, level.nodes as u64)).collect();
    nodes.sort_unstable();
    let lines = [
        ProfileLine {
            name: "edges",
            class: "line edges",
            thick: 2.5,
            levels: levels.clone().map(|level| (level.variable, level.edges)).collect(),
        },
        ProfileLine {
            name: "states",
            class: "line states",
            thick: 3.5,
            levels: levels.map(|level| (level.variable, level.states)).collect(),
        },
        ProfileLine { name: "nodes", class: "line nodes", thick: 2.5, levels: nodes },
    ];
    let colours = [palette::LINES[1], palette::LINES[0], palette::LINES[2]];
    let scale = AxisScale::new(&lines);
    let mut svg = Svg::default();
    scale.grid(&mut svg, unit);
    for (line, colour) in lines.iter().zip(colours) {
        scale.line(&mut svg, line, colour);
    }
    legend(&mut svg, &lines, colours);
    let about: Vec<String> = lines.iter().filter_map(ProfileLine::about).collect();
    svg.finish(WIDTH, HEIGHT, title, &about.join("; "))
}

impl ProfileLine {
    fn widest(&self) -> Option<(usize, u64)> {
        self.levels
            .iter()
            .copied()
            .max_by_key(|&(variable, number)| (number, usize::MAX - variable))
    }

    fn about(&self) -> Option<String> {
        let (variable, most) = self.widest()?;
        let all: u128 = self.levels.iter().map(|&(_, number)| u128::from(number)).sum();
        Some(format!("{all} {}, at most {most} at variable {variable}", self.name))
    }
}

/// The positions of levels and numbers on the page.
struct AxisScale {
    first: usize,
    last: usize,
    most: f64,
    /// Whether equal ways up are equal factors.
    logarithmic: bool,
    dotted: bool,
}

impl AxisScale {
    fn new(lines: &[ProfileLine]) -> Self {
        let all = || lines.iter().flat_map(|line| &line.levels);
        let first = all().map(|&(variable, _)| variable).min().unwrap_or(0);
        let last = all().map(|&(variable, _)| variable).max().unwrap_or(0);
        let most = all().map(|&(_, number)| number).max().unwrap_or(0).max(1);
        let least = all().map(|&(_, number)| number).filter(|&number| number > 0).min();
        let logarithmic = least.is_some_and(|least| most / least >= 50);
        let most = if logarithmic {
            (most as f64 * 1.2).log10()
        } else {
            let step = tick(most as f64);
            (most as f64 / step).ceil() * step
        };
        AxisScale { first, last, most, logarithmic, dotted: last - first < DOTTED }
    }

    fn x(&self, variable: usize) -> f64 {
        let room = WIDTH - LEFT - RIGHT;
        let levels = (self.last - self.first) as f64;
        let share = if levels > 0.0 { (variable - self.first) as f64 / levels } else { 0.5 };
        // Lines do not start on the axis.
        LEFT + 12.0 + share * (room - 24.0)
    }

    fn y(&self, number: f64) -> f64 {
        let up = if self.logarithmic { number.max(1.0).log10() } else { number };
        HEIGHT - BOTTOM - up / self.most * (HEIGHT - TOP - BOTTOM)
    }

    fn grid(&self, svg: &mut Svg, unit: &str) {
        let style = |anchor| Style { size: SMALL, colour: palette::QUIET, anchor };
        svg.group("grid", 0.0, 0.0);
        let (from, to) = (LEFT, WIDTH - RIGHT);
        let text = |svg: &mut Svg, number: f64| {
            let y = self.y(number);
            let d = format!("M {} {} L {} {}", N(from), N(y), N(to), N(y));
            svg.stroke("rule", &d, palette::GRID, 1.0);
            let text = heat::short(&(number as u64).into());
            svg.text(from - 10.0, y, style(Anchor::End), &text);
        };
        if self.logarithmic {
            // At most eight lines.
            let most = self.most as i32;
            let step = most / 8 + 1;
            for power in (0..=most).filter(|power| power % step == 0) {
                text(svg, 10f64.powi(power));
            }
        } else {
            let step = tick(self.most);
            for line in 0..=(self.most / step).round() as u32 {
                text(svg, f64::from(line) * step);
            }
        }
        let bottom = HEIGHT - BOTTOM;
        let d = format!("M {} {} L {} {}", N(from), N(bottom), N(to), N(bottom));
        svg.stroke("axis", &d, palette::QUIET, 1.5);
        let step = tick((self.last - self.first) as f64).max(1.0) as usize;
        for variable in (self.first..=self.last).filter(|variable| variable % step == 0) {
            let x = self.x(variable);
            let d = format!("M {} {} L {} {}", N(x), N(bottom), N(x), N(bottom + 5.0));
            svg.stroke("axis", &d, palette::QUIET, 1.5);
            svg.text(x, bottom + 18.0, style(Anchor::Middle), &variable.to_string());
        }
        svg.text(to, bottom + 46.0, style(Anchor::End), &format!("variable: {unit}"));
        if self.logarithmic {
            svg.text(from, bottom + 46.0, style(Anchor::Start), "logarithmic scale");
        }
        svg.end();
    }

    fn line(&self, svg: &mut Svg, line: &ProfileLine, colour: &str) {
        let each = line.levels.len().div_ceil(POINTS).max(1);
        // Zero has no position on a logarithmic scale.
        let widest = |levels: &[(usize, u64)]| levels.iter().copied().max_by_key(|level| level.1);
        let points: Vec<(f64, f64)> = line
            .levels
            .chunks(each)
            .filter_map(widest)
            .filter(|&(_, number)| number > 0 || !self.logarithmic)
            .map(|(variable, number)| (self.x(variable), self.y(number as f64)))
            .collect();
        let mut d = String::new();
        for (place, &(x, y)) in points.iter().enumerate() {
            let command = if place == 0 { "M" } else { " L" };
            // Writing to a string cannot fail.
            let _ = write!(d, "{command} {} {}", N(x), N(y));
        }
        if d.is_empty() {
            return;
        }
        svg.stroke(line.class, &d, colour, line.thick);
        if self.dotted {
            for (x, y) in points {
                let attributes: [(&str, &dyn std::fmt::Display); 6] = [
                    ("cx", &N(x)),
                    ("cy", &N(y)),
                    ("r", &N(line.thick * 1.4)),
                    ("fill", &colour),
                    ("stroke", &palette::PANEL),
                    ("stroke-width", &"1"),
                ];
                svg.element("circle", &attributes, None);
            }
        }
    }
}

/// The names of the lines, above the plot, with the most of each.
fn legend(svg: &mut Svg, lines: &[ProfileLine; 3], colours: [&'static str; 3]) {
    svg.group("legend", 0.0, 0.0);
    let mut x = LEFT;
    for place in [1, 0, 2] {
        let (line, colour) = (&lines[place], colours[place]);
        let Some((_, most)) = line.widest() else { continue };
        let y = TOP / 2.0;
        let d = format!("M {} {} L {} {}", N(x), N(y), N(x + 26.0), N(y));
        svg.stroke("key", &d, colour, line.thick + 1.0);
        let text = format!("{}, at most {}", line.name, heat::short(&most.into()));
        let style = Style { size: SMALL, colour: palette::INK, anchor: Anchor::Start };
        svg.text(x + 36.0, y, style, &text);
        x += 36.0 + lettering::width(&text) * SMALL + 40.0;
    }
    svg.end();
}

/// A round step of which there are four to ten in this.
fn tick(range: f64) -> f64 {
    let mut step = 1.0;
    loop {
        for factor in [1.0, 2.0, 5.0] {
            if range / (step * factor) <= 10.0 {
                return step * factor;
            }
        }
        step *= 10.0;
    }
}
