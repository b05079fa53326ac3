//! The standalone on ALSA: what its chain gives reaches the device, here a file.

use std::process::Stdio;
use std::time::{Duration, Instant};

use catena_tests::cli::Home;
use catena_tests::running::Running;

/// What comes out of the device goes to a file, 16 bit, and is taken as fast as it comes.
const DEVICE: &str = "
pcm.!default {
    type plug
    slave { pcm tofile format S16_LE rate 48000 channels 2 }
}
pcm.tofile {
    type file
    slave.pcm nowhere
    file OUT
    format raw
}
pcm.nowhere { type null }
ctl.!default { type hw card 0 }
";

#[test]
fn the_chain_is_heard() {
    let home = Home::of_fixtures();
    home.ok(["new", "c.catena", "Fixture witness"]);
    let out = home.path("heard.raw");
    std::fs::write(home.path(".asoundrc"), DEVICE.replace("OUT", &format!("\"{}\"", out.display()))).unwrap();
    let mut command = home.catena(["c.catena", "--no-editor", "--backend", "alsa", "--rate", "48000"]);
    let log = std::fs::File::create(home.path("log")).unwrap();
    let mut catena = Running(command.stderr(log).stdout(Stdio::null()).spawn().expect("catena starts"));
    let begun = Instant::now();
    let said = || std::fs::read_to_string(home.path("log")).unwrap();
    while std::fs::metadata(&out).map_or(0, |file| file.len()) < 1 << 20 {
        assert!(catena.0.try_wait().unwrap().is_none(), "it ended: {}", said());
        assert!(begun.elapsed() < Duration::from_secs(60), "nothing is written: {}", said());
        std::thread::sleep(Duration::from_millis(5));
    }
    drop(catena);
    assert!(said().contains("Sound: ALSA"), "{}", said());
    // The plugin writes into each block: 1 (it plays live), then the song as it is told, here the standalone's own, which stands
    // at its beginning: flags, tempo, beats, seconds, three of the loop, its bar's two, 4 and 4. What is over 1 is clipped.
    let bytes = std::fs::read(&out).unwrap();
    let left: Vec<i16> = bytes.chunks_exact(4).map(|frame| i16::from_le_bytes([frame[0], frame[1]])).collect();
    let mark = |part: &[i16]| {
        [0, 1, 2, 11, 12].iter().all(|place| part[*place] > 32_000) && [3, 4].iter().all(|place| part[*place] == 0)
    };
    let marks = left.windows(13).filter(|part| mark(part)).count();
    assert!(marks > 20, "{marks} blocks of the plugin's in {} frames", left.len());
}
