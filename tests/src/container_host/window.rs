//! The plugin's window, inside one of the host's.

use clap_sys::ext::gui::{CLAP_EXT_GUI, CLAP_WINDOW_API_X11, clap_plugin_gui, clap_window, clap_window_handle};

use super::ClapHost;

impl ClapHost {
    /// Whether the plugin offers a window.
    pub fn offers_editor(&self) -> bool {
        self.extension::<clap_plugin_gui>(CLAP_EXT_GUI).is_some()
    }

    /// Opens the editor inside the X11 window `parent`.
    pub fn open_editor(&self, parent: u32) {
        assert!(self.try_open_editor(parent), "an editor");
    }

    /// The same at a scale, as a host does that knows one. The size that the plugin says, before its window has a parent.
    pub fn open_scaled_editor(&self, parent: u32, scale: Option<f64>) -> (u32, u32) {
        self.open_editor_after(parent, scale, || ())
    }

    /// The same; `meanwhile` is done before it is shown.
    pub fn open_editor_after(&self, parent: u32, scale: Option<f64>, meanwhile: impl FnOnce()) -> (u32, u32) {
        let gui: &clap_plugin_gui = self.extension(CLAP_EXT_GUI).expect("clap.gui");
        let window =
            clap_window { api: CLAP_WINDOW_API_X11.as_ptr(), specific: clap_window_handle { x11: parent.into() } };
        let (mut width, mut height) = (0, 0);
        // SAFETY: the extension's own functions on its plugin, in CLAP's order; what they are given lives over the calls.
        unsafe {
            assert!((gui.create.expect("create"))(self.plugin, CLAP_WINDOW_API_X11.as_ptr(), false));
            if let Some(scale) = scale {
                (gui.set_scale.expect("set_scale"))(self.plugin, scale);
            }
            assert!((gui.get_size.expect("get_size"))(self.plugin, &mut width, &mut height));
            assert!((gui.set_parent.expect("set_parent"))(self.plugin, &window));
            meanwhile();
            (gui.show.expect("show"))(self.plugin);
        }
        (width, height)
    }

    /// The same; false: the plugin said no.
    pub fn try_open_editor(&self, parent: u32) -> bool {
        let gui: &clap_plugin_gui = self.extension(CLAP_EXT_GUI).expect("clap.gui");
        let window =
            clap_window { api: CLAP_WINDOW_API_X11.as_ptr(), specific: clap_window_handle { x11: parent.into() } };
        // SAFETY: the extension's own functions on its plugin, in CLAP's order; the window lives over the call.
        unsafe {
            let opened = (gui.create.expect("create"))(self.plugin, CLAP_WINDOW_API_X11.as_ptr(), false)
                && (gui.set_parent.expect("set_parent"))(self.plugin, &window);
            if opened {
                (gui.show.expect("show"))(self.plugin);
            }
            opened
        }
    }

    /// Asks the open editor's thread for what changes nothing on a screen that says its scale. Returns when it has come to it:
    /// at once, or when the picture that it draws is shown.
    pub fn ask_editor(&self) {
        let gui: &clap_plugin_gui = self.extension(CLAP_EXT_GUI).expect("clap.gui");
        // SAFETY: as above.
        unsafe { (gui.set_scale.expect("set_scale"))(self.plugin, 1.0) };
    }

    /// The size that it says it has, pixels.
    pub fn editor_size(&self) -> (u32, u32) {
        let gui: &clap_plugin_gui = self.extension(CLAP_EXT_GUI).expect("clap.gui");
        let (mut width, mut height) = (0, 0);
        // SAFETY: as above.
        assert!(unsafe { (gui.get_size.expect("get_size"))(self.plugin, &mut width, &mut height) });
        (width, height)
    }

    /// Closes it.
    pub fn close_editor(&self) {
        let gui: &clap_plugin_gui = self.extension(CLAP_EXT_GUI).expect("clap.gui");
        // SAFETY: as above.
        unsafe { (gui.destroy.expect("destroy"))(self.plugin) };
    }
}
