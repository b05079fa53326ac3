//! The chain behind this library in its own file, where it is a plugin of its own: bytes, their number, and a mark.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::sync::OnceLock;

use crate::find;

/// What ends a file that carries a chain.
const MARK: &[u8; 8] = b"CATENAEX";

/// The bytes; `None`: this is Catena itself.
pub fn payload() -> Option<&'static [u8]> {
    static PAYLOAD: OnceLock<Option<Vec<u8>>> = OnceLock::new();
    PAYLOAD.get_or_init(read).as_deref()
}

fn read() -> Option<Vec<u8>> {
    let mut file = File::open(find::own_path()?).ok()?;
    let end = file.seek(SeekFrom::End(-16)).ok()?;
    let mut tail = [0; 16];
    file.read_exact(&mut tail).ok()?;
    let (len, mark) = tail.split_first_chunk::<8>()?;
    let len = u64::from_le_bytes(*len);
    if mark != MARK || len > end {
        return None;
    }
    file.seek(SeekFrom::Start(end - len)).ok()?;
    let mut bytes = vec![0; usize::try_from(len).ok()?];
    file.read_exact(&mut bytes).ok()?;
    Some(bytes)
}

/// What the lines before the chain say of `key`; empty for nothing.
pub fn word(key: &str) -> String {
    let bytes = payload().unwrap_or_default();
    let end = bytes.windows(2).position(|two| two == b"\n\n").unwrap_or(0);
    let head = String::from_utf8_lossy(bytes.get(..end).unwrap_or_default());
    let of_key = |line: &str| line.split_once('=').filter(|(name, _)| *name == key).map(|(_, value)| value.to_owned());
    head.lines().find_map(of_key).unwrap_or_default()
}
