//! The heart of Catena: runs a chain of CLAP and LV2 plugins inside somebody else's audio callback. Knows no DAW.
//!
//! A chain's life:
//! 1. a [`scan`] finds the machine's plugins, each looked at in a child process, and keeps a [`model::Catalog`];
//! 2. [`session::SessionHandle::open`] makes an empty chain that lives on the [`home`] thread, and gives out the
//!    [`engine::Processor`] for the audio thread;
//! 3. a chain comes from a file ([`store`]), from the DAW's bytes ([`session::SessionHandle::load`]) or edit by edit
//!    ([`session::Command`]): its plugins are opened by a [`backend`], under a note in the [`journal`];
//! 4. [`session::SessionHandle::activate`] starts them and puts a plan into the engine;
//! 5. the audio thread walks it, block by block ([`engine::Processor::process`]), while edits, saves and looks at the
//!    [`session::Snapshot`] go on;
//! 6. when the last handle goes, home takes the plan back, stops the plugins and destroys them.
//!
//! | thread | calls | never |
//! |---|---|---|
//! | home, ours | every main-thread function of a plugin | waits for the DAW |
//! | audio, the DAW's | [`engine::Processor`] | allocates, frees, locks, logs, calls the system |
//! | any other | [`session::SessionHandle`] | holds a plugin |
//!
//! Always true: the latency reported is where an impulse lands; no value that is no number leaves a slot; what went to the audio
//! thread comes home to be freed; state that cannot be used is kept and written back.
//!
//! ```
//! use host_core::backend::audio::EventBuffer;
//! use host_core::engine::ContainerBlock;
//! use host_core::model::{Chain, PluginId};
//! use host_core::session::{CatalogSource, HostSetup, Purpose, SessionConfig, SessionHandle, SlotStatus};
//!
//! let config = SessionConfig {
//!     purpose: Purpose::Offline,
//!     channels: 2,
//!     sidechain: 0,
//!     aux: 0,
//!     catalog: CatalogSource::Given(Default::default()),
//! };
//! let (session, mut processor) = SessionHandle::open(config)?;
//! let mut chain = Chain::default();
//! chain.insert(0, PluginId::clap("org.example.not-installed"));
//! // A plugin that is not here keeps its place and its state, and passes its input.
//! assert_eq!(session.load_chain(chain)?.len(), 1);
//! session.activate(HostSetup { rate: 48_000.0, max_block: 64, offline: true })?;
//!
//! let (mut left, mut right) = ([0.5_f32; 64], [0.5_f32; 64]);
//! processor.process(&mut ContainerBlock {
//!     main: &mut [&mut left, &mut right],
//!     sidechain: &[],
//!     aux: &mut [],
//!     events_in: &mut EventBuffer::new(16, false),
//!     events_out: &mut EventBuffer::new(16, false),
//!     transport: None,
//!     bypass: session.bypassed(),
//! });
//! assert_eq!(left[63], 0.5);
//! assert_eq!(session.snapshot().slots[0].status, SlotStatus::Missing);
//! # Ok::<(), host_core::session::LoadError>(())
//! ```

pub mod backend;
pub mod child;
pub mod engine;
pub mod home;
pub mod journal;
pub mod model;
pub mod pool;
pub mod scan;
pub mod session;
pub mod store;
pub mod windows;
