//! Drawing of the dialogue.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget, Wrap};
use topdd::diagram::DiagramRule;
use topdd::{Decision, Status};

use super::keys::{BEST, HELP};
use super::palette::{Palette, STRONG};
use super::table::{self, Layout};
use crate::cell_table::{STATUSES, word};
use crate::configure::model::{Model, short};

/// The smallest area in which a board is drawn.
const LEAST: (u16, u16) = (16, 5);
/// The width of the list of decisions, and of the gap between it and the table.
const PANEL: u16 = 26;
const GAP: u16 = 3;
/// The lines of the message.
const SAID: u16 = 2;

/// Draws the state.
pub(in crate::configure) fn draw<R: DiagramRule>(
    model: &Model<R>,
    palette: Palette,
    area: Rect,
    buf: &mut Buffer,
) {
    if area.width < LEAST.0 || area.height < LEAST.1 {
        let text = format!("make this window larger: {}x{} at least", LEAST.0, LEAST.1);
        return Paragraph::new(text).wrap(Wrap { trim: true }).render(area, buf);
    }
    // From the top: the title, the table, the message, and the help if there is room.
    let help = help(palette, area.width, model.has_weights());
    let help_lines = if area.height >= 14 { help.len().min(3) as u16 } else { 0 };
    let said_lines = if area.height >= 10 { SAID } else { 1 };
    let below = 1 + said_lines + help_lines;
    let gap = u16::from(area.height >= 26);
    let middle = area.height.saturating_sub(1 + gap + below);
    let line = |y: u16, height: u16| Rect { y: area.y + y, height, ..area };

    title(model, line(0, 1), buf);
    let body = line(1 + gap, middle);
    let bottom = area.height - below;
    here(model, palette, line(bottom, 1), buf);
    said(model, palette, line(bottom + 1, said_lines), buf);
    Paragraph::new(help).render(line(bottom + 1 + said_lines, help_lines), buf);

    // The list of decisions is to the right of the table, if the window is wide enough for both.
    let (_, whole, _) = Layout::within(model.table(), u16::MAX, body.height);
    let beside = PANEL + GAP;
    let panel = area.width >= beside + whole.min(area.width / 2) && body.height >= 6;
    let width = if panel { area.width - beside } else { area.width };
    let (layout, wide, high) = Layout::within(model.table(), width, body.height);
    table::draw(model, palette, layout, Rect { width: wide, height: high, ..body }, buf);
    if panel {
        let x = body.x + wide + GAP;
        let width = (area.x + area.width).saturating_sub(x);
        decisions(model, palette, Rect { x, width, ..body }, buf);
    }
}

/// The title, the number of solutions that are left, and their best weight.
fn title<R: DiagramRule>(model: &Model<R>, area: Rect, buf: &mut Buffer) {
    let (left, all) = (short(model.left()), short(model.all()));
    let weight = model.weight_left().map(|weight| format!(", {weight}")).unwrap_or_default();
    let count = format!("{left} of {all} left{weight}");
    let room = usize::from(area.width).saturating_sub(count.chars().count() + 2);
    buf.set_stringn(area.x, area.y, model.table().title(), room, STRONG);
    let x = area.x + area.width.saturating_sub(count.chars().count() as u16);
    buf.set_stringn(x, area.y, count, usize::from(area.width), STRONG);
}

/// The status of the cell at the cursor.
fn here<R: DiagramRule>(model: &Model<R>, palette: Palette, area: Rect, buf: &mut Buffer) {
    let cell = model.cursor();
    let (Some((variable, value)), Some(status)) = (model.table().at(cell), model.status(cell))
    else {
        return;
    };
    let mut spans = vec![
        Span::styled(model.table().name(variable, value), STRONG),
        Span::raw(": "),
        Span::styled(word(status), palette.style(status)),
    ];
    if status == Status::Free
        && let Some(count) = model.count_here()
    {
        spans.push(Span::raw(format!(
            ", in {} of {} solutions",
            short(count),
            short(model.left())
        )));
    }
    Line::from(spans).render(area, buf);
}

/// The last message.
fn said<R: DiagramRule>(model: &Model<R>, palette: Palette, area: Rect, buf: &mut Buffer) {
    let said = model.said();
    let style = match said {
        said if said.refused => palette.refused(),
        said if !said.because.is_empty() => palette.reason(),
        _ => Style::new(),
    };
    Paragraph::new(said.text.as_str()).style(style).wrap(Wrap { trim: true }).render(area, buf);
}

/// The decisions in the order in which they were taken, or the latest of them, and the meanings of
/// signs.
fn decisions<R: DiagramRule>(model: &Model<R>, palette: Palette, area: Rect, buf: &mut Buffer) {
    let signs = STATUSES.map(|status| (model.table().sign(status), status));
    let legend = signs.len() as u16 + 2;
    let legend = if area.height >= legend + 4 { legend } else { 0 };
    let room = usize::from(area.height - legend).saturating_sub(1);

    let taken = model.decisions();
    let mut lines = vec![Line::styled(format!("Decisions: {}", taken.len()), STRONG)];
    // Reasons are to be seen, however early they were.
    let is_reason = |decision: &Decision| model.said().because.contains(decision);
    let first = taken.len().saturating_sub(room);
    let first = taken.iter().position(is_reason).map_or(first, |reason| first.min(reason));
    for decision in taken.iter().skip(first).take(room) {
        let words = model.table().describe(*decision);
        lines.push(if is_reason(decision) {
            Line::styled(format!("> {words}"), palette.reason())
        } else {
            Line::raw(format!("  {words}"))
        });
    }
    Paragraph::new(lines).render(Rect { height: area.height - legend, ..area }, buf);

    if legend > 0 {
        let mut lines = vec![Line::raw("")];
        lines.extend(signs.map(|(sign, status)| {
            Line::from(vec![
                Span::styled(format!("  {sign}  "), palette.style(status)),
                Span::raw(word(status)),
            ])
        }));
        lines
            .push(Line::from(vec![Span::styled(" ( ) ", palette.reason()), Span::raw("a reason")]));
        let y = area.y + area.height - legend;
        Paragraph::new(lines).render(Rect { y, height: legend, ..area }, buf);
    }
}

/// The help on keys, in lines of at most this width.
fn help(palette: Palette, width: u16, has_weights: bool) -> Vec<Line<'static>> {
    let mut lines = vec![Line::default()];
    for (key, meaning) in HELP.into_iter().filter(|&help| has_weights || help != BEST) {
        let more = [
            Span::styled(key, STRONG),
            Span::styled(format!(" {meaning}"), palette.faint()),
            Span::raw("  "),
        ];
        let wide: usize = more[..2].iter().map(Span::width).sum();
        let line = lines.last_mut().expect("there is a line");
        if line.width() > 0 && line.width() + wide > usize::from(width) {
            lines.push(Line::default());
        }
        lines.last_mut().expect("there is a line").extend(more);
    }
    lines
}
