//! Catena's own parts: core library, worker, folders.

use std::path::Path;
use std::process::{Command, Stdio};

use catena::export::found;
use host_core::model::Folders;

use super::{Finding, Grade};

const VERSION: &str = env!("CARGO_PKG_VERSION");
const INSTALL: &str = "cargo xtask install   # in Catena's source folder";

/// Looks at the parts beside this program and in the install folders.
pub fn look() -> Vec<Finding> {
    vec![core_library(), worker()]
}

fn core_library() -> Finding {
    let what = "core library";
    let Some(path) = found("CATENA_LIB", "libcatena.so") else {
        let found = "libcatena.so not found: DAWs would load Catena, but it would pass sound on unchanged";
        return Finding::wrong(what, Grade::Bad, found, INSTALL);
    };
    match version_inside(&path) {
        Some(version) if version == VERSION => Finding::good(what, format!("{} ({version})", path.display())),
        Some(version) => {
            let found = format!("{} has version {version}, this program {VERSION}", path.display());
            Finding::wrong(what, Grade::Bad, found, INSTALL)
        }
        None => Finding::good(what, path.display().to_string()),
    }
}

/// The version that a core library carries in its text, so that it need not be loaded.
fn version_inside(path: &Path) -> Option<String> {
    const MARK: &[u8] = b"catena-core-version:";
    let bytes = std::fs::read(path).ok()?;
    let at = bytes.windows(MARK.len()).position(|window| window == MARK)? + MARK.len();
    let text: Vec<u8> = bytes[at..].iter().copied().take_while(|b| b.is_ascii_digit() || *b == b'.').take(24).collect();
    String::from_utf8(text).ok().filter(|text| !text.is_empty())
}

fn worker() -> Finding {
    let what = "worker";
    let Some(path) = found("CATENA_WORKER", "catena-worker") else {
        let found = "catena-worker not found: plugins cannot be looked for";
        return Finding::wrong(what, Grade::Bad, found, INSTALL);
    };
    let shown = path.display();
    let answer = Command::new(&path).arg("--version").stdin(Stdio::null()).stderr(Stdio::null()).output();
    match answer {
        Err(error) => Finding::wrong(what, Grade::Bad, format!("{shown} does not start: {error}"), INSTALL),
        Ok(answer) => {
            let text = String::from_utf8_lossy(&answer.stdout);
            // Its greeting is its name and its version; what comes after a colon explains it.
            let greeting = text.lines().next().unwrap_or("").split(':').next().unwrap_or("");
            let version = greeting.split_whitespace().last().unwrap_or("of unknown version").to_owned();
            if version == VERSION {
                Finding::good(what, format!("{shown} ({version})"))
            } else {
                let found = format!("{shown} is {version}, this program {VERSION}");
                Finding::wrong(what, Grade::Bad, found, INSTALL)
            }
        }
    }
}

/// The user's folders must be writable.
pub fn folders(folders: &Folders) -> Vec<Finding> {
    let wrong = folders.all().into_iter().find_map(|folder| {
        let there = folder.ancestors().find(|path| path.exists())?;
        let denied = rustix::fs::access(there, rustix::fs::Access::WRITE_OK).is_err();
        denied.then(|| there.to_path_buf())
    });
    vec![match wrong {
        None => Finding::good("folders", folders.all().map(|folder| folder.display().to_string()).join("\n")),
        Some(path) => {
            let shown = path.display();
            let cure = format!("sudo chown -R \"$USER\" '{shown}'");
            Finding::wrong("folders", Grade::Bad, format!("{shown} cannot be written to"), cure)
        }
    }]
}

/// The machine, in a few lines.
pub fn system() -> Vec<String> {
    let release = std::fs::read_to_string("/etc/os-release").unwrap_or_default();
    let name = release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME=")).unwrap_or("unknown system");
    let kernel = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let variables = ["CLAP_PATH", "LV2_PATH", "CATENA_LIB", "CATENA_WORKER", "CATENA_SAFE", "LANG", "LC_ALL"];
    let set: Vec<_> =
        variables.iter().filter_map(|name| std::env::var(name).ok().map(|value| format!("{name}={value}"))).collect();
    vec![
        name.trim_matches('"').to_owned(),
        format!("Linux {}, {cores} cores, {}", kernel.trim(), std::env::consts::ARCH),
        if set.is_empty() { "no variables set".into() } else { set.join(" ") },
    ]
}
