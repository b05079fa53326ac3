//! What an ear would hear of a change in a tone: everything far above it.

/// Half of the filter's length, frames.
const HALF: usize = 255;
/// Where the filter begins to let through, as a share of the sample rate: 5 kHz at 48 kHz.
const FROM: f64 = 5.0 / 48.0;
/// Kaiser's window: what is below is 120 dB down.
const BETA: f64 = 12.3;

/// Modified Bessel function of order 0, by its series.
fn bessel(x: f64) -> f64 {
    let (mut sum, mut term, mut k) = (1.0, 1.0, 1.0);
    while term > sum * 1e-17 {
        term *= (x / (2.0 * k)).powi(2);
        sum += term;
        k += 1.0;
    }
    sum
}

/// A high-pass of linear phase: a windowed sinc.
fn taps() -> Vec<f64> {
    let tap = |at: usize| {
        let x = at as f64 - HALF as f64;
        let window = bessel(BETA * (1.0 - (x / HALF as f64).powi(2)).max(0.0).sqrt()) / bessel(BETA);
        let low = match x == 0.0 {
            true => 2.0 * FROM,
            false => (std::f64::consts::TAU * FROM * x).sin() / (std::f64::consts::PI * x),
        };
        f64::from(u8::from(x == 0.0)) - window * low
    };
    (0..=2 * HALF).map(tap).collect()
}

/// The loudest of what is above 5 kHz (at 48 kHz) in what is heard of a low tone, dBFS.
pub fn splatter(heard: &[f32]) -> f64 {
    let taps = taps();
    let loudest = heard
        .windows(taps.len())
        .map(|part| part.iter().zip(&taps).map(|(x, tap)| f64::from(*x) * tap).sum::<f64>().abs());
    20.0 * loudest.fold(1e-12, f64::max).log10()
}
