//! A chain for others: a preset of other hosts, a plugin of its own, or its other form. What the command line and the editor have
//! made is made here.

mod hosts;
mod parts;
mod plugin;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use host_core::model::{Chain, ExportTask, ExportTo, Folders, MacroId};
use host_core::session::{SessionHandle, Snapshot};
use host_core::store::{self, StoreError, export};

use crate::presets;

pub use hosts::{appears, hosts};
pub use parts::found;

/// Assets from this size on lie beside a chain where that is wanted, bytes.
const LARGE: usize = 64 * 1024;

/// Why nothing was made. Each is a sentence for the user of the command line.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// It was asked for in a way that cannot be.
    #[error("{0}")]
    Usage(String),
    /// It was tried and failed.
    #[error("{0}")]
    Failed(String),
    /// A file could not be written.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl ExportError {
    fn io(path: &Path, source: std::io::Error) -> Self {
        Self::Store(StoreError::Io { path: path.into(), source })
    }
}

/// What was made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Made {
    /// Where it lies.
    pub paths: Vec<PathBuf>,
    /// What there is to say of it: what it needs, and what makes each host here see it.
    pub notes: Vec<String>,
}

impl Made {
    fn new(paths: Vec<PathBuf>, formats: &str) -> Self {
        Self { paths, notes: appears(formats) }
    }

    /// A line comes first.
    fn with(mut self, line: Option<String>) -> Self {
        self.notes.splice(0..0, line);
        self
    }
}

/// Makes what `task` says of `chain`. A form of the chain goes beside `own`, its file; `titles` says what macros without a name are
/// called. `[any but audio]`
pub fn run(
    task: &ExportTask,
    chain: &Chain,
    own: Option<&Path>,
    titles: &BTreeMap<MacroId, String>,
) -> Result<Made, ExportError> {
    let name = name(task, chain, own);
    match task.to {
        ExportTo::Pack | ExportTo::Unpack => form(task, chain, own, &name),
        ExportTo::Lv2Preset => lv2_preset(task, chain, &name),
        ExportTo::Vst3Preset => vst_preset(task, chain, &name),
        ExportTo::ClapPreset => {
            let chain = Chain { name: name.clone(), ..chain.clone() };
            clap_preset(task, &chain, &name)
        }
        ExportTo::Plugin => plugin::run(task, chain, &name, titles),
    }
}

/// What macros are called in a session. `[any]`
pub fn titles(snapshot: &Snapshot) -> BTreeMap<MacroId, String> {
    snapshot.macros.iter().map(|view| (view.number, view.title.clone())).collect()
}

/// The same for the chain of a session, as its editor asks; the lines say what became of it. `[any but audio and home]`
pub fn from_editor(session: &SessionHandle, task: &ExportTask) -> Result<Vec<String>, String> {
    let chain = session.chain().map_err(|error| error.to_string())?;
    let titles = titles(&session.snapshot());
    let made = run(task, &chain, None, &titles).map_err(|error| shown(&error.to_string()))?;
    let lines = made.paths.iter().map(|path| format!("Made {}", path.display()));
    // A plugin of its own says so by itself.
    let needs = plugin::needs(&chain).filter(|_| task.to != ExportTo::Plugin);
    Ok(lines.chain(needs).chain(made.notes).collect())
}

/// A sentence of the command line's, as the editor has the words.
fn shown(text: &str) -> String {
    let words = [
        ("replace it with --force", "have it replaced"),
        ("; say where to with --out", ""),
        ("--new-ports", "other parameters"),
        ("--id", "id"),
        ("--name", "name"),
        ("without --plain", "with its event ports"),
    ];
    words.iter().fold(text.to_owned(), |text, (word, own)| text.replace(word, own))
}

/// The name that was given, else the chain's own, else the file's.
fn name(task: &ExportTask, chain: &Chain, own: Option<&Path>) -> String {
    let given = if task.name.trim().is_empty() { chain.name.trim() } else { task.name.trim() };
    let of_file = || host_core::session::presets::name_of(&Chain::default(), own.unwrap_or(Path::new("Chain")));
    if given.is_empty() { of_file() } else { given.to_owned() }
}

/// Whether the chain makes its sound of notes: its first plugin does.
fn is_instrument(chain: &Chain) -> bool {
    chain.slots().next().is_some_and(|slot| slot.identity.ports.is_instrument())
}

fn folder(task: &ExportTask, default: impl FnOnce(&Path) -> PathBuf) -> Result<PathBuf, ExportError> {
    match &task.out {
        Some(folder) => Ok(folder.clone()),
        None => {
            let home = std::env::var_os("HOME").map(PathBuf::from);
            let homeless = || ExportError::Failed("HOME is not set; say where to with --out".into());
            Ok(default(&home.ok_or_else(homeless)?))
        }
    }
}

fn form(task: &ExportTask, chain: &Chain, own: Option<&Path>, name: &str) -> Result<Made, ExportError> {
    let beside = own.and_then(Path::parent).map(Path::to_path_buf);
    let users = || beside.or_else(|| std::env::var_os("HOME").map(PathBuf::from)).unwrap_or_default();
    let folder = task.out.clone().unwrap_or_else(users);
    let packed = task.to == ExportTo::Pack;
    let path = folder.join(format!("{}.catena{}", export::file_name(name), if packed { "" } else { ".d" }));
    // As any chain is saved then: what is hidden in a folder (`.git`) stays in it.
    export::check(&path, if packed { None } else { Some("chain.json") }, task.replace)?;
    if task.beside {
        store::write_referring(&path, chain, LARGE)?;
    } else {
        store::write_whole(&path, chain)?;
    }
    Ok(Made { paths: vec![path], notes: Vec::new() })
}

fn lv2_preset(task: &ExportTask, chain: &Chain, name: &str) -> Result<Made, ExportError> {
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
    export::folder(&path, &preset.files(), "preset.ttl", task.replace)?;
    Ok(Made::new(vec![path], "LV2"))
}

fn vst_preset(task: &ExportTask, chain: &Chain, name: &str) -> Result<Made, ExportError> {
    let (plugin, class) = presets::vst3_class(is_instrument(chain));
    let folder = folder(task, |home| home.join(".vst3/presets/Catena").join(plugin))?;
    let path = folder.join(format!("{}.vstpreset", export::file_name(name)));
    let state = presets::vst3_state(&store::pack(chain)?);
    let state = state.ok_or_else(|| ExportError::Failed("the state is no text".into()))?;
    export::file(&path, &export::vst_preset(&class, &state), task.replace)?;
    Ok(Made::new(vec![path], "VST3"))
}

fn clap_preset(task: &ExportTask, chain: &Chain, name: &str) -> Result<Made, ExportError> {
    let folder = task.out.clone().unwrap_or_else(|| Folders::from_env().chains());
    let path = folder.join(format!("{}.catena", export::file_name(name)));
    export::file(&path, &store::pack(chain)?, task.replace)?;
    let listed = Folders::from_env().preset_folders().iter().any(|known| path.starts_with(known));
    let elsewhere = || {
        format!("note: CLAP hosts list what is in {}, with the folders in it", Folders::from_env().chains().display())
    };
    Ok(Made::new(vec![path], "CLAP").with((!listed).then(elsewhere)))
}
