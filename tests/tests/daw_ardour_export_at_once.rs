//! Ardour exports as soon as it has opened a session: the first block is the whole chain's, which takes its time to be built and to
//! start, and lies on its frame. Ardour sometimes fades its own track in there, and lets it begin late: so the chain turns down the
//! left alone, and the right, which lies beside it through all of Ardour, tells what went in.
//!
//! A VST3 can tell its latency with its first block alone, which here is the export's own: there the chain delays nothing.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use catena_tests::ardour::files::overwrite;
use catena_tests::ardour::{Ardour, Format, stereo};
use catena_tests::bundle::{Bundle, in_own_process};
use catena_tests::daw::chain;
use catena_tests::fixtures;
use catena_tests::outside::Outside;
use host_core::model::{Lane, Lanes, Node, Split};
use host_core::store;

/// From here on the recording is this and nothing else.
const STEADY: (usize, f32) = (24_000, 0.5);
/// What the chain makes of it.
const GAIN: f32 = 0.75;
/// How long the chain takes at least to start.
const STALL: Duration = Duration::from_secs(2);

/// A chain that is heavy to build and slow to start, and turns the left channel down.
fn left_down(latency: f64) -> Vec<u8> {
    let delay = [("100", latency)];
    let mut slots: Vec<(&str, &[(&str, f64)])> = vec![("delay", &delay)];
    slots.extend([("gain", &[][..]); 16]);
    slots.extend([("big-state", &[][..]); 3]);
    slots.extend([("stalls", &[][..]), ("gain", &[("100", GAIN as f64)])]);
    let mut chain = store::unpack(&chain(&slots)).expect("a chain");
    let down = chain.nodes.pop().expect("the last");
    let [id, left, right] = [(); 3].map(|()| chain.fresh_id());
    let lanes = vec![Lane { nodes: vec![down], ..Lane::new(left) }, Lane::new(right)];
    let lanes = Lanes { id, name: None, split: Split::LeftRight, lanes, extra: Default::default() };
    chain.nodes.push(Node::Lanes(Box::new(lanes)));
    store::pack(&chain).expect("a chain")
}

fn at_once(name: &str, format: Format) {
    let prepare = |home: &Path| {
        let folder = home.join("clap");
        std::fs::create_dir(&folder).expect("a folder");
        std::fs::copy(fixtures::clap(), folder.join("harmless.clap")).expect("the fixtures");
        vec![("CLAP_PATH", folder), ("LV2_PATH", home.join("no-lv2")), ("CATENA_FIXTURES", home.join("outside"))]
    };
    in_own_process(name, prepare, |_| {
        let outside = Outside::at(PathBuf::from(std::env::var_os("CATENA_FIXTURES").expect("set above")));
        let bundle = Bundle::new();
        let ardour = Ardour::new(&bundle, format);
        ardour.create(&[stereo("chain")], 1.1);
        ardour.set_chain("chain", &left_down(if format == Format::Lv2 { 512.0 } else { 0.0 }));
        let wave = |frame| if frame >= STEADY.0 - 64 { STEADY.1 } else { 0.0 };
        ardour.recorded("chain").iter().for_each(|file| overwrite(file, wave));
        outside.stall("activate");
        let said = std::thread::scope(|scope| {
            scope.spawn(|| {
                let end = Instant::now() + Duration::from_secs(120);
                while !outside.log().contains(&"stalls made".into()) && Instant::now() < end {
                    std::thread::sleep(Duration::from_millis(20));
                }
                std::thread::sleep(STALL);
                outside.release();
            });
            ardour.script("at_once.lua", include_str!("../daw/at_once.lua"), &[])
        });
        assert!(outside.log().iter().any(|line| line.starts_with("stalls activated")), "{:?}", outside.log());
        for name in ["first", "second"] {
            let exported = ardour.exported(name);
            let [left, right] = &exported[..] else { panic!("two channels: {said}") };
            assert_eq!(left.len(), 12_000);
            let odd = left.iter().zip(right).position(|(left, right)| (left - right * GAIN).abs() > 1e-6);
            assert_eq!(odd, None, "{name}: {:?}\n{said}", odd.map(|odd| (left[odd], right[odd])));
            let steady = right[6000..].iter().all(|sample| (sample - STEADY.1).abs() < 1e-6);
            assert!(steady, "{name}: it is heard\n{said}");
        }
    });
}

#[test]
fn an_export_at_once_is_the_whole_chains_in_the_vst3() {
    at_once("an_export_at_once_is_the_whole_chains_in_the_vst3", Format::Vst3);
}

#[test]
fn an_export_at_once_is_the_whole_chains_in_the_lv2() {
    at_once("an_export_at_once_is_the_whole_chains_in_the_lv2", Format::Lv2);
}
