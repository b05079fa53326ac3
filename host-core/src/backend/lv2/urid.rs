//! `urid`: the one map of URIs to numbers of this process.
//!
//! It only grows. A look-up of a known URI walks a bucket of a hash table whose links are set once; no lock is
//! taken. A number leads to its URI by two array steps.

use std::ffi::{CStr, CString};
use std::sync::{Mutex, OnceLock, PoisonError};

const BUCKETS: usize = 4096;
const CHUNK: usize = 1024;
const CHUNKS: usize = 1024;

struct Entry {
    uri: CString,
    urid: u32,
    next: OnceLock<&'static Entry>,
}

type Link = OnceLock<&'static Entry>;

struct Map {
    buckets: Box<[Link]>,
    chunks: Box<[OnceLock<Box<[Link]>>]>,
    /// The next free number; held while the map grows.
    next: Mutex<u32>,
}

fn links<T>(count: usize) -> Box<[OnceLock<T>]> {
    (0..count).map(|_| OnceLock::new()).collect()
}

fn the_map() -> &'static Map {
    static MAP: OnceLock<Map> = OnceLock::new();
    MAP.get_or_init(|| Map { buckets: links(BUCKETS), chunks: links(CHUNKS), next: Mutex::new(1) })
}

/// FNV-1a (Fowler, Noll, Vo), 64 bits.
fn bucket(uri: &CStr) -> usize {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in uri.to_bytes() {
        hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    }
    (hash ^ (hash >> 32)) as usize % BUCKETS
}

/// The number of `uri`, made if it is new. 0 only where a million URIs are mapped. `[any]`; a URI that was
/// mapped before takes no lock.
pub fn map(uri: &CStr) -> u32 {
    let map = the_map();
    let (found, _) = walk(&map.buckets[bucket(uri)], uri);
    found.unwrap_or_else(|| insert(map, uri))
}

/// The number of a URI known to this program. `[any but audio]`
pub fn map_str(uri: &str) -> u32 {
    CString::new(uri).map_or(0, |uri| map(&uri))
}

/// The URI behind a number. `[any]`
pub fn unmap(urid: u32) -> Option<&'static CStr> {
    let at = urid as usize;
    let chunk = the_map().chunks.get(at / CHUNK)?.get()?;
    Some(chunk[at % CHUNK].get()?.uri.as_c_str())
}

/// [`unmap`] as text. `[any]`
pub fn unmap_str(urid: u32) -> Option<&'static str> {
    unmap(urid)?.to_str().ok()
}

/// Walks a bucket: the URI's number, or the link where it would go.
fn walk<'a>(first: &'a Link, uri: &CStr) -> (Option<u32>, &'a Link) {
    let mut link = first;
    while let Some(entry) = link.get() {
        if entry.uri.as_c_str() == uri {
            return (Some(entry.urid), link);
        }
        link = &entry.next;
    }
    (None, link)
}

fn insert(map: &Map, uri: &CStr) -> u32 {
    let mut next = map.next.lock().unwrap_or_else(PoisonError::into_inner);
    let (found, end) = walk(&map.buckets[bucket(uri)], uri);
    if let Some(urid) = found {
        return urid;
    }
    let urid = *next;
    let Some(chunk) = map.chunks.get(urid as usize / CHUNK) else { return 0 };
    let entry: &'static Entry = Box::leak(Box::new(Entry { uri: uri.into(), urid, next: OnceLock::new() }));
    // Under the lock nobody else sets these links, so neither can be taken already.
    let _set = chunk.get_or_init(|| links(CHUNK))[urid as usize % CHUNK].set(entry);
    let _set = end.set(entry);
    *next += 1;
    urid
}

macro_rules! known {
    ($($name:ident = $uri:expr;)*) => {
        /// Numbers of the URIs that the backend itself speaks of.
        #[derive(Clone, Copy, Debug)]
        pub struct Known { $(pub $name: u32,)* }

        impl Known {
            fn new() -> Self {
                Self { $($name: map_str($uri),)* }
            }
        }
    };
}

known! {
    atom_bool = "http://lv2plug.in/ns/ext/atom#Bool";
    atom_blank = "http://lv2plug.in/ns/ext/atom#Blank";
    atom_chunk = "http://lv2plug.in/ns/ext/atom#Chunk";
    atom_double = "http://lv2plug.in/ns/ext/atom#Double";
    atom_float = "http://lv2plug.in/ns/ext/atom#Float";
    atom_int = "http://lv2plug.in/ns/ext/atom#Int";
    atom_long = "http://lv2plug.in/ns/ext/atom#Long";
    atom_object = "http://lv2plug.in/ns/ext/atom#Object";
    atom_path = "http://lv2plug.in/ns/ext/atom#Path";
    atom_resource = "http://lv2plug.in/ns/ext/atom#Resource";
    atom_sequence = "http://lv2plug.in/ns/ext/atom#Sequence";
    atom_string = "http://lv2plug.in/ns/ext/atom#String";
    atom_tuple = "http://lv2plug.in/ns/ext/atom#Tuple";
    atom_uri = "http://lv2plug.in/ns/ext/atom#URI";
    atom_urid = "http://lv2plug.in/ns/ext/atom#URID";
    atom_vector = "http://lv2plug.in/ns/ext/atom#Vector";
    log_error = "http://lv2plug.in/ns/ext/log#Error";
    log_trace = "http://lv2plug.in/ns/ext/log#Trace";
    log_warning = "http://lv2plug.in/ns/ext/log#Warning";
    midi_event = "http://lv2plug.in/ns/ext/midi#MidiEvent";
    patch_get = "http://lv2plug.in/ns/ext/patch#Get";
    patch_put = "http://lv2plug.in/ns/ext/patch#Put";
    patch_body = "http://lv2plug.in/ns/ext/patch#body";
    patch_property = "http://lv2plug.in/ns/ext/patch#property";
    patch_set = "http://lv2plug.in/ns/ext/patch#Set";
    patch_value = "http://lv2plug.in/ns/ext/patch#value";
    state_changed = "http://lv2plug.in/ns/ext/state#StateChanged";
    time_bar = "http://lv2plug.in/ns/ext/time#bar";
    time_bar_beat = "http://lv2plug.in/ns/ext/time#barBeat";
    time_beat = "http://lv2plug.in/ns/ext/time#beat";
    time_beat_unit = "http://lv2plug.in/ns/ext/time#beatUnit";
    time_beats_per_bar = "http://lv2plug.in/ns/ext/time#beatsPerBar";
    time_beats_per_minute = "http://lv2plug.in/ns/ext/time#beatsPerMinute";
    time_frame = "http://lv2plug.in/ns/ext/time#frame";
    time_frames_per_second = "http://lv2plug.in/ns/ext/time#framesPerSecond";
    time_position = "http://lv2plug.in/ns/ext/time#Position";
    time_speed = "http://lv2plug.in/ns/ext/time#speed";
}

/// The known numbers, mapped once. `[any]` after the first call, which home makes.
pub fn known() -> &'static Known {
    static KNOWN: OnceLock<Known> = OnceLock::new();
    KNOWN.get_or_init(Known::new)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_thread_gets_the_same_number_and_every_number_leads_back() {
        let threads: Vec<_> = (0..4)
            .map(|_| {
                std::thread::spawn(|| (0..3000).map(|i| map_str(&format!("urn:urid-test:{i}"))).collect::<Vec<_>>())
            })
            .collect();
        let all: Vec<_> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
        assert!(all.windows(2).all(|pair| pair[0] == pair[1]));
        for (i, urid) in all[0].iter().enumerate() {
            assert_ne!(*urid, 0);
            assert_eq!(unmap_str(*urid).unwrap(), format!("urn:urid-test:{i}"));
        }
        assert_eq!(unmap(0), None);
        assert_eq!(unmap(u32::MAX), None);
    }
}
