//! The input, delayed by the latency told: what is heard when everything else failed.

/// A delay line fed with every block's input.
#[derive(Default)]
pub struct DryTap {
    channels: Vec<Vec<f32>>,
    delay: usize,
    /// Where the next block is written.
    head: usize,
    /// Frames of the block fed last.
    fed: usize,
}

impl DryTap {
    /// A line for `channels` channels, `delay` frames late, in blocks of up to `max_block` frames. `[any but audio]`
    pub fn new(channels: usize, delay: usize, max_block: usize) -> Self {
        let len = delay + max_block.max(1);
        Self { channels: vec![vec![0.0; len]; channels], delay, head: 0, fed: 0 }
    }

    /// Takes a block's input in. `[audio]`
    pub fn feed(&mut self, input: &[&mut [f32]]) {
        let frames = input.first().map_or(0, |channel| channel.len());
        for (line, channel) in self.channels.iter_mut().zip(input) {
            // A block longer than was agreed on is kept by its end only.
            let skip = channel.len().saturating_sub(line.len());
            let mut at = (self.head + skip) % line.len();
            for sample in &channel[skip..] {
                line[at] = *sample;
                at = if at + 1 == line.len() { 0 } else { at + 1 };
            }
        }
        let len = self.channels.first().map_or(1, Vec::len);
        self.head = (self.head + frames) % len;
        self.fed = frames;
    }

    /// Writes the delayed signal that belongs to the block fed last. `[audio]`
    pub fn write(&self, output: &mut [&mut [f32]]) {
        for (index, channel) in output.iter_mut().enumerate() {
            let Some(line) = self.channels.get(index) else {
                channel.fill(0.0);
                continue;
            };
            let back = (self.delay + self.fed) % line.len();
            let mut at = (self.head + line.len() - back) % line.len();
            for sample in channel.iter_mut() {
                *sample = line[at];
                at = if at + 1 == line.len() { 0 } else { at + 1 };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::DryTap;

    #[test]
    fn the_signal_comes_back_after_the_delay_at_any_block_size() {
        for (delay, blocks) in [(0, [4, 4, 4]), (5, [4, 1, 7]), (8, [8, 8, 8])] {
            let mut tap = DryTap::new(1, delay, 8);
            let (mut input, mut output) = (Vec::new(), Vec::new());
            for frames in blocks {
                let mut block: Vec<f32> = (0..frames).map(|i| (input.len() + i + 1) as f32).collect();
                input.extend_from_slice(&block);
                tap.feed(&[&mut block]);
                tap.write(&mut [&mut block]);
                output.extend_from_slice(&block);
            }
            let expected: Vec<f32> =
                std::iter::repeat_n(0.0, delay).chain(input.iter().copied()).take(input.len()).collect();
            assert_eq!(output, expected, "delay {delay}");
        }
    }
}
