//! Points whose samples home listens to, to work out their loudness: rings that the audio thread fills while home asks for it.
//!
//! The weighting of a loudness costs a block many times what a slot does, and its windows are seconds long: so the audio thread
//! copies, and only where somebody looks.

use std::ops::Deref;

use atomic_refcell::AtomicRefCell;
use sync_wrapper::SyncWrapper;

/// Rings for the points of one slot, of one lane or of the container.
#[derive(Default)]
pub(super) struct Tap(AtomicRefCell<SyncWrapper<Rings>>);

/// One ring a point, and how far the block under way has come.
#[derive(Default)]
struct Rings {
    rings: Vec<rtrb::Producer<f32>>,
    channels: usize,
    /// The block finds room in all of them. Else none gets it, so that they stay in step.
    open: bool,
    /// Points that this block has been given to already, a bit each.
    given: u32,
}

/// Home's ends of the rings, samples channel by channel within each frame.
pub type Heard = Vec<rtrb::Consumer<f32>>;

impl Tap {
    /// Begins to listen at `points`, with room for `frames` of `channels`. `None`: the audio thread is here this moment. `[home]`
    pub fn open(&self, points: usize, channels: usize, frames: usize) -> Option<Heard> {
        let mut tap = self.0.try_borrow_mut().ok()?;
        let ring = |_| rtrb::RingBuffer::new((channels * frames).max(1));
        let (rings, heard) = (0..points).map(ring).unzip();
        *tap.get_mut() = Rings { rings, channels, open: false, given: 0 };
        Some(heard)
    }

    /// Frees the rings. False: the audio thread is here this moment. `[home]`
    pub fn close(&self) -> bool {
        let tap = self.0.try_borrow_mut();
        tap.map(|mut tap| *tap.get_mut() = Rings::default()).is_ok()
    }

    /// Begins a block. `[audio]`
    #[cold]
    pub fn begin(&self, frames: usize) {
        let Ok(mut tap) = self.0.try_borrow_mut() else { return };
        let tap = tap.get_mut();
        let wanted = frames * tap.channels;
        tap.open = tap.rings.iter().all(|ring| ring.slots() >= wanted);
        tap.given = 0;
    }

    /// Gives a point the block. `[audio]`
    #[cold]
    pub fn give<S: Deref<Target = [f32]>>(&self, point: usize, block: &[S], at: usize, frames: usize) {
        let Ok(mut tap) = self.0.try_borrow_mut() else { return };
        let Rings { rings, channels, open: true, given } = tap.get_mut() else { return };
        let Some(ring) = rings.get_mut(point) else { return };
        let sample = |frame: usize, channel: usize| {
            block.get(channel).and_then(|channel| channel.get(at + frame)).copied().unwrap_or(0.0)
        };
        let channels = *channels;
        let samples = (0..frames).flat_map(|frame| (0..channels).map(move |channel| sample(frame, channel)));
        fill(ring, frames * channels, samples);
        *given |= 1 << point;
    }

    /// Ends a block: points that were not given it get silence. `[audio]`
    #[cold]
    pub fn end(&self, frames: usize) {
        let Ok(mut tap) = self.0.try_borrow_mut() else { return };
        let tap = tap.get_mut();
        if std::mem::take(&mut tap.open) {
            for (point, ring) in tap.rings.iter_mut().enumerate() {
                if tap.given & (1 << point) == 0 {
                    fill(ring, frames * tap.channels, std::iter::repeat(0.0));
                }
            }
        }
    }
}

fn fill(ring: &mut rtrb::Producer<f32>, count: usize, samples: impl Iterator<Item = f32>) {
    if let Ok(chunk) = ring.write_chunk_uninit(count) {
        chunk.fill_from_iter(samples);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_stay_in_step_where_one_has_no_room_or_is_given_nothing() {
        let tap = Tap::default();
        let mut heard = tap.open(2, 2, 4).unwrap();
        let block = [vec![1.0_f32, 2.0], vec![-1.0, -2.0]];
        for _ in 0..2 {
            tap.begin(2);
            tap.give(0, &block, 0, 2);
            tap.end(2);
        }
        // Both are full: nothing of this comes through.
        tap.begin(2);
        tap.give(1, &block, 0, 2);
        tap.end(2);
        let mut all = |point: usize| std::iter::from_fn(|| heard[point].pop().ok()).collect::<Vec<_>>();
        assert_eq!(all(0), [1.0, -1.0, 2.0, -2.0, 1.0, -1.0, 2.0, -2.0]);
        assert_eq!(all(1), [0.0; 8]);
        assert!(tap.close());
        tap.begin(2);
        tap.give(0, &block, 0, 2);
    }
}
