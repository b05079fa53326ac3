//! What a damaged zip still holds: its files one by one as they stand, where the list at its end cannot be read.

use std::io::Read;

use super::names;
use super::packed::{Entry, Lost};
use super::tree::Files;

/// What each file begins with.
const HEADER: &[u8] = b"PK\x03\x04";
/// What the end of the list begins with.
const END: &[u8] = b"PK\x05\x06";
/// Length of the fixed part of a header.
const FIXED: usize = 30;
/// Files that cannot be read before no more are looked for: a file made to harm has as many headers as fit.
const MOST_LOST: usize = 1000;
/// The longest name that is told, bytes.
const LONGEST: usize = 1024;

/// Reads the files of `zip` in the order that they stand in. `take` checks each and puts it in its place.
pub fn each<E>(
    zip: &[u8],
    take: &mut dyn FnMut(Entry<'_>, &mut dyn Read) -> Result<(), E>,
    lost: &mut Vec<Lost>,
) -> Result<(), E> {
    let mut at = 0;
    while let Some(start) = next(zip, at) {
        let mut rest = &zip[start..];
        at = match zip::read::read_zipfile_from_stream(&mut rest) {
            Ok(Some(mut file)) => {
                let raw = file.name_raw().to_vec();
                let (size, is_file) = (file.size(), file.is_file());
                // What the header says may be any number.
                let data = usize::try_from(file.compressed_size()).unwrap_or(usize::MAX);
                let length = (FIXED + raw.len() + extra_len(zip, start)).saturating_add(data);
                take(Entry { name: &raw, size, is_file }, &mut file)?;
                // Its data may hold a zip of its own.
                start.saturating_add(length).min(zip.len())
            }
            Ok(None) => break,
            Err(_) if lost.len() >= MOST_LOST => {
                let reason = format!("more than {MOST_LOST} of its files cannot be read");
                lost.push(Lost { name: None, reason });
                break;
            }
            Err(error) => {
                let name = told_name(zip, start);
                lost.push(Lost { name, reason: format!("cannot be read: {error}") });
                start + HEADER.len()
            }
        };
    }
    Ok(())
}

fn next(zip: &[u8], from: usize) -> Option<usize> {
    let found = zip.get(from..)?.windows(HEADER.len()).position(|window| window == HEADER)?;
    Some(from + found)
}

/// The name of what cannot be read, where it can be one of a chain's files.
fn told_name(zip: &[u8], start: usize) -> Option<String> {
    let name = local_name(zip, start as u64).filter(|name| name.len() < LONGEST)?;
    std::str::from_utf8(name).ok().filter(|name| names::is_inside(name)).map(str::to_owned)
}

fn extra_len(zip: &[u8], start: usize) -> usize {
    zip.get(start + 28..).and_then(<[u8]>::first_chunk).map_or(0, |len| u16::from_le_bytes(*len).into())
}

/// The name that stands before a file's data; the list at the zip's end has a second copy, and no sum covers either.
pub fn local_name(zip: &[u8], header: u64) -> Option<&[u8]> {
    let header = zip.get(usize::try_from(header).ok()?..)?;
    let len = u16::from_le_bytes(*header.get(26..)?.first_chunk()?);
    header.get(FIXED..FIXED + usize::from(len))
}

/// How many entries the list at the zip's end has, by its own word; `None` where it does not say in the usual place.
pub fn entries(zip: &[u8]) -> Option<usize> {
    let end = zip.windows(END.len()).rposition(|window| window == END)?;
    let count = u16::from_le_bytes(*zip.get(end + 10..)?.first_chunk()?);
    (count != u16::MAX).then_some(count.into())
}

/// What `files` holds of states, for a message; empty for nothing.
pub fn states(files: &Files) -> String {
    let found: Vec<&str> = files.keys().filter(|name| name.starts_with("state/")).map(String::as_str).collect();
    if found.is_empty() { String::new() } else { format!("; the states in it are whole: {}", found.join(", ")) }
}
