//! lilv: worlds, nodes, plugins and ports. Home only: lilv is not thread-safe, and nothing here is `Send`.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::ffi::{CStr, CString, c_char};
use std::marker::PhantomData;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::ptr::NonNull;

use lilv_sys as sys;

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

    /// Loads every bundle below `folders`. `[home]`
    pub fn load_all(&self, folders: &[PathBuf]) {
        let path = folders.iter().map(|path| path.as_os_str().as_bytes()).collect::<Vec<_>>().join(&b':');
        let Ok(path) = CString::new(path) else { return };
        // SAFETY: world, option and node are alive for the calls; lilv copies the value.
        unsafe {
            let value = sys::lilv_new_string(self.ptr.as_ptr(), path.as_ptr());
            sys::lilv_world_set_option(
                self.ptr.as_ptr(),
                c"http://drobilla.net/ns/lilv#lv2-path".as_ptr().cast(),
                value,
            );
            sys::lilv_node_free(value);
            sys::lilv_world_load_all(self.ptr.as_ptr());
        }
    }

    /// Loads one bundle, once. `[home]`
    pub fn load_bundle(&self, bundle: &Path) {
        if !self.loaded.borrow_mut().insert(bundle.to_path_buf()) {
            return;
        }
        let mut path = bundle.as_os_str().as_bytes().to_vec();
        if !path.ends_with(b"/") {
            path.push(b'/');
        }
        let Ok(path) = CString::new(path) else { return };
        // SAFETY: world and path are alive for the calls; the node is freed once.
        unsafe {
            let node = sys::lilv_new_file_uri(self.ptr.as_ptr(), std::ptr::null(), path.as_ptr());
            sys::lilv_world_load_bundle(self.ptr.as_ptr(), node);
            sys::lilv_node_free(node);
        }
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

/// A value of the description, owned.
pub struct Node<'w> {
    ptr: NonNull<sys::LilvNode>,
    world: PhantomData<&'w World>,
}

impl Node<'_> {
    fn own(ptr: *mut sys::LilvNode) -> Option<Self> {
        Some(Self { ptr: NonNull::new(ptr)?, world: PhantomData })
    }

    /// The URI, the blank node's name or the literal's text.
    pub fn text(&self) -> String {
        // SAFETY: the node is alive; lilv's text ends in NUL and lives as long as the node.
        unsafe { text_of(self.ptr.as_ptr()) }
    }

    /// A number, read by Rust so that no locale matters.
    pub fn number(&self) -> Option<f64> {
        self.text().trim().parse().ok()
    }

    /// The path of a `file:` URI.
    pub fn path(&self) -> Option<PathBuf> {
        // SAFETY: the node is alive; the text is lilv's and freed once, by lilv.
        unsafe {
            let raw = NonNull::new(sys::lilv_node_get_path(self.ptr.as_ptr(), std::ptr::null_mut()))?;
            let bytes = CStr::from_ptr(raw.as_ptr()).to_bytes().to_vec();
            sys::lilv_free(raw.as_ptr().cast());
            Some(PathBuf::from(<std::ffi::OsString as std::os::unix::ffi::OsStringExt>::from_vec(bytes)))
        }
    }

    pub(super) fn as_ptr(&self) -> *const sys::LilvNode {
        self.ptr.as_ptr()
    }
}

impl Drop for Node<'_> {
    fn drop(&mut self) {
        // SAFETY: owned, so freed once; the world outlives it by the lifetime.
        unsafe { sys::lilv_node_free(self.ptr.as_ptr()) }
    }
}

/// # Safety
/// `node` is null or alive.
unsafe fn text_of(node: *const sys::LilvNode) -> String {
    // SAFETY: the caller vouches for the node; lilv's text ends in NUL.
    unsafe {
        let text: *const c_char = if node.is_null() { std::ptr::null() } else { sys::lilv_node_as_string(node) };
        if text.is_null() { String::new() } else { CStr::from_ptr(text).to_string_lossy().into_owned() }
    }
}

/// Copies a collection of nodes and frees it.
///
/// # Safety
/// `nodes` is null or a collection that the caller owns and uses no more.
unsafe fn take<'w>(nodes: *mut sys::LilvNodes) -> Vec<Node<'w>> {
    if nodes.is_null() {
        return Vec::new();
    }
    // SAFETY: the caller hands the collection over; its items are copied before it is freed.
    unsafe {
        let out = copy(nodes);
        sys::lilv_nodes_free(nodes);
        out
    }
}

/// # Safety
/// `nodes` is null or an alive collection.
unsafe fn copy<'w>(nodes: *const sys::LilvNodes) -> Vec<Node<'w>> {
    let mut out = Vec::new();
    if nodes.is_null() {
        return out;
    }
    // SAFETY: the caller vouches for the collection; each item is duplicated.
    unsafe {
        let mut i = sys::lilv_nodes_begin(nodes);
        while !sys::lilv_nodes_is_end(nodes, i) {
            out.extend(Node::own(sys::lilv_node_duplicate(sys::lilv_nodes_get(nodes, i))));
            i = sys::lilv_nodes_next(nodes, i);
        }
    }
    out
}

/// A plugin of a world.
#[derive(Clone, Copy)]
pub struct Plugin<'w> {
    ptr: NonNull<sys::LilvPlugin>,
    /// The world it is of.
    pub world: &'w World,
}

/// Smallest, largest and fresh value of a port, where it says so.
pub struct Range {
    /// Smallest.
    pub min: Option<f64>,
    /// Largest.
    pub max: Option<f64>,
    /// Fresh.
    pub default: Option<f64>,
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

/// A port of a plugin.
#[derive(Clone, Copy)]
pub struct Port<'w> {
    ptr: NonNull<sys::LilvPort>,
    plugin: Plugin<'w>,
}

impl<'w> Port<'w> {
    fn raw(&self) -> (*const sys::LilvPlugin, *const sys::LilvPort) {
        (self.plugin.as_ptr(), self.ptr.as_ptr())
    }

    /// The world it is of.
    pub fn world(&self) -> &'w World {
        self.plugin.world
    }

    /// Its symbol.
    pub fn symbol(&self) -> String {
        let (plugin, port) = self.raw();
        // SAFETY: plugin and port are alive; the node is the port's own.
        unsafe { text_of(sys::lilv_port_get_symbol(plugin, port)) }
    }

    /// Its name.
    pub fn name(&self) -> String {
        let (plugin, port) = self.raw();
        // SAFETY: plugin and port are alive; the node is ours to free.
        Node::own(unsafe { sys::lilv_port_get_name(plugin, port) }).map_or(String::new(), |node| node.text())
    }

    /// The URIs of its classes.
    pub fn classes(&self) -> Vec<String> {
        let (plugin, port) = self.raw();
        // SAFETY: plugin and port are alive; the collection is the port's own and only read.
        unsafe { copy(sys::lilv_port_get_classes(plugin, port)) }.iter().map(Node::text).collect()
    }

    /// Objects of `port predicate ?`.
    pub fn value(&self, predicate: &'static str) -> Vec<Node<'w>> {
        let (plugin, port) = self.raw();
        // SAFETY: plugin, port and node are alive; the collection is ours to free.
        unsafe { take(sys::lilv_port_get_value(plugin, port, self.plugin.world.known(predicate))) }
    }

    /// The URIs that `port predicate ?` names.
    pub fn values(&self, predicate: &'static str) -> Vec<String> {
        self.value(predicate).iter().map(Node::text).collect()
    }

    /// Its range.
    pub fn range(&self) -> Range {
        let (plugin, port) = self.raw();
        let mut raw = [std::ptr::null_mut(); 3];
        let [default, min, max] = &mut raw;
        // SAFETY: plugin and port are alive; the three nodes, where set, are ours to free.
        unsafe { sys::lilv_port_get_range(plugin, port, default, min, max) };
        let [default, min, max] = raw.map(|node| Node::own(node).and_then(|node| node.number()));
        Range { min, max, default }
    }

    /// Its named values.
    pub fn scale_points(&self) -> Vec<(f64, String)> {
        let (plugin, port) = self.raw();
        let mut out = Vec::new();
        // SAFETY: plugin and port are alive; the collection is freed once, after its items were read.
        unsafe {
            let points = sys::lilv_port_get_scale_points(plugin, port);
            if points.is_null() {
                return out;
            }
            let mut i = sys::lilv_scale_points_begin(points);
            while !sys::lilv_scale_points_is_end(points, i) {
                let point = sys::lilv_scale_points_get(points, i);
                let value = text_of(sys::lilv_scale_point_get_value(point));
                if let Ok(value) = value.trim().parse() {
                    out.push((value, text_of(sys::lilv_scale_point_get_label(point))));
                }
                i = sys::lilv_scale_points_next(points, i);
            }
            sys::lilv_scale_points_free(points);
        }
        out
    }
}
