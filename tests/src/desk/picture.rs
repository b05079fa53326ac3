//! What a screen showed.

use std::path::Path;

/// What a screen showed.
pub struct Picture {
    /// Pixels.
    pub width: i32,
    /// Pixels.
    pub height: i32,
    bytes: Vec<u8>,
}

impl Picture {
    pub(super) fn new(width: i32, height: i32, bytes: Vec<u8>) -> Self {
        Self { width, height, bytes }
    }

    /// Red, green, blue at a point of the screen; black outside.
    pub fn at(&self, x: i32, y: i32) -> [u8; 3] {
        if x < 0 || y < 0 || x >= self.width || y >= self.height {
            return [0; 3];
        }
        let at = 4 * (y * self.width + x) as usize;
        [self.bytes[at + 2], self.bytes[at + 1], self.bytes[at]]
    }

    /// The points of a rectangle, line by line.
    pub fn part(&self, x: i32, y: i32, width: i32, height: i32) -> Vec<[u8; 3]> {
        (y..y + height).flat_map(|line| (x..x + width).map(move |column| self.at(column, line))).collect()
    }

    /// How many points of a rectangle `wanted` takes.
    pub fn count(&self, x: i32, y: i32, width: i32, height: i32, wanted: impl Fn([u8; 3]) -> bool) -> usize {
        self.part(x, y, width, height).into_iter().filter(|point| wanted(*point)).count()
    }

    /// Where a line of points has one of these colours, for a while: first and last column of each, from the left.
    pub fn runs(&self, y: i32, columns: std::ops::Range<i32>, colours: &[[u8; 3]]) -> Vec<(i32, i32)> {
        let (mut runs, mut begun) = (Vec::new(), None);
        let end = columns.end;
        for x in columns {
            match (colours.contains(&self.at(x, y)) && x + 1 < end, begun) {
                (true, None) => begun = Some(x),
                (false, Some(first)) => {
                    runs.extend((x - first > 12).then_some((first, x - 1)));
                    begun = None;
                }
                _ => {}
            }
        }
        runs
    }

    /// Writes it, in the form that `convert` turns into any other.
    pub fn save(&self, file: &Path) {
        let mut text = format!("P6 {} {} 255\n", self.width, self.height).into_bytes();
        for pixel in self.bytes.chunks_exact(4) {
            text.extend_from_slice(&[pixel[2], pixel[1], pixel[0]]);
        }
        std::fs::write(file, text).expect("a picture");
    }
}
