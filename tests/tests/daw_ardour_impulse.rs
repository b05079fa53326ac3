//! What Ardour bounces through a chain with latency lies where it lay before, to the frame.

use std::path::Path;

use catena_tests::ardour::Ardour;
use catena_tests::bundle::Bundle;
use catena_tests::daw::{chain, peak, with_fixtures};
use catena_tests::vst3_state;

/// Where the impulse is put, frames.
const AT: usize = 4800;

/// The samples of a mono file.
fn read(file: &Path) -> Vec<f32> {
    let mut reader = hound::WavReader::open(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    assert_eq!(reader.spec().sample_format, hound::SampleFormat::Float, "{}", file.display());
    reader.samples().map(|sample| sample.expect("a sample")).collect()
}

/// Makes everything in a mono file of 32-bit floats silent but for an impulse.
fn put_impulse(file: &Path) {
    let frames = read(file).len();
    assert!(frames > 4 * AT, "{frames} frames recorded");
    let mut bytes = std::fs::read(file).expect("the file");
    let data = bytes.windows(4).position(|four| four == b"data").expect("a data chunk") + 8;
    bytes[data..data + 4 * frames].fill(0);
    bytes[data + 4 * AT..][..4].copy_from_slice(&0.5_f32.to_le_bytes());
    std::fs::write(file, bytes).expect("the file");
}

#[test]
fn an_impulse_bounced_in_ardour_stays_on_its_frame() {
    with_fixtures("an_impulse_bounced_in_ardour_stays_on_its_frame", || {
        let bundle = Bundle::new();
        let ardour = Ardour::new(&bundle);
        let said = ardour.create(b"CatenaAudioChain");
        assert!(said.contains("saved 0"), "{said}");
        ardour.set_state(&vst3_state::wrap(&chain(&[("delay", &[("100", 512.0)]), ("gain", &[("100", 0.5)])])));
        let said = ardour.record();
        assert!(said.contains("region 0 ") && said.contains("saved 0"), "{said}");
        let recorded = ardour.recordings();
        assert_eq!(recorded.len(), 2, "{recorded:?}\n{said}");
        recorded.iter().for_each(|file| put_impulse(file));
        let said = ardour.bounce();
        assert!(said.contains("latency 512") && said.contains("bounced "), "{said}");
        let bounced: Vec<_> = ardour.recordings().into_iter().filter(|file| !recorded.contains(file)).collect();
        assert_eq!(bounced.len(), 2, "{bounced:?}\n{said}");
        for file in bounced {
            let heard = read(&file);
            let at = peak(&heard);
            // The gain tells that it went through the chain.
            assert_eq!((at, heard[at]), (AT, 0.25), "{}\n{said}", file.display());
        }
    });
}
