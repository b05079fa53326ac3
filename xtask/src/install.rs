//! `cargo xtask install`: the bundle into the folders where DAWs and shells look.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::bundle;

/// Where to install.
#[derive(clap::Args)]
pub struct Options {
    /// The VST3 too (LV2 and CLAP alone otherwise: a DAW that takes VST3 too would list Catena once more).
    #[arg(long)]
    vst3: bool,
    /// For every user: plugins into PREFIX/lib/lv2, PREFIX/lib/clap and PREFIX/lib/vst3, the rest into PREFIX/bin and PREFIX/lib.
    #[arg(long)]
    prefix: Option<PathBuf>,
    /// Put this in front of every path (for packages); nothing else changes.
    #[arg(long)]
    destdir: Option<PathBuf>,
    /// Take everything out again, all plugin formats.
    #[arg(long, conflicts_with = "vst3")]
    uninstall: bool,
}

/// Where each part goes.
#[derive(Debug, PartialEq, Eq)]
struct Places {
    lv2: PathBuf,
    clap: PathBuf,
    vst3: PathBuf,
    bin: PathBuf,
    lib: PathBuf,
    /// Chains that come with Catena.
    chains: PathBuf,
}

impl Places {
    /// `data`: where the user's programs keep theirs.
    fn new(options: &Options, home: &Path, data: &Path) -> Self {
        let plain = match &options.prefix {
            Some(prefix) => Self {
                lv2: prefix.join("lib/lv2"),
                clap: prefix.join("lib/clap"),
                vst3: prefix.join("lib/vst3"),
                bin: prefix.join("bin"),
                lib: prefix.join("lib"),
                chains: prefix.join("share/catena/factory"),
            },
            None => Self {
                lv2: home.join(".lv2"),
                clap: home.join(".clap"),
                vst3: home.join(".vst3"),
                bin: home.join(".local/bin"),
                lib: home.join(".local/lib"),
                chains: data.join("catena/factory"),
            },
        };
        let Some(destdir) = &options.destdir else { return plain };
        let below = |path: PathBuf| destdir.join(path.strip_prefix("/").unwrap_or(&path));
        Self {
            lv2: below(plain.lv2),
            clap: below(plain.clap),
            vst3: below(plain.vst3),
            bin: below(plain.bin),
            lib: below(plain.lib),
            chains: below(plain.chains),
        }
    }

    /// The LV2 bundle.
    fn lv2_bundle(&self) -> PathBuf {
        self.lv2.join(bundle::LV2)
    }

    /// Each file that cargo builds and where it goes.
    fn files(&self, vst3: bool) -> Vec<(PathBuf, PathBuf)> {
        let place = |file: PathBuf| {
            let inside = file.to_string_lossy().into_owned();
            let to = match inside.as_str() {
                "lib/libcatena.so" => self.lib.join("libcatena.so"),
                "catena-worker" => self.lib.join("catena/catena-worker"),
                "catena" => self.bin.join("catena"),
                "Catena.clap" => self.clap.join("Catena.clap"),
                file if file.starts_with(bundle::LV2) => self.lv2.join(file),
                _ => self.vst3.join(&file),
            };
            (file, to)
        };
        let wanted = |file: &PathBuf| vst3 || !file.starts_with("Catena.vst3");
        bundle::contents().into_iter().map(|(_, file)| file).filter(wanted).map(place).collect()
    }
}

/// Installs or uninstalls.
pub fn run(options: &Options) -> Result<()> {
    let home = std::env::home_dir().context("the home folder is not known: set HOME")?;
    let data = std::env::var_os("XDG_DATA_HOME").map(PathBuf::from).filter(|data| data.is_absolute());
    let places = Places::new(options, &home, &data.unwrap_or_else(|| home.join(".local/share")));
    if options.uninstall {
        return uninstall(places);
    }
    let bundle = bundle::run(&bundle::Options::release())?;
    let turtle = names(&bundle.join(bundle::LV2), is_turtle)?;
    let turtle = turtle.iter().map(|name| (Path::new(bundle::LV2).join(name), places.lv2_bundle().join(name)));
    let chains = bundle::factory_names()?;
    let chains = chains.iter().map(|name| (Path::new(bundle::CHAINS).join(name), places.chains.join(name)));
    for (from, to) in places.files(options.vst3).into_iter().chain(turtle).chain(chains) {
        bundle::copy(&bundle.join(from), &to)?;
        println!("{}", to.display());
    }
    let on_path =
        std::env::var_os("PATH").is_some_and(|path| std::env::split_paths(&path).any(|dir| dir == places.bin));
    if !on_path && options.destdir.is_none() {
        let bin = places.bin.display();
        eprintln!("{bin} is not on PATH. To call `catena` by its name alone: export PATH=\"{bin}:$PATH\"");
    }
    eprintln!("Installed. A DAW that runs finds Catena after it has looked for new plugins.");
    Ok(())
}

/// What the bundle's files beside the library are called: the program writes them.
fn is_turtle(name: &str) -> bool {
    name.ends_with(".ttl") || name == "ports.txt"
}

/// Names in `folder` that `wanted` takes.
fn names(folder: &Path, wanted: impl Fn(&str) -> bool) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(|| format!("{}", folder.display()))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if wanted(&name) {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

fn uninstall(places: Places) -> Result<()> {
    let mut gone = 0;
    let turtle = names(&places.lv2_bundle(), is_turtle).unwrap_or_default();
    let turtle = turtle.iter().map(|name| places.lv2_bundle().join(name));
    // Those alone that come with Catena, whatever else lies there.
    let chains = bundle::factory_names()?;
    let chains = chains.iter().map(|name| places.chains.join(name));
    for at in places.files(true).into_iter().map(|(_, at)| at).chain(turtle).chain(chains) {
        match std::fs::remove_file(&at) {
            Ok(()) => {
                println!("removed {}", at.display());
                gone += 1;
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(error).with_context(|| format!("{}", at.display())),
        }
    }
    // Folders that are ours alone, deepest first; a folder that holds something else stays.
    let vst3 = places.vst3.join("Catena.vst3");
    let arch = format!("Contents/{}-linux", std::env::consts::ARCH);
    let folders =
        [vst3.join(arch), vst3.join("Contents"), vst3, places.lv2_bundle(), places.lib.join("catena"), places.chains];
    for folder in folders {
        let _not_empty_or_not_there = std::fs::remove_dir(folder);
    }
    eprintln!("{gone} files removed. Chains, settings and caches are kept.");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(prefix: Option<&str>, destdir: Option<&str>) -> Places {
        let (prefix, destdir) = (prefix.map(Into::into), destdir.map(Into::into));
        let options = Options { vst3: false, prefix, destdir, uninstall: false };
        Places::new(&options, Path::new("/home/u"), Path::new("/home/u/.local/share"))
    }

    #[test]
    fn a_user_gets_lv2_and_clap_and_the_rest_below_local() {
        let places = places(None, None);
        let to: Vec<_> = places.files(false).into_iter().map(|(_, to)| to).collect();
        assert!(to.contains(&"/home/u/.clap/Catena.clap".into()));
        assert!(to.contains(&"/home/u/.lv2/Catena.lv2/Catena.so".into()));
        assert!(to.contains(&"/home/u/.local/bin/catena".into()));
        assert!(to.contains(&"/home/u/.local/lib/libcatena.so".into()));
        assert!(to.contains(&"/home/u/.local/lib/catena/catena-worker".into()));
        assert_eq!(places.chains, Path::new("/home/u/.local/share/catena/factory"));
        assert!(!to.iter().any(|path| path.starts_with("/home/u/.vst3")));
        assert_eq!(places.files(true).len(), to.len() + 1);
    }

    #[test]
    fn a_package_is_laid_out_below_destdir() {
        let places = places(Some("/usr"), Some("/tmp/pkg"));
        assert_eq!(places.clap, Path::new("/tmp/pkg/usr/lib/clap"));
        assert_eq!(places.lv2, Path::new("/tmp/pkg/usr/lib/lv2"));
        assert_eq!(places.bin, Path::new("/tmp/pkg/usr/bin"));
        assert_eq!(places.chains, Path::new("/tmp/pkg/usr/share/catena/factory"));
    }

    #[test]
    fn the_users_own_chains_are_neither_written_to_nor_removed() {
        for prefix in [None, Some("/home/u/.local")] {
            assert_eq!(places(prefix, None).chains, Path::new("/home/u/.local/share/catena/factory"));
        }

        let folder = std::env::temp_dir().join(format!("catena-uninstall-{}", std::process::id()));
        let places = places(folder.to_str(), None);
        std::fs::create_dir_all(&places.chains).unwrap();
        for name in ["Vocal.catena", "My own.catena"] {
            std::fs::write(places.chains.join(name), "chain").unwrap();
        }
        let chains = places.chains.clone();
        uninstall(places).unwrap();
        let left: Vec<_> = std::fs::read_dir(&chains).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(left, ["My own.catena"]);
    }
}
