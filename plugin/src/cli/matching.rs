//! `catena edit FILE match`: a slot's output gain, set by ear.

use std::path::Path;

use host_core::backend::audio::{EventBuffer, Transport};
use host_core::engine::{ContainerBlock, Processor};
use host_core::model::{Chain, SlotId};
use host_core::session::{Command, HostSetup, MatchView, Purpose, SessionHandle};

use super::audio::Source;
use super::chain::{open_session, problems};
use super::edit::{slot_id, store};
use super::{Failure, Progress, find, numbers, out};

/// Frames in a block.
const BLOCK: usize = 1024;
/// Sound that is made ready at most, seconds: beyond it nobody listens.
const MOST: f64 = 600.0;
/// Least sound, seconds: the window, and what a plugin may take to answer.
const LEAST: f64 = 8.0;
/// Looks at what became of it for each second of sound.
const LOOKS: f64 = 4.0;

/// Runs `audio` through the chain in `file` and sets the slot's gain.
pub fn run(file: &Path, chain: Chain, slot: &str, audio: &Path, from: &str) -> Result<(), Failure> {
    let slot = slot_id(&chain, slot)?;
    let from = match numbers::number(from).map_err(Failure::usage)? {
        from if from >= 0.0 => from,
        _ => return Err(Failure::usage("--from is a time in the file, seconds from its beginning")),
    };
    let (sound, channels, rate) = read(audio, from)?;
    let catalog = find::catalog()?;
    let (session, processor) = open_session(Purpose::Offline, channels, 0, catalog)?;
    let waiting = Progress::waiting("Opening the chain");
    let reports = session.load_chain(chain)?;
    drop(waiting);
    for problem in problems(&reports) {
        out::note(format_args!("note: {problem}; its state is kept"));
    }
    session.activate(HostSetup { rate, max_block: BLOCK as u32, offline: true })?;
    session.settle();
    let player = Player { processor, sound, channels: channels.into(), rate, at: 0 };
    let title = session.snapshot().slots.iter().find(|view| view.id == slot).map(|view| view.title.clone());
    let title = title.unwrap_or_default();
    let waiting = Progress::waiting(format!("Listening to {title}"));
    let heard = listen(&session, player, slot).and_then(|heard| {
        heard.map_err(|why| format!("{title} was not matched to {}: {why}", audio.display())).map_err(Failure::failed)
    });
    drop(waiting);
    let done = heard.and_then(|gain| {
        store(file, &session)?;
        out::say(format_args!("{title}: output gain {} dB", out::short(gain)))
    });
    session.deactivate();
    done
}

/// The sound from second `from` on.
fn read(audio: &Path, from: f64) -> Result<(Vec<f32>, u16, f64), Failure> {
    let mut source = Source::open(audio)?;
    let (channels, rate) = (source.shape.channels, f64::from(source.shape.rate));
    let samples = |seconds: f64| ((seconds * rate) as usize).saturating_mul(channels.into());
    let mut sound = Vec::new();
    while let Some(more) = source.next()? {
        sound.extend_from_slice(more);
        if sound.len() >= samples(from + MOST) {
            break;
        }
    }
    let rest = sound.split_off(samples(from).min(sound.len()));
    if rest.is_empty() {
        let (audio, from) = (audio.display(), out::short(from));
        return Err(Failure::failed(format!("{audio}: holds no sound after second {from}")));
    }
    Ok((rest, channels, rate))
}

/// Plays until the gain is set; why it was not.
fn listen(session: &SessionHandle, mut player: Player, slot: SlotId) -> Result<Result<f64, String>, Failure> {
    let state = |session: &SessionHandle| {
        let view = session.look();
        view.slots.iter().find(|view| view.id == slot).map(|view| view.matched.clone()).unwrap_or_default()
    };
    let mut why = String::from("nothing was heard");
    session.apply(Command::Match(slot))?;
    let all = player.frames().max((LEAST * player.rate) as usize);
    while player.at < all {
        player.play((player.rate / LOOKS) as usize);
        match state(session) {
            MatchView::Set(gain) => return Ok(Ok(gain)),
            MatchView::Refused(reason) => {
                // A silent beginning is passed over.
                why = reason;
                session.apply(Command::Match(slot))?;
            }
            MatchView::None | MatchView::Listening(_) => {}
        }
    }
    Ok(Err(why))
}

/// Sound without end, block by block.
struct Player {
    processor: Processor,
    sound: Vec<f32>,
    channels: usize,
    rate: f64,
    at: usize,
}

impl Player {
    fn frames(&self) -> usize {
        self.sound.len() / self.channels
    }

    fn play(&mut self, frames: usize) {
        let mut planes = vec![vec![0.0; BLOCK]; self.channels];
        let mut events = [EventBuffer::new(16, false), EventBuffer::new(4096, true)];
        for _ in 0..frames.div_ceil(BLOCK) {
            for frame in 0..BLOCK {
                let from = (self.at + frame) % self.frames() * self.channels;
                for (channel, plane) in planes.iter_mut().enumerate() {
                    plane[frame] = self.sound[from + channel];
                }
            }
            let [events_in, events_out] = &mut events;
            events_in.clear();
            events_out.clear();
            let transport = Transport {
                playing: true,
                offline: true,
                frames: Some(self.at as i64),
                tempo: Some(120.0),
                ..Transport::default()
            };
            self.processor.process(&mut ContainerBlock {
                main: &mut planes.iter_mut().map(|plane| &mut plane[..]).collect::<Vec<_>>(),
                sidechain: &[],
                aux: &mut [],
                events_in,
                events_out,
                transport: Some(transport),
                bypass: false,
            });
            self.at += BLOCK;
        }
    }
}
