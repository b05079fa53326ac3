//! A signal each of whose samples says which frame it is, and what became of it on its way through a program: which frames are
//! missing, which came twice, and how long nothing came.

/// Frames that a ramp can tell apart.
const STEPS: f32 = (1 << 23) as f32;
/// So many frames in a row are a ramp again.
const STEADY: usize = 64;

/// The ramp at a frame; the first is not silent.
pub fn ramp(frame: usize) -> f32 {
    ((frame + 1) % (1 << 23)) as f32 / STEPS
}

/// A place where the frames do not follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    /// Where in what was heard it begins.
    pub at: usize,
    /// Frames of silence in it.
    pub silent: usize,
    /// Other frames in it that are no ramp: fades.
    pub faded: usize,
    /// Frames of the ramp that are missing after it; below 0: that came twice.
    pub missing: i64,
}

impl std::fmt::Display for Gap {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { at, silent, faded, missing } = self;
        write!(f, "at {at}: {silent} frames silent, {faded} faded, then {missing:+} frames of the sound")
    }
}

/// The frame that a sample is of.
fn number(sample: f32) -> i64 {
    (sample * STEPS).round() as i64
}

/// All gaps between the first and the last steady part of what was heard of a [`ramp`].
pub fn gaps(heard: &[f32]) -> Vec<Gap> {
    let follows = |at: usize| heard[at] != 0.0 && number(heard[at]) == number(heard[at - 1]) + 1;
    let steady = |at: usize| at + STEADY < heard.len() && (at + 1..at + STEADY).all(follows);
    let mut gaps = Vec::new();
    let Some(mut at) = (0..heard.len()).find(|at| steady(*at)) else { return gaps };
    while at + 1 < heard.len() {
        if follows(at + 1) {
            at += 1;
            continue;
        }
        let Some(next) = (at + 1..heard.len()).find(|next| steady(*next)) else { return gaps };
        let between = &heard[at + 1..next];
        let silent = between.iter().filter(|x| **x == 0.0).count();
        let missing = number(heard[next]) - number(heard[at]) - (next - at) as i64;
        gaps.push(Gap { at: at + 1, silent, faded: between.len() - silent, missing });
        at = next;
    }
    gaps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn silence_fades_missing_and_repeated_frames_are_told_apart() {
        let mut heard: Vec<f32> = vec![0.0; 10];
        heard.extend((0..1000).map(ramp));
        heard.extend([0.0; 256]);
        heard.extend((1256..2000).map(ramp));
        heard.extend((0..480).map(|i| 0.9 - i as f32 * 1e-3));
        heard.extend((1500..2500).map(ramp));
        heard.extend((2600..3000).map(ramp));
        let gap = |at, silent, faded, missing| Gap { at, silent, faded, missing };
        assert_eq!(gaps(&heard), [gap(1010, 256, 0, 0), gap(2010, 0, 480, -980), gap(3490, 0, 0, 100)]);
    }
}
