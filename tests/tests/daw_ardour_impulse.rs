//! What Ardour bounces and exports through chains of any latency lies where it lay before, to the frame.

use catena_tests::ardour::files::overwrite;
use catena_tests::ardour::{Ardour, Format, stereo};
use catena_tests::bundle::Bundle;
use catena_tests::daw::{chain, peak, with_fixtures};

/// Tracks: what the chain delays, where the track's impulse is put, what the chain's gain makes of it. All in one session,
/// so that each is held against the others.
const TRACKS: [(&str, u32, usize, f32); 4] =
    [("d0", 0, 4800, 0.5), ("d64", 64, 9600, 0.25), ("d512", 512, 14_400, 0.75), ("d4800", 4800, 19_200, 0.5)];

fn impulses_stay(format: Format) {
    let bundle = Bundle::new();
    let ardour = Ardour::new(&bundle, format);
    let said = ardour.create(&TRACKS.map(|(name, ..)| stereo(name)), 1.1);
    for (name, frames, at, gain) in TRACKS {
        ardour.set_chain(name, &chain(&[("delay", &[("100", frames.into())]), ("gain", &[("100", gain.into())])]));
        let recorded = ardour.recorded(name);
        assert_eq!(recorded.len(), 2, "{name}: {recorded:?}\n{said}");
        recorded.iter().for_each(|file| overwrite(file, |frame| if frame == at { 0.5 } else { 0.0 }));
    }
    let said = ardour.sound(&TRACKS.map(|(name, frames, ..)| (name, frames)));
    let mix = ardour.exported("mix");
    for (name, frames, at, gain) in TRACKS {
        assert!(said.contains(&format!("track {name} latency {frames} route {frames}")), "{said}");
        let bounced = ardour.bounced("bounced", name);
        assert_eq!(bounced.len(), 2, "{name}\n{said}");
        for channel in &bounced {
            // The gain tells that it went through the chain.
            assert_eq!((peak(channel), channel[peak(channel)]), (at, 0.5 * gain), "bounced {name}\n{said}");
        }
        for channel in &mix {
            let around = &channel[at - 2400..at + 2400];
            assert_eq!(peak(around), 2400, "exported {name}\n{said}");
            assert!((around[2400] - 0.5 * gain).abs() < 1e-6, "exported {name}: {}", around[2400]);
        }
    }
}

#[test]
fn impulses_stay_on_their_frames_through_the_vst3() {
    with_fixtures("impulses_stay_on_their_frames_through_the_vst3", || impulses_stay(Format::Vst3));
}

#[test]
fn impulses_stay_on_their_frames_through_the_lv2() {
    with_fixtures("impulses_stay_on_their_frames_through_the_lv2", || impulses_stay(Format::Lv2));
}
