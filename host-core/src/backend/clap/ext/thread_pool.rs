//! `clap.thread-pool`: tasks of a process call. They are run one after another on the calling thread; helpers are given
//! only to plugins that were found safe and faster with them.
#![expect(unsafe_code, reason = "clack's wrapper makes an exclusive reference to the audio side inside a process call")]

use std::ffi::CStr;
use std::sync::Arc;

use clack_host::extensions::prelude::*;
use clap_sys::ext::thread_pool::*;
use clap_sys::plugin::clap_plugin;

use crate::backend::clap::host::Handlers;
use crate::backend::clap::requests::{Common, Wrong};
use crate::backend::role::{self, AudioRole};

/// Most tasks of one request.
const MAX_TASKS: u32 = 65_535;

/// The plugin's task function. Called only inside that plugin's own process call.
pub struct Tasks {
    plugin: *const clap_plugin,
    exec: unsafe extern "C" fn(*const clap_plugin, u32),
}

// SAFETY: the pointers are only passed on, and only inside a process call of the plugin, which proves that it lives.
unsafe impl Send for Tasks {}
// SAFETY: as above; `exec` is thread-safe by the specification.
unsafe impl Sync for Tasks {}

/// Looks for the plugin's task function. `[home]`
pub fn find(plugin: &PluginMainThreadHandle<'_>, common: &Arc<Common>) {
    let Some(get) = plugin.as_raw().get_extension else { return };
    // SAFETY: the handle proves that the instance lives; the identifier is a C string.
    let found = unsafe { get(plugin.as_raw_ptr(), CLAP_EXT_THREAD_POOL.as_ptr()) }.cast::<clap_plugin_thread_pool>();
    // SAFETY: null, or by the specification the structure of that name, valid while the instance lives.
    if let Some(exec) = unsafe { found.as_ref() }.and_then(|found| found.exec) {
        let _already = common.tasks.set(Tasks { plugin: plugin.as_raw_ptr(), exec });
    }
}

/// The host side of `clap.thread-pool`.
#[derive(Clone, Copy)]
pub struct HostThreadPool;

// SAFETY: CLAP_EXT_THREAD_POOL names clap_host_thread_pool; the type holds nothing, so any pointer of that side may
// make it.
unsafe impl Extension for HostThreadPool {
    const IDENTIFIERS: &[&CStr] = &[CLAP_EXT_THREAD_POOL];
    type ExtensionSide = HostExtensionSide;

    unsafe fn from_raw(_raw: RawExtension<Self::ExtensionSide>) -> Self {
        Self
    }
}

// SAFETY: clap_host_thread_pool is the structure that CLAP_EXT_THREAD_POOL names on the host's side.
unsafe impl ExtensionImplementation<Handlers> for HostThreadPool {
    const IMPLEMENTATION: RawExtensionImplementation =
        RawExtensionImplementation::new(&clap_host_thread_pool { request_exec: Some(request_exec) });
}

unsafe extern "C" fn request_exec(host: *const clap_host, tasks: u32) -> bool {
    // SAFETY: `host` is the pointer this instance was given (clack checks it for null).
    unsafe { HostWrapper::<Handlers>::handle(host, |wrapper| Ok(run(&wrapper.shared().0, tasks))) }.unwrap_or(false)
}

/// Runs all tasks and returns true; false, running none, outside the plugin's process call or inside one of its tasks.
fn run(common: &Common, tasks: u32) -> bool {
    let number = common.number();
    let Some(pool) = common.tasks.get() else { return false };
    if !role::may_start_tasks(number) {
        return false;
    }
    if tasks > MAX_TASKS {
        common.wrong(Wrong::Tasks);
        return false;
    }
    let _role = AudioRole::tasks(number);
    for task in 0..tasks {
        // SAFETY: the role says that this thread is inside the plugin's process call, so the instance lives.
        unsafe { (pool.exec)(pool.plugin, task) };
    }
    true
}
