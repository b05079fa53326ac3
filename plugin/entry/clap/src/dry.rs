//! What is offered without the core library: the same ids and ports, audio as it comes, the state kept.

use std::ffi::{CStr, CString, c_char, c_void};
use std::io::Write;
use std::ptr;
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::abi::*;
use crate::carried::{payload, word};

/// One that is offered.
struct Kind {
    id: CString,
    name: CString,
    vendor: CString,
    features: Vec<CString>,
    /// Main inputs.
    inputs: u32,
    /// Stereo outputs.
    outputs: u32,
    /// Silent instead of dry.
    mute: bool,
}

impl Kind {
    fn new(id: &str, name: &str, vendor: &str, features: &[&str], instrument: bool) -> Self {
        let text = |text: &str| CString::new(text).unwrap_or_default();
        let (inputs, outputs) = if instrument { (0, 9) } else { (1, 1) };
        Self {
            id: text(id),
            name: text(&format!("{name} (core library missing or older)")),
            vendor: text(vendor),
            features: features.iter().map(|feature| text(feature)).collect(),
            inputs,
            outputs,
            mute: false,
        }
    }
}

/// Ours, or the chain that this file carries.
fn kinds() -> &'static [Kind] {
    static KINDS: OnceLock<Vec<Kind>> = OnceLock::new();
    KINDS.get_or_init(|| {
        if payload().is_some() {
            let instrument = word("shape") == "instrument";
            let features = [if instrument { "instrument" } else { "audio-effect" }, &word("feature"), "stereo"];
            let kind = Kind::new(&word("id"), &word("name"), &word("maker"), &features, instrument);
            return vec![Kind { mute: word("fails") == "mute", ..kind }];
        }
        let effect = ["audio-effect", "multi-effects", "stereo"];
        vec![
            Kind::new("catena-audio.catena", "Catena", "Catena", &effect, false),
            Kind::new(
                "catena-audio.catena-instrument",
                "Catena Instrument",
                "Catena",
                &["instrument", "synthesizer", "stereo"],
                true,
            ),
        ]
    })
}

/// The factory of dry plugins.
pub static FACTORY: Factory = Factory { count, descriptor, create };

/// Descriptors and what their pointers point to.
struct Descriptors(Vec<Descriptor>);

// SAFETY: the pointers are to leaked or static memory that nobody writes.
unsafe impl Send for Descriptors {}
// SAFETY: as above.
unsafe impl Sync for Descriptors {}

fn descriptors() -> &'static [Descriptor] {
    static DESCRIPTORS: OnceLock<Descriptors> = OnceLock::new();
    let make = || {
        let descriptors = kinds().iter().map(|kind| {
            let why = CString::new(crate::find::told(kind.mute || kind.inputs == 0)).unwrap_or_default();
            let why: &'static CStr = Box::leak(why.into_boxed_c_str());
            let features: Vec<_> = kind.features.iter().map(|feature| feature.as_ptr()).chain([ptr::null()]).collect();
            Descriptor {
                version: VERSION,
                id: kind.id.as_ptr(),
                name: kind.name.as_ptr(),
                vendor: kind.vendor.as_ptr(),
                url: c"".as_ptr(),
                manual_url: c"".as_ptr(),
                support_url: c"".as_ptr(),
                plugin_version: concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast(),
                description: why.as_ptr(),
                features: features.leak().as_ptr(),
            }
        });
        Descriptors(descriptors.collect())
    };
    &DESCRIPTORS.get_or_init(make).0
}

/// One dry plugin: `plugin.data` points to it.
struct Dry {
    plugin: Plugin,
    host: *const Host,
    kind: &'static Kind,
    /// What the DAW loaded, written back as it came.
    state: Mutex<Vec<u8>>,
}

unsafe extern "C" fn count(_factory: *const Factory) -> u32 {
    kinds().len() as u32
}

unsafe extern "C" fn descriptor(_factory: *const Factory, index: u32) -> *const Descriptor {
    descriptors().get(index as usize).map_or(ptr::null(), ptr::from_ref)
}

unsafe extern "C" fn create(_factory: *const Factory, host: *const Host, id: *const c_char) -> *const Plugin {
    if host.is_null() || id.is_null() {
        return ptr::null();
    }
    // SAFETY: not null, a C string of the host's.
    let id = unsafe { CStr::from_ptr(id) };
    let Some((kind, descriptor)) = kinds().iter().zip(descriptors()).find(|(kind, _)| kind.id.as_c_str() == id) else {
        return ptr::null();
    };
    let plugin = Plugin {
        descriptor,
        data: ptr::null_mut(),
        init,
        destroy,
        activate,
        deactivate: nothing,
        start_processing: yes,
        stop_processing: nothing,
        reset: nothing,
        process,
        get_extension,
        on_main_thread: nothing,
    };
    let dry = Box::into_raw(Box::new(Dry { plugin, host, kind, state: Mutex::default() }));
    // SAFETY: just made, and given to nobody yet.
    unsafe {
        (*dry).plugin.data = dry.cast();
        &raw const (*dry).plugin
    }
}

/// # Safety
/// `plugin` came from `create` and was not destroyed.
unsafe fn of<'a>(plugin: *const Plugin) -> &'a Dry {
    // SAFETY: the caller's word; `data` is set before the host sees the plugin.
    unsafe { &*(*plugin).data.cast::<Dry>() }
}

unsafe extern "C" fn init(plugin: *const Plugin) -> bool {
    // SAFETY: the host passes what `create` gave it.
    let Dry { host, plugin: Plugin { descriptor, .. }, .. } = *unsafe { of(plugin) };
    // SAFETY: the host outlives its plugins; null or the extension that is asked for; the text is leaked.
    unsafe {
        let log = (*host).get_extension.map_or(ptr::null(), |get| get(host, LOG.as_ptr())).cast::<HostLog>();
        let text = (*descriptor).description;
        match log.as_ref().and_then(|log| log.log) {
            Some(log) => log(host, LOG_WARNING, text),
            None => {
                // Unlike `eprintln!` it does not panic where nobody reads.
                let _unheard = writeln!(std::io::stderr(), "{}", CStr::from_ptr(text).to_string_lossy());
            }
        }
    }
    true
}

unsafe extern "C" fn destroy(plugin: *const Plugin) {
    // SAFETY: the host passes what `create` leaked, once.
    drop(unsafe { Box::from_raw((*plugin).data.cast::<Dry>()) });
}

unsafe extern "C" fn activate(_plugin: *const Plugin, _rate: f64, _min: u32, _max: u32) -> bool {
    true
}

unsafe extern "C" fn yes(_plugin: *const Plugin) -> bool {
    true
}

unsafe extern "C" fn nothing(_plugin: *const Plugin) {}

unsafe extern "C" fn process(plugin: *const Plugin, process: *const Process) -> i32 {
    if process.is_null() {
        return PROCESS_ERROR;
    }
    // SAFETY: the host passes what `create` gave it, and buffers that are valid over the call.
    unsafe {
        let (block, kind) = (&*process, of(plugin).kind);
        for port in 0..block.output_count as usize {
            let output = &*block.outputs.add(port);
            for channel in 0..output.channels as usize {
                let heard = port == 0 && kind.inputs > 0 && !kind.mute && block.input_count > 0;
                let main = heard.then(|| &*block.inputs);
                let input = main.filter(|input| channel < input.channels as usize && !input.data32.is_null());
                if output.data32.is_null() {
                    continue;
                }
                let to = *output.data32.add(channel);
                match input {
                    // The host may give one buffer for both.
                    Some(input) => ptr::copy(*input.data32.add(channel), to, block.frames as usize),
                    None => ptr::write_bytes(to, 0, block.frames as usize),
                }
            }
        }
    }
    PROCESS_CONTINUE
}

unsafe extern "C" fn get_extension(_plugin: *const Plugin, id: *const c_char) -> *const c_void {
    if id.is_null() {
        return ptr::null();
    }
    // SAFETY: not null, a C string of the host's.
    match unsafe { CStr::from_ptr(id) } {
        id if id == AUDIO_PORTS => ptr::from_ref(&PORTS).cast(),
        id if id == NOTE_PORTS => ptr::from_ref(&NOTES).cast(),
        id if id == STATE => ptr::from_ref(&STATES).cast(),
        _ => ptr::null(),
    }
}

static PORTS: AudioPorts = AudioPorts { count: port_count, get: port };
static NOTES: NotePorts = NotePorts { count: note_count, get: note };
static STATES: State = State { save, load };

/// Inputs: the main one where there is one, and the sidechain.
unsafe extern "C" fn port_count(plugin: *const Plugin, input: bool) -> u32 {
    // SAFETY: the host passes what `create` gave it.
    let Kind { inputs, outputs, .. } = *unsafe { of(plugin) }.kind;
    if input { inputs + 1 } else { outputs }
}

/// The ports and ids of the real plugin.
unsafe extern "C" fn port(plugin: *const Plugin, index: u32, input: bool, info: *mut AudioPort) -> bool {
    // SAFETY: the host passes what `create` gave it.
    let Kind { inputs, outputs, .. } = *unsafe { of(plugin) }.kind;
    let count = if input { inputs + 1 } else { outputs };
    if index >= count || info.is_null() {
        return false;
    }
    let main = index == 0 && (!input || inputs > 0);
    let name = match (input, main) {
        (true, true) => "Input".into(),
        (false, true) => "Output".into(),
        (true, false) => "Sidechain".into(),
        (false, false) => format!("Aux {index}"),
    };
    let pair = match (main && inputs > 0, input) {
        (true, true) => inputs + 1,
        (true, false) => 0,
        _ => INVALID_ID,
    };
    // SAFETY: not null, the host's to be written; zeroes are a valid value.
    let info = unsafe {
        info.write_bytes(0, 1);
        &mut *info
    };
    info.id = if input { index } else { index + inputs + 1 };
    set_name(&mut info.name, &name);
    info.flags = if main { PORT_IS_MAIN } else { 0 };
    info.channels = 2;
    info.kind = c"stereo".as_ptr();
    info.in_place_pair = pair;
    true
}

unsafe extern "C" fn note_count(_plugin: *const Plugin, _input: bool) -> u32 {
    1
}

unsafe extern "C" fn note(_plugin: *const Plugin, index: u32, input: bool, info: *mut NotePort) -> bool {
    if index != 0 || info.is_null() {
        return false;
    }
    // SAFETY: not null, the host's to be written; zeroes are a valid value.
    let info = unsafe {
        info.write_bytes(0, 1);
        &mut *info
    };
    info.id = u32::from(!input);
    (info.supported, info.preferred) = if input { (3, 2) } else { (2, 2) };
    set_name(&mut info.name, if input { "MIDI in" } else { "MIDI out" });
    true
}

fn set_name(to: &mut [c_char; 256], name: &str) {
    for (to, from) in to.iter_mut().zip(name.bytes()) {
        *to = from.cast_signed();
    }
}

unsafe extern "C" fn save(plugin: *const Plugin, stream: *const OStream) -> bool {
    // SAFETY: the host passes what `create` gave it.
    let state = unsafe { of(plugin) }.state.lock().unwrap_or_else(PoisonError::into_inner);
    // SAFETY: null or valid over the call.
    let Some(write) = unsafe { stream.as_ref() }.and_then(|stream| stream.write) else { return false };
    let mut left = state.as_slice();
    while !left.is_empty() {
        // SAFETY: the stream's own function; readable for the length.
        match usize::try_from(unsafe { write(stream, left.as_ptr().cast(), left.len() as u64) }) {
            Ok(written @ 1..) => left = left.get(written..).unwrap_or_default(),
            _ => return false,
        }
    }
    true
}

unsafe extern "C" fn load(plugin: *const Plugin, stream: *const IStream) -> bool {
    // SAFETY: null or valid over the call.
    let Some(read) = unsafe { stream.as_ref() }.and_then(|stream| stream.read) else { return false };
    let (mut bytes, mut piece) = (Vec::new(), [0_u8; 4096]);
    loop {
        // SAFETY: the stream's own function; writable for the length.
        let got = unsafe { read(stream, piece.as_mut_ptr().cast(), piece.len() as u64) };
        match usize::try_from(got) {
            Ok(0) => break,
            Ok(got) => bytes.extend_from_slice(piece.get(..got).unwrap_or_default()),
            Err(_) => return false,
        }
    }
    // SAFETY: the host passes what `create` gave it.
    *unsafe { of(plugin) }.state.lock().unwrap_or_else(PoisonError::into_inner) = bytes;
    true
}
