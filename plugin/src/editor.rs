//! Glue between the editor and the DAWs' windows.

mod focus;
mod guarded;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use host_core::model::MACROS;
use host_core::session::{EditorId, Listen, MacroSaid, Outbox};
use nice_plug::context::gui::GuiContext;
use nice_plug::editor::dpi::LogicalSize;
use nice_plug::prelude::*;
use nice_plug_egui::{EguiEditorState, EguiNiceSettings, Frame, NiceEguiApp, RepaintNotifier, create_egui_editor};

use crate::container::{Format, Shared};
use crate::guard::{guard, injected};
use crate::keys::Keys;
use crate::params::ContainerParams;
use crate::rooms::Rooms;
use focus::Focus;
pub use guarded::CatenaEditor;

/// Title of the editor's window.
const TITLE: &str = "Catena";
/// Size of a fresh editor, points.
const SIZE: LogicalSize<f32> = LogicalSize { width: 1000.0, height: 620.0 };
/// Smallest size that shows everything needed, points.
const MIN_SIZE: LogicalSize<f32> = LogicalSize { width: 420.0, height: 260.0 };

/// What the editor needs of its container.
pub struct GuiBridge {
    format: Format,
    shared: Arc<Shared>,
    params: Arc<ContainerParams>,
    news: Mutex<News>,
    /// A call of [`GuiBridge::tell_host`] is asked for and has not come yet.
    asked: AtomicBool,
    /// The window that is open, or was last.
    window: Mutex<Option<EditorId>>,
    /// What the DAW calls the track.
    track: Mutex<String>,
}

/// What a VST3 or LV2 host is to hear, and from whom it hears it while the editor is open.
#[derive(Default)]
struct News {
    host: Option<GuiContext>,
    bypass: Option<bool>,
    macros: Vec<MacroSaid>,
}

impl GuiBridge {
    /// For the editor of one container. `[any but audio]`
    pub fn new(format: Format, shared: Arc<Shared>, params: Arc<ContainerParams>) -> Self {
        Self {
            format,
            shared,
            params,
            news: Mutex::default(),
            asked: AtomicBool::new(false),
            window: Mutex::default(),
            track: Mutex::default(),
        }
    }

    /// Notes what the DAW calls the track that the container is on. `[host's main thread]`
    pub fn name_track(&self, name: &str) {
        name.clone_into(&mut self.track.lock().unwrap_or_else(PoisonError::into_inner));
        if let Some(session) = self.shared.session() {
            session.name_track(name.to_owned());
        }
    }

    /// The editor's window is about to go: plugins' windows are taken out of it. `[host's main thread]`
    fn leave(&self) {
        let window = self.window.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let (Some(window), Some(session)) = (window, self.shared.session()) {
            session.leave(window);
            // The editor itself is dropped at the next opening only.
            session.listen_soon(Listen::Nothing);
        }
    }

    fn news(&self) -> MutexGuard<'_, News> {
        self.news.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks what there is to tell. True: [`GuiBridge::tell_host`] is to be called, on the host's main thread.
    /// `[any but audio]`
    fn gather(&self) -> bool {
        let Self { shared, params, .. } = self;
        let session = shared.session();
        let outbox = session.as_ref().map(|session| session.take_outbox()).unwrap_or_default();
        // What was moved by hand is told as gestures below.
        shared.take_in(Outbox { macros_said: false, ..outbox });
        let chain = shared.meet_bypass(params);
        let mut news = self.news();
        news.bypass = chain.or(news.bypass);
        news.macros.extend(session.map(|session| session.take_macros_said()).unwrap_or_default());
        // In LV2 it is `run` that tells of edits.
        let revised = self.format == Format::Vst3 && (shared.dirty() || shared.titles.wait());
        (news.bypass.is_some() || !news.macros.is_empty() || revised) && !self.asked.swap(true, Ordering::Relaxed)
    }

    /// Tells a VST3 or LV2 host of a changed bypass and of macros as they were moved, a VST3 host of edits and titles too.
    /// `[host's main thread]`
    pub fn tell_host(&self) {
        self.asked.store(false, Ordering::Relaxed);
        let (host, bypass, macros) = {
            let mut news = self.news();
            (news.host.clone(), news.bypass.take(), std::mem::take(&mut news.macros))
        };
        let Some(host) = host else { return };
        self.shared.titles.tell();
        let (setter, params) = (host.param_setter(), &self.params);
        if let Some(value) = bypass {
            setter.begin_set_parameter(&params.bypass);
            setter.set_parameter(&params.bypass, value);
            setter.end_set_parameter(&params.bypass);
        }
        for said in macros {
            let (MacroSaid::Begin(number) | MacroSaid::Value(number, _) | MacroSaid::End(number)) = said;
            let Some(param) = params.macros.get(number.index()) else { continue };
            let marks = &self.shared.macro_marks;
            match said {
                MacroSaid::Begin(_) => {
                    marks.hold(number.index(), true);
                    setter.begin_set_parameter(param);
                }
                MacroSaid::Value(_, value) => {
                    marks.tell(number.index(), value as f32);
                    setter.set_parameter(param, value as f32);
                }
                MacroSaid::End(_) => {
                    setter.end_set_parameter(param);
                    marks.hold(number.index(), false);
                }
            }
        }
        if let Some(revision) = params.revision.first().filter(|_| self.shared.take_dirty()) {
            setter.begin_set_parameter(&revision.value);
            setter.set_parameter(&revision.value, revision.next());
            setter.end_set_parameter(&revision.value);
        }
    }
}

/// Makes the editor; no window is opened yet. `ask` has [`GuiBridge::tell_host`] called on the host's main thread:
/// the window has a thread of its own. `[any but audio]`
pub fn create(bridge: Arc<GuiBridge>, ask: impl Fn() + Send + 'static) -> Option<CatenaEditor> {
    let repaint = RepaintNotifier::new();
    let drawn = repaint.clone();
    let state = EguiEditorState::from_size(SIZE, 1.0);
    // In CLAP nobody asks.
    if bridge.format != Format::Clap {
        let state = Arc::clone(&state);
        bridge.shared.set_editor(Box::new(move || state.is_open()));
    }
    let editor = create_egui_editor(
        Arc::clone(&state),
        repaint,
        EguiNiceSettings::new()
            .with_tile(TITLE)
            .with_resize_hint(ResizeHint::RESIZABLE.with_min_logical_size(MIN_SIZE)),
        Window {
            bridge: Arc::clone(&bridge),
            repaint: drawn,
            ask: Box::new(ask),
            editor: None,
            rooms: Rooms::open(),
            keys: Keys::default(),
            focus: Focus::default(),
            failed: false,
        },
    );
    editor.map(|editor| CatenaEditor::new(editor, bridge, state))
}

/// One editor, open or closed.
pub struct Window {
    bridge: Arc<GuiBridge>,
    /// Has it drawn.
    repaint: RepaintNotifier,
    ask: Box<dyn Fn() + Send>,
    /// The editor, and which of the container's sessions it shows: another layout of channels makes another.
    editor: Option<(u64, catena_gui::Editor)>,
    rooms: Rooms,
    keys: Keys,
    focus: Focus,
    /// A panic while drawing: a line of text from then on.
    failed: bool,
}

impl NiceEguiApp for Window {
    fn build(
        &mut self,
        _egui_ctx: egui::Context,
        nice_gui_ctx: GuiContext,
        frame: &mut Frame,
    ) -> Result<(), nice_plug_egui::baseview::HandlerError> {
        crate::present::listen(frame);
        // What is left of the window before: nobody says when that is closed.
        self.editor = None;
        self.rooms = Rooms::open();
        *self.bridge.window.lock().unwrap_or_else(PoisonError::into_inner) = Some(self.rooms.editor());
        self.keys = Keys::default();
        self.focus = Focus::default();
        self.failed = false;
        // In CLAP the host's own main thread asks.
        if self.bridge.format != Format::Clap {
            let mut news = self.bridge.news();
            news.host = Some(nice_gui_ctx);
            // Of before: the values were told without an editor.
            news.macros.clear();
            drop(news);
            (0..MACROS).for_each(|index| self.bridge.shared.macro_marks.hold(index, false));
            self.bridge.asked.store(false, Ordering::Relaxed);
        }
        Ok(())
    }

    fn ui(&mut self, ui: &mut egui::Ui, frame: &mut Frame) {
        injected("window frame");
        if !self.failed {
            self.failed = !guard(false, || {
                if self.bridge.shared.editor_open() && self.bridge.gather() {
                    (self.ask)();
                }
                self.draw(ui, frame);
                let leaves_space = self.editor.as_ref().is_some_and(|(_, editor)| editor.leaves_space());
                self.keys.pass_on(ui.ctx(), frame, leaves_space);
                self.focus.settle(ui.ctx(), frame);
                if let Some(again) = self.focus.watches(frame) {
                    ui.ctx().request_repaint_after(again);
                }
                true
            });
        }
        if self.failed {
            ui.label("The editor stopped after an error of its own. Sound goes on; close and open the editor.");
        }
    }
}

impl Window {
    fn draw(&mut self, ui: &mut egui::Ui, frame: &Frame) {
        let Some((number, session)) = self.bridge.shared.session_numbered() else {
            ui.label("Catena could not open a chain.");
            return;
        };
        if self.editor.as_ref().is_none_or(|(shown, _)| *shown != number) {
            // What the session before had in this window goes with it.
            self.rooms.forget();
            let repaint = self.repaint.clone();
            session.on_news(Box::new(move || repaint.request_repaint()));
            session.name_track(self.bridge.track.lock().unwrap_or_else(PoisonError::into_inner).clone());
            self.editor = Some((number, catena_gui::Editor::new(session.clone())));
        }
        if let Some((_, editor)) = &mut self.editor {
            editor.daw_was_told(self.bridge.shared.latency_told());
            editor.ui(ui);
            self.rooms.follow(editor.inside(ui.ctx()), ui.ctx(), frame, &session);
        }
    }
}
