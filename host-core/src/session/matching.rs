//! Matching: a slot's output gain is set so that its plugin's sound and the dry are equally loud over 3 s. All `[home]`.

use std::time::{Duration, Instant};

use super::ears::{EarAt, IN, WET, WINDOW};
use super::owner::Owner;
use super::{Command, EditError, MAX_GAIN, MIN_GAIN, MatchView, SlotStatus};
use crate::model::SlotId;

/// Silence, LUFS: the absolute gate of BS.1770.
const SILENT: f64 = -70.0;
/// How long no sound at all is waited for.
const PATIENCE: Duration = Duration::from_secs(10);

/// A match under way.
pub(super) struct Matching {
    /// Parts heard, and when that was.
    heard: u64,
    since: Instant,
}

impl Owner {
    /// Begins to listen to a slot, to set its output gain when 3 s were heard.
    pub(super) fn begin_match(&mut self, id: SlotId) -> Result<(), EditError> {
        let slot = self.chain.slot(id).ok_or(EditError::NoSlot(id))?;
        let refuse = |why: &str| Err(EditError::NoMatch { slot: slot.title().into(), why: why.into() });
        let Some(live) = self.lives.get_mut(&id) else { return Err(EditError::NoSlot(id)) };
        match (&live.status, live.mains.first()) {
            (SlotStatus::Running, Some(main)) if main.ports().main_inputs() == 0 => {
                return refuse("it has no audio input, so there is no dry to match");
            }
            (SlotStatus::Running, Some(_)) => {}
            _ => return refuse("its plugin does not run"),
        }
        live.matched = MatchView::Listening(0.0);
        self.levels.matching.insert(id, Matching { heard: 0, since: Instant::now() });
        self.news = true;
        Ok(())
    }

    /// Sets the gain of each slot that was listened to for long enough.
    pub(super) fn follow_matches(&mut self, now: Instant) {
        let ids: Vec<_> = self.levels.matching.keys().copied().collect();
        for id in ids {
            let Some(done) = self.follow_match(id, now) else { continue };
            self.levels.matching.remove(&id);
            let matched = match done.and_then(|gain| {
                let gain = (gain * 100.0).round() / 100.0;
                self.command(Command::OutputGain(id, gain)).map(|_| gain).map_err(|error| error.to_string())
            }) {
                Ok(gain) => MatchView::Set(gain),
                Err(why) => {
                    let title = self.chain.slot(id).map_or("", |slot| slot.title()).to_owned();
                    self.set_notice(format!("{title} was not matched: {why}"));
                    MatchView::Refused(why)
                }
            };
            if let Some(live) = self.lives.get_mut(&id) {
                live.matched = matched;
            }
            self.news = true;
        }
    }

    /// The gain, dB, or why there is none; `None`: it goes on.
    fn follow_match(&mut self, id: SlotId, now: Instant) -> Option<Result<f64, String>> {
        if self.chain.slot(id).is_none() {
            return Some(Err("it is gone".into()));
        }
        if self.hold.change.is_some() && !self.is_played(id) {
            return Some(Err("it is not heard before the transport stops".into()));
        }
        let matching = self.levels.matching.get_mut(&id)?;
        let ear = self.levels.ears.get(&EarAt::Node(id));
        let louds = ear.and_then(|ear| Some((ear.loud(IN)?, ear.loud(WET)?)));
        let end = louds.map_or(0, |(dry, wet)| dry.count().min(wet.count()));
        if end != matching.heard {
            (matching.heard, matching.since) = (end, now);
        } else if now.duration_since(matching.since) >= PATIENCE {
            return Some(Err("nothing is played through the chain; play while it listens".into()));
        }
        let found = louds.and_then(|(dry, wet)| Some((dry.until(end)?, wet.until(end)?)));
        let Some((dry, wet)) = found else {
            let seconds = end.min(WINDOW as u64) as f32 * 3.0 / WINDOW as f32;
            if let Some(live) = self.lives.get_mut(&id)
                && live.matched != MatchView::Listening(seconds)
            {
                live.matched = MatchView::Listening(seconds);
                self.news = true;
            }
            return None;
        };
        Some(gain(dry, wet))
    }
}

/// The gain that makes `wet` as loud as `dry`, both LUFS.
fn gain(dry: f64, wet: f64) -> Result<f64, String> {
    if dry < SILENT {
        return Err("what goes into it was silent for 3 s; play something through it".into());
    }
    if wet < SILENT {
        return Err("its plugin was silent for 3 s while sound went in".into());
    }
    match dry - wet {
        gain if (MIN_GAIN..=MAX_GAIN).contains(&gain) => Ok(gain),
        gain => Err(format!("it would take {gain:.1} dB, beyond {MIN_GAIN} to {MAX_GAIN}")),
    }
}
