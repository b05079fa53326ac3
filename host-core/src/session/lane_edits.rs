//! The edits of lanes: each changes the model at once, checked; the engine follows in the ticks to come. All `[home]`.

use super::edits::{check_aux, in_range};
use super::owner::Owner;
use super::{EditError, LaneEdit};
use crate::model::lanes::{CROSSOVER_RANGE, MAX_LANE_DELAY, MAX_LANE_GAIN, MAX_LANES};
use crate::model::{Lane, LaneDelay, Lanes, MAX_BANDS, MAX_LATENCY, Node, SlotId, Split};

/// Whether a split is one that can be.
fn check(split: &Split) -> Result<(), EditError> {
    let Split::Bands(crossovers) = split else { return Ok(()) };
    let rising = crossovers.is_sorted_by(|a, b| a < b);
    let known = crossovers.iter().all(|frequency| CROSSOVER_RANGE.contains(frequency));
    if (1..MAX_BANDS).contains(&crossovers.len()) && rising && known { Ok(()) } else { Err(EditError::Bands) }
}

impl Owner {
    /// Makes lanes round the nodes from one to another.
    pub(super) fn parallel(&mut self, from: SlotId, to: SlotId, split: Split) -> Result<SlotId, EditError> {
        check(&split)?;
        let place = |id| self.chain.place(id).ok_or(EditError::NoNode(id));
        let ((container, first), (other, last)) = (place(from)?, place(to)?);
        if container != other {
            return Err(EditError::Apart(from, to));
        }
        let (first, last) = (first.min(last), first.max(last));
        let before = self.chain.clone();
        let id = self.chain.fresh_id();
        let count = split.lanes().unwrap_or(2);
        let mut lanes: Vec<Lane> = (0..count).map(|_| Lane::new(self.chain.fresh_id())).collect();
        let ids: Vec<SlotId> =
            self.chain.list(container).into_iter().flatten().take(last + 1).skip(first).filter_map(Node::id).collect();
        lanes[0].nodes = ids.into_iter().filter_map(|id| self.chain.take(id)).collect();
        let group = Lanes { id, name: None, split, lanes, extra: Default::default() };
        match self.chain.put(container, first, Node::Lanes(Box::new(group))) {
            Ok(()) => Ok(id),
            Err(error) => {
                self.chain = before;
                Err(error.into())
            }
        }
    }

    /// Takes lanes apart.
    pub(super) fn dissolve(&mut self, id: SlotId) -> Result<(), EditError> {
        self.chain.dissolve(id).ok_or(EditError::NoLanes(id))
    }

    /// Another split, with as many lanes as it makes.
    pub(super) fn split(&mut self, id: SlotId, split: Split) -> Result<(), EditError> {
        check(&split)?;
        let group = self.chain.group(id).ok_or(EditError::NoLanes(id))?;
        let wanted = split.lanes().unwrap_or(group.lanes.len());
        if let Some(used) = group.lanes.iter().skip(wanted).find(|lane| !lane.nodes.is_empty()) {
            return Err(EditError::LaneInUse(used.id));
        }
        let missing = wanted.saturating_sub(group.lanes.len());
        let new: Vec<Lane> = (0..missing).map(|_| Lane::new(self.chain.fresh_id())).collect();
        if let Some(group) = self.chain.group_mut(id) {
            group.split = split;
            group.lanes.truncate(wanted);
            group.lanes.extend(new);
        }
        Ok(())
    }

    /// Puts an empty lane in among copies.
    pub(super) fn add_lane(&mut self, id: SlotId, index: usize) -> Result<SlotId, EditError> {
        let group = self.chain.group(id).ok_or(EditError::NoLanes(id))?;
        if let Some(fixed) = group.split.lanes() {
            return Err(EditError::FixedLanes(fixed));
        }
        if group.lanes.len() >= MAX_LANES {
            return Err(EditError::ManyLanes);
        }
        // A lane that was alone passed what came in; among others it would be silent.
        let alone = group.lanes.len() == 1;
        let lane = Lane::new(self.chain.fresh_id());
        let made = lane.id;
        if let Some(group) = self.chain.group_mut(id) {
            if alone && group.lanes[0].nodes.is_empty() {
                group.lanes[0].dry = true;
            }
            let index = index.min(group.lanes.len());
            group.lanes.insert(index, lane);
        }
        Ok(made)
    }

    /// Takes a lane out with all that it holds.
    pub(super) fn remove_lane(&mut self, id: SlotId) -> Result<(), EditError> {
        let group = self.chain.group_of_mut(id).ok_or(EditError::NoLane(id))?;
        if let Some(fixed) = group.split.lanes() {
            return Err(EditError::FixedLanes(fixed));
        }
        if group.lanes.len() == 1 {
            return Err(EditError::LastLane);
        }
        let index = group.lanes.iter().position(|lane| lane.id == id).ok_or(EditError::NoLane(id))?;
        let gone = group.lanes.remove(index);
        self.let_nodes_go(&gone.nodes);
        Ok(())
    }

    /// Moves a lane within its group.
    pub(super) fn move_lane(&mut self, id: SlotId, index: usize) -> Result<(), EditError> {
        let group = self.chain.group_of_mut(id).ok_or(EditError::NoLane(id))?;
        let from = group.lanes.iter().position(|lane| lane.id == id).ok_or(EditError::NoLane(id))?;
        let lane = group.lanes.remove(from);
        let index = index.min(group.lanes.len());
        group.lanes.insert(index, lane);
        Ok(())
    }

    /// Changes a lane's own settings.
    pub(super) fn edit_lane(&mut self, id: SlotId, edit: LaneEdit) -> Result<(), EditError> {
        let lane = self.chain.lane_mut(id).ok_or(EditError::NoLane(id))?;
        match edit {
            LaneEdit::Gain(gain) => lane.gain = in_range("lane gain (dB)", gain, -144.0, MAX_LANE_GAIN)?,
            LaneEdit::Pan(pan) => lane.pan = in_range("pan", pan, -1.0, 1.0)?,
            LaneEdit::Mute(mute) => lane.mute = mute,
            LaneEdit::Solo(solo) => lane.solo = solo,
            LaneEdit::Delay(LaneDelay::Ms(ms)) => {
                lane.delay = LaneDelay::Ms(in_range("lane delay (ms)", ms, 0.0, MAX_LANE_DELAY)?);
            }
            LaneEdit::Delay(LaneDelay::Frames(frames)) => {
                in_range("lane delay (frames)", f64::from(frames), 0.0, f64::from(MAX_LATENCY / 2))?;
                lane.delay = LaneDelay::Frames(frames);
            }
            LaneEdit::Aux(aux) => {
                check_aux(aux.map(|aux| aux.out))?;
                lane.aux = aux;
            }
            LaneEdit::Dry(dry) => lane.dry = dry,
            LaneEdit::Name(name) => lane.name = name.filter(|name| !name.is_empty()),
            LaneEdit::Colour(colour) => lane.colour = colour,
        }
        Ok(())
    }

    /// Sets each lane that sounds to 1/n of the level.
    pub(super) fn level_lanes(&mut self, id: SlotId) -> Result<(), EditError> {
        let group = self.chain.group_mut(id).ok_or(EditError::NoLanes(id))?;
        let full: Vec<bool> = group.lanes.iter().map(|lane| !group.is_blank(lane)).collect();
        let count = full.iter().filter(|full| **full).count().max(1);
        // Not minus zero for one lane.
        let gain = 0.0 - 20.0 * (count as f64).log10();
        for (lane, full) in group.lanes.iter_mut().zip(full) {
            if full {
                lane.gain = gain;
            }
        }
        Ok(())
    }
}
