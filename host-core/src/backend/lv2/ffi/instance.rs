//! An instance of a plugin: made, activated, deactivated and freed on home.

use std::cell::Cell;
use std::ffi::{CString, c_char, c_void};
use std::ptr::NonNull;

use lilv_sys as sys;

use super::features::{Features, Offer};
use super::lilv::Plugin;
use super::spec::{Handle, StateInterface, WorkerInterface, WorkerSchedule};
use super::state::MakeFolder;
use super::worker::{Answers, Worker};
use crate::backend::lv2::uri;

/// A plugin's instance with all that it points to. Shared by both halves; home alone calls its methods.
pub struct Instance {
    raw: NonNull<sys::LilvInstance>,
    state: Option<NonNull<StateInterface>>,
    active: Cell<bool>,
    worker: Option<std::cell::RefCell<Worker>>,
    folder: MakeFolder,
    _features: Features,
}

// SAFETY: the audio half holds the instance only to keep it alive; what it calls (`run`, answers) goes through
// `Machine`. All methods here are home's, as their tag says and as only `Main`, which is not `Send`, calls them. Should
// the audio half be the last to let go, the instance is freed on that thread: late, but sound.
unsafe impl Send for Instance {}
// SAFETY: as above.
unsafe impl Sync for Instance {}

/// Why no instance came out.
#[derive(Debug)]
pub enum MakeError {
    /// The plugin returned none.
    Refused,
    /// The worker's thread could not be started.
    Thread(std::io::Error),
}

impl Instance {
    /// Makes an instance at `rate`. `[home]`
    pub fn new(plugin: Plugin<'_>, rate: f64, offer: Offer<'_>, works: bool) -> Result<Self, MakeError> {
        let mut worker = works.then(Worker::new);
        let folder = MakeFolder::new(offer.scratch.clone());
        let features = Features::new(offer, worker.as_ref());
        // SAFETY: the plugin lives as long as its world; the features are kept in `self` as long as the instance.
        let raw = unsafe { sys::lilv_plugin_instantiate(plugin.as_ptr(), rate, features.as_ptr()) };
        let raw = NonNull::new(raw).ok_or(MakeError::Refused)?;
        // SAFETY: lilv returned an instance with a descriptor and a handle.
        let (state, work) = unsafe {
            (
                NonNull::new(extension(raw, uri::STATE_INTERFACE).cast::<StateInterface>()),
                extension(raw, uri::WORKER_INTERFACE).cast::<WorkerInterface>(),
            )
        };
        let mut thread = Ok(());
        if let (Some(worker), false) = (&mut worker, work.is_null()) {
            // SAFETY: both belong to this instance, which is freed after the worker is dropped.
            thread = unsafe { worker.attach((*raw.as_ptr()).lv2_handle, work) };
        }
        let worker = worker.map(std::cell::RefCell::new);
        let made = Self { raw, state, active: Cell::new(false), worker, folder, _features: features };
        thread.map_err(MakeError::Thread).map(|()| made)
    }

    /// Whether the plugin has a state of its own. `[home]`
    pub fn has_state(&self) -> bool {
        self.state.is_some()
    }

    /// Activates: resets everything but ports. `[home & !active]`
    pub fn activate(&self) {
        if !self.active.replace(true) {
            // SAFETY: alive, not active (lv2.h), nobody runs it: home holds the audio half.
            unsafe { sys::lilv_instance_activate(self.raw.as_ptr()) };
        }
    }

    /// Deactivates. `[home & active]`, with the audio half at home.
    pub fn deactivate(&self) {
        if self.active.replace(false) {
            // SAFETY: alive, active, nobody runs it: home holds the audio half.
            unsafe { sys::lilv_instance_deactivate(self.raw.as_ptr()) };
        }
    }

    /// The audio half's end of the worker, once. `[home]`
    pub(super) fn answers(&self) -> Option<Answers> {
        self.worker.as_ref()?.borrow_mut().answers()
    }

    pub(super) fn schedule_for_restore(&self) -> Option<&WorkerSchedule> {
        let worker = self.worker.as_ref()?.borrow();
        // SAFETY: the data is boxed inside the worker, which is neither replaced nor dropped before `self`.
        Some(unsafe { &*std::ptr::from_ref(worker.schedule_for_restore()) })
    }

    pub(super) fn folder(&self) -> &MakeFolder {
        &self.folder
    }

    pub(super) fn state(&self) -> Option<*const StateInterface> {
        self.state.map(|state| state.as_ptr().cast_const())
    }

    pub(super) fn raw(&self) -> *mut sys::LilvInstance {
        self.raw.as_ptr()
    }

    /// The plugin's own `extension_data`, for its user interface.
    pub(super) fn extension_data(&self) -> Option<extern "C" fn(*const c_char) -> *const c_void> {
        // SAFETY: lilv's instance is alive, and its descriptor is constant in a library that stays mapped.
        let extension = unsafe { (*(*self.raw.as_ptr()).lv2_descriptor).extension_data }?;
        // SAFETY: the same function under the same C type; only the sign of `char` is spelled otherwise.
        Some(unsafe {
            std::mem::transmute::<*const c_void, extern "C" fn(*const c_char) -> *const c_void>(
                extension as *const c_void,
            )
        })
    }

    pub(super) fn handle(&self) -> Handle {
        // SAFETY: lilv's instance is alive and its handle never changes.
        unsafe { (*self.raw.as_ptr()).lv2_handle }
    }
}

/// # Safety
/// `raw` is alive.
unsafe fn extension(raw: NonNull<sys::LilvInstance>, uri: &str) -> *mut c_void {
    let uri = CString::new(uri).unwrap_or_default();
    // SAFETY: the instance is alive; the URI outlives the call.
    unsafe { sys::lilv_instance_get_extension_data(raw.as_ptr(), uri.as_ptr().cast()).cast_mut() }
}

impl Drop for Instance {
    fn drop(&mut self) {
        self.deactivate();
        // The worker's thread may be inside the plugin: it ends first.
        drop(self.worker.take());
        // SAFETY: owned, freed once, after everything that calls it.
        unsafe { sys::lilv_instance_free(self.raw.as_ptr()) };
    }
}
