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
        ui.spacing_mut().item_spacing.x = 4.0;
        let count = params::shown(slot);
        if count > 0 {
            let open = state.params.contains(&id);
            if fold(ui, open, &text!("strip-parameters", count), &text!("strip-parameters-of", title)) {
                flip(&mut state.params, id);
            }
        }
        let gains = slot.gains;
        number(
            ui,
            id,
            (text!("strip-mix"), &text!("strip-mix-of", title)),
            (slot.mix, 1.0, 0.0..=1.0),
            Unit::Percent,
            acts,
            |value| Command::Mix(id, value),
        );
        let range = MIN_GAIN..=MAX_GAIN;
        let name = text!("strip-input-gain", title);
        number(ui, id, (text!("strip-in"), &name), (gains.0, 0.0, range.clone()), Unit::Decibels, acts, |value| {
            Command::InputGain(id, value)
        });
        let name = text!("strip-output-gain", title);
        number(ui, id, (text!("strip-out"), &name), (gains.1, 0.0, range), Unit::Decibels, acts, |value| {
            Command::OutputGain(id, value)
        });
        let name = text!("strip-pan-of", title);
        number(ui, id, (text!("strip-pan"), &name), (slot.strip.pan, 0.0, -1.0..=1.0), Unit::Pan, acts, |value| {
            Command::Strip(id, StripEdit::Pan(value))
        });
        hearing(ui, slot, acts);
        if fold(ui, state.more.contains(&id), text!("strip-more"), &text!("strip-more-of", title)) {
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
    label(ui, text!("strip-sound"));
    ui.horizontal_wrapped(|ui| {
        let (strip, why) = (slot.strip, text!("strip-both-channels-are-the-mean"));
        if toggle(ui, strip.mono, text!("strip-mono"), &text!("strip-mono-title", title = slot.title), why) {
            acts.push((slot.id, Act::Send(Command::Strip(slot.id, StripEdit::Mono(!strip.mono)))));
        }
        phase(ui, slot, acts);
    });
    ui.end_row();
    label(ui, text!("strip-loudness"));
    ui.horizontal_wrapped(|ui| matching(ui, slot, acts));
    ui.end_row();
    if let Some(source) = slot.sidechain {
        label(ui, text!("strip-sidechain"));
        sidechain(ui, slot, source, outline, acts);
        ui.end_row();
    }
    if let Some(midi) = slot.midi {
        label(ui, text!("strip-midi-from"));
        midi_from(ui, slot, midi, acts);
        ui.end_row();
    }
    label(ui, text!("strip-oversampling"));
    oversampling(ui, slot, acts);
    ui.end_row();
    label(ui, text!("strip-if-it-fails"));
    if_fails(ui, slot, acts);
    ui.end_row();
    label(ui, text!("strip-rests"));
    rests(ui, slot, acts);
    ui.end_row();
    label(ui, text!("strip-lanes"));
    ui.horizontal_wrapped(|ui| lanes(ui, slot, outline, acts));
    ui.end_row();
    label(ui, text!("strip-name"));
    name(ui, slot, state, acts);
    ui.end_row();
    if !slot.pages.is_empty() {
        label(ui, text!("strip-macros"));
        ui.horizontal_wrapped(|ui| pages(ui, slot, acts));
        ui.end_row();
    }
}

fn hearing(ui: &mut Ui, slot: &SlotView, acts: &mut Acts) {
    let (strip, title, id) = (slot.strip, &slot.title, slot.id);
    for (on, sign, text, why, edit) in [
        (
            strip.mute,
            text!("strip-m"),
            text!("strip-mute"),
            text!("strip-nothing-comes-out-of-the-slot"),
            StripEdit::Mute(!strip.mute),
        ),
        (
            strip.solo,
            text!("strip-s"),
            text!("strip-solo"),
            text!("strip-passes-by-what-stands-beside"),
            StripEdit::Solo(!strip.solo),
        ),
        (
            strip.delta,
            text!("strip-delta-sign"),
            text!("strip-delta"),
            text!("strip-only-what-the-slot-changes"),
            StripEdit::Delta(!strip.delta),
        ),
    ] {
        if toggle(ui, on, sign, &format!("{text} {title}"), why) {
            acts.push((id, Act::Send(Command::Strip(id, edit))));
        }
    }
}

fn phase(ui: &mut Ui, slot: &SlotView, acts: &mut Acts) {
    let options = [
        (Phase::Normal, text!("strip-normal")),
        (Phase::Left, text!("strip-left-turned")),
        (Phase::Right, text!("strip-right-turned")),
        (Phase::Both, text!("strip-both-turned")),
    ];
    let options = options.map(|(phase, text)| (phase, text.to_owned()));
    let name = text!("strip-phase-of", title = slot.title);
    if let Some(phase) = choice(ui, ("phase", slot.id.0), &name, 150.0, &options, &slot.strip.phase) {
        acts.push((slot.id, Act::Send(Command::Strip(slot.id, StripEdit::Phase(phase)))));
    }
}

fn matching(ui: &mut Ui, slot: &SlotView, acts: &mut Acts) {
    let listens = matches!(slot.matched, MatchView::Listening(_));
    let button = named(ui, !listens, text!("strip-match"), &text!("strip-match-the-loudness", title = slot.title));
    let why = text!("strip-listens-for-3-s-then-sets");
    if button.on_hover_text(why).clicked() {
        acts.push((slot.id, Act::Send(Command::Match(slot.id))));
    }
    let text = match &slot.matched {
        MatchView::None => return,
        MatchView::Listening(seconds) => text!("strip-listening-of-3-s", seconds = format!("{seconds:.1}")),
        MatchView::Set(gain) => text!("strip-set-to", gain = Unit::Decibels.text(*gain)),
        MatchView::Refused(why) => why.clone(),
    };
    label(ui, &text);
}

fn sidechain(ui: &mut Ui, slot: &SlotView, source: SidechainSource, outline: &Outline, acts: &mut Acts) {
    let mut options = vec![
        (SidechainSource::Container, text!("strip-what-the-daw-sends").to_owned()),
        (SidechainSource::Input, text!("strip-what-comes-into-the-chain").to_owned()),
        (SidechainSource::None, text!("strip-nothing").to_owned()),
    ];
    options.extend(outline.heard_before(slot.id).into_iter().map(|(id, title)| (SidechainSource::Output(id), title)));
    if !options.iter().any(|(option, _)| *option == source) {
        options.push((source, text!("strip-something-that-is-not-before").to_owned()));
    }
    let name = text!("strip-sidechain-of", title = slot.title);
    if let Some(source) = choice(ui, ("sidechain", slot.id.0), &name, 220.0, &options, &source) {
        acts.push((slot.id, Act::Send(Command::Sidechain(slot.id, source))));
    }
}

fn midi_from(ui: &mut Ui, slot: &SlotView, midi: MidiSettings, acts: &mut Acts) {
    let options = [
        (MidiSource::Previous, text!("strip-the-slots-before")),
        (MidiSource::Container, text!("strip-the-daw")),
        (MidiSource::Merge, text!("strip-the-daw-and-the-slots-before")),
        (MidiSource::None, text!("strip-nothing")),
    ];
    let options = options.map(|(source, text)| (source, text.to_owned()));
    let name = text!("strip-midi-of", title = slot.title);
    if let Some(source) = choice(ui, ("midi", slot.id.0), &name, 220.0, &options, &midi.source) {
        acts.push((slot.id, Act::Send(Command::Midi(slot.id, MidiSettings { source, ..midi }))));
    }
}

fn oversampling(ui: &mut Ui, slot: &SlotView, acts: &mut Acts) {
    let text =
        |factor: u32| if factor == 1 { text!("strip-none").to_owned() } else { text!("strip-times-the-rate", factor) };
    let options = OVERSAMPLING.map(|factor| (factor, text(factor)));
    let name = text!("strip-oversampling-of", title = slot.title);
    if let Some(factor) = choice(ui, ("oversampling", slot.id.0), &name, 150.0, &options, &slot.oversample) {
        acts.push((slot.id, Act::Send(Command::Oversample(slot.id, factor))));
    }
}

fn if_fails(ui: &mut Ui, slot: &SlotView, acts: &mut Acts) {
    let options = [
        (IfFails::Dry, text!("strip-sound-passes-it-unchanged")),
        (IfFails::Mute, text!("strip-the-slot-is-silent")),
        (IfFails::MuteChain, text!("strip-the-whole-chain-is-silent")),
    ];
    let options = options.map(|(choice, text)| (choice, text.to_owned()));
    let name = text!("strip-if-fails", title = slot.title);
    if let Some(chosen) = choice(ui, ("fails", slot.id.0), &name, 220.0, &options, &slot.if_fails) {
        acts.push((slot.id, Act::Send(Command::IfFails(slot.id, chosen))));
    }
}

fn rests(ui: &mut Ui, slot: &SlotView, acts: &mut Acts) {
    let (title, id, strip) = (&slot.title, slot.id, slot.strip);
    ui.horizontal_wrapped(|ui| {
        let why = text!("strip-the-plugin-is-not-run-while");
        if toggle(ui, strip.idle, text!("strip-in-bypass"), &text!("strip-rest-in-bypass", title), why) {
            acts.push((id, Act::Send(Command::Strip(id, StripEdit::Idle(!strip.idle)))));
        }
        let on = strip.sleep != Sleep::Never;
        let why = text!("strip-the-plugin-is-not-run-once");
        if toggle(ui, on, text!("strip-in-silence"), &text!("strip-rest-in-silence", title), why) {
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
        (
            text!("strip-put-in-parallel"),
            text!("strip-put-in-parallel-title", title),
            text!("strip-with-an-empty-lane-beside"),
            Some(parallel),
        ),
        (
            text!("strip-into-lanes"),
            text!("strip-move-into-lanes", title),
            text!("strip-into-the-lanes-beside-it-alt"),
            outline.inward(id),
        ),
        (
            text!("strip-out-of-lanes"),
            text!("strip-move-out-of-lanes", title),
            text!("strip-behind-the-lanes-alt-left"),
            outline.outward(id),
        ),
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
        let button =
            named(ui, true, &offered.name, &text!("strip-map-of-to-macros", name = offered.name, title = slot.title));
        if button.on_hover_text(text!("strip-maps-this-page-of-the-plugin")).clicked() {
            acts.push((slot.id, Act::Send(Command::MapPage { slot: slot.id, page, first: None })));
        }
    }
}

/// What a slot does or hears that is not the default, in one line; empty for nothing.
pub(crate) fn marks(slot: &SlotView, outline: &Outline) -> String {
    let strip = slot.strip;
    let phase = match strip.phase {
        Phase::Normal => "",
        Phase::Left => text!("strip-mark-left-turned"),
        Phase::Right => text!("strip-mark-right-turned"),
        Phase::Both => text!("strip-mark-phase-turned"),
    };
    let midi = slot.midi.unwrap_or_default();
    let source = match midi.source {
        MidiSource::Previous => "",
        MidiSource::Container => text!("strip-mark-midi-daw"),
        MidiSource::Merge => text!("strip-mark-midi-both"),
        MidiSource::None => text!("strip-mark-no-midi"),
    };
    let filtered = MidiSettings { source: MidiSource::Previous, ..midi } != MidiSettings::default();
    let side = match slot.sidechain {
        None | Some(SidechainSource::Container) => String::new(),
        Some(SidechainSource::None) => text!("strip-mark-side-nothing").into(),
        Some(SidechainSource::Input) => text!("strip-mark-side-input").into(),
        Some(SidechainSource::Output(id)) => outline
            .title(id)
            .map_or_else(|| text!("strip-mark-side-silent").into(), |title| text!("strip-mark-side-hears", title)),
    };
    let times = text!("strip-mark-oversampled", oversample = slot.oversample);
    let all = [
        (strip.mute, text!("strip-mark-muted")),
        (strip.solo, text!("strip-mark-solo")),
        (slot.aside, text!("strip-mark-passed-by")),
        (strip.delta, text!("strip-mark-delta")),
        (!phase.is_empty(), phase),
        (strip.mono, text!("strip-mark-mono")),
        (!side.is_empty(), &side),
        (!source.is_empty(), source),
        (filtered, text!("strip-mark-midi-filtered")),
        (slot.oversample != 1, &times),
        (slot.resting, text!("strip-mark-rests")),
    ];
    let told: Vec<_> = all.into_iter().filter(|(told, _)| *told).map(|(_, text)| text).collect();
    told.join(" · ")
}
