//! lilv: worlds, nodes, plugins and ports. Home only: lilv is not thread-safe, and nothing here is `Send`.

mod node;
mod port;
mod ui;

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::ptr::NonNull;

use lilv_sys as sys;

use self::node::{copy, take, text_of};

use super::super::uri;

pub use self::node::Node;
pub use self::port::{Port, Range};

/// What lilv knows of some LV2 bundles.
pub struct World {
    ptr: NonNull<sys::LilvWorld>,
    known: RefCell<HashMap<&'static str, NonNull<sys::LilvNode>>>,
    loaded: RefCell<HashSet<PathBuf>>,
}

impl World {
    /// An empty world. `[home]`
    pub fn new() -> Option<Self> {
        // SAFETY: takes nothing; null is turned into None.
        let ptr = NonNull::new(unsafe { sys::lilv_world_new() })?;
        Some(Self { ptr, known: RefCell::default(), loaded: RefCell::default() })
    }

    /// Loads one bundle, once. `[home]`
    pub fn load_bundle(&self, bundle: &Path) {
        if !self.loaded.borrow_mut().insert(bundle.to_path_buf()) {
            return;
        }
        if let Some(node) = self.bundle(bundle) {
            // SAFETY: world and node are alive for the call.
            unsafe { sys::lilv_world_load_bundle(self.ptr.as_ptr(), node.as_ptr()) };
        }
    }

    /// Loads one bundle as it is now, or forgets one that is gone. No plugin of it may be in use: a bundle of presets. `[home]`
    pub fn load_again(&self, bundle: &Path) {
        if self.loaded.borrow_mut().remove(bundle)
            && let Some(node) = self.bundle(bundle)
        {
            // SAFETY: world and nodes are alive for the calls; nobody holds what is unloaded.
            unsafe {
                for preset in self.of_type(uri::PRESET) {
                    if self
                        .find(&preset, uri::SEE_ALSO)
                        .iter()
                        .any(|file| file.path().is_some_and(|file| file.starts_with(bundle)))
                    {
                        sys::lilv_world_unload_resource(self.ptr.as_ptr(), preset.as_ptr());
                    }
                }
                sys::lilv_world_unload_bundle(self.ptr.as_ptr(), node.as_ptr());
            }
        }
        if bundle.exists() {
            self.load_bundle(bundle);
        }
    }

    /// A bundle's URI.
    fn bundle(&self, bundle: &Path) -> Option<Node<'_>> {
        let mut path = bundle.as_os_str().as_bytes().to_vec();
        if !path.ends_with(b"/") {
            path.push(b'/');
        }
        let path = CString::new(path).ok()?;
        // SAFETY: world and path are alive for the call; the node is owned by what we return.
        Node::own(unsafe { sys::lilv_new_file_uri(self.ptr.as_ptr(), std::ptr::null(), path.as_ptr()) })
    }

    /// A URI as a node. `None`: it is no URI. `[home]`
    pub fn uri(&self, uri: &str) -> Option<Node<'_>> {
        let uri = CString::new(uri).ok()?;
        // SAFETY: world and string are alive for the call; the node is owned by what we return.
        Node::own(unsafe { sys::lilv_new_uri(self.ptr.as_ptr(), uri.as_ptr()) })
    }

    /// A URI that the program itself names, made once.
    fn known(&self, uri: &'static str) -> *const sys::LilvNode {
        let make = || {
            let text = CString::new(uri).unwrap_or_default();
            // SAFETY: world and string are alive for the call; freed when the world is dropped.
            NonNull::new(unsafe { sys::lilv_new_uri(self.ptr.as_ptr(), text.as_ptr()) })
        };
        if let Some(node) = self.known.borrow().get(uri) {
            return node.as_ptr();
        }
        let Some(node) = make() else { return std::ptr::null() };
        self.known.borrow_mut().insert(uri, node);
        node.as_ptr()
    }

    /// All plugins of the world. `[home]`
    pub fn plugins(&self) -> Vec<Plugin<'_>> {
        // SAFETY: the collection belongs to the world; its items live as long as the world.
        unsafe {
            let all = sys::lilv_world_get_all_plugins(self.ptr.as_ptr());
            let mut out = Vec::with_capacity(sys::lilv_plugins_size(all) as usize);
            let mut i = sys::lilv_plugins_begin(all);
            while !sys::lilv_plugins_is_end(all, i) {
                if let Some(ptr) = NonNull::new(sys::lilv_plugins_get(all, i).cast_mut()) {
                    out.push(Plugin { ptr, world: self });
                }
                i = sys::lilv_plugins_next(all, i);
            }
            out
        }
    }

    /// The plugin with `uri`. `[home]`
    pub fn plugin(&self, uri: &str) -> Option<Plugin<'_>> {
        let uri = self.uri(uri)?;
        // SAFETY: world and node are alive for the calls; the plugin lives as long as the world.
        let ptr = unsafe {
            sys::lilv_plugins_get_by_uri(sys::lilv_world_get_all_plugins(self.ptr.as_ptr()), uri.ptr.as_ptr())
        };
        Some(Plugin { ptr: NonNull::new(ptr.cast_mut())?, world: self })
    }

    /// Objects of `subject predicate ?`. `[home]`
    pub fn find(&self, subject: &Node<'_>, predicate: &'static str) -> Vec<Node<'_>> {
        // SAFETY: world and nodes are alive for the call; the collection is taken over by `take`.
        unsafe {
            take(sys::lilv_world_find_nodes(
                self.ptr.as_ptr(),
                subject.ptr.as_ptr(),
                self.known(predicate),
                std::ptr::null(),
            ))
        }
    }

    /// Everything that says it is of `typ`. `[home]`
    pub fn of_type(&self, typ: &'static str) -> Vec<Node<'_>> {
        self.subjects(uri::RDF_TYPE, self.known(typ))
    }

    /// Subjects of `? predicate object`, as far as files were read. `[home]`
    pub fn pointing_at(&self, predicate: &'static str, object: &Node<'_>) -> Vec<Node<'_>> {
        self.subjects(predicate, object.as_ptr())
    }

    fn subjects(&self, predicate: &'static str, object: *const sys::LilvNode) -> Vec<Node<'_>> {
        // SAFETY: world and nodes are alive for the call, null stands for any; the collection is taken over by `take`.
        unsafe { take(sys::lilv_world_find_nodes(self.ptr.as_ptr(), std::ptr::null(), self.known(predicate), object)) }
    }

    /// Makes the classes that the specifications read so far speak of known. `[home]`
    pub fn load_plugin_classes(&self) {
        // SAFETY: the world is alive.
        unsafe { sys::lilv_world_load_plugin_classes(self.ptr.as_ptr()) }
    }

    /// The first object of `subject predicate ?`, as text. `[home]`
    pub fn text(&self, subject: &Node<'_>, predicate: &'static str) -> Option<String> {
        // SAFETY: world and nodes are alive for the call; the node is owned by what `own` returns.
        let node = unsafe {
            sys::lilv_world_get(self.ptr.as_ptr(), subject.ptr.as_ptr(), self.known(predicate), std::ptr::null())
        };
        Some(Node::own(node)?.text())
    }

    /// Whether `subject predicate object` is said. `[home]`
    pub fn says(&self, subject: &Node<'_>, predicate: &'static str, object: &'static str) -> bool {
        // SAFETY: world and nodes are alive for the call.
        unsafe {
            sys::lilv_world_ask(self.ptr.as_ptr(), subject.ptr.as_ptr(), self.known(predicate), self.known(object))
        }
    }

    /// Reads the files that describe `resource`, a preset for one. `[home]`
    pub fn load_resource(&self, resource: &Node<'_>) -> bool {
        // SAFETY: world and node are alive for the call.
        unsafe { sys::lilv_world_load_resource(self.ptr.as_ptr(), resource.ptr.as_ptr()) >= 0 }
    }

    pub(super) fn as_ptr(&self) -> *mut sys::LilvWorld {
        self.ptr.as_ptr()
    }
}

impl Drop for World {
    fn drop(&mut self) {
        // SAFETY: nodes and plugins borrow the world, so none is left; the known ones are freed first.
        unsafe {
            for node in self.known.borrow().values() {
                sys::lilv_node_free(node.as_ptr());
            }
            sys::lilv_world_free(self.ptr.as_ptr());
        }
    }
}

/// A plugin of a world.
#[derive(Clone, Copy)]
pub struct Plugin<'w> {
    ptr: NonNull<sys::LilvPlugin>,
    /// The world it is of.
    pub world: &'w World,
}

impl<'w> Plugin<'w> {
    /// Its URI.
    pub fn uri(&self) -> String {
        // SAFETY: the plugin lives as long as the world; the node is its own.
        unsafe { text_of(sys::lilv_plugin_get_uri(self.ptr.as_ptr())) }
    }

    /// Its name, in the user's language where it has one.
    pub fn name(&self) -> String {
        // SAFETY: the plugin is alive; the node is ours to free.
        let node = Node::own(unsafe { sys::lilv_plugin_get_name(self.ptr.as_ptr()) });
        node.map_or(String::new(), |node| node.text())
    }

    /// Its maker.
    pub fn author(&self) -> String {
        // SAFETY: the plugin is alive; the node is ours to free.
        let node = Node::own(unsafe { sys::lilv_plugin_get_author_name(self.ptr.as_ptr()) });
        node.map_or(String::new(), |node| node.text())
    }

    /// Its bundle's folder.
    pub fn bundle(&self) -> Option<PathBuf> {
        // SAFETY: the plugin is alive; the node is duplicated before use.
        let node = unsafe { sys::lilv_node_duplicate(sys::lilv_plugin_get_bundle_uri(self.ptr.as_ptr())) };
        Node::own(node)?.path()
    }

    /// Its library.
    pub fn library(&self) -> Option<PathBuf> {
        // SAFETY: the plugin is alive; null is passed on as null and caught.
        let node = unsafe { sys::lilv_plugin_get_library_uri(self.ptr.as_ptr()) };
        // SAFETY: the node is the plugin's own and alive.
        if node.is_null() { None } else { Node::own(unsafe { sys::lilv_node_duplicate(node) })?.path() }
    }

    /// The files that describe it.
    pub fn data_files(&self) -> Vec<PathBuf> {
        // SAFETY: the plugin is alive; the collection is its own and only read.
        let nodes = unsafe { copy(sys::lilv_plugin_get_data_uris(self.ptr.as_ptr())) };
        nodes.iter().filter_map(Node::path).collect()
    }

    /// Objects of `plugin predicate ?`.
    pub fn value(&self, predicate: &'static str) -> Vec<Node<'w>> {
        // SAFETY: plugin and node are alive; the collection is ours to free.
        unsafe { take(sys::lilv_plugin_get_value(self.ptr.as_ptr(), self.world.known(predicate))) }
    }

    /// Label and URI of its class.
    pub fn class(&self) -> (String, String) {
        // SAFETY: the class and its nodes live as long as the world; null classes are caught.
        unsafe {
            let class = sys::lilv_plugin_get_class(self.ptr.as_ptr());
            if class.is_null() {
                return (String::new(), String::new());
            }
            (text_of(sys::lilv_plugin_class_get_label(class)), text_of(sys::lilv_plugin_class_get_uri(class)))
        }
    }

    /// Resources of a type that say they belong to it (presets).
    pub fn related(&self, typ: &'static str) -> Vec<Node<'w>> {
        // SAFETY: plugin and node are alive; the collection is ours to free.
        unsafe { take(sys::lilv_plugin_get_related(self.ptr.as_ptr(), self.world.known(typ))) }
    }

    /// Its ports, in the order of their index.
    pub fn ports(&self) -> Vec<Port<'w>> {
        // SAFETY: the plugin is alive, and so are its ports.
        unsafe {
            let count = sys::lilv_plugin_get_num_ports(self.ptr.as_ptr());
            (0..count)
                .filter_map(|i| NonNull::new(sys::lilv_plugin_get_port_by_index(self.ptr.as_ptr(), i).cast_mut()))
                .map(|ptr| Port { ptr, plugin: *self })
                .collect()
        }
    }

    pub(super) fn as_ptr(&self) -> *const sys::LilvPlugin {
        self.ptr.as_ptr()
    }
}
