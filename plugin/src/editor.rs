//! Glue between the editor and the DAWs' windows.

use std::sync::{Arc, Mutex, PoisonError};

use host_core::session::Command;
use nice_plug::context::gui::GuiContext;
use nice_plug::editor::dpi::LogicalSize;
use nice_plug::prelude::*;
use nice_plug_egui::{
    EguiEditor, EguiEditorState, EguiNiceSettings, Frame, NiceEguiApp, RepaintNotifier, create_egui_editor,
};

use crate::container::Shared;
use crate::guard::guard;
use crate::params::ContainerParams;

/// The editor as nice-plug knows it.
pub type CatenaEditor = EguiEditor<Window>;

/// Size of a fresh editor, points.
const SIZE: LogicalSize<f32> = LogicalSize { width: 760.0, height: 480.0 };
/// Smallest size that shows everything needed, points.
const MIN_SIZE: LogicalSize<f32> = LogicalSize { width: 420.0, height: 260.0 };

/// What the editor needs of its container.
pub struct GuiBridge {
    shared: Arc<Shared>,
    params: Arc<ContainerParams>,
    bypass: Mutex<BypassSync>,
}

/// The container's bypass exists twice: as the DAW's parameter and in the chain. Whichever changed last wins.
#[derive(Default)]
pub struct BypassSync {
    param: bool,
    chain: bool,
}

impl BypassSync {
    /// Brings both together: sends the DAW's value into the chain, and answers the chain's where that changed.
    /// `[any but audio]`
    pub fn meet(&mut self, shared: &Shared, params: &ContainerParams) -> Option<bool> {
        let session = shared.session()?;
        let param = params.bypass.value();
        if param != self.param {
            self.param = param;
            if let Err(error) = session.apply(Command::BypassChain(param)) {
                shared.say(error.to_string());
            }
        }
        let chain = session.bypassed();
        if chain == self.chain {
            return None;
        }
        self.chain = chain;
        (chain != param).then(|| {
            self.param = chain;
            chain
        })
    }
}

impl GuiBridge {
    /// For the editor of one container. `[any but audio]`
    pub fn new(shared: Arc<Shared>, params: Arc<ContainerParams>) -> Self {
        Self { shared, params, bypass: Mutex::default() }
    }
}

/// Makes the editor; no window is opened yet. `[any but audio]`
pub fn create(bridge: Arc<GuiBridge>) -> Option<CatenaEditor> {
    let repaint = RepaintNotifier::new();
    create_egui_editor(
        EguiEditorState::from_size(SIZE, 1.0),
        repaint,
        EguiNiceSettings::new()
            .with_tile("Catena")
            .with_resize_hint(ResizeHint::RESIZABLE.with_min_logical_size(MIN_SIZE)),
        Window { bridge, context: None, editor: None, failed: false },
    )
}

/// One editor, open or closed.
pub struct Window {
    bridge: Arc<GuiBridge>,
    context: Option<GuiContext>,
    /// The editor, and which of the container's sessions it shows: another layout of channels makes another.
    editor: Option<(u64, catena_gui::Editor)>,
    /// A panic while drawing: a line of text from then on.
    failed: bool,
}

impl NiceEguiApp for Window {
    fn build(
        &mut self,
        _egui_ctx: egui::Context,
        nice_gui_ctx: GuiContext,
        _frame: &mut Frame,
    ) -> Result<(), nice_plug_egui::baseview::HandlerError> {
        self.context = Some(nice_gui_ctx);
        Ok(())
    }

    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut Frame) {
        if !self.failed {
            self.failed = !guard(false, || {
                self.tell_host();
                self.draw(ui);
                true
            });
        }
        if self.failed {
            ui.label("The editor stopped after an error of its own. Sound goes on; close and open the editor.");
        }
    }

    fn editor_closed(&mut self) {
        self.context = None;
        self.editor = None;
        self.failed = false;
    }
}

impl Window {
    fn draw(&mut self, ui: &mut egui::Ui) {
        let Some((number, session)) = self.bridge.shared.session_numbered() else {
            ui.label("Catena could not open a chain.");
            return;
        };
        if self.editor.as_ref().is_none_or(|(shown, _)| *shown != number) {
            self.editor = Some((number, catena_gui::Editor::new(session)));
        }
        if let Some((_, editor)) = &mut self.editor {
            editor.ui(ui);
        }
    }

    /// In VST3 the editor is where the DAW hears of edits and of a changed bypass; in CLAP its own main thread asks.
    fn tell_host(&self) {
        let Some(context) = &self.context else { return };
        let GuiBridge { shared, params, bypass } = &*self.bridge;
        if context.plugin_api() != PluginApi::Vst3 {
            return;
        }
        let setter = context.param_setter();
        let chain = bypass.lock().unwrap_or_else(PoisonError::into_inner).meet(shared, params);
        if let Some(value) = chain {
            setter.begin_set_parameter(&params.bypass);
            setter.set_parameter(&params.bypass, value);
            setter.end_set_parameter(&params.bypass);
        }
        let dirty = shared.session().is_some_and(|session| session.take_outbox().dirty);
        if let Some(revision) = params.revision.first().filter(|_| dirty) {
            setter.begin_set_parameter(&revision.value);
            setter.set_parameter(&revision.value, revision.next());
            setter.end_set_parameter(&revision.value);
        }
    }
}
