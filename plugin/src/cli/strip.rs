//! A slot's own settings, as typed after `@` and as shown.

use host_core::model::{IfFails, MAX_SLEEP, Phase, Sleep, Slot, SlotId, Strip};
use host_core::session::{Command, StripEdit};

use super::edit::within;
use super::{Failure, numbers, out};

/// The command for `@NAME`; `None`: there is no such setting.
pub fn command(slot: SlotId, name: &str, text: &str) -> Result<Option<Command>, Failure> {
    let typed = || numbers::number(text).map_err(Failure::usage);
    let switch = || on_or_off(name, text);
    let strip = |edit| Command::Strip(slot, edit);
    Ok(Some(match name {
        "@mix" => Command::Mix(slot, within("the mix", typed()?, 0.0, 1.0)?),
        "@input-gain" => Command::InputGain(slot, within("a gain", typed()?, -90.0, 40.0)?),
        "@output-gain" => Command::OutputGain(slot, within("a gain", typed()?, -90.0, 40.0)?),
        "@merge-midi" => Command::MergeMidi(slot, switch()?),
        "@pan" => strip(StripEdit::Pan(within("pan", typed()?, -1.0, 1.0)?)),
        "@phase" => strip(StripEdit::Phase(phase(text)?)),
        "@mono" => strip(StripEdit::Mono(switch()?)),
        "@mute" => strip(StripEdit::Mute(switch()?)),
        "@solo" => strip(StripEdit::Solo(switch()?)),
        "@delta" => strip(StripEdit::Delta(switch()?)),
        "@idle" => strip(StripEdit::Idle(switch()?)),
        "@sleep" => strip(StripEdit::Sleep(sleep(text)?)),
        "@if-fails" => Command::IfFails(slot, if_fails(text)?),
        _ => return Ok(None),
    }))
}

fn on_or_off(name: &str, text: &str) -> Result<bool, Failure> {
    match text.to_lowercase().as_str() {
        "on" | "1" => Ok(true),
        "off" | "0" => Ok(false),
        _ => Err(Failure::usage(format!("{name} is on or off; \"{text}\" is neither"))),
    }
}

fn phase(text: &str) -> Result<Phase, Failure> {
    Ok(match text {
        "off" | "normal" => Phase::Normal,
        "left" => Phase::Left,
        "right" => Phase::Right,
        "on" | "both" => Phase::Both,
        _ => return Err(Failure::usage(format!("@phase is off, left, right or both; \"{text}\" is none of these"))),
    })
}

fn sleep(text: &str) -> Result<Sleep, Failure> {
    Ok(match text {
        "off" => Sleep::Never,
        "on" => Sleep::Tail,
        _ => {
            let seconds = text.strip_suffix('s').unwrap_or(text).trim();
            let seconds = numbers::number(seconds).map_err(|_| {
                Failure::usage(format!(
                    "@sleep is off, on, or the seconds for which a plugin that does not say sounds on; \"{text}\" is none of these"
                ))
            })?;
            Sleep::After(within("a time before sleep, in seconds,", seconds, 0.0, MAX_SLEEP)?)
        }
    })
}

fn if_fails(text: &str) -> Result<IfFails, Failure> {
    Ok(match text {
        "dry" => IfFails::Dry,
        "mute" => IfFails::Mute,
        "mute-chain" => IfFails::MuteChain,
        _ => return Err(Failure::usage(format!("@if-fails is dry, mute or mute-chain; \"{text}\" is none of these"))),
    })
}

/// What differs from the default, one phrase each.
pub fn marks(slot: &Slot) -> Vec<String> {
    let mut marks = Vec::new();
    let mut switch = |on: bool, word: &str| {
        if on {
            marks.push(word.to_owned());
        }
    };
    let Strip { pan, phase, mono, mute, solo, delta, idle, sleep } = slot.strip;
    switch(slot.bypass, "bypassed");
    switch(mute, "muted");
    switch(solo, "solo");
    switch(delta, "delta");
    for (label, value, rest) in [
        ("mix", slot.mix, 1.0),
        ("input gain", slot.input_gain, 0.0),
        ("output gain", slot.output_gain, 0.0),
        ("pan", pan, 0.0),
    ] {
        switch(value != rest, &format!("{label} {}", out::short(value)));
    }
    switch(phase != Phase::Normal, &format!("phase {}", format!("{phase:?}").to_lowercase()));
    switch(mono, "mono");
    switch(idle, "idle in bypass");
    match sleep {
        Sleep::Never => {}
        Sleep::Tail => switch(true, "sleeps"),
        Sleep::After(seconds) => switch(true, &format!("sleeps after {} s", out::short(seconds))),
    }
    switch(slot.if_fails == IfFails::Mute, "mute if it fails");
    switch(slot.if_fails == IfFails::MuteChain, "mute the chain if it fails");
    marks
}
