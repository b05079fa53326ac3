//! What a slot does with its plugin's sound: mix, gains and balance in a line, the rest folded away.

use egui::{Grid, Id, RichText, Ui};
use host_core::model::{IfFails, MidiSettings, MidiSource, OVERSAMPLING, Phase, SidechainSource, Sleep, SlotId, Split};
use host_core::session::{Command, MAX_GAIN, MIN_GAIN, MatchView, SlotView, StripEdit};

use crate::controls::{choice, fold, name_field, named, toggle};
use crate::editor::RackState;
use crate::outline::Outline;
use crate::rack::Act;
use crate::unit::Unit;
use crate::value::{Look, Value};
use crate::{params, theme};

type Acts = Vec<(SlotId, Act)>;

/// The line of small fields, and what it folds out.
pub(crate) fn ui(ui: &mut Ui, slot: &SlotView, outline: &Outline, state: &mut RackState, acts: &mut Acts) {
    let (id, title) = (slot.id, &slot.title);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 5.0;
        let count = params::shown(slot);
        if count > 0 {
            let open = state.params.contains(&id);
            if fold(ui, open, &format!("Parameters ({count})"), &format!("Parameters of {title}")) {
                flip(&mut state.params, id);
            }
        }
        let gains = slot.gains;
        number(ui, id, ("Mix", &format!("Mix of {title}")), (slot.mix, 1.0, 0.0..=1.0), Unit::Percent, acts, |value| {
            Command::Mix(id, value)
        });
        let range = MIN_GAIN..=MAX_GAIN;
        let name = format!("Input gain of {title}");
        number(ui, id, ("In", &name), (gains.0, 0.0, range.clone()), Unit::Decibels, acts, |value| {
            Command::InputGain(id, value)
        });
        let name = format!("Output gain of {title}");
        number(ui, id, ("Out", &name), (gains.1, 0.0, range), Unit::Decibels, acts, |value| {
            Command::OutputGain(id, value)
        });
        let name = format!("Pan of {title}");
        number(ui, id, ("Pan", &name), (slot.strip.pan, 0.0, -1.0..=1.0), Unit::Pan, acts, |value| {
            Command::Strip(id, StripEdit::Pan(value))
        });
        hearing(ui, slot, acts);
        if fold(ui, state.more.contains(&id), "More", &format!("More of {title}")) {
            flip(&mut state.more, id);
        }
    });
    if state.params.contains(&id) {
        params::ui(ui, slot, &mut state.held, acts);
    }
    if state.more.contains(&id) {
        ui.add_space(2.0);
        Grid::new(("more", id.0))
            .num_columns(2)
            .spacing([12.0, 6.0])
            .show(ui, |ui| more(ui, slot, outline, state, acts));
    }
}

fn flip(open: &mut std::collections::BTreeSet<SlotId>, id: SlotId) {
    if !open.remove(&id) {
        open.insert(id);
    }
}

/// A small field of a slot or a lane: where it stands, where it rests, and between what.
pub(crate) fn number(
    ui: &mut Ui,
    id: SlotId,
    (label, name): (&str, &str),
    (now, rest, range): (f64, f64, std::ops::RangeInclusive<f64>),
    unit: Unit,
    acts: &mut Acts,
    edit: impl FnOnce(f64) -> Command,
) {
    let value = Value { id: Id::unique((label, id.0)), label, name, now, range, rest, unit, look: Look::Field };
    value.ui(ui).send(|command| acts.push((id, Act::Send(command))), edit);
}

fn label(ui: &mut Ui, text: &str) {
    ui.label(RichText::new(text).small().color(theme::QUIET));
}

fn more(ui: &mut Ui, slot: &SlotView, outline: &Outline, state: &mut RackState, acts: &mut Acts) {
    label(ui, "Sound");
    ui.horizontal_wrapped(|ui| {
        let (strip, why) = (slot.strip, "Both channels are the mean of both");
        if toggle(ui, strip.mono, "Mono", &format!("Mono {}", slot.title), why) {
            acts.push((slot.id, Act::Send(Command::Strip(slot.id, StripEdit::Mono(!strip.mono)))));
        }
        phase(ui, slot, acts);
    });
    ui.end_row();
    label(ui, "Loudness");
    ui.horizontal_wrapped(|ui| matching(ui, slot, acts));
    ui.end_row();
    if let Some(source) = slot.sidechain {
        label(ui, "Sidechain");
        sidechain(ui, slot, source, outline, acts);
        ui.end_row();
    }
    if let Some(midi) = slot.midi {
        label(ui, "MIDI from");
        midi_from(ui, slot, midi, acts);
        ui.end_row();
    }
    label(ui, "Oversampling");
    oversampling(ui, slot, acts);
    ui.end_row();
    label(ui, "If it fails");
    if_fails(ui, slot, acts);
    ui.end_row();
    label(ui, "Rests");
    rests(ui, slot, acts);
    ui.end_row();
    label(ui, "Lanes");
    ui.horizontal_wrapped(|ui| lanes(ui, slot, outline, acts));
    ui.end_row();
    label(ui, "Name");
    name(ui, slot, state, acts);
    ui.end_row();
    if !slot.pages.is_empty() {
        label(ui, "Macros");
        ui.horizontal_wrapped(|ui| pages(ui, slot, acts));
        ui.end_row();
    }
}

fn hearing(ui: &mut Ui, slot: &SlotView, acts: &mut Acts) {
    let (strip, title, id) = (slot.strip, &slot.title, slot.id);
    for (on, sign, text, why, edit) in [
        (strip.mute, "M", "Mute", "Nothing comes out of the slot (M)", StripEdit::Mute(!strip.mute)),
        (strip.solo, "S", "Solo", "Passes by what stands beside it (S)", StripEdit::Solo(!strip.solo)),
        (strip.delta, "Δ", "Delta", "Only what the slot changes is heard", StripEdit::Delta(!strip.delta)),
    ] {
        if toggle(ui, on, sign, &format!("{text} {title}"), why) {
            acts.push((id, Act::Send(Command::Strip(id, edit))));
        }
    }
}

fn phase(ui: &mut Ui, slot: &SlotView, acts: &mut Acts) {
    let options = [
        (Phase::Normal, "Normal"),
        (Phase::Left, "Left turned"),
        (Phase::Right, "Right turned"),
        (Phase::Both, "Both turned"),
    ];
    let options = options.map(|(phase, text)| (phase, text.to_owned()));
    let name = format!("Phase of {}", slot.title);
    if let Some(phase) = choice(ui, ("phase", slot.id.0), &name, 150.0, &options, &slot.strip.phase) {
        acts.push((slot.id, Act::Send(Command::Strip(slot.id, StripEdit::Phase(phase)))));
    }
}

fn matching(ui: &mut Ui, slot: &SlotView, acts: &mut Acts) {
    let listens = matches!(slot.matched, MatchView::Listening(_));
    let button = named(ui, !listens, "Match", &format!("Match the loudness of {}", slot.title));
    let why = "Listens for 3 s, then sets the output gain so that the plugin is as loud as what goes into it";
    if button.on_hover_text(why).clicked() {
        acts.push((slot.id, Act::Send(Command::Match(slot.id))));
    }
    let text = match &slot.matched {
        MatchView::None => return,
        MatchView::Listening(seconds) => format!("listening, {seconds:.1} of 3 s"),
        MatchView::Set(gain) => format!("set to {}", Unit::Decibels.text(*gain)),
        MatchView::Refused(why) => why.clone(),
    };
    label(ui, &text);
}

fn sidechain(ui: &mut Ui, slot: &SlotView, source: SidechainSource, outline: &Outline, acts: &mut Acts) {
    let mut options = vec![
        (SidechainSource::Container, "What the DAW sends".to_owned()),
        (SidechainSource::Input, "What comes into the chain".to_owned()),
        (SidechainSource::None, "Nothing".to_owned()),
    ];
    options.extend(outline.heard_before(slot.id).into_iter().map(|(id, title)| (SidechainSource::Output(id), title)));
    if !options.iter().any(|(option, _)| *option == source) {
        options.push((source, "Something that is not before it".to_owned()));
    }
    let name = format!("Sidechain of {}", slot.title);
    if let Some(source) = choice(ui, ("sidechain", slot.id.0), &name, 220.0, &options, &source) {
        acts.push((slot.id, Act::Send(Command::Sidechain(slot.id, source))));
    }
}

fn midi_from(ui: &mut Ui, slot: &SlotView, midi: MidiSettings, acts: &mut Acts) {
    let options = [
        (MidiSource::Previous, "The slots before it"),
        (MidiSource::Container, "The DAW"),
        (MidiSource::Merge, "The DAW and the slots before it"),
        (MidiSource::None, "Nothing"),
    ];
    let options = options.map(|(source, text)| (source, text.to_owned()));
    let name = format!("MIDI of {}", slot.title);
    if let Some(source) = choice(ui, ("midi", slot.id.0), &name, 220.0, &options, &midi.source) {
        acts.push((slot.id, Act::Send(Command::Midi(slot.id, MidiSettings { source, ..midi }))));
    }
}

fn oversampling(ui: &mut Ui, slot: &SlotView, acts: &mut Acts) {
    let text = |factor: u32| if factor == 1 { "None".to_owned() } else { format!("{factor} times the rate") };
    let options = OVERSAMPLING.map(|factor| (factor, text(factor)));
    let name = format!("Oversampling of {}", slot.title);
    if let Some(factor) = choice(ui, ("oversampling", slot.id.0), &name, 150.0, &options, &slot.oversample) {
        acts.push((slot.id, Act::Send(Command::Oversample(slot.id, factor))));
    }
}

fn if_fails(ui: &mut Ui, slot: &SlotView, acts: &mut Acts) {
    let options = [
        (IfFails::Dry, "Sound passes it unchanged"),
        (IfFails::Mute, "The slot is silent"),
        (IfFails::MuteChain, "The whole chain is silent"),
    ];
    let options = options.map(|(choice, text)| (choice, text.to_owned()));
    let name = format!("If {} fails", slot.title);
    if let Some(chosen) = choice(ui, ("fails", slot.id.0), &name, 220.0, &options, &slot.if_fails) {
        acts.push((slot.id, Act::Send(Command::IfFails(slot.id, chosen))));
    }
}

fn rests(ui: &mut Ui, slot: &SlotView, acts: &mut Acts) {
    let (title, id, strip) = (&slot.title, slot.id, slot.strip);
    ui.horizontal_wrapped(|ui| {
        let why = "The plugin is not run while the slot is bypassed, and begins afresh then";
        if toggle(ui, strip.idle, "In bypass", &format!("Rest {title} in bypass"), why) {
            acts.push((id, Act::Send(Command::Strip(id, StripEdit::Idle(!strip.idle)))));
        }
        let on = strip.sleep != Sleep::Never;
        let why = "The plugin is not run once it has rung out and nothing comes in";
        if toggle(ui, on, "In silence", &format!("Rest {title} in silence"), why) {
            let sleep = if on { Sleep::Never } else { Sleep::Tail };
            acts.push((id, Act::Send(Command::Strip(id, StripEdit::Sleep(sleep)))));
        }
    });
}

/// Into a lane of its own, into lanes that are there, and out.
fn lanes(ui: &mut Ui, slot: &SlotView, outline: &Outline, acts: &mut Acts) {
    let (id, title) = (slot.id, &slot.title);
    let parallel = Command::Parallel { from: id, to: id, split: Split::Copy };
    for (text, name, why, command) in [
        ("Put in parallel", format!("Put {title} in parallel"), "With an empty lane beside it (P)", Some(parallel)),
        ("Into lanes", format!("Move {title} into lanes"), "Into the lanes beside it (Alt+Right)", outline.inward(id)),
        ("Out of lanes", format!("Move {title} out of lanes"), "Behind the lanes (Alt+Left)", outline.outward(id)),
    ] {
        let button = named(ui, command.is_some(), text, &name).on_hover_text(why);
        if button.clicked() {
            acts.extend(command.map(|command| (id, Act::Send(command))));
        }
    }
}

fn name(ui: &mut Ui, slot: &SlotView, state: &mut RackState, acts: &mut Acts) {
    let named = name_field(ui, slot.id, &slot.title, |field| field.desired_width(200.0), state);
    acts.extend(named.map(|name| (slot.id, Act::Send(Command::Rename(slot.id, name)))));
}

fn pages(ui: &mut Ui, slot: &SlotView, acts: &mut Acts) {
    for (page, offered) in slot.pages.iter().enumerate() {
        let button = named(ui, true, &offered.name, &format!("Map {} of {} to macros", offered.name, slot.title));
        if button.on_hover_text("Maps this page of the plugin to the first eight macros that are free").clicked() {
            acts.push((slot.id, Act::Send(Command::MapPage { slot: slot.id, page, first: None })));
        }
    }
}

/// What a slot does or hears that is not the default, in one line; empty for nothing.
pub(crate) fn marks(slot: &SlotView, outline: &Outline) -> String {
    let strip = slot.strip;
    let phase = match strip.phase {
        Phase::Normal => "",
        Phase::Left => "left turned",
        Phase::Right => "right turned",
        Phase::Both => "phase turned",
    };
    let midi = slot.midi.unwrap_or_default();
    let source = match midi.source {
        MidiSource::Previous => "",
        MidiSource::Container => "MIDI from the DAW",
        MidiSource::Merge => "MIDI from the DAW and the slots before it",
        MidiSource::None => "no MIDI",
    };
    let filtered = MidiSettings { source: MidiSource::Previous, ..midi } != MidiSettings::default();
    let side = match slot.sidechain {
        None | Some(SidechainSource::Container) => String::new(),
        Some(SidechainSource::None) => "sidechain hears nothing".into(),
        Some(SidechainSource::Input) => "sidechain hears what comes into the chain".into(),
        Some(SidechainSource::Output(id)) => {
            outline.title(id).map_or_else(|| "sidechain is silent".into(), |title| format!("sidechain hears {title}"))
        }
    };
    let times = format!("{} times oversampled", slot.oversample);
    let all = [
        (strip.mute, "muted"),
        (strip.solo, "solo"),
        (slot.aside, "passed by: another slot is soloed"),
        (strip.delta, "only what it changes"),
        (!phase.is_empty(), phase),
        (strip.mono, "mono"),
        (!side.is_empty(), &side),
        (!source.is_empty(), source),
        (filtered, "MIDI is filtered"),
        (slot.oversample != 1, &times),
        (slot.resting, "rests"),
    ];
    let told: Vec<_> = all.into_iter().filter(|(told, _)| *told).map(|(_, text)| text).collect();
    told.join(" · ")
}
