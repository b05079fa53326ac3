//! nice-plug calls an editor from C functions of its own, which end the process where a panic comes to them: here it stops.
//!
//! The window has a thread of its own. A panic there (a display that is gone, say) ends that thread and its window, and nothing else:
//! it may be closed as ever, and what is opened next is a new window. baseview may hand such a panic on to whoever closes the
//! window, so that is guarded too.

use std::error::Error;

use nice_plug::context::gui::GuiContext;
use nice_plug::editor::dpi::NativeSize;
use nice_plug::editor::{EditorHandle, HostMethods, SpawnedEditor};
use nice_plug::plugin::TrackInfo;
use nice_plug::prelude::{Editor, Modifiers, ParentWindowHandle, ResizeHint, VirtualKeyCode};
use nice_plug_egui::baseview;
use nice_plug_egui::{EguiEditor, EguiEditorHandle};

use super::{SIZE, Window};
use crate::guard::{guard, injected};

/// The editor as nice-plug knows it.
pub struct CatenaEditor(EguiEditor<Window>);

/// An open editor.
pub struct Handle(EguiEditorHandle);

/// Its window, until it is closed.
pub struct OpenWindow(Option<baseview::Window>);

/// Why a window does not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum WindowError {
    /// The window system said no.
    #[error("{0}")]
    System(#[from] baseview::Error),
    /// A panic.
    #[error("Catena's window stopped after an error of its own; close and open it")]
    Stopped,
}

impl CatenaEditor {
    /// Guards `editor`.
    pub(super) fn new(editor: EguiEditor<Window>) -> Self {
        Self(editor)
    }
}

impl Editor for CatenaEditor {
    type Handle = Handle;

    fn spawn(
        &self,
        parent: Option<ParentWindowHandle>,
        wait_for_parent: bool,
        fallback_scale_factor: Option<f64>,
        gui_context: GuiContext,
        host: Option<HostMethods>,
    ) -> Result<SpawnedEditor<Handle>, Box<dyn Error>> {
        guard(Err(WindowError::Stopped.into()), || {
            injected("editor spawn");
            let opened = self.0.spawn(parent, wait_for_parent, fallback_scale_factor, gui_context, host)?;
            Ok(SpawnedEditor { handle: Handle(opened.handle), window: OpenWindow(Some(opened.window)) })
        })
    }

    fn size(&self) -> NativeSize<u32> {
        guard(NativeSize::new(SIZE.width as u32, SIZE.height as u32), || self.0.size())
    }

    fn resize_hint(&self) -> ResizeHint {
        guard(ResizeHint::default(), || self.0.resize_hint())
    }

    fn track_info_updated(&self, info: TrackInfo) {
        guard((), || self.0.track_info_updated(info));
    }
}

/// Does something to a window that is open.
fn at(
    window: &OpenWindow,
    place: &str,
    work: impl FnOnce(&baseview::Window) -> Result<(), baseview::Error>,
) -> Result<(), WindowError> {
    guard(Err(WindowError::Stopped), || {
        injected(place);
        work(window.0.as_ref().ok_or(WindowError::Stopped)?).map_err(WindowError::from)
    })
}

impl EditorHandle for Handle {
    type Window = OpenWindow;
    type Error = WindowError;

    fn run_until_closed(mut window: OpenWindow) -> Result<(), WindowError> {
        let Some(window) = window.0.take() else { return Ok(()) };
        guard(Err(WindowError::Stopped), || EguiEditorHandle::run_until_closed(window).map_err(WindowError::from))
    }

    fn set_parent(&self, parent: ParentWindowHandle, window: &OpenWindow) -> Result<(), WindowError> {
        at(window, "editor set_parent", |window| self.0.set_parent(parent, window))
    }

    fn show(&self, window: &OpenWindow) -> Result<(), WindowError> {
        at(window, "editor show", |window| self.0.show(window))
    }

    fn hide(&self, window: &OpenWindow) -> Result<(), WindowError> {
        at(window, "editor hide", |window| self.0.hide(window))
    }

    fn set_size(&self, new_size: NativeSize<u32>, window: &OpenWindow) -> Result<(), WindowError> {
        at(window, "editor set_size", |window| self.0.set_size(new_size, window))
    }

    fn set_fallback_scale_factor(&self, scale_factor: f64, window: &OpenWindow) -> Result<(), WindowError> {
        at(window, "editor set_scale", |window| self.0.set_fallback_scale_factor(scale_factor, window))
    }

    fn adjust_size(&self, new_size: NativeSize<u32>, window: &OpenWindow) -> Option<NativeSize<u32>> {
        guard(None, || self.0.adjust_size(new_size, window.0.as_ref()?))
    }

    fn host_main_thread_callback(&self, window: &OpenWindow) {
        let _stopped = at(window, "editor host_main_thread_callback", |window| {
            self.0.host_main_thread_callback(window);
            Ok(())
        });
    }

    fn on_virtual_key_from_host(&self, key_code: VirtualKeyCode, is_down: bool, modifiers: Modifiers) -> bool {
        guard(false, || self.0.on_virtual_key_from_host(key_code, is_down, modifiers))
    }

    fn state_changed(&self) {
        guard((), || self.0.state_changed());
    }

    fn param_value_changed(&self, id: &str, normalized_value: f32) {
        guard((), || self.0.param_value_changed(id, normalized_value));
    }

    fn param_modulation_changed(&self, id: &str, modulation_offset: f32) {
        guard((), || self.0.param_modulation_changed(id, modulation_offset));
    }
}

impl Drop for OpenWindow {
    fn drop(&mut self) {
        let window = self.0.take();
        guard((), || drop(window));
    }
}
