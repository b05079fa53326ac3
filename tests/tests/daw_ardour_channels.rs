//! Ardour's strict and flexible tracks both show the channels that Catena declares, and the stereo plugin works on a mono track.

use catena_tests::ardour::files::overwrite;
use catena_tests::ardour::{Ardour, Format, Which, mono, stereo};
use catena_tests::bundle::Bundle;
use catena_tests::daw::{chain, peak, with_fixtures};

/// Where the impulse is put, frames.
const AT: usize = 4800;

fn channels_are_shown(format: Format) {
    let bundle = Bundle::new();
    let ardour = Ardour::new(&bundle, format);
    // Each: mode, track, channels that the plugin declares in and out, those it takes and gives there, those that sound. A stereo
    // input and a stereo sidechain, and never a second copy. Ardour gives a mono track's one channel to the first input alone
    // where a plugin takes MIDI too.
    let mut tracks = vec![mono("mono", Which::Effect), stereo("stereo")];
    let names: Vec<_> = tracks.iter().map(|track| track.name.to_owned()).collect();
    if format == Format::Lv2 {
        tracks.push(mono("single", Which::Mono));
    }
    let shown = [
        ("strict", "mono", "4 2", "1 gives 1", 1),
        ("strict", "stereo", "4 2", "2 gives 2", 2),
        ("flexible", "mono", "4 2", "1 gives 2", 1),
        ("flexible", "stereo", "4 2", "2 gives 2", 2),
    ];
    ardour.create(&tracks, 1.1);
    for name in tracks.iter().map(|track| track.name) {
        ardour.set_chain(name, &chain(&[("delay", &[("100", 64.0)]), ("gain", &[("100", 0.5)])]));
        ardour.recorded(name).iter().for_each(|file| overwrite(file, |frame| if frame == AT { 0.5 } else { 0.0 }));
    }
    let said = ardour.script("channels.lua", include_str!("../daw/channels.lua"), &names);
    for (mode, track, declares, takes, sound) in shown {
        let line = format!("{mode} {track} copies 1 declares {declares} takes {takes}");
        assert!(said.contains(&line), "{line}\n{said}");
        let bounced = ardour.bounced(mode, track);
        let peaks: Vec<_> = bounced.iter().map(|channel| (peak(channel), channel[peak(channel)])).collect();
        assert!(peaks.len() >= sound, "{line}\n{said}");
        assert!(peaks[..sound].iter().all(|peak| *peak == (AT, 0.25)), "{line}: {peaks:?}\n{said}");
    }
    if format == Format::Lv2 {
        // LV2 has a plugin for mono tracks.
        let said = ardour.sound(&[("single", 64)]);
        let bounced = ardour.bounced("bounced", "single");
        assert_eq!(bounced.len(), 1, "{said}");
        assert_eq!((peak(&bounced[0]), bounced[0][peak(&bounced[0])]), (AT, 0.25), "{said}");
    }
}

#[test]
fn channels_of_the_vst3_are_what_it_declares() {
    with_fixtures("channels_of_the_vst3_are_what_it_declares", || channels_are_shown(Format::Vst3));
}

#[test]
fn channels_of_the_lv2_are_what_it_declares() {
    with_fixtures("channels_of_the_lv2_are_what_it_declares", || channels_are_shown(Format::Lv2));
}
