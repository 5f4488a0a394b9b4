//! Points and rectangles of a picture: x to the right, y down.

use std::ops::{Add, Mul, Sub};

/// A point, or the vector to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Point {
    pub(crate) x: f64,
    pub(crate) y: f64,
}

impl Point {
    pub(crate) const ORIGIN: Point = Point { x: 0.0, y: 0.0 };

    /// The point at this distance from the origin, at an angle clockwise from the top.
    pub(crate) fn polar(radius: f64, angle: f64) -> Self {
        Point { x: radius * angle.sin(), y: -radius * angle.cos() }
    }

    pub(crate) fn length(self) -> f64 {
        self.x.hypot(self.y)
    }

    pub(crate) fn distance(self, other: Point) -> f64 {
        (self - other).length()
    }

    pub(crate) fn dot(self, other: Point) -> f64 {
        self.x * other.x + self.y * other.y
    }

    /// The distance from the line between two points.
    pub(crate) fn distance_from_segment(self, a: Point, b: Point) -> f64 {
        let along = b - a;
        let share = (self - a).dot(along) / along.dot(along).max(1e-9);
        self.distance(a + along * share.clamp(0.0, 1.0))
    }
}

impl Add for Point {
    type Output = Point;

    fn add(self, other: Point) -> Point {
        Point { x: self.x + other.x, y: self.y + other.y }
    }
}

impl Sub for Point {
    type Output = Point;

    fn sub(self, other: Point) -> Point {
        Point { x: self.x - other.x, y: self.y - other.y }
    }
}

impl Mul<f64> for Point {
    type Output = Point;

    fn mul(self, factor: f64) -> Point {
        Point { x: self.x * factor, y: self.y * factor }
    }
}

/// A rectangle with sides along the axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rect {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) right: f64,
    pub(crate) bottom: f64,
}

impl Rect {
    /// The rectangle around a point that extends to both sides by these lengths.
    pub(crate) fn around(middle: Point, across: f64, down: f64) -> Self {
        let Point { x, y } = middle;
        Rect { left: x - across, top: y - down, right: x + across, bottom: y + down }
    }

    /// The smallest rectangle with two points.
    pub(crate) fn between(a: Point, b: Point) -> Self {
        Rect { left: a.x.min(b.x), top: a.y.min(b.y), right: a.x.max(b.x), bottom: a.y.max(b.y) }
    }

    pub(crate) fn width(&self) -> f64 {
        self.right - self.left
    }

    pub(crate) fn height(&self) -> f64 {
        self.bottom - self.top
    }

    pub(crate) fn middle(&self) -> Point {
        Point { x: f64::midpoint(self.left, self.right), y: f64::midpoint(self.top, self.bottom) }
    }

    pub(crate) fn overlaps(&self, other: &Rect) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    pub(crate) fn contains(&self, point: Point) -> bool {
        (self.left..=self.right).contains(&point.x) && (self.top..=self.bottom).contains(&point.y)
    }

    /// The rectangle with this much more on each side.
    pub(crate) fn padded(&self, room: f64) -> Self {
        Rect::around(self.middle(), self.width() / 2.0 + room, self.height() / 2.0 + room)
    }

    /// The smallest rectangle with both.
    pub(crate) fn union(&self, other: &Rect) -> Self {
        Rect {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }
}
