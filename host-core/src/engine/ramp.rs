//! A value that reaches its target in a straight line over a set time.

/// A smoothed value.
#[derive(Clone, Copy, Debug)]
pub struct Ramp {
    now: f32,
    target: f32,
    step: f32,
    left: u32,
}

impl Ramp {
    /// Stands at `value`. `[any]`
    pub fn new(value: f32) -> Self {
        Self { now: value, target: value, step: 0.0, left: 0 }
    }

    /// Goes to `target` within `frames`; no change where it is going there already. `[audio]`
    pub fn go(&mut self, target: f32, frames: u32) {
        if target == self.target {
            return;
        }
        self.target = target;
        self.left = frames.max(1);
        self.step = (target - self.now) / self.left as f32;
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
        for (i, x) in ramp.iter_mut().enumerate() {
            *x = self.now + self.step * (i + 1) as f32;
        }
        self.left -= moving as u32;
        if self.left == 0 {
            self.now = self.target;
            if let Some(last) = ramp.last_mut() {
                *last = self.target;
            }
        } else {
            self.now += self.step * moving as f32;
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
                    assert!(x - last <= 1.01 / 480.0 && x >= last);
                    last = x;
                }
                frames += block;
            }
            assert_eq!(last, 1.0);
            assert!(ramp.is(1.0) && frames < 480 + block + 1);
        }
    }
}
