//! Loading `.clap` files: once per process, never unloaded.
#![expect(unsafe_code, reason = "the dynamic loader's interface, and the symbol found in a foreign library")]

use std::collections::BTreeMap;
use std::ffi::{CStr, CString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::ptr::NonNull;
use std::sync::{Mutex, PoisonError};

use clack_host::entry::{EntryDescriptor, EntryProvider, PluginEntry, PluginEntryError};

use crate::backend::OpenError;

/// A library that stays mapped until the process ends.
#[derive(Clone)]
pub struct Library {
    /// Its entry, initialised once. Kept by the table below too, so it is never deinitialised.
    pub entry: PluginEntry,
    /// The file was mapped before Catena opened it: the host program uses it too.
    pub shared: bool,
}

static LIBRARIES: Mutex<BTreeMap<PathBuf, Library>> = Mutex::new(BTreeMap::new());

/// The library at `path`, by its real path. `[home]`
pub fn load(path: &Path) -> Result<Library, OpenError> {
    let fail = |reason: String| OpenError::Library { path: path.into(), reason };
    let real = path.canonicalize().map_err(|error| fail(error.to_string()))?;
    let mut table = LIBRARIES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(library) = table.get(&real) {
        return Ok(library.clone());
    }
    let name = CString::new(real.as_os_str().as_bytes()).map_err(|_| fail("its name holds a zero byte".into()))?;
    let shared = is_mapped(&name);
    let provider = open(&name).map_err(fail)?;
    // SAFETY: the entry comes from a library that exports it under CLAP's own name and is never unmapped
    // (RTLD_NODELETE); that the functions it names keep CLAP's rules is the library's own duty, and not keeping them
    // is what the scan's child process and isolation are for.
    let entry = unsafe { PluginEntry::load_from(provider, &name) }.map_err(|error| fail(reason(&error)))?;
    let library = Library { entry, shared };
    table.insert(real, library.clone());
    Ok(library)
}

fn reason(error: &PluginEntryError) -> String {
    match error {
        PluginEntryError::EntryInitFailed => "its clap_entry.init failed".into(),
        other => other.to_string(),
    }
}

fn is_mapped(name: &CStr) -> bool {
    // SAFETY: `name` is a C string; RTLD_NOLOAD loads nothing and answers null where the file is not mapped.
    let handle = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOLOAD | libc::RTLD_NOW) };
    if !handle.is_null() {
        // SAFETY: the handle was just given out and is closed once; it only takes back our own count.
        unsafe { libc::dlclose(handle) };
    }
    !handle.is_null()
}

/// A clap_entry in a library that is never unmapped.
struct StaticEntry(NonNull<EntryDescriptor>);

// SAFETY: the pointer leads into a library opened with RTLD_NODELETE, so it is valid as long as the process.
unsafe impl EntryProvider for StaticEntry {
    fn entry_pointer(&self) -> NonNull<EntryDescriptor> {
        self.0
    }
}

// SAFETY: the entry is constant data, and CLAP makes its functions callable from any thread.
unsafe impl Send for StaticEntry {}
// SAFETY: as above.
unsafe impl Sync for StaticEntry {}

fn open(name: &CStr) -> Result<StaticEntry, String> {
    let flags = libc::RTLD_NOW | libc::RTLD_LOCAL | libc::RTLD_NODELETE;
    // SAFETY: `name` is a C string. Constructors of the library run: its own affair, see `load`.
    let handle = unsafe { libc::dlopen(name.as_ptr(), flags) };
    if handle.is_null() {
        return Err(loader_error());
    }
    // SAFETY: the handle is open, the symbol's name is a C string.
    let symbol = unsafe { libc::dlsym(handle, c"clap_entry".as_ptr()) };
    NonNull::new(symbol.cast()).map(StaticEntry).ok_or_else(|| "it is no CLAP library (no clap_entry)".into())
}

fn loader_error() -> String {
    // SAFETY: dlerror is thread-safe in glibc; its text is valid until this thread's next loader call.
    let text = unsafe { libc::dlerror() };
    if text.is_null() {
        return "the loader gives no reason".into();
    }
    // SAFETY: not null, so a C string by dlerror's contract; copied before the next loader call.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}
