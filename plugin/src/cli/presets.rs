//! `catena presets`: a plugin's presets in one list, one more of them, and what the plugin begins with.

use host_core::model::{Chain, Folders, Node, PluginEntry, Preset, Slot, SlotId, Words};
use host_core::session::presets::{PresetForm, SavePreset, default_file, forget_default};
use host_core::session::{Purpose, SessionHandle};
use serde_json::json;

use super::args::{PresetTo, Presets, PresetsTask};
use super::chain::{open_session, problems, read_chain};
use super::progress::Progress;
use super::{Failure, edit, export, find, out};

/// Lists, saves, or sets what a plugin begins with.
pub fn run(task: &Presets) -> Result<(), Failure> {
    match &task.task {
        None => list(task),
        Some(PresetsTask::Save { file, slot, name, to, out, force }) => {
            let (session, slot) = open(&read_chain(file)?, slot)?;
            let form = match to {
                None => PresetForm::of(&slot.plugin),
                Some(PresetTo::Lv2) => PresetForm::Lv2,
                Some(PresetTo::Catena) => PresetForm::Catena,
            };
            let save = SavePreset { name: name.clone(), form, folder: out.clone(), force: *force };
            let path = session.save_preset(slot.id, save)?;
            match form {
                _ if task.json => out::json(&json!({ "path": path, "plugin": slot.plugin, "name": name })),
                PresetForm::Lv2 => export::told(&[path], "LV2"),
                PresetForm::Catena => out::say(path.display()),
            }
        }
        Some(PresetsTask::Default { file, slot }) => {
            let (session, slot) = open(&read_chain(file)?, slot)?;
            let path = session.save_default(slot.id)?;
            if task.json {
                return out::json(&json!({ "path": path, "plugin": slot.plugin }));
            }
            out::say(path.display())?;
            out::note(format_args!(
                "{} begins so from now on; `catena presets forget {}` ends it",
                slot.title(),
                slot.plugin
            ));
            Ok(())
        }
        Some(PresetsTask::Forget { plugin }) => {
            let catalog = find::catalog()?;
            let entry = find::plugin(&catalog, plugin)?;
            let changed = forget_default(&Folders::from_env(), &entry.id).map_err(Failure::failed)?;
            if task.json {
                return out::json(&json!({ "plugin": entry.id, "changed": changed }));
            }
            if !changed {
                out::note(format_args!("{} began as it is made already", entry.name));
            }
            Ok(())
        }
    }
}

/// A session with that one slot of the chain.
fn open(chain: &Chain, slot: &str) -> Result<(SessionHandle, Slot), Failure> {
    let id = edit::slot_id(chain, slot)?;
    let slot = chain.slot(id).cloned().ok_or_else(|| Failure::usage(format!("there is no slot {slot}")))?;
    let session = session_of(slot.clone(), find::catalog()?)?;
    Ok((session, slot))
}

fn session_of(slot: Slot, catalog: host_core::model::Catalog) -> Result<SessionHandle, Failure> {
    let (session, _processor) = open_session(Purpose::Offline, 2, 0, catalog)?;
    let waiting = Progress::waiting(format!("Opening {}", slot.title()));
    let nodes = vec![Node::Slot(Box::new(slot))];
    let wrong = problems(&session.load_chain(Chain { nodes, ..Chain::default() })?);
    drop(waiting);
    wrong.into_iter().next().map_or(Ok(session), |problem| Err(Failure::failed(problem)))
}

fn list(task: &Presets) -> Result<(), Failure> {
    let text = task.plugin.as_deref().unwrap_or_default();
    // Presets may have been made since the last scan.
    let catalog = find::look(&Folders::from_env(), false)?;
    let entry = find::plugin(&catalog, text)?.clone();
    let slot = Slot::new(SlotId(1), entry.id.clone());
    let mut presets = session_of(slot, catalog)?.presets(SlotId(1))?;
    if let Some(search) = &task.search {
        let words = Words::new(search);
        presets.retain(|preset| words.fit([preset.name.as_str(), &preset.from.to_string(), &preset.uri]));
    }
    say(task, &entry, &presets)
}

fn say(task: &Presets, entry: &PluginEntry, presets: &[Preset]) -> Result<(), Failure> {
    let own = default_file(&Folders::from_env(), &entry.id);
    let own = own.exists().then_some(own);
    if task.json {
        return out::json(&json!({ "plugin": entry.id, "default": own, "presets": presets }));
    }
    if let Some(own) = own {
        out::note(format_args!("{} begins as in {}", entry.name, own.display()));
    }
    if presets.is_empty() {
        let what = task.search.as_deref().map(|text| format!(" with \"{text}\"")).unwrap_or_default();
        out::note(format_args!("{} has no preset{what}.", entry.name));
        return Ok(());
    }
    let row = |preset: &Preset| vec![preset.name.clone(), preset.from.to_string(), preset.uri.clone()];
    out::say(out::table(&presets.iter().map(row).collect::<Vec<_>>()))
}
