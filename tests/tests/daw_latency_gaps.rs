//! What a DAW makes of a latency that changes while it plays: for how long nothing is heard, and which frames are missing or come
//! twice. The figures are in the README; each run writes its own to `latency-gaps.txt` in the folder of the built programs.

use std::io::Write;

use catena_tests::ardour::files::{overwrite, read};
use catena_tests::ardour::plugins::{chain_of, with_plugins};
use catena_tests::ardour::{Ardour, Format, stereo};
use catena_tests::built;
use catena_tests::bundle::Bundle;
use catena_tests::daw::{chain, with_fixtures};
use catena_tests::fixtures;
use catena_tests::qtractor::Qtractor;
use catena_tests::ramp::{Gap, gaps, ramp};
use host_core::model::{Aim, Law, MacroId, PluginId, Target};
use host_core::store;

/// Latencies that follow each other in Ardour, frames; it begins with 0.
const LATENCIES: [usize; 4] = [512, 1024, 64, 0];
/// The other latency of the chain in qtractor.
const AWAY: f64 = 512.0;

/// Says what was found. A change is a gap or two: the DAW's own and our cross-fade may lie apart.
fn tell(who: &str, found: &[Gap], heard: usize) {
    let mut text = format!("{who}: {} gaps in {heard} frames\n", found.len());
    found.iter().for_each(|gap| text += &format!("{who}: {gap}\n"));
    let file = std::fs::OpenOptions::new().create(true).append(true).open(built::folder().join("latency-gaps.txt"));
    file.and_then(|mut file| file.write_all(text.as_bytes())).expect("written");
}

fn gaps_in_ardour(format: Format, who: &str) {
    let bundle = Bundle::new();
    let ardour = Ardour::new(&bundle, format);
    ardour.create(&[stereo("chain"), stereo("ear")], 14.0);
    let mut chain = chain_of(&[(PluginId::clap(fixtures::clap_id("latency-jump")), &[])]);
    let slot = chain.slots().next().expect("a slot").id;
    let one = chain.macro_mut(MacroId::new(1).expect("a macro"));
    one.targets.push(Target::new(Aim::Param(slot, "100".into()), Law::straight(0.0, 1024.0)));
    ardour.set_chain("chain", &store::pack(&chain).expect("a chain"));
    ardour.recorded("chain").iter().for_each(|file| overwrite(file, ramp));
    let arguments: Vec<_> = LATENCIES.iter().map(usize::to_string).collect();
    let said = ardour.script("gap.lua", include_str!("../daw/gap.lua"), &arguments);
    let takes = ardour.recordings("Take2_ear-");
    assert_eq!(takes.len(), 2, "{takes:?}\n{said}");
    let heard = read(&takes[0]).swap_remove(0);
    let found = gaps(&heard);
    tell(who, &found, heard.len());
    assert!(found.len() >= LATENCIES.len(), "{found:?}\n{said}");
    // Whatever it makes of it, the sound goes on, and in the end it is where it was.
    let all: i64 = found.iter().map(|gap| gap.missing).sum();
    assert!(all.abs() < 48_000, "{found:?}");
}

#[test]
#[ignore = "a measurement by hand: what a dropped cycle of JACK makes looks like a gap, and a pass now and then records none"]
fn the_gap_in_ardour_through_the_lv2() {
    with_plugins("the_gap_in_ardour_through_the_lv2", &[], || gaps_in_ardour(Format::Lv2, "Ardour, LV2"));
}

#[test]
#[ignore = "a measurement by hand: what a dropped cycle of JACK makes looks like a gap, and a pass now and then records none"]
fn the_gap_in_ardour_through_the_vst3() {
    with_plugins("the_gap_in_ardour_through_the_vst3", &[], || gaps_in_ardour(Format::Vst3, "Ardour, VST3"));
}

fn gaps_in_qtractor(qtractor: &Qtractor, who: &str) {
    qtractor.open_and_save();
    qtractor.set_state(&chain(&[("latency-walks", &[("100", AWAY)])]));
    let file = tempfile::NamedTempFile::new().expect("a file");
    let probe = env!("CARGO_BIN_EXE_jack-probe");
    let path = file.path().to_str().expect("a name");
    qtractor.run(|server| {
        let ramp = ["ramp", "Qtractor:Master/in_1", "Qtractor:Master/out_1", "24", path];
        let status = std::process::Command::new(probe).args(ramp).env("JACK_DEFAULT_SERVER", server).status();
        assert!(status.expect("the probe").success());
    });
    let bytes = std::fs::read(file.path()).expect("what was heard");
    let heard: Vec<f32> = bytes.as_chunks::<4>().0.iter().map(|four| f32::from_le_bytes(*four)).collect();
    let found = gaps(&heard);
    tell(who, &found, heard.len());
    assert!(found.len() >= 3, "{found:?}");
    assert!(found.iter().any(|gap| gap.missing == AWAY as i64) || found.iter().any(|gap| gap.missing == -AWAY as i64));
}

#[test]
#[ignore = "a measurement by hand: what a dropped cycle of JACK makes looks like a gap, and a pass now and then records none"]
fn the_gap_in_qtractor_through_the_clap() {
    with_fixtures("the_gap_in_qtractor_through_the_clap", || {
        gaps_in_qtractor(&Qtractor::new(&Bundle::new(), "catena-audio.catena"), "qtractor, CLAP");
    });
}

#[test]
#[ignore = "a measurement by hand: what a dropped cycle of JACK makes looks like a gap, and a pass now and then records none"]
fn the_gap_in_qtractor_through_the_lv2() {
    with_fixtures("the_gap_in_qtractor_through_the_lv2", || {
        gaps_in_qtractor(&Qtractor::lv2(&Bundle::new(), "urn:catena-audio:catena"), "qtractor, LV2");
    });
}
