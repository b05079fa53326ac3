//! The editor's state and its layout.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use egui::{CentralPanel, Context, Panel, Ui, Vec2};
use host_core::model::{Settings, SlotId};
use host_core::session::{Command, SessionHandle, Snapshot};

use crate::browser::Wish;
use crate::clipboard::Clipboard;
use crate::foreseen::Foreseen;
use crate::header::Header;
use crate::host::Host;
use crate::inside::Inside;
use crate::macros::Macros;
use crate::outline::Outline;
use crate::params::Held;
use crate::stage::{Page, Seen, Stage};
use crate::value::{self, look_at_wheel};
use crate::{meters, rack, slot, theme};

/// Below this width the pages stand under the rack, points.
const NARROW: f32 = 600.0;
/// How often it is looked at what nobody tells of: plugins that another process found. A picture that stands still costs nothing
/// between.
const REFRESH: Duration = Duration::from_secs(5);
/// How often it is looked how far a search for plugins is, and whether what the user asked for a moment ago is answered.
const PROGRESS: Duration = Duration::from_millis(100);
/// Seconds after which what was asked for is answered, or tells by itself.
const ANSWERED: f64 = 3.0;

/// The editor of one chain. Holds what is of the view alone: the chain itself lives in the session.
pub struct Editor {
    host: Box<dyn Host>,
    header: Header,
    stage: Stage,
    macros: Macros,
    pub(crate) rack: RackState,
    /// What the chain was told of the slot that is shown.
    told: Option<(SlotId, bool)>,
    /// The user has chosen neither slot nor page yet: what the last editor showed is shown again.
    fresh: bool,
    /// What was done of the settings: how large it is drawn, and whether it is listened to.
    done: (Option<f32>, bool),
    /// When the user did something last, seconds.
    touched: f64,
    /// A value that is turned has the keys.
    turns: bool,
}

/// What the rack remembers between frames.
#[derive(Default)]
pub(crate) struct RackState {
    /// The slot that the keyboard acts on, and after which new plugins go.
    pub selected: Option<SlotId>,
    /// The selected slot is to be shown on its page.
    pub show: bool,
    /// What is chosen beside it, in the same list.
    pub also: BTreeSet<SlotId>,
    /// How high lines were when they were drawn last, points.
    pub heights: BTreeMap<SlotId, f32>,
    /// A slot that is to get the keyboard's focus, because it was moved or took a removed one's place.
    pub focus: Option<SlotId>,
    /// What in the rack had the keys in the picture before: a slot, or the empty rack.
    pub keys: Option<Option<SlotId>>,
    /// A value being changed, shown until the session has it.
    pub held: Option<Held>,
    /// What removing the slot under the pointer would do to the latency.
    pub foreseen: Foreseen,
    /// The last slot was removed: the empty rack is to get the focus, so that a second Delete is nobody else's.
    pub bare: bool,
    /// The focus is on a slot as a whole, or on the empty rack.
    pub whole: bool,
    /// Slots whose windows were open when the chain was saved, and that were asked to open them again.
    pub reopened: Vec<SlotId>,
    /// Slots whose parameters are folded out.
    pub params: BTreeSet<SlotId>,
    /// Slots whose further settings are.
    pub more: BTreeSet<SlotId>,
    /// A name that is being typed, and whose.
    pub typed: Option<(SlotId, String)>,
    /// A plugin is wanted: the page that finds them is to be shown.
    pub wish: Option<Wish>,
    /// What is on its way to the clipboard.
    pub clipboard: Clipboard,
}

impl RackState {
    /// Whether what the user does is done to it.
    pub fn is_chosen(&self, id: SlotId) -> bool {
        self.selected == Some(id) || self.also.contains(&id)
    }

    /// Chooses one alone.
    pub fn choose(&mut self, id: SlotId) {
        if self.selected != Some(id) {
            self.selected = Some(id);
            self.also.clear();
        }
    }
}

impl Editor {
    /// An editor of `handle`'s chain.
    pub fn new(handle: SessionHandle) -> Self {
        Self::with_host(Box::new(handle))
    }

    /// An editor of any chain.
    pub fn with_host(host: Box<dyn Host>) -> Self {
        Self {
            host,
            header: Header::default(),
            stage: Stage::default(),
            macros: Macros::default(),
            rack: RackState::default(),
            told: None,
            fresh: true,
            done: (None, false),
            touched: 0.0,
            turns: false,
        }
    }

    /// Where the chain is empty, the search field has the keys at once: for a window that is the editor's own. `[editor]`
    pub fn find_first(&mut self) {
        if self.host.snapshot().nodes.is_empty() {
            self.stage.find(Wish::Add);
        }
    }

    /// Says which latency the DAW was told last, frames. `[editor]`
    pub fn daw_was_told(&mut self, latency: u32) {
        self.header.told = Some(latency);
    }

    /// Whether the space bar does nothing to what has the focus, so that it may be the DAW's: no field, no button.
    /// `[editor]`
    pub fn leaves_space(&self) -> bool {
        self.rack.whole || self.turns
    }

    /// Where a plugin's own window has room in the frame that was just drawn: whoever made this editor's window puts it there.
    /// `[editor]`
    pub fn inside(&self, context: &egui::Context) -> Option<Inside> {
        self.stage.inside().map(|inside| inside.below(context))
    }

    /// Draws one frame into the whole of `ui` and acts on what the user did. `[editor]`
    pub fn ui(&mut self, ui: &mut Ui) {
        let desk = self.host.desk();
        theme::apply(ui.ctx(), desk.settings.theme);
        self.follow(ui.ctx(), &desk.settings);
        let snapshot = self.host.snapshot();
        let catalog = self.host.catalog();
        look_at_wheel(ui);
        let outline = Outline::of(&snapshot);
        self.rack.selected.take_if(|id| outline.row(*id).is_none());
        self.show_again(&snapshot);
        let host = self.host.as_ref();
        reopen_windows(&snapshot, &mut self.rack.reopened, host);
        Panel::top("header").show(ui, |ui| self.header.ui(ui, (&snapshot, &outline), &mut self.macros.open, host));
        if self.macros.open {
            Panel::top("macros").show(ui, |ui| self.macros.ui(ui, &snapshot, host));
        }
        let beside = beside(ui.available_size(), self.stage.page());
        let seen = Seen {
            snapshot: &snapshot,
            outline: &outline,
            catalog: &catalog,
            desk: &desk,
            selected: self.rack.selected,
        };
        beside.show(ui, |ui| self.stage.ui(ui, seen, host));
        CentralPanel::default().show(ui, |ui| rack::ui(ui, (&snapshot, &outline), &catalog, &mut self.rack, host));
        if std::mem::take(&mut self.rack.show) {
            self.stage.show(Page::Plugin);
            ui.ctx().request_repaint();
        }
        if let Some(wish) = self.rack.wish.take() {
            self.stage.find(wish);
            ui.ctx().request_repaint();
        }
        self.tell_shown();
        self.turns = value::has_keys(ui.ctx());
        let (now, active) = ui.input(|input| (input.time, !input.events.is_empty()));
        self.touched = if active { now } else { self.touched };
        let soon = now - self.touched < ANSWERED || self.host.scans().progress.is_some();
        ui.ctx().request_repaint_after(if soon { PROGRESS } else { REFRESH });
    }
}

impl Editor {
    /// Does what the settings say, where that is another thing than before.
    fn follow(&mut self, context: &Context, settings: &Settings) {
        meters::hold_peaks(context, settings.peak_hold);
        let done = (settings.scale, settings.loudness);
        if done.0 != self.done.0 {
            let given = context.native_pixels_per_point().unwrap_or(1.0);
            context.set_zoom_factor(settings.scale.map_or(1.0, |scale| scale / given));
        }
        if done.1 != self.done.1 {
            self.host.listen(done.1);
        }
        self.done = done;
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        if self.done.1 {
            self.host.listen(false);
        }
    }
}

impl Editor {
    /// What the last editor of this chain showed.
    fn show_again(&mut self, snapshot: &Snapshot) {
        self.fresh &= self.rack.selected.is_none() && self.stage.page() == Page::Find;
        let left = snapshot.slots.iter().find(|view| view.window.shown).filter(|_| self.fresh);
        if let Some(view) = left {
            self.rack.selected = Some(view.id);
            self.told = Some((view.id, view.window.parameters));
            self.stage.show(Page::Plugin);
        }
    }

    /// Has the chain keep what is shown.
    fn tell_shown(&mut self) {
        let shown = self.stage.shown();
        if std::mem::replace(&mut self.told, shown) != shown {
            let (slot, parameters) = (shown.map(|(slot, _)| slot), shown.is_some_and(|(_, parameters)| parameters));
            self.host.send(Command::Show { slot, parameters });
        }
    }
}

/// The panel of the pages. A plugin's window needs more room than a list, so its page has a size of its own.
fn beside(room: Vec2, page: Page) -> Panel {
    let (name, narrow, wide) = match page {
        Page::Plugin => ("stage of a plugin", (room.y * 0.6).max(120.0), (room.x * 0.58).max(200.0)),
        _ => ("stage", 220.0, 270.0),
    };
    if room.x < NARROW {
        return Panel::bottom(name).default_size(narrow).min_size(120.0).resizable(true);
    }
    // Some of the rack is always seen.
    Panel::right(name).default_size(wide).min_size(200.0).max_size(room.x - 220.0).resizable(true)
}

/// Windows that were open when the chain was saved, or when their slots were removed, come back with the editor; each is asked for
/// once.
fn reopen_windows(snapshot: &Snapshot, asked: &mut Vec<SlotId>, host: &dyn Host) {
    let wanted = snapshot.slots.iter().filter(|view| view.window.left_open);
    asked.retain(|id| wanted.clone().any(|view| view.id == *id));
    for view in wanted {
        if let Some(open) = slot::window(view).filter(|_| !asked.contains(&view.id)) {
            asked.push(view.id);
            host.send(open);
        }
    }
}
