//! What the DAW says of the song and of rendering reaches every plugin inside, earlier by the latency before it.

use catena_tests::bundle::{Bundle, in_own_process};
use catena_tests::container_host::{ClapFile, ClapHost};
use catena_tests::daw::{chain, with_fixtures};
use catena_tests::fixtures_lv2;
use catena_tests::vst3_host::{Vst3Host, Vst3Module, blank_song};
use catena_tests::vst3_state::wrap;
use clap_sys::events::*;
use clap_sys::fixedpoint::{CLAP_BEATTIME_FACTOR, CLAP_SECTIME_FACTOR};
use host_core::model::Chain;
use vst3::Steinberg::Vst::ProcessContext;
use vst3::Steinberg::Vst::ProcessContext_::StatesAndFlags_::*;

const BLOCK: usize = 256;
const RATE: f64 = 48_000.0;
/// Frames of a quarter of a second: half a beat at 120 to the minute.
const QUARTER: f64 = 12_000.0;

/// What the fixture was told, by name.
#[derive(Debug, PartialEq)]
struct Told {
    render: f32,
    playing: bool,
    looping: bool,
    tempo: f32,
    beats: f32,
    cycle: (f32, f32),
    bar: (f32, f32),
    signature: (f32, f32),
}

impl Told {
    fn read(heard: &[f32]) -> Self {
        let flags = heard[1] as u32;
        Self {
            render: heard[0],
            playing: flags & CLAP_TRANSPORT_IS_PLAYING != 0,
            looping: flags & CLAP_TRANSPORT_IS_LOOP_ACTIVE != 0,
            tempo: heard[2],
            beats: heard[3],
            cycle: (heard[5], heard[6]),
            bar: (heard[9], heard[10]),
            signature: (heard[11], heard[12]),
        }
    }

    /// As the tests below tell it, at `beats`.
    fn expected(playing: bool, beats: f32) -> Self {
        let (cycle, bar, signature) = ((8.0, 16.0), (9.0, 3.0), (3.0, 4.0));
        Self { render: 1.0, playing, looping: true, tempo: 120.0, beats, cycle, bar, signature }
    }
}

fn clap_song(playing: bool, beats: f64) -> clap_event_transport {
    let fixed = |beats: f64| (beats * CLAP_BEATTIME_FACTOR as f64) as i64;
    let seconds = |beats: f64| (beats / 2.0 * CLAP_SECTIME_FACTOR as f64) as i64;
    let flags = CLAP_TRANSPORT_HAS_TEMPO
        | CLAP_TRANSPORT_HAS_BEATS_TIMELINE
        | CLAP_TRANSPORT_HAS_SECONDS_TIMELINE
        | CLAP_TRANSPORT_HAS_TIME_SIGNATURE
        | CLAP_TRANSPORT_IS_LOOP_ACTIVE
        | if playing { CLAP_TRANSPORT_IS_PLAYING } else { 0 };
    clap_event_transport {
        header: clap_event_header {
            size: size_of::<clap_event_transport>() as u32,
            time: 0,
            space_id: CLAP_CORE_EVENT_SPACE_ID,
            type_: CLAP_EVENT_TRANSPORT,
            flags: 0,
        },
        flags,
        song_pos_beats: fixed(beats),
        song_pos_seconds: seconds(beats),
        tempo: 120.0,
        tempo_inc: 0.0,
        loop_start_beats: fixed(8.0),
        loop_end_beats: fixed(16.0),
        loop_start_seconds: seconds(8.0),
        loop_end_seconds: seconds(16.0),
        bar_start: fixed(9.0),
        bar_number: 3,
        tsig_num: 3,
        tsig_denom: 4,
    }
}

/// What the fixture is told in a chain with `before` frames of latency in front of it.
fn chain_after(before: f64) -> Vec<u8> {
    let delay = [("100", before)];
    let slots: &[(&str, &[(&str, f64)])] = &[("delay", &delay), ("witness", &[])];
    chain(if before > 0.0 { slots } else { &slots[1..] })
}

fn silence() -> [Vec<f32>; 2] {
    [vec![0.0; BLOCK], vec![0.0; BLOCK]]
}

fn ask(host: &mut ClapHost) -> Told {
    // What is told comes out at the last slot, past every delay; the first blocks fade the chain in.
    for _ in 0..8 {
        host.process(&silence(), &[]);
    }
    Told::read(&host.process(&silence(), &[]).0[0][0])
}

#[test]
fn a_clap_host_tells_the_song_to_every_plugin_inside() {
    with_fixtures("a_clap_host_tells_the_song_to_every_plugin_inside", || {
        let bundle = Bundle::new();
        let file = ClapFile::open(&bundle.clap());
        for (before, beats) in [(0.0, 10.0), (QUARTER, 9.5)] {
            let mut host = ClapHost::new(&file, "catena-audio.catena");
            assert!(host.load(&chain_after(before)), "{:?}", host.asked.log());
            host.activate(RATE, BLOCK as u32);
            host.transport = Some(clap_song(true, 10.0));
            for _ in 0..(before as usize / BLOCK) {
                host.process(&silence(), &[]);
            }
            assert_eq!(ask(&mut host), Told::expected(true, beats), "{before} frames before it");
            host.transport = Some(clap_song(false, 10.0));
            for _ in 0..(before as usize / BLOCK) {
                host.process(&silence(), &[]);
            }
            assert!(!ask(&mut host).playing, "{before} frames before it");
        }
    });
}

#[test]
fn a_clap_hosts_offline_mode_reaches_every_plugin_inside() {
    with_fixtures("a_clap_hosts_offline_mode_reaches_every_plugin_inside", || {
        let bundle = Bundle::new();
        let file = ClapFile::open(&bundle.clap());
        let mut host = ClapHost::new(&file, "catena-audio.catena");
        assert!(host.load(&chain_after(0.0)), "{:?}", host.asked.log());
        host.activate(RATE, BLOCK as u32);
        assert_eq!(ask(&mut host).render, 1.0, "live");
        for (offline, told) in [(true, 2.0), (false, 1.0), (true, 2.0)] {
            assert!(host.set_offline(offline));
            host.restart();
            assert_eq!(ask(&mut host).render, told, "offline {offline}");
        }
    });
}

#[test]
fn lv2s_free_wheeling_follows_the_daw_offline_and_back() {
    let name = "lv2s_free_wheeling_follows_the_daw_offline_and_back";
    let prepare = |home: &std::path::Path| {
        fixtures_lv2::lay_out(&home.join("lv2"));
        vec![("CLAP_PATH", home.join("no-clap")), ("LV2_PATH", home.join("lv2"))]
    };
    in_own_process(name, prepare, |_| {
        let bundle = Bundle::new();
        let mut chain = Chain::default();
        chain.insert(0, fixtures_lv2::id("free-wheeling"));
        let bytes = host_core::store::pack(&chain).unwrap();
        let said = |host: &mut ClapHost| {
            (0..16).for_each(|_| drop(host.process(&silence(), &[])));
            host.process(&silence(), &[]).0[0][0][BLOCK - 1]
        };
        let file = ClapFile::open(&bundle.clap());
        let mut host = ClapHost::new(&file, "catena-audio.catena");
        assert!(host.load(&bytes), "{:?}", host.asked.log());
        host.activate(RATE, BLOCK as u32);
        assert_eq!(said(&mut host), 0.0, "live");
        for (offline, told) in [(true, 1.0), (false, 0.0)] {
            assert!(host.set_offline(offline));
            host.restart();
            assert_eq!(said(&mut host), told, "CLAP, offline {offline}");
        }
        let module = Vst3Module::open(&bundle.vst3_module());
        let mut host = module.make(b"CatenaAudioChain");
        assert!(host.set_state(&wrap(&bytes)));
        for (offline, told) in [(false, 0.0), (true, 1.0), (false, 0.0)] {
            host.offline = offline;
            host.activate(RATE, BLOCK);
            (0..16).for_each(|_| drop(host.process(&silence())));
            assert_eq!(host.process(&silence())[0][BLOCK - 1], told, "VST3, offline {offline}");
            host.deactivate();
        }
    });
}

fn vst3_song(playing: bool, beats: f64) -> ProcessContext {
    let state = kTempoValid | kProjectTimeMusicValid | kTimeSigValid | kCycleValid | kCycleActive | kBarPositionValid;
    let mut song = blank_song();
    song.state = state | if playing { kPlaying } else { 0 };
    song.sampleRate = RATE;
    song.projectTimeSamples = (beats / 2.0 * RATE) as i64;
    song.projectTimeMusic = beats;
    song.barPositionMusic = 9.0;
    (song.cycleStartMusic, song.cycleEndMusic) = (8.0, 16.0);
    song.tempo = 120.0;
    (song.timeSigNumerator, song.timeSigDenominator) = (3, 4);
    song
}

fn ask_vst3(host: &Vst3Host) -> Told {
    for _ in 0..(QUARTER as usize / BLOCK + 8) {
        host.process(&silence());
    }
    Told::read(&host.process(&silence())[0])
}

#[test]
fn a_vst3_host_tells_song_and_offline_mode_to_every_plugin_inside() {
    with_fixtures("a_vst3_host_tells_song_and_offline_mode_to_every_plugin_inside", || {
        let bundle = Bundle::new();
        let module = Vst3Module::open(&bundle.vst3_module());
        for (before, beats) in [(0.0, 10.0), (QUARTER, 9.5)] {
            let mut host = module.make(b"CatenaAudioChain");
            assert!(host.set_state(&wrap(&chain_after(before))));
            host.activate(RATE, BLOCK);
            for playing in [true, false] {
                host.song = Some(vst3_song(playing, 10.0));
                let told = ask_vst3(&host);
                // VST3 names no bars.
                let expected = Told { bar: (9.0, told.bar.1), ..Told::expected(playing, beats) };
                assert_eq!(told, Told { beats: if playing { beats } else { told.beats }, ..expected });
            }
            for (offline, told) in [(true, 2.0), (false, 1.0)] {
                host.deactivate();
                host.offline = offline;
                host.activate(RATE, BLOCK);
                assert_eq!(ask_vst3(&host).render, told, "offline {offline}");
            }
        }
    });
}
