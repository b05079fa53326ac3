//! A host that breaks LV2's rules, or offers nothing that is optional, crashes nothing and hears at least its own sound.

use catena_tests::bundle::Bundle;
use catena_tests::daw::{chain, with_fixtures};
use catena_tests::lv2_host::{Kind, Lv2File, Lv2Host, Offer, Played, ROOM, Stored};

const URIS: [&str; 4] = [
    "urn:catena-audio:catena",
    "urn:catena-audio:catena-mono",
    "urn:catena-audio:catena-surround",
    "urn:catena-audio:catena-instrument",
];

fn ramp(frames: usize) -> Vec<f32> {
    (0..frames).map(|frame| (frame + 1) as f32 / frames as f32).collect()
}

#[test]
fn a_host_that_offers_nothing_has_its_sound_passed_on() {
    with_fixtures("a_host_that_offers_nothing_has_its_sound_passed_on", || {
        let bundle = Bundle::new();
        let file = Lv2File::open(&bundle.lv2());
        for uri in URIS {
            let mut host = Lv2Host::new(&file, uri, Offer::nothing());
            host.activate();
            let sound = ramp(512);
            let (heard, events) = host.play(&[&sound[..]; 8], 512, &[Played::Midi(0, vec![0x90, 60, 1])]);
            // The last two are the sidechain; the instrument has none.
            let inputs = host.all(Kind::Audio, true).len().saturating_sub(2);
            for channel in heard.iter().take(inputs) {
                assert_eq!(*channel, sound, "{uri}");
            }
            assert_eq!(events, [], "no numbers, no events");
            let (status, stored) = host.save(None);
            assert_ne!((status, stored.len()), (0, 1), "no numbers, no state");
            assert_ne!(host.restore(&[Stored::chain(&chain(&[]))], None), 0);
            host.deactivate();
        }
    });
}

#[test]
fn ports_without_data_are_silence_and_are_not_written() {
    with_fixtures("ports_without_data_are_silence_and_are_not_written", || {
        let bundle = Bundle::new();
        let file = Lv2File::open(&bundle.lv2());
        for uri in URIS {
            let mut host = Lv2Host::new(&file, uri, Offer::all(256));
            (0..host.infos.len()).for_each(|port| host.disconnect(port));
            host.activate();
            host.run(256, &[]);
            // One after the other comes back, between blocks.
            for port in 0..host.infos.len() {
                host.connect(port);
                host.run(256, &[]);
            }
            // What was taken away from the plugin is the host's: each output in turn, samples, latency and events.
            let outputs = host.all(Kind::Audio, false);
            for gone in &outputs {
                outputs.iter().for_each(|port| host.fill(*port, 7.0));
                host.disconnect(*gone);
                host.run(256, &[]);
                for port in &outputs {
                    let untouched = host.heard(*port, ROOM).iter().all(|sample| *sample == 7.0);
                    assert_eq!(untouched, port == gone, "{uri}: {} without {gone}", host.infos[*port].symbol);
                    assert!(host.heard(*port, ROOM)[256..].iter().all(|sample| *sample == 7.0), "past the block");
                }
                host.connect(*gone);
            }
            let latency = host.port("lv2_latency");
            host.set("lv2_latency", -7.0);
            host.disconnect(latency);
            host.run(256, &[]);
            assert_eq!(host.get("lv2_latency"), -7.0, "{uri}");
            host.connect(latency);
            host.run(256, &[]);
            assert_eq!(host.get("lv2_latency"), 0.0, "{uri}");
            let events = host.all(Kind::Atom, false)[0];
            let note = Played::Midi(3, vec![0x90, 60, 1]);
            host.run(256, std::slice::from_ref(&note));
            assert_eq!(host.events(), [note]);
            host.disconnect(events);
            host.run(256, &[]);
            assert_eq!(host.events(), [], "{uri}: nobody has made a sequence of it");
            host.connect(events);
            let sound = ramp(256);
            host.feed(&[&sound[..]; 8]);
            if let Some(first) = host.all(Kind::Audio, true).first().filter(|_| host.all(Kind::Audio, true).len() > 2) {
                host.disconnect(*first);
                host.run(256, &[]);
                let out = host.all(Kind::Audio, false)[0];
                assert!(host.heard(out, 256).iter().all(|sample| *sample == 0.0), "{uri}: no input is silence");
                host.connect(*first);
                host.run(256, &[]);
                assert_eq!(host.heard(out, 256), sound, "{uri}");
            }
        }
    });
}

#[test]
fn blocks_of_no_frames_and_blocks_longer_than_announced_are_played() {
    with_fixtures("blocks_of_no_frames_and_blocks_longer_than_announced_are_played", || {
        let bundle = Bundle::new();
        let file = Lv2File::open(&bundle.lv2());
        let mut host = Lv2Host::new(&file, URIS[0], Offer::all(64));
        let state = chain(&[("delay", &[("100", 100.0)]), ("note-echo", &[])]);
        assert_eq!(host.restore(&[Stored::chain(&state)], None), 0);
        host.activate();
        for frames in [0, 1, 0, 63, 64, 65, 8191, 8193, ROOM as u32, 0] {
            host.play(&[], frames, &[]);
        }
        let sound = ramp(4000);
        let sent: Vec<_> = (0..40).map(|key| Played::Midi(key * 97, vec![0x90, key as u8, 1])).collect();
        let (heard, events) = host.play(&[&sound, &sound], 4100, &sent);
        assert_eq!(heard[0][100..4100], sound, "cut and joined");
        let expected: Vec<_> = (0..40).map(|key| Played::Midi(key * 97 + 100, vec![0x90, key as u8, 1])).collect();
        assert_eq!(events, expected);
    });
}

#[test]
fn one_buffer_for_several_ports_is_read_before_it_is_written() {
    with_fixtures("one_buffer_for_several_ports_is_read_before_it_is_written", || {
        let bundle = Bundle::new();
        let file = Lv2File::open(&bundle.lv2());
        let mut host = Lv2Host::new(&file, URIS[0], Offer::all(256));
        host.activate();
        let (inputs, outputs) = (host.all(Kind::Audio, true), host.all(Kind::Audio, false));
        // Crosswise: what goes out left lies where right comes in.
        host.connect_like(outputs[0], inputs[1]);
        host.connect_like(outputs[1], inputs[0]);
        let (left, right) = (ramp(256), vec![0.25; 256]);
        host.feed(&[&left, &right]);
        host.run(256, &[]);
        assert_eq!(host.heard(inputs[1], 256), left);
        assert_eq!(host.heard(inputs[0], 256), right);
    });
}

#[test]
fn calls_out_of_order_end_nothing() {
    with_fixtures("calls_out_of_order_end_nothing", || {
        let bundle = Bundle::new();
        let file = Lv2File::open(&bundle.lv2());
        let mut host = Lv2Host::new(&file, URIS[0], Offer::all(256));
        let state =
            [Stored::chain(&chain(&[("delay", &[("100", 100.0)]), ("note-echo", &[]), ("gain", &[("100", 0.5)])]))];
        let sound = ramp(256);
        let dry = |host: &mut Lv2Host, when: &str| {
            let note = [Played::Midi(0, vec![0x90, 60, 1])];
            let (heard, events) = host.play(&[&sound, &sound], 256, &note);
            assert_eq!((&heard[0], &heard[1]), (&sound, &sound), "{when}");
            assert_eq!(events, [], "{when}");
        };
        let wet = |host: &mut Lv2Host, when: &str| {
            for _ in 0..20 {
                host.play(&[], 256, &[]);
            }
            let heard = host.play(&[&sound, &sound], 256, &[]).0;
            let wanted: Vec<_> = [0.0; 100].into_iter().chain(sound.iter().map(|sample| sample * 0.5)).collect();
            assert_eq!(heard[1], wanted[..256], "{when}");
            assert_eq!(host.get("lv2_latency"), 100.0, "{when}");
        };
        dry(&mut host, "empty, before it is activated");
        assert_eq!(host.restore(&state, None), 0);
        dry(&mut host, "before it is activated");
        host.deactivate();
        host.activate();
        host.activate();
        wet(&mut host, "activated twice");
        assert_eq!(host.restore(&state, None), 0);
        host.activate();
        wet(&mut host, "activated with a state that came while it ran");
        host.deactivate();
        host.deactivate();
        dry(&mut host, "deactivated twice");
        assert_eq!(host.save(None).0, 0);
        assert_eq!(host.restore(&state, None), 0);
        dry(&mut host, "restored while it rests");
        host.set("lv2_enabled", f32::NAN);
        host.set("lv2_freewheel", f32::INFINITY);
        host.set("macro_1", f32::NEG_INFINITY);
        host.activate();
        wet(&mut host, "numbers that are none");
    });
}

#[test]
fn state_that_is_none_is_refused_and_kept() {
    with_fixtures("state_that_is_none_is_refused_and_kept", || {
        let bundle = Bundle::new();
        let file = Lv2File::open(&bundle.lv2());
        let host = Lv2Host::new(&file, URIS[0], Offer::all(256));
        assert_ne!(host.restore(&[], None), 0, "nothing stored is no state");
        for bytes in [&b"PK\x03\x04 and then nothing"[..], &[0xFF; 3000], &[0]] {
            assert_ne!(host.restore(&[Stored::chain(bytes)], None), 0);
            assert_eq!(host.save(None), (0, vec![Stored::chain(bytes)]), "written back as it came");
        }
        let mut path = Stored::chain(b"nowhere/at/all\0");
        path.kind = catena_tests::lv2_host::urid("http://lv2plug.in/ns/ext/atom#Path");
        assert_ne!(host.restore(&[path], None), 0, "a file that is not there");
    });
}
