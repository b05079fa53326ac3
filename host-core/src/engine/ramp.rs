//! A value that reaches its target over a set time, with neither a step nor a bend on its way.

/// A smoothed value. Its way is a cubic that begins with the speed that the value has and ends at rest (Hermite's): a new target
/// on the way changes where it goes, never how fast it goes this moment, so one that is set to a near target in full flight passes it
/// by a little and comes back. Straight lines would be heard: their bends splatter.
#[derive(Clone, Copy, Debug)]
pub struct Ramp {
    now: f32,
    left: u32,
    target: f32,
    from: f32,
    /// Speed at `from`, a whole way's length long.
    speed: f32,
    /// Frames of the whole way.
    length: u32,
}

impl Ramp {
    /// Stands at `value`. `[any]`
    pub fn new(value: f32) -> Self {
        Self { now: value, left: 0, target: value, from: value, speed: 0.0, length: 1 }
    }

    /// Goes to `target` within `frames`; no change where it is going there already. `[audio]`
    pub fn go(&mut self, target: f32, frames: u32) {
        if target == self.target {
            return;
        }
        let length = frames.max(1);
        self.speed = self.slope() * length as f32;
        (self.from, self.target, self.left, self.length) = (self.now, target, length, length);
    }

    /// Speed this moment, per frame.
    fn slope(&self) -> f32 {
        if self.left == 0 {
            return 0.0;
        }
        let (length, way) = (self.length as f32, self.target - self.from);
        let u = (self.length - self.left) as f32 / length;
        (self.speed + u * (2.0 * (3.0 * way - 2.0 * self.speed) + u * 3.0 * (self.speed - 2.0 * way))) / length
    }

    /// Stands at `value` at once. `[audio]`
    pub fn jump(&mut self, value: f32) {
        *self = Self::new(value);
    }

    /// Stands at its target at once. `[audio]`
    pub fn finish(&mut self) {
        self.jump(self.target);
    }

    /// Whether it stands at `value` and goes nowhere. `[audio]`
    pub fn is(&self, value: f32) -> bool {
        self.left == 0 && self.now == value
    }

    /// Whether it goes nowhere. `[audio]`
    pub fn settled(&self) -> bool {
        self.left == 0
    }

    /// Writes the values of the next frames. `[audio]`
    pub fn fill(&mut self, out: &mut [f32]) {
        let moving = out.len().min(self.left as usize);
        let (ramp, rest) = out.split_at_mut(moving);
        if moving > 0 {
            let (way, speed, share) = (self.target - self.from, self.speed, 1.0 / self.length as f32);
            let (bend, end) = (3.0 * way - 2.0 * speed, speed - 2.0 * way);
            let done = (self.length - self.left) as f32;
            for (i, x) in ramp.iter_mut().enumerate() {
                let u = (done + (i + 1) as f32) * share;
                *x = self.from + u * (speed + u * (bend + u * end));
            }
            self.left -= moving as u32;
            if let (0, Some(last)) = (self.left, ramp.last_mut()) {
                *last = self.target;
            }
            self.now = ramp[moving - 1];
        }
        rest.fill(self.now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrives_exactly_and_in_time_in_blocks_of_any_size() {
        for block in [1, 7, 64, 1000] {
            let mut ramp = Ramp::new(0.0);
            ramp.go(1.0, 480);
            let mut last = 0.0;
            let mut frames = 0;
            while !ramp.settled() {
                let mut out = vec![0.0; block];
                ramp.fill(&mut out);
                for x in out {
                    assert!(x - last <= 1.51 / 480.0 && x >= last);
                    last = x;
                }
                frames += block;
            }
            assert_eq!(last, 1.0);
            assert!(ramp.is(1.0) && frames < 480 + block + 1);
        }
    }

    #[test]
    fn a_new_target_on_the_way_bends_nothing_and_leads_hardly_out_of_the_range() {
        let mut ramp = Ramp::new(0.0);
        let mut heard = vec![0.0; 2];
        // Once a block, as automation does, and back and forth.
        for block in 0..400 {
            let target = if block < 200 { block as f32 / 200.0 } else { f32::from(block % 13 < 5) };
            ramp.go(target, 960);
            let mut out = vec![0.0; 64];
            ramp.fill(&mut out);
            heard.extend(out);
        }
        for three in heard.windows(3) {
            let bend = three[2] - 2.0 * three[1] + three[0];
            assert!(bend.abs() < 2.0e-5, "{three:?}");
            assert!((-0.05..=1.05).contains(&three[2]), "{three:?}");
        }
    }
}
