//! The arms: who hosts the plugins.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::cli::programs;
use crate::fixtures_lv2;
use crate::running::Running;

/// Plugins that run in turn.
pub struct Set {
    /// As the tables name it.
    pub name: &'static str,
    /// URIs; a longer chain begins with the first again.
    pub plugins: &'static [&'static str],
}

/// A gain and nothing else; and four plugins as people use them.
pub const SETS: [Set; 2] = [
    Set { name: "gain", plugins: &["urn:catena-fixture:gain"] },
    Set {
        name: "real",
        plugins: &[
            "urn:zamaudio:ZamCompX2",
            "http://gareus.org/oss/lv2/fil4#stereo",
            "http://calf.sourceforge.net/plugins/Equalizer8Band",
            "http://lsp-plug.in/plugins/lv2/para_equalizer_x16_stereo",
        ],
    },
];

impl Set {
    /// The first `count`.
    pub fn take(&self, count: usize) -> Vec<&'static str> {
        self.plugins.iter().copied().cycle().take(count).collect()
    }
}

/// Who hosts them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arm {
    /// One `catena` with the whole chain.
    Chain,
    /// A `catena` for each plugin.
    Each,
    /// A jalv for each plugin.
    Jalv,
    /// The bare loop in one client.
    Bare,
}

impl Arm {
    /// All, in the order they are run.
    pub const ALL: [Self; 4] = [Self::Chain, Self::Each, Self::Bare, Self::Jalv];

    /// As the tables name it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Chain => "catena, one client",
            Self::Each => "catena, N clients",
            Self::Jalv => "jalv, N clients",
            Self::Bare => "bare, one client",
        }
    }
}

/// A user's home with everything scanned and the chain files made, and where JACK's server answers.
pub struct Place {
    folder: tempfile::TempDir,
    server: String,
}

impl Place {
    /// Lays out the fixtures, scans, names the server.
    pub fn new() -> Result<Self, String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        fixtures_lv2::lay_out(&folder.path().join("lv2"));
        let wanted = ["ZamCompX2.lv2", "fil4.lv2", "calf.lv2", "lsp-plugins.lv2"];
        for bundle in wanted {
            let from = Path::new("/usr/lib/lv2").join(bundle);
            let link = folder.path().join("lv2").join(bundle);
            std::os::unix::fs::symlink(from, link).map_err(|error| error.to_string())?;
        }
        let place = Self { folder, server: format!("catena-bench-{}", std::process::id()) };
        run(place.command(programs().join("catena")).arg("scan"))?;
        Ok(place)
    }

    /// The server's name.
    pub fn server(&self) -> &str {
        &self.server
    }

    /// A path in this place.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A program that sees this home and this server.
    pub fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        for (name, folder) in [("CACHE", "cache"), ("STATE", "state"), ("DATA", "data"), ("CONFIG", "config")] {
            command.env(format!("XDG_{name}_HOME"), self.path(folder));
        }
        let lv2 = format!("{}:/usr/lib/lv2", self.path("lv2").display());
        command.env("HOME", self.folder.path()).env("CLAP_PATH", self.path("none")).env("LV2_PATH", lv2);
        command.env("JACK_DEFAULT_SERVER", &self.server).env_remove("DISPLAY").current_dir(self.folder.path());
        command.stdin(Stdio::null());
        command
    }

    /// Starts the hosts of `arm` for `plugins`: the names of their clients, in series, and their processes.
    pub fn host(&self, arm: Arm, plugins: &[&str]) -> Result<(Vec<String>, Vec<Running>), String> {
        let one = |number: usize, plugins: &[&str]| -> Result<(String, Running), String> {
            let name = format!("arm{number:02}");
            let mut command = match arm {
                Arm::Chain | Arm::Each => self.catena(&name, plugins)?,
                Arm::Bare => self.bare(&name, plugins),
                Arm::Jalv => self.jalv(&name, plugins[0]),
            };
            let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
            Ok((name, Running(child.map_err(|error| format!("{}: {error}", arm.name()))?)))
        };
        let hosts = match arm {
            Arm::Chain | Arm::Bare => vec![one(0, plugins)?],
            Arm::Each | Arm::Jalv => (0..plugins.len())
                .map(|number| one(number, &plugins[number..=number]))
                .collect::<Result<Vec<_>, _>>()?,
        };
        Ok(hosts.into_iter().unzip())
    }

    fn catena(&self, name: &str, plugins: &[&str]) -> Result<Command, String> {
        let file = format!("{name}-{}.catena", plugins.len());
        let _none_before = std::fs::remove_file(self.path(&file));
        let ids = plugins.iter().map(|uri| format!("lv2:{uri}"));
        run(self.command(programs().join("catena")).args(["new", &file]).args(ids))?;
        let mut command = self.command(programs().join("catena"));
        command.args([&file, "--no-editor", "--backend", "jack", "--connect", "none", "--name", name]);
        Ok(command)
    }

    fn bare(&self, name: &str, plugins: &[&str]) -> Command {
        let mut command = self.command(std::env::current_exe().unwrap_or_default());
        command.args(["--bare", name]).args(plugins);
        command
    }

    fn jalv(&self, name: &str, uri: &str) -> Command {
        let mut command = self.command("jalv");
        command.args(["-i", "-x", "-n", name, uri]);
        command
    }
}

fn run(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr))),
    }
}

/// Whether every plugin of a set is installed: what is missing.
pub fn missing() -> Vec<&'static str> {
    let bundles = ["ZamCompX2.lv2", "fil4.lv2", "calf.lv2", "lsp-plugins.lv2"];
    bundles.into_iter().filter(|bundle| !Path::new("/usr/lib/lv2").join(bundle).exists()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::real;

    #[test]
    fn the_real_set_holds_plugins_of_the_engine_bench() {
        for named in [&real::ZAM[0], &real::X42[0], &real::CALF[0]] {
            assert!(SETS[1].plugins.contains(&named.id));
        }
    }
}
