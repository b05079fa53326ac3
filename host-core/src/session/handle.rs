//! What a container, an editor or the command line holds of a session.

mod asking;
mod copying;
mod editing;
mod presets;
mod rooms;

use std::sync::mpsc::sync_channel;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use asking::busy;
use editing::brings;

use super::catalog;
use super::desk;
use super::keep;
use super::owner::{Owner, Waiter};
use super::shared::Shared;
use super::{
    Command, EditError, Exporter, HostSetup, LatencyChange, Listen, LoadError, MacroSaid, Outbox, SessionConfig,
    SlotReport, Snapshot,
};
use crate::engine::{EngineConfig, MacroBank, Processor, engine};
use crate::home::{self, HomeError, LOAD_PATIENCE, PATIENCE, ResidentId, home};
use crate::model::{Bytes, Catalog, Chain, Desk, DeskEdit, Folders, MacroId, PluginId};
use crate::scan;

/// How long the end of a session is waited for. A DAW that removes us goes on after it; home finishes by itself.
const FAREWELL: Duration = Duration::from_millis(400);

/// What a container, an editor or the command line holds of a session. `Send + Sync + Clone`; the session is taken down when the
/// last clone goes.
#[derive(Clone)]
pub struct SessionHandle(Arc<Inner>);

struct Inner {
    id: ResidentId,
    config: SessionConfig,
    shared: Arc<Shared>,
    macros: Arc<MacroBank>,
    exporter: OnceLock<Exporter>,
}

impl SessionHandle {
    /// Makes a session with an empty chain, and the audio thread's end of it. Scans nothing. `[any but audio]`
    pub fn open(config: SessionConfig) -> Result<(Self, Processor), LoadError> {
        let channels = config.channels;
        let (processor, controller) = engine(EngineConfig { channels, sidechain: config.sidechain, aux: config.aux });
        let shared = Arc::new(Shared::default());
        let macros = controller.macros();
        let (for_owner, for_config) = (shared.clone(), config.clone());
        let id = home::new_name();
        let home = home().map_err(busy)?;
        let join = move || home::adopt(id, Box::new(Owner::new(id, for_config, controller, for_owner)));
        match home::is_home() {
            // A chain inside a chain: what is asked of it next runs inline too, and would come before it.
            true => join(),
            // Not waited for: where home is stuck in another chain's plugin, this one is there when it answers.
            false => home.post(join),
        }
        let exporter = OnceLock::new();
        Ok((Self(Arc::new(Inner { id, config, shared, macros, exporter })), processor))
    }

    /// Says who makes exports of this chain: the product around the session knows other hosts, the session none. Once. `[any]`
    pub fn set_exporter(&self, exporter: Exporter) {
        let _the_first_stays = self.0.exporter.set(exporter);
    }

    pub(super) fn exporter(&self) -> Option<Exporter> {
        self.0.exporter.get().copied()
    }

    /// Starts the chain: returns when every plugin is active. Called while the host does not process. A call that changes
    /// neither rate, largest block nor offline mode leaves the plugins as they are. `[host's main thread]`
    pub fn activate(&self, setup: HostSetup) -> Result<(), LoadError> {
        self.ask(PATIENCE, move |owner| owner.activate(setup))
    }

    /// The host stopped processing for good or for a restart; plugins stay active until told otherwise. `[host's main thread]`
    pub fn deactivate(&self) {
        let _busy = self.ask(PATIENCE, |owner| owner.engine.set_deactivated(true));
    }

    /// The chain as last seen. `[any but audio]`
    pub fn snapshot(&self) -> Arc<Snapshot> {
        self.0.shared.snapshot()
    }

    /// What an edit would do to the latency that the DAW is told; `None` where only doing it can tell. A plugin that it adds is
    /// opened in a child for that. `[any but audio]`
    pub fn preview(&self, command: Command) -> Result<Option<LatencyChange>, EditError> {
        let rate = self.snapshot().rate;
        let added = match brings(&command) {
            Some(plugin) if rate > 0.0 && !home::is_home() => {
                self.prepare(&command);
                let catalog = self.catalog();
                let entry = catalog.find(plugin).ok_or_else(|| EditError::NoPlugin(plugin.clone()))?;
                let told = scan::measure(entry, &[rate as u32], &Folders::from_env()).map_err(EditError::Plugin)?;
                told.first().filter(|told| told.problem.is_none()).map(|told| told.reported)
            }
            _ => None,
        };
        let answer = self.ask(PATIENCE, move |owner| owner.preview(&command, added));
        answer.map_err(|error| EditError::Busy(error.to_string()))?
    }

    /// Says where loudness is to be worked out from now on. `[any but audio]`
    pub fn listen(&self, listen: Listen) {
        let _busy = self.ask(PATIENCE, move |owner| owner.listen(listen));
    }

    /// The same, when home comes to it, before all that is asked of it after this. `[any but audio]`
    pub fn listen_soon(&self, listen: Listen) {
        self.tell(move |owner| owner.listen(listen));
    }

    /// Reads all meters now and gives out what they say: a render that is faster than time must not leave its sound unheard.
    /// `[any but audio]`
    pub fn look(&self) -> Arc<Snapshot> {
        let _busy = self.ask(PATIENCE, |owner| {
            owner.look_at_meters(Instant::now());
            owner.look_at_guard();
            owner.publish();
        });
        self.snapshot()
    }

    /// The whole chain with fresh states, as model values. `[any but audio]`
    pub fn chain(&self) -> Result<Chain, LoadError> {
        self.settle();
        self.ask(PATIENCE, |owner| {
            owner.flush_params();
            owner.fresh_chain()
        })
    }

    /// The same as a save writes it: with what waits, as a whole, for the transport to stop. `[any but audio]`
    pub fn chain_to_save(&self) -> Result<Chain, LoadError> {
        self.settle();
        self.ask(PATIENCE, |owner| {
            owner.flush_params();
            owner.chain_to_save()
        })
    }

    /// Replaces the chain; returns when it is built and, where the session is active, runs. Slots that could not be opened are in
    /// the answer and keep their state. `[any but audio]`
    pub fn load_chain(&self, chain: Chain) -> Result<Vec<SlotReport>, LoadError> {
        self.learn(catalog::wanted(&chain));
        self.load_with(move |owner| {
            owner.forget_kept();
            owner.replace(chain);
            Ok(())
        })
    }

    /// The whole chain as packed bytes, for the DAW. See [`SessionHandle::save_telling`]. `[any but audio]`
    pub fn save(&self) -> Result<Vec<u8>, LoadError> {
        self.save_telling().map(|(bytes, _)| bytes)
    }

    /// The whole chain as packed bytes, for the DAW, and what there is to say of them. Where home is stuck in a plugin's call
    /// they are what is known without it: the chain with every edit, the values of all parameters, and of each plugin's own
    /// bytes those that were kept last; and when home answers the chain counts as changed. `[any but audio]`
    pub fn save_telling(&self) -> Result<(Vec<u8>, Option<String>), LoadError> {
        let fresh = self.ask_home(PATIENCE, |owner| {
            owner.flush_params();
            owner.save()
        });
        let error = match fresh {
            Ok(saved) => return saved.map(|bytes| (bytes, None)),
            Err(error) => error,
        };
        let doing = match &error {
            HomeError::Stuck(doing) => Some(doing),
            _ => None,
        };
        let (bytes, words) = self.0.shared.save_without_home(self.0.id, doing, &self.0.macros)?;
        self.later(Owner::mark_dirty);
        Ok((bytes, Some(format!("{error}: {words}"))))
    }

    /// Replaces the chain by packed bytes from the DAW. Bytes that are no chain are kept for the next save, and the chain is
    /// empty; of damaged ones what can be saved is loaded, and the notice says what was lost. Waits half a minute at most; what is not loaded by then goes on loading. `[any but audio]`
    pub fn load(&self, bytes: &[u8]) -> Result<Vec<SlotReport>, LoadError> {
        let read = keep::read(bytes);
        let bytes: Bytes = Arc::from(bytes);
        self.0.shared.keep(&bytes);
        if let Ok(read) = &read {
            self.learn(catalog::wanted(&read.chain));
        }
        self.load_with(move |owner| owner.replace_by(bytes, read))
    }

    fn load_with(
        &self,
        replace: impl FnOnce(&mut Owner) -> Result<(), LoadError> + Send + 'static,
    ) -> Result<Vec<SlotReport>, LoadError> {
        let begun = Instant::now();
        let (waiter, done) = sync_channel(1);
        let outcome = self.ask(LOAD_PATIENCE, move |owner| {
            let outcome = replace(owner);
            owner.wait(waiter);
            outcome
        })?;
        match self.await_settled(&done, begun) {
            Some(reports) => outcome.map(|()| reports),
            None => {
                let doing = home().map_err(busy)?.give_up();
                self.tell_stuck(&doing);
                Err(busy(HomeError::Stuck(doing)))
            }
        }
    }

    /// Says which plugin this chain is, where it is one of its own: it is refused in itself. `[any but audio]`
    pub fn set_own(&self, ids: Vec<PluginId>) -> Result<(), LoadError> {
        self.ask(PATIENCE, move |owner| owner.own = ids)
    }

    /// Latency to report, frames. Wait-free. `[any]`
    pub fn latency(&self) -> u32 {
        self.0.shared.latency()
    }

    /// Whether the chain is bypassed as a whole: what the container hands to the engine with each block. Wait-free. `[any]`
    pub fn bypassed(&self) -> bool {
        self.0.shared.bypassed()
    }

    /// The chain is saved somewhere as it was `then`: only what changed since is to be rescued, should this process end without a
    /// word. Never waits. `[any but audio]`
    pub fn note_saved(&self, then: Instant) {
        self.later(move |owner| owner.rescue.saved(then));
    }

    /// The DAW switches the bypass of the chain as a whole, and undoes that itself. Never waits. `[any but audio]`
    pub fn bypass_by_the_daw(&self, bypass: bool) {
        self.later(move |owner| owner.bypass_by_the_daw(bypass));
    }

    /// What the DAW's thread is to do for us; taken once. Wait-free: where a format has no other place, its audio thread asks. `[any]`
    pub fn take_outbox(&self) -> Outbox {
        self.0.shared.take_outbox()
    }

    /// Where the macros stand, and the way to move them from outside of a block. Wait-free. `[any]`
    pub fn macros(&self) -> &Arc<MacroBank> {
        &self.0.macros
    }

    /// What the DAW is to hear of macros that were moved inside; taken once. `[any but audio]`
    pub fn take_macros_said(&self) -> Vec<MacroSaid> {
        self.0.shared.take_macros_said()
    }

    /// The words for a macro at `value`, 0..1: its first target's own. `None` where it has none. `[any but audio]`
    pub fn macro_text(&self, number: MacroId, value: f64) -> Option<String> {
        self.ask(PATIENCE, move |owner| owner.macro_text(number, value)).ok().flatten()
    }

    /// Where a macro must stand for its first target to be what `text` says. `[any but audio]`
    pub fn macro_parse(&self, number: MacroId, text: &str) -> Option<f64> {
        let text = text.to_owned();
        self.ask(PATIENCE, move |owner| owner.macro_parse(number, &text)).ok().flatten()
    }

    /// `wake` is called from home when the outbox fills: it must be safe from any thread and never wait (CLAP's
    /// `request_callback`). `[any but audio]`
    pub fn on_outbox(&self, wake: Box<dyn Fn() + Send + Sync>) {
        self.0.shared.set_waker(wake);
    }

    /// From now on nobody is woken: the DAW is about to destroy what `wake` points to. `[any but audio]`
    pub fn end_outbox(&self) {
        self.0.shared.drop_waker();
    }

    /// Reads the scan cache again (after a scan). `[any but audio]`
    pub fn refresh_catalog(&self) {
        let fresh = catalog::catalog(&self.0.config.catalog);
        self.0.shared.set_catalog(fresh.clone());
        let _busy = self.ask(PATIENCE, move |owner| owner.catalog = fresh);
    }

    /// The machine's settings, and what the user thinks of plugins. `[any but audio]`
    pub fn desk(&self) -> Arc<Desk> {
        desk::desk()
    }

    /// Changes either; kept by a job. `[any but audio]`
    pub fn change_desk(&self, edit: DeskEdit) {
        desk::change(edit);
    }

    /// What it was made for.
    pub(super) fn config(&self) -> &SessionConfig {
        &self.0.config
    }

    pub(super) fn shared(&self) -> &Shared {
        &self.0.shared
    }

    /// `told` is called from home whenever there is another snapshot: it must be safe from any thread and never wait (an editor's
    /// mark that it is to be drawn). One at a time; the next takes its place. `[any but audio]`
    pub fn on_news(&self, told: Box<dyn Fn() + Send + Sync>) {
        self.0.shared.set_listener(told);
    }

    /// The catalog in use, for a browser; read when it is first asked for. `[any but audio]`
    pub fn catalog(&self) -> Arc<Catalog> {
        self.0.shared.catalog(|| catalog::catalog(&self.0.config.catalog))
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.shared.drop_waker();
        let id = self.id;
        let Ok(home) = home() else { return };
        if home::is_home() {
            return home::dismiss(id);
        }
        let (gone, farewell) = sync_channel(1);
        home.post(move || {
            home::dismiss(id);
            let _nobody_waits = gone.send(());
        });
        let _late = farewell.recv_timeout(FAREWELL);
    }
}

impl Owner {
    /// Tells `waiter` when everything is done; at once where it is.
    pub(super) fn wait(&mut self, waiter: Waiter) {
        self.waiters.push(waiter);
    }

    /// Waits until the audio thread has taken every parameter change, so that a save holds them.
    pub(super) fn flush_params(&mut self) {
        self.send_params();
        self.engine.flush();
        self.serve_idle();
    }

    /// Says something of the whole chain.
    pub(super) fn set_notice(&mut self, text: String) {
        self.notice = text;
        self.news = true;
    }
}
