//! A chain as a plugin of its own, in CLAP and LV2: thin entries with the chain in or beside them, which ask the core library for
//! the rest.
//!
//! A CLAP is one file that users copy by itself, so its chain is behind the library in that file; an LV2 is a folder, so it lies
//! there.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use host_core::model::{Bytes, Catalog, Chain, Exported, ExportedMacro, IfFails, PluginId, Shape};
use host_core::session::Purpose;
use host_core::store::{self, export};

use super::super::args::{Category, Export, PluginShape};
use super::super::chain::{open_session, problems};
use super::super::{Failure, doctor, find, out};
use super::{is_instrument, told};

/// The LV2 bundle's library, and the file that the entry reads beside itself.
const LIBRARY: &str = "chain.so";
const CARRIED: &str = "chain.export";
/// The CLAP, where it is in a folder with the engine.
const CLAP: &str = "chain.clap";

/// How an id begins that nobody chose.
const OURS: &str = "catena-chain.";

/// Makes both.
pub fn run(task: &Export, chain: &Chain, name: &str) -> Result<(), Failure> {
    let exported = describe(task, chain, name)?;
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
    if let Some(twin) = twin.as_ref().filter(|_| !task.force) {
        let text = format!(
            "{}: is the same plugin, with its engine or without; replace it with --force, or give this one another --id",
            twin.display()
        );
        return Err(Failure::failed(text));
    }
    replaceable(&at, single.is_some(), &bundle, task.force)?;
    if !task.plugin.new_ports {
        same_ports(&bundle, &exported)?;
    }
    match single {
        Some(bytes) => export::file(&at, bytes, task.force)?,
        None => export::folder(&at, &clap, CLAP, task.force)?,
    }
    if let Err(error) = export::folder(&bundle, &lv2, CARRIED, task.force) {
        if !there {
            // Half of what was asked for is nothing.
            let _gone = if at.is_dir() { std::fs::remove_dir_all(&at) } else { std::fs::remove_file(&at) };
        }
        return Err(error.into());
    }
    if let Some(twin) = twin {
        // A host would take either.
        let gone = if twin.is_dir() { std::fs::remove_dir_all(&twin) } else { std::fs::remove_file(&twin) };
        gone.map_err(|error| Failure::io(&twin, &error))?;
    }
    needs(chain);
    told(&[at, bundle], "CLAP, LV2")
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
fn replaceable(clap: &Path, single: bool, bundle: &Path, force: bool) -> Result<(), Failure> {
    export::check(clap, if single { None } else { Some(CLAP) }, force)?;
    export::check(bundle, Some(CARRIED), force)?;
    let library = if single { clap.to_path_buf() } else { clap.join(CLAP) };
    match std::fs::read(&library) {
        Ok(bytes) if export::carried(&bytes).is_none() => {
            let text =
                format!("{}: is there and is no chain that was exported; choose another name", library.display());
            Err(Failure::failed(text))
        }
        _ => Ok(()),
    }
}

/// Whether sessions that know the plugin in `bundle` find its ports where they were.
fn same_ports(bundle: &Path, exported: &Exported) -> Result<(), Failure> {
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
    Err(Failure::failed(text))
}

/// What must be on a machine that it is used on.
fn needs(chain: &Chain) {
    let mut members: Vec<_> = chain.slots().map(|slot| format!("{} ({})", slot.identity.name, slot.plugin)).collect();
    members.sort();
    members.dedup();
    if !members.is_empty() {
        out::note(format_args!("It needs these plugins wherever it is used: {}", members.join(", ")));
    }
}

fn describe(task: &Export, chain: &Chain, name: &str) -> Result<Exported, Failure> {
    let own = &task.plugin;
    let id = own.id.clone().unwrap_or_else(|| format!("{OURS}{}", export::slug(name)));
    let plain = |c: char| c.is_ascii_alphanumeric() || ".-_:/#".contains(c);
    if id.is_empty() || !id.chars().all(plain) {
        return Err(Failure::usage(format!("\"{id}\" is no id: letters, digits and . - _ : / # make one")));
    }
    // A URI is one in both formats.
    let own_name = id.strip_prefix(OURS).unwrap_or(&id);
    let uri = if id.contains(':') { id.clone() } else { format!("urn:catena-chain:{own_name}") };
    let itself = [PluginId::clap(&id), PluginId::lv2(&uri)];
    if let Some(slot) = chain.slots().find(|slot| itself.contains(&slot.plugin)) {
        let (title, chain) = (slot.title(), task.chain.display());
        let text = format!(
            "{chain}: holds \"{title}\" ({}), which is what this would make; give it another --id",
            slot.plugin
        );
        return Err(Failure::failed(text));
    }
    let instrument = is_instrument(chain);
    let shape = match own.shape {
        None if instrument => Shape::Instrument,
        None | Some(PluginShape::Effect) => Shape::Effect,
        Some(PluginShape::Mono) => Shape::Mono,
        Some(PluginShape::Surround) => Shape::Surround,
        Some(PluginShape::Instrument) => Shape::Instrument,
    };
    let (feature, class) = match (own.category, shape) {
        (Some(category), _) => category.words(),
        (None, Shape::Instrument) => Category::Instrument.words(),
        (None, _) => ("multi-effects", "UtilityPlugin"),
    };
    let titles: Vec<_> = chain.slots().map(|slot| slot.title().to_owned()).collect();
    Ok(Exported {
        id,
        uri,
        name: name.to_owned(),
        maker: own.maker.clone(),
        about: format!("A chain: {}", if titles.is_empty() { "empty".into() } else { titles.join(", ") }),
        feature: feature.into(),
        class: class.into(),
        shape,
        mute: mutes(chain),
        macros: macros(chain)?,
        chain: store::pack(chain)?.into(),
    })
}

/// Whether a chain that cannot run at all is silent, by what its slots do where they cannot.
fn mutes(chain: &Chain) -> bool {
    let in_series = chain.nodes.iter().filter_map(|node| node.slot());
    chain.slots().any(|slot| slot.if_fails == IfFails::MuteChain)
        || in_series.into_iter().any(|slot| slot.if_fails == IfFails::Mute)
}

/// The mapped macros as the session calls them.
fn macros(chain: &Chain) -> Result<Vec<ExportedMacro>, Failure> {
    // An empty chain needs no plugins, so nothing is scanned for it.
    let catalog = if chain.slots().next().is_none() { Catalog::default() } else { find::catalog()? };
    let (session, _processor) = open_session(Purpose::Offline, 2, 0, catalog)?;
    let wrong = problems(&session.load_chain(chain.clone())?);
    session.settle();
    let snapshot = session.snapshot();
    for problem in &wrong {
        out::note(format_args!("note: {problem}"));
    }
    let mapped = chain.macros.iter().filter(|one| !one.targets.is_empty());
    let mut macros: Vec<_> = mapped
        .map(|one| {
            let shown = snapshot.macros.iter().find(|view| view.number == one.number).map(|view| view.title.clone());
            let name = one.name.clone().or(shown).unwrap_or_else(|| format!("Macro {}", one.number));
            ExportedMacro { number: one.number, value: one.value.clamp(0.0, 1.0), name }
        })
        .collect();
    macros.sort_by_key(|one| one.number);
    macros.dedup_by_key(|one| one.number);
    Ok(macros)
}

/// The CLAP: one file, or a folder with the engine.
fn clap_files(task: &Export, payload: &[u8]) -> Result<BTreeMap<String, Bytes>, Failure> {
    let entry = entry("clap/Catena.clap", "Catena.clap", "libcatena_entry_clap.so")?;
    let mut files = engine(task)?;
    files.insert(CLAP.into(), export::appended(&read(&entry)?, payload).into());
    Ok(files)
}

/// The LV2 bundle.
fn lv2_files(task: &Export, exported: &Exported, payload: &[u8]) -> Result<BTreeMap<String, Bytes>, Failure> {
    let entry = entry("lv2/Catena.lv2/Catena.so", "Catena.lv2/Catena.so", "libcatena_entry_lv2.so")?;
    let mut files = engine(task)?;
    files.insert(LIBRARY.into(), read(&entry)?.into());
    files.insert(CARRIED.into(), payload.into());
    let turtle = catena::lv2_chain_bundle(exported, LIBRARY);
    files.extend(turtle.into_iter().map(|file| (file.name, file.text.into_bytes().into())));
    Ok(files)
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    std::fs::read(path).map_err(|error| Failure::io(path, &error))
}

/// The core library and the worker, where they are wanted.
fn engine(task: &Export) -> Result<BTreeMap<String, Bytes>, Failure> {
    let mut files = BTreeMap::new();
    if !task.plugin.with_engine {
        return Ok(files);
    }
    for (variable, name) in [("CATENA_LIB", "libcatena.so"), ("CATENA_WORKER", "catena-worker")] {
        let path = doctor::part(variable, name).ok_or_else(|| missing(name))?;
        files.insert(name.into(), read(&path)?.into());
    }
    Ok(files)
}

fn missing(what: &str) -> Failure {
    Failure::failed(format!(
        "{what} was not found: install Catena (cargo xtask install), or call the `catena` of a bundle"
    ))
}

/// A thin entry of ours, which every exported plugin begins as: as installed, as it lies in a bundle, or as cargo builds it.
fn entry(installed: &str, bundled: &str, built: &str) -> Result<PathBuf, Failure> {
    let mut places = Vec::new();
    let here = std::env::current_exe().and_then(std::fs::canonicalize).ok();
    for folder in here.iter().filter_map(|here| here.parent()) {
        places.extend([folder.join(bundled), folder.join(built), folder.join("../lib").join(installed)]);
    }
    if let Some(home) = std::env::var_os("HOME") {
        places.push(PathBuf::from(home).join(format!(".{installed}")));
    }
    places.extend(["/usr/local/lib", "/usr/lib"].map(|root| Path::new(root).join(installed)));
    places.into_iter().find(|path| path.is_file()).ok_or_else(|| missing(bundled))
}
