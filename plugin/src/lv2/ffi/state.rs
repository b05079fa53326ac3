//! `state`: one value of bytes. Beyond [`IN_PLACE`] they go into a file of the host's, where it offers one: hosts write
//! values as text.

use std::ffi::{CStr, CString, c_char, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use lv2_raw::sys::*;
use nice_plug::plugin::PluginState;

use super::super::{Lv2Core, Lv2Plugin};
use super::features;
use super::instance::{Instance, of};
use super::shared::lock;
use crate::guard::{guard, injected};

/// Most bytes that are stored as a value where the host offers files.
pub const IN_PLACE: usize = 256 * 1024;
/// Name of the file.
const FILE: &CStr = c"state.bin";

/// `state:interface`. Restoring beside `run` is safe: parameters are atomics, and [`Lv2Core::load`] promises it.
pub trait Interface: Lv2Plugin {
    /// The struct that a host gets.
    const STATE: &'static LV2_State_Interface =
        &LV2_State_Interface { save: Some(save::<Self>), restore: Some(restore::<Self>) };
}

impl<P: Lv2Plugin> Interface for P {}

/// A restored value that names a file which could not be read: saved again as it came, for as long as nothing is in its place.
pub struct Unread {
    value: Vec<u8>,
    kind: u32,
    flags: u32,
}

/// A host's ways with files, each as far as the host offers it.
struct Files<'a> {
    map: Option<&'a LV2_State_Map_Path>,
    make: Option<&'a LV2_State_Make_Path>,
    free: Option<&'a LV2_State_Free_Path>,
}

impl Files<'_> {
    /// # Safety
    /// `features` is null or the host's list, whose structs are valid for as long as the value lives.
    unsafe fn of(features: *const *const LV2_Feature) -> Self {
        // SAFETY: the caller's word; each URI names its struct.
        unsafe {
            Self {
                map: features::data(features, LV2_STATE__mapPath),
                make: features::data(features, LV2_STATE__makePath),
                free: features::data(features, LV2_STATE__freePath),
            }
        }
    }

    /// Takes a path from the host: copies it and gives the host's memory back.
    ///
    /// # Safety
    /// `path` is null or a C string that the host allocated for us.
    unsafe fn take(&self, path: *mut c_char) -> Option<CString> {
        if path.is_null() {
            return None;
        }
        // SAFETY: the caller's word; read before it is given back.
        let copy = unsafe { CStr::from_ptr(path) }.to_owned();
        match self.free.and_then(|free| Some((free.handle, free.free_path?))) {
            // SAFETY: the host's own function for the host's own memory.
            Some((handle, free)) => unsafe { free(handle, path) },
            // Older hosts have the C library's memory freed.
            // SAFETY: allocated by `malloc` (LV2 `state.h`, before `freePath`).
            None => unsafe { libc::free(path.cast()) },
        }
        Some(copy)
    }

    /// Writes a file into the host's folder; answers the path to store. `None`: the host keeps no files, or it could not be
    /// written, and the state goes in place. `[main]`
    fn write(&self, bytes: &[u8]) -> Option<CString> {
        let (make, map) = (self.make?, self.map?);
        // SAFETY: the host's own functions with their own handles, and C strings.
        unsafe {
            let path = self.take(make.path?(make.handle, FILE.as_ptr()))?;
            std::fs::write(Path::new(std::ffi::OsStr::from_bytes(path.to_bytes())), bytes).ok()?;
            self.take(map.abstract_path?(map.handle, path.as_ptr()))
        }
    }

    /// The file that a stored path means here. `[main]`
    fn resolve(&self, stored: &CStr) -> PathBuf {
        let path = |path: &CStr| PathBuf::from(std::ffi::OsStr::from_bytes(path.to_bytes()));
        // SAFETY: as in `write`.
        let mapped = self.map.and_then(|map| unsafe { self.take(map.absolute_path?(map.handle, stored.as_ptr())) });
        mapped.map_or_else(|| path(stored), |mapped| path(&mapped))
    }
}

/// `save`. The status says what went wrong: see the table of [`crate::lv2`]. `[main]`
unsafe extern "C" fn save<P: Lv2Plugin>(
    handle: LV2_Handle,
    store: LV2_State_Store_Function,
    host: LV2_State_Handle,
    _flags: u32,
    features: *const *const LV2_Feature,
) -> LV2_State_Status {
    guard(LV2_State_Status_LV2_STATE_ERR_UNKNOWN, || {
        // SAFETY: the host passes what `instantiate` gave it.
        let (Some(this), Some(store)) = (unsafe { of::<P>(handle) }, store) else {
            return LV2_State_Status_LV2_STATE_ERR_UNKNOWN;
        };
        if this.urids.state == 0 {
            return LV2_State_Status_LV2_STATE_ERR_NO_FEATURE;
        }
        injected("lv2 save");
        let bytes = this.bytes();
        this.say();
        let Some(bytes) = bytes else { return LV2_State_Status_LV2_STATE_SUCCESS };
        if let Some(unread) = &*lock(&this.common.unread)
            && unread.value == bytes
        {
            let value = unread.value.as_ptr().cast();
            // SAFETY: as below.
            return unsafe { store(host, this.urids.state, value, unread.value.len(), unread.kind, unread.flags) };
        }
        let flags = LV2_State_Flags::LV2_STATE_IS_POD.0 | LV2_State_Flags::LV2_STATE_IS_PORTABLE.0;
        // SAFETY: the host's list, valid over the call.
        let files = unsafe { Files::of(features) };
        let file = if bytes.len() > IN_PLACE { files.write(&bytes) } else { None };
        let (value, size, kind): (*const c_void, usize, u32) = match &file {
            Some(path) => (path.as_ptr().cast(), path.as_bytes_with_nul().len(), this.urids.path),
            None => (bytes.as_ptr().cast(), bytes.len(), this.urids.chunk),
        };
        // SAFETY: the host's own function; it copies `size` bytes from `value`.
        let stored = unsafe { store(host, this.urids.state, value, size, kind, flags) };
        let ports = this.common.seen.save(&this.common.params.infos);
        if !ports.is_empty() {
            // SAFETY: as above. Without it the state is as good as in a host that forgets its ports.
            let _as_without =
                unsafe { store(host, this.urids.ports, ports.as_ptr().cast(), ports.len(), this.urids.chunk, flags) };
        }
        stored
    })
}

/// `restore`. As [`save`]. `[main]`
unsafe extern "C" fn restore<P: Lv2Plugin>(
    handle: LV2_Handle,
    retrieve: LV2_State_Retrieve_Function,
    host: LV2_State_Handle,
    _flags: u32,
    features: *const *const LV2_Feature,
) -> LV2_State_Status {
    guard(LV2_State_Status_LV2_STATE_ERR_UNKNOWN, || {
        // SAFETY: the host passes what `instantiate` gave it.
        let (Some(this), Some(retrieve)) = (unsafe { of::<P>(handle) }, retrieve) else {
            return LV2_State_Status_LV2_STATE_ERR_UNKNOWN;
        };
        if this.urids.state == 0 {
            return LV2_State_Status_LV2_STATE_ERR_NO_FEATURE;
        }
        let (mut size, mut kind, mut flags) = (0_usize, 0_u32, 0_u32);
        // SAFETY: the host's own function; it writes the three numbers and answers null or `size` bytes that live until
        // `restore` returns.
        let value = unsafe { retrieve(host, this.urids.state, &mut size, &mut kind, &mut flags) };
        if value.is_null() || size == 0 {
            return LV2_State_Status_LV2_STATE_ERR_NO_PROPERTY;
        }
        // SAFETY: as above.
        let value = unsafe { std::slice::from_raw_parts(value.cast::<u8>(), size) };
        injected("lv2 restore");
        *lock(&this.common.unread) = None;
        // SAFETY: as above.
        let ports = unsafe { ports(retrieve, host, this.urids.ports) };
        this.common.seen.restore(&this.common.params.infos, &ports);
        let restored = if kind == this.urids.path {
            // SAFETY: the host's list, valid over the call.
            let files = unsafe { Files::of(features) };
            let Ok(stored) = CStr::from_bytes_until_nul(value) else {
                return LV2_State_Status_LV2_STATE_ERR_BAD_TYPE;
            };
            let path = files.resolve(stored);
            match std::fs::read(&path) {
                Ok(bytes) => this.take_bytes(&bytes),
                Err(error) => {
                    this.log.warn(&format!("{}: {}: {error}", P::NAME, path.display()));
                    // No state of ours: kept by those who know what to do with it, and known again at the next save.
                    *lock(&this.common.unread) = Some(Unread { value: value.to_vec(), kind, flags });
                    this.take_bytes(value);
                    false
                }
            }
        } else {
            // Whatever it is called: bytes that are no state are kept by those who know what to do with them.
            this.take_bytes(value)
        };
        this.say();
        if restored { LV2_State_Status_LV2_STATE_SUCCESS } else { LV2_State_Status_LV2_STATE_ERR_UNKNOWN }
    })
}

/// What the host had at its ports when it saved; empty where that is not known.
///
/// # Safety
/// `retrieve` and `host` are what the host passed to `restore`, which is under way.
unsafe fn ports(
    retrieve: unsafe extern "C" fn(LV2_State_Handle, u32, *mut usize, *mut u32, *mut u32) -> *const c_void,
    host: LV2_State_Handle,
    key: u32,
) -> String {
    let (mut size, mut kind, mut flags) = (0_usize, 0_u32, 0_u32);
    // SAFETY: the caller's word; see `restore`.
    let value = unsafe { retrieve(host, key, &mut size, &mut kind, &mut flags) };
    if value.is_null() || size == 0 {
        return String::new();
    }
    // SAFETY: as above.
    String::from_utf8_lossy(unsafe { std::slice::from_raw_parts(value.cast::<u8>(), size) }).into_owned()
}

impl<P: Lv2Plugin> Instance<P> {
    /// The state's bytes. `[main]`
    fn bytes(&self) -> Option<Vec<u8>> {
        if P::Core::OWN_STATE {
            return self.common.core.save();
        }
        serde_json::to_vec(&self.common.params.state(P::VERSION)).ok()
    }

    /// Takes a state's bytes. False: they are none of ours. `[main]`
    fn take_bytes(&self, bytes: &[u8]) -> bool {
        if P::Core::OWN_STATE {
            return self.common.core.load(bytes);
        }
        let Ok(mut state) = serde_json::from_slice::<PluginState>(bytes) else { return false };
        P::filter_state(&mut state);
        self.common.params.set_state(&state);
        true
    }
}
