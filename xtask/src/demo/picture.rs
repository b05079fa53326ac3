//! The demo's picture: both waveforms, and both spectra over each other.

use std::convert::Infallible;
use std::path::Path;

use anyhow::{Context, Result};
use embedded_graphics::mono_font::MonoTextStyle;
use embedded_graphics::mono_font::ascii::{FONT_8X13, FONT_10X20};
use embedded_graphics::pixelcolor::Rgb888;
use embedded_graphics::prelude::*;
use embedded_graphics::primitives::{Line, PrimitiveStyle, Rectangle};
use embedded_graphics::text::{Alignment, Text};
use rustfft::{FftPlanner, num_complex::Complex};

use super::sound::Sound;

const SIZE: Size = Size::new(1400, 960);
const GROUND: Rgb888 = Rgb888::new(0x1b, 0x1d, 0x22);
const FIELD: Rgb888 = Rgb888::new(0x26, 0x29, 0x30);
const GRID: Rgb888 = Rgb888::new(0x3a, 0x3f, 0x48);
const TEXT: Rgb888 = Rgb888::new(0xe4, 0xe6, 0xea);
const INPUT: Rgb888 = Rgb888::new(0xa3, 0xa9, 0xb5);
const OUTPUT: Rgb888 = Rgb888::new(0x5f, 0xb0, 0xc9);

/// Length of one Fourier transform, frames.
const WINDOW: usize = 16_384;
/// The spectrum's range, Hz and dB.
const HERTZ: (f64, f64) = (20.0, 20_000.0);
const DECIBELS: (f64, f64) = (-80.0, -20.0);

/// A picture in memory.
struct Canvas(Vec<u8>);

impl OriginDimensions for Canvas {
    fn size(&self) -> Size {
        SIZE
    }
}

impl DrawTarget for Canvas {
    type Color = Rgb888;
    type Error = Infallible;

    fn draw_iter<I: IntoIterator<Item = Pixel<Rgb888>>>(&mut self, pixels: I) -> Result<(), Infallible> {
        for Pixel(at, colour) in pixels {
            let inside = (0..SIZE.width as i32).contains(&at.x) && (0..SIZE.height as i32).contains(&at.y);
            if inside {
                let start = (at.y as usize * SIZE.width as usize + at.x as usize) * 3;
                self.0[start..start + 3].copy_from_slice(&[colour.r(), colour.g(), colour.b()]);
            }
        }
        Ok(())
    }
}

/// Draws both and writes a PNG.
pub fn write(path: &Path, before: &Sound, after: &Sound) -> Result<()> {
    let mut canvas = Canvas(vec![0; (SIZE.width * SIZE.height * 3) as usize]);
    let Ok(()) = draw(&mut canvas, before, after);
    let file = std::fs::File::create(path).with_context(|| format!("{}", path.display()))?;
    let mut encoder = png::Encoder::new(std::io::BufWriter::new(file), SIZE.width, SIZE.height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header().with_context(|| format!("{}", path.display()))?;
    writer.write_image_data(&canvas.0).with_context(|| format!("{}", path.display()))
}

fn draw(canvas: &mut Canvas, before: &Sound, after: &Sound) -> Result<(), Infallible> {
    canvas.clear(GROUND)?;
    let field = |top: i32, height: u32| Rectangle::new(Point::new(70, top), Size::new(1300, height));
    let seconds = [before, after].map(|sound| sound.left.len() as f64 / f64::from(sound.rate));
    let length = seconds[0].max(seconds[1]);
    title(canvas, 24, "Input: waveform, left above right (seconds)", TEXT)?;
    waveform(canvas, field(36, 190), before, length, INPUT)?;
    title(canvas, 274, "Output: waveform, left above right (seconds)", TEXT)?;
    waveform(canvas, field(286, 190), after, length, OUTPUT)?;
    title(canvas, 524, "Spectrum (dBFS in bands of 1/12 octave, Hz):", TEXT)?;
    Text::new("input", Point::new(540, 524), MonoTextStyle::new(&FONT_10X20, INPUT)).draw(canvas)?;
    Text::new("output", Point::new(610, 524), MonoTextStyle::new(&FONT_10X20, OUTPUT)).draw(canvas)?;
    let spectrum_field = field(536, 390);
    axes(canvas, spectrum_field)?;
    curve(canvas, spectrum_field, &spectrum(before), INPUT)?;
    curve(canvas, spectrum_field, &spectrum(after), OUTPUT)
}

fn title(canvas: &mut Canvas, y: i32, text: &str, colour: Rgb888) -> Result<(), Infallible> {
    Text::new(text, Point::new(70, y), MonoTextStyle::new(&FONT_10X20, colour)).draw(canvas).map(drop)
}

fn label(canvas: &mut Canvas, at: Point, text: &str, side: Alignment) -> Result<(), Infallible> {
    Text::with_alignment(text, at, MonoTextStyle::new(&FONT_8X13, TEXT), side).draw(canvas).map(drop)
}

fn stroke(canvas: &mut Canvas, from: Point, to: Point, colour: Rgb888, width: u32) -> Result<(), Infallible> {
    Line::new(from, to).into_styled(PrimitiveStyle::with_stroke(colour, width)).draw(canvas)
}

/// One sound, left above right, from 0 to `length` seconds.
fn waveform(
    canvas: &mut Canvas,
    field: Rectangle,
    sound: &Sound,
    length: f64,
    colour: Rgb888,
) -> Result<(), Infallible> {
    field.into_styled(PrimitiveStyle::with_fill(FIELD)).draw(canvas)?;
    let (left, width, bottom) =
        (field.top_left.x, field.size.width as usize, field.top_left.y + field.size.height as i32);
    for second in 0..=length as i32 {
        let x = left + (f64::from(second) / length * width as f64) as i32;
        stroke(canvas, Point::new(x, field.top_left.y), Point::new(x, bottom), GRID, 1)?;
        label(canvas, Point::new(x, bottom + 14), &second.to_string(), Alignment::Center)?;
    }
    let half = field.size.height as i32 / 2;
    let scale = half as f32 / 2.0 - 3.0;
    for (row, samples) in (0..).zip([&sound.left, &sound.right]) {
        let middle = field.top_left.y + row * half + half / 2;
        label(canvas, Point::new(left - 8, middle + 4), ["L", "R"][row as usize], Alignment::Right)?;
        let per_column = length * f64::from(sound.rate) / width as f64;
        for column in 0..width {
            let span = (column as f64 * per_column) as usize..((column + 1) as f64 * per_column) as usize;
            let Some(part) = samples.get(span.start..span.end.min(samples.len())) else { break };
            let low = part.iter().copied().fold(f32::MAX, f32::min).clamp(-1.0, 1.0);
            let high = part.iter().copied().fold(f32::MIN, f32::max).clamp(-1.0, 1.0);
            if low <= high {
                let x = left + column as i32;
                let y = |value: f32| middle - (value * scale) as i32;
                stroke(canvas, Point::new(x, y(low)), Point::new(x, y(high)), colour, 1)?;
            }
        }
    }
    Ok(())
}

fn x_of(field: Rectangle, hertz: f64) -> i32 {
    let share = (hertz / HERTZ.0).ln() / (HERTZ.1 / HERTZ.0).ln();
    field.top_left.x + (share * f64::from(field.size.width)) as i32
}

fn y_of(field: Rectangle, decibels: f64) -> i32 {
    let share = (DECIBELS.1 - decibels) / (DECIBELS.1 - DECIBELS.0);
    field.top_left.y + (share.clamp(0.0, 1.0) * f64::from(field.size.height)) as i32
}

fn axes(canvas: &mut Canvas, field: Rectangle) -> Result<(), Infallible> {
    field.into_styled(PrimitiveStyle::with_fill(FIELD)).draw(canvas)?;
    let (right, bottom) = (field.top_left.x + field.size.width as i32, field.top_left.y + field.size.height as i32);
    for hertz in [20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000] {
        let x = x_of(field, f64::from(hertz));
        stroke(canvas, Point::new(x, field.top_left.y), Point::new(x, bottom), GRID, 1)?;
        let text = if hertz < 1000 { hertz.to_string() } else { format!("{}k", hertz / 1000) };
        label(canvas, Point::new(x, bottom + 14), &text, Alignment::Center)?;
    }
    for decibels in (-80..=-20).step_by(10) {
        let y = y_of(field, f64::from(decibels));
        stroke(canvas, Point::new(field.top_left.x, y), Point::new(right, y), GRID, 1)?;
        label(canvas, Point::new(field.top_left.x - 8, y + 4), &decibels.to_string(), Alignment::Right)?;
    }
    Ok(())
}

fn curve(canvas: &mut Canvas, field: Rectangle, bands: &[(f64, f64)], colour: Rgb888) -> Result<(), Infallible> {
    let points: Vec<_> =
        bands.iter().map(|(hertz, level)| Point::new(x_of(field, *hertz), y_of(field, *level))).collect();
    points.windows(2).try_for_each(|pair| stroke(canvas, pair[0], pair[1], colour, 2))
}

/// Mean level in bands of a twelfth of an octave: centre in Hz, level in dBFS of a full-scale sine. Power averaged over
/// half-overlapping Hann windows (Welch, "The use of fast Fourier transform for the estimation of power spectra", 1967).
fn spectrum(sound: &Sound) -> Vec<(f64, f64)> {
    let fft = FftPlanner::<f64>::new().plan_fft_forward(WINDOW);
    let hann = |at: usize| 0.5 - 0.5 * (std::f64::consts::TAU * at as f64 / WINDOW as f64).cos();
    let mut power = vec![0.0; WINDOW / 2];
    let mut windows = 0.0;
    for start in (0..sound.left.len().saturating_sub(WINDOW)).step_by(WINDOW / 2) {
        let mono = |at: usize| f64::from(sound.left[start + at] + sound.right[start + at]) / 2.0;
        let mut block: Vec<_> = (0..WINDOW).map(|at| Complex::new(mono(at) * hann(at), 0.0)).collect();
        fft.process(&mut block);
        power.iter_mut().zip(&block).for_each(|(sum, bin)| *sum += bin.norm_sqr());
        windows += 1.0;
    }
    // A full-scale sine has a quarter of the window's length as its bin's magnitude.
    let full = (WINDOW as f64 / 4.0).powi(2) * f64::max(windows, 1.0);
    let width = 2f64.powf(1.0 / 24.0);
    let bands = (12.0 * (HERTZ.1 / HERTZ.0).log2()) as i32;
    let level = |band: i32| {
        let centre = HERTZ.0 * 2f64.powf(f64::from(band) / 12.0);
        let bin = |hertz: f64| hertz / f64::from(sound.rate) * WINDOW as f64;
        let first = (bin(centre / width).round() as usize).clamp(1, WINDOW / 2 - 1);
        let last = (bin(centre * width).round() as usize).clamp(first, WINDOW / 2 - 1);
        let mean = power[first..=last].iter().sum::<f64>() / (last - first + 1) as f64;
        (centre, 10.0 * (mean / full).max(1e-15).log10())
    };
    (0..=bands).map(level).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_scale_sine_stands_at_its_frequency_and_zero_decibels() {
        let hertz = 1000.0 / 48_000.0;
        let sine: Vec<_> =
            (0..96_000).map(|frame| (std::f64::consts::TAU * hertz * f64::from(frame)).sin() as f32).collect();
        let bands = spectrum(&Sound { rate: 48_000, left: sine.clone(), right: sine });
        let (centre, level) = bands.into_iter().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
        assert!((940.0..1060.0).contains(&centre), "{centre}");
        // The band is wider than the line: its mean lies below.
        assert!((-20.0..0.5).contains(&level), "{level}");
    }
}
