//! A bundle as a host opens it: its library, and what its Turtle tells.

use std::collections::HashMap;
use std::ffi::{CStr, c_char, c_void};
use std::path::{Path, PathBuf};

use lv2_raw::sys::*;

use crate::container_host::symbol;

/// What a port is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One number.
    Control,
    /// Samples.
    Audio,
    /// A sequence of atoms.
    Atom,
}

/// One port, as the Turtle tells it.
#[derive(Clone, Debug, PartialEq)]
pub struct PortInfo {
    /// Its symbol.
    pub symbol: String,
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// Into the plugin.
    pub input: bool,
    /// Default, least and largest value.
    pub range: (f32, f32, f32),
    /// Local names of its properties and designation.
    pub marks: Vec<String>,
}

/// A bundle's library, and what its Turtle tells. Never closed.
pub struct Lv2File {
    plugins: Vec<*const LV2_Descriptor>,
    windows: Vec<*const LV2UI_Descriptor>,
    ports: HashMap<String, Vec<PortInfo>>,
    pub(super) bundle: PathBuf,
}

impl Lv2File {
    /// Opens the bundle in `folder`.
    pub fn open(folder: &Path) -> Self {
        // Ours, or that of a chain which is a plugin of its own.
        let library = ["Catena.so", "chain.so"].map(|name| folder.join(name)).into_iter().find(|path| path.is_file());
        let library = library.unwrap_or_else(|| panic!("no library in {}", folder.display()));
        // SAFETY: LV2's own symbols have these types.
        let (plugin, window) = unsafe {
            type Ask<T> = unsafe extern "C" fn(u32) -> *const T;
            (
                std::mem::transmute::<*mut c_void, Ask<LV2_Descriptor>>(symbol(&library, c"lv2_descriptor")),
                std::mem::transmute::<*mut c_void, Ask<LV2UI_Descriptor>>(symbol(&library, c"lv2ui_descriptor")),
            )
        };
        // SAFETY: they answer null past the last.
        let plugins = (0..).map(|index| unsafe { plugin(index) }).take_while(|found| !found.is_null()).collect();
        // SAFETY: as above.
        let windows = (0..).map(|index| unsafe { window(index) }).take_while(|found| !found.is_null()).collect();
        Self { plugins, windows, ports: ports(folder), bundle: folder.into() }
    }

    /// URIs of the plugins in the library, in its order.
    pub fn uris(&self) -> Vec<String> {
        // SAFETY: descriptors of the library's, which is never closed.
        self.plugins.iter().map(|plugin| unsafe { text((**plugin).URI) }).collect()
    }

    /// URIs of the windows in the library.
    pub fn window_uris(&self) -> Vec<String> {
        // SAFETY: as above.
        self.windows.iter().map(|window| unsafe { text((**window).URI) }).collect()
    }

    /// The ports of `uri` as the Turtle tells them.
    pub fn ports(&self, uri: &str) -> &[PortInfo] {
        &self.ports[uri]
    }

    pub(super) fn descriptor(&self, uri: &str) -> &'static LV2_Descriptor {
        // SAFETY: as above.
        let found = self.plugins.iter().map(|plugin| unsafe { &**plugin });
        // SAFETY: as above.
        found.into_iter().find(|plugin| unsafe { text(plugin.URI) } == uri).expect("a plugin of the library")
    }

    /// The descriptor of the window of `uri`.
    pub fn window(&self, uri: &str) -> &'static LV2UI_Descriptor {
        let wanted = format!("{uri}#ui");
        // SAFETY: as above.
        let found = self.windows.iter().map(|window| unsafe { &**window });
        // SAFETY: as above.
        found.into_iter().find(|window| unsafe { text(window.URI) } == wanted).expect("a window of the library")
    }
}

/// # Safety
/// `text` is a C string.
unsafe fn text(text: *const c_char) -> String {
    // SAFETY: the caller's word.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

/// Reads the ports of every plugin in a bundle through lilv.
fn ports(folder: &Path) -> HashMap<String, Vec<PortInfo>> {
    let world = lilv::World::new();
    world.load_bundle(&world.new_file_uri(None, &format!("{}/", folder.display())));
    let core = |name: &str| world.new_uri(&format!("http://lv2plug.in/ns/lv2core#{name}"));
    let (input, control, audio) = (core("InputPort"), core("ControlPort"), core("AudioPort"));
    let (property, designation) = (core("portProperty"), core("designation"));
    let range = ["default", "minimum", "maximum"].map(core);
    let read = |plugin: lilv::plugin::Plugin| {
        let one = |port: lilv::port::Port| {
            let number = |node: &lilv::node::Node| {
                port.get(node).and_then(|node| node.as_float().or(node.as_int().map(|int| int as f32))).unwrap_or(0.0)
            };
            let mut marks = Vec::new();
            for predicate in [&property, &designation] {
                for node in port.value(predicate).iter() {
                    let uri = node.as_uri().unwrap_or_default().to_owned();
                    marks.push(uri.rsplit(['#', '/']).next().unwrap_or_default().to_owned());
                }
            }
            let word = |node: Option<lilv::node::Node>| node.and_then(|node| node.as_str().map(str::to_owned));
            PortInfo {
                symbol: word(port.symbol()).expect("a symbol"),
                name: word(port.name()).expect("a name"),
                kind: match (port.is_a(&control), port.is_a(&audio)) {
                    (true, _) => Kind::Control,
                    (_, true) => Kind::Audio,
                    _ => Kind::Atom,
                },
                input: port.is_a(&input),
                range: (number(&range[0]), number(&range[1]), number(&range[2])),
                marks,
            }
        };
        (plugin.uri().as_uri().expect("a URI").to_owned(), plugin.iter_ports().map(one).collect())
    };
    world.plugins().iter().map(read).collect()
}
