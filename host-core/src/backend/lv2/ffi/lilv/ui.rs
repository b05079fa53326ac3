//! What the description says of a plugin's user interfaces.

use std::ptr::NonNull;

use lilv_sys as sys;

use super::Plugin;
use super::node::{Node, copy};
use crate::backend::lv2::ui::About;
use crate::backend::lv2::uri;

impl Plugin<'_> {
    /// Every user interface that its description names. `[home]`
    pub fn uis(&self) -> Vec<About> {
        let mut found = Vec::new();
        // SAFETY: the plugin lives as long as its world; the collection is freed once, after what was read of it was copied.
        unsafe {
            let Some(all) = NonNull::new(sys::lilv_plugin_get_uis(self.as_ptr())) else { return found };
            let mut at = sys::lilv_uis_begin(all.as_ptr());
            while !sys::lilv_uis_is_end(all.as_ptr(), at) {
                let ui = sys::lilv_uis_get(all.as_ptr(), at);
                if !ui.is_null() {
                    found.extend(self.about_ui(ui));
                }
                at = sys::lilv_uis_next(all.as_ptr(), at);
            }
            sys::lilv_uis_free(all.as_ptr());
        }
        found
    }

    /// # Safety
    /// `ui` is alive.
    unsafe fn about_ui(&self, ui: *const sys::LilvUI) -> Option<About> {
        // SAFETY: the caller vouches for it; its nodes are its own and are copied.
        let (node, classes, binary, bundle) = unsafe {
            let node = Node::own(sys::lilv_node_duplicate(sys::lilv_ui_get_uri(ui)))?;
            let file = |node: *const sys::LilvNode| match node.is_null() {
                true => None,
                false => Node::own(sys::lilv_node_duplicate(node))?.path(),
            };
            let classes = copy(sys::lilv_ui_get_classes(ui));
            (node, classes, file(sys::lilv_ui_get_binary_uri(ui)), file(sys::lilv_ui_get_bundle_uri(ui)))
        };
        // Its features may stand in a file of their own.
        self.world.load_resource(&node);
        let required = self.world.find(&node, uri::REQUIRED_FEATURE);
        let fixed = |feature| {
            self.world.says(&node, uri::OPTIONAL_FEATURE, feature)
                || self.world.says(&node, uri::REQUIRED_FEATURE, feature)
        };
        Some(About {
            fixed: fixed(uri::UI_NO_USER_RESIZE) || fixed(uri::UI_FIXED_SIZE),
            uri: node.text(),
            classes: classes.iter().map(Node::text).collect(),
            required: required.iter().map(Node::text).collect(),
            binary: binary?,
            bundle: bundle?,
        })
    }
}
