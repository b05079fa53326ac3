//! Keeps a driver running: opens it, tells it of latency changes, replaces it when it dies.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use host_core::session::SessionHandle;

use super::driver::{self, Opened};
use super::rig::SharedRig;
use super::song::Song;
use crate::cli::{self, Failure, Play, log};

/// How often a driver is looked at even if nothing wakes the keeper.
const TICK: Duration = Duration::from_millis(50);
/// How long after a driver died, or while there is only the dummy, the others are tried again.
const RETRY: Duration = Duration::from_secs(2);

/// Where sound goes now, for the user. Never touched by an audio thread.
#[derive(Clone, Default)]
pub struct Sound(Arc<Mutex<Heard>>, Arc<Mutex<Option<Told>>>);

/// What is called when there is something else to show.
type Told = Box<dyn Fn() + Send>;

#[derive(Clone, Default)]
struct Heard {
    driver: String,
    no_sound: Option<String>,
    late: u64,
}

impl Sound {
    /// One line.
    pub fn line(&self) -> String {
        let heard = self.get();
        match heard.no_sound {
            Some(why) => format!("No sound ({}): {why}", heard.driver),
            None if heard.late > 0 => format!("Sound: {}, {} late blocks", heard.driver, heard.late),
            None => format!("Sound: {}", heard.driver),
        }
    }

    /// Why nothing is heard, where that is so.
    pub fn no_sound(&self) -> Option<String> {
        self.get().no_sound
    }

    /// `told` is called from the keeper's thread when this says another thing, or the song does. One at a time.
    pub fn on_change(&self, told: Told) {
        *self.1.lock().unwrap_or_else(PoisonError::into_inner) = Some(told);
    }

    fn tell(&self) {
        if let Some(told) = self.1.lock().unwrap_or_else(PoisonError::into_inner).as_ref() {
            told();
        }
    }

    fn get(&self) -> Heard {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn change(&self, change: impl FnOnce(&mut Heard)) {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

enum Wake {
    Outbox,
    Stop,
}

/// The keeper's handle.
pub struct Keeper {
    sound: Sound,
    wake: Sender<Wake>,
    thread: Option<JoinHandle<()>>,
}

impl Keeper {
    /// Opens a driver and keeps it.
    pub fn start(play: &Play, session: SessionHandle, rig: SharedRig, song: Arc<Song>) -> Result<Self, Failure> {
        let opened = driver::open(play, &session, &rig).map_err(Failure::failed)?;
        let (wake, woken) = channel();
        let sound = Sound::default();
        let outbox = wake.clone();
        session.on_outbox(Box::new(move || {
            let _gone = outbox.send(Wake::Outbox);
        }));
        let state =
            State { play: play.clone(), session, rig, song, sound: sound.clone(), opened: None, tried: Instant::now() };
        let thread = std::thread::Builder::new().name("catena-keeper".into()).spawn({
            let mut state = state.with(opened);
            move || state.run(&woken)
        });
        let thread = thread.map_err(|error| Failure::failed(format!("no thread for the audio driver: {error}")))?;
        Ok(Self { sound, wake, thread: Some(thread) })
    }

    /// Where sound goes.
    pub fn sound(&self) -> Sound {
        self.sound.clone()
    }

    /// Ends the driver.
    pub fn stop(mut self) {
        let _gone = self.wake.send(Wake::Stop);
        if let Some(thread) = self.thread.take() {
            let _panicked = thread.join();
        }
    }
}

struct State {
    play: Play,
    session: SessionHandle,
    rig: SharedRig,
    song: Arc<Song>,
    sound: Sound,
    opened: Option<Opened>,
    tried: Instant,
}

impl State {
    fn with(mut self, opened: Opened) -> Self {
        self.take(opened);
        self
    }

    fn take(&mut self, opened: Opened) {
        let describe = opened.driver.describe();
        self.sound.change(|heard| *heard = Heard { driver: describe, no_sound: opened.no_sound.clone(), late: 0 });
        log::line(log::Level::Info, &self.sound.line());
        opened.driver.latency_changed();
        self.opened = Some(opened);
    }

    fn run(&mut self, woken: &Receiver<Wake>) {
        let mut latency = self.session.latency();
        let (mut muted, mut shown) = (false, None);
        loop {
            match woken.recv_timeout(TICK) {
                Ok(Wake::Stop) | Err(RecvTimeoutError::Disconnected) => break,
                Ok(Wake::Outbox) | Err(RecvTimeoutError::Timeout) => {}
            }
            let outbox = self.session.take_outbox();
            let now = self.session.latency();
            if outbox.latency || now != latency {
                latency = now;
                if let Some(opened) = &self.opened {
                    opened.driver.latency_changed();
                }
            }
            self.look();
            self.tell_mute(&mut muted);
            if let Some(opened) = &self.opened
                && let Some(play) = self.song.take_press()
            {
                opened.driver.play(play);
            }
            let now = (self.sound.line(), self.song.playing(), self.song.pace());
            if shown.as_ref() != Some(&now) {
                shown = Some(now);
                self.sound.tell();
            }
        }
        self.opened = None;
    }

    fn look(&mut self) {
        let Some(opened) = &self.opened else { return self.reopen() };
        let late = opened.driver.late();
        if late > 0 {
            self.sound.change(|heard| heard.late += u64::from(late));
        }
        // A block of another size changes what there is to say, nothing else.
        let describe = opened.driver.describe();
        if describe != self.sound.get().driver {
            log::line(log::Level::Info, &describe);
            self.sound.change(|heard| heard.driver = describe);
        }
        if let Some(why) = opened.driver.dead() {
            log::line(log::Level::Warning, &why);
            self.sound.change(|heard| heard.no_sound = Some(why));
            self.opened = None;
            self.tried = Instant::now();
        } else if opened.no_sound.is_some() && self.play.backend.is_none() && self.tried.elapsed() > RETRY {
            self.opened = None;
            self.reopen();
        }
    }

    /// Says once that the level guard has muted the chain.
    fn tell_mute(&self, before: &mut bool) {
        let muted = self.session.snapshot().guard.muted;
        if std::mem::replace(before, muted) || !muted {
            return;
        }
        let text = "muted: the output was above +18 dBFS for 20 ms";
        log::line(log::Level::Warning, text);
        if self.play.no_editor {
            cli::note(format_args!("{text}; `kill -USR1 {}` lets it sound again", std::process::id()));
        }
    }

    fn reopen(&mut self) {
        if self.opened.is_none() && self.tried.elapsed() < RETRY {
            return;
        }
        self.tried = Instant::now();
        match driver::open(&self.play, &self.session, &self.rig) {
            Ok(opened) => self.take(opened),
            Err(why) => self.sound.change(|heard| heard.no_sound = Some(why)),
        }
    }
}
