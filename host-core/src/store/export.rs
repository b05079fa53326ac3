//! A chain for others: as a preset of VST3 hosts, and as the files that make it a plugin of its own. What is made here is
//! put in its place whole or not at all.

mod place;
mod vst_preset;

pub use place::{check, file, folder};
pub use vst_preset::vst_preset;

/// What follows the payload of a library that carries one: this, after its length.
pub const MARK: &[u8; 8] = b"CATENAEX";

/// A library with `payload` behind it: a loader reads what the library's own tables name, and no further.
pub fn appended(library: &[u8], payload: &[u8]) -> Vec<u8> {
    // A library that carries one already gets another in its place.
    let own = carried(library).map_or(library, |carried| &library[..library.len() - carried.len() - 16]);
    [own, payload, &(payload.len() as u64).to_le_bytes(), MARK].concat()
}

/// The payload that a library carries.
pub fn carried(library: &[u8]) -> Option<&[u8]> {
    let (rest, mark) = library.split_last_chunk::<8>()?;
    let (rest, len) = rest.split_last_chunk::<8>()?;
    if mark != MARK {
        return None;
    }
    rest.len().checked_sub(usize::try_from(u64::from_le_bytes(*len)).ok()?).map(|start| &rest[start..])
}

/// What a file made of a name may be called, in any script: no slash, nothing that cannot be seen, no dot first.
pub fn file_name(name: &str) -> String {
    let clean: String = name.chars().map(|c| if c == '/' || c == '\\' || c.is_control() { '-' } else { c }).collect();
    let clean = clean.trim().trim_start_matches('.');
    // Room for what is put behind it: 255 bytes is what file systems take.
    let end = (0..=clean.len().min(180)).rev().find(|end| clean.is_char_boundary(*end)).unwrap_or(0);
    if end == 0 { "chain".into() } else { clean[..end].to_owned() }
}

/// Eight digits made of a text, to tell names apart.
pub fn mark(text: &str) -> String {
    super::hashes::hex(text.as_bytes())[..8].to_owned()
}

/// What a name may be called in ids and URIs: small Latin letters, digits and hyphens. A name that is another in them gets a few digits made of
/// it, so that two names are two ids.
pub fn slug(name: &str) -> String {
    let mut slug = String::new();
    for c in name.chars() {
        match c.to_ascii_lowercase() {
            c if c.is_ascii_alphanumeric() => slug.push(c),
            _ if slug.is_empty() || slug.ends_with('-') => {}
            _ => slug.push('-'),
        }
    }
    let slug = slug.trim_end_matches('-');
    let end = slug.len().min(60);
    let plain = slug == name && end == slug.len();
    match (slug.is_empty(), plain) {
        (false, true) => slug.to_owned(),
        (false, false) => format!("{}-{}", &slug[..end], mark(name)),
        (true, _) => mark(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_carries_one_payload_and_gives_it_back() {
        let library = b"\x7fELF and so on".as_slice();
        assert_eq!(carried(library), None);
        let once = appended(library, b"first");
        assert_eq!(carried(&once), Some(&b"first"[..]));
        assert_eq!(appended(&once, b""), appended(library, b""));
        let mut lie = once;
        let len = lie.len();
        lie[len - 16..len - 8].copy_from_slice(&u64::MAX.to_le_bytes());
        assert_eq!(carried(&lie), None);
    }

    #[test]
    fn names_in_any_script_are_files_and_ids() {
        assert_eq!(
            (file_name("Голос/2"), file_name("../x"), file_name("")),
            ("Голос-2".into(), "-x".into(), "chain".into())
        );
        assert_eq!(slug("drum-bus-2"), "drum-bus-2");
        let alike = ["Drum Bus 2", "Drum-Bus 2", "drum-bus-2", "drum bus 2", "drum-bus-2-", "drum.bus_2"].map(slug);
        assert!(alike.iter().all(|one| one.starts_with("drum-bus-2")), "{alike:?}");
        assert_eq!(std::collections::BTreeSet::from(alike).len(), 6);
        assert_ne!(slug("声"), slug("鎖"));
        assert_ne!(slug("Größe"), slug("Gröse"));
        assert!(slug("Größe").starts_with("gr-"), "{}", slug("Größe"));
    }
}
