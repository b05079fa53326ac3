//! `catena edit`'s lanes: what a number like 2.1.3 names, and the changes of lanes.

use host_core::model::{Chain, LaneDelay, Node, SlotId, Split};
use host_core::session::{Command, LaneEdit};

use super::args::{LaneChange, LanesChange, SplitKind, Switch};
use super::edit::{place, within};
use super::{Failure, numbers};

/// What a number names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// A slot.
    Slot(SlotId),
    /// Lanes as a whole.
    Lanes(SlotId),
    /// One of them.
    Lane(SlotId),
}

/// What `text` names where it is a number as `catena show` writes them: of a node, a lane of it, a node of that, and so on.
pub fn find(chain: &Chain, text: &str) -> Option<Found> {
    let mut numbers = text.split('.').map(|part| part.parse::<usize>().ok()?.checked_sub(1));
    let mut nodes = &chain.nodes;
    loop {
        let group = match nodes.get(numbers.next()??)? {
            Node::Slot(slot) => return numbers.next().is_none().then_some(Found::Slot(slot.id)),
            Node::Lanes(group) => group,
            Node::Unknown(_) => return None,
        };
        let Some(number) = numbers.next() else { return Some(Found::Lanes(group.id)) };
        let lane = group.lanes.get(number?)?;
        let mut ahead = numbers.clone();
        if ahead.next().is_none() {
            return Some(Found::Lane(lane.id));
        }
        nodes = &lane.nodes;
    }
}

/// The number of a slot, a lane or lanes, as `catena show` writes it.
pub fn number(chain: &Chain, id: SlotId) -> String {
    let Some((container, index)) = chain.place(id) else { return lane_number(chain, id) };
    match container {
        None => (index + 1).to_string(),
        Some(lane) => format!("{}.{}", lane_number(chain, lane), index + 1),
    }
}

fn lane_number(chain: &Chain, id: SlotId) -> String {
    let Some(group) = chain.group_of(id) else { return "?".into() };
    let place = group.lanes.iter().position(|lane| lane.id == id).unwrap_or(0);
    format!("{}.{}", number(chain, group.id), place + 1)
}

/// A lane's number and what it is called.
pub fn lane_name(chain: &Chain, lane: SlotId) -> Option<String> {
    let group = chain.group_of(lane)?;
    let place = group.lanes.iter().position(|other| other.id == lane)?;
    Some(format!("{}.{} {}", number(chain, group.id), place + 1, group.lane_title(place)))
}

/// The lane that `text` names.
pub fn lane(chain: &Chain, text: &str) -> Result<SlotId, Failure> {
    match find(chain, text) {
        Some(Found::Lane(lane)) => Ok(lane),
        _ => Err(Failure::usage(format!("there is no lane {text} in this chain; `catena show` lists them, like 2.1"))),
    }
}

fn group(chain: &Chain, text: &str) -> Result<SlotId, Failure> {
    match find(chain, text) {
        Some(Found::Lanes(group)) => Ok(group),
        _ => Err(Failure::usage(format!(
            "there are no lanes {text} in this chain; `catena show` lists them, `catena edit FILE parallel` makes them"
        ))),
    }
}

/// A split as it was typed.
pub fn split(kind: SplitKind, at_hz: &[String]) -> Result<Split, Failure> {
    let frequencies = at_hz.iter().map(|text| numbers::number(text.trim()).map_err(Failure::usage));
    let frequencies = frequencies.collect::<Result<Vec<f64>, _>>()?;
    match kind {
        SplitKind::Bands if frequencies.is_empty() => {
            Err(Failure::usage("say where the bands meet, lowest first: --at-hz 200,2500 makes three"))
        }
        SplitKind::Bands => Ok(Split::Bands(frequencies)),
        _ if !frequencies.is_empty() => Err(Failure::usage("--at-hz goes with --split bands alone")),
        SplitKind::Copy => Ok(Split::Copy),
        SplitKind::MidSide => Ok(Split::MidSide),
        SplitKind::LeftRight => Ok(Split::LeftRight),
    }
}

/// The command for a change of a lane.
pub fn lane_command(chain: &Chain, text: &str, what: &LaneChange) -> Result<Command, Failure> {
    let id = lane(chain, text)?;
    let typed = |text: &str| numbers::number(text).map_err(Failure::usage);
    let edit = match what {
        LaneChange::Gain { value } => LaneEdit::Gain(within("a lane's gain", typed(value)?, -144.0, 48.0)?),
        LaneChange::Pan { value } => LaneEdit::Pan(within("pan", typed(value)?, -1.0, 1.0)?),
        LaneChange::Mute { state } => LaneEdit::Mute(*state == Switch::On),
        LaneChange::Solo { state } => LaneEdit::Solo(*state == Switch::On),
        LaneChange::Dry { state } => LaneEdit::Dry(*state == Switch::On),
        LaneChange::Delay { value } => LaneEdit::Delay(delay(value)?),
        LaneChange::Name { name } => LaneEdit::Name(name.clone()),
        LaneChange::Colour { value } => LaneEdit::Colour(value.as_deref().map(colour).transpose()?),
        LaneChange::Place { place: to } => {
            let count = chain.group_of(id).map_or(1, |group| group.lanes.len());
            return Ok(Command::MoveLane { lane: id, index: place(*to, count)? });
        }
    };
    Ok(Command::Lane(id, edit))
}

/// The command for a change of lanes as a whole.
pub fn lanes_command(chain: &Chain, text: &str, what: &LanesChange) -> Result<Command, Failure> {
    let id = group(chain, text)?;
    Ok(match what {
        LanesChange::Add { at } => {
            let count = chain.group(id).map_or(0, |group| group.lanes.len()) + 1;
            Command::AddLane { group: id, index: place(at.unwrap_or(count), count)? }
        }
        LanesChange::Split { split: kind, at_hz } => Command::Split(id, split(*kind, at_hz)?),
        LanesChange::Level => Command::LevelLanes(id),
        LanesChange::Name { name } => Command::RenameLanes(id, name.clone()),
        LanesChange::Dissolve => Command::Dissolve(id),
    })
}

fn delay(text: &str) -> Result<LaneDelay, Failure> {
    let Some(ms) = text.strip_suffix("ms") else {
        let frames = text.parse::<u32>();
        return frames.map(LaneDelay::Frames).map_err(|_| {
            Failure::usage(format!("a delay is a number of frames, or of milliseconds: 480 or 10ms; {text} is neither"))
        });
    };
    let ms = numbers::number(ms.trim()).map_err(Failure::usage)?;
    Ok(LaneDelay::Ms(within("a delay in ms", ms, 0.0, 1000.0)?))
}

fn colour(text: &str) -> Result<[u8; 3], Failure> {
    let digits = text.strip_prefix('#').unwrap_or(text);
    let wrong = || Failure::usage(format!("a colour is six hexadecimal digits, like ff8000; {text} is not"));
    if digits.len() != 6 || !digits.is_ascii() {
        return Err(wrong());
    }
    let part = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).map_err(|_| wrong());
    Ok([part(0)?, part(2)?, part(4)?])
}
