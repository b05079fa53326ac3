//! What is offered without the core library: the same plugins, audio as it comes. Which port is which says the list that
//! lies in the bundle beside this library, made with the Turtle.

use std::ffi::{CStr, CString, c_char, c_void};
use std::io::Write;
use std::ptr;
use std::sync::{Mutex, OnceLock};

use lv2_raw::sys::*;

use crate::find;
use crate::keep::{self, Kept};

/// Name of the list.
const PORTS: &str = "ports.txt";

/// More ports than a plugin of ours will ever have.
const PORTS_AT_MOST: usize = 4096;
/// Most channels of the main input and output.
const CHANNELS: usize = 8;
/// Frames that are copied at once.
const PIECE: usize = 64;

/// One line of the list: a plugin.
pub struct Kind {
    uri: CString,
    /// Key of its state.
    pub state: CString,
    inputs: Vec<usize>,
    outputs: Vec<usize>,
    aux: Vec<usize>,
    latency: usize,
    events_out: usize,
    /// Silent instead of dry.
    mute: bool,
    descriptor: LV2_Descriptor,
}

// SAFETY: the pointers in the descriptor are to functions and to text of this struct, which is never written or freed.
unsafe impl Send for Kind {}
// SAFETY: as above.
unsafe impl Sync for Kind {}

/// One dry plugin.
pub struct Dry {
    /// What it is.
    pub kind: &'static Kind,
    /// Where the host put each port's data.
    ports: Vec<*mut c_void>,
    sequence: u32,
    /// The host's number for the state's key.
    pub key: u32,
    /// The host's number for `atom:Path`.
    pub path: u32,
    /// What the DAW restored, written back as it came.
    pub kept: Mutex<Option<Kept>>,
}

fn kinds() -> &'static [Kind] {
    static KINDS: OnceLock<Vec<Kind>> = OnceLock::new();
    KINDS.get_or_init(|| {
        let list = find::own_path().and_then(|path| std::fs::read_to_string(path.with_file_name(PORTS)).ok());
        list.unwrap_or_default().lines().filter_map(kind).collect()
    })
}

/// `URI STATE inputs outputs aux latency events`, numbers joined by commas, and `mute` for silence instead of dry. `None` for a line that names a port behind the last one
/// (`events`): the audio thread looks ports up by these numbers.
fn kind(line: &str) -> Option<Kind> {
    let mut words = line.split_whitespace();
    let mut text = || CString::new(words.next()?).ok();
    let (uri, state) = (text()?, text()?);
    let mut numbers =
        || Some(words.next()?.split(',').filter_map(|number| number.parse().ok()).collect::<Vec<usize>>());
    let (inputs, outputs, aux) = (numbers()?, numbers()?, numbers()?);
    let (latency, events_out) = (*numbers()?.first()?, *numbers()?.first()?);
    let mute = words.next() == Some("mute");
    let beyond = |ports: &[usize]| ports.iter().any(|port| *port > events_out);
    if events_out >= PORTS_AT_MOST || beyond(&inputs) || beyond(&outputs) || beyond(&aux) || latency > events_out {
        return None;
    }
    let descriptor = LV2_Descriptor {
        URI: uri.as_ptr(),
        instantiate: Some(instantiate),
        connect_port: Some(connect_port),
        activate: None,
        run: Some(run),
        deactivate: None,
        cleanup: Some(cleanup),
        extension_data: Some(extension_data),
    };
    Some(Kind { uri, state, inputs, outputs, aux, latency, events_out, mute, descriptor })
}

/// The descriptor of plugin `index`.
pub fn descriptor(index: u32) -> *const c_void {
    kinds().get(index as usize).map_or(ptr::null(), |kind| ptr::from_ref(&kind.descriptor).cast())
}

/// The data of a host's feature.
///
/// # Safety
/// `features` is null or the host's list, which ends with null; `uri` names a feature whose struct is `T`.
pub unsafe fn feature<'a, T>(features: *const *const LV2_Feature, uri: &[u8]) -> Option<&'a T> {
    let mut at = features;
    // SAFETY: the caller's word.
    unsafe {
        while let Some(feature) = at.as_ref()?.as_ref() {
            if CStr::from_ptr(feature.URI).to_bytes_with_nul() == uri {
                return feature.data.cast::<T>().cast_const().as_ref();
            }
            at = at.add(1);
        }
    }
    None
}

fn told(mute: bool) -> String {
    crate::unread().map_or_else(|| find::told(mute), |why| find::told_why(mute, why))
}

unsafe extern "C" fn instantiate(
    descriptor: *const LV2_Descriptor,
    _rate: f64,
    _bundle: *const c_char,
    features: *const *const LV2_Feature,
) -> LV2_Handle {
    let Some(kind) = kinds().iter().find(|kind| ptr::eq(&kind.descriptor, descriptor)) else { return ptr::null_mut() };
    // SAFETY: the host's list; each URI names its struct.
    let (map, log) =
        unsafe { (feature::<LV2_URID_Map>(features, LV2_URID__map), feature::<LV2_Log_Log>(features, LV2_LOG__log)) };
    let urid = |uri: &CStr| match map.and_then(|map| Some((map.handle, map.map?))) {
        // SAFETY: the host's own function with its own handle, and a C string.
        Some((handle, map)) => unsafe { map(handle, uri.as_ptr()) },
        None => 0,
    };
    let known = |uri: &'static [u8]| CStr::from_bytes_until_nul(uri).map_or(0, urid);
    let why = format!("{}: {}", kind.uri.to_string_lossy(), told(kind.mute || kind.inputs.is_empty()));
    match log.and_then(|log| Some((log.handle, log.printf?))).zip(CString::new(why.clone()).ok()) {
        // SAFETY: the host's own function, with a format of one string and a string.
        Some(((handle, printf), text)) => unsafe {
            printf(handle, known(LV2_LOG__Warning), c"%s\n".as_ptr(), text.as_ptr());
        },
        None => {
            // Unlike `eprintln!` it does not panic where nobody reads.
            let _unheard = writeln!(std::io::stderr(), "{why}");
        }
    }
    let count = kind.events_out + 1;
    Box::into_raw(Box::new(Dry {
        kind,
        ports: vec![ptr::null_mut(); count],
        sequence: known(LV2_ATOM__Sequence),
        key: urid(&kind.state),
        path: known(LV2_ATOM__Path),
        kept: Mutex::default(),
    }))
    .cast()
}

unsafe extern "C" fn connect_port(handle: LV2_Handle, port: u32, data: *mut c_void) {
    // SAFETY: the host passes what `instantiate` gave it, and calls nothing beside this.
    if let Some(place) = unsafe { handle.cast::<Dry>().as_mut() }.and_then(|dry| dry.ports.get_mut(port as usize)) {
        *place = data;
    }
}

unsafe extern "C" fn run(handle: LV2_Handle, frames: u32) {
    // SAFETY: the host passes what `instantiate` gave it; its ports are null or as the Turtle says, valid over the call.
    unsafe {
        let Some(dry) = handle.cast::<Dry>().cast_const().as_ref() else { return };
        let (kind, frames) = (dry.kind, frames as usize);
        let port = |index: usize| dry.ports[index].cast::<f32>();
        let mut scratch = [[0.0_f32; PIECE]; CHANNELS];
        for start in (0..frames).step_by(PIECE) {
            let count = PIECE.min(frames - start);
            // The host may give one buffer for an input and any of the outputs: everything is read before anything is written.
            for (input, to) in kind.inputs.iter().zip(&mut scratch) {
                match port(*input) {
                    from if from.is_null() || kind.mute => to.fill(0.0),
                    from => ptr::copy_nonoverlapping(from.add(start), to.as_mut_ptr(), count),
                }
            }
            for (output, from) in kind.outputs.iter().zip(&scratch) {
                let to = port(*output);
                if !to.is_null() {
                    ptr::copy_nonoverlapping(from.as_ptr(), to.add(start), count);
                }
            }
        }
        for output in kind.aux.iter().map(|output| port(*output)).filter(|output| !output.is_null()) {
            ptr::write_bytes(output, 0, frames);
        }
        if let Some(latency) = port(kind.latency).as_mut() {
            *latency = 0.0;
        }
        if let Some(sequence) = dry.ports[kind.events_out].cast::<LV2_Atom_Sequence>().as_mut()
            && sequence.atom.size as usize >= size_of::<LV2_Atom_Sequence_Body>()
        {
            sequence.atom = LV2_Atom { size: size_of::<LV2_Atom_Sequence_Body>() as u32, type_: dry.sequence };
            sequence.body = LV2_Atom_Sequence_Body { unit: 0, pad: 0 };
        }
    }
}

unsafe extern "C" fn cleanup(handle: LV2_Handle) {
    if !handle.is_null() {
        // SAFETY: the host passes what `instantiate` leaked, once.
        drop(unsafe { Box::from_raw(handle.cast::<Dry>()) });
    }
}

unsafe extern "C" fn extension_data(uri: *const c_char) -> *const c_void {
    // SAFETY: null or a C string of the host's.
    if !uri.is_null() && unsafe { CStr::from_ptr(uri) }.to_bytes_with_nul() == LV2_STATE__interface {
        return ptr::from_ref(&keep::STATE).cast();
    }
    ptr::null()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_list_of_ports_offers_nothing() {
        assert!(kind("urn:a urn:a#chain 0,1 2,3 4 5 6").is_some_and(|kind| !kind.mute));
        assert!(kind("urn:a urn:a#chain 0,1 2,3 4 5 6 mute").is_some_and(|kind| kind.mute));
        assert!(kind("urn:a urn:a#chain 0,1 2,7 4 5 6").is_none(), "an output behind the last port");
        assert!(kind("urn:a urn:a#chain 0,1 2,3 4 9 6").is_none(), "the latency");
        assert!(kind("urn:a urn:a#chain 0,1 2,3 4 5 99999999999").is_none(), "ports without end");
        assert!(kind("urn:a urn:a#chain 0,1").is_none(), "half a line");
    }
}
