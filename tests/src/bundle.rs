//! A folder laid out as users get it, and processes of their own for tests that need one.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

/// The file that cargo builds of `package`.
pub fn built(package: &str) -> PathBuf {
    crate::fixtures::library(package)
}

/// The plugins as they are installed: `Catena.clap`, `Catena.lv2/...`, `Catena.vst3/...`, `lib/libcatena.so`.
pub struct Bundle {
    folder: tempfile::TempDir,
}

impl Bundle {
    /// With the core library that was just built.
    pub fn new() -> Self {
        let bundle = Self::without_core();
        let lib = bundle.path().join("lib");
        std::fs::create_dir(&lib).expect("lib");
        // A link: entries open the real file, beside which the worker lies.
        std::os::unix::fs::symlink(built("catena"), lib.join("libcatena.so")).expect("libcatena.so");
        bundle
    }

    /// The entries alone.
    pub fn without_core() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let module = folder.path().join("Catena.vst3/Contents/x86_64-linux");
        std::fs::create_dir_all(&module).expect("the VST3 bundle");
        std::fs::copy(built("catena-entry-clap"), folder.path().join("Catena.clap")).expect("Catena.clap");
        std::fs::copy(built("catena-entry-vst3"), module.join("Catena.so")).expect("Catena.vst3");
        let lv2 = folder.path().join("Catena.lv2");
        std::fs::create_dir(&lv2).expect("the LV2 bundle");
        std::fs::copy(built("catena-entry-lv2"), lv2.join("Catena.so")).expect("Catena.lv2");
        turtle(&lv2);
        // A scan in the same second would look older than what it scanned, and be thrown away.
        let installed = SystemTime::now() - Duration::from_secs(3600);
        for part in [module.join("Catena.so"), module, folder.path().join("Catena.vst3")] {
            std::fs::File::open(&part).and_then(|part| part.set_modified(installed)).expect("an older file");
        }
        Self { folder }
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The CLAP file.
    pub fn clap(&self) -> PathBuf {
        self.path().join("Catena.clap")
    }

    /// The LV2 bundle.
    pub fn lv2(&self) -> PathBuf {
        self.path().join("Catena.lv2")
    }

    /// The VST3 bundle.
    pub fn vst3(&self) -> PathBuf {
        self.path().join("Catena.vst3")
    }

    /// The module inside the VST3 bundle.
    pub fn vst3_module(&self) -> PathBuf {
        self.vst3().join("Contents/x86_64-linux/Catena.so")
    }
}

/// Writes the Turtle of the plugins that were just built, in folders of its own: what is asked for is not the user's.
fn turtle(folder: &Path) {
    built("catena");
    let home = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(crate::built::folder().join("catena"));
    command.arg("lv2-turtle").arg(folder).env("HOME", home.path());
    for variable in ["XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"] {
        command.env(variable, home.path());
    }
    let output = command.output().expect("catena");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// A library in `folder` that says it is Catena's core library of that version, and knows nothing.
pub fn foreign_core(folder: &Path, version: &str) {
    let source = folder.join("core.c");
    let text = format!("const char *catena_core_version(void) {{ return \"{version}\"; }}\n");
    std::fs::write(&source, text).expect("core.c");
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-o"]).arg(folder.join("libcatena.so")).arg(&source);
    assert!(compiler.status().expect("cc").success());
}

impl Default for Bundle {
    fn default() -> Self {
        Self::new()
    }
}

/// Set in the process that runs the body of a test.
const CHILD: &str = "CATENA_TEST_CHILD";

/// Runs `body` in a process of its own, with the user's folders in an empty place and the variables that `prepare`
/// makes there. `name` is the test's full name. What is loaded stays loaded (`RTLD_NODELETE`), and variables are
/// the process's: neither may leak into other tests.
pub fn in_own_process<'a>(
    name: &str,
    prepare: impl FnOnce(&Path) -> Vec<(&'a str, PathBuf)>,
    body: impl FnOnce(&Path),
) {
    if std::env::var_os(CHILD).is_some_and(|child| child == *name) {
        let home = PathBuf::from(std::env::var_os("HOME").expect("set below"));
        body(&home);
        return;
    }
    for package in ["catena", "catena-entry-clap", "catena-entry-lv2", "catena-entry-vst3", "catena-fixtures-clap"] {
        built(package);
    }
    crate::fixtures::worker();
    let home = tempfile::tempdir().expect("a folder");
    let variables = prepare(home.path());
    let mut command = Command::new(std::env::current_exe().expect("this test's own path"));
    command.args([name, "--exact", "--nocapture", "--test-threads=1"]).env(CHILD, name).env("HOME", home.path());
    for folder in ["XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"] {
        command.env(folder, home.path().join(folder));
        std::fs::create_dir(home.path().join(folder)).expect("a folder");
    }
    // This process has had everything built already.
    command.env_remove("CATENA_LIB").env(crate::built::BUILT, "1").envs(variables);
    let output = command.output().expect("this test again");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "{name}: {}\n{}\n{}",
        output.status,
        said,
        String::from_utf8_lossy(&output.stderr)
    );
    // A name that is no test's runs none, and succeeds.
    assert!(said.contains("1 passed"), "no test is called {name}: {said}");
}

/// Threads of this process whose name is `name`.
pub fn threads_named(name: &str) -> usize {
    let tasks = std::fs::read_dir("/proc/self/task").expect("/proc");
    tasks
        .filter_map(|task| std::fs::read_to_string(task.ok()?.path().join("comm")).ok())
        .filter(|comm| comm.trim_end() == name)
        .count()
}
