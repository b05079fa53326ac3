//! `cargo xtask bundle`: a folder with every plugin and program, which works as it stands.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::run::{cargo, root, step, target};

/// What to write, and where.
#[derive(clap::Args)]
pub struct Options {
    /// Built for speed, as users get it.
    #[arg(long)]
    release: bool,
    /// The folder, `target/bundled` where it is not given.
    #[arg(long)]
    out: Option<PathBuf>,
}

impl Options {
    /// The release, in its usual place.
    pub fn release() -> Self {
        Self { release: true, out: None }
    }
}

/// The LV2 bundle's folder.
pub const LV2: &str = "Catena.lv2";

/// The folder of chains that come with Catena.
pub const CHAINS: &str = "chains";

/// Those chains, as they lie in the source.
fn factory() -> Result<Vec<PathBuf>> {
    let folder = root().join("bundles");
    let mut chains = Vec::new();
    for entry in std::fs::read_dir(&folder).with_context(|| format!("{}", folder.display()))? {
        let path = entry?.path();
        if path.to_string_lossy().ends_with(".catena.d") {
            chains.push(path);
        }
    }
    chains.sort();
    Ok(chains)
}

/// What those chains are called in the bundle.
pub fn factory_names() -> Result<Vec<String>> {
    let packed = |path: PathBuf| path.file_stem().map(|name| name.to_string_lossy().into_owned());
    Ok(factory()?.into_iter().filter_map(packed).collect())
}

/// What cargo builds and where it goes in the bundle.
pub fn contents() -> Vec<(&'static str, PathBuf)> {
    let arch = std::env::consts::ARCH;
    vec![
        ("libcatena.so", "lib/libcatena.so".into()),
        ("libcatena_entry_clap.so", "Catena.clap".into()),
        ("libcatena_entry_lv2.so", format!("{LV2}/Catena.so").into()),
        ("libcatena_entry_vst3.so", format!("Catena.vst3/Contents/{arch}-linux/Catena.so").into()),
        ("catena", "catena".into()),
        ("catena-worker", "catena-worker".into()),
    ]
}

/// Builds what the bundle holds.
pub fn build(release: bool) -> Result<()> {
    let mut command = cargo(&["build", "--locked"]);
    for package in ["catena", "host-core", "catena-entry-clap", "catena-entry-lv2", "catena-entry-vst3"] {
        command.args(["--package", package]);
    }
    if release {
        command.arg("--release");
    }
    step(&mut command)
}

/// Builds, writes the folder and gives its path.
pub fn run(options: &Options) -> Result<PathBuf> {
    build(options.release)?;
    let built = target().join(if options.release { "release" } else { "debug" });
    let out = options.out.clone().unwrap_or_else(|| target().join("bundled"));
    for (file, place) in contents() {
        copy(&built.join(file), &out.join(place))?;
    }
    // The program makes it of the plugins that it was built with.
    step(std::process::Command::new(out.join("catena")).arg("lv2-turtle").arg(out.join(LV2)))?;
    // The worker is looked for beside the core library too.
    link(Path::new("../catena-worker"), &out.join("lib/catena-worker"))?;
    // Packed, as hosts take them for presets.
    for chain in factory()? {
        let mut pack = std::process::Command::new(out.join("catena"));
        step(pack.arg("export").arg(chain).args(["--to", "pack", "--force", "--out"]).arg(out.join(CHAINS)))?;
    }
    for license in ["LICENSE-MIT", "LICENSE-APACHE"] {
        copy(&root().join(license), &out.join(license))?;
    }
    // The font in the editor is under one of its own.
    copy(&root().join("gui/fonts/OFL.txt"), &out.join("LICENSE-OFL"))?;
    eprintln!("Bundle: {}", out.display());
    Ok(out)
}

/// Copies under another name and renames, so that a program which has the old file mapped keeps it.
pub fn copy(from: &Path, to: &Path) -> Result<()> {
    let folder = to.parent().context("a file needs a folder")?;
    std::fs::create_dir_all(folder).with_context(|| format!("{}", folder.display()))?;
    let mut fresh = to.as_os_str().to_owned();
    fresh.push(".new");
    let fresh = PathBuf::from(fresh);
    std::fs::copy(from, &fresh).with_context(|| format!("{} to {}", from.display(), fresh.display()))?;
    std::fs::rename(&fresh, to).with_context(|| format!("{}", to.display()))
}

/// Makes a symbolic link, in the place of one that is there.
pub fn link(aim: &Path, at: &Path) -> Result<()> {
    match std::fs::remove_file(at) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            return Err(error).with_context(|| format!("{}", at.display()));
        }
        _ => {}
    }
    std::os::unix::fs::symlink(aim, at).with_context(|| format!("{}", at.display()))
}
