//! The few structs of the CLAP interface (1.2) that this file needs: it links nothing but libc and std.

use std::ffi::{CStr, c_char, c_void};

pub const PLUGIN_FACTORY: &CStr = c"clap.plugin-factory";
pub const AUDIO_PORTS: &CStr = c"clap.audio-ports";
pub const NOTE_PORTS: &CStr = c"clap.note-ports";
pub const STATE: &CStr = c"clap.state";
pub const LOG: &CStr = c"clap.log";
pub const LOG_WARNING: i32 = 2;
pub const PORT_IS_MAIN: u32 = 1;
pub const INVALID_ID: u32 = u32::MAX;
pub const PROCESS_ERROR: i32 = 0;
pub const PROCESS_CONTINUE: i32 = 1;
pub const VERSION: Version = Version { major: 1, minor: 2, revision: 2 };

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Version {
    pub major: u32,
    pub minor: u32,
    pub revision: u32,
}

#[repr(C)]
pub struct Entry {
    pub version: Version,
    pub init: unsafe extern "C" fn(*const c_char) -> bool,
    pub deinit: unsafe extern "C" fn(),
    pub get_factory: unsafe extern "C" fn(*const c_char) -> *const c_void,
}

#[repr(C)]
pub struct Factory {
    pub count: unsafe extern "C" fn(*const Factory) -> u32,
    pub descriptor: unsafe extern "C" fn(*const Factory, u32) -> *const Descriptor,
    pub create: unsafe extern "C" fn(*const Factory, *const Host, *const c_char) -> *const Plugin,
}

#[repr(C)]
pub struct Descriptor {
    pub version: Version,
    pub id: *const c_char,
    pub name: *const c_char,
    pub vendor: *const c_char,
    pub url: *const c_char,
    pub manual_url: *const c_char,
    pub support_url: *const c_char,
    pub plugin_version: *const c_char,
    pub description: *const c_char,
    pub features: *const *const c_char,
}

#[repr(C)]
pub struct Host {
    pub version: Version,
    pub data: *mut c_void,
    pub name: *const c_char,
    pub vendor: *const c_char,
    pub url: *const c_char,
    pub host_version: *const c_char,
    pub get_extension: Option<unsafe extern "C" fn(*const Host, *const c_char) -> *const c_void>,
    pub request_restart: Option<unsafe extern "C" fn(*const Host)>,
    pub request_process: Option<unsafe extern "C" fn(*const Host)>,
    pub request_callback: Option<unsafe extern "C" fn(*const Host)>,
}

#[repr(C)]
pub struct HostLog {
    pub log: Option<unsafe extern "C" fn(*const Host, i32, *const c_char)>,
}

#[repr(C)]
pub struct Plugin {
    pub descriptor: *const Descriptor,
    pub data: *mut c_void,
    pub init: unsafe extern "C" fn(*const Plugin) -> bool,
    pub destroy: unsafe extern "C" fn(*const Plugin),
    pub activate: unsafe extern "C" fn(*const Plugin, f64, u32, u32) -> bool,
    pub deactivate: unsafe extern "C" fn(*const Plugin),
    pub start_processing: unsafe extern "C" fn(*const Plugin) -> bool,
    pub stop_processing: unsafe extern "C" fn(*const Plugin),
    pub reset: unsafe extern "C" fn(*const Plugin),
    pub process: unsafe extern "C" fn(*const Plugin, *const Process) -> i32,
    pub get_extension: unsafe extern "C" fn(*const Plugin, *const c_char) -> *const c_void,
    pub on_main_thread: unsafe extern "C" fn(*const Plugin),
}

#[repr(C)]
pub struct AudioBuffer {
    pub data32: *mut *mut f32,
    pub data64: *mut *mut f64,
    pub channels: u32,
    pub latency: u32,
    pub constant_mask: u64,
}

#[repr(C)]
pub struct Process {
    pub steady_time: i64,
    pub frames: u32,
    pub transport: *const c_void,
    pub inputs: *const AudioBuffer,
    pub outputs: *mut AudioBuffer,
    pub input_count: u32,
    pub output_count: u32,
    pub in_events: *const c_void,
    pub out_events: *const c_void,
}

#[repr(C)]
pub struct AudioPorts {
    pub count: unsafe extern "C" fn(*const Plugin, bool) -> u32,
    pub get: unsafe extern "C" fn(*const Plugin, u32, bool, *mut AudioPort) -> bool,
}

#[repr(C)]
pub struct AudioPort {
    pub id: u32,
    pub name: [c_char; 256],
    pub flags: u32,
    pub channels: u32,
    pub kind: *const c_char,
    pub in_place_pair: u32,
}

#[repr(C)]
pub struct NotePorts {
    pub count: unsafe extern "C" fn(*const Plugin, bool) -> u32,
    pub get: unsafe extern "C" fn(*const Plugin, u32, bool, *mut NotePort) -> bool,
}

#[repr(C)]
pub struct NotePort {
    pub id: u32,
    pub supported: u32,
    pub preferred: u32,
    pub name: [c_char; 256],
}

#[repr(C)]
pub struct State {
    pub save: unsafe extern "C" fn(*const Plugin, *const OStream) -> bool,
    pub load: unsafe extern "C" fn(*const Plugin, *const IStream) -> bool,
}

#[repr(C)]
pub struct IStream {
    pub context: *mut c_void,
    pub read: Option<unsafe extern "C" fn(*const IStream, *mut c_void, u64) -> i64>,
}

#[repr(C)]
pub struct OStream {
    pub context: *mut c_void,
    pub write: Option<unsafe extern "C" fn(*const OStream, *const c_void, u64) -> i64>,
}
