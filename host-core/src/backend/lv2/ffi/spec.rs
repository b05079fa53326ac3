//! The C structures of the LV2 extensions, as their headers lay them out (LV2 1.18), under their own names.

use std::ffi::{c_char, c_int, c_void};

pub use lv2_raw::{LV2Feature as Feature, LV2Handle as Handle};

/// `urid/urid.h`
#[repr(C)]
pub struct UridMap {
    pub handle: *mut c_void,
    pub map: unsafe extern "C" fn(*mut c_void, *const c_char) -> u32,
}

/// `urid/urid.h`
#[repr(C)]
pub struct UridUnmap {
    pub handle: *mut c_void,
    pub unmap: unsafe extern "C" fn(*mut c_void, u32) -> *const c_char,
}

/// `options/options.h`
#[repr(C)]
pub struct OptionsOption {
    pub context: u32,
    pub subject: u32,
    pub key: u32,
    pub size: u32,
    pub type_: u32,
    pub value: *const c_void,
}

/// `worker/worker.h`: how a plugin answers from `work`.
pub type WorkerRespond = unsafe extern "C" fn(*mut c_void, u32, *const c_void) -> u32;

/// `worker/worker.h`
#[repr(C)]
pub struct WorkerInterface {
    pub work: Option<unsafe extern "C" fn(Handle, WorkerRespond, *mut c_void, u32, *const c_void) -> u32>,
    pub work_response: Option<unsafe extern "C" fn(Handle, u32, *const c_void) -> u32>,
    pub end_run: Option<unsafe extern "C" fn(Handle) -> u32>,
}

/// `worker/worker.h`
#[repr(C)]
pub struct WorkerSchedule {
    pub handle: *mut c_void,
    pub schedule_work: unsafe extern "C" fn(*mut c_void, u32, *const c_void) -> u32,
}

/// `LV2_WORKER_SUCCESS`
pub const WORKER_SUCCESS: u32 = 0;
/// `LV2_WORKER_ERR_UNKNOWN`
pub const WORKER_ERR_UNKNOWN: u32 = 1;
/// `LV2_WORKER_ERR_NO_SPACE`
pub const WORKER_ERR_NO_SPACE: u32 = 2;

/// `state/state.h`
pub type StateStore = unsafe extern "C" fn(*mut c_void, u32, *const c_void, usize, u32, u32) -> u32;
/// `state/state.h`
pub type StateRetrieve = unsafe extern "C" fn(*mut c_void, u32, *mut usize, *mut u32, *mut u32) -> *const c_void;

/// `state/state.h`
#[repr(C)]
pub struct StateInterface {
    pub save: Option<unsafe extern "C" fn(Handle, StateStore, *mut c_void, u32, *const *const Feature) -> u32>,
    pub restore: Option<unsafe extern "C" fn(Handle, StateRetrieve, *mut c_void, u32, *const *const Feature) -> u32>,
}

/// `LV2_STATE_SUCCESS`
pub const STATE_SUCCESS: u32 = 0;
/// `LV2_STATE_ERR_BAD_FLAGS`
pub const STATE_ERR_BAD_FLAGS: u32 = 3;
/// `LV2_STATE_ERR_NO_PROPERTY`
pub const STATE_ERR_NO_PROPERTY: u32 = 5;
/// `LV2_STATE_IS_POD`
pub const STATE_IS_POD: u32 = 1;
/// `LV2_STATE_IS_PORTABLE`
pub const STATE_IS_PORTABLE: u32 = 2;

/// `state/state.h`
#[repr(C)]
pub struct MapPath {
    pub handle: *mut c_void,
    pub abstract_path: unsafe extern "C" fn(*mut c_void, *const c_char) -> *mut c_char,
    pub absolute_path: unsafe extern "C" fn(*mut c_void, *const c_char) -> *mut c_char,
}

/// `state/state.h`
#[repr(C)]
pub struct MakePath {
    pub handle: *mut c_void,
    pub path: unsafe extern "C" fn(*mut c_void, *const c_char) -> *mut c_char,
}

/// `state/state.h`
#[repr(C)]
pub struct FreePath {
    pub handle: *mut c_void,
    pub free_path: unsafe extern "C" fn(*mut c_void, *mut c_char),
}

/// `log/log.h`. `va_list` is passed as a pointer on every ABI Catena builds for.
#[repr(C)]
pub struct Log {
    pub handle: *mut c_void,
    pub printf: unsafe extern "C" fn(),
    pub vprintf: unsafe extern "C" fn(*mut c_void, u32, *const c_char, *mut c_void) -> c_int,
}

/// `ui/ui.h`
#[repr(C)]
pub struct UiDescriptor {
    pub uri: *const c_char,
    pub instantiate: Option<
        unsafe extern "C" fn(
            *const UiDescriptor,
            *const c_char,
            *const c_char,
            UiWrite,
            *mut c_void,
            *mut *mut c_void,
            *const *const Feature,
        ) -> *mut c_void,
    >,
    pub cleanup: Option<unsafe extern "C" fn(*mut c_void)>,
    pub port_event: Option<unsafe extern "C" fn(*mut c_void, u32, u32, u32, *const c_void)>,
    pub extension_data: Option<unsafe extern "C" fn(*const c_char) -> *const c_void>,
}

/// `ui/ui.h`
pub type UiWrite = unsafe extern "C" fn(*mut c_void, u32, u32, u32, *const c_void);

/// `ui/ui.h`: offered to a user interface, and by one.
#[repr(C)]
pub struct UiResize {
    pub handle: *mut c_void,
    pub ui_resize: Option<unsafe extern "C" fn(*mut c_void, c_int, c_int) -> c_int>,
}

/// `ui/ui.h`
#[repr(C)]
pub struct UiPortMap {
    pub handle: *mut c_void,
    pub port_index: unsafe extern "C" fn(*mut c_void, *const c_char) -> u32,
}

/// `ui/ui.h`
#[repr(C)]
pub struct UiPortSubscribe {
    pub handle: *mut c_void,
    pub subscribe: unsafe extern "C" fn(*mut c_void, u32, u32, *const *const Feature) -> u32,
    pub unsubscribe: unsafe extern "C" fn(*mut c_void, u32, u32, *const *const Feature) -> u32,
}

/// `ui/ui.h`
#[repr(C)]
pub struct UiTouch {
    pub handle: *mut c_void,
    pub touch: unsafe extern "C" fn(*mut c_void, u32, bool),
}

/// `ui/ui.h`
#[repr(C)]
pub struct UiIdle {
    pub idle: Option<unsafe extern "C" fn(*mut c_void) -> c_int>,
}

/// `lv2_external_ui.h`: what a user interface with a window of its own gives as its widget.
#[repr(C)]
pub struct ExternalWidget {
    pub run: Option<unsafe extern "C" fn(*mut ExternalWidget)>,
    pub show: Option<unsafe extern "C" fn(*mut ExternalWidget)>,
    pub hide: Option<unsafe extern "C" fn(*mut ExternalWidget)>,
}

/// `lv2_external_ui.h`: what it is given.
#[repr(C)]
pub struct ExternalHost {
    pub ui_closed: unsafe extern "C" fn(*mut c_void),
    pub plugin_human_id: *const c_char,
}

/// `LV2UI_INVALID_PORT_INDEX`
pub const UI_NO_PORT: u32 = u32::MAX;

/// `data-access/data-access.h`
#[repr(C)]
pub struct DataAccess {
    pub data_access: Option<extern "C" fn(*const c_char) -> *const c_void>,
}
