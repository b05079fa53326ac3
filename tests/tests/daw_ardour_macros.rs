//! A chain of four plugins of both formats in Ardour, with macros: set, recorded through, saved, closed and reopened, everything
//! is there; Ardour follows a latency that changes while its session is open; automation of a macro is heard where it was drawn.

use catena_tests::ardour::files::overwrite;
use catena_tests::ardour::plugins::{chain_of, with_plugins};
use catena_tests::ardour::{Ardour, Format, stereo};
use catena_tests::bundle::Bundle;
use catena_tests::{fixtures, fixtures_lv2};
use host_core::model::{Aim, Chain, Law, MacroId, PluginId, Target};
use host_core::store;

/// What the recordings hold in every frame.
const STEADY: f32 = 0.5;
/// The frame from which on `follow.lua` has macro 2 up, and how late an LV2 parameter may follow.
const UP: (usize, usize) = (24_000, 64);

fn clap(name: &str) -> PluginId {
    PluginId::clap(fixtures::clap_id(name))
}

/// Has macro `number` move a parameter, from 0 to `max`.
fn map(chain: &mut Chain, number: usize, place: usize, key: &str, max: f64) {
    let slot = chain.slots().nth(place).expect("a slot").id;
    let one = chain.macro_mut(MacroId::new(number).expect("a macro"));
    one.targets.push(Target::new(Aim::Param(slot, key.into()), Law::straight(0.0, max)));
}

fn steady(ardour: &Ardour) {
    let recorded = ardour.recorded("chain");
    assert_eq!(recorded.len(), 2, "{recorded:?}");
    recorded.iter().for_each(|file| overwrite(file, |_| STEADY));
}

fn everything_is_there(ardour: &Ardour) {
    let mut chain = chain_of(&[
        (clap("delay"), &[("100", 256.0)]),
        (fixtures_lv2::id("gain"), &[("gain", 1.0)]),
        (clap("gain"), &[("100", 1.0)]),
        (fixtures_lv2::id("delay"), &[]),
    ]);
    map(&mut chain, 1, 1, "gain", 2.0);
    map(&mut chain, 2, 2, "100", 1.0);
    ardour.set_chain("chain", &store::pack(&chain).expect("a chain"));
    let arguments = ["768", "1=0.25", "2=0.5"].map(str::to_owned);
    ardour.script("macros.lua", include_str!("../daw/macros.lua"), &arguments);
    steady(ardour);
    let said = ardour.sound(&[("chain", 768)]);
    for line in
        ["track chain latency 768 route 768", "macro chain 1 0.2500", "macro chain 2 0.5000", "macro chain 3 0.0000"]
    {
        assert!(said.contains(line), "{line}\n{said}");
    }
    let kept = ardour.chain("chain");
    let plugins = |chain: &Chain| chain.slots().map(|slot| slot.plugin.clone()).collect::<Vec<_>>();
    assert_eq!(plugins(&kept), plugins(&chain));
    assert!(kept.slots().all(|slot| slot.state.is_some() || !slot.params.is_empty()), "each with what it was set to");
    let targets = |chain: &Chain| chain.macros.iter().map(|one| (one.number, one.targets.clone())).collect::<Vec<_>>();
    assert_eq!(targets(&kept), targets(&chain));
    for channel in ardour.bounced("bounced", "chain") {
        let odd = channel[6000..48_000].iter().find(|sample| (**sample - STEADY * 0.25).abs() > 1e-6);
        assert_eq!(odd, None, "{said}");
    }
}

/// Has Ardour follow these latencies, exports with the last of them, and answers what was said.
fn follow(ardour: &Ardour, latencies: &[usize]) -> String {
    let arguments: Vec<_> = latencies.iter().map(usize::to_string).collect();
    let said = ardour.script("follow.lua", include_str!("../daw/follow.lua"), &arguments);
    for frames in latencies {
        assert!(said.contains(&format!("followed to {frames}")), "{said}");
    }
    said
}

/// The step of the automation is heard at `UP` and `late` frames.
fn step_is_heard(ardour: &Ardour, late: usize, said: &str) {
    let from = UP.0 + late;
    for channel in ardour.exported("mix") {
        let loud = |sample: &f32| (*sample - STEADY).abs() < 1e-6;
        let heard = channel.iter().position(|sample| *sample > 1e-6).expect("sound");
        let up = channel.iter().position(loud).expect("all of it");
        assert!((from - UP.1..=from + UP.1).contains(&heard), "heard from {heard} on\n{said}");
        assert!((from..=from + UP.1).contains(&up), "up from {up} on\n{said}");
        assert!(channel[up..].iter().all(loud), "it stays up");
    }
}

fn latency_and_automation(ardour: &Ardour) {
    let mut chain = chain_of(&[(clap("latency-jump"), &[]), (clap("gain"), &[("100", 0.0)])]);
    map(&mut chain, 1, 0, "100", 1024.0);
    map(&mut chain, 2, 1, "100", 1.0);
    ardour.set_chain("chain", &store::pack(&chain).expect("a chain"));
    let said = follow(ardour, &[64, 1024, 512, 0]);
    step_is_heard(ardour, 0, &said);
    // Ardour plays automation of a plugin that reports latency that much late against the plugin's input.
    let said = follow(ardour, &[512]);
    step_is_heard(ardour, 512, &said);
}

fn macros_in_ardour(format: Format) {
    let bundle = Bundle::new();
    let ardour = Ardour::new(&bundle, format);
    ardour.create(&[stereo("chain")], 0.0);
    everything_is_there(&ardour);
    latency_and_automation(&ardour);
}

#[test]
fn macros_of_the_vst3_are_ardours() {
    with_plugins("macros_of_the_vst3_are_ardours", &[], || macros_in_ardour(Format::Vst3));
}

#[test]
fn macros_of_the_lv2_are_ardours() {
    with_plugins("macros_of_the_lv2_are_ardours", &[], || macros_in_ardour(Format::Lv2));
}
