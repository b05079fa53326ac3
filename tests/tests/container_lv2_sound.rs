//! The LV2 plugins run a chain: an impulse arrives as late as the latency port says, on every kind of ports, and follows
//! the chain's latency while it changes.

use catena_tests::ardour::plugins::{chain_of, with_plugins};
use catena_tests::bundle::Bundle;
use catena_tests::daw::{chain, chain_with_aux, impulse, peak, with_fixtures};
use catena_tests::lv2_host::{Kind, Lv2File, Lv2Host, Offer, Played, Stored, log_lines};
use catena_tests::{fixtures, fixtures_lv2};
use host_core::model::PluginId;
use host_core::store;

const BLOCK: u32 = 256;

/// A host with a chain in it, running, its fades over.
fn running(file: &Lv2File, uri: &str, state: &[u8]) -> Lv2Host {
    let mut host = Lv2Host::new(file, uri, Offer::all(BLOCK as i32));
    assert_eq!(host.restore(&[Stored::chain(state)], None), 0, "{:?}", log_lines());
    host.activate();
    for _ in 0..8 {
        host.play(&[], BLOCK, &[]);
    }
    host
}

/// Where an impulse on every main input comes out of the first output, and how high.
fn arrival(host: &mut Lv2Host, blocks: usize) -> (usize, f32) {
    let impulse = impulse(BLOCK as usize, 10).remove(0);
    let mut heard = host.play(&[&impulse[..]; 8], BLOCK, &[]).0.remove(0);
    for _ in 1..blocks {
        heard.extend(host.play(&[], BLOCK, &[]).0.remove(0));
    }
    let at = peak(&heard);
    (at, heard[at])
}

#[test]
fn an_impulse_arrives_as_late_as_the_latency_port_says() {
    with_fixtures("an_impulse_arrives_as_late_as_the_latency_port_says", || {
        let bundle = Bundle::new();
        let file = Lv2File::open(&bundle.lv2());
        for (uri, latency) in [
            ("urn:catena-audio:catena", 0.0),
            ("urn:catena-audio:catena", 1.0),
            ("urn:catena-audio:catena", 4800.0),
            ("urn:catena-audio:catena-mono", 512.0),
            ("urn:catena-audio:catena-surround", 512.0),
        ] {
            let state = chain(&[("delay", &[("100", latency)]), ("gain", &[("100", 0.5)])]);
            let mut host = running(&file, uri, &state);
            assert_eq!(host.get("lv2_latency"), latency as f32, "{uri}");
            let (at, height) = arrival(&mut host, 20);
            assert_eq!((at, height), (10 + latency as usize, 0.25), "{uri}");
        }
    });
}

#[test]
fn five_delays_in_a_row_arrive_where_they_said_at_every_rate_live_and_offline() {
    with_fixtures("five_delays_in_a_row_arrive_where_they_said_at_every_rate_live_and_offline", || {
        let bundle = Bundle::new();
        let file = Lv2File::open(&bundle.lv2());
        let frames = [0.0, 1.0, 63.0, 512.0, 4800.0].map(|frames| [("100", frames)]);
        let state = chain(&frames.each_ref().map(|params| ("delay", &params[..])));
        for rate in [44_100.0, 48_000.0, 96_000.0, 192_000.0] {
            for offline in [0.0, 1.0] {
                let offer = Offer { rate, ..Offer::all(BLOCK as i32) };
                let mut host = Lv2Host::new(&file, "urn:catena-audio:catena", offer);
                assert_eq!(host.restore(&[Stored::chain(&state)], None), 0, "{:?}", log_lines());
                host.set("lv2_freewheel", offline);
                host.activate();
                (0..8).for_each(|_| drop(host.play(&[], BLOCK, &[])));
                assert_eq!(host.get("lv2_latency"), 5376.0, "at {rate} Hz");
                assert_eq!(arrival(&mut host, 25), (10 + 5376, 0.5), "at {rate} Hz, offline {offline}");
            }
        }
    });
}

#[test]
fn the_latency_port_tells_before_the_first_block_and_follows_the_chain() {
    with_fixtures("the_latency_port_tells_before_the_first_block_and_follows_the_chain", || {
        let bundle = Bundle::new();
        let file = Lv2File::open(&bundle.lv2());
        let mut host = Lv2Host::new(&file, "urn:catena-audio:catena", Offer::all(BLOCK as i32));
        assert_eq!(host.restore(&[Stored::chain(&chain(&[("delay", &[("100", 64.0)])]))], None), 0);
        host.activate();
        host.run(0, &[]);
        assert_eq!(host.get("lv2_latency"), 64.0);
        host.play(&[], BLOCK, &[]);
        // A state that comes while it runs.
        assert_eq!(host.restore(&[Stored::chain(&chain(&[("delay", &[("100", 900.0)])]))], None), 0);
        for _ in 0..20 {
            host.play(&[], BLOCK, &[]);
        }
        assert_eq!(host.get("lv2_latency"), 900.0);
        assert_eq!(arrival(&mut host, 8).0, 910);
    });
}

#[test]
fn the_hosts_bypass_is_heard_in_time() {
    with_fixtures("the_hosts_bypass_is_heard_in_time", || {
        let bundle = Bundle::new();
        let file = Lv2File::open(&bundle.lv2());
        let state = chain(&[("delay", &[("100", 512.0)]), ("gain", &[("100", 0.5)])]);
        let mut host = running(&file, "urn:catena-audio:catena", &state);
        host.set("lv2_enabled", 0.0);
        for _ in 0..8 {
            host.play(&[], BLOCK, &[]);
        }
        assert_eq!(host.get("lv2_latency"), 512.0);
        assert_eq!(arrival(&mut host, 8), (522, 0.5), "dry, as late as wet");
        host.set("lv2_enabled", 1.0);
        for _ in 0..8 {
            host.play(&[], BLOCK, &[]);
        }
        assert_eq!(arrival(&mut host, 8), (522, 0.25));
    });
}

#[test]
fn the_hosts_sidechain_is_heard_by_a_plugin_that_has_one_as_late_as_the_sound() {
    with_plugins("the_hosts_sidechain_is_heard_by_a_plugin_that_has_one_as_late_as_the_sound", &[], || {
        let bundle = Bundle::new();
        let file = Lv2File::open(&bundle.lv2());
        // One adds its sidechain to its input, the other takes it away.
        let clap = PluginId::clap(fixtures::clap_id("sidechain"));
        for (plugin, late, by) in [(clap.clone(), 0, 1.0), (clap, 100, 1.0), (fixtures_lv2::id("sidechain"), 100, -1.0)]
        {
            let delay = PluginId::clap(fixtures::clap_id("delay"));
            let state = chain_of(&[(delay, &[("100", f64::from(late))]), (plugin.clone(), &[])]);
            let mut host = running(&file, "urn:catena-audio:catena", &store::pack(&state).expect("a chain"));
            let at = |frame: usize, height: f32| {
                let mut sound = vec![0.0; BLOCK as usize];
                sound[frame] = height;
                sound
            };
            let inputs = [at(10, 0.5), at(20, 0.25), at(30, 0.75), at(40, 0.125)];
            let heard = host.play(&inputs.each_ref().map(|channel| &channel[..]), BLOCK, &[]).0;
            let sounding = |channel: &[f32]| -> Vec<_> {
                channel.iter().copied().enumerate().filter(|(_, sample)| *sample != 0.0).collect()
            };
            let late = late as usize;
            assert_eq!(sounding(&heard[0]), [(10 + late, 0.5), (30 + late, 0.75 * by)], "{plugin}: left");
            assert_eq!(sounding(&heard[1]), [(20 + late, 0.25), (40 + late, 0.125 * by)], "{plugin}: right");
            // Not connected: silence.
            for port in host.all(Kind::Audio, true).into_iter().skip(2) {
                host.disconnect(port);
            }
            let heard = host.play(&inputs.each_ref().map(|channel| &channel[..]), BLOCK, &[]).0;
            assert_eq!(sounding(&heard[0]), [(10 + late, 0.5)], "{plugin}");
        }
    });
}

#[test]
fn an_instrument_has_its_auxiliary_outputs_and_no_input() {
    with_fixtures("an_instrument_has_its_auxiliary_outputs_and_no_input", || {
        let bundle = Bundle::new();
        let file = Lv2File::open(&bundle.lv2());
        let mut host = running(&file, "urn:catena-audio:catena-instrument", &chain(&[]));
        assert_eq!(host.all(Kind::Audio, false).len(), 18);
        let (heard, _) = host.play(&[&[1.0; BLOCK as usize][..]; 2], BLOCK, &[]);
        assert!(heard.iter().flatten().all(|sample| *sample == 0.0));
        let mut host = running(&file, "urn:catena-audio:catena-instrument", &chain_with_aux(Some(6)));
        let notes = [Played::Midi(33, vec![0x90, 60, 127]), Played::Midi(80, vec![0x80, 60, 127])];
        let (heard, _) = host.play(&[], BLOCK, &notes);
        assert_eq!(
            (peak(&heard[0]), peak(&heard[12])),
            (33 + 64, 80 + 64),
            "the fixture's second output tells note-offs"
        );
        assert!(heard[12][80 + 64] > 0.1 && heard[2].iter().all(|sample| *sample == 0.0));
    });
}
