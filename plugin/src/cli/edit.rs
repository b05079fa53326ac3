//! `catena new` and `catena edit`: chains without an editor.
//!
//! Plugins are opened for every change, so that what is written is what they took, with their own state.

use std::path::Path;

use host_core::model::places::Container;
use host_core::model::{Chain, Folders, Helpers, ParamInfo, PluginId, SlotId, Steps};
use host_core::scan;
use host_core::session::presets::default_of;
use host_core::session::{Command, LatencyChange, Purpose, SessionHandle, SlotStatus, SlotView, SnapshotEdit};

use super::args::{Change, Edit, GuardState, HelpersState, New, SnapshotChange, Switch};
use super::chain::{TRIAL, doubts, open_session, problems, read_chain, write_chain};
use super::lanes::{self, Found};
use super::progress::Progress;
use super::{Failure, aux, find, macros, matching, midi, numbers, out, sidechain, strip};

/// Makes a chain file.
pub fn new(task: &New) -> Result<(), Failure> {
    if !task.force && std::fs::symlink_metadata(&task.file).is_ok() {
        let file = task.file.display();
        return Err(Failure::failed(format!(
            "{file}: is there already; choose another name, or replace it with --force"
        )));
    }
    check_folder(&task.file)?;
    if task.plugins.is_empty() {
        return write_chain(&task.file, &named(&task.file)).map(drop);
    }
    let catalog = find::catalog()?;
    let ids = task.plugins.iter().map(|text| find::plugin(&catalog, text).map(|entry| entry.id.clone()));
    let ids = ids.collect::<Result<Vec<_>, _>>()?;
    let (session, _processor) = open_session(Purpose::Offline, 2, 0, catalog)?;
    let _waiting = Progress::waiting("Opening the plugins");
    session.load_chain(named(&task.file))?;
    session.activate(TRIAL)?;
    for (index, plugin) in ids.into_iter().enumerate() {
        say_default_fault(&plugin);
        session.apply(Command::Add { plugin, index })?;
    }
    let done = all_run(&session).and_then(|()| store(&task.file, &session));
    session.deactivate();
    done
}

/// Changes a chain file.
pub fn run(task: &Edit) -> Result<(), Failure> {
    let chain = read_chain(&task.file)?;
    if let Change::Match { slot, audio, from } = &task.change {
        return matching::run(&task.file, chain, slot, audio, from);
    }
    let catalog = find::catalog()?;
    // What was typed is checked before any plugin is opened.
    let added = match &task.change {
        Change::Add { plugin, .. } | Change::Replace { plugin, .. } => Some(find::plugin(&catalog, plugin)?.id.clone()),
        _ => None,
    };
    if let Change::Add { .. } | Change::Replace { .. } = &task.change {
        added.iter().for_each(say_default_fault);
    }
    let (session, _processor) = open_session(Purpose::Offline, 2, 0, catalog)?;
    let waiting = Progress::waiting("Opening the chain");
    let wrong = problems(&session.load_chain(chain.clone())?);
    drop(waiting);
    wrong.iter().for_each(|problem| out::note(format_args!("note: {problem}; its state is kept")));
    let _waiting = Progress::waiting("Changing the chain");
    session.activate(TRIAL)?;
    session.settle();
    if !matches!(task.change, Change::Accept { .. }) {
        let doubts = doubts(&chain, &session);
        doubts.iter().for_each(|doubt| out::note(format_args!("note: {}", doubt.line(&task.file))));
    }
    let before = session.latency();
    let done = commands(&task.change, added, &chain, &session)
        .and_then(|commands| {
            commands.into_iter().try_for_each(|command| session.apply(command).map(drop).map_err(Failure::from))
        })
        .inspect(|()| tell_left_out(&task.change, &session))
        .and_then(|()| tell_latency(before, &session))
        .and_then(|()| store(&task.file, &session));
    session.deactivate();
    done
}

/// What a plugin could not take over of the one whose place it took.
fn tell_left_out(change: &Change, session: &SessionHandle) {
    let notice = session.snapshot().notice.clone();
    if matches!(change, Change::Replace { .. }) && !notice.is_empty() {
        out::note(format_args!("note: {notice}"));
    }
}

/// Says why a plugin does not begin as the user wants it to.
fn say_default_fault(plugin: &PluginId) {
    if let Err(fault) = default_of(&Folders::from_env(), plugin) {
        out::note(format_args!("note: {fault}; it begins as it is made. `catena presets forget {plugin}` ends this"));
    }
}

/// What the edit does to the latency, before it is written.
fn tell_latency(before: u32, session: &SessionHandle) -> Result<(), Failure> {
    session.settle();
    let change = LatencyChange { before, after: session.latency() };
    if change.before == change.after { Ok(()) } else { out::say(change) }
}

fn named(file: &Path) -> Chain {
    let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let name = name.strip_suffix(".d").unwrap_or(&name);
    Chain { name: name.strip_suffix(".catena").unwrap_or(name).to_owned(), ..Chain::default() }
}

fn check_folder(file: &Path) -> Result<(), Failure> {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => {
            Err(Failure::failed(format!("{}: there is no such folder", folder.display())))
        }
        _ => Ok(()),
    }
}

fn all_run(session: &SessionHandle) -> Result<(), Failure> {
    session.settle();
    let snapshot = session.snapshot();
    let broken = snapshot.slots.iter().find_map(|slot| match &slot.status {
        SlotStatus::Faulted(why) | SlotStatus::Closed(why) => Some(format!("{} ({}): {why}", slot.title, slot.plugin)),
        _ => None,
    });
    broken.map_or(Ok(()), |text| Err(Failure::failed(text)))
}

pub(super) fn store(file: &Path, session: &SessionHandle) -> Result<(), Failure> {
    session.settle();
    let mut chain = session.chain()?;
    scan::note_origins(&mut chain, &session.catalog(), &Folders::from_env());
    write_chain(file, &chain).map(drop)
}

fn commands(
    change: &Change,
    added: Option<PluginId>,
    chain: &Chain,
    session: &SessionHandle,
) -> Result<Vec<Command>, Failure> {
    Ok(vec![match change {
        Change::Macro { change } => return macros::commands(change, chain, session),
        Change::Add { plugin, at, into } => {
            let plugin = added.ok_or_else(|| Failure::failed(format!("no plugin is called \"{plugin}\"")))?;
            let container = into.as_deref().map(|text| lanes::lane(chain, text)).transpose()?;
            let count = chain.list(container).map_or(0, Vec::len);
            let index = place(at.unwrap_or(count + 1), count + 1)?;
            match container {
                None => Command::Add { plugin, index },
                Some(lane) => Command::AddInto { plugin, lane, index },
            }
        }
        Change::Replace { slot, plugin } => {
            let plugin = added.ok_or_else(|| Failure::failed(format!("no plugin is called \"{plugin}\"")))?;
            Command::Replace { slot: slot_id(chain, slot)?, plugin }
        }
        Change::Accept { slot } => Command::Accept(slot_id(chain, slot)?),
        Change::Duplicate { slot } => Command::Duplicate(slot_id(chain, slot)?),
        Change::Remove { slot } => match lanes::find(chain, slot) {
            Some(Found::Lane(lane)) => Command::RemoveLane(lane),
            Some(Found::Lanes(group)) => Command::Remove(group),
            _ => Command::Remove(slot_id(chain, slot)?),
        },
        Change::Move { slot, place: to, into } => {
            let node = node_id(chain, slot)?;
            let here = chain.place(node).and_then(|(container, _)| container);
            let container: Container = match into.as_deref() {
                None => here,
                Some("chain") => None,
                Some(text) => Some(lanes::lane(chain, text)?),
            };
            let more = usize::from(container != here);
            let index = place(*to, chain.list(container).map_or(0, Vec::len) + more)?;
            Command::MoveInto { node, into: container, index }
        }
        Change::Parallel { from, to, split, at_hz } => {
            let from = node_id(chain, from)?;
            let to = to.as_deref().map_or(Ok(from), |to| node_id(chain, to))?;
            Command::Parallel { from, to, split: lanes::split(*split, at_hz)? }
        }
        Change::Lane { lane, what } => lanes::lane_command(chain, lane, what)?,
        Change::Lanes { lanes: group, what } => lanes::lanes_command(chain, group, what)?,
        // It needs sound, and has been done before.
        Change::Match { .. } => return Ok(Vec::new()),
        Change::Bypass { slot, state } => Command::Bypass(slot_id(chain, slot)?, *state == Switch::On),
        Change::Guard { state } => Command::Guard(match state {
            GuardState::On => Some(true),
            GuardState::Off => Some(false),
            GuardState::Auto => None,
        }),
        Change::Midi { slot, wish } => {
            let id = slot_id(chain, slot)?;
            let now = chain.slot(id).map(|slot| slot.midi).unwrap_or_default();
            Command::Midi(id, midi::changed(wish, now))
        }
        Change::Sidechain { slot, source } => {
            Command::Sidechain(slot_id(chain, slot)?, sidechain::source(chain, source)?)
        }
        Change::Oversample { slot, times } => Command::Oversample(slot_id(chain, slot)?, *times),
        Change::Aux { what, to, output, only } => return aux::commands(chain, what, *to, *output, *only, session),
        Change::Preset { slot, preset } => Command::Preset(slot_id(chain, slot)?, preset.clone()),
        Change::Latency { mode, hold } => {
            let hold = hold.map(|hold| Command::HoldLatency(hold == Switch::On));
            let commands: Vec<_> = mode.map(Command::Latency).into_iter().chain(hold).collect();
            if commands.is_empty() {
                return Err(Failure::usage("say what the DAW is to be told: true, live or milliseconds; or --hold on"));
            }
            return Ok(commands);
        }
        Change::Snapshot { what } => match what {
            SnapshotChange::Store { letter } => Command::Snapshot(letter.0, SnapshotEdit::Store),
            SnapshotChange::Recall { letter } => Command::Snapshot(letter.0, SnapshotEdit::Recall),
            SnapshotChange::Copy { letter, to } => Command::Snapshot(letter.0, SnapshotEdit::CopyTo(to.0)),
            SnapshotChange::Clear { letter } => Command::Snapshot(letter.0, SnapshotEdit::Clear),
        },
        Change::Grid { frames } => Command::Grid(*frames),
        Change::Cores { state } => Command::Cores(*state == Switch::On),
        Change::Helpers { slot, state } => {
            let helpers = match state {
                HelpersState::On => Helpers::On,
                HelpersState::Off => Helpers::Off,
                HelpersState::Auto => Helpers::Auto,
            };
            Command::Helpers(slot_id(chain, slot)?, helpers)
        }
        Change::Name { slot, name } => Command::Rename(slot_id(chain, slot)?, name.clone()),
        Change::Set { slot, param, value } => set(slot_id(chain, slot)?, param, value, session)?,
    }])
}

pub(super) fn place(place: usize, last: usize) -> Result<usize, Failure> {
    if (1..=last).contains(&place) {
        return Ok(place - 1);
    }
    Err(Failure::usage(format!("there is no place {place} in this chain; write 1 to {last}")))
}

/// The slot or lanes that `text` names.
pub(super) fn node_id(chain: &Chain, text: &str) -> Result<SlotId, Failure> {
    match lanes::find(chain, text) {
        Some(Found::Lanes(group)) => Ok(group),
        Some(Found::Lane(_)) => Err(Failure::usage(format!("{text} is a lane; name a slot or lanes"))),
        _ => slot_id(chain, text),
    }
}

/// The slot that `text` names: its number, its title, or a part of it.
pub fn slot_id(chain: &Chain, text: &str) -> Result<SlotId, Failure> {
    let slots: Vec<_> = chain.slots().collect();
    match lanes::find(chain, text) {
        Some(Found::Slot(slot)) => return Ok(slot),
        Some(Found::Lane(_) | Found::Lanes(_)) => {
            return Err(Failure::usage(format!("{text} is no slot but lanes; `catena show` lists the slots")));
        }
        None if text.contains('.') && text.chars().all(|c| c.is_ascii_digit() || c == '.') => {
            return Err(Failure::usage(format!("there is nothing at {text} in this chain; `catena show` lists it")));
        }
        None => {}
    }
    if let Ok(number) = text.parse::<usize>() {
        let node = number.checked_sub(1).and_then(|index| chain.nodes.get(index));
        let count = chain.nodes.len();
        return node.and_then(|node| node.slot()).map(|slot| slot.id).ok_or_else(|| match count {
            0 => Failure::usage("this chain is empty: it has no slot yet; `catena edit FILE add PLUGIN` makes one"),
            _ => Failure::usage(format!("there is no slot {number}; this chain has slots 1 to {count}")),
        });
    }
    let wanted = text.to_lowercase();
    let whole: Vec<_> = slots.iter().filter(|slot| slot.title().to_lowercase() == wanted).collect();
    let fits: Vec<_> = slots.iter().filter(|slot| slot.title().to_lowercase().contains(&wanted)).collect();
    match if whole.is_empty() { &fits[..] } else { &whole[..] } {
        [slot] => Ok(slot.id),
        [] => Err(Failure::usage(format!("no slot is called \"{text}\"; `catena show` lists the slots"))),
        many => {
            let numbers: Vec<_> = many.iter().map(|slot| lanes::number(chain, slot.id)).collect();
            Err(Failure::usage(format!(
                "\"{text}\" names several slots; take one by its number: {}",
                numbers.join(", ")
            )))
        }
    }
}

fn set(slot: SlotId, param: &str, text: &str, session: &SessionHandle) -> Result<Command, Failure> {
    if let Some(command) = strip::command(slot, param, text)? {
        return Ok(command);
    }
    let view = view_of(slot, session)?;
    let info = find_param(&view, param)?;
    let value = value_of(info, text)?;
    Ok(Command::Param(slot, info.key.clone(), value))
}

/// A slot whose plugin is there.
pub fn view_of(slot: SlotId, session: &SessionHandle) -> Result<SlotView, Failure> {
    let snapshot = session.snapshot();
    let view = snapshot.slots.iter().find(|view| view.id == slot).cloned();
    let view = view.ok_or_else(|| Failure::failed(format!("slot {slot} could not be opened")))?;
    if view.status == SlotStatus::Missing {
        let plugin = &view.plugin;
        return Err(Failure::failed(format!("{plugin} is not installed, so its parameters cannot be set")));
    }
    Ok(view)
}

pub(super) fn within(what: &str, value: f64, min: f64, max: f64) -> Result<f64, Failure> {
    if (min..=max).contains(&value) {
        return Ok(value);
    }
    Err(Failure::usage(format!("{what} is {} to {}; {} is not", out::short(min), out::short(max), out::short(value))))
}

/// A parameter's name as it is listed: behind its group, where it has one.
pub fn shown(param: &ParamInfo) -> String {
    if param.group.is_empty() { param.name.clone() } else { format!("{}/{}", param.group, param.name) }
}

/// The parameter of a slot that `text` names: its key, its name, its group where it is alone there, or a part of the name as listed.
pub fn find_param<'a>(view: &'a SlotView, text: &str) -> Result<&'a ParamInfo, Failure> {
    if let Some(param) = view.params.iter().find(|param| param.key == text) {
        return Ok(param);
    }
    let wanted = text.to_lowercase();
    let named = |fits: &dyn Fn(&ParamInfo) -> bool| -> Vec<&ParamInfo> {
        view.params.iter().filter(|param| !param.hidden && fits(param)).collect()
    };
    let is = |name: &str| name.to_lowercase() == wanted;
    let ways: [&dyn Fn(&ParamInfo) -> bool; 4] = [
        &|param| is(&param.name),
        &|param| is(&shown(param)) || is(&param.group),
        &|param| param.name.to_lowercase().contains(&wanted),
        &|param| shown(param).to_lowercase().contains(&wanted),
    ];
    let found = ways.iter().map(|fits| named(fits)).find(|found| !found.is_empty()).unwrap_or_default();
    match found.as_slice() {
        [one] => Ok(one),
        [] => {
            let near = find::near(view.params.iter().map(|param| param.name.as_str()), text);
            let hint = if near.is_empty() { String::new() } else { format!("near: {}; ", near.join(", ")) };
            let plugin = &view.plugin;
            Err(Failure::usage(format!(
                "{} has no parameter \"{text}\"; {hint}`catena info {plugin}` lists them",
                view.title
            )))
        }
        many => {
            let rows: Vec<_> = many.iter().map(|param| vec![format!("  {}", param.key), param.name.clone()]).collect();
            let rows = out::table(&rows);
            Err(Failure::usage(format!("\"{text}\" names several parameters; take one by its key:\n{rows}")))
        }
    }
}

/// The value that `text` means for `info`.
fn value_of(info: &ParamInfo, text: &str) -> Result<f64, Failure> {
    let (min, max) = (info.min.min(info.max), info.min.max(info.max));
    if info.read_only {
        return Err(Failure::usage(format!("{} is told by the plugin and cannot be set", info.name)));
    }
    match (&info.steps, text.to_lowercase().as_str()) {
        (Steps::Toggle, "on") => return Ok(max),
        (Steps::Toggle, "off") => return Ok(min),
        (Steps::Named(names), wanted) => {
            if let Some((value, _)) = names.iter().find(|(_, name)| name.to_lowercase() == wanted) {
                return Ok(*value);
            }
        }
        _ => {}
    }
    let value = numbers::number(text).map_err(|reason| Failure::usage(format!("{}: {reason}", info.name)))?;
    let unit = if info.unit.is_empty() { String::new() } else { format!(" {}", info.unit) };
    if !(min..=max).contains(&value) {
        let (name, min, max) = (&info.name, out::short(min), out::short(max));
        let value = out::short(value);
        return Err(Failure::usage(format!("{name} is {min} to {max}{unit}; {value} is outside of that")));
    }
    Ok(value)
}
