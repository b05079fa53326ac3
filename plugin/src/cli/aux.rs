//! Which auxiliary output hears what, as typed and as shown.

use host_core::model::{AUX_OUTS, Chain, LaneAux, Slot};
use host_core::session::{Command, LaneEdit, SessionHandle};

use super::lanes::{self, Found};
use super::{Failure, edit};

/// An auxiliary output from 1, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Out(Option<u8>);

/// `1` to `8`, or `none`.
pub fn out(text: &str) -> Result<Out, String> {
    match text.parse() {
        Ok(number @ 1..=AUX_OUTS) => Ok(Out(Some(number))),
        _ if text == "none" => Ok(Out(None)),
        _ => Err(format!("write the number of an auxiliary output, 1 to {AUX_OUTS}, or none")),
    }
}

/// The commands that send a slot's further outputs, or a lane, somewhere.
pub fn commands(
    chain: &Chain,
    what: &str,
    Out(to): Out,
    output: Option<usize>,
    only: bool,
    session: &SessionHandle,
) -> Result<Vec<Command>, Failure> {
    if let Some(Found::Lane(lane)) = lanes::find(chain, what) {
        if output.is_some() {
            return Err(Failure::usage("--output goes with a slot; a lane has one output"));
        }
        return Ok(vec![Command::Lane(lane, LaneEdit::Aux(to.map(|out| LaneAux { out, only })))]);
    }
    let slot = edit::slot_id(chain, what)?;
    if only {
        return Err(Failure::usage("--only goes with a lane; what a slot's further outputs give is in no main output"));
    }
    if let Some(output) = output {
        return Ok(vec![Command::Aux(slot, output - 1, to)]);
    }
    let view = edit::view_of(slot, session)?;
    if view.aux.is_empty() {
        return Err(Failure::usage(format!("{} has no outputs beside its main one", view.title)));
    }
    let behind = |first: u8, output: usize| u8::try_from(output).ok().and_then(|more| first.checked_add(more));
    let to = |output| to.and_then(|first| behind(first, output)).filter(|out| *out <= AUX_OUTS);
    Ok((0..view.aux.len()).map(|output| Command::Aux(slot, output, to(output))).collect())
}

/// What the user chose for a slot, in a phrase.
pub fn slot_mark(slot: &Slot) -> Option<String> {
    let named = |(at, out): (usize, &Option<u8>)| match out {
        Some(out) => format!("{} on aux {out}", at + 1),
        None => format!("{} on none", at + 1),
    };
    let chosen: Vec<_> = slot.aux.iter().enumerate().map(named).collect();
    (!chosen.is_empty()).then(|| format!("further outputs: {}", chosen.join(", ")))
}

/// The same for a lane.
pub fn lane_mark(aux: LaneAux) -> String {
    format!("{} aux {}", if aux.only { "on" } else { "also on" }, aux.out)
}
