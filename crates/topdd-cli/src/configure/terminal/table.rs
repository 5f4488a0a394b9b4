//! The table of cells. Lines are drawn between the cells if there is room. If the table is larger
//! than the area, the part around the cursor is shown.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use topdd::Status;
use topdd::diagram::DiagramRule;

use super::palette::{CURSOR, Palette, STRONG};
use crate::cell_table::{Cell, CellTable};
use crate::configure::model::Model;

/// The layout of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::configure) struct Layout {
    /// The width of the names of rows.
    margin: u16,
    /// The width of a cell, without the line after it.
    cell: u16,
    /// Whether there are lines between cells.
    lines: bool,
}

impl Layout {
    /// The layout for an area of this size, and the size that it uses.
    pub(in crate::configure) fn within(
        table: &CellTable,
        width: u16,
        height: u16,
    ) -> (Self, u16, u16) {
        let last = |size: usize| size.saturating_sub(1);
        let margin = table.margin() as u16 + 1;
        let cell = (table.col_name(last(table.cols())).len() as u16 + 1).max(3);
        let size = |lines: bool| {
            let (by, more) = if lines { (cell + 1, 1) } else { (cell, 0) };
            let down = if lines { 2 } else { 1 };
            let times = |count: usize, size: u16, more: u16| {
                let count = u16::try_from(count).unwrap_or(u16::MAX);
                count.saturating_mul(size).saturating_add(more)
            };
            // One line for the names of columns.
            (times(table.cols(), by, margin + more), times(table.rows(), down, more + 1))
        };
        let (wide, high) = size(true);
        let lines = table.board().is_some() && wide <= width && high <= height;
        let (wide, high) = size(lines);
        (Layout { margin, cell, lines }, wide.min(width), high.min(height))
    }

    /// The number of columns that fit.
    fn across(self, width: u16) -> usize {
        let room = width.saturating_sub(self.margin);
        let (by, more) = if self.lines { (self.cell + 1, 1) } else { (self.cell, 0) };
        usize::from(room.saturating_sub(more) / by)
    }

    /// The number of rows that fit.
    fn down(self, height: u16) -> usize {
        let room = height.saturating_sub(1);
        usize::from(if self.lines { room.saturating_sub(1) / 2 } else { room })
    }
}

/// Draws the table in a layout.
pub(in crate::configure) fn draw<R: DiagramRule>(
    model: &Model<R>,
    palette: Palette,
    layout: Layout,
    area: Rect,
    buf: &mut Buffer,
) {
    let table = model.table();
    let on_board = table.board().is_some();
    let cursor = model.cursor();
    let rows = window(table.rows(), layout.down(area.height), table.shown(cursor.row));
    let cols = window(table.cols(), layout.across(area.width), cursor.col);
    if rows.is_empty() || cols.is_empty() {
        return;
    }
    let Layout { margin, cell, lines } = layout;
    let (step_x, step_y) = if lines { (cell + 1, 2) } else { (cell, 1) };
    let left = area.x + margin + u16::from(lines);
    let top = area.y + u16::from(!on_board) + u16::from(lines);
    let x_of = |col: usize| left + (col - cols.start) as u16 * step_x;
    let y_of = |at: usize| top + (at - rows.start) as u16 * step_y;
    let bottom = y_of(rows.end - 1);

    // Below a board, as is the custom.
    let names_y = if on_board { bottom + 1 + u16::from(lines) } else { area.y };
    for col in cols.clone() {
        let name = table.col_name(col);
        let here = if col == cursor.col { STRONG } else { palette.faint() };
        buf.set_string(x_of(col), names_y, inside(&name, cell, ' ', ' '), here);
    }
    if lines {
        grid(palette, (area.x + margin, area.y), layout, (rows.len(), cols.len()), buf);
    }
    for at in rows.clone() {
        let row = table.shown(at);
        let here = if row == cursor.row { STRONG } else { palette.faint() };
        let name = table.row_name_within(row, usize::from(margin) - 1) + " ";
        buf.set_string(area.x, y_of(at), name, here);
        for col in cols.clone() {
            let place = Cell { row, col };
            if let Some(status) = model.status(place) {
                let (text, style) = content(model, palette, place, status, cell);
                buf.set_string(x_of(col), y_of(at), text, style);
            }
        }
    }

    // Arrows show that there are more cells.
    let beside = area.x + margin - 1;
    let mut hint = |x: u16, y: u16, sign: &str, more: bool| {
        if more {
            buf.set_string(x, y, sign, STRONG);
        }
    };
    hint(beside, top, "▲", rows.start > 0);
    hint(beside, bottom, "▼", rows.end < table.rows());
    hint(area.x, names_y, "◀", cols.start > 0);
    hint(beside, names_y, "▶", cols.end < table.cols());
}

/// The text of a cell: its sign, in brackets at the cursor, in parentheses if a decision about it
/// is a reason for the last message.
fn content<R: DiagramRule>(
    model: &Model<R>,
    palette: Palette,
    place: Cell,
    status: Status,
    width: u16,
) -> (String, Style) {
    let sign = model.table().sign(status).to_string();
    let (reason, here) = (model.is_reason(place), model.cursor() == place);
    let style = if reason { palette.reason() } else { palette.style(status) };
    match (here, reason) {
        (true, _) => (inside(&sign, width, '[', ']'), style.patch(CURSOR)),
        (false, true) => (inside(&sign, width, '(', ')'), style),
        (false, false) => (inside(&sign, width, ' ', ' '), style),
    }
}

/// A text between two signs, centred in a width.
fn inside(text: &str, width: u16, open: char, close: char) -> String {
    let room = usize::from(width).saturating_sub(2);
    // A name as wide as the cell covers the gap before it.
    if text.chars().count() > room {
        return format!("{text:>0$}", usize::from(width));
    }
    format!("{open}{text:^room$}{close}")
}

/// The visible part of `0..count`: as many as fit, around the cursor.
fn window(total: usize, room: usize, at: usize) -> Range<usize> {
    let start = at.saturating_sub(room / 2).min(total.saturating_sub(room));
    start..total.min(start + room)
}

/// A horizontal line over a number of cells.
fn grid(
    palette: Palette,
    (x, y): (u16, u16),
    layout: Layout,
    (rows, cols): (usize, usize),
    buf: &mut Buffer,
) {
    let line = |left: char, between: char, right: char, dash: char| {
        let dashes = dash.to_string().repeat(usize::from(layout.cell));
        let cells = vec![dashes; cols].join(&between.to_string());
        format!("{left}{cells}{right}")
    };
    for row in 0..=rows {
        let [left, between, right] = match row {
            0 => ['┌', '┬', '┐'],
            _ if row == rows => ['└', '┴', '┘'],
            _ => ['├', '┼', '┤'],
        };
        let at = y + 2 * row as u16;
        buf.set_string(x, at, line(left, between, right, '─'), palette.faint());
        if row < rows {
            buf.set_string(x, at + 1, line('│', '│', '│', ' '), palette.faint());
        }
    }
}
