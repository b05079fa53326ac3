//! The container's bypass exists twice: as the DAW's parameter and in the chain. Whichever changed last wins.

use host_core::session::SessionHandle;

/// What both were when they last met. One for each container, whoever has them meet: of two, each would take what the other
/// brought over for a change.
#[derive(Default)]
pub struct BypassSync {
    param: bool,
    chain: bool,
    /// Sent into the chain and not there yet.
    sent: Option<bool>,
}

impl BypassSync {
    /// Sends the DAW's value into the chain, without waiting, and answers the chain's where that changed by itself.
    /// `[any but audio]`
    pub fn meet(&mut self, session: &SessionHandle, param: bool) -> Option<bool> {
        if param != self.param {
            self.param = param;
            self.sent = Some(param);
            session.bypass_by_the_daw(param);
        }
        self.take(session.bypassed())
    }

    /// What was sent has been there: another chain has come after it. `[any but audio]`
    pub fn arrived(&mut self) {
        self.chain = self.sent.take().unwrap_or(self.chain);
    }

    /// Takes in where the chain stands.
    fn take(&mut self, chain: bool) -> Option<bool> {
        if let Some(sent) = self.sent {
            if chain == sent {
                self.sent = None;
                self.chain = chain;
            }
            return None;
        }
        if chain == self.chain {
            return None;
        }
        self.chain = chain;
        (chain != self.param).then(|| {
            self.param = chain;
            chain
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_sent_is_no_change_of_the_chains_before_it_is_there_nor_then() {
        let mut sync = BypassSync { param: true, chain: false, sent: Some(true) };
        assert_eq!([false, true, true].map(|chain| sync.take(chain)), [None; 3]);
        assert_eq!(sync.take(false), Some(false), "a hand in the editor");
        assert_eq!(sync.take(false), None);
    }
}
