//! What a DAW makes of a latency that changes while it plays: for how long nothing is heard, and which frames are missing or come
//! twice. The figures are in the README; each run writes its own to
//! `latency-gaps DAW.txt` in the folder of the built programs.

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
/// Frames of our cross-fade at 48 kHz.
const FADE: usize = 480;
/// The other latency of the chain in qtractor.
const AWAY: f64 = 512.0;

/// Says what was found. A change is a gap or two: the DAW's own and our cross-fade may lie apart.
fn tell(who: &str, found: &[Gap], heard: usize) {
    let mut text = format!("{who}: {} gaps in {heard} frames\n", found.len());
    found.iter().for_each(|gap| text += &format!("{who}: {gap}\n"));
    let name = format!("latency-gaps {}.txt", who.replace(',', ""));
    std::fs::write(built::folder().join(name), text).expect("written");
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
    assert!(heard.iter().any(|sample| *sample != 0.0), "nothing was heard\n{said}");
    let found = gaps(&heard);
    tell(who, &found, heard.len());
    // A frame more or less where Ardour's own fade-in ends is no change of ours.
    let changes: Vec<_> = found.iter().filter(|gap| gap.faded > 0).collect();
    let from = [0].iter().chain(&LATENCIES).map(|frames| *frames as i64).collect::<Vec<_>>();
    let wanted: Vec<_> = from.windows(2).map(|pair| pair[0] - pair[1]).collect();
    assert_eq!(changes.iter().map(|gap| gap.missing).collect::<Vec<_>>(), wanted, "{found:?}\n{said}");
    assert!(changes.iter().all(|gap| gap.silent == 0 && gap.faded <= FADE), "{found:?}");
}

#[test]
fn the_gap_in_ardour_through_the_lv2() {
    with_plugins("the_gap_in_ardour_through_the_lv2", &[], || gaps_in_ardour(Format::Lv2, "Ardour, LV2"));
}

#[test]
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
    // A gap that the DAW makes comes with each change; a cycle that the machine lost, with one or none. So most must be clean.
    for missing in [AWAY as i64, -AWAY as i64] {
        let changes = found.iter().filter(|gap| gap.faded > 0 && gap.missing == missing);
        let mut silent: Vec<_> = changes.map(|gap| gap.silent).collect();
        silent.sort_unstable();
        assert_eq!(silent.get(silent.len() / 2), Some(&0), "{missing}: {found:?}");
    }
}

#[test]
fn the_gap_in_qtractor_through_the_clap() {
    with_fixtures("the_gap_in_qtractor_through_the_clap", || {
        gaps_in_qtractor(&Qtractor::new(&Bundle::new(), "catena-audio.catena"), "qtractor, CLAP");
    });
}

#[test]
fn the_gap_in_qtractor_through_the_lv2() {
    with_fixtures("the_gap_in_qtractor_through_the_lv2", || {
        gaps_in_qtractor(&Qtractor::lv2(&Bundle::new(), "urn:catena-audio:catena"), "qtractor, LV2");
    });
}
