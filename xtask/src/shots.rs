//! `cargo xtask shots`: pictures of the editor's main screens for the README, with real plugins on a screen without hardware.

use std::collections::HashMap;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::bundle;
use crate::run::{cargo, root, step, target};

/// Where they lie.
const FOLDER: &str = "gui/pictures";
/// The most colours that a picture of a byte a point has.
const COLOURS: usize = 256;

/// Builds the release, has the pictures taken, and writes them small.
pub fn run() -> Result<()> {
    bundle::build(true)?;
    let (from, to) = (target().join("shots"), root().join(FOLDER));
    for folder in [&from, &to] {
        std::fs::create_dir_all(folder).with_context(|| format!("{}", folder.display()))?;
    }
    let mut shots = cargo(&["run", "--release", "--locked", "-p", "catena-tests", "--bin", "shots", "--"]);
    step(shots.arg(&from))?;
    for picture in std::fs::read_dir(&from)?.flatten().map(|entry| entry.path()) {
        let Some(name) = picture.file_stem().filter(|_| picture.extension().is_some_and(|end| end == "ppm")) else {
            continue;
        };
        let png = to.join(name).with_extension("png");
        shrink(&picture, &png).with_context(|| format!("{}", picture.display()))?;
        println!("{} ({} KB)", png.display(), std::fs::metadata(&png)?.len() / 1000);
    }
    Ok(())
}

/// Writes a picture with the colours that it has most of; what has another gets the nearest.
fn shrink(from: &Path, to: &Path) -> Result<()> {
    let bytes = std::fs::read(from)?;
    let mut head = bytes.splitn(2, |byte| *byte == b'\n');
    let (Some(first), Some(points)) = (head.next(), head.next()) else { bail!("no picture") };
    let words: Vec<u32> = String::from_utf8_lossy(first).split(' ').filter_map(|word| word.parse().ok()).collect();
    let [width, height, 255] = words[..] else { bail!("no picture of a byte a colour") };
    // Colours that nobody tells apart are counted together.
    let coarse = |point: &[u8]| [point[0] >> 2, point[1] >> 2, point[2] >> 2];
    let mut counted: HashMap<[u8; 3], (u32, [u8; 3])> = HashMap::new();
    for point in points.chunks_exact(3) {
        counted.entry(coarse(point)).or_insert((0, [point[0], point[1], point[2]])).0 += 1;
    }
    let mut most: Vec<_> = counted.into_iter().collect();
    most.sort_by_key(|(key, (count, _))| (std::cmp::Reverse(*count), *key));
    let palette: Vec<[u8; 3]> = most.iter().take(COLOURS).map(|(_, (_, colour))| *colour).collect();
    let nearest = |point: &[u8]| {
        let far = |colour: &[u8; 3]| (0..3).map(|at| u32::from(colour[at].abs_diff(point[at])).pow(2)).sum::<u32>();
        (0..palette.len()).min_by_key(|at| far(&palette[*at])).unwrap_or(0) as u8
    };
    let mut known = HashMap::new();
    let indexed: Vec<u8> =
        points.chunks_exact(3).map(|point| *known.entry(point).or_insert_with(|| nearest(point))).collect();
    let mut encoder = png::Encoder::new(std::io::BufWriter::new(std::fs::File::create(to)?), width, height);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(palette.concat());
    encoder.set_compression(png::Compression::High);
    encoder.write_header()?.write_image_data(&indexed)?;
    Ok(())
}
