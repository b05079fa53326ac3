//! `clap.thread-pool`: tasks of a process call. They are run one after another on the calling thread, or shared with the pool where
//! home gave it to the plugin: one that was found safe and faster with it, or of which the user wants it.
#![expect(unsafe_code, reason = "clack's wrapper makes an exclusive reference to the audio side inside a process call")]

use std::ffi::CStr;
use std::sync::Arc;

use clack_host::extensions::prelude::*;
use clap_sys::ext::thread_pool::*;
use clap_sys::plugin::clap_plugin;

use crate::backend::clap::host::Handlers;
use crate::backend::clap::requests::Common;
use crate::backend::role::{self, AudioRole};
use crate::pool::MAX_TASKS;

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
    let Some(own) = common.tasks.get() else { return false };
    if !role::may_start_tasks(number) {
        return false;
    }
    let task = |task: u32| {
        let _role = AudioRole::tasks(number);
        // SAFETY: the calling thread is inside the plugin's process call, which ends when all tasks have, so the instance lives.
        unsafe { (own.exec)(own.plugin, task) };
    };
    // Home exchanges it while no task runs.
    let helpers = common.helpers.try_borrow().ok();
    let helpers = helpers.as_ref().and_then(|helpers| helpers.as_ref());
    let mut first = 0;
    while first < tasks {
        let count = (tasks - first).min(MAX_TASKS);
        let pooled =
            count > 1 && helpers.is_some_and(|share| share.run(count as usize, &|index| task(first + index as u32)));
        if !pooled {
            (first..first + count).for_each(task);
        }
        first += count;
    }
    true
}
