//! A chain as a plugin of its own, in CLAP and LV2: thin entries with the chain in or beside them, which ask the core library for
//! the rest.
//!
//! A CLAP is one file that users copy by itself, so its chain is behind the library in that file; an LV2 is a folder, so it lies
//! there.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use host_core::model::{
    Bytes, Category, Chain, ExportTask, Exported, ExportedMacro, IfFails, MacroId, PluginId, Shape,
};
use host_core::store::{self, export};

use super::parts::{self, found};
use super::{ExportError, Made, is_instrument};

/// The LV2 bundle's library, and the file that the entry reads beside itself.
const LIBRARY: &str = "chain.so";
const CARRIED: &str = "chain.export";
/// The CLAP, where it is in a folder with the engine.
const CLAP: &str = "chain.clap";

/// How an id begins that nobody chose.
const OURS: &str = "catena-chain.";

/// Makes both. `titles` says what the mapped macros are called that have no name of their own.
pub fn run(
    task: &ExportTask,
    chain: &Chain,
    name: &str,
    titles: &BTreeMap<MacroId, String>,
) -> Result<Made, ExportError> {
    let exported = describe(task, chain, name, titles)?;
    let payload = exported.write();
    let (clap, lv2) = (clap_files(task, &payload)?, lv2_files(task, &exported, &payload)?);
    let file = export::file_name(name);
    let folder = |default: &str| super::folder(task, |home| home.join(default));
    let bundle = folder(".lv2")?.join(format!("{file}.lv2"));
    let at = match clap.len() {
        1 => folder(".clap")?.join(format!("{file}.clap")),
        _ => folder(".clap")?.join(&file),
    };
    let there = std::fs::symlink_metadata(&at).is_ok();
    let single = clap.get(CLAP).filter(|_| clap.len() == 1);
    let twin = twin(&folder(".clap")?, &file, single.is_some(), &exported);
    if let Some(twin) = twin.as_ref().filter(|_| !task.replace) {
        let text = format!(
            "{}: is the same plugin, with its engine or without; replace it with --force, or give this one another --id",
            twin.display()
        );
        return Err(ExportError::Failed(text));
    }
    replaceable(&at, single.is_some(), &bundle, task.replace)?;
    if !task.plugin.new_ports {
        same_ports(&bundle, &exported)?;
    }
    match single {
        Some(bytes) => export::file(&at, bytes, task.replace)?,
        None => export::folder(&at, &clap, CLAP, task.replace)?,
    }
    if let Err(error) = export::folder(&bundle, &lv2, CARRIED, task.replace) {
        if !there {
            // Half of what was asked for is nothing.
            let _gone = if at.is_dir() { std::fs::remove_dir_all(&at) } else { std::fs::remove_file(&at) };
        }
        return Err(error.into());
    }
    if let Some(twin) = twin {
        // A host would take either.
        let gone = if twin.is_dir() { std::fs::remove_dir_all(&twin) } else { std::fs::remove_file(&twin) };
        gone.map_err(|error| ExportError::io(&twin, error))?;
    }
    Ok(Made::new(vec![at, bundle], "CLAP, LV2").with(needs(chain)))
}

/// The CLAP under the same id that was made the other way: with the engine, where this is to be without.
fn twin(folder: &Path, file: &str, single: bool, exported: &Exported) -> Option<PathBuf> {
    let (other, library) = match single {
        true => (folder.join(file), folder.join(file).join(CLAP)),
        false => (folder.join(format!("{file}.clap")), folder.join(format!("{file}.clap"))),
    };
    let bytes = std::fs::read(library).ok()?;
    let same = export::carried(&bytes).and_then(Exported::read).is_some_and(|old| old.id == exported.id);
    same.then_some(other)
}

/// Whether both may be written: what is there must have been exported, so that no other maker's plugin is replaced.
fn replaceable(clap: &Path, single: bool, bundle: &Path, force: bool) -> Result<(), ExportError> {
    export::check(clap, if single { None } else { Some(CLAP) }, force)?;
    export::check(bundle, Some(CARRIED), force)?;
    let library = if single { clap.to_path_buf() } else { clap.join(CLAP) };
    match std::fs::read(&library) {
        Ok(bytes) if export::carried(&bytes).is_none() => {
            let text =
                format!("{}: is there and is no chain that was exported; choose another name", library.display());
            Err(ExportError::Failed(text))
        }
        _ => Ok(()),
    }
}

/// Whether sessions that know the plugin in `bundle` find its ports where they were.
fn same_ports(bundle: &Path, exported: &Exported) -> Result<(), ExportError> {
    let Some(old) = std::fs::read(bundle.join(CARRIED)).ok().and_then(|bytes| Exported::read(&bytes)) else {
        return Ok(());
    };
    let numbers = |of: &Exported| of.macros.iter().map(|one| one.number).collect::<Vec<_>>();
    let same = old.shape == exported.shape && numbers(&old) == numbers(exported);
    if same || (old.id != exported.id && old.uri != exported.uri) {
        return Ok(());
    }
    let text = format!(
        "{}: its parameters are not those that sessions know it by; give it another --id and --name, or let them find others with \
         --new-ports",
        bundle.display()
    );
    Err(ExportError::Failed(text))
}

/// What must be on a machine that it is used on.
pub fn needs(chain: &Chain) -> Option<String> {
    let mut members: Vec<_> = chain.slots().map(|slot| format!("{} ({})", slot.identity.name, slot.plugin)).collect();
    members.sort();
    members.dedup();
    (!members.is_empty()).then(|| format!("It needs these plugins wherever it is used: {}", members.join(", ")))
}

fn describe(
    task: &ExportTask,
    chain: &Chain,
    name: &str,
    titles: &BTreeMap<MacroId, String>,
) -> Result<Exported, ExportError> {
    let own = &task.plugin;
    let id = if own.id.is_empty() { format!("{OURS}{}", export::slug(name)) } else { own.id.clone() };
    let plain = |c: char| c.is_ascii_alphanumeric() || ".-_:/#".contains(c);
    if !id.chars().all(plain) {
        return Err(ExportError::Usage(format!("\"{id}\" is no id: letters, digits and . - _ : / # make one")));
    }
    // A URI is one in both formats.
    let own_name = id.strip_prefix(OURS).unwrap_or(&id);
    let uri = if id.contains(':') { id.clone() } else { format!("urn:catena-chain:{own_name}") };
    let itself = [PluginId::clap(&id), PluginId::lv2(&uri)];
    if let Some(slot) = chain.slots().find(|slot| itself.contains(&slot.plugin)) {
        let title = slot.title();
        let text =
            format!("it holds \"{title}\" ({}), which is what this would make; give it another --id", slot.plugin);
        return Err(ExportError::Failed(text));
    }
    let instrument = is_instrument(chain);
    let shape = own.shape.unwrap_or(if instrument { Shape::Instrument } else { Shape::Effect });
    if own.plain && shape == Shape::Instrument {
        return Err(ExportError::Usage(
            "an instrument hears its notes at a port for events; make it without --plain".into(),
        ));
    }
    let category = own.category.or((shape == Shape::Instrument).then_some(Category::Instrument));
    let (feature, class) = category.map_or(("multi-effects", "UtilityPlugin"), Category::words);
    let slots: Vec<_> = chain.slots().map(|slot| slot.title().to_owned()).collect();
    Ok(Exported {
        id,
        uri,
        name: name.to_owned(),
        maker: own.maker.clone(),
        about: format!("A chain: {}", if slots.is_empty() { "empty".into() } else { slots.join(", ") }),
        feature: feature.into(),
        class: class.into(),
        shape,
        mute: mutes(chain),
        plain: own.plain,
        macros: macros(chain, titles),
        chain: store::pack(chain)?.into(),
    })
}

/// Whether a chain that cannot run at all is silent, by what its slots do where they cannot.
fn mutes(chain: &Chain) -> bool {
    let in_series = chain.nodes.iter().filter_map(|node| node.slot());
    chain.slots().any(|slot| slot.if_fails == IfFails::MuteChain)
        || in_series.into_iter().any(|slot| slot.if_fails == IfFails::Mute)
}

/// The mapped macros, by number.
fn macros(chain: &Chain, titles: &BTreeMap<MacroId, String>) -> Vec<ExportedMacro> {
    let mapped = chain.macros.iter().filter(|one| !one.targets.is_empty());
    let mut macros: Vec<_> = mapped
        .map(|one| {
            let name = one.name.clone().or_else(|| titles.get(&one.number).cloned());
            let name = name.unwrap_or_else(|| format!("Macro {}", one.number));
            ExportedMacro { number: one.number, value: one.value.clamp(0.0, 1.0), name }
        })
        .collect();
    macros.sort_by_key(|one| one.number);
    macros.dedup_by_key(|one| one.number);
    macros
}

/// The CLAP: one file, or a folder with the engine.
fn clap_files(task: &ExportTask, payload: &[u8]) -> Result<BTreeMap<String, Bytes>, ExportError> {
    let entry = entry("clap/Catena.clap", "Catena.clap", "libcatena_entry_clap.so")?;
    let mut files = engine(task)?;
    files.insert(CLAP.into(), export::appended(&read(&entry)?, payload).into());
    Ok(files)
}

/// The LV2 bundle.
fn lv2_files(task: &ExportTask, exported: &Exported, payload: &[u8]) -> Result<BTreeMap<String, Bytes>, ExportError> {
    let entry = entry("lv2/Catena.lv2/Catena.so", "Catena.lv2/Catena.so", "libcatena_entry_lv2.so")?;
    let mut files = engine(task)?;
    files.insert(LIBRARY.into(), read(&entry)?.into());
    files.insert(CARRIED.into(), payload.into());
    let turtle = crate::lv2_chain_bundle(exported, LIBRARY);
    files.extend(turtle.into_iter().map(|file| (file.name, file.text.into_bytes().into())));
    Ok(files)
}

fn read(path: &Path) -> Result<Vec<u8>, ExportError> {
    std::fs::read(path).map_err(|error| ExportError::io(path, error))
}

/// The core library and the worker, where they are wanted.
fn engine(task: &ExportTask) -> Result<BTreeMap<String, Bytes>, ExportError> {
    let mut files = BTreeMap::new();
    if !task.plugin.with_engine {
        return Ok(files);
    }
    for (variable, name) in [("CATENA_LIB", "libcatena.so"), ("CATENA_WORKER", "catena-worker")] {
        let path = found(variable, name).ok_or_else(|| missing(name))?;
        files.insert(name.into(), read(&path)?.into());
    }
    Ok(files)
}

fn missing(what: &str) -> ExportError {
    ExportError::Failed(format!(
        "{what} was not found: install Catena (cargo xtask install), or call the `catena` of a bundle"
    ))
}

fn entry(installed: &str, bundled: &str, built: &str) -> Result<PathBuf, ExportError> {
    parts::entry(installed, bundled, built).ok_or_else(|| missing(bundled))
}
