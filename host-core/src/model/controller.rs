//! Controllers of MIDI hardware, as macros are assigned to them.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Controllers from here on are channel mode messages and can be assigned to nothing.
pub const CONTROLLERS: u8 = 120;
/// Controllers below this have a finer half, 32 numbers on.
pub const WIDE: u8 = 32;

/// A controller of one channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct Controller {
    channel: u8,
    number: u8,
    wide: bool,
}

impl Controller {
    /// Controller `number` (0..119) of `channel` (1..16); `wide`: 14 bits, with the number 32 above for the finer half (0..31 only).
    /// `None`: there is no such controller.
    pub fn new(channel: u8, number: u8, wide: bool) -> Option<Self> {
        let there = (1..=16).contains(&channel) && number < if wide { WIDE } else { CONTROLLERS };
        there.then_some(Self { channel, number, wide })
    }

    /// Channel, 1..16.
    pub fn channel(self) -> u8 {
        self.channel
    }

    /// Number, 0..119.
    pub fn number(self) -> u8 {
        self.number
    }

    /// Whether it has 14 bits.
    pub fn wide(self) -> bool {
        self.wide
    }

    /// Whether a message may belong to both.
    pub fn meets(self, other: Self) -> bool {
        let both = |one: Self, other: Self| one.number == other.number || one.wide && one.number + WIDE == other.number;
        self.channel == other.channel && (both(self, other) || both(other, self))
    }
}

impl std::fmt::Display for Controller {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let wide = if self.wide { " (14 bits)" } else { "" };
        write!(f, "controller {} of channel {}{wide}", self.number, self.channel)
    }
}

/// As it stands in a file.
#[derive(Serialize, Deserialize)]
struct Written {
    channel: u8,
    number: u8,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    wide: bool,
}

impl From<Controller> for Written {
    fn from(Controller { channel, number, wide }: Controller) -> Self {
        Self { channel, number, wide }
    }
}

impl TryFrom<Written> for Controller {
    type Error = &'static str;

    fn try_from(Written { channel, number, wide }: Written) -> Result<Self, Self::Error> {
        Self::new(channel, number, wide).ok_or("there is no such controller")
    }
}

/// What a file says of a macro's controller.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Assigned {
    /// It is this one.
    To(Controller),
    /// Something of a newer version: kept and written back.
    Unknown(Value),
}

impl Assigned {
    /// The controller, where this version knows it.
    pub fn controller(&self) -> Option<Controller> {
        match self {
            Self::To(controller) => Some(*controller),
            Self::Unknown(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_midi_has_is_a_controller_and_all_else_is_kept() {
        assert!(Controller::new(0, 1, false).is_none() && Controller::new(17, 1, false).is_none());
        assert!(Controller::new(1, 120, false).is_none() && Controller::new(1, 32, true).is_none());
        let wide = Controller::new(16, 31, true).unwrap();
        assert_eq!(wide.to_string(), "controller 31 of channel 16 (14 bits)");
        for (text, known) in [
            (r#"{"channel":16,"number":31,"wide":true}"#, Some(wide)),
            (r#"{"channel":1,"number":74}"#, Controller::new(1, 74, false)),
            (r#"{"channel":1,"number":126}"#, None),
            (r#"{"note":60}"#, None),
        ] {
            let read: Assigned = serde_json::from_str(text).unwrap();
            assert_eq!((read.controller(), serde_json::to_string(&read).unwrap()), (known, text.into()));
        }
    }

    #[test]
    fn a_wide_one_meets_its_finer_half() {
        let (wide, fine) = (Controller::new(1, 7, true).unwrap(), Controller::new(1, 39, false).unwrap());
        assert!(wide.meets(fine) && fine.meets(wide) && wide.meets(wide));
        assert!(
            !Controller::new(2, 7, true).unwrap().meets(fine) && !Controller::new(1, 7, false).unwrap().meets(fine)
        );
    }
}
