// Finding and opening the core library: the same lines in every entry, which are one file each and share no crate.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The core library of this process, or why there is none and what to do.
pub fn core() -> Result<&'static Core, &'static str> {
    static CORE: OnceLock<Result<Core, String>> = OnceLock::new();
    CORE.get_or_init(open).as_ref().map_err(String::as_str)
}

/// An open core library of our major version. It is never closed.
pub struct Core(*mut c_void);

// SAFETY: a handle of `dlopen`, which `dlsym` takes from any thread; never closed.
unsafe impl Send for Core {}
// SAFETY: as above.
unsafe impl Sync for Core {}

impl Core {
    /// The address of `name`.
    pub fn symbol(&self, name: &CStr) -> Option<*mut c_void> {
        // SAFETY: an open handle and a C string.
        let address = unsafe { libc::dlsym(self.0, name.as_ptr()) };
        (!address.is_null()).then_some(address)
    }
}

fn open() -> Result<Core, String> {
    let mut found = Vec::new();
    for path in candidates().iter().filter_map(|path| path.canonicalize().ok()) {
        match open_one(&path) {
            Ok(core) => return Ok(core),
            Err(problem) => found.push(format!("{}: {problem}", path.display())),
        }
    }
    let why = if found.is_empty() { "libcatena.so was not found".into() } else { found.join("; ") };
    Err(format!(
        "{why}. Install Catena {} again with its core library \
         (`cargo xtask install`), or set CATENA_LIB to the path of libcatena.so. The chain is kept.",
        env!("CARGO_PKG_VERSION")
    ))
}

/// What to tell the user of a plugin that is `mute`, or dry, since it goes without the core library.
pub fn told(mute: bool) -> String {
    let older = "this plugin is a chain, and the core library that is installed is older than it, or the chain is damaged. Install \
                 Catena again, or export it again.";
    told_why(mute, core().err().unwrap_or(older))
}

/// The same for another reason.
pub fn told_why(mute: bool, why: &str) -> String {
    let does = if mute { "is silent" } else { "passes audio unchanged" };
    format!("Catena {does}: {why}")
}

/// Where the library may be, in order: `$CATENA_LIB`; beside this file and up to three folders above, as it was opened
/// and as it really lies; where installs put it.
fn candidates() -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = std::env::var_os("CATENA_LIB").map(PathBuf::from).into_iter().collect();
    let own = own_path();
    for file in
        [own.as_deref().and_then(|path| std::path::absolute(path).ok()), own.and_then(|path| path.canonicalize().ok())]
    {
        for folder in file.iter().flat_map(|file| file.ancestors().skip(1).take(4)) {
            paths.push(folder.join("lib/libcatena.so"));
            paths.push(folder.join("libcatena.so"));
        }
    }
    let home = std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".local/lib"));
    for folder in home.into_iter().chain(["/usr/local/lib", "/usr/lib", "/usr/lib/x86_64-linux-gnu"].map(PathBuf::from))
    {
        paths.push(folder.join("libcatena.so"));
    }
    paths
}

/// The file that this code was loaded from.
pub fn own_path() -> Option<PathBuf> {
    let own: fn() -> Option<PathBuf> = own_path;
    let mut info = std::mem::MaybeUninit::<libc::Dl_info>::zeroed();
    // SAFETY: an address in this library, and room for the answer; the name lives as long as the library.
    let name = unsafe {
        if libc::dladdr(own as *const c_void, info.as_mut_ptr()) == 0 {
            return None;
        }
        info.assume_init().dli_fname
    };
    // SAFETY: null or the loader's own C string.
    (!name.is_null())
        .then(|| PathBuf::from(std::ffi::OsString::from_vec(unsafe { CStr::from_ptr(name) }.to_bytes().into())))
}

fn open_one(path: &Path) -> Result<Core, String> {
    const FLAGS: c_int = libc::RTLD_NOW | libc::RTLD_LOCAL | libc::RTLD_NODELETE;
    let name = CString::new(path.as_os_str().as_bytes()).map_err(|_| "a name with a zero byte")?;
    // SAFETY: a C string; the library's initialisers are our own.
    let handle = unsafe { libc::dlopen(name.as_ptr(), FLAGS) };
    if handle.is_null() {
        // SAFETY: null or the loader's C string, copied at once.
        let error = unsafe { libc::dlerror().cast_const().as_ref().map(|error| CStr::from_ptr(error)) };
        return Err(error.map_or("cannot be loaded".into(), |error| error.to_string_lossy().into_owned()));
    }
    let core = Core(handle);
    let version = core.symbol(c"catena_core_version").ok_or("is no core library of Catena")?;
    // SAFETY: the symbol has this type in every version (it is how versions are told apart).
    let version = unsafe { std::mem::transmute::<*mut c_void, extern "C" fn() -> *const c_char>(version) };
    // SAFETY: a C string of the library's, valid for ever.
    let version = unsafe { CStr::from_ptr(version()) }.to_string_lossy();
    let major = |version: &str| version.split('.').next().map(String::from);
    if major(&version) == major(env!("CARGO_PKG_VERSION")) {
        return Ok(core);
    }
    Err(format!("is version {version}, and this plugin file is version {}", env!("CARGO_PKG_VERSION")))
}
