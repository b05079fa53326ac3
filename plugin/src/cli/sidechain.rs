//! What a slot's sidechain hears, as typed and as shown.

use host_core::model::{Chain, SidechainSource, Slot, SourceFault};

use super::lanes::{self, Found};
use super::{Failure, edit};

/// The source that `text` names.
pub fn source(chain: &Chain, text: &str) -> Result<SidechainSource, Failure> {
    Ok(match text {
        "container" => SidechainSource::Container,
        "input" => SidechainSource::Input,
        "none" => SidechainSource::None,
        _ => SidechainSource::Output(match lanes::find(chain, text) {
            Some(Found::Slot(id) | Found::Lanes(id) | Found::Lane(id)) => id,
            None => edit::slot_id(chain, text)?,
        }),
    })
}

/// What differs from the default, in a phrase.
pub fn mark(chain: &Chain, slot: &Slot) -> Option<String> {
    match slot.sidechain {
        SidechainSource::Container => None,
        SidechainSource::None => Some("no sidechain".into()),
        SidechainSource::Input => Some("sidechain from the chain's input".into()),
        SidechainSource::Output(id) => {
            let title = chain.title_of(id).unwrap_or_default();
            Some(match chain.check_source(slot.id, slot.sidechain) {
                Ok(()) => format!("sidechain from {} {title}", lanes::number(chain, id)),
                Err(SourceFault::Gone(_)) => format!("sidechain silent: what it heard ({id}) is gone"),
                Err(SourceFault::Behind(_)) => {
                    format!("sidechain silent: {} {title} is not before it", lanes::number(chain, id))
                }
            })
        }
    }
}
