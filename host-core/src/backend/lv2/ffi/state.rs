//! `state`: calls of `save` and `restore`, the callbacks behind them, and the three path features.

use std::ffi::{CStr, OsStr, c_char, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use lilv_sys as sys;

use super::features::{build, c_copy};
use super::instance::Instance;
use super::lilv::{Node, World};
use super::spec::{self, FreePath, MakePath, MapPath};
use crate::backend::lv2::uri;

/// One stored property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// What it is kept under.
    pub key: u32,
    /// Its value.
    pub value: Vec<u8>,
    /// Its type.
    pub kind: u32,
    /// `LV2_State_Flags`.
    pub flags: u32,
}

/// How paths in a state are turned into names that travel, and back.
pub trait Paths {
    /// The name to store for a file.
    fn to_name(&mut self, path: &Path) -> PathBuf;
    /// The file behind a stored name.
    fn to_path(&mut self, name: &Path) -> PathBuf;
}

/// Where the files go that a plugin makes.
pub struct MakeFolder {
    folder: PathBuf,
}

impl MakeFolder {
    /// Files are made below `folder`, which is made when first needed.
    pub fn new(folder: PathBuf) -> Self {
        Self { folder }
    }
}

/// `state:makePath`'s data; `folder` must live as long as it is used.
pub(super) fn make_path(folder: &MakeFolder) -> MakePath {
    MakePath { handle: std::ptr::from_ref(folder).cast_mut().cast(), path: make }
}

/// `state:freePath`'s data.
pub(super) fn free_path() -> FreePath {
    FreePath { handle: std::ptr::null_mut(), free_path: free }
}

unsafe extern "C" fn free(_handle: *mut c_void, path: *mut c_char) {
    // SAFETY: the path came from `c_copy`, hence from C's allocator; null is fine.
    unsafe { libc::free(path.cast()) }
}

/// # Safety
/// `path` is null or ends in NUL.
unsafe fn path_of<'a>(path: *const c_char) -> &'a Path {
    if path.is_null() {
        return Path::new("");
    }
    // SAFETY: the caller vouches for it.
    Path::new(OsStr::from_bytes(unsafe { CStr::from_ptr(path) }.to_bytes()))
}

unsafe extern "C" fn make(handle: *mut c_void, path: *const c_char) -> *mut c_char {
    // SAFETY: the handle is the `MakeFolder` that the features own; the path is as state.h says.
    let (folder, path) = unsafe { (&(*handle.cast::<MakeFolder>()).folder, path_of(path)) };
    let inside = path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if !inside || path.as_os_str().is_empty() {
        return std::ptr::null_mut();
    }
    let full = folder.join(path);
    match full.parent().map(std::fs::create_dir_all) {
        Some(Ok(())) => c_copy(full.as_os_str().as_bytes()),
        _ => std::ptr::null_mut(),
    }
}

/// `mapPath`'s handle: a fat reference behind a thin pointer.
struct Mapping<'a>(&'a mut dyn Paths);

fn map_path(mapping: &mut Mapping<'_>) -> MapPath {
    MapPath { handle: std::ptr::from_mut(mapping).cast(), abstract_path, absolute_path }
}

unsafe extern "C" fn abstract_path(handle: *mut c_void, path: *const c_char) -> *mut c_char {
    // SAFETY: the handle is the `Mapping` of the call under way, used by one thread; the path is as state.h says.
    unsafe { c_copy((*handle.cast::<Mapping<'_>>()).0.to_name(path_of(path)).as_os_str().as_bytes()) }
}

unsafe extern "C" fn absolute_path(handle: *mut c_void, name: *const c_char) -> *mut c_char {
    // SAFETY: as in `abstract_path`.
    unsafe { c_copy((*handle.cast::<Mapping<'_>>()).0.to_path(path_of(name)).as_os_str().as_bytes()) }
}

/// Asks the plugin for its state. False: it failed. `[home]`, beside `run` too (state.h, `save`).
pub fn save(instance: &Instance, out: &mut Vec<Property>, paths: &mut dyn Paths) -> bool {
    let Some(iface) = instance.state() else { return true };
    // SAFETY: the interface belongs to the instance's library, which stays loaded.
    let Some(save) = (unsafe { (*iface).save }) else { return true };
    let mut mapping = Mapping(paths);
    let map = map_path(&mut mapping);
    let make = make_path(instance.folder());
    let free = free_path();
    let list = [
        (uri::MAP_PATH, std::ptr::from_ref(&map).cast_mut().cast()),
        (uri::MAKE_PATH, std::ptr::from_ref(&make).cast_mut().cast()),
        (uri::FREE_PATH, std::ptr::from_ref(&free).cast_mut().cast()),
    ];
    let (_features, _uris, pointers) = build(&list);
    let flags = spec::STATE_IS_POD | spec::STATE_IS_PORTABLE;
    // SAFETY: the instance is alive, the callbacks' handles and the features outlive the call.
    let status = unsafe { save(instance.handle(), store, std::ptr::from_mut(out).cast(), flags, pointers.as_ptr()) };
    // "No property" is what plugins say that have nothing to save yet (a sampler without a file).
    status == spec::STATE_SUCCESS || status == spec::STATE_ERR_NO_PROPERTY
}

unsafe extern "C" fn store(
    handle: *mut c_void,
    key: u32,
    value: *const c_void,
    size: usize,
    kind: u32,
    flags: u32,
) -> u32 {
    if key == 0 || kind == 0 || (value.is_null() && size > 0) {
        return spec::WORKER_ERR_UNKNOWN;
    }
    if flags & spec::STATE_IS_POD == 0 {
        return spec::STATE_ERR_BAD_FLAGS;
    }
    // SAFETY: the handle is `save`'s list; the value is `size` bytes long (state.h).
    let (out, value) = unsafe {
        let value = if size == 0 { &[][..] } else { std::slice::from_raw_parts(value.cast::<u8>(), size) };
        (&mut *handle.cast::<Vec<Property>>(), value)
    };
    out.retain(|property| property.key != key);
    out.push(Property { key, value: value.to_vec(), kind, flags });
    spec::STATE_SUCCESS
}

/// Gives the plugin its state. False: it refused. `[home & !running]`, beside `run` only with
/// `state:threadSafeRestore`.
pub fn restore(instance: &Instance, properties: &[Property], paths: &mut dyn Paths) -> bool {
    let Some(iface) = instance.state() else { return true };
    // SAFETY: the interface belongs to the instance's library, which stays loaded.
    let Some(restore) = (unsafe { (*iface).restore }) else { return true };
    // Values handed out must be aligned for any type (atom.h asks for 64 bits).
    let aligned: Vec<(&Property, super::buffer::AtomBuffer)> = properties
        .iter()
        .map(|property| {
            let mut buffer = super::buffer::AtomBuffer::new(property.value.len());
            buffer.bytes_mut()[..property.value.len()].copy_from_slice(&property.value);
            (property, buffer)
        })
        .collect();
    let mut mapping = Mapping(paths);
    let map = map_path(&mut mapping);
    let free = free_path();
    let mut list = vec![
        (uri::MAP_PATH, std::ptr::from_ref(&map).cast_mut().cast()),
        (uri::FREE_PATH, std::ptr::from_ref(&free).cast_mut().cast()),
    ];
    list.extend(restore_extras(instance));
    let (_features, _uris, pointers) = build(&list);
    // SAFETY: the instance is alive, the callbacks' handles and the features outlive the call; the caller keeps
    // to the thread rule.
    let status = unsafe {
        restore(instance.handle(), retrieve, std::ptr::from_ref(&aligned).cast_mut().cast(), 0, pointers.as_ptr())
    };
    status == spec::STATE_SUCCESS
}

fn restore_extras(instance: &Instance) -> Vec<(&'static str, *mut c_void)> {
    let mut list = vec![(uri::THREAD_SAFE_RESTORE, std::ptr::null_mut())];
    if let Some(schedule) = instance.schedule_for_restore() {
        list.push((uri::SCHEDULE, std::ptr::from_ref(schedule).cast_mut().cast()));
    }
    list
}

unsafe extern "C" fn retrieve(
    handle: *mut c_void,
    key: u32,
    size: *mut usize,
    kind: *mut u32,
    flags: *mut u32,
) -> *const c_void {
    // SAFETY: the handle is `restore`'s list, alive during the call; the out pointers are null or valid (state.h).
    unsafe {
        let list = &*handle.cast::<Vec<(&Property, super::buffer::AtomBuffer)>>();
        let Some((property, buffer)) = list.iter().find(|(property, _)| property.key == key) else {
            return std::ptr::null();
        };
        if let Some(size) = size.as_mut() {
            *size = property.value.len();
        }
        if let Some(kind) = kind.as_mut() {
            *kind = property.kind;
        }
        if let Some(flags) = flags.as_mut() {
            *flags = property.flags;
        }
        buffer.as_ptr().cast()
    }
}

/// Loads the state that the description gives to `subject` (a preset, or the plugin itself) into the instance and
/// tells its port values. False: there is none. `[home & !running]` as [`restore`].
pub fn load_described(
    world: &World,
    subject: &Node<'_>,
    instance: Option<&Instance>,
    set: &mut dyn FnMut(&str, f64),
) -> bool {
    let mut map = lv2_raw::LV2UridMap { handle: std::ptr::null_mut(), map: map_for_lilv };
    // SAFETY: world, node and map are alive for the call; the state is freed below.
    let state = unsafe { sys::lilv_state_new_from_world(world.as_ptr(), &mut map, subject.as_ptr()) };
    if state.is_null() {
        return false;
    }
    let mut set = Setter(set);
    let user = std::ptr::from_mut(&mut set).cast();
    // SAFETY: state, instance, callback data and features are alive for the calls; lilv adds its own mapPath. lilv
    // reads the instance's descriptor and handle only.
    unsafe {
        match instance {
            Some(instance) => {
                let (_features, _uris, pointers) = build(&restore_extras(instance));
                sys::lilv_state_restore(state, instance.raw(), Some(set_port), user, 0, pointers.as_ptr());
            }
            None => sys::lilv_state_emit_port_values(state, Some(set_port), user),
        }
        sys::lilv_state_free(state);
    }
    true
}

pub(super) extern "C" fn map_for_lilv(_handle: *mut c_void, uri: *const c_char) -> u32 {
    if uri.is_null() {
        return 0;
    }
    // SAFETY: urid.h has lilv pass a string that ends in NUL.
    crate::backend::lv2::urid::map(unsafe { CStr::from_ptr(uri) })
}

struct Setter<'a>(&'a mut dyn FnMut(&str, f64));

unsafe extern "C" fn set_port(symbol: *const c_char, user: *mut c_void, value: *const c_void, size: u32, kind: u32) {
    let known = crate::backend::lv2::urid::known();
    // SAFETY: lilv passes a symbol that ends in NUL, our `Setter`, and a value of `size` bytes of type `kind`.
    unsafe {
        let value = match (kind, size) {
            (k, 4) if k == known.atom_float => f64::from(value.cast::<f32>().read_unaligned()),
            (k, 4) if k == known.atom_int || k == known.atom_bool => f64::from(value.cast::<i32>().read_unaligned()),
            (k, 8) if k == known.atom_double => value.cast::<f64>().read_unaligned(),
            (k, 8) if k == known.atom_long => value.cast::<i64>().read_unaligned() as f64,
            _ => return,
        };
        if let Ok(symbol) = CStr::from_ptr(symbol).to_str() {
            ((*user.cast::<Setter<'_>>()).0)(symbol, value);
        }
    }
}
