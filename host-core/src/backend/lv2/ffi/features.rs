//! The features handed to an instance, and everything they point to.

use std::ffi::{CString, c_char, c_void};
use std::path::PathBuf;

use super::log::Prefix;
use super::spec::{self, Feature, FreePath, MakePath, OptionsOption, UridMap, UridUnmap};
use super::state::{self, MakeFolder};
use super::worker::Worker;
use crate::backend::lv2::options::Options;
use crate::backend::lv2::uri;

/// Features of one instance. They live as long as it; none moves.
pub struct Features {
    pointers: Vec<*const Feature>,
    // What the pointers lead to, kept for its address.
    _features: Box<[Feature]>,
    _uris: Vec<CString>,
    _map: Box<UridMap>,
    _unmap: Box<UridUnmap>,
    _prefix: Box<Prefix>,
    _log: Box<spec::Log>,
    _options: Box<[OptionsOption]>,
    _values: Box<Options>,
    _folder: Box<MakeFolder>,
    _make: Box<MakePath>,
    _free: Box<FreePath>,
}

/// What to offer besides what every plugin gets.
pub struct Offer<'a> {
    /// Name before the plugin's log lines.
    pub name: &'a str,
    /// Block lengths and rate.
    pub options: Options,
    /// The plugin wants blocks of one length: offered only then, since it binds us.
    pub fixed: bool,
    /// The same for powers of two.
    pub power_of_two: bool,
    /// Folder for files that the plugin makes.
    pub scratch: PathBuf,
}

fn address<T>(data: &T) -> *mut c_void {
    std::ptr::from_ref(data).cast_mut().cast()
}

impl Features {
    /// Builds the list. `[home]`
    pub fn new(offer: Offer<'_>, worker: Option<&Worker>) -> Self {
        let map = Box::new(super::urid::map());
        let unmap = Box::new(super::urid::unmap());
        let prefix = Prefix::new(offer.name);
        let log = Box::new(super::log::log(&prefix));
        let values = Box::new(offer.options);
        let options = option_list(&values);
        let folder = Box::new(MakeFolder::new(offer.scratch));
        let make = Box::new(state::make_path(&folder));
        let free = Box::new(state::free_path());
        let none = std::ptr::null_mut();
        let mut list: Vec<(&str, *mut c_void)> = vec![
            (uri::URID_MAP, address(&*map)),
            (uri::URID_UNMAP, address(&*unmap)),
            (uri::OPTIONS, options.as_ptr().cast_mut().cast()),
            (uri::LOG, address(&*log)),
            (uri::MAKE_PATH, address(&*make)),
            (uri::FREE_PATH, address(&*free)),
            (uri::BOUNDED_BLOCK, none),
            (uri::COARSE_BLOCK, none),
            (uri::LOAD_DEFAULT_STATE, none),
            (uri::THREAD_SAFE_RESTORE, none),
            (uri::IS_LIVE, none),
            (uri::HARD_RT, none),
            (uri::IN_PLACE_BROKEN, none),
        ];
        list.extend(offer.fixed.then_some((uri::FIXED_BLOCK, none)));
        list.extend(offer.power_of_two.then_some((uri::POWER_OF_2_BLOCK, none)));
        list.extend(worker.map(|worker| (uri::SCHEDULE, address(worker.schedule()))));
        let (features, uris, pointers) = build(&list);
        Self {
            pointers,
            _features: features,
            _uris: uris,
            _map: map,
            _unmap: unmap,
            _prefix: prefix,
            _log: log,
            _options: options,
            _values: values,
            _folder: folder,
            _make: make,
            _free: free,
        }
    }

    /// The list as C wants it, ended by null.
    pub(super) fn as_ptr(&self) -> *const *const Feature {
        self.pointers.as_ptr()
    }
}

/// A list of features ended by null, with what it points to.
type Built = (Box<[Feature]>, Vec<CString>, Vec<*const Feature>);

pub(super) fn build(list: &[(&str, *mut c_void)]) -> Built {
    let uris: Vec<_> = list.iter().map(|(uri, _)| CString::new(*uri).unwrap_or_default()).collect();
    let make = |(uri, (_, data)): (&CString, &(&str, *mut c_void))| Feature { uri: uri.as_ptr(), data: *data };
    let features: Box<[_]> = uris.iter().zip(list).map(make).collect();
    let pointers = features.iter().map(std::ptr::from_ref).chain([std::ptr::null()]).collect();
    (features, uris, pointers)
}

fn option_list(values: &Options) -> Box<[OptionsOption]> {
    let int = |uri: &str, value: &i32| option(uri, uri::ATOM_INT, 4, std::ptr::from_ref(value).cast());
    Box::new([
        int(uri::MIN_BLOCK, &values.min_block),
        int(uri::MAX_BLOCK, &values.max_block),
        int(uri::NOMINAL_BLOCK, &values.nominal_block),
        int(uri::SEQUENCE_SIZE, &values.sequence_size),
        option(uri::SAMPLE_RATE_PARAM, uri::ATOM_FLOAT, 4, std::ptr::from_ref(&values.rate).cast()),
        OptionsOption { context: 0, subject: 0, key: 0, size: 0, type_: 0, value: std::ptr::null() },
    ])
}

fn option(key: &str, kind: &str, size: u32, value: *const c_void) -> OptionsOption {
    use crate::backend::lv2::urid::map_str;
    OptionsOption { context: 0, subject: 0, key: map_str(key), size, type_: map_str(kind), value }
}

/// A copy of `text` in C's own memory, which a plugin may free itself, as many do.
pub(super) fn c_copy(text: &[u8]) -> *mut c_char {
    let text: Vec<u8> = text.iter().copied().take_while(|byte| *byte != 0).collect();
    let Ok(text) = CString::new(text) else { return std::ptr::null_mut() };
    // SAFETY: the text ends in NUL; the copy is freed by `free_path` or by the plugin, with C's `free`.
    unsafe { libc::strdup(text.as_ptr()) }
}
