//! nice-plug calls an editor from C functions of its own, which end the process where a panic comes to them: here it stops.
//!
//! The window has a thread of its own. A panic there (a display that is gone, say) ends that thread and its window, and nothing else:
//! it may be closed as ever, and what is opened next is a new window. baseview may hand such a panic on to whoever closes the
//! window, so that is guarded too.

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use nice_plug::context::gui::GuiContext;
use nice_plug::editor::dpi::{LogicalSize, NativeSize, Size};
use nice_plug::editor::{EditorHandle, HostMethods, SpawnedEditor};
use nice_plug::plugin::TrackInfo;
use nice_plug::prelude::{Editor, Modifiers, ParentWindowHandle, ResizeHint, VirtualKeyCode};
use nice_plug_egui::baseview;
use nice_plug_egui::{EguiEditor, EguiEditorHandle, EguiEditorState};

use super::{GuiBridge, SIZE, Window};
use crate::guard::{guard, injected};

/// The editor as nice-plug knows it.
pub struct CatenaEditor {
    editor: EguiEditor<Window>,
    bridge: Arc<GuiBridge>,
    scale: Arc<Scale>,
}

/// How many pixels are a point.
struct Scale {
    state: Arc<EguiEditorState>,
    /// In the window that is open, or was last; 0 before.
    known: AtomicU64,
}

/// An open editor.
pub struct Handle(EguiEditorHandle, Arc<Scale>);

/// Its window, until it is closed.
pub struct OpenWindow(Option<baseview::Window>, Arc<GuiBridge>);

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
    pub(super) fn new(editor: EguiEditor<Window>, bridge: Arc<GuiBridge>, state: Arc<EguiEditorState>) -> Self {
        Self { editor, bridge, scale: Arc::new(Scale { state, known: AtomicU64::new(0) }) }
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
            // baseview makes a window as large as without a scale, and draws into it with one: it is told of that afterwards.
            let opened = self.editor.spawn(parent, wait_for_parent, None, gui_context, host)?;
            if let Some(scale) = fallback_scale_factor {
                opened.handle.set_fallback_scale_factor(scale, &opened.window)?;
            }
            self.scale.read(&opened.window);
            let handle = Handle(opened.handle, Arc::clone(&self.scale));
            Ok(SpawnedEditor { handle, window: OpenWindow(Some(opened.window), Arc::clone(&self.bridge)) })
        })
    }

    fn size(&self) -> NativeSize<u32> {
        guard(NativeSize::new(SIZE.width as u32, SIZE.height as u32), || self.scale.size())
    }

    fn resize_hint(&self) -> ResizeHint {
        guard(ResizeHint::default(), || self.editor.resize_hint())
    }

    fn track_info_updated(&self, info: TrackInfo) {
        guard((), || {
            self.bridge.name_track(info.name());
            self.editor.track_info_updated(info);
        });
    }
}

impl Scale {
    /// The size of the window that is open, or will be, pixels.
    fn size(&self) -> NativeSize<u32> {
        let known = Some(f64::from_bits(self.known.load(Ordering::Relaxed))).filter(|scale| *scale > 0.0);
        let size = self.state.logical_size();
        let size = LogicalSize::new(f64::from(size.width), f64::from(size.height));
        let zoom = f64::from(self.state.user_scale_factor());
        NativeSize::from_size(Size::Logical(size), known.or_else(of_screen).unwrap_or(1.0) * zoom)
    }

    /// Takes what a window is drawn with. What it says of that itself is as of when it was made.
    fn read(&self, window: &baseview::Window) {
        let points = f64::from(self.state.logical_size().width);
        if points > 0.0 {
            let zoom = f64::from(self.state.user_scale_factor());
            let scale = f64::from(window.size().physical.width) / points / zoom;
            self.known.store(scale.to_bits(), Ordering::Relaxed);
        }
    }
}

/// What a window will be drawn with that is not there yet: `Xft.dpi` of the X resources.
fn of_screen() -> Option<f64> {
    let (connection, _) = x11rb::connect(None).ok()?;
    let resources = x11rb::resource_manager::new_from_default(&connection).ok()?;
    let dots: f64 = resources.get_value("Xft.dpi", "").ok()??;
    Some(dots / 96.0)
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
        at(window, "editor set_scale", |window| {
            self.0.set_fallback_scale_factor(scale_factor, window)?;
            self.1.read(window);
            Ok(())
        })
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
        guard((), || {
            self.1.leave();
            drop(window);
        });
    }
}
