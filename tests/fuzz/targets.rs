//! What is done to each input, by the fuzzer and by the tests that read the corpus again. Any input may be refused; none may crash,
//! and what is taken is written and read back as the same.

use std::io::{Cursor, Write};

use host_core::model::{Catalog, Chain, Exported, Lv2State};
use host_core::store::{self, clipboard, export, import};

/// A target's name, which its folder in the corpus has too, and what it does.
pub type Target = (&'static str, fn(&[u8]));

/// Every target.
pub const ALL: [Target; 6] = [
    ("chain_json", chain_json),
    ("chain_zip", chain_zip),
    ("embedded", embedded),
    ("carla", carla),
    ("turtle", turtle),
    ("clipboard", clipboard),
];

/// The `chain.json` of a chain.
pub fn chain_json(data: &[u8]) {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let plain = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    zip.start_file("chain.json", plain).expect("a new zip");
    zip.write_all(data).expect("in memory");
    chain_zip(&zip.finish().expect("in memory").into_inner());
}

/// A packed chain, as a file holds it and as a DAW gives it.
pub fn chain_zip(data: &[u8]) {
    let Ok(opened) = store::open_bytes(data) else { return };
    same_again(&opened.chain);
    assert_eq!(store::unpack(data).is_ok(), opened.lost.is_empty());
}

/// Writing a chain, reading it and writing it again gives the same bytes, those of nodes too that are kept and not understood.
fn same_again(chain: &Chain) {
    let packed = store::pack(chain).expect("a chain that was read can be written");
    let again = store::open_bytes(&packed).expect("what was written can be read").chain;
    assert!(store::pack(&again).is_ok_and(|bytes| bytes == packed), "the same bytes");
}

/// What lies in exported plugins, and the state of an LV2 plugin in a chain.
pub fn embedded(data: &[u8]) {
    let carried = export::carried(data).unwrap_or(data);
    if let Some(exported) = Exported::read(carried) {
        let again = Exported::read(&exported.write());
        assert_eq!(again.map(|again| again.chain), Some(exported.chain));
    }
    if let Ok(state) = Lv2State::from_bytes(data) {
        assert!(Lv2State::from_bytes(&state.to_bytes()).is_ok());
    }
}

/// A project of Carla's.
pub fn carla(data: &[u8]) {
    if let Ok(found) = import::carla(data, &Catalog::default(), &mut import::Files::default()) {
        same_again(&found.chain);
    }
}

/// A pedalboard or a bundle of presets. Several files are divided by a line `#FILE NAME`.
pub fn turtle(data: &[u8]) {
    let mut texts = import::Texts::from([("manifest.ttl".to_owned(), Vec::new())]);
    let mut name = "manifest.ttl".to_owned();
    for line in data.split_inclusive(|byte| *byte == b'\n') {
        match line.strip_prefix(b"#FILE ").and_then(|name| std::str::from_utf8(name).ok()) {
            Some(next) => name = next.trim().to_owned(),
            None => texts.entry(name.clone()).or_default().extend_from_slice(line),
        }
    }
    let Ok(found) = import::turtle(&texts, &Catalog::default(), &mut import::Files::default()) else { return };
    found.iter().for_each(|one| same_again(&one.chain));
    same_again(&import::together(found, "all").chain);
}

/// Slots as text.
pub fn clipboard(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(chain) = clipboard::from_text(text) else { return };
    let again = clipboard::to_text(&chain).expect("what came as text goes as text");
    assert_eq!(clipboard::from_text(&again).expect("and comes back").nodes, chain.nodes);
    let mut other = Chain::default();
    if other.put_copies(None, 0, &chain.nodes).is_ok() {
        same_again(&other);
    }
}
