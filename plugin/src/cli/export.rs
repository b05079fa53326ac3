//! `catena export`: a chain as a preset of other hosts, as a plugin of its own, or in its other form.

mod plugin;

use std::path::{Path, PathBuf};

use catena::presets;
use host_core::model::{Chain, Folders, MacroId};
use host_core::store::{self, export};

use super::args::{AssetsGo, Export, ExportTo};
use super::chain::open_chain;
use super::{Failure, doctor, out};

/// Assets from this size on lie beside a chain where that is wanted, bytes.
const LARGE: usize = 64 * 1024;

/// Makes it.
pub fn run(task: &Export) -> Result<(), Failure> {
    let (mut chain, lost) = open_chain(&task.chain)?;
    if let Some(first) = lost.first() {
        let cure = match store::misses_files(&chain) {
            true => "put the file back there, or take its slot out, and export then",
            false => "open and save the chain with what is left of it, then export that",
        };
        let text = format!("{first}; {cure}");
        return Err(Failure::failed(text));
    }
    let name = name(task, &chain);
    match task.to {
        ExportTo::Pack | ExportTo::Unpack => form(task, &chain, &name),
        ExportTo::Lv2Preset => lv2_preset(task, &chain, &name),
        ExportTo::Vstpreset => vst_preset(task, &chain, &name),
        ExportTo::ClapPreset => {
            chain.name = name.clone();
            clap_preset(task, &chain, &name)
        }
        ExportTo::Plugin => plugin::run(task, &chain, &name),
    }
}

/// The name that was given, else the chain's own, else the file's.
fn name(task: &Export, chain: &Chain) -> String {
    let given = task.name.as_deref().unwrap_or(&chain.name).trim();
    if !given.is_empty() {
        return given.to_owned();
    }
    let file = task.chain.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let file = file.strip_suffix(".d").unwrap_or(&file);
    file.strip_suffix(".catena").unwrap_or(file).to_owned()
}

/// Whether the chain makes its sound of notes: its first plugin does.
fn is_instrument(chain: &Chain) -> bool {
    chain.slots().next().is_some_and(|slot| slot.identity.ports.is_instrument())
}

fn folder(task: &Export, default: impl FnOnce(&Path) -> PathBuf) -> Result<PathBuf, Failure> {
    match &task.out {
        Some(folder) => Ok(folder.clone()),
        None => {
            let home = std::env::var_os("HOME").map(PathBuf::from);
            let home = home.ok_or_else(|| Failure::failed("HOME is not set; say where to with --out"))?;
            Ok(default(&home))
        }
    }
}

/// Says what was made, and what makes hosts of `format` see it.
pub(super) fn told(paths: &[PathBuf], format: &str) -> Result<(), Failure> {
    paths.iter().try_for_each(|path| out::say(path.display()))?;
    for line in doctor::appears(format) {
        out::note(line);
    }
    Ok(())
}

fn form(task: &Export, chain: &Chain, name: &str) -> Result<(), Failure> {
    let own = task.chain.parent().map(Path::to_path_buf).unwrap_or_default();
    let folder = task.out.clone().unwrap_or(own);
    let packed = task.to == ExportTo::Pack;
    let path = folder.join(format!("{}.catena{}", export::file_name(name), if packed { "" } else { ".d" }));
    // As any chain is saved then: what is hidden in a folder (`.git`) stays in it.
    export::check(&path, if packed { None } else { Some("chain.json") }, task.force)?;
    if task.assets == AssetsGo::Beside {
        store::write_referring(&path, chain, LARGE)?;
    } else {
        store::write_whole(&path, chain)?;
    }
    out::say(path.display())
}

fn lv2_preset(task: &Export, chain: &Chain, name: &str) -> Result<(), Failure> {
    let folder = folder(task, |home| home.join(".lv2"))?;
    let path = folder.join(format!("{}.preset.lv2", export::file_name(name)));
    let ports: Vec<_> = MacroId::all()
        .map(|number| (presets::macro_symbol(number), chain.macro_of(number).map_or(0.0, |one| one.value as f32)))
        .collect();
    let preset = presets::Lv2Preset {
        uri: &format!("urn:catena-audio:preset:{}", export::slug(name)),
        name,
        plugins: presets::lv2_uris(is_instrument(chain)),
        key: presets::LV2_STATE,
        ports: &ports,
        chain: &store::pack(chain)?,
    };
    export::folder(&path, &preset.files(), "preset.ttl", task.force)?;
    told(&[path], "LV2")
}

fn vst_preset(task: &Export, chain: &Chain, name: &str) -> Result<(), Failure> {
    let (plugin, class) = presets::vst3_class(is_instrument(chain));
    let folder = folder(task, |home| home.join(".vst3/presets/Catena").join(plugin))?;
    let path = folder.join(format!("{}.vstpreset", export::file_name(name)));
    let state = presets::vst3_state(&store::pack(chain)?).ok_or_else(|| Failure::failed("the state is no text"))?;
    export::file(&path, &export::vst_preset(&class, &state), task.force)?;
    told(&[path], "VST3")
}

fn clap_preset(task: &Export, chain: &Chain, name: &str) -> Result<(), Failure> {
    let folder = task.out.clone().unwrap_or_else(|| Folders::from_env().chains());
    let path = folder.join(format!("{}.catena", export::file_name(name)));
    export::file(&path, &store::pack(chain)?, task.force)?;
    if !Folders::from_env().preset_folders().iter().any(|known| path.starts_with(known)) {
        let shown = Folders::from_env().chains();
        out::note(format_args!("note: CLAP hosts list what is in {}, with the folders in it", shown.display()));
    }
    told(&[path], "CLAP")
}
