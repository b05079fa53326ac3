//! What a driver is, and which one is taken.

use host_core::session::SessionHandle;

use super::rig::SharedRig;
use super::{alsa, dummy, jack};
use crate::cli::{Backend, Play};

/// A running source of blocks.
pub trait Driver: Send {
    /// What it is, for the user: name, rate, block.
    fn describe(&self) -> String;
    /// Why it no longer runs, once it does not.
    fn dead(&self) -> Option<String>;
    /// The chain's latency is another now.
    fn latency_changed(&self) {}
    /// The user pressed play or stop: for a driver with a transport of its own.
    fn play(&self, _play: bool) {}
    /// Blocks that came too late since the last call.
    fn late(&self) -> u32 {
        0
    }
}

/// A driver, or none and why.
pub struct Opened {
    /// What runs.
    pub driver: Box<dyn Driver>,
    /// Why there is no sound, where that is so.
    pub no_sound: Option<String>,
}

/// Opens the driver that was asked for; without a wish JACK, then ALSA, and the dummy only with its reason told.
pub fn open(play: &Play, session: &SessionHandle, rig: &SharedRig) -> Result<Opened, String> {
    let heard = |driver| Opened { driver, no_sound: None };
    match play.backend {
        Some(Backend::Jack) => jack::open(play, session, rig).map(heard),
        Some(Backend::Alsa) => alsa::open(play, session, rig).map(heard),
        Some(Backend::Dummy) => {
            let driver = dummy::open(play, session, rig)?;
            Ok(Opened { driver, no_sound: Some("the dummy driver was asked for".into()) })
        }
        None => {
            let no_jack = match jack::open(play, session, rig) {
                Ok(driver) => return Ok(heard(driver)),
                Err(why) => why,
            };
            let no_alsa = match alsa::open(play, session, rig) {
                Ok(driver) => return Ok(heard(driver)),
                Err(why) => why,
            };
            let driver = dummy::open(play, session, rig)?;
            Ok(Opened { driver, no_sound: Some(format!("{no_jack}; {no_alsa}")) })
        }
    }
}
