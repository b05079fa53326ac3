//! What the DAW may automate, and the chain where nice-plug keeps it (VST3).

mod macros;

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use nice_plug::params::persist::PersistentField;
use nice_plug::prelude::*;

use crate::container::Shared;
pub use macros::{MacroMarks, MacroParams};

/// Values of `revision`; it wraps.
const REVISIONS: i32 = 1 << 20;

/// The parameters of a container.
#[derive(Params)]
pub struct ContainerParams {
    /// The container's own bypass.
    #[id = "bypass"]
    pub bypass: BoolParam,
    /// The macros.
    #[nested(group = "Macros")]
    pub macros: Arc<MacroParams>,
    /// `revision`, in VST3 only: see [`Revision`].
    #[nested(array)]
    pub revision: Vec<Revision>,
    /// The chain, in VST3 only: CLAP has a `clap.state` of ours.
    #[persist = "chain"]
    chain: ChainField,
}

/// A hidden parameter that nobody automates: a change of it is what tells a VST3 host that the project differs from
/// what was saved, since VST3 as wrapped by nice-plug has no other word for it.
#[derive(Params)]
pub struct Revision {
    /// Rises with every edit.
    #[id = "revision"]
    pub value: IntParam,
}

impl ContainerParams {
    /// The parameters of one container. `[any but audio]`
    pub fn new(shared: &Arc<Shared>, with_revision: bool) -> Self {
        let macros = Arc::new(MacroParams::new(shared));
        let revision = || Revision {
            value: IntParam::new("Revision", 0, IntRange::Linear { min: 0, max: REVISIONS }).hide().non_automatable(),
        };
        Self {
            bypass: BoolParam::new("Bypass", false).make_bypass(),
            macros: Arc::clone(&macros),
            revision: with_revision.then(revision).into_iter().collect(),
            chain: ChainField(Arc::clone(shared), macros),
        }
    }
}

impl Revision {
    /// The value after an edit.
    pub fn next(&self) -> i32 {
        (self.value.value() + 1) % REVISIONS
    }
}

/// The packed chain as base64 text, read from and written to the session itself.
struct ChainField(Arc<Shared>, Arc<MacroParams>);

impl PersistentField<'_, String> for ChainField {
    fn set(&self, text: String) {
        // Text that is no base64 is no chain of ours: the session keeps its bytes and writes them back.
        let bytes = STANDARD.decode(&text).unwrap_or_else(|_| text.into_bytes());
        self.0.load(&bytes);
        // The chain says where its macros stand; what was read beside it may be of before.
        self.1.meet(&self.0);
    }

    fn map<F, R>(&self, f: F) -> R
    where
        F: Fn(&String) -> R,
    {
        // What the DAW has moved and no block has taken in.
        for (index, value) in self.1.take_moves(&self.0) {
            self.0.with_macros(|macros| macros.tell(index, value.into()));
        }
        f(&self.0.save().map(|bytes| STANDARD.encode(bytes)).unwrap_or_default())
    }
}
