//! `catena edit FILE macro ...`, and the macros in `catena show`.

use std::collections::BTreeMap;

use host_core::model::{Aim, Assigned, Chain, ControlPage, Controller, Folders, Law, Macro, MacroId, Target};
use host_core::session::{Assignment, Command, MacroEdit, SessionHandle, SlotView};
use host_core::store::controllers;

use super::args::MacroChange;
use super::edit::{find_param, slot_id, view_of};
use super::lanes::{self, Found};
use super::{Failure, numbers, out};

/// The edits that `change` asks for, one after the other.
pub fn commands(change: &MacroChange, chain: &Chain, session: &SessionHandle) -> Result<Vec<Command>, Failure> {
    Ok(match change {
        MacroChange::Map { number, slot, what, min, max, curve, inverted } => {
            let number = macro_id(*number)?;
            let aim = aim(slot, what, chain, session)?;
            let (low, high) = usual(&aim, session)?;
            let end = |text: &Option<String>, usual: f64| match text {
                Some(text) => numbers::number(text).map_err(Failure::usage),
                None => Ok(usual),
            };
            let curve = curve.as_ref().map_or(Ok(0.0), |text| numbers::number(text).map_err(Failure::usage))?;
            let law = Law { min: end(min, low)?, max: end(max, high)?, curve, inverted: *inverted };
            let range = Some((law.min, law.max));
            let map = Command::Macro(number, MacroEdit::Map { aim: aim.clone(), range });
            let straight = law == Law::straight(law.min, law.max);
            let shape = (!straight).then_some(Command::Macro(number, MacroEdit::Shape { aim, law }));
            std::iter::once(map).chain(shape).collect()
        }
        MacroChange::Unmap { number, slot, what } => {
            let number = macro_id(*number)?;
            let aim = match (slot, what) {
                (Some(slot), Some(what)) => Some(aim(slot, what, chain, session)?),
                (Some(_), None) => {
                    return Err(Failure::usage("name what of the slot is to be let go of, or no slot for all"));
                }
                _ => None,
            };
            vec![Command::Macro(number, MacroEdit::Unmap(aim))]
        }
        MacroChange::Page { slot, page, first } => {
            let slot = slot_id(chain, slot)?;
            let first = first.map(macro_id).transpose()?;
            vec![Command::MapPage { slot, page: page_index(&view_of(slot, session)?, page)?, first }]
        }
        MacroChange::Name { number, name } => vec![Command::Macro(macro_id(*number)?, MacroEdit::Name(name.clone()))],
        MacroChange::Cc { number, channel, controller, wide, in_chain } => {
            let number = macro_id(*number)?;
            let controller = hardware(*channel, *controller, *wide)?;
            let to = if *in_chain { Assignment::Chain(controller) } else { Assignment::Machine(controller) };
            vec![Command::Macro(number, MacroEdit::Assign(to))]
        }
        MacroChange::ForgetCc { number } => {
            vec![Command::Macro(macro_id(*number)?, MacroEdit::Assign(Assignment::Nothing))]
        }
        MacroChange::Set { number, value } => {
            let value = numbers::number(value).map_err(Failure::usage)?;
            vec![Command::Macro(macro_id(*number)?, MacroEdit::Value(value))]
        }
    })
}

fn macro_id(number: usize) -> Result<MacroId, Failure> {
    MacroId::new(number).ok_or_else(|| {
        Failure::usage(format!("there is no macro {number}; macros are 1 to {}", host_core::model::MACROS))
    })
}

/// The controller that is meant.
fn hardware(channel: i64, number: i64, wide: bool) -> Result<Controller, Failure> {
    let found = u8::try_from(channel).ok().zip(u8::try_from(number).ok());
    found.and_then(|(channel, number)| Controller::new(channel, number, wide)).ok_or_else(|| {
        Failure::usage(match wide {
            false => "channels are 1 to 16, controllers 0 to 119",
            true => "channels are 1 to 16, controllers of 14 bits 0 to 31",
        })
    })
}

/// The page that `text` names: its number, or its name, with or without its section.
fn page_index(view: &SlotView, text: &str) -> Result<usize, Failure> {
    if let Ok(number) = text.parse::<usize>() {
        return number.checked_sub(1).ok_or_else(|| Failure::usage("pages are counted from 1"));
    }
    let named =
        |page: &ControlPage| [page.title(), page.name.clone()].iter().any(|name| name.eq_ignore_ascii_case(text));
    view.pages.iter().position(named).ok_or_else(|| {
        Failure::usage(format!("{} has no page \"{text}\"; `catena info` lists what it has", view.title))
    })
}

/// What of a slot or a lane is meant.
fn aim(slot: &str, what: &str, chain: &Chain, session: &SessionHandle) -> Result<Aim, Failure> {
    if let Some(Found::Lane(lane)) = lanes::find(chain, slot) {
        return match what {
            "@gain" => Ok(Aim::LaneGain(lane)),
            "@mute" => Ok(Aim::LaneMute(lane)),
            _ => Err(Failure::usage(format!("of a lane a macro moves @gain or @mute; \"{what}\" is neither"))),
        };
    }
    let id = slot_id(chain, slot)?;
    Ok(match what {
        "@bypass" => Aim::Bypass(id),
        "@mix" => Aim::Mix(id),
        "@input-gain" => Aim::InputGain(id),
        "@output-gain" => Aim::OutputGain(id),
        "@pan" => Aim::Pan(id),
        "@mute" => Aim::Mute(id),
        _ => Aim::Param(id, find_param(&view_of(id, session)?, what)?.key.clone()),
    })
}

/// The range that a mapping gets where none is typed.
fn usual(aim: &Aim, session: &SessionHandle) -> Result<(f64, f64), Failure> {
    let (Aim::Param(id, key), None) = (aim, aim.usual_range()) else {
        return Ok(aim.usual_range().unwrap_or((0.0, 1.0)));
    };
    let view = view_of(*id, session)?;
    let param = view.params.iter().find(|param| param.key == *key);
    Ok(param.map_or((0.0, 1.0), |param| (param.min, param.max)))
}

/// Lists the macros of a chain.
pub fn show(chain: &Chain) -> Result<(), Failure> {
    let machine = match controllers::read(&Folders::from_env().controllers()) {
        Ok(held) => held.all(),
        Err(error) => {
            out::note(format_args!("note: {error}"));
            BTreeMap::new()
        }
    };
    let holds = |one: &&Macro| one.name.is_some() || !one.targets.is_empty() || one.controller.is_some();
    let bare = |number: &MacroId| chain.macro_of(*number).is_none_or(|one| !holds(&one));
    let bare: Vec<_> = machine.keys().copied().filter(bare).map(Macro::new).collect();
    for one in chain.macros.iter().filter(holds).chain(&bare) {
        let name = one.name.as_ref().map_or_else(String::new, |name| format!("  \"{name}\""));
        let own = one.controller.as_ref().and_then(Assigned::controller);
        let by = match (own, machine.get(&one.number)) {
            (Some(own), _) => format!(", turned by {own}"),
            (None, Some(machine)) => format!(", turned by {machine} on this machine"),
            (None, None) => String::new(),
        };
        out::say(format_args!("macro {}{name}  at {}{by}", one.number, out::short(one.value)))?;
        let rows: Vec<_> = one.targets.iter().map(|target| target_row(chain, target)).collect();
        if !rows.is_empty() {
            out::say(out::table(&rows))?;
        }
    }
    Ok(())
}

fn target_row(chain: &Chain, target: &Target) -> Vec<String> {
    let named = |id| Some(format!("{} {}", lanes::number(chain, id), chain.slot(id)?.title()));
    let slot = match (target.aim.slot(), target.aim.lane()) {
        (Some(id), _) => named(id).unwrap_or_else(|| "a slot that was removed".into()),
        (None, Some(id)) => lanes::lane_name(chain, id).unwrap_or_else(|| "a lane that was removed".into()),
        (None, None) => "something of a newer version".into(),
    };
    let what = match &target.aim {
        Aim::Param(_, key) => key.as_str(),
        Aim::Bypass(_) => "@bypass",
        Aim::Mix(_) => "@mix",
        Aim::InputGain(_) => "@input-gain",
        Aim::OutputGain(_) => "@output-gain",
        Aim::Pan(_) => "@pan",
        Aim::LaneGain(_) => "@gain",
        Aim::Mute(_) | Aim::LaneMute(_) => "@mute",
        Aim::Unknown(_) => "",
    };
    let Law { min, max, curve, inverted } = target.law;
    let mut how = format!("{} to {}", out::short(min), out::short(max));
    if curve != 0.0 {
        how.push_str(&format!(", curve {}", out::short(curve)));
    }
    if inverted {
        how.push_str(", inverted");
    }
    vec![format!("     {slot}"), what.into(), how]
}
