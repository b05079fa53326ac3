//! Saving and loading a session's chain. Nothing is lost: what could not be read, opened or restored is written back as it came.

use super::LoadError;
use super::owner::Owner;
use crate::model::lanes::for_each_slot;
use crate::model::{Bytes, Chain, Folders};
use crate::store::{self, Opened, StoreError};

impl Owner {
    /// The model with fresh states of every plugin that may differ from what is stored.
    pub(super) fn fresh_chain(&mut self) -> Chain {
        self.follow_macros();
        let lives = &mut self.lives;
        for_each_slot(&mut self.chain.nodes, &mut |slot| {
            if let Some(live) = lives.get_mut(&slot.id) {
                live.save_into(slot);
            }
        });
        self.dirty = false;
        self.news = true;
        self.mirror();
        self.chain.clone()
    }

    /// The same with what waits as a whole, which is the user's word already.
    pub(super) fn chain_to_save(&mut self) -> Chain {
        let fresh = self.fresh_chain();
        self.chain_to_come().unwrap_or(fresh)
    }

    /// The packed bytes for the DAW: those it gave while they are still being loaded or cannot be read, else the chain's.
    pub(super) fn save(&mut self) -> Result<Vec<u8>, LoadError> {
        if let Some(kept) = &self.kept {
            return Ok(kept.to_vec());
        }
        store::pack(&self.chain_to_save()).map_err(|error| LoadError::Damaged(error.to_string()))
    }

    /// Replaces the chain. The plugins are opened one by one in the ticks that follow.
    pub(super) fn replace(&mut self, chain: Chain) {
        self.forget_history();
        self.forget_checks();
        self.rescue.forget();
        self.to_open.clear();
        self.playing.leaving.extend(std::mem::take(&mut self.lives).into_values());
        self.playing.in_place.clear();
        self.playing.set_aside.clear();
        self.force_load();
        self.forget_lanes();
        self.shared.set_bypass(chain.bypass);
        self.place_macros(&chain);
        self.chain = chain;
        self.sync_guard();
        let ids: Vec<_> = self.chain.slots().map(|slot| slot.id).collect();
        self.guard.forget_closed();
        self.unseen = ids.iter().copied().collect();
        ids.into_iter().for_each(|id| self.queue_open(id));
        self.unreadable = false;
        self.notice.clear();
        self.dirty = false;
        self.playing.stale = true;
        self.news = true;
        self.mirror();
    }

    /// Replaces the chain by packed bytes. Until all of it is loaded, a save writes these very bytes.
    pub(super) fn replace_by(&mut self, bytes: Bytes, read: Result<Read, LoadError>) -> Result<(), LoadError> {
        let (read, outcome) = match read {
            Ok(read) => (read, Ok(())),
            Err(error) => (Read::default(), Err(error)),
        };
        self.replace(read.chain);
        self.kept = Some(bytes);
        if !read.lost.is_empty() {
            self.set_notice(read.lost);
        }
        if let Err(error) = &outcome {
            self.unreadable = true;
            self.set_notice(error.to_string());
        }
        outcome
    }
}

/// A chain from the DAW.
#[derive(Default)]
pub(super) struct Read {
    /// As far as it could be read.
    pub chain: Chain,
    /// What was lost of it and where the damaged bytes are, for the user; empty for nothing.
    pub lost: String,
}

/// Reads packed bytes. Damaged ones are kept as a file among the state's, since the next save takes their place. `[any but audio]`
pub(super) fn read(bytes: &[u8]) -> Result<Read, LoadError> {
    let Opened { chain, lost } = store::open_bytes(bytes).map_err(|error| match error {
        StoreError::Version { found, reads, .. } => LoadError::Version { found, reads },
        other => LoadError::Damaged(other.to_string()),
    })?;
    if lost.is_empty() {
        return Ok(Read { chain, lost: String::new() });
    }
    let kept = match store::keep_damaged(bytes, &Folders::from_env().damaged()) {
        Ok(path) => format!("what the session holds is kept in {}", path.display()),
        Err(error) => format!("what the session holds could not be kept elsewhere ({error})"),
    };
    Ok(Read { chain, lost: format!("the saved chain is damaged: {}; {kept}", lost.join("; ")) })
}
