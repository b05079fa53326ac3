//! Chains wherever they are: chain files, sessions of DAWs, folders of both.
//!
//! A DAW keeps what a plugin gives it in a form of its own: base64 in XML, in Turtle, in JSON, some of it compressed, layer in layer. All
//! come down to the packed chain, which is a zip; so the layers are taken off wherever something looks like one, until a zip shows.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io::Read;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use flate2::read::ZlibDecoder;
use host_core::model::Chain;
use host_core::store;

use super::super::failure::io_text;

/// Layers round a chain at most.
const LAYERS: usize = 5;
/// Shortest text that may hold a chain.
const SHORTEST: usize = 96;
/// Largest thing that is unpacked, bytes.
const LARGEST: u64 = 2 << 30;
/// How deep folders are walked.
const DEPTH: usize = 16;
/// The first bytes of a zip.
const ZIP: &[u8] = b"PK\x03\x04";

/// Padded or not: sessions are written by many hands.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// What was found.
#[derive(Default)]
pub struct Found {
    /// Each chain with the place it was found at.
    pub chains: Vec<(String, Chain)>,
    /// What could not be read, in one sentence each.
    pub unread: Vec<String>,
}

impl Found {
    /// Looks at a chain, a session, or everything in a folder.
    pub fn look(&mut self, path: &Path) {
        match std::fs::metadata(path) {
            Err(error) => self.unread.push(io_text(path, &error)),
            Ok(data) if data.is_dir() && !is_chain(path) => self.walk(path, 0),
            Ok(_) => self.one(path),
        }
    }

    fn walk(&mut self, folder: &Path, depth: usize) {
        let entries = match std::fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) => return self.unread.push(io_text(folder, &error)),
        };
        let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            // A link may lead back to where it lies.
            let Ok(data) = std::fs::symlink_metadata(&path) else { continue };
            match data.is_dir() {
                true if is_chain(&path) => self.one(&path),
                true if depth < DEPTH => self.walk(&path, depth + 1),
                true => {}
                false if is_wanted(&path) => self.one(&path),
                false => {}
            }
        }
    }

    /// A chain or a session.
    fn one(&mut self, path: &Path) {
        if !path.is_file() && !is_chain(path) {
            // A pipe would be waited for.
            return self.unread.push(format!("{}: is no file", path.display()));
        }
        match kind(path) {
            Some("ardour") => self.ardour(path),
            Some("qtz") => self.archive(path),
            Some("qtr") => self.text(path),
            _ => match store::open(path) {
                Ok(opened) => {
                    let lost = opened.lost.into_iter().map(|lost| format!("{}: {lost}", path.display()));
                    self.unread.extend(lost);
                    self.chains.push((path.display().to_string(), opened.chain));
                }
                Err(error) => self.other(path, &error.to_string()),
            },
        }
    }

    /// A file of which nobody knows what it is: another DAW's session, or no chain.
    fn other(&mut self, path: &Path, why: &str) {
        let bytes = if path.is_file() { std::fs::read(path).unwrap_or_default() } else { Vec::new() };
        if !self.add(path, &bytes) {
            self.unread.push(why.to_owned());
        }
    }

    /// Takes every chain in what a file holds. False: there is none, and nothing that was one.
    fn add(&mut self, path: &Path, bytes: &[u8]) -> bool {
        self.add_each(bytes, |_| path.display().to_string())
    }

    /// The same, each with its own place.
    fn add_each(&mut self, bytes: &[u8], place: impl Fn(usize) -> String) -> bool {
        let (found, lost) = chains(bytes);
        let any = !found.is_empty() || !lost.is_empty();
        self.chains.extend(found.into_iter().map(|(at, chain)| (place(at), chain)));
        self.unread.extend(lost.into_iter().map(|(at, lost)| format!("{}: {lost}", place(at))));
        any
    }

    fn read(&mut self, path: &Path) -> Option<Vec<u8>> {
        if path.exists() && !path.is_file() {
            self.unread.push(format!("{}: is no file", path.display()));
            return None;
        }
        std::fs::read(path).map_err(|error| self.unread.push(io_text(path, &error))).ok()
    }

    /// A session that holds everything in one text; what is too large for that lies beside it.
    fn text(&mut self, path: &Path) {
        let Some(bytes) = self.read(path) else { return };
        self.add(path, &bytes);
        let folder = path.parent().unwrap_or(Path::new("."));
        for name in named_files(&bytes) {
            self.beside(path, &folder.join(name));
        }
    }

    /// A chain that a session keeps as a file of its own.
    fn beside(&mut self, session: &Path, file: &Path) {
        if let Some(bytes) = self.read(file) {
            self.add(session, &bytes);
        }
    }

    /// qtractor's archive: the session and its files in one zip.
    fn archive(&mut self, path: &Path) {
        let opened = std::fs::File::open(path).map_err(|error| io_text(path, &error));
        let opened = opened.and_then(|file| {
            zip::ZipArchive::new(file).map_err(|error| format!("{}: is damaged: {error}", path.display()))
        });
        let mut archive = match opened {
            Ok(archive) => archive,
            Err(why) => return self.unread.push(why),
        };
        for index in 0..archive.len() {
            let file = match archive.by_index(index) {
                Ok(file) => file,
                Err(error) => {
                    self.unread.push(format!("{}: file {} in it: {error}", path.display(), index + 1));
                    continue;
                }
            };
            let name = file.name().map(|name| PathBuf::from(name.as_ref())).unwrap_or_default();
            // Sound is most of it.
            if kind(&name).is_some_and(|kind| ["wav", "flac", "ogg", "mid", "peak"].contains(&kind)) || file.is_dir() {
                continue;
            }
            let mut bytes = Vec::new();
            match file.take(LARGEST).read_to_end(&mut bytes) {
                Ok(_) => drop(self.add(path, &bytes)),
                Err(error) => self.unread.push(format!("{}: {}: {error}", path.display(), name.display())),
            }
        }
    }

    /// Ardour's session: what VST3 plugins gave is in it, what LV2 plugins gave in folders that it names.
    fn ardour(&mut self, path: &Path) {
        let Some(bytes) = self.read(path) else { return };
        let text = String::from_utf8_lossy(&bytes);
        let place = |at: usize| match route(&text[..at]) {
            Some(track) => format!("{}, {track}", path.display()),
            None => path.display().to_string(),
        };
        self.add_each(text.as_bytes(), place);
        let folder = path.parent().unwrap_or(Path::new("."));
        for (at, _) in text.match_indices("state-dir=\"") {
            let Some(state) = attribute(&text[at..], "state-dir=\"").filter(|state| !state.is_empty()) else {
                continue;
            };
            let Some(tag) = text[..at].rfind("<Processor ") else { continue };
            let Some(id) = attribute(&text[tag..at], " id=\"") else { continue };
            self.state_folder(&folder.join("plugins").join(id).join(state), &place(at));
        }
    }

    fn state_folder(&mut self, folder: &Path, place: &str) {
        let mut paths: Vec<_> =
            std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        paths.sort();
        // Only our own states are read whole: others may hold hours of sound.
        let ours = |path: &PathBuf| {
            path.is_file() && std::fs::read(path).is_ok_and(|text| holds(&text, b"urn:catena-audio:chain"))
        };
        if !paths.iter().filter(|path| kind(path) == Some("ttl")).any(ours) {
            return;
        }
        let mut any = false;
        for path in paths.iter().filter(|path| path.is_file()) {
            let Some(bytes) = self.read(path) else { continue };
            any |= self.add_each(&bytes, |_| place.to_owned());
        }
        if !any {
            self.unread.push(format!("{place}: the chain in {} cannot be read", folder.display()));
        }
    }
}

fn kind(path: &Path) -> Option<&str> {
    path.extension().and_then(OsStr::to_str)
}

fn is_chain(folder: &Path) -> bool {
    folder.join("chain.json").is_file()
}

fn is_wanted(path: &Path) -> bool {
    matches!(kind(path), Some("catena" | "ardour" | "qtr" | "qtz"))
}

fn holds(bytes: &[u8], wanted: &[u8]) -> bool {
    bytes.windows(wanted.len()).any(|window| window == wanted)
}

/// The value of an XML attribute whose name `text` has first.
fn attribute<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.split_once(name)?.1.split('"').next()
}

/// The track or bus that the end of `text` is in.
fn route(text: &str) -> Option<&str> {
    let tag = text.rfind("<Route ")?;
    attribute(text[tag..].split('>').next()?, " name=\"")
}

/// Files that the layers of a session name as a chain: `<urn:catena-audio:chain> <FILE>`.
fn named_files(bytes: &[u8]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    peel(bytes, 0, 0, &mut |layer, _| {
        let text = String::from_utf8_lossy(layer);
        for (at, key) in text.match_indices("<urn:catena-audio:chain>") {
            let value = text[at + key.len()..].trim_start().strip_prefix('<').and_then(|rest| rest.split('>').next());
            found.extend(value.map(|value| value.strip_prefix("file://").unwrap_or(value).to_owned()));
        }
    });
    found
}

/// Something with its place in a file.
type Placed<T> = (usize, T);

/// Every chain in `bytes`, and what of one cannot be read.
fn chains(bytes: &[u8]) -> (Vec<Placed<Chain>>, Vec<Placed<String>>) {
    let (mut found, mut lost) = (Vec::new(), Vec::new());
    peel(bytes, 0, 0, &mut |layer, at| {
        let Some(start) = layer.windows(ZIP.len()).position(|window| window == ZIP) else { return };
        match store::open_bytes(&layer[start..]) {
            Ok(opened) => {
                lost.extend(opened.lost.into_iter().map(|lost| (at, lost.to_string())));
                found.push((at, opened.chain));
            }
            Err(error @ store::StoreError::Version { .. }) => lost.push((at, error.to_string())),
            // Another plugin's zip.
            Err(_) => {}
        }
    });
    (found, lost)
}

/// Shows `bytes` and every layer in them, each with its place in the outermost one.
fn peel(bytes: &[u8], at: usize, depth: usize, show: &mut dyn FnMut(&[u8], usize)) {
    show(bytes, at);
    if depth >= LAYERS || bytes.starts_with(ZIP) {
        return;
    }
    for (start, run) in runs(bytes) {
        let Ok(inner) = BASE64.decode(&run[..run.len() - usize::from(run.len() % 4 == 1)]) else { continue };
        let place = if depth == 0 { start } else { at };
        // Qt puts the length before what it compresses.
        let inflated = [0, 4].into_iter().find_map(|skip| inflate(inner.get(skip..)?));
        peel(inflated.as_deref().unwrap_or(&inner), place, depth + 1, show);
    }
}

fn inflate(bytes: &[u8]) -> Option<Vec<u8>> {
    if bytes.first() != Some(&0x78) {
        return None;
    }
    let mut out = Vec::new();
    ZlibDecoder::new(bytes).take(LARGEST).read_to_end(&mut out).ok()?;
    Some(out)
}

/// Stretches that may be base64, without the blanks in them, and where each begins.
fn runs(bytes: &[u8]) -> Vec<(usize, Vec<u8>)> {
    let mut found = Vec::new();
    let (mut start, mut run) = (0, Vec::new());
    let mut end = |start: usize, run: &mut Vec<u8>| {
        let run = std::mem::take(run);
        if run.len() >= SHORTEST {
            found.push((start, run));
        }
    };
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'+' | b'/' => {
                if run.is_empty() {
                    start = at;
                }
                if run.last() == Some(&b'=') {
                    end(start, &mut run);
                    start = at;
                }
                run.push(*byte);
            }
            b'=' if !run.is_empty() => run.push(*byte),
            b'\n' | b'\r' | b' ' | b'\t' => {}
            _ => end(start, &mut run),
        }
    }
    end(start, &mut run);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use host_core::model::PluginId;

    fn packed() -> Vec<u8> {
        let mut chain = Chain::default();
        chain.insert(0, PluginId::clap("a"));
        store::pack(&chain).unwrap()
    }

    fn text(bytes: &[u8]) -> String {
        base64::engine::general_purpose::STANDARD.encode(bytes)
    }

    fn count(bytes: &[u8]) -> usize {
        chains(bytes).0.iter().filter(|(_, chain)| chain.slots().count() == 1).count()
    }

    #[test]
    fn a_chain_is_found_however_it_is_wrapped() {
        use std::io::Write;
        let plain = packed();
        assert_eq!(count(&plain), 1);
        assert_eq!(count(&[b"VST3\0\0".as_slice(), &plain].concat()), 1);
        let once = format!("<chunk>{}</chunk>", text(&plain));
        assert_eq!(count(once.as_bytes()), 1);
        let twice = format!("<a>{}</a><b>no chain</b><a>\n {}\n</a>", text(once.as_bytes()), text(&plain));
        assert_eq!(count(twice.as_bytes()), 2);
        // As qtractor does: lines of base64, of a length and what was compressed.
        let mut zlib = flate2::write::ZlibEncoder::new(vec![0, 0, 1, 0], flate2::Compression::default());
        zlib.write_all(once.as_bytes()).unwrap();
        let inner = text(&zlib.finish().unwrap());
        let lines: Vec<_> = inner.as_bytes().chunks(64).map(|line| String::from_utf8_lossy(line)).collect();
        assert_eq!(count(format!("<config key=\"x\">{}</config>", lines.join("\n")).as_bytes()), 1);
        assert_eq!(
            count(b"<Session>nothing of ours in here, but it is long enough to be looked at for a while</Session>"),
            0
        );
    }

    #[test]
    fn a_chain_in_ardour_is_named_with_its_track() {
        let folder = tempfile::tempdir().unwrap();
        let session = folder.path().join("song.ardour");
        let states = folder.path().join("plugins/191/state2");
        std::fs::create_dir_all(&states).unwrap();
        let xml = format!(
            "<Route id=\"7\" name=\"voice\" x=\"\"><Processor id=\"190\" type=\"vst3\"><chunk>{}</chunk></Processor></Route>\
             <Route id=\"8\" name=\"drums\"><Processor id=\"191\" name=\"Catena\"><lv2 state-dir=\"state2\"/></Processor>",
            text(&packed())
        );
        std::fs::write(&session, xml).unwrap();
        let state = format!("<urn:catena-audio:chain> \"\"\"{}\"\"\"^^xsd:base64Binary", text(&packed()));
        std::fs::write(states.join("state.ttl"), state).unwrap();
        let mut found = Found::default();
        found.look(folder.path());
        let places: Vec<_> = found.chains.iter().map(|(place, _)| place.rsplit(", ").next().unwrap()).collect();
        assert_eq!((places, found.unread), (vec!["voice", "drums"], vec![]));
    }
}
