//! The edits a session takes: each changes the model at once, checked; the engine follows in the ticks to come.

use super::follow::InPlace;
use super::owner::Owner;
use super::{Command, EditError, LaneEdit, MAX_GAIN, MIN_GAIN, StripEdit, presets};
use crate::model::places::Container;
use crate::model::{
    AUX_OUTS, Aim, Folders, Format, GRID_RANGE, MAX_SLEEP, Node, OVERSAMPLING, PluginId, Sleep, Slot, SlotId, Strip,
    lanes,
};

impl Owner {
    /// Makes an edit in the model; the engine follows. The id is the slot's that was made or changed.
    pub(super) fn command(&mut self, command: Command) -> Result<Option<SlotId>, EditError> {
        match command {
            // None of these is an edit: nothing that a save writes is another.
            Command::Panic => {
                // A full ring has room again at the next tick, and the user's finger is still there.
                let busy = || EditError::Busy("the engine is busy; try again".into());
                return self.panic().then_some(None).ok_or_else(busy);
            }
            Command::Match(id) => return self.begin_match(id).map(|()| Some(id)),
            Command::OpenWindow(id) => return self.open_window(id).map(|()| Some(id)),
            Command::CloseWindow(id) => return self.close_window(id).map(|()| Some(id)),
            Command::PutBack(id) => return self.put_window_back(id).map(|()| Some(id)),
            Command::Show { slot, parameters } => {
                self.note_shown(slot, parameters);
                return Ok(slot);
            }
            Command::Reopen => {
                self.engine.reopen();
                self.look_at_guard();
                return Ok(None);
            }
            Command::ResetMeters => {
                self.reset_meters();
                return Ok(None);
            }
            Command::ApplyHeld => {
                self.force_held();
                return Ok(None);
            }
            Command::Gesture(on) => {
                self.set_hand(on);
                return Ok(None);
            }
            Command::Many(all) => return self.several(all),
            _ => {}
        }
        // What the DAW moved last comes first: an edit must not put it back.
        self.follow_macros();
        self.note_settings();
        if matches!(command, Command::Undo | Command::Redo | Command::GoTo(_)) {
            // What comes of the newest step may be nothing, or one too many.
            self.close_step();
        }
        let at = self.scenes.travels().unwrap_or(self.history.view().at);
        match command {
            // It is no step yet.
            Command::Undo if self.scenes.recalls() => self.cancel_ready(),
            Command::Undo => self.travel(at.saturating_sub(1)),
            Command::Redo => self.travel(at + 1),
            Command::GoTo(to) => self.travel(to),
            edit => return self.as_one_step(edit),
        }
        Ok(None)
    }

    /// The user has seen what could not be read, and given it up. What was refused before is past.
    pub(super) fn user_edited(&mut self) {
        self.forget_kept();
        self.unreadable = false;
        self.notice.clear();
        self.rescue.notice.clear();
        self.mark_dirty();
    }

    /// The DAW switches the container's bypass. It undoes that itself, so it is no step; nor is it a sign that the user has seen and
    /// given up what could not be read.
    pub(super) fn bypass_by_the_daw(&mut self, bypass: bool) {
        self.chain.bypass = bypass;
        self.shared.set_bypass(bypass);
        self.mark_dirty();
        self.mirror();
    }

    pub(super) fn edit(&mut self, command: Command) -> Result<Option<SlotId>, EditError> {
        match command {
            Command::Add { plugin, index } => return self.add(plugin, None, index).map(Some),
            Command::AddInto { plugin, lane, index } => return self.add(plugin, Some(lane), index).map(Some),
            Command::Paste { nodes, macros, into, index } => return self.paste(&nodes, &macros, into, index),
            Command::Remove(id) => {
                let gone = self.chain.take(id).ok_or(EditError::NoSlot(id))?;
                self.let_nodes_go(std::slice::from_ref(&gone));
            }
            Command::Replace { slot, plugin } => return self.replace_plugin(slot, plugin).map(Some),
            Command::Duplicate(id) => return self.duplicate(id).map(Some),
            Command::Move { slot, index } => {
                if !self.chain.move_to(slot, index) {
                    return Err(EditError::NoSlot(slot));
                }
            }
            Command::MoveInto { node, into, index } => self.chain.move_into(node, into, index)?,
            Command::Clear => {
                let ids: Vec<_> = self.chain.slots().map(|slot| slot.id).collect();
                for id in ids {
                    self.set_preset_aside(id);
                    self.let_slot_go(id);
                }
                self.chain.nodes.clear();
                self.to_open.clear();
                self.playing.leaving.extend(std::mem::take(&mut self.lives).into_values());
            }
            Command::RenameChain(name) => self.chain.name = name,
            Command::Latency(mode) => {
                self.chain.latency = mode;
                self.playing.stale = true;
            }
            Command::HoldLatency(hold) => self.chain.hold_latency = hold,
            Command::Cores(on) => self.chain.cores = on,
            Command::Grid(frames) => {
                let (min, max) = (f64::from(*GRID_RANGE.start()), f64::from(*GRID_RANGE.end()));
                self.chain.grid = in_range("grid (frames)", frames.into(), min, max)? as u32;
                self.playing.stale = true;
            }
            Command::BypassChain(bypass) => {
                self.chain.bypass = bypass;
                self.shared.set_bypass(bypass);
            }
            Command::Guard(choice) => {
                self.chain.guard = choice;
                self.look_at_guard();
            }
            Command::Retry(id) => self.retry(id)?,
            Command::Accept(id) => self.accept(id)?,
            Command::Close(id) => self.close(id)?,
            Command::Param(id, key, value) => self.set_param(id, &key, value)?,
            Command::Preset(id, name) => self.load_preset(id, &name)?,
            Command::Parallel { from, to, split } => return self.parallel(from, to, split).map(Some),
            Command::Dissolve(id) => self.dissolve(id)?,
            Command::Split(id, split) => self.split(id, split)?,
            Command::RenameLanes(id, name) => {
                let group = self.chain.group_mut(id).ok_or(EditError::NoLanes(id))?;
                group.name = name.filter(|name| !name.is_empty());
            }
            Command::AddLane { group, index } => return self.add_lane(group, index).map(Some),
            Command::RemoveLane(id) => self.remove_lane(id)?,
            Command::MoveLane { lane, index } => self.move_lane(lane, index)?,
            Command::Lane(id, edit) => {
                let touched = match &edit {
                    LaneEdit::Gain(gain) => Some((Aim::LaneGain(id), *gain)),
                    LaneEdit::Mute(mute) => Some((Aim::LaneMute(id), f64::from(u8::from(*mute)))),
                    _ => None,
                };
                self.edit_lane(id, edit)?;
                self.sync_lanes();
                if let Some((aim, value)) = touched {
                    self.touched_by_user(&aim, value);
                }
            }
            Command::Sidechain(id, source) => {
                self.set_sidechain(id, source)?;
                return Ok(Some(id));
            }
            Command::MapPage { slot, page, first } => {
                self.map_page(slot, page, first)?;
                return Ok(Some(slot));
            }
            Command::LevelLanes(id) => {
                self.level_lanes(id)?;
                self.sync_lanes();
            }
            Command::Snapshot(letter, edit) => self.edit_snapshot(letter, edit)?,
            slot_command => return self.edit_slot(slot_command),
        }
        Ok(None)
    }

    /// Ends all that sounds. The audio thread has plugins forget what they hold at once; that a CLAP plugin does so is its own matter
    /// (DPF's do nothing there), so those are started anew behind it.
    fn panic(&mut self) -> bool {
        let sent = self.engine.panic();
        let started = self.chain.slots().filter(|slot| slot.plugin.format == Format::Clap).map(|slot| slot.id);
        let started: Vec<_> = started.filter(|id| self.lives.get(id).is_some_and(|live| live.node.is_some())).collect();
        started.into_iter().for_each(|id| self.restart_in_place(id));
        self.serve_idle();
        sent
    }

    /// The plugins of nodes that have left the model go once they are heard no more.
    pub(super) fn let_nodes_go(&mut self, gone: &[Node]) {
        for id in lanes::slots(gone).into_iter().map(|slot| slot.id) {
            self.set_preset_aside(id);
            self.let_slot_go(id);
            self.to_open.retain(|waiting| *waiting != id);
            self.playing.leaving.extend(self.lives.remove(&id));
        }
    }

    fn add(&mut self, plugin: PluginId, into: Container, index: usize) -> Result<SlotId, EditError> {
        let entry = self.catalog.find(&plugin).ok_or_else(|| EditError::NoPlugin(plugin.clone()))?;
        let identity = entry.identity();
        if into.is_some_and(|lane| self.chain.lane(lane).is_none()) {
            return Err(EditError::NoLane(into.unwrap_or(SlotId(0))));
        }
        let id = self.chain.fresh_id();
        let mut slot = Slot { identity, ..Slot::new(id, plugin) };
        self.begin_as_wanted(&mut slot);
        self.chain.put(into, index, Node::Slot(Box::new(slot)))?;
        self.queue_open(id);
        Ok(id)
    }

    /// Edits of one slot's own settings.
    fn edit_slot(&mut self, command: Command) -> Result<Option<SlotId>, EditError> {
        let id = match &command {
            Command::Bypass(id, _)
            | Command::Mix(id, _)
            | Command::InputGain(id, _)
            | Command::OutputGain(id, _)
            | Command::Strip(id, _)
            | Command::Adapt(id, _)
            | Command::IfFails(id, _)
            | Command::Midi(id, _)
            | Command::MergeMidi(id, _)
            | Command::Aux(id, ..)
            | Command::Oversample(id, _)
            | Command::Helpers(id, _)
            | Command::Rename(id, _) => *id,
            _ => return Ok(None),
        };
        let touched = match &command {
            Command::Bypass(id, on) => Some((Aim::Bypass(*id), f64::from(u8::from(*on)))),
            Command::Mix(id, mix) => Some((Aim::Mix(*id), *mix)),
            Command::InputGain(id, gain) => Some((Aim::InputGain(*id), *gain)),
            Command::OutputGain(id, gain) => Some((Aim::OutputGain(*id), *gain)),
            Command::Strip(id, StripEdit::Pan(pan)) => Some((Aim::Pan(*id), *pan)),
            Command::Strip(id, StripEdit::Mute(mute)) => Some((Aim::Mute(*id), f64::from(u8::from(*mute)))),
            _ => None,
        };
        let solo = matches!(command, Command::Strip(_, StripEdit::Solo(_)));
        let slot = self.chain.slot_mut(id).ok_or(EditError::NoSlot(id))?;
        match command {
            Command::Bypass(_, bypass) => slot.bypass = bypass,
            Command::Mix(_, mix) => slot.mix = in_range("mix", mix, 0.0, 1.0)?,
            Command::InputGain(_, gain) => slot.input_gain = in_range("input gain (dB)", gain, MIN_GAIN, MAX_GAIN)?,
            Command::OutputGain(_, gain) => slot.output_gain = in_range("output gain (dB)", gain, MIN_GAIN, MAX_GAIN)?,
            Command::Strip(_, edit) => edit_strip(&mut slot.strip, edit)?,
            Command::IfFails(_, choice) => slot.if_fails = choice,
            Command::Midi(_, settings) => slot.midi = settings.clamped(),
            Command::MergeMidi(_, merge) => slot.merge_midi = merge,
            Command::Helpers(_, helpers) => slot.helpers = helpers,
            Command::Oversample(_, factor) => {
                if !OVERSAMPLING.contains(&factor) {
                    return Err(EditError::Oversampling(factor));
                }
                // The plugin is started anew at the next tick, or when what is held is let go.
                slot.oversample = factor;
            }
            Command::Aux(_, output, to) => {
                let opened = self.lives.get(&id).and_then(|live| live.mains.first());
                let has = opened.map_or(&slot.identity.ports, |main| main.ports()).further_outputs();
                if output >= has {
                    return Err(EditError::NoOutput { slot: slot.title().into(), has, output });
                }
                check_aux(to)?;
                slot.set_aux(output, to);
            }
            Command::Rename(_, name) => slot.name = name.filter(|name| !name.is_empty()),
            Command::Adapt(_, adapt) if slot.adapt != adapt => {
                slot.adapt = adapt;
                self.reopen(id);
                return Ok(Some(id));
            }
            _ => {}
        }
        if let Some(live) = self.lives.get_mut(&id) {
            live.rename(slot);
        }
        self.bring_controls(id);
        if solo {
            self.sync_solo();
        }
        if let Some((aim, value)) = touched {
            self.touched_by_user(&aim, value);
        }
        Ok(Some(id))
    }

    fn retry(&mut self, id: SlotId) -> Result<(), EditError> {
        let slot = self.chain.slot_mut(id).ok_or(EditError::NoSlot(id))?;
        if self.guard.refuses(slot).is_some() {
            // It may have been its window: that is opened by hand alone.
            slot.window.open = false;
        }
        self.guard.trust(slot);
        self.reopen(id);
        Ok(())
    }

    /// Takes a slot's plugin down, keeping its state, and opens it anew.
    pub(super) fn reopen(&mut self, id: SlotId) {
        if let (Some(live), Some(slot)) = (self.lives.get_mut(&id), self.chain.slot_mut(id)) {
            live.save_into(slot);
            if live.asks() {
                self.unseen.insert(id);
            }
        }
        self.let_slot_go(id);
        self.playing.leaving.extend(self.lives.remove(&id));
        self.queue_open(id);
    }

    fn set_param(&mut self, id: SlotId, key: &str, value: f64) -> Result<(), EditError> {
        let slot = self.chain.slot_mut(id).ok_or(EditError::NoSlot(id))?;
        let Some(live) = self.lives.get_mut(&id).filter(|live| !live.mains.is_empty()) else {
            // A missing plugin's values can be prepared; they are checked when it opens.
            slot.params.insert(key.into(), value);
            self.owes_values(id);
            return Ok(());
        };
        let index = live.check_param(slot, key, value)?;
        slot.params.insert(key.into(), value);
        // What was sent earlier and not taken goes first: it must not come after this and undo it.
        self.serve_idle();
        self.send_value(id, index, value);
        self.touched_by_user(&Aim::Param(id, key.into()), value);
        Ok(())
    }

    fn load_preset(&mut self, id: SlotId, name: &str) -> Result<(), EditError> {
        let plugin = self.chain.slot(id).ok_or(EditError::NoSlot(id))?.plugin.clone();
        let live = self.lives.get_mut(&id).ok_or(EditError::NoSlot(id))?;
        let kept = || presets::kept(&Folders::from_env(), &plugin);
        let preset = live
            .find_preset(name, kept)
            .ok_or_else(|| EditError::NoPreset { plugin: plugin.clone(), name: name.into() })?;
        self.load_in_place(id, InPlace::Preset(preset));
        Ok(())
    }
}

/// An auxiliary output that there is.
pub(super) fn check_aux(out: Option<u8>) -> Result<(), EditError> {
    let out = out.map(|out| in_range("auxiliary output", out.into(), 1.0, AUX_OUTS.into()));
    out.transpose().map(drop)
}

fn edit_strip(strip: &mut Strip, edit: StripEdit) -> Result<(), EditError> {
    match edit {
        StripEdit::Pan(pan) => strip.pan = in_range("pan", pan, -1.0, 1.0)?,
        StripEdit::Phase(phase) => strip.phase = phase,
        StripEdit::Mono(mono) => strip.mono = mono,
        StripEdit::Mute(mute) => strip.mute = mute,
        StripEdit::Solo(solo) => strip.solo = solo,
        StripEdit::Delta(delta) => strip.delta = delta,
        StripEdit::Idle(idle) => strip.idle = idle,
        StripEdit::Sleep(Sleep::After(seconds)) => {
            strip.sleep = Sleep::After(in_range("time before sleep (s)", seconds, 0.0, MAX_SLEEP)?);
        }
        StripEdit::Sleep(sleep) => strip.sleep = sleep,
    }
    Ok(())
}

pub(super) fn in_range(what: &str, value: f64, min: f64, max: f64) -> Result<f64, EditError> {
    if (min..=max).contains(&value) {
        // Minus zero is another number in a file only.
        return Ok(value + 0.0);
    }
    Err(EditError::Range { what: what.into(), value, min, max })
}
